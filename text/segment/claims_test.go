package segment

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestClaims(t *testing.T) {
	draft := strings.Join([]string{
		"# The mill",
		"",
		"The mill burned in 1931.[1] It was rebuilt a year later [cite:g3].",
		"Anna paid the miller, and Peter repaired the wheel. [2]",
		"[3]",
		"",
		"She said that the wheel was old, and it was never used.",
		"He planted beans; she sold the cow.",
		"",
		"- She wrote “the mill burned; it is gone” in *May*.",
		"* Who rebuilt it?",
		"1. See [the plan](http://example.org/a.b) for details.",
		"",
		"| year | event |",
		"|------|-------|",
		"| 1931 | fire |",
		"",
		"```go",
		"x := 1. And more.",
		"```",
		"Note: the archive ends in 1940.",
	}, "\n")
	want := []string{
		"heading: The mill",
		"assertion: The mill burned in 1931. [1]",
		"assertion: It was rebuilt a year later. [g3]",
		"assertion: Anna paid the miller",
		"assertion: Peter repaired the wheel. [2] [3]",
		"assertion: She said that the wheel was old, and it was never used.",
		"assertion: He planted beans",
		"assertion: she sold the cow.",
		"assertion item: She wrote “the mill burned; it is gone” in May. “the mill burned; it is gone”",
		"question item: Who rebuilt it?",
		"assertion item: See the plan for details.",
		"table: year | event",
		"table: 1931 | fire",
		"code: ```go\nx := 1. And more.\n```",
		"caveat: Note: the archive ends in 1940.",
	}
	var got []string
	for _, c := range Claims(draft, "en") {
		s := string(c.Kind)
		if c.Item {
			s += " item"
		}
		s += ": " + c.Text
		for _, m := range c.Markers {
			s += fmt.Sprintf(" [%s]", m.ID)
			if mark := draft[m.Start:m.End]; mark != "["+m.ID+"]" && mark != "[cite:"+m.ID+"]" {
				t.Errorf("marker %s at %q", m.ID, mark)
			}
		}
		for _, q := range c.Quotes {
			s += " “" + q.Text + "”"
			if c.Text[q.Start:q.End] != q.Text {
				t.Errorf("quotation %q at %q", q.Text, c.Text[q.Start:q.End])
			}
		}
		got = append(got, s)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestHedges(t *testing.T) {
	for text, want := range map[string]int{"It may have burned.": 1, "In May it burned.": 0, "It probably seems so.": 2, "The mill burned.": 0} {
		if got := Hedges(text); len(got) != want {
			t.Errorf("%q: %d markers, want %d", text, len(got), want)
		}
	}
}
