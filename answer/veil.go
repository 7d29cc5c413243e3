package answer

import (
	"slices"
	"strings"

	"muniment/answer/policy"
)

// veils returns the places of a candidate's quote where protected persons are
// named. They are sought in the whole units that it lies in: an initial at its
// end may be the beginning of a name.
func (r *run) veils(c *candidate) ([]policy.Veil, error) {
	doc, err := r.document(c.ev.Artifact)
	if err != nil {
		return nil, err
	}
	units := doc.Units(c.ev.Span.Kind)
	first, last := units[c.ev.Span.From.Unit-1], units[c.ev.Span.To.Unit-1]
	text := string(doc.Payload()[first.Start:last.End])
	at := byteAt(text, c.ev.Span.From.Offset)
	if !strings.HasPrefix(text[at:], c.ev.Quote) {
		return r.p.Policy.Veils(c.ev.Quote), nil
	}
	var out []policy.Veil
	for _, v := range r.p.Policy.Veils(text) {
		v.Start, v.End = max(v.Start-at, 0), min(v.End-at, len(c.ev.Quote))
		if v.Start < v.End {
			out = append(out, v)
		}
	}
	return out, nil
}

// names reports whether the question names somebody whom the veils hide. A
// draft is written by somebody who knows the archive: its names are veiled, too.
func (r *run) names(veils []policy.Veil) bool {
	if r.draft || len(veils) == 0 {
		return false
	}
	for _, asked := range r.p.Policy.Veils(r.query) {
		for _, v := range veils {
			if slices.ContainsFunc(v.Persons, func(name string) bool { return slices.Contains(asked.Persons, name) }) {
				return true
			}
		}
	}
	return false
}

// mentioned lists the persons that words name, in the widest sense.
func (r *run) mentioned(words string) []string {
	out := r.p.Policy.Mentions(words)
	for _, v := range r.p.Policy.Veils(words) {
		for _, name := range v.Persons {
			if !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out
}

// MoreNote is the note of the category gate of an answer to More: its excerpts
// may be gate.ContextFactor times as long.
const MoreNote = "more context"

const requestorNote = "requestor "

// RequestorIn reads, in the notes of a category gate, who asked; "" is whoever
// gave no name. Answers of older versions do not say.
func RequestorIn(notes []string) (name string, told bool) {
	for _, n := range notes {
		if name, ok := strings.CutPrefix(n, requestorNote); ok {
			return strings.Trim(name, `"`), true
		}
	}
	return "", false
}

// notes are those of the category gate, which is always sealed.
func (r *run) notes() []string {
	out := []string{requestorNote + `"` + r.request.Requestor.Name + `"`}
	if r.decision.Rule != "" {
		out = append(out, "rule "+r.decision.Rule)
	}
	if r.more {
		out = append(out, MoreNote)
	}
	if r.sorted != nil {
		out = append(out, r.sorted.notes()...)
	}
	return out
}
