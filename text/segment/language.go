package segment

import (
	"maps"
	"strings"
	"unicode/utf8"
)

// class is the meaning of a stop after a word.
type class uint8

const (
	ordinary class = iota
	title          // a name follows; never ends a sentence: Dr.
	inner          // words of the same sentence follow; never ends one: e.g.
	counted        // an abbreviation only before a number: No. 7, p. 12
	closing        // may end a sentence, and does before a word that often begins one: etc., a.m.
	calendar       // as closing, but only when written with a capital: Sept., Sat.
	clock          // a time of day; ends a sentence that already has its verb when a clause follows: p.m.
)

// A language is what the rules need to know about one language. All words are in lower case.
type language struct {
	abbreviations map[string]class // without the last stop
	starters      map[string]bool  // words that with a capital often begin a sentence and hardly ever follow an abbreviation inside one
	months        map[string]bool  // that follow a day with a stop: 12. Januar
	leaders       map[string]bool  // words before an ordinal with a stop: der 2. Versuch; nil where ordinals have none
	street        string           // how abbreviated names of streets end, before a number
	frequent      map[string]bool  // words that tell languages of the Latin script apart
	particles     map[string]bool  // more words that say nothing
	stop          string           // a character that ends a sentence in this language alone: the ; of Greek, or ""
}

// languages maps the primary subtag of a BCP 47 tag to its table. Languages without one of their
// own get every rule that does not depend on words, and the words of unknownLanguage.
var languages = readLanguages()

// unknownLanguage serves texts of unknown language: English and German, and what other scripts add.
var unknownLanguage = union("en", "de", "ru", "el", "hi", "ar")

// languageOf returns the table for a BCP 47 tag, "" for unknown.
func languageOf(tag string) *language {
	primary, _, _ := strings.Cut(strings.ToLower(tag), "-")
	if l := languages[primary]; l != nil {
		return l
	}
	return unknownLanguage
}

// SaysNothing reports whether a word in lower case has no meaning of its own in a language. In German hat is an
// auxiliary verb and has none; in English it is a thing to wear.
func SaysNothing(word, tag string) bool {
	primary, _, _ := strings.Cut(strings.ToLower(tag), "-")
	l := languages[primary]
	return l != nil && (l.frequent[word] || l.particles[word])
}

// classNames are the fields of languages.txt that hold abbreviations.
var classNames = map[string]class{"title": title, "inner": inner, "counted": counted, "closing": closing, "calendar": calendar, "clock": clock}

// readLanguages builds the tables from the sections of languages.txt. Ukrainian has the table of Russian; Chinese and
// Japanese, whose stops need no words, have the English one, for English words between theirs.
func readLanguages() map[string]*language {
	all := map[string]*language{}
	for section, words := range languageLists {
		tag, field, _ := strings.Cut(section, " ")
		l := all[tag]
		if l == nil {
			l = &language{abbreviations: map[string]class{}}
			all[tag] = l
		}
		switch field {
		case "starters":
			l.starters = languageLists.Set(section)
		case "months":
			l.months = languageLists.Set(section)
		case "leaders":
			l.leaders = languageLists.Set(section)
		case "stop":
			l.stop = words[0]
		case "frequent":
			l.frequent = languageLists.Set(section)
		case "particles":
			l.particles = languageLists.Set(section)
		case "street":
			l.street = words[0]
		default:
			for _, w := range words {
				l.abbreviations[w] = classNames[field]
			}
		}
	}
	for _, l := range all { // "Present: Mr. E. Oakes" may be taken for Portuguese
		for w, c := range all["en"].abbreviations {
			if l.abbreviations[w] == ordinary && c == title {
				l.abbreviations[w] = title
			}
		}
	}
	all["uk"], all["ja"], all["zh"] = all["ru"], all["en"], all["en"]
	return all
}

// union returns a table with the words of several languages, and the street ending of German.
func union(tags ...string) *language {
	u := &language{abbreviations: map[string]class{}, starters: map[string]bool{}, months: map[string]bool{}, leaders: map[string]bool{}}
	for _, tag := range tags {
		l := languages[tag]
		if l == nil {
			continue
		}
		maps.Copy(u.abbreviations, l.abbreviations)
		maps.Copy(u.starters, l.starters)
		maps.Copy(u.months, l.months)
		maps.Copy(u.leaders, l.leaders)
		u.street = max(u.street, l.street)
	}
	return u
}

// headingWords is how many words a heading has at most.
const headingWords = 12

// IsHeading reports whether a text is a short line without a stop, or in capitals, as headings are.
func IsHeading(text string) bool {
	bare := strings.TrimRight(text, " \n\"'”’»«)]*_")
	last, _ := utf8.DecodeLastRuneInString(bare)
	stops := strings.ContainsRune(".!?…:;,।。։۔؟", last)
	if stops && (bare != strings.ToUpper(bare) || bare == strings.ToLower(bare)) {
		return false
	}
	n := len(Words(text))
	return n <= headingWords && (n > 2 || !stops)
}
