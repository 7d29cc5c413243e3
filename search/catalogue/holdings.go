package catalogue

import (
	"regexp"
	"slices"
	"strings"
	"sync"

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
	WantAddressees Want = "addressees" // to whom they are addressed
	WantWriters    Want = "writers"    // who wrote them
	WantMostNamed  Want = "most named" // which of Names most of them name
	WantMentions   Want = "mentions"   // how often Mention is in them, in the order of time
	WantFirst      Want = "first"      // the first one that has Mention
	WantLast       Want = "last"       // the last one
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
	Names     []string
	Verb      string // of events, as the question has it
}

// First and Last are the days of a period that is open.
const (
	First = "0001-01-01"
	Last  = "9999-12-31"
)

// A shape is a question about the holdings as a whole: groups kind, tail (conditions), who, what, when and names.
type shape struct {
	want Want
	*regexp.Regexp
}

const (
	nouns  = `(?P<kind>(?:diary )?(?:letters?|entry|entries|reports?|articles?|books?|maps?|poems?|speeches|photographs?|recordings?|interviews?|e?mails?|memos?|notes?|papers?|documents?|records?|files?|items?|pieces?|texts?))`
	have   = `(?: (?:are|were|is|was)(?: there)?(?: held| kept| preserved)?| (?:do|does|have) (?:we|you|the archive|this archive|the collection)(?: have| hold| own| keep| possess| got)?| (?:have|has)(?: survived| come)?| survive| exist| remain| came?| did (?P<who>.+?) (?:write|send))?`
	names  = `(?:named|mentioned|spoken of|referred to)`
	says   = `(?:mentions?|names?|speaks? of|writes? of|refers? to|tells? of|touch(?:es)? on|deals? with|concerns?|discuss(?:es)?|(?:is|are) about)`
	whenDo = `(?:when|where|in (?:which|what) ` + nouns + `)`
	ofAll  = `(?: one)?(?: (?:in|by|of) (?:date|time)| chronologically| of all| of them(?: all)?)?`
	most   = `(?:(?:in )?(?:the )?(?:most(?: often| frequently)?|largest number|greatest number)(?: of)?(?: the| our| these)?(?: ` + nouns + `)?)(?: (?:in|of) (?:the|all|our|these) ` + nouns + `)?`
)

// englishShapes returns the questions about the holdings in English, compiled at the first use:
// at the start of the program they took a quarter of its time.
var englishShapes = sync.OnceValue(func() (out []shape) {
	for _, s := range []struct {
		want    Want
		pattern string
	}{
		{WantMostNamed, `(?:of |among )(?P<names>.+?),? (?:who|which) (?:is|was) ` + names + ` ` + most + `(?P<tail> .+)?`},
		{WantMostNamed, `(?:which|who) of (?P<names>.+?) (?:is|was) ` + names + ` ` + most + `(?P<tail> .+)?`},
		{WantMostNamed, `(?:which|who) of (?P<names>.+?) appears ` + most + `(?P<tail> .+)?`},
		{WantMostNamed, `(?:who|which person|which of these|whose name) (?:(?:is|was|gets) ` + names + `|appears|occurs) ` + most + `(?:[:,] (?P<names>.+)|(?P<tail> .+))?`},
		{WantMentions, `how (?:often|many times) (?:is|was|are|were) (?P<what>.+?) ` + names + `(?: in (?:the|these|all|those) .+)?`},
		{WantMentions, `how (?:often|many times) (?:does|do) (?P<what>.+?) (?:appear|occur)(?: in (?:the|these|all|those) .+)?`},
		{WantMentions, `how (?:often|many times) (?:did|does|do) (?P<who>.+?) (?:mention|name|speak of|write of|refer to) (?P<what>.+)`},
		{WantCount, `in how many (?:of the )?` + nouns + ` (?:is|was|are|were|does|do) (?P<what>.+?) (?:` + names + `|appear|occur)`},
		{WantFirst, whenDo + ` (?:did|does|do) (?P<who>.+?) first (?:mention|name|speak of|write of|refer to) (?P<what>.+)`},
		{WantFirst, whenDo + ` (?:is|was|are|were) (?P<what>.+?) first ` + names + `(?: in (?:the|these) .+)?`},
		{WantFirst, whenDo + ` (?:does|do|did) (?P<what>.+?) first (?:appear|occur)(?: in (?:the|these) .+)?`},
		{WantFirst, `(?:which|what) ` + nouns + ` (?:is the )?first(?: to)? (?:mentions?|names?|speaks? of) (?P<what>.+)`},
		{WantFirst, `(?:what|when|where) is the (?:first|earliest) mention of (?P<what>.+)`},
		{WantLast, whenDo + ` (?:did|does|do) (?P<who>.+?) last (?:mention|name|speak of|write of|refer to) (?P<what>.+)`},
		{WantLast, whenDo + ` (?:is|was|are|were) (?P<what>.+?) last ` + names},
		{WantWriting, `what did (?P<who>.+?) write (?P<when>(?:in|on|during) .+)`},
		{WantAddressees, `(?:to whom|who|whom|to which (?:people|persons)|which (?:people|persons)) did (?P<who>.+?) (?:write|send letters|address (?:letters|a letter))(?: to)?(?P<tail> (?:in|during|from) .+)?`},
		{WantWriters, `who (?:wrote|writes|has written|sent|sends) (?:(?:a )?(?:letters?|notes?|cards?) )?(?P<tail>to .+)`},
		{WantWriters, `(?:who|whom) (?:are|were) (?:the |all )?` + nouns + `(?P<tail> .+?)? (?:by|from)`},
		{WantWriters, `(?:from whom|by whom) (?:are|were) (?:the |all )?` + nouns + `(?P<tail> .+)?`},
		{WantWriters, `from whom did (?P<to>.+?) (?:get|receive|have) ` + nouns},
		{WantAddressees, `who (?:received|got) letters from (?P<who>.+)`},
		{WantAddressees, `(?:to whom|who) (?:are|were) (?P<who>.+?)['’]s? letters (?:addressed|written|sent)(?: to)?`},
		{WantAddressees, `who (?:were|are) (?P<who>.+?)['’]s? correspondents`},
		{WantList, `(?:what|which ` + nouns + `|is there anything|are there any ` + nouns + `) ?(?:is|are|have we|have we got)?(?: there)? (?:about|on|concerning|regarding) (?P<what>.+)`},
		{WantList, `(?:what|which ` + nouns + `) (?:do|does) (?:we|you|the archive|this archive|the collection) (?:have|hold|keep|say|contain) (?:about|on|concerning|regarding) (?P<what>.+)`},
		{WantList, `what (?:do|does) (?:the |our |these )?` + nouns + ` (?:have|hold|say|tell us|contain)(?: to say)? (?:about|on|of|concerning|regarding) (?P<what>.+)`},
		{WantList, `what (?:do|does|have) (?:we|you|the archive|this archive|the collection) (?:have|hold|own|keep|possess|got)(?P<tail> (?:from|by|of|to|dated|written) .+)`},
		{WantList, `(?:what|which(?: of the)? ` + nouns + `)(?: (?:has|have|is|are|bears?|carr(?:y|ies)|lacks?))? (?P<undated>no date|without (?:a )?date|a date|undated|not dated)`},
		{WantOldest, `(?:what|which|when|tell me|show me|name|give me|find) ?(?:is|was)? (?:the date of )?(?:the|your|our) (?:very )?(?:oldest|earliest|first)(?:[ -]dated)? ` + nouns + `(?P<tail> .+)?`},
		{WantOldest, `(?:what|which|when) (?:is|was) (?P<who>.+?)['’]s? (?:oldest|earliest|first)(?:[ -]dated)? ` + nouns},
		{WantNewest, `(?:what|which|when) (?:is|was) (?P<who>.+?)['’]s? (?:newest|latest|last|most recent)(?:[ -]dated)? ` + nouns},
		{WantCount, `how many ` + nouns + ` did (?P<to>.+?) (?:receive|get)(?P<tail> .+)?`},
		{WantCount, `(?:how many (?:of (?:the|our|these) )?|what is the number of |count the )` + nouns + have + `(?P<tail> .+)?`},
		{WantWriting, `what (?:was|is|were) written (?P<when>(?:in|on|during) .+)`},
	} {
		out = append(out, shape{s.want, regexp.MustCompile(`(?i)^` + s.pattern + `$`)})
	}
	return out
})

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
	for _, l := range []struct {
		shapes []shape
		*conditionWords
	}{{englishShapes(), englishConditions()}, {germanShapes(), germanConditions()}} {
		for _, s := range l.shapes {
			m := s.FindStringSubmatch(text)
			if m == nil {
				continue
			}
			h = Holding{Want: s.want}
			if h.take(s, m, l.conditionWords) {
				return h, true
			}
		}
		if h, ok = readLoose(text, l.conditionWords); ok {
			return h, true
		}
	}
	return readEvents(text)
}

// take reads the groups of a shape into the question.
func (h *Holding) take(s shape, m []string, words *conditionWords) bool {
	group := func(name string) string {
		for i, n := range s.SubexpNames() { // a noun may be in one of two places
			if n == name && m[i] != "" {
				return strings.TrimSpace(m[i])
			}
		}
		return ""
	}
	if kind := words.kind(strings.ToLower(group("kind"))); kind != "" && !general[kind] {
		h.Kind = kind
	}
	if who := group("who"); who != "" && !isPronoun(who) {
		if h.Writer = who; !mayName(who) || strings.ContainsAny(who, "0123456789") {
			return false
		}
	}
	h.Mention, h.Addressee = withoutArticle(group("what")), group("to")
	h.Undated = group("undated") != "" || strings.Contains(strings.ToLower(m[0]), "undated ")
	if list := group("names"); list != "" {
		for _, name := range regexp.MustCompile(`,\s*(?:and\s+|or\s+)?|\s+and\s+|\s+or\s+`).Split(list, -1) {
			if name = strings.TrimSpace(name); name != "" {
				h.Names = append(h.Names, name)
			}
		}
	}
	if when := group("when"); when != "" && !h.takeDate(strings.TrimSpace(when[strings.IndexByte(when, ' '):])) {
		return false
	}
	tail := group("tail")
	if h.Want == WantList && tail == "" && h.Mention == "" && !h.Undated && h.Writer == "" {
		return false // "which letters?" asks for nothing
	}
	ok := h.conditions(tail, words)
	return ok && (h.Want != WantWriters || h.Mention == "") // "Who wrote to Ruth about the mill?" asks of an event
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
