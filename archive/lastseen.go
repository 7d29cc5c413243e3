package archive

import (
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"muniment/archive/journal"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/objects"
	"muniment/objects/disk"
	"muniment/snapshot"
)

// maxLocalNote is the most bytes of a file in which this copy remembers
// something: last-refs has a line for each ref, of which a remote may show
// 100,000.
const maxLocalNote = 16 << 20

// lastSeenLine returns the line of a snapshot in the file of versions before the journal: number, id and the
// CRC-32C of both, which the first of them did not write.
func lastSeenLine(note string) string {
	return fmt.Sprintf("%s %08x\n", note, crc32.Checksum([]byte(note), noteSums))
}

// RememberSnapshot writes down the newest snapshot. In a copy that cannot be
// written it does nothing. It never replaces the note of a larger number, nor one that
// is damaged: only a repair or a person sets such a note aside.
func (a *Repository) RememberSnapshot(s *snapshot.Snapshot) {
	seq, id, err := a.readLastSeen()
	if err == nil && (seq > s.Seq || id == s.ID.String()) || err != nil && !errors.Is(err, os.ErrNotExist) {
		return
	}
	_ = a.remember(journal.Entry{Kind: kindSnapshot, Key: onlyKey, Value: fmt.Sprintf("%d %s", s.Seq, s.ID)})
}

// readLastSeen returns number and id of the newest snapshot that was seen here. The error
// is of os.ErrNotExist where this copy has no note of it, and of TypeDamaged where the
// note is not as it was written.
func (a *Repository) readLastSeen() (int64, string, error) {
	s, err := a.readJournal()
	if err != nil {
		return 0, "", err
	}
	note := s.Value(kindSnapshot, onlyKey)
	earlier := a.hasEarlier(s, kindSnapshot)
	if earlier {
		data, err := disk.ReadOwnPlain(a.local(earlierNotes[kindSnapshot]), maxLocalNote)
		if err != nil {
			return 0, "", err
		}
		fields := strings.Split(strings.TrimSuffix(string(data), "\n"), " ")
		if note = strings.Join(fields[:min(2, len(fields))], " "); string(data) != lastSeenLine(note) && string(data) != note+"\n" {
			note = "damaged"
		}
	}
	if note == "" {
		return 0, "", os.ErrNotExist
	}
	number, id, _ := strings.Cut(note, " ")
	seq, err := strconv.ParseInt(number, 10, 64)
	if _, bad := cid.Parse(id); err != nil || bad != nil {
		return 0, "", problem.New(problem.Damaged, problem.Next(problem.DoRepair), "%s: %w", noteName(kindSnapshot, earlier), errNote)
	}
	return seq, id, nil
}

// noteName returns the name of the file in which a kind is noted.
func noteName(kind string, earlier bool) string {
	if earlier {
		return LocalDir + "/" + earlierNotes[kind]
	}
	return LocalDir + "/" + JournalFile
}

// LastSeen returns the id of the newest snapshot that was seen here, "" where this copy
// has no note of it, or a damaged one.
func (a *Repository) LastSeen() string {
	_, id, _ := a.readLastSeen()
	return id
}

// IsLastSeenDamaged reports whether the note of the newest snapshot that was seen here is
// not as it was written.
func (a *Repository) IsLastSeenDamaged() bool {
	return a.CheckLastSeen() != nil
}

// CheckLastSeen returns an error where the note of the newest snapshot that was seen here
// is not as it was written.
func (a *Repository) CheckLastSeen() error {
	_, _, err := a.readLastSeen()
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

// CheckRollback returns an error when the history of head no longer holds a snapshot that
// this copy has noted as its own, or, where it has not noted head as the newest, when a
// snapshot that follows from head is here. A snapshot that another process signed after
// head was read is no such error: the branch is then read again, after the notes.
func (a *Archive) CheckRollback(head *snapshot.Snapshot) error {
	rollback, err := a.findRollback(head)
	if err != nil || rollback == nil {
		return err
	}
	if head, _, err = a.Head(); err != nil {
		return err
	}
	if rollback, err = a.findRollback(head); err != nil {
		return err
	}
	return rollback
}

// findRollback returns the error of CheckRollback, and an error where it cannot be decided.
func (a *Archive) findRollback(head *snapshot.Snapshot) (rollback, err error) {
	seq, last, err := a.readLastSeen()
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	noted := a.NotedSnapshots()
	for _, file := range slices.Sorted(maps.Keys(noted)) {
		id := noted[file]
		there := head != nil && head.ID.String() == id
		if !there && head != nil && (file != JournalFile || head.Seq > seq) {
			if _, there, err = a.HasSnapshot(id); err != nil {
				return nil, err
			}
		}
		if !there {
			seen := id
			if file == JournalFile {
				seen = fmt.Sprintf("%d (%s)", seq, id)
			}
			return problem.New(problem.Damaged, problem.Next(problem.DoRepair).Or(problem.DoFetch).With("a remote that has it all brings this copy forward; if an older or other copy was put back on purpose, "+dropNote(file)),
				"the newest snapshot is %s, yet %s was seen here: the history was cut back or replaced (%s/%s)", describeHead(head), seen, LocalDir, file), nil
		}
	}
	if head == nil || head.ID.String() == last {
		return nil, nil
	}
	return a.checkNewest(head), nil
}

// dropNote returns the next step for a person who put back an older copy on purpose: how the note in a
// file is taken away.
func dropNote(file string) string {
	if file == JournalFile {
		return "take the lines that begin with \"" + kindSnapshot + " \" out of " + LocalDir + "/" + file
	}
	return "delete " + LocalDir + "/" + file
}

// describeHead returns number and ID of the newest snapshot, or says that there is none.
func describeHead(head *snapshot.Snapshot) string {
	if head == nil {
		return "not there"
	}
	return fmt.Sprintf("%d (%s)", head.Seq, head.ID)
}

// RememberRefs notes the tags, and the refs of countersignatures and logs, that are here: no snapshot
// lists them, so that without the note nobody would notice a ref that is gone; a ref that gc deleted is taken out. In a copy that cannot be written
// it does nothing.
func (a *Archive) RememberRefs() {
	known, err := a.KnownRefs()
	if err != nil {
		return
	}
	refs, err := a.Store().Refs()
	if err != nil {
		return
	}
	now := maps.Clone(known)
	for name, h := range refs {
		switch tag := IsTagRef(name); {
		case tag && now[name].IsZero() && a.ReadTag(strings.TrimPrefix(name, RefTags), h).Problem == "":
			now[name] = h
		case !tag && IsMergeable(name) && now[name] != h:
			if line, err := a.Store().Ancestors(now[name]); err != nil || !line[h] { // else it was set back
				now[name] = h
			}
		}
	}
	dropped, err := a.Dropped()
	if err != nil {
		return
	}
	for name, h := range known {
		if refs[name].IsZero() && slices.Contains(dropped, h) {
			delete(now, name)
		}
	}
	if s, err := a.readJournal(); err != nil || maps.Equal(known, now) && !a.hasEarlier(s, kindRef) {
		return
	}
	var entries []journal.Entry
	for name := range known {
		if now[name].IsZero() {
			entries = append(entries, journal.Entry{Kind: kindRef, Key: name})
		}
	}
	for name, h := range now {
		entries = append(entries, journal.Entry{Kind: kindRef, Key: name, Value: h.String()})
	}
	_ = a.remember(entries...)
}

// KnownRefs returns the refs that RememberRefs noted. With an error of kind Damaged it returns those of
// the sound lines.
func (a *Repository) KnownRefs() (map[string]objects.Hash, error) {
	out := map[string]objects.Hash{}
	s, damage := a.readJournal()
	notes := s.Kind(kindRef)
	earlier := damage == nil && a.hasEarlier(s, kindRef)
	if earlier {
		data, err := disk.ReadOwnPlain(a.local(earlierNotes[kindRef]), maxLocalNote)
		if err != nil {
			return nil, err
		}
		text, _, err := openNote(data)
		if err != nil {
			return nil, problem.New(problem.Damaged, problem.Next(problem.DoRepair), "%s: %w", noteName(kindRef, earlier), err)
		}
		for line := range strings.Lines(text) {
			hex, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
			notes[name] = hex
		}
	}
	for name, hex := range notes {
		h, err := objects.ParseHash(hex)
		if err != nil || !IsTagRef(name) && !IsMergeable(name) {
			return nil, problem.New(problem.Damaged, problem.Next(problem.DoRepair), "%s: %q %q is not a ref and an object", noteName(kindRef, earlier), name, hex)
		}
		out[name] = h
	}
	return out, damage
}

// DroppedFile lists the objects, one in a line, that gc is taking out of this copy together
// with the commits of a ref that led to them. It is there from before the ref moves until
// they are gone.
const DroppedFile = "dropped-objects"

// MaxDropped is the most objects of DroppedFile: the file is then below maxLocalNote.
const MaxDropped = 300_000

// Dropped returns the objects that are listed in DroppedFile.
func (a *Repository) Dropped() ([]objects.Hash, error) {
	data, err := disk.ReadOwnPlain(a.local(DroppedFile), maxLocalNote)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	var list []objects.Hash
	for line := range strings.Lines(string(data)) {
		h, bad := objects.ParseHash(strings.TrimSuffix(line, "\n"))
		if bad != nil {
			return nil, problem.New(problem.Damaged, problem.Advise("move "+LocalDir+"/"+DroppedFile+" away: gc makes it again"), "%s/%s: %q is not an object", LocalDir, DroppedFile, line)
		}
		list = append(list, h)
	}
	return list, err
}

// SetDropped writes DroppedFile, and removes it for an empty list.
func (a *Repository) SetDropped(list []objects.Hash) error {
	path, err := a.LocalPath(DroppedFile)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		if err := a.World().Disk.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return problem.Wrap(err, DroppedFile)
		}
		return nil
	}
	var text strings.Builder
	for _, h := range list {
		fmt.Fprintln(&text, h)
	}
	return problem.Wrap(a.World().Disk.Replace(path, []byte(text.String()), 0o600), DroppedFile)
}

// FindLostRefs returns the refs and, by name, what happened to each ref that was seen
// here and is gone, moved or cut back. The notes are read before the refs, which other
// processes move first; where a ref seems lost and the notes have changed meanwhile, all
// is read again.
func (a *Repository) FindLostRefs() (refs map[string]objects.Hash, lost map[string]error, err error) {
	known, err := a.KnownRefs()
	if err != nil {
		return nil, nil, err
	}
	for {
		if refs, lost, err = a.compareRefs(known); err != nil || len(lost) == 0 {
			return refs, lost, err
		}
		again, err := a.KnownRefs()
		if err != nil || maps.Equal(again, known) {
			return refs, lost, err
		}
		known = again
	}
}

// compareRefs returns the refs, and what happened to those of known that are lost.
func (a *Repository) compareRefs(known map[string]objects.Hash) (refs map[string]objects.Hash, lost map[string]error, err error) {
	if refs, err = a.Store().Refs(); err != nil {
		return nil, nil, err
	}
	dropped, err := a.Dropped()
	if err != nil {
		return nil, nil, err
	}
	lost = map[string]error{}
	for name, h := range known {
		switch {
		case refs[name] == h, slices.Contains(dropped, h):
		case refs[name].IsZero():
			lost[name] = fmt.Errorf("it named %s and is gone; repair or fetch brings it back, or take the lines with its name out of %s/%s if that was meant", h, LocalDir, JournalFile)
		case IsTagRef(name):
			lost[name] = fmt.Errorf("it named %s and was moved to %s; a tag is never moved", h, refs[name])
		default: // mergeable
			if line, err := a.Store().Ancestors(refs[name]); err == nil && !line[h] {
				lost[name] = fmt.Errorf("it named %s and was cut back to %s; fetch puts it together with that of a remote", h, refs[name])
			}
		}
	}
	return refs, lost, nil
}
