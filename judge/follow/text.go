package follow

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"muniment/text/segment"
)

// A word of a claim or of evidence.
type word struct {
	segment.Word
	stem   string
	number string // its value in decimal digits, "" for other words; a number of several words stands in the first
	unit   string // of a number: the first name of its unit, "" where none is beside it
	whole  bool   // of a number: a part of it is meant: three of the twelve
	thing  string // of a number: the stem of the first content word behind it
	name   bool   // a capital inside a sentence
	first  bool   // of its sentence
	piece  int
}

// content reports whether a word carries a topic.
func (w *word) content() bool {
	return w.number == "" && !segment.Function(w.Lower) && !lists.negations[w.Lower]
}

// A text is one or more sentences, cut into pieces at stops and joiners.
type text struct {
	raw    string
	words  []word
	pieces int
	asks   bool // ends with a question mark
}

// analyse returns the words of a text.
func analyse(raw string) text {
	t := text{raw: raw, asks: strings.HasSuffix(strings.TrimRight(raw, "”“»«\"')] \n"), "?")}
	end := 0
	for i, w := range segment.Words(raw) {
		gap := raw[end:w.Start]
		end = w.End
		x := word{Word: w, stem: segment.Stem(w.Lower), first: i == 0 || strings.ContainsAny(gap, ".!?¿¡")}
		if i > 0 && strings.Trim(gap, " \n\t\"'“”‘’") == "." && lists.titles[t.words[i-1].Lower] {
			x.first = false
		}
		x.name = w.Upper && !x.first && !segment.Function(w.Lower)
		if i > 0 && (strings.ContainsAny(gap, ",;:—–()[].!?|") && x.number == "" && !lists.titles[t.words[i-1].Lower] || lists.joiners[w.Lower]) {
			t.pieces++
		}
		x.piece = t.pieces
		t.words = append(t.words, x)
	}
	t.pieces++
	t.readNumbers()
	return t
}

// readNumbers gives the words that are numbers their values, units and things.
func (t *text) readNumbers() {
	for i := 0; i < len(t.words); {
		value, n := t.numberAt(i)
		if n == 0 {
			i++
			continue
		}
		w := &t.words[i]
		w.number = strconv.FormatFloat(value, 'f', -1, 64)
		w.unit = t.unitAt(i, i+n)
		w.whole = t.isWhole(i)
		for _, next := range t.words[i+n : min(len(t.words), i+n+3)] {
			if next.piece != w.piece {
				break
			}
			if !segment.Function(next.Lower) {
				w.thing = next.stem
				break
			}
		}
		i += n
	}
}

// isWhole reports whether the number at word i is that of which a part is meant: three of the twelve, of the eight
// candidates two.
func (t *text) isWhole(i int) bool {
	if i > 0 && (segment.Determiner(t.words[i-1].Lower) || lists.pronouns[t.words[i-1].Lower]) {
		i--
	}
	if i < 1 || t.words[i-1].Lower != "of" {
		return false
	}
	if i == 1 {
		return true
	}
	part := t.words[i-2]
	if _, ok := numeral(part.Lower); ok { // the second word of forty-two
		return true
	}
	return part.number != "" || lists.weak[part.Lower] || part.Lower == "one" || part.Lower == "none" || part.Lower == "all"
}

// numberAt returns the number that begins at word i, and how many words it has; 0 where none begins.
func (t *text) numberAt(i int) (value float64, n int) {
	total, part := 0.0, 0.0
	for ; i+n < len(t.words); n++ {
		w := t.words[i+n]
		if n > 0 && !t.adjoins(i+n) {
			break
		}
		if scale, ok := lists.scales[w.Lower]; ok && (n > 0 || part == 0) {
			part = max(part, 1) * scale
			if scale >= 1000 {
				total, part = total+part, 0
			}
			continue
		}
		v, ok := numeral(w.Lower)
		switch {
		case !ok && w.Lower == "and" && n > 0 && part >= 100 && i+n+1 < len(t.words):
			if next, isNumber := numeral(t.words[i+n+1].Lower); isNumber && next < 100 {
				continue
			}
			return total + part, n
		case !ok:
			return total + part, n
		case n == 0, part == 0 && total > 0, part >= 20 && part < 100 && int(part)%10 == 0 && v < 10 && v >= 1, part >= 100 && v < 100 && int(part)%100 == 0:
			part += v
		default:
			return total + part, n
		}
	}
	return total + part, n
}

// adjoins reports whether only a space or a hyphen precedes word i.
func (t *text) adjoins(i int) bool {
	gap := t.raw[t.words[i-1].End:t.words[i].Start]
	return gap == " " || gap == "-" || gap == "\n"
}

// numeral returns the value of one word that is a number.
func numeral(w string) (float64, bool) {
	if v, ok := lists.numbers[w]; ok {
		return v, true
	}
	if w == "" || w[0] < '0' || w[0] > '9' {
		return 0, false
	}
	for _, end := range []string{"st", "nd", "rd", "th", "d", "s", "."} {
		if base, ok := strings.CutSuffix(w, end); ok {
			w = base
			break
		}
	}
	if groups := strings.Split(w, ","); len(groups) > 1 && !slices.ContainsFunc(groups[1:], func(g string) bool { return len(g) != 3 }) {
		w = strings.Join(groups, "")
	} else {
		w = strings.Replace(w, ",", ".", 1)
	}
	v, err := strconv.ParseFloat(w, 64)
	return v, err == nil
}

// unitAt returns the unit of the number in words i to end, by its first name.
func (t *text) unitAt(i, end int) string {
	before := ""
	if i > 0 {
		before = t.raw[t.words[i-1].End:t.words[i].Start]
	} else {
		before = t.raw[:t.words[i].Start]
	}
	for _, sign := range "$£€" {
		if strings.HasSuffix(before, string(sign)) {
			return lists.units[string(sign)]
		}
	}
	after := t.raw[t.words[end-1].End:]
	if strings.HasPrefix(strings.TrimLeft(after, " "), "%") {
		return "%"
	}
	if strings.HasPrefix(strings.TrimLeft(after, " "), "°") {
		return lists.units["°"]
	}
	if end < len(t.words) && t.adjoins(end) {
		if t.words[end].Lower == "per" && end+1 < len(t.words) && t.words[end+1].Lower == "cent" {
			return "%"
		}
		return lists.units[t.words[end].Lower]
	}
	return ""
}

// shareIn returns the share of a claim's content words and numbers that evidence holds; 0 for a claim without any.
func (t *text) shareIn(e evidence) float64 {
	total, found := 0, 0
	for i := range t.words {
		w := &t.words[i]
		if !w.content() && w.number == "" {
			continue
		}
		total++
		if e.has(w) {
			found++
		}
	}
	if total == 0 {
		return 0
	}
	return float64(found) / float64(total)
}

// Evidence is the sentences that hold quoted words, and what is known of their document.
type evidence struct {
	sentences []text
	names     map[string]bool // stems of names that may stand for a pronoun
	writers   map[string]bool // those of them that the document has from outside its text
	pronouns  bool
	dates     []string // of the documents
	cut       string   // a quotation that begins or ends inside a word
	marked    string   // the kind of a mark within which quoted words stand
}

// emphasis replaces the marks of _emphasis_ by spaces: lengths stay.
var emphasis = strings.NewReplacer("_", " ", "*", " ")

// add takes a passage in.
func (e *evidence) add(p Passage) {
	start, end := len(p.Before), len(p.Before)+len(p.Words)
	paragraph, marked := unmark(emphasis.Replace(p.Before+p.Words+p.After), start, end)
	e.marked = cmp.Or(e.marked, marked)
	lang := p.Lang
	if lang == "" {
		lang = "en"
	}
	if e.names == nil {
		e.names, e.writers = map[string]bool{}, map[string]bool{}
	}
	for _, s := range segment.Sentences(paragraph, lang) {
		if s.End <= start || s.Start >= end {
			continue
		}
		e.sentences = append(e.sentences, analyse(paragraph[s.Start:s.End]))
	}
	for _, s := range e.sentences {
		e.pronouns = e.pronouns || slices.ContainsFunc(s.words, func(w word) bool { return lists.pronouns[w.Lower] })
	}
	for i, n := range append(slices.Clip(p.Names), paragraph) {
		for _, w := range segment.Words(n) {
			if w.Upper {
				e.names[segment.Stem(w.Lower)] = true
				e.writers[segment.Stem(w.Lower)] = e.writers[segment.Stem(w.Lower)] || i < len(p.Names)
			}
		}
	}
	if p.Date != "" {
		e.dates = append(e.dates, p.Date)
	}
	for _, w := range segment.Words(paragraph) {
		if w.Start < start && start < w.End || w.Start < end && end < w.End {
			e.cut = paragraph[w.Start:w.End]
		}
	}
}

// unmark blanks the marks that canonical forms set around words that are shown struck
// or reversed (⟦struck: not⟧): lengths stay. The words themselves stay too, as they
// may change the sense of what stands beside them. kind is that of a mark that
// reaches into the words from start to end, "" where none does.
func unmark(paragraph string, start, end int) (plain, kind string) {
	const begin, finish = "⟦", "⟧"
	if !strings.Contains(paragraph, begin) {
		return paragraph, ""
	}
	out := []byte(paragraph)
	for at := 0; ; {
		i := strings.Index(paragraph[at:], begin)
		if i < 0 {
			return string(out), kind
		}
		at += i
		name, _, found := strings.Cut(paragraph[at+len(begin):], ": ")
		if !found || strings.ContainsAny(name, " \n") {
			at += len(begin)
			continue
		}
		words := at + len(begin) + len(name) + len(": ")
		until := len(paragraph)
		if i := strings.Index(paragraph[words:], finish); i >= 0 {
			until = words + i
			copy(out[until:], strings.Repeat(" ", len(finish)))
		}
		copy(out[at:], strings.Repeat(" ", words-at))
		if words < end && start < until {
			kind = name
		}
		at = until
	}
}

// has reports whether the sentences hold a word, by its number or its stem.
func (e *evidence) has(w *word) bool {
	return slices.ContainsFunc(e.sentences, func(s text) bool { return s.has(w) })
}

// has reports whether a text holds a word, by its number or its stem.
func (t *text) has(w *word) bool {
	return slices.ContainsFunc(t.words, func(o word) bool { return same(w, &o) })
}

// same reports whether two words are one number, or have one stem.
func same(a, b *word) bool {
	if a.number != "" || b.number != "" {
		return a.number == b.number
	}
	return a.stem == b.stem
}
