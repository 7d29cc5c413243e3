package edtf

import "testing"

func TestWords(t *testing.T) {
	ran := 0
	for text, want := range map[string]string{
		"1905-09-13": "13 September 1905", "1905-09": "September 1905", "1905": "1905", "1817~": "about 1817", "1913-11?": "probably November 1913",
		"1984%": "probably about 1984", "2003-22": "summer 2003", "1880/1890": "between 1880 and 1890", "1880/..": "since 1880", "1880/": "from 1880 on",
		"../1890": "until 1890", "/1890": "until 1890", "193X": "the 1930s", "19XX": "the years 1900 to 1999", "1931-XX": "1931", "1931-05-XX": "May 1931",
		"1931-05-20T10:15:00Z": "20 May 1931", "-0043": "44 BC", "0000": "1 BC", "Y17000": "17000",
	} {
		d, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := d.Words(); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
		ran++
	}
	if ran != 20 || (Date{}).Words() != "" {
		t.Errorf("%d dates", ran)
	}
}

func TestWordsIn(t *testing.T) {
	for date, want := range map[string]string{"1905-09-13": "13. September 1905", "1817~": "etwa 1817", "2003-22": "Sommer 2003", "1880/1890": "zwischen 1880 und 1890", "193X": "1930er Jahre", "../1905": "bis 1905"} {
		d, err := Parse(date)
		if err != nil || d.WordsIn(&German) != want {
			t.Errorf("%s: %q, want %q: %v", date, d.WordsIn(&German), want, err)
		}
	}
}
