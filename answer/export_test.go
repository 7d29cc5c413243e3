package answer

import (
	"context"

	"muniment/answer/gate"
)

// What the tests of the pipeline, which stand outside the package, reach.
var (
	PipelineUnder = pipelineUnder
	WaitForStep   = waitForStep
)

// Filter returns the decision of the category filter on a question.
func (p *Pipeline) Filter(ctx context.Context, text string, r Request) (gate.Decision, error) {
	s, err := p.filter(ctx, p.question(text, asked, r))
	return s.Decision, err
}
