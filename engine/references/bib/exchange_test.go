package bib

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

var text = rapid.SampledFrom([]string{"The mill", "Über & unter", `50 % of {x}_y^z ~ $5 \ #1`, "A “quoted” title", "水車", "naïve café", "a, b and c", "x", "It's – done"})

var person = rapid.Custom(func(t *rapid.T) Name {
	if rapid.Bool().Draw(t, "body") {
		return Name{Literal: rapid.SampledFrom([]string{"Federal Reserve", "Brandt and Sons", "山田太郎", "Sappho"}).Draw(t, "literal")}
	}
	return Name{Family: rapid.SampledFrom([]string{"Brandt", "Öztürk", "O'Neil", "Smith-Jones"}).Draw(t, "family"), Given: rapid.SampledFrom([]string{"Anna", "J. R.", "René"}).Draw(t, "given"),
		Particle: rapid.SampledFrom([]string{"", "van der", "de la"}).Draw(t, "particle"), Suffix: rapid.SampledFrom([]string{"", "Jr.", "III"}).Draw(t, "suffix")}
})

var when = rapid.Custom(func(t *rapid.T) Date {
	d := Date{Year: rapid.IntRange(1000, 2030).Draw(t, "year")}
	if rapid.Bool().Draw(t, "month") {
		d.Month = rapid.IntRange(1, 12).Draw(t, "m")
		if rapid.Bool().Draw(t, "day") {
			d.Day = rapid.IntRange(1, 28).Draw(t, "d")
		}
	}
	return d
})

func item(t *rapid.T, types []string) Item {
	opt := func(name string) string {
		if rapid.Bool().Draw(t, name) {
			return text.Draw(t, name)
		}
		return ""
	}
	it := Item{ID: "k1", Type: rapid.SampledFrom(types).Draw(t, "type"), Title: text.Draw(t, "title"), ContainerTitle: opt("container"), Collection: opt("series"), Publisher: opt("publisher"), PublisherPlace: opt("place"),
		Volume: opt("volume"), Issue: opt("issue"), Edition: opt("edition"), Genre: opt("genre"), Archive: opt("archive"), Note: opt("note"), URL: rapid.SampledFrom([]string{"", "https://x.example/a_b?c=d%20e#f"}).Draw(t, "url"),
		DOI: rapid.SampledFrom([]string{"", "10.1000/a_b"}).Draw(t, "doi"), Page: rapid.SampledFrom([]string{"", "12", "12-19"}).Draw(t, "page"), Language: rapid.SampledFrom([]string{"", "de"}).Draw(t, "language"),
		Author: rapid.SliceOfN(person, 0, 3).Draw(t, "author"), Editor: rapid.SliceOfN(person, 0, 2).Draw(t, "editor"), Issued: when.Draw(t, "issued")}
	if rapid.Bool().Draw(t, "accessed") {
		it.Accessed = Date{Year: 2020, Month: 1, Day: 2}
	}
	return it
}

func allTypes() []string {
	out := make([]string, 0, len(kinds))
	for k := range kinds {
		out = append(out, k)
	}
	slices.Sort(out)
	return append(out, "book")
}

// readItems returns the items of a file, and the rows that cannot be read.
func readItems(f FileFormat, data []byte) (items []Item, bad []Row, err error) {
	rows, err := Read(f, data)
	for _, r := range rows {
		if r.Err != nil {
			bad = append(bad, r)
		} else {
			items = append(items, r.Item)
		}
	}
	return items, bad, err
}

func TestDetect(t *testing.T) {
	for text, want := range map[string]FileFormat{"\uFEFF [{}]": CSLJSON, "{": CSLJSON, "notes\n\n@Book {a,": BibTeX, "a@b.example\nTY  - JOUR\nAB  - @x{": RIS, "TY  -": RIS, "a@b.example": "", "": "", "@@{": ""} {
		if got, ok := Detect([]byte(text)); got != want || ok != (want != "") {
			t.Errorf("%q is %q, %v, want %q", text, got, ok, want)
		}
	}
	if _, err := Read("endnote", nil); err == nil {
		t.Error("endnote is a format")
	}
}

// What a format can hold comes back from it.
func TestRoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		it := item(t, allTypes())
		csl := it
		csl.Paywall, csl.MonitorOnly = rapid.Bool().Draw(t, "paywall"), rapid.Bool().Draw(t, "monitor")
		csl.Number = "7"
		back, bad, err := readItems(CSLJSON, WriteCSL([]Item{csl}))
		same(t, "CSL-JSON", csl, back, bad, err)

		tex := it
		back, bad, err = readItems(BibTeX, WriteBibTeX([]Item{tex}))
		if tex.Type == "thesis" && tex.Genre == "" {
			tex.Genre = "Doctoral dissertation"
		}
		if tex.Type == "report" && tex.Issue != "" { // one field of BibTeX
			tex.Number, tex.Issue = tex.Issue, ""
		}
		same(t, "BibTeX", tex, back, bad, err)

		ris := it
		ris.Type = rapid.SampledFrom([]string{"article-journal", "book", "chapter", "webpage", "report", "thesis", "personal_communication", "dataset"}).Draw(t, "ris type")
		ris.Number = "7"
		back, bad, err = readItems(RIS, WriteRIS([]Item{ris}))
		same(t, "RIS", ris, back, bad, err)
	})
}

func same(t *rapid.T, format string, want Item, got []Item, bad []Row, err error) {
	if err != nil || len(bad) > 0 || len(got) != 1 {
		t.Fatalf("%s: %d items, %v, %v", format, len(got), bad, err)
	}
	if d := cmp.Diff(want, got[0], cmpopts.EquateEmpty()); d != "" {
		t.Fatalf("%s: %s", format, d)
	}
}

var seeds = []string{"@book{a, title={b}}", "@string{x={y}} @misc{k, title = x # \"z\", author={A and B, C}}", "TY  - JOUR\nAU  - A, B\nER  - \n", `[{"title":"x","issued":{"date-parts":[[1999,1,2]]}}]`, `@a(b,c={\"{u}})`, "@", "{", "\\"}

// Whatever a reader takes is written so that it is read again with the same
// title.
func FuzzReaders(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for name, write := range map[FileFormat]func([]Item) []byte{BibTeX: WriteBibTeX, RIS: WriteRIS, CSLJSON: WriteCSL} {
			items, _, err := readItems(name, data)
			if err != nil || len(items) == 0 {
				continue
			}
			again, bad, err := readItems(name, write(items))
			if err != nil || len(bad) > 0 || len(again) != len(items) {
				t.Fatalf("%s: %d items of %d, %v, %v", name, len(again), len(items), bad, err)
			}
			for i := range items {
				if strings.Join(strings.Fields(items[i].Title), " ") != strings.Join(strings.Fields(again[i].Title), " ") {
					t.Fatalf("%s: title %q became %q", name, items[i].Title, again[i].Title)
				}
			}
			for _, s := range Styles {
				if _, err := Format(items, s, HTML); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}
