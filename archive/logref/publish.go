package logref

import (
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"strconv"
	"time"

	"muniment/archive"
	"muniment/archive/answerlog"
	"muniment/archive/problem"
	"muniment/objects"
	"muniment/objects/disk"
	"muniment/sign"
)

// publishEvery is how far apart two copies of a log are at least, so that the
// ref does not tell when somebody asked.
const publishEvery = time.Minute

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
		return nil, problem.Wrap(err, "answer log")
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

// publishLog copies one log to its ref and returns its state.
func publishLog(a *archive.Archive, lock *objects.Lock, s *answerlog.Stored, now bool) (*LogState, error) {
	state := &LogState{Key: s.KeyID, Epoch: s.Epoch, Size: s.Checkpoint.Size, Root: hex.EncodeToString(s.Checkpoint.Root[:]), Ref: archive.RefLog + s.KeyID}
	tip, err := a.Store().Ref(state.Ref)
	if err != nil {
		return nil, problem.Wrap(err, state.Ref)
	}
	var base objects.Hash
	if !tip.IsZero() {
		if base, err = a.Store().TreeOf(tip); err != nil {
			return nil, problem.Wrap(err, state.Ref)
		}
	}
	if state.Note, err = requireSound(a, s, now); err != nil {
		return nil, err
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
			return nil, problem.Negative(problem.Damaged, problem.Next(problem.DoCheckLog), "%s: %w", state.Ref, err)
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
	have := state.Published
	if now && note != nil && s.Checkpoint.Size >= have && checkSentEpoch(a.Repository, base, objects.Hash{}, epoch, sign.Key{}) != nil {
		have = 0 // the copy is damaged: all of it is written again
	} else if s.Checkpoint.Size <= have || !now && wasCopiedLately(a, state.Ref, tip) {
		return state, nil
	}
	b, err := a.Store().NewBatch()
	if err != nil {
		return nil, problem.Wrap(err, "answer log")
	}
	defer b.Abort()
	edits, err := tileEdits(b, s, have)
	if err != nil && heal(a, s) == nil {
		edits, err = tileEdits(b, s, have)
	}
	if err != nil {
		return nil, damagedLogError(s, err)
	}
	state.Published, state.Changed = s.Checkpoint.Size, true
	return state, a.CommitFiles(b, lock, state.Ref, base, edits, tip)
}

// tileEdits returns the edits that bring a copy of size have up to the log. Each tile leads
// to the signed checkpoint.
func tileEdits(b *objects.Batch, s *answerlog.Stored, have int64) ([]objects.Edit, error) {
	epoch := strconv.FormatInt(s.Epoch, 10)
	var edits []objects.Edit
	err := s.Tiles(have, func(file string, data []byte) error {
		h, err := b.Put(objects.Blob, data)
		edits = append(edits, objects.Edit{Path: path.Join(epoch, file), Blob: h})
		return err
	}, func(file string) error {
		edits = append(edits, objects.Edit{Path: path.Join(epoch, file)})
		return nil
	})
	return edits, err
}

// requireSound returns an error where the checkpoint of a log is not signed by its key, or
// its hashes, and with all its entries too, do not lead there and cannot be made again; and
// what was mended, in words.
func requireSound(a *archive.Archive, s *answerlog.Stored, all bool) (mended string, err error) {
	keys, err := LogKeys(a.Repository)
	if err != nil {
		return "", err
	}
	k := keys[s.KeyID]
	if !k.IsZero() {
		if _, err := sign.OpenCheckpoint(s.Note, k); err != nil {
			return "", damagedLogError(s, err)
		}
	}
	damage := s.Damage
	if damage == nil && all {
		damage = s.CheckEntries()
	}
	if damage == nil {
		return "", nil
	}
	if err := heal(a, s); err != nil {
		return "", damagedLogError(s, err)
	}
	return "it was damaged here and is mended: " + damage.Error(), nil
}

// heal brings the files of a log in archive.local back from its entries or from its ref.
func heal(a *archive.Archive, s *answerlog.Stored) error {
	copies, err := PublishedEpochs(a.Repository, s.KeyID)
	if err != nil {
		return err
	}
	for i := range copies {
		if copies[i].Epoch == s.Epoch {
			return s.Heal(&copies[i])
		}
	}
	return s.Heal(nil)
}

// damagedLogError reports that a log in archive.local is damaged and that its ref is left as
// it was.
func damagedLogError(s *answerlog.Stored, err error) error {
	return problem.Negative(problem.Damaged, problem.Advise("put "+archive.LocalDir+"/log back from a backup; until then answers go on in the next epoch, and the ref stays as it is"),
		"answer log of %.16s, epoch %d: nothing was copied to its ref: %w", s.KeyID, s.Epoch, err)
}

// wasCopiedLately reports whether a log's commit is younger than publishEvery.
func wasCopiedLately(a *archive.Archive, ref string, tip objects.Hash) bool {
	if tip.IsZero() {
		return false
	}
	_, content, err := a.Store().Get(tip)
	if err != nil {
		return false
	}
	c, err := archive.ParseCopyCommit(ref, content)
	return err == nil && a.World().Now().Sub(time.Unix(c.Time, 0)).Abs() < publishEvery
}

// KeepConflict writes the evidence of a log that contradicts itself into the
// local folder and says where it is. Other errors pass.
func KeepConflict(a *archive.Repository, err error, state *LogState) error {
	var conflict *answerlog.ConflictError
	if !errors.As(err, &conflict) {
		return problem.Wrap(err, "publish")
	}
	if keys, err := LogKeys(a); err == nil {
		conflict.Conflict.Key = keys[state.Key] // so that a stranger can check it
	}
	file, err2 := a.LocalPath("evidence", fmt.Sprintf("log-%s-%d.conflict", state.Key[:16], state.Epoch))
	if err2 != nil {
		return err2
	}
	if err2 := disk.WritePlain(file, conflict.Conflict.Encode(), 0o644); err2 != nil {
		return problem.Wrap(err2, "evidence")
	}
	state.Evidence = file
	return problem.New(problem.Verification, problem.Advise("keep "+file+" and show it to others: anybody can verify it"), "%w", err)
}
