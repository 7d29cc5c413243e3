package lexicon

import "testing"

func TestConvert(t *testing.T) {
	if unitsError != nil {
		t.Fatal(unitsError)
	}
	for _, c := range []struct {
		from, to string
		factor   float64
	}{{"km", "metres", 1000}, {"stunden", "minute", 60}, {"pounds", "shilling", 20}, {"quadratkilometer", "hektar", 100}} {
		if factor, ok := Convert(c.from, c.to); !ok || factor != c.factor {
			t.Errorf("%s to %s: %v, %v, want %v", c.from, c.to, factor, ok, c.factor)
		}
	}
	for _, c := range [][2]string{{"km", "hours"}, {"pounds", "mark"}, {"degrees", "grad"}, {"", ""}} {
		if _, ok := Convert(c[0], c[1]); ok {
			t.Errorf("%q and %q measure different things, or nothing known", c[0], c[1])
		}
	}
	if _, _, n := Measure([]string{"square", "miles", "of"}); n != 2 {
		t.Errorf("square miles: %d words, want 2", n)
	}
	for _, wrong := range []string{"length 1", "length 0 m", "length x m", "length 1 m\nmass 1 m"} {
		if _, err := parseUnits(wrong); err == nil {
			t.Errorf("%q is read without error", wrong)
		}
	}
}
