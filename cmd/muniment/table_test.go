package main

import (
	"strings"
	"testing"
	"unicode/utf8"
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
