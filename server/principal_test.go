package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"muniment/answer"
	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/archive/problem"
	"muniment/engine"
	"muniment/history"
	"muniment/ledger"
)

// bearer returns the Authorization of a new token.
func bearer(t testing.TB, a *archive.Archive, name, tier string) string {
	t.Helper()
	secret, _, err := NewToken(a, Credential{Name: name, Role: engine.RoleAgent, Tier: tier})
	if err != nil {
		t.Fatal(err)
	}
	return "Bearer " + secret
}

// countBundles returns how many complete bundles are kept.
func countBundles(t testing.TB, a *archive.Archive) int {
	t.Helper()
	kept, err := answer.Kept(a)
	if err != nil {
		t.Fatal(err)
	}
	return len(kept.Kept)
}

// refuse has an account refused as often as it may be within the hour.
func refuse(t testing.TB, a *archive.Archive, account string) {
	t.Helper()
	l, err := ledger.Of(a)
	if err != nil {
		t.Fatal(err)
	}
	for range answer.MaxRefusals {
		if err := l.AddRefused(account, a.World().Now()); err != nil {
			t.Fatal(err)
		}
	}
}

const asked = "Who repaired the mill wheel?"

// What one principal is refused or shown counts for no other: tokens without a tier, of
// names that differ in case, a token named like the principal of callers without one, these,
// and the owner at the terminal.
func TestPrincipalsShareNothing(t *testing.T) {
	a, key, _, url := serve(t)
	callers := map[string][]string{"public": nil}
	for _, name := range []string{"ann", "Ann", "public"} {
		callers["token "+name] = []string{"Authorization", bearer(t, a, name, "")}
	}
	callers["token bob"] = []string{"Authorization", bearer(t, a, "bob", "researcher")}
	if _, _, err := NewToken(a, Credential{Name: loopbackName, Role: engine.RoleAgent}); err == nil {
		t.Error("a token has the name of callers without one")
	}
	refused := map[string]bool{}
	check := func() {
		t.Helper()
		for account, headers := range callers {
			status, got, reply := send(t, "POST", url+"/api/v1/ask", AskRequest{Question: asked + strings.Repeat(" ", len(refused))}, headers...)
			want := http.StatusOK
			if refused[account] {
				want = http.StatusTooManyRequests
			}
			if status != want || (want != http.StatusOK) != (got.Get("Retry-After") != "") {
				t.Errorf("%s asks after %v: %d %q %v", account, refused, status, got.Get("Retry-After"), reply["detail"])
			}
		}
		for _, name := range []string{"", "ann", "bob"} {
			if _, err := answer.Ask(t.Context(), a, asked, answer.AskOptions{Signer: key, Requestor: name}); err != nil {
				t.Errorf("the owner as %q after %v: %v", name, refused, err)
			}
		}
	}
	check()
	for _, account := range []string{"public", "token ann", "token bob"} {
		refuse(t, a, "Account "+account)
		refused[account] = true
		check()
	}
	public, err := answer.Budget(a, answer.BudgetOptions{Account: "public"})
	if err != nil || public.Spent == 0 {
		t.Errorf("the public's budget: %+v %v", public, err)
	}
	owner, err := answer.Budget(a, answer.BudgetOptions{})
	if err != nil || owner.Spent != public.Spent {
		t.Errorf("the owner saw one answer: %+v, the public one: %+v, %v", owner, public, err)
	}
}

// A refusal beyond the limit of one token, asked over HTTP, leaves all others as they were.
func TestRefusalsOfOneToken(t *testing.T) {
	a, key, _, url := serve(t)
	ann, bob := bearer(t, a, "ann", ""), bearer(t, a, "bob", "")
	for i := range answer.MaxRefusals - 1 {
		l, err := ledger.Of(a)
		if err == nil {
			err = l.AddRefused("Account token ann", a.World().Now())
		}
		if err != nil {
			t.Fatal(i, err)
		}
	}
	ask := func(question string, headers ...string) int {
		status, _, _ := send(t, "POST", url+"/api/v1/ask", AskRequest{Question: question}, headers...)
		return status
	}
	const nothing = "What does the xylophone quartet charge for zeppelins?"
	first, second := ask(nothing, "Authorization", ann), ask(nothing+" Really?", "Authorization", ann)
	if first != 200 || second != 429 {
		t.Errorf("the last refusal and the next question: %d, %d", first, second)
	}
	if got := ask(nothing, "Authorization", bob); got != 200 {
		t.Errorf("another token: %d", got)
	}
	if got := ask(nothing); got != 200 {
		t.Errorf("without a token: %d", got)
	}
	if _, err := answer.Ask(t.Context(), a, nothing, answer.AskOptions{Signer: key}); err != nil {
		t.Errorf("the owner: %v", err)
	}
}

// Forty times the same question of a token leave one bundle, also at once, by every
// call that asks, and after a restart; another token's is its own.
func TestRepeatsLeaveOneBundle(t *testing.T) {
	a, key, s, url := serve(t)
	ann, bob := bearer(t, a, "ann", ""), bearer(t, a, "bob", "")
	replies := make([]map[string]any, 40)
	var wait sync.WaitGroup
	for i := range replies {
		wait.Go(func() {
			_, _, replies[i] = send(t, "POST", url+"/api/v1/ask", AskRequest{Question: asked}, "Authorization", ann)
		})
	}
	wait.Wait()
	for i, r := range replies {
		delete(r, "id") // each call has an address of its own, which leads to the same bundle
		if r["bundle_id"] == "" || !reflect.DeepEqual(r, replies[0]) {
			t.Fatalf("reply %d: %v, want %v", i, r, replies[0])
		}
	}
	if n := countBundles(t, a); n != 1 {
		t.Errorf("%d bundles after forty questions, want 1", n)
	}
	c := s.Client(Credential{Name: "ann", Role: engine.RoleAgent}, "")
	page, err := c.AskAndKeep(t.Context(), asked)
	if err != nil || page.BundleID != replies[0]["bundle_id"] || len(page.Zip) == 0 {
		t.Errorf("on a page: %v, %v", page, err)
	}
	if kept, err := c.Answer(t.Context(), page.Address); err != nil || kept != page {
		t.Errorf("kept: %v", err)
	}
	again, err := New(Options{Open: s.o.Open, Signer: key})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	after, err := again.Client(Credential{Name: "ann", Role: engine.RoleAgent}, "").Ask(t.Context(), AskRequest{Question: asked})
	if err != nil || after.BundleID != page.BundleID || after.Nonce != replies[0]["request_nonce"] {
		t.Errorf("after a restart: %+v, %v", after, err)
	}
	if n := countBundles(t, a); n != 1 {
		t.Errorf("%d bundles, want 1", n)
	}
	_, _, other := send(t, "POST", url+"/api/v1/ask", AskRequest{Question: asked}, "Authorization", bob)
	if other["bundle_id"] == page.BundleID || other["request_nonce"] == after.Nonce || countBundles(t, a) != 2 {
		t.Errorf("another token got %v", other["bundle_id"])
	}
	nonce := strings.Repeat("5a", 32)
	var own [2]map[string]any
	for i := range own {
		_, _, own[i] = send(t, "POST", url+"/api/v1/ask", AskRequest{Question: asked, Nonce: nonce}, "Authorization", ann)
	}
	if own[0]["bundle_id"] != own[1]["bundle_id"] || own[0]["bundle_id"] == page.BundleID || own[0]["request_nonce"] != nil {
		t.Errorf("with a nonce: %v", own)
	}
	status, _, got := send(t, "POST", url+"/api/v1/ask", AskRequest{Question: asked, Nonce: "5a"}, "Authorization", ann)
	if status != 422 {
		t.Errorf("a short nonce: %d %v", status, got)
	}
	status, _, got = send(t, "POST", url+"/api/v1/ask", AskRequest{Question: asked, Nonce: "wheel"}, "Authorization", ann)
	if status != 422 {
		t.Errorf("a nonce that is none: %d %v", status, got)
	}
}

// A new snapshot, and a bundle that is gone, have the question answered again. What is
// kept says neither question nor nonce.
func TestRepeatsEnd(t *testing.T) {
	a, key, _, url := serve(t)
	ask := func() map[string]any {
		_, _, got := send(t, "POST", url+"/api/v1/ask", AskRequest{Question: asked})
		return got
	}
	first := ask()
	dir, err := a.LocalPath("bundles")
	if err != nil {
		t.Fatal(err)
	}
	notes, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(notes) != 1 {
		t.Fatalf("%d notes: %v", len(notes), err)
	}
	data, err := os.ReadFile(notes[0])
	if err != nil || bytes.Contains(data, []byte(asked)) || bytes.Contains(data, []byte(first["request_nonce"].(string))) {
		t.Errorf("what is kept: %s %v", data, err)
	}
	if err := os.Remove(filepath.Join(dir, first["bundle_id"].(string)+".zip")); err != nil {
		t.Fatal(err)
	}
	second := ask()
	if err := os.WriteFile(notes[0], data[:len(data)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	third := ask()
	archivetest.AddLetter(t, a, key, "A new letter about herons.\n")
	ids := map[any]bool{first["bundle_id"]: true, second["bundle_id"]: true, third["bundle_id"]: true, ask()["bundle_id"]: true}
	if len(ids) != 4 || ids[nil] {
		t.Errorf("answers %v, want four", ids)
	}
}

// A quote beyond the limit is a clear error that does not repeat it; one of the limit is
// looked up.
func TestLongQuotes(t *testing.T) {
	_, _, _, url := serve(t)
	for n, want := range map[int]int{maxQuote: 200, maxQuote + 1: 422} {
		one := stopped
		one.Quote = strings.Repeat("ü", n)
		status, _, got := send(t, "POST", url+"/api/v1/cite", one)
		if status != want || want == 422 && (!strings.Contains(fmt.Sprint(got["detail"]), itoa(maxQuote)) || strings.Contains(fmt.Sprint(got), "üü")) {
			t.Errorf("%d characters: %d %v", n, status, got["detail"])
		}
		_, _, batch := send(t, "POST", url+"/api/v1/cite/batch", CiteBatch{Citations: []CiteRequest{one, stopped}})
		lines, _ := batch["results"].([]any)
		if len(lines) != 2 || (lines[0].(map[string]any)["error"] != nil) != (want == 422) || lines[1].(map[string]any)["error"] != nil {
			t.Errorf("a batch of %d characters: %v", n, batch)
		}
	}
}

// Every POST with a key gives the reply of its first call, to its principal alone, and
// refuses the key for another body. A call that failed leaves its key free.
func TestIdempotencyKeys(t *testing.T) {
	a, _, s, url := serve(t)
	ann, bob := bearer(t, a, "ann", ""), bearer(t, a, "bob", "")
	admin, _, err := NewToken(a, Credential{Name: "admin", Role: engine.RoleAdmin})
	if err != nil {
		t.Fatal(err)
	}
	calls := []struct {
		path        string
		body, other any
	}{
		{"/cite", stopped, CiteRequest{Artifact: "1937-01-09.txt", Quote: "crate of straw", Claim: "straw"}},
		{"/cite/batch", CiteBatch{Citations: []CiteRequest{stopped}}, CiteBatch{Citations: []CiteRequest{}}},
		{"/cite_negative", NegativeRequest{Claim: "The mill was sold.", Query: "mill sold"}, NegativeRequest{Claim: "The mill was let.", Query: "mill let"}},
		{"/sources", SourceRequest{Type: "custom", Name: "table", Content: "a,b\n1,2\n"}, SourceRequest{Type: "custom", Name: "list", Content: "a\n"}},
		{"/ask", AskRequest{Question: asked}, AskRequest{Question: "Who sold the mill wheel?"}},
		{"/check", CheckRequest{Draft: "# Mill\n\n- It stopped.\n"}, CheckRequest{Draft: "# Mill\n\n- It broke.\n"}},
		{"/segment", SegmentRequest{Text: "It burned."}, SegmentRequest{Text: "It froze."}},
		{"/archive/verify", map[string]any{}, map[string]any{"x": 1}},
	}
	for i, c := range calls {
		headers := []string{"Authorization", ann, onceHeader, fmt.Sprint("key ", i)}
		if strings.HasPrefix(c.path, "/archive/") {
			headers[1] = "Bearer " + admin
		}
		post := func(body any, headers ...string) (int, string) {
			status, _, data := sendRaw(t, url+"/api/v1"+c.path, body, headers...)
			return status, data
		}
		status, first := post(c.body, headers...)
		if status != 200 {
			t.Errorf("%s: %d %s", c.path, status, first)
			continue
		}
		if status, again := post(c.body, headers...); status != 200 || again != first {
			t.Errorf("%s again: %d %s, want %s", c.path, status, again, first)
		}
		if status, got := post(c.other, headers...); status != 422 || !strings.Contains(got, onceHowToCall) {
			t.Errorf("%s with another body: %d %s", c.path, status, got)
		}
		headers[1] = bob
		if status, got := post(c.other, headers...); status >= 500 || strings.Contains(got, onceHowToCall) {
			t.Errorf("%s of another token: %d %s", c.path, status, got)
		}
	}
	if status, _, got := send(t, "POST", url+"/api/v1/cite", CiteRequest{Artifact: "none.txt", Quote: "x", Claim: "x"}, "Authorization", ann, onceHeader, "free"); status != 404 {
		t.Errorf("a citation of nothing: %d %v", status, got)
	}
	if status, _, got := send(t, "POST", url+"/api/v1/cite", stopped, "Authorization", ann, onceHeader, "free"); status != 200 {
		t.Errorf("the key of a call that failed: %d %v", status, got)
	}
	if status, _, got := send(t, "POST", url+"/api/v1/segment", SegmentRequest{Text: "It burned."}, onceHeader, strings.Repeat("k", maxOnceKey+1)); status != 422 {
		t.Errorf("a long key: %d %v", status, got)
	}
	again, err := New(Options{Open: s.o.Open})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	restarted := httptest.NewServer(again.Handler())
	defer restarted.Close()
	if _, _, got := send(t, "POST", restarted.URL+"/api/v1/cite", stopped, "Authorization", ann, onceHeader, "key 0"); got["repeated"] != true {
		t.Errorf("a citation's key after a restart: %v", got)
	}
}

// Calls with one key at the same time are done once.
func TestOneKeyAtOnce(t *testing.T) {
	_, _, _, url := serve(t)
	replies := make([]string, 16)
	var wait sync.WaitGroup
	for i := range replies {
		wait.Go(func() {
			_, _, replies[i] = sendRaw(t, url+"/api/v1/cite_negative", NegativeRequest{Claim: "The mill was sold.", Query: "mill sold"}, onceHeader, "one")
		})
	}
	wait.Wait()
	for _, r := range replies {
		if r != replies[0] || !strings.Contains(r, "mill sold") {
			t.Errorf("%s, want %s", r, replies[0])
		}
	}
}

// The bytes that one token has the archive keep, bodies and new bundles, and its calls
// count for it alone.
func TestLimitsOfOneToken(t *testing.T) {
	a, _, s, url := serve(t)
	ann, bob := bearer(t, a, "ann", ""), bearer(t, a, "bob", "")
	now := s.now()
	s.now = func() time.Time { return now }
	left := func() float64 { return s.stored.Left("token ann", now) }
	status, _, _ := send(t, "POST", url+"/api/v1/ask", AskRequest{Question: asked}, "Authorization", ann)
	first := float64(DefaultLimits().KeepAtOnce) - left()
	again, _, _ := send(t, "POST", url+"/api/v1/ask", AskRequest{Question: asked}, "Authorization", ann)
	if second := float64(DefaultLimits().KeepAtOnce) - left() - first; status != 200 || again != 200 || first < 10_000 || second > 1000 {
		t.Errorf("a new answer costs %v bytes, a repeated one %v (%d, %d)", first, second, status, again)
	}
	s.stored.Spend("token ann", float64(DefaultLimits().KeepAtOnce), now)
	for who, want := range map[string]int{ann: 429, bob: 200, "": 200} {
		var headers []string
		if who != "" {
			headers = []string{"Authorization", who}
		}
		status, got, _ := send(t, "POST", url+"/api/v1/segment", SegmentRequest{Text: "It burned."}, headers...)
		if status != want || want == 429 && got.Get("Retry-After") == "" {
			t.Errorf("a post of %q: %d, want %d, Retry-After %q", who, status, want, got.Get("Retry-After"))
		}
	}
	s.limits.Spend("token ann", float64(DefaultLimits().CallsAtOnce), now)
	for who, want := range map[string]int{ann: 429, bob: 200} {
		if status, got, _ := send(t, "GET", url+"/api/v1/status", nil, "Authorization", who); status != want || want == 429 && got.Get("Retry-After") != "1" {
			t.Errorf("a call: %d, want %d", status, want)
		}
	}
	now = now.Add(2 * time.Second)
	if status, _, _ := send(t, "GET", url+"/api/v1/status", nil, "Authorization", ann); status != 200 {
		t.Errorf("two seconds later: %d", status)
	}
}

// While one token's calls hold all that it may have, another's is answered.
func TestOneTokenLeavesAHandle(t *testing.T) {
	_, _, s, url := serve(t)
	ctx := context.WithValue(t.Context(), clientKey{}, s.Client(Credential{Name: "ann"}, ""))
	end := make(chan struct{})
	var wait sync.WaitGroup
	for range 20 {
		wait.Go(func() {
			if err := s.with(ctx, func(*handle) error { <-end; return nil }); err != nil {
				t.Error(err)
			}
		})
	}
	if status, _, _ := send(t, "GET", url+"/api/v1/status", nil); status != 200 {
		t.Errorf("another caller: %d", status)
	}
	close(end)
	wait.Wait()
}

// Errors of what is here name no host, schema or file, and say when to call again.
func TestErrorsKeepCauses(t *testing.T) {
	away := &ledger.UnavailableError{Path: "postgres://db.example:5432/letters#secret_schema", Attempts: 3, Err: errors.New("dial tcp 10.1.2.3:5432: refused")}
	cases := map[string]error{
		"database": problem.Wrap(away, "ledger"),
		"lock":     problem.New(problem.Busy, problem.Advise("rm /srv/letters/lock"), "another process writes this archive: pid 7 on db.example since noon"),
		"key":      problem.New(problem.Key, problem.Advise("chmod /srv/key"), "/srv/key: no such file"),
		"disk":     problem.Wrap(&os.PathError{Op: "open", Path: "/srv/letters/log", Err: os.ErrPermission}, "log"),
		"refusals": &problem.Error{Kind: problem.Busy, Message: "too many", Next: problem.Advise("wait"), Wait: 90 * time.Second},
	}
	for name, err := range cases {
		f := faultOf(err)
		w := httptest.NewRecorder()
		writeFault(w, f)
		text := fmt.Sprint(w.Body, w.Header())
		for _, secret := range []string{"db.example", "10.1.2.3", "secret_schema", "letters", "/srv", "5432", "pid"} {
			if strings.Contains(text, secret) {
				t.Errorf("%s names %s: %s", name, secret, text)
			}
		}
		wait := w.Header().Get("Retry-After")
		if want := f.Status == 503 || f.Status == 429; want != (wait != "") || name == "refusals" && (f.Status != 429 || wait != "90") {
			t.Errorf("%s: %d, Retry-After %q", name, f.Status, wait)
		}
	}
}

// A server whose database is away says so, and its log says which database.
func TestDatabaseAway(t *testing.T) {
	a, key := archivetest.New(t, archivetest.Papers)
	if _, err := engine.Snapshot(a, history.SnapshotOptions{Text: "papers", Signer: key}); err != nil {
		t.Fatal(err)
	}
	w := a.World()
	w.LedgerURL = "postgres://letters@127.0.0.1:1/parish?sslmode=disable"
	var log bytes.Buffer
	s, err := New(Options{Open: func() (*archive.Archive, error) { return archive.Open(a.Dir(), w) }, Signer: key, Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(s.Handler())
	status, headers, got := sendRaw(t, h.URL+"/api/v1/ask", AskRequest{Question: asked})
	h.Close()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if status != 503 || headers.Get("Retry-After") == "" || !strings.Contains(log.String(), "127.0.0.1:1/parish") {
		t.Errorf("%d %v %s, log %s", status, headers, got, log.String())
	}
	for _, secret := range []string{"127.0.0.1", "parish", "muniment_", a.Dir()} {
		if strings.Contains(got, secret) {
			t.Errorf("the reply names %s: %s", secret, got)
		}
	}
}

// sendRaw posts a body as JSON and returns status, headers and text of the reply.
func sendRaw(t testing.TB, url string, body any, headers ...string) (int, http.Header, string) {
	t.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	status, header, text := exchange(t, r, headers...)
	return status, header, string(text)
}

// No text of a citation or of a source is long, and a page of a list has a megabyte at most
// and goes on where it ended.
func TestPagesOfLists(t *testing.T) {
	_, _, _, url := serve(t)
	const each = 120
	for i := range each {
		one := stopped
		one.Claim = fmt.Sprint(i, strings.Repeat(" ühm", maxQuote/4-2))
		if status, _, got := send(t, "POST", url+"/api/v1/cite", one); status != 200 {
			t.Fatalf("%d: %v", status, got)
		}
	}
	for _, request := range []struct {
		path string
		body any
	}{
		{"cite", CiteRequest{Artifact: stopped.Artifact, Quote: stopped.Quote, Claim: strings.Repeat("x", maxQuote+1)}},
		{"cite", CiteRequest{Artifact: stopped.Artifact, Quote: stopped.Quote, Claim: "x", Reasoning: strings.Repeat("x", maxQuote+1)}},
		{"cite", CiteRequest{Artifact: stopped.Artifact, Quote: stopped.Quote, Claim: "x", Session: strings.Repeat("x", maxString+1)}},
		{"sources", SourceRequest{Type: "custom", Name: "x", Content: "x", Metadata: map[string]string{"a": strings.Repeat("x", maxString+1)}}},
		{"sources", SourceRequest{Type: "custom", Name: "x", Content: "x", Metadata: map[string]string{"a": strings.Repeat("x", maxString/2), "b": strings.Repeat("x", maxString/2)}}},
	} {
		if status, _, got := send(t, "POST", url+"/api/v1/"+request.path, request.body); status != 422 && status != 400 {
			t.Errorf("%s: %d %v", request.path, status, got)
		}
	}
	if status, _, got := send(t, "POST", url+"/api/v1/sources", SourceRequest{Type: "custom", Name: "x", Content: strings.Repeat("Long words. ", maxString/6)}); status != 200 {
		t.Errorf("long content: %d %v", status, got)
	}
	for path, key := range map[string]string{"citations": "citations", "claims": "claims"} {
		seen, pages, next := 0, 0, "0"
		for ; next != ""; pages++ {
			_, _, got := send(t, "GET", url+"/api/v1/"+path+"?limit=1000&after="+next, nil)
			if data, err := json.Marshal(got); err != nil || len(data) > maxList*11/10 {
				t.Errorf("%s: a page of %d bytes", path, len(data))
			}
			items, _ := got[key].([]any)
			seen += len(items)
			next = ""
			if n, ok := got["next_after"].(float64); ok {
				next = fmt.Sprint(int(n))
			}
		}
		if seen != each || pages < 2 {
			t.Errorf("%s: %d items on %d pages, want %d on several", path, seen, pages, each)
		}
	}
}
