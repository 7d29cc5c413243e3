package logref

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	answerlog "muniment/answer/log"
	"muniment/archive"
	"muniment/merkle"
	"muniment/objects"
	"muniment/sign"
	"muniment/sign/trust"
	"muniment/snapshot/record"
)

// DoCheckLogs is to compare the answer logs with what was seen of them before; no args.
const DoCheckLogs archive.Action = "check logs"

// publishEvery is how far apart two copies of a log are at least, so that the
// ref does not tell when somebody asked.
const publishEvery = time.Minute

const dirWitness = "witness" // in the local folder: what was cosigned here

// A LogState is what a copy of an answer log holds.
type LogState struct {
	Key       string `json:"key"` // hex of the answering key's ID
	Epoch     int64  `json:"epoch"`
	Size      int64  `json:"size"`
	Root      string `json:"root"`
	Ref       string `json:"ref"`
	Published int64  `json:"published"` // size of the copy on the ref
	Cosigned  int    `json:"cosigned"`  // witnesses who have cosigned any checkpoint of the epoch
	Changed   bool   `json:"changed"`   // by this call
	Evidence  string `json:"evidence,omitempty"`
	Note      string `json:"note,omitempty"`
}

// PublishLogs copies the answer logs of this archive to their refs, where
// clones take them from. Without now, a log that was copied less than a minute
// ago is left for the next time.
func PublishLogs(a *archive.Archive, now bool) ([]LogState, error) {
	dir, err := a.LocalPath("log")
	if err != nil {
		return nil, err
	}
	logs, err := answerlog.List(dir, a.ID())
	if err != nil {
		return nil, archive.Environment(err, "answer log")
	}
	states := []LogState{}
	if len(logs) == 0 {
		return states, nil
	}
	lock, err := a.Lock()
	if err != nil {
		return nil, err
	}
	defer lock.Unlock()
	for _, s := range logs {
		state, err := publishLog(a, lock, s, now)
		if err != nil {
			return nil, err
		}
		states = append(states, *state)
	}
	return states, nil
}

func publishLog(a *archive.Archive, lock *objects.Lock, s *answerlog.Stored, now bool) (*LogState, error) {
	state := &LogState{Key: s.KeyID, Epoch: s.Epoch, Size: s.Checkpoint.Size, Root: hex.EncodeToString(s.Checkpoint.Root[:]), Ref: archive.RefLog + s.KeyID}
	tip, err := a.Store().Ref(state.Ref)
	if err != nil {
		return nil, archive.Environment(err, state.Ref)
	}
	var base objects.Hash
	if !tip.IsZero() {
		if base, err = a.Store().TreeOf(tip); err != nil {
			return nil, archive.Environment(err, state.Ref)
		}
	}
	epoch := strconv.FormatInt(s.Epoch, 10)
	var note []byte
	if !base.IsZero() {
		if note, err = a.File(base, epoch+"/checkpoint"); err != nil {
			return nil, err
		}
	}
	if note != nil {
		last, err := sign.ReadCheckpoint(note)
		if err != nil {
			return nil, archive.Negative(archive.TypeDamaged, archive.Next(DoCheckLogs), "%s: %w", state.Ref, err)
		}
		past := answerlog.Past(s.Past)
		if s.Checkpoint.Size < last.Size { // a log that was put back or begun again
			past = NewPast(a.Repository, base, epoch, last.Size)
		}
		if err := answerlog.Compare(last, note, s.Checkpoint, s.Note, past); err != nil && !errors.Is(err, answerlog.ErrOlder) {
			return nil, KeepConflict(a.Repository, err, state)
		}
		state.Published = last.Size
	}
	if s.Checkpoint.Size <= state.Published || !now && wasCopiedLately(a, tip) {
		return state, nil
	}
	b, err := a.Store().NewBatch()
	if err != nil {
		return nil, archive.Environment(err, "answer log")
	}
	defer b.Abort()
	var edits []objects.Edit
	err = s.Tiles(state.Published, func(file string, data []byte) error {
		h, err := b.Put(objects.Blob, data)
		edits = append(edits, objects.Edit{Path: path.Join(epoch, file), Blob: h})
		return err
	}, func(file string) error {
		edits = append(edits, objects.Edit{Path: path.Join(epoch, file)})
		return nil
	})
	if err != nil {
		return nil, archive.Environment(err, "answer log")
	}
	state.Published, state.Changed = s.Checkpoint.Size, true
	return state, MoveLogRef(a.Repository, b, lock, state.Ref, base, edits, tip)
}

// wasCopiedLately reports whether a log's commit is younger than publishEvery.
func wasCopiedLately(a *archive.Archive, tip objects.Hash) bool {
	if tip.IsZero() {
		return false
	}
	_, content, err := a.Store().Get(tip)
	if err != nil {
		return false
	}
	for line := range strings.Lines(string(content)) {
		if rest, ok := strings.CutPrefix(line, "committer "+logAuthor+" "); ok {
			at, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " +0000"), 10, 64)
			return err == nil && a.World().Now().Sub(time.Unix(at, 0)).Abs() < publishEvery
		}
	}
	return false
}

const logAuthor = "Muniment log <log@archive.invalid>"

// MoveLogRef commits edits on top of a log's ref, whose commit is the first of
// the parents, or zero where there is none.
func MoveLogRef(a *archive.Repository, b *objects.Batch, lock *objects.Lock, ref string, base objects.Hash, edits []objects.Edit, parents ...objects.Hash) error {
	const text = "copy of an answer log; unsigned, its checkpoint is signed"
	return archive.Environment(CommitFiles(a, b, lock, ref, logAuthor, text, base, edits, parents), "answer log")
}

// CommitFiles commits edits of a tree on top of a ref that holds files which
// stand for themselves. The commit is unsigned.
func CommitFiles(a *archive.Repository, b *objects.Batch, lock *objects.Lock, ref, author, text string, base objects.Hash, edits []objects.Edit, parents []objects.Hash) error {
	tree, err := b.Edit(base, edits)
	if err != nil {
		return err
	}
	content := fmt.Appendf(nil, "tree %s\n", tree)
	for _, p := range parents {
		if !p.IsZero() {
			content = fmt.Appendf(content, "parent %s\n", p)
		}
	}
	who := fmt.Sprintf("%s %d +0000", author, a.World().Now().Unix())
	content = fmt.Appendf(content, "author %s\ncommitter %s\n\n%s\n", who, who, text)
	commit, err := b.Put(objects.Commit, content)
	if err != nil {
		return err
	}
	return b.Publish(lock, objects.RefUpdate{Name: ref, Old: parents[0], New: commit})
}

// KeepConflict writes the evidence of a log that contradicts itself into the
// local folder and says where it is. Other errors pass.
func KeepConflict(a *archive.Repository, err error, state *LogState) error {
	var conflict *answerlog.ConflictError
	if !errors.As(err, &conflict) {
		return archive.Environment(err, "publish")
	}
	file, err2 := a.LocalPath("evidence", fmt.Sprintf("log-%s-%d.conflict", state.Key[:16], state.Epoch))
	if err2 != nil {
		return err2
	}
	if err2 := os.WriteFile(file, conflict.Conflict.Encode(), 0o644); err2 != nil {
		return archive.Environment(err2, "evidence")
	}
	state.Evidence = file
	return archive.Problem(archive.TypeVerification, archive.Advise("keep "+file+" and show it to others: anybody who has the log's key can check it"), "%w", err)
}

// CheckLogs compares every answer log of this archive with what was seen of it
// before: the copy on its ref, its own files where it is kept here, and what was
// cosigned here. Evidence of a fork is kept in a file.
func CheckLogs(a *archive.Archive) ([]LogState, error) { return visitLogs(a, nil) }

// CosignLogs is LogChecks, and cosigns every log as a witness. Cosignatures are
// committed to the log's ref, from where sync brings them to the others.
func CosignLogs(a *archive.Archive, s sign.Signer) ([]LogState, error) { return visitLogs(a, s) }

func visitLogs(a *archive.Archive, s sign.Signer) ([]LogState, error) {
	refs, err := a.Store().Refs()
	if err != nil {
		return nil, archive.Environment(err, "refs")
	}
	keys, err := LogKeys(a.Repository)
	if err != nil {
		return nil, err
	}
	states := []LogState{}
	for ref := range refs {
		id, ok := strings.CutPrefix(ref, archive.RefLog)
		if !ok {
			continue
		}
		tree, err := a.Store().TreeOf(refs[ref])
		if err != nil {
			return nil, archive.Environment(err, ref)
		}
		epochs, err := a.Store().Tree(tree)
		if err != nil {
			return nil, archive.Environment(err, ref)
		}
		for _, e := range epochs {
			epoch, err := strconv.ParseInt(e.Name, 10, 64)
			if err != nil || epoch < 1 {
				continue
			}
			state := LogState{Key: id, Epoch: epoch, Ref: ref}
			if err := checkLog(a, &state, tree, keys[id], s); err != nil {
				return nil, err
			}
			states = append(states, state)
		}
	}
	slices.SortFunc(states, func(x, y LogState) int {
		return strings.Compare(fmt.Sprintf("%s%20d", x.Key, x.Epoch), fmt.Sprintf("%s%20d", y.Key, y.Epoch))
	})
	return states, nil
}

func checkLog(a *archive.Archive, state *LogState, tree objects.Hash, k sign.Key, s sign.Signer) error {
	dir := strconv.FormatInt(state.Epoch, 10)
	note, err := a.File(tree, dir+"/checkpoint")
	if err != nil {
		return err
	}
	c, err := sign.ReadCheckpoint(note)
	if err != nil {
		return archive.Negative(archive.TypeDamaged, archive.Advise("fetch the log again from another copy"), "%s: %w", state.Ref, err)
	}
	state.Size, state.Published, state.Root = c.Size, c.Size, hex.EncodeToString(c.Root[:])
	_ = a.Store().Walk(tree, dir+"/cosigned", func(string, objects.Hash) error { state.Cosigned++; return nil })
	if k.IsZero() {
		state.Note = "its key is not in the archive's trust root or allowed_signers: nothing was checked"
		return nil
	}
	if c, err = sign.OpenCheckpoint(note, k); err != nil {
		return archive.Problem(archive.TypeVerification, archive.Advise("do not rely on that log"), "%s: %w", state.Ref, err)
	}
	past := NewPast(a.Repository, tree, dir, c.Size)
	if root, _, err := past(c.Size, c.Size); err != nil || root != c.Root {
		return archive.Problem(archive.TypeVerification, archive.Advise("fetch the log again from another copy"), "%s: its tiles do not lead to the root of its checkpoint", state.Ref)
	}
	local, err := a.LocalPath(dirWitness)
	if err != nil {
		return err
	}
	w := answerlog.Witness{Dir: local, Signer: s}
	if s == nil {
		return compareKept(a, w, c, note, k, past, state)
	}
	cosigned, err := w.Cosign(note, k, a.World().Now().Unix(), past)
	switch {
	case errors.Is(err, answerlog.ErrOlder):
		state.Note = "older than the checkpoint that was cosigned here: not cosigned again"
		return nil
	case err != nil:
		return KeepConflict(a.Repository, err, state)
	}
	return addCosignature(a, state, dir, s.Key(), cosigned)
}

// compareKept compares a log with what was cosigned here before.
func compareKept(a *archive.Archive, w answerlog.Witness, c sign.Checkpoint, note []byte, k sign.Key, past answerlog.Past, state *LogState) error {
	kept, err := w.Last(c.Origin)
	if err != nil {
		return archive.Environment(err, "witness")
	}
	if kept == nil {
		return nil
	}
	last, err := sign.OpenCheckpoint(kept, k)
	if err != nil {
		return archive.Environment(err, "witness")
	}
	err = answerlog.Compare(last, kept, c, note, past)
	if errors.Is(err, answerlog.ErrOlder) {
		state.Note = fmt.Sprintf("it was seen here with %d entries: the copy is older", last.Size)
		return nil
	}
	if err != nil {
		return KeepConflict(a.Repository, err, state)
	}
	return nil
}

func addCosignature(a *archive.Archive, state *LogState, dir string, k sign.Key, cosigned []byte) error {
	lock, err := a.Lock()
	if err != nil {
		return err
	}
	defer lock.Unlock()
	tip, err := a.Store().Ref(state.Ref)
	if err != nil {
		return archive.Environment(err, state.Ref)
	}
	base, err := a.Store().TreeOf(tip)
	if err != nil {
		return archive.Environment(err, state.Ref)
	}
	point := k.Point()
	file := path.Join(dir, "cosigned", hex.EncodeToString(point[:]))
	old, err := a.File(base, file)
	if err != nil || sameCheckpoint(old, cosigned) {
		return err
	}
	b, err := a.Store().NewBatch()
	if err != nil {
		return archive.Environment(err, "answer log")
	}
	defer b.Abort()
	h, err := b.Put(objects.Blob, cosigned)
	if err != nil {
		return archive.Environment(err, "answer log")
	}
	state.Changed = true
	if old == nil {
		state.Cosigned++
	}
	return MoveLogRef(a.Repository, b, lock, state.Ref, base, []objects.Edit{{Path: file, Blob: h}}, tip)
}

// sameCheckpoint reports whether two notes are of one checkpoint.
func sameCheckpoint(a, b []byte) bool {
	x, err1 := sign.ReadCheckpoint(a)
	y, err2 := sign.ReadCheckpoint(b)
	return err1 == nil && err2 == nil && x == y
}

// LogKeys returns the keys that may have answer logs, by ID: those of the
// archive's own trust root and allowed_signers.
func LogKeys(a *archive.Repository) (map[string]sign.Key, error) {
	keys := map[string]sign.Key{}
	tree, err := a.NewestTree()
	if err != nil {
		return nil, err
	}
	root, err := a.TrustRootIn(tree)
	if err != nil {
		return nil, err
	}
	if root != nil {
		for _, k := range root.Keys {
			if k.Role == trust.Log {
				keys[k.Key.ID()] = k.Key
			}
		}
		return keys, nil
	}
	data, err := a.File(tree, record.PathAllowedSigners)
	if err != nil || data == nil {
		return keys, err
	}
	allowed, err := sign.ParseAllowedSigners(data)
	if err != nil {
		return nil, archive.Negative(archive.TypeDamaged, archive.Next(archive.DoVerify), "%s: %w", record.PathAllowedSigners, err)
	}
	for _, e := range allowed.Entries() {
		keys[e.Key.ID()] = e.Key
	}
	return keys, nil
}

// NewPast reads the past of a log from the tiles in a tree.
func NewPast(a *archive.Repository, tree objects.Hash, dir string, size int64) answerlog.Past {
	files := NewTreeFS(a, tree, dir)
	return func(from, to int64) (merkle.Hash, []merkle.Hash, error) {
		root, err := sign.RootFromTiles(files, size, from)
		if err != nil || from == to {
			return root, nil, err
		}
		hashes, err := sign.ProveFromTiles(files, size, from, to)
		return root, hashes, err
	}
}

// TreeFS reads single files of a git tree.
type TreeFS struct {
	a    *archive.Repository
	tree objects.Hash
	dir  string
}

// NewTreeFS returns the files below dir in tree.
func NewTreeFS(a *archive.Repository, tree objects.Hash, dir string) TreeFS {
	return TreeFS{a, tree, dir}
}

func (t TreeFS) Open(name string) (fs.File, error) {
	data, err := t.a.File(t.tree, path.Join(t.dir, name))
	if err == nil && data == nil {
		err = fs.ErrNotExist
	}
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return blobFile{bytes.NewReader(data)}, nil
}

// A blobFile is a blob that is read as a file. It has no name or mode of its
// own.
type blobFile struct{ *bytes.Reader }

func (blobFile) Close() error { return nil }

func (blobFile) Stat() (fs.FileInfo, error) { return nil, fs.ErrInvalid }
