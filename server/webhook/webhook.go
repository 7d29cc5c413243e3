// Package webhook posts what happens in an archive to addresses that an operator names, as the specification Standard
// Webhooks has it (https://www.standardwebhooks.com, version 1): a body {"type", "timestamp", "data"}, and the headers
//
//	webhook-id         the same at every attempt, so that a receiver knows what it has
//	webhook-timestamp  seconds of the attempt
//	webhook-signature  v1, and the HMAC-SHA256 of id.timestamp.body by the shared secret, in Base64
//
// Events go to an address one after the other, in their order. One that is not taken with a status of 2xx is sent
// again after each of Waits; then it is listed as undelivered and the next one has its turn, once only while none is
// taken, so that an address that is down for a day does not hold the events of that day for a week. A status 410 ends
// the sending. What was taken, and what was not, is in a file of package journal: after a restart the sending goes on.
// No body has words of a paper or of a claim.
package webhook

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"muniment/archive/journal"
	"muniment/engine/events"
	"muniment/objects/disk"
)

// Waits are the times between two attempts of one event: a restart of the receiver takes seconds, a repair hours.
var Waits = []time.Duration{5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, 30 * time.Minute, 2 * time.Hour}

const (
	every          = time.Second      // between two looks at what is new
	attemptTime    = 10 * time.Second // of one attempt
	maxReply       = 64 << 10         // bytes of a reply that are read, so that a connection can be used again
	maxUndelivered = 1000             // that are listed; the oldest go
	minSecret      = 24               // bytes, as Standard Webhooks asks
	maxSecret      = 64
	secretPrefix   = "whsec_"

	kindPlace       = "place"       // by address: up to where events were taken or given up
	kindUndelivered = "undelivered" // by the id of the message and the address
)

// A Target is an address and what sending to it needs. URL and Secret have been checked by NewTarget.
type Target struct {
	URL    string
	Secret []byte
}

// NewTarget returns a target: an address by https, or by http on a loopback host, and a secret of 24 to 64 bytes,
// written as whsec_ and Base64.
func NewTarget(address, secret string) (Target, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil || u.Fragment != "" || strings.ContainsAny(address, " \n") {
		return Target{}, errors.New("no address of a webhook, such as https://example.org/hook")
	}
	if ip := net.ParseIP(u.Hostname()); u.Scheme != "https" && (u.Scheme != "http" || u.Hostname() != "localhost" && (ip == nil || !ip.IsLoopback())) {
		return Target{}, errors.New("an address of a webhook begins with https://, or with http:// on this machine")
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, secretPrefix))
	if err != nil || !strings.HasPrefix(secret, secretPrefix) || len(key) < minSecret || len(key) > maxSecret {
		return Target{}, fmt.Errorf("a secret of a webhook is %s and %d to %d bytes in Base64", secretPrefix, minSecret, maxSecret)
	}
	return Target{address, key}, nil
}

// A Sender posts events to one target.
type Sender struct {
	Target
	State string // the file of places and of undelivered events, shared by all senders of an archive
	Disk  disk.Hooks
	Now   func() time.Time
	Wait  func(ctx context.Context, d time.Duration) error // returns an error when the context ends

	// Begin returns the place of now, and After the events above a place with the place after them.
	Begin func(context.Context) (events.Place, error)
	After func(context.Context, events.Place) ([]events.Event, events.Place, error)

	down bool // the last event was given up
}

// An UndeliveredEvent was given up.
type UndeliveredEvent struct {
	ID      string `json:"id" doc:"of the message: webhook-id"`
	URL     string `json:"url" doc:"to which it was not delivered, without its query, which may hold a secret"`
	Type    string `json:"type" doc:"of the event"`
	Reason  string `json:"reason" doc:"of the last attempt"`
	Time    string `json:"time" format:"date-time" doc:"of the last attempt"`
	Attempt int    `json:"attempts" doc:"how often it was sent"`
}

// ReadUndelivered returns the events that were given up, the oldest first.
func ReadUndelivered(state string) ([]UndeliveredEvent, error) {
	kept, err := journal.Read(state)
	if err != nil {
		return nil, err
	}
	all := []UndeliveredEvent{}
	for _, text := range kept.Kind(kindUndelivered) {
		var one UndeliveredEvent
		if err := json.Unmarshal([]byte(text), &one); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	slices.SortFunc(all, func(a, b UndeliveredEvent) int { return strings.Compare(a.Time+a.ID+a.URL, b.Time+b.ID+b.URL) })
	return all, nil
}

// ErrGone is the error of Run where the receiver wants no more.
var ErrGone = errors.New("the receiver answered 410 Gone")

// Run sends until the context ends, which is no error, the receiver answers 410, or events cannot be read or noted.
// Then Run may be called again.
func (s *Sender) Run(ctx context.Context) error {
	if s.Begin == nil || s.After == nil || s.Wait == nil || s.Now == nil {
		return errors.New("webhook: a sender without its functions")
	}
	kept, err := journal.Read(s.State)
	if err != nil {
		return err
	}
	place, err := events.ParsePlace(kept.Value(kindPlace, s.URL))
	if err != nil { // the first time
		if place, err = s.Begin(ctx); err == nil {
			err = s.keep(place)
		}
	}
	for err == nil {
		var all []events.Event
		var next events.Place
		if all, next, err = s.After(ctx, place); err != nil {
			break
		}
		for i := range all {
			if err = s.deliver(ctx, &all[i]); err != nil {
				break
			}
		}
		if err == nil && next != place {
			place, err = next, s.keep(next)
			continue
		}
		if err == nil {
			err = s.Wait(ctx, every)
		}
	}
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// keep notes the place up to which all is done.
func (s *Sender) keep(p events.Place) error {
	return journal.Append(s.State, s.Disk, journal.Entry{Kind: kindPlace, Key: s.URL, Value: p.String()})
}

// deliver sends an event until it is taken or given up, and notes it then.
func (s *Sender) deliver(ctx context.Context, e *events.Event) error {
	id := e.Key()
	body, err := json.Marshal(struct {
		Type      string        `json:"type"`
		Timestamp string        `json:"timestamp"`
		Data      *events.Event `json:"data"`
	}{e.Type, e.Time, e})
	if err != nil {
		return err
	}
	waits := Waits
	if s.down {
		waits = nil
	}
	for attempt := 1; ; attempt++ {
		failed := s.post(ctx, id, body)
		switch {
		case failed == nil:
			s.down = false
			return s.keep(e.Place)
		case ctx.Err() != nil:
			return ctx.Err()
		case attempt > len(waits) || errors.Is(failed, ErrGone):
			s.down = true
			if err := s.giveUp(UndeliveredEvent{id, strings.SplitN(s.URL, "?", 2)[0], e.Type, failed.Error(), s.Now().UTC().Format(time.RFC3339), attempt}); err != nil {
				return err
			}
			if errors.Is(failed, ErrGone) {
				return ErrGone
			}
			return s.keep(e.Place)
		}
		if err := s.Wait(ctx, waits[attempt-1]); err != nil {
			return err
		}
	}
}

// post makes one attempt.
func (s *Sender) post(ctx context.Context, id string, body []byte) error {
	ctx, cancel := context.WithTimeout(ctx, attemptTime)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL, bytes.NewReader(body))
	if err != nil {
		return err
	}
	at := strconv.FormatInt(s.Now().Unix(), 10)
	mac := hmac.New(sha256.New, s.Secret)
	fmt.Fprintf(mac, "%s.%s.%s", id, at, body)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Webhook-Id", id)
	r.Header.Set("Webhook-Timestamp", at)
	r.Header.Set("Webhook-Signature", "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	reply, err := client.Do(r)
	if err != nil {
		var of *url.Error
		if errors.As(err, &of) {
			return of.Err // without the address, which may hold a secret of the receiver
		}
		return err
	}
	defer reply.Body.Close()
	_, _ = io.CopyN(io.Discard, reply.Body, maxReply) // what the receiver says is not needed
	switch {
	case reply.StatusCode == http.StatusGone:
		return ErrGone
	case reply.StatusCode/100 != 2:
		return fmt.Errorf("the receiver answered %d", reply.StatusCode)
	}
	return nil
}

// giveUp lists an event as undelivered, and takes the oldest ones off a list that is full.
func (s *Sender) giveUp(u UndeliveredEvent) error {
	all, err := ReadUndelivered(s.State)
	if err != nil {
		return err
	}
	text, err := json.Marshal(u)
	if err != nil {
		return err
	}
	entries := []journal.Entry{{Kind: kindUndelivered, Key: u.ID + "@" + u.URL, Value: string(text)}}
	for _, old := range all[:max(0, len(all)+1-maxUndelivered)] {
		entries = append(entries, journal.Entry{Kind: kindUndelivered, Key: old.ID + "@" + old.URL})
	}
	return journal.Append(s.State, s.Disk, entries...)
}
