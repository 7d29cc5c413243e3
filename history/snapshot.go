package history

import (
	"slices"
	"strings"
	"time"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/objects"
	"muniment/sign"
	"muniment/sign/trust"
	"muniment/snapshot"
	"muniment/snapshot/layout"
)

// SnapshotOptions describe a snapshot. Signer is required.
type SnapshotOptions struct {
	Text   string // why; 1 to 4096 bytes
	Signer sign.Signer

	// AwaitCountersign signs also what needs a key with the role withdraw when
	// Signer has none: such a key must countersign before others accept it.
	AwaitCountersign bool

	// Widen signs also what lets others see more by a change that does not say so, such as a
	// record without the link to the scan whose consent held.
	Widen bool
}

// A SealedObject is a file that a snapshot adds to the staged ones.
type SealedObject struct {
	Path string
	Data []byte
}

// A SignedSnapshot is a snapshot with its description.
type SignedSnapshot struct {
	Snapshot *snapshot.Snapshot
	Result   *archive.SnapshotResult
}

// SignStaged signs what is staged, with the objects that others want sealed, as
// the next snapshot. The first snapshot enrols its key in trust/allowed_signers.
func SignStaged(a *archive.Archive, o SnapshotOptions, sealed []SealedObject) (*SignedSnapshot, error) {
	if err := needSigner(o.Signer); err != nil {
		return nil, err
	}
	w, err := beginSigning(a, o.Signer)
	if err != nil {
		return nil, err
	}
	defer w.end()
	prev := w.prev
	tree, err := nextTree(a, w.batch, w.base, prev, o.Signer.Key(), sealed)
	if err != nil {
		return nil, err
	}
	if prev != nil && tree == prev.Tree {
		return nil, w.nothingError()
	}
	taken, err := checkWithdrawals(a, w.batch, prev, tree, o)
	if err != nil {
		return nil, err
	}
	few, err := isUndersigned(a, w.base, w.seq(), o.Signer.Key())
	if err != nil {
		return nil, err
	}
	s, err := w.publish(tree, o.Text)
	if err != nil {
		return nil, err
	}
	// The snapshot stands, and no error from here on may deny it. A staged ref that
	// cannot be removed is known by StagedTree for what is signed already.
	_ = unstage(a, w.lock, w.staged)
	r := w.describe(s)
	r.Result.Takes, r.Result.Awaits = taken.count, taken.awaits || few
	return r, nil
}

// A signSession is the making of one snapshot, under the writer's lock.
type signSession struct {
	archive      *archive.Archive
	signer       sign.Signer
	lock         *objects.Lock
	batch        *objects.Batch
	prev         *snapshot.Snapshot // nil for the first
	tip          objects.Hash       // its commit
	base, staged objects.Hash       // the staged tree and its commit, zero for none
	commit       objects.Hash       // of the new snapshot
	artifacts    int64              // that it holds
	summary      *snapshot.Summary
}

// beginSigning takes the lock and reads what is signed and what is staged; end gives the lock back.
func beginSigning(a *archive.Archive, signer sign.Signer) (*signSession, error) {
	lock, err := a.Lock()
	if err != nil {
		return nil, err
	}
	w := &signSession{archive: a, signer: signer, lock: lock}
	if w.prev, w.tip, err = a.Head(); err == nil {
		w.base, w.staged, err = a.StagedTree()
	}
	if err == nil {
		w.batch, err = a.Store().NewBatch()
	}
	if err != nil {
		lock.Unlock()
		return nil, problem.Wrap(err, "snapshot")
	}
	return w, nil
}

func (w *signSession) end() {
	w.batch.Abort()
	w.lock.Unlock()
}

// seq returns the number of the new snapshot.
func (w *signSession) seq() int64 {
	if w.prev == nil {
		return 1
	}
	return w.prev.Seq + 1
}

// nothingError returns the error of a tree that the newest snapshot has signed, which it carries.
func (w *signSession) nothingError() error {
	e := problem.New(problem.NothingToDo, problem.Next(problem.DoAdd).Or(problem.DoStatus),
		"nothing has changed since snapshot %d (%s)", w.prev.Seq, w.prev.ID)
	artifacts, err := w.archive.CountArtifacts(w.prev)
	e.Partial = w.archive.DescribeCounted(w.prev, w.tip, artifacts, err)
	return e
}

// publish signs a tree and moves main to it, after the updates of other refs.
func (w *signSession) publish(tree objects.Hash, text string, before ...objects.RefUpdate) (s *snapshot.Snapshot, err error) {
	a := w.archive
	if w.summary, w.artifacts, err = a.Summarize(w.batch, tree, w.prev); err != nil {
		return nil, err
	}
	draft := snapshot.Draft{Tree: tree, Time: a.World().Now().UTC().Truncate(time.Second), Text: text,
		Archive: a.ID(), Seq: w.seq(), Root: w.summary.Root(), Entries: w.summary.Entries()}
	if w.prev != nil {
		draft.Parents, draft.Prev = []objects.Hash{w.tip}, w.prev.ID
	}
	s, w.commit, err = publishDraft(a, w.batch, w.lock, w.tip, draft, w.signer, before...)
	return s, err
}

// describe remembers a snapshot that was published, and describes it.
func (w *signSession) describe(s *snapshot.Snapshot) *SignedSnapshot {
	a := w.archive
	a.RememberRefs()
	acceptOwnTrust(a, w.prev, s)
	a.KeepSummary(archive.SnapshotSummary{ID: s.ID.String(), Artifacts: w.artifacts, Summary: w.summary})
	result := a.DescribeSnapshot(s, w.commit, w.artifacts)
	result.Enrolled = isEnrolled(a, s.Tree, s.Key)
	return &SignedSnapshot{s, result}
}

// needSigner returns an error when an act that signs was given no signer.
func needSigner(s sign.Signer) error {
	if s == nil {
		return problem.New(problem.Key, problem.Next(problem.DoListKeys), "no key was given to sign with")
	}
	return nil
}

// nextTree returns the tree of the snapshot after prev: base with the sealed
// objects and, in the first snapshot, the founder's key.
func nextTree(a *archive.Archive, b *objects.Batch, base objects.Hash, prev *snapshot.Snapshot, k sign.Key, sealed []SealedObject) (objects.Hash, error) {
	edits, err := putObjects(b, sealed)
	if err != nil {
		return objects.Hash{}, err
	}
	if prev == nil {
		founder, err := enrolFounder(a, b, base, k)
		if err != nil {
			return objects.Hash{}, err
		}
		edits = append(edits, founder...)
	}
	tree, err := b.Edit(base, edits)
	return tree, problem.Wrap(err, "snapshot")
}

// publishDraft signs a draft as the world's author, publishes it as the commit
// of main, which was at tip, after the updates of other refs, and returns the snapshot and its commit.
func publishDraft(a *archive.Archive, b *objects.Batch, lock *objects.Lock, tip objects.Hash, d snapshot.Draft, signer sign.Signer, before ...objects.RefUpdate) (*snapshot.Snapshot, objects.Hash, error) {
	var err error
	if d.Author, err = parseAuthor(a.World().Author); err != nil {
		return nil, objects.Hash{}, err
	}
	content, err := signDraft(d, signer)
	if err != nil {
		return nil, objects.Hash{}, err
	}
	commit, err := b.Put(objects.Commit, content)
	if err != nil {
		return nil, commit, problem.Wrap(err, "snapshot")
	}
	s, err := snapshot.Parse(content)
	if err != nil {
		return nil, commit, problem.New(problem.Internal, problem.Advise("keep the archive as it is and report this"), "the signed snapshot does not read back, and was not published: %w", err)
	}
	if err := b.Publish(lock, append(before, objects.RefUpdate{Name: archive.RefMain, Old: tip, New: commit})...); err != nil {
		return nil, commit, problem.Wrap(err, "snapshot")
	}
	a.RememberSnapshot(s)
	return s, commit, nil
}

// signDraft signs a draft's payload and attaches the signature.
func signDraft(d snapshot.Draft, s sign.Signer) ([]byte, error) {
	payload, err := d.Payload()
	if err != nil {
		return nil, problem.New(problem.Usage, problem.Advise("give 1 to 4096 bytes of plain text; no line may begin with Muniment- or -----BEGIN"), "snapshot: %w", err)
	}
	armored, err := sign.Sign(s, sign.NamespaceGit, payload)
	if err != nil {
		return nil, problem.New(problem.Key, problem.Next(problem.DoListKeys), "the key did not sign: %w", err)
	}
	content, err := snapshot.Attach(payload, armored)
	if err != nil {
		return nil, problem.Wrap(err, "snapshot")
	}
	return content, nil
}

// unstage removes the staged ref if it still points where it did.
func unstage(a *archive.Archive, lock *objects.Lock, staged objects.Hash) error {
	if staged.IsZero() {
		return nil
	}
	b, err := a.Store().NewBatch()
	if err != nil {
		return problem.Wrap(err, "snapshot")
	}
	defer b.Abort()
	return problem.Wrap(b.Publish(lock, objects.RefUpdate{Name: archive.RefStaged, Old: staged}), "snapshot")
}

// acceptOwnTrust notes that a change of trust was signed here, so that it may be
// pushed. A copy that cannot be written notes nothing.
func acceptOwnTrust(a *archive.Archive, prev, s *snapshot.Snapshot) {
	digest, err := a.TrustDigest(s.Tree)
	if err != nil {
		return
	}
	if prev != nil {
		if before, err := a.TrustDigest(prev.Tree); err != nil || before == digest {
			return
		}
	}
	_ = a.AcceptTrust(digest)
}

// enrolFounder puts the founder's key into trust/allowed_signers unless one was
// staged already.
func enrolFounder(a *archive.Archive, b *objects.Batch, base objects.Hash, k sign.Key) ([]objects.Edit, error) {
	old, err := a.File(base, layout.PathAllowedSigners)
	if err != nil {
		return nil, err
	}
	if old != nil {
		// Others were enrolled before the founder signed: it has all roles too.
		signers, err := sign.ParseAllowedSigners(old)
		if err != nil {
			return nil, problem.New(problem.Usage, problem.Advise("mend the file and stage it again"), "%s: %w", layout.PathAllowedSigners, err)
		}
		_, signs := signers.Allows(k, sign.NamespaceGit, a.ID())
		if _, withdraws := signers.Allows(k, sign.NamespaceWithdraw, a.ID()); signs && withdraws {
			return nil, nil
		}
	}
	h, err := b.Put(objects.Blob, append(slices.Clone(old), TrustLine(k, a.Info().Name)...))
	if err != nil {
		return nil, problem.Wrap(err, "trust")
	}
	return []objects.Edit{{Path: layout.PathAllowedSigners, Blob: h}}, nil
}

// isEnrolled reports whether the trust root of an archive, or trust/allowed_signers of a
// tree, lets a key sign snapshots.
func isEnrolled(a *archive.Archive, tree objects.Hash, k sign.Key) bool {
	if root, err := a.TrustRoot(); err == nil && root != nil && slices.ContainsFunc(root.Keys, func(l trust.Key) bool {
		return l.Role == trust.Snapshot && l.Key == k && l.To.IsZero()
	}) {
		return true
	}
	data, err := a.File(tree, layout.PathAllowedSigners)
	if err != nil || data == nil {
		return false
	}
	signers, err := sign.ParseAllowedSigners(data)
	if err != nil {
		return false
	}
	_, ok := signers.Allows(k, sign.NamespaceGit, a.ID())
	return ok
}

// putObjects puts the objects that others want sealed.
func putObjects(b *objects.Batch, sealed []SealedObject) ([]objects.Edit, error) {
	edits := make([]objects.Edit, 0, len(sealed))
	for _, o := range sealed {
		h, err := b.Put(objects.Blob, o.Data)
		if err != nil {
			return nil, problem.Wrap(err, o.Path)
		}
		edits = append(edits, objects.Edit{Path: o.Path, Blob: h})
	}
	return edits, nil
}

// parseAuthor reads "Name <email>"; a name alone gets an address that can
// never be delivered to.
func parseAuthor(s string) (snapshot.Author, error) {
	name, rest, ok := strings.Cut(s, "<")
	if email, closed := strings.CutSuffix(rest, ">"); ok && closed {
		return snapshot.Author{Name: strings.TrimSpace(name), Email: email}, nil
	}
	if !ok && strings.TrimSpace(s) != "" {
		return snapshot.Author{Name: strings.TrimSpace(s), Email: "archivist@archive.invalid"}, nil
	}
	return snapshot.Author{}, problem.New(problem.Usage, problem.Next(problem.DoGive, "author", "Ada Vale <ada@example.org>"), "author %q is not of the form Name <email>", s)
}

// TrustLine returns the allowed_signers line by which OpenSSH, git and verify
// --trust accept a key for what is signed under some namespaces: without any, for all
// that an archivist signs.
func TrustLine(k sign.Key, principal string, namespaces ...string) string {
	if len(namespaces) == 0 {
		namespaces = []string{sign.NamespaceGit, sign.NamespaceSnapshot, sign.NamespaceAnswer, sign.NamespaceSite, sign.NamespaceWithdraw}
	}
	return principalOf(principal) + ` namespaces="` + strings.Join(namespaces, ",") + `" ` + k.Authorized() + "\n"
}

// principalOf makes a name usable as an allowed_signers principal.
func principalOf(name string) string {
	out := make([]rune, 0, len(name))
	for _, r := range name {
		switch {
		case r == '@' || r == '.' || r == '-' || r == '_' || (r >= '0' && r <= '9') || (r >= 'a' && r <= 'z') || (r >= 'A' && r <= 'Z'):
			out = append(out, r)
		case len(out) > 0 && out[len(out)-1] != '-':
			out = append(out, '-')
		}
	}
	if len(out) == 0 {
		return "muniment"
	}
	return string(out)
}
