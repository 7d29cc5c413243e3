package webhook_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"muniment/engine/events"
	"muniment/ledger"
	"muniment/server/webhook"
)

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

// A receiver answers each attempt with the next of its statuses, then with 200, and keeps the ids of what it took.
type receiver struct {
	t        *testing.T
	statuses []int
	took     []string
	attempts int
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	body, err := io.ReadAll(q.Body)
	if err != nil {
		r.t.Error(err)
	}
	id := q.Header.Get("webhook-id")
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		r.t.Error(err)
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + q.Header.Get("webhook-timestamp") + "." + string(body)))
	if want := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)); q.Header.Get("webhook-signature") != want {
		r.t.Errorf("%s is signed %s, want %s", id, q.Header.Get("webhook-signature"), want)
	}
	var message struct {
		Type, Timestamp string
		Data            map[string]any
	}
	if err := json.Unmarshal(body, &message); err != nil || message.Type == "" || message.Type != message.Data["type"] || message.Timestamp == "" {
		r.t.Errorf("the body is %s, %v", body, err)
	}
	r.attempts++
	if len(r.statuses) > 0 {
		status := r.statuses[0]
		if r.statuses = r.statuses[1:]; status != http.StatusOK {
			w.Header().Set("Location", "/elsewhere")
			w.WriteHeader(status)
			return
		}
	}
	r.took = append(r.took, id)
}

// happened is a source of n events, one verdict each.
func happened(n int64) func(context.Context, events.Place) ([]events.Event, events.Place, error) {
	return func(_ context.Context, p events.Place) (all []events.Event, next events.Place, err error) {
		for next = p; next.Verdicts < n; {
			next.Verdicts++
			all = append(all, events.Event{Type: events.Registered, Time: "2026-01-02T03:04:05Z", Citation: next.Verdicts, Place: next})
		}
		return all, next, nil
	}
}

// send runs a sender over n events until it has nothing more to do, and returns the waits between attempts.
func send(t *testing.T, address, state string, n int64) (waits []time.Duration, err error) {
	t.Helper()
	to, err := webhook.NewTarget(address, secret)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s := webhook.Sender{Target: to, State: state, Now: time.Now, After: happened(n),
		Begin: func(context.Context) (events.Place, error) {
			return events.Place{Marks: ledger.Marks{Verdicts: 1}}, nil
		},
		Wait: func(_ context.Context, d time.Duration) error {
			if d == time.Second { // it looks for what is new
				cancel()
				return ctx.Err()
			}
			waits = append(waits, d)
			return nil
		}}
	return waits, s.Run(ctx)
}

// Events are posted once each, in order, from the first start on; what fails is tried again, then listed, and an
// address that is down is tried once for each event.
func TestSender(t *testing.T) {
	state := filepath.Join(t.TempDir(), "webhooks")
	r := &receiver{t: t, statuses: []int{500, 302, 200}}
	h := httptest.NewServer(r)
	defer h.Close()
	waits, err := send(t, h.URL, state, 3)
	if want := []string{"citation_registered-0-2", "citation_registered-0-3"}; err != nil || !slices.Equal(r.took, want) || !slices.Equal(waits, webhook.Waits[:2]) {
		t.Errorf("%v were taken after waits of %v, %v; want %v", r.took, waits, err, want)
	}
	if _, err := send(t, h.URL, state, 3); err != nil || r.attempts != 4 {
		t.Errorf("after a restart there were %d attempts, want no other than the 4 before, %v", r.attempts, err)
	}
	r.statuses = slices.Repeat([]int{503}, len(webhook.Waits)+1+2)
	if _, err := send(t, h.URL, state, 7); err != nil || len(r.took) != 3 || r.took[2] != "citation_registered-0-7" {
		t.Errorf("%v were taken, %v", r.took, err)
	}
	lost, err := webhook.ReadUndelivered(state)
	if err != nil || len(lost) != 3 || lost[0].ID != "citation_registered-0-4" || lost[0].Attempt != len(webhook.Waits)+1 || lost[1].Attempt != 1 || lost[0].Reason != "the receiver answered 503" {
		t.Errorf("undelivered are %+v, %v", lost, err)
	}
	r.statuses = []int{410}
	if _, err := send(t, h.URL, state, 9); err == nil {
		t.Error("a receiver that is gone is sent more")
	}
	h.Close()
	if _, err := send(t, "http://127.0.0.1:1/", state, 2); err != nil {
		t.Errorf("nobody listens: %v", err)
	}
	if lost, err := webhook.ReadUndelivered(state); err != nil || len(lost) != 5 || slices.ContainsFunc(lost, func(u webhook.UndeliveredEvent) bool { return u.Reason == "" }) {
		t.Errorf("undelivered are %+v, %v", lost, err)
	}
}

// A source that cannot be read ends the sending with its error.
func TestSenderSource(t *testing.T) {
	cause := errors.New("the ledger does not answer")
	s := webhook.Sender{State: filepath.Join(t.TempDir(), "webhooks"), Now: time.Now,
		Begin: func(context.Context) (events.Place, error) { return events.Place{}, cause },
		After: happened(0), Wait: func(context.Context, time.Duration) error { return nil }}
	if err := s.Run(t.Context()); !errors.Is(err, cause) {
		t.Errorf("%v", err)
	}
}

func TestNewTarget(t *testing.T) {
	for _, one := range []struct {
		address, secret string
		ok              bool
	}{
		{"https://example.org/hook?key=1", secret, true}, {"http://localhost:8080/", secret, true}, {"http://[::1]/", secret, true},
		{"http://example.org/", secret, false}, {"http://10.0.0.1/", secret, false}, {"https:///x", secret, false}, {"https://u:p@example.org/", secret, false},
		{"ftp://localhost/", secret, false}, {"https://example.org/a b", secret, false},
		{"https://example.org/", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", false}, {"https://example.org/", "whsec_c2hvcnQ=", false}, {"https://example.org/", "whsec_?", false},
	} {
		if _, err := webhook.NewTarget(one.address, one.secret); (err == nil) != one.ok {
			t.Errorf("%s with %s: %v", one.address, one.secret, err)
		}
	}
}
