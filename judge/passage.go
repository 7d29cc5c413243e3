package judge

import (
	"slices"
	"strings"
	"unicode/utf8"

	"muniment/canon"
	"muniment/cite"
	"muniment/text/lexicon"
	"muniment/text/segment"
)

// A Passage is words that are cited for a claim, with their surroundings, each labelled.
type Passage struct {
	Words         string
	Before, After string   // of the paragraph; may be empty
	Above         string   // headings, the introduction of the list that the paragraph is in, and what is said of several paragraphs with this one, a line each
	Below         string   // the paragraph after, as far as it may take the words back
	Later         string   // the paragraphs after, which may take the words back further down
	Earlier       string   // the paragraph before, for whom a pronoun means
	Said          string   // of the draft, before the claim: whom its pronouns mean; "" for a claim without a draft
	Date          string   // of the paper, as its record gives it; may be empty
	Title         string   // of the paper; no predicate, number or negation comes from it
	Writers       []string // names of whoever the paper's first person is
	Foreign       bool     // the writer is not whom the archive is about: he and she mean the writer only where the claim names him
	Lang          string   // BCP 47; "" is found out from the words
}

// A Paper is what a record says of the paper that holds cited words. It only resolves who, when and where.
type Paper struct {
	Title, Date, Lang string
	Creator           string   // the first that the record names
	Subject           []string // names of whom the archive is about
}

// maxAround is how many bytes of a paragraph on either side of the words are read. A longer one is a text without paragraphs.
const maxAround = 8 << 10

// At returns the words at a span of a text with their surroundings. It is how every surface gets what it has judged.
func At(doc *canon.Document, span cite.Span, of Paper) (Passage, error) {
	start, end, err := cite.Resolve(doc, span)
	if err != nil {
		return Passage{}, err
	}
	units, text := doc.Units(span.Kind), doc.Payload()
	first, last := span.From.Unit-1, span.To.Unit-1
	plain := func(from, to int) string { return string(cite.DropEmphasis(text[from:to])) }
	p := Passage{Words: plain(start, end), Date: of.Date, Title: of.Title, Lang: of.Lang, Writers: of.writers()}
	if of.Creator == "" && len(units) > 0 { // nobody has said whose first person it is: the paper may
		p.Writers = writersIn(string(text[units[0].Start:units[0].End]), string(text[units[max(0, len(units)-signingUnits)].Start:]), p.Writers)
	}
	p.Foreign = len(of.Subject) > 0 && len(p.Writers) > 0 && !SamePerson(p.Writers[0], of.Subject)
	p.Before, p.After = plain(units[first].Start, start), plain(end, units[last].End)
	if n := len(p.Before) - maxAround; n > 0 {
		p.Before = strings.ToValidUTF8(p.Before[n:], "")
	}
	if len(p.After) > maxAround {
		p.After = strings.ToValidUTF8(p.After[:maxAround], "")
	}
	var above, said []string
	open, titled := true, true // no heading, and nothing that ends a scope, is between; and no other line without a full stop
	unit := func(i int) string { return strings.TrimSpace(string(text[units[i].Start:units[i].End])) }
	inList, under := isItem(unit(first)), maxAround // under is the level of the last heading found: those of the same or a lower level end before it
	for i := first - 1; i >= max(0, first-maxAbove); i-- {
		s := unit(i)
		end := lastSentence(s[max(0, len(s)-maxEnd):])
		if open = open && !isHeading(s) && !(len(end.Words) > 0 && endsScope(&end)); open {
			said = append(said, listDisowning(s)...)
		}
		switch {
		case s == "" || inList && isItem(s) && (!strings.HasSuffix(s, ":") || len(above) > 0):
		case isHeading(s) && levelOf(s) >= under:
		case (inList || i == first-1) && strings.HasSuffix(s, ":"), inList && strings.HasSuffix(s, "?") && isOption(unit(first), s), inList && !strings.ContainsAny(s[len(s)-1:], ".!?") && len(s) <= maxLabel, isHeading(s), (i == first-1 || titled && isLine(s)) && isLabel(s):
			if isHeading(s) {
				under = levelOf(s)
			}
			above = append(above, strings.TrimSpace(strings.TrimLeft(s, "#")))
			inList = inList && isItem(s)
		default:
			inList = false
		}
		titled = titled && !isHeading(s) && !isLine(s)
	}
	for i := last + 1; i < min(len(units), last+maxAbove); i++ {
		text := unit(i)
		if isHeading(text) {
			break
		}
		if len(text) > 2*maxEnd {
			text = cut(text, maxEnd) + "\n" + strings.ToValidUTF8(text[len(text)-maxEnd:], "")
		}
		for _, r := range segment.Sentences(text, "") {
			if s := text[r.Start:r.End]; disownsParagraphs(s, lexicon.Setting.Back) {
				said = append(said, s)
			}
		}
	}
	above = append(above, said...)
	slices.Reverse(above)
	p.Above = strings.Join(above, "\n")
	if first > 0 && units[first-1].End-units[first-1].Start < maxAround {
		p.Earlier = plain(units[first-1].Start, units[first-1].End)
	}
	if last+1 < len(units) && units[last+1].End-units[last+1].Start < maxAround {
		if p.Below = unit(last + 1); isHeading(p.Below) { // it is of what comes after it
			p.Below = ""
		}
	}
	if last+1 < len(units) {
		p.Later = cut(plain(units[last+1].Start, units[min(len(units), last+maxAbove)-1].End), maxLater)
	}
	return p, nil
}

// listDisowning returns the sentences of a paragraph that say of those after it, to the next heading, that they are invented or not so.
func listDisowning(paragraph string) (out []string) {
	if opensFiction(paragraph) {
		out = append(out, cut(paragraph, maxEnd))
	}
	if strings.HasSuffix(paragraph, ":") {
		return out
	}
	if n := len(paragraph) - maxEnd; n > 0 {
		end := lastSentence(paragraph[n:])
		paragraph = end.Raw
	}
	for _, r := range segment.Sentences(paragraph, "") {
		if s := paragraph[r.Start:r.End]; disownsParagraphs(s, lexicon.Setting.Onward) {
			out = append(out, s)
		}
	}
	return out
}

// maxAbove is how many paragraphs before the words are searched for headings and the introduction of a list.
const maxAbove = 64

// maxEnd is how many bytes of a paragraph's end, or beginning, are read for what they say of other paragraphs.
const maxEnd = 400

// isItem reports whether a paragraph is an item of a list.
func isItem(s string) bool {
	trimmed := strings.TrimLeft(s, "0123456789")
	if len(trimmed) < len(s) {
		return strings.HasPrefix(trimmed, ". ") || strings.HasPrefix(trimmed, ") ")
	}
	r, n := utf8.DecodeRuneInString(s)
	return strings.ContainsRune("-*•–—", r) && strings.HasPrefix(s[n:], " ") || lettered.MatchString(s)
}

// maxLabel is how many bytes a paragraph has at most that says what the next one is.
const maxLabel = 80

// isLabel reports whether a paragraph is short enough to say only what the next one is, in its last sentence: Exercise 4. What follows
// is a fable. A case that it sets, suppose we meet on Friday, ends with it.
func isLabel(s string) bool {
	if len(s) > maxLabel || isItem(s) {
		return false
	}
	last := lastSentence(s)
	return disowns(last.Raw) && !disownsParagraphs(last.Raw, lexicon.Setting.Back) || announces(last.Raw, true) && !(setsCase(&last) && !slices.ContainsFunc(last.Words, lexicon.Setting.Points.Has))
}

// isLine reports whether a paragraph is a line without an end, as a heading is that nothing marks; a salutation is none.
func isLine(s string) bool {
	return s != "" && len(s) <= maxLabel && !isItem(s) && !strings.ContainsAny(s, "\n") && !strings.ContainsAny(s[len(s)-1:], ".,:;!?\"”")
}

// isHeading reports whether a paragraph is marked as a heading.
func isHeading(s string) bool { return strings.HasPrefix(s, "#") && !strings.Contains(s, "\n") }

// levelOf returns the level of a heading, 1 for the highest.
func levelOf(s string) int { return len(s) - len(strings.TrimLeft(s, "#")) }

// writers returns the names of whoever says I in a paper: its creator, with all names of the archive's subject where
// that is the same person; where the record names none, whoever the title says wrote it, else the archive's subject.
func (p *Paper) writers() []string {
	switch {
	case p.Creator == "":
		if name := writerInTitle(p.Title); name != "" && !SamePerson(name, p.Subject) {
			return []string{name}
		}
		return p.Subject
	case SamePerson(p.Creator, p.Subject):
		return append([]string{p.Creator}, p.Subject...)
	}
	return []string{p.Creator}
}
