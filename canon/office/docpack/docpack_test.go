package docpack_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/xml"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"muniment/canon/office/docpack"
	"muniment/canon/read"
)

// pack writes entries, name and content in turn.
func pack(t testing.TB, entries ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(entries); i += 2 {
		f, err := w.Create(entries[i])
		if err == nil {
			_, err = f.Write([]byte(entries[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func open(t testing.TB, entries ...string) *docpack.Pack {
	t.Helper()
	c, err := docpack.Open(pack(t, entries...))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestRead(t *testing.T) {
	c := open(t, "word/", "", "word/Document.xml", "a", "caf\u00E9.png", "b", "\xff", "c", "empty", "")
	for _, name := range []string{"word/document.xml", "WORD/Document.XML", "cafe\u0301.png"} {
		if data, err := c.Read(name, 1); err != nil || len(data) != 1 {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
	if _, err := c.Read("word", 1); !errors.Is(err, docpack.ErrAbsent) || err.Error() != "word: not in the container" {
		t.Errorf("a folder: %v", err)
	}
}

func TestRefusedNames(t *testing.T) {
	cases := []struct{ name, want string }{
		{"../a", `the name "../a" has the component "..", which no name in a container may`},
		{"a/./b", `the name "a/./b" has the component ".", which no name in a container may`},
		{"a//b", `the name "a//b" has the component "", which no name in a container may`},
		{"/a", `the name "/a" is absolute`},
		{"a\\b", `the name "a\\b" holds the character '\\', which no name in a container may`},
		{"C:a", `the name "C:a" holds the character ':', which no name in a container may`},
		{"a\x00b", `the name "a\x00b" holds the character '\x00', which no name in a container may`},
		{"a\u009Bb", `the name "a\u009bb" holds the character '\u009b', which no name in a container may`},
		{"B", `the container has two entries for one name, "b" and "B"`},
		{"e\u0301", "the container has two entries for one name, \"\u00E9\" and \"e\u0301\""},
		{strings.Repeat("n", 1025), `the name "` + strings.Repeat("n", 40) + `"… has 1025 bytes, at most 1024 are read`},
	}
	for _, c := range cases {
		_, err := docpack.Open(pack(t, "b", "x", "\u00E9", "x", c.name, "y"))
		if err == nil || err.Error() != c.want {
			t.Errorf("%q:\n got %v\nwant %s", c.name, err, c.want)
		}
	}
}

// patch sets the sizes, method or flags in both headers of the only entry.
func patch(data []byte, local, central, size int, v uint32) []byte {
	data = bytes.Clone(data)
	at := bytes.Index(data, []byte("PK\x01\x02"))
	for _, i := range []int{local, at + central} {
		if size == 2 {
			binary.LittleEndian.PutUint16(data[i:], uint16(v))
		} else {
			binary.LittleEndian.PutUint32(data[i:], v)
		}
	}
	return data
}

// stored writes one entry without a data descriptor.
func stored(t *testing.T, content string, method uint16) []byte {
	t.Helper()
	data := pack(t, "a", content)
	c, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	h := c.File[0].FileHeader
	h.Flags &^= 8
	f, err := w.CreateRaw(&h)
	if err != nil {
		t.Fatal(err)
	}
	r, err := c.File[0].OpenRaw()
	if err != nil {
		t.Fatal(err)
	}
	var raw bytes.Buffer
	if _, err := raw.ReadFrom(r); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(raw.Bytes()); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestDamagedEntries(t *testing.T) {
	plain := stored(t, strings.Repeat("text ", 100), zip.Deflate)
	checksum := patch(plain, 14, 16, 4, 1)
	cases := []struct {
		name, want string
		data       []byte
	}{
		{"checksum", "a: damaged: zip: checksum error", checksum},
		{"too small a size", "a: damaged: zip: not a valid zip file", patch(plain, 22, 24, 4, 10)},
		{"too large a size", "a: damaged: unexpected EOF", patch(plain, 22, 24, 4, 0xFFFFFF00)},
		{"encrypted", "a: encrypted", patch(plain, 6, 8, 2, 1)},
		{"method", "a: compressed by method 12, only stored and deflated entries are read", patch(plain, 8, 10, 2, 12)},
		{"limit", "a: longer than the 499 bytes that are read", plain},
	}
	for _, c := range cases {
		opened, err := docpack.Open(c.data)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		limit := int64(1000)
		if c.name == "limit" {
			limit = 499
		}
		data, err := opened.Read("a", limit)
		if data != nil || err == nil || err.Error() != c.want {
			t.Errorf("%s:\n got %v\nwant %s", c.name, err, c.want)
		}
	}
}

// A thousand entries of a megabyte each are one megabyte, zipped.
func TestExpansion(t *testing.T) {
	var entries []string
	mega := strings.Repeat("\x00", 1<<20)
	for i := range 300 {
		entries = append(entries, fmt.Sprintf("%d.png", i), mega)
	}
	data := pack(t, entries...)
	if len(data) > 1<<20 {
		t.Fatalf("%d bytes", len(data))
	}
	c, err := docpack.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"absent.png": "image/png"}
	for i := range 300 {
		want[fmt.Sprintf("%d.png", i)] = "Image/PNG; x=y"
	}
	parts, unread := c.Parts(want)
	if len(parts) != 256 || unread != 45 || parts[0].MediaType != "image/png" || parts[1].Name != "1.png" {
		t.Errorf("%d parts, %d unread", len(parts), unread)
	}
}

func TestTooManyEntries(t *testing.T) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := range docpack.MaxEntries + 1 {
		if _, err := w.CreateRaw(&zip.FileHeader{Name: fmt.Sprint(i)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := docpack.Open(b.Bytes()); err == nil || err.Error() != "the container has 20001 entries, at most 20000 are read" {
		t.Error(err)
	}
	// A directory of entries of 46 bytes, which takes a multiple in memory.
	many := bytes.Repeat(append([]byte("PK\x01\x02"), make([]byte, 42)...), 200_000)
	if _, err := docpack.Open(many); err == nil || err.Error() != "the container has 200000 marks of entries, at most 100000 are read" {
		t.Error(err)
	}
	if _, err := docpack.Open(make([]byte, docpack.MaxInput+1)); err == nil {
		t.Error("a container beyond its limit is opened")
	}
}

func all(d *docpack.Decoder) (text string, err error) {
	err = d.Each(func(e xml.StartElement, chars []byte) error {
		if chars != nil {
			return nil
		}
		s, err := d.Text(100)
		text += s
		return err
	})
	return text, err
}

func TestXML(t *testing.T) {
	deep := strings.Repeat("<a>", 300)
	cases := []struct{ name, data, want, err string }{
		{"text", "<a>b<c>d</c>&amp;<![CDATA[<e>]]><!-- f --></a>", "bd&<e>", ""},
		{"utf-16", "\xFE\xFF\x00<\x00a\x00>\x00\xE9\x00<\x00/\x00a\x00>", "é", ""},
		{"declared", "<?xml version='1.0' encoding='iso-8859-1'?><a>\xE9</a>", "é", ""},
		{"declared in vain", "<?xml version='1.0' encoding='utf-8'?><a>\xE9t\xE9</a>", "", "a: "},
		{"entities", `<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]><a>&c;</a>`, "", "a: XML syntax error on line 1: invalid character entity &c;"},
		{"depth", deep, "", "a: elements nested deeper than 256"},
		{"attributes", "<a " + strings.Repeat(`b=">"`, 5000) + "/>", "", "a: 5000 attributes in one place, at most 4096 are read"},
		{"unclosed", "<a><b>", "", "a: XML syntax error on line 1: unexpected EOF"},
		{"mismatched", "<a></b>", "", "a: XML syntax error on line 1: element <a> closed by </b>"},
		{"nothing", "", "", "a: the text is empty"},
		{"zero", "<a>\x00</a>", "", "a: byte 3 is zero, which no text holds"},
		{"control", "<a>\x01</a>" + strings.Repeat(" ", 100), "", "a: XML syntax error on line 1: illegal character code U+0001"},
	}
	for _, c := range cases {
		text := ""
		d, err := open(t, "a", c.data).XML("a")
		if err == nil {
			text, err = all(d)
		}
		switch {
		case c.err == "" && (err != nil || text != c.want):
			t.Errorf("%s: %q, %v", c.name, text, err)
		case c.err != "" && (err == nil || !strings.HasPrefix(err.Error(), c.err)):
			t.Errorf("%s:\n got %v\nwant %s", c.name, err, c.err)
		}
	}
}

// What costs a parser most stays within a bound.
func TestXMLMemory(t *testing.T) {
	var spaces strings.Builder
	for range 250 {
		spaces.WriteString("<a")
		for i := range 4000 {
			fmt.Fprintf(&spaces, ` xmlns:n%d=""`, i)
		}
		spaces.WriteString(">")
	}
	for _, data := range []string{spaces.String(), "<a>" + strings.Repeat("<b/>", 4_100_000)} {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		d, err := docpack.NewDecoder("a", []byte(data))
		if err == nil {
			_, err = all(d)
		}
		runtime.ReadMemStats(&after)
		if err == nil {
			t.Error("what never ends is read")
		}
		if mb := (after.Sys - before.Sys) >> 20; after.Sys > before.Sys && mb > 400 {
			t.Errorf("%.20q took %d MB", data, mb)
		}
	}
}

func TestResolve(t *testing.T) {
	c := open(t, "a/B c.png", "x", "a/d%20e", "x")
	cases := []struct{ base, reference, want string }{
		{"a/x", "b%20c.png", "a/B c.png"}, {"a/x", "B c.png#f", "a/B c.png"}, {"a/x", "d%20e", "a/d%20e"},
		{"a/x", "/a/b%20C.png", "a/B c.png"}, {"a/x", "../q/./r", "q/r"}, {"x", "y", "y"}, {"", "y:z/w", ""}, {"", "y/z:w", ""},
		{"a/x", "../../y", ""}, {"a/x", "http://h/y", ""}, {"a/x", "//h/y", ""}, {"a/x", "%2e%2e/%2e%2e/y", ""},
		{"a/x", "", ""}, {"a/x", "#f", ""}, {"a/x", "/", ""}, {"a/x", "..\\y", ""}, {"a/x", "%00", ""},
	}
	for _, k := range cases {
		name, ok := c.Resolve(k.base, k.reference)
		if name != k.want || ok != (k.want != "") {
			t.Errorf("Resolve(%q, %q) = %q, %v, want %q", k.base, k.reference, name, ok, k.want)
		}
	}
}

func TestStatements(t *testing.T) {
	if got := read.Line(" a\n\tb\u00A0e\u0301 "); got != "a b é" {
		t.Errorf("Line: %q", got)
	}
	if got := read.Line(strings.Repeat("x", 2000)); len(got) != read.MaxField {
		t.Errorf("Line of 2000: %d", len(got))
	}
	for in, want := range map[string]string{
		"2020-02-29": "2020-02-29", " 2020-02-29T01:02:03Z ": "2020-02-29T01:02:03Z", "2020-02-29T01:02:03.5": "2020-02-29",
		"2021-02-29": "", "2020": "", "2020-02-290": "", "": "",
	} {
		if got := read.Date(in); got != want {
			t.Errorf("Date(%q) = %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{"Image/PNG": "image/png", "": "application/octet-stream", "x": "application/octet-stream"} {
		if got := docpack.MediaType(in); got != want {
			t.Errorf("MediaType(%q) = %q, want %q", in, got, want)
		}
	}
	if diff := cmp.Diff([]string{"a"}, read.AddCreator(read.AddCreator(nil, " a "), "a")); diff != "" {
		t.Error(diff)
	}
}

func FuzzPack(f *testing.F) {
	f.Add(pack(f, "a", "<a>b</a>", "c/d", strings.Repeat("x", 100)))
	f.Add([]byte("PK\x05\x06" + strings.Repeat("\x00", 18)))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := docpack.Open(data)
		if err != nil {
			if c != nil {
				t.Fatal("an error with a container")
			}
			return
		}
		if d, err := c.XML("a"); err == nil {
			_, _ = all(d)
		}
		parts, _ := c.Parts(map[string]string{"c/d": ""})
		for _, p := range parts {
			if _, err := read.NewRegistry().Canonicalize(read.Input{Name: p.Name, Data: p.Data}); err != nil {
				t.Fatal(err)
			}
		}
	})
}
