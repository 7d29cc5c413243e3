// Package powercut replays what a power cut may leave of a folder while a
// program writes to it. Only tests import it.
//
// A [Recorder] is handed every operation of [objects.Hooks] and keeps the
// folder as it was before, which counts as safely on the disk:
//
//	rec, err := powercut.Record(dir)
//	store, err := objects.OpenWith(dir, objects.Hooks{After: rec.After})
//	// publish something
//	rec.States(func(s powercut.State) error {
//		err := stage.Show(s) // a Stage is a folder that takes on states
//		…open it, check it…
//	})
//
// # The model of a crash
//
// The power may go after any operation. What is then on the disk is decided
// by these rules, which allow more than any common file system does:
//
//   - A change of names (create, mkdir, rename, link, remove) lasts from the sync of
//     the directory whose names it changed; a rename between two directories
//     from the sync of the one it went to. Of the changes that do not last yet
//     any subset may be there, in whatever directories; those that are there
//     count in their order. A rename is there wholly or not at all.
//   - The bytes of a file last from its own sync, whatever name it has. Of a
//     file written since, these may be there: nothing of it; every beginning
//     of the writes, in steps of 512 bytes and in steps of one byte up to 160
//     bytes of one write; all of its length filled with zeros, or with any one
//     block of 4096 bytes zero; all writes but one.
//   - A sync of a file says nothing about its name, and a sync of a directory
//     nothing about the bytes of the files in it.
//
// Where several unsynced files are to be seen at once, each goes through all
// its contents while every other one shows, independently, none or all of its
// writes.
package powercut

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"muniment/objects/disk"
)

// A node is a file or directory, whatever its name.
type node struct {
	dir     bool
	base    []byte           // of a file, before the recording
	entries map[string]*node // of a directory, as a running program sees it
	first   map[string]*node // of a directory, before the recording
}

// A binding gives a name in a directory to a node, or to none.
type binding struct {
	in   *node
	name string
	to   *node
}

// A step is one recorded operation.
type step struct {
	op    disk.Operation
	binds []binding // of a change of names
	owner *node     // whose sync makes the names last, or the node synced or written
}

// A Recorder keeps what happened to a folder, in order.
type Recorder struct {
	mu    sync.Mutex
	dir   string
	root  *node
	steps []step
	err   error // of an operation on a name that is not there
	skip  func(disk.Operation) bool
}

// Record reads a folder as it is now.
func Record(dir string) (*Recorder, error) {
	root, err := read(dir)
	return &Recorder{dir: dir, root: root}, err
}

// Forget leaves operations out of the record, as if the program under test did
// not do them: with a sync left out a test must find states that are wrong.
func (r *Recorder) Forget(drop func(disk.Operation) bool) { r.skip = drop }

func read(path string) (*node, error) {
	names, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	n := &node{dir: true, entries: map[string]*node{}, first: map[string]*node{}}
	for _, e := range names {
		var sub *node
		if e.IsDir() {
			sub, err = read(filepath.Join(path, e.Name()))
		} else {
			sub = &node{}
			sub.base, err = os.ReadFile(filepath.Join(path, e.Name()))
		}
		if err != nil {
			return nil, err
		}
		n.entries[e.Name()], n.first[e.Name()] = sub, sub
	}
	return n, nil
}

// Len returns how many operations were recorded.
func (r *Recorder) Len() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.steps)
}

// After takes in an operation. It is the hook of that name.
func (r *Recorder) After(op disk.Operation) {
	r.mu.Lock()
	defer r.mu.Unlock()
	op.Data = slices.Clone(op.Data)
	s := step{op: op}
	var err error
	switch op.Op {
	case "create", "mkdir":
		made := &node{dir: op.Op == "mkdir"}
		if made.dir {
			made.entries = map[string]*node{}
		}
		err = r.bind(&s, op.Path, made)
	case "remove":
		err = r.bind(&s, op.Path, nil)
	case "rename":
		var moved *node
		if moved, err = r.find(op.From); err == nil {
			err = r.bind(&s, op.Path, moved)
		}
		if err == nil {
			to := s.owner
			err = r.bind(&s, op.From, nil)
			s.owner = to
		}
	case "link":
		var same *node
		if same, err = r.find(op.From); err == nil {
			err = r.bind(&s, op.Path, same)
		}
	case "write", "sync", "syncdir":
		s.owner, err = r.find(op.Path)
	case "chmod":
		return
	default:
		err = fmt.Errorf("operation %q is not known", op.Op)
	}
	if err != nil && r.err == nil {
		r.err = err
	}
	if err == nil && (r.skip == nil || !r.skip(op)) {
		r.steps = append(r.steps, s)
	}
}

// find returns the node of a path as the program sees it.
func (r *Recorder) find(path string) (*node, error) {
	rel, err := filepath.Rel(r.dir, path)
	if err != nil || !filepath.IsLocal(rel) {
		return nil, fmt.Errorf("%s is outside of %s", path, r.dir)
	}
	n := r.root
	if rel == "." {
		return n, nil
	}
	for _, part := range strings.Split(filepath.ToSlash(rel), "/") {
		if n = n.entries[part]; n == nil {
			return nil, fmt.Errorf("%s: %w", rel, fs.ErrNotExist)
		}
	}
	return n, nil
}

func (r *Recorder) bind(s *step, path string, to *node) error {
	in, err := r.find(filepath.Dir(path))
	if err != nil {
		return err
	}
	s.owner = in
	s.binds = append(s.binds, binding{in, filepath.Base(path), to})
	if to == nil {
		delete(in.entries, filepath.Base(path))
	} else {
		in.entries[filepath.Base(path)] = to
	}
	return nil
}

// A State is one folder that a power cut may leave. Its maps are used again
// after the call that it was handed to.
type State struct {
	After int                // operations that had been done
	Last  bool               // these were all: the program had returned
	Files map[string]content // by path, with slashes
	Dirs  map[string]bool
}

// content is a file's bytes and their sum.
type content struct {
	data []byte
	sum  [32]byte
}

func contentOf(data []byte) content { return content{data, sha256.Sum256(data)} }

// Data returns the bytes of a file, and whether it is there.
func (s State) Data(path string) ([]byte, bool) {
	c, ok := s.Files[path]
	return c.data, ok
}

// Key tells states apart by the files whose names keep takes; nil takes all.
func (s State) Key(keep func(path string) bool) [32]byte {
	var names []string
	for p := range s.Files {
		if keep == nil || keep(p) {
			names = append(names, p)
		}
	}
	slices.Sort(names)
	var all []byte
	for _, p := range names {
		sum := s.Files[p].sum
		all = append(append(append(all, p...), 0), sum[:]...)
	}
	return sha256.Sum256(all)
}

// States calls fn for every state that a power cut may leave, once for each
// content of the folder and number of operations, until fn fails. The
// recording must be over.
func (r *Recorder) States(fn func(State) error) error {
	if r.err != nil {
		return r.err
	}
	for done := 0; done <= len(r.steps); done++ {
		seen := map[[32]byte]bool{}
		err := r.cut(done, func(s State) error {
			if k := s.Key(nil); !seen[k] {
				seen[k] = true
				return fn(s)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// maxLoose is how many changes of names may be unsafe at once: beyond it the
// subsets are too many, and the program under test syncs too seldom.
const maxLoose = 16

// cut goes through the states after the first done operations.
func (r *Recorder) cut(done int, fn func(State) error) error {
	steps := r.steps[:done]
	var loose []int // indexes of changes of names that need not last
	for i, s := range steps {
		if len(s.binds) > 0 && !slices.ContainsFunc(steps[i+1:], func(t step) bool { return t.op.Op == "syncdir" && t.owner == s.owner }) {
			loose = append(loose, i)
		}
	}
	if len(loose) > maxLoose {
		return fmt.Errorf("after %d operations %d changes of names are not safe, more than %d", done, len(loose), maxLoose)
	}
	known := map[*node][]content{}
	held := func(n *node) []content {
		if known[n] == nil {
			known[n] = contents(n, steps)
		}
		return known[n]
	}
	for subset := range 1 << len(loose) {
		names := map[*node]map[string]*node{}
		for i, s := range steps {
			if at := slices.Index(loose, i); at >= 0 && subset>>at&1 == 0 {
				continue
			}
			for _, b := range s.binds {
				if names[b.in] == nil {
					names[b.in] = cloneNames(b.in.first)
				}
				if b.to == nil {
					delete(names[b.in], b.name)
				} else {
					names[b.in][b.name] = b.to
				}
			}
		}
		s := State{After: done, Last: done == len(r.steps), Dirs: map[string]bool{}, Files: map[string]content{}}
		var open []unsafeFile
		s.flatten("", r.root, names, held, &open)
		if err := s.fill(open, fn); err != nil {
			return err
		}
	}
	return nil
}

func cloneNames(m map[string]*node) map[string]*node {
	out := make(map[string]*node, len(m))
	for k, v := range m {
		out[k] = v
	}
	return out
}

// An unsafeFile is a file of a state whose bytes are not settled.
type unsafeFile struct {
	path     string
	contents []content // the first is none of the writes, the last all of them
}

// flatten lists the files below a directory.
func (s State) flatten(path string, dir *node, names map[*node]map[string]*node, held func(*node) []content, open *[]unsafeFile) {
	entries := dir.first
	if changed, ok := names[dir]; ok {
		entries = changed
	}
	for name, n := range entries {
		p := strings.TrimPrefix(path+"/"+name, "/")
		if n.dir {
			s.Dirs[p] = true
			s.flatten(p, n, names, held, open)
			continue
		}
		all := held(n)
		s.Files[p] = all[len(all)-1]
		if len(all) > 1 {
			*open = append(*open, unsafeFile{p, all})
		}
	}
}

// fill goes through the contents of the unsafe files: each through all of
// its own while the others show none or all.
func (s State) fill(open []unsafeFile, fn func(State) error) error {
	if len(open) == 0 {
		return fn(s)
	}
	for i, f := range open {
		for others := range 1 << (len(open) - 1) {
			bit := 0
			for j, o := range open {
				if j == i {
					continue
				}
				s.Files[o.path] = o.contents[0]
				if others>>bit&1 == 1 {
					s.Files[o.path] = o.contents[len(o.contents)-1]
				}
				bit++
			}
			for _, c := range f.contents {
				s.Files[f.path] = c
				if err := fn(s); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
