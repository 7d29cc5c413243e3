package judge

import (
	"slices"
	"strings"

	"muniment/text/clause"
	"muniment/text/lexicon"
)

// writer is the token of a writer's name; no word has its form.
const writer = "‹writer›"

// referents compare tokens of a claim with tokens of a sentence: they are equal, or one is a pronoun for the other.
type referents struct {
	c, s  *clause.Sentence
	known bool // the writer is known, and nobody else can be meant by a pronoun of the third person
}

// refer returns a claim in which names of the writer are one token each, with the comparison of its tokens with a
// sentence's. A sentence of a diary that begins with its verb gets its subject.
func refer(c, s *clause.Sentence, names []string) (*clause.Sentence, *referents) {
	named := *c
	for _, name := range names {
		named = joinName(named, clause.Parse(name).Words)
		*s = joinName(*s, clause.Parse(name).Words)
	}
	r := &referents{c: &named, s: s, known: len(names) > 0}
	if r.known && startsWithVerb(s) {
		s.Tokens = slices.Insert(s.Tokens, 0, clause.Token{Text: "i"})
		s.Words = slices.Insert(s.Words, 0, "i")
	}
	for _, w := range s.Words {
		if lexicon.ThirdPerson.Has(w) && w != "it" && w != "its" && w != "es" {
			r.known = false
		}
	}
	return r.c, r
}

// startsWithVerb reports whether a sentence begins with a past form and has no subject: "Paid the carpenter."
func startsWithVerb(s *clause.Sentence) bool {
	first := s.Words[0]
	return s.Finite(0) && !lexicon.SamePast.Has(first) && !lexicon.Auxiliary.Has(first) && !lexicon.Modal.Has(first) && len(s.Words) > 1 && !lexicon.Pronoun.Has(s.Words[1])
}

// joinName writes each place of a name as one token: the whole name, or its last word where it has several.
func joinName(s clause.Sentence, name []string) clause.Sentence {
	if len(name) == 0 {
		return s
	}
	out := clause.Sentence{Raw: s.Raw, Tail: s.Tail}
	for i := 0; i < len(s.Tokens); {
		t := s.Tokens[i]
		n := nameAt(s.Words[i:], name)
		if n == 0 && len(name) > 1 && t.Upper {
			n = nameAt(s.Words[i:], name[len(name)-1:])
		}
		if n > 0 {
			last := s.Tokens[i+n-1]
			t.End = last.End
			if t.Text = writer; strings.HasSuffix(last.Text, "'s") {
				t.Text += "'s"
			}
			i += n - 1
		}
		out.Tokens, out.Words = append(out.Tokens, t), append(out.Words, t.Text)
		i++
	}
	return out
}

// nameAt returns how many words a name has that words begin with, 0 where they do not; the last may be possessive.
func nameAt(words, name []string) int {
	if len(words) < len(name) {
		return 0
	}
	for i, w := range name {
		if words[i] != w && (i+1 < len(name) || words[i] != w+"'s") {
			return 0
		}
	}
	return len(name)
}

// retold are the forms of be and have in which a claim about a document puts its present: there is flour, there was flour.
var retold = map[string]string{"is": "was", "are": "were", "has": "had", "have": "had"}

// agreement are forms of a verb that change with the person.
var agreement = map[string]string{"am": "is", "have": "has", "do": "does", "were": "was"}

// asThird are the pronouns of the third person for each of the first.
var asThird = map[string]string{"i": "he she " + writer, "me": "him her " + writer, "my": "his her " + writer + "'s", "mine": "his hers", "myself": "himself herself",
	"ich": "er sie " + writer, "mich": "ihn sie", "mir": "ihm ihr", "mein": "sein ihr", "meine": "seine ihre", "meinen": "seinen ihren", "meinem": "seinem ihrem", "meiner": "seiner ihrer"}

// same reports whether token i of the claim says what token j of the sentence says.
func (r *referents) same(i, j int) bool {
	a, b := r.c.Words[i], r.s.Words[j]
	switch {
	case a == b, retold[b] == a:
		return true
	case asThird[b] != "":
		return (r.known || strings.HasPrefix(a, writer)) && slices.Contains(strings.Fields(asThird[b]), a)
	}
	return r.known && agreement[b] == a
}

// SamePerson reports whether a name is one of some names, or shares a word of a name with one: Pepys and Samuel Pepys.
func SamePerson(name string, names []string) bool {
	words := clause.Parse(name).Words
	return slices.ContainsFunc(names, func(other string) bool {
		return slices.ContainsFunc(clause.Parse(other).Words, func(w string) bool { return slices.Contains(words, w) })
	})
}

// writers returns the names of whoever says I in the sentence: those of the paper's writer, none where its paragraph
// shows that somebody else speaks: a copied letter, a deposition, another signature.
func (p *place) writers() []string {
	names := p.words.Writers
	named := func(s *clause.Sentence) bool {
		return slices.ContainsFunc(names, func(name string) bool {
			return slices.ContainsFunc(clause.Parse(name).Words, func(w string) bool { return slices.Contains(s.Words, w) })
		})
	}
	for i, r := range p.sentences {
		s := clause.Parse(p.text[r.Start:min(r.End, r.Start+maxSpeakerBytes)])
		if len(s.Words) == 0 || len(s.Words) > maxSpeaker || named(&s) {
			continue
		}
		first := s.Words[0]
		signed := i > p.at && (first == "signed" || first == "your" || first == "yours" || first == "dein" || first == "ihr")
		if signed || i < p.at && lexicon.OthersPaper.In(s.Words) != "" {
			return nil
		}
	}
	return names
}

// signingUnits are the last paragraphs of a paper, in which a closing and a signature may be, and a postscript.
const signingUnits = 4

// writersIn returns the names of whoever says I in a paper of which only beginning and end are known: whom its first line calls its writer, else the
// names given, and none where the end is signed by a name that is none of them.
func writersIn(first, end string, names []string) []string {
	line, _, _ := strings.Cut(first, "\n")
	if name := writerInTitle(cut(line, maxSpeakerBytes)); name != "" && !SamePerson(name, names) {
		return []string{name}
	}
	closed := false
	for line := range strings.Lines(end) {
		s := clause.Parse(cut(strings.TrimSpace(line), maxSpeakerBytes))
		if len(s.Words) == 0 || len(s.Words) > maxSpeaker {
			continue
		}
		closes := hasWord(s.Words[:1], "yours", "your", "signed", "dein", "deine", "ihr", "ihre", "euer", "hochachtungsvoll")
		if name := s.Tokens[len(s.Tokens)-1]; (closed || closes) && name.Upper && isName(&s, len(s.Tokens)-1) && !SamePerson(s.Raw, names) {
			return nil
		}
		closed = closes
	}
	return names
}

// maxSpeaker is how many words a heading or a signature has at most that says whose words a text is.
const maxSpeaker = 8

// maxSpeakerBytes is a length that so few words do not reach: of longer sentences no more is read.
const maxSpeakerBytes = 40 * maxSpeaker

// writerInTitle returns the name of whoever a paper's title says wrote it: Letter of Henry Tull to his son, Diary of a surveyor gives none; "" for none.
func writerInTitle(title string) string {
	s := clause.Parse(title)
	for i, w := range s.Words {
		if !lexicon.OthersPaper.Has(w) || i+2 >= len(s.Words) || s.Words[i+1] != "of" && s.Words[i+1] != "by" && s.Words[i+1] != "from" && s.Words[i+1] != "von" {
			continue
		}
		end := i + 2
		for end < len(s.Tokens) && s.Tokens[end].Upper && (end == i+2 || strings.TrimLeft(s.Tokens[end].Gap, ". ") == "") {
			end++
		}
		if end > i+2 {
			return s.Raw[s.Tokens[i+2].Start:s.Tokens[end-1].End]
		}
	}
	// M. Harrow, Letter to her sister, 1884
	parts := s.Parts(0, len(s.Tokens))
	if len(parts) > 1 && parts[1].Stop == "," && lexicon.OthersPaper.Has(s.Words[parts[1].From]) && !slices.ContainsFunc(s.Tokens[:parts[0].To], func(t clause.Token) bool { return !t.Upper }) {
		return s.Raw[s.Tokens[0].Start:s.Tokens[parts[0].To-1].End]
	}
	return ""
}
