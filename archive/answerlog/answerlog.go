// Package answerlog keeps the log of the answers that one key has signed.
//
// The log is append-only in the sense of RFC 6962: each entry is the 32-byte
// sha256 of a statement and nothing else, and a checkpoint signed with the
// answering key commits to all of them in order. An answer carries the proof
// that it is in the log, so that a signer who keeps answers secret, or tells
// two people two histories, leaves evidence.
//
//	log, err := answerlog.Open(dir, signer, archive)
//	b, err := bundle.Assemble(answer, bundle.Env{Log: log, …})
//
// # On disk
//
// Under the folder that Open is given, logs lie apart by archive and key:
//
//	<archive digest>/<key id>/lock         held while the log changes
//	<archive digest>/<key id>/1/entries    the entries of epoch 1, 32 bytes each
//	<archive digest>/<key id>/1/hashes     the stored hashes of package tlog, 32 bytes each
//	<archive digest>/<key id>/1/checkpoint the signed checkpoint
//
// The entries alone are made durable, with one fsync for all answers that
// wait: hashes follow from them, and a checkpoint that a crash took back is
// signed again over more entries, never over others.
//
// # Epochs
//
// The origin of a log ends in its epoch. A sequencer continues an epoch only if
// it finds its own last checkpoint there, the entries still lead to it, and they are as many as the journal of the
// copy has noted. Otherwise, for instance when entries were cut off or the checkpoint is gone,
// it begins the next epoch at size 0 rather than give one index to two answers.
// Entries beyond the checkpoint are what a crash left behind; they stay, and
// the next checkpoint counts them.
//
// # Limits
//
// The journal is the file of that name in addition to the folder that Open is given. A log and a journal that are both put back
// from an old copy look like a log that was never longer; the next answer then takes an index for the second time. Only
// somebody who has seen the newer checkpoint can tell. Restore an archive without the folder of the log and with its
// journal, and a new epoch begins.
package answerlog

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"muniment/cid"
	"muniment/cid/merkle"
	"muniment/sign"
)

const (
	// maxBatch is the most answers that share one fsync and one checkpoint.
	maxBatch = 256

	// lockWait bounds the wait for another process, which holds the lock for
	// some milliseconds.
	lockWait = 10 * time.Second
)

// A Log is the answer log of one key. It is safe for use by several goroutines,
// and several processes may have the same log open.
type Log struct {
	dir     string // of the key's logs
	signer  sign.Signer
	archive cid.ID
	journal string // of the copy: how many entries each epoch had

	mu     sync.Mutex // guards queue
	queue  []*appendRequest
	commit sync.Mutex // held by the goroutine that writes
}

// An appendRequest is one call of Append that waits for its entry to be durable.
type appendRequest struct {
	entry [sign.EntrySize]byte
	proof []byte
	err   error
	done  bool
}

// Open returns the log of a key under dir, which is made when it does not exist.
// The key must be a plain Ed25519 key, since it signs checkpoints.
func Open(dir string, s sign.Signer, archive cid.ID) (*Log, error) {
	if s == nil {
		return nil, errors.New("answer log: no key is given")
	}
	if k := s.Key(); k.Type() != sign.TypeEd25519 {
		return nil, fmt.Errorf("answer log of %s: the key is %s, want %s", k.Fingerprint(), k.Type(), sign.TypeEd25519)
	}
	if archive.Codec() != cid.JSON {
		return nil, fmt.Errorf("answer log of archive %q: not an archive id", archive)
	}
	l := &Log{dir: filepath.Join(dir, archive.Hex(), s.Key().ID()), signer: s, archive: archive, journal: journalOf(dir)}
	if err := os.MkdirAll(l.dir, 0o700); err != nil {
		return nil, fmt.Errorf("answer log: %w", err)
	}
	return l, nil
}

// Head returns the checkpoint of the log as it is now, of size 0 before the first
// entry. Other answers may be appended before the caller appends one.
func (l *Log) Head() (sign.Checkpoint, error) {
	l.commit.Lock()
	defer l.commit.Unlock()
	var head sign.Checkpoint
	err := l.withLock(func(e *epoch) error {
		root, err := e.root(e.size)
		head = sign.Checkpoint{Origin: l.origin(e.number), Size: e.size, Root: root}
		return err
	})
	return head, err
}

// Append adds an entry and returns the encoded log proof for it. The entry is
// durable when Append returns. Calls that wait for each other are written
// together.
func (l *Log) Append(entry [sha256.Size]byte) ([]byte, error) {
	w := &appendRequest{entry: entry}
	l.mu.Lock()
	l.queue = append(l.queue, w)
	l.mu.Unlock()

	l.commit.Lock()
	defer l.commit.Unlock()
	for !w.done {
		l.mu.Lock()
		n := min(len(l.queue), maxBatch)
		batch := l.queue[:n:n]
		l.queue = l.queue[n:]
		l.mu.Unlock()
		err := l.withLock(func(e *epoch) error { return l.write(e, batch) })
		for _, b := range batch {
			b.done = true
			if err != nil {
				b.proof, b.err = nil, err
			}
		}
	}
	return w.proof, w.err
}

// write appends a batch to an epoch, signs the checkpoint over it and sets the
// proof of each request.
func (l *Log) write(e *epoch, batch []*appendRequest) error {
	first := e.size
	for _, w := range batch {
		if err := e.add(w.entry); err != nil {
			return err
		}
	}
	if err := e.flush(); err != nil {
		return err
	}
	root, err := e.root(e.size)
	if err != nil {
		return err
	}
	note, err := sign.SignCheckpoint(l.signer, sign.Checkpoint{Origin: l.origin(e.number), Size: e.size, Root: root})
	if err != nil {
		return err
	}
	if err := e.setCheckpoint(note); err != nil {
		return err
	}
	if err := l.noteSize(e.number, e.size); err != nil {
		return err
	}
	for i, w := range batch {
		index := first + int64(i)
		path, err := tlog.ProveRecord(e.size, index, e.reader())
		if err != nil {
			return err
		}
		p := sign.LogProof{Index: index, Note: note}
		for _, h := range path {
			p.Hashes = append(p.Hashes, merkle.Hash(h))
		}
		w.proof = p.Encode()
	}
	return nil
}

// origin returns the origin of an epoch, which its checkpoints name.
func (l *Log) origin(epoch int64) string {
	return sign.AnswerOrigin(l.archive, l.signer.Key().ID(), epoch)
}

// withLock calls fn with the current epoch, under the lock of the folder.
func (l *Log) withLock(fn func(*epoch) error) error {
	unlock, err := lock(filepath.Join(l.dir, "lock"), lockWait)
	if err != nil {
		return fmt.Errorf("answer log: %w", err)
	}
	defer unlock()
	e, err := l.openCurrent()
	if err != nil {
		return fmt.Errorf("answer log: %w", err)
	}
	defer e.close()
	if err := fn(e); err != nil {
		return fmt.Errorf("answer log: %w", err)
	}
	return e.close()
}

// openCurrent opens the last epoch if it can be continued, else the next one.
func (l *Log) openCurrent() (*epoch, error) {
	e, last, err := l.openLast()
	if last == 0 && err == nil || isLost(err) {
		return l.openEpoch(last + 1)
	}
	return e, err
}

// isLost reports whether err is of an epoch that cannot be continued.
func isLost(err error) bool { return errors.Is(err, errLost) || errors.Is(err, errSetBack) }

// openLast opens the last epoch and returns its number, or that of the last one that was noted where this
// is larger. There is no epoch where last is 0. The error is errLost or errSetBack where the epoch cannot be continued.
func (l *Log) openLast() (e *epoch, last int64, err error) {
	if last, err = l.lastEpoch(); err != nil {
		return nil, last, err
	}
	noted, err := l.notedSizes()
	if err != nil {
		return nil, last, err
	}
	for n := range noted {
		if n > last {
			last, err = n, errSetBack
		}
	}
	if err != nil || last == 0 {
		return nil, last, err
	}
	if e, err = l.openEpoch(last); err == nil && e.size < noted[last] {
		return nil, last, errors.Join(errSetBack, e.close())
	}
	return e, last, err
}

// lastEpoch returns the largest number among the folders, 0 when there is none.
func (l *Log) lastEpoch() (int64, error) {
	entries, err := os.ReadDir(l.dir)
	if err != nil {
		return 0, err
	}
	last := int64(0)
	for _, d := range entries {
		n, err := strconv.ParseInt(d.Name(), 10, 64)
		if err == nil && d.IsDir() && strconv.FormatInt(n, 10) == d.Name() {
			last = max(last, n)
		}
	}
	return last, nil
}
