package judge

import (
	"fmt"
	"slices"
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
	if denied := p.deniedInRow(m); denied != "" {
		return fmt.Sprintf("the table says of the words: “%s”", denied), denied
	}
	if lexicon.Fiction.In(claim.Words) == "" && lexicon.Genre.In(claim.Words) == "" {
		for head := range strings.Lines(p.words.Title + "\n" + p.words.Above) {
			if genre := genreOf(head); genre != "" {
				return fmt.Sprintf("the paper is a work of imagination or of exercises, or promises: “%s”", genre), genre
			}
		}
	}
	if line := p.introduction(m.event()); line != "" {
		return fmt.Sprintf("the words stand under “%s”", line), line
	}
	for head := range strings.Lines(p.words.Above) {
		if tellsDenial(m.s, head) {
			continue
		}
		if disowns(head) || opensFiction(head) || announces(head, true) && (len(p.words.Writers) == 0 || lexicon.Fiction.In(clause.Parse(head).Words) != "" || lexicon.Falsehood.In(clause.Parse(head).Words) != "") {
			return fmt.Sprintf("what is above the words says in what sense they hold: “%s”", clip(head)), clip(head)
		}
	}
	from, _ := p.rangeOf(m)
	for i, foretells, unreal := len(p.sentences)-1, true, true; i >= 0; i-- {
		s := p.parse(i)
		b := backward{s}
		unreal = unreal && (i > p.at || !b.leadsBack())
		if i > p.at && (disownsParagraphs(s.Raw, lexicon.Setting.Back) || b.limitsByReference(p.opens())) || i < p.at && (announces(s.Raw, i == p.at-1) || disownsParagraphs(s.Raw, lexicon.Setting.Onward) || opensFiction(s.Raw) || i == p.at-1 && b.introducesAssertion(m.s) || unreal && b.framesUnreal() || foretells && setsCondition(&s) || !m.event() && withinWork(&s)) || i <= p.at && opensReport(s.Raw[:min(len(s.Raw), max(0, from-p.sentences[i].Start))]) {
			return fmt.Sprintf("the paragraph says in what sense they hold: “%s”", clip(s.Raw)), clip(s.Raw)
		}
		foretells = foretells && (i > p.at || hasWord(s.Words, "will", "would", "shall", "could", "might", "wird", "werden", "würde", "würden", "könnte", "könnten"))
	}
	if later := p.recantation(lexicon.Report.In(claim.Words) != ""); later != "" {
		return fmt.Sprintf("a later paragraph takes it back: “%s”", clip(later)), clip(later)
	}
	if names := (&match{c: claim, s: claim}); names.namesScope() {
		return "", "" // whose word it is the claim says too; that it is not so is nothing against that
	}
	after := p.text[p.sentences[p.at].End:]
	for i, text := range []string{after, p.words.Below} {
		all := segment.Sentences(text, language(*p.words, ""))
		for k, r := range all {
			s := clause.Parse(text[r.Start:r.End])
			next := k == 0 && (i == 0 || strings.TrimSpace(after) == "" && !(len(all) > 1 && len(strings.Fields(s.Raw)) == 1 && strings.HasSuffix(s.Raw, ".")))
			if b := (&backward{s}); next && takesBack(s.Raw, p.raw()) || b.repeats(0, p.raw()) && b.ownsError(p.raw()) {
				return fmt.Sprintf("the next %s takes it back: “%s”", []string{"sentence", "paragraph"}[i], clip(s.Raw)), clip(s.Raw)
			}
		}
	}
	return "", ""
}

// opensReport reports whether a sentence has, before a colon and a sentence of its own, words that say in what sense all after them in the paragraph holds: Myth: The
// lake is salt. Simon schreibt: Der Winter war hart.
func opensReport(text string) bool {
	head, rest, ok := strings.Cut(text, ":")
	s, first := clause.Parse(head), clause.Parse(rest)
	if !ok || len(head) > maxLabel || strings.Contains(head, ",") || !first.HasFinite(0, len(first.Words)) || isPlain(head, true) {
		return false
	}
	end := s.Words[max(0, len(s.Words)-3):]
	says := (lexicon.Report.In(end) != "" || lexicon.Tells.In(end) != "") && !slices.ContainsFunc(s.Words, lexicon.FirstPerson.Has)
	return !s.HasFinite(0, len(s.Words)) || says && first.Tokens[0].Upper && first.Tokens[0].Gap == " "
}

// opens reports whether the statement is the first sentence of its paper.
func (p *place) opens() bool {
	return p.at == 0 && (p.words.Earlier == "" || isHeading(p.words.Earlier))
}

// withinWork reports whether a sentence tells what is in a work of imagination, which ends with what happened: In the play a miller loses his son.
func withinWork(s *clause.Sentence) bool {
	return len(s.Words) > 2 && (s.Words[0] == "in" || s.Words[0] == "im") && slices.ContainsFunc(s.Words[1:3], lexicon.Genre.Has)
}

// setsCondition reports whether a sentence begins with the condition of what it, and the next, say will or would be: If I am elected, the mills will open.
func setsCondition(s *clause.Sentence) bool {
	return lexicon.Condition.At(s.Words, 0) > 0 && !concedes(s.Words) || startsInverted(s) && !s.Asks()
}

// parse returns a sentence of the paragraph.
func (p *place) parse(i int) clause.Sentence {
	return clause.Parse(p.text[p.sentences[i].Start:p.sentences[i].End])
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
			if at > from && at+1 < to && hasWord(s.Words[at-1:at], "a", "an", "ein", "eine") && lexicon.Genre.At(s.Words[:to], at) == 0 {
				at++ // a bedtime story
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
	if isQuotedLine(p.text, from) {
		return true
	}
	begins, ends := openQuotation(p.text[:from])
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

// openQuotation returns where the quotation begins that is open at the end of a text, and the marks that end it, "" for none.
func openQuotation(text string) (begins int, ends string) {
	for i, r := range text {
		switch {
		case ends == "":
			begins, ends = i, endOfQuotation[r]
		case strings.ContainsRune(ends, r):
			ends = ""
		}
	}
	return begins, ends
}

// isQuotedLine reports whether a place of a text is in a line that is marked as another's, as mails and Markdown mark it.
func isQuotedLine(text string, at int) bool {
	return strings.HasPrefix(strings.TrimLeft(text[strings.LastIndexByte(text[:at], '\n')+1:], " \t"), ">")
}

// endOfQuotation has the marks that end a quotation by the one that begins it, in English and German.
var endOfQuotation = map[rune]string{'“': "”", '„': "“”", '«': "»", '»': "«", '"': "\""}
