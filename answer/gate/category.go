package gate

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"muniment/snapshot/record"
)

// Category decides, before anything is read, whether a question is one that
// the archive should attempt. It is deterministic, and linear in the length
// of the question.
func Category(question string, f Facts) Decision {
	if defect := malformed(question); defect != "" {
		return Decision{Action: Refuse, Category: Malformed, Message: MessageMalformed, Suggestions: []string{suggestNarrow}, Rule: Malformed + "/" + defect}
	}
	q := read(question, f)
	if name := injected(question, q); name != "" {
		return Decision{Action: Refuse, Category: Injection, Message: messageInjection, Suggestions: []string{suggestAboutArchive}, Rule: Injection + "/" + name}
	}
	if name := protected(question, f); name != "" {
		return Decision{Action: Refuse, Category: ThirdPartyPrivacy, Message: messageThirdParty, Suggestions: []string{suggestAboutArchive, suggestInventory}, Rule: ThirdPartyPrivacy + "/" + name}
	}
	d := outside(q, f)
	if d.Action == Refuse {
		for _, part := range parts(question) {
			p := read(part, f)
			if outside(p, f).Action != Refuse && standsAlone(p) {
				d = Decision{Action: Proceed} // one part is for the archive; the other becomes a removed topic
				break
			}
		}
	}
	if d.Action != Proceed {
		return d
	}
	if name := inner(q); name != "" {
		return Decision{
			Action: ArchiveOnly, Category: PrivateMentalState, Message: ArchiveOnlyNotice,
			Suggestions: []string{suggestWritten},
			Rule:        PrivateMentalState + "/" + name,
		}
	}
	return Decision{Action: Proceed, Doubt: doubtful(q)}
}

// Unreadable tells whether a question cannot be read at all: empty, too long,
// not UTF-8, with control characters, or without a letter. What is wrong is not
// told apart.
func Unreadable(question string) bool { return malformed(question) != "" }

// outside refuses what lies outside the archive: general knowledge, and
// what came after its end.
func outside(q reading, f Facts) Decision {
	e, hasEnd := end(f)
	if name, lookup := general(q, e, hasEnd); name != "" {
		return Decision{Action: Refuse, Category: GeneralKnowledge, Message: messageGeneral, Suggestions: []string{suggestAboutArchive, suggestInventory},
			Rule: GeneralKnowledge + "/" + name, Lookup: lookup}
	}
	if !hasEnd {
		return Decision{Action: Proceed}
	}
	name, lookup := afterEnd(q, e, died(f.Subject))
	if name == "" {
		return Decision{Action: Proceed}
	}
	return Decision{
		Action: Refuse, Category: PostDeathEvent,
		Message:     messageEnd(e),
		Suggestions: append(grounded(q, e), "ask about something up to "+e.name, suggestInventory),
		Rule:        PostDeathEvent + "/" + name, Lookup: lookup,
	}
}

// Found returns the decision after the records of the archive have been
// looked up for the words of d.Lookup: where one of them was found, the topic
// belongs to the archive after all and the question proceeds. No record has to
// be read where Lookup is empty.
func (d Decision) Found(found bool) Decision {
	if found && len(d.Lookup) > 0 {
		return Decision{Action: Proceed, Rule: d.Rule + "/in the records", Doubt: d.Category}
	}
	return d
}

// parts splits a question of several sentences or clauses, none where there
// is only one.
func parts(question string) []string {
	all := cuts().Split(question, -1)
	if len(all) < 2 {
		return nil
	}
	return all
}

var cuts = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[?!.;\n]+\s+|(?i),? (?:and|und|but|aber) (?:also |then |tell me |please )*\b`)
})

// standsAlone tells whether a part of a question asks for something by itself,
// about the subject or the archive, without a word that points to another part.
func standsAlone(q reading) bool {
	return about().MatchString(untying().ReplaceAllString(q.used, " ")) && asksAlone().MatchString(q.used)
}

var asksAlone = sync.OnceValue(func() *regexp.Regexp {
	return rules([3]string{"", `^(?:(?:please|so|then) )?(?:who|whom|whose|what|when|where|why|how|which|did|was|were|had|tell|show|describe|list|summari[sz]e)\b.*(?:\b(?:did|was|were|had|does|say|says|said|wrote|write|mention|mentions|diary|letters?|archive|his|her|zzsubject)\b)`, ""})[0].match
})

// A reading is a question in the forms that rules look at.
type reading struct {
	plain  string // fold, with names replaced
	folded string // plain and repaired, in English; names of the subject as zzsubject, of listed persons and further names as zzperson and zzname
	used   string // folded without what stands in quotation marks
	named  bool   // a name that no table knows stands in it, with a capital

	capitals []string // lower case, of words with a capital inside a sentence
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
	plain := folded
	folded = yearsInWords(repaired(glossed(folded)))
	q := reading{plain: plain, folded: folded, used: unquote(folded), named: folded == plain && unknownName(question, folded)}
	for _, m := range capitals().FindAllStringSubmatch(question, -1) {
		q.capitals = append(q.capitals, fold(m[1]))
	}
	return q
}

// unknownName tells whether a word that is no term of general knowledge stands
// with a capital inside a sentence.
func unknownName(question, folded string) bool {
	inTerm := map[string]bool{}
	for _, terms := range []func(func(string)){
		func(found func(string)) { world().in(folded, func(name string, _ bool) { found(name) }) },
		func(found func(string)) { dated().in(folded, func(name string, _ day) { found(name) }) },
	} {
		terms(func(name string) { // the words of whole terms that stand in the text
			for w := range strings.FieldsSeq(name) {
				inTerm[w] = true
			}
		})
	}
	for _, m := range capitals().FindAllStringSubmatch(question, -1) {
		if m[1] == strings.ToUpper(m[1]) {
			continue // an abbreviation
		}
		w := strings.ToLower(m[1])
		if w = strings.TrimSuffix(w, "'s"); !inTerm[w] && !inTerm[strings.TrimSuffix(w, "s")] && !countries[w] {
			return true
		}
	}
	return false
}

var capitals = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[\p{Ll}\d,'"] ["(]?(\p{Lu}[\p{L}'-]+)`)
})

var countries = set(`france germany spain italy austria switzerland russia america turkey greece brazil norway sweden
	rome paris berlin madrid vienna tokyo sydney moscow mumbai delhi beijing chicago heathrow barcelona munich
	poland china japan india mexico canada australia egypt africa europe asia english french german spanish italian latin
	greek chinese japanese russian usa uk britain england scotland ireland wales american british european earth i i'm i've i'd i'll christmas easter
	january february march april may june july august september october november december monday tuesday wednesday thursday
	friday saturday sunday`)

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
	for _, m := range anyWord().FindAllString(question, -1) {
		first, _ := utf8.DecodeRuneInString(m)
		if full, ok := shortFor[strings.ToLower(m)]; ok && unicode.IsUpper(first) && strings.HasPrefix(strings.ToLower(s.Name), full+" ") {
			out = append(out, m)
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

// about matches a question that concerns the subject, the archive or what is
// in it.
var about = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(?:he|him|his|she|her|hers|you|your|yours|my (?:late |dear |dead |great-?|own )*(?:grand\w+|father|mother|uncle|aunt|mum|mom|dad|ancestors?|forebears?)|mention(?:ed|s)?|described|archived|appears?|contained|survives?|included|featured?|according to|quoted|zzsubject|zzperson|zzname|the (?:author|writer|diarist|subject|deceased)|archives?|collections?|catalogue|inventory|records?|papers|diary|diaries|journals?|entry|entries|letters?|documents?|manuscripts?|notebooks?|memoirs?|correspondence|artifacts?|sources?|passages?)\b`)
})

// polite matches the words that address the program, before the request
// itself begins.
var polite = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:(?:please|hi|hello|hey|ok|okay|so|well|now|and|also|then)[,!.]? |(?:can|could|would|will) you (?:please |kindly |just )?(?:tell me |help me (?:to |with )?)?|i(?:'d| would) like (?:you )?to (?:know )?|i want (?:you )?to (?:know )?|do you know |i need (?:you to |to know )|(?:please )?tell me,? )+`)
})
