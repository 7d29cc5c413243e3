// Package journal keeps in one file what a copy of an archive remembers and no snapshot holds:
// the newest snapshot that was seen, the refs, the trust that a person accepted, the state of
// the ledger.
//
//	err := journal.Append(path, hooks, journal.Entry{Kind: "ref", Key: "refs/tags/one", Value: "1f…e2"})
//	state, err := journal.Read(path)
//	one := state.Value("ref", "refs/tags/one")
//
// The first line is [Header]. Every other line is a kind, a key, a value and the CRC-32C of these
// three in eight hexadecimal digits, with a space between each. The newest line of a kind and a key
// counts; a line with an empty value takes the entry away. A line is on the disk when Append
// returns.
//
// One changed entry is appended; several, a long one, and whatever follows a line that was cut short, are written
// with all others to a new file that replaces the old one. So a crash can damage the last line only:
// one without its line end, or with a zero byte, never was acknowledged. It is
// passed over, and the next Append removes it. Any other line that is not as it was written is
// damage. Read then returns a *[DamagedError] and the entries of all sound lines; Append changes nothing
// until Mend has written the sound lines to a new file. A whole line that is absent leaves no
// trace in the file itself: package mark notes how long the file was at least.
//
// Writers take turns by a lock on the file, and each looks whether the file was replaced while it waited.
// On a system without such locks lines are added as they come, and the file is never made shorter.
// The checksum finds accidents. It is no protection against somebody who can write the folder.
//
// [AppendList], [ReadList] and [MendList] keep files of the same kind in which every line counts: receipts,
// openings and fixity checks. A line of theirs is a JSON object that ends in its checksum.
package journal

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"muniment/archive/mark"
	"muniment/objects/disk"
)

const (
	// File is the name of the journal in the local folder of a copy.
	File = "journal"

	// Header is the first line of a journal.
	Header = "muniment/journal/v1\n"

	// MaxFile is the most bytes of a journal that are read: 300,000 refs, each moved once.
	MaxFile = 64 << 20

	// compactAt is the least size in bytes at which a journal is written again without the lines
	// that no longer count: below it, reading them all costs less than a millisecond.
	compactAt = 64 << 10

	// compactShare is how many times the size of the entries a journal has before it is written again.
	compactShare = 4

	// maxAppend is the most bytes of a line that is appended: a longer one, of a remote's address, is
	// written with all others to a new file. A crash leaves at most so many zero bytes.
	maxAppend = 512

	// lockWait is how long a writer waits for others, each of which writes for milliseconds.
	lockWait = 10 * time.Second
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// An Entry is one thing that a copy remembers.
type Entry struct {
	Kind, Key string // without spaces and line ends; "-" is the key of a kind with one entry
	Value     string // without line ends; "" takes the entry away
}

// A State is the entries of a journal.
type State struct {
	values map[[2]string]string
	size   int64 // of the whole lines, in bytes
}

// A DamagedError reports lines of a journal that are not as they were written.
type DamagedError struct {
	Path  string
	Lines []int // their numbers, from 1
}

func (e *DamagedError) Error() string {
	switch len(e.Lines) {
	case 0:
		return e.Path + " is not as it was written"
	case 1:
		return fmt.Sprintf("line %d of %s is not as it was written", e.Lines[0], e.Path)
	}
	return fmt.Sprintf("%d lines of %s are not as they were written, the first is line %d", len(e.Lines), e.Path, e.Lines[0])
}

// Value returns the value of an entry, "" for none.
func (s State) Value(kind, key string) string { return s.values[[2]string{kind, key}] }

// Kind returns the values of a kind by their keys.
func (s State) Kind(kind string) map[string]string {
	out := map[string]string{}
	for at, value := range s.values {
		if at[0] == kind {
			out[at[1]] = value
		}
	}
	return out
}

// Read returns the entries of the journal at path, none where there is no file. The error is a
// *DamagedError where a line is not as it was written; the state then has the sound lines.
func Read(path string) (State, error) {
	data, err := disk.ReadOwnPlain(path, MaxFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return State{}, nil
	case err != nil:
		return State{}, err
	}
	return parse(path, data)
}

// nameOf returns the name of a file in errors.
func nameOf(path string) string { return filepath.Base(filepath.Dir(path)) + "/" + filepath.Base(path) }

func parse(path string, data []byte) (State, error) {
	whole := wholeLines(path, data)
	s := State{values: map[[2]string]string{}, size: int64(len(whole))}
	damage := &DamagedError{Path: nameOf(path)}
	n := 0
	if !strings.HasPrefix(string(whole), Header) {
		damage.Lines = []int{1} // the header is there from the beginning
	}
	for text := range strings.Lines(string(whole)) {
		n++
		e, ok := parseLine(text)
		switch {
		case n == 1:
		case !ok:
			damage.Lines = append(damage.Lines, n)
		case e.Value == "":
			delete(s.values, [2]string{e.Kind, e.Key})
		default:
			s.values[[2]string{e.Kind, e.Key}] = e.Value
		}
	}
	if len(damage.Lines) > 0 {
		return s, damage
	}
	return s, nil
}

// wholeLines returns the lines of a file without the end that a crash can have left of the
// line that was being appended: one without its line end, or one with zero bytes. Where package mark has noted that
// the file was longer, that line was acknowledged, and is damaged: it is not left out.
func wholeLines(path string, data []byte) []byte {
	whole := data[:bytes.LastIndexByte(data, '\n')+1]
	if last := bytes.LastIndexByte(bytes.TrimSuffix(whole, []byte("\n")), '\n') + 1; bytes.IndexByte(whole[last:], 0) >= 0 {
		whole = whole[:last]
	}
	if len(whole) == len(data) {
		return data
	}
	if bytes.Count(data[len(whole):], []byte{0}) > maxAppend || mark.Least(filepath.Dir(path), filepath.Base(path)) > int64(len(whole)) {
		return data // what was safe is gone
	}
	return whole
}

// line returns the line of an entry.
func (e Entry) line() string {
	text := e.Kind + " " + e.Key + " " + e.Value
	return fmt.Sprintf("%s %08x\n", text, crc32.Checksum([]byte(text), castagnoli))
}

// parseLine reads one line, which is exactly as Entry.line writes it.
func parseLine(text string) (Entry, bool) {
	end := strings.LastIndexByte(text, ' ')
	if end < 0 {
		return Entry{}, false
	}
	kind, rest, _ := strings.Cut(text[:end], " ")
	key, value, ok := strings.Cut(rest, " ")
	e := Entry{kind, key, value}
	return e, ok && e.check() == nil && e.line() == text
}

func (e Entry) check() error {
	if e.Kind == "" || e.Key == "" || strings.ContainsAny(e.Kind+e.Key, " \n") || strings.Contains(e.Value, "\n") {
		return fmt.Errorf("journal: %q %q %q is no entry", e.Kind, e.Key, e.Value)
	}
	return nil
}

// Append adds entries to the journal at path, which is made where it is absent, and returns when
// they are on the disk. Entries that the journal has already are left out. A damaged journal
// stays as it is: the error is then a *DamagedError.
func Append(path string, hooks disk.Hooks, entries ...Entry) error {
	for _, e := range entries {
		if err := e.check(); err != nil {
			return err
		}
	}
	return update(path, Header, hooks, func(f *os.File, locked bool) error {
		data, err := disk.ReadOwnPlain(path, MaxFile)
		if err != nil {
			return err
		}
		s, err := parse(path, data)
		if err != nil {
			return err
		}
		var lines []string
		for _, e := range entries {
			if s.Value(e.Kind, e.Key) != e.Value {
				s.values[[2]string{e.Kind, e.Key}] = e.Value
				lines = append(lines, e.line())
			}
		}
		if len(lines) == 0 {
			return nil
		}
		long := s.size > compactAt && s.size > compactShare*int64(len(s.text()))
		if locked && (long || len(lines) > 1 || len(lines[0]) > maxAppend || s.size < int64(len(data))) {
			return replace(path, hooks, s, int64(len(data)))
		}
		for _, text := range lines {
			if _, err := disk.Disk(hooks).Write(f, []byte(text)); err != nil {
				return err
			}
			if err := disk.Disk(hooks).Sync(f); err != nil {
				return err
			}
		}
		return nil
	})
}

// Mend writes the sound lines of a damaged journal to a new file, after it has kept the damaged
// file at aside. extra are added. A journal without damage stays as it is.
func Mend(path string, hooks disk.Hooks, aside string, extra func(State) []Entry) error {
	return update(path, Header, hooks, func(*os.File, bool) error {
		data, err := disk.ReadOwnPlain(path, MaxFile)
		if err != nil {
			return err
		}
		s, err := parse(path, data)
		var damage *DamagedError
		if !errors.As(err, &damage) {
			return err
		}
		if err := hooks.Replace(aside, data, 0o600); err != nil {
			return err
		}
		for _, e := range extra(s) {
			s.values[[2]string{e.Kind, e.Key}] = e.Value
		}
		return replace(path, hooks, s, int64(len(data)))
	})
}

// text returns the journal that has each entry once.
func (s State) text() []byte {
	lines := make([]string, 0, len(s.values))
	for at, value := range s.values {
		if value != "" {
			lines = append(lines, Entry{at[0], at[1], value}.line())
		}
	}
	slices.Sort(lines)
	return []byte(Header + strings.Join(lines, ""))
}

// replace writes a journal of was bytes again, with each entry once. Where it becomes shorter, its
// length is forgotten first: a crash in between costs the alarm about a file that was set
// back, and gives no false one.
func replace(path string, hooks disk.Hooks, s State, was int64) error {
	text := s.text()
	if int64(len(text)) < was {
		if err := mark.Forget(filepath.Dir(path), filepath.Base(path)); err != nil {
			return err
		}
	}
	return hooks.Replace(path, text, 0o600)
}

// update calls fn with the file at path open for adding lines, and reports whether other writers are locked
// out. The file is made with its header where it is absent.
func update(path, header string, hooks disk.Hooks, fn func(f *os.File, locked bool) error) error {
	const pause = 2 * time.Millisecond
	for waited := time.Duration(0); ; waited += pause {
		f, err := disk.OpenPlain(path, os.O_RDWR|os.O_APPEND, 0)
		if errors.Is(err, fs.ErrNotExist) {
			if err = begin(path, header, hooks); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return err
		}
		locked, supported := disk.TryLock(f)
		if supported && locked {
			mine, err := f.Stat()
			now, lost := os.Lstat(path)
			locked = err == nil && lost == nil && os.SameFile(mine, now)
		}
		if locked || !supported {
			return errors.Join(fn(f, locked), f.Close())
		}
		if err := f.Close(); err != nil {
			return err
		}
		if waited >= lockWait {
			return fmt.Errorf("%s is held by another process", path)
		}
		time.Sleep(pause)
	}
}

// begin makes a file without entries, unless another process makes it first.
func begin(path, header string, hooks disk.Hooks) error {
	d := disk.Disk(hooks)
	f, err := d.CreateTemp(filepath.Dir(path), filepath.Base(path)+"-*.new")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = d.Write(f, []byte(header))
	if err == nil {
		err = d.Sync(f)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := d.Link(f.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return d.SyncDir(filepath.Dir(path))
}
