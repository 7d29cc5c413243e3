package bib

import (
	"bytes"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"muniment/internal/casecount"
)

var update = flag.Bool("update", false, "write the expected references; read every changed line before it is kept")

func sampleItems(t *testing.T) []Item {
	t.Helper()
	data, err := os.ReadFile("testdata/items.json")
	if err != nil {
		t.Fatal(err)
	}
	items, bad, err := readItems(CSLJSON, data)
	if err != nil || len(bad) > 0 {
		t.Fatal(err, bad)
	}
	if len(items) != 40 {
		t.Fatalf("%d items, want 40", len(items))
	}
	return items
}

// The references of testdata were checked by hand against each style's rules.
func TestStyles(t *testing.T) {
	items := sampleItems(t)
	for _, style := range Styles {
		refs, err := Format(items, style, Markdown)
		if err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		for _, r := range refs {
			got.WriteString(items[r.Item].ID + "\t" + r.Text + "\n")
		}
		file := filepath.Join("testdata", string(style)+".txt")
		if *update {
			if err := os.WriteFile(file, []byte(got.String()), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got.String(), "\n")); d != "" {
			t.Errorf("%s: %s", style, d)
		}
		if len(refs) != 40 {
			t.Errorf("%s: %d references, want 40", style, len(refs))
		}
	}
}

func TestListedOnce(t *testing.T) {
	items := sampleItems(t)
	doubled := append(append([]Item{}, items...), items...)
	for _, style := range Styles {
		refs, err := Format(doubled, style, Text)
		if err != nil || len(refs) != len(items) {
			t.Errorf("%s: %d references of %d items, %v", style, len(refs), len(items), err)
		}
	}
}

// Every bracket, field and template that a style names is there, for every kind
// of work.
func TestTemplates(t *testing.T) {
	n := 0
	for style, s := range sheets {
		for key, template := range s {
			if !strings.ContainsAny(template, "{<") {
				continue
			}
			n++
			for typ := range kinds {
				w := writer{sheet: s, entry: entry{Item: Item{Type: typ, ContainerTitle: "C", Author: []Name{{Family: "A"}}}}}
				w.render(template)
			}
			for rest := template; ; {
				_, after, ok := strings.Cut(rest, "<")
				if !ok {
					break
				}
				name, behind, _ := strings.Cut(after, ">")
				rest = behind
				if !slices.ContainsFunc(slices.Collect(maps.Keys(s)), func(k string) bool { return k == name || strings.HasPrefix(k, name+" ") }) {
					t.Errorf("%s, %s: there is no template %s", style, key, name)
				}
			}
		}
	}
	if n < 60 {
		t.Errorf("%d templates", n)
	}
	for _, bad := range []string{"no colon", "a: 1\na: 2"} {
		if s, err := parseSheet(bad); err == nil || s != nil {
			t.Errorf("%q is read as %v", bad, s)
		}
	}
}

// A reference never shows an empty place: doubled signs, empty brackets.
func TestMissingFields(t *testing.T) {
	types := []string{"", "nothing known"}
	for k := range kinds {
		types = append(types, k)
	}
	full := Item{ID: "x", Title: "Title", ContainerTitle: "Container", Publisher: "Publisher", PublisherPlace: "Place", Volume: "1", Issue: "2", Number: "3", Edition: "2", Page: "4-5",
		Genre: "Genre", DOI: "10.1/x", URL: "https://u.example/", Archive: "Archive", Author: []Name{{Family: "Au", Given: "T."}}, Editor: []Name{{Family: "Ed", Given: "I."}}, Issued: (Date{Year: 1999, Month: 5, Day: 3}), Accessed: (Date{Year: 2020, Month: 1, Day: 2})}
	n := 0
	for _, typ := range types {
		for mask := range 1 << 12 {
			it := full
			it.Type = typ
			for bit, clear := range []func(){func() { it.Title = "" }, func() { it.ContainerTitle = "" }, func() { it.Publisher = "" }, func() { it.PublisherPlace = "" }, func() { it.Volume = "" },
				func() { it.Issue = "" }, func() { it.Page = "" }, func() { it.DOI, it.URL = "", "" }, func() { it.Author = nil }, func() { it.Editor = nil }, func() { it.Issued = Date{} }, func() { it.Genre, it.Edition = "", "" }} {
				if mask&(1<<bit) != 0 {
					clear()
				}
			}
			if n++; n%casecount.Of(61, 7) != 0 { // a part of them says as much
				continue
			}
			for _, style := range Styles {
				refs, err := Format([]Item{it}, style, Text)
				if err != nil {
					t.Fatal(err)
				}
				text := refs[0].Text
				for _, bad := range []string{"..", ",,", ", .", " ,", "()", "[]", "  ", " .", ". .", ":.", "“”", "‘’", ",.", ".,”", "( ", "; ;"} {
					if strings.Contains(strings.ReplaceAll(text, "https://", ""), bad) && !(bad == ".." && strings.Contains(text, "ed..")) {
						t.Fatalf("%s %q mask %d: %q in %q", style, typ, mask, bad, text)
					}
				}
			}
		}
	}
	if n < 100_000 {
		t.Errorf("%d combinations", n)
	}
}

// A reference stands where its first words sort, and ends in a full stop inside
// its quotation marks when nothing follows its title.
func TestBareWorks(t *testing.T) {
	items := []Item{{ID: "a", Type: "webpage", Title: "X", Publisher: "FT", URL: "https://e.org/a"}, {ID: "b", Type: "document", Title: "No date", Author: []Name{{Literal: "Guild"}}},
		{ID: "c", Type: "document", Title: "Mills", DOI: "10.1/x", Author: []Name{{Literal: "Guild"}}}, {ID: "d", Type: "document", Title: "Races", Author: []Name{{Literal: "Guild"}}},
		{ID: "e", Type: "webpage", Title: "Why?", DOI: "10.1/y", Author: []Name{{Literal: "Zunft"}}}}
	for style, want := range map[Style][]string{
		Harvard: {"FT (no date) X. Available at: https://e.org/a."},
		Chicago: {"FT. n.d. “X.” https://e.org/a."},
		IEEE:    {"[1] “X.” FT. [Online]. Available: https://e.org/a", "[2] Guild, “No date.”", "[3] Guild, “Mills,” doi: 10.1/x.", "[4] Guild, “Races.”", "[5] Zunft. “Why?”, doi: 10.1/y."},
	} {
		refs, err := Format(items, style, Text)
		if err != nil {
			t.Fatal(err)
		}
		for i, w := range want {
			if refs[i].Text != w {
				t.Errorf("%s: %q, want %q", style, refs[i].Text, w)
			}
		}
	}
	if data := string(WriteBibTeX([]Item{{ID: "a", Title: "X", Issued: Date{Year: 2020, Month: 3, Day: 4}}})); !strings.Contains(data, "year = {2020}") || !strings.Contains(data, "date = {2020-03-04}") {
		t.Error(data)
	}
}

func TestCite(t *testing.T) {
	items := sampleItems(t)[2:3]
	want := map[Style]string{Inline: "(Kern and Moser, 2004, p. 105)", Harvard: "(Kern and Moser, 2004, p. 105)", APA: "(Kern & Moser, 2004, p. 105)", Chicago: "(Kern and Moser 2004, 105)", IEEE: "[1, p. 105]", Contract: "[1, p. 105]"}
	for style, w := range want {
		refs, err := Format(items, style, Text)
		if err != nil {
			t.Fatal(err)
		}
		if got := Cite(refs[0], style, Locator("page", "105", "")); got != w {
			t.Errorf("%s: %s, want %s", style, got, w)
		}
	}
	for _, tt := range [][4]string{{"page", "1", "4", "pp. 1–4"}, {"paragraph", "3", "", "para. 3"}, {"line", "4", "6", "lines 4–6"}, {"time", "00:01:05", "", "00:01:05"}, {"section", "§ 8.1", "", "sec. § 8.1"}, {"folio", "2", "", "folio 2"}} {
		if got := Locator(tt[0], tt[1], tt[2]); got != tt[3] {
			t.Errorf("Locator(%q, %q, %q) = %q, want %q", tt[0], tt[1], tt[2], got, tt[3])
		}
	}
	if _, err := ParseStyle("vancouver"); err == nil {
		t.Error("vancouver is a style")
	}
}

// Markup in a title is text, not markup.
func TestMarkup(t *testing.T) {
	it := Item{Type: "book", Title: `<b>"A" *B* [x](javascript:y)</b>`, Author: []Name{{Literal: "<script>"}}}
	for _, style := range Styles {
		refs, err := Format([]Item{it}, style, HTML)
		if err != nil || strings.Contains(refs[0].Text, "<b>") || strings.Contains(refs[0].Text, "<script>") {
			t.Errorf("%s: %s %v", style, refs[0].Text, err)
		}
		refs, err = Format([]Item{it}, style, Markdown)
		if err != nil || strings.Contains(refs[0].Text, "](") {
			t.Errorf("%s: %s %v", style, refs[0].Text, err)
		}
	}
}

func TestNames(t *testing.T) {
	tests := map[string]Name{
		"Brandt, Anna Maria":     {Family: "Brandt", Given: "Anna Maria"},
		"Anna Maria Brandt":      {Family: "Brandt", Given: "Anna Maria"},
		"Jan van der Berg":       {Family: "Berg", Given: "Jan", Particle: "van der"},
		"van der Berg, Jan":      {Family: "Berg", Given: "Jan", Particle: "van der"},
		"Martin L. King, Jr.":    {Family: "King", Given: "Martin L.", Suffix: "Jr."},
		"King, Jr., Martin":      {Family: "King", Given: "Martin", Suffix: "Jr."},
		"King, Martin, Jr.":      {Family: "King", Given: "Martin", Suffix: "Jr."},
		"Federal Reserve":        {Literal: "Federal Reserve"},
		"University of Leeds":    {Literal: "University of Leeds"},
		"{Brandt and Sons}":      {Literal: "Brandt and Sons"},
		"Sappho":                 {Literal: "Sappho"},
		"山田太郎":                   {Literal: "山田太郎"},
		"山田 太郎":                  {Literal: "山田 太郎"},
		"Henry James III":        {Family: "James", Given: "Henry", Suffix: "III"},
		"Bureau of Rivers, Bern": {Family: "Bureau of Rivers", Given: "Bern"},
	}
	for s, want := range tests {
		if d := cmp.Diff(want, ParseName(s)); d != "" {
			t.Errorf("%q: %s", s, d)
		}
	}
	if got := (Name{Given: "J.R. Karl-Heinz"}).initials(" "); got != "J. R. K.-H." {
		t.Errorf("initials %q", got)
	}
}

func TestBibTeXCorners(t *testing.T) {
	const file = `Text between, with an @ sign.
@comment{ @book{no, title={No}} }
@preamble{"\newcommand{\x}{y}"}
@string{np = "Northgate " # {Press}}
@Book(one, author = "Anna {\"O}zt{\"u}rk and {Brandt and Sons} and de la Cruz, Mar{\'\i}a and King, Jr., Martin Luther and others",
  title = {The {DNA} of mills --- a \emph{short} history \& more}, publisher = np, year = 1931, month = may # "", pages = {12--19},)
@article{two, title = {Unclosed, author = {X}
@misc{three, title = "Three"}
@online{four, title={Four}, url={https://x.example/a_b\%20c}, urldate={2020-01-02}, date={1999-05/1999-06}}
@book{five, title {Five}}
@thesis{six, author={M{\"u}ller, Ren\'e}, title={Six}, school={Universit\"at K\"oln}, year=2001}`
	items, bad, err := readItems(BibTeX, []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, it := range items {
		got = append(got, it.ID)
	}
	if d := cmp.Diff([]string{"one", "three", "four", "six"}, got); d != "" {
		t.Fatal(d, bad)
	}
	if len(bad) != 2 || bad[0].Key != "two" || bad[0].Line != 7 || bad[1].Key != "five" {
		t.Errorf("bad entries %v", bad)
	}
	one := items[0]
	wantNames := []Name{{Family: "Öztürk", Given: "Anna"}, {Literal: "Brandt and Sons"}, {Particle: "de la", Family: "Cruz", Given: "María"}, {Family: "King", Given: "Martin Luther", Suffix: "Jr."}, {Literal: "others"}}
	if d := cmp.Diff(wantNames, one.Author); d != "" {
		t.Error(d)
	}
	if one.Title != "The DNA of mills — a short history & more" || one.Publisher != "Northgate Press" || one.Issued != (Date{Year: 1931, Month: 5}) || one.Page != "12-19" {
		t.Errorf("%+v", one)
	}
	if items[2].URL != "https://x.example/a_b%20c" || items[2].Issued.To == nil {
		t.Errorf("%+v", items[2])
	}
	if items[3].Author[0].Family != "Müller" || items[3].Author[0].Given != "René" || items[3].Publisher != "Universität Köln" {
		t.Errorf("%+v", items[3])
	}
}

func TestRISCorners(t *testing.T) {
	file := "\uFEFFTY  - JOUR\r\nA1  - Brandt, Anna\r\nAU  - King,Martin,Jr.\r\nAU  - Federal Reserve\r\nT1  - A title\r\n that goes on\r\nJO  - Mills\r\nY1  - 1931/5/3/spring\r\nSP  - 12\r\nEP  - 19\r\nER  - \r\n" +
		"XX\r\nTY  - BOOK\nTI  - No end\nTY  - WEB\nUR  - https://x.example/\nER  -\nAU  - Stray, S.\nTY  - BOOK\nER  - \n"
	items, bad, err := readItems(RIS, []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	if len(items) != 2 || len(bad) != 4 {
		t.Fatalf("%d items, %v", len(items), bad)
	}
	one := items[0]
	if one.Title != "A title that goes on" || len(one.Author) != 3 || one.Author[1].Suffix != "Jr." || one.Issued != (Date{Year: 1931, Month: 5, Day: 3}) || one.Page != "12-19" || one.ContainerTitle != "Mills" {
		t.Errorf("%+v", one)
	}
	if bad[0].Line != 12 || bad[1].Line != 13 {
		t.Errorf("lines %v", bad)
	}
}

func TestCSLCorners(t *testing.T) {
	items, bad, err := readItems(CSLJSON, []byte(`{"items":[{"id":7,"title":"T","volume":3,"issued":{"date-parts":[["1999","5"]]},"author":[{"family":"Berg","dropping-particle":"van","non-dropping-particle":"der"}],"x":null},
		{"id":"b"},"no",{"title":"D","issued":{"raw":"2001-02-03"}},{"title":"E","issued":{"date-parts":[[1999,13]]}},{"title":"F","issued":"1988"}]}`))
	if err != nil || len(items) != 3 || len(bad) != 3 || bad[0].Line != 2 || bad[0].Key != "b" || bad[1].Key != "3" {
		t.Fatal(items, bad, err)
	}
	for text, want := range map[string]int{"[{\"title\":\"a\"},\n\n{\"title\": ]": 3, "[{\"title\":\"a\"}\n": 2, "{\"x\": 1,\n\"items\": [{\"title\":\"a\"},\n7], \"y\": 2}": 3, "[{\"title\":\"a\"}]\n\n[]": 3} {
		if items, bad, err := readItems(CSLJSON, []byte(text)); err != nil || len(items) != 1 || len(bad) != 1 || bad[0].Line != want {
			t.Errorf("%q: %v, %v, %v, want a bad line %d", text, items, bad, err, want)
		}
	}
	for _, text := range []string{"", "7", "{", "{\"items\" 7}"} {
		if rows, err := Read(CSLJSON, []byte(text)); err == nil || rows != nil {
			t.Errorf("%q: %v, %v", text, rows, err)
		}
	}
	if items[0].ID != "7" || items[0].Volume != "3" || items[0].Issued != (Date{Year: 1999, Month: 5}) || items[0].Author[0].Particle != "van der" || items[1].Issued != (Date{Year: 2001, Month: 2, Day: 3}) || items[2].Issued != (Date{Year: 1988}) {
		t.Errorf("%+v", items)
	}
	if !bytes.Equal(WriteCSL(nil), []byte("[]\n")) {
		t.Error("an empty list")
	}
}
