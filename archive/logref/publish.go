package logref

import (
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"

	answerlog "muniment/answer/log"
	"muniment/archive"
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

// publishLog copies one log to its ref and returns its state.
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
	return archive.Environment(a.CommitFiles(b, lock, ref, logAuthor, text, base, edits, parents), "answer log")
}

// KeepConflict writes the evidence of a log that contradicts itself into the
// local folder and says where it is. Other errors pass.
func KeepConflict(a *archive.Repository, err error, state *LogState) error {
	var conflict *answerlog.ConflictError
	if !errors.As(err, &conflict) {
		return archive.Environment(err, "publish")
	}
	if keys, err := LogKeys(a); err == nil {
		conflict.Conflict.Key = keys[state.Key] // so that a stranger can check it
	}
	file, err2 := a.LocalPath("evidence", fmt.Sprintf("log-%s-%d.conflict", state.Key[:16], state.Epoch))
	if err2 != nil {
		return err2
	}
	if err2 := disk.WritePlain(file, conflict.Conflict.Encode(), 0o644); err2 != nil {
		return archive.Environment(err2, "evidence")
	}
	state.Evidence = file
	return archive.Problem(archive.TypeVerification, archive.Advise("keep "+file+" and show it to others: anybody can verify it"), "%w", err)
}
