package assign

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"muniment/answer/segment"
)

//go:embed thesaurus.txt
var thesaurusText string

// A thesaurus says which words stand for others. It is written by hand; its file says how.
type thesaurus struct {
	rewrites map[string][]rewriting // by their first word, longest first
}

// A rewriting replaces a run of words.
type rewriting struct {
	from, to []string
	sort     byte // 'v' past and participle, 'b' other forms of a verb, 'n' noun, 'w' any
	twice    bool // the form is that of the present too: shut
}

// synonyms returns the thesaurus of thesaurus.txt, which is read when the first claim needs it.
var synonyms = sync.OnceValue(func() thesaurus {
	t, err := parseThesaurus(thesaurusText)
	if err != nil {
		panic("thesaurus.txt:" + err.Error())
	}
	return t
})

// maxPhrase is how many words a phrase of the thesaurus has at most.
const maxPhrase = 6

// parseThesaurus reads a thesaurus; an error begins with the line that is wrong.
func parseThesaurus(text string) (thesaurus, error) {
	past, many := map[string][2]string{}, map[string]string{}
	group := map[string]bool{}
	t := thesaurus{map[string][]rewriting{}}
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSuffix(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		fs := strings.Split(line, " ")
		kind, ws := fs[0], fs[1:]
		if len(ws) < 2 {
			return thesaurus{}, fmt.Errorf("%d: %d words, want at least 2", n, len(ws))
		}
		for _, w := range ws {
			if w == "" || strings.Trim(w, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" || strings.Count(w, "_") >= maxPhrase {
				return thesaurus{}, fmt.Errorf("%d: %q, want lower-case letters, digits and _", n, w)
			}
		}
		switch kind {
		default:
			return thesaurus{}, fmt.Errorf("%d: kind %q, want verb, noun, word, past or many", n, kind)
		case "past":
			if len(ws) != 3 || past[ws[0]][0] != "" {
				return thesaurus{}, fmt.Errorf("%d: %q, want a verb not given before, its past and its participle", n, line)
			}
			past[ws[0]] = [2]string{ws[1], ws[2]}
		case "many":
			if len(ws) != 2 || many[ws[0]] != "" {
				return thesaurus{}, fmt.Errorf("%d: %q, want a noun not given before and its plural", n, line)
			}
			many[ws[0]] = ws[1]
		case "verb", "noun", "word":
			for _, w := range ws {
				if group[kind+w] {
					return thesaurus{}, fmt.Errorf("%d: %s %s is in a group already", n, kind, w)
				}
				group[kind+w] = true
			}
			to := inflect(kind, ws[0], past, many)
			if kind == "verb" && to[2] != to[3] {
				return thesaurus{}, fmt.Errorf("%d: %s has a past %s and a participle %s, want one form", n, ws[0], to[2], to[3])
			}
			for _, w := range ws[1:] {
				t.rewrite(kind, inflect(kind, w, past, many), to)
			}
		}
	}
	for _, rs := range t.rewrites {
		slices.SortStableFunc(rs, func(a, b rewriting) int { return len(b.from) - len(a.from) })
	}
	return t, nil
}

func (t *thesaurus) rewrite(kind string, from, to []string) {
	for i, f := range from {
		r := rewriting{from: strings.Fields(f), to: strings.Fields(to[i]), sort: 'w'}
		switch {
		case kind == "noun":
			r.sort = 'n'
		case kind == "verb" && (i == 2 || i == 3):
			r.sort = 'v'
			r.twice = from[0] == f
			if i == 3 && from[2] == f {
				continue
			}
		case kind == "verb":
			r.sort, r.twice = 'b', i == 0 && from[2] == f
		}
		t.rewrites[r.from[0]] = append(t.rewrites[r.from[0]], r)
	}
}

// inflect returns the forms of a word: of a verb base, third person, past, participle, -ing; of a noun
// singular and plural; of others itself. Of a phrase the first word of a verb and the last of a noun changes.
func inflect(kind, w string, past map[string][2]string, many map[string]string) []string {
	w = strings.ReplaceAll(w, "_", " ")
	switch kind {
	case "verb":
		base, rest, phrase := strings.Cut(w, " ")
		if phrase {
			rest = " " + rest
		}
		pp, ok := past[base]
		if !ok {
			p := regular(base, "ed")
			if base == "have" {
				p = "had"
			}
			pp = [2]string{p, p}
		}
		third := plurals(base)
		if base == "have" {
			third = "has"
		}
		return []string{base + rest, third + rest, pp[0] + rest, pp[1] + rest, regular(base, "ing") + rest}
	case "noun":
		before, last := "", w
		if i := strings.LastIndexByte(w, ' '); i >= 0 && !strings.Contains(w, " of ") {
			before, last = w[:i+1], w[i+1:]
		} else if i >= 0 {
			return []string{w, w}
		}
		if p := many[last]; p != "" {
			return []string{w, before + p}
		}
		return []string{w, before + plurals(last)}
	}
	return []string{w}
}

// plurals returns the form of a word in -s.
func plurals(w string) string {
	switch {
	case strings.HasSuffix(w, "y") && len(w) > 1 && !strings.ContainsRune("aeiou", rune(w[len(w)-2])):
		return w[:len(w)-1] + "ies"
	case strings.HasSuffix(w, "s"), strings.HasSuffix(w, "x"), strings.HasSuffix(w, "sh"), strings.HasSuffix(w, "ch"), strings.HasSuffix(w, "z"), w == "go", w == "do":
		return w + "es"
	}
	return w + "s"
}

// regular returns the form of a verb in -ed or -ing.
func regular(w, end string) string {
	n := len(w)
	vowel := func(i int) bool { return strings.ContainsRune("aeiou", rune(w[i])) }
	switch {
	case end == "ing" && strings.HasSuffix(w, "ie"):
		return w[:n-2] + "ying"
	case strings.HasSuffix(w, "e") && !(end == "ing" && strings.HasSuffix(w, "ee")):
		return w[:n-1] + end
	case end == "ed" && strings.HasSuffix(w, "y") && !vowel(n-2):
		return w[:n-1] + "ied"
	case n > 2 && !vowel(n-1) && vowel(n-2) && !vowel(n-3) && !strings.ContainsRune("wxy", rune(w[n-1])) && (n < 5 || doubling[w]):
		return w + w[n-1:] + end
	}
	return w + end
}

// replaceSynonyms replaces words and phrases by those that stand for them.
func replaceSynonyms(ws []form) []form {
	var out []form
next:
	for i := 0; i < len(ws); i++ {
		for _, r := range synonyms().rewrites[ws[i].text] {
			if !phraseAt(ws[i:], r.from) || !r.fits(ws, i) {
				continue
			}
			for k, w := range r.to {
				out = append(out, form{text: w, begin: ws[i].begin && k == 0})
			}
			i += len(r.from) - 1
			continue next
		}
		out = append(out, ws[i])
	}
	return out
}

// fits reports whether the words at i are what a rewriting takes them for.
func (r rewriting) fits(ws []form, i int) bool {
	before := ""
	if i > 0 {
		before = ws[i-1].text
	}
	infinitive := before == "to" || doForms[before] || before == "not" || doubts[before] && !negations[before]
	pronoun := person(before) != ""
	noun := i > 0 && (segment.Determiner(before) || startsDigit(before) || quantifiers[before] || plainAdjectives[before] || strings.HasSuffix(before, "'s") || preposition(ws, i-1) && before != "to")
	if k := i + len(r.from); r.from[len(r.from)-1] == "in" && r.sort != 'w' && k < len(ws) && ws[k].text != comma && !preposition(ws, k) && !conjunction(ws[k].text) {
		return false // fell in love, fell in March
	}
	switch r.sort {
	case 'n':
		return !infinitive && !pronoun
	case 'v':
		return !(r.twice && (infinitive || noun || before == "i" || before == "we" || before == "they" || before == "you"))
	case 'b':
		if r.twice && !infinitive && before != "i" && before != "we" && before != "they" && before != "you" {
			return false
		}
		return !noun && i > 0 && (infinitive || pronoun || len(r.from) > 1 || strings.HasSuffix(r.from[0], "s") || strings.HasSuffix(r.from[0], "ing"))
	}
	return true
}
