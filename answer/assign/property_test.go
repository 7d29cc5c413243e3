package assign

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"muniment/answer/retrieve"
	"muniment/answer/segment"
	"muniment/canon"
	"muniment/cite"
)

// Of a sentence made of a name, a verb, a number, a thing and a place, the sentence itself aligns and
// none with one of them changed, two names exchanged, or a negation added or taken away does.
func TestOneChangeNeverAligns(t *testing.T) {
	names := []string{"Clara", "Peter", "Matthias", "Elsa"}
	numbers := []string{"two", "three", "12", "40", "eleven"}
	things := []string{"hens", "apple trees", "sacks of flour", "letters"}
	verbs := []string{"gave", "sold", "brought", "promised"}
	build := func(no bool, a, verb, n, thing, b string) string {
		if no {
			verb = "never " + verb
		}
		return strings.Join([]string{a, verb, n, thing, "to", b}, " ") + "."
	}
	rapid.Check(t, func(t *rapid.T) {
		pick := func(from []string, label string, not ...string) string {
			return rapid.SampledFrom(from).Filter(func(s string) bool {
				return !strings.Contains(strings.Join(not, "|"), s)
			}).Draw(t, label)
		}
		no := rapid.Bool().Draw(t, "negated")
		a := pick(names, "a")
		b := pick(names, "b", a)
		n, thing, verb := pick(numbers, "number"), pick(things, "thing"), pick(verbs, "verb")
		lead := "On Friday "
		if no {
			lead = "" // what did not happen on a Friday may have happened
		}
		text := "Nothing new here. " + lead + build(no, a, verb, n, thing, b) + " It rained."
		aligned := func(claim string) bool { return alignsWith(t, claim, text) }
		if same := build(no, a, verb, n, thing, b); !aligned(same) {
			t.Fatalf("%q does not align with %q", same, text)
		}
		c := pick(names, "c", a, b)
		for _, claim := range []string{
			build(!no, a, verb, n, thing, b), build(no, b, verb, n, thing, a), build(no, c, verb, n, thing, b),
			build(no, a, verb, n, thing, c), build(no, a, verb, pick(numbers, "other number", n), thing, b),
			build(no, a, verb, n, pick(things, "other thing", thing), b), build(no, a, pick(verbs, "other verb", verb), n, thing, b),
			build(no, "She", verb, n, thing, b), strings.Replace(build(no, a, verb, n, thing, b), " to ", " from ", 1),
			"All " + strings.Replace(build(no, a, verb, n, thing, b), ".", " in 1932.", 1),
		} {
			if aligned(claim) {
				t.Fatalf("%q aligns with %q", claim, text)
			}
		}
	})
}

func alignsWith(t *rapid.T, claim, text string) bool {
	d := canon.NewDocument([]byte(text + "\n"))
	span, err := cite.SpanAt(d, 0, len(text))
	if err != nil {
		t.Fatal(err)
	}
	p := retrieve.Passage{Artifact: "a", Date: "1931-05-03", Lang: "en", Span: span, Text: text}
	e, err := Assign(segment.Claim{Text: claim, Kind: segment.Assertion}, []retrieve.Passage{p},
		func(string) (*canon.Document, error) { return d, nil }, "Anna Brandt")
	if err != nil {
		t.Fatal(err)
	}
	return e.Aligned
}
