package segment

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ends decides whether the stop run at i ends a sentence, given that white space and then text at next follow.
func (s *scanner) ends(i int, run string, after, next int) bool {
	if strings.Count(s.text[after:next], "\n") > 1 {
		return true
	}
	follow := s.word(next)
	first, _ := utf8.DecodeRuneInString(s.text[skipOpeners(s.text, next):])
	switch {
	case unicode.IsLower(first), s.reference(next), s.attribution(next):
		return false
	case run != ".":
		// Dots after a space stand for words left out; any others end.
		return strings.Trim(run, ".") != "" || i == 0 || !isSpace(s.text[i-1]) || len(run) > 3 || s.starts(next)
	}
	before := s.wordBefore(i)
	if before == "" {
		return true
	}
	starts := s.language.starters[strings.ToLower(follow)]
	switch {
	case s.oldMoneyAt(next) && (isOldMoney(before) || isDigits(before) && strings.HasSuffix(s.text[:i-len(before)], "£")):
		return false // "12s. 6d."
	case isDigits(before):
		return s.afterNumber(i, before, follow, next)
	case isInitial(before) && (s.single(before) || s.language.abbreviations[strings.ToLower(before)] == ordinary):
		return s.afterInitial(i, before, starts && !s.singleStop(next))
	case s.single(before) && s.singleStop(next):
		return false // "z. B."
	}
	return s.afterWord(i, before, follow, first, next, starts)
}

// isOldMoney reports whether a word is a sum in pounds, shillings or pence as they were written: 5l, 10s, 6½d.
func isOldMoney(w string) bool {
	sum := strings.TrimRight(strings.TrimRight(w, "lisd"), "½¼¾")
	switch w[len(sum):] {
	case "l", "li", "s", "d", "½d", "¼d", "¾d":
		return isDigits(sum) && len(sum) <= 3
	}
	return false
}

func (s *scanner) oldMoneyAt(i int) bool {
	if i == len(s.text) || s.text[i]-'0' > 9 {
		return false
	}
	w, _, _ := strings.Cut(s.text[i:min(len(s.text), i+10)], " ")
	return isOldMoney(strings.TrimRight(w, ".,;:!?)\n"))
}

// afterWord decides whether a stop after a word that may be an abbreviation ends the sentence.
func (s *scanner) afterWord(i int, before, follow string, first rune, next int, starts bool) bool {
	lower := strings.ToLower(before)
	if s.single(before) {
		row := strings.ToLower(s.wordBefore(i - len(before) - 1))
		if strings.HasSuffix(row, ".") && s.language.abbreviations[row+lower] != ordinary { // "d. h."
			lower = row + lower
		}
		if s.language.abbreviations[lower+"."+strings.ToLower(follow)] != ordinary { // "v. Chr."
			return false
		}
	}
	if s.versus(i, before, first) {
		return false
	}
	switch s.language.abbreviations[lower] {
	default:
		if s.language.street != "" && strings.HasSuffix(lower, s.language.street) {
			return !unicode.IsDigit(first)
		}
		return !isAcronym(before) || starts
	case title, inner:
		return false
	case counted:
		return !unicode.IsDigit(first)
	case closing:
		return starts
	case calendar:
		capital, _ := utf8.DecodeRuneInString(before)
		return !unicode.IsDigit(first) && (!unicode.IsUpper(capital) || starts)
	case clock:
		return starts || s.clause(s.start, i) && s.newSubject(next, follow)
	}
}

// versus reports whether the word before a stop at i is the v of a case between two names: Miller v. Regions Bank. A
// letter as a number follows a word in lower case: see part v. The mill.
func (s *scanner) versus(i int, before string, first rune) bool {
	if before != "v" || !unicode.IsUpper(first) && !unicode.IsDigit(first) {
		return false
	}
	rest := strings.TrimRight(s.text[s.start:i-1], " \t\n")
	if rest == "" || strings.HasSuffix(rest, ".") || strings.HasSuffix(rest, ")") {
		return rest != ""
	}
	capital, _ := utf8.DecodeRuneInString(s.wordBefore(s.start + len(rest)))
	return unicode.IsUpper(capital)
}

// afterInitial decides whether a stop after one capital letter, or a row of them, ends the
// sentence. "I." is the pronoun unless it stands before a name and behind another part of one.
func (s *scanner) afterInitial(i int, before string, starts bool) bool {
	if before != "I" {
		return starts
	}
	if starts {
		return true
	}
	rest := strings.TrimRight(s.text[max(s.start, i-1-maxWord):i-1], " \t\n")
	if rest == "" || rest[len(rest)-1] == '.' {
		return false
	}
	prior := s.wordBefore(s.start + len(strings.TrimRight(s.text[s.start:i-1], " \t\n")))
	capital, _ := utf8.DecodeRuneInString(prior)
	return !unicode.IsUpper(capital) || Function(strings.ToLower(prior))
}

// afterNumber decides about a stop after digits: list numbers, ordinals and dates go on.
func (s *scanner) afterNumber(i int, number, follow string, next int) bool {
	at := i - len(number)
	if at == s.start && len(number) <= 3 {
		return false // "1. Buy bread."
	}
	if number == "1" && strings.HasSuffix(strings.TrimRight(s.text[s.start:at], " "), ":") {
		s.list(at, false)
		return false // "Buy: 1. Eggs 2. Flour"
	}
	if len(number) > 2 {
		return true
	}
	if month := strings.ToLower(strings.TrimSuffix(follow, ".")); s.language.months[month] || languages["de"].months[month] {
		return false // "12. Januar", also in a short text that is taken for English
	}
	if digits := leadingDigits(s.text[next:]); digits > 0 {
		rest := s.text[next+digits:]
		dated := digits <= 2 && strings.HasPrefix(rest, ".") || digits == 4 && at > 1 && s.text[at-1] == ' ' && s.text[at-2] == '.' ||
			digits == 4 && at > 0 && s.text[at-1] == '.'
		return !dated // "12. 3. 1931"
	}
	return !s.language.leaders[strings.ToLower(s.wordBefore(at-1))]
}

// runsOn decides whether a stop without white space after it ends a sentence, as in texts that lost their spaces: only
// before a word that opens sentences or a title, and not inside an address, a file name or an abbreviation.
func (s *scanner) runsOn(i int, run string, next int) bool {
	follow := s.word(next)
	lower := strings.ToLower(follow)
	if !s.opensSentence(next) || len(follow) < 2 || follow[0]-'0' < 10 || (!s.language.starters[lower] && s.language.abbreviations[lower] != title) {
		return false
	}
	if run != "." && strings.Trim(run, "!?") != "" {
		return false
	}
	end := skipOpeners(s.text, next) + len(follow)
	if end < len(s.text) && strings.IndexByte("/@_:\\-", s.text[end]) >= 0 ||
		end+1 < len(s.text) && s.text[end] == '.' && !isSpace(s.text[end+1]) {
		return false
	}
	for j := i - 1; j >= s.start && j > i-maxWord && !isSpace(s.text[j]); j-- {
		if strings.IndexByte("/@_:\\", s.text[j]) >= 0 {
			return false
		}
	}
	before := s.wordBefore(i)
	if before == "" {
		return run != "."
	}
	if s.language.abbreviations[strings.ToLower(before)] != ordinary || isAcronym(before) {
		return false
	}
	return isDigits(before) || utf8.RuneCountInString(before) > 1
}

// maxReference is the most bytes of a bracketed reference after a quotation.
const maxReference = 60

// reference reports whether a bracket at i holds a reference that belongs to the sentence before it:
// it has a number, and a stop follows: (Smith 55).
func (s *scanner) reference(i int) bool {
	if s.text[i] != '(' {
		return false
	}
	end := strings.IndexByte(s.text[i:min(len(s.text), i+maxReference)], ')')
	if end < 0 || !strings.ContainsAny(s.text[i:i+end], "0123456789") {
		return false
	}
	return i+end+1 < len(s.text) && s.text[i+end+1] == '.'
}

// attribution reports whether a dash and then a word in lower case are at i: the words that report a quotation.
func (s *scanner) attribution(i int) bool {
	rest, ok := strings.CutPrefix(s.text[i:], "—")
	if !ok {
		if rest, ok = strings.CutPrefix(s.text[i:], "–"); !ok {
			return false
		}
	}
	r, _ := utf8.DecodeRuneInString(rest[s.space(len(s.text)-len(rest))-(len(s.text)-len(rest)):])
	return unicode.IsLower(r)
}

// single reports whether a word is one letter.
func (s *scanner) single(w string) bool { return utf8.RuneCountInString(w) == 1 }

// singleStop reports whether one letter with a stop is at i.
func (s *scanner) singleStop(i int) bool {
	i = skipOpeners(s.text, i)
	r, n := utf8.DecodeRuneInString(s.text[i:])
	return unicode.IsLetter(r) && strings.HasPrefix(s.text[i+n:], ".")
}

// maxClause is how many bytes around a time of day are searched for a verb.
const maxClause = 160

// clause reports whether the text from start to end has a verb with a tense.
func (s *scanner) clause(start, end int) bool {
	return slices.ContainsFunc(Words(s.text[max(start, end-maxClause):end]), func(w Word) bool { return finiteVerb(w.Lower) })
}

// newSubject reports whether a clause of its own begins at i: a capital word that is no part of a
// date, and soon after it a verb with a tense.
func (s *scanner) newSubject(i int, follow string) bool {
	lower := strings.ToLower(follow)
	if s.language.months[lower] || s.language.abbreviations[lower] == calendar || weekdays[lower] {
		return false
	}
	ws := Words(s.text[i:min(len(s.text), i+maxClause)])
	return slices.ContainsFunc(ws[min(1, len(ws)):min(maxSubject+4, len(ws))], func(w Word) bool { return finiteVerb(w.Lower) })
}

var weekdays = wordLists.Set("weekdays")
