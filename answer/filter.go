package answer

import (
	"context"
	"strings"

	"muniment/answer/gate"
	"muniment/answer/model"
)

// filter is the category filter. It reads the policy and nothing else; for a
// borderline question the metadata too; of one that the rules passed with a
// doubt a model may be asked.
func (p *Pipeline) filter(ctx context.Context, q question) (scope, error) {
	facts := gate.Facts{Subject: p.Policy.Subject, Persons: p.Policy.Persons, CoversTo: p.View.CoversTo, Names: p.View.Names}
	s := scope{Decision: gate.Category(q.text, facts)}
	if len(s.Lookup) > 0 && p.View.Mentions != nil {
		found, err := p.View.Mentions(s.Lookup)
		if err != nil {
			return scope{}, err
		}
		s.Decision = s.Found(found)
	}
	if s.Doubt == "" || p.Classify == nil {
		return s, nil
	}
	until := facts.Subject.Died
	if until == "" {
		until = facts.CoversTo
	}
	reply, err := p.Classify(ctx, model.Sorted{Question: q.text, Subject: facts.Subject.Name, Until: until, Categories: gate.Categories()})
	s.classification = &classification{reply, err}
	switch {
	case ctx.Err() != nil:
		return scope{}, ctx.Err()
	case err == nil: // a reply that does not count changes nothing
		s.Decision = s.Judged(facts, reply.Category)
	}
	return s, nil
}

// A classification is a model's reply about a question, and why it does not count.
type classification struct {
	reply model.Classed
	err   error
}

// notes returns the lines about the classification in the sealed gate of the category.
func (c *classification) notes() []string {
	out := []string{"classified by a model", "model " + c.reply.Model, "prompt_sha256 " + c.reply.PromptSHA256,
		"prompt " + cutToLeaf(c.reply.Prompt, maxKeptPrompt), "reply " + cutToLeaf(c.reply.Reply, maxKeptReply)}
	if c.err != nil {
		out = append(out, "not used: "+cutToLeaf(c.err.Error(), maxKeptReply))
	}
	return out
}

// categoryKind returns the true kind of a category refusal, "" of any other decision.
func (s scope) categoryKind() gate.Kind {
	if s.Action == gate.Refuse {
		return s.Kind()
	}
	return ""
}

// MoreNote is the note of the category gate of an answer to More: its excerpts
// may be gate.ContextFactor times as long.
const MoreNote = "more context"

const requestorNote = "requestor "

// RequestorIn returns the requestor that the notes of a category gate name; ""
// is whoever gave no name. told is false in answers of older versions, which do
// not say.
func RequestorIn(notes []string) (name string, told bool) {
	for _, n := range notes {
		if name, ok := strings.CutPrefix(n, requestorNote); ok {
			return strings.Trim(name, `"`), true
		}
	}
	return "", false
}

// notes returns the lines of the category gate, which is always sealed.
func (s scope) notes(q question) []string {
	out := []string{requestorNote + `"` + q.request.Requestor.Name + `"`}
	if s.Rule != "" {
		out = append(out, "rule "+s.Rule)
	}
	if q.origin == moreContext {
		out = append(out, MoreNote)
	}
	if s.classification != nil {
		out = append(out, s.classification.notes()...)
	}
	return out
}
