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
	if a.share, a.failed = coverage(c, w); a.failed == "" {
		a.failed = restates(claim, window, p, self)
	}
	if a.failed != "" && frames(claim, window, p, self) == "" {
		a.failed = ""
	}
	return a
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

// restates tells whether every clause of the claim is a clause of the window, in order and with
// nothing of either left out but what package documentation allows. It returns "" or the test that
// failed.
func restates(claim string, window []string, p *retrieve.Passage, self map[string]bool) string {
	said, deictic := withoutHeld(claim, p)
	c := forms(said, self)
	var evidence []form
	var from [][]form // clauses of all sentences of the window
	for _, s := range window {
		ws := forms(s, self)
		if len(ws) == 0 {
			continue
		}
		if strings.HasSuffix(strings.TrimRight(s, "”“»«\"')] "), "?") {
			return "modality"
		}
		if strings.ContainsAny(s, "()[]{}") {
			return "modality" // a remark in brackets can be about all of it
		}
		evidence = append(evidence, ws...)
		from = append(from, separate(ws)...)
	}
	if f := qualified(c, evidence); f != "" {
		return f
	}
	failed := "order"
	for _, want := range [][][]form{{c}, clauses(c)} {
		if len(want) == 0 || len(window) > 1 && len(want) < 2 {
			continue
		}
		m := matcher{evidence: evidence, author: bySubject(p, self), quoted: quotes(strings.Join(window, " ")), deictic: deictic}
		switch f := m.all(want, from); f {
		case "":
			return ""
		case "order":
		default:
			failed = f
		}
	}
	return failed
}

// frames is restates by frames. What is asked or stands beside a remark in brackets is no statement.
func frames(claim string, window []string, p *retrieve.Passage, self map[string]bool) string {
	var given [][]form
	var evidence []form
	for _, s := range window {
		if strings.HasSuffix(strings.TrimRight(s, "”“»«\"')] "), "?") || strings.ContainsAny(s, "()[]{}") {
			return "modality"
		}
		ws := forms(s, self)
		if len(ws) == 0 {
			continue
		}
		given, evidence = append(given, ws), append(evidence, ws...)
	}
	m := matcher{evidence: evidence, author: bySubject(p, self), quoted: quotes(strings.Join(window, " "))}
	if m.quoted {
		return "order" // what is quoted is another's word
	}
	return m.framed(forms(claim, self), given)
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

// qualified tells whether words of the evidence that reach over a whole sentence (negations,
// conditions, doubts, hearsay) are as many in the claim.
func qualified(c, evidence []form) string {
	for _, kind := range []struct {
		name string
		is   map[string]bool
	}{{"negation", negations}, {"modality", reaching}} {
		if !slices.Equal(which(c, kind.is), which(evidence, kind.is)) {
			return kind.name
		}
	}
	return ""
}

func which(ws []form, set map[string]bool) []string {
	var out []string
	for _, w := range ws {
		if set[w.text] || !w.upper && set[segment.Stem(w.text)] {
			out = append(out, segment.Stem(w.text))
		}
	}
	slices.Sort(out)
	return out
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
