package draft_test

import (
	"fmt"
	"testing"

	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/draft"
	"muniment/draft/profile"
	"muniment/engine"
	"muniment/sign"
	"muniment/sign/trust"
)

// trustReviewers puts a first trust root in force in which a founder does everything and others review.
func trustReviewers(t *testing.T, a *archive.Archive, founder sign.Signer, reviewers map[string]sign.Signer) {
	t.Helper()
	r := trust.First(a.ID())
	for _, role := range []trust.Role{trust.Snapshot, trust.Withdraw, trust.Policy} {
		r.Keys = append(r.Keys, trust.Key{Role: role, Org: "archive", Key: founder.Key(), From: trust.Seq(1)})
	}
	for org, key := range reviewers {
		r.Keys = append(r.Keys, trust.Key{Role: trust.Review, Org: org, Key: key.Key(), From: trust.Seq(1)})
	}
	armored, err := sign.Sign(founder, trust.Namespace, r.Encode())
	if err == nil {
		_, err = a.PutRootInForce(trust.Signed{Text: r.Encode(), Signatures: [][]byte{armored}})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A profile may ask for one review of a citation, or for two of different organisations: until then it counts for nothing, also where
// the rules verify it. A free paraphrase stands as soon as persons say that it follows, and falls when they disagree.
func TestProfileOfReviews(t *testing.T) {
	a, s := archivetest.New(t, archivetest.Papers)
	archivetest.Seal(t, a, s)
	vale, court := archivetest.NewKey(t), archivetest.NewKey(t)
	trustReviewers(t, a, s, map[string]sign.Signer{"vale": vale, "court": court})
	base, ok := profile.Find("engine")
	if !ok {
		t.Fatal("no profile engine")
	}
	for n := 1; n <= profile.MaxReviews; n++ {
		p := base
		p.Type, p.Name, p.Reviews = "", fmt.Sprintf("reviewed-%d", n), n
		data, err := p.Encode()
		if err == nil {
			_, err = draft.AddProfile(a, data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	archivetest.Seal(t, a, s)
	const words, free = "Tobias Lunt repaired the mill wheel.", "A man named Lunt got the wheel running again."
	e, err := engine.New(a, engine.Caller{Agent: "writer"})
	if err != nil {
		t.Fatal(err)
	}
	for _, claim := range []string{words, free} {
		if _, err := e.Cite(t.Context(), engine.CiteOptions{Artifact: "1931-04-02.txt", Quote: words, Claim: claim}); err != nil {
			t.Fatal(err)
		}
	}
	drafts := map[string]string{"1": "# Report\n\n" + words + " [1]\n", "2": "# Report\n\n" + free + " [2]\n"}
	review := func(by, citation, verdict string, key sign.Signer) {
		t.Helper()
		r, err := engine.New(a, engine.Caller{Agent: by})
		if err == nil {
			_, err = r.Reviews().Review(engine.ReviewOptions{Citation: citation, Verdict: verdict}, key)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	want := func(when, citation, profile string, verified bool) {
		t.Helper()
		r, err := draft.Check(t.Context(), e, drafts[citation], draft.CheckOptions{Profile: profile})
		if err != nil || (r.Claims.Verified == 1) != verified || (r.Decision == "deliver") != verified {
			t.Errorf("%s, citation %s under %s: %+v, %v", when, citation, profile, r, err)
		}
	}
	for _, c := range []string{"1", "2"} {
		want("before", c, "engine", c == "1")
		want("before", c, "reviewed-1", false)
		review("Ada", c, "follows", vale)
		want("one", c, "engine", true)
		want("one", c, "reviewed-1", true)
		want("one", c, "reviewed-2", false)
		review("Ben", c, "follows", court)
		want("two", c, "reviewed-2", true)
		review("Ben", c, "not", court)
		want("disputed", c, "engine", false)
		want("disputed", c, "reviewed-1", false)
	}
}
