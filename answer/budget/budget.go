// Package budget meters how much of an archive one requestor is shown, so that
// nobody reads it out one excerpt at a time.
//
// What is metered are code points that the requestor has not been shown
// before: an account is the union of the passages that one requestor saw in
// the last Window, and a passage costs what it adds to that union. The same
// words asked for twice are paid for once. An account is opened for one
// request; what it lets through is written down by its caller before anything
// is delivered.
//
//	limits := budget.Defaults(10_080, 140, archiveSize)
//	account := budget.Account{Limits: limits, Spent: spent, At: now, Visits: visits}
//	taken, err := account.Take(artifact, length, budget.Range{Start: 310, End: 420})
//	if taken.Denied != "" { … } // nothing is charged
//
// # Rules
//
// A passage is denied, in this order, when
//
//	daily      it would bring the new code points of the day above Daily
//	passages   it would be one new passage of the day more than Passages
//	artifact   it would bring the union within its artifact above a share
//	archive    it would bring the sum of the window above a share of the archive
//	probing    its artifact has given something new to Probes requests of the
//	           day, and the wait since the last of them is not over: Wait after
//	           the first too many, twice that after the next, up to MaxWait
//
// A passage that adds nothing is never denied. Days are those of UTC.
//
// The package is pure: it has no clock and keeps nothing.
package budget

import (
	"slices"
	"time"
)

// The constants used by Defaults.
const (
	passagesPerDay = 200 // four for each of 50 questions

	// An artifact shows a quarter of itself, or this many excerpts where that
	// is more: most letters are short.
	artifactShare    = 4
	artifactExcerpts = 4

	// An archive shows a fifth of itself within the window, or this many
	// days' budgets where that is more: a handful of letters is small.
	archiveShare = 5
	archiveDays  = 2

	probesPerDay = 8
)

// Window is how long a passage counts as seen.
const Window = 30 * 24 * time.Hour

// The waits between requests that keep asking after one artifact.
const (
	Wait    = time.Minute
	MaxWait = time.Hour
)

// Limits are the limits of one requestor in one archive, in code points and counts.
type Limits struct {
	Daily    int // new code points a day
	Passages int // new passages a day
	Excerpt  int // longest excerpt: the least that an artifact shows is a few of them
	Archive  int // new code points within the window
	Probes   int // requests a day that one artifact answers without a wait
}

// Defaults returns the limits of a tier with a daily budget and a longest
// excerpt, in an archive whose texts have size code points together.
func Defaults(daily, excerpt, size int) Limits {
	return Limits{Daily: daily, Passages: passagesPerDay, Excerpt: excerpt, Archive: max(size/archiveShare, archiveDays*daily), Probes: probesPerDay}
}

// A Range is a run of code points of an artifact's text, half-open.
type Range struct{ Start, End int }

// Spent is the used part of a requestor's budget.
type Spent struct {
	Today    int // new code points of the day
	Passages int // new passages of the day
	Window   int // new code points within the window
}

// A Visit is what a requestor saw of one artifact.
type Visit struct {
	Seen     []Range   // within the window, in any order
	Requests int       // of the day that were shown something new of it
	Last     time.Time // of the latest of them; zero without one
}

// A Denial is why a passage is not shown.
type Denial string

// The denials.
const (
	Daily    Denial = "daily"
	Passages Denial = "passages"
	Artifact Denial = "artifact"
	Archive  Denial = "archive"
	Probing  Denial = "probing"
)

// An Account is one requestor's at one request. Visits looks an artifact up;
// it is asked once for each.
type Account struct {
	Limits Limits
	Spent  Spent
	At     time.Time
	Visits func(artifact string) (Visit, error)

	visits map[string]*Visit
	asked  map[string]bool // artifacts that gave something new to this request
}

// Taken is the verdict on one passage.
type Taken struct {
	Fresh  int // code points that the requestor had not seen
	Denied Denial
	Again  time.Time // when to ask again; zero where that is not known
}

// Take charges a passage of an artifact of length code points, or denies it.
// The error is that of Visits.
func (a *Account) Take(artifact string, length int, r Range) (Taken, error) {
	v, err := a.visit(artifact)
	if err != nil {
		return Taken{}, err
	}
	before := countCovered(v.Seen)
	seen := append(slices.Clone(v.Seen), r)
	fresh := countCovered(seen) - before
	if fresh == 0 {
		return Taken{}, nil
	}
	if d, again := a.deny(v, artifact, length, before, fresh); d != "" {
		return Taken{Fresh: fresh, Denied: d, Again: again}, nil
	}
	a.Spent.Today += fresh
	a.Spent.Window += fresh
	a.Spent.Passages++
	v.Seen = seen
	a.asked[artifact] = true
	return Taken{Fresh: fresh}, nil
}

// deny applies the rules in their order.
func (a *Account) deny(v *Visit, artifact string, length, before, fresh int) (Denial, time.Time) {
	tomorrow := Day(a.At).Add(24 * time.Hour)
	switch {
	case a.Spent.Today+fresh > a.Limits.Daily:
		return Daily, tomorrow
	case a.Spent.Passages >= a.Limits.Passages:
		return Passages, tomorrow
	case before+fresh > max(length/artifactShare, artifactExcerpts*a.Limits.Excerpt):
		return Artifact, time.Time{}
	case a.Spent.Window+fresh > a.Limits.Archive:
		return Archive, time.Time{}
	case a.asked[artifact] || v.Requests < a.Limits.Probes:
		return "", time.Time{}
	}
	if again := v.Last.Add(pause(v.Requests - a.Limits.Probes)); a.At.Before(again) {
		return Probing, again
	}
	return "", time.Time{}
}

// pause is the wait after so many requests too many.
func pause(over int) time.Duration {
	const doublings = 6 // 64 minutes: beyond MaxWait
	return min(Wait<<min(max(over, 0), doublings), MaxWait)
}

// Left returns how many new code points the day still has.
func (a *Account) Left() int {
	return max(0, min(a.Limits.Daily-a.Spent.Today, a.Limits.Archive-a.Spent.Window))
}

func (a *Account) visit(artifact string) (*Visit, error) {
	if v := a.visits[artifact]; v != nil {
		return v, nil
	}
	if a.visits == nil {
		a.visits, a.asked = map[string]*Visit{}, map[string]bool{}
	}
	v := &Visit{}
	if a.Visits != nil {
		got, err := a.Visits(artifact)
		if err != nil {
			return nil, err
		}
		*v = got
	}
	a.visits[artifact] = v
	return v, nil
}

// Day returns the beginning of the day, in UTC.
func Day(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }

// countCovered counts the code points of a union.
func countCovered(rs []Range) int {
	rs = slices.Clone(rs)
	slices.SortFunc(rs, func(a, b Range) int { return a.Start - b.Start })
	n, reach := 0, 0
	for _, r := range rs {
		if from := max(r.Start, reach); r.End > from {
			n += r.End - from
			reach = r.End
		}
	}
	return n
}
