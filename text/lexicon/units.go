package lexicon

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
)

//go:embed units.txt
var unitsText string

var units, unitsError = parseUnits(unitsText)

// A unit is how many of the base unit of its dimension it has.
type unit struct {
	dimension string
	size      float64
}

// parseUnits reads units in the format that units.txt describes. An error begins with the number of the wrong line.
func parseUnits(text string) (map[string]unit, error) {
	out := map[string]unit{}
	for i, line := range strings.Split(text, "\n") {
		f := strings.Fields(line)
		if len(f) == 0 || f[0] == "#" {
			continue
		}
		size, err := strconv.ParseFloat(f[min(1, len(f)-1)], 64)
		if err != nil || len(f) < 3 || size <= 0 {
			return nil, fmt.Errorf("lexicon: units.txt:%d: %q, want a dimension, a number above 0 and names", i+1, line)
		}
		for _, name := range f[2:] {
			if _, twice := out[name]; twice {
				return nil, fmt.Errorf("lexicon: units.txt:%d: %q is a unit already", i+1, name)
			}
			out[name] = unit{f[0], size}
		}
	}
	return out, nil
}

// Measure returns the dimension and the size, in the base unit of it, of the unit that words begin with, in the
// singular or the plural, and how many words name it; 0 where they begin with none.
func Measure(words []string) (dimension string, size float64, n int) {
	if unitsError != nil {
		panic(unitsError)
	}
	for n = min(2, len(words)); n > 0; n-- {
		name := strings.Join(words[:n], "_")
		for _, w := range []string{name, strings.TrimSuffix(name, "s")} {
			if u, ok := units[w]; ok {
				return u.dimension, u.size, n
			}
		}
	}
	return "", 0, 0
}

// Convert returns by what a number of one unit is multiplied to be of another; ok is false where the two measure different things, or nothing known.
func Convert(from, to string) (factor float64, ok bool) {
	a, x, _ := Measure([]string{from})
	b, y, _ := Measure([]string{to})
	if a == "" || a != b {
		return 0, false
	}
	return x / y, true
}

// IsUnit reports whether a word names a unit, computed or not: feet, thaler.
func IsUnit(w string) bool {
	dimension, _, _ := Measure([]string{w})
	return dimension != "" || Unit.Has(w)
}

// SameUnit reports whether two words name one unit: km and kilometres.
func SameUnit(a, b string) bool {
	factor, ok := Convert(a, b)
	return ok && factor == 1
}
