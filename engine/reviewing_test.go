package engine_test

import (
	"strconv"
	"strings"
	"testing"

	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/custody"
	"muniment/engine"
	"muniment/sign"
	"muniment/sign/trust"
)

// putRoot puts a first trust root in force in which a founder does everything, and reviewers review.
func putRoot(t *testing.T, a *archive.Archive, founder sign.Signer, reviewers map[string]sign.Signer) {
	t.Helper()
	r := trust.First(a.ID())
	for _, role := range []trust.Role{trust.Snapshot, trust.Withdraw, trust.Policy} {
		r.Keys = append(r.Keys, trust.Key{Role: role, Org: "archive", Key: founder.Key(), From: trust.Seq(1)})
	}
	for org, key := range reviewers {
		r.Keys = append(r.Keys, trust.Key{Role: trust.Review, Org: org, Key: key.Key(), From: trust.Seq(1)})
	}
	text := r.Encode()
	armored, err := sign.Sign(founder, trust.Namespace, text)
	if err == nil {
		_, err = a.PutRootInForce(trust.Signed{Text: text, Signatures: [][]byte{armored}})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// reviewer returns the engine of a person.
func reviewer(t *testing.T, a *archive.Archive, name string) *engine.Engine {
	t.Helper()
	e, err := engine.New(a, engine.Caller{Agent: name})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// Persons decide what rules leave open: one, two against a contradiction; two who disagree make it disputed. A stranger's
// review, and that of whoever registered the claim, are kept and not counted. A clone says the same from the snapshot alone.
func TestReview(t *testing.T) {
	a, s := archivetest.New(t, archivetest.Papers)
	archivetest.Seal(t, a, s)
	vale, court, stranger := archivetest.NewKey(t), archivetest.NewKey(t), archivetest.NewKey(t)
	putRoot(t, a, s, map[string]sign.Signer{"vale": vale, "court": court})
	archivetest.Seal(t, a, s)
	free, against := cite(t, a, "A man named Lunt got the wheel running again."), cite(t, a, "Tobias Lunt never repaired the mill wheel.")
	if free.VerificationStatus != "unverified" || against.VerificationStatus != "failed" {
		t.Fatalf("before: %s, %s", free.VerificationStatus, against.VerificationStatus)
	}
	n := strconv.FormatInt(free.CitationID, 10)
	steps := []struct {
		by                      string
		key                     sign.Signer
		citation, verdict, name string
		counted                 bool
		status, notes           string
	}{
		{"Eve", stranger, n, "f", "", false, "unverified", ""},
		{"Ada", vale, n, "?", "Ada Vale", true, "unverified", ""},
		{"Ada", vale, n, "f", "Ada Vale", true, "verified", "verified: Ada Vale of vale checked it on "},
		{"Ben", court, n, "n", "", true, "unverified", "disputed: Ada Vale of vale checked it on "},
		{"Ben", court, n, "f", "", true, "verified", "and reviewer "},
		{"Ada", vale, strconv.FormatInt(against.CitationID, 10), "f", "", true, "failed", "1 more of another organisation"},
		{"Ben", court, strconv.FormatInt(against.CitationID, 10), "f", "", true, "verified", "of court checked it on "},
	}
	if r, err := reviewer(t, a, "a").Reviews().Review(engine.ReviewOptions{Citation: n, Verdict: "f"}, vale); err == nil {
		t.Errorf("whoever registered the claim reviews it: %+v", r)
	}
	for i, c := range steps {
		r, err := reviewer(t, a, c.by).Reviews().Review(engine.ReviewOptions{Citation: c.citation, Verdict: c.verdict, Name: c.name, Note: "n"}, c.key)
		if err != nil || r.Counted != c.counted || r.VerificationStatus != c.status || !strings.Contains(r.VerificationNotes, c.notes) {
			t.Fatalf("step %d: %+v, %v", i+1, r, err)
		}
	}
	archivetest.Seal(t, a, s)
	left, err := reviewer(t, a, "Ada").Reviews().Queue(engine.ReviewFilter{})
	if err != nil || len(left) != 0 {
		t.Errorf("left to review: %+v, %v", left, err)
	}
	again := cite(t, a, "A man named Lunt got the wheel running again.")
	other, err := engine.Cite(a, engine.CiteOptions{Artifact: "1931-04-02.txt", Quote: "Tobias Lunt repaired the mill wheel.", Claim: "A man named Lunt got the wheel running again.", Session: "t", Agent: "b"})
	if err != nil || again.VerificationStatus != "verified" || other.VerificationStatus != "verified" || !strings.Contains(other.VerificationNotes, "Ada Vale of vale") {
		t.Errorf("cited again: %s; by another: %+v, %v", again.VerificationStatus, other, err)
	}
	b := cloneOf(t, a)
	e := reviewer(t, b, "Cid")
	got, err := e.Citations().Why(free.Citation)
	if err != nil || got.VerificationStatus != "verified" || len(got.Reviews) != 3 || !strings.Contains(got.VerificationNotes, "Ada Vale of vale") {
		t.Errorf("in a clone: %+v, %v", got, err)
	}
	if r, err := e.Reviews().Review(engine.ReviewOptions{Citation: free.Citation, Verdict: "not", Reason: "restriction"}, court); err != nil || !r.Counted || len(r.Reviews) != 3 {
		t.Errorf("reviewed in a clone: %+v, %v", r, err)
	}
}

// A claim that nobody registered is reviewed by its words, and who reviews a citation may read them.
func TestReviewUnregistered(t *testing.T) {
	a, s := archivetest.New(t, archivetest.Papers)
	archivetest.Seal(t, a, s)
	r := cite(t, a, "A man named Lunt got the wheel running again.")
	o := engine.ReviewOptions{Claim: "The wheel turns again.", Artifact: r.Artifact, Span: r.Span, Verdict: "f"}
	if got, err := reviewer(t, a, "Ada").Reviews().Review(o, s); err != nil || got.CitationID != 0 || got.Counted {
		t.Errorf("%+v, %v", got, err)
	}
	o.Span = "p99:0-3"
	if got, err := reviewer(t, a, "Ada").Reviews().Review(o, s); err == nil {
		t.Errorf("reviewed words that are not there: %+v", got)
	}
	agent, err := engine.New(a, engine.Caller{Role: engine.RoleAgent, Session: "s", Agent: "a"})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := agent.Reviews().Review(engine.ReviewOptions{Citation: strconv.FormatInt(r.CitationID, 10), Verdict: "f"}, s); err == nil {
		t.Errorf("an agent reviews: %+v", got)
	}
}

func cloneOf(t *testing.T, a *archive.Archive) *archive.Archive {
	t.Helper()
	dir := t.TempDir() + "/clone"
	if _, err := custody.Clone(t.Context(), a.Dir(), dir, custody.CloneOptions{}, archivetest.World()); err != nil {
		t.Fatal(err)
	}
	b, err := archive.Open(dir, archivetest.World())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}
