package read

import (
	"strconv"
	"strings"
)

// Roman writes a number in small Roman numerals, as lists count their items;
// below 1 and above 3999 in decimal.
func Roman(n int) string {
	const most = 3999
	if n < 1 || n > most {
		return strconv.Itoa(n)
	}
	var b strings.Builder
	for _, d := range []struct {
		value int
		sign  string
	}{{1000, "m"}, {900, "cm"}, {500, "d"}, {400, "cd"}, {100, "c"}, {90, "xc"}, {50, "l"}, {40, "xl"}, {10, "x"}, {9, "ix"}, {5, "v"}, {4, "iv"}, {1, "i"}} {
		for ; n >= d.value; n -= d.value {
			b.WriteString(d.sign)
		}
	}
	return b.String()
}
