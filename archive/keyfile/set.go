package keyfile

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const (
	currentFile = "current"
	form        = "muniment/keys/v2"
	// maxCurrent bounds what is read of "current": far more than the tables of a
	// set that fits on a disk.
	maxCurrent = 64 << 10
	// openTries is how often a reader begins again when a writer removed a table
	// between the reading of "current" and its opening.
	openTries = 5
)

// A Set is an open set of keys. It does not change; a writer makes another.
type Set struct {
	Label  string // what Commit was given
	tables []*table
}

// Open opens the set in dir. The error is fs.ErrNotExist where there is none, and
// ErrDamaged where what is there is not a set.
func Open(dir string) (*Set, error) {
	for try := 1; ; try++ {
		s, err := open(dir)
		if err == nil || !errors.Is(err, ErrDamaged) && !errors.Is(err, fs.ErrNotExist) {
			return s, err
		}
		if _, there := os.Lstat(filepath.Join(dir, currentFile)); there != nil {
			return nil, there
		}
		if try == openTries {
			return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
		}
	}
}

func open(dir string) (*Set, error) {
	label, names, err := readCurrent(dir)
	if err != nil {
		return nil, err
	}
	s := &Set{Label: label}
	for _, name := range names {
		t, err := openTable(filepath.Join(dir, name))
		if err != nil {
			return nil, errors.Join(err, s.Close())
		}
		s.tables = append(s.tables, t)
	}
	return s, nil
}

// readCurrent returns the label of a set and the names of its tables.
func readCurrent(dir string) (label string, tables []string, err error) {
	path := filepath.Join(dir, currentFile)
	info, err := os.Stat(path)
	if err != nil {
		return "", nil, err
	}
	if info.Size() > maxCurrent {
		return "", nil, fmt.Errorf("%s: %w: %d bytes", path, ErrDamaged, info.Size())
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return "", nil, err
	}
	lines := strings.Split(string(data), "\n")
	if len(lines) < 4 || lines[0] != form {
		return "", nil, fmt.Errorf("%s: %w: it has another beginning", path, ErrDamaged)
	}
	label = strings.TrimPrefix(lines[1], "label ")
	for _, line := range lines[2 : len(lines)-2] {
		tables = append(tables, strings.TrimPrefix(line, "table "))
	}
	if !bytes.Equal(encodeCurrent(label, tables), data) {
		return "", nil, fmt.Errorf("%s: %w: its checksum is another", path, ErrDamaged)
	}
	return label, tables, nil
}

func encodeCurrent(label string, tables []string) []byte {
	out := fmt.Appendf(nil, "%s\nlabel %s\n", form, label)
	for _, name := range tables {
		out = fmt.Appendf(out, "table %s\n", name)
	}
	return fmt.Appendf(out, "sha256 %x\n", sha256.Sum256(out))
}

// With returns the set with more keys, which lie in memory. The tables are those
// of s, which the caller closes.
func (s *Set) With(keys [][]byte) (*Set, error) {
	if len(keys) == 0 {
		return s, nil
	}
	t, err := tableOf(keys)
	if err != nil {
		return nil, err
	}
	return &Set{Label: s.Label, tables: append(slices.Clone(s.tables), t)}, nil
}

// tableOf returns a table in memory. It sorts keys.
func tableOf(keys [][]byte) (*table, error) {
	slices.SortFunc(keys, bytes.Compare)
	var out bytes.Buffer
	w := newTableWriter(&out)
	for _, key := range keys {
		if err := w.add(key); err != nil {
			return nil, err
		}
	}
	if err := w.finish(); err != nil {
		return nil, err
	}
	return parseTable(out.Bytes())
}

// Scan yields the keys from the first that is not below from to the last that is
// not above to or begins with it, in order; Scan(p, p) yields the keys that begin
// with p. The yielded slice is valid until the next. An error ends the scan.
func (s *Set) Scan(from, to []byte) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for key, err := range merge(s.tables, from) {
			if err == nil && bytes.Compare(key[:min(len(key), len(to))], to) > 0 {
				return
			}
			if !yield(key, err) {
				return
			}
		}
	}
}

// merge yields the keys of tables that are not below from, each once.
func merge(tables []*table, from []byte) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		var live []*cursor
		for _, t := range tables {
			c, ok := t.seek(from)
			if c.err != nil {
				yield(nil, c.err)
				return
			}
			if ok {
				live = append(live, c)
			}
		}
		var last []byte
		for first := true; len(live) > 0; first = false {
			least := 0
			for i := range live {
				if bytes.Compare(live[i].key, live[least].key) < 0 {
					least = i
				}
			}
			c := live[least]
			if (first || !bytes.Equal(c.key, last)) && !yield(c.key, nil) {
				return
			}
			last = append(last[:0], c.key...)
			if !c.advance() {
				if c.err != nil {
					yield(nil, c.err)
					return
				}
				live = slices.Delete(live, least, least+1)
			}
		}
	}
}

// Close ends the mappings.
func (s *Set) Close() error {
	var err error
	for _, t := range s.tables {
		err = errors.Join(err, t.close())
	}
	s.tables = nil
	return err
}

// MaxTries is how often a set that turns out to be damaged is opened.
const MaxTries = 3

// Scan calls fn with keys of the set that open returns, from the first to the last that
// begins with to, until fn returns false. A set that turns out to be damaged is dropped
// and opened again, and the scan continues after the last key.
func Scan(open func() (*Set, error), drop func(), from, to []byte, fn func(key []byte) (bool, error)) error {
	for try := 1; ; try++ {
		set, err := open()
		if err == nil {
			for key, err2 := range set.Scan(from, to) {
				if err = err2; err != nil {
					break
				}
				from = append(bytes.Clone(key), 0)
				if more, err := fn(key); err != nil || !more {
					return err
				}
			}
		}
		if err == nil || !errors.Is(err, ErrDamaged) || try == MaxTries {
			return err
		}
		drop()
	}
}

// Key returns the key of a kind, a value and a place.
func Key(kind byte, value, place []byte) []byte {
	out := make([]byte, 0, 1+len(value)+len(place))
	return append(append(append(out, kind), value...), place...)
}
