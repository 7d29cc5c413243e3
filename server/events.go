package server

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"muniment/archive/problem"
	"muniment/engine"
	"muniment/engine/events"
	"muniment/server/webhook"
	"muniment/text/legible"
)

// Bounds of the calls that follow events.
const (
	atEvents      = "/api/v1/events"
	eventsEvery   = time.Second      // between looks at what is new: four numbers of the ledger and the newest snapshot
	eventsBeat    = 15 * time.Second // between two lines of a silent stream: proxies end one after half a minute
	eventsAtOnce  = 200              // events of one reading
	eventsWrite   = 10 * time.Second // for a line to a slow reader
	listenersEach = 4                // of the listeners of all, one principal has a fourth
)

// eventsParam is where reading begins: the place of the last event that the caller has.
type eventsParam struct {
	After string `query:"after" maxLength:"80" doc:"the id of an event, to read on after it; 0.0.0.0 is the beginning; left out: what happens from now on"`
	Poll  bool   `query:"poll" doc:"end the stream when everything that has happened was sent"`
	Last  string `header:"Last-Event-ID" maxLength:"80" doc:"as after, which goes first: browsers send it when they connect again"`
}

// place returns the place that a call names, or that of now.
func (in *eventsParam) place(ctx context.Context, c *Client) (events.Place, error) {
	text := cmp.Or(in.After, in.Last)
	if text == "" {
		return c.eventsNow(ctx)
	}
	p, err := events.ParsePlace(text)
	if err != nil {
		return p, problem.New(problem.Usage, problem.Advise("send the id of an event as it came, or leave it out"), "%s is no id of an event", legible.Printable(text))
	}
	return p, nil
}

// addEvents adds the calls about events.
func (s *Server) addEvents(api huma.API) {
	addRead(api, "/events/undelivered", "list_undelivered", "List the events that webhooks did not take", func(c *Client, _ context.Context, _ none) (*UndeliveredList, error) { return c.Undelivered() })
	event := api.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[events.Event](), true, "Event")
	message := &huma.Schema{Type: huma.TypeObject, Required: []string{"id", "event", "data"}, Properties: map[string]*huma.Schema{
		"id":    {Type: huma.TypeString, Description: "the place after the event, for after and Last-Event-ID"},
		"event": {Type: huma.TypeString, Description: "the type of the event; error, with a problem as data, ends the stream"}, "data": event}}
	stream := &huma.Schema{Type: huma.TypeArray, Items: message, Description: "Server-Sent Events; lines that begin with a colon keep the connection open"}
	op := huma.Operation{OperationID: "events", Method: http.MethodGet, Path: atEvents, Summary: "Follow what happens, from a place on", Errors: faults,
		Responses: map[string]*huma.Response{"200": {Description: "OK", Content: map[string]*huma.MediaType{"text/event-stream": {Schema: stream}}}}}
	huma.Register(api, op, func(ctx context.Context, in *eventsParam) (*huma.StreamResponse, error) {
		c := clientOf(ctx)
		leave, err := s.listen.enter(c.cred.account())
		if err != nil {
			return nil, faultOf(err)
		}
		place, err := in.place(ctx, c)
		if err != nil {
			leave()
			return nil, faultOf(err)
		}
		return &huma.StreamResponse{Body: func(hc huma.Context) {
			defer leave()
			_, w := humago.Unwrap(hc)
			w.Header().Set("Content-Type", "text/event-stream")
			w.Header().Set("Cache-Control", "no-store")
			s.follow(ctx, c, place, in.Poll, &eventWriter{w, http.NewResponseController(w)})
		}}, nil
	})
}

// follow writes the events above a place that are for the client until the client goes away, the
// longest time of such a call is over, or the server stops; with poll until there is none more.
func (s *Server) follow(ctx context.Context, c *Client, place events.Place, poll bool, out *eventWriter) {
	shown := place // it counts only what the client is shown, so that nobody learns how much else happens
	if out.write(": from %s\n\n", shown) != nil {
		return
	}
	look, beat := time.NewTicker(eventsEvery), time.NewTicker(eventsBeat)
	defer look.Stop()
	defer beat.Stop()
	for {
		all, next, err := c.eventsAfter(ctx, place)
		if err != nil {
			_ = out.send("", "error", faultOf(err).bound())
			return
		}
		for i := range all {
			if shown.Pass(&all[i]); out.send("id: "+shown.String()+"\n", all[i].Type, &all[i]) != nil {
				return
			}
		}
		if next != place {
			place = next
			continue // there may be more
		}
		if poll {
			_ = out.write(": to %s\n\n", shown) // a client that went away is told nothing
			return
		}
		select {
		case <-look.C:
		case <-beat.C:
			if out.write(": at %s\n\n", shown) != nil {
				return
			}
		case <-ctx.Done():
			return
		case <-s.draining:
			return
		}
	}
}

// eventsAfter returns the events above a place that are for the client, and the place after all of them. A paper that
// was withdrawn and what a budget withheld are for those who audit; a citation's for those who may read it.
func (c *Client) eventsAfter(ctx context.Context, place events.Place) (shown []events.Event, next events.Place, err error) {
	shown, err = callView(ctx, c, c.session, func(v *view, e *engine.Engine) (out []events.Event, err error) {
		out, next, err = c.eventsOn(v, e, place)
		return out, err
	})
	return shown, next, err
}

// eventsOn is eventsAfter on a view.
func (c *Client) eventsOn(v *view, e *engine.Engine, place events.Place) (shown []events.Event, next events.Place, err error) {
	all, next, err := events.After(v.handle.archive, place, eventsAtOnce)
	if err != nil {
		return nil, place, err
	}
	for _, one := range all {
		may := c.audits() || one.Type == events.Signed
		if one.Citation != 0 {
			_, err := v.citation(e, itoa(int(one.Citation)))
			var missing *problem.Error
			if err != nil && (!errors.As(err, &missing) || missing.Kind != problem.NotFound) {
				return nil, place, err
			}
			may = err == nil
		}
		if may {
			shown = append(shown, one)
		}
	}
	return shown, next, nil
}

// eventsNow returns the place from which a client is shown what is still to come. To who does not audit it tells the
// last event of each kind that they may see, of the last eventsAtOnce; 0 where that is none.
func (c *Client) eventsNow(ctx context.Context) (events.Place, error) {
	return callView(ctx, c, c.session, func(v *view, e *engine.Engine) (events.Place, error) {
		now, err := events.Now(v.handle.archive)
		if err != nil || c.audits() {
			return now, err
		}
		late := now
		late.Verdicts, late.Reviews = max(0, now.Verdicts-eventsAtOnce), max(0, now.Reviews-eventsAtOnce)
		shown, _, err := c.eventsOn(v, e, late)
		place := events.Place{Seq: now.Seq}
		for i := range shown {
			place.Pass(&shown[i])
		}
		return place, err
	})
}

// An eventWriter writes Server-Sent Events.
type eventWriter struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

// write writes lines at once.
func (o *eventWriter) write(format string, args ...any) error {
	_ = o.control.SetWriteDeadline(time.Now().Add(eventsWrite)) // a writer without one has no slow reader
	_, err := fmt.Fprintf(o.w, format, args...)
	if err == nil {
		err = o.control.Flush()
	}
	_ = o.control.SetWriteDeadline(time.Time{}) // by HTTP/2 it would end a stream that is silent
	return err
}

// send writes an event of a type with its data. head is the line of its id, "" for none.
func (o *eventWriter) send(head, typ string, of any) error {
	data, err := json.Marshal(of)
	if err != nil {
		return err
	}
	return o.write("%sevent: %s\ndata: %s\n\n", head, typ, data)
}

// webhooksName is the file of what was posted to webhooks, in archive.local.
const webhooksName = "webhooks"

// webhookPause is the wait after an archive or a disk that cannot be used.
const webhookPause = 30 * time.Second

// post posts what happens to a webhook until the server is closed or the receiver wants no more.
func (s *Server) post(to webhook.Target) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s.wait.Go(func() {
		select {
		case <-s.draining:
			cancel()
		case <-ctx.Done():
		}
	})
	owner := s.Client(Credential{Name: "webhook", Role: engine.RoleAdmin}, defaultSession)
	sender := webhook.Sender{Target: to, State: s.webhooks, Disk: s.writer.archive.World().Disk, Now: s.now, Wait: wait,
		Begin: func(ctx context.Context) (events.Place, error) {
			return call(ctx, owner, func(h *handle) (events.Place, error) { return events.Now(h.archive) })
		},
		After: owner.eventsAfter}
	for ctx.Err() == nil {
		err := sender.Run(ctx)
		if err != nil {
			s.o.Log.Error("webhook", "error", err.Error())
		}
		if err == nil || errors.Is(err, webhook.ErrGone) || wait(ctx, webhookPause) != nil {
			return
		}
	}
}

// wait waits, and returns the context's error where that ends before.
func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// An UndeliveredList is the events that webhooks did not take.
type UndeliveredList struct {
	Undelivered []webhook.UndeliveredEvent `json:"undelivered" doc:"the oldest first"`
}

// Undelivered returns the events that webhooks did not take. The client must see everything.
func (c *Client) Undelivered() (*UndeliveredList, error) {
	if !c.cred.seesAll() {
		return nil, errRole("an admin sees what webhooks did not take")
	}
	all, err := webhook.ReadUndelivered(c.server.webhooks)
	return &UndeliveredList{all}, c.server.logCause(err)
}

// listeners counts the callers that follow events.
type listeners struct {
	mu   sync.Mutex
	most int
	all  int
	by   map[string]int // principal
}

// enter admits a principal, and returns the function that lets it go.
func (l *listeners) enter(who string) (leave func(), err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.all >= l.most || l.by[who] >= max(1, l.most/listenersEach) {
		return nil, problem.New(problem.Busy, problem.Advise("close a stream of events that you follow, or connect again later"), "%d callers follow events, %d of them with your token", l.all, l.by[who])
	}
	if l.by == nil {
		l.by = map[string]int{}
	}
	l.all++
	l.by[who]++
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.all--
		if l.by[who]--; l.by[who] == 0 {
			delete(l.by, who)
		}
	}, nil
}

// number returns how many callers follow events.
func (l *listeners) number() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return int64(l.all)
}
