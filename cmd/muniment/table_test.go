package main

import (
	"strings"
	"testing"
	"unicode/utf8"

	"muniment/bundle"
)

// A table is as wide as it is told where its columns allow that, and otherwise keeps
// every character.
func TestTableLines(t *testing.T) {
	columns := []string{"date", "title", "id"}
	rows := [][]string{
		{"1817~", strings.Repeat("Überaus lang ", 12), "bafkreih5unn2a5thjctqvt2jtaue4wisxgzviy4y2llgby2hxnrrhykrky"},
		{"", "two\nlines", "bafkreicy5ehln5ws2v7waluciequcyjndyptgd2ab6pcqrokmd3e6wrjlu"},
	}
	for _, width := range []int{0, 40, 60, 80, 300} {
		longest := 0
		lines := tableLines(columns, rows, width)
		for _, line := range lines {
			longest = max(longest, utf8.RuneCountInString(line))
		}
		if width > 0 && longest > width {
			t.Errorf("in %d columns a line has %d characters:\n%s", width, longest, strings.Join(lines, "\n"))
		}
		if all := strings.Join(lines, "\n"); width == 0 && !strings.Contains(all, rows[0][2]) || width != 0 && !strings.Contains(all, rows[0][2][:idShown-1]) || !strings.Contains(all, "two lines") && width > 40 {
			t.Errorf("in %d columns:\n%s", width, all)
		}
	}
}

// A report fits the terminal, keeps every word, and no line that goes on begins where
// a line of the report begins; commands to paste stay whole.
func TestFold(t *testing.T) {
	lines := []string{
		"VALID",
		"PASS         signer threshold      signed by SHA256:abc (demo-archivist, answering key); 1 is needed and 1 was found",
		"1. “We carried the flour up the ladder to the loft, fifty-two sacks, Father and Tobias Lunt  below and I above.”",
		"   Source A (their words), Letter to Ruth, 2 April 1931: “I counted the coins twice and there is enough for it.”",
		"  - which telephone did she buy, and what did she say of it afterwards? (nothing was found that answers it)",
		"  expected  " + strings.Repeat("x", 120) + " and more",
		"Ein sehr langer Satz über größere Mühlräder, der nicht eingerückt ist und dennoch umgebrochen wird, damit er passt",
	}
	for _, width := range []int{40, 60, 80, 100} {
		for _, line := range lines {
			folded := strings.Split(fold(line, width), "\n")
			if got, want := strings.Fields(strings.Join(folded, " ")), strings.Fields(line); strings.Join(got, " ") != strings.Join(want, " ") {
				t.Errorf("in %d columns %q has the words %q", width, line, got)
			}
			for i, part := range folded {
				if utf8.RuneCountInString(part) > width && !strings.Contains(part, "xxx") {
					t.Errorf("in %d columns a line has %d characters: %q", width, utf8.RuneCountInString(part), part)
				}
				if begin := indentOf(line); i > 0 && begin+1 < len(line) && line[0] != 'E' && indentOf(part) <= begin {
					t.Errorf("in %d columns %q goes on as %q", width, line, part)
				}
			}
		}
	}
	command := "  integrity  " + strings.Repeat("sha256sum -c ", 20)
	if got := fold(bundle.RedoHeading+"\n"+command, 60); !strings.HasSuffix(got, "\n"+command) {
		t.Errorf("a command to paste is cut:\n%s", got)
	}
	got := fold("PASS         integrity             one two three four five six seven eight", 72)
	if want := "PASS         integrity             one two three four five six seven\n" + strings.Repeat(" ", 35) + "eight"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
