package judge

import (
	"fmt"

	"muniment/cite"
)

// An Opinion is the verdict of a model or a person on a claim over the same words.
type Opinion struct {
	By     string // a model's endpoint and name, or a person's name or pseudonym
	Person bool
	Says   cite.ClaimVerdict // follows, contradicted or not_shown; "" is no answer and changes nothing
	Reason string            // one sentence; may be empty
}

// Disputed is the rule of a verdict on which two persons disagree.
const Disputed Rule = "disputed"

// Opposition is the rule of a claim that follows by the rules, and of which a model says no.
const Opposition Rule = "opposition"

// IsOpen reports whether a model's yes would count: no contradiction, scope or restriction stands against the claim.
func (j Judgement) IsOpen() bool {
	return j.Verdict == cite.ClaimFollows || j.Verdict == cite.ClaimNotShown && len(j.Findings) == 0 && j.Rule == Missing
}

// With returns the judgement in the light of opinions. Persons come first; two who disagree make it disputed. A contradiction, a scope and a restriction
// stand against a model's yes; its no stands against identity.
func (j Judgement) With(opinions ...Opinion) Judgement {
	var person *Opinion
	for i := range opinions {
		o := &opinions[i]
		switch {
		case !o.Person || o.Says == "":
		case person != nil && person.Says != o.Says:
			j.Verdict, j.Rule, j.By = cite.ClaimNotShown, Disputed, person.By+", "+o.By
			j.Reason = fmt.Sprintf("%s and %s disagree", person.By, o.By)
			return j
		case person == nil:
			person = o
		}
	}
	if person != nil {
		j.Verdict, j.By, j.Reason = person.Says, person.By, person.By+" checked it"+because(person.Reason)
		if j.Verdict == cite.ClaimFollows {
			j.Verdict = cite.ClaimJudged
		}
		return j
	}
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
