package server

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"muniment/archive"
	"muniment/archive/search"
	"muniment/engine"
)

// Bounds of the probes of a supervisor.
const (
	probeTime = 5 * time.Second
	probeAge  = time.Second   // a state that is younger is given again: anybody may ask
	probeName = ".muniment-*" // the file that shows that archive.local can be written, named as other unfinished ones
	probeSize = 64 << 10      // bytes of it: more than a registered citation takes
)

// A Readiness has the state of each part that a server needs. A part is "ok", "off"
// where this server has none, or what is wrong with it in a word. The log has the cause.
type Readiness struct {
	Ready    bool   `json:"ready"`
	Archive  string `json:"archive"`
	Database string `json:"database"`
	Index    string `json:"index"`  // "behind" while a search reads the rest of the texts itself, which is no fault
	Signer   string `json:"signer"` // "off": questions are not answered
	Disk     string `json:"disk"`
}

// States of a part.
const (
	partOK     = "ok"
	partOff    = "off"
	partFailed = "failed"
	partBehind = "behind"
)

// readiness keeps the latest state for probeAge.
type readiness struct {
	mu    sync.Mutex
	at    time.Time
	state Readiness
	lag   int64 // snapshots that the index lacks; -1 without an index
}

// readyNow returns the state of the server's parts, at most probeAge old.
func (s *Server) readyNow(ctx context.Context) (Readiness, int64) {
	s.ready.mu.Lock()
	defer s.ready.mu.Unlock()
	if now := s.now(); s.ready.at.IsZero() || now.Sub(s.ready.at) > probeAge {
		s.ready.state, s.ready.lag = s.probe(ctx)
		s.ready.at = now
	}
	return s.ready.state, s.ready.lag
}

// probe asks each part. A part that cannot be asked has failed.
func (s *Server) probe(ctx context.Context) (r Readiness, lag int64) {
	r, lag = Readiness{Archive: partFailed, Database: partFailed, Index: partOff, Signer: partOff, Disk: partFailed}, -1
	if s.o.Signer != nil {
		r.Signer = partOK
	}
	part := func(of *string, err error) {
		if *of = partOK; err != nil {
			*of = partFailed
			s.o.Log.Error("probe", "what", err.Error())
		}
	}
	err := s.with(ctx, func(h *handle) error {
		_, _, err := h.archive.Head()
		part(&r.Archive, err)
		part(&r.Database, engine.Ping(ctx, h.archive))
		part(&r.Disk, cmp.Or(probeDisk(h.archive), probeDisk(h.archive, archive.BundlesDir)))
		if !search.HasIndex(h.archive) {
			return nil
		}
		lag, err = search.Lag(ctx, h.archive)
		if part(&r.Index, err); err == nil && lag > 0 {
			r.Index = partBehind
		}
		return nil
	})
	if err != nil {
		s.o.Log.Error("probe", "what", err.Error())
	}
	r.Ready = r.Archive == partOK && r.Database == partOK && r.Disk == partOK && r.Index != partFailed
	return r, lag
}

// probeDisk returns an error where a file of probeSize bytes cannot be written in archive.local, or in a
// folder of it that is there.
func probeDisk(a *archive.Archive, folder ...string) (err error) {
	dir, err := a.LocalPath("")
	if err != nil {
		return err
	}
	dir = filepath.Join(append([]string{dir}, folder...)...)
	if _, err := os.Lstat(dir); len(folder) > 0 && errors.Is(err, fs.ErrNotExist) {
		return nil // whoever needs it makes it
	}
	f, err := os.CreateTemp(dir, probeName)
	if err != nil {
		return err
	}
	defer func() {
		if gone := os.Remove(f.Name()); err == nil {
			err = gone
		}
	}()
	if _, err := f.Write(make([]byte, probeSize)); err != nil {
		_ = f.Close() // the first error is told
		return err
	}
	return f.Close()
}

// serveReady answers /readyz: 200 where calls can be answered, else 503, with the state of each part.
func (s *Server) serveReady(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), probeTime)
	defer cancel()
	state, _ := s.readyNow(ctx)
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	if !state.Ready {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	_ = json.NewEncoder(w).Encode(state) // the caller went away
}

// serveLive answers /livez: the process answers, whatever the archive does.
func serveLive(w http.ResponseWriter, _ *http.Request) {
	_, _ = w.Write([]byte("ok\n")) // the caller went away
}

// writeGauges writes the server's present load in the text format of Prometheus.
func (s *Server) writeGauges(ctx context.Context, w io.Writer) error {
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	state, lag := s.readyNow(ctx)
	free, waiting := s.handles.Load()
	kept, keptBytes := s.answers.Size()
	replies, replyBytes := s.replies.Size()
	var b strings.Builder
	gauge := func(name, help string, value int64) {
		fmt.Fprintf(&b, "# HELP muniment_%s %s\n# TYPE muniment_%s gauge\nmuniment_%s %d\n", name, help, name, name, value)
	}
	ready := int64(0)
	if state.Ready {
		ready = 1
	}
	gauge("ready", "Whether /readyz answers 200.", ready)
	gauge("readers_free", "Readers that no call has.", int64(free))
	gauge("readers_waiting", "Calls that wait for a reader.", int64(waiting))
	gauge("citations_waiting", "Citations calls that wait for the writer.", int64(len(s.cites)))
	gauge("streams_running", "Calls under way that answer with their progress.", int64(len(s.streams)))
	gauge("listeners", "Calls under way that follow events.", s.listen.number())
	gauge("body_memory_bytes", "Memory that request bodies hold.", int64(len(s.bodies.all))*bodyUnit)
	gauge("answers_kept", "Answers kept for pages.", int64(kept))
	gauge("answers_kept_bytes", "Bytes of the bundles of kept answers.", int64(keptBytes))
	gauge("replies_kept", "Replies kept for idempotency keys.", int64(replies))
	gauge("replies_kept_bytes", "Bytes of kept replies.", int64(replyBytes))
	gauge("index_lag_snapshots", "Snapshots that the search index lacks; -1 without an index.", lag)
	_, err := io.WriteString(w, b.String())
	return err
}

// latencies are the upper bounds of the buckets of durations, in seconds: around
// the aim of 150 ms, and what a model takes.
var latencies = [...]float64{.005, .02, .05, .15, .5, 2, 10, 60}

// counters count what was served, for Prometheus. No label holds what a caller
// sent; the names of tokens are the owner's.
type counters struct {
	mu    sync.Mutex
	calls map[callLabel]*callCount

	limited map[string]int64 // calls that got 429, by principal
}

type callLabel struct {
	route  string // the pattern, not the path
	status int
}

type callCount struct {
	n       int64
	seconds float64
	within  [len(latencies)]int64
}

// addLimited counts a call of a principal that has to wait. There are as many principals as
// tokens, browsers and the public.
func (c *counters) addLimited(principal string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.limited[principal]++
}

// add counts one call.
func (c *counters) add(route string, status int, took time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	label := callLabel{route, status}
	one := c.calls[label]
	if one == nil {
		one = &callCount{}
		c.calls[label] = one
	}
	one.n++
	one.seconds += took.Seconds()
	for i, bound := range latencies {
		if took.Seconds() <= bound {
			one.within[i]++
		}
	}
}

// write writes the counters in the text format of Prometheus.
func (c *counters) write(w io.Writer) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	labels := slices.SortedFunc(maps.Keys(c.calls), func(a, b callLabel) int {
		return cmp.Or(cmp.Compare(a.route, b.route), cmp.Compare(a.status, b.status))
	})
	var b strings.Builder
	b.WriteString("# HELP muniment_calls_seconds How long calls took, by route and status.\n# TYPE muniment_calls_seconds histogram\n")
	for _, l := range labels {
		one := c.calls[l]
		name := fmt.Sprintf("route=%q,status=\"%d\"", l.route, l.status)
		for i, bound := range latencies {
			fmt.Fprintf(&b, "muniment_calls_seconds_bucket{%s,le=\"%g\"} %d\n", name, bound, one.within[i])
		}
		fmt.Fprintf(&b, "muniment_calls_seconds_bucket{%s,le=\"+Inf\"} %d\nmuniment_calls_seconds_sum{%s} %g\nmuniment_calls_seconds_count{%s} %d\n", name, one.n, name, one.seconds, name, one.n)
	}
	b.WriteString("# HELP muniment_calls_limited_total Calls over the rate of their principal.\n# TYPE muniment_calls_limited_total counter\n")
	for _, name := range slices.Sorted(maps.Keys(c.limited)) {
		fmt.Fprintf(&b, "muniment_calls_limited_total{principal=%q} %d\n", name, c.limited[name])
	}
	_, err := io.WriteString(w, b.String())
	return err
}
