package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"muniment/archive/problem"
	"muniment/archive/search"
	"muniment/cid"
	"muniment/cite"
	"muniment/engine/references/bib"
	"muniment/judge"
	"muniment/ledger"
	"muniment/objects"
	"muniment/policy"
	"muniment/snapshot"
)

// maxKeptText is the longest text of a span that the ledger keeps with the span, in code points.
// The artifact has it anyway.
const maxKeptText = 4096

// A Candidate is a citation that was looked up and judged and is not registered. Any
// goroutine may register it.
type Candidate struct {
	caller   Caller
	reader   search.Reader
	options  CiteOptions
	rules    citeRules
	relation cite.Relation
	source   ledger.Source // without a number where it is not registered
	record   bool          // a record is cited, and no artifact
	held     objects.Hash  // a tree that holds what is cited
	result   *CiteResult
	evidence evidence
	match    cite.Match
}

// candidate returns the candidate of a target for which r was found.
func (e *Engine) candidate(t *target, r *CiteResult, ev evidence, m cite.Match, relation cite.Relation, o CiteOptions) *Candidate {
	return &Candidate{caller: e.caller, reader: e.reader, options: o, relation: relation, source: t.source, record: relation == cite.MetadataFact, held: t.tree, result: r, evidence: ev, match: m}
}

// For has the candidate registered for a reader, as of Engine.For: that of the engine
// that examined it reads an archive which another goroutine may use by now.
func (c *Candidate) For(r search.Reader) { c.reader = r }

// engine returns the engine that registers the candidate in a group.
func (c *Candidate) engine(g *Group) *Engine {
	return &Engine{arch: g.archive, caller: c.caller, reader: c.reader, group: g}
}

// register registers the citation of a candidate and has a model judge it where there is
// one.
func (e *Engine) register(ctx context.Context, c *Candidate) (*CiteResult, error) {
	l, err := e.ledger()
	if err != nil {
		return nil, err
	}
	c = c.attempt()
	entry, err := e.enter(c)
	if err != nil {
		return nil, err
	}
	judged := e.awaitsModel(c)
	if judged && c.result.ClaimVerdict != string(cite.ClaimFollows) { // VerifyPending asks again where the call is cut short here
		entry.Status, entry.Notes = ledger.Pending, "a model is to judge it"
	}
	n, err := l.AddKeyed([]ledger.Entry{entry})
	if err != nil {
		return nil, problem.Wrap(err, "ledger")
	}
	r := c.result
	if n[0].Known {
		return r, e.repeat(c, l, n[0].Ordinal)
	}
	r.CitationID = n[0].Ordinal
	people, err := e.Reviews().applyReviews(c, l, &entry)
	if err != nil {
		return nil, err
	}
	if judged && !people {
		if err := e.LogJudged(r.Artifact); err != nil {
			return nil, err
		}
		verdict, j, err := e.askModel(ctx, buildQuestion(c.evidence, r.Quote, c.relation, c.options.Claim), r.judgement, c.rules.judged == policy.JudgedVerified)
		r.applyVerdict(verdict, j)
		var wrong *problem.Error
		if errors.As(err, &wrong) {
			r.warn(wrong)
		}
		if err := l.Attest(r.CitationID, verdict); err != nil {
			return nil, problem.Wrap(err, "ledger")
		}
		entry.Status, entry.Verdict = verdict.Status, verdict.Verdict
	}
	if err := e.Reviews().requireReviews(c, l, &ledger.Citation{Ordinal: r.CitationID, Entry: entry}); err != nil {
		return nil, err
	}
	if c.complete(entry); r.Binding == "failed" {
		return r, nil
	}
	return r, e.bindNew(r, l, entry, c.evidence.artifact, c.held)
}

// attempt returns a copy for one attempt to register: a transaction may be undone and
// done again.
func (c *Candidate) attempt() *Candidate {
	out, r := *c, *c.result
	r.Checks, r.Warnings = slices.Clip(r.Checks), slices.Clip(r.Warnings)
	out.result = &r
	return &out
}

// awaitsModel reports whether a model is to judge a candidate: wherever its answer could change the verdict.
func (e *Engine) awaitsModel(c *Candidate) bool {
	r := c.result
	if e.arch.World().Judge == nil || c.rules.judged == policy.JudgedNever || r.Span == "" || r.Match == string(cite.NoWords) || !r.judgement.IsOpen() {
		return false
	}
	may, err := e.MaySend(r.Artifact)
	return err == nil && may
}

// enter numbers the source of a candidate, resolves what it rests on, and returns its
// entry.
func (e *Engine) enter(c *Candidate) (entry ledger.Entry, err error) {
	if c.source.ID == 0 {
		if c.source, err = e.Sources().findSource(c.source, c.record); err != nil {
			return entry, err
		}
	}
	if c.source.ID == 0 {
		got, err := e.Sources().registerSource(c.source)
		if err != nil {
			return entry, err
		}
		c.source.ID = got.SourceID
	}
	c.result.SourceID, c.evidence.source = c.source.ID, c.source.ID
	if !c.record {
		c.result.SourceName = joinVersion(c.source.Name, c.source.Version)
	}
	if c.relation == cite.Aggregation {
		if c.evidence.inputs = c.source.Inputs; len(c.options.DerivedFrom) > 0 {
			if c.evidence.inputs, err = e.resolveInputs(c.options.DerivedFrom); err != nil {
				return entry, err
			}
		}
		if err := e.checkInputs(c.result, e.Catalog(c.held), c.evidence.inputs); err != nil {
			return entry, err
		}
	}
	entry = e.newEntry(c.result, c.evidence, c.match, c.relation, c.options)
	if entry.Key == "" {
		entry.Key, err = contentKey(entry)
	}
	return entry, problem.Wrap(err, "citation")
}

// complete fills in what a result says once its citation has a number. A citation of
// which nothing is there, or whose claim is contradicted, is not bound.
func (c *Candidate) complete(entry ledger.Entry) {
	r := c.result
	r.finish()
	if r.Span != "" && entry.Status != ledger.Failed && c.evidence.work != nil {
		work := nameWork(describeWork(r.Artifact, c.evidence.work), c.evidence.work, joinVersion(c.source.Name, c.source.Version))
		// A reference that cannot be written is no reason to lose a citation.
		if refs, err := bib.Format([]bib.Item{work}, bib.Inline, bib.Text); err == nil {
			r.FormattedReference = bib.Cite(refs[0], bib.Inline, formatPlace(&ledger.Citation{Entry: entry}, r.Locator))
		}
	}
	if r.Span == "" || r.VerificationStatus == string(ledger.Failed) {
		r.Binding = "failed"
	}
}

// contentKey returns the key of an entry whose caller gave none: the hash of what was
// called for and found. The same call over other words is another citation.
func contentKey(entry ledger.Entry) (string, error) {
	entry.Time, entry.Checks, entry.Notes, entry.PublishedAt = time.Time{}, nil, "", ""
	data, err := json.Marshal(entry)
	sum := sha256.Sum256(data)
	return "content:" + hex.EncodeToString(sum[:]), err
}

// repeat completes a result with the citation that an earlier attempt with the same
// key registered: its number, its state and its ID.
func (e *Engine) repeat(asked *Candidate, l *ledger.Ledger, ordinal int64) error {
	r, claim := asked.result, asked.options.Claim
	c, err := l.Get(ordinal)
	if err != nil {
		return problem.Wrap(err, "ledger")
	}
	if c.Claim != claim || c.Artifact != r.Artifact || c.Span != r.Span || string(c.Relation) != r.Relation {
		return problem.New(problem.Usage, problem.Advise("give each citation a key of its own"), "the idempotency key is that of citation %d, which is another one", ordinal)
	}
	info := describeEntry(&c)
	r.CitationID, r.Citation, r.Binding, r.Snapshot, r.Repeated = ordinal, info.Citation, info.Binding, info.Snapshot, true
	if object, err := cite.ParseCitation(c.JSON); err == nil && r.Snapshot == "" {
		r.Snapshot = object.Snapshot // the one that it is bound to, until one seals it
	}
	r.VerificationStatus, r.VerificationNotes, r.ClaimVerdict, r.Judge = info.VerificationStatus, info.VerificationNotes, info.ClaimVerdict, info.Judge
	if c.Status == ledger.Verified {
		r.Next = problem.Step{}
	}
	if err := e.Reviews().requireReviews(asked, l, &c); err != nil {
		return err
	}
	r.finish()
	if r.MatchedLocation != nil {
		r.MatchedLocation.Snapshot = r.Snapshot
	}
	if artifact, err := cid.Parse(c.Artifact); err == nil && c.Binding == ledger.Unbound && c.Span != "" && c.Status != ledger.Failed {
		return e.bindNew(r, l, c.Entry, artifact, objects.Hash{}) // the first attempt was cut short before that
	}
	return nil
}

// newEntry returns the ledger's entry of a citation.
func (e *Engine) newEntry(r *CiteResult, ev evidence, m cite.Match, relation cite.Relation, o CiteOptions) ledger.Entry {
	text := r.Quote
	if len([]rune(text)) > maxKeptText {
		text = ""
	}
	return ledger.Entry{Time: e.arch.World().Now(), Session: e.caller.Session, Agent: e.caller.Agent, User: e.caller.User, Project: e.caller.Project, Source: ev.source,
		Artifact: ev.artifact.String(), Record: ev.record, Span: r.Span, Relation: relation, Claim: o.Claim,
		Quote: o.Quote, Text: text, Language: o.Language, Reasoning: o.Reasoning, Context: o.Context, Locator: o.Locator, Method: o.Relation, Confidence: o.Confidence, Inputs: ev.inputs,
		Anchor: ev.anchor, Match: m.Status, Edits: m.Edits, Length: m.Length, Difference: string(m.Difference),
		Status: ledger.Status(r.VerificationStatus), Verdict: cite.ClaimVerdict(r.ClaimVerdict), Notes: r.VerificationNotes, Checks: r.Checks, Key: o.Key, PublishedAt: ev.published}
}

// applyVerdict replaces the verdict of a result by a model's.
func (r *CiteResult) applyVerdict(verdict ledger.Attestation, j judge.Judgement) {
	r.setJudgement(j)
	r.VerificationStatus, r.VerificationNotes = string(verdict.Status), verdict.Notes
	if verdict.Verdict == cite.ClaimJudged {
		r.Judge = verdict.Model
	}
	switch {
	case verdict.Status == ledger.Verified:
		r.Next = problem.Step{}
	case verdict.Status == ledger.Pending, r.Next.Do != DoCite: // a call that would verify stays
		r.Next = adviseAfter(verdict.Status)
	}
	r.Checks = append(r.Checks, verdict.Checks...)
}

// bindNew binds a citation to the newest snapshot where that holds the artifact, as the
// tree held does; else the citation is unbound. Where a snapshot of another process was
// faster the IDs are those that it gave.
func (e *Engine) bindNew(r *CiteResult, l *ledger.Ledger, entry ledger.Entry, artifact cid.ID, held objects.Hash) error {
	r.Binding = "unbound"
	head, _, err := e.arch.Head()
	if err != nil || head == nil {
		return err
	}
	object, ok, err := e.citationObject(l, ledger.Citation{Ordinal: r.CitationID, Entry: entry}, artifact, head, held)
	if err == nil && !ok {
		r.Waits, err = e.waitsFor()
	}
	if err != nil || !ok {
		return err
	}
	fresh, err := l.Bind([]ledger.CitationObject{object}, e.arch.World().Now())
	if err != nil {
		return problem.Wrap(err, "ledger")
	}
	if fresh > 0 {
		r.bindTo(object.ID, head.ID.String())
		return nil
	}
	stored, err := l.Get(r.CitationID)
	if err != nil {
		return problem.Wrap(err, "ledger")
	}
	bound, err := cite.ParseCitation(stored.JSON)
	if err != nil {
		return problem.Wrap(err, "ledger")
	}
	r.bindTo(stored.ID, bound.Snapshot)
	return nil
}

// bindTo fills in the ID of the citation and the snapshot that it is bound to.
func (r *CiteResult) bindTo(id cid.ID, snapshot string) {
	r.Binding, r.Citation, r.Snapshot, r.Waits = "bound", id.String(), snapshot, ""
	if r.MatchedLocation != nil {
		r.MatchedLocation.Snapshot = snapshot
	}
}

// citationObject returns the object of a citation that binds it to the snapshot head. ok
// is false where that does not hold the artifact, which the tree held does, or where
// no verdict on the claim is final yet.
func (e *Engine) citationObject(l *ledger.Ledger, c ledger.Citation, artifact cid.ID, head *snapshot.Snapshot, held objects.Hash) (o ledger.CitationObject, ok bool, err error) {
	if c.Status == ledger.Pending {
		return o, false, nil
	}
	catalog := e.arch.Catalog(head.Tree)
	if head.Tree != held {
		if holds, err := catalog.Holds(artifact); err != nil || !holds {
			return o, false, err
		}
	}
	return encodeCitation(l, &c, head, catalog, nil)
}
