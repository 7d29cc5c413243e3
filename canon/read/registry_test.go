package read

import (
	"errors"
	"muniment/canon"
	"strings"
	"testing"
)

// upper is a reader of a made-up type: it tells texts in capitals.
func upper() Reader {
	return Reader{
		Name: "upper@1", MediaTypes: []string{"text/x-upper"}, Extensions: []string{".up"},
		Read: func(in Input) (Form, error) {
			if in.Name == "broken.up" {
				return Form{}, errors.New("upper@1: the capitals are broken")
			}
			text, charset, err := Decode(in.Data, in.MediaType)
			if err != nil {
				return Form{}, err
			}
			return Form{Payload: canon.Text([]byte(strings.ToUpper(string(text)))), Canonicalizer: "upper@1", Unicode: canon.UnicodeVersion, Charset: charset}, nil
		},
	}
}

func TestCanonicalize(t *testing.T) {
	png := "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01"
	cases := []struct {
		name, mediaType, data       string
		canonicalizer, typ, payload string
		reason                      string
	}{
		{"a.txt", "", "a \r\n", "text@1", "text/plain", "a\n", ""},
		{"dir/A.TXT", "", "a", "text@1", "text/plain", "a\n", ""},
		{"a.md", "", "# a", "text@1", "text/markdown", "# a\n", ""},
		{"a", "", "plain words", "text@1", "text/plain", "plain words\n", ""},
		{"a.unknown", "", "plain words", "text@1", "text/plain", "plain words\n", ""},
		{"a.txt", "application/octet-stream", "a", "text@1", "text/plain", "a\n", ""},
		{"a.bin", "Text/Plain; charset=iso-8859-1", "caf\xE9", "text@1", "text/plain", "café\n", ""},
		{"list", "", "a,b,c\nd,e,f\ng,h,i\n", "text@1", "text/plain", "a,b,c\nd,e,f\ng,h,i\n", ""},
		{"a.up", "", "ab", "upper@1", "text/x-upper", "AB\n", ""},
		{"a.txt", "text/x-upper", "ab", "upper@1", "text/x-upper", "AB\n", ""},
		{"broken.up", "", "ab", "bytes@1", "text/plain", "ab", "upper@1: the capitals are broken"},
		{"a.up", "", " \n", "bytes@1", "text/x-upper", " \n", "no visible text in text/x-upper"},
		{"a.txt", "", "\uFEFF\r\n", "bytes@1", "text/plain", "\uFEFF\r\n", "no visible text in text/plain"},
		{"a.png", "", png, "bytes@1", "image/png", png, "no text is read from image/png"},
		{"a.txt", "", png, "bytes@1", "image/png", png, "text@1: byte 8 is zero, which no text holds"},
		{"a.txt", "image/png", "words", "bytes@1", "image/png", "words", "no text is read from image/png"},
		{"a.rtf", "", "{\\rtf1 a}", "bytes@1", "text/rtf", "{\\rtf1 a}", "no text is read from text/rtf"},
		{"a.json", "", "{\"n\": 9007199254740993}", "text@1", "application/json", "{\"n\": 9007199254740993}\n", ""},
		{"a", "", "\x00\x01\x02\x03", "bytes@1", "application/octet-stream", "\x00\x01\x02\x03", "no text is read from application/octet-stream"},
	}
	r := NewRegistry(upper())
	for _, c := range cases {
		form, err := r.Canonicalize(Input{Name: c.name, MediaType: c.mediaType, Data: []byte(c.data)})
		if err != nil {
			t.Errorf("%s %s: %v", c.name, c.mediaType, err)
			continue
		}
		got := [4]string{form.Canonicalizer, form.MediaType, string(form.Payload), form.Reason}
		if want := [4]string{c.canonicalizer, c.typ, c.payload, c.reason}; got != want {
			t.Errorf("%s %s: got %q, want %q", c.name, c.mediaType, got, want)
		}
		if textual := c.canonicalizer != canon.BytesForm; textual != (form.Unicode == canon.UnicodeVersion) || textual != (form.Charset != "") {
			t.Errorf("%s %s: Unicode %q, charset %q", c.name, c.mediaType, form.Unicode, form.Charset)
		}
	}
}

func TestCanonicalizeEmpty(t *testing.T) {
	form, err := NewRegistry().Canonicalize(Input{Name: "a.txt"})
	if err == nil || form.Payload != nil {
		t.Errorf("got %q, %v, want an error", form.Payload, err)
	}
}

func TestUnassignedFact(t *testing.T) {
	form, err := NewRegistry().Canonicalize(Input{Name: "a.txt", Data: []byte("a\u0378b\u0379")})
	if err != nil || form.Facts["unassigned"] != "2" {
		t.Errorf("facts %v, %v", form.Facts, err)
	}
}

func TestTwoReadersOfOneType(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("two readers of one type did not panic")
		}
	}()
	NewRegistry(upper(), upper())
}

func TestPlain(t *testing.T) {
	r := NewRegistry(Reader{Name: "md", Extensions: []string{".md"}, MediaTypes: []string{"text/markdown"},
		Read: func(in Input) (Form, error) { return Form{}, nil }})
	for _, c := range []struct {
		in   Input
		want bool
	}{
		{Input{Name: "a/letter.TXT"}, true},
		{Input{Name: "letter.md"}, false}, // claimed by a reader
		{Input{Name: "letter.pdf"}, false},
		{Input{Name: "letter"}, false},
		{Input{Name: "letter.txt", MediaType: "application/pdf"}, false},
	} {
		if got := r.Plain(c.in); got != c.want {
			t.Errorf("%+v: %v, want %v", c.in, got, c.want)
		}
	}
}
