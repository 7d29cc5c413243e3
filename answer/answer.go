// Package answer is the pipeline from a question to a signed bundle.
//
//	query → category filter → retrieval → draft → claim segmentation →
//	citation assignment → coverage gate → display gates → bundle → log
//
// Ask runs all of it. A part that asks for a field of a record, or for a number
// of records, is answered from them (package catalogue). For the others it drafts with the archive's own words, or has a model
// draft, whose every sentence is then held against the passages that it saw.
// Bind takes a draft from outside in the place of the drafter. Both read like
// that line, below. Every stage is a package of its
// own; this one hands each stage's output to the next and adds nothing to the
// words: what is delivered is a quote of the archive, or a claim of the draft
// that passed the same gates.
//
//	p := answer.Pipeline{View: view, Policy: policy, Index: openIndex, Env: env}
//	response, err := p.Ask(ctx, "Who repaired the mill?", answer.Request{…})
//
// Failures, stage by stage: a question out of scope is refused before
// anything is read; a part of the question without evidence becomes a removed
// topic; a claim that no passage supports is cut, or removed; what consent
// withholds is delivered as a notice, removed, or treated as if it were not
// there, as the artifact's consent says; an assembly that fails delivers
// nothing. A refusal is signed and logged like an answer.
package answer

import (
	"context"
	"errors"
	"fmt"

	"muniment/answer/budget"
	"muniment/answer/enforce"
	"muniment/answer/gate"
	"muniment/answer/model"
	"muniment/answer/policy"
	"muniment/answer/profile"
	"muniment/answer/retrieve"
	"muniment/answer/segment"
	"muniment/bundle"
	"muniment/canon"
	"muniment/cid"
	"muniment/cite"
	"muniment/snapshot"
	"muniment/snapshot/record"
)

// ErrAssembly wraps whatever kept a finished answer from being signed and
// logged. Nothing was delivered.
var ErrAssembly = errors.New("the answer was not assembled")

// MaxClaims is how many claims of a draft one bundle takes: each makes up to ten
// leaves, and a bundle has at most 4096.
const MaxClaims = 400

// ErrTooManyClaims is wrapped by the error about a draft that is too long.
var ErrTooManyClaims = errors.New("too many claims")

// A View is one snapshot as the pipeline reads it. Its functions are called
// for artifacts that retrieval found, never before the category filter has let
// the question pass.
type View struct {
	Snapshot *snapshot.Snapshot
	CoversTo string   // newest date of the archive, YYYY-MM-DD, or ""
	Names    []string // names that tie a question to the archive

	Record func(artifact cid.ID) (Held, error)
	// Records calls each for every artifact that is not withdrawn, with its
	// current record: for questions about records. Without it there are none.
	Records  func(each func(artifact cid.ID, rec *record.Record) error) error
	Document func(artifact cid.ID) (*canon.Document, error)
	// Mentions reports whether a record that the requestor may know of names one
	// of the words: the look at metadata that a borderline question gets. It
	// reads no document. Without it a borderline question stays refused.
	Mentions func(words []string) (bool, error)
	// Hidden lists artifacts that a requestor may not know of: they are left out
	// of what search computes. Without it there are none to leave out.
	Hidden  func(who policy.Requestor) ([]string, error)
	Consent func(artifact cid.ID) (*record.Consent, error) // nil for the archive's default
	Proof   func(path string) (*snapshot.Proof, error)     // of a line of the snapshot
}

// Held is a record and its canonical bytes.
type Held struct {
	ID     cid.ID
	Record *record.Record
	JSON   []byte
}

// A Pipeline answers questions from one snapshot.
type Pipeline struct {
	View   View
	Policy *policy.Policy
	// Profile has the thresholds of an answer; the zero one has none.
	Profile profile.Profile
	// Index opens the search index of the snapshot. It is called after the
	// category filter only.
	Index func(context.Context) (retrieve.Index, error)
	// Draft asks a model for an answer from passages. Without it, and wherever
	// nothing of a draft can be delivered, the archive's own words are.
	Draft func(context.Context, model.Asked) (model.Draft, error)
	// Classify asks a model for the category of a question that the rules passed
	// with a doubt. It can make that decision stricter and no other.
	Classify func(context.Context, model.Sorted) (model.Classed, error)
	// Freeform lists drafted text that cites nothing as NotFromArchive instead
	// of dropping it: the profile and the signed policy both allow it.
	Freeform bool
	Env      bundle.Env
}

// A Request is who asks, and what binds the answer to the question: a nonce, or
// what bundle.RequestMAC made of the nonce and the question on the requestor's
// side. MAC is used where it is not nil.
type Request struct {
	Requestor policy.Requestor
	Nonce     []byte
	MAC       *[32]byte
	// Cut lists what was cut from a draft before it came here: it is told with
	// what is removed.
	Cut []Removed
	// Toggles set what citations are required differently from the profile.
	Toggles enforce.Toggles
	// Budget is the requestor's account. Without one nothing is metered.
	Budget *budget.Account
}

// A Response is a bundle and what it says.
type Response struct {
	Bundle    *bundle.Bundle
	Outcome   cite.Rung
	Claims    []Claim
	Removed   []Removed
	Refusal   *gate.Refusal // set when Outcome is refused
	Category  string        // of a category refusal
	TrueKind  gate.Kind     // of a refusal, for the ledger: not for the requestor
	TrueStage bundle.Stage  // the gate that refused
	Notices   []string
	Freeform  []string   // text that cites nothing, let through; each is in Removed too
	Withheld  []Withheld // by the budget
	Type      enforce.QueryType
	Enforced  *enforce.Decision // nil where retrieval was not reached
	Decision  gate.Decision     // of the category filter
	TopK      int               // passages that were looked at for one part of the question
}

// passagesPerPart is how many passages are looked at for one part of a
// question or one claim of a draft: enough for the right one to be among them
// when others share its words.
const passagesPerPart = 32

// Ask answers a question from the archive's own words.
func (p *Pipeline) Ask(ctx context.Context, question string, r Request) (*Response, error) {
	run := p.start(question, r)
	decision, err := run.filter(ctx, question)
	if err != nil {
		return nil, err
	}
	if decision.Action == gate.Refuse {
		return run.refuseCategory(decision)
	}
	parts, err := run.onRecords(segment.QuestionParts(question))
	if err != nil || len(parts) == 0 && len(run.claims) > 0 {
		return run.finishOr(err)
	}
	index, err := p.Index(ctx)
	if err != nil {
		return nil, err
	}
	defer index.Close()
	found, open := make([][]retrieve.Passage, len(parts)), make([][]retrieve.Passage, len(parts))
	for i, part := range parts {
		if found[i], open[i], err = run.retrieve(ctx, index, run.plain(part).Query()); err != nil {
			return nil, err
		}
	}
	if err := run.enforce(open); err != nil {
		return nil, err
	}
	for i, part := range parts {
		if run.enforced.Refuse && run.enforced.Reason != enforce.InsufficientRetrieval {
			run.remove(part.Text, "", gate.KindCoverage, false)
			continue
		}
		usable, err := run.accepted(open[i])
		if err != nil {
			return nil, err
		}
		all := found[i]
		if len(usable) < len(open[i]) {
			all = usable
		}
		extract := func(passages []retrieve.Passage) ([]candidate, error) {
			return run.extracted(run.plain(part), passages)
		}
		drafted, ok, err := run.written(ctx, part, usable)
		if err != nil {
			return nil, err
		}
		if !ok {
			if drafted, err = extract(usable); err != nil {
				return nil, err
			}
		}
		if err := run.answer(part.Text, drafted, usable, all, extract); err != nil {
			return nil, err
		}
	}
	return run.finish()
}

// Bind gives the claims of a draft the treatment of an answer.
func (p *Pipeline) Bind(ctx context.Context, draft string, r Request) (*Response, error) {
	run := p.start(draft, r)
	run.draft = true
	index, err := p.Index(ctx)
	if err != nil {
		return nil, err
	}
	defer index.Close()
	claims := segment.Claims(draft, "en")
	if n := assertions(claims); n > MaxClaims {
		return nil, fmt.Errorf("%w: the draft has %d, one bundle holds at most %d", ErrTooManyClaims, n, MaxClaims)
	}
	for _, claim := range claims {
		if !asserts(claim) {
			run.passOver(claim)
			continue
		}
		passages, open, err := run.retrieve(ctx, index, claim.Text)
		if err != nil {
			return nil, err
		}
		draft := func(passages []retrieve.Passage) ([]candidate, error) { return run.assigned(claim, passages) }
		found, err := draft(open)
		if err != nil {
			return nil, err
		}
		if run.p.Freeform && !reached(found) && uncited(claim) {
			run.uncited(claim.Text)
			continue
		}
		if err := run.answer(claim.Text, found, open, passages, draft); err != nil {
			return nil, err
		}
	}
	for _, x := range r.Cut {
		run.remove(x.Topic, x.Reason, gate.KindCoverage, false)
	}
	return run.finish()
}

// asserts tells what has to be supported from headings, questions, code and
// remarks on the text itself.
func asserts(c segment.Claim) bool {
	return c.Kind == segment.Assertion || c.Kind == segment.Table
}

func assertions(claims []segment.Claim) int {
	n := 0
	for _, c := range claims {
		if asserts(c) {
			n++
		}
	}
	return n
}
