package forms

import (
	"encoding/json"
	"fmt"
	"html"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"muniment/canon/read"
	"muniment/cid"
)

// visible are characters of which no two look the same to Unicode: none is the
// normal form of another or joins one.
var visible = []rune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,;:!?'%()+-=/éèñüßøłžабвгדהוابتあいう漢字家가나다\u2019\u201C\u2013\u00B2½€😀🧑")

// Words of visible characters, by lines. No line is empty.
func lines(t *rapid.T) [][]string {
	word := rapid.StringOfN(rapid.SampledFrom(visible), 1, 8, -1)
	return rapid.SliceOfN(rapid.SliceOfN(word, 1, 4), 2, 5).Draw(t, "lines")
}

// change makes one change that a reader sees, and says which.
func change(t *rapid.T, in [][]string) ([][]string, string) {
	out := make([][]string, len(in))
	for i := range in {
		out[i] = slices.Clone(in[i])
	}
	i := rapid.IntRange(0, len(in)-1).Draw(t, "line")
	j := rapid.IntRange(0, len(in[i])-1).Draw(t, "word")
	word := []rune(in[i][j])
	k := rapid.IntRange(0, len(word)-1).Draw(t, "character")
	what := rapid.SampledFrom([]string{"character", "added", "removed", "digit", "words", "lines", "line added", "case"}).Draw(t, "what")
	other := rapid.SampledFrom(visible).Draw(t, "other")
	switch what {
	case "character":
		word[k] = other
	case "added":
		word = slices.Insert(word, k, other)
	case "removed":
		if word = slices.Delete(word, k, k+1); len(word) == 0 {
			word = []rune("x")
		}
	case "digit":
		word = append(word, rune('0'+rapid.IntRange(0, 9).Draw(t, "digit")))
	case "case":
		word = []rune(strings.ToUpper(string(word)))
	case "words":
		k := rapid.IntRange(0, len(in[i])-1).Draw(t, "with word")
		out[i][j], out[i][k] = out[i][k], out[i][j]
		return out, what
	case "lines":
		k := rapid.IntRange(0, len(in)-1).Draw(t, "with line")
		out[i], out[k] = out[k], out[i]
		return out, what
	case "line added":
		return slices.Insert(out, i, []string{string(other)}), what
	}
	out[i][j] = string(word)
	return out, what
}

// joined are the lines as texts.
func joined(in [][]string) []string {
	out := make([]string, len(in))
	for i, words := range in {
		out[i] = strings.Join(words, " ")
	}
	return out
}

// writers write lines in every textual form that code can write here; a PDF
// takes a program to read and is left to its package.
var writers = []struct {
	form, name, mediaType string
	write                 func(in [][]string) []byte
}{
	{"text@1", "a.txt", "", func(in [][]string) []byte { return []byte(strings.Join(joined(in), "\n")) }},
	{"html@2", "a.html", "", func(in [][]string) []byte { return []byte(htmlParagraphs(joined(in))) }},
	{"csv@1", "a.csv", "", func(in [][]string) []byte {
		var b strings.Builder
		b.WriteString("c0,c1\n")
		for _, words := range in {
			for i, w := range words {
				if i > 0 {
					b.WriteByte(',')
				}
				b.WriteString(`"` + w + `"`)
			}
			b.WriteByte('\n')
		}
		return []byte(b.String())
	}},
	{"json@1", "a.json", "", func(in [][]string) []byte {
		data, err := json.Marshal(in)
		must(err)
		return data
	}},
	{"jsonl@1", "a.jsonl", "", func(in [][]string) []byte {
		var b []byte
		for _, words := range in {
			data, err := json.Marshal(words)
			must(err)
			b = append(append(b, data...), '\n')
		}
		return b
	}},
	{"dbresult@1", "a", "application/vnd.muniment.dbresult+json", func(in [][]string) []byte {
		rows := make([][]any, len(in))
		for i, line := range joined(in) {
			rows[i] = []any{line}
		}
		return resultOf("SELECT s FROM t", true, []column{{"s", "text"}}, rows)
	}},
	{"mail@3", "a.eml", "", func(in [][]string) []byte {
		return []byte("From: a@b.example\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n" + transfer("base64", []byte(strings.Join(joined(in), "\n"))))
	}},
	{"mbox@3", "a.mbox", "", func(in [][]string) []byte {
		return []byte("From a@b.example Fri Mar  3 10:00:00 1911\nFrom: a@b.example\nContent-Type: text/plain; charset=utf-8\n\n" + strings.Join(joined(in), "\n") + "\n")
	}},
	{"docx@3", "a.docx", "", func(in [][]string) []byte { return pack(docxParagraphs(joined(in)), packing{}) }},
	{"odt@3", "a.odt", "", func(in [][]string) []byte { return pack(odtParagraphs(joined(in)), packing{}) }},
	{"epub@2", "a.epub", "", func(in [][]string) []byte {
		return pack(epubChapters(htmlParagraphs(joined(in)[:1]), htmlParagraphs(joined(in)[1:])), packing{})
	}},
	{"srt@1", "a.srt", "", func(in [][]string) []byte {
		var b strings.Builder
		for i, line := range joined(in) {
			fmt.Fprintf(&b, "%d\n00:00:%02d,000 --> 00:00:%02d,500\n- %s\n\n", i+1, i, i, line)
		}
		return []byte(b.String())
	}},
	{"vtt@1", "a.vtt", "", func(in [][]string) []byte {
		var b strings.Builder
		b.WriteString("WEBVTT\n\n")
		for i, line := range joined(in) {
			fmt.Fprintf(&b, "00:%02d.000 --> 00:%02d.500\n%s\n\n", i, i, html.EscapeString(line))
		}
		return []byte(b.String())
	}},
}

// Two texts have one ID just when they are the same: in every form, after any
// one change that a reader sees.
func TestTwoTextsHaveTwoIDs(t *testing.T) {
	changes, pairs := map[string]int{}, 0
	rapid.Check(t, func(t *rapid.T) {
		one := lines(t)
		two, what := change(t, one)
		same := slices.EqualFunc(one, two, slices.Equal[[]string])
		changes[what]++
		for _, w := range writers {
			a, b := idOf(t, w.form, w.name, w.mediaType, w.write(one)), idOf(t, w.form, w.name, w.mediaType, w.write(two))
			if pairs++; (a == b) != same {
				t.Fatalf("%s: after %s %q and %q are %s and %s", w.form, what, one, two, a, b)
			}
		}
	})
	if len(changes) < 6 { // a hundred draws may miss one
		t.Errorf("changes tried: %v, want at least six of the eight kinds", changes)
	}
	t.Logf("%d pairs in %d forms, changes %v", pairs, len(writers), changes)
}

func idOf(t *rapid.T, form, name, mediaType string, data []byte) cid.ID {
	f, err := all.Canonicalize(read.Input{Name: name, MediaType: mediaType, Data: data})
	if err != nil {
		t.Fatal(err)
	}
	if f.Canonicalizer != form {
		t.Fatalf("%q is %s (%s), want %s", data, f.Canonicalizer, f.Reason, form)
	}
	return cid.Of(f.Payload)
}

// Pairs that are easily taken for one, each in the form that might.
func TestLookalikes(t *testing.T) {
	cases := []struct{ name, mediaType, one, two string }{
		{"a.txt", "", "1.50", "1.5"}, {"a.txt", "", "10 000", "10000"}, {"a.txt", "", "do not", "donot"}, {"a.txt", "", "x\u00B2", "x2"}, {"a.txt", "", "\uFB01", "fi"},
		{"a.txt", "", "\u2019", "'"}, {"a.txt", "", "a-b", "a\u2013b"}, {"a.txt", "", "\u0430", "a"}, {"a.txt", "", "ß", "ss"}, {"a.txt", "", "a\nb", "a b"}, {"a.txt", "", "a\n\nb", "a\nb"},
		{"a.txt", "", "a\u00A0b", "a b"}, {"a.txt", "", "½", "1/2"}, {"a.txt", "", "A", "Ａ"}, {"a.txt", "", "e\u0301\u0323", "e\u0301"}, {"a.txt", "", "  a", "a"},
		{"a.json", "", "1", "1.0"}, {"a.json", "", "1e3", "1000"}, {"a.json", "", "9007199254740993", "9007199254740992"}, {"a.json", "", "-0", "0"}, {"a.json", "", `"1"`, "1"}, {"a.json", "", "[1,2]", "[2,1]"}, {"a.json", "", `"\u0000"`, `"\u0001"`}, {"a.json", "", `"\\n"`, `"\n"`},
		{"a.json", "", `{"a":null}`, `{}`}, {"a.json", "", `"a\u2028b"`, `"a\nb"`},
		{"a.csv", "", "a\n007\n", "a\n7\n"}, {"a.csv", "", "a,b\n1,\n", "a,b\n,1\n"}, {"a.csv", "", "a,b\n1 ,2\n", "a,b\n1,2\n"}, {"a.csv", "", "a,b\n\"1\n2\",3\n", "a,b\n\"1\\n2\",3\n"}, {"a.csv", "", "a,b\n1,2\n", "b,a\n2,1\n"}, {"a.csv", "", "a,b\n\"x\ty\",2\n", "a,b\nx,\"y\t2\"\n"},
		{"a.html", "", "<p>a<p>b", "<p>a b"}, {"a.html", "", "<p>a", "<p>a<img alt=b>"}, {"a.html", "", "<pre>a  b</pre>", "<pre>a b</pre>"}, {"a.html", "", "<table><tr><td>1<td>2</table>", "<table><tr><td>2<td>1</table>"}, {"a.html", "", "&lt;b&gt;", "<b>b</b>"},
		{"a.srt", "", "1\n00:00:01,000 --> 00:00:02,000\na\n", "1\n00:00:01,001 --> 00:00:02,000\na\n"}, {"a.vtt", "", "WEBVTT\n\n00:01.000 --> 00:02.000\n<v A>x", "WEBVTT\n\n00:01.000 --> 00:02.000\n<v B>x"},
		{"a.eml", "", "From: a@b.example\n\nx\n", "From: a@c.example\n\nx\n"}, {"a.eml", "", "From: a@b.example\nSubject: 1\n\nx\n", "From: a@b.example\nSubject: 2\n\nx\n"}, {"a.eml", "", "From: a@b.example\n\n> x\n", "From: a@b.example\n\nx\n"}, {"a.eml", "", "From: a@b.example\nTo: c@d.example\n\nx\n", "From: a@b.example\nCc: c@d.example\n\nx\n"},
		{"a", "application/vnd.muniment.dbresult+json", string(resultOf("q", true, []column{{"s", "text"}}, [][]any{{nil}})), string(resultOf("q", true, []column{{"s", "text"}}, [][]any{{""}}))},
		{"a", "application/vnd.muniment.dbresult+json", string(resultOf("q", true, []column{{"s", "text"}}, [][]any{{"1"}})), string(resultOf("q", true, []column{{"s", "integer"}}, [][]any{{"1"}}))},
		{"a", "application/vnd.muniment.dbresult+json", string(resultOf("q1", true, []column{{"s", "text"}}, [][]any{{"1"}})), string(resultOf("q2", true, []column{{"s", "text"}}, [][]any{{"1"}}))},
		{"a.png", "", "\x89PNG\r\n\x1a\n1", "\x89PNG\r\n\x1a\n2"},
	}
	if len(cases) < 45 {
		t.Errorf("%d pairs, want at least 45", len(cases))
	}
	for _, c := range cases {
		one, err1 := all.Canonicalize(read.Input{Name: c.name, MediaType: c.mediaType, Data: []byte(c.one)})
		two, err2 := all.Canonicalize(read.Input{Name: c.name, MediaType: c.mediaType, Data: []byte(c.two)})
		if err1 != nil || err2 != nil {
			t.Errorf("%q, %q: %v, %v", c.one, c.two, err1, err2)
			continue
		}
		if cid.Of(one.Payload) == cid.Of(two.Payload) {
			t.Errorf("%s: %q and %q are one artifact: %q", c.name, c.one, c.two, one.Payload)
		}
	}
	t.Logf("%d pairs", len(cases))
}
