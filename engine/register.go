package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"time"

	"muniment/archive"
	"muniment/cid"
	"muniment/cite"
	"muniment/ledger"
)

// maxKeptText is the longest text of a span that the ledger keeps beside the
// span, in code points. The artifact has it anyway.
const maxKeptText = 4096

// register writes a citation to the ledger, has a model judge it where there is
// one, and binds it when the newest snapshot holds what it points at.
func (e *Engine) register(ctx context.Context, r *CiteResult, ev evidence, m cite.Match, relation cite.Relation, o CiteOptions) error {
	l, err := e.ledger()
	if err != nil {
		return err
	}
	entry := e.newEntry(r, ev, m, relation, o)
	if entry.Key == "" {
		if entry.Key, err = contentKey(entry); err != nil {
			return archive.Environment(err, "citation")
		}
	}
	known, err := l.KnownKey(entry.Project, entry.Session, entry.Agent, entry.Key)
	if err != nil {
		return archive.Environment(err, "ledger")
	}
	if known != 0 {
		return e.repeat(r, l, known, o.Claim)
	}
	// No judgement undoes a finding, and none is needed where the words say it.
	judged := e.arch.World().Judge != nil && r.Span != "" && r.Match != string(cite.NoWords) && r.ClaimVerdict == string(cite.ClaimNotShown) && len(r.Findings) == 0
	if judged { // VerifyPending asks again where the call is cut short here
		entry.Status, entry.Notes = ledger.Pending, "a model is to judge it"
	}
	if r.CitationID, err = l.AddCitation(entry); err != nil {
		return archive.Environment(err, "ledger")
	}
	if judged {
		verdict, err := e.askModel(ctx, buildQuestion(ev, r.Quote, relation, o.Claim))
		r.applyVerdict(verdict)
		var wrong *archive.Error
		if errors.As(err, &wrong) {
			r.warn(wrong)
		}
		if err := l.Attest(r.CitationID, verdict); err != nil {
			return archive.Environment(err, "ledger")
		}
		entry.Status, entry.Verdict = verdict.Status, verdict.Verdict
	}
	r.finish()
	if r.Span != "" && entry.Status != ledger.Failed {
		// A reference that cannot be written is no reason to lose a citation.
		if text, err := formatOne(e.arch, r.CitationID, BibOptions{Style: "inline", located: r.known()}); err == nil && text != "" {
			r.FormattedReference = text
		}
	}
	if r.Span == "" || r.VerificationStatus == string(ledger.Failed) {
		r.Binding = "failed"
		return nil
	}
	return e.bindNew(r, l, entry, ev.artifact)
}

// known returns the locator of a result, empty and not nil where nothing is known.
func (r *CiteResult) known() map[string]string {
	if r.Locator == nil {
		return map[string]string{}
	}
	return r.Locator
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
func (e *Engine) repeat(r *CiteResult, l *ledger.Ledger, ordinal int64, claim string) error {
	c, err := l.Get(ordinal)
	if err != nil {
		return archive.Environment(err, "ledger")
	}
	if c.Claim != claim || c.Artifact != r.Artifact || c.Span != r.Span || string(c.Relation) != r.Relation {
		return archive.Problem(archive.TypeUsage, archive.Advise("give each citation a key of its own"), "the idempotency key is that of citation %d, which is another one", ordinal)
	}
	info := describeEntry(&c)
	r.CitationID, r.Citation, r.Binding, r.Snapshot, r.Repeated = ordinal, info.Citation, info.Binding, info.Snapshot, true
	if object, err := cite.ParseCitation(c.JSON); err == nil && r.Snapshot == "" {
		r.Snapshot = object.Snapshot // the one that it is bound to, until one seals it
	}
	r.VerificationStatus, r.VerificationNotes, r.ClaimVerdict, r.Judge = info.VerificationStatus, info.VerificationNotes, info.ClaimVerdict, info.Judge
	if c.Status == ledger.Verified {
		r.Next = archive.Step{}
	}
	r.finish()
	if r.MatchedLocation != nil {
		r.MatchedLocation.Snapshot = r.Snapshot
	}
	if artifact, err := cid.Parse(c.Artifact); err == nil && c.Binding == ledger.Unbound && c.Span != "" && c.Status != ledger.Failed {
		return e.bindNew(r, l, c.Entry, artifact) // the first attempt was cut short before that
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
func (r *CiteResult) applyVerdict(verdict ledger.Attestation) {
	r.VerificationStatus, r.VerificationNotes, r.ClaimVerdict = string(verdict.Status), verdict.Notes, string(verdict.Verdict)
	if verdict.Verdict == cite.ClaimJudged {
		r.Judge = verdict.Model
	}
	if verdict.Status == ledger.Verified {
		r.Next = archive.Step{}
	} else {
		r.Next = adviseAfter(verdict.Status)
	}
	r.Checks = append(r.Checks, verdict.Checks...)
}

// bindNew binds a citation to the newest snapshot where that holds the artifact;
// else the citation is unbound.
func (e *Engine) bindNew(r *CiteResult, l *ledger.Ledger, entry ledger.Entry, artifact cid.ID) error {
	r.Binding = "unbound"
	id, head, err := bindToHead(e.arch, l, ledger.Citation{Ordinal: r.CitationID, Entry: entry}, artifact)
	if err != nil || id.IsZero() {
		return err
	}
	r.Binding, r.Citation, r.Snapshot = "bound", id.String(), head
	if r.MatchedLocation != nil {
		r.MatchedLocation.Snapshot = r.Snapshot
	}
	return nil
}

// bindToHead binds a citation to the newest snapshot and returns its ID and the
// snapshot's; the zero ID where that snapshot does not hold the artifact, or where
// no verdict on the claim is final yet. Where a snapshot of another process was
// faster the IDs are those that it gave.
func bindToHead(a *archive.Archive, l *ledger.Ledger, c ledger.Citation, artifact cid.ID) (id cid.ID, in string, err error) {
	if c.Status == ledger.Pending {
		return cid.ID{}, "", nil
	}
	head, _, err := a.Head()
	if err != nil || head == nil {
		return cid.ID{}, "", err
	}
	held := a.Catalog(head.Tree)
	holds, err := held.Holds(artifact)
	if err != nil || !holds {
		return cid.ID{}, "", err
	}
	object, ok, err := encodeCitation(l, &c, head, held, nil)
	if err != nil || !ok {
		return cid.ID{}, "", err
	}
	fresh, err := l.Bind([]ledger.CitationObject{object}, a.World().Now())
	if err != nil {
		return cid.ID{}, "", archive.Environment(err, "ledger")
	}
	if fresh > 0 {
		return object.ID, head.ID.String(), nil
	}
	stored, err := l.Get(c.Ordinal)
	if err != nil {
		return cid.ID{}, "", archive.Environment(err, "ledger")
	}
	bound, err := cite.ParseCitation(stored.JSON)
	if err != nil {
		return cid.ID{}, "", archive.Environment(err, "ledger")
	}
	return stored.ID, bound.Snapshot, nil
}
