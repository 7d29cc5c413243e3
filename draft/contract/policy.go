package contract

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"

	"muniment/text/segment"
)

//go:embed banks.txt
var bankLines string

// bankTable is banks.txt as it is looked up.
type bankTable struct {
	keys  []string            // of the banks, in the order of the file
	names map[string][]phrase // by key; those of the signs * % + ? ! under the sign
}

// A phrase is one name, as words with a space on both sides.
type phrase struct {
	words  string
	spelt  bool // in capitals: compared as it stands
	source string
}

var banks = sync.OnceValue(func() *bankTable {
	t := &bankTable{names: map[string][]phrase{}}
	for line := range strings.SplitSeq(bankLines, "\n") {
		key, names, ok := strings.Cut(line, "\t")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		if unicode.IsLetter(rune(key[0])) {
			t.keys = append(t.keys, key)
		}
		for name := range strings.SplitSeq(names, "; ") {
			spelt := strings.ToUpper(name) == name && !strings.Contains(name, " ")
			t.names[key] = append(t.names[key], phrase{spaced(name, !spelt), spelt, name})
		}
	}
	return t
})

// spaced returns the words of a text with single spaces between and around them, in lower case where
// fold is set.
func spaced(text string, fold bool) string {
	if fold {
		text = strings.ToLower(text)
	}
	text = strings.NewReplacer("’s ", " ", "'s ", " ", "’", "'").Replace(text + " ")
	return " " + strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && r != '\'' && r != '.'
	}), " ") + " "
}

// words returns a text in the two forms in which phrases are looked for, stops and hyphens as spaces.
func (t *bankTable) words(text string) (folded, spelt string) {
	clean := strings.NewReplacer(". ", " ", ".\n", " ", "_", " ", "-", " ").Replace(strings.TrimRight(text, ".!? ") + " ")
	return spaced(clean, true), spaced(clean, false)
}

// has reports whether a text has one of the names of a line.
func (t *bankTable) has(key, text string) bool {
	folded, spelt := t.words(text)
	return slices.ContainsFunc(t.names[key], func(p phrase) bool {
		return p.spelt && strings.Contains(spelt, p.words) || !p.spelt && strings.Contains(folded, p.words)
	})
}

// namedIn returns the keys of the banks that a text names.
func (t *bankTable) namedIn(text string) []string {
	return slices.DeleteFunc(slices.Clone(t.keys), func(key string) bool { return !t.has(key, text) })
}

// aliases returns all names of the banks that a text names.
func (t *bankTable) aliases(text string) []string {
	var out []string
	for _, key := range t.namedIn(text) {
		for _, p := range t.names[key] {
			out = append(out, p.source)
		}
	}
	return out
}

// bankPolicy returns the banks of whose policy a claim speaks. about is true also where it speaks of
// monetary policy and names none. What others think of a bank is no claim about its policy.
func bankPolicy(claim string) (named []string, about bool) {
	t := banks()
	named = t.namedIn(claim)
	if about = len(named) > 0 || t.has("*", claim); !about || !t.has("+", claim) || t.opinion(claim) {
		return nil, false
	}
	return named, true
}

// opinion reports whether the subject of a claim is somebody who has an opinion.
func (t *bankTable) opinion(claim string) bool {
	words := segment.Words(claim)
	const subject = 6 // words in which the one who thinks and the verb stand
	if len(words) == 0 {
		return false
	}
	head := claim[:words[min(len(words), subject)-1].End]
	return t.has("?", head) && t.has("!", head)
}

// isOf reports whether a source is a bank's own: its publisher or its id says so, else its tags or its title.
func (t *bankTable) isOf(e *Evidence, key string) bool {
	for _, text := range []string{e.Publisher, e.SourceID, strings.Join(e.Tags, " , "), e.Title} {
		if of := t.namedIn(upperTags(text)); len(of) > 0 {
			return slices.Contains(of, key)
		}
	}
	return false
}

// upperTags returns a text followed by itself in capitals: tags and ids are written in lower case.
func upperTags(text string) string {
	if strings.ToLower(text) != text {
		return text
	}
	return text + " , " + strings.ToUpper(text)
}

// means reports whether one of a source's tags denotes a topic: policy_centralbank also as fomc or
// monetary-policy, macro_data also as gdp.
func (e *Evidence) means(tag string) bool {
	if e.tagged(tag) {
		return true
	}
	t := banks()
	for _, own := range e.Tags {
		text := upperTags(own)
		if tag == TagCentralBank && (t.has("*", text) || len(t.namedIn(text)) > 0) || tag == TagMacroData && t.has("%", text) {
			return true
		}
	}
	return false
}

// unofficial applies the rule of official sources and returns what is at issue: a bank, or a tag.
func unofficial(claim string, cited, available []Evidence) string {
	t := banks()
	_, onlyDates := isNumeric(claim)
	official := func(e *Evidence, tag string) bool { return e.Tier == 1 && e.Invalid == "" && e.means(tag) }
	if onlyDates && scheduled(claim) && slices.ContainsFunc(cited, func(e Evidence) bool { return e.tagged(TagCalendar) }) {
		return ""
	}
	named, about := bankPolicy(claim)
	if !about && slices.ContainsFunc(cited, func(e Evidence) bool { return e.means(TagCentralBank) }) && !t.opinion(claim) {
		about = true
	}
	for _, key := range named {
		own := func(e Evidence) bool { return e.Tier == 1 && e.Invalid == "" && t.isOf(&e, key) }
		if slices.ContainsFunc(available, own) && !slices.ContainsFunc(cited, own) {
			return "the policy of " + t.names[key][0].source
		}
	}
	macro := numeric().macro.MatchString(claim) || slices.ContainsFunc(cited, func(e Evidence) bool { return e.means(TagMacroData) })
	for _, x := range []struct {
		about bool
		tag   string
	}{{about && len(named) == 0, TagCentralBank}, {macro, TagMacroData}} {
		if x.about && !slices.ContainsFunc(cited, func(e Evidence) bool { return e.Tier == 1 }) &&
			slices.ContainsFunc(available, func(e Evidence) bool {
				return official(&e, x.tag) && (x.tag != TagMacroData || figures().alike(claim, e.words()))
			}) {
			return x.tag
		}
	}
	return ""
}

// words returns the title, publisher, snippet and quote of a source as one text.
func (e *Evidence) words() string {
	text := e.Title + " " + e.Publisher + " " + e.Snippet
	if e.Quote != nil {
		text += " " + e.Quote.Text
	}
	return text
}

//go:embed figures.txt
var figureLines string

// A figureTable is figures.txt: the names of one official figure a line.
type figureTable [][]string

var figures = sync.OnceValue(func() (t figureTable) {
	for line := range strings.SplitSeq(strings.TrimSpace(figureLines), "\n") {
		if !strings.HasPrefix(line, "#") {
			t = append(t, strings.Split(line, "; "))
		}
	}
	return t
})

// alike reports whether two texts name the same figure, or one of them names none: the source of one figure
// says nothing of another.
func (t figureTable) alike(a, b string) bool {
	inA, inB := false, false
	a, b = spaced(strings.ReplaceAll(a, "-", " "), true), spaced(strings.ReplaceAll(b, "-", " "), true)
	for _, names := range t {
		one := slices.ContainsFunc(names, func(n string) bool { return strings.Contains(a, " "+n) })
		two := slices.ContainsFunc(names, func(n string) bool { return strings.Contains(b, " "+n) })
		if one && two {
			return true
		}
		inA, inB = inA || one, inB || two
	}
	return !inA || !inB
}
