package audit

import (
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"

	"muniment/archive"
	"muniment/archive/answerlog"
	"muniment/archive/logref"
	"muniment/archive/problem"
	"muniment/cid/merkle"
	"muniment/objects"
	"muniment/objects/disk"
	"muniment/sign"
	"muniment/text/legible"
)

// ProveResult describes a proof or a checkpoint that was written.
type ProveResult struct {
	File     string `json:"file"`
	Origin   string `json:"origin"`
	Index    int64  `json:"index"`     // of the answer in the log, -1 for a consistency proof
	From     int64  `json:"from_size"` // of a consistency proof, else 0
	Size     int64  `json:"size"`      // of the log that the proof leads to
	Cosigned int    `json:"cosigned"`  // cosignatures of its checkpoint
}

// findLog returns the answer log with an origin; a log that archive.local lacks is an
// error of kind NotFound.
func findLog(a *archive.Archive, origin string) (*answerlog.Stored, error) {
	dir, err := a.LocalPath("log")
	if err != nil {
		return nil, err
	}
	logs, err := answerlog.List(dir, a.ID())
	if err != nil {
		return nil, problem.Wrap(err, "answer log")
	}
	for _, s := range logs {
		if s.Checkpoint.Origin == origin {
			if s.Damage != nil {
				return nil, problem.Negative(problem.Damaged, problem.Next(problem.DoCheckLog), "the log %s: %w", legible.Printable(origin), s.Damage)
			}
			return s, nil
		}
	}
	return nil, problem.New(problem.NotFound, problem.Advise("run it where the answers are made; others check with the log's tiles"), "the log %s is not kept here, or a newer epoch has begun", legible.Printable(origin))
}

// RenewProof writes a copy of a bundle whose log proof leads to the checkpoint in the file
// checkpoint, or, where that is "", to the one with the most cosignatures, the newest of these.
func RenewProof(a *archive.Archive, file, checkpoint, out string) (*ProveResult, error) {
	b, err := readValidBundle(file)
	if err != nil {
		return nil, err
	}
	s, err := findLog(a, b.Statement().After.Origin)
	if err != nil {
		return nil, err
	}
	old := b.Proof()
	var note []byte
	if checkpoint == "" {
		note, err = selectNote(a, s, old.Index)
	} else {
		note, err = readNoteOf(s, old.Index, checkpoint)
	}
	if err != nil {
		return nil, err
	}
	p, err := s.Prove(old.Index, note)
	if err != nil {
		return nil, problem.Wrap(err, "answer log")
	}
	if b, err = b.WithProof(p.Encode()); err != nil {
		return nil, problem.New(problem.Verification, problem.Next(problem.DoCheckLog), "%w", err)
	}
	if _, err := writeBundle(archive.NewFile{Path: out}, b); err != nil {
		return nil, err
	}
	c, cosigned := readNote(note)
	return &ProveResult{File: out, Origin: c.Origin, Index: old.Index, Size: c.Size, Cosigned: cosigned}, nil
}

// readNoteOf returns the signed checkpoint in a file, which must be one of the log that covers
// the entry at index.
func readNoteOf(s *answerlog.Stored, index int64, file string) ([]byte, error) {
	wrong := func(format string, args ...any) error {
		return problem.New(problem.Usage, problem.Advise("log keep writes a checkpoint; witnesses add their lines to it"), "%s: "+format, append([]any{legible.Printable(file)}, args...)...)
	}
	note, err := disk.ReadPlain(file, sign.MaxNote)
	if err != nil {
		return nil, wrong("%s", legible.Reason(err))
	}
	c, err := sign.ReadCheckpoint(note)
	if err != nil {
		return nil, wrong("%w", err)
	}
	if c.Origin != s.Checkpoint.Origin || c.Size <= index || c.Size > s.Checkpoint.Size {
		return nil, wrong("a checkpoint of %s at size %d does not cover entry %d of %s", legible.Printable(c.Origin), c.Size, index, legible.Printable(s.Checkpoint.Origin))
	}
	root, _, err := s.Past(c.Size, c.Size)
	if err != nil {
		return nil, problem.Wrap(err, "answer log")
	}
	if root != c.Root {
		return nil, wrong("the log kept here has another root at size %d", c.Size)
	}
	return note, nil
}

// readNote returns the checkpoint of a note that this archive wrote, and the number
// of its cosignatures.
func readNote(note []byte) (sign.Checkpoint, int) {
	c, _ := sign.ReadCheckpoint(note)
	cosigned, _ := sign.Cosignatures(note)
	foreign, _ := sign.ForeignLines(note)
	return c, len(cosigned) + len(foreign)
}

// selectNote returns the signed checkpoint with the most cosignatures among those
// that cover the entry at index, the newest of these.
func selectNote(a *archive.Archive, s *answerlog.Stored, index int64) ([]byte, error) {
	tip, err := a.Store().Ref(archive.RefLog + s.KeyID)
	if err != nil {
		return nil, problem.Wrap(err, archive.RefLog)
	}
	bySize := map[int64][]byte{s.Checkpoint.Size: s.Note}
	if !tip.IsZero() {
		tree, err := a.Store().TreeOf(tip)
		if err != nil {
			return nil, problem.Wrap(err, archive.RefLog)
		}
		err = a.Store().Walk(tree, path.Join(strconv.FormatInt(s.Epoch, 10), "cosigned"), func(_ string, h objects.Hash) error {
			_, note, err := a.Store().Get(h)
			if err != nil {
				return err
			}
			c, err := sign.ReadCheckpoint(note)
			if err != nil || c.Origin != s.Checkpoint.Origin || c.Size <= index || c.Size > s.Checkpoint.Size {
				return nil
			}
			if root, _, err := s.Past(c.Size, c.Size); err != nil || root != c.Root {
				return nil // cosigned for another history; log check reports it
			}
			if have := bySize[c.Size]; have != nil {
				if note, err = sign.MergeCosignatures(have, note); err != nil {
					return nil
				}
			}
			bySize[c.Size] = note
			return nil
		})
		if err != nil {
			return nil, problem.Wrap(err, "answer log")
		}
	}
	var best []byte
	most, size := -1, int64(0)
	for n, note := range bySize {
		if _, cosigned := readNote(note); cosigned > most || cosigned == most && n > size {
			best, most, size = note, cosigned, n
		}
	}
	return best, nil
}

// ProveConsistency writes the proof that a log only grew between an older checkpoint,
// in the file checkpoint, and the one of the bundle in file, or the newest one where
// file is "".
func ProveConsistency(a *archive.Archive, checkpoint, file, out string) (*ProveResult, error) {
	kept, err := disk.ReadPlain(checkpoint, sign.MaxNote)
	if err != nil {
		return nil, problem.New(problem.Usage, problem.Advise("give a checkpoint that was kept"), "the checkpoint %s: %s", legible.Printable(checkpoint), legible.Reason(err))
	}
	from, err := sign.ReadCheckpoint(kept)
	if err != nil {
		return nil, problem.New(problem.Usage, problem.Advise("give a checkpoint that was kept"), "the checkpoint %s: %w", legible.Printable(checkpoint), err)
	}
	s, err := findLog(a, from.Origin)
	if err != nil {
		return nil, err
	}
	to := s.Checkpoint
	if file != "" {
		b, err := readValidBundle(file)
		if err != nil {
			return nil, err
		}
		if to, err = sign.ReadCheckpoint(b.Proof().Note); err != nil {
			return nil, problem.Wrap(err, "log proof")
		}
	}
	small, large := from, to
	if small.Size > large.Size {
		small, large = large, small
	}
	if small.Origin != large.Origin || small.Size == large.Size || small.Size == 0 {
		return nil, problem.New(problem.NothingToDo, problem.Advise("two checkpoints of one size are compared by their roots alone"), "the sizes are %d and %d: there is nothing to prove", from.Size, to.Size)
	}
	hashes, err := s.Consistency(small.Size, large.Size)
	if err != nil {
		return nil, problem.Wrap(err, "answer log")
	}
	if err := sign.CheckConsistent(small, large, hashes); err != nil {
		return nil, problem.New(problem.Verification, problem.Next(problem.DoCheckLog), "%w", err)
	}
	proof := sign.Consistency{Origin: small.Origin, From: small.Size, To: large.Size, Hashes: hashes}
	if err := (archive.NewFile{Path: out}).Write(proof.Encode()); err != nil {
		return nil, err
	}
	return &ProveResult{File: out, Origin: small.Origin, Index: -1, From: small.Size, Size: large.Size}, nil
}

// KeepCheckpoint writes the checkpoint of a bundle's log proof into a new file, to be
// compared with a later one.
func KeepCheckpoint(file, out string) (*ProveResult, error) {
	b, err := readValidBundle(file)
	if err != nil {
		return nil, err
	}
	p := b.Proof()
	if err := (archive.NewFile{Path: out}).Write(p.Note); err != nil {
		return nil, err
	}
	c, cosigned := readNote(p.Note)
	return &ProveResult{File: out, Origin: c.Origin, Index: p.Index, Size: c.Size, Cosigned: cosigned}, nil
}

// proveFromCopy returns the consistency hashes between two sizes of a log, computed
// from the archive's copy of the log on its ref.
func proveFromCopy(a *archive.Archive, origin string, from, to int64) ([]merkle.Hash, error) {
	rest, ok := strings.CutPrefix(origin, "muniment/"+a.ID().String()+"/answers/")
	id, epoch, ok2 := strings.Cut(rest, "/")
	if !ok || !ok2 {
		return nil, fmt.Errorf("the log %s is not of this archive", legible.Printable(origin))
	}
	tip, err := a.Store().Ref(archive.RefLog + id)
	if err != nil || tip.IsZero() {
		return nil, errors.Join(err, fmt.Errorf("no copy of the log %s is here", legible.Printable(origin)))
	}
	tree, err := a.Store().TreeOf(tip)
	if err != nil {
		return nil, err
	}
	note, err := a.File(tree, path.Join(epoch, "checkpoint"))
	if err != nil {
		return nil, err
	}
	c, err := sign.ReadCheckpoint(note)
	if err != nil || c.Size < to {
		return nil, errors.Join(err, fmt.Errorf("the copy of the log has %d entries, want %d", c.Size, to))
	}
	return sign.ProveFromTiles(logref.NewTreeFS(a.Repository, tree, epoch), c.Size, from, to)
}
