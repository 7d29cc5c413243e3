package pdf

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"muniment/canon"
	"muniment/canon/read"
	"muniment/internal/casecount"
)

// tool returns the installed programs, or skips the test.
func tool(t *testing.T) poppler {
	t.Helper()
	p, err := installedPoppler()
	if err != nil {
		t.Skip("no pdftotext: install poppler-utils to run this test")
	}
	return p
}

func TestReport(t *testing.T) {
	p := tool(t)
	f, err := Reader().Read(read.Input{Name: "a.pdf", Data: []byte(report.file())})
	if err != nil {
		t.Fatal(err)
	}
	if want := "The flood\nOn the 15th of June the river rose.\nNobody was hurt.\n\nCafé (closed)\n"; string(f.Payload) != want {
		t.Errorf("got %q, want %q", f.Payload, want)
	}
	facts := map[string]string{"pages": "3", "page_starts": "1 - 5", "empty_pages": "1", "producer": "by hand", "created": "1911-03-03T10:20:00+01:00"}
	source := read.Meta{Title: "The flood", Creators: []string{"A. Meier"}}
	if p.pdfinfo == "" {
		delete(facts, "producer")
		delete(facts, "created")
		source = read.Meta{}
	}
	delete(f.Facts, "defects")
	if diff := cmp.Diff(facts, f.Facts); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(source, f.Source); diff != "" {
		t.Errorf("source (-want +got):\n%s", diff)
	}
	if !strings.HasPrefix(f.Extractor, "pdftotext ") || !strings.HasSuffix(f.Extractor, " (poppler)") {
		t.Errorf("extractor %q", f.Extractor)
	}
}

func TestNoText(t *testing.T) {
	p := tool(t)
	cases := []struct{ name, data, want string }{
		{"scan", scan.file(), "there is no text on 2 pages: the PDF holds pictures of text, or none"},
		{"empty", nothing.file(), "there is no text on 1 page: the PDF holds pictures of text, or none"},
		{"encrypted", locked.file(), "the PDF is encrypted and opens only with a password"},
		{"prose", "Dear Zoë,\n", "the PDF cannot be read: Syntax Warning: May not be a PDF file (continuing anyway)"},
		{"too long", string(make([]byte, MaxInput+1)), "the PDF has 134217729 bytes, at most 134217728 are read"},
	}
	for _, c := range cases {
		f, err := readPDF([]byte(c.data), p)
		if err == nil || err.Error() != c.want || f.Payload != nil {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
}

// Without the program the record says what to install.
func TestNotInstalled(t *testing.T) {
	_, err := findPrograms(func(string) (string, error) { return "", exec.ErrNotFound })
	if err == nil || !strings.Contains(err.Error(), "poppler-utils") {
		t.Errorf("%v does not name the package", err)
	}
}

// program writes a shell script in the place of pdftotext.
func program(t *testing.T, script string) poppler {
	t.Helper()
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh: programs that misbehave cannot be run")
	}
	path := filepath.Join(t.TempDir(), "pdftotext")
	if err := os.WriteFile(path, []byte("#!"+shell+"\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return poppler{pdftotext: path, shell: shell, version: "a script", time: MaxTime}
}

// A program that hangs, floods, breaks down or wants the machine's memory is
// stopped, and its PDF stays bytes.
func TestMisbehaviour(t *testing.T) {
	cases := []struct{ name, script, want string }{
		{"hangs", "while :; do sleep 1; done", "pdftotext was stopped after 300ms"},
		{"floods", "while :; do printf '%65536s'; done", "the text is longer than 33554432 bytes"},
		{"breaks down", "kill -9 $$", "pdftotext broke down (signal: killed) on this PDF: it is damaged, or takes more than 768 MB"},
		{"fails", "echo 'Error: \x1b[31mno' >&2; exit 1", "the PDF cannot be read: Error: [31mno"},
		{"says nothing", "exit 1", "the PDF cannot be read: pdftotext does not say why"},
		{"forbids", "exit 3", "the PDF forbids that its text is copied"},
		{"binary", "printf 'a\\001\\002\\003\\004\\005\\006'", "the fonts of the PDF do not say what their glyphs mean: 6 of 8 characters are controls: binary, not text"},
		{"many pages", "printf '%20000s' | tr ' ' '\\014'", "the PDF has 20000 pages, at most 10000 are read"},
	}
	for _, c := range cases {
		p := program(t, strings.Replace(c.script, "tr ", "/usr/bin/tr ", 1))
		if c.name == "hangs" {
			p.time = 300 * time.Millisecond
		}
		start := time.Now()
		f, err := readPDF(nil, p)
		if err == nil || err.Error() != c.want || f.Payload != nil {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
		if d := time.Since(start); d > 20*time.Second {
			t.Errorf("%s: took %v", c.name, d)
		}
	}
}

// The program sees nothing of the environment, and complaints beside a text
// are counted.
func TestSurroundings(t *testing.T) {
	t.Setenv("MUNIMENT_SECRET", "x")
	f, err := readPDF([]byte("text\n"), program(t, `echo one >&2; echo two >&2; read line; echo "$line${MUNIMENT_SECRET}."`))
	if err != nil || string(f.Payload) != "text.\n" || f.Facts["defects"] != "2" {
		t.Errorf("%q, %v, %v", f.Payload, f.Facts, err)
	}
}

// The shell limits memory, processor time and core files, where it can.
func TestMemory(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("not Linux: the shell may not limit memory")
	}
	out, err := program(t, "").run("/bin/sh", nil, "-c", "ulimit -v; ulimit -t; ulimit -c")
	if err != nil || string(out.stdout) != "786432\n61\n0\n" {
		t.Errorf("%q, %v", out.stdout, err)
	}
}

func TestVersion(t *testing.T) {
	look := func(script string) func(string) (string, error) {
		p := program(t, script)
		return func(name string) (string, error) {
			switch name {
			case "pdftotext":
				return p.pdftotext, nil
			case "sh":
				return p.shell, nil
			}
			return "", exec.ErrNotFound
		}
	}
	if p, err := findPrograms(look("echo 'pdftotext version 4.05 [www.xpdfreader.com]' >&2; exit 99")); err != nil || p.version != "pdftotext 4.05 (poppler)" {
		t.Errorf("%+v, %v", p, err)
	}
	if _, err := findPrograms(look("echo hello")); err == nil {
		t.Error("a program without a version was found")
	}
}

func TestPages(t *testing.T) {
	cases := []struct{ name, out, want, starts string }{
		{"one", "a\n\f", "a\n", "1"},
		{"three", "a\nb\n\f \n\f\u0301c  \n\n\n\fd\f", "a\nb\n\n\u0301c\n\nd\n", "1 - 4 6"},
		{"empty first", "\f\n\fa\f", "a\n", "- - 1"},
		{"paragraphs", "\n\na\n\n\nb\n\n\fc\n\f", "a\n\n\nb\n\nc\n", "1 6"},
		{"damage", "a\x00\xFFb\f", "a\uFFFD\uFFFDb\n", "1"},
		{"no end of page", "a", "a\n", "1"},
	}
	for _, c := range cases {
		payload, starts, err := pages([]byte(c.out))
		if err != nil || string(payload) != c.want || strings.Join(starts, " ") != c.starts {
			t.Errorf("%s: %q, %v, %v", c.name, payload, starts, err)
		}
	}
}

func TestPage(t *testing.T) {
	cases := []struct {
		starts     string
		line, page int
	}{{"1", 1, 1}, {"1", 99, 1}, {"1 - 4 6", 3, 1}, {"1 - 4 6", 4, 3}, {"1 - 4 6", 5, 3}, {"1 - 4 6", 6, 4}, {"- - 1", 1, 3}}
	for _, c := range cases {
		if page, err := Page(c.starts, c.line); err != nil || page != c.page {
			t.Errorf("line %d of %q: page %d, %v, want %d", c.line, c.starts, page, err, c.page)
		}
	}
	for _, starts := range []string{"", "- -", "2 1", "1 1", "a", "01", "1  2", "-1"} {
		if page, err := Page(starts, 5); err == nil {
			t.Errorf("%q: page %d", starts, page)
		}
	}
	if _, err := Page("1", 0); err == nil {
		t.Error("line 0 has a page")
	}
}

func TestDate(t *testing.T) {
	cases := []struct{ in, want string }{
		{"D:19110303102000+01'00'", "1911-03-03T10:20:00+01:00"}, {"D:20110303102000-05'30", "2011-03-03T10:20:00-05:30"},
		{"D:20110303102000Z", "2011-03-03T10:20:00Z"}, {"D:20110303102000Z00'00'", "2011-03-03T10:20:00Z"}, {"D:20110303102000+01", "2011-03-03T10:20:00+01:00"},
		{"D:20110303102000", "2011-03-03"}, {"D:20110303", "2011-03-03"}, {"D:20110303992000Z", "2011-03-03"}, {"D:20110230", ""}, {"D:2011", ""}, {"3 March 2011", ""}, {"", ""},
	}
	for _, c := range cases {
		if got := parsePDFDate(c.in); got != c.want {
			t.Errorf("%s: %q, want %q", c.in, got, c.want)
		}
	}
}

// Truncated and damaged PDFs give a text or a reason.
func TestDamaged(t *testing.T) {
	p := tool(t)
	p.pdfinfo = ""
	n := casecount.Of(100, 1000)
	whole := []byte(report.file())
	rng := rand.New(rand.NewPCG(1, 2))
	read1, refused := 0, 0
	for i := range n {
		data := bytes.Clone(whole)
		for range 1 + rng.IntN(6) {
			data[rng.IntN(len(data))] ^= 1 << rng.IntN(8)
		}
		if i%2 == 0 {
			data = data[:rng.IntN(len(data))]
		}
		f, err := readPDF(data, p)
		switch {
		case err != nil && (f.Payload != nil || strings.ContainsFunc(err.Error(), func(r rune) bool { return r < ' ' })):
			t.Fatalf("%q with %q", err, f.Payload)
		case err != nil:
			refused++
		case !bytes.Equal(canon.Text(f.Payload), f.Payload) || f.Facts["page_starts"] == "":
			t.Fatalf("%q, %v", f.Payload, f.Facts)
		default:
			read1++
		}
	}
	if read1 == 0 || refused == 0 {
		t.Errorf("%d read and %d refused: the damage is not varied", read1, refused)
	}
}

func TestRegistry(t *testing.T) {
	r := read.NewRegistry(Reader())
	_, missing := installedPoppler()
	for _, in := range []read.Input{{Name: "a.PDF", Data: []byte(oneWord.file())}, {Name: "a", Data: []byte(oneWord.file())}} {
		f, err := r.Canonicalize(in)
		if err != nil {
			t.Fatal(err)
		}
		if missing != nil {
			if f.Canonicalizer != canon.BytesForm || !strings.Contains(f.Reason, "poppler-utils") {
				t.Errorf("%s: %s, %s", in.Name, f.Canonicalizer, f.Reason)
			}
			continue
		}
		if f.Canonicalizer != Name || f.MediaType != "application/pdf" || string(f.Payload) != "word\n" {
			t.Errorf("%s: %s of %s, %q, %s", in.Name, f.Canonicalizer, f.MediaType, f.Payload, f.Reason)
		}
	}
}

// The part that is ours: whatever a program writes becomes a text whose pages
// begin where the list says.
func FuzzPages(f *testing.F) {
	for _, s := range []string{"a\n\fb\f", "\f\f", "\uFEFFa\f\u0301b \n\n\f", "a\x00\xFF\r\f\u2028\f"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, out []byte) {
		payload, starts, err := pages(out)
		if err != nil {
			if payload != nil || starts != nil {
				t.Fatalf("an error with a text: %q", payload)
			}
			return
		}
		if !bytes.Equal(canon.Text(payload), payload) {
			t.Fatalf("%q is not in the form of the text step", payload)
		}
		list, lines := strings.Join(starts, " "), bytes.Split(payload, []byte{'\n'})
		for i, start := range starts {
			at := slices.Index(starts[i:], start)
			if start == noText {
				continue
			}
			for line := 1; line < len(lines); line++ {
				page, err := Page(list, line)
				if err != nil || at != 0 {
					t.Fatalf("line %d of %s: %v", line, list, err)
				}
				if page == i+1 {
					if len(lines[line-1]) == 0 || line > 1 && len(lines[line-2]) != 0 {
						t.Fatalf("page %d begins with %q behind %q", page, lines[line-1], lines[max(line-2, 0)])
					}
					break
				}
			}
		}
	})
}

func BenchmarkPDF(b *testing.B) {
	p, err := installedPoppler()
	if err != nil {
		b.Skip("no pdftotext: install poppler-utils to run this benchmark")
	}
	d := document{}
	for range 200 {
		d.pages = append(d.pages, slices.Repeat([]string{"So I made myself ready presently, and walked to the Tower, and there got up upon one of the high places."}, 40))
	}
	data := []byte(d.file())
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := readPDF(data, p); err != nil {
			b.Fatal(err)
		}
	}
}
