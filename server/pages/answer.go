package pages

import (
	"cmp"
	"context"
	"strings"

	"muniment/answer"
	"muniment/archive/problem"
	"muniment/cite"
	"muniment/engine"
	"muniment/server"
)

// fewLeft is the part of a day's budget below which a page says what is left: a long answer may be cut.
const fewLeft = 0.25

// bites reports whether so little of a budget is left that an answer may be cut.
func bites(b *answer.BudgetInfo) bool {
	return b != nil && float64(b.Left) < fewLeft*float64(b.Daily)
}

func (s *source) ask(ctx context.Context, question string, failed error) (*frame, error) {
	p := &Ask{Question: question}
	if failed != nil {
		fault := server.FaultOf(failed)
		p.Failed, p.Advice = fault.Detail, fault.Suggestion
	}
	f, err := s.frame(ctx, "ask", s.say("ask.title"), p)
	if err != nil {
		return nil, err
	}
	if failed != nil {
		f.failed = server.FaultOf(failed).Status
	}
	if p.Possible = f.Status.Ask; p.Possible {
		p.Budget, err = s.client.Budget(ctx)
		p.Bites = bites(p.Budget)
	}
	return f, err
}

// A hint is the page to which a suggestion of a refusal leads, with a field of its query; Page is "" for words alone.
type hint struct{ Page, Field, Value string }

// hintOf returns where a suggestion leads.
func hintOf(suggestion string) hint {
	if question, ok := answer.SuggestedQuestion(suggestion); ok {
		return hint{"ask", "question", question}
	}
	switch step := answer.NextStep(suggestion); step.Do {
	case engine.DoSearch:
		return hint{"search", "q", step.Args[0]}
	case problem.DoList:
		return hint{Page: "inventory"}
	}
	return hint{}
}

func (s *source) answer(ctx context.Context, address string) (*frame, error) {
	kept, err := s.client.Answer(ctx, address)
	if err != nil {
		return nil, err
	}
	p := &Answer{KeptAnswer: *kept, Bites: bites(kept.Budget), Contexts: map[string][]Piece{}, Papers: map[string]string{}}
	var ids []string
	for _, at := range kept.Places {
		ids = append(ids, at.Artifact)
	}
	papers, err := s.client.HoldingsOf(ctx, ids)
	if err != nil {
		return nil, err
	}
	for handle, at := range kept.Places {
		if h, ok := papers[at.Artifact]; ok {
			p.Papers[handle] = s.words().label(h)
			if day := s.words().otherDate(h); day != "" && !h.Dated.IsZero() {
				p.Papers[handle] += ", " + day
			}
		}
	}
	for _, c := range kept.Claims {
		if c.Role == string(cite.RoleNearest) {
			p.Nearest = append(p.Nearest, c)
		} else {
			p.Answers = append(p.Answers, c)
		}
		for _, one := range c.Citations {
			if at, ok := kept.Places[one.Handle]; ok && !one.Restricted {
				p.Contexts[one.Handle] = s.around(ctx, at)
			}
		}
	}
	p.SaysKey, p.State = verdictOf(p)
	p.Says = languages()[0].say(p.SaysKey)
	return s.frame(ctx, "answer", cmp.Or(kept.Question, s.say("answer.title")), p)
}

// verdictOf returns the key of the words for what an answer is to its question, and its class.
func verdictOf(p *Answer) (key, state string) {
	cut := 0
	for _, topic := range p.Removed {
		if topic.Topic != "" {
			cut++
		}
	}
	switch {
	case len(p.Answers) > 0 && cut == 0:
		return "says.whole", "verified"
	case len(p.Answers) > 0:
		return "says.part", "warning"
	case len(p.Nearest) > 0:
		return "says.nearest", "warning"
	}
	return "says.nothing", "failed"
}

// around returns the paragraph in which cited words are, as far as the reader may read it, the words
// marked; nil where there is no more to read than the words.
func (s *source) around(ctx context.Context, at server.AnswerPlace) []Piece {
	span, err := cite.ParseSpan(at.Span)
	if err != nil || span.Kind != cite.Paragraphs || span.From.Unit != span.To.Unit {
		return nil
	}
	whole, err := s.client.Read(ctx, server.ReadRequest{Artifact: at.Artifact, Span: "p" + itoa(span.From.Unit)})
	if err != nil || len(whole.Passages) == 0 {
		return nil
	}
	cited, err := s.client.Read(ctx, server.ReadRequest{Artifact: at.Artifact, Span: at.Span})
	if err != nil || len(cited.Passages) == 0 {
		return nil
	}
	before, after, ok := strings.Cut(whole.Passages[0].Text, cited.Passages[0].Text)
	if !ok || before+after == "" {
		return nil
	}
	if whole.Clipped {
		after += " …"
	}
	return []Piece{{Text: before}, {Text: cited.Passages[0].Text, Marked: true}, {Text: after}}
}
