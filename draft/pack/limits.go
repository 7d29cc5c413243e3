package pack

import (
	"fmt"
	"slices"
)

// The classes of tiers that the limits speak of.
const (
	top     = iota // tiers 1 and 2
	middle         // tier 3
	monitor        // tier 4, and what is not rated
	classes
)

func classOf(tier int) int {
	switch tierOf(tier) {
	default:
		return monitor
	case 1, 2:
		return top
	case 3:
		return middle
	}
}

// room is how many chunks each limit leaves in a pack of n.
type room struct {
	publisher int // of one publisher
	low       int // of the tiers 3 and 4 together
	monitor   int
}

// feasible reports whether n candidates can be taken within the limits, those
// in must among them. Publishers and tiers are limits across each other, so this
// is a flow from publishers through the classes of tiers: each candidate carries
// one unit, and what is in must is already on its way.
func feasible(left []Scored, must []int, n int, r Rules) bool {
	if n > len(left) || len(must) > n {
		return false
	}
	have := room{publisher: n * r.PublisherPercent / 100, low: n - (n*r.TopTierPercent+99)/100, monitor: n * r.MonitorPercent / 100}
	number := map[string]int{}
	var free [][classes]int // candidates not taken yet, by publisher and class
	var used []int          // taken of each publisher
	var class [classes]int  // taken of each class
	for i := range left {
		key := Publisher(left[i].Publisher)
		k, ok := number[key]
		if !ok {
			k = len(free)
			number[key] = k
			free, used = append(free, [classes]int{}), append(used, 0)
		}
		if slices.Contains(must, i) {
			used[k]++
			class[classOf(left[i].Tier)]++
			continue
		}
		free[k][classOf(left[i].Tier)]++
	}
	if class[monitor] > have.monitor || class[middle]+class[monitor] > have.low {
		return false
	}
	for _, u := range used {
		if u > have.publisher {
			return false
		}
	}
	f := flow{free: free, used: used, class: class, room: have, moved: make([][classes]int, len(free))}
	for added := len(must); added < n; added++ {
		if !f.push() {
			return false
		}
	}
	return true
}

// A flow adds candidates one by one; a candidate of one class may give its place
// to one of another class of its publisher.
type flow struct {
	free, moved [][classes]int
	used        []int
	class       [classes]int
	room        room
}

// push adds one more candidate, along an augmenting path, if there is any.
func (f *flow) push() bool {
	seen := make([]bool, len(f.free))
	for p := range f.free {
		if f.used[p] < f.room.publisher && f.from(p, seen) {
			f.used[p]++
			return true
		}
	}
	return false
}

// from finds a class for one more candidate of publisher p.
func (f *flow) from(p int, seen []bool) bool {
	if seen[p] {
		return false
	}
	seen[p] = true
	for c := range classes {
		if f.free[p][c] == 0 {
			continue
		}
		if f.open(c) {
			f.take(p, c)
			return true
		}
		// Another publisher's candidate of a class that shares the limit makes room.
		for q := range f.free {
			if q == p {
				continue
			}
			for other := range classes {
				if f.moved[q][other] == 0 || !f.frees(c, other) {
					continue
				}
				f.give(q, other)
				f.take(p, c)
				if f.from(q, seen) {
					return true
				}
				f.give(p, c)
				f.take(q, other)
			}
		}
	}
	return false
}

// open reports whether one more candidate of a class fits.
func (f *flow) open(c int) bool {
	low := f.class[middle]+f.class[monitor] < f.room.low
	switch c {
	default:
		return true
	case middle:
		return low
	case monitor:
		return low && f.class[monitor] < f.room.monitor
	}
}

// frees reports whether giving up one of class other lets in one of class c.
func (f *flow) frees(c, other int) bool {
	f.class[other]--
	ok := f.open(c)
	f.class[other]++
	return ok
}

func (f *flow) take(p, c int) { f.free[p][c]--; f.moved[p][c]++; f.class[c]++ }
func (f *flow) give(p, c int) { f.free[p][c]++; f.moved[p][c]--; f.class[c]-- }

// blame names the limits that even one chunk does not meet, each by what the
// candidates have; together where only their combination is impossible.
func blame(left []Scored, r Rules) []string {
	n := min(r.MaxChunks, len(left))
	if out := blameAt(left, n, r); len(out) > 0 {
		return out
	}
	return []string{"the limits of publishers and tiers exclude each other for these chunks"}
}

// blameAt names the limits that alone keep a pack of n from being built.
func blameAt(left []Scored, n int, r Rules) []string {
	publishers, tiers, name := map[string]int{}, [5]int{}, map[string]string{}
	most := ""
	for _, c := range left {
		key := Publisher(c.Publisher)
		publishers[key]++
		name[key] = c.Publisher
		if publishers[key] > publishers[most] || most == "" && publishers[""] == 0 {
			most = key
		}
		tiers[tierOf(c.Tier)]++
	}
	alone := func(change func(*Rules)) bool {
		only := Rules{PublisherPercent: 100, MonitorPercent: 100}
		change(&only)
		return !feasible(left, nil, n, only)
	}
	var out []string
	if alone(func(o *Rules) { o.PublisherPercent = r.PublisherPercent }) {
		shown := name[most]
		if shown == "" {
			shown = "publishers that are not named"
		}
		out = append(out, fmt.Sprintf("publishers: %d in all, %s has %d of %d chunks, at most %d %% allowed", len(publishers), shown, publishers[most], len(left), r.PublisherPercent))
	}
	if alone(func(o *Rules) { o.TopTierPercent = r.TopTierPercent }) {
		out = append(out, fmt.Sprintf("tiers: %d of %d chunks are of tier 1 or 2, at least %d %% wanted", tiers[1]+tiers[2], len(left), r.TopTierPercent))
	}
	if alone(func(o *Rules) { o.MonitorPercent = r.MonitorPercent }) {
		out = append(out, fmt.Sprintf("tiers: %d of %d chunks are of tier 4 or not rated, at most %d %% allowed", tiers[4], len(left), r.MonitorPercent))
	}
	return out
}
