package clause

import (
	"strings"
	"testing"
)

func TestAmounts(t *testing.T) {
	for _, c := range []struct{ lang, text, want string }{
		{"en", "It is six feet three inches long.", "it is 1.905 length long"},
		{"en", "It took an hour and a half.", "it took 5400 time"},
		{"en", "Two and a half days passed.", "216000 time passed"},
		{"en", "A second man came in a second.", "a second man came in a second"},
		{"en", "A house and half a dozen barns burned.", "a house and 6 barns burned"},
		{"en", "Two thirds of the men left.", "66.66666667 percent of the men left"},
		{"en", "It cost £2.", "it cost 480 sterling"},
		{"en", "He wrote 1.25 million lines on 3 May 1871.", "he wrote 1250000 lines on 1871-05-03"},
		{"de", "Es sind 1.250 Meter.", "es sind 1250 length"},
		{"de", "Es sind 1,25 Quadratkilometer.", "es sind 1250000 area"},
		{"de", "Ein Drittel der Männer ging.", "33.33333333 percent of the männer ging"},
		{"de", "Ein Viertel Jahrhundert verging.", "300 months verging"},
	} {
		s := Parse(c.text)
		amounts := s.Amounts(c.lang)
		if got := strings.Join(amounts.Words, " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
	}
}

func TestRise(t *testing.T) {
	for _, c := range []struct {
		text  string
		share bool
		want  string
	}{
		{"It fell from 40 to 30 pounds a year.", true, "it fell by 25 percent a year"},
		{"It fell from 40 to 30 pounds a year.", false, "it fell by 10 pounds a year"},
		{"It fell from 1840 to 1870.", false, "it fell from 1840 to 1870"},
		{"It rose from 10 to 15 degrees.", true, "it rose from 10 to 15 degrees"},
		{"Sie stieg von 20 auf 30 Taler.", true, "sie stieg um 50 percent"},
	} {
		s := Parse(c.text)
		rise := s.Rise(c.share)
		if got := strings.Join(rise.Words, " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
	}
}

// TestNumberWords reads numbers of words, of digits with a word, and of words that only look like one.
func TestNumberWords(t *testing.T) {
	for text, want := range map[string]string{
		"40 million": "40000000", "forty million": "40000000", "1.5 thousand": "1500", "three score": "60", "2,5 Millionen": "2500000", "dreitausendzweihundertzwölf": "3212",
		"zweihundertfünfzig": "250", "hundertundeins": "101", "vierzigtausend": "40000", "Jahrhundert": "jahrhundert", "tausende": "tausende", "score": "score",
	} {
		if s := Parse(text); strings.Join(s.Words, " ") != want {
			t.Errorf("%s: %q, want %q", text, s.Words, want)
		}
	}
}
