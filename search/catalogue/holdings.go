package catalogue

import (
	"regexp"
	"slices"
	"strings"

	"muniment/text/lexicon"
	"muniment/text/segment"
)

// A Want is what a question about the holdings wants to know of the papers that it selects.
type Want string

// What is wanted.
const (
	WantList       Want = "list"       // which they are
	WantCount      Want = "count"      // how many
	WantOldest     Want = "oldest"     // the first one with a date
	WantNewest     Want = "newest"     // the last one with a date
	WantSpan       Want = "span"       // of which days the first and the last one are
	WantPairs      Want = "pairs"      // who wrote to whom
	WantAddressees Want = "addressees" // to whom they are addressed
	WantWriters    Want = "writers"    // who wrote them
	WantMostNamed  Want = "most named" // which of Names most of them name
	WantMentions   Want = "mentions"   // how often Mention is in them, in the order of time
	WantEvents     Want = "events"     // which have sentences with Verb and Names, and how many
	WantWriting    Want = "writing"    // which they are, with the first words of each
)

// A Holding is a question about the holdings: what is wanted of the papers that pass all its conditions. A condition that is empty lets every
// paper pass.
type Holding struct {
	Want      Want
	Kind      string    // letter, report …, singular
	From, To  string    // YYYY-MM-DD, both count; First and Last where a side is open
	Undated   bool      // those without a date
	Writer    string    // name
	Addressee string    // name of the addressee
	Place     string    // where they were written
	Origin    string    // a writer or a place: "from Ballarat"
	Between   [2]string // two persons, each of whom wrote to the other
	Mention   string    // words that they hold, one after the other
	Also      string    // other words that they hold
	Names     []string
	Verb      string // of events, as the question has it
}

// First and Last are the days of a period that is open.
const (
	First = "0001-01-01"
	Last  = "9999-12-31"
)

// opening are the words before a question that ask nothing: Please; Act as my guide: …
var opening = regexp.MustCompile(`(?i)^\s*(?:(?:please|kindly|bitte|act as (?:my|a|an|our) [\w ]{3,40}[:,]|(?:can|could|would|will) you (?:please )?(?:tell|show) me[:,]?|(?:i (?:would like|want|wish) to know|do you know|tell me),?)(?: |$))+`)

// WithoutOpening returns a question without such words.
func WithoutOpening(question string) string {
	if at := opening.FindStringIndex(question); at != nil && at[1] < len(question) {
		return question[at[1]:]
	}
	return question
}

// ReadHolding reads a question about the holdings; ok is false where it is none, and where a part of it is no condition that the catalogue
// can decide.
func ReadHolding(question string) (h Holding, ok bool) {
	text := strings.Join(strings.Fields(strings.TrimRight(strings.TrimSpace(WithoutOpening(question)), "?!. ")), " ")
	for _, g := range []*grammar{englishGrammar(), germanGrammar()} {
		if h, ok = g.read(text); ok {
			return h, true
		}
	}
	return readEvents(text)
}

func isPronoun(w string) bool {
	w = strings.ToLower(w)
	return lexicon.Pronoun.Has(w) || segment.Pronoun(w)
}

// Holds returns the places of a phrase in a text: its words one after the other, titles such as Mr. left out. Where the phrase has
// capitals, so has the text.
func Holds(text, phrase, lang string) (found []segment.Range) {
	want := dropTitles(phrase)
	if len(want) == 0 {
		want = segment.Words(phrase)
	}
	if len(want) == 0 {
		return nil
	}
	keys := make([]string, len(want))
	if len(want) == 1 && !want[0].Upper && segment.SaysNothing(want[0].Lower, lang) {
		return nil
	}
	for i, w := range want {
		keys[i] = segment.SearchKey(w.Lower, lang)
	}
	words := segment.Words(text)
	for i := 0; i+len(want) <= len(words); i++ {
		all := true
		for k := range want {
			w := words[i+k]
			if want[k].Upper && !w.Upper || segment.SearchKey(w.Lower, lang) != keys[k] && w.Lower != want[k].Lower {
				all = false
				break
			}
		}
		if all {
			found = append(found, segment.Range{Start: words[i].Start, End: words[i+len(want)-1].End})
		}
	}
	return found
}

// dropTitles returns the words of a phrase that are no titles.
func dropTitles(phrase string) []segment.Word {
	return slices.DeleteFunc(segment.Words(phrase), func(w segment.Word) bool { return lexicon.Honorific.Has(w.Lower) })
}

// IsNamed reports whether words name a person who is asked for: they hold the whole name, or its given name, or its surname with the
// first letter of the given name.
func IsNamed(words, name string) bool {
	if len(Holds(words, name, "")) > 0 {
		return true
	}
	asked := dropTitles(name)
	if len(asked) < 2 {
		return false
	}
	given, surname := asked[0].Lower, asked[len(asked)-1].Lower
	all := segment.Words(words)
	for i, w := range all {
		next := ""
		if i+1 < len(all) {
			next = all[i+1].Lower
		}
		switch {
		case w.Lower == given && w.Upper && (next == "" || !all[i+1].Upper):
			return true
		case w.Lower == surname && i > 0 && len(all[i-1].Lower) == 1 && strings.HasPrefix(given, all[i-1].Lower):
			return true
		}
	}
	return false
}
