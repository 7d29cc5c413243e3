package judge

import (
	"fmt"
	"strings"
	"unicode"

	"muniment/text/clause"
	"muniment/text/lexicon"
	"muniment/text/segment"
)

// scopeAround returns the reason why the matched words hold only in a sense that their surroundings give them, with the
// words of these; "" where nothing does.
func (p *place) scopeAround(m *match) (reason, words string) {
	claim := m.c
	if p.isQuoted(m) {
		return "the words are in quotation marks: somebody else says them", "“”"
	}
	if genre := genreOf(p.words.Title); genre != "" && lexicon.Fiction.In(claim.Words) == "" && lexicon.Genre.In(claim.Words) == "" {
		return fmt.Sprintf("the paper is a work of imagination or of exercises: “%s”", genre), genre
	}
	for head := range strings.Lines(p.words.Above) {
		denied := strings.HasSuffix(strings.TrimSpace(head), ":") && lexicon.Negation.In(clause.Parse(head).Words) != "" // Not adopted:
		if denied || announces(head, true) && (len(p.words.Writers) == 0 || lexicon.Fiction.In(clause.Parse(head).Words) != "" || lexicon.Falsehood.In(clause.Parse(head).Words) != "") {
			return fmt.Sprintf("what is above the words says in what sense they hold: “%s”", clip(head)), clip(head)
		}
	}
	for i := p.at - 1; i >= 0; i-- {
		s := p.text[p.sentences[i].Start:p.sentences[i].End]
		if announces(s, i == p.at-1) || i == p.at-1 && startsDream(s, p.raw()) {
			return fmt.Sprintf("a sentence before says in what sense they hold: “%s”", clip(s)), clip(s)
		}
	}
	if label := p.label(m); label != "" {
		return fmt.Sprintf("the beginning of the paragraph says in what sense they hold: “%s”", label), label
	}
	if names := (&match{c: claim, s: claim}); names.namesScope() {
		return "", "" // whose word it is the claim says too; that it is not so is nothing against that
	}
	if p.at+1 < len(p.sentences) {
		r := p.sentences[p.at+1]
		if s := p.text[r.Start:r.End]; takesBack(s, p.raw()) {
			return fmt.Sprintf("the next sentence takes it back: “%s”", clip(s)), clip(s)
		}
	} else if r := segment.Sentences(p.words.Below, language(*p.words, "")); len(r) > 0 && !(len(r) > 1 && isRunIn(p.words.Below[r[0].Start:r[0].End])) && takesBack(p.words.Below[r[0].Start:r[0].End], p.raw()) {
		s := clip(p.words.Below[r[0].Start:r[0].End])
		return fmt.Sprintf("the next paragraph takes it back: “%s”", s), s
	}
	return "", ""
}

// label returns the words before a colon at the beginning of the paragraph that announce all of it, "" where none do or they are
// of the claim: Myth: The lake is salt. The fish are blind. Who is said to tell something tells the first sentence.
func (p *place) label(m *match) string {
	from, _ := p.rangeOf(m)
	label, _, ok := strings.Cut(p.text[:from], ":")
	if label += ":"; !ok || len(label) > maxLabel {
		return ""
	}
	if s := clause.Parse(label); !announces(label, false) && (!announces(label, true) || s.HasFinite(0, len(s.Words))) {
		return ""
	}
	return clip(label)
}

// rangeOf returns where the words that a match is about begin and end in the paragraph.
func (p *place) rangeOf(m *match) (from, to int) {
	at := p.sentences[p.at].Start
	from = at + len(m.s.Raw)
	for _, i := range m.at {
		if t := &m.s.Tokens[i]; t.End > 0 { // not the subject that refer has added
			from, to = min(from, at+t.Start), max(to, at+t.End)
		}
	}
	return from, to
}

// genreOf returns the part of a title that says that the paper is a work of imagination or of exercises, "" for none: A
// Novel, Legends of the Marsh. A word within a title says nothing: The Rumour of War.
func genreOf(title string) string {
	s := clause.Parse(title)
	for _, p := range s.Parts(0, len(s.Tokens)) {
		for from := p.From; from < p.To; from++ {
			if from > p.From && !strings.Contains(s.Tokens[from].Gap, ".") {
				continue // a stop divides titles too
			}
			at, to := from, from+1
			for to < p.To && !strings.Contains(s.Tokens[to].Gap, ".") {
				to++
			}
			for at < to-1 && (lexicon.Determiner.Has(s.Words[at]) || s.Tokens[at].Number) {
				at++
			}
			if lexicon.Genre.At(s.Words[:to], at) > 0 && (at+1 == to || lexicon.Preposition.Has(s.Words[at+1])) {
				return s.Raw[s.Tokens[from].Start:s.Tokens[to-1].End]
			}
		}
	}
	return ""
}

// clip shortens a sentence for a reason, at a word.
func clip(s string) string {
	const most = 120
	s = strings.TrimSpace(s)
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:max(strings.LastIndexByte(s[:most], ' '), most/2)], "") + " …"
}

// isQuoted reports whether the matched words are inside a quotation that is not the whole paragraph: somebody else says them.
func (p *place) isQuoted(m *match) bool {
	at := p.sentences[p.at].Start
	from, to := p.rangeOf(m)
	begins, ends := 0, "" // of the quotation that is open: where, and the marks that end it
	for i, r := range p.text[:from] {
		switch {
		case ends == "":
			begins, ends = i, endOfQuotation[r]
		case strings.ContainsRune(ends, r):
			ends = ""
		}
	}
	if ends == "" {
		return false
	}
	outside := p.text[:begins]
	n := strings.IndexAny(p.text[from:], ends)
	if n >= 0 && from+n < to && begins >= at {
		return false // a title or a term
	} else if n >= 0 {
		outside += p.text[from+n:]
	}
	return strings.ContainsFunc(outside, unicode.IsLetter)
}

// endOfQuotation has the marks that end a quotation by the one that begins it, in English and German.
var endOfQuotation = map[rune]string{'“': "”", '„': "“”", '«': "»", '»': "«", '"': "\""}

// isRunIn reports whether the first sentence of a paragraph that goes on is a heading: Results. The wall was mended.
func isRunIn(sentence string) bool {
	return len(strings.Fields(sentence)) == 1 && strings.HasSuffix(sentence, ".")
}
