package catalogue

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"muniment/text/lexicon"
	"muniment/text/segment"
)

// A cue says what is wanted of papers, or which kind; it is cut out of the question.
type cue struct {
	want Want
	*regexp.Regexp
}

// A grammar is how a language asks for papers in any order: what is left of a question without cues, subject and noun is conditions.
type grammar struct {
	cues    []cue
	subject *regexp.Regexp // who wrote; its group is the name
	noun    *regexp.Regexp // group kind
	fillers []string       // words that say nothing at the beginning and the end
}

// somebody is a name with a capital, or a pronoun.
const somebody = `((?-i:(?:\p{Lu}[\p{L}.’'-]*)(?: (?:(?:von|van|de|der|zu) )*\p{Lu}[\p{L}.’'-]*)*)|he|she|they|we|er|sie|wir)`

// grammars returns the grammars of English and German by their condition words, compiled at the first use.
var grammars = sync.OnceValue(func() map[*conditionWords]grammar {
	compile := func(subject, noun, fillers string, cues ...string) grammar {
		w := grammar{subject: regexp.MustCompile(`(?i)` + subject), noun: regexp.MustCompile(`(?i)(?:^| )` + noun + `(?: |$)`), fillers: strings.Fields(fillers)}
		for i := 0; i < len(cues); i += 2 {
			w.cues = append(w.cues, cue{Want(cues[i]), regexp.MustCompile(`(?i)` + cues[i+1])})
		}
		return w
	}
	return map[*conditionWords]grammar{
		englishConditions(): compile(
			`(?:\b(?:did|does|has|have|had) `+somebody+` (?:ever )?(?:write|written|send|sent)\b)|(?:\b(?:that |which )?`+somebody+` (?:wrote|sent|has written|had written)\b)`,
			`(?:everything|anything|`+nouns+`)`,
			`which what when is it are was were the a an there do does did we you have has had hold held list show give me name tell find all any every of these our archive collection in total please written sent dated date come came exist survive addressed ones one still and`,
			string(WantCount), `^(?:in )?how (?:many|often|many times)\b(?: of)?|^(?:what (?:is|was) )?the (?:total )?number of\b|^count\b`,
			string(WantAddressees), `^(?:to whom|to which (?:people|persons))\b`, string(WantAddressees), `^whom?\b.* to$`,
			string(WantWriters), `^(?:from whom|by whom|who)\b(?: (?:wrote|writes|has written|sent))?`,
			string(WantOldest), `\bfor the first time\b|\b(?:very )?(?:oldest|earliest|first)\b`,
			string(WantNewest), `\bfor the last time\b|\b(?:very )?(?:newest|latest|most recent|last)\b`),
		germanConditions(): compile(
			`(?:\b(?:schrieb|schickte|sandte|hat) `+somebody+`(?: |$))|(?:\b(?:den |die |der |das )?`+somebody+` (?:schrieb|schickte|sandte|geschrieben hat)\b)`,
			`(?:alles|`+nounsDE+`)`,
			`welche welcher welches welchen welchem was wann von ist es sind war waren wurde wurden der die das den dem gibt wir ihr haben hat zeige zeig nenne mir alle stammt stammen archiv vorhanden hier liegen liegt vor kamen gingen kommen geschrieben verfasst datiert gerichtet geschickt gesandt im mit und`,
			string(WantCount), `^(?:in )?wie ?viele[nr]?\b|^wie (?:oft|häufig)\b|^(?:wie groß ist )?die (?:an)?zahl der\b`,
			string(WantAddressees), `^(?:an wen|wem)\b`, string(WantWriters), `^(?:von wem|wer)\b(?: (?:schrieb|schreibt|schickte|sandte))?`,
			string(WantOldest), `\bzum ersten mal\b|\b(?:zuerst|älteste[nrs]?|früheste[nrs]?|erste[nrs]?)\b`,
			string(WantNewest), `\bzum letzten mal\b|\b(?:zuletzt|neueste[nrs]?|jüngste[nrs]?|späteste[nrs]?|letzte[nrs]?)\b`),
	}
})

// readLoose reads a question of which no shape is known: cues, a subject and a noun anywhere, and all that is left conditions.
func readLoose(text string, words *conditionWords) (h Holding, ok bool) {
	w := grammars()[words]
	h.Want = WantList
	cut := func(at []int) { text = text[:at[0]] + " " + text[at[1]:] }
	for _, c := range w.cues {
		at := c.FindStringIndex(text)
		if at == nil || h.Want != WantList {
			continue
		}
		if h.Want = c.want; strings.HasSuffix(c.String(), "to$") { // who were the letters addressed to
			text = text[strings.IndexByte(text, ' ') : len(text)-len(" to")]
		} else {
			cut(at)
		}
	}
	written := false
	if m := w.subject.FindStringSubmatchIndex(text); m != nil {
		who := m[2:4]
		if who[0] < 0 {
			who = m[4:6]
		}
		if name := text[who[0]:who[1]]; !isPronoun(name) {
			h.Writer = name
		}
		written = true
		cut(m[:2])
	}
	noun := w.noun.FindStringSubmatchIndex(text)
	if noun != nil {
		if k := w.noun.SubexpIndex("kind"); noun[2*k] >= 0 {
			if kind := words.kind(strings.ToLower(text[noun[2*k]:noun[2*k+1]])); !general[kind] {
				h.Kind = kind
			}
		}
		cut(noun[:2])
	}
	if noun == nil && !written && h.Want != WantWriters || h.Want == WantList && asksWhen.MatchString(text) {
		return h, false
	}
	tail := trimFillers(text, w.fillers)
	if h.Want == WantList && (noun == nil || tail == "" && h.Writer == "") || h.Want == WantWriters && tail == "" {
		return h, false
	}
	return h, h.conditions(tail, words) && (h.Want != WantWriters || h.Mention == "")
}

// asksWhen begins a question for a time, which a list does not answer.
var asksWhen = regexp.MustCompile(`(?i)^(?:when|(?:von )?wann)\b`)

// trimFillers returns a text without the words at its beginning and its end that say nothing.
func trimFillers(text string, fillers []string) string {
	fields := strings.Fields(text)
	says := func(s string) bool { return !slices.Contains(fillers, strings.ToLower(s)) }
	first := slices.IndexFunc(fields, says)
	if first < 0 {
		return ""
	}
	for !says(fields[len(fields)-1]) {
		fields = fields[:len(fields)-1]
	}
	return strings.Join(fields[first:], " ")
}

// maxNameWords is how many words the name of a person or a place has at most.
const maxNameWords = 6

// mayName reports whether words may be the name of a person or a place: no verb, and where one word has a capital, so have all but titles and particles.
func mayName(value string) bool {
	all := segment.Words(value)
	upper := slices.ContainsFunc(all, func(w segment.Word) bool { return w.Upper })
	return len(all) <= maxNameWords && !slices.ContainsFunc(all, func(w segment.Word) bool {
		return !w.Upper && !lexicon.Kin.Has(w.Lower) && !lexicon.Title.Has(w.Lower) && (segment.FiniteVerb(w.Lower) || upper && !segment.Function(w.Lower))
	})
}
