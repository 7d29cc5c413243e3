package rtf_test

import (
	"strings"
	"testing"

	"muniment/canon/read"
	"muniment/canon/rtf"
)

// Each document gives its text; a document with a defect is kept as bytes.
func TestRead(t *testing.T) {
	registry := read.NewRegistry(rtf.Reader())
	for name, c := range map[string]struct{ in, want string }{
		"plain":      {`{\rtf1\ansi\ansicpg1252 Dear Ben,\par the harbour froze.\line On Tuesday.}`, "Dear Ben,\n\nthe harbour froze.\nOn Tuesday.\n"},
		"charsets":   {`{\rtf1\ansi\ansicpg1250{\fonttbl{\f0\fcharset0 A;}{\f1\fcharset204 B;}}caf\'e9 {\f1 \'cc\'e8\'f0} \'9aum}`, "café Мир šum\n"},
		"mac":        {`{\rtf1\mac Z\'9frich}`, "Zürich\n"},
		"shift":      {`{\rtf1\ansi{\fonttbl{\f0\fcharset128 M;}}\f0 \'93\'fa\'96\'7b}`, "日本\n"},
		"unicode":    {`{\rtf1\ansi\uc1 \u1052?\u-10179?\u-8704? x\uc0\u233 t}`, "М😀 xét\n"},
		"substitute": {`{\rtf1\ansi\uc2 \u8364\'80\'80y}`, "€y\n"},
		"table":      {`{\rtf1\trowd\intbl a\par b\cell c\cell\row\trowd\intbl 1\cell 2\cell\row\pard end}`, "a b\tc\n1\t2\n\nend\n"},
		"two-tables": {`{\rtf1 a\par\trowd\cellx1 b\cell c\cell\row\pard d\cell e\cell\row\pard\par f\par}`, "a\n\nb\tc\n\nd\te\n\n\nf\n"},
		"struck":     {`{\rtf1 kept {\strike gone on} x\striked1 y\striked0 z\par\strike one\par two\plain{\footnote \strike n} end}`, "kept ⟦struck: gone on⟧ x⟦struck: y⟧z\n\n⟦struck: one⟧\n\n⟦struck: two⟧ end\n\n⟦struck: n⟧\n"},
		"raised":     {`{\rtf1 10{\super 6} and H{\sub 2}O, x\up6 2\up0 y\dn4 3\nosupersub z}`, "10⁶ and H₂O, x²y₃z\n"},
		"left-out":   {`{\rtf1{\header top}{\*\generator G;}{\v secret}{\deleted gone}{\pict 0a0b}{\field{\*\fldinst HYPERLINK "x"}{\fldrslt link}} stays}`, "link stays\n\n⟦header⟧\ntop\n"},
		"margins":    {`{\rtf1{\headerl left}{\headerf first}{\footer\pard\plain page {\field{\*\fldinst PAGE}{\fldrslt 1}}\par}{\header \b Mill\b0\par House\par{\v no}}text{\footnote n}\sect{\header Mill\par House}{\footer\trowd\intbl a\cell b\cell\row\pard}{\headery720 on}}`, "text\n\non\n\nn\n\n⟦header⟧\nMill\n\nHouse\n\n⟦footer⟧\npage 1\n\n⟦footer⟧\na\tb\n"},
		"facing":     {`{\rtf1\facingp\titlepg{\headerl left}{\headerr right}{\headerf first {\footnote in}}{\headerr left}{\*\x{\header no}}text}`, "text\n\nin\n\n⟦header⟧\nleft\n\n⟦header⟧\nright\n\n⟦header⟧\nfirst\n"},
		"many":       {`{\rtf1 ` + strings.Repeat(`{\header a}`, 8001) + `}`, ""},
		"notes":      {`{\rtf1 A word{\footnote \pard the note} goes on.\par End.}`, "A word goes on.\n\nEnd.\n\nthe note\n"},
		"symbols":    {`{\rtf1 \{a\}\\ b\~c\_d \ldblquote q\rdblquote\emdash}`, "{a}\\ b\u00A0c‑d “q”—\n"},
		"binary":     {`{\rtf1 a{\pict\bin4 }}}}}b}`, "ab\n"},
		"unclosed":   {`{\rtf1 a {b}`, ""},
		"deep":       {`{\rtf1 ` + strings.Repeat("{", 2000) + strings.Repeat("}", 2000) + `}`, ""},
		"cut":        {`{\rtf1 a\'`, ""},
		"half":       {`{\rtf1 a\'zz}`, ""},
		"long-bin":   {`{\rtf1 a\bin99 b}`, ""},
	} {
		form, err := registry.Canonicalize(read.Input{Name: "letter.rtf", Data: []byte(c.in)})
		if err != nil {
			t.Fatal(err)
		}
		if c.want == "" {
			if form.Canonicalizer != "bytes@1" || form.Reason == "" {
				t.Errorf("%s: %s %q", name, form.Canonicalizer, form.Payload)
			}
			continue
		}
		if string(form.Payload) != c.want {
			t.Errorf("%s: %q, want %q (%s)", name, form.Payload, c.want, form.Reason)
		}
	}
}

// What the document says of itself is its source.
func TestSource(t *testing.T) {
	form, err := rtf.Reader().Read(read.Input{Data: []byte(`{\rtf1{\info{\title The mill}{\author Ada Vale}{\operator x}}text}`)})
	if err != nil || form.Source.Title != "The mill" || len(form.Source.Creators) != 1 || form.Source.Creators[0] != "Ada Vale" || string(form.Payload) != "text\n" {
		t.Errorf("%+v %q %v", form.Source, form.Payload, err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{\rtf1\ansi\uc1 \u1052? {\footnote a}\'e9\par}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		form, err := rtf.Reader().Read(read.Input{Data: data})
		if err != nil && form.Payload != nil {
			t.Error("an error with a payload")
		}
	})
}
