package calendar

import (
	"testing"

	"muniment/snapshot/edtf"
)

// Dates as inventories have them, in the languages that texts are read in.
func TestRead(t *testing.T) {
	cases := []struct{ text, want string }{
		// Nine ordinary ones.
		{"c. 1911", "1911~"}, {"between 1920 and 1922", "1920/1922"}, {"4 février 1913", "1913-02-04"}, {"n.d.", ""}, {"1911?", "1911?"},
		{"before 1900", "../1899"}, {"1920s", "192X"}, {"Nov. 1913", "1913-11"}, {"3/5/1911", "1911"},
		// Fifty more.
		{"ca. 1911", "1911~"}, {"circa June 1911", "1911-06~"}, {"about 1905", "1905~"}, {"[1901]", "1901?"}, {"[c. 1901]", "1901%"},
		{"1911 (?)", "1911?"}, {"probably 1911", "1911?"}, {"after 1871", "1872/.."}, {"since 1871", "1871/.."}, {"until 1871", "../1871"},
		{"1905-1907", "1905/1907"}, {"1905–7", "1905/1907"}, {"1871-72", "1871/1872"}, {"1913/14", "1913/1914"}, {"from 1908 to 1910", "1908/1910"},
		{"3 May 1913", "1913-05-03"}, {"May 3rd, 1913", "1913-05-03"}, {"the 3rd of May 1913", "1913-05-03"}, {"Monday, 3 May 1913", "1913-05-03"}, {"1913 May 3", "1913-05-03"},
		{"3.5.1913", "1913-05-03"}, {"13/5/1913", "1913-05-13"}, {"5/13/1913", "1913-05-13"}, {"3.v.1913", "1913-05-03"}, {"19130503", "1913-05-03"},
		{"November, 1913", "1913-11"}, {"11/1913", "1913-11"}, {"spring 1914", "1914-21"}, {"Michaelmas 1817", "1817-09-29~"}, {"Whit Monday 1899", "1899-05-22"},
		{"the 1930s", "193X"}, {"early 1920s", "192X~"}, {"19th century", "18XX"}, {"late 1911", "1911~"}, {"1712/13", "1713"},
		{"undated", ""}, {"no date", ""}, {"o. J.", ""}, {"s.d.", ""}, {"ohne Datum", ""},
		{"um 1911", "1911~"}, {"zwischen 1920 und 1922", "1920/1922"}, {"den 12. Mai 1909", "1909-05-12"}, {"im November 1911", "1911-11"}, {"19. Jahrhundert", "18XX"},
		{"vers 1880", "1880~"}, {"1er août 1914", "1914-08-01"}, {"XIXe siècle", "18XX"}, {"3 de mayo de 1913", "1913-05-03"}, {"enero de 1901", "1901-01"},
		{"5 maart 1944", "1944-03-05"}, {"3 maggio 1913", "1913-05-03"}, {"3 października 1913", "1913-10-03"}, {"5 мая 1913", "1913-05-05"}, {"8ber 1741", "1741-10"},
		{"3-5 May 1913", "1913-05-03/1913-05-05"}, {"March to May 1913", "1913-03/1913-05"}, {"1913-11", "1913-11"}, {"1913-11?", "1913-11?"}, {"Jany. 1840", "1840-01"},
		{"5 Μαΐου 1913", "1913-05-05"}, {"5. mája 1913", "1913-05-05"}, {"5. maj 1913", "1913-05-05"}, {"3 de maio de 1913", "1913-05-03"}, {"1 de março de 1913", "1913-03-01"},
	}
	for _, c := range cases {
		got, ok := Reader{}.Read(c.text)
		if _, err := edtf.Parse(got); !ok || got != c.want || got != "" && err != nil {
			t.Errorf("%q is %q, %v, want %q", c.text, got, ok, c.want)
		}
	}
	if len(cases) < 59 {
		t.Errorf("%d dates were read", len(cases))
	}
}

// Texts that are no date.
func TestReadNoDate(t *testing.T) {
	for _, text := range []string{"", "The mill", "31 February 1913", "Mr. May", "12", "May", "3 May", "about the mill", "1913 men", "before", "between 1920", "32/13/1911", "the year", "43-45", "a", "letter of Ada"} {
		if got, ok := (Reader{}).Read(text); ok {
			t.Errorf("%q is %q", text, got)
		}
	}
}

func TestFind(t *testing.T) {
	for _, c := range []struct{ line, years, date, words string }{
		{"Bath, Nov. 17/95", "1895", "1895-11-17", "Nov. 17/95"}, {"Bath, Nov. 17/95", "", "", ""}, {"Berlin, den 7. März 1921", "", "1921-03-07", "7. März 1921"},
		{"Bath, 12.xi.01", "1901 orders", "1901-11-12", "12.xi.01"}, {"14 High Street, Leeds, 3rd March 1921.", "", "1921-03-03", "3rd March 1921"},
		{"Paris, le 4 février 1913", "", "1913-02-04", "4 février 1913"}, {"A history of Leeds, 1881", "", "", ""}, {"From 3 March 1881 to 4 May 1882", "", "", ""},
		{"Milano, 3 maggio 1913", "", "1913-05-03", "3 maggio 1913"}, {"Bath, 9th June 95", "1895", "1895-06-09", "9th June 95"}, {"Whitby, spring 1914", "", "1914-21", "spring 1914"},
	} {
		date, words, _ := Reader{Years: c.years}.Find(c.line, 8)
		if date != c.date || words != c.words {
			t.Errorf("%q: %q, %q", c.line, date, words)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{"c. 1911", "[between 1920 and 1922?]", "3-5 May 1913", "’’95", "1712/13", "- - -", "19th century"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		date, ok := Reader{Years: "1895 1901"}.Read(text)
		if _, err := edtf.Parse(date); ok && date != "" && err != nil {
			t.Errorf("%q is %q, which is no date of EDTF", text, date)
		}
		Reader{}.Find(text, 8)
	})
}
