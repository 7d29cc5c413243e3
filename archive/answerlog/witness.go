package answerlog

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"muniment/cid/merkle"
	"muniment/objects/disk"
	"muniment/sign"
)

// A ConflictError reports a log that was rewritten or forked since a witness
// cosigned it. Conflict is the evidence, which anybody can check.
type ConflictError struct{ Conflict *sign.Conflict }

func (e *ConflictError) Error() string {
	return "answer log: it is not the log that was cosigned here before: two signed checkpoints contradict each other"
}

// ErrOlder reports a checkpoint smaller than one that was cosigned before.
var ErrOlder = errors.New("answer log: the checkpoint is older than the one cosigned before")

// A Past returns the root of a log at a smaller size, and the hashes that lead
// from there to a larger size.
type Past func(from, to int64) (root merkle.Hash, hashes []merkle.Hash, err error)

// A Witness cosigns checkpoints of logs, and remembers the last one of each in
// a folder. It cosigns nothing that is not consistent with what it remembers.
type Witness struct {
	Dir    string
	Signer sign.Signer
}

// Cosign returns a checkpoint of the log whose key is k with the witness's
// cosignature, after checking that the log only grew since the witness cosigned
// it last. now is in seconds since 1970. The checkpoint is remembered before
// Cosign returns. The error is a *ConflictError when the log contradicts itself;
// when past has no hashes, nothing is cosigned.
func (w Witness) Cosign(note []byte, k sign.Key, now int64, past Past) ([]byte, error) {
	c, err := sign.OpenCheckpoint(note, k)
	if err != nil {
		return nil, err
	}
	if err := w.check(c, note, k, past); err != nil {
		return nil, err
	}
	out, err := sign.Cosign(w.Signer, note, now)
	if err != nil {
		return nil, err
	}
	return out, w.remember(c.Origin, out)
}

// check requires a checkpoint to be consistent with the one remembered.
func (w Witness) check(c sign.Checkpoint, note []byte, k sign.Key, past Past) error {
	kept, err := w.Last(c.Origin)
	if err != nil || kept == nil {
		return err
	}
	last, err := sign.OpenCheckpoint(kept, k)
	if err != nil {
		return fmt.Errorf("answer log: what the witness keeps: %w", err)
	}
	return Compare(last, kept, c, note, past)
}

// Compare checks that two signed checkpoints are of one log. The error is a
// *ConflictError with evidence when they contradict each other, and ErrOlder
// when they agree and the second is smaller.
func Compare(last sign.Checkpoint, kept []byte, c sign.Checkpoint, note []byte, past Past) error {
	if last.Size == 0 {
		return nil
	}
	first, second, a, b := last, c, kept, note
	if c.Size < last.Size {
		first, second, a, b = c, last, note, kept
	}
	if first.Size == 0 {
		return ErrOlder
	}
	prefix, hashes := second.Root, []merkle.Hash(nil)
	if first.Size < second.Size {
		var err error
		if prefix, hashes, err = past(first.Size, second.Size); err != nil {
			return fmt.Errorf("answer log: whether it only grew from size %d to %d is not shown: %w", first.Size, second.Size, err)
		}
	}
	if err := sign.CheckConsistent(first, second, hashes); err != nil {
		conflict := &sign.Conflict{Prefix: prefix, Hashes: hashes, First: a, Second: b}
		if sign.CheckConsistent(sign.Checkpoint{Origin: first.Origin, Size: first.Size, Root: prefix}, second, hashes) != nil {
			return err // the past that was given is of neither
		}
		return &ConflictError{conflict}
	}
	if c.Size < last.Size {
		return ErrOlder
	}
	return nil
}

// Last returns the last checkpoint of a log that was cosigned here, or nil.
func (w Witness) Last(origin string) ([]byte, error) {
	note, err := disk.ReadOwnPlain(w.file(origin), sign.MaxNote)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return note, err
}

// file returns the path of the checkpoint remembered of a log.
func (w Witness) file(origin string) string {
	sum := sha256.Sum256([]byte(origin))
	return filepath.Join(w.Dir, hex.EncodeToString(sum[:]))
}

// remember keeps the last cosigned checkpoint of a log durably.
func (w Witness) remember(origin string, note []byte) error {
	if err := os.MkdirAll(w.Dir, 0o700); err != nil {
		return fmt.Errorf("answer log: %w", err)
	}
	tmp := w.file(origin) + ".new"
	f, err := disk.OpenPlain(tmp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return fmt.Errorf("answer log: %w", err)
	}
	_, err = f.Write(note)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(tmp, w.file(origin))
	}
	if err == nil {
		err = syncDir(w.Dir)
	}
	if err != nil {
		return fmt.Errorf("answer log: %w", err)
	}
	return nil
}
