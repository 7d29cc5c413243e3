package judge

import (
	"fmt"
	"slices"
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
		if announces(s, i == p.at-1) {
			return fmt.Sprintf("a sentence before says in what sense they hold: “%s”", clip(s)), clip(s)
		}
	}
	if says := (&match{c: claim, s: claim}); says.isScoped() {
		return "", "" // whose word it is the claim says too; that it is not so is nothing against that
	}
	if p.at+1 < len(p.sentences) {
		r := p.sentences[p.at+1]
		if s := p.text[r.Start:r.End]; takesBack(s) {
			return fmt.Sprintf("the next sentence takes it back: “%s”", clip(s)), clip(s)
		}
	} else if r := segment.Sentences(p.words.Below, language(*p.words, "")); len(r) > 0 && takesBack(p.words.Below[r[0].Start:r[0].End]) {
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
	return s[:strings.LastIndexByte(s[:most], ' ')] + " …"
}

// isQuoted reports whether the sentence begins inside a quotation that an earlier word of the paragraph opens, and that is not the whole
// paragraph.
func (p *place) isQuoted() bool {
	at := p.sentences[p.at].Start
	open := 0
	straight := false
	begins := -1
	for i, r := range p.text[:at] {
		switch r {
		case '“', '„', '«':
			if open == 0 {
				begins = i
			}
			open++
		case '”', '»':
			open = max(0, open-1)
		case '"':
			if straight = !straight; straight {
				begins = i
			}
		}
	}
	if r := []rune(p.raw()); len(r) > 0 && strings.ContainsRune("“„«\"", r[0]) {
		return strings.TrimSpace(p.text[:at]) != "" && introduces(p.text[:at])
	}
	return (open > 0 || straight) && strings.TrimSpace(p.text[:begins]) != ""
}

// introduces reports whether a text ends with a verb of saying and a colon or comma.
func introduces(before string) bool {
	s := strings.TrimSpace(before)
	if !strings.HasSuffix(s, ":") && !strings.HasSuffix(s, ",") {
		return false
	}
	t := clause.Parse(s[max(0, len(s)-200):])
	return lexicon.Report.In(t.Words) != ""
}

// maxPointer is how many words a sentence has at most that only points at what follows.
const maxPointer = 14

// maxHeading is how many words without a verb announce what follows: Exercise 12.
const maxHeading = 4

// shortIntroduction is how many words a sentence has at most that only introduces the next.
const shortIntroduction = 7

// announces reports whether a sentence or heading says that what follows is somebody's word, false, a fiction or an exercise: "The following
// statements are false:", "The plea runs:". near says that the words follow at once. A title such as Report governs nothing.
func announces(text string, near bool) bool {
	s := clause.Parse(text)
	if len(s.Words) == 0 {
		return false
	}
	colon := strings.HasSuffix(strings.TrimSpace(text), ":")
	points := false
	for _, w := range s.Words {
		switch w {
		case "following", "follows", "below", "these", "here", "folgende", "folgenden", "folgendes", "folgt":
			points = true
		}
	}
	false_ := lexicon.Falsehood.In(s.Words) != "" || lexicon.Fiction.In(s.Words) != ""
	said := lexicon.Announcement.In(s.Words) != "" || lexicon.Report.In(s.Words) != "" || lexicon.Wish.In(s.Words) != ""
	switch {
	case near && len(s.Words) <= shortIntroduction+1 && (s.Words[0] == "so" || s.Words[0] == "thus") && !colon:
		return said || lexicon.Tells.In(s.Words) != "" // So the Gazette told its readers.
	case near && lexicon.Supposition.At(s.Words, 0) > 0 && s.Tokens[0].Upper:
		return true // Suppose a village of forty houses.
	case near && len(s.Words) <= maxPointer && lexicon.Points.At(s.Words, 0) > 0 && (said || false_ || lexicon.Tells.In(s.Words) != "") && !hasComplement(&s, 1):
		return true // Here is the footman's version. What follows is invention.
	case near && lexicon.Dream.In(s.Words) != "" && lexicon.FirstPerson.In(s.Words) != "":
		return true // I dreamt again last night.
	case near && lexicon.Thus.In(s.Words[len(s.Words)-min(2, len(s.Words)):]) != "":
		return said || false_ || lexicon.Tells.In(s.Words) != "" // The old people tell it this way.
	case colon && near:
		return false_ || said || lexicon.Condition.In(s.Words) != "" || lexicon.Hearsay.In(s.Words) != ""
	case points && (colon || strings.HasSuffix(strings.TrimSpace(text), ".")):
		return false_ || lexicon.Announcement.In(s.Words) != ""
	case len(s.Words) <= maxHeading && near && !s.HasFinite(0, len(s.Words)): // a heading
		return false_ || lexicon.Announcement.In(s.Words) != ""
	}
	return false
}

// maxComment is how many words a sentence has at most that only says something of the one before it.
const maxComment = 25

// takesBack reports whether a sentence says of what was said before it that it is not so, not proved, or only somebody's word.
func takesBack(text string) bool {
	s := clause.Parse(text)
	if len(s.Words) == 0 || len(s.Words) > maxComment {
		return false
	}
	if lexicon.Coordinator.Has(s.Words[0]) && s.Words[0] != "so" && len(s.Words) > 1 {
		s.Tokens, s.Words = s.Tokens[1:], s.Words[1:]
	}
	first := s.Words[0]
	switch {
	case (first == "no" || first == "nein") && len(s.Words) > 1 && strings.ContainsAny(s.Tokens[1].Gap, ",:;"):
		return true // No: it was the rector.
	case first == "for" && len(s.Words) <= 6 && strings.Contains(text, " read "):
		return true // For vicar read rector.
	case lexicon.Truth.At(s.Words, 0) > 0, lexicon.Correction.At(s.Words, 0) > 0:
		return true // In truth not one pier was built.
	case deniesAll(s.Words), isSaidOf(&s):
		return true
	}
	near := s.Words[:min(len(s.Words), 8)]
	points := slices.IndexFunc(near, func(w string) bool { return lexicon.PointsBack.Has(w) })
	doubted := lexicon.Falsehood.In(s.Words) != "" || lexicon.Retraction.In(s.Words) != "" || lexicon.Negation.In(s.Words) != "" && lexicon.Proof.In(s.Words) != ""
	person := lexicon.Pronoun.Has(first) && lexicon.Retraction.In(s.Words) != ""
	only := (first == "it" || first == "es") && len(s.Words) <= 8 && len(s.Words) > 2 && lexicon.Auxiliary.Has(s.Words[1]) && (lexicon.Fiction.In(s.Words) != "" || lexicon.Dream.In(s.Words) != "")
	return points >= 0 && doubted || person || only
}

// isSaidOf reports whether a sentence says of what was before it whose word it is: so runs the tale, such is the legend, that is what we believed. One
// that goes on with a clause of its own says it of that.
func isSaidOf(s *clause.Sentence) bool {
	at := 0
	for at < min(len(s.Words)-2, 4) && !pointsBack(s.Words[at]) {
		at++
	}
	words := s.Words[at:]
	if !pointsBack(words[0]) || len(words) < 2 || len(words) > maxComment {
		return false
	}
	m := match{c: s, s: s}
	f, found := m.find(at+1, len(s.Words), lexicon.Announcement, lexicon.Report, lexicon.Hearsay, lexicon.Fiction, lexicon.Tells, lexicon.Dream)
	if !found || hasComplement(s, f.to) {
		return false
	}
	verb := s.HasFinite(at+1, min(at+4, len(s.Words)))
	switch words[0] {
	case "so", "thus", "such":
		return verb || len(s.Words)-f.to <= 3 // so runs the tale; so the Gazette told its readers
	}
	return verb && !slices.Contains(words, "long")
}

// hasComplement reports whether what is said follows in the sentence itself, after a word of saying.
func hasComplement(s *clause.Sentence, at int) bool {
	for i := at; i < len(s.Words); i++ {
		switch s.Words[i] {
		case "that", "dass", "daß", "to", "how", "whether", "ob", "wie", "zu":
			return true
		}
	}
	return false
}

// pointsBack reports whether a word at the beginning of a sentence points back at the one before.
func pointsBack(w string) bool {
	switch w {
	case "so", "such", "thus", "that", "this", "these", "das", "dies", "solches":
		return true
	}
	return false
}

// deniesAll reports whether words deny what was said: none of this happened, it was not so.
func deniesAll(words []string) bool {
	for i := range words {
		if lexicon.DeniesAll.At(words, i) > 0 {
			return true
		}
	}
	return false
}
