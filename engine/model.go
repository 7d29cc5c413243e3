package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"muniment/archive/problem"
	"muniment/cid"
	"muniment/cite"
	"muniment/judge"
	"muniment/judge/model"
	"muniment/ledger"
	"muniment/objects"
	"muniment/policy"
	"muniment/text/legible"
)

// surroundings is how many code points before and after a passage a model is
// shown: a page or so on each side.
const surroundings = 1500

// buildQuestion returns the question that a model gets about a citation: the
// words with their surroundings, the claim and the relation.
func buildQuestion(ev evidence, words string, relation cite.Relation, claim string) model.Question {
	q := model.Question{Claim: claim, Relation: string(relation), Passage: words}
	if ev.doc == nil {
		return q
	}
	if start, end, err := cite.Resolve(ev.doc, ev.span); err == nil {
		payload := ev.doc.Payload()
		before, after := []rune(string(payload[max(0, start-4*surroundings):start])), []rune(string(payload[end:min(len(payload), end+4*surroundings)]))
		q.Before = strings.ToValidUTF8(string(before[max(0, len(before)-surroundings):]), "")
		q.After = strings.ToValidUTF8(string(after[:min(len(after), surroundings)]), "")
	}
	return q
}

// askModel asks the model about a claim that the rules have judged, and returns what is to be attested and the judgement in the light of its answer.
// Questions are only about words that are there. What stays without an answer is pending, unless the rules show the claim. The error says that the
// endpoint is not set up rightly: asking again, or asking about another citation, does not help.
func (e *Engine) askModel(ctx context.Context, q model.Question, rules judge.Judgement, verified bool) (ledger.Attestation, judge.Judgement, error) {
	client := e.arch.World().Judge
	said, err := client.Entails(ctx, q)
	out := ledger.Attestation{Time: e.arch.World().Now(), Agent: e.caller.Agent, Model: said.Model, PromptSHA256: said.PromptSHA256, Prompt: said.Prompt,
		Reply: strings.ReplaceAll(strings.ToValidUTF8(said.Reply, "\uFFFD"), "\x00", "\uFFFD")}
	check := ledger.Check{Step: "entailment", Expected: string(model.Yes), Found: string(said.Verdict), Result: "fail"}
	j := rules.With(judge.Opinion{By: client.Name(), Says: opinionOf(said.Verdict), Reason: said.Reason})
	out.Verdict = j.Verdict
	switch {
	case err != nil && rules.Verdict == cite.ClaimFollows:
		out.Status, out.Notes = ledger.Verified, "no model confirmed it: "+err.Error()
		check.Result, check.Found = "not_checked", err.Error()
	case err != nil: // without a verdict, whatever the cause, it waits for one
		out.Status, out.Notes = ledger.Pending, err.Error()
		check.Result, check.Found = "not_checked", err.Error()
	case j.Verdict == cite.ClaimFollows:
		out.Status, check.Result = ledger.Verified, "pass"
	case j.Verdict == cite.ClaimJudged:
		out.Status, check.Result = ledger.Unverified, "pass"
		if verified {
			out.Status = ledger.Verified
		}
		out.Notes = j.Reason
	default:
		out.Status, out.Notes = ledger.Unverified, "the words are there; "+j.Reason
		if said.Verdict == model.Unclear {
			out.Notes += "; the model leaves it open: " + said.Reason
		}
	}
	out.Checks = []ledger.Check{check}
	var wrong *model.ConfigurationError
	if errors.As(err, &wrong) {
		return out, j, problem.New(problem.Environment, problem.Advise("check CITATION_LLM_URL, MUNIMENT_LLM_MODEL and MUNIMENT_LLM_KEY_FILE"), "%w", err)
	}
	return out, j, nil
}

// opinionOf returns a model's answer as package judge weighs it. A model contradicts nothing: its no is a no.
func opinionOf(v model.Verdict) cite.ClaimVerdict {
	switch v {
	case model.Yes:
		return cite.ClaimFollows
	case model.No, model.Contradiction:
		return cite.ClaimNotShown
	}
	return ""
}

// adviseAfter returns the step after a model's verdict that is not yes.
func adviseAfter(s ledger.Status) problem.Step {
	if s == ledger.Pending {
		return problem.Next(DoVerifyPending)
	}
	return problem.Next(problem.DoGive, "relation", string(cite.InferenceFrom)).With("quote the words that say it, claim what the words say, or")
}

// MaySend reports whether words of an artifact, by its ID, may be sent to the archive's judge:
// its consent allows their processing there.
func (e *Engine) MaySend(artifact string) (bool, error) {
	if e == nil || e.arch == nil || e.arch.World().Judge == nil {
		return false, nil
	}
	id, err := cid.ParseAs(cid.Raw, artifact)
	if err != nil {
		return false, nil // a record, which has no words to be judged
	}
	tree, err := e.arch.NewestTree()
	if err != nil {
		return false, err
	}
	rules, err := e.arch.ReadPolicy(tree)
	if err != nil {
		return false, err
	}
	return e.arch.MaySend(tree, rules, id, e.arch.World().Judge.URL)
}

// LogJudged writes down that words of an artifact are sent to the judge of the archive.
func (e *Engine) LogJudged(artifact string) error {
	if e == nil || e.arch == nil || e.arch.World().Judge == nil {
		return nil
	}
	return e.arch.LogSent(e.arch.World().Judge.URL, "judge", []string{artifact})
}

// VerifyPending verifies every pending citation of the filter again: its words
// first, then by the model. The ledger keeps each verdict beside the earlier ones.
// It returns the citations with their new state; a call that is interrupted, or
// whose endpoint refuses the key or has no such model, has those it verified in its
// error's Partial.
func (e *Engine) VerifyPending(ctx context.Context, f CitationFilter) ([]CitationInfo, error) {
	if err := e.require(ActCreate, e.Caller().Self()); err != nil {
		return nil, err
	}
	a := e.arch
	if a.World().Judge == nil {
		return nil, problem.New(problem.Usage, problem.Advise("set CITATION_LLM_URL to an OpenAI-compatible endpoint, such as http://127.0.0.1:8080/v1"), "there is no model to ask")
	}
	f.Status = string(ledger.Pending)
	rules, err := e.findRules(f.Profile, "")
	if err != nil {
		return nil, err
	}
	pending, err := e.Citations().List(f)
	if err != nil {
		return nil, err
	}
	l, err := e.ledger()
	if err != nil {
		return nil, err
	}
	out := []CitationInfo{}
	for _, p := range pending {
		if ctx.Err() != nil {
			return out, &problem.Error{Kind: problem.Interrupted, Message: "interrupted", Next: problem.Advise("run the same command again; what was verified is kept"), Partial: out}
		}
		c, err := l.Get(p.CitationID)
		if err != nil {
			return nil, problem.Wrap(err, "ledger")
		}
		found, err := e.verifyAgain(ctx, &c, rules.judged == policy.JudgedVerified)
		var wrong *problem.Error
		if errors.As(err, &wrong) {
			wrong.Partial = out
		}
		if err != nil {
			return nil, err
		}
		if found.Status != ledger.Failed || found.Verdict == cite.ClaimContradicted { // else the words are gone
			people, _, err := e.Reviews().reviewsNow(l, &c)
			if err != nil {
				return nil, err
			}
			if people.Settles() {
				if err := l.Attest(c.Ordinal, found); err != nil {
					return nil, problem.Wrap(err, "ledger")
				}
				at := found.Time
				found = underPeople(found, people)
				found.Time, found.Agent = at, e.caller.Agent
			}
		}
		if err := l.Attest(c.Ordinal, found); err != nil {
			return nil, problem.Wrap(err, "ledger")
		}
		if id, idErr := cid.Parse(c.Artifact); idErr == nil && found.Status != ledger.Failed && c.Binding == ledger.Unbound {
			c.Status, c.Verdict = found.Status, found.Verdict
			if err := e.bindNew(&CiteResult{CitationID: c.Ordinal}, l, c.Entry, id, objects.Hash{}); err != nil {
				return nil, err
			}
		}
		one, err := e.Citations().Get(fmt.Sprint(c.Ordinal))
		if err != nil {
			return nil, err
		}
		out = append(out, *one)
	}
	return out, nil
}

// verifyAgain returns a new verdict on a registered citation.
func (e *Engine) verifyAgain(ctx context.Context, c *ledger.Citation, verified bool) (ledger.Attestation, error) {
	checks, ev, err := e.Citations().recheck(c)
	if err != nil {
		return ledger.Attestation{}, err
	}
	for _, k := range checks {
		if k.Result == "fail" {
			return ledger.Attestation{Time: e.arch.World().Now(), Agent: e.caller.Agent, Status: ledger.Failed, Verdict: c.Verdict, Checks: checks,
				Notes: fmt.Sprintf("the words are not there any more: %s: expected %s, found %s", k.Step, legible.Printable(clip(k.Expected)), legible.Printable(clip(k.Found)))}, nil
		}
	}
	words := c.Text
	if ev.doc != nil {
		if words, err = cite.Quote(ev.doc, ev.span); err != nil {
			return ledger.Attestation{}, problem.Wrap(err, "citation")
		}
	}
	rules := judge.Judgement{Verdict: cite.ClaimNotShown, Rule: judge.Missing, By: judge.By}
	if ev.doc != nil {
		paper, err := e.Citations().paperOfArtifact(c.Artifact)
		if err != nil {
			return ledger.Attestation{}, err
		}
		p, err := judge.At(ev.doc, ev.span, paper)
		if err != nil {
			return ledger.Attestation{}, problem.Wrap(err, "citation")
		}
		rules = judgeClaim(c.Claim, c.Relation, p)
	}
	switch may, err := e.MaySend(c.Artifact); {
	case err != nil:
		return ledger.Attestation{}, err
	case !may:
		return ledger.Attestation{}, problem.New(problem.NotPermitted, problem.Next(problem.DoReadOptions, "consent"), "consent lets no words of citation %d be sent to the judge", c.Ordinal)
	}
	if err := e.LogJudged(c.Artifact); err != nil {
		return ledger.Attestation{}, err
	}
	found, _, err := e.askModel(ctx, buildQuestion(ev, words, c.Relation, c.Claim), rules, verified)
	if err != nil {
		return ledger.Attestation{}, err
	}
	found.Checks = append(checks, found.Checks...)
	return found, nil
}
