package mail

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"mime"
	"mime/quotedprintable"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"muniment/canon/read"
	"muniment/cid"
)

// A letter is what stays the same in every way of sending it.
type letter struct {
	from, to, subject, date string
	text                    string
	picture                 []byte
}

// A way is how a letter is sent.
type way struct {
	transfer  string // 8bit, quoted-printable, base64
	charset   string // of body and fields
	fields    string // raw, q, b, quoted
	fold      string // what stands for a space where a field may be folded
	lineEnd   string
	boundary  string
	nfd       bool
	trace     bool // fields written on the way
	backwards bool // fields in the other order
	wrapped   bool // in one more multipart
	attach    string
}

var charsets = map[string]encoding.Encoding{
	"utf-8": encoding.Nop, "UTF-8": encoding.Nop, "iso-8859-1": charmap.ISO8859_1, "ISO-8859-15": charmap.ISO8859_15,
	"windows-1252": charmap.Windows1252, "macintosh": charmap.Macintosh,
	"utf-16": unicode.UTF16(unicode.BigEndian, unicode.UseBOM),
}

func in(charset, s string) []byte {
	out, err := charsets[charset].NewEncoder().Bytes([]byte(s))
	if err != nil {
		panic(fmt.Sprintf("%s: %v", charset, err))
	}
	return out
}

func (w way) encode(l letter) []byte {
	if w.nfd {
		l.from, l.to, l.subject, l.text = norm.NFD.String(l.from), norm.NFD.String(l.to), norm.NFD.String(l.subject), norm.NFD.String(l.text)
	}
	fields := []string{
		"From: " + w.name(l.from) + w.fold + "<a@b.example>",
		"To:" + w.fold + w.name(l.to) + " <c@d.example>," + w.fold + "e@f.example",
		"Subject: " + w.words(l.subject),
		"Date: " + strings.ReplaceAll(l.date, " ", w.fold),
	}
	if w.trace {
		fields = append([]string{"Return-Path: <x@y.example>", "Received: from a by b;\n\tFri, 3 Mar 1911 10:00:00 +0100", "X-Spam: no"}, fields...)
		fields = append(fields, "List-Id: <l.example>", "DKIM-Signature: v=1; b="+strings.Repeat("x", 200))
	}
	if w.backwards {
		for i, j := 0, len(fields)-1; i < j; i, j = i+1, j-1 {
			fields[i], fields[j] = fields[j], fields[i]
		}
	}
	body := in(w.charset, strings.ReplaceAll(l.text, "\n", w.lineEnd))
	text := fmt.Sprintf("Content-Type: text/plain; charset=%q\nContent-Transfer-Encoding: %s\n\n", w.charset, w.transfer)
	text = breaks(text, w.lineEnd) + w.body(body)
	if l.picture != nil {
		b := w.boundary
		picture := "\n--" + b + "\nContent-Type: image/png;\n\t" + w.attach + "\nContent-Transfer-Encoding: base64\n\n" + base64.StdEncoding.EncodeToString(l.picture)
		text = breaks("Content-Type: multipart/mixed; boundary=\""+b+"\"\n\nPreamble\n--"+b+"\n", w.lineEnd) + text +
			breaks(picture+"\n--"+b+"--\n", w.lineEnd)
	}
	if w.wrapped {
		b := "outer" + w.boundary
		text = breaks("Content-Type: multipart/mixed;\n boundary="+b+"\n\n--"+b+"\n", w.lineEnd) + text + breaks("\n--"+b+"--\n", w.lineEnd)
	}
	return []byte(breaks(strings.Join(fields, "\n")+"\nMIME-Version: 1.0\n", w.lineEnd) + text)
}

func breaks(s, lineEnd string) string { return strings.ReplaceAll(s, "\n", lineEnd) }

func (w way) body(data []byte) string {
	var b bytes.Buffer
	switch w.transfer {
	case "base64":
		s := base64.StdEncoding.EncodeToString(data)
		for ; len(s) > 76; s = s[76:] {
			b.WriteString(s[:76] + w.lineEnd)
		}
		b.WriteString(s)
	case "quoted-printable":
		q := quotedprintable.NewWriter(&b)
		q.Write(data)
		q.Close()
		return breaks(strings.ReplaceAll(b.String(), "\r\n", "\n"), w.lineEnd)
	default:
		b.Write(data)
	}
	return b.String()
}

// fieldCharset is the charset of encoded words and raw bytes: UTF-16 is none
// for fields.
func (w way) fieldCharset() string {
	if w.charset == "utf-16" {
		return "utf-8"
	}
	return w.charset
}

func (w way) name(s string) string {
	if w.fields == "quoted" || w.fields == "raw" {
		return `"` + string(in(w.fieldCharset(), s)) + `"`
	}
	return w.words(s)
}

func (w way) words(s string) string {
	data := string(in(w.fieldCharset(), s))
	switch w.fields {
	case "q":
		return strings.ReplaceAll(mime.QEncoding.Encode(w.fieldCharset(), data), "= =", "="+w.fold+"=")
	case "b":
		return mime.BEncoding.Encode(w.fieldCharset(), data)
	}
	return data
}

var someLetter = letter{
	from: "Müller, André", to: "Zoë Ångström", subject: "Grüße aus Zürich – nächste Woche: ein längerer Betreff, der gewiß in mehr als ein Wort geht",
	date:    "Fri, 3 Mar 1911 10:00:00 +0100",
	text:    "Liebe Zoë,\n\n> hast du das Café gefunden?\n>> nein\n\nim Café saß André = 50 % allein.\n\nFrom there on\n  --\nÄrger\n",
	picture: []byte("\x89PNG\r\n\x1a\nnot really"),
}

// someWays sends in each way that differs in one or two things.
func someWays() map[string]way {
	base := way{transfer: "8bit", charset: "utf-8", fields: "q", fold: " ", lineEnd: "\n", boundary: "b", attach: "name=a.png"}
	ways := map[string]way{"base": base}
	vary := func(name string, change func(*way)) {
		w := base
		change(&w)
		ways[name] = w
	}
	for _, transfer := range []string{"8bit", "quoted-printable", "base64"} {
		for charset := range charsets {
			if charset == "utf-16" && transfer != "base64" {
				continue // no line of it ends as lines of mail do
			}
			for _, lineEnd := range []string{"\n", "\r\n", "\r"} {
				if charset == "utf-16" && lineEnd == "\r" {
					continue
				}
				vary(fmt.Sprintf("%s in %s with %q", charset, transfer, lineEnd), func(w *way) { w.transfer, w.charset, w.lineEnd = transfer, charset, lineEnd })
			}
		}
	}
	for _, fields := range []string{"raw", "b", "quoted"} {
		for _, charset := range []string{"utf-8", "windows-1252", "macintosh"} {
			vary("fields "+fields+" in "+charset, func(w *way) { w.fields, w.charset = fields, charset })
		}
	}
	vary("folded", func(w *way) { w.fold = "\n\t  " })
	vary("folded with CRLF", func(w *way) { w.fold, w.lineEnd = "\n ", "\r\n" })
	vary("decomposed", func(w *way) { w.nfd = true })
	vary("decomposed in raw fields", func(w *way) { w.nfd, w.fields = true, "raw" })
	vary("trace", func(w *way) { w.trace = true })
	vary("backwards", func(w *way) { w.backwards, w.trace = true, true })
	vary("boundary", func(w *way) { w.boundary = "=_'()+_,-./:=?" })
	vary("wrapped", func(w *way) { w.wrapped = true })
	vary("disposition", func(w *way) {
		w.attach = "charset=x\nContent-Disposition: attachment; filename*0*=utf-8''%61; filename*1=.png"
	})
	return ways
}

// One letter sent in many ways is one artifact with one picture.
func TestWays(t *testing.T) {
	base := readLetter(t, string(someWays()["base"].encode(someLetter)))
	want := "From: \"Müller, André\" <a@b.example>\nTo: Zoë Ångström <c@d.example>, e@f.example\nDate: " + someLetter.date + "\nSubject: " + someLetter.subject + "\n\n" + someLetter.text
	windows := func(s string) string { return strings.ReplaceAll(s, "–", "-") }
	someLetter := someLetter
	someLetter.subject = windows(someLetter.subject)
	if string(base.Payload) != want {
		t.Fatalf("payload %q, want %q", base.Payload, want)
	}
	ways := someWays()
	const least = 60
	if len(ways) < least {
		t.Errorf("%d ways, want at least %d", len(ways), least)
	}
	for name, w := range ways {
		f, err := readMail(w.encode(someLetter))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if string(f.Payload) != windows(want) {
			t.Errorf("%s: payload\n%q, want\n%q", name, f.Payload, windows(want))
		}
		if len(f.Parts) != 1 || f.Parts[0].Name != "a.png" || !bytes.Equal(f.Parts[0].Data, someLetter.picture) {
			t.Errorf("%s: parts %q", name, f.Parts)
		}
		if d := f.Facts["defects"]; d != "" {
			t.Errorf("%s: defects %s", name, d)
		}
	}
}

// Any letter is one artifact in any two ways, and another if a character is.
func TestEveryWay(t *testing.T) {
	runes := []rune("ab cdEé ñüß,;:\"\\<>@()=?_.-\n\n> \tÀ1")
	word := rapid.StringOfN(rapid.SampledFrom([]rune("abcéñüßÀ1.,-=?_")), 1, 60, -1)
	rapid.Check(t, func(t *rapid.T) {
		l := letter{
			from: "x" + word.Draw(t, "from"), to: "y" + word.Draw(t, "to"), subject: "z" + word.Draw(t, "subject"),
			date: "Fri, 3 Mar 1911 10:00:00 +0100",
			text: "x" + rapid.StringOfN(rapid.SampledFrom(runes), 0, 200, -1).Draw(t, "text") + "é",
		}
		if rapid.Bool().Draw(t, "picture") {
			l.picture = []byte("pixels")
		}
		draw := func(label string) way {
			return way{
				transfer: rapid.SampledFrom([]string{"8bit", "quoted-printable", "base64"}).Draw(t, label+" transfer"),
				charset:  rapid.SampledFrom([]string{"utf-8", "UTF-8", "windows-1252", "ISO-8859-15"}).Draw(t, label+" charset"),
				fields:   rapid.SampledFrom([]string{"q", "b"}).Draw(t, label+" fields"),
				fold:     rapid.SampledFrom([]string{" ", "\n ", "\n\t "}).Draw(t, label+" fold"),
				lineEnd:  rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, label+" line end"),
				boundary: rapid.SampledFrom([]string{"BB", "=_b.b_="}).Draw(t, label+" boundary"),
				trace:    rapid.Bool().Draw(t, label+" trace"), backwards: rapid.Bool().Draw(t, label+" backwards"),
				wrapped: rapid.Bool().Draw(t, label+" wrapped"), attach: "name=p.png",
			}
		}
		ways := [2]way{draw("one"), draw("two")}
		var got [2]read.Form
		for i, w := range ways {
			f, err := readMail(w.encode(l))
			if err != nil {
				t.Fatal(err)
			}
			got[i] = f
		}
		if a, b := cid.Of(got[0].Payload), cid.Of(got[1].Payload); a != b {
			t.Fatalf("%+v\n%q\n%+v\n%q", ways[0], got[0].Payload, ways[1], got[1].Payload)
		}
		l.text += "!"
		f, err := readMail(ways[0].encode(l))
		if err != nil || bytes.Equal(f.Payload, got[0].Payload) {
			t.Fatalf("another text, the same payload %q, %v", f.Payload, err)
		}
	})
}

// The width at which a sender broke flowed text does not matter.
func TestFlowedWidth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		paragraphs := rapid.SliceOfN(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "From", ">", ">>x", "--", "longer", "é"}), 1, 30), 1, 4).Draw(t, "paragraphs")
		depth := rapid.IntRange(0, 2).Draw(t, "depth")
		wrap := func(width int) string {
			var b strings.Builder
			for _, words := range paragraphs {
				for len(words) > 0 {
					n := min(width, len(words))
					b.WriteString(strings.Repeat(">", depth) + " " + strings.Join(words[:n], " "))
					if words = words[n:]; len(words) > 0 {
						b.WriteByte(' ')
					}
					b.WriteByte('\n')
				}
			}
			return top + "Content-Type: text/plain; format=Flowed\n\n" + b.String()
		}
		// A line of "-- " alone is a signature's mark: width 1 would make one.
		one, two := rapid.IntRange(2, 9).Draw(t, "one"), rapid.IntRange(2, 9).Draw(t, "two")
		a, err := readMail([]byte(wrap(one)))
		if err != nil {
			t.Fatal(err)
		}
		b, err := readMail([]byte(wrap(two)))
		if err != nil {
			t.Fatal(err)
		}
		mark := strings.Contains(wrap(one)+wrap(two), " -- \n") // a line is a signature's mark, in one of them
		if !mark && !bytes.Equal(a.Payload, b.Payload) {
			t.Fatalf("at %d %q\nat %d %q", one, a.Payload, two, b.Payload)
		}
	})
}
