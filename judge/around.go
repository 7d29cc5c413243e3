package judge

import (
	"fmt"
	"slices"
	"strings"

	"muniment/text/clause"
	"muniment/text/lexicon"
)

// scopeAround returns the reason why the sentence holds only in a sense that its surroundings give it, with their words; "" where nothing does.
func (p *place) scopeAround() (reason, words string) {
	if p.isQuoted() {
		return "the words are in quotation marks: somebody else says them", "“”"
	}
	if head := p.words.Above; head != "" && announces(head, true) && (len(p.words.Names) == 0 || lexicon.Fiction.In(clause.Parse(head).Words) != "" || lexicon.Falsehood.In(clause.Parse(head).Words) != "") {
		return fmt.Sprintf("what is above the words says in what sense they hold: “%s”", clip(head)), clip(head)
	}
	for i := p.at - 1; i >= 0; i-- {
		s := p.text[p.sentences[i].Start:p.sentences[i].End]
		if announces(s, i == p.at-1) {
			return fmt.Sprintf("a sentence before says in what sense they hold: “%s”", clip(s)), clip(s)
		}
	}
	if p.at+1 < len(p.sentences) {
		r := p.sentences[p.at+1]
		if s := p.text[r.Start:r.End]; takesBack(s) {
			return fmt.Sprintf("the next sentence takes it back: “%s”", clip(s)), clip(s)
		}
	}
	return "", ""
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
	case colon && near:
		return false_ || said || lexicon.Condition.In(s.Words) != "" || lexicon.Hearsay.In(s.Words) != ""
	case points && (colon || strings.HasSuffix(strings.TrimSpace(text), ".")):
		return false_ || lexicon.Announcement.In(s.Words) != ""
	case len(s.Words) <= shortIntroduction && near: // a heading, or a sentence such as "The song ran thus."
		return false_ || lexicon.Announcement.In(s.Words) != ""
	}
	return false
}

// takesBack reports whether a sentence says of what was said before it that it is not so.
func takesBack(text string) bool {
	s := clause.Parse(text)
	if len(s.Words) == 0 || len(s.Words) > 25 {
		return false
	}
	first := s.Words[0]
	if first == "no" && len(s.Words) > 1 && strings.ContainsAny(s.Tokens[1].Gap, ",:;") || first == "for" && len(s.Words) <= 6 && strings.Contains(text, " read ") {
		return true // No: it was the rector. For vicar read rector.
	}
	if lexicon.Truth.At(s.Words, 0) > 0 {
		return true // In truth not one pier was built.
	}
	if first == "it" && len(s.Words) <= 8 && len(s.Words) > 2 && lexicon.Auxiliary.Has(s.Words[1]) && lexicon.Fiction.In(s.Words) != "" {
		return true // It was only a dream.
	}
	if pointsBack(first) && len(s.Words) <= 10 && !slices.Contains(s.Words, "long") && (lexicon.Announcement.In(s.Words) != "" || lexicon.Report.In(s.Words) != "" || lexicon.Fiction.In(s.Words) != "") {
		return true // So runs the tale.
	}
	if lexicon.Falsehood.In(s.Words) == "" && lexicon.Retraction.In(s.Words) == "" && !deniesAll(s.Words) {
		return false
	}
	for i, w := range s.Words[:min(len(s.Words), 8)] {
		switch w {
		case "this", "that", "it", "these", "all", "none", "nothing", "which", "so", "statement", "story", "report", "claim", "das", "dies", "alles", "nichts", "es":
			return true
		case "he", "she", "they", "i", "er", "sie", "ich":
			if i < 3 && lexicon.Retraction.In(s.Words) != "" {
				return true
			}
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
	t := " " + strings.Join(words, " ") + " "
	for _, phrase := range []string{" not so ", " not true ", " none of this ", " none of it ", " not the case ", " not a word ", " no truth ", " never happened ", " did not happen ", " nicht so ", " nicht wahr ", " kein wort ", " nichts davon ", " stimmt nicht "} {
		if strings.Contains(t, phrase) {
			return true
		}
	}
	return false
}
