package ledger

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func shownAt(at time.Time, who, handle string, first, past, fresh int) Shown {
	return Shown{Time: at, Requestor: who, Kind: "ask", Answer: "a1", Handle: handle, Artifact: "x", Span: "p1:0-9", First: first, Past: past, Fresh: fresh}
}

// What was shown is summed per requestor and survives closing and opening.
func testShown(t *testing.T, address string) {
	l, err := openAt(address)
	if err != nil {
		t.Fatal(err)
	}
	day := noon.Truncate(24 * time.Hour)
	room := Cap{Window: day.AddDate(0, 0, -30), Day: day, Most: Exposure{Today: 100, Passages: 3, Window: 150}}
	old := room
	old.Day = day.AddDate(0, 0, -2)
	early := shownAt(day.AddDate(0, 0, -1), "ann", "Source A", 0, 60, 60)
	first, again := shownAt(noon, "ann", "Source B", 60, 100, 40), shownAt(noon, "ann", "Source C", 60, 100, 0)
	audit := shownAt(noon, "ann", "Source D", 0, 900, 0)
	audit.Kind = "audit"
	risk := Risk{noon, "ann", "daily", "x", 77}
	for _, err := range []error{
		l.AddShown([]Shown{early}, nil, old),
		l.AddShown([]Shown{first, again, audit}, []Risk{risk}, room),
		l.AddShown([]Shown{shownAt(noon, "bob", "Source E", 0, 90, 90)}, nil, room),
		l.AddShown(nil, nil, Cap{}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := l.AddShown([]Shown{shownAt(noon, "ann", "Source F", 100, 170, 70)}, []Risk{risk}, room); !errors.Is(err, ErrOverdrawn) {
		t.Errorf("above the cap: %v", err)
	}
	for _, bad := range []Shown{{}, shownAt(noon, "ann", "", 0, 1, 1), shownAt(noon, "ann", "Source A", 5, 4, 0), shownAt(noon, "ann", "Source A", 0, 4, 5)} {
		if err := l.AddShown([]Shown{bad}, nil, room); err == nil {
			t.Errorf("accepted %+v", bad)
		}
	}
	// What was decided on fewer entries than there are now does not count.
	stale, wide := room, room
	wide.Most = Exposure{Today: 1000, Passages: 1000, Window: 1000}
	stale.Most, stale.Entries = wide.Most, map[string]int{"x": 2}
	if err := l.AddShown([]Shown{shownAt(noon, "ann", "Source G", 100, 110, 10)}, nil, stale); !errors.Is(err, ErrOverdrawn) {
		t.Errorf("on stale entries: %v", err)
	}
	if err := l.AddShown([]Shown{shownAt(noon, "ann", "Source C", 60, 100, 0)}, nil, stale); err != nil {
		t.Errorf("nothing new, on stale entries: %v", err)
	}
	wide.Entries = map[string]int{"y": 0}
	fresh := shownAt(noon, "cat", "Source H", 0, 10, 10)
	fresh.Artifact = "y"
	if err := l.AddShown([]Shown{fresh}, nil, wide); err != nil {
		t.Errorf("on the entries as they are: %v", err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	l = open(t, address)
	got, err := l.Spent("ann", room.Window, day)
	if want := (Exposure{Today: 40, Passages: 1, Window: 100}); got != want || err != nil {
		t.Errorf("spent %+v, %v; want %+v", got, err, want)
	}
	if got, err := l.Spent("nobody", room.Window, day); got != (Exposure{}) || err != nil {
		t.Errorf("nobody spent %+v, %v", got, err)
	}
	seen, err := l.ShownOf("ann", "x", room.Window)
	if diff := cmp.Diff([]Shown{early, first, again, again}, seen); diff != "" || err != nil {
		t.Error(diff, err)
	}
	behind, err := l.ShownUnder("a1", "Source D")
	if diff := cmp.Diff([]Shown{audit}, behind); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if _, err := l.LastShown("nobody", true); !errors.Is(err, ErrNotFound) {
		t.Errorf("the last of nobody: %v", err)
	}
	if last, err := l.LastShown(behind[0].Requestor, true); err != nil || last.Answer != "a1" {
		t.Errorf("the last: %+v, %v", last, err)
	}
	if all, err := l.ShownUnder("a1", ""); err != nil || len(all) != 7 {
		t.Errorf("%d passages of the answer, %v", len(all), err)
	}
	if _, err := l.ShownUnder("a2", "Source A"); !errors.Is(err, ErrNotFound) {
		t.Errorf("another answer: %v", err)
	}
	risks, err := l.Risks(day)
	if diff := cmp.Diff([]Risk{risk}, risks); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

// Requests at once do not overdraw an account.
func testShownAtOnce(t *testing.T, address string) {
	l := open(t, address)
	room := Cap{Window: noon.AddDate(0, 0, -30), Day: noon.Add(-time.Hour), Most: Exposure{Today: 100, Passages: 100, Window: 100}}
	var wait sync.WaitGroup
	results := make([]error, 16)
	for i := range results {
		wait.Go(func() {
			results[i] = l.AddShown([]Shown{shownAt(noon, "ann", fmt.Sprint("Source ", i), i*30, i*30+30, 30)}, nil, room)
		})
	}
	wait.Wait()
	in := 0
	for _, err := range results {
		switch {
		case err == nil:
			in++
		case !errors.Is(err, ErrOverdrawn):
			t.Error(err)
		}
	}
	if in != 3 {
		t.Errorf("%d passages of 30 in a budget of 100", in)
	}
}
