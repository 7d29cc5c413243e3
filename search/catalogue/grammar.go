package catalogue

import (
	"regexp"
	"slices"
	"strings"

	"muniment/text/lexicon"
	"muniment/text/segment"
)

// A grammar is how a language asks for papers, in any order: each form is taken out of the question with its groups, and what is left are
// conditions. A form leaves its group rest.
type grammar struct {
	*conditionWords
	names    []*regexp.Regexp // who is compared, in group names
	cues     []cue            // what is wanted
	undated  *regexp.Regexp
	together *regexp.Regexp   // the papers have two of what is named
	noun     *regexp.Regexp   // groups kind, and whose
	holding  *regexp.Regexp   // that papers are there
	held     []*regexp.Regexp // what papers hold, in group what, and its verb
	receiver *regexp.Regexp   // who received papers
	subject  *regexp.Regexp   // who wrote them
	silent   []string         // words that say nothing at the beginning and the end
}

// A cue says what is wanted of papers.
type cue struct {
	Want
	*regexp.Regexp
}

// cues compiles what is wanted and its forms, in turn.
func cues(list ...string) (out []cue) {
	for i := 0; i < len(list); i += 2 {
		out = append(out, cue{Want(list[i]), pattern(list[i+1])})
	}
	return out
}

// pattern compiles a form; NAME in it is a name with a capital, or a pronoun.
func pattern(form string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)` + strings.ReplaceAll(form, "NAME", `(?:(?-i:\p{Lu}[\p{L}.’'-]*(?: (?:(?:von|van|de|der|zu) )*\p{Lu}[\p{L}.’'-]*)*)|i|he|she|they|we|er|sie|wir)`))
}

// A phrase is what has not been read yet of a question.
type phrase string

// take takes the first match of a form out of a phrase and returns the value of a group; group is nil where there is none.
func (p *phrase) take(f *regexp.Regexp) (group func(name string) string) {
	text := string(*p)
	at := f.FindStringSubmatchIndex(text)
	if at == nil {
		return nil
	}
	group = func(name string) string {
		for i, n := range f.SubexpNames() {
			if n == name && at[2*i] >= 0 {
				return strings.TrimSpace(text[at[2*i]:at[2*i+1]])
			}
		}
		return ""
	}
	*p = phrase(strings.Join(strings.Fields(text[:at[0]]+" "+group("rest")+" "+text[at[1]:]), " "))
	return group
}

// read reads a question; ok is false where it asks something else, or has a part that is no condition.
func (g *grammar) read(text string) (h Holding, ok bool) {
	first, rest, _ := strings.Cut(text, " ") // the first word is no name
	p := phrase(strings.ToLower(first) + " " + rest)
	h.Want = WantList
	for _, f := range g.names {
		if group := p.take(f); group != nil {
			h.Names = nameList.Split(group("names"), -1)
			break
		}
	}
	written := false
	for _, c := range g.cues {
		if group := p.take(c.Regexp); group != nil {
			h.Want, written = c.Want, group("verb") != ""
			break
		}
	}
	if len(h.Names) > 0 && h.Want != WantMostNamed {
		return h, false
	}
	h.Undated = p.take(g.undated) != nil
	together := p.take(g.together) != nil
	noun := p.take(g.noun)
	if noun != nil {
		h.Kind, h.Writer = g.kind(noun("kind")), noun("whose")
	}
	there := p.take(g.holding) != nil
	for _, f := range g.held {
		if group := p.take(f); group != nil && h.Mention == "" && !h.takeMention(group("what")) {
			return h, false
		}
	}
	if group := p.take(g.receiver); group != nil {
		h.Addressee, written = withoutPronoun(group("who")), true
	}
	if group := p.take(g.subject); group != nil {
		h.Writer, written = withoutPronoun(group("who")), true
	}
	if !h.conditions(trimSilent(g.dangling.ReplaceAllString(" "+string(p), ""), g.silent), g.conditionWords) || together && !h.divideMention() {
		return h, false
	}
	return h, h.isWhole(text, noun != nil, there, written)
}

// isWhole reports whether a question that was read asks for papers, by a noun, by a verb of having them or one of writing, and completes what is wanted.
func (h *Holding) isWhole(text string, noun, there, written bool) bool {
	limited := h.Writer != "" || h.Addressee != "" || h.Origin != "" || h.Place != "" || h.Between[0] != "" || h.From != "" || h.Undated
	switch h.Want {
	case WantList:
		if !noun && !there && written && h.From != "" && h.Mention == "" {
			h.Want = WantWriting
			return asksWhat.MatchString(text)
		}
		return !asksWhen.MatchString(text) && ((noun || there) && (limited || h.Mention != "") || h.Undated)
	case WantMentions:
		if h.Mention == "" || h.Also != "" {
			h.Want = WantCount
		}
		return written || h.Mention != ""
	case WantWriters: // "Who wrote to Ruth about the mill?" asks for an event
		return (noun || written) && limited && h.Mention == ""
	case WantAddressees:
		return noun || written
	case WantSpan:
		return noun
	case WantMostNamed, WantPairs:
		return true
	}
	return noun || written || h.Mention != ""
}

var (
	asksWhen = regexp.MustCompile(`(?i)^(?:when|(?:von )?wann)\b`) // for a time, which a list does not answer
	asksWhat = regexp.MustCompile(`(?i)^(?:what|was) `)
	nameList = regexp.MustCompile(`,\s*(?:and\s+|or\s+)?|\s+(?:and|or|und|oder)\s+`)
)

// withoutPronoun returns a name, "" for a pronoun.
func withoutPronoun(name string) string {
	if isPronoun(name) {
		return ""
	}
	return name
}

// trimSilent returns a text without the words at its beginning and its end that say nothing.
func trimSilent(text string, silent []string) string {
	fields := strings.Fields(text)
	says := func(s string) bool { return !slices.Contains(silent, strings.ToLower(strings.Trim(s, ","))) }
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

// patterns compiles forms that are tried one after the other.
func patterns(forms ...string) (out []*regexp.Regexp) {
	for _, f := range forms {
		out = append(out, pattern(f))
	}
	return out
}
