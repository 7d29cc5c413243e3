package follow

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"muniment/answer/retrieve"
	"muniment/answer/segment"
)

// vetoes returns the findings of all tests, in their order, at most one of each test.
func vetoes(c text, e evidence) []Finding {
	var out []Finding
	for _, test := range []func(text, evidence) (Finding, bool){
		numbers, units, dates, names, findMoved, quantities, negation, modality, opposites, order, hearsay, conditions, question, findCut, marked,
	} {
		if f, found := test(c, e); found {
			out = append(out, f)
		}
	}
	return out
}

// numbers finds a number of the claim that the words do not have, or have before another thing.
func numbers(c text, e evidence) (Finding, bool) {
	for _, w := range c.words {
		if w.number == "" || e.hasDate(w) || (w.number == "0.5" || w.number == "0.25") && !e.hasFraction() {
			continue
		}
		var others []string
		found := false
		if shares := e.shares(); w.unit == "%" && len(shares) > 0 && !e.states(w) {
			if !slices.Contains(shares, w.number+"%") {
				return Finding{Number, w.Lower + "%", strings.Join(shares, ", ")}, true
			}
			found = true
		}
		for _, s := range e.sentences {
			for _, o := range s.words {
				switch {
				case o.number == "":
				case o.whole && !w.whole:
				case o.number == w.number && (w.thing == "" || o.thing == "" || o.thing == w.thing || !s.counts(w.thing) || !o.whole && s.partOf(&o, w.thing)):
					found = true
				default:
					others = append(others, o.Lower)
				}
			}
		}
		if !found && !e.spellsOut(w.number) && !e.reckons(w, c) {
			return Finding{Number, w.Lower, strings.Join(others, ", ")}, true
		}
	}
	return Finding{}, false
}

// nearly is how far a number may be from the one that it stands for behind a word such as about or over.
const nearly = 0.15

// reckons reports whether a number of the claim can be had from the sentences: a rounded one behind about or over, a year so
// many years after another, two of things that are listed.
func (e *evidence) reckons(w word, c text) bool {
	value, _ := strconv.ParseFloat(w.number, 64)
	rounded := c.rounds(w)
	var all, spans []float64 // spans are numbers of years
	rival := false
	for _, s := range e.sentences {
		for _, o := range s.words {
			if v, err := strconv.ParseFloat(o.number, 64); err == nil {
				all = append(all, v)
				if o.unit != "" && o.unit == lists.units["years"] {
					spans = append(spans, v)
				}
				rival = rival || w.thing != "" && o.thing == w.thing
			}
		}
	}
	for _, a := range all {
		if rounded && math.Abs(a-value) <= nearly*a {
			return true
		}
		for _, b := range spans {
			if value >= 1000 && a >= 1000 && b < 200 && (a+b == value || a-b == value) {
				return true
			}
		}
	}
	return value == 2 && !rival
}

// rounds reports whether about, over, under or more than stands before a number, with at most one word between.
func (t *text) rounds(w word) bool {
	for i := range t.words {
		if t.words[i].Start != w.Start {
			continue
		}
		for k := max(0, i-2); k < i; k++ {
			x := t.words[k].Lower
			if lists.about[x] || x == "over" || x == "under" || x == "more" && k+2 == i {
				return true
			}
		}
	}
	return false
}

// partOf reports whether another number of the text is the whole of which a number counts a part: forty-two of its sixty
// workers, of the 640 soldiers 212.
func (t *text) partOf(o *word, thing string) bool {
	for i := range t.words {
		x := &t.words[i]
		if x == o || x.number == "" || x.thing != thing || i == 0 {
			continue
		}
		at := i - 1
		if at > 0 && (segment.Determiner(t.words[at].Lower) || lists.pronouns[t.words[at].Lower]) {
			at--
		}
		if t.words[at].Lower == "of" {
			return true
		}
	}
	return false
}

// hasFraction reports whether the sentences have a half or a quarter; otherwise one of the claim may be reckoned.
func (e *evidence) hasFraction() bool {
	return slices.ContainsFunc(e.sentences, func(s text) bool {
		return slices.ContainsFunc(s.words, func(w word) bool { return w.number == "0.5" || w.number == "0.25" })
	})
}

// states reports whether the sentences have the number of a claim with the same unit.
func (e *evidence) states(w word) bool {
	return slices.ContainsFunc(e.sentences, func(s text) bool {
		return slices.ContainsFunc(s.words, func(o word) bool { return o.number == w.number && o.unit == w.unit })
	})
}

// shares returns the percentages that the sentences give as "42 of 60", rounded to whole numbers: 70%.
func (e *evidence) shares() []string {
	var out []string
	for _, s := range e.sentences {
		for i, w := range s.words {
			if i+2 >= len(s.words) || w.number == "" || s.words[i+1].Lower != "of" || s.words[i+2].number == "" || w.unit != "" {
				continue
			}
			part, _ := strconv.ParseFloat(w.number, 64)
			if all, _ := strconv.ParseFloat(s.words[i+2].number, 64); part >= 1 && part <= all { // no "quarter of 2025"
				out = append(out, strconv.FormatFloat(math.Round(100*part/all), 'f', -1, 64)+"%")
			}
		}
	}
	return out
}

// spellsOut reports whether the sentences have a number in a form that is not read as one word: the first of March, two and
// a half.
func (e *evidence) spellsOut(number string) bool {
	value, _ := strconv.ParseFloat(number, 64)
	whole := strconv.FormatFloat(math.Trunc(value), 'f', -1, 64)
	for _, s := range e.sentences {
		isWhole, half := false, false
		for _, o := range s.words {
			if v, ok := lists.ordinals[o.Lower]; ok && v == value {
				return true
			}
			isWhole, half = isWhole || o.number == whole, half || o.number == "0.5"
		}
		if value-math.Trunc(value) == 0.5 && isWhole && half {
			return true
		}
	}
	return false
}

// counts reports whether a number of the text stands before a thing.
func (t *text) counts(thing string) bool {
	return slices.ContainsFunc(t.words, func(w word) bool { return w.number != "" && w.thing == thing })
}

// hasDate reports whether a number is a part of the date of one of the documents.
func (e *evidence) hasDate(w word) bool {
	for _, d := range e.dates {
		for _, part := range strings.FieldsFunc(d, func(r rune) bool { return r < '0' || r > '9' }) {
			if strings.TrimLeft(part, "0") == w.number {
				return true
			}
		}
	}
	return false
}

// units finds a number that has another unit in the words.
func units(c text, e evidence) (Finding, bool) {
	for _, w := range c.words {
		if w.number == "" {
			continue
		}
		other, agrees := "", false
		for _, s := range e.sentences {
			for _, o := range s.words {
				if o.number == w.number && o.unit != "" {
					agrees = agrees || o.unit == w.unit
					other = o.unit
				}
				if o.number == w.number && o.thing != w.thing && o.thing != "" && w.thing != "" && lists.units[o.thing] == "" && lists.units[w.thing] == "" && o.unit == "" && (strings.HasSuffix(o.thing, w.thing) || strings.HasSuffix(w.thing, o.thing)) {
					return Finding{Unit, w.thing, o.thing}, true // amperes for milliamperes
				}
			}
		}
		if w.unit != "" && other != "" && !agrees {
			return Finding{Unit, w.unit, other}, true
		}
	}
	return Finding{}, false
}

// dates finds a month or a weekday that neither the words nor the date of a document hold.
func dates(c text, e evidence) (Finding, bool) {
	for _, w := range c.words {
		month, weekday := lists.months[w.Lower] && w.Upper, lists.weekdays[w.Lower] && w.Upper
		if !month && !weekday || e.has(&w) || month && e.inMonth(w.Lower) {
			continue
		}
		var others []string
		for _, s := range e.sentences {
			for _, o := range s.words {
				if o.Upper && (month && lists.months[o.Lower] || weekday && lists.weekdays[o.Lower]) {
					others = append(others, o.Lower)
				}
			}
		}
		return Finding{Date, w.Lower, strings.Join(others, ", ")}, true
	}
	return Finding{}, false
}

// inMonth reports whether a document is of a month.
func (e *evidence) inMonth(name string) bool {
	month := retrieve.Dates(name + " 2000")
	for _, d := range e.dates {
		for _, of := range retrieve.Dates(d) {
			if len(month) == 1 && of.From[4:7] == month[0].From[4:7] && of.To[4:7] == of.From[4:7] {
				return true
			}
		}
	}
	for _, s := range e.sentences { // abbreviated: 3 Aug.
		for _, of := range retrieve.Dates(s.raw) {
			if len(month) == 1 && of.From[4:7] == month[0].From[4:7] && of.To[4:7] == of.From[4:7] {
				return true
			}
		}
	}
	return false
}

// names finds a name of the claim that is not in the words, nor, in place of a pronoun, in the paragraph or the
// document's names.
func names(c text, e evidence) (Finding, bool) {
	if segment.Detect(c.raw) == "de" {
		return Finding{}, false // every noun has a capital there
	}
	for i, w := range c.words {
		if !w.name && !c.opensWithName(i, e) || lists.months[w.Lower] || lists.weekdays[w.Lower] || lists.titles[w.Lower] || w.number != "" ||
			e.has(&w) || e.derives(w) || e.names[w.stem] && (e.pronouns || e.subjectless()) {
			continue
		}
		var others []string
		for _, s := range e.sentences {
			for _, o := range s.words {
				if o.name && !c.has(&o) {
					others = append(others, s.raw[o.Start:o.End])
				}
			}
		}
		return Finding{Name, c.raw[w.Start:w.End], strings.Join(others, ", ")}, true
	}
	return Finding{}, false
}

// opensWithName reports whether word i begins a sentence and is a name: another name, or a verb where the words begin with a
// name that the claim does not have, follows.
func (t *text) opensWithName(i int, e evidence) bool {
	w := t.words[i]
	if !w.first || !w.Upper || segment.Function(w.Lower) || i+1 >= len(t.words) {
		return false
	}
	next := t.words[i+1]
	if next.name && t.raw[w.End:next.Start] == " " && !lists.titles[next.Lower] || w.Possessive {
		return true
	}
	if !segment.FiniteVerb(next.Lower) {
		return false
	}
	for _, s := range e.sentences {
		for k, o := range s.words {
			if o.Upper && !segment.Function(o.Lower) && !t.has(&o) && k+1 < len(s.words) && s.words[k+1].stem == next.stem {
				return true
			}
		}
	}
	return false
}

// subjectless reports whether no sentence has a name for its subject, as those of a diary do not.
func (e *evidence) subjectless() bool {
	for _, s := range e.sentences {
		for i, w := range s.words {
			if i+1 < len(s.words) && w.Upper && !segment.Function(w.Lower) && !lists.months[w.Lower] && segment.FiniteVerb(s.words[i+1].Lower) && !segment.FiniteVerb(w.Lower) {
				return false
			}
		}
	}
	return true
}

// minCommon is how many letters a name and the word derived from it have in common at least: Norway, Norwegian.
const minCommon = 4

// derives reports whether the sentences hold a capitalised word that begins as a name does.
func (e *evidence) derives(w word) bool {
	for _, s := range e.sentences {
		for _, o := range s.words {
			n := 0
			for n < min(len(w.Lower), len(o.Lower)) && w.Lower[n] == o.Lower[n] {
				n++
			}
			if o.Upper && n >= minCommon && n >= min(len(w.Lower), len(o.Lower))-3 && n*3 >= 2*min(len(w.Lower), len(o.Lower)) {
				return true
			}
		}
	}
	return false
}

// quantities finds a word such as all or only that the claim adds, and one such as about or some that it drops.
func quantities(c text, e evidence) (Finding, bool) {
	for _, w := range c.words {
		if !lists.strong[w.Lower] || e.hasLower(w.Lower) || c.negates(w.piece) || w.Lower == "only" && e.says(lists.only) {
			continue
		}
		if e.hasStrongLike(w.Lower) {
			continue
		}
		return Finding{Quantity, w.Lower, ""}, true
	}
	for i := range c.words {
		w := &c.words[i]
		p, s := e.match(c, w.piece)
		if p < 0 {
			continue
		}
		for k, o := range s.words {
			if o.piece == p && lists.privatives[o.Lower] {
				if next := s.after(k, o.Lower); next != nil && c.has(next) && !c.holds(o.Lower) {
					return Finding{Quantity, "", o.Lower}, true
				}
			}
			if o.piece != p || !lists.weak[s.phrase(k, lists.weak)] {
				continue
			}
			weak := s.phrase(k, lists.weak)
			next := s.after(k, weak)
			if next == nil || !c.has(next) || c.holds(weak) || lists.about[weak] && slices.ContainsFunc(c.words, func(x word) bool { return lists.about[x.Lower] }) {
				continue
			}
			if lists.prepositions[weak] && next.number == "" && !strings.Contains(weak, " ") { // around the house, over the river
				continue
			}
			return Finding{Quantity, "", weak}, true
		}
	}
	return Finding{}, false
}

// says reports whether the sentences have one of the words or phrases of a list.
func (e *evidence) says(list map[string]bool) bool {
	for phrase := range list {
		if e.hasLower(phrase) {
			return true
		}
	}
	return false
}

// hasStrongLike reports whether the sentences hold a word that says as much: every for all.
func (e *evidence) hasStrongLike(w string) bool {
	for _, group := range lists.alike {
		if slices.Contains(group, w) && slices.ContainsFunc(group, e.hasLower) {
			return true
		}
	}
	return false
}

func (e *evidence) hasLower(w string) bool {
	return slices.ContainsFunc(e.sentences, func(s text) bool { return s.holds(w) })
}

// holds reports whether a text has a word or a phrase.
func (t *text) holds(phrase string) bool {
	f := strings.Fields(phrase)
	for i := range t.words {
		if t.phraseAt(i, f) {
			return true
		}
	}
	return false
}

// phraseAt reports whether words stand at i.
func (t *text) phraseAt(i int, words []string) bool {
	if i+len(words) > len(t.words) {
		return false
	}
	for k, w := range words {
		if t.words[i+k].Lower != w {
			return false
		}
	}
	return true
}

// phrase returns the phrase of a list that begins at word i, else the word.
func (t *text) phrase(i int, list map[string]bool) string {
	for _, p := range lists.phrases {
		if joined := strings.Join(p, " "); list[joined] && t.phraseAt(i, p) {
			return joined
		}
	}
	return t.words[i].Lower
}

// after returns the first content word or number behind a phrase at i, nil where its piece ends before.
func (t *text) after(i int, phrase string) *word {
	for k := i + len(strings.Fields(phrase)); k < len(t.words) && t.words[k].piece == t.words[i].piece; k++ {
		if t.words[k].content() || t.words[k].number != "" {
			return &t.words[k]
		}
	}
	return nil
}

// negates reports whether a piece of the text is turned round by a negation or by a verb such as failed.
func (t *text) negates(piece int) bool {
	skip := 0
	for i, w := range t.words {
		if w.piece == piece && i > 0 && t.words[i-1].piece != piece && w.Lower == "that" && lists.implicit[t.words[i-1].stem] {
			return true
		}
		if w.piece != piece {
			continue
		}
		for _, p := range lists.idle {
			if t.phraseAt(i, p) {
				skip = i + len(p)
			}
		}
		if i >= skip && lists.implicit[w.stem] && i+1 < len(t.words) && t.words[i+1].Lower == "that" {
			continue // denied that he came: what follows is denied
		}
		if i >= skip && (lists.negations[w.Lower] || strings.HasSuffix(w.Lower, "n't") || lists.implicit[w.stem] && !lists.titles[w.Lower]) {
			return true
		}
	}
	return false
}

// comparable is the share of the content words of a claim's piece that a piece of the evidence must hold for the two to
// be about one thing.
const comparable = 0.4

// match returns the piece of a sentence that holds most of what a piece of the claim says, and the sentence; -1 where
// none holds enough. Of equal ones the first is taken whose negation agrees with the claim's.
func (e *evidence) match(c text, piece int) (int, *text) {
	total := 0
	for i := range c.words {
		if c.words[i].piece == piece && (c.words[i].content() || c.words[i].number != "") {
			total++
		}
	}
	best, most := -1, 0
	var in *text
	for k := range e.sentences {
		s := &e.sentences[k]
		counts := make([]int, s.pieces)
		for i := range c.words {
			w := &c.words[i]
			if w.piece != piece || !w.content() && w.number == "" {
				continue
			}
			seen := map[int]bool{}
			for j := range s.words {
				if o := &s.words[j]; same(w, o) && !seen[o.piece] {
					seen[o.piece] = true
					counts[o.piece]++
				}
			}
		}
		for p, n := range counts {
			if n > most || n == most && n > 0 && in.negates(best) != c.negates(piece) && s.negates(p) == c.negates(piece) {
				best, most, in = p, n, s
			}
		}
	}
	if most == 0 || float64(most) < comparable*float64(total) {
		return -1, nil
	}
	return best, in
}

// negation finds a piece of the claim that denies what the words state, or states what they deny.
func negation(c text, e evidence) (Finding, bool) {
	if f, found := deniedVerb(c, e); found {
		return f, true
	}
	for piece := range c.pieces {
		p, s := e.match(c, piece)
		if p < 0 || c.topics(piece) < 2 {
			continue
		}
		if w := c.lacks(*s, p); w != "" {
			return Finding{Negation, w, s.pieceText(p)}, true
		}
		stated, denied := c.denies(piece), s.denies(p)
		if s.lastVerb(p) < 0 { // the chairman, Dr Amin, did not vote
			for q := range s.pieces {
				denied = denied || c.countShared(piece, *s, q) > 0 && s.denies(q)
			}
		}
		switch {
		case haveOpposites(c, piece, *s, p):
			continue
		case stated == denied && (s.refuses(p, c) == "" || c.hasImplicit()):
			continue
		case stated && !denied && s.hasImplicit(), denied && !stated && (c.hasImplicit() || c.lacksAny()):
			continue
		}
		return Finding{Negation, c.pieceText(piece), s.pieceText(p)}, true
	}
	return Finding{}, false
}

// reach is how many words before a verb a word may stand that denies it.
const reach = 5

// deniedVerb finds a verb that the claim denies, by not or never before it, and that the words have without a denial before
// it: what else they deny does not count.
func deniedVerb(c text, e evidence) (Finding, bool) {
	for i, w := range c.words {
		if w.Lower != "not" && w.Lower != "never" && !strings.HasSuffix(w.Lower, "n't") {
			continue
		}
		v := i + 1
		if v < len(c.words) && segment.Determiner(c.words[v].Lower) {
			continue // not the church
		}
		for v < len(c.words) && v < i+3 && !c.words[v].content() {
			v++
		}
		if v == len(c.words) || !c.words[v].content() || c.words[v].piece != w.piece {
			continue
		}
		stated := ""
		for k := range e.sentences {
			s := &e.sentences[k]
			for j := range s.words {
				if !same(&c.words[v], &s.words[j]) {
					continue
				}
				if s.deniedAt(j) {
					return Finding{}, false
				}
				stated = s.pieceText(s.words[j].piece)
			}
		}
		if stated != "" {
			return Finding{Negation, c.pieceText(w.piece), stated}, true
		}
	}
	return Finding{}, false
}

// deniedAt reports whether a word of denial, or one such as failed or without, stands shortly before word i, or its clause
// begins with nobody or none.
func (t *text) deniedAt(i int) bool {
	for k := max(0, i-reach); k < i; k++ {
		w := t.words[k]
		if lists.negations[w.Lower] || strings.HasSuffix(w.Lower, "n't") || lists.implicit[w.stem] || lists.lacking[w.Lower] || lists.modal[w.Lower] != "" {
			return true
		}
	}
	return false
}

// lacks returns a word of a claim that stands behind a word such as without in a piece of the words, while the claim has no
// such word; "" for none.
func (t *text) lacks(s text, p int) string {
	if slices.ContainsFunc(t.words, func(w word) bool { return lists.lacking[w.Lower] || lists.negations[w.Lower] }) {
		return ""
	}
	for i, w := range s.words {
		if w.piece != p || !lists.lacking[w.Lower] {
			continue
		}
		if next := s.after(i, w.Lower); next != nil && t.has(next) {
			return next.Lower
		}
	}
	return ""
}

// denies reports whether a piece has a word or phrase of negation.
func (t *text) denies(piece int) bool {
	skip := 0
	for i, w := range t.words {
		if w.piece != piece {
			continue
		}
		for _, p := range lists.idle {
			if t.phraseAt(i, p) {
				skip = i + len(p)
			}
		}
		if i >= skip && (lists.negations[w.Lower] || strings.HasSuffix(w.Lower, "n't") || lists.negationPhrases[t.phrase(i, lists.negationPhrases)]) {
			return true
		}
	}
	return false
}

// hasImplicit reports whether a text has a word such as failed or refused, or one that begins as unable does.
func (t *text) hasImplicit() bool {
	return slices.ContainsFunc(t.words, func(w word) bool {
		begins := len(w.Lower) > 4 && (strings.HasPrefix(w.Lower, "un") || strings.HasPrefix(w.Lower, "in") || strings.HasPrefix(w.Lower, "dis"))
		return lists.implicit[w.stem] && !lists.titles[w.Lower] || begins && w.content()
	})
}

// lacksAny reports whether a text has a negation anywhere, or a word such as without.
func (t *text) lacksAny() bool {
	return slices.ContainsFunc(t.words, func(w word) bool { return lists.lacking[w.Lower] || lists.negations[w.Lower] })
}

// refuses returns the verb of a piece, or of the one before it, that says that what follows it was not so: failed to sell,
// denied that he sold; "" where none governs a word of the claim.
func (t *text) refuses(piece int, c text) string {
	for i, w := range t.words {
		if (w.piece != piece && w.piece != piece-1) || !lists.implicit[w.stem] || lists.titles[w.Lower] || i+2 >= len(t.words) || c.has(&t.words[i]) {
			continue
		}
		if next := t.words[i+1].Lower; next == "to" && c.has(&t.words[i+2]) || next == "that" && t.words[i+1].piece == piece {
			return w.Lower
		}
	}
	return ""
}

// topics returns how many content words a piece has that are no part of a date.
func (t *text) topics(piece int) int {
	n := 0
	for i := range t.words {
		if w := &t.words[i]; w.piece == piece && w.content() && !lists.months[w.Lower] && !lists.weekdays[w.Lower] {
			n++
		}
	}
	return n
}

// haveOpposites reports whether a piece of the claim has the opposite of a word of a piece of the words.
func haveOpposites(c text, piece int, s text, p int) bool {
	a, _ := opposite(c, piece, s, p)
	return a != ""
}

// pieceText returns the words of a piece.
func (t *text) pieceText(piece int) string {
	start, end := -1, 0
	for _, w := range t.words {
		if w.piece == piece {
			if start < 0 {
				start = w.Start
			}
			end = w.End
		}
	}
	if start < 0 {
		return ""
	}
	return t.raw[start:end]
}

// modality finds a piece of the claim whose class of modality is not that of the words.
func modality(c text, e evidence) (Finding, bool) {
	for piece := range c.pieces {
		p, s := e.match(c, piece)
		if p < 0 || c.topics(piece) < 2 {
			continue
		}
		said, meant := s.modals(p), c.modals(piece)
		if w := addedModal(meant, e); w != "" && !c.reportsAny() {
			return Finding{Modality, w, ""}, true
		}
		for _, class := range []string{"possible", "due", "intended", "able"} {
			if said[class] != "" && len(meant) == 0 && !c.reportsAny() && !c.lacksAny() && (class != "able" || said[class] == "may") {
				return Finding{Modality, "", said[class]}, true
			}
		}
		if may, must := said["possible"] == "may" || said["possible"] == "might", meant["due"]; may && must == "must" || said["due"] == "must" && meant["possible"] == "may" {
			return Finding{Modality, must + meant["possible"], said["possible"] + said["due"]}, true
		}
		if w := meant["intended"]; w != "" && len(said) == 0 && w != "would" && w != "will" && w != "was to" && w != "were to" {
			return Finding{Modality, w, ""}, true
		}
	}
	return Finding{}, false
}

// addedModal returns a word of a claim that makes possible or due what the words, which have no word of modality, state; ""
// for none.
func addedModal(meant map[string]string, e evidence) string {
	for _, s := range e.sentences {
		if s.asks || s.reportsAny() {
			return ""
		}
		for p := range s.pieces {
			if len(s.modals(p)) > 0 {
				return ""
			}
		}
	}
	for _, class := range []string{"possible", "due", "able"} {
		if w := meant[class]; w != "" && !strings.Contains(w, " ") {
			return w
		}
	}
	return ""
}

// modals returns the words of modality of a piece by class.
func (t *text) modals(piece int) map[string]string {
	out := map[string]string{}
	for i, w := range t.words {
		if w.piece != piece || w.Upper && lists.months[w.Lower] && !w.first {
			continue
		}
		for _, phrase := range lists.phrases {
			if joined := strings.Join(phrase, " "); lists.modal[joined] != "" && t.phraseAt(i, phrase) && (i == 0 || t.words[i-1].Lower != "have") {
				out[lists.modal[joined]] = joined
			}
		}
		class := lists.modal[w.Lower]
		if class == "" {
			class = lists.modal[w.stem]
		}
		if class == "" || i > 0 && segment.Determiner(t.words[i-1].Lower) && !t.words[i-1].isThat() { // the will
			continue
		}
		out[class] = w.Lower
	}
	return out
}

func (w *word) isThat() bool { return w.Lower == "that" || w.Lower == "this" }

// opposites finds a word of the claim whose opposite the words have in its place.
func opposites(c text, e evidence) (Finding, bool) {
	for piece := range c.pieces {
		p, s := e.match(c, piece)
		if p < 0 || c.negates(piece) != s.negates(p) {
			continue
		}
		if a, b := opposite(c, piece, *s, p); a != "" {
			return Finding{Opposite, a, b}, true
		}
	}
	return Finding{}, false
}

// opposite returns a word of a claim's piece and its opposite in a piece of the words, where neither text has both; "" for none.
func opposite(c text, piece int, s text, p int) (claimed, written string) {
	for i := range c.words {
		w := &c.words[i]
		if w.piece < piece-1 || w.piece > piece || w.number != "" || s.has(w) || lists.negations[w.Lower] {
			continue
		}
		for j := range s.words {
			o := &s.words[j]
			if o.piece < p-1 || o.piece > p || o.number != "" || c.has(o) || lists.negations[o.Lower] {
				continue
			}
			if lists.converses[w.stem][o.stem] {
				continue
			}
			if other := contraries(); other[w.stem][o.stem] || other[w.Lower][o.Lower] || other[positive(w.Lower)][positive(o.Lower)] {
				return w.Lower, o.Lower
			}
		}
	}
	return "", ""
}

// positive returns the form that a comparative or superlative in -er or -est is made of, and other words as they are.
func positive(w string) string {
	for _, end := range []string{"er", "est"} {
		base, ok := strings.CutSuffix(w, end)
		if !ok || len(base) < 3 {
			continue
		}
		if b, ok := strings.CutSuffix(base, "i"); ok {
			return b + "y"
		}
		if n := len(base); base[n-1] == base[n-2] && base[n-1] != 'l' && base[n-1] != 's' {
			return base[:n-1]
		}
		return base
	}
	return w
}

// hearsay finds words that are somebody's report where the claim does not say so.
func hearsay(c text, e evidence) (Finding, bool) {
	if c.reportsAny() {
		return Finding{}, false
	}
	for piece := range c.pieces {
		p, s := e.match(c, piece)
		if p < 0 || c.topics(piece) < 2 {
			continue
		}
		if w := s.complementOf(p); w != "" && !c.hasAnyOf(w) {
			return Finding{Hearsay, "", w}, true
		}
		if w := s.reporter(p); w != "" {
			return Finding{Hearsay, "", w}, true
		}
	}
	return Finding{}, false
}

// complementOf returns the words before "that" where this opens piece p and makes it what somebody says or supposes: told me
// that, the report that; "" where that opens a relative clause, or no clause.
func (t *text) complementOf(p int) string {
	for i, w := range t.words {
		if w.piece != p || i == 0 {
			continue
		}
		before := t.words[i-1]
		if w.Lower != "that" && w.Lower != "dass" && w.Lower != "daß" || i > 0 && before.piece == p {
			return ""
		}
		if t.announces(i) || lists.knowing[before.Lower] {
			return ""
		}
		verb := before.isVerb() || lists.reports[before.stem] || lists.pronouns[before.Lower] || strings.HasSuffix(before.Lower, "s") && !before.Upper || t.denies(before.piece)
		if verb || lists.contentNouns[before.stem] {
			return t.raw[t.words[max(0, i-3)].Start:before.End]
		}
		return ""
	}
	return ""
}

// hasAnyOf reports whether a text has a content word of a phrase.
func (t *text) hasAnyOf(phrase string) bool {
	p := analyse(phrase)
	return slices.ContainsFunc(p.words, func(w word) bool { return w.content() && t.has(&w) })
}

// announces reports whether the words before i only lead up to what the writer says: I am sorry to say that, you will be
// glad to hear that.
func (t *text) announces(i int) bool {
	lead := t.words[max(0, i-9):i]
	person := slices.ContainsFunc(lead, func(w word) bool { return w.Lower == "i" || w.Lower == "you" || w.Lower == "duty" })
	return person && slices.ContainsFunc(lead, func(w word) bool { return w.Lower == "to" })
}

// reportsAny reports whether a claim says whose word it is.
func (t *text) reportsAny() bool {
	return slices.ContainsFunc(t.words, func(w word) bool { return lists.reports[w.stem] })
}

// reporter returns the word that makes a piece somebody's report: in the piece, in the one before it, or as a remark of few
// words behind it; "" for none. A verb of saying with a plain object reports nothing.
func (t *text) reporter(piece int) string {
	for i, w := range t.words {
		if p := t.phrase(i, lists.reportPhrases); lists.reportPhrases[p] {
			return p
		}
		near := w.piece == piece || w.piece == piece-1 ||
			w.piece == piece+1 && t.size(w.piece) <= 4 && !strings.HasSuffix(w.Lower, "ing") && !lists.joiners[t.firstOf(w.piece)]
		if i > 0 && t.words[i-1].Lower == "to" && slices.ContainsFunc(t.words, func(x word) bool {
			return x.piece == w.piece && (x.Lower == "i" || x.Lower == "you" || x.Lower == "duty")
		}) {
			continue // sorry to say, to tell you
		}
		if !near || !lists.reports[w.stem] || w.Upper && !w.first {
			continue
		}
		if i > 0 && (segment.Determiner(t.words[i-1].Lower) && !t.words[i-1].isThat()) {
			continue // the report, a claim
		}
		if lists.ordering[w.Lower] && slices.ContainsFunc(t.words[i+1:min(len(t.words), i+6)], func(x word) bool { return x.Lower == "to" }) {
			continue // told him to come
		}
		if lists.deeds[w.stem] && !t.clauseBehind(i) {
			continue // maintained the range
		}
		if w.piece == piece && i+1 < len(t.words) && segment.Determiner(t.words[i+1].Lower) && !t.words[i+1].isThat() && t.size(piece) <= 6 && t.lastVerb(piece) == i {
			continue // heard the bells
		}
		return w.Lower
	}
	return ""
}

// clauseBehind reports whether that or a verb with a tense stands behind word i.
func (t *text) clauseBehind(i int) bool {
	return slices.ContainsFunc(t.words[i+1:], func(w word) bool {
		return w.Lower == "that" || segment.FiniteVerb(w.Lower) || lists.modal[w.Lower] != ""
	})
}

// firstOf returns the first word of a piece.
func (t *text) firstOf(piece int) string {
	for _, w := range t.words {
		if w.piece == piece {
			return w.Lower
		}
	}
	return ""
}

// lastVerb returns the index of the last finite verb of a piece, -1 for none.
func (t *text) lastVerb(piece int) int {
	last := -1
	for i, w := range t.words {
		if w.piece == piece && segment.FiniteVerb(w.Lower) {
			last = i
		}
	}
	return last
}

// size returns how many words a piece has.
func (t *text) size(piece int) int {
	n := 0
	for _, w := range t.words {
		if w.piece == piece {
			n++
		}
	}
	return n
}

// conditions finds a condition on the words that the claim leaves out.
func conditions(c text, e evidence) (Finding, bool) {
	for piece := range c.pieces {
		p, s := e.match(c, piece)
		if p < 0 || c.topics(piece) < 2 {
			continue
		}
		for i, w := range s.words {
			phrase := s.phrase(i, lists.conditions)
			if lists.conditions[phrase] && !slices.ContainsFunc(c.words, func(x word) bool { return lists.conditions[x.Lower] }) && !c.holds(phrase) && w.piece <= p+1 {
				return Finding{Condition, "", phrase}, true
			}
		}
	}
	return Finding{}, false
}

// question finds words that only ask.
func question(c text, e evidence) (Finding, bool) {
	for piece := range c.pieces {
		if p, s := e.match(c, piece); p >= 0 && s.asks && !c.asks {
			return Finding{Question, "", s.raw}, true
		}
	}
	return Finding{}, false
}

// findCut finds a quotation whose end is inside a word.
func findCut(_ text, e evidence) (Finding, bool) { return Finding{Cut, "", e.cut}, e.cut != "" }

// marked finds quoted words that the document shows struck through or reversed.
func marked(_ text, e evidence) (Finding, bool) {
	return Finding{Marked, "", e.marked}, e.marked != ""
}
