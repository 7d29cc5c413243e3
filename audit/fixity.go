package audit

import (
	"cmp"
	"context"
	"slices"
	"time"

	"muniment/archive"
	"muniment/archive/problem"
)

// FixityOptions say how much of the newest snapshot is read. The zero value reads
// all of it.
type FixityOptions struct {
	Sample   float64       // percent of the items, 0 to 100, 0 for all; it starts where the last check ended
	Budget   time.Duration // the time after which no further item is started; 0: no limit
	Since    time.Time     // skip items checked at or after this time; zero: skip none
	NoRecord bool          // do not append the event to the log, and so write nothing
	Progress func(done, total int)

	// RemotePayloads also reads what the pointers among the items name from the payload
	// store.
	RemotePayloads bool
}

// FixityResult counts the items of the newest snapshot: payloads, originals,
// records and the other files, each once. Checked = OK + Failed, and Total =
// Checked + Absent + NotChecked.
type FixityResult struct {
	Snapshot   string                 `json:"snapshot"`
	Total      int                    `json:"total"`
	Checked    int                    `json:"checked"`
	OK         int                    `json:"ok"`
	Failed     int                    `json:"failed"`
	Absent     int                    `json:"absent"`
	NotChecked int                    `json:"not_checked"`
	Unfinished int                    `json:"unfinished"` // items that were due when the budget ended; they are among NotChecked
	Unreadable int                    `json:"unreadable"` // items that the system did not read; they are among NotChecked
	Problems   []archive.CheckProblem `json:"problems"`   // at most 1000
	Event      string                 `json:"event"`      // its identifier in the log; "" where none was recorded
}

// maxFixityProblems bounds the list of a FixityResult; the counts include the rest.
const maxFixityProblems = 1000

// Fixity hashes the payloads, originals, records and other files of the newest
// snapshot again and appends the event to the fixity log in archive.local, unless
// FixityOptions.NoRecord is set.
//
// The items lie on a ring, ordered by a hash of their path and of a salt from the
// first check. A check reads the items after the end of the last check, so that
// samples of any size come round to every item. Damage is counted in the result; it
// is not an error. A check that ctx interrupts returns its result and ctx.Err().
func Fixity(ctx context.Context, a *archive.Archive, o FixityOptions) (*FixityResult, error) {
	head, _, err := a.RequireHead()
	if err != nil {
		return nil, err
	}
	if o.Sample < 0 || o.Sample > 100 || o.Budget < 0 {
		return nil, problem.New(problem.Usage, problem.Advise("a sample is above 0 % and at most 100 %; a budget is a time such as 10m"), "a sample of %g %% within %s", o.Sample, o.Budget)
	}
	log, err := a.FixityEvents()
	if err != nil {
		return nil, err
	}
	ev := archive.FixityEvent{Type: archive.FixityType, Snapshot: head.ID.String()}
	if n := len(log); n > 0 {
		ev.Salt, ev.After = log[n-1].Salt, log[n-1].Upto
	} else if ev.Salt, err = randomHex(a, 16); err != nil {
		return nil, err
	}
	items, damaged, err := listItems(a, head.Tree, ev.Salt)
	if err != nil {
		return nil, err
	}
	r := &FixityResult{Snapshot: ev.Snapshot, Total: len(items) + len(damaged), Problems: []archive.CheckProblem{}}
	folders := fixityTally{result: r}
	for _, it := range damaged {
		folders.count(it, it.damage)
	}
	items = nextItems(items, ev.After, o.Sample)
	ev.Upto = ev.After
	if len(items) > 0 {
		ev.Upto = items[len(items)-1].place()
	}
	ring := items
	if !o.Since.IsZero() {
		if items, err = dropRecent(a, head.Tree, items, log, o.Since); err != nil {
			return nil, err
		}
	}
	start := a.World().Now()
	done := readItems(ctx, a, items, start, o, r)
	if done < len(items) {
		r.Unfinished = len(items) - done
		ev.Upto = ev.After
		if done > 0 {
			ev.Upto = items[done-1].place()
		}
	}
	r.Checked = r.OK + r.Failed
	r.NotChecked = r.Total - r.Checked - r.Absent
	slices.SortFunc(r.Problems, func(x, y archive.CheckProblem) int { return cmp.Compare(x.Path, y.Path) })
	for i := range r.Problems {
		r.Problems[i].Seq = head.Seq
	}
	ev.Whole = done > 0 && done == r.Total && r.Unreadable == 0
	ev.Arcs = coveredArcs(ev.After, ring, items[:done])
	if o.NoRecord {
		return r, ctx.Err()
	}
	if err := appendEvent(a, &ev, r, start); err != nil {
		return nil, err
	}
	r.Event = ev.Identifier
	return r, ctx.Err()
}

// nextItems returns the items of a ring that follow a place, in order: a sample in
// percent of them, rounded up, or the whole ring where sample is 0.
func nextItems(ring []fixityItem, after string, sample float64) []fixityItem {
	first, _ := slices.BinarySearchFunc(ring, after, func(it fixityItem, after string) int {
		if it.place() <= after {
			return -1
		}
		return 1
	})
	items := slices.Concat(ring[first:], ring[:first])
	if sample > 0 {
		items = items[:min(len(items), int(float64(len(items))*sample/100+0.999999))]
	}
	return items
}
