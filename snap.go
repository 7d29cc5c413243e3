package muniment

import (
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"muniment/objects"
	"muniment/sign"
	"muniment/snapshot"
	"muniment/snapshot/record"
)

// SnapshotOptions describe a snapshot. Signer is required.
type SnapshotOptions struct {
	Text   string // why; 1 to 4096 bytes
	Signer sign.Signer

	// AwaitCosign signs also what needs a key with the role withdraw when
	// Signer has none: such a key must co-sign before others accept it.
	AwaitCosign bool
}

// A SealedObject is a file that a snapshot holds beside what is staged.
type SealedObject struct {
	Path string
	Data []byte
}

// A Signed snapshot, as it stands and as it is described.
type Signed struct {
	Snapshot *snapshot.Snapshot
	Result   *SnapshotResult
}

// signStaged signs what is staged, with the objects that others want sealed, as
// the next snapshot. The first snapshot enrols its key in trust/allowed_signers.
func (a *Archive) signStaged(o SnapshotOptions, sealed []SealedObject) (*Signed, error) {
	lock, err := a.writeLock()
	if err != nil {
		return nil, err
	}
	defer lock.Unlock()
	prev, tip, err := a.head()
	if err != nil {
		return nil, err
	}
	if prev != nil {
		if err := a.checkRollback(prev); err != nil {
			return nil, err
		}
	}
	base, staged, err := a.stagedTree()
	if err != nil {
		return nil, err
	}
	b, err := a.store.NewBatch()
	if err != nil {
		return nil, environment(err, "snapshot")
	}
	defer b.Abort()

	edits, err := putObjects(b, sealed)
	if err != nil {
		return nil, err
	}
	if prev == nil {
		e, err := a.enrolFirst(b, base, o.Signer.Key())
		if err != nil {
			return nil, err
		}
		edits = append(edits, e...)
	}
	tree, err := b.Edit(base, edits)
	if err != nil {
		return nil, environment(err, "snapshot")
	}
	if prev != nil && tree == prev.Tree {
		e := problem(TypeNothingToDo, ExitNo, "muniment add PATH takes something in; muniment status shows what is staged",
			"nothing has changed since snapshot %d (%s)", prev.Seq, prev.ID)
		e.Partial = a.snapshotResult(prev, tip, a.artifactsIn(prev))
		return nil, e
	}
	acts, err := a.mayTake(b, prev, tree, o)
	if err != nil {
		return nil, err
	}
	summary, artifacts, err := a.summarize(b, tree, prev)
	if err != nil {
		return nil, err
	}
	author, err := parseAuthor(a.world.Author)
	if err != nil {
		return nil, err
	}
	draft := snapshot.Draft{Tree: tree, Author: author, Time: a.world.Now().UTC().Truncate(time.Second), Text: o.Text,
		Archive: a.id, Seq: 1, Root: summary.Root(), Entries: summary.Entries()}
	if prev != nil {
		draft.Parents, draft.Seq, draft.Prev = []objects.Hash{tip}, prev.Seq+1, prev.ID
	}
	content, err := signDraft(draft, o.Signer)
	if err != nil {
		return nil, err
	}
	commit, err := b.Put(objects.Commit, content)
	if err != nil {
		return nil, environment(err, "snapshot")
	}
	if err := b.Publish(lock, objects.RefUpdate{Name: refMain, Old: tip, New: commit}); err != nil {
		return nil, environment(err, "snapshot")
	}
	// The snapshot stands. What follows is repeated by the next one if it is
	// cut short here.
	if err := a.unstage(lock, staged); err != nil {
		return nil, err
	}
	s, err := snapshot.Parse(content)
	if err != nil {
		return nil, problem(TypeInternal, ExitBug, "keep the archive as it is and report this", "the snapshot just written does not read back: %w", err)
	}
	a.noteSeen(s)
	a.noteRefs()
	a.keepSummary(keptSummary{s.ID.String(), artifacts, summary})
	result := a.snapshotResult(s, commit, artifacts)
	result.Enrolled = a.enrolled(tree, s.Key)
	result.Takes, result.Awaits = acts.takes, acts.awaits
	return &Signed{s, result}, nil
}

// signDraft signs a draft's payload and attaches the signature.
func signDraft(d snapshot.Draft, s sign.Signer) ([]byte, error) {
	payload, err := d.Payload()
	if err != nil {
		return nil, problem(TypeUsage, ExitUsage, "give 1 to 4096 bytes of plain text with -m; no line may begin with Muniment- or -----BEGIN", "snapshot: %w", err)
	}
	armored, err := sign.Sign(s, sign.NamespaceGit, payload)
	if err != nil {
		return nil, problem(TypeKey, ExitKey, "muniment key list shows the keys that can sign", "the key did not sign: %w", err)
	}
	content, err := snapshot.Attach(payload, armored)
	if err != nil {
		return nil, environment(err, "snapshot")
	}
	return content, nil
}

// unstage removes the staged ref if it still points where it did.
func (a *Archive) unstage(lock *objects.Lock, staged objects.Hash) error {
	if staged.IsZero() {
		return nil
	}
	b, err := a.store.NewBatch()
	if err != nil {
		return environment(err, "snapshot")
	}
	defer b.Abort()
	return environment(b.Publish(lock, objects.RefUpdate{Name: refStaged, Old: staged}), "snapshot")
}

// enrolFirst puts the founder's key into trust/allowed_signers unless one was
// staged already.
func (a *Archive) enrolFirst(b *objects.Batch, base objects.Hash, k sign.Key) ([]objects.Edit, error) {
	old, err := a.file(base, record.PathAllowedSigners)
	if err != nil || old != nil {
		return nil, err
	}
	h, err := b.Put(objects.Blob, []byte(TrustLine(k, a.info.Name)))
	if err != nil {
		return nil, environment(err, "trust")
	}
	return []objects.Edit{{Path: record.PathAllowedSigners, Blob: h}}, nil
}

// enrolled reports whether trust/allowed_signers of a tree lets a key sign
// snapshots.
func (a *Archive) enrolled(tree objects.Hash, k sign.Key) bool {
	data, err := a.file(tree, record.PathAllowedSigners)
	if err != nil || data == nil {
		return false
	}
	signers, err := sign.ParseAllowedSigners(data)
	if err != nil {
		return false
	}
	_, ok := signers.Allows(k, sign.NamespaceGit)
	return ok
}

// putObjects puts the objects that others want sealed.
func putObjects(b *objects.Batch, sealed []SealedObject) ([]objects.Edit, error) {
	edits := make([]objects.Edit, 0, len(sealed))
	for _, o := range sealed {
		h, err := b.Put(objects.Blob, o.Data)
		if err != nil {
			return nil, environment(err, o.Path)
		}
		edits = append(edits, objects.Edit{Path: o.Path, Blob: h})
	}
	return edits, nil
}

// snapshotResult describes a snapshot with its number of artifacts.
func (a *Archive) snapshotResult(s *snapshot.Snapshot, commit objects.Hash, artifacts int64) *SnapshotResult {
	r := &SnapshotResult{Snapshot: s.ID.String(), Commit: commit.String(), Root: "sha256:" + hex.EncodeToString(s.Root[:]), Seq: s.Seq,
		Entries: s.Entries, Signer: s.Key.Fingerprint(), Time: s.Time.UTC().Format(time.RFC3339),
		Author: s.Author.Name + " <" + s.Author.Email + ">", Text: s.Text}
	if !s.Prev.IsZero() {
		r.Prev = s.Prev.String()
	}
	if !s.Join.IsZero() {
		r.Join = s.Join.String()
	}
	r.Artifacts = int(artifacts)
	return r
}

// artifactsIn counts the artifacts of a snapshot. A tree that cannot be walked
// is reported by verify, not by a list.
func (a *Archive) artifactsIn(s *snapshot.Snapshot) int64 {
	if k := a.knownSummary(s); k != nil {
		return k.artifacts
	}
	n, _ := snapshot.Grown(a.store, objects.Hash{}, s.Tree)
	return n
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
	return snapshot.Author{}, problem(TypeUsage, ExitUsage, `--author "Ada Vale <ada@example.org>"`, "author %q is not of the form Name <email>", s)
}

// TrustLine returns the allowed_signers line by which OpenSSH, git and verify
// --trust accept a key for snapshots and answers of an archive.
func TrustLine(k sign.Key, principal string) string {
	return principalOf(principal) + ` namespaces="git,snapshot@muniment,answer@muniment,withdraw@muniment" ` + k.Authorized() + "\n"
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

// Log lists the snapshots, newest first.
func (a *Archive) Log() ([]SnapshotResult, error) {
	_, tip, err := a.head()
	if err != nil {
		return nil, err
	}
	out := []SnapshotResult{}
	if tip.IsZero() {
		return out, nil
	}
	history, err := a.history(tip)
	if err != nil {
		return nil, err
	}
	// Each from the one before it: what they share is read once.
	var tree objects.Hash
	artifacts := int64(0)
	for _, s := range slices.Backward(history) {
		more, _ := snapshot.Grown(a.store, tree, s.Tree) // verify says what is wrong with it
		tree, artifacts = s.Tree, artifacts+more
		r := a.snapshotResult(s, objects.Sum(objects.Commit, s.Content), artifacts)
		if err := a.witnesses(r, s); err != nil {
			return nil, err
		}
		out = append(out, *r)
	}
	slices.Reverse(out)
	return out, nil
}

// history reads the snapshots from tip back to the first.
func (a *Archive) history(tip objects.Hash) ([]*snapshot.Snapshot, error) {
	history, err := snapshot.History(func(h objects.Hash) ([]byte, error) {
		_, data, err := a.store.Get(h)
		return data, err
	}, tip)
	if err != nil {
		return nil, problem(TypeDamaged, ExitNo, "muniment verify says more", "history: %w", err)
	}
	return history, nil
}

// Status compares what is staged with the newest snapshot.
func (a *Archive) Status() (*StatusResult, error) {
	prev, _, err := a.head()
	if err != nil {
		return nil, err
	}
	tree, _, err := a.stagedTree()
	if err != nil {
		return nil, err
	}
	r := &StatusResult{Archive: a.id.String(), Name: a.info.Name, Counts: map[string]int{}, Changes: []Change{}}
	var from objects.Hash
	if prev != nil {
		r.Snapshot, r.Seq, from = prev.ID.String(), prev.Seq, prev.Tree
	}
	changes, err := snapshot.Diff(a.store, from, tree)
	if err != nil {
		return nil, environment(err, "status")
	}
	c, err := a.load(tree)
	if err != nil {
		return nil, err
	}
	for _, ch := range changes {
		one := Change{Kind: ch.Kind, Path: ch.Path}
		if !ch.Artifact.IsZero() {
			one.Artifact = ch.Artifact.String()
			if art := c.byID[ch.Artifact]; art != nil {
				one.Name = art.name()
			}
		}
		r.Counts[ch.Kind]++
		r.Changes = append(r.Changes, one)
	}
	l, err := a.readLedger()
	if err != nil && !a.readOnly() {
		return nil, err
	}
	if l != nil {
		waiting, err := l.BoundUnsealed()
		if err != nil {
			return nil, environment(err, "ledger")
		}
		unbound, err := l.Unbound()
		if err != nil {
			return nil, environment(err, "ledger")
		}
		r.Citations = len(waiting) + len(unbound)
	}
	r.Clean = len(r.Changes) == 0 && r.Citations == 0
	r.Fixity, err = a.LastFixity()
	return r, err
}
