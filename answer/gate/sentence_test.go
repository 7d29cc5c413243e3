package gate

import (
	"testing"

	"muniment/text/segment"
)

func TestTrimSentence(t *testing.T) {
	n := 0
	for _, c := range []struct {
		quote, need, shown string
		limit              int
	}{
		{"It rained all day. We ate ham.", "ham", "We ate ham.", 140},
		{"It rained all day. We ate ham.", "zebra", "It rained all day.", 140},
		{"It rained all day.", "ham", "It rained all day.", 140},
		{"The mill burned. It was not insured.", "mill", "It was not insured.", 140},
		{"The mill did not burn. It was not insured.", "mill", "", 140},
		{"Did it burn? The mill is gone.", "mill", "", 140},
		{"He said \"it burned. All of it.\" The mill is gone.", "mill", "", 140},
		{"水車は止まった。雨が降った。", "雨", "雨が降った。", 140},
		{"नदी ऊँची थी। बारिश हुई।", "बारिश", "बारिश हुई।", 140},
		{"It rained all day. We ate ham.", "ham", "", 5},
		{"It rained all day. We ate ham.", "ham", "", 0},
	} {
		n++
		e := TrimSentence(c.quote, []string{c.need}, c.limit)
		if e.Source() != c.quote || e.Shown() != c.shown {
			t.Errorf("%q for %q: shows %q, want %q", c.quote, c.need, e.Shown(), c.shown)
		}
		if len(segment.Sentences(e.Shown(), "")) > 1 || e.Len() > c.limit {
			t.Errorf("%q: shows %q", c.quote, e.Shown())
		}
	}
	if n != 11 {
		t.Errorf("%d cases", n)
	}
}
