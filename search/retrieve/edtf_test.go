package retrieve

import "testing"

func TestDatesOfEDTF(t *testing.T) {
	for _, c := range []struct{ text, words, from, to string }{
		{"letters of 1880/1890?", "1880/1890", "1880-01-01", "1890-12-31"},
		{"what of 1817~", "1817~", "1817-01-01", "1817-12-31"},
		{"papers (18XX), please", "18XX", "1800-01-01", "1899-12-31"},
		{"anything 1931-05~/1931-06.", "1931-05~/1931-06", "1931-05-01", "1931-06-30"},
		{"after 1880/..", "1880/..", "1880-01-01", "9999-12-31"},
		{"November, 1913", "November, 1913", "1913-11-01", "1913-11-30"},
	} {
		got := Dates(c.text)
		if len(got) != 1 || c.text[got[0].Start:got[0].End] != c.words || got[0].From != c.from || got[0].To != c.to {
			t.Errorf("%q: %+v, want %q from %s to %s", c.text, got, c.words, c.from, c.to)
		}
	}
	if got := Dates("XX and/or 50% of A/B 1/2"); len(got) != 0 {
		t.Errorf("words give %+v", got)
	}
	for _, c := range [][3]string{{"1913-11?", "1913-11-01", "1913-11-30"}, {"1931-05-20T10:15:00-05:00", "1931-05-20", "1931-05-20"}, {"19XX", "1900-01-01", "1999-12-31"}} {
		if from, to, ok := period(c[0]); !ok || from != c[1] || to != c[2] {
			t.Errorf("period of %s: %s, %s, %v", c[0], from, to, ok)
		}
	}
}
