package assign

import (
	"strings"

	"muniment/answer/segment"
)

// A matcher compares a claim with the clauses of one sentence.
type matcher struct {
	evidence      []form          // the clause that is compared
	subjectWrites bool            // the first person is the archive's subject
	replaced      map[string]bool // the pronouns that stand for a first person: he, she, they, self
}

// unambiguous reports whether the first person stands for one person, and nobody else in the evidence could be
// meant by the same pronoun.
func (m *matcher) unambiguous() bool {
	if len(m.replaced) == 0 {
		return true
	}
	if !m.subjectWrites || m.replaced["he"] && m.replaced["she"] || m.replaced["they"] && len(m.replaced) > 1 {
		return false
	}
	he, she := m.replaced["he"], m.replaced["she"]
	if m.replaced["self"] && !he && !she {
		he, she = true, true
	}
	for _, w := range m.evidence {
		switch {
		case he && hisWords[w.text], she && herWords[w.text], m.replaced["they"] && theirWords[w.text], w.text == subject:
			return false
		}
	}
	return true
}

// firstPerson maps each word of the first person to the words that a claim about the writer may
// use in its place, each with the person it stands for.
var firstPerson = map[string][][2]string{
	"i":      {{"he", "he"}, {"she", "she"}, {subject, "self"}},
	"me":     {{"him", "he"}, {"her", "she"}, {subject, "self"}},
	"my":     {{"his", "he"}, {"her", "she"}, {subject + "'s", "self"}},
	"mine":   {{"his", "he"}, {"hers", "she"}, {subject + "'s", "self"}},
	"myself": {{"himself", "he"}, {"herself", "she"}},
	"we":     {{"they", "they"}}, "us": {{"them", "they"}}, "our": {{"their", "they"}}, "ours": {{"theirs", "they"}},
	"ich":    {{"er", "he"}, {"sie", "she"}, {subject, "self"}},
	"mich":   {{"ihn", "he"}, {"sie", "she"}, {subject, "self"}},
	"mir":    {{"ihm", "he"}, {"ihr", "she"}, {subject, "self"}},
	"mein":   {{"sein", "he"}, {"ihr", "she"}, {subject + "'s", "self"}},
	"meine":  {{"seine", "he"}, {"ihre", "she"}},
	"meinen": {{"seinen", "he"}, {"ihren", "she"}},
	"meinem": {{"seinem", "he"}, {"ihrem", "she"}},
	"meiner": {{"seiner", "he"}, {"ihrer", "she"}},
}

// standsForWriter reports whether word a of a claim may stand for b, a word of the first person, and adds to mapped for whom.
func standsForWriter(a, b string, mapped map[string]bool) bool {
	for _, to := range firstPerson[b] {
		if to[0] == a {
			mapped[to[1]] = true
			return true
		}
	}
	return false
}

// agrees reports whether a is the third person of the verb b in the same tense.
func agrees(a, b string) bool {
	switch b {
	case "am", "bin":
		return a == "is" && b == "am" || a == "ist" && b == "bin"
	case "have":
		return a == "has"
	case "do", "go":
		return a == b+"es"
	case "habe":
		return a == "hat"
	}
	if pastToo[b] || segment.FiniteVerb(b) || segment.Function(b) || len(b) < 3 {
		return false
	}
	if base, ok := strings.CutSuffix(b, "y"); ok && a == base+"ies" {
		return true
	}
	return a == b+"s" || a == b+"es"
}

// person returns the class of a pronoun: "1" for I and we, "he", "she", "they", "it"; "" for others.
func person(w string) string {
	switch w {
	default:
		return ""
	case "i", "we", "ich", "wir":
		return "1"
	case "he", "er", "thou", "you", "du":
		return w
	case "she", "they", "it":
		return w
	}
}
