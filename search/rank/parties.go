package rank

import (
	"regexp"
	"slices"
	"strings"

	"muniment/search/catalogue"
	"muniment/search/retrieve"
	"muniment/text/lexicon"
	"muniment/text/segment"
)

// Describe adds to a passage what its paper says of itself: writer, addressee, place and date of a letter, and its lines that are no sentences. text is the
// whole paper and name that of its file.
func (p *Passage) Describe(text, name string) {
	head := catalogue.ReadHead(text, name)
	p.Addressee, p.Formal, p.Paper = head.Salutation, head.Lines, text
	p.Heading = strings.Join([]string{head.Heading, head.DateText, strings.NewReplacer("_", " ", "-", " ").Replace(name)}, "\n")
	if p.Author == "" {
		p.Author = head.Signature
	}
}

// A correspondence has the terms of a question that name the writer and the addressee of a paper.
type correspondence struct {
	writer, addressee []int
}

// correspondenceOf returns the terms of the question that name the writer or the addressee of a passage's paper.
func (q *Question) correspondenceOf(p Passage) correspondence {
	return correspondence{q.termsNaming(p.Author), q.termsNaming(p.Addressee)}
}

// termsNaming returns the terms with a capital that a name holds, and those before such a term for which the name has an initial: Pascoe Rundle is
// P. Rundle.
func (q *Question) termsNaming(name string) (out []int) {
	words := segment.Words(name)
	has := func(fits func(w segment.Word) bool) bool {
		return slices.ContainsFunc(words, func(w segment.Word) bool { return w.Upper && fits(w) })
	}
	for i, t := range q.terms {
		surname := t.next >= 0 && t.joined && has(func(w segment.Word) bool { return w.Lower == q.terms[t.next].lower })
		if t.named && (has(func(w segment.Word) bool { return w.Lower == t.lower }) ||
			surname && has(func(w segment.Word) bool { return len(w.Lower) == 1 && strings.HasPrefix(t.lower, w.Lower) })) {
			out = append(out, i)
		}
	}
	return out
}

// namesParty reports whether the question names the writer or the addressee of a passage's paper by more than a title or a kinship. A German noun of the
// question is such a name where the head or the signature has it as a person's, and in the genitive: Lenes.
func (q *Question) namesParty(p Passage) bool {
	c := q.correspondenceOf(p)
	if slices.ContainsFunc(append(c.writer, c.addressee...), func(i int) bool {
		return !lexicon.Honorific.Has(q.terms[i].lower) && !lexicon.Kin.Has(q.terms[i].lower)
	}) {
		return true
	}
	return slices.ContainsFunc(retrieve.PersonWords(p.Author+"\n"+p.Addressee), func(w string) bool {
		return slices.ContainsFunc(q.terms, func(t term) bool { return t.upper && (t.lower == w || t.lower == w+"s") })
	})
}

// refersTo returns the terms that name whom a pronoun means: I the writer, you the addressee.
func (c correspondence) refersTo(word string) []int {
	switch {
	case lexicon.FirstPerson.Has(word):
		return c.writer
	case lexicon.SecondPerson.Has(word):
		return c.addressee
	}
	return nil
}

// besideDate matches the words of a date line that are no date: (Lord's day), of 2nd (Lord's day); Bath, 3, of Bath, 3 May 1812.
var besideDate = regexp.MustCompile(`\([^()]*\)|^\p{Lu}[\pL.’'-]*(?: \p{Lu}[\pL.’'-]*)?, (?:den )?(?:\d{1,2}(?:st|nd|rd|th|\.)? )?(\p{Lu}\pL+ \d{4}\.)$`)

// formalSentences reports for each sentence of a passage whether it is a heading, a date alone, a salutation, a signature or of the lines above a mail.
func formalSentences(p Passage, sentences []segment.Range) []bool {
	out := make([]bool, len(sentences))
	for i, s := range sentences {
		text := bareLine(p.Text[s.Start:s.End])
		out[i] = strings.HasPrefix(p.Text, "From: ") && strings.Contains(p.Text, "\nDate: ") || isDateOnly(besideDate.ReplaceAllString(p.Text[s.Start:s.End], "$1")) || slices.ContainsFunc(p.Formal, func(line string) bool { return bareLine(line) != "" && strings.Contains(bareLine(line), text) })
	}
	return out
}

// Sentences returns the sentences of a passage without headings, dates alone, salutations and signatures.
func (p *Passage) Sentences() []segment.Range {
	all := sentencesOf(p.Text, p.Lang)
	formal, at := formalSentences(*p, all), -1
	return slices.DeleteFunc(all, func(segment.Range) bool { at++; return formal[at] })
}

// Body returns the byte range from the first to the last of them; an empty one where there is none.
func (p *Passage) Body() segment.Range {
	s := append(p.Sentences(), segment.Range{})
	return segment.Range{Start: s[0].Start, End: s[max(0, len(s)-2)].End}
}

func bareLine(s string) string { return strings.Trim(s, " \t\n.,;:!-–—\"'“”‘’") }
