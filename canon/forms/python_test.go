package forms

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"muniment/canon/formstest"
	"muniment/canon/read"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"muniment/canon"
	"muniment/testvectors"
)

// specProgram makes forms again from the page beside it, with Python's codecs
// and tables.
const specProgram = "../../docs/spec/canon.py"

// codecs are Python's names for what the WHATWG calls by others; the rest have
// one name.
var codecs = map[string]string{
	"windows-1250": "cp1250", "windows-1251": "cp1251", "windows-1252": "cp1252", "windows-1253": "cp1253", "windows-1254": "cp1254", "windows-1255": "cp1255",
	"windows-1256": "cp1256", "windows-1257": "cp1257", "windows-1258": "cp1258", "windows-874": "cp874", "iso-8859-8-i": "iso-8859-8",
	"ibm866": "cp866", "macintosh": "mac_roman", "x-mac-cyrillic": "mac_cyrillic", "shift_jis": "cp932", "euc-kr": "cp949", "gb2312": "gbk", "big5": "big5hkscs",
}

// byExtension are the forms that specProgram makes besides text@1, by the end
// of a file's name.
var byExtension = map[string]string{
	".csv": "csv@1", ".tsv": "csv@1", ".json": "json@1", ".jsonl": "jsonl@1", ".srt": "srt@1", ".vtt": "vtt@1",
}

// A question to specProgram, and what it should answer behind the label:
// form, artifact, counts and roots, or "refused".
type question struct {
	label, form, codec, name string
	data                     []byte
	want                     string
}

// asked returns the form to ask for. A form that was made is asked for, one
// that was refused as well: by the name.
func asked(made, name, mediaType string) string {
	if strings.Contains(mediaType, "dbresult") {
		return "dbresult@1"
	}
	if made == canon.BytesForm {
		return byExtension[filepath.Ext(name)]
	}
	if made == "text@1" || slices.Contains(slices.Collect(maps.Values(byExtension)), made) {
		return made
	}
	return ""
}

func codecOf(charset string) string {
	if name, ok := codecs[charset]; ok {
		return name
	}
	return charset
}

// goldenQuestions asks for the lines of golden.txt.
func goldenQuestions(t *testing.T) (out []question) {
	file, err := os.ReadFile(goldenFile)
	if err != nil {
		t.Fatal(err)
	}
	golden := map[string]string{}
	for line := range strings.Lines(string(file)) {
		label, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		golden[label] = rest
	}
	for _, one := range goldenInputs() {
		codec := "utf-8"
		if _, charset, ok := strings.Cut(one.MediaType, "charset="); ok {
			codec = charset
		} else if strings.HasPrefix(one.label, "mark-") {
			codec = "utf-16le"
		} else if i := strings.Index(one.label, "-"); strings.HasPrefix(one.label, "guess-") {
			_, codec, _ = strings.Cut(one.label[i+1:], "-")
		}
		want := golden[one.label]
		made, _, _ := strings.Cut(want, "\t")
		form := asked(made, one.Name, one.MediaType)
		if form == "" || form == "text@1" && one.Name != "a.txt" || strings.HasPrefix(one.label, "damaged-") { // the script reads no damaged text
			continue
		}
		if made == canon.BytesForm {
			want = "refused"
		}
		out = append(out, question{one.label, form, codecOf(codec), one.Name, one.Data, want})
	}
	return out
}

// vectorQuestions asks for the vectors in a folder.
func vectorQuestions(t *testing.T, folder string) (out []question) {
	for _, v := range testvectors.Read(t, "../../testvectors/"+folder) {
		form := asked(v.Get("canonicalizer"), v.Get("name"), v.Get("media_type_hint"))
		charset, rest, _ := strings.Cut(cmp.Or(v.Get("charset"), "utf-8"), " ")
		if form == "" || strings.Contains(rest, "undecodable") {
			continue
		}
		want := "refused"
		if v.Get("expect") == formstest.Text {
			want = strings.Join([]string{form, v.Get("artifact"), v.Get("p_count"), v.Get("p_root"), v.Get("l_count"), v.Get("l_root")}, "\t")
		}
		out = append(out, question{folder + "/" + v.Name, form, codecOf(charset), v.Get("name"), v.Body, want})
	}
	return out
}

// thrown are what files of a form are thrown together from: a beginning, then
// any of the pieces, between blanks and with Go's escapes, and an end.
var thrown = []struct{ name, form, head, pieces, tail string }{
	{"a.txt", "text@1", "", `a \u00e9 e \u0301 \u0323 \u0327 \n \n\n \r \r\n \u0085 \u2028 \t \x20 \ufeff \u00a0 \u200b \uac01 \u11a8 \u1100 \u1161`, ""},
	{"a.csv", "csv@1", "", `a b \u00e9 \u0301 \" \"\" , , , ; ; \t \n \n \n \r\n \\ \\011 \x20 \u2029 \ufeff`, ""},
	{"a.tsv", "csv@1", "", `a b \" , \t \t \n \n \x20 \\`, ""},
	{"a.json", "json@1", "[", `1, 1.0, -0, [], {\"b\":1,\"a\":[2]}, {\"\\u00e9\":0,\"f\":0,\"Z\":{}}, \"e\u0301\", \"x\\n\u0301\u0327y\u0301\", \"\\ud83d\\ude00\", \"\u2028\\/\\\"\", \x20 \n true, {\"a\":1,\"a\":2}, 01, ,`, "0]"},
	{"a.srt", "srt@1", "1\n00:00:01,000 --> 00:00:02,000\n", `a \n \n 7\n 00:00:03,500\x20-->\x201:02:03.004 00:61:01,000\x20-->\x2000:00:02,000 <i> </I> <b\x20x> <w> {\\an8} \u00e9 \u0301 \x20 \t \u2028 --> < > {`, ""},
	{"a.vtt", "vtt@1", "WEBVTT\n\n00:01.000 --> 00:02.000\n", `a \n \n \n\n 01:03.500\x20-->\x201:02:03.004 00:61.000\x20-->\x2000:02.000 <v\x20Ann> <v.loud\x20B&amp;b> <c.x> </c> <ruby> <rt> </rt> &lt; &amp &nbsp; &#10; &bogus; \u00e9 \u0301 \x20 NOTE STYLE --> < >`, ""},
}

// thrownFiles is how many files of each kind are thrown together.
const thrownFiles = 300

// thrownQuestions asks for files that nobody wrote.
func thrownQuestions(t *testing.T) (out []question) {
	rng := rand.New(rand.NewPCG(4, 3))
	for _, k := range thrown {
		var pieces []string
		for piece := range strings.FieldsSeq(k.pieces) {
			piece, err := strconv.Unquote(`"` + piece + `"`)
			if err != nil {
				t.Fatal(err)
			}
			pieces = append(pieces, piece)
		}
		for i := range thrownFiles {
			var b strings.Builder
			b.WriteString(k.head)
			for range 1 + rng.IntN(24) {
				b.WriteString(pieces[rng.IntN(len(pieces))])
			}
			b.WriteString(k.tail)
			in := input{fmt.Sprintf("thrown-%s-%03d", k.name, i), read.Input{Name: k.name, Data: []byte(b.String())}}
			line, _, err := in.line()
			if err != nil {
				t.Fatal(err)
			}
			_, want, _ := strings.Cut(line, "\t")
			form, _, _ := strings.Cut(want, "\t")
			if form == canon.BytesForm {
				form, want = k.form, "refused"
			}
			out = append(out, question{in.label, form, "utf-8", k.name, in.Data, want})
		}
	}
	return out
}

// What golden.txt and the vectors say of texts, tables, values, answers and
// transcripts is what an implementation of the page in another language finds.
func TestPageAgreesWithPython(t *testing.T) {
	path, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("skipped: python3 is missing: install the Debian package python3")
	}
	questions := goldenQuestions(t)
	for _, folder := range []string{"canon", "canon-json", "canon-dbresult", "canon-transcript"} {
		questions = append(questions, vectorQuestions(t, folder)...)
	}
	questions = append(questions, thrownQuestions(t)...)
	var in bytes.Buffer
	for _, q := range questions {
		fmt.Fprintf(&in, "%s\t%s\t%s\t%s\t%x\n", q.label, q.form, q.codec, q.name, q.data)
	}
	cmd := exec.Command(path, specProgram, "--lines")
	cmd.Stdin = &in
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("python3: %v\n%s", err, stderr.String())
	}
	answers := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(answers) != len(questions) {
		t.Fatalf("%d answers to %d questions", len(answers), len(questions))
	}
	unknown, refused, compared := 0, 0, map[string]int{}
	for i, q := range questions {
		label, got, _ := strings.Cut(answers[i], "\t")
		if got == "-" {
			unknown++
			continue
		}
		if q.want == "refused" {
			got, _, _ = strings.Cut(got, "\t")
			refused++
		}
		if compared[q.form]++; label != q.label || got != q.want {
			t.Errorf("Python has\n %s\nwant\n %s\t%s", answers[i], q.label, q.want)
		}
	}
	for form, least := range leastByPython {
		if compared[form] < least {
			t.Errorf("%s: %d compared, want at least %d", form, compared[form], least)
		}
	}
	t.Logf("%d compared, %v, of them %d refused; %d have what is not assigned in Python's Unicode", len(questions)-unknown, compared, refused, unknown)
}

// leastByPython is how many inputs of a form must be compared. Versions of
// Python know different code points, hence fewer than there are.
var leastByPython = map[string]int{"text@1": 650, "csv@1": 630, "json@1": 340, "jsonl@1": 9, "dbresult@1": 38, "srt@1": 315, "vtt@1": 315}
