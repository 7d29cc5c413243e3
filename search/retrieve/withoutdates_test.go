package retrieve

import "testing"

// TestWithoutDates demands that a text keeps every word but those of its dates.
func TestWithoutDates(t *testing.T) {
	for text, want := range map[string]string{
		"The fair was held on 7 June 1926 at the inn, and in 1927.": "The fair was held on  at the inn, and in .",
		"The fair was held twice.":                                  "The fair was held twice.",
	} {
		if got := WithoutDates(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
