package canon

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"muniment/cid/merkle"
)

func unitTexts(d *Document, kind byte) []string {
	var out []string
	for _, u := range d.Units(kind) {
		out = append(out, string(d.Payload()[u.Start:u.End]))
	}
	return out
}

func TestUnits(t *testing.T) {
	cases := []struct {
		payload           string
		paragraphs, lines []string
	}{
		{"", nil, nil},
		{"a\n", []string{"a"}, []string{"a"}},
		{"a\nb\n\nc\n\n\n\nd\n", []string{"a\nb", "c", "d"}, []string{"a", "b", "", "c", "", "", "", "d"}},
		{"a\n \nb\n", []string{"a\n \nb"}, []string{"a", " ", "b"}},
		{"a\n\f\nb\n", []string{"a\n\f\nb"}, []string{"a", "\f", "b"}},
		{"no final", []string{"no final"}, []string{"no final"}},
		{"a\n\nno final", []string{"a", "no final"}, []string{"a", "", "no final"}},
		{"a\n\n", []string{"a"}, []string{"a", ""}},
	}
	for _, c := range cases {
		d := NewDocument([]byte(c.payload))
		if diff := cmp.Diff(c.paragraphs, unitTexts(d, 'p')); diff != "" {
			t.Errorf("paragraphs of %q (-want +got):\n%s", c.payload, diff)
		}
		if diff := cmp.Diff(c.lines, unitTexts(d, 'l')); diff != "" {
			t.Errorf("lines of %q (-want +got):\n%s", c.payload, diff)
		}
	}
}

func TestUnitsOfUnknownKind(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("kind 's' did not panic")
		}
	}()
	NewDocument([]byte("a\n")).Units('s')
}

// Units, separators and final LF make up a form without gap or overlap, and
// units hold no separator.
func TestUnitsPartition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		form := Text(letters(t))
		if form == nil {
			return // nothing visible
		}
		d := NewDocument(form)
		for _, kind := range []byte{Paragraphs, Lines} {
			at := 0
			for i, u := range d.Units(kind) {
				gap := string(form[at:u.Start])
				switch {
				case u.End < u.Start || kind == Paragraphs && u.End == u.Start:
					t.Fatalf("%c%d of %q is %v", kind, i+1, form, u)
				case strings.Trim(gap, "\n") != "" || i == 0 && gap != "":
					t.Fatalf("%q lies before %c%d of %q", gap, kind, i+1, form)
				case i > 0 && kind == Paragraphs && len(gap) < 2, i > 0 && kind == Lines && len(gap) != 1:
					t.Fatalf("the separator before %c%d of %q is %q", kind, i+1, form, gap)
				}
				at = u.End
			}
			if string(form[at:]) != "\n" {
				t.Fatalf("%q lies behind the last %c of %q", form[at:], kind, form)
			}
		}
		for _, p := range unitTexts(d, Paragraphs) {
			if strings.Contains(p, "\n\n") {
				t.Fatalf("paragraph %q holds a separator", p)
			}
		}
		if got := strings.Join(unitTexts(d, Lines), "\n") + "\n"; got != string(form) {
			t.Fatalf("the lines make %q, want %q", got, form)
		}
	})
}

func TestCodePoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		payload := []byte(strings.Repeat(rapid.SampledFrom([]string{"a", "é", "天", "😀", "aé天😀\n"}).Draw(t, "unit"), rapid.IntRange(0, 1500).Draw(t, "n")))
		payload = append(payload, letters(t)...)
		d := NewDocument(payload)
		cp := 0
		for at := 0; at <= len(payload); at++ {
			if at < len(payload) && !utf8.RuneStart(payload[at]) {
				if _, err := d.CodePoint(at); err == nil {
					t.Fatalf("byte %d is inside a code point and gave no error", at)
				}
				continue
			}
			if got, err := d.CodePoint(at); err != nil || got != cp {
				t.Fatalf("CodePoint(%d) = %d, %v, want %d", at, got, err, cp)
			}
			if got, err := d.ByteOffset(cp); err != nil || got != at {
				t.Fatalf("ByteOffset(%d) = %d, %v, want %d", cp, got, err, at)
			}
			cp++
		}
		for _, bad := range []int{-1, len(payload) + 1} {
			if _, err := d.CodePoint(bad); err == nil {
				t.Fatalf("CodePoint(%d) gave no error", bad)
			}
		}
		for _, bad := range []int{-1, cp} {
			if _, err := d.ByteOffset(bad); err == nil {
				t.Fatalf("ByteOffset(%d) gave no error", bad)
			}
		}
	})
}

func TestRootsAndProofs(t *testing.T) {
	d := NewDocument([]byte("one\ntwo\n\nthree\n\nfour\n"))
	for _, kind := range []byte{Paragraphs, Lines} {
		texts := unitTexts(d, kind)
		for i, s := range texts {
			leaf := merkle.LeafHash([]byte(s))
			if err := merkle.Verify(leaf, int64(i), int64(len(texts)), d.Prove(kind, i), d.Root(kind)); err != nil {
				t.Errorf("%c%d: %v", kind, i+1, err)
			}
		}
	}
	if d.Root(Paragraphs) == d.Root(Lines) {
		t.Error("paragraphs and lines have one root")
	}
}

// Documents are read by many goroutines at once.
func TestDocumentConcurrently(t *testing.T) {
	d := NewDocument(bytes.Repeat([]byte("é\n\n"), 100))
	done := make(chan merkle.Hash)
	for range 4 {
		go func() { done <- d.Root(Paragraphs) }()
	}
	for range 4 {
		if <-done != d.Root(Paragraphs) {
			t.Error("roots differ")
		}
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{"Ma chère Zoé,\n\nle café était fermé – « à bientôt ».\n", letterFile[:200], "\uFEFF \n\uFEFFa", "a\r\r\n\u0085b\u2028", "e\u0301 \n", "\xFF \n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		before := bytes.Clone(in)
		form := Text(in)
		if !bytes.Equal(in, before) {
			t.Fatalf("the input %q was changed to %q", before, in)
		}
		checkForm(t, in, form)
		d := NewDocument(form)
		if got := strings.Join(unitTexts(d, Lines), "\n"); len(form) > 0 && got+"\n" != string(form) {
			t.Fatalf("the lines of %q make %q", form, got)
		}
	})
}

func FuzzNFC(f *testing.F) {
	for _, s := range []string{"e\u0301", "q\u0307\u0323", "\u1112\u1161\u11AB", "\u0958", "\xFF\u0301", "a\u0315\u0300\u05AE"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		out := NFC(in)
		if again := NFC(out); !bytes.Equal(again, out) {
			t.Fatalf("NFC(%+q) = %+q, and again %+q", in, out, again)
		}
		if utf8.Valid(in) != utf8.Valid(out) {
			t.Fatalf("NFC(%+q) = %+q", in, out)
		}
	})
}
