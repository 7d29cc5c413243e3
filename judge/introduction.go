package judge

import (
	"regexp"
	"slices"
	"strings"

	"muniment/text/clause"
	"muniment/text/lexicon"
	"muniment/text/segment"
)

// introduction returns the line that introduces the words, above their list or in their paragraph, where its form does not say that what follows is so; "" for a plain one or none.
func (p *place) introduction(event bool) string {
	above, last := strings.TrimSpace(p.words.Above), ""
	if last = above[strings.LastIndexByte(above, '\n')+1:]; !isItem(strings.TrimSpace(p.words.Before+p.words.Words)) && !strings.HasSuffix(last, ":") {
		last = ""
	}
	for i := range p.at {
		if s := strings.TrimSpace(p.text[p.sentences[i].Start:p.sentences[i].End]); strings.HasSuffix(s, ":") {
			last = s
		}
	}
	if last == "" || !strings.HasSuffix(last, "?") && isPlain(last, event || !strings.HasSuffix(last, ":")) {
		return ""
	}
	return clip(last)
}

// notSo are the lists of which a word in an introduction keeps it from being plain.
var notSo = slices.Concat(scopes, turns, []lexicon.List{lexicon.Negation, lexicon.ImplicitNegation, lexicon.Refusal, lexicon.Genre, lexicon.Dream, lexicon.Invention, lexicon.Announcement,
	lexicon.Contention, lexicon.Standpoint, lexicon.InView, lexicon.Uncertain, lexicon.Exception, lexicon.Only})

// isPlain reports whether an introduction says by its form that what follows is so: it names the items by a word of lexicon.Record or has a verb of
// finding or deciding (Facts; The board decided), or the writer tells it of himself. A noun phrase with another noun does so only where topics is true: under a heading, or of one event.
// A participle, an infinitive or a preposition at its beginning, or any word of doubt, saying or denial, does not: Overheard at the fair; Abgelehnt wurden; From the pupils' blunders.
func isPlain(text string, topics bool) bool {
	s := clause.Parse(strings.TrimSuffix(text, ":"))
	if len(s.Words) == 0 {
		return true
	}
	if end := lastSentence(strings.TrimSuffix(text, ":")).Words; lexicon.Report.In(s.Words) == "" && len(end) > 0 && (lexicon.TakenBack.Correction.At(end, 0) == len(end) || strings.Join(end, " ") == "they should read") {
		return true // two lines are wrong, they should read
	}
	first, plain := s.Words[0], false
	for i, w := range s.Words {
		switch {
		case hasWord(s.Words[i:i+1], "has", "had", "hat", "hatte") && i+1 < len(s.Words) && (s.Tokens[i+1].Number || lexicon.Determiner.Has(s.Words[i+1])), lexicon.Record.At(s.Words, i) > 0, lexicon.Vouching.Has(w), s.Tokens[i].Upper && endsIn(w, lexicon.Record):
			plain = true
		case s.Tokens[i].Number || s.Tokens[i].Date || lexicon.Month.Has(w):
		case slices.ContainsFunc(notSo, func(l lexicon.List) bool {
			return l.At(s.Words, i) > 0 || l.Has(segment.Stem(w)) || l.Has(strings.TrimRight(w, "ens")) || s.Tokens[i].Upper && endsIn(w, l)
		}):
			return false
		}
	}
	switch {
	case hasWord(s.Words, "against", "gegen"), plain && !slices.ContainsFunc(s.Words, lexicon.Vouching.Has) && slices.ContainsFunc(s.Words[1:], describes):
		return false // Facts that he made up; Results faked
	case hasWord(s.Words, "to", "zu") || lexicon.Preposition.Has(first) && !(topics && lexicon.TimePrep.Has(first) && slices.ContainsFunc(s.Tokens, func(t clause.Token) bool {
		return t.Number || t.Date || lexicon.TimeNoun.Has(t.Text) || lexicon.Weekday.Has(t.Text) || lexicon.Month.Has(t.Text)
	})):
		return false
	case plain: // a preposition other than of says of whom, where or when: Results in mice
		return topics || s.HasFinite(0, len(s.Words)) || !slices.ContainsFunc(s.Words, func(w string) bool {
			return lexicon.Preposition.Has(w) && w != "of" && w != "von" && w != "vom" && w != "as"
		})
	case s.HasFinite(0, len(s.Words)):
		return slices.ContainsFunc(s.Words, lexicon.FirstPerson.Has) || hasWord(s.Words[1:], "following") && topics
	}
	german := segment.Detect(text) == "de" && !s.Tokens[len(s.Tokens)-1].Upper // a verb: Die Alten erzählen
	return topics && !german && !participle.MatchString(first)
}

// describes reports whether a word after a noun begins what is said of it: a relative clause or a participle.
func describes(w string) bool {
	return lexicon.Pronoun.Has(w) || hasWord([]string{w}, "that", "which", "who", "as", "made") || participle.MatchString(w) && !lexicon.Record.Has(w)
}

// participle matches the form of a past participle without an ending: overheard, struck, verworfen. Of a noun it may be the form too.
var participle = regexp.MustCompile(`[^e]ed$|heard$|^(over|with|under|mis)?(struck|drawn|cut|put|left|taken|given|written|spoken|told|held)$|^(auf|aus|ab|an|ein|vor|zurück|um|nach)?ge\pL+(t|en)$|^(ver|be|er|ent|zer)\pL+[^g]e?n$|^(ver|be|er|ent|zer)\pL+[^h]t$`)

// endsIn reports whether a German compound ends in a noun of a list: Hausordnung.
func endsIn(w string, l lexicon.List) bool {
	const least = 5 // letters of such a noun
	for at := range w {
		if at > 1 && len(w)-at >= least && (l.Has(w[at:]) || l.Has(strings.TrimRight(w[at:], "ens"))) {
			return true
		}
	}
	return false
}
