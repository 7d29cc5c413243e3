package judge

import (
	"fmt"
	"strings"

	"muniment/text/clause"
	"muniment/text/lexicon"
	"muniment/text/segment"
)

// scopeAround returns the reason why the sentence holds only in a sense that its surroundings give it, with their words; "" where nothing does.
func (p *place) scopeAround(claim *clause.Sentence) (reason, words string) {
	if p.isQuoted() {
		return "the words are in quotation marks: somebody else says them", "“”"
	}
	if genre := genreOf(p.words.Title); genre != "" && lexicon.Fiction.In(claim.Words) == "" && lexicon.Genre.In(claim.Words) == "" {
		return fmt.Sprintf("the paper is a work of imagination or of exercises: “%s”", genre), genre
	}
	for head := range strings.Lines(p.words.Above) {
		if announces(head, true) && (len(p.words.Writers) == 0 || lexicon.Fiction.In(clause.Parse(head).Words) != "" || lexicon.Falsehood.In(clause.Parse(head).Words) != "") {
			return fmt.Sprintf("what is above the words says in what sense they hold: “%s”", clip(head)), clip(head)
		}
	}
	for i := p.at - 1; i >= 0; i-- {
		s := p.text[p.sentences[i].Start:p.sentences[i].End]
		if announces(s, i == p.at-1) || i == p.at-1 && startsDream(s, p.raw()) {
			return fmt.Sprintf("a sentence before says in what sense they hold: “%s”", clip(s)), clip(s)
		}
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

// genreOf returns the part of a title that says that the paper is a work of imagination or of exercises, "" for none: A Novel, Legends of the Marsh.
// A word within a title says nothing: The Rumour of War.
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

// isQuoted reports whether the sentence begins inside a quotation that an earlier word of the paragraph opens, and that is not the whole
// paragraph.
func (p *place) isQuoted() bool {
	at := p.sentences[p.at].Start
	begins, ends := 0, "" // of the quotation that is open: where, and the marks that end it
	for i, r := range p.text[:at] {
		switch {
		case ends == "":
			begins, ends = i, endOfQuotation[r]
		case strings.ContainsRune(ends, r):
			ends = ""
		}
	}
	if r := []rune(p.raw()); len(r) > 0 && strings.ContainsRune("“„«\"", r[0]) {
		return strings.TrimSpace(p.text[:at]) != "" && introduces(p.text[:at])
	}
	return ends != "" && strings.TrimSpace(p.text[:begins]) != ""
}

// endOfQuotation has the marks that end a quotation by the one that begins it, in English and German.
var endOfQuotation = map[rune]string{'“': "”", '„': "“”", '«': "»", '»': "«", '"': "\""}

// introduces reports whether a text ends with a verb of saying and a colon or comma.
func introduces(before string) bool {
	s := strings.TrimSpace(before)
	if !strings.HasSuffix(s, ":") && !strings.HasSuffix(s, ",") {
		return false
	}
	t := clause.Parse(s[max(0, len(s)-200):])
	return lexicon.Report.In(t.Words) != ""
}

// isRunIn reports whether the first sentence of a paragraph that goes on is a heading: Results. The wall was mended.
func isRunIn(sentence string) bool {
	return len(strings.Fields(sentence)) == 1 && strings.HasSuffix(sentence, ".")
}
