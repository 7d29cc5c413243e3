package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"muniment/answer/model"
	"muniment/archive"
	"muniment/cid"
	"muniment/cite"
	"muniment/ledger"
	"muniment/snapshot"
)

// maxKeptText is the longest text of a span that the ledger keeps beside the
// span, in code points. The artifact has it anyway.
const maxKeptText = 4096

// surroundings is how many code points before and after a passage a model is
// shown: a page or so on each side.
const surroundings = 1500

// register writes the citation to the ledger, has it judged where there is a
// model, and binds it when the newest snapshot holds what it points at.
func (e *Engine) register(ctx context.Context, r *CiteResult, ev evidence, m cite.Match, relation cite.Relation, o CiteOptions) error {
	a := e.arch
	l, err := a.Ledger()
	if err != nil {
		return err
	}
	text := r.Quote
	if len([]rune(text)) > maxKeptText {
		text = ""
	}
	entry := ledger.Entry{Time: a.World().Now(), Session: e.who.Session, Agent: e.who.Agent, User: e.who.User, Project: e.who.Project, Source: ev.source,
		Artifact: ev.artifact.String(), Record: ev.record, Span: r.Span, Relation: relation, Claim: o.Claim,
		Quote: o.Quote, Text: text, Language: o.Language, Reasoning: o.Reasoning, Context: o.Context, Locator: o.Locator, Method: ev.method, Confidence: o.Confidence, Inputs: ev.inputs,
		Anchor: ev.anchor, Match: m.Status, Edits: m.Edits, Length: m.Length, Difference: string(m.Difference),
		Status: ledger.Status(r.VerificationStatus), Notes: r.VerificationNotes, Checks: r.Checks}
	judged := a.World().Judge != nil && r.Span != "" && entry.Status != ledger.Failed
	if judged { // what is cut short here is asked again by citations --pending --verify
		entry.Status, entry.Notes = ledger.Pending, "a model is to judge it"
	}
	ordinal, err := l.AddCitation(entry)
	if err != nil {
		return archive.Environment(err, "ledger")
	}
	r.CitationID = ordinal
	if judged {
		q := question(ev, r.Quote, relation, o.Claim)
		verdict := e.entailment(ctx, q, ledger.Status(r.VerificationStatus), r.VerificationNotes, relation)
		r.VerificationStatus, r.VerificationNotes = string(verdict.Status), verdict.Notes
		if verdict.Status == ledger.Verified {
			r.Suggestion = ""
		} else if r.Suggestion == "" {
			r.Suggestion = suggestionAfter(verdict.Status)
		}
		r.Checks = append(r.Checks, verdict.Checks...)
		if err := l.Attest(ordinal, verdict); err != nil {
			return archive.Environment(err, "ledger")
		}
		entry.Status = verdict.Status
	}
	r.finish()
	if r.Span != "" && entry.Status != ledger.Failed {
		// A reference that cannot be written is no reason to lose a citation.
		if text, err := FormatCitation(a, ordinal, "inline"); err == nil && text != "" {
			r.FormattedReference = text
		}
	}
	if r.Span == "" || r.VerificationStatus == string(ledger.Failed) {
		r.Binding = "failed"
		return nil
	}
	r.Binding = "unbound"
	head, _, err := a.Head()
	if err != nil || head == nil {
		return err
	}
	at, err := a.Catalog(head.Tree)
	if err != nil {
		return err
	}
	if !at.Holds(ev.artifact) {
		return nil
	}
	id, err := bind(a, l, ledger.Citation{Ordinal: ordinal, Entry: entry}, head)
	if err != nil || id.IsZero() {
		return err
	}
	r.Binding, r.Citation, r.Snapshot = "bound", id.String(), head.ID.String()
	if r.MatchedLocation != nil {
		r.MatchedLocation.Snapshot = r.Snapshot
	}
	return nil
}

// finish fills in what follows from the rest of a result.
func (r *CiteResult) finish() {
	r.SummaryNote = summary(r)
	var told *archive.Error
	if errors.As(r.Err(), &told) {
		r.ErrorType = string(told.Kind)
	}
	if r.Span != "" {
		r.MatchedLocation = &Location{Artifact: r.Artifact, Name: r.Name, Span: r.Span, Locator: r.Locator}
		r.FormattedReference = fmt.Sprintf("[%d] %s, %s", r.CitationID, r.Name, placeWords(r.Span, r.Locator))
	}
}

// placeWords says where a span is, for people.
func placeWords(span string, locator map[string]string) string {
	var parts []string
	for _, w := range []struct{ key, word string }{{"page", "p. "}, {"chapter", "chapter "}, {"section", ""}, {"time", "at "}, {"row", "row "}, {"line", "line "}} {
		if v := locator[w.key]; v != "" {
			parts = append(parts, w.word+v)
		}
	}
	if span != "" {
		parts = append(parts, span)
	}
	return strings.Join(parts, ", ")
}

func suggestionAfter(s ledger.Status) string {
	if s == ledger.Pending {
		return "muniment citations --pending --verify asks again"
	}
	return "quote the words that say it, claim what the words say, or register it as --relation inference_from"
}

// question is what a model is asked about a citation.
func question(ev evidence, words string, relation cite.Relation, claim string) model.Question {
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

// entailment asks the model and says what follows. Deterministic checks came
// before: nothing here is asked about words that are not there, and only a yes
// that is spelled as one verifies.
func (e *Engine) entailment(ctx context.Context, q model.Question, before ledger.Status, notes string, relation cite.Relation) ledger.Attestation {
	j, err := e.arch.World().Judge.Entails(ctx, q)
	out := ledger.Attestation{Time: e.arch.World().Now(), Agent: e.who.Agent, Model: j.Model, PromptSHA256: j.PromptSHA256, Prompt: j.Prompt,
		Reply: strings.ReplaceAll(strings.ToValidUTF8(j.Reply, "\uFFFD"), "\x00", "\uFFFD")}
	check := ledger.Check{Step: "entailment", Expected: string(model.Yes), Found: string(j.Verdict), Result: "fail"}
	var away *model.UnavailableError
	var bad *model.ReplyError
	switch {
	case errors.As(err, &away):
		out.Status, out.Notes = ledger.Pending, err.Error()
		check.Result, check.Found = "not_checked", err.Error()
	case errors.As(err, &bad):
		out.Status, out.Notes = ledger.Unverified, err.Error()
		check.Result, check.Found = "not_checked", err.Error()
	case err != nil:
		out.Status, out.Notes = ledger.Pending, err.Error()
		check.Result, check.Found = "not_checked", err.Error()
	case j.Verdict == model.Yes:
		out.Status, out.Notes, check.Result = ledger.Verified, "", "pass"
		if before == ledger.Verified {
			out.Notes = notes
		}
	case j.Verdict == model.Contradiction, j.Verdict == model.No && relation != cite.InferenceFrom:
		out.Status, out.Notes = ledger.Failed, fmt.Sprintf("the words are there, but a model judged (%s): %s", j.Verdict, j.Reason)
	default:
		out.Status, out.Notes = ledger.Unverified, fmt.Sprintf("the words are there; a model judged (%s): %s", j.Verdict, j.Reason)
	}
	out.Checks = []ledger.Check{check}
	return out
}

// bind gives a registered citation its snapshot and with it its id; the zero id
// where an aggregation has to wait for its inputs.
func bind(a *archive.Archive, l *ledger.Ledger, e ledger.Citation, s *snapshot.Snapshot) (cid.ID, error) {
	c := cite.Citation{Type: cite.CitationType, Artifact: e.Artifact, Record: e.Record, Snapshot: s.ID.String(), Seq: s.Seq, Span: e.Span,
		Relation: e.Relation, Claim: e.Claim, Reasoning: e.Reasoning, Context: e.Context,
		QuoteSHA256: e.Anchor.SHA256, Prefix: e.Anchor.Prefix, Suffix: e.Anchor.Suffix, Match: e.Match, Edits: e.Edits, Length: e.Length}
	if e.Relation == cite.Aggregation {
		ids, waiting, err := inputIDs(l, e.Inputs)
		if err != nil {
			return cid.ID{}, archive.Environment(err, "ledger")
		}
		if waiting {
			return cid.ID{}, nil // what it rests on has no id yet
		}
		c.Inputs = ids
	}
	encoded, err := c.Encode()
	if err != nil {
		return cid.ID{}, archive.Problem(archive.TypeUsage, archive.Advise("shorten the claim, the reasoning or the context"), "citation: %w", err)
	}
	id := cid.OfJSON(encoded)
	return id, archive.Environment(l.Bind(e.Ordinal, encoded, id, a.World().Now()), "ledger")
}

// bindWaiting binds every citation whose artifact the new snapshot holds.
func bindWaiting(a *archive.Archive, s *snapshot.Snapshot) (int, error) {
	l, err := a.Ledger()
	if err != nil {
		return 0, err
	}
	waiting, err := l.Unbound()
	if err != nil {
		return 0, archive.Environment(err, "ledger")
	}
	if len(waiting) == 0 {
		return 0, nil
	}
	c, err := a.Catalog(s.Tree)
	if err != nil {
		return 0, err
	}
	n := 0
	for _, e := range waiting {
		id, err := cid.Parse(e.Artifact)
		if err != nil || !c.Holds(id) {
			continue // not in this snapshot; it goes on waiting
		}
		bound, err := bind(a, l, e, s)
		if err != nil {
			return n, err
		}
		if !bound.IsZero() {
			n++
		}
	}
	return n, nil
}
