package judge

import (
	"fmt"
	"slices"
	"strings"

	"muniment/cite"
	"muniment/text/clause"
	"muniment/text/lexicon"
	"muniment/text/segment"
)

// A person is whom a pronoun may mean: a name or a noun with its article, as a text writes it.
type person struct {
	words []string // content words in lower case
	text  string
	sex   byte // m, f, or 0 where the words do not say
}

// is reports whether two persons can be one: all that the shorter one is called is a part of the other.
func (p person) is(o person) bool {
	if len(p.words) > len(o.words) {
		p, o = o, p
	}
	return len(p.words) > 0 && !slices.ContainsFunc(p.words, func(w string) bool { return !slices.Contains(o.words, w) })
}

// checkReferent returns a judgement after a look at the pronouns of the third person of a claim in a draft: whom its
// draft means by them must be whom the paper means. A draft that names nobody means whom the paper means.
func checkReferent(j Judgement, claim string, words []Passage) Judgement {
	if j.Verdict == cite.ClaimContradicted || len(words) == 0 || words[0].Said == "" {
		return j
	}
	c := clause.Parse(claim)
	if meansThing(&c) {
		return checkThing(j, words)
	}
	i := slices.IndexFunc(c.Words, isPersonal)
	if i < 0 || len(persons(&c, 0, i)) > 0 {
		return j
	}
	meant, known := antecedent(words[0].Said, c.Words[i])
	reason := ""
	if !known {
		if _, somebody := antecedent(words[0].Said, "they"); !somebody {
			return j
		}
		reason = fmt.Sprintf("the draft does not say who “%s” is", c.Words[i])
	}
	for k := range words {
		if !known {
			break
		}
		there, where := referentIn(&c, i, &words[k])
		switch {
		case !where:
			reason = fmt.Sprintf("the draft means %s by “%s”, and the words do not say who that is", meant.text, c.Words[i])
		case !there.is(meant):
			reason = fmt.Sprintf("“%s” is %s here, and %s in the draft", c.Words[i], there.text, meant.text)
		default:
			return j
		}
	}
	j.Verdict, j.Rule, j.Reason, j.test, j.Findings = cite.ClaimNotShown, Referent, reason, Scoped, nil
	return j
}

// isPersonal reports whether a word is a pronoun for somebody.
func isPersonal(w string) bool {
	return lexicon.ThirdPerson.Has(w) && w != "it" && w != "its" && w != "es"
}

// referentIn returns whom the words mean by a claim's pronoun: the writer where they say I, whom the sentence with the
// cited words names before the same pronoun, else whom the paragraph, or the one before it, named last.
func referentIn(c *clause.Sentence, i int, w *Passage) (person, bool) {
	text := w.Before + w.Words
	at := len(text)
	for _, r := range segment.Sentences(text, language(*w, c.Raw)) {
		if r.End <= len(w.Before) {
			continue
		}
		s := clause.Parse(text[r.Start:r.End])
		for k, word := range s.Words {
			if asThird[word] != "" && !isPersonal(word) && slices.Contains(strings.Fields(asThird[word]), c.Words[i]) && len(w.Writers) > 0 {
				return namedPerson(w.Writers), true
			}
			if word != c.Words[i] {
				continue
			}
			if inside := persons(&s, 0, k); len(inside) > 0 {
				return inside[0], true
			}
			at = r.Start
			break
		}
		break
	}
	if p, ok := antecedent(text[:min(at, len(text))], c.Words[i]); ok {
		return p, true
	}
	return antecedent(w.Earlier, c.Words[i])
}

// namedPerson returns the person of some names.
func namedPerson(names []string) person {
	p := person{text: names[0]}
	for _, name := range names {
		p.words = append(p.words, clause.Parse(name).Words...)
	}
	return p
}

// maxBack is how many sentences a pronoun refers back over.
const maxBack = 6

// antecedent returns whom a pronoun after a text means: the first person of the nearest sentence that names one it can
// mean. A sentence whose subject is the same pronoun goes on with the one before.
func antecedent(text, pronoun string) (person, bool) {
	sentences := segment.Sentences(text, segment.Detect(text))
	for i := len(sentences) - 1; i >= max(0, len(sentences)-maxBack); i-- {
		s := clause.Parse(text[sentences[i].Start:sentences[i].End])
		if len(s.Words) == 0 || sexOf(s.Words[0]) != 0 && isPersonal(s.Words[0]) && sexOf(s.Words[0]) == sexOf(pronoun) {
			continue
		}
		for _, p := range persons(&s, 0, len(s.Tokens)) {
			if sex := sexOf(pronoun); p.sex == 0 || sex == 0 || p.sex == sex {
				return p, true
			}
		}
	}
	return person{}, false
}

// sexOf returns m or f for the pronouns that say so; sie and they do not.
func sexOf(w string) byte {
	switch w {
	case "he", "him", "his", "himself", "er", "ihn", "ihm", "sein", "seine", "seinen", "seinem", "seiner":
		return 'm'
	case "she", "her", "hers", "herself":
		return 'f'
	}
	return 0
}

// persons returns whom the tokens from one to before another name: names that no preposition of place has, and nouns of persons with an article.
func persons(s *clause.Sentence, from, to int) []person {
	var out []person
	german := segment.Detect(s.Raw) == "de"
	for i := from; i < to; i++ {
		end, named := i, false
		for end < to && (lexicon.Title.Has(s.Words[end]) && s.Tokens[end].Upper || isName(s, end)) && (end == i || strings.TrimLeft(s.Tokens[end].Gap, ". ") == "") {
			named = true
			end++
		}
		first := s.Words[i]
		article := i > 0 && lexicon.Determiner.Has(s.Words[i-1])
		noun := isPersonNoun(first) && (article || !named && i > from)
		end = max(end, i+1)
		if !named && !noun || named && german && article && !noun && !lexicon.Title.Has(first) {
			continue
		}
		place := i > 0 && lexicon.PlacePrep.Has(s.Words[i-1]) || i > 0 && (s.Words[i-1] == "from" || s.Words[i-1] == "to" && !lexicon.Title.Has(first) && !noun)
		if !place {
			p := person{text: s.Raw[s.Tokens[i].Start:s.Tokens[end-1].End]}
			if article {
				p.text = s.Raw[s.Tokens[i-1].Start:s.Tokens[end-1].End]
			}
			for k := i; k < end; k++ {
				w := strings.TrimSuffix(s.Words[k], "'s")
				switch {
				case lexicon.Male.Has(w):
					p.sex = 'm'
				case lexicon.Female.Has(w):
					p.sex = 'f'
				}
				if !lexicon.Honorific.Has(w) || end == i+1 {
					p.words = append(p.words, w)
				}
			}
			out = append(out, p)
		}
		i = end - 1
	}
	return out
}

// isPersonNoun reports whether a word is a noun for a person: kin, a calling, an office.
func isPersonNoun(w string) bool {
	return lexicon.Kin.Has(w) && w != "with" || lexicon.Male.Has(w) || lexicon.Female.Has(w) || lexicon.Office.Has(w) || lexicon.Title.Has(w) || lexicon.Calling.Has(w)
}
