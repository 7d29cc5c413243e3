package judge

import (
	"fmt"

	"muniment/cite"
)

// An Opinion is a model's verdict on a claim over the same words. What persons say is weighed by package cite/people, and goes first.
type Opinion struct {
	By     string            // the model and its endpoint
	Says   cite.ClaimVerdict // follows or not_shown; "" is no answer and changes nothing
	Reason string            // one sentence; may be empty
}

// Opposition is the rule of a claim that follows by the rules, and of which a model says no.
const Opposition Rule = "opposition"

// IsOpen reports whether a model may change the verdict: the claim follows, or words are missing and no finding excludes it.
func (j Judgement) IsOpen() bool {
	return j.Verdict == cite.ClaimFollows || j.Verdict == cite.ClaimNotShown && len(j.Findings) == 0 && j.Rule == Missing
}

// With returns the judgement after a model's opinion. A contradiction, a scope and a restriction exclude its yes; its no lowers what follows by identity.
func (j Judgement) With(o Opinion) Judgement {
	switch {
	case o.Says == "" || !j.IsOpen():
	case j.Verdict == cite.ClaimFollows && o.Says != cite.ClaimFollows:
		j.Verdict, j.Rule, j.By = cite.ClaimNotShown, Opposition, o.By
		j.Reason = fmt.Sprintf("the rules say yes, %s says no%s", o.By, because(o.Reason))
	case j.Verdict == cite.ClaimFollows:
	case o.Says == cite.ClaimFollows:
		j.Verdict, j.By, j.Reason = cite.ClaimJudged, o.By, fmt.Sprintf("%s says that it follows%s", o.By, because(o.Reason))
	default:
		j.By, j.Reason = o.By, fmt.Sprintf("%s; %s says no%s", j.Reason, o.By, because(o.Reason))
	}
	return j
}

func because(reason string) string {
	if reason == "" {
		return ""
	}
	return ": " + reason
}
