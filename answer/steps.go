package answer

import (
	"strings"

	"muniment/answer/gate"
	"muniment/archive/problem"
	"muniment/draft/enforce"
	"muniment/engine"
)

// The acts that the errors of this package lead to.
const (
	DoAskFirst problem.Action = "ask first" // ask a question in this copy of the archive; no args
	DoMore     problem.Action = "more"      // ask for more of a citation; args: its handle
)

// SuggestedQuestion returns the question of a suggestion of a refusal that was tried and has an answer.
func SuggestedQuestion(suggestion string) (question string, ok bool) {
	before, after, _ := strings.Cut(gate.SuggestAsk, "%s")
	if question, ok = strings.CutPrefix(suggestion, before); !ok {
		return "", false
	}
	return strings.CutSuffix(question, after)
}

// NextStep returns a suggestion of a refusal as a step: the act that it leads to, or
// its words alone.
func NextStep(suggestion string) problem.Step {
	if words, ok := strings.CutPrefix(suggestion, gate.SuggestSearch); ok {
		return problem.Next(engine.DoSearch, words)
	}
	switch suggestion {
	case gate.SuggestInventory:
		return problem.Next(problem.DoList)
	case enforce.SuggestDescribe:
		return problem.Next(problem.DoDescribe, "NAME", "title", "creator or publisher", "date")
	case gate.SuggestCheck:
		return problem.Next(problem.DoDoctor).With("nothing was delivered")
	}
	return problem.Advise(suggestion)
}
