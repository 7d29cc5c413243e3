package assign

import (
	"slices"
	"strings"
	"unicode"

	"muniment/answer/retrieve"
	"muniment/answer/segment"
)

// maxTokens is how many words of a claim or of evidence are compared; longer ones do not align.
const maxTokens = 200

// alignment is the best result of comparing a claim with one window of evidence.
type alignment struct {
	share  float64 // of the claim's content words found at all
	failed string  // the test that failed; "" when all passed
}

// align compares a claim with one sentence of a passage's text, or with two adjacent ones.
func align(claim string, window []string, p *retrieve.Passage, self map[string]bool) alignment {
	text := strings.Join(window, " ")
	c := tokens(claim, self, heldDates(claim, p))
	w := tokens(text, self, nil)
	if len(c) > maxTokens || len(w) > maxTokens {
		return alignment{failed: "words"}
	}
	a := alignment{}
	a.share, a.failed = coverage(c, w)
	if says(claim, window, p, self) {
		a.failed = ""
	} else {
		a.failed = first(a.failed, "order")
	}
	return a
}

// says tells whether each clause of a claim is said as a fact by a clause of the window.
func says(claim string, window []string, p *retrieve.Passage, self map[string]bool) bool {
	text := strings.Join(window, " ")
	if quotes(text) || strings.ContainsAny(text, "()[]{}") {
		return false
	}
	m := matcher{author: bySubject(p, self)}
	c := normal(forms(claim, self))
	var sentences [][]form
	for _, s := range window {
		if strings.HasSuffix(strings.TrimRight(s, "”“»«\"')] "), "?") {
			return false
		}
		if ws := normal(forms(s, self)); len(ws) > 0 {
			sentences = append(sentences, ws)
			m.window = append(m.window, ws...)
		}
	}
	if !mostly(c, sentences) {
		return false
	}
	var given, referred []saying
	var before *noun // the one person whom the sentence before names
	var thing []form // the one thing of which it speaks
	for i, ws := range sentences {
		said := m.sayings(ws, before, thing, len(self) > 0 && m.author)
		if i > 0 {
			referred = m.referring(sentences[i-1], ws, said)
			if m.joined(c, statedBy(sentences[i-1], given), referred) {
				return true
			}
		}
		given, thing = append(given, said...), lone(said)
		before = m.oneNamed(ws, framesOf(said))
	}
	if m.agreed(c, append(given, referred...)) {
		return true
	}
	rest, held := withoutHeld(claim, p)
	if held == nil {
		return false
	}
	m.deictic = held
	var dated []saying
	for _, g := range given {
		if ws, n := m.undated(g.words); n == 1 {
			dated = append(dated, newSaying(ws))
		}
	}
	return m.agreed(normal(forms(rest, self)), dated)
}

// mostly tells whether a window has most words of a claim, without which there is nothing to take apart.
func mostly(c []form, sentences [][]form) bool {
	total, found := 0, 0
	for _, w := range c {
		if segment.Function(w.text) || w.text == comma || w.text == subject || isDate(w.text) {
			continue
		}
		total++
		stem := segment.Stem(strings.TrimSuffix(w.text, "'s"))
		if slices.ContainsFunc(sentences, func(ws []form) bool {
			return slices.ContainsFunc(ws, func(e form) bool {
				return e.text == w.text || segment.Stem(strings.TrimSuffix(e.text, "'s")) == stem || wider(w, e)
			})
		}) {
			found++
		}
	}
	return 3*found >= 2*total
}

// agreed tells whether each statement of a claim is one of those given.
func (m *matcher) agreed(c []form, given []saying) bool {
	if len(c) == 0 || len(given) == 0 {
		return false
	}
	main, beside := unfold(c)
	if len(beside) == 0 {
		main = [][]form{c} // nothing of a claim may be left out
	}
	for _, b := range beside {
		if !m.clausesStand(b, given) {
			return false
		}
	}
	return slices.ContainsFunc(main, func(ws []form) bool { return m.clausesStand(ws, given) })
}

func (m *matcher) clausesStand(c []form, given []saying) bool {
	if m.stands(c, given) {
		return true
	}
	cs := clauses(c)
	return len(cs) > 1 && !slices.ContainsFunc(cs, func(one []form) bool { return !m.stands(one, given) })
}

// A saying is a clause that the evidence says as a fact.
type saying struct {
	words    []form
	frames   []frame
	resolved bool // the name stands for the he or she of the text
}

// newSaying takes a clause apart; where it is not understood, without the clause of reason or time at its end.
func newSaying(ws []form) saying {
	frames := parseFrames(ws)
	if e := reading(ws); len(frames) == 0 && e.verb > 0 {
		for k := e.verb + 2; k < len(ws); k++ {
			if (reasons[ws[k].text] || ws[k].text == "to") && e.tail(k) {
				frames = parseFrames(ws[:k])
				break
			}
		}
	}
	return saying{words: ws, frames: derived(frames)}
}

func framesOf(said []saying) []frame {
	var out []frame
	for _, s := range said {
		out = append(out, s.frames...)
	}
	return out
}

// stands tells whether one of the clauses given says a clause of a claim.
func (m *matcher) stands(claim []form, given []saying) bool {
	frames := parseFrames(claim)
	curbed := curbs(claim)
	for _, g := range given {
		m.evidence = g.words
		for _, w := range fronts(g.words) {
			m.mapped = map[string]bool{}
			if m.embeds(claim, w) && m.clear() {
				return true
			}
		}
		if len(frames) == 0 || !slices.Equal(curbed, curbs(g.words)) {
			continue
		}
		m.mapped = map[string]bool{}
		if m.any(frames, g.frames) && m.clear() {
			return true
		}
	}
	return false
}

// fronts returns a clause as it is, and without what stands before its subject.
func fronts(ws []form) [][]form {
	out := [][]form{ws}
	v := predicate(ws)
	if v < 1 || slices.ContainsFunc(ws, func(f form) bool { return negations[f.text] || scoping[f.text] || quantifiers[f.text] }) {
		return out
	}
	f := frame{}
	rest, ok := f.fronted(ws[:v])
	if !ok || len(f.adjuncts) == 0 || !happened(ws, v) {
		return out
	}
	n := v - len(rest)
	if n <= 0 || curbed(ws[:n]) || inFiction(ws[:n]) || limited(ws[:n]) || slices.ContainsFunc(f.adjuncts, func(a adjunct) bool {
		return len(a.words) == 1 && a.time == "" && !manner[a.words[0].text] && !loosely[a.words[0].text] && a.noun == nil
	}) {
		return out
	}
	return append(out, ws[n:])
}

// heldDates returns the dates of a claim in which the document's own date lies.
func heldDates(claim string, p *retrieve.Passage) []retrieve.DateRange {
	own := retrieve.Dates(p.Date)
	if len(own) != 1 {
		return nil
	}
	return slices.DeleteFunc(retrieve.Dates(claim), func(d retrieve.DateRange) bool {
		return own[0].From < d.From || own[0].To > d.To
	})
}

// coverage returns the share of the claim's content words that the window holds, and the test that
// the first missing one fails.
func coverage(c, w []token) (share float64, failed string) {
	total, found := 0, 0
	for _, t := range c {
		if quantities[t.Lower] && !slices.ContainsFunc(w, func(o token) bool { return o.Lower == t.Lower }) {
			failed = first(failed, "quantity")
		}
		if !t.content {
			continue
		}
		total++
		switch {
		case slices.ContainsFunc(w, func(o token) bool { return same(t, o) }):
			found++
		case t.number != "":
			failed = "number"
		case t.name:
			failed = first(failed, "name")
		default:
			failed = first(failed, "words")
		}
	}
	if total == 0 {
		return 0, "words"
	}
	return float64(found) / float64(total), failed
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func same(a, b token) bool {
	if a.number != "" || b.number != "" {
		return a.number == b.number
	}
	return a.stem == b.stem
}

// withoutHeld takes out of a claim one date in which the document's own lies, with the preposition
// before it. The evidence must then say so itself: today, this morning, this spring.
func withoutHeld(claim string, p *retrieve.Passage) (rest string, allowed map[string]bool) {
	held := heldDates(claim, p)
	if len(held) != 1 {
		return claim, nil
	}
	start, end := held[0].Start, held[0].End
	date := strings.ToLower(claim[start:end])
	for {
		ws := segment.Words(claim[:start])
		if len(ws) == 0 || !seasons[ws[len(ws)-1].Lower] && !slices.Contains([]string{"in", "on", "the", "of", "am", "im"}, ws[len(ws)-1].Lower) {
			break
		}
		w := ws[len(ws)-1]
		if seasons[w.Lower] {
			date = w.Lower + " " + date
		}
		start = w.Start
	}
	allowed = map[string]bool{"day": len(p.Date) == len("2006-01-02")}
	bare := !strings.ContainsFunc(date, unicode.IsLetter) && len(date) == len("2006")
	for _, season := range []string{"spring", "summer", "autumn", "winter"} {
		if bare || strings.Contains(date, season) {
			allowed[season] = true
		}
	}
	before, after := strings.TrimRight(claim[:start], " ,"), strings.TrimLeft(claim[end:], " ,")
	return strings.TrimSpace(before + " " + after), allowed
}

// quotes tells a text with quotation marks: who says I there is not known.
func quotes(s string) bool { return strings.ContainsAny(s, "“”„«»\"") }

// bySubject tells whether the first person of a passage is the archive's subject.
func bySubject(p *retrieve.Passage, self map[string]bool) bool {
	if p.Author == "" || len(self) == 0 {
		return true
	}
	return slices.ContainsFunc(segment.Words(p.Author), func(w segment.Word) bool { return self[w.Lower] })
}
