package canon

import (
	"cmp"
	"slices"
	"strings"
)

// propLimit is the first code point from which on every property is zero.
const propLimit = 0x2FA40

// What the frozen tables of tables_nfc.go say, derived from them when the program starts.
var (
	propValues     [propLimit]uint16 // combining class, quick check and decomposition bits by code point
	decompKeys     []rune            // the code points with a canonical decomposition, Hangul apart, in order
	decompEnds     []int             // where in decompRunes the decomposition of each key ends
	decompRunes    []rune            // the full decompositions end to end
	compositions   [][3]rune         // first and second code point, primary composite; in the order of comparePairs
	assignedRanges [][2]rune         // first and last code point, in order
)

func init() {
	for _, e := range parseTable(combiningClasses) {
		for r := e[0]; r <= e[1]; r++ {
			propValues[r] = uint16(e[2])
		}
	}
	for _, e := range parseTable(excludedPairs) {
		propValues[e[0]] |= noBit
	}
	direct := parseTable(directMappings)
	for _, e := range direct {
		propValues[e[0]] |= decompBit
		switch {
		case e[2] == 0:
			propValues[e[0]] |= noBit
		case propValues[e[0]]&noBit == 0:
			propValues[e[2]] |= maybeBit
			compositions = append(compositions, [3]rune{e[1], e[2], e[0]})
		}
		decompKeys = append(decompKeys, e[0])
	}
	for _, e := range direct {
		decompRunes = appendDecomposition(decompRunes, direct, e[0])
		decompEnds = append(decompEnds, len(decompRunes))
	}
	slices.SortFunc(compositions, comparePairs)
	for r := rune(hangulV); r < hangulV+countV; r++ {
		propValues[r] |= maybeBit
	}
	for r := rune(hangulT) + 1; r < hangulT+countT; r++ {
		propValues[r] |= maybeBit
	}
	for _, e := range parseTable(assignedCodePoints) {
		assignedRanges = append(assignedRanges, [2]rune(e[:2]))
	}
}

// parseTable returns the entries of a table, 0 for numbers that an entry lacks.
func parseTable(table string) [][3]rune {
	entries := make([][3]rune, 1, strings.Count(table, ",")+1)
	field := 0
	for i := range len(table) {
		number := &entries[len(entries)-1][field]
		switch c := rune(table[i]); {
		case c == ',':
			entries, field = append(entries, [3]rune{}), 0
		case c == ' ':
			field++
		case c >= 'a':
			*number = *number<<4 | (c - 'a' + 10)
		case c >= '0':
			*number = *number<<4 | (c - '0')
		}
	}
	return entries
}

// appendDecomposition appends the decomposition of r down to the last step; direct are the mappings of one step.
func appendDecomposition(out []rune, direct [][3]rune, r rune) []rune {
	i, ok := slices.BinarySearchFunc(direct, r, func(e [3]rune, r rune) int { return int(e[0] - r) })
	if !ok {
		return append(out, r)
	}
	out = appendDecomposition(out, direct, direct[i][1])
	if direct[i][2] == 0 {
		return out
	}
	return appendDecomposition(out, direct, direct[i][2])
}

// comparePairs orders compositions by their first, then by their second code point.
func comparePairs(a, b [3]rune) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) }
