package server

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"
)

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
	labels := make([]callLabel, 0, len(c.calls))
	for l := range c.calls {
		labels = append(labels, l)
	}
	sort.Slice(labels, func(i, j int) bool {
		a, b := labels[i], labels[j]
		return a.route < b.route || a.route == b.route && a.status < b.status
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
