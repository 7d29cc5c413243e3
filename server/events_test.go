package server

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/engine"
	"muniment/history"
)

// A follower reads a stream of events.
type follower struct {
	t     *testing.T
	body  interface{ Close() error }
	lines *bufio.Scanner
}

// follow opens a stream of events after a place.
func follow(t *testing.T, url, secret, after string) *follower {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+atEvents, nil)
	if err != nil {
		t.Fatal(err)
	}
	if secret != "" {
		r.Header.Set("Authorization", "Bearer "+secret)
	}
	if after != "" {
		r.Header.Set("Last-Event-ID", after)
	}
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if reply.StatusCode != http.StatusOK || reply.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("events: %d %s", reply.StatusCode, reply.Header.Get("Content-Type"))
	}
	t.Cleanup(func() { _ = reply.Body.Close() })
	f := &follower{t, reply.Body, bufio.NewScanner(reply.Body)}
	if !f.lines.Scan() || !strings.HasPrefix(f.lines.Text(), ": from ") {
		t.Fatalf("the stream begins with %q", f.lines.Text())
	}
	return f
}

// until returns what happened up to an event of a type, each as its type and number, and the id of the last one.
func (f *follower) until(typ string) (all []string, id string) {
	f.t.Helper()
	for f.lines.Scan() {
		line := f.lines.Text()
		if text, ok := strings.CutPrefix(line, "id: "); ok {
			id = text
		}
		if text, ok := strings.CutPrefix(line, "data: "); ok {
			var e struct {
				Type     string
				Citation int `json:"citation_id"`
			}
			if err := json.Unmarshal([]byte(text), &e); err != nil {
				f.t.Fatalf("%s: %v", text, err)
			}
			if e.Citation != 0 {
				all = append(all, e.Type+" "+itoa(e.Citation))
			} else {
				all = append(all, e.Type)
			}
			if e.Type == typ {
				return all, id
			}
		}
	}
	f.t.Fatalf("the stream ended before %s: %v, %v", typ, all, f.lines.Err())
	return nil, ""
}

// Who follows events sees what happens to the citations that it may read, in order, and goes on from any of them.
func TestEvents(t *testing.T) {
	a, key, s, url := serve(t)
	auditor, _, err := NewToken(a, Credential{Name: "ann", Role: engine.RoleAuditor, Tier: "researcher"})
	if err != nil {
		t.Fatal(err)
	}
	cite := func(quote string) {
		t.Helper()
		if status, _, reply := send(t, http.MethodPost, url+"/api/v1/cite", CiteRequest{Artifact: "1931-03-14.txt", Quote: quote, Claim: quote}); status != http.StatusOK {
			t.Fatalf("cite: %d %v", status, reply)
		}
	}
	seal := func() {
		t.Helper()
		if _, err := engine.Snapshot(a, history.SnapshotOptions{Text: "more", Signer: key}); err != nil {
			t.Fatal(err)
		}
	}
	live := follow(t, url, "", "")
	cite("The mill wheel has stopped")
	first, id := live.until("citation_registered")
	cite("Nothing of the kind")
	seal()
	rest, _ := live.until("snapshot_signed")
	if want := []string{"citation_registered 1"}; !slices.Equal(first, want) {
		t.Errorf("first came %v, want %v", first, want)
	}
	if want := []string{"citation_registered 2", "citation_sealed 1", "snapshot_signed"}; !slices.Equal(rest, want) {
		t.Errorf("then came %v, want %v", rest, want)
	}
	if again, _ := follow(t, url, "", id).until("snapshot_signed"); !slices.Equal(again, rest) {
		t.Errorf("after %s came %v, want %v", id, again, rest)
	}

	if _, err := history.Withdraw(a, history.WithdrawOptions{Artifacts: []string{"1931-03-14.txt"}, Reason: "test", Authority: "test"}); err != nil {
		t.Fatal(err)
	}
	seal()
	if all, _ := live.until("snapshot_signed"); !slices.Equal(all, []string{"snapshot_signed"}) {
		t.Errorf("the public saw of a withdrawal %v", all)
	}
	public := follow(t, url, "", "0.0.0.0")
	for range 3 {
		if all, _ := public.until("snapshot_signed"); len(all) != 1 {
			t.Errorf("the public saw of a paper that is withdrawn %v", all)
		}
	}
	if all, _ := follow(t, url, auditor, "2.9.9.9").until("snapshot_signed"); !slices.Equal(all, []string{"artifact_withdrawn", "snapshot_signed"}) {
		t.Errorf("an auditor saw of a withdrawal %v", all)
	}

	if status, text := get(t, url+atEvents+"?after=0.0.0.0&poll=true"); status != http.StatusOK || strings.Count(text, "event: snapshot_signed") != 3 || !strings.HasSuffix(text, ": to 3.0.0.0\n\n") {
		t.Errorf("a poll: %d %s", status, text)
	}
	for _, wrong := range []string{"1.2.3", "1.2.3.4.5", "-1.0.0.0", "01.0.0.0", "a", strings.Repeat("1", 81)} {
		if status, _, reply := send(t, http.MethodGet, url+atEvents+"?after="+wrong, nil); status < 400 || status >= 500 {
			t.Errorf("after %s: %d %v", wrong, status, reply)
		}
	}
	for range DefaultLimits().Listeners/listenersEach - 3 { // of the public there are three above
		follow(t, url, "", "")
	}
	if status, _, reply := send(t, http.MethodGet, url+atEvents, nil); status != http.StatusServiceUnavailable || reply["error_type"] != "Busy" {
		t.Errorf("one stream too many: %d %v", status, reply)
	}

	ended := make(chan bool)
	go func() {
		for live.lines.Scan() {
		}
		ended <- true
	}()
	s.Drain()
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		t.Error("a stream goes on while the server is stopped")
	}
}

// What happens is posted to the webhooks of a server, and an admin alone sees what they did not take.
func TestWebhooks(t *testing.T) {
	a, key := archivetest.New(t, archivetest.Papers)
	took := make(chan string, 10)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		if strings.Contains(string(body), "mill") {
			t.Errorf("a message has words of a paper: %s", body)
		}
		took <- r.Header.Get("webhook-id")
	}))
	defer receiver.Close()
	o := Options{Open: func() (*archive.Archive, error) { return archive.Open(a.Dir(), a.World()) }, Webhooks: []string{receiver.URL}}
	if _, err := New(o); err == nil {
		t.Error("a webhook without a secret is served")
	}
	o.WebhookSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	state := filepath.Join(a.Dir(), "archive.local", webhooksName)
	for range 100 { // until the sender has noted where it begins
		if _, err := os.Stat(state); err == nil {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if _, err := engine.Snapshot(a, history.SnapshotOptions{Text: "papers", Signer: key}); err != nil {
		t.Fatal(err)
	}
	select {
	case id := <-took:
		if id != "snapshot_signed-1-0" {
			t.Errorf("posted was %s", id)
		}
	case <-time.After(20 * time.Second):
		t.Error("nothing was posted")
	}
	if _, err := s.Client(Credential{Name: "bob", Role: engine.RoleAgent}, "s").Undelivered(); err == nil {
		t.Error("an agent sees what webhooks did not take")
	}
	if list, err := s.Client(Credential{Name: "ann", Role: engine.RoleAdmin}, "s").Undelivered(); err != nil || len(list.Undelivered) != 0 {
		t.Errorf("undelivered are %+v, %v", list, err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
