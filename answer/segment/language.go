package segment

import (
	"maps"
	"strings"
)

// class says what a stop after a word means.
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
	semicolon     bool             // ; is the question mark
}

// languages maps the primary subtag of a BCP 47 tag to its table. Languages without one of their
// own get every rule that does not depend on words, and the words of known.
var languages = map[string]*language{
	"en": english, "de": german, "fr": french, "es": spanish, "it": italian, "nl": dutch, "pt": portuguese,
	"pl": polish, "ru": russian, "uk": russian, "el": greek, "hi": hindi, "ar": arabic, "ja": wide, "zh": wide,
}

// known serves texts of unknown language: English and German, and what other scripts add.
var known = union(english, german, russian, greekWords, hindi, arabic)

// tableOf returns the table for a BCP 47 tag, "" for unknown.
func tableOf(tag string) *language {
	primary, _, _ := strings.Cut(strings.ToLower(tag), "-")
	if l := languages[primary]; l != nil {
		return l
	}
	return known
}

func union(all ...*language) *language {
	u := &language{abbreviations: map[string]class{}, starters: map[string]bool{}, months: map[string]bool{}, leaders: map[string]bool{}, street: german.street}
	for _, l := range all {
		maps.Copy(u.abbreviations, l.abbreviations)
		maps.Copy(u.starters, l.starters)
		maps.Copy(u.months, l.months)
		maps.Copy(u.leaders, l.leaders)
	}
	return u
}

// classes reads a table of abbreviations: lists of words per class.
func classes(lists map[class]string) map[string]class {
	m := make(map[string]class)
	for c, list := range lists {
		for w := range strings.FieldsSeq(list) {
			m[w] = c
		}
	}
	return m
}

func wordSet(list string) map[string]bool {
	m := make(map[string]bool)
	for w := range strings.FieldsSeq(list) {
		m[w] = true
	}
	return m
}
