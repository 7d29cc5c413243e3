// Package entail asks a model whether a claim follows from words, after package judge: what its rules exclude no model
// is asked about.
//
//	j := entail.Judge{Ask: client.Entails}
//	said, failed := j.Decide(ctx, claim, passage)
package entail

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"

	"muniment/bundle/leaf"
	"muniment/cite"
	"muniment/judge"
	"muniment/judge/model"
)

// maxContext is how many code points before and after the words a model is shown.
const maxContext = 1500

// The tests that a claim can fail, as the sealed layer of a bundle names them.
const (
	TestAllowed = "judged"  // a model may be asked, and there is one
	testVerdict = "verdict" // the model says yes
	Veto        = "veto "   // and the name of the finding
)

// A Judge asks a model whether claims follow from words, within one answer or one check of a draft.
type Judge struct {
	Ask    func(context.Context, model.Question) (model.Judgement, error) // nil where no model may be asked
	Failed error                                                          // why the model is not asked again
	Last   model.Exchange                                                 // the request that failed
}

// Asks reports whether the judge can be asked.
func (j *Judge) Asks() bool { return j != nil && j.Ask != nil && j.Failed == nil }

// Notice returns the line by which a reader learns that the judge failed, or "".
func (j *Judge) Notice() string {
	if j == nil || j.Failed == nil {
		return ""
	}
	return "no model judged what the rules leave open: " + model.Explain(j.Failed)
}

// Decide asks the model about a claim on a passage, where the rules leave it open: a
// contradiction, a scope and a restriction are final. It returns the judgement for the gate leaf, nil where nobody was
// asked, and the test that the claim failed, or "".
func (j *Judge) Decide(ctx context.Context, claim string, p judge.Passage) (*leaf.Judge, string) {
	if rules := judge.Judge(claim, p); !rules.IsOpen() {
		if len(rules.Findings) > 0 {
			return nil, Veto + string(rules.Findings[0].Test)
		}
		return nil, Veto + string(rules.Rule)
	}
	if !j.Asks() {
		return nil, TestAllowed
	}
	before, after := []rune(p.Before), []rune(p.After)
	said, err := j.Ask(ctx, model.Question{Claim: claim, Relation: string(cite.InferenceFrom), Passage: p.Words,
		Before: string(before[max(0, len(before)-maxContext):]), After: string(after[:min(len(after), maxContext)])})
	if err != nil {
		var bad *model.ReplyError
		if !errors.As(err, &bad) {
			j.Failed, j.Last = err, said.Exchange
			return nil, TestAllowed
		}
	}
	sum := sha256.Sum256([]byte(said.Reply))
	out := &leaf.Judge{Model: said.Model, PromptSHA256: said.PromptSHA256, ReplySHA256: hex.EncodeToString(sum[:]), Verdict: "doubt"}
	switch {
	case err != nil:
	case said.Verdict == model.Yes:
		out.Verdict = "yes"
		return out, ""
	case said.Verdict == model.No, said.Verdict == model.Contradiction:
		out.Verdict = "no"
	}
	return out, testVerdict
}
