package server

import (
	"testing"

	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/cite/review"
	"muniment/engine"
	"muniment/sign"
	"muniment/sign/trust"
)

// openClaims registers claims that no rule settles, of a paper that everybody may read and of another one.
var openClaims = []engine.CiteOptions{
	{Artifact: "1931-04-02.txt", Quote: "Tobias Lunt repaired the mill wheel.", Claim: "A man named Lunt got the wheel running again."},
	{Artifact: "1931-03-14.txt", Quote: "The mill wheel has stopped.", Claim: "Nothing is being ground any more."},
}

// trustReviewer puts a first trust root in force that gives a key the role review.
func trustReviewer(t *testing.T, a *archive.Archive, founder, reviewer sign.Signer) {
	t.Helper()
	r := trust.First(a.ID())
	for _, role := range []trust.Role{trust.Snapshot, trust.Withdraw, trust.Policy} {
		r.Keys = append(r.Keys, trust.Key{Role: role, Org: "archive", Key: founder.Key(), From: trust.Seq(1)})
	}
	r.Keys = append(r.Keys, trust.Key{Role: trust.Review, Org: "vale", Key: reviewer.Key(), From: trust.Seq(1)})
	armored, err := sign.Sign(founder, trust.Namespace, r.Encode())
	if err == nil {
		_, err = a.PutRootInForce(trust.Signed{Text: r.Encode(), Signatures: [][]byte{armored}})
	}
	if err != nil {
		t.Fatal(err)
	}
	archivetest.Seal(t, a, founder)
}

// A user lists what nobody has judged, signs it at home and hands it in; it counts. An agent may do neither, a statement of other
// words is refused, and a server without a key for reviews signs none.
func TestReviews(t *testing.T) {
	a, key, _, url := serve(t)
	own := archivetest.NewKey(t)
	trustReviewer(t, a, key, own)
	e, err := engine.New(a, engine.Caller{Agent: "writer", Project: "p"})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range openClaims {
		if _, err := e.Cite(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	token := map[engine.Role]string{}
	for _, role := range []engine.Role{engine.RoleAgent, engine.RoleUser, engine.RoleAdmin} {
		secret, _, err := NewToken(a, Credential{Name: "the " + string(role), Role: role, Project: "p"})
		if err != nil {
			t.Fatal(err)
		}
		token[role] = "Bearer " + secret
	}
	at := url + "/api/v1/reviews"
	if status, _, got := send(t, "GET", at, nil, "Authorization", token[engine.RoleAgent]); status != 403 {
		t.Errorf("an agent: %d %v", status, got)
	}
	_, _, page := send(t, "GET", at+"?limit=1", nil, "Authorization", token[engine.RoleUser])
	items, ok := page["items"].([]any)
	if !ok || len(items) != 1 || page["next"] != float64(1) {
		t.Fatalf("one to review: %v", page)
	}
	_, _, rest := send(t, "GET", at+"?after=1", nil, "Authorization", token[engine.RoleUser])
	if more, ok := rest["items"].([]any); !ok || len(more) != 1 || rest["next"] != nil {
		t.Errorf("the rest: %v", rest)
	}
	item := items[0].(map[string]any)
	text := func(name string) string { s, _ := item[name].(string); return s }
	subject := review.Subject{Claim: text("claim"), Artifact: text("artifact"), Span: text("span"), Words: text("words"), Surroundings: text("surroundings")}
	if digest, err := subject.Digest(); err != nil || digest != text("subject") {
		t.Fatalf("the subject of %v is %s, %v", item, digest, err)
	}
	signed, err := review.Sign(review.Review{Verdict: review.Follows, Day: "2026-05-03", Name: "Ada Vale"}, subject, own)
	if err != nil {
		t.Fatal(err)
	}
	post := func(role engine.Role, r ReviewRequest) (int, map[string]any) {
		status, _, got := send(t, "POST", at, r, "Authorization", token[role])
		return status, got
	}
	for _, c := range []struct {
		role engine.Role
		in   ReviewRequest
		want int
	}{
		{engine.RoleAgent, ReviewRequest{Citation: "1", Review: string(signed)}, 404}, // somebody else's citation
		{engine.RoleUser, ReviewRequest{Citation: "2", Review: string(signed)}, 422},
		{engine.RoleUser, ReviewRequest{Citation: "1", Review: string(signed) + " "}, 422},
		{engine.RoleUser, ReviewRequest{Citation: "1"}, 422},
		{engine.RoleAdmin, ReviewRequest{Citation: "1", Verdict: "follows"}, 403},
	} {
		if status, got := post(c.role, c.in); status != c.want {
			t.Errorf("%+v: %d %v", c.in, status, got)
		}
	}
	if status, got := post(engine.RoleUser, ReviewRequest{Citation: "1", Review: string(signed)}); status != 200 || got["counted"] != true || got["verification_status"] != "verified" {
		t.Errorf("signed: %d %v", status, got)
	}
}

// A server with a key for reviews signs for the archivist's browser, and for nobody else.
func TestServerSignsReviews(t *testing.T) {
	a, key := archivetest.New(t, archivetest.Papers)
	archivetest.Seal(t, a, key)
	own := archivetest.NewKey(t)
	trustReviewer(t, a, key, own)
	e, err := engine.New(a, engine.Caller{Agent: "writer"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Cite(t.Context(), openClaims[0]); err != nil {
		t.Fatal(err)
	}
	s, err := New(Options{Open: func() (*archive.Archive, error) { return archive.Open(a.Dir(), a.World()) }, Reviewer: own})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, who := range []Credential{{Name: "one", Role: engine.RoleUser}, {Name: "one", Role: engine.RoleAdmin}, {Name: "one", Role: engine.RoleAdmin, Archivist: true}} {
		c := s.Client(who, "")
		got, err := c.Review(t.Context(), ReviewRequest{Citation: "1", Verdict: "follows"})
		if (err == nil) != who.Archivist || c.SignsReviews() != who.Archivist {
			t.Errorf("%+v: %+v, %v", who, got, err)
		}
	}
}

// The items of a kept examination are judged one after the other, without being registered: what rules settled is left out, what a person
// judged leaves the list, and a claim that the words contradict takes a second organisation.
func TestReviewsOfExamination(t *testing.T) {
	a, key, _, url := serve(t)
	own := archivetest.NewKey(t)
	trustReviewer(t, a, key, own)
	secret, _, err := NewToken(a, Credential{Name: "the user", Role: engine.RoleUser, Project: "p"})
	if err != nil {
		t.Fatal(err)
	}
	as := []string{"Authorization", "Bearer " + secret}
	const text = "In 1931-04-02.txt somebody is praised for it: “Tobias Lunt repaired the mill wheel.” Cheerfully he did it, as “Tobias Lunt repaired the mill wheel” shows in 1931-04-02.txt.\n\n" +
		"Ruth read that the bakers starved when “the mill wheel has stopped” (1931-03-14.txt).\n\nAccording to 1931-03-14.txt, there is flour for twelve days.\n"
	status, _, got := send(t, "POST", url+"/api/v1/examinations", ExamineRequest{Text: text}, as...)
	id, _ := got["id"].(string)
	if status != 200 || id == "" {
		t.Fatalf("examine: %d %v", status, got)
	}
	list := func(query string) []map[string]any {
		status, _, got := send(t, "GET", url+"/api/v1/reviews?examination="+id+query, nil, as...)
		if status != 200 {
			t.Fatalf("list: %d %v", status, got)
		}
		var out []map[string]any
		for _, one := range got["items"].([]any) {
			out = append(out, one.(map[string]any))
		}
		return out
	}
	open, all := list(""), list("&all=true")
	if len(open) == 0 || len(all) <= len(open) {
		t.Fatalf("%d open items of %d", len(open), len(all))
	}
	judge := func(item map[string]any) map[string]any {
		t.Helper()
		text := func(name string) string { s, _ := item[name].(string); return s }
		subject := review.Subject{Claim: text("claim"), Artifact: text("artifact"), Span: text("span"), Words: text("words"), Surroundings: text("surroundings")}
		signed, err := review.Sign(review.Review{Verdict: review.Follows, Day: "2026-05-03"}, subject, own)
		if err != nil {
			t.Fatal(err)
		}
		status, _, got := send(t, "POST", url+"/api/v1/reviews", ReviewRequest{Claim: subject.Claim, Artifact: subject.Artifact, Span: subject.Span, Review: string(signed)}, as...)
		if status != 200 || got["counted"] != true {
			t.Fatalf("%v: %d %v", item["claim"], status, got)
		}
		return got
	}
	for _, item := range open {
		if item["verification_status"] != "unverified" || item["item"] == nil {
			t.Errorf("open: %v", item)
		}
		if got := judge(item); got["verification_status"] != "verified" {
			t.Errorf("judged: %v", got)
		}
	}
	if rest := list(""); len(rest) != 0 {
		t.Errorf("left: %v", rest)
	}
	failed := 0
	for _, item := range list("&all=true") {
		if item["verification_status"] == "failed" {
			failed++
			if got := judge(item); got["verification_status"] == "verified" {
				t.Errorf("one organisation against the rules: %v", got)
			}
		}
	}
	if failed == 0 {
		t.Error("no claim is contradicted")
	}
	if after := list("&all=true&limit=1&after=1"); len(after) != 1 || after[0]["item"] == float64(1) {
		t.Errorf("after the first: %v", after)
	}
}
