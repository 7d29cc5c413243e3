package budget

import (
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

func account(l Limits) *Account { return &Account{Limits: l, At: noon} }

// take is Take on an artifact of 100,000 code points.
func take(t *testing.T, a *Account, artifact string, from, to int) Taken {
	t.Helper()
	got, err := a.Take(artifact, 100_000, Range{from, to})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestTakeChargesWhatIsNew(t *testing.T) {
	a := account(Defaults(10_080, 140, 6_000_000))
	for i, c := range []struct{ from, to, fresh, today int }{
		{0, 100, 100, 100}, {0, 100, 0, 100}, {20, 80, 0, 100}, {50, 120, 20, 120}, {300, 340, 40, 160}, {90, 310, 180, 340}, {0, 340, 0, 340},
	} {
		if got := take(t, a, "x", c.from, c.to); got.Fresh != c.fresh || got.Denied != "" || a.Spent.Today != c.today {
			t.Errorf("passage %d: %+v, %d today; want %d new, %d today", i, got, a.Spent.Today, c.fresh, c.today)
		}
	}
	if a.Spent.Passages != 4 || a.Spent.Window != 340 || a.Left() != 10_080-340 {
		t.Errorf("%+v, %d left", a.Spent, a.Left())
	}
}

func TestDenials(t *testing.T) {
	tomorrow := time.Date(2026, 3, 5, 0, 0, 0, 0, time.UTC)
	limits := Limits{Daily: 1000, Passages: 5, Excerpt: 100, Archive: 2000, Probes: 2}
	long := 1 << 20
	for name, c := range map[string]struct {
		spent  Spent
		visit  Visit
		length int
		want   Denial
		again  time.Time
	}{
		"nothing spent":   {length: long},
		"day full":        {spent: Spent{Today: 951}, length: long, want: Daily, again: tomorrow},
		"day just enough": {spent: Spent{Today: 950}, length: long},
		"passages":        {spent: Spent{Passages: 5}, length: long, want: Passages, again: tomorrow},
		"artifact":        {visit: Visit{Seen: []Range{{100, 490}}}, length: 1000, want: Artifact},
		"longer artifact": {visit: Visit{Seen: []Range{{100, 490}}}, length: 1760},
		"archive":         {spent: Spent{Window: 1951}, length: long, want: Archive},
		"probing":         {visit: Visit{Requests: 2, Last: noon.Add(-59 * time.Second)}, length: long, want: Probing, again: noon.Add(time.Second)},
		"after a minute":  {visit: Visit{Requests: 2, Last: noon.Add(-time.Minute)}, length: long},
		"probing more":    {visit: Visit{Requests: 4, Last: noon.Add(-time.Minute)}, length: long, want: Probing, again: noon.Add(3 * time.Minute)},
		"longest wait":    {visit: Visit{Requests: 400, Last: noon.Add(-time.Minute)}, length: long, want: Probing, again: noon.Add(59 * time.Minute)},
	} {
		a := account(limits)
		a.Spent = c.spent
		a.Visits = func(string) (Visit, error) { return c.visit, nil }
		got, err := a.Take("x", c.length, Range{0, 50})
		if err != nil || got.Denied != c.want || !got.Again.Equal(c.again) {
			t.Errorf("%s: %+v, %v; want %q until %v", name, got, err, c.want, c.again)
		}
		charged := a.Spent != c.spent
		if charged != (c.want == "") {
			t.Errorf("%s: spent %+v, then %+v", name, c.spent, a.Spent)
		}
	}
}

// Several passages of one answer are one request to their artifact.
func TestOneRequestProbesOnce(t *testing.T) {
	a := account(Limits{Daily: 1000, Passages: 9, Excerpt: 100, Archive: 2000, Probes: 1})
	for i := range 3 {
		if got := take(t, a, "x", i*100, i*100+50); got.Denied != "" {
			t.Errorf("passage %d: %+v", i, got)
		}
	}
	broken := errors.New("broken")
	a = account(Limits{})
	a.Visits = func(string) (Visit, error) { return Visit{}, broken }
	if got, err := a.Take("x", 9, Range{0, 1}); !errors.Is(err, broken) || got != (Taken{}) {
		t.Errorf("%+v, %v", got, err)
	}
}

// Whatever is asked, the union that was let through stays within every limit,
// what was denied is not charged, and what was seen costs nothing.
func TestLimitsHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := Limits{Daily: rapid.IntRange(0, 400).Draw(t, "daily"), Passages: rapid.IntRange(0, 9).Draw(t, "passages"),
			Excerpt: rapid.IntRange(0, 50).Draw(t, "excerpt"), Archive: rapid.IntRange(0, 500).Draw(t, "archive"), Probes: 3}
		a := account(l)
		const length = 1000
		seen := map[string][]bool{"x": make([]bool, length), "y": make([]bool, length)}
		for range rapid.IntRange(1, 30).Draw(t, "requests") {
			name := rapid.SampledFrom([]string{"x", "y"}).Draw(t, "artifact")
			from := rapid.IntRange(0, length-1).Draw(t, "from")
			to := rapid.IntRange(from, min(length, from+60)).Draw(t, "to")
			fresh := 0
			for _, s := range seen[name][from:to] {
				if !s {
					fresh++
				}
			}
			before := a.Spent
			got, err := a.Take(name, length, Range{from, to})
			if err != nil || got.Fresh != fresh || fresh == 0 && got.Denied != "" || got.Denied != "" && a.Spent != before {
				t.Fatalf("%+v, %v: want %d new; spent %+v, then %+v", got, err, fresh, before, a.Spent)
			}
			if got.Denied != "" {
				continue
			}
			for i := from; i < to; i++ {
				seen[name][i] = true
			}
		}
		all := 0
		for name, s := range seen {
			n := 0
			for _, one := range s {
				if one {
					n++
				}
			}
			if n > max(length/artifactShare, artifactExcerpts*l.Excerpt) {
				t.Fatalf("%s shows %d", name, n)
			}
			all += n
		}
		if all != a.Spent.Today || all > l.Daily || all > l.Archive || a.Spent.Passages > l.Passages {
			t.Fatalf("%d seen, spent %+v within %+v", all, a.Spent, l)
		}
	})
}
