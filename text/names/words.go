package names

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"muniment/text/lexicon"
)

//go:embed names.list
var nameList string

// A kind is what a word may be, as a set.
type kind uint32

const (
	given kind = 1 << iota
	surname
	place
	proper   // another proper name
	ordinary // an English word too
	title
	kin
	personVerb
	personPreposition
	placeEnding
	bodyEnding
	placeBeginning
	germanNoun
	office
	sovereign
	function
	calendar
	inPlace // a preposition that only places have
	article
	english
	german
)

// ofLetter maps the letters of names.list.
var ofLetter = map[rune]kind{'g': given, 's': surname, 'p': place, 'o': proper, 'w': ordinary}

// vocabulary returns the kinds of all known words, in lower case with ' for the apostrophe. The
// first call takes some milliseconds.
var vocabulary = sync.OnceValue(func() map[string]kind {
	words := make(map[string]kind, 50_000)
	var now kind
	for line := range strings.Lines(nameList) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			now = 0
			for _, letter := range strings.Trim(line, "[]") {
				now |= ofLetter[letter]
			}
		default:
			for w := range strings.FieldsSeq(line) {
				words[w] |= now
			}
		}
	}
	for k, list := range map[kind]lexicon.List{title: lexicon.Title, kin: lexicon.Kin, personVerb: lexicon.NamePart.PersonVerb, personPreposition: lexicon.NamePart.PersonPreposition,
		placeEnding: lexicon.NamePart.PlaceEnding, bodyEnding: lexicon.NamePart.BodyEnding, placeBeginning: lexicon.NamePart.PlaceBeginning, germanNoun: lexicon.NamePart.GermanNoun,
		office: lexicon.Office, sovereign: lexicon.NamePart.Sovereign, english: lexicon.NamePart.English, german: lexicon.NamePart.German} {
		for w := range list.Words() {
			words[w] |= k
		}
	}
	for k, lists := range map[kind][]lexicon.List{
		function: {lexicon.Function, lexicon.QuestionWord, lexicon.Pronoun, lexicon.Opener, lexicon.Preposition, lexicon.Auxiliary, lexicon.Subordinator, lexicon.Negation},
		calendar: {lexicon.Month, lexicon.Weekday, lexicon.TimeNoun},
		article:  {lexicon.Determiner},
	} {
		for _, list := range lists {
			for w := range list.Words() {
				words[w] |= k
			}
		}
	}
	for _, w := range []string{"in", "at", "near", "into", "through", "outside", "inside", "down", "along", "across", "over", "toward", "towards", "past", "up", "around", "im", "nach", "aus", "beim"} {
		words[w] |= inPlace
	}
	for _, w := range []string{"der", "die", "das", "den", "dem", "des"} {
		words[w] |= article
	}
	return words
})

// kindOf returns the kinds of a word.
func kindOf(words map[string]kind, w string) kind {
	var room [40]byte
	low := room[:0]
	for i := 0; i < len(w) && w[i] < utf8.RuneSelf; i++ {
		c := w[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		low = append(low, c)
	}
	if len(low) == len(w) {
		return words[string(low)]
	}
	low = room[:0]
	for _, r := range w {
		if r == '’' || r == '‘' {
			r = '\''
		}
		low = utf8.AppendRune(low, unicode.ToLower(r))
	}
	return words[string(low)]
}
