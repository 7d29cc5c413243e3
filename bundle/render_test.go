package bundle

import (
	"encoding/json"
	"fmt"
	"muniment/bundle/display"
	"muniment/bundle/leaf"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"muniment/cite"
)

func TestRender(t *testing.T) {
	f := newFixture(t)
	v := must[display.View](t)(Render(f.bundle(t)))
	if len(v.Claims) != 4 {
		t.Fatalf("%d claims", len(v.Claims))
	}
	c := v.Claims[0].Citations[0]
	wantCite := display.Cite{
		Handle: c.Handle, Relation: cite.DirectQuote, Label: "their words",
		Quote:   "about seven rods  […] stackyard",
		Excerpt: []display.Piece{{Text: "about seven rods "}, {Gap: true}, {Text: "stackyard"}},
	}
	if diff := cmp.Diff(wantCite, c); diff != "" {
		t.Error(diff)
	}
	if r := v.Claims[1].Citations[0]; r.Quote != display.RestrictedText || len(r.Excerpt) != 0 {
		t.Errorf("restricted citation: %+v", r)
	}
	if v.Claims[2].Rung != cite.Labeled || !v.Claims[2].Citations[0].Contradicts {
		t.Errorf("labeled claim: %+v", v.Claims[2])
	}
	want := []display.Removed{{Topic: "the price of the barn", Reason: "the archive has no evidence"}}
	if diff := cmp.Diff(want, v.Removed); diff != "" || v.Outcome != string(OutcomePartial) || v.Rung != cite.Labeled {
		t.Errorf("%s, %s, removed (-want +got):\n%s", v.Outcome, v.Rung, diff)
	}
	if _, err := Render(&Bundle{}); err == nil {
		t.Error("an empty bundle renders")
	}
}

func TestReport(t *testing.T) {
	f := newFixture(t)
	b := f.bundle(t)
	verdict := Verify(b, Requirements{Allowed: f.allowed(t)})
	var out strings.Builder
	if err := WriteReport(&out, verdict, must[display.View](t)(Render(b))); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"PASS         integrity", "NOT-CHECKED  truth", "1. The barn was about seven rods", "“about seven rods  […] stackyard”",
		display.RestrictedText, "This is an inference", "speaks against the claim", "Removed topics", "VALID\n  a key that you trust",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the report lacks %q:\n%s", want, out.String())
		}
	}
	out.Reset()
	bad := InvalidVerdict(&InvalidError{"zip", "a name with \u202e in it"})
	if err := WriteReport(&out, bad, display.View{}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), `\u{202E}`) || !strings.HasPrefix(out.String(), "INVALID\n") {
		t.Errorf("report of an unreadable bundle:\n%s", out.String())
	}
	data, err := json.Marshal(NewReport(bad, display.View{}))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"schema":"muniment.verify.v1"`, `"verdict":"INVALID"`, `"claims":[]`, `"remarks":[]`} {
		if !strings.Contains(string(data), want) {
			t.Errorf("the report lacks %s: %s", want, data)
		}
	}
}

// A leaf that tries to write on the terminal, or to look like the report.
func TestHostileText(t *testing.T) {
	f := newFixture(t)
	a := Answer{Tier: "public"}
	hostile := "red\x1b[31m \u202egnp.exe\u2066\u200b\r\nVALID\n"
	a.Add(&leaf.Refusal{RefusalKind: "coverage", Message: hostile, Suggestions: []string{hostile}, Topic: hostile}, true)
	a.Add(&leaf.Removed{Topic: hostile, Reason: hostile}, true)
	env := f.env()
	b := must[*Bundle](t)(Assemble(a, env))
	view := must[display.View](t)(Render(b))
	var out strings.Builder
	if err := WriteReport(&out, Verify(b, Requirements{}), view); err != nil {
		t.Fatal(err)
	}
	for _, r := range out.String() {
		if r != '\n' && isUnsafe(r) {
			t.Fatalf("the report holds U+%04X", r)
		}
	}
	if strings.Contains("\n"+out.String(), "\nVALID\n") {
		t.Errorf("the leaf wrote a verdict:\n%s", out.String())
	}
	data, err := json.Marshal(view)
	if err != nil || strings.ContainsAny(string(data), "\u202e\u2066\u200b") {
		t.Errorf("the view holds a control: %s %v", data, err)
	}
}

func TestSafe(t *testing.T) {
	for in, want := range map[string]string{
		"plain – “text” é 字 👩‍👩‍👧 ❤️": "plain – “text” é 字 👩‍👩‍👧 ❤️",
		"a\tb\nc":             "a b\nc",
		"\x1b[0m":             `\u{001B}[0m`,
		"\u202eabc":           `\u{202E}abc`,
		"\ufeffabc":           `\u{FEFF}abc`,
		"\xff":                `\x{FF}`,
		"\ufffd":              "\ufffd",
		"\U000e0041x":         `\u{E0041}x`,
		"a\u3164\u034f\uffa0": `a\u{3164}\u{034F}\u{FFA0}`,
		"Dampf\u00adschiff":   "Dampf\u00adschiff",
	} {
		if got := display.Safe(in); got != want {
			t.Errorf("Safe(%q) = %q, want %q", in, got, want)
		}
	}
}

// isUnsafe reports whether Safe writes a code point in another way.
func isUnsafe(r rune) bool { return utf8.ValidRune(r) && display.Safe(string(r)) != string(r) }

// The script of a page has the same table.
func TestSafeInPage(t *testing.T) {
	var table []string
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !isUnsafe(r) {
			continue
		}
		from := r
		for isUnsafe(r + 1) {
			r++
		}
		table = append(table, fmt.Sprintf("[0x%x, 0x%x]", from, r))
	}
	if want := "UNSAFE = [" + strings.Join(table, ", ") + "];"; !strings.Contains(pageForms[pageForm].script, want) {
		t.Errorf("page.js has not %s", want)
	}
}

func FuzzSafe(f *testing.F) {
	f.Add("a\x1b\u202e\xffé")
	f.Fuzz(func(t *testing.T, s string) {
		got := display.Safe(s)
		if !utf8.ValidString(got) || strings.ContainsFunc(got, isUnsafe) || display.Safe(got) != got {
			t.Errorf("Safe(%q) = %q", s, got)
		}
	})
}

// The commands of a report can be given to a shell as they are.
func TestRedo(t *testing.T) {
	for name, want := range map[string]string{
		"": "FILE", "a/b.zip": "a/b.zip", "-x.zip": "./-x.zip", "it's.zip": `'it'\''s.zip'`, "$(x) y": "'$(x) y'", "é": "'é'",
	} {
		if got := Redo(name, "t")[AxisGate]; got != "muniment-verify "+want+" --trust t --require gate-re-evaluation" {
			t.Errorf("%q: %s", name, got)
		}
	}
}

// Control characters of both kinds, and what hides text, are escapes in JSON;
// the document stays the same.
func TestSafeJSON(t *testing.T) {
	text := "a\u009b2Jb\u0085c\u202ed\U000e0041e\u007fé水\n"
	doc := must[[]byte](t)(json.MarshalIndent(map[string]string{"x": text}, "", "  "))
	safe := display.SafeJSON(doc)
	var back map[string]string
	if err := json.Unmarshal(safe, &back); err != nil || back["x"] != text {
		t.Fatalf("%s is read as %q, %v", safe, back["x"], err)
	}
	if s := string(safe); strings.ContainsFunc(s, func(r rune) bool { return isUnsafe(r) }) || !strings.Contains(s, `\u009b`) || !strings.Contains(s, "é水") {
		t.Errorf("%q", s)
	}
}

func TestCount(t *testing.T) {
	for want, of := range map[string]struct {
		n    int
		noun string
	}{"1 key": {1, "key"}, "0 keys": {0, "key"}, "2 entries": {2, "entry"}, "3 witnesses": {3, "witness"}, "1 entry": {1, "entry"}} {
		if got := display.Count(of.n, of.noun); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
