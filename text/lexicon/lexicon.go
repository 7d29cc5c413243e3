// Package lexicon holds the words of a language that decide how a sentence is read: negations, modals, prepositions,
// verbs of saying, numbers, months. Each list exists once, in words.txt, in English and German.
//
//	lexicon.Negation.Has("never")            // true
//	n := lexicon.Report.At(tokens, i)        // tokens covered by a word or phrase of the list that begins at i
//
// A list is named for what its words do in a sentence. Words are in lower case, with ' for the apostrophe, as package
// clause writes its tokens; a phrase is written with an underscore between its words. A test requires of every list
// that it is read without error and used.
//
// Limits: two languages. A word may be in several lists, since "that" is a pronoun and a conjunction; what it is in one
// sentence is for package clause to say.
package lexicon

import (
	_ "embed"
	"fmt"
	"iter"
	"maps"
	"strings"
)

//go:embed words.txt
var wordsText string

var lists, listsError = parse(wordsText)

// A List is a set of words and phrases. Its zero value is empty.
type List struct {
	words   map[string]bool
	phrases map[string][][]string // by their first word
}

// The lists, as words.txt describes each.
var (
	Negation         = list("negation")
	IdleNegation     = list("idle negation")
	ImplicitNegation = list("implicit negation")
	Auxiliary        = list("auxiliary")
	Modal            = list("modal")
	Past             = list("past")
	SamePast         = list("same past")
	VerbPrefix       = list("verb prefix")
	NoPast           = list("no past")
	Stative          = list("stative")
	Habit            = list("habit")
	Coordinator      = list("coordinator")
	Subordinator     = list("subordinator")
	Complementizer   = list("complementizer")
	Condition        = list("condition")
	Weather          = list("weather")
	Relative         = list("relative")
	Pronoun          = list("pronoun")
	FirstPerson      = list("first person")
	SecondPerson     = list("second person")
	ThirdPerson      = list("third person")
	Deictic          = list("deictic")
	Determiner       = list("determiner")
	Preposition      = list("preposition")
	PlacePrep        = list("place preposition")
	TimePrep         = list("time preposition")
	PlaceNoun        = list("place noun")
	TimeNoun         = list("time noun")
	Month            = list("month")
	Weekday          = list("weekday")
	Ordinal          = list("ordinal")
	Superlative      = list("superlative")
	Manner           = list("manner")
	Address          = list("address")
	Opener           = list("opener")
	Quantifier       = list("quantifier")
	Approximation    = list("approximation")
	Report           = list("report")
	Hearsay          = list("hearsay")
	Doubt            = list("doubt")
	Wish             = list("wish")
	Fiction          = list("fiction")
	Partial          = list("partial")
	Falsehood        = list("falsehood")
	Untruth          = list("untruth")
	Assertion        = list("assertion")
	Retraction       = list("retraction")
	Announcement     = list("announcement")
	Imperative       = list("imperative")
	QuestionWord     = list("question word")
	Function         = list("function")
	Unit             = list("unit")
	SingleValue      = list("single value")
	Circumstance     = list("circumstance")
	Tells            = list("tells")
	OthersPaper      = list("others paper")
	Contrary         = list("contrary")
	Genre            = list("genre")
	Dream            = list("dream")
	Proof            = list("proof")
	Fraction         = list("fraction")
	Instead          = list("instead")
	Resolution       = list("resolution")
	Uncertain        = list("uncertain")
	Unreal           = list("unreal")
	Ability          = list("ability")
	Calling          = list("calling")
	Anaphor          = list("anaphor")
	Singular         = list("singular")
	Invention        = list("invention")
	Only             = list("only")
	Revocation       = list("revocation")
	TimeUnit         = list("time unit")
	Honorific        = list("honorific")
	Attribution      = list("attribution")
	Attributive      = list("attributive")
	SourceNoun       = list("source noun")
	Refusal          = list("refusal")
	Proviso          = list("proviso")
	Contention       = list("contention")
	Assurance        = list("assurance")
	Attitude         = list("attitude")
	Exception        = list("exception")
	InView           = list("in view")
	Vouching         = list("vouching")
	Ascription       = list("ascription")
	Standpoint       = list("standpoint")
	Record           = list("record")

	// Words by which a question is matched with its answer; packages clause and search/rank read them.
	LightVerb = list("light verb")
	Price     = list("price")
	Money     = list("money")
	Male      = list("male")
	Female    = list("female")

	// How names of persons, places and bodies are formed; package names reads them.
	Title  = list("title")
	Kin    = list("kin")
	Office = list("office")
)

// NamePart holds the lists by which names of persons, places and bodies are recognized; package names reads them.
var NamePart = struct{ PersonVerb, PersonPreposition, PlaceEnding, BodyEnding, PlaceBeginning, NamedPlace, GermanNoun, Sovereign, English, German List }{
	PersonVerb: list("person verb"), PersonPreposition: list("person preposition"), PlaceEnding: list("place ending"), BodyEnding: list("body ending"), PlaceBeginning: list("place beginning"), NamedPlace: list("named place"), GermanNoun: list("german noun"), Sovereign: list("sovereign"), English: list("english"), German: list("german"),
}

// Bound holds the lists of words that say how an amount is to be taken.
var Bound = struct{ Below, Above, AtLeast, AtMost, Precisely, Frequency, Rate List }{
	Below: list("below"), Above: list("above"), AtLeast: list("at least"), AtMost: list("at most"), Precisely: list("precisely"), Frequency: list("frequency"), Rate: list("rate"),
}

// Setting holds the lists of words that begin, end or announce what somebody tells, reads or dreams.
var Setting = struct{ Tale, Verdict, Pending, Points, Back, Onward, Ending, Ends, Thus, Supposition, Plot, Narrates, Waking, Sending, Copying List }{
	Tale: list("tale"), Verdict: list("verdict"), Pending: list("pending"), Points: list("points"), Back: list("back"), Onward: list("onward"), Ending: list("ending"), Ends: list("ends"), Thus: list("thus"), Supposition: list("supposition"), Plot: list("plot"), Narrates: list("narrates"), Waking: list("waking"), Sending: list("sending"), Copying: list("copying"),
}

// TakenBack holds the lists of words that take back what a text said before.
var TakenBack = struct{ Denial, Otherwise, Correction, Truth, Reflection, Error, Statement, Takes, Does, Particle, About, Recantation, Reference, Speaks, Spoken List }{
	Denial: list("denial"), Otherwise: list("otherwise"), Correction: list("correction"), Truth: list("truth"), Reflection: list("reflection"), Error: list("error"), Statement: list("statement"), Takes: list("takes"), Does: list("does"), Particle: list("particle"), About: list("about"), Recantation: list("recantation"), Reference: list("reference"), Speaks: list("speaks"), Spoken: list("spoken"),
}

func list(name string) List {
	if listsError != nil {
		panic(listsError)
	}
	l, ok := lists[name]
	if !ok {
		panic("lexicon: words.txt has no list " + name)
	}
	return l
}

// parse reads lists in the format that words.txt describes. An error begins with the number of the wrong line.
func parse(text string) (map[string]List, error) {
	out := map[string]List{}
	name := ""
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			name = strings.Trim(line, "[]")
			if _, twice := out[name]; twice || !strings.HasSuffix(line, "]") || name == "" {
				return nil, fmt.Errorf("lexicon: words.txt:%d: %q, want a new [name]", i+1, line)
			}
			out[name] = List{words: map[string]bool{}, phrases: map[string][][]string{}}
		case name == "":
			return nil, fmt.Errorf("lexicon: words.txt:%d: words before the first list", i+1)
		default:
			for w := range strings.FieldsSeq(line) {
				out[name].add(w)
			}
		}
	}
	return out, nil
}

func (l List) add(w string) {
	if parts := strings.Split(w, "_"); len(parts) > 1 {
		l.phrases[parts[0]] = append(l.phrases[parts[0]], parts)
		return
	}
	l.words[w] = true
}

// Has reports whether a list has a single word, in lower case.
func (l List) Has(w string) bool { return l.words[w] }

// At returns how many of the words from i on are the longest entry of the list that begins there; 0 where none does.
func (l List) At(words []string, i int) int {
	if i < 0 || i >= len(words) {
		return 0
	}
	n := 0
	if l.words[words[i]] {
		n = 1
	}
	for _, p := range l.phrases[words[i]] {
		if len(p) > n && startsWith(words[i:], p) {
			n = len(p)
		}
	}
	return n
}

// In returns the first entry of the list among words, "" where there is none.
func (l List) In(words []string) string {
	for i := range words {
		if n := l.At(words, i); n > 0 {
			return strings.Join(words[i:i+n], " ")
		}
	}
	return ""
}

func startsWith(words, prefix []string) bool {
	if len(words) < len(prefix) {
		return false
	}
	for i, w := range prefix {
		if words[i] != w {
			return false
		}
	}
	return true
}

// Words returns the single words of the list, in no order.
func (l List) Words() iter.Seq[string] { return maps.Keys(l.words) }
