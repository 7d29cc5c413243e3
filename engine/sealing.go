package engine

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"muniment/archive"
	"muniment/archive/holdings"
	"muniment/archive/logref"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/cite"
	"muniment/cite/review"
	"muniment/history"
	"muniment/ledger"
	"muniment/objects/disk"
	"muniment/snapshot"
	"muniment/snapshot/layout"
	"muniment/text/legible"
)

// Snapshot signs what is staged as the next snapshot. Bound citations are sealed
// into it; citations that waited for their artifact are bound to it. Then the
// answer logs are published on their refs, unless that was done within the last
// minute. Once the snapshot is signed it stands: where the ledger or the logs fail,
// the result says why, and FinishSnapshot does the ledger's part later. Where nothing
// is left to sign but the ledger had its part of the newest snapshot still to note,
// the result is that snapshot.
func Snapshot(a *archive.Archive, o history.SnapshotOptions) (*archive.SnapshotResult, error) {
	waiting, elsewhere, err := readWaiting(a)
	if err != nil {
		return nil, err
	}
	r, err := seal(a, waiting, func() (*history.SignedSnapshot, error) { return history.SignStaged(a, o, waiting.encodeObjects()) })
	var failure *problem.Error
	if !errors.As(err, &failure) || failure.Kind != problem.NothingToDo {
		return r, err
	}
	// The newest snapshot holds all that is staged and the objects of all that waits.
	if r, ok := failure.Partial.(*archive.SnapshotResult); ok {
		head, _, err := a.RequireHead()
		if err != nil {
			return nil, err
		}
		if err := settle(a, r, waiting, head); err != nil {
			return nil, err
		}
		if r.Finished = r.Bound+r.Sealed > 0; r.Finished {
			return r, nil
		}
	}
	if elsewhere > 0 {
		failure.Message = "nothing is left to sign in this copy; citations that other copies registered wait for their snapshots"
		failure.Next = problem.Advise("fetch from the copy where they were registered, or sign there")
	}
	return nil, failure
}

// Join signs the join of two forked histories: see history.SignUnion. It seals no
// citations, since verifiers recompute its tree; the next snapshot does.
func Join(a *archive.Archive, o history.JoinOptions) (*archive.SnapshotResult, error) {
	return seal(a, sealQueue{}, func() (*history.SignedSnapshot, error) { return history.SignUnion(a, o) })
}

// seal runs the sequence of every act that signs a snapshot: sign with the
// citations that wait to be sealed, let the ledger note what the snapshot did, and
// publish the answer logs. What an interruption left out FinishSnapshot does, or the
// next snapshot.
func seal(a *archive.Archive, waiting sealQueue, sign func() (*history.SignedSnapshot, error)) (*archive.SnapshotResult, error) {
	if err := beginFinish(a); err != nil {
		return nil, err
	}
	signed, err := sign()
	if err != nil {
		return nil, err
	}
	r := signed.Result
	if err := settle(a, r, waiting, signed.Snapshot); err != nil {
		r.LedgerProblem = legible.OneLine(err)
	} else if err := os.Remove(finishPath(a)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		r.LedgerProblem = legible.OneLine(err)
	}
	if _, err := logref.PublishLogs(a, false); err != nil {
		r.LogProblem = legible.OneLine(err)
	}
	_ = forgetSettled(a) // the next snapshot does it otherwise
	return r, nil
}

// settle lets the ledger note what a snapshot did: the waiting citations are sealed
// in it, and those that waited for their artifact are bound to it. The numbers go
// into the result.
func settle(a *archive.Archive, r *archive.SnapshotResult, waiting sealQueue, s *snapshot.Snapshot) error {
	l, err := ledger.Of(a)
	if err != nil {
		return err
	}
	if len(waiting.citations) > 0 {
		ordinals := make([]int64, len(waiting.citations))
		for i := range waiting.citations {
			ordinals[i] = waiting.citations[i].Ordinal
		}
		if r.Sealed, err = l.Seal(ordinals, s.ID, a.World().Now()); err != nil {
			return problem.Wrap(err, "ledger")
		}
	}
	if len(waiting.reviews) > 0 {
		ids := make([]int64, len(waiting.reviews))
		for i := range waiting.reviews {
			ids[i] = waiting.reviews[i].ID
		}
		if err := l.SealReviews(ids, s.ID, a.World().Now()); err != nil {
			return problem.Wrap(err, "ledger")
		}
	}
	r.Bound, err = bindWaiting(a, l, s)
	return err
}

// finishFile is the file in archive.local that says that a snapshot is being signed
// and the ledger has not noted it yet. It holds the ID of the newest snapshot before.
const finishFile = "unfinished"

// maxFinish bounds that file, which holds one ID.
const maxFinish = 256

func finishPath(a *archive.Archive) string {
	return filepath.Join(a.Dir(), archive.LocalDir, finishFile)
}

// beginFinish writes the file that FinishSnapshot looks for.
func beginFinish(a *archive.Archive) error {
	head, _, err := a.Head()
	if err != nil {
		return err
	}
	before := ""
	if head != nil {
		before = head.ID.String()
	}
	return problem.Wrap(a.World().Disk.Replace(finishPath(a), []byte(before+"\n"), 0o600), "snapshot")
}

// FinishSnapshot lets the ledger note what a snapshot did whose process ended, or
// whose ledger did not answer, before that was noted. It returns the number of
// citations that were sealed or bound; where nothing is left to do it reads one file.
func FinishSnapshot(a *archive.Archive) (n int, err error) {
	before, err := disk.ReadOwnPlain(finishPath(a), maxFinish)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	} else if err != nil {
		return 0, problem.Wrap(err, "snapshot")
	}
	head, _, err := a.Head()
	if err != nil || head == nil || head.ID.String()+"\n" == string(before) {
		return 0, err // nothing was signed: the process works still, or ended before
	}
	all, _, err := readWaiting(a)
	if err != nil {
		return 0, err
	}
	var in sealQueue
	for _, c := range all.citations {
		_, ok, err := a.Store().Lookup(head.Tree, layout.CitationPath(c.ID))
		if err != nil {
			return 0, problem.Wrap(err, "citations")
		}
		if ok {
			in.citations = append(in.citations, c)
		}
	}
	for _, r := range all.reviews {
		_, ok, err := a.Store().Lookup(head.Tree, reviewPath(r))
		if err != nil {
			return 0, problem.Wrap(err, "reviews")
		}
		if ok {
			in.reviews = append(in.reviews, r)
		}
	}
	var r archive.SnapshotResult
	if err := settle(a, &r, in, head); err != nil {
		return r.Sealed + r.Bound, err
	}
	err = os.Remove(finishPath(a))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil // another process was faster
	}
	return r.Sealed + r.Bound, problem.Wrap(err, "snapshot")
}

// A sealQueue holds the bound citations and the reviews that are in no snapshot yet.
type sealQueue struct {
	citations []ledger.Citation
	reviews   []ledger.Review
}

// readWaiting returns the queue of the next snapshot. Citations bound to
// a snapshot that this copy has not are counted only: another copy with the same
// ledger registered them, and here nobody could verify them.
func readWaiting(a *archive.Archive) (waits sealQueue, elsewhere int, err error) {
	l, err := ledger.Of(a)
	if err != nil {
		return sealQueue{}, 0, err
	}
	all, err := l.BoundUnsealed()
	if err == nil {
		waits.reviews, err = l.UnsealedReviews()
	}
	if err != nil {
		return sealQueue{}, 0, problem.Wrap(err, "ledger")
	}
	ours := map[string]bool{}
	for _, c := range all {
		object, err := cite.ParseCitation(c.JSON)
		if err != nil {
			return sealQueue{}, 0, problem.Wrap(err, "ledger")
		}
		held, known := ours[object.Snapshot]
		if !known {
			if _, held, err = a.HasSnapshot(object.Snapshot); err != nil {
				return sealQueue{}, 0, err
			}
			ours[object.Snapshot] = held
		}
		if held {
			waits.citations = append(waits.citations, c)
		} else {
			elsewhere++
		}
	}
	return waits, elsewhere, nil
}

// reviewPath returns where a review lies, as its ledger knows it.
func reviewPath(r ledger.Review) string {
	subject, err := review.SubjectID(r.Subject)
	if err != nil {
		panic(err) // the ledger keeps digests only
	}
	return layout.ReviewPath(subject, r.Object)
}

// encodeObjects returns the files of citations and reviews. The same claim with the same
// evidence is one object.
func (w sealQueue) encodeObjects() []history.SealedObject {
	var out []history.SealedObject
	for _, r := range w.reviews {
		out = append(out, history.SealedObject{Path: reviewPath(r), Data: r.JSON})
	}
	seen := map[cid.ID]bool{}
	for _, c := range w.citations {
		if !seen[c.ID] {
			seen[c.ID] = true
			out = append(out, history.SealedObject{Path: layout.CitationPath(c.ID), Data: c.JSON})
		}
	}
	return out
}

// encodeCitation returns the object of a registered citation, bound to a snapshot.
// of which held is the catalog. ids has the IDs of citations that are bound in the same
// transaction. ok is false for an aggregation whose inputs have no ID yet.
func encodeCitation(l *ledger.Ledger, e *ledger.Citation, s *snapshot.Snapshot, held *holdings.Catalog, ids map[int64]cid.ID) (o ledger.CitationObject, ok bool, err error) {
	c := cite.Citation{Type: cite.CitationType, ClaimVerdict: e.Verdict, Artifact: e.Artifact, Record: e.Record, Snapshot: s.ID.String(), Seq: s.Seq, Span: e.Span,
		Relation: e.Relation, Claim: e.Claim, Reasoning: e.Reasoning, Context: e.Context,
		QuoteSHA256: e.Anchor.SHA256, Prefix: e.Anchor.Prefix, Suffix: e.Anchor.Suffix, Match: e.Match, Edits: e.Edits, Length: e.Length}
	if e.Match == cite.NoWords {
		c.Type = cite.MediaCitationType
		if c.Bounds, err = boundsAt(held, e); err != nil {
			return o, false, err
		}
	}
	switch e.Verdict {
	case "": // registered before claims were judged
		c.Type = cite.FirstCitationType
	case cite.ClaimJudged:
		if c.Judge, err = findJudge(l, e.Ordinal); err != nil {
			return o, false, err
		}
	}
	if e.Relation == cite.Aggregation {
		inputs, waiting, err := listInputIDs(l, e.Inputs, ids)
		if err != nil || waiting {
			return o, false, problem.Wrap(err, "ledger")
		}
		c.Inputs = inputs
	}
	encoded, err := c.Encode()
	if err != nil {
		return o, false, problem.New(problem.Usage, problem.Advise("shorten the claim, the reasoning or the context"), "citation: %w", err)
	}
	return ledger.CitationObject{Ordinal: e.Ordinal, ID: cid.OfJSON(encoded), JSON: encoded}, true, nil
}

// findJudge returns the model that last judged a citation, with the hashes of its
// prompt and its reply.
func findJudge(l *ledger.Ledger, ordinal int64) (*cite.JudgeReply, error) {
	all, err := l.Attestations(ordinal)
	if err != nil {
		return nil, problem.Wrap(err, "ledger")
	}
	last := all[len(all)-1]
	return &cite.JudgeReply{Model: cmp.Or(last.Model, "unnamed"), PromptSHA256: last.PromptSHA256, ReplySHA256: hashHex(last.Reply)}, nil
}

// bindWaiting binds every unbound citation whose artifact the new snapshot holds, in
// one transaction, and returns their number.
func bindWaiting(a *archive.Archive, l *ledger.Ledger, s *snapshot.Snapshot) (int, error) {
	waiting, err := l.Unbound()
	if err != nil || len(waiting) == 0 {
		return 0, problem.Wrap(err, "ledger")
	}
	c := a.Catalog(s.Tree)
	holds := map[string]bool{}
	ids := map[int64]cid.ID{}
	var objects []ledger.CitationObject
	for i := range waiting {
		e := &waiting[i]
		held, known := holds[e.Artifact]
		if !known {
			// An artifact that does not parse names no source.
			if id, err := cid.Parse(e.Artifact); err == nil {
				if held, err = c.Holds(id); err != nil {
					return 0, err
				}
			}
			holds[e.Artifact] = held
		}
		if !held {
			continue // not in this snapshot; the citation goes on waiting
		}
		o, ok, err := encodeCitation(l, e, s, c, ids)
		if err != nil {
			return 0, err
		}
		if ok {
			objects, ids[e.Ordinal] = append(objects, o), o.ID
		}
	}
	if len(objects) == 0 {
		return 0, nil
	}
	n, err := l.Bind(objects, a.World().Now())
	return n, problem.Wrap(err, "ledger")
}
