package judge

import (
	"fmt"

	"muniment/cite"
)

// An Opinion is the verdict of a model on a claim over the same words. Those of persons are weighed by Weigh.
type Opinion struct {
	By     string            // its endpoint and name
	Says   cite.ClaimVerdict // follows, contradicted or not_shown; "" is no answer and changes nothing
	Reason string            // one sentence; may be empty
}

// The rules of what persons decided, and of that on which they disagree.
const (
	Reviewed Rule = "reviewed"
	Disputed Rule = "disputed"
)

// Opposition is the rule of a claim that follows by the rules, and of which a model says no.
const Opposition Rule = "opposition"

// IsOpen reports whether a model's yes would count: no contradiction, scope or restriction stands against the claim.
func (j Judgement) IsOpen() bool {
	return j.Verdict == cite.ClaimFollows || j.Verdict == cite.ClaimNotShown && len(j.Findings) == 0 && j.Rule == Missing
}

// Under returns the judgement after persons have decided, who go before rules and models; else j itself.
func (j Judgement) Under(p People) Judgement {
	if !p.Settles() {
		return j
	}
	j.Verdict, j.Rule, j.By, j.Reason = p.Verdict, Reviewed, p.By, p.Reason
	switch {
	case p.Disputed:
		j.Rule = Disputed
	case p.Verdict == cite.ClaimFollows:
		j.Verdict = cite.ClaimJudged
	}
	return j
}

// With returns the judgement in the light of opinions. A contradiction, a scope and a restriction
// stand against a model's yes; its no stands against identity.
func (j Judgement) With(opinions ...Opinion) Judgement {
	for _, o := range opinions {
		switch {
		case o.Says == "" || !j.IsOpen() && j.Rule != "":
		case j.Verdict == cite.ClaimFollows && o.Says != cite.ClaimFollows:
			j.Verdict, j.Rule, j.By = cite.ClaimNotShown, Opposition, o.By
			j.Reason = fmt.Sprintf("the rules say yes, %s says no%s", o.By, because(o.Reason))
		case j.Verdict == cite.ClaimNotShown && o.Says == cite.ClaimFollows:
			j.Verdict, j.By, j.Reason = cite.ClaimJudged, o.By, fmt.Sprintf("%s says that it follows%s", o.By, because(o.Reason))
		case j.Verdict == cite.ClaimNotShown:
			j.By, j.Reason = o.By, fmt.Sprintf("%s; %s says no%s", j.Reason, o.By, because(o.Reason))
		}
	}
	return j
}

func because(reason string) string {
	if reason == "" {
		return ""
	}
	return ": " + reason
}
