package judge

import (
	"regexp"
	"slices"
	"strings"

	"muniment/text/clause"
	"muniment/text/lexicon"
	"muniment/text/segment"
)

// maxLater is how many bytes after a paragraph are read for what takes its statements back.
const maxLater = 16 << 10

// maxRecanting is how many words a sentence has at most that takes another one back.
const maxRecanting = 32

// recantation returns the sentence of a later paragraph that takes the statement of a place back, "" for none. Such a sentence says that something
// is wrong, was invented or no longer holds, and refers to the statement: it names its day, its number or its subject. What it denies in the
// statement's own words needs no such word: the breakwater was never completed. Where told is true the claim is what somebody said: then only
// a sentence that gives other words for it counts.
func (p *place) recantation(told bool) string {
	if p.words.Later == "" {
		return ""
	}
	r := recantable{statement: clause.Parse(p.raw()), paragraph: clause.Parse(p.text), day: entryDay(p.text)}
	r.stems = contentStems(&r.statement)
	r.dropCommon(p.words.Later)
	lang := language(*p.words, "")
	for unit := range strings.SplitSeq(p.words.Later, "\n\n") {
		if isHeading(unit) {
			continue
		}
		note, isAll := strings.CutPrefix(unit, postscript.FindString(unit))
		isAll = isAll && note != unit
		note = strings.TrimLeft(note, "*†‡ ")
		isNote := p.hasNote(unit[:len(unit)-len(note)]) && strings.Count(p.words.Later, "\n"+unit[:len(unit)-len(note)]) < 2 // and not a list
		r.near, r.brief = r.near[:0], len(strings.Fields(unit)) <= 2*maxComment
		for _, at := range segment.Sentences(note, lang) {
			s := backward{clause.Parse(note[at.Start:at.End])}
			if told && r.replacesQuoted(&s) || !told && (r.isTakenBackBy(&s) || s.limitsByReference(p.opens()) || isAll && len(r.near) == 0 && s.HasFinite(0, len(s.Words)) && (s.isDenial() || s.judgesAnaphor()) || isNote && (s.condemns() >= 0 || takesBack(s.Raw, p.raw()))) {
				return s.Raw
			}
			r.near = append(r.near, s)
		}
	}
	return ""
}

// postscript matches the beginning of a paragraph that speaks of the whole letter above it.
var postscript = regexp.MustCompile(`^(?:P\. ?S|N\. ?B|PS|NB|Postscript|Nachschrift|Nachtrag)[.:,]?[ –—-]+`)

// hasNote reports whether the mark of a note is directly after the statement.
func (p *place) hasNote(mark string) bool {
	at := p.sentences[p.at].End
	near := p.text[max(p.sentences[p.at].Start, at-len(mark)-1):min(len(p.text), at+len(mark)+1)]
	mark = strings.TrimSpace(mark)
	return mark != "" && strings.Contains(near, mark) && !strings.Contains(p.text[:max(p.sentences[p.at].Start, at-len(mark)-1)], mark) // no emphasis
}

// A recantable is a statement that a later sentence may take back.
type recantable struct {
	statement, paragraph clause.Sentence
	stems                map[string]bool // of the statement's content words
	day                  string          // of the paragraph, as entryDay gives it
	near                 []backward      // the sentences before the one that is read, in its paragraph
	brief                bool            // that paragraph is short enough to be about one thing
}

// mostMentions is how many of the later paragraphs may have a word of the statement that tells which statement they are about; what more of them
// have is the subject of the whole paper. With 3, twice as many sentences of long papers were held to be taken back.
const mostMentions = 2

// dropCommon deletes from the statement's stems those that too many of the later paragraphs have.
func (r *recantable) dropCommon(later string) {
	in := map[string]int{}
	for unit := range strings.SplitSeq(later, "\n\n") {
		stems := segment.Stems(unit)
		slices.Sort(stems)
		for _, stem := range slices.Compact(stems) {
			if in[stem]++; in[stem] > mostMentions {
				delete(r.stems, stem)
			}
		}
	}
}

// contentStems returns the stems of a sentence's content words.
func contentStems(s *clause.Sentence) map[string]bool {
	out := map[string]bool{}
	for _, t := range s.Tokens {
		if t.Content() && !lexicon.TimeNoun.Has(t.Text) {
			out[segment.Stem(strings.TrimSuffix(t.Text, "'s"))] = true
		}
	}
	return out
}

// isTakenBackBy reports whether a sentence takes the statement back.
func (r *recantable) isTakenBackBy(s *backward) bool {
	if len(s.Words) == 0 || len(s.Words) > maxRecanting || !r.brief && len(s.Words) > maxComment || s.Asks() {
		return false
	}
	if lead := s.lead(); lead > 0 && r.countShared(s, 0, lead) > 0 { // about the bell: it never cracked
		return lexicon.Negation.In(s.Words) != "" || s.condemns() >= 0
	}
	here, above, said := r.countShared(s, 0, len(s.Words)), 0, false
	for i := 0; r.brief && i < len(r.near); i++ {
		above += r.countShared(&r.near[i], 0, len(r.near[i].Words))
		said = said || slices.ContainsFunc(r.near[i].Words, isSaid)
	}
	if hasWord(s.Words, "such", "solche", "solchen", "solches") {
		above++ // refers to what was told
	}
	turns := lexicon.Negation.In(s.Words) != "" || lexicon.TakenBack.Truth.At(s.Words, 0) > 0
	if n := here + above; turns && here > 0 && lexicon.Negation.In(r.statement.Words) == "" && (n > 2 || n == 2 && r.brief) && (r.brief || 2*n >= len(r.stems)) {
		return true
	}
	if r.replacesQuoted(s) || correctsEntry(s.Raw, r.day) {
		return true
	}
	for i, w := range s.Words[:len(s.Words)-1] { // it was his ankle, not his wrist
		next := i + 1
		if lexicon.Determiner.Has(s.Words[next]) {
			next = min(next+1, len(s.Words)-1)
		}
		if r.brief && lexicon.Negation.Has(w) && strings.Contains(s.Tokens[i].Gap, ",") && r.stems[segment.Stem(s.Words[next])] {
			return true
		}
	}
	at := s.condemns()
	if at < 0 || lexicon.Vouching.In(s.Words) != "" {
		return false
	}
	if r.namesItem(s) || s.takesAll(at) || said && s.isBare(at) && hasWord(s.Words, "it", "this", "that", "es", "das", "davon") {
		return true
	}
	if here > 1 && (at == 0 || 2*here >= len(r.stems)) { // correction to my entry: the ice went out in March
		return true
	}
	about, is := r.isAbout(s)
	refers := at == 0 || s.refers(at)
	return about && (is || refers && here+above > 0) || at > 0 && refers && s.isBare(at)
}

// replacesQuoted reports whether a sentence quotes words of the statement and other words for them: for “nine” read “four”.
func (r *recantable) replacesQuoted(s *backward) bool {
	parts := strings.FieldsFunc(s.Raw, func(c rune) bool { return strings.ContainsRune("“”„\"«»", c) })
	if len(parts) < 4 || !hasWord(s.Words, "read", "be", "lies", "statt", "anstatt", "instead", "heißen", "not", "nicht") {
		return false
	}
	said := strings.ToLower(r.statement.Raw)
	return strings.Contains(said, strings.ToLower(parts[1])) != strings.Contains(said, strings.ToLower(parts[3]))
}

// takesAll reports whether a sentence speaks of all that was said: I made up every word of this; nichts davon ist geschehen.
func (s *backward) takesAll(at int) bool {
	for i := 1; i < len(s.Words); i++ {
		before := i - 1
		for before > 0 && (lexicon.Determiner.Has(s.Words[before]) && !lexicon.Quantifier.Has(s.Words[before]) || s.Words[before] == "of") {
			before--
		}
		if i != at && (isSaid(s.Words[i]) || hasWord(s.Words[i:i+1], "word", "wort", "this", "it", "davon", "above", "affair")) && (lexicon.Quantifier.Has(s.Words[before]) || hasWord(s.Words[before:before+1], "whole", "entire", "ganze", "ganzen", "nothing", "nichts")) {
			return true
		}
	}
	return false
}

// countShared returns how many content words a range of a sentence has in common with the statement.
func (r *recantable) countShared(s *backward, from, to int) (n int) {
	for _, t := range s.Tokens[from:to] {
		if t.Content() && r.stems[segment.Stem(strings.TrimSuffix(t.Text, "'s"))] {
			n++
		}
	}
	return n
}

// isBare reports whether a sentence has no topic but the word that condemns and what it says that was said: all I wrote above is false.
func (s *backward) isBare(at int) bool {
	for i, t := range s.Tokens {
		if i != at && t.Content() && !isSaid(t.Text) && !lexicon.Attribution.Has(t.Text) && !lexicon.TimeNoun.Has(t.Text) && !lexicon.Setting.Back.Has(t.Text) {
			return false
		}
	}
	return true
}

// isAbout reports whether a sentence may be about the statement: what it is about, where a preposition says so (wrong about the bell), is
// a thing of the statement, and is reports that this is so.
func (r *recantable) isAbout(s *backward) (may, is bool) {
	may = true
	for i := range s.Tokens[:max(0, len(s.Tokens)-1)] {
		next := min(i+1, len(s.Tokens)-2)
		if lexicon.Determiner.Has(s.Words[next]) {
			next++
		}
		if !lexicon.TakenBack.About.Has(s.Words[i]) || !s.Tokens[next].Content() || isSaid(s.Words[next]) || lexicon.TakenBack.Reference.Has(s.Words[next]) {
			continue // of her, of my statement
		}
		to := i + 1
		for to < len(s.Tokens) && (to == i+1 || s.Tokens[to].Content() || lexicon.Determiner.Has(s.Words[to-1])) && !lexicon.Preposition.Has(s.Words[to]) {
			to++
		}
		if r.countShared(s, i+1, to) > 0 {
			return true, true
		}
		may = false
	}
	return may, false
}

// namesItem reports whether a sentence names a numbered thing that the paragraph names too, or whose number it begins with: Motion 6, paragraph 2.
func (r *recantable) namesItem(s *backward) bool {
	for i := 1; i < len(s.Tokens); i++ {
		if t := s.Tokens[i]; !t.Number || !lexicon.TakenBack.Reference.Has(s.Words[i-1]) {
			continue
		}
		for k, t := range r.paragraph.Tokens {
			if t.Text == s.Words[i] && (k == 0 || r.paragraph.Words[k-1] == s.Words[i-1]) {
				return true
			}
		}
	}
	return false
}

// condemns returns the word by which a sentence says that something is wrong, was invented or no longer holds, -1 for none.
func (s *backward) condemns() int {
	for i, w := range s.Words {
		n := max(lexicon.TakenBack.Recantation.At(s.Words, i), lexicon.Revocation.At(s.Words, i))
		m := max(n, lexicon.Falsehood.At(s.Words, i))
		single := m > 0 && !(w == "lies" && i > 0 && !lexicon.Auxiliary.Has(s.Words[i-1])) && !(strings.HasPrefix(w, "withdr") && i+1 < len(s.Words) && lexicon.Preposition.Has(s.Words[i+1])) || lexicon.Retraction.Has(w) || lexicon.Invention.Has(w) || lexicon.TakenBack.Error.Has(w)
		denied := lexicon.Negation.In(s.Words[max(0, i-reach):i]) != ""
		switch next := i + max(1, m); {
		case denied && hasWord(s.Words[i:i+1], "true", "correct", "right", "happened", "wahr", "richtig", "geschehen", "passiert"):
			return i
		case single && denied, single && n == 0 && next < len(s.Words) && hasWord(s.Words[next:next+1], "to", "that", "zu", "dass", "daß"): // wrong to doubt it
		case single, i == 0 && lexicon.TakenBack.Correction.At(s.Words, 0) > 0:
			return i
		case lexicon.TakenBack.Particle.Has(w) && w != "wrong" && lexicon.TakenBack.Takes.In(s.Words[:i]) != "" && !(i > 1 && hasWord(s.Words[i-2:i-1], "to", "we")):
			return i
		}
	}
	return -1
}

// refers reports whether a sentence speaks of what was said or decided, or its writer of an error of his own.
func (s *backward) refers(at int) bool {
	first := slices.ContainsFunc(s.Words, lexicon.FirstPerson.Has)
	return slices.ContainsFunc(s.Words, isSaid) || lexicon.TakenBack.Reference.In(s.Words) != "" || first && (lexicon.TakenBack.Error.Has(s.Words[at]) || slices.ContainsFunc(s.Words, lexicon.Attribution.Has))
}

// lead returns how many words before a colon or comma say what the sentence is about, 0 for none: As to the mill: it never burned.
func (s *backward) lead() int {
	if n := lexicon.TakenBack.About.At(s.Words, 0); n > 0 {
		if to := s.clauseTo(n); to < len(s.Words) && strings.Contains(s.Tokens[to].Gap, ":") {
			return to
		}
	}
	return 0
}
