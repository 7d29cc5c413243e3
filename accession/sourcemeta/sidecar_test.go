package sourcemeta

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestForms(t *testing.T) {
	want := Values{Title: "To Clara, at last", Creators: []string{"Ada Vale", "Ben Vale"}, PublishedAt: "1921-03-07", Tier: 1, Tags: []string{"letters"}}
	csvs := []string{
		"path,title,creators,published_at,tier,tags\nletter-07.txt,\"To Clara, at last\",Ada Vale; Ben Vale,1921-03-07,1,letters\n",
		"\ufeffPath ; Title;creators;published_at;credibility_tier;tags\r\n\r\n./letter-07.txt;To Clara, at last;\"Ada Vale; Ben Vale\";1921-03-07;1;letters\r\n",
		"tier\ttags\tpath\ttitle\tcreators\tpublished_at\n1\tletters\tletter-07.txt\tTo Clara, at last\tAda Vale;Ben Vale\t1921-03-07",
	}
	jsons := []string{
		`[{"path":"letter-07.txt","title":"To Clara, at last","creators":["Ada Vale","Ben Vale"],"published_at":"1921-03-07","tier":1,"tags":["letters"]}]`,
		"\ufeff{\"letter-07.txt\":\n{\"title\":\"To Clara, at l\\u0061st\",\"creators\":[\"Ada Vale\",\"Ben Vale\"],\"published_at\":\"1921-03-07\",\"credibility_tier\":1,\"tags\":[\"letters\"]}}\n",
	}
	var sidecars []*Sidecar
	for _, s := range csvs {
		sidecars = append(sidecars, must(ReadCSV("s.csv", []byte(s))))
	}
	for _, s := range jsons {
		sidecars = append(sidecars, must(ReadJSON("s.json", []byte(s))))
	}
	for i, s := range sidecars {
		l, ok, err := s.For("papers/letter-07.txt")
		if err != nil || !ok || l.From != FromSidecar {
			t.Errorf("sidecar %d: %v, %v, %v", i, l, ok, err)
		}
		if diff := cmp.Diff(want, l.Values); diff != "" {
			t.Errorf("sidecar %d (-want +got):\n%s", i, diff)
		}
		if len(s.rows) != 1 || len(s.Unused()) != 0 {
			t.Errorf("sidecar %d: %d rows, unused %v", i, len(s.rows), s.Unused())
		}
	}
	if l, _, _ := sidecars[1].For("papers/letter-07.txt"); l.Where != "s.csv:3" {
		t.Errorf("where %q, want s.csv:3", l.Where)
	}
}

// Half of a surrogate pair has no text, wherever it stands.
func TestHalfPairs(t *testing.T) {
	for _, data := range []string{`{"a": {"creators": ["\ud800"]}}`, `{"\udc00": {"title": "x"}}`, `[{"path": "a", "title": "\ud800x"}]`} {
		if _, err := ReadJSON("s.json", []byte(data)); err == nil || !strings.Contains(err.Error(), "surrogate") {
			t.Errorf("%s: %v", data, err)
		}
	}
}

func TestPaths(t *testing.T) {
	s := must(ReadCSV("s.csv", []byte(strings.Join([]string{
		"path,title", "a.txt,short", "x/a.txt,long", "*.txt,any", "y/*.txt,any of y", "[bc].md,b or c", "b.md,b", "img?.jpg,one", "*1.jpg,two",
		"https://example.org/p?q=1,page", "odd[1].txt,odd", "odd[2.txt,odder", "never/here.txt,no",
	}, "\n"))))
	for _, c := range []struct{ name, want string }{
		{"x/a.txt", "long"}, {"xa.txt", "any"}, {"y/b.txt", "any of y"}, {"b.txt", "any"}, {"z/b.md", "b"}, {"c.md", "b or c"},
		{"d.md", ""}, {"https://example.org/p?q=1", "page"}, {"https://example.org/p", ""}, {"odd[1].txt", "odd"}, {"odd1.txt", "odd"}, {"odd[2.txt", "odder"},
		{"img2.jpg", "one"}, {"p/a.txt", "short"}, {"", ""},
	} {
		l, ok, err := s.For(c.name)
		if err != nil || ok != (c.want != "") || l.Values.Title != c.want {
			if c.name != "odd1.txt" || err == nil { // matched by two patterns of one part
				t.Errorf("%s: %q, %v, %v; want %q", c.name, l.Values.Title, ok, err, c.want)
			}
		}
	}
	if _, _, err := s.For("img1.jpg"); err == nil || !strings.Contains(err.Error(), "both match img1.jpg") {
		t.Errorf("error %v for two patterns", err)
	}
	if _, _, err := s.For("q/a.txt"); err == nil || !strings.Contains(err.Error(), "s.csv:2: path \"a.txt\" is both p/a.txt and q/a.txt") {
		t.Errorf("error %v for one path and two names", err)
	}
	var unused []string
	for _, e := range s.Unused() {
		unused = append(unused, fmt.Sprint(e.Line))
	}
	if got := strings.Join(unused, " "); got != "2 4 8 9 11 13" {
		t.Errorf("unused rows %s: %v", got, s.Unused())
	}
}

// With Expect the answers do not depend on the order of the questions.
func TestExpect(t *testing.T) {
	read := func() *Sidecar { return must(ReadCSV("s.csv", []byte("path,title\na.txt,A\nb.txt,B\n"))) }
	names := []string{"x/a.txt", "a.txt", "x/b.txt", "y/b.txt"}
	for _, first := range names {
		s := read()
		s.Expect(names...)
		s.For(first)
		for name, want := range map[string]string{"a.txt": "A", "x/a.txt": "", "x/b.txt": "error", "y/b.txt": "error"} {
			l, ok, err := s.For(name)
			if got := map[bool]string{true: l.Values.Title, false: ""}[ok]; err != nil && want != "error" || err == nil && got != want {
				t.Errorf("after %s, %s is %q (%v), want %q", first, name, got, err, want)
			}
		}
		if u := s.Unused(); len(u) != 1 || u[0].Line != 3 {
			t.Errorf("unused %v, want line 3", u)
		}
	}
}

func TestConcurrentQuestions(t *testing.T) {
	s := must(ReadJSON("s.json", []byte(`{"*.txt":{"creators":["Ada"]}}`)))
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			l, _, err := s.For(fmt.Sprintf("%d.txt", i))
			if err != nil {
				t.Error(err)
			}
			l.Values.Creators[0] = "changed"
		})
	}
	wg.Wait()
	if l, _, _ := s.For("x.txt"); l.Values.Creators[0] != "Ada" {
		t.Error("what For returns is shared")
	}
}

// A row with a defect is left out with its reason, and the others are read.
func TestRowsAreRefusedOneByOne(t *testing.T) {
	s, err := ReadCSV("s.csv", []byte("path,tier,language\na,5,en\nb,1,english text\n\n../c,2,\nd,0,x\ne,1,en\n"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range s.Refused() {
		got = append(got, fmt.Sprintf("%s:%d %s", e.File, e.Line, e.Field))
	}
	want := []string{"s.csv:2 tier", "s.csv:3 language", "s.csv:5 path", "s.csv:6 tier"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("refused (-want +got):\n%s", diff)
	}
	if l, ok, err := s.For("e"); !ok || err != nil || l.Values.Tier != 1 {
		t.Errorf("the sound row gives %v, %v, %v", l, ok, err)
	}
	if _, ok, _ := s.For("a"); ok {
		t.Error("a refused row describes")
	}
	if unused := s.Unused(); len(unused) != 0 {
		t.Errorf("unused %v, want only what is not refused", unused)
	}
}

// What spreadsheets write is read: another charset, semicolons, names of standards,
// columns that are no fields.
func TestSpreadsheets(t *testing.T) {
	s := must(ReadCSV("s.csv", []byte("sep=;\r\nFile Name;Reference Code;DC:Date;Regal Nr.;;\r\nbrief-1.txt;NL M\xfcller 3;1817~;\xa7 7;;\r\n;;;;;\r\n")))
	l, ok, err := s.For("box/brief-1.txt")
	want := Values{Identifier: "NL Müller 3", PublishedAt: "1817~", Other: map[string]string{"regal_nr": "§ 7"}}
	if diff := cmp.Diff(want, l.Values); diff != "" || !ok || err != nil {
		t.Errorf("%v, %v (-want +got):\n%s", ok, err, diff)
	}
	wantNotes := []string{"the file is not UTF-8 and was read as Windows-1252", `column "Regal Nr." is no field; its values are kept as the fact other_regal_nr`}
	if diff := cmp.Diff(wantNotes, s.Notes()); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
	if _, facts := Merge(l); facts["other_regal_nr"] != "§ 7" {
		t.Errorf("facts %v", facts)
	}
}

func TestSizesOfFiles(t *testing.T) {
	if _, err := ReadCSV("s.csv", make([]byte, MaxSidecar+1)); err == nil {
		t.Error("a sidecar above the limit is read")
	}
	if _, err := ReadRegistry("r.yaml", make([]byte, MaxRegistry+1)); err == nil {
		t.Error("a registry above the limit is read")
	}
	var b strings.Builder
	b.WriteString("path\n")
	for i := range maxGlobs + 1 {
		fmt.Fprintf(&b, "*%d\n", i)
	}
	_, err := ReadCSV("s.csv", []byte(b.String()))
	if list := defectsOf(t, err); list[0].Line != maxGlobs+2 {
		t.Errorf("error %v, want one about line %d", err, maxGlobs+2)
	}
}

// A file of which most rows are wrong, or that has more rows than anybody describes, is
// refused as a whole, and soon.
func TestTooManyRows(t *testing.T) {
	twice := "path,title\n" + strings.Repeat("a,b\n", maxRefused+2)
	var many, named strings.Builder
	many.WriteString("path,title\n")
	named.WriteString("{")
	for i := range maxRows + 1 {
		fmt.Fprintf(&many, "%d,b\n", i)
		fmt.Fprintf(&named, "\"%d\":{\"title\":\"b\"},", i)
	}
	named.WriteString(`"z":{"title":"b"}}`)
	for name, c := range map[string]struct {
		read       func(string, []byte) (*Sidecar, error)
		data, want string
	}{
		"rows of one path": {ReadCSV, twice, "more than 1000 rows have a defect"},
		"the same in JSON": {ReadJSON, "[" + strings.Repeat(`{"path":"a","title":"b"},`, maxRefused+2) + `{"path":"z"}]`, "more than 1000 rows have a defect"},
		"many rows":        {ReadCSV, many.String(), "the file has more than 100000 rows"},
		"many members":     {ReadJSON, named.String(), "the file has more than 100000 rows"},
		"a long first row": {ReadCSV, strings.Repeat("path,", maxHead), "the first row has"},
	} {
		if s, err := c.read("f", []byte(c.data)); s != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	if s, err := ReadCSV("f", []byte("path,title\n"+strings.Repeat("a,b\n", maxRefused))); err != nil || len(s.Refused()) != maxRefused-1 {
		t.Errorf("as many as may be: %v", err)
	}
}
