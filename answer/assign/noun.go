package assign

import (
	"slices"
	"strings"

	"muniment/answer/segment"
)

// A noun is a noun phrase: what a clause speaks of.
type noun struct {
	det   string  // a determiner that limits or belongs to somebody; "" for none, a and the
	count string  // a number, with about or over before it
	words []form  // adjectives, nouns and names in order; or one pronoun
	of    *noun   // whose, or of what
	and   []*noun // the others of a list
	the   bool    // with the, so that what follows may say which
	said  bool    // with any article, number or determiner
}

// quantifiers stand where a determiner stands, and change what is claimed.
var quantifiers = set(`all every each both some any no many few several most half much little another neither either enough`)

// approximations stand before a number.
var approximations = map[string]string{"about": "about", "around": "about", "approximately": "about", "roughly": "about",
	"over": "over", "nearly": "nearly", "almost": "nearly", "some": "about"}

// parseNoun reads a whole noun phrase; nil for what is none.
func parseNoun(ws []form) *noun {
	if len(ws) == 0 {
		return nil
	}
	if i := slices.IndexFunc(ws, func(f form) bool { return f.text == "and" }); i > 0 {
		first, rest := parseNoun(ws[:i]), parseNoun(ws[i+1:])
		if first == nil || rest == nil || len(first.and) > 0 {
			return nil
		}
		if last := ws[len(ws)-1]; ws[i+1].upper && !last.upper {
			return nil // "bread and Peter milk"
		}
		first.and = append([]*noun{rest}, rest.and...)
		rest.and = nil
		return first
	}
	if i := slices.IndexFunc(ws, func(f form) bool { return f.text == "of" }); i > 0 {
		first, rest := parseNoun(ws[:i]), parseNoun(ws[i+1:])
		if first == nil || rest == nil || first.of != nil || person(rest.words[0].text) != "" && rest.words[0].text != "they" {
			return nil
		}
		first.of = rest
		return first
	}
	for i := len(ws) - 2; i >= 0; i-- {
		owner, ok := strings.CutSuffix(ws[i].text, "'s")
		if !ok {
			continue
		}
		whose := slices.Clone(ws[:i+1])
		whose[i].text = owner
		n, of := parseNoun(ws[i+1:]), parseNoun(whose)
		if n == nil || of == nil || n.of != nil || n.said {
			return nil
		}
		n.of, n.the, n.said = of, true, true
		return n
	}
	return simpleNoun(ws)
}

// simpleNoun reads a noun phrase without of and and.
func simpleNoun(ws []form) *noun {
	n := &noun{}
	i := 0
	if w := ws[0].text; len(ws) == 1 && (person(nominative(w)) != "" || w == subject) {
		return &noun{words: []form{{text: nominative(w)}}, said: true}
	}
	if len(ws) > 2 && ws[0].text == "a" && (ws[1].text == "few" || ws[1].text == "little") {
		n.det, i = "a "+ws[1].text, 2
	}
	for i < len(ws) && (segment.Determiner(ws[i].text) || quantifiers[ws[i].text]) {
		if approximations[ws[i].text] != "" && i+1 < len(ws) && startsDigit(ws[i+1].text) {
			break
		}
		n.said = true
		switch w := ws[i].text; w {
		case "the":
			n.the = true
		case "a":
		default:
			n.det = strings.TrimSpace(n.det + " " + w)
		}
		i++
	}
	if i+1 < len(ws) && approximations[ws[i].text] != "" && startsDigit(ws[i+1].text) {
		n.count = approximations[ws[i].text] + " "
		i++
	}
	if i < len(ws) && startsDigit(ws[i].text) && !strings.HasSuffix(ws[i].text, "th") && !strings.HasSuffix(ws[i].text, "-year-old") {
		n.count += ws[i].text
		n.said = true
		i++
	}
	for _, w := range ws[i:] {
		if segment.Function(w.text) && !w.upper && w.text != "own" && w.text != subject && !(nounToo[w.text] && n.said) || strings.ContainsAny(w.text, signs+",") && !isDate(w.text) {
			return nil
		}
		n.words = append(n.words, w)
	}
	if len(n.words) == 0 {
		if n.count == "" && n.det == "" {
			return nil
		}
		n.words = []form{{text: "@those"}} // two of the five
	}
	return n
}

// nounToo are function words that are nouns behind an article.
var nounToo = set(`mine will can might`)

// nominative returns the form of a pronoun that a subject has.
func nominative(w string) string {
	switch w {
	case "me":
		return "i"
	case "us":
		return "we"
	case "him":
		return "he"
	case "her":
		return "she"
	case "them":
		return "they"
	}
	return w
}

// names returns where the run of capitals at the end of a phrase begins, len(ws) for none.
func names(ws []form) int {
	i := len(ws)
	for i > 0 && (ws[i-1].upper || ws[i-1].text == subject || i == 1 && ws[0].begin) {
		i--
	}
	return i
}

// A nounMatcher compares noun phrases of a claim with those of evidence.
type nounMatcher struct {
	mapped map[string]bool // for whom a first person was taken, as matcher has it
	loose  bool            // adjectives may be left out
	once   func(f form) bool
	only   func(c, e form) bool // no other word there would be meant too
	list   bool                 // some of a list may be named
}

// same tells whether a claim's phrase may stand for one of the evidence.
func (m *nounMatcher) same(c, e *noun) bool {
	if c == nil || e == nil {
		return c == nil && e == nil
	}
	if len(c.and) > 0 || len(e.and) > 0 {
		return m.sameList(c, e)
	}
	ok, bare := m.sameWords(c, e)
	if !ok || c.count != e.count && !(bare && c.count == "") {
		return false
	}
	if bare && c.det == "" && c.of == nil {
		return true // "my brother Thomas" is Thomas
	}
	if c.of != nil && e.of == nil && c.det == "" && len(c.of.words) == 1 && c.of.words[0].text == subject && e.det == "my" {
		m.mapped["self"] = true
		return true // the writer's brother is "my brother"
	}
	return m.sameDet(c.det, e.det) && m.same(c.of, e.of)
}

func (m *nounMatcher) sameList(c, e *noun) bool {
	cs, es := append([]*noun{alone(c)}, c.and...), append([]*noun{alone(e)}, e.and...)
	if len(cs) > len(es) || len(cs) < len(es) && !m.list {
		return false
	}
	for _, x := range cs {
		i := slices.IndexFunc(es, func(y *noun) bool { return m.same(x, y) })
		if i < 0 {
			return false
		}
		es = slices.Delete(slices.Clone(es), i, i+1)
	}
	return true
}

func alone(n *noun) *noun {
	one := *n
	one.and = nil
	return &one
}

// sameDet compares determiners: no article says more than another; his stands for my.
func (m *nounMatcher) sameDet(c, e string) bool {
	return c == e || adopts(c, e, m.mapped) || c == "" && e == "your"
}

// sameWords compares the words of two phrases. bare tells that only the name of "my brother Thomas"
// is left.
func (m *nounMatcher) sameWords(c, e *noun) (ok, bare bool) {
	if len(c.words) == 1 && len(e.words) == 1 && (adopts(c.words[0].text, e.words[0].text, m.mapped)) {
		return true, false
	}
	tail := names(e.words)
	for j := range tail {
		if f := e.words[j]; privatives[f.text] {
			tail = len(e.words) // "the late Max", "the false Max"
		}
	}
	i, j := 0, 0
	for i < len(c.words) && j < len(e.words) {
		switch {
		case sameWord(c.words[i], e.words[j]), m.loose && i+1 == len(c.words) && j+1 == len(e.words) && m.only != nil && wider(c.words[i], e.words[j]) && m.only(c.words[i], e.words[j]):
			i++
		case m.omitted(e.words, j):
		case tail < len(e.words) && j < tail && i == 0 && sameWord(c.words[0], e.words[tail]):
			j, bare = tail-1, true
		case j >= tail && j+1 < len(e.words) && i == 0 && !titles[e.words[0].text] && !titles[e.words[tail].text] && len(c.words) == 1 && sameWord(c.words[0], e.words[len(e.words)-1]):
			j, bare = len(e.words)-2, true // the last name alone
		default:
			return false, false
		}
		j++
	}
	if i < len(c.words) {
		return false, false
	}
	if j == len(e.words) {
		return true, bare
	}
	// "her brother" for "my brother Thomas"; "Karl" for "Karl Huber".
	return j == tail && tail > 0 || i == 1 && j > tail && !titles[e.words[tail].text], bare
}

// omitted tells whether word j of a phrase may be left out.
func (m *nounMatcher) omitted(ws []form, j int) bool {
	if titles[ws[j].text] && (ws[j].upper || ws[j].begin) {
		return len(ws) >= j+3 && names(ws) <= j+1
	}
	return m.loose && j+1 < len(ws) && (plainer[ws[j].text] || plainAdjectives[ws[j].text] || strings.HasSuffix(ws[j].text, "-year-old")) && !ws[j].upper && m.once(ws[len(ws)-1])
}

// plainer are further adjectives that say in what state a thing is.
var plainer = set(`wounded broken stolen hungry tired empty wooden stone iron brick silver golden tiled painted dusty dirty clean
	wet dry dark bright quiet loud local annual nearby famous wealthy rich poor busy huge tiny`)

// privatives before a noun say that it is not, or no longer, what it names.
var privatives = set(`former late false fake alleged supposed self-styled would-be so-called mock deputy acting vice assistant future
	pretended imaginary toy model second third next last first`)
