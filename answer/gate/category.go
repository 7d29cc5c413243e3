package gate

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"muniment/snapshot/access"
	"muniment/text/pattern"
)

// Category decides, before anything is read, whether a question is one that
// the archive should attempt. It is deterministic, and linear in the length
// of the question.
func Category(question string, f Facts) Decision {
	if defect := defectOf(question); defect != "" {
		return Decision{Action: Refuse, Category: Malformed, Message: MessageMalformed, Suggestions: []string{suggestNarrow}, Rule: Malformed + "/" + defect}
	}
	q := read(question, f)
	if name := pattern.First(injectionRules()["injection"], q.forms("injection")...); name != "" {
		return Decision{Action: Refuse, Category: Injection, Message: messageInjection, Suggestions: []string{suggestAboutArchive}, Rule: Injection + "/" + name}
	}
	if name := protectedPerson(question, f); name != "" {
		return Decision{Action: Refuse, Category: ThirdPartyPrivacy, Message: messageThirdParty, Suggestions: []string{suggestAboutArchive, SuggestInventory}, Rule: ThirdPartyPrivacy + "/" + name}
	}
	d := refuseOutside(q, f)
	if d.Action == Refuse {
		for _, part := range parts(question) {
			p := read(part, f)
			if refuseOutside(p, f).Action != Refuse && sign("about").MatchString(sign("untied").ReplaceAllString(p.used, " ")) && sign("asks alone").MatchString(p.used) {
				d = Decision{Action: Proceed} // one part is for the archive; the other becomes a removed topic
				break
			}
		}
	}
	if d.Action != Proceed {
		return d
	}
	if name := mentalRule(q); name != "" {
		return Decision{
			Action: ArchiveOnly, Category: PrivateMentalState, Message: ArchiveOnlyNotice,
			Suggestions: []string{suggestWritten},
			Rule:        PrivateMentalState + "/" + name,
		}
	}
	return Decision{Action: Proceed, Doubt: doubtOf(q)}
}

// Unreadable reports whether a question cannot be read at all: empty, too long,
// not UTF-8, with control characters, or without a letter. All of these are one
// answer.
func Unreadable(question string) bool { return defectOf(question) != "" }

// refuseOutside refuses what lies outside the archive: what came after its end, and
// general knowledge.
func refuseOutside(q reading, f Facts) Decision {
	if l := laterRule(q, f); l.rule != "" {
		return Decision{
			Action: Refuse, Category: PostDeathEvent,
			Message:     messageEnd(l.end, f.Undated),
			Suggestions: append(suggestGrounded(q, l.end), "ask about something up to "+l.end.name, SuggestInventory),
			Rule:        PostDeathEvent + "/" + l.rule, Lookup: l.lookup,
		}
	}
	if name := generalRule(q, f); name != "" {
		return Decision{Action: Refuse, Category: GeneralKnowledge, Message: messageGeneral, Suggestions: []string{suggestAboutArchive, SuggestInventory},
			Rule: GeneralKnowledge + "/" + name, Score: true}
	}
	return Decision{Action: Proceed}
}

// Found returns the decision after the archive has been asked about a borderline
// refusal: where a record has one of the words of d.Lookup, or, if d.Score is set,
// a passage has the score that the nearest answers have, the topic belongs to the
// archive after all and the question proceeds.
func (d Decision) Found(found bool) Decision {
	if found && (len(d.Lookup) > 0 || d.Score) {
		return Decision{Action: Proceed, Rule: d.Rule + "/in the archive", Doubt: d.Category}
	}
	return d
}

// parts splits a question of several sentences or clauses, none where there
// is only one.
func parts(question string) []string {
	all := partEnd.Split(question, -1)
	if len(all) < 2 {
		return nil
	}
	return all
}

var partEnd = regexp.MustCompile(`[?!.;\n]+\s+|(?i),? (?:and|und|but|aber) (?:also |then |tell me |please )*\b`)

// A reading is a question in the forms that rules look at.
type reading struct {
	asked   string // the question as it was asked
	folded  string // fold; names of the subject as zzsubject, of listed persons and further names as zzperson and zzname
	used    string // folded without what stands in quotation marks
	request string // used without the polite words before the request itself
	named   bool   // a name stands in it, with a capital
}

// read brings a question into the forms that rules look at.
func read(question string, f Facts) reading {
	folded := pattern.Fold(question)
	for _, p := range f.Persons.Persons {
		for _, n := range append([]string{p.Name}, p.Aliases...) {
			folded = replaceName(folded, n, "zzperson")
		}
	}
	for _, n := range f.Names {
		folded = replaceName(folded, n, "zzname")
	}
	for _, n := range append([]string{f.Subject.Name}, f.Subject.Aliases...) {
		folded = replaceName(folded, n, "zzsubject")
	}
	for _, n := range partsOf(f.Subject, question) {
		folded = replaceName(folded, n, "zzsubject")
	}
	used := pattern.Unquote(folded)
	return reading{asked: question, folded: folded, used: used, request: sign("polite").ReplaceAllString(used, ""), named: hasName(question)}
}

// forms returns the forms of a question in which the rules of a group look at
// it, one after the other.
func (q reading) forms(group string) []string {
	switch group {
	default:
		return []string{q.used}
	case "injection":
		s := q.folded
		if sign("mentioned").MatchString(s) {
			s = pattern.Unquote(s) // the suspicious words are asked about, in quotation marks
		}
		// Sentence by sentence, so that a harmless one excuses no other.
		sentences := sentencePattern.FindAllString(s, -1)
		for i := range sentences {
			sentences[i] = strings.TrimSpace(sentences[i])
		}
		return sentences
	case "date/lead", "date/tail", "date/between":
		return besideYears(q.used, group)
	case "place", "affairs":
		return []string{q.asked}
	case "general_knowledge", "general_knowledge/present":
		return []string{q.request}
	case "general_knowledge/untied":
		return []string{q.request, q.used} // "tell me a joke" is an errand, not politeness
	case "private_mental_state":
		return inThirdPerson(q.request)
	case "private_mental_state/unreported":
		var out []string
		for _, sentence := range sentenceEnd.Split(q.used, -1) {
			// A report excuses the sentence it stands in, not the next one.
			if pattern.First(mentalRules()["reported"], sign("addressed").ReplaceAllString(sentence, " ")) == "" {
				out = append(out, inThirdPerson(sign("polite").ReplaceAllString(sentence, ""))...)
			}
		}
		return out
	}
}

// besideYears returns the text before, after or between the numbers of four digits of a folded
// text.
func besideYears(s, group string) (out []string) {
	last := -1
	for _, at := range yearNumber.FindAllStringIndex(s, -1) {
		switch {
		case group == "date/lead":
			out = append(out, s[:at[0]])
		case group == "date/tail":
			out = append(out, s[at[1]:])
		case last >= 0:
			out = append(out, s[last:at[0]])
		}
		last = at[1]
	}
	return out
}

var (
	yearNumber      = regexp.MustCompile(`\b\d{4}\b`)
	sentencePattern = regexp.MustCompile(`[^.?!\n]+[.?!]*|[.?!]+`)
	sentenceEnd     = regexp.MustCompile(`[.?!;]+\s+`)
)

// hasName reports whether a sentence of a question contains, after its first word, a word with a
// capital that names no country, language, month or day.
func hasName(question string) bool {
	for _, m := range capitalWord.FindAllStringSubmatch(question, -1) {
		if m[1] == strings.ToUpper(m[1]) {
			continue // an abbreviation
		}
		if !countries[strings.TrimSuffix(strings.ToLower(m[1]), "'s")] {
			return true
		}
	}
	return false
}

var (
	capitalWord = regexp.MustCompile(`[\p{Ll}\d,'"] ["(]?(\p{Lu}[\p{L}'-]+)`)
	countries   = wordLists.Set("countries")
)

// partsOf returns the words of the subject's name that the question has with a capital, as a reader
// would use them alone.
func partsOf(s access.Subject, question string) []string {
	var out []string
	for _, w := range strings.Fields(s.Name) {
		first, _ := utf8.DecodeRuneInString(w)
		if utf8.RuneCountInString(w) > 2 && unicode.IsUpper(first) && strings.Contains(question, w) {
			out = append(out, w)
		}
	}
	for _, m := range anyWord.FindAllString(question, -1) {
		first, _ := utf8.DecodeRuneInString(m)
		if full, ok := shortFor[strings.ToLower(m)]; ok && unicode.IsUpper(first) && strings.HasPrefix(strings.ToLower(s.Name), full+" ") {
			out = append(out, m)
		}
	}
	return out
}

// replaceName replaces a name by word at each place where the name is whole words of a folded text.
// Names of fewer than three letters are left alone.
func replaceName(folded, name, word string) string {
	name = pattern.Fold(name)
	if utf8.RuneCountInString(name) < 3 {
		return folded
	}
	var b strings.Builder
	for rest := folded; ; {
		i := strings.Index(rest, name)
		if i < 0 {
			b.WriteString(rest)
			return b.String()
		}
		before, _ := utf8.DecodeLastRuneInString(rest[:i])
		if i == 0 {
			before, _ = utf8.DecodeLastRuneInString(b.String())
		}
		after, _ := utf8.DecodeRuneInString(rest[i+len(name):])
		b.WriteString(rest[:i])
		if isLetter(before) || isLetter(after) {
			b.WriteString(name)
		} else {
			b.WriteString(word)
		}
		rest = rest[i+len(name):]
	}
}

// isLetter reports whether a character is part of a word.
func isLetter(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r))
}
