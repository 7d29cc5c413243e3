package gate

import (
	"strings"
	"testing"

	"muniment/policy"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestVeil(t *testing.T) {
	const text = "Then Ines told Karl of it."
	veils := []policy.Veil{{Start: 5, End: 9, Pseudonym: "Person A"}, {Start: 15, End: 19, Pseudonym: "Person D"}}
	for _, c := range []struct {
		from, to    int
		text, shown string
	}{
		{0, len(text), "Then [Person A] told [Person D] of it.", "Then  …  told  …  of it."},
		{5, 14, "[…] [Person A] told […]", " told"},
		{7, 17, "[…] [Person A] told [Person D] […]", " told "},
		{20, len(text), "[…] of it.", "of it."},
		{5, 9, "", ""},
	} {
		e := excerptOf(text, c.from, c.to).Veil(veils)
		if got := e.Text(); got != c.text {
			t.Errorf("[%d, %d): %q, want %q", c.from, c.to, got, c.text)
		}
		if got := e.Shown(); got != c.shown {
			t.Errorf("[%d, %d) shows %q, want %q", c.from, c.to, got, c.shown)
		}
		if e.Source() != text {
			t.Errorf("[%d, %d) is of %q", c.from, c.to, e.Source())
		}
	}
	e := excerptOf(text, 0, 9)
	if diff := cmp.Diff(e, e.Veil(nil)); diff != "" {
		t.Error(diff)
	}
}

// The gates one after the other, in whatever order, never show a byte that one
// before withheld, and what a gate says is made of nothing else.
func TestGatesNeverExpand(t *testing.T) {
	letters := rapid.SliceOfN(rapid.SampledFrom([]rune("ab ü,.;—…")), 0, 60)
	rapid.Check(t, func(t *rapid.T) {
		text := string(letters.Draw(t, "text"))
		bound := func(label string) int {
			i := rapid.IntRange(0, len([]rune(text))).Draw(t, label)
			return len(string([]rune(text)[:i]))
		}
		from, to := bound("from"), bound("to")
		from, to = min(from, to), max(from, to)
		e := excerptOf(text, from, to)
		visible := mask(e)
		for range rapid.IntRange(1, 4).Draw(t, "gates") {
			perm := policy.Permission{Existence: true, Surface: rapid.Bool().Draw(t, "surface"), Display: true, Excerpt: rapid.IntRange(0, 70).Draw(t, "excerpt")}
			switch rapid.IntRange(0, 3).Draw(t, "gate") {
			case 0:
				e = e.Limit(perm.Excerpt)
			case 1:
				e = Display(e, perm).Excerpt
			case 2:
				a, b := bound("veil"), bound("veil")
				e = e.Veil([]policy.Veil{{Start: min(a, b), End: max(a, b), Pseudonym: "Person Q"}})
			case 3:
				e = e.Withhold()
			}
			now := mask(e)
			for i := range now {
				if now[i] && !visible[i] {
					t.Fatalf("byte %d of %q is shown again", i, text)
				}
			}
			if e.Source() != text {
				t.Fatalf("an excerpt of %q, want of %q", e.Source(), text)
			}
			if e.Empty() && strings.Contains(e.Text(), "Person Q") {
				t.Fatalf("nothing is shown, and a claim says %q", e.Text())
			}
			visible = now
		}
	})
}

// mask tells of every byte of an excerpt's text whether it is shown.
func mask(e Excerpt) []bool {
	var out []bool
	for _, p := range e.Pieces {
		for range len(p.Text) {
			out = append(out, p.Shown)
		}
	}
	return out
}

// Every combination of consent and tier: what is shown of an excerpt, and what
// stands in its place.
func TestDisplayTable(t *testing.T) {
	const text = "The barn was painted."
	tried := 0
	for bits := range 8 {
		for _, limit := range []int{0, 10, 140} {
			p := policy.Permission{Existence: bits&1 != 0, Surface: bits&2 != 0, Display: bits&4 != 0, Excerpt: limit}
			v := Display(excerptOf(text, 0, len(text)), p)
			want := View{Excerpt: excerptOf(text, 0, 0)}
			switch {
			case !p.Existence:
				want.Blocked, want.Hidden = true, true
			case !p.Surface:
				want.Blocked = true
			case !p.Display || limit == 0:
				want.Restricted, want.Notice = true, RestrictedNotice
			case limit == 140:
				want.Excerpt = excerptOf(text, 0, len(text))
			}
			if diff := cmp.Diff(want, v); diff != "" {
				t.Errorf("%+v (-want +got)\n%s", p, diff)
			}
			tried++
		}
	}
	if tried != 24 {
		t.Errorf("%d combinations", tried)
	}
}
