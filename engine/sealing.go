package engine

import (
	"cmp"

	"muniment/archive"
	"muniment/archive/logref"
	"muniment/cid"
	"muniment/cite"
	"muniment/history"
	"muniment/ledger"
	"muniment/snapshot"
	"muniment/snapshot/record"
)

// Snapshot signs what is staged as the next snapshot. Bound citations are sealed
// into it; citations that waited for their artifact are bound to it. Then the
// answer logs are published on their refs, unless that was done within the last
// minute. Where publishing fails the snapshot stands, and the result says why.
func Snapshot(a *archive.Archive, o history.SnapshotOptions) (*archive.SnapshotResult, error) {
	waiting, err := readWaiting(a)
	if err != nil {
		return nil, err
	}
	return seal(a, waiting, func() (*history.SignedSnapshot, error) { return history.SignStaged(a, o, waiting.encodeObjects()) })
}

// Join signs the join of two forked histories: see history.SignUnion. It seals no
// citations, since verifiers recompute its tree; the next snapshot does.
func Join(a *archive.Archive, o history.JoinOptions) (*archive.SnapshotResult, error) {
	return seal(a, nil, func() (*history.SignedSnapshot, error) { return history.SignUnion(a, o) })
}

// seal runs the sequence of every act that signs a snapshot: sign with the
// citations that wait to be sealed, mark these as sealed, bind the citations that
// waited for their artifact, publish the answer logs. The next snapshot repeats
// the steps that an interruption left out.
func seal(a *archive.Archive, waiting waitingCitations, sign func() (*history.SignedSnapshot, error)) (*archive.SnapshotResult, error) {
	signed, err := sign()
	if err != nil {
		return nil, err
	}
	r := signed.Result
	if r.Sealed, err = markSealed(a, waiting, signed.Snapshot.ID); err != nil {
		return nil, err
	}
	if r.Bound, err = bindWaiting(a, signed.Snapshot); err != nil {
		return nil, err
	}
	if _, err := logref.PublishLogs(a, false); err != nil {
		r.LogProblem = archive.OneLine(err)
	}
	return r, nil
}

// waitingCitations are the bound citations that no snapshot holds yet.
type waitingCitations []ledger.Citation

// readWaiting returns the bound citations that no snapshot holds yet.
func readWaiting(a *archive.Archive) (waitingCitations, error) {
	l, err := a.Ledger()
	if err != nil {
		return nil, err
	}
	waiting, err := l.BoundUnsealed()
	return waiting, archive.Environment(err, "ledger")
}

// encodeObjects returns the files of the citations. The same claim with the same
// evidence is one object.
func (w waitingCitations) encodeObjects() []history.SealedObject {
	var out []history.SealedObject
	seen := map[cid.ID]bool{}
	for _, c := range w {
		if !seen[c.ID] {
			seen[c.ID] = true
			out = append(out, history.SealedObject{Path: record.CitationPath(c.ID), Data: c.JSON})
		}
	}
	return out
}

// markSealed notes in the ledger which snapshot holds the citations, and returns
// their number.
func markSealed(a *archive.Archive, waiting waitingCitations, id cid.ID) (int, error) {
	if len(waiting) == 0 {
		return 0, nil
	}
	l, err := a.Ledger()
	if err != nil {
		return 0, err
	}
	for _, c := range waiting {
		if err := l.Seal(c.Ordinal, id, a.World().Now()); err != nil {
			return 0, archive.Environment(err, "ledger")
		}
	}
	return len(waiting), nil
}

// bind binds a registered citation to a snapshot and returns its ID; the zero ID
// for an aggregation whose inputs have none yet.
func bind(a *archive.Archive, l *ledger.Ledger, e ledger.Citation, s *snapshot.Snapshot) (cid.ID, error) {
	c := cite.Citation{Type: cite.CitationType, ClaimVerdict: e.Verdict, Artifact: e.Artifact, Record: e.Record, Snapshot: s.ID.String(), Seq: s.Seq, Span: e.Span,
		Relation: e.Relation, Claim: e.Claim, Reasoning: e.Reasoning, Context: e.Context,
		QuoteSHA256: e.Anchor.SHA256, Prefix: e.Anchor.Prefix, Suffix: e.Anchor.Suffix, Match: e.Match, Edits: e.Edits, Length: e.Length}
	switch e.Verdict {
	case "": // registered before claims were judged
		c.Type = cite.FirstCitationType
	case cite.ClaimJudged:
		var err error
		if c.Judge, err = findJudge(l, e.Ordinal); err != nil {
			return cid.ID{}, err
		}
	}
	if e.Relation == cite.Aggregation {
		ids, waiting, err := listInputIDs(l, e.Inputs)
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

// findJudge returns the model that last judged a citation, with the hashes of its
// prompt and its reply.
func findJudge(l *ledger.Ledger, ordinal int64) (*cite.JudgeReply, error) {
	all, err := l.Attestations(ordinal)
	if err != nil {
		return nil, archive.Environment(err, "ledger")
	}
	last := all[len(all)-1]
	return &cite.JudgeReply{Model: cmp.Or(last.Model, "unnamed"), PromptSHA256: last.PromptSHA256, ReplySHA256: hashHex(last.Reply)}, nil
}

// bindWaiting binds every unbound citation whose artifact the new snapshot holds,
// and returns their number.
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
	c := a.Catalog(s.Tree)
	n := 0
	for _, e := range waiting {
		id, err := cid.Parse(e.Artifact)
		if err != nil {
			continue // it names no source
		}
		holds, err := c.Holds(id)
		if err != nil {
			return n, err
		}
		if !holds {
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
