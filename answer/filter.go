package answer

import (
	"context"

	"muniment/answer/gate"
	"muniment/cid"
	"muniment/draft/enforce"
	"muniment/judge/model"
	"muniment/policy"
	"muniment/search/rank"
	"muniment/search/retrieve"
	"muniment/snapshot/record"
	"muniment/text/segment"
)

// readCreative returns a question as the category filter and retrieval read it. Under a profile that
// requires no citations, and where the archive's policy does not forbid the action compose, a request for
// a text about something asks what was written about it: held lines are quoted, and nothing is made up.
func (p *Pipeline) readCreative(q question) (question, error) {
	subject, ok := enforce.CreativeSubject(q.text)
	required := p.Profile.Answers.CitationsRequired
	if t := q.request.Toggles.CitationsRequired; t != nil {
		required = *t
	}
	if !ok || required {
		return q, nil
	}
	may, err := p.Policy.Composes(q.request.Requestor)
	if may && err == nil {
		q.text, q.lines = "What was written about "+subject+"?", retrieve.ContentWords(subject, nil)
	}
	return q, err
}

// filter is the category filter. It reads the policy and nothing else; for a
// borderline question the metadata, or what the archive's passages score, too; of
// one that the rules passed with a doubt a model may be asked.
func (p *Pipeline) filter(ctx context.Context, q question) (scope, error) {
	facts := gate.Facts{Subject: p.Policy.Subject, Persons: p.Policy.Persons, CoversTo: p.View.CoversTo, Names: p.View.Names}
	s := scope{Decision: gate.Category(q.text, facts)}
	if s.Action == gate.Refuse && s.Category == gate.PostDeathEvent && facts.Subject.CoversTo == "" && p.View.Undated != nil {
		if err := q.viewer.countUndated(&facts); err != nil {
			return scope{}, err
		}
		s.Decision = gate.Category(q.text, facts)
	}
	var found bool
	var err error
	switch {
	case len(s.Lookup) > 0 && p.View.Mentions != nil:
		found, err = p.View.Mentions(s.Lookup)
	case s.Score:
		found, err = p.speaksOf(ctx, q.text)
	}
	if err != nil {
		return scope{}, err
	}
	s.Decision = s.Found(found)
	if s.Doubt == "" || p.Classify == nil {
		return s, nil
	}
	until := facts.Subject.Died
	if until == "" {
		until = facts.CoversTo
	}
	reply, err := p.Classify(ctx, model.ClassifyRequest{Question: q.text, Subject: facts.Subject.Name, Until: until, Categories: gate.Categories()})
	s.classification = &classification{reply, err}
	switch {
	case ctx.Err() != nil:
		return scope{}, ctx.Err()
	case err == nil: // a reply that does not count changes nothing
		s.Decision = s.Judged(facts, reply.Category)
	}
	return s, nil
}

// countUndated adds to the facts how many papers nothing dates, of the first mostUndated without a date of which the requestor may know,
// and moves the end of the archive to the newest date that a heading gives.
func (v *viewer) countUndated(facts *gate.Facts) error {
	seen := 0
	return v.view.Undated("", func(artifact cid.ID, rec *record.Record) (more bool, err error) {
		seen++
		known, err := v.knows(artifact.String())
		if err != nil || !known {
			return seen < mostUndated, err
		}
		if found := rec.Facts[record.FactDateFound]; found == "" {
			facts.Undated++
		} else if found > facts.CoversTo {
			facts.CoversTo = found
		}
		return seen < mostUndated, nil
	})
}

// speaksOf reports whether the archive holds as much of a question as it does of those for which nearest
// passages are shown. Of a search it takes that evidence and nothing else:
// nothing is drafted, shown or charged. It looks as a requestor whom nobody knows,
// whoever asks, so that neither a score nor the refusal depends on a paper of
// which not everybody may know.
func (p *Pipeline) speaksOf(ctx context.Context, text string) (bool, error) {
	if parts := segment.QuestionParts(text); len(parts) == 1 {
		text = parts[0].Query()
	}
	found, err := p.retrieve(ctx, question{viewer: newViewer(p.View, p.Policy, policy.Requestor{}), origin: asked}, []topic{{query: text}})
	if err != nil {
		return false, err
	}
	asked, passages := found[0].asked, rankable(found[0].open)
	return asked.Weigh(rank.Rank(asked, passages, rank.Default()), passages).Suffices(), nil
}

// A classification is a model's reply about a question, and why it does not count.
type classification struct {
	reply model.Classification
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

// notes returns the lines of the category gate, which is always sealed.
func (s scope) notes(q question) []string {
	out := []string{gate.RequestorNote(q.request.Requestor.Name)}
	if s.Rule != "" {
		out = append(out, "rule "+s.Rule)
	}
	if q.origin == moreContext {
		out = append(out, gate.MoreNote)
	}
	if s.classification != nil {
		out = append(out, s.classification.notes()...)
	}
	return out
}
