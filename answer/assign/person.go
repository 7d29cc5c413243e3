package assign

import (
	"slices"
	"strings"

	"muniment/answer/segment"
)

// A matcher compares clauses of a claim with clauses of one window of evidence.
type matcher struct {
	evidence []form          // the clause of it that is compared
	window   []form          // all sentences
	author   bool            // the first person is the archive's subject
	quoted   bool            // the window has quotation marks
	deictic  map[string]bool // day, spring …: what the document's date may stand for; nil when the claim leaves none out
	mapped   map[string]bool // he, she, they, self: for whom a first person was taken
}

// clear tells whether the first person stands for one person and nobody else in the evidence could be
// meant by the same pronoun.
func (m *matcher) clear() bool {
	if len(m.mapped) == 0 {
		return true
	}
	if !m.author || m.quoted || m.mapped["he"] && m.mapped["she"] || m.mapped["they"] && len(m.mapped) > 1 {
		return false
	}
	he, she := m.mapped["he"], m.mapped["she"]
	if m.mapped["self"] && !he && !she {
		he, she = true, true
	}
	for _, w := range m.evidence {
		switch {
		case he && hisWords[w.text], she && herWords[w.text], m.mapped["they"] && theirWords[w.text], w.text == subject:
			return false
		}
	}
	return true
}

var (
	hisWords   = set(`he him his himself er ihn ihm sein seine seinen seinem seiner`)
	herWords   = set(`she her hers herself sie ihr ihre ihren ihrem ihrer`)
	theirWords = set(`they them their theirs themselves`)
)

// firstPerson maps words of the first person to those that may stand for them in a claim about the
// writer: the word, and for whom.
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

// adopts tells whether a word of the claim may stand for one of the first person.
func adopts(a, b string, mapped map[string]bool) bool {
	for _, to := range firstPerson[b] {
		if to[0] == a {
			mapped[to[1]] = true
			return true
		}
	}
	return false
}

// adverbs may stand between a subject and its verb.
var adverbs = set(`never not often always still also seldom rarely hardly only just nearly almost`)

// agrees tells whether a is the third person of the verb b in the same tense.
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

// pastToo are verbs whose past is their base: "I read" is not "she reads".
var pastToo = set(`read put cut let set hit cost hurt shut bet beat cast burst split spread quit rid shed wed wet thrust`)

// undated takes out the word or phrase that says "on the document's day", or season.
func (m *matcher) undated(w []form) ([]form, int) {
	for i := range w {
		if i+1 < len(w) && w[i].text == "this" && (w[i+1].text == "day" || dayParts[w[i+1].text]) && m.deictic["day"] ||
			i+1 < len(w) && w[i].text == "this" && m.deictic[w[i+1].text] {
			return slices.Concat(w[:i], w[i+2:]), 1
		}
		if (w[i].text == "today" || w[i].text == "heute") && m.deictic["day"] {
			return slices.Concat(w[:i], w[i+1:]), 1
		}
	}
	return w, 0
}

// singular tells a noun phrase of one person or thing other than I and you, so that "let" behind it is past.
func singular(n *noun) bool {
	if n == nil || len(n.and) > 0 || n.count != "" && n.count != "1" || quantifiers[n.det] || n.det == "these" || n.det == "those" {
		return false
	}
	last := n.words[len(n.words)-1]
	switch last.text {
	case "i", "we", "you", "they", "thou", "ye", "@those":
		return false
	case "he", "she", "it", subject:
		return true
	}
	return (last.upper || last.begin && !segment.Function(last.text)) && !strings.HasSuffix(last.text, "s") || n.said && !plural(last) && !strings.HasSuffix(last.text, "s") && last.text != "sheep" && last.text != "fish"
}
