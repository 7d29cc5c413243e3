package keyfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"muniment/objects/disk"
)

// ErrBusy means that another process writes the set.
var ErrBusy = errors.New("another process writes the index")

// maxPending is how many bytes of keys are kept in memory before they become a
// table: a million artifacts make about ten such tables.
const maxPending = 16 << 20

// tableSuffix ends the name of a table's file.
const tableSuffix = ".keys"

// A Mode says what Begin goes on from.
type Mode bool

// The modes.
const (
	Extend  Mode = false // the set that is there
	Rebuild Mode = true  // nothing
)

// A Writer adds keys to a set. End it with Commit or Abort.
type Writer struct {
	dir     string
	hooks   disk.Hooks
	lock    *os.File
	set     *Set
	next    int // number of the next table
	pending [][]byte
	size    int
	runs    []*table
}

// Begin takes the lock of the set in dir, which exists, and returns a writer of
// it. The error is ErrBusy where another process has the lock, and that of Open
// where there is no set to extend.
func Begin(dir string, hooks disk.Hooks, mode Mode) (*Writer, error) {
	lock, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	w := &Writer{dir: dir, hooks: hooks, lock: lock, set: &Set{}}
	if locked, supported := disk.TryLock(lock); supported && !locked {
		lock.Close()
		return nil, ErrBusy
	}
	if mode == Extend {
		w.set, err = Open(dir)
	}
	var names []string
	if err == nil {
		names, err = tableNames(dir)
	}
	if err != nil {
		lock.Close()
		return nil, err
	}
	for _, name := range names {
		n, _ := strconv.Atoi(strings.TrimSuffix(name, tableSuffix))
		w.next = max(w.next, n)
	}
	return w, nil
}

// tableNames lists the files of tables in dir, those of a set and others.
func tableNames(dir string) ([]string, error) {
	list, err := os.ReadDir(dir)
	var out []string
	for _, e := range list {
		if strings.HasSuffix(e.Name(), tableSuffix) {
			out = append(out, e.Name())
		}
	}
	return out, err
}

// Label returns the label of the set that the writer extends, "" for a new one.
func (w *Writer) Label() string {
	if w.set == nil {
		return ""
	}
	return w.set.Label
}

// Add adds a key, which the writer keeps.
func (w *Writer) Add(key []byte) error {
	w.pending = append(w.pending, key)
	if w.size += len(key); w.size < maxPending {
		return nil
	}
	return w.flush()
}

// flush writes the pending keys as a table.
func (w *Writer) flush() error {
	run, err := tableOf(w.pending)
	if err != nil {
		return err
	}
	if run, err = w.write([]*table{run}); err != nil {
		return err
	}
	w.runs = append(w.runs, run)
	clear(w.pending)
	w.pending, w.size = w.pending[:0], 0
	return nil
}

// write writes the keys of tables into a new one and maps it.
func (w *Writer) write(tables []*table) (*table, error) {
	w.next++
	d := disk.Disk(w.hooks)
	path := filepath.Join(w.dir, strconv.Itoa(w.next)+tableSuffix)
	f, err := d.Create(path, 0o600)
	if err != nil {
		return nil, err
	}
	t := newTableWriter(d.Writer(f))
	for key, err2 := range merge(tables, nil) {
		if err = err2; err == nil {
			err = t.add(key)
		}
		if err != nil {
			break
		}
	}
	if err == nil {
		err = t.finish()
	}
	if err == nil {
		err = d.Sync(f)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, errors.Join(err, os.Remove(path))
	}
	return openTable(path)
}

// Commit makes the keys part of the set under a new label, one line, and ends the
// writer.
func (w *Writer) Commit(label string) error {
	defer w.Abort()
	if strings.ContainsAny(label, "\n\r") {
		return fmt.Errorf("label %q is not one line", label)
	}
	if w.set == nil {
		return errors.New("keyfile: a writer begins with Begin")
	}
	all := slices.Clone(w.set.tables)
	slices.SortStableFunc(all, func(a, b *table) int { return int(min(1, max(-1, b.keys-a.keys))) })
	fresh := slices.Clone(w.runs)
	if len(w.pending) > 0 {
		t, err := tableOf(w.pending)
		if err != nil {
			return err
		}
		fresh = append(fresh, t)
	}
	size := int64(0)
	for _, t := range fresh {
		size += t.keys
	}
	for size > 0 && len(all) > 0 && all[len(all)-1].keys < 2*size {
		last := all[len(all)-1]
		all, fresh, size = all[:len(all)-1], append(fresh, last), size+last.keys
	}
	if len(fresh) > 1 || len(fresh) == 1 && fresh[0].name == "" {
		merged, err := w.write(fresh)
		if err != nil {
			return err
		}
		w.runs = append(w.runs, merged)
		fresh = []*table{merged}
	}
	var names []string
	for _, t := range append(all, fresh...) {
		names = append(names, t.name)
	}
	if err := w.hooks.Replace(filepath.Join(w.dir, currentFile), encodeCurrent(label, names), 0o600); err != nil {
		return err
	}
	return w.sweep(names)
}

// sweep removes the files of tables that the set does not name any more, and those
// that an interrupted writer left.
func (w *Writer) sweep(keep []string) error {
	there, err := tableNames(w.dir)
	for _, name := range there {
		if !slices.Contains(keep, name) {
			if e := os.Remove(filepath.Join(w.dir, name)); e != nil && !errors.Is(e, fs.ErrNotExist) {
				err = errors.Join(err, e)
			}
		}
	}
	return err
}

// Abort ends the writer. What it wrote since Begin is swept by the next one.
func (w *Writer) Abort() {
	if w.lock == nil {
		return
	}
	for _, t := range append(w.runs, w.set.tables...) {
		_ = t.close()
	}
	w.lock.Close()
	w.lock = nil
}
