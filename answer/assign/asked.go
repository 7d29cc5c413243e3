package assign

import (
	"slices"

	"muniment/answer/retrieve"
	"muniment/answer/segment"
)

// An open frame is a question: a statement with a gap.
type open struct {
	frame
	gap string // subject, object, time, place
}

// openFrames reads a question as statements with a gap: "When did Max leave?" is "Max did leave" with a
// time wanted. There are several where it is not known how far the subject goes; none where the question
// is of another kind.
func openFrames(text string) []open {
	ws := normal(forms(text, nil))
	if len(ws) < 3 {
		return nil
	}
	for i := range ws {
		ws[i].begin = false
	}
	gap := map[string]string{"when": "time", "where": "place", "who": "subject", "what": "object"}[ws[0].text]
	var out []open
	add := func(gap string, clause []form) {
		for _, f := range parseFrames(clause) {
			if o, ok := gapped(f, gap); ok {
				out = append(out, o)
			}
		}
	}
	someone := form{text: "@asked"}
	switch {
	case gap == "":
		return nil
	case gap == "subject" || gap == "object" && !inverting[ws[1].text] && ws[1].text != "will":
		add("subject", append([]form{someone}, ws[1:]...))
		return out
	case !inverting[ws[1].text] && !beForms[ws[1].text] && ws[1].text != "will":
		return nil
	}
	for k := 3; k < len(ws); k++ {
		add(gap, slices.Concat(ws[2:k], ws[1:2], ws[k:]))
	}
	return out
}

// gapped opens a gap in a frame; ok is false where there is none.
func gapped(f frame, gap string) (open, bool) {
	asked := func(n *noun) bool { return n != nil && len(n.words) > 0 && n.words[0].text == "@asked" }
	switch {
	case f.verb == "be" || len(f.verb) < 2:
		return open{}, false
	case gap == "subject" && asked(f.subject):
		f.subject = nil
	case gap == "subject" && asked(f.object):
		gap, f.object = "object", nil
	case gap == "subject":
		// who bought: sold to whom
		i := slices.IndexFunc(f.adjuncts, func(a adjunct) bool { return asked(a.noun) })
		if i < 0 {
			return open{}, false
		}
		gap, f.adjuncts = "to", slices.Delete(slices.Clone(f.adjuncts), i, i+1)
	case gap == "object" && f.object != nil:
		if !givers[f.verb] {
			return open{}, false
		}
		f.adjuncts = append(slices.Clone(f.adjuncts), adjunct{prep: "to", noun: f.object})
		f.object = nil
	}
	return open{f, gap}, true
}

// answers tells whether a frame of a text fills the gap and says all the rest.
func (o open) answers(e frame, m *matcher) bool {
	if e.verb != o.verb || e.negated != o.negated || e.tense != o.tense {
		return false
	}
	nm := &nounMatcher{mapped: map[string]bool{}, loose: true, once: m.once, list: true}
	third := func(n *noun) bool {
		return n != nil && len(n.words) == 1 && (n.words[0].text == "he" || n.words[0].text == "she")
	}
	if third(o.subject) && third(e.subject) {
		return false // not known who that is
	}
	if o.gap != "subject" && o.subject != nil && (e.subject == nil || !nm.same(o.subject, e.subject)) {
		return false
	}
	if o.gap != "object" && !(o.object == nil && o.gap == "time") && !nm.same(o.object, e.object) {
		return false
	}
	left := slices.Clone(e.adjuncts)
	for _, a := range o.adjuncts {
		i := slices.IndexFunc(left, func(b adjunct) bool { return nm.sameAdjunct(a, b) })
		if i < 0 {
			return false
		}
		left = slices.Delete(left, i, i+1)
	}
	switch o.gap {
	case "subject":
		return e.subject != nil && !third(e.subject)
	case "object":
		return e.object != nil
	case "to":
		return slices.ContainsFunc(left, func(a adjunct) bool { return a.prep == "to" && a.noun != nil })
	case "time":
		return slices.ContainsFunc(left, func(a adjunct) bool { return a.time != "" })
	}
	return slices.ContainsFunc(left, func(a adjunct) bool { return placing[a.prep] && a.noun != nil && a.time == "" })
}

// draftAsked answers a question with sentences whose frame fills the gap of the question. The sentence
// before comes too where it says who he or she is.
func draftAsked(text string, passages []retrieve.Passage) []candidate {
	wanted := openFrames(text)
	if len(wanted) == 0 {
		return nil
	}
	var out []candidate
	for i := range passages {
		p := &passages[i]
		sentences := segment.Sentences(p.Text, p.Lang)
		var before *noun
		for k, s := range sentences {
			raw := forms(p.Text[s.Start:s.End], nil)
			ws := normal(raw)
			m := &matcher{evidence: raw}
			said := m.sayings(ws, before, nil, false)
			before = m.oneNamed(ws, framesOf(said))
			if !stated(p, p.Text[s.Start:s.End], k) || p.Text[s.End-1] == '?' || quotes(p.Text[s.Start:s.End]) {
				continue
			}
			at := slices.IndexFunc(said, func(one saying) bool {
				return slices.ContainsFunc(one.frames, func(e frame) bool {
					return slices.ContainsFunc(wanted, func(o open) bool { return o.answers(e, m) })
				})
			})
			if at < 0 {
				continue
			}
			c := candidate{p: p, passage: i, first: k, share: 1, sentence: sentences[k : k+1], shares: []float64{p.Similarity}}
			if said[at].resolved && k > 0 {
				c.first, c.sentence, c.shares = k-1, sentences[k-1:k+1], []float64{p.Similarity, p.Similarity}
			}
			out = append(out, c)
		}
	}
	return out
}
