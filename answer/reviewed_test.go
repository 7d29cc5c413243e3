package answer_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"muniment/answer"
	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/bundle"
	"muniment/cite/people"
	"muniment/cite/review"
	"muniment/draft"
	"muniment/draft/profile"
	"muniment/engine"
	"muniment/sign"
	"muniment/sign/trust"
)

// trustReviewers puts a first trust root in force in which a founder does everything and others review.
func trustReviewers(t *testing.T, a *archive.Archive, founder sign.Signer, reviewers map[string]sign.Signer) *trust.Root {
	t.Helper()
	r := trust.First(a.ID())
	for _, role := range []trust.Role{trust.Snapshot, trust.Withdraw, trust.Policy} {
		r.Keys = append(r.Keys, trust.Key{Role: role, Org: "archive", Key: founder.Key(), From: trust.Seq(1)})
	}
	for _, role := range []trust.Role{trust.Answer, trust.Log} {
		r.Keys = append(r.Keys, trust.Key{Role: role, Org: "archive", Key: founder.Key(), From: trust.Entry(trust.Name(founder.Key()), 1, 0)})
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
	return r
}

// These are the six sentences of the draft, named by who judges each.
const (
	byRules  = "Tobias Lunt repaired the mill wheel in nine days."
	byModel  = "Fixing the mill wheel took Tobias Lunt nine days."
	byOne    = "The parish council backed the crossing."
	byTwo    = "A quartet put up the bell."
	disputed = "Pohl resumed baking once the water had gone."
	byNobody = "Somebody was taken ill in the churchyard."
)

// reviewedArchive returns an archive with three citations that persons judged, all sealed, and its reviewers.
func reviewedArchive(t *testing.T) (*archive.Archive, sign.Signer, *trust.Root, []sign.Signer) {
	t.Helper()
	a, s := archivetest.New(t, map[string]string{"1874.txt": "Lambeth, 3 May 1874\n\n" + byRules + " The vestry met on Friday and voted for the bridge.\n\n" +
		"The bell was cast in Danzig and hung by four men. Old Pohl went back to his bread after the flood.\n"})
	archivetest.Seal(t, a, s)
	vale, court := archivetest.NewKey(t), archivetest.NewKey(t)
	root := trustReviewers(t, a, s, map[string]sign.Signer{"vale": vale, "court": court})
	for n := 1; n <= profile.MaxReviews; n++ {
		p, _ := profile.Find("engine")
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
	call := func(agent string, fn func(e *engine.Engine) error) {
		t.Helper()
		e, err := engine.New(a, engine.Caller{Agent: agent})
		if err == nil {
			err = fn(e)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range [][2]string{{byOne, "The vestry met on Friday and voted for the bridge."}, {byTwo, "The bell was cast in Danzig and hung by four men."}, {disputed, "Old Pohl went back to his bread after the flood."}} {
		call("writer", func(e *engine.Engine) error {
			_, err := e.Cite(t.Context(), engine.CiteOptions{Artifact: "1874.txt", Quote: c[1], Claim: c[0]})
			return err
		})
	}
	for _, r := range []struct {
		by, citation, verdict string
		key                   sign.Signer
	}{{"Ada", "1", "follows", vale}, {"Ada", "2", "follows", vale}, {"Ben", "2", "follows", court}, {"Ada", "3", "follows", vale}, {"Ben", "3", "not", court}} {
		call(r.by, func(e *engine.Engine) error {
			_, err := e.Reviews().Review(engine.ReviewOptions{Citation: r.citation, Verdict: r.verdict, Name: r.by, Day: "2026-05-03", Note: "words of my own"}, r.key)
			return err
		})
	}
	archivetest.Seal(t, a, s)
	return a, s, root, []sign.Signer{vale, court}
}

// A draft of six sentences, of which one follows by the rules, one by a model, one by a person, one by two, of which two persons
// disagree about one and nobody judged the last, becomes a bundle of which the library, verify.py and verify.js say the same.
func TestBundleOfReviewedClaims(t *testing.T) {
	a, s, root, reviewers := reviewedArchive(t)
	judge := aModel(t, func(asked string, _ http.ResponseWriter) string {
		if strings.Contains(asked, byModel) {
			return `{"entailed":"yes","reason":"so"}`
		}
		return `{"entailed":"unclear","reason":"so"}`
	})
	a = archivetest.ReopenWithModels(t, a, nil, judge, nil)
	file := filepath.Join(t.TempDir(), "six.zip")
	r, err := answer.Bind(t.Context(), a, strings.Join([]string{byRules, byModel, byOne, byTwo, disputed, byNobody}, "\n\n"), answer.AskOptions{Signer: s, DisplayFile: file})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"supported|" + byRules + "|verified: the rules found it in the words; no person checked it",
		"labeled|Judged by default to follow from these words: " + byModel + "|unverified: the model default says that it follows; no person checked it",
		"supported|" + byOne + "|verified: Ada of vale checked it on 3 May 2026",
		"supported|" + byTwo + "|verified: Ada of vale checked it on 3 May 2026, and Ben of court checked it on 3 May 2026",
		"labeled|People disagree whether this follows from these words: " + disputed + "|disputed: Ada of vale checked it on 3 May 2026, Ben of court said on 3 May 2026 that it does not follow: the words do not say it",
	} {
		if !slices.ContainsFunc(r.Claims, func(c answer.ResultClaim) bool { return c.Rung+"|"+c.Text+"|"+c.Label == want }) {
			t.Errorf("no claim is %s", want)
		}
	}
	if len(r.Claims) != 5 || len(r.Removed) != 1 || r.Removed[0].Topic != byNobody {
		t.Errorf("%d claims, removed %+v, want five and the sentence of nobody: %+v", len(r.Claims), r.Removed, r.Claims)
	}

	zip, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(zip, []byte("words of my own")) {
		t.Error("a reviewer's own words left the archive")
	}
	b, err := bundle.Read(bytes.NewReader(zip))
	if err != nil {
		t.Fatal(err)
	}
	v := bundle.Verify(b, bundle.Requirements{Root: root, Require: []string{bundle.AxisGate}})
	if !bundle.IsValid(v.Verdict) {
		t.Errorf("the library says %s: %+v", v.Verdict, v.Axes)
	}
	view, err := bundle.Render(b)
	if err != nil {
		t.Fatal(err)
	}
	said := map[int]string{}
	for _, c := range view.Claims {
		said[c.Number] = c.Judged
	}
	lines := "a@example.org " + s.Key().Authorized() + "\n"
	for _, k := range reviewers {
		lines += `b@example.org namespaces="` + review.Namespace + `" ` + k.Key().Authorized() + "\n"
	}
	allowed := filepath.Join(t.TempDir(), "allowed_signers")
	if err := os.WriteFile(allowed, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	for program, script := range map[string]string{"python3": "../verifiers/verify.py", "node": "../verifiers/verify.js"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Logf("SKIPPED: %s was not run: there is no %s", script, program)
			continue
		}
		out, err := exec.Command(program, script, file, "--json", "--trust", allowed, "--require", "gate").Output()
		var got struct {
			Verdict string
			Claims  []struct {
				Number int
				Judged string
			}
		}
		if err := json.Unmarshal(out, &got); err != nil {
			t.Fatalf("%s: %v: %s", script, err, out)
		}
		if err != nil || got.Verdict != "VALID" || len(got.Claims) != len(said) {
			t.Errorf("%s: %v, %s, %d claims: %s", script, err, got.Verdict, len(got.Claims), out)
		}
		for _, c := range got.Claims {
			if c.Judged != said[c.Number] || c.Judged == "" {
				t.Errorf("%s says of claim %d %q, the library %q", script, c.Number, c.Judged, said[c.Number])
			}
		}
	}
}

// Under a profile that asks for reviews a draft delivers what enough persons checked, and nothing else: not what the rules find either.
func TestBindUnderReviews(t *testing.T) {
	a, s, _, _ := reviewedArchive(t)
	n := 0
	for _, c := range []struct {
		sentence, citation string
		one, two           bool
	}{{byOne, "1", true, false}, {byTwo, "2", true, true}, {disputed, "3", false, false}, {"The vestry met on Friday and voted for the bridge.", "1", false, false}} {
		for profile, want := range map[string]bool{"reviewed-1": c.one, "reviewed-2": c.two} {
			r, err := answer.Bind(t.Context(), a, "# Report\n\n"+c.sentence+" ["+c.citation+"]\n", answer.AskOptions{Signer: s, Profile: profile})
			got := err == nil && len(r.Claims) == 1 && r.Claims[0].Rung == "supported" && r.Claims[0].Text == c.sentence && strings.HasPrefix(r.Claims[0].Label, "verified: Ada")
			if got != want {
				t.Errorf("%s under %s: delivered %v, want %v: %+v, %v", c.sentence, profile, got, want, r, err)
			}
			n++
		}
	}
	if n != 8 {
		t.Errorf("%d drafts", n)
	}
}

// What a model's yes makes of a claim is said by the call, else by its profile, else by the signed profile of the archive; persons go before all.
func TestWhoSaysWhatAModelVerifies(t *testing.T) {
	a, s, _, _ := reviewedArchive(t)
	yes := aModel(t, func(string, http.ResponseWriter) string { return `{"entailed":"yes","reason":"so"}` })
	n := 0
	for _, signed := range []string{"", "verified", "never", "labeled"} {
		if signed != "" {
			if _, err := draft.SetJudged(a, signed); err != nil {
				t.Fatal(err)
			}
			archivetest.Seal(t, a, s)
		}
		asked := archivetest.ReopenWithModels(t, a, nil, yes, nil)
		for _, c := range []struct{ judged, profile, want string }{
			{"", "", signed}, {"", "notes", signed}, {"", "engine", "verified"}, {"labeled", "engine", "labeled"}, {"verified", "notes", "verified"}, {"never", "engine", "never"},
		} {
			r, err := engine.Cite(asked, engine.CiteOptions{Artifact: "1874.txt", Quote: byRules, Claim: byModel, Judged: c.judged, Profile: c.profile, Key: fmt.Sprint("call ", n)})
			if err != nil {
				t.Fatal(err)
			}
			status, model := "unverified", r.Judge != ""
			if c.want == "verified" {
				status = "verified"
			}
			if r.VerificationStatus != status || model == (c.want == "never") {
				t.Errorf("signed %q, called with %q under %q: %s by %q, want judged %q", signed, c.judged, c.profile, r.VerificationStatus, r.Judge, c.want)
			}
			n++
		}
		if r, err := engine.Cite(asked, engine.CiteOptions{Artifact: "1874.txt", Quote: "Old Pohl went back to his bread after the flood.", Claim: disputed, Judged: "verified", Agent: signed, Key: fmt.Sprint("person ", n)}); err != nil || r.VerificationStatus != "unverified" {
			t.Errorf("a model overruled two persons who disagree: %+v, %v", r, err)
		}
	}
	if n != 24 {
		t.Errorf("%d calls", n)
	}
	if _, err := engine.Cite(a, engine.CiteOptions{Artifact: "1874.txt", Quote: byRules, Claim: byRules, Judged: "perhaps"}); err == nil {
		t.Error("judged is perhaps")
	}
}

// A profile that asks for reviews counts in cite as it does in bind, whether it is called alone or with others.
func TestCiteUnderReviews(t *testing.T) {
	a, _, _, _ := reviewedArchive(t)
	e, err := engine.New(a, engine.Caller{Agent: "reader"})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, c := range []struct {
		claim, quote string
		one, two     bool
	}{
		{byOne, "The vestry met on Friday and voted for the bridge.", true, false}, {byTwo, "The bell was cast in Danzig and hung by four men.", true, true},
		{disputed, "Old Pohl went back to his bread after the flood.", false, false}, {byRules, byRules, false, false},
	} {
		for name, want := range map[string]bool{"reviewed-1": c.one, "reviewed-2": c.two} {
			r, err := e.Cite(t.Context(), engine.CiteOptions{Artifact: "1874.txt", Quote: c.quote, Claim: c.claim, Profile: name, Key: c.claim + name})
			if err != nil {
				t.Fatal(err)
			}
			batch, err := e.Examine(t.Context(), engine.CiteOptions{Artifact: "1874.txt", Quote: c.quote, Claim: c.claim, Profile: name, Key: c.claim + name + "all"})
			if err != nil {
				t.Fatal(err)
			}
			var all []engine.Outcome
			if err := engine.Together(a, func(g *engine.Group) error {
				all = engine.RegisterAll(t.Context(), g, []*engine.Candidate{batch})
				return nil
			}); err != nil || all[0].Err != nil {
				t.Fatal(err, all)
			}
			for by, r := range map[string]*engine.CiteResult{"cite": r, "batch": all[0].Result} {
				if (r.VerificationStatus == "verified") != want || !want && r.VerificationNotes == "" {
					t.Errorf("%s of %q under %s: %s, want verified %v: %s", by, c.claim, name, r.VerificationStatus, want, r.VerificationNotes)
				}
			}
			n++
		}
	}
	if n != 8 {
		t.Errorf("%d claims", n)
	}
}

// A review that no snapshot holds counts in cite and why, bind does not go by it, and all three say so.
func TestReviewsBeforeTheSnapshot(t *testing.T) {
	a, s, _, reviewers := reviewedArchive(t)
	const quote, claim, against = "The vestry met on Friday and voted for the bridge.", "The vestry decided to build.", "The vestry met on Friday and voted for the bridge."
	call := func(agent string, fn func(e *engine.Engine) error) {
		t.Helper()
		e, err := engine.New(a, engine.Caller{Agent: agent})
		if err == nil {
			err = fn(e)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	cited := map[string]int64{}
	for i, c := range []string{claim, against} {
		call("writer", func(e *engine.Engine) error {
			r, err := e.Cite(t.Context(), engine.CiteOptions{Artifact: "1874.txt", Quote: quote, Claim: c})
			if err == nil {
				cited[c] = r.CitationID
			}
			return err
		})
		call("Ada", func(e *engine.Engine) error {
			_, err := e.Reviews().Review(engine.ReviewOptions{Citation: fmt.Sprint(cited[c]), Verdict: []string{"follows", "not"}[i], Name: "Ada"}, reviewers[0])
			return err
		})
	}
	const waits = "1 review waits for a snapshot"
	for _, sealed := range []bool{false, true} {
		if sealed {
			archivetest.Seal(t, a, s)
		}
		for c, status := range map[string]string{claim: "verified", against: "unverified"} {
			call("writer", func(e *engine.Engine) error {
				r, err := e.Cite(t.Context(), engine.CiteOptions{Artifact: "1874.txt", Quote: quote, Claim: c, Key: fmt.Sprint(c, sealed)})
				if err != nil {
					return err
				}
				if r.VerificationStatus != status || strings.Contains(r.VerificationNotes, waits) == sealed {
					t.Errorf("cite of %q, sealed %v: %s, %s", c, sealed, r.VerificationStatus, r.VerificationNotes)
				}
				why, err := e.Citations().Why(fmt.Sprint(cited[c]))
				if err == nil && (why.VerificationStatus != status || (people.SayUnsealed(why.Reviews) == waits) == sealed) {
					t.Errorf("why of %q, sealed %v: %s, %+v", c, sealed, why.VerificationStatus, why.Reviews)
				}
				return err
			})
			r, err := answer.Bind(t.Context(), a, "# Report\n\n"+c+"\n", answer.AskOptions{Signer: s})
			if r == nil {
				t.Fatal(err)
			}
			delivered := len(r.Claims) == 1
			said := fmt.Sprintf("%+v", r.Removed)
			if delivered != (sealed && status == "verified") || !sealed && !strings.Contains(said, waits) {
				t.Errorf("bind of %q, sealed %v: delivered %v, %s", c, sealed, delivered, said)
			}
		}
	}
}
