package archive

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"muniment/archive/journal"
	"muniment/archive/mark"
	"muniment/archive/problem"
)

// JournalFile is the file in archive.local of what this copy remembers and no snapshot holds: see
// package journal.
const JournalFile = journal.File

// The kinds of entries of the journal, and the key of a kind with one entry.
const (
	kindSnapshot = "snapshot" // number and ID of the newest snapshot that was made or seen here
	kindRef      = "ref"      // by ref: the object that it named
	kindTrust    = "trust"    // the sha256 of the trust that was accepted here
	kindLedger   = "ledger"   // how far the ledger had come

	onlyKey = "-"
)

// lostTrust is the trust that was accepted here where the journal was mended and no sound line said
// which: no trust has this digest, so that a person is asked again.
const lostTrust = "lost"

// earlierNotes are the files of which versions before the journal had one for each kind. Such a file is
// read while the journal has no entry of its kind.
var earlierNotes = map[string]string{kindSnapshot: "last-snapshot", kindRef: "last-refs", kindTrust: "accepted-trust"}

// earlierDir is the folder in archive.local of the files that the journal replaced.
const earlierDir = "before-journal"

// readJournal returns the entries of the journal. The error is of kind Damaged where a line is not as it was written;
// the state then has the sound lines.
func (a *Repository) readJournal() (journal.State, error) {
	s, err := journal.Read(a.local(JournalFile))
	var damage *journal.DamagedError
	if errors.As(err, &damage) {
		return s, problem.New(problem.Damaged, problem.Next(problem.DoRepair), "%w", err)
	}
	return s, problem.Wrap(err, JournalFile)
}

// remember adds entries to the journal and returns when they are on the disk. The earlier files of their
// kinds are then moved aside.
func (a *Repository) remember(entries ...journal.Entry) error {
	path, err := a.LocalPath(JournalFile)
	if err != nil {
		return err
	}
	if err := journal.Append(path, a.World().Disk, entries...); err != nil {
		return problem.Wrap(err, JournalFile)
	}
	if err := mark.Take(a.local()); err != nil { // so that lines that are cut off are missed, whatever happens next
		return problem.Wrap(err, mark.File)
	}
	for kind, name := range earlierNotes {
		if _, err := os.Lstat(a.local(name)); err != nil {
			continue
		}
		if s, err := a.readJournal(); err != nil || len(s.Kind(kind)) == 0 {
			continue
		}
		if err := errors.Join(a.setEarlierAside(name), mark.Forget(a.local(), name)); err != nil {
			return problem.Wrap(err, name)
		}
	}
	return nil
}

// setEarlierAside moves a file that the journal replaced into earlierDir.
func (a *Repository) setEarlierAside(name string) error {
	path, err := a.LocalPath(earlierDir, name)
	if err != nil {
		return err
	}
	return a.World().Disk.Rename(a.local(name), path)
}

// hasEarlier reports whether the note of a kind is in the file of an earlier version: the journal s has
// no entry of the kind.
func (a *Repository) hasEarlier(s journal.State, kind string) bool {
	_, err := os.Lstat(a.local(earlierNotes[kind]))
	return err == nil && len(s.Kind(kind)) == 0
}

// MendJournal keeps the sound lines of a damaged journal, and the damaged file in a folder. The notes of
// the refs in drop are taken away. What the repository holds is noted again by RememberRefs and
// RememberSnapshot. A damaged file of an earlier version is moved into the folder.
func (a *Repository) MendJournal(folder string, drop ...string) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return problem.Wrap(err, JournalFile)
	}
	s, err := journal.Read(a.local(JournalFile))
	var damage *journal.DamagedError
	path := a.local(JournalFile)
	if errors.As(err, &damage) {
		err = journal.Mend(path, a.World().Disk, filepath.Join(folder, JournalFile), func(sound journal.State) []journal.Entry {
			if s = sound; sound.Value(kindTrust, onlyKey) == "" && !a.hasEarlier(sound, kindTrust) {
				return []journal.Entry{{Kind: kindTrust, Key: onlyKey, Value: lostTrust}}
			}
			return nil
		})
	}
	if err != nil {
		return problem.Wrap(err, JournalFile)
	}
	// Only now are the files of earlier versions judged: while the journal is damaged, they are not read.
	for kind, name := range earlierNotes {
		var err error
		switch kind {
		case kindSnapshot:
			_, _, err = a.readLastSeen()
		case kindRef:
			if _, err = a.KnownRefs(); len(drop) > 0 && err == nil {
				err = errNote
			}
		}
		if s, _ := a.readJournal(); err != nil && a.hasEarlier(s, kind) {
			if err := a.World().Disk.Rename(a.local(name), filepath.Join(folder, name)); err != nil {
				return problem.Wrap(err, name)
			}
		}
	}
	var gone []journal.Entry
	for _, name := range drop {
		if s.Value(kindRef, name) != "" {
			gone = append(gone, journal.Entry{Kind: kindRef, Key: name})
		}
	}
	if len(gone) > 0 {
		err = journal.Append(path, a.World().Disk, gone...)
	}
	return problem.Wrap(errors.Join(err, mark.Take(a.local())), JournalFile)
}

// CheckJournal returns an error where the journal, or the file of an earlier version that it has not
// replaced yet, is not as it was written; it is of fs.ErrNotExist where this copy remembers nothing.
func (a *Repository) CheckJournal() error {
	s, err := a.readJournal()
	if err != nil {
		return err
	}
	_, _, seen := a.readLastSeen()
	if errors.Is(seen, fs.ErrNotExist) {
		seen = nil
	}
	_, refs := a.KnownRefs()
	_, trust := a.AcceptedTrust()
	if err := cmp.Or(seen, refs, trust); err != nil {
		return err
	}
	if len(s.Kind(kindSnapshot))+len(s.Kind(kindRef))+len(s.Kind(kindTrust)) > 0 {
		return nil
	}
	for kind := range earlierNotes {
		if a.hasEarlier(s, kind) {
			return nil
		}
	}
	return fs.ErrNotExist
}

// LedgerState returns the state of the ledger as package ledger noted it, "" for none.
func (a *Repository) LedgerState() (string, error) {
	s, err := a.readJournal()
	return s.Value(kindLedger, onlyKey), err
}

// RememberLedger notes the state of the ledger; "" takes the note away.
func (a *Repository) RememberLedger(state string) error {
	return a.remember(journal.Entry{Kind: kindLedger, Key: onlyKey, Value: state})
}
