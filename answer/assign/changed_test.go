package assign

import (
	"slices"
	"strings"
	"testing"

	"muniment/answer/segment"
)

// No text supports a true claim in which a number or a name becomes another one of the text, or a negation is put
// in or taken out, whether the true claim is recognised or not.
func TestLiftedChanged(t *testing.T) {
	n := 0
	for _, p := range slices.Concat(readReworded(t, "lifted.txt"), readReworded(t, "lifted2.txt"), readReworded(t, "reworded.txt"),
		readReworded(t, "written1.txt"), readReworded(t, "voice1.txt"), readReworded(t, "beside1.txt"), readReworded(t, "synonym1.txt")) {
		if !p.supported {
			continue
		}
		for _, c := range slices.Concat(mutations(p.claim), exchanged(p.claim, p.text), negated(p.claim)) {
			n++
			if ok, _ := supports(t, c, p.text); ok {
				t.Errorf("%q aligned with %q", c, p.text)
			}
		}
	}
	t.Logf("%d changed claims", n)
	if n < 3000 {
		t.Error("too few")
	}
}

// exchanged returns claims in which one number or name is another of the text that the claim does not have.
func exchanged(claim, text string) []string {
	numbers, names := []string{}, []string{}
	for i, w := range segment.Words(text) {
		switch {
		case strings.Contains(strings.ToLower(claim), w.Lower):
		case cardinal(w.Lower) != "" && w.Lower != "one":
			numbers = append(numbers, text[w.Start:w.End])
		case w.Upper && i > 0 && !segment.Function(w.Lower) && !titles[w.Lower] && monthNumber[w.Lower] == "" && !weekdays[w.Lower]:
			names = append(names, strings.TrimSuffix(strings.TrimSuffix(text[w.Start:w.End], "'s"), "’s"))
		}
	}
	var out []string
	for i, w := range segment.Words(claim) {
		var others []string
		switch {
		case cardinal(w.Lower) != "" && w.Lower != "one":
			others = numbers
		case w.Upper && i > 0 && !segment.Function(w.Lower) && !titles[w.Lower]:
			others = names
		}
		before := ""
		if i > 0 {
			before = segment.Words(claim)[i-1].Lower
		}
		for _, o := range others {
			if number(strings.ToLower(o)) != "" && value(o) == value(w.Lower) || prepositions[before] && strings.Contains(text, before+" "+o) {
				continue // the same number, or a place where it happened too
			}
			out = append(out, claim[:w.Start]+o+claim[w.End:])
		}
	}
	return out
}

// value returns the number that a word begins with.
func value(w string) string {
	n := number(strings.ToLower(w))
	return strings.TrimRight(n, "%")
}

// negated returns claims that deny what a claim says, or say what it denies.
func negated(claim string) []string {
	var out []string
	for i, w := range segment.Words(claim) {
		switch {
		case i > 0 && (finite(form{text: w.Lower, upper: w.Upper}) || ambiguousPasts[w.Lower]) && !negations[w.Lower]:
			out = append(out, claim[:w.Start]+"never "+claim[w.Start:], claim[:w.Start]+"hardly "+claim[w.Start:], claim[:w.Start]+"almost "+claim[w.Start:])
			if beForms[w.Lower] {
				out = append(out, claim[:w.End]+" not"+claim[w.End:])
			}
		case negations[w.Lower] && i > 0:
			out = append(out, claim[:w.Start]+strings.TrimPrefix(claim[w.End:], " "))
		}
	}
	return append(out, "It is false that "+claim, "No "+claim, "Perhaps "+claim)
}

func TestThesaurus(t *testing.T) {
	forms := [][2]string{{"purchased", "bought"}, {"stepped down", "resigned"}, {"put off", "postponed"}, {"fireman", "firefighter"},
		{"policemen", "policemen"}, {"police officers", "policemen"}, {"harbors", "harbours"}, {"without dissent", "unanimously"}}
	for _, f := range forms {
		if got := show(replaceSynonyms(wordsOf("these men " + f[0]))); !strings.HasSuffix(got, f[1]) {
			t.Errorf("%q: %q, want %q", f[0], got, f[1])
		}
	}
	for _, bad := range []string{"verb a\n", "verbs a b\n", "verb Buy b\n", "noun a b\nnoun c b\n", "past go went\n", "past go went gone\nverb go walk\n", "many man men men\n", "noun a  b\n", "isa a b\n"} {
		if th, err := parseThesaurus(bad); err == nil || th.rewrites != nil {
			t.Errorf("%q: %v, %v, want an error and nothing else", bad, th, err)
		}
	}
	n := 0
	for line := range strings.Lines(thesaurusText) {
		if !strings.HasPrefix(line, "#") {
			n++
		}
	}
	t.Logf("%d lines", n)
	if n < 300 {
		t.Error("too few")
	}
}

func wordsOf(s string) []form {
	var out []form
	for w := range strings.FieldsSeq(s) {
		out = append(out, form{text: w})
	}
	return out
}

func show(ws []form) string {
	var out []string
	for _, w := range ws {
		out = append(out, w.text)
	}
	return strings.Join(out, " ")
}

func FuzzThesaurus(f *testing.F) {
	f.Add("verb buy purchase\nnoun horse steed\n")
	f.Fuzz(func(t *testing.T, text string) {
		if th, err := parseThesaurus(text); err != nil && th.rewrites != nil {
			t.Error("an error and a thesaurus")
		}
	})
}
