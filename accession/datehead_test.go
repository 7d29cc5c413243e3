package accession

import "testing"

func TestHeadDate(t *testing.T) {
	for _, c := range []struct{ text, date, words string }{
		{"Ashford,\nNovember, 1913\n\nDear Ben,\n", "1913-11", "November, 1913"},
		{"14 High Street, Leeds, 3rd March 1921.\n\nDear Ben,", "1921-03-03", "3rd March 1921"},
		{"Berlin, den 7. März 1921\n\nLieber Ben,", "1921-03-07", "7. März 1921"},
		{"1921-03-07\n\nx", "1921-03-07", "1921-03-07"},
		{"Dear Ben,\n\nI was born on 3 March 1881 in a house by the harbour, as you know.\n", "", ""},
		{"A history of Leeds, 1881\n", "", ""},
		{"From 3 March 1881 to 4 May 1882\n", "", ""},
		{"Dear Ben,\n\nthanks.\n\nAda\n", "", ""},
		{"a\nb\nc\nd\ne\nf\n3 March 1921\n", "", ""},
		{"", "", ""},
	} {
		if date, words := headDate([]byte(c.text)); date != c.date || words != c.words {
			t.Errorf("%q: %q, %q; want %q, %q", c.text, date, words, c.date, c.words)
		}
	}
}
