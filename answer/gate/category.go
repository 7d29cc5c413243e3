package gate

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"muniment/answer/policy"
	"muniment/record"
)

// Category decides, before anything is read, whether a question is one that
// the archive should attempt. It is deterministic, and linear in the length
// of the question.
func Category(question string, f Facts) Decision {
	if defect := malformed(question); defect != "" {
		return Decision{Refuse, Malformed, messageMalformed, []string{suggestNarrow}, Malformed + "/" + defect}
	}
	q := read(question, f)
	if name := injected(question, q); name != "" {
		return Decision{Refuse, Injection, messageInjection, []string{suggestAboutArchive}, Injection + "/" + name}
	}
	if name := protected(question, f); name != "" {
		return Decision{Refuse, ThirdPartyPrivacy, messageThirdParty, []string{suggestAboutArchive, suggestInventory}, ThirdPartyPrivacy + "/" + name}
	}
	e, hasEnd := end(f)
	if name := general(q, e, hasEnd); name != "" {
		return Decision{Refuse, GeneralKnowledge, messageGeneral, []string{suggestAboutArchive, suggestInventory}, GeneralKnowledge + "/" + name}
	}
	if hasEnd {
		if name := afterEnd(q, e, died(f.Subject)); name != "" {
			return Decision{
				Refuse, PostDeathEvent,
				"The archive does not extend past " + e.name + ". I cannot speak to anything after that.",
				[]string{"ask about something up to " + e.name, suggestInventory},
				PostDeathEvent + "/" + name,
			}
		}
	}
	if name := inner(q); name != "" {
		return Decision{
			ArchiveOnly, PrivateMentalState, ArchiveOnlyNotice,
			[]string{"ask what was written or said about it"},
			PrivateMentalState + "/" + name,
		}
	}
	return Decision{Action: Proceed}
}

// A reading is a question in the forms that rules look at.
type reading struct {
	folded string // fold, names of the subject as zzsubject, of listed persons and further names as zzperson and zzname
	used   string // folded without what stands in quotation marks
}

func read(question string, f Facts) reading {
	folded := fold(question)
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
	return reading{folded, unquote(folded)}
}

// partsOf returns the words of the subject's name that stand in the question
// with a capital, as a reader would use them alone.
func partsOf(s record.Subject, question string) []string {
	var out []string
	for _, w := range strings.Fields(s.Name) {
		first, _ := utf8.DecodeRuneInString(w)
		if utf8.RuneCountInString(w) > 2 && unicode.IsUpper(first) && strings.Contains(question, w) {
			out = append(out, w)
		}
	}
	return out
}

// replaceName puts word in the place of a name wherever it stands as whole
// words of a folded text. Names of fewer than three letters are left alone.
func replaceName(folded, name, word string) string {
	name = fold(name)
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
		if letter(before) || letter(after) {
			b.WriteString(name)
		} else {
			b.WriteString(word)
		}
		rest = rest[i+len(name):]
	}
}

func letter(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r))
}

func died(s record.Subject) bool {
	_, ok := parsePeriod(s.Died)
	return ok
}

// protected returns the state of the first person of the question whom the
// archive does not let through, or "".
func protected(question string, f Facts) string {
	for _, name := range policy.MentionsOf(question, f.Persons, f.Subject) {
		if state := policy.Protection(name, f.Persons); state == record.PersonSealed {
			return state
		}
	}
	return ""
}

// about matches a question that concerns the subject, the archive or what is
// in it.
var about = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(?:he|him|his|she|her|hers|they|them|their|theirs|you|your|yours|zzsubject|zzperson|zzname|the (?:author|writer|diarist|subject|deceased)|archives?|collections?|catalogue|inventory|records?|papers|diary|diaries|journals?|entry|entries|letters?|documents?|manuscripts?|notebooks?|memoirs?|correspondence|artifacts?|sources?|passages?)\b`)
})

// polite matches the words that address the program, before the request
// itself begins.
var polite = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:(?:please|hi|hello|hey|ok|okay|so|well|now|and|also|then)[,!.]? |(?:can|could|would|will) you (?:please |kindly |just )?(?:tell me |help me (?:to |with )?)?|i(?:'d| would) like (?:you )?to (?:know )?|i want (?:you )?to (?:know )?|do you know |i need (?:you to )?|(?:please )?tell me,? )+`)
})
