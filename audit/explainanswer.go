package audit

import (
	"encoding/hex"
	"fmt"
	"muniment/bundle/leaf"
	"strings"

	"muniment/bundle"
	"muniment/cite"
)

// AnswerReasons say why an answer is what it is: its rung, and what each gate decided.
type AnswerReasons struct {
	File     string         `json:"file"`
	Answer   string         `json:"answer"` // the statement's id in hex
	Question string         `json:"question"`
	Outcome  string         `json:"outcome"`
	Rung     string         `json:"rung"`
	Sealed   string         `json:"sealed"` // "" where the gates of the sealed layer were read, else why they were not
	Reasons  []AnswerReason `json:"reasons"`
	Noted    string         `json:"noted,omitempty"` // the file in which the opening was recorded
}

// An AnswerReason is the decision of a gate, in words.
type AnswerReason struct {
	Gate   string `json:"gate"`   // category, rank, coverage, consent, or the kind of a refusal
	Claim  int    `json:"claim"`  // 0 for the answer as a whole
	Result string `json:"result"` // passed, refused, answer, nearest, unused, or a rung
	Why    string `json:"why"`
	Next   string `json:"next,omitempty"` // what would change the decision
}

// testWords say what must hold in each test of the table of rungs.
var testWords = map[string]string{
	"relation_supports":   "an inference, or a relation that supports nothing, does not support a claim",
	"relation_infers":     "the claim is not given as an inference",
	"span_resolves":       "the span that it cites does not resolve",
	"quote_matches":       "the quoted words are not there as they are quoted",
	"quote_not_absent":    "the quoted words are not there",
	"not_contradicted":    "its words contradict the claim",
	"entailed_or_aligned": "neither rules nor a model showed that the claim follows from its words",
	"inputs_resolve":      "an input of the aggregation does not resolve",
	"whole_claim":         "a part of the claim was cut off",
	"cut_claim":           "nothing of the claim was cut off",
	"marked":              "the inference has no word that marks it as one",
}

// barrierWords say what each feature means that keeps a quote from being an answer.
var barrierWords = map[string]string{
	"contrary": "it has the contrary of a word of the question, or is negated where the question is not",
	"intended": "it tells an intention",
	"absent":   "a name or a number of the question stands neither in it nor beside it",
	"untold":   "it tells nothing",
	"lead":     "the next candidate is nearly as good",
}

// ExplainAnswer says why the answer in a bundle is what it is. With identities, age
// identities of an auditor, the gates of the sealed layer are read, and note is called as
// OpenBundle does it; without them only what its requestor was told is explained, and
// sealed says why.
func ExplainAnswer(path string, identities []byte, sealed string, note func(*OpenResult) error) (*AnswerReasons, error) {
	info, err := ShowBundle(path)
	if err != nil {
		return nil, err
	}
	r := &AnswerReasons{File: path, Answer: info.Answer, Question: info.Asked, Outcome: string(info.Outcome), Rung: string(info.Rung), Sealed: sealed, Reasons: []AnswerReason{}}
	if identities != nil {
		opened, err := OpenBundle(path, identities, "", note)
		if err != nil {
			return nil, err
		}
		r.Noted = opened.Noted
		if opened.Query != "" {
			r.Question = opened.Query
		}
		for _, g := range opened.gates {
			r.Reasons = append(r.Reasons, explainGate(g)...)
		}
	}
	for _, one := range info.Refused {
		why := one.Message
		if one.Topic != "" {
			why = one.Topic + ": " + why
		}
		r.Reasons = append(r.Reasons, AnswerReason{Gate: one.Kind, Result: "refused", Why: why, Next: strings.Join(one.Suggestions, "; ")})
	}
	return r, nil
}

// explainGate returns the decision of a gate in words.
func explainGate(g *leaf.Gate) []AnswerReason {
	one := AnswerReason{Gate: string(g.Stage), Claim: g.Claim}
	notes := strings.TrimPrefix(strings.Join(g.Notes, "; "), `requestor ""`)
	notes = strings.TrimPrefix(notes, "; ")
	switch {
	case g.Stage == leaf.StageRank && g.Rank != nil:
		one.Result, one.Why, one.Next = explainRank(*g.Rank, g.Claim > 0)
	case g.Stage == leaf.StageCoverage:
		var out []AnswerReason
		for _, f := range g.Failed {
			out = append(out, AnswerReason{Gate: one.Gate, Claim: g.Claim, Result: "not " + string(f.Rung), Why: testWords[f.Test], Next: nextForTest[f.Test]})
		}
		one.Result, one.Why = string(g.Rung), explainRung(g)
		return append(out, one)
	case g.TrueKind != "":
		one.Result, one.Why = "refused", notes
	default:
		one.Result, one.Why = "passed", notes
	}
	return []AnswerReason{one}
}

// nextForTest is the next step, by the test that a claim failed.
var nextForTest = map[string]string{
	"relation_supports":   "cite words that say it",
	"quote_matches":       "quote the words as they stand there",
	"quote_not_absent":    "quote the words as they stand there",
	"entailed_or_aligned": "say it nearer to the words of its quote, or let a model judge it",
	"whole_claim":         "cite words for the part that was cut off",
	"marked":              "mark the inference: probably, it seems, suggests",
}

// explainRung returns why a claim has its rung.
func explainRung(g *leaf.Gate) string {
	why := "its words pass every test of this rung; whether they answer is said by their score"
	if g.Rung == cite.Refused {
		why = "no rung has all its tests"
	}
	if g.Judge != nil {
		why += fmt.Sprintf("; the model %s was asked whether it follows and said %s", g.Judge.Model, g.Judge.Verdict)
	}
	if len(g.Notes) > 0 {
		why += "; " + strings.Join(g.Notes, "; ")
	}
	return why
}

// explainRank returns the role that a score gives a quote that was delivered, or was not, why, and what would change it.
func explainRank(k cite.Ranking, delivered bool) (result, why, next string) {
	role, err := k.Role()
	if err != nil {
		return "unused", err.Error(), ""
	}
	why = fmt.Sprintf("its score is %d; %d is needed to be an answer", k.Score, k.High)
	switch {
	case role == cite.RoleAnswer:
		return string(role), why, ""
	case !delivered || role == "":
		why += "; it was not shown, as the archive holds too little of the question, or another gate withheld it"
	default:
		for _, name := range k.Barriers() {
			if words := barrierWords[name]; words != "" {
				why += "; " + words
			} else {
				why += "; too little of " + name
			}
		}
		return string(role), why, "ask for one thing at a time, in more of the words that the papers use"
	}
	return "unused", why, "ask in more of the words that the papers use"
}

// answerID returns the id of a bundle's statement in hex.
func answerID(b *bundle.Bundle) string {
	id := b.Statement().ID
	return hex.EncodeToString(id[:])
}
