package lexicon

// measures are the units that are computed, with their dimension and how many of its base unit each has.
var measures = map[string]struct {
	dimension string
	size      float64
}{
	"mm": {"length", 0.001}, "millimetre": {"length", 0.001}, "millimeter": {"length", 0.001}, "cm": {"length", 0.01}, "centimetre": {"length", 0.01}, "centimeter": {"length", 0.01}, "zentimeter": {"length", 0.01},
	"m": {"length", 1}, "metre": {"length", 1}, "meter": {"length", 1}, "km": {"length", 1000}, "kilometre": {"length", 1000}, "kilometer": {"length", 1000},
	"inch": {"length", 0.0254}, "foot": {"length", 0.3048}, "feet": {"length", 0.3048}, "yard": {"length", 0.9144}, "mile": {"length", 1609.344},
	"mg": {"mass", 0.001}, "g": {"mass", 1}, "gram": {"mass", 1}, "gramm": {"mass", 1}, "kg": {"mass", 1000}, "kilogram": {"mass", 1000}, "kilogramm": {"mass", 1000}, "kilo": {"mass", 1000}, "zentner": {"mass", 50_000},
	"tonne": {"mass", 1e6}, "tonnen": {"mass", 1e6}, "t": {"mass", 1e6},
	"second": {"time", 1}, "sekunde": {"time", 1}, "minute": {"time", 60}, "minuten": {"time", 60}, "hour": {"time", 3600}, "stunde": {"time", 3600}, "stunden": {"time", 3600}, "day": {"time", 86400}, "tag": {"time", 86400}, "week": {"time", 604800}, "woche": {"time", 604800}, "wochen": {"time", 604800},
	"month": {"long time", 1}, "monat": {"long time", 1}, "year": {"long time", 12}, "jahr": {"long time", 12},
	"litre": {"volume", 1}, "liter": {"volume", 1}, "hectolitre": {"volume", 100}, "hektoliter": {"volume", 100}, "gallon": {"volume", 4.54609},
	"hectare": {"area", 10_000}, "hektar": {"area", 10_000}, "acre": {"area", 4046.86},
}

// measure returns the entry of a unit in the singular or the plural.
func measure(unit string) (dimension string, size float64) {
	for _, w := range []string{unit, trimEnd(unit, "s"), trimEnd(unit, "e"), trimEnd(unit, "es"), trimEnd(unit, "en")} {
		if m, ok := measures[w]; ok {
			return m.dimension, m.size
		}
	}
	return "", 0
}

func trimEnd(w, end string) string {
	if n := len(w) - len(end); n > 0 && w[n:] == end {
		return w[:n]
	}
	return w
}

// Convert returns by what a number of one unit is multiplied to be of another; ok is false where the two measure different things, or nothing known.
func Convert(from, to string) (factor float64, ok bool) {
	a, x := measure(from)
	b, y := measure(to)
	if a == "" || a != b {
		return 0, false
	}
	return x / y, true
}

// SameUnit reports whether two words name one unit: km and kilometres.
func SameUnit(a, b string) bool {
	factor, ok := Convert(a, b)
	return ok && factor == 1
}
