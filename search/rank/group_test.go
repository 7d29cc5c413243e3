package rank

import "testing"

// TestOpposed: papers contradict each other only where they tell of the same and of little else.
func TestOpposed(t *testing.T) {
	for _, c := range []struct {
		question, one, other string
		want                 bool
	}{
		{"When was the bridge built?", "The bridge was built in 1904.", "The bridge was built in 1905.", true},
		{"When did the plague come to London?", "The plague came to London in 1665.",
			"In 1603 the plague came to London, and the theatres were closed, the merchants left their houses, the king moved his court to Winchester, the fair at Smithfield was put off, and sailors stayed aboard.", false},
	} {
		var list []Passage
		for i, text := range []string{c.one, c.other} {
			list = append(list, Passage{Text: text, Lang: "en", Document: string(rune('A' + i))})
		}
		out := Rank(NewQuestion(c.question, "en", weigh(c.question, 4)), list, Default())
		if len(out) == 0 {
			t.Errorf("%q: no candidate", c.question)
			continue
		}
		if got := out[0].Features.Opposed > 0; got != c.want {
			t.Errorf("%q: opposed %v, want %v (%q first)", c.question, got, c.want, out[0].Text)
		}
	}
}
