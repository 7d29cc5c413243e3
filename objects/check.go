package objects

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"sync"

	"muniment/objects/object"
	"muniment/objects/pack"
)

// A State is the outcome of looking at one object or file.
type State string

// The states of a Problem. An object or file that is sound has none.
const (
	Failed     State = "failed"      // there, and wrong
	Absent     State = "absent"      // named, and not there
	NotChecked State = "not checked" // not looked at, for the reason given
)

// A Problem is an object or file that Check, CheckFiles or Doctor found wrong.
type Problem struct {
	Object string // an object's name, or a file's path in the repository
	State  State
	Reason string
}

// String returns the problem on one line.
func (p Problem) String() string { return fmt.Sprintf("%s: %s: %s", p.Object, p.State, p.Reason) }

// maxProblems bounds the list of a CheckReport; the counts go on.
const maxProblems = 1000

// A CheckReport counts objects. Checked = OK + Failed; NotChecked counts the
// known objects that could not be looked at: what lies below a failed or
// absent tree is unknown and counted nowhere.
type CheckReport struct {
	Checked, OK, Failed, Absent, NotChecked int64

	Problems []Problem // at most 1000, by object name
}

// checkBatch is how many blobs a worker takes at a time.
const checkBatch = 256

// Check reads every object reachable from tips, once, and hashes it against
// its name. Commits and trees must also have their form, and every object must
// be of the kind that the object naming it says. Parents beyond a shallow
// boundary are not checked, and counted so. progress, which may be nil, is
// called with the number of objects done, from one goroutine at a time. The
// error is only for a store that cannot be read at all.
func (s *Store) Check(tips []Hash, progress func(done int64)) (*CheckReport, error) {
	if err := s.rescan(); err != nil {
		return nil, err
	}
	v, err := s.acquire()
	if err != nil {
		return nil, err
	}
	defer s.release(v)
	shallow, err := s.Shallow()
	if err != nil {
		return nil, err
	}
	c := &checker{
		store: s, packs: v, progress: progress, shallow: shallow,
		seen: newMarks(v), blobs: newMarks(v),
	}
	for _, h := range tips {
		c.visit(h, 0)
	}
	for len(c.stack) > 0 {
		last := len(c.stack) - 1
		n := c.stack[last]
		c.stack = c.stack[:last]
		c.node(n.hash, n.want)
	}
	c.checkBlobs()
	if progress != nil {
		progress(c.done())
	}
	slices.SortFunc(c.report.Problems, func(a, b Problem) int {
		return cmp.Or(strings.Compare(a.Object, b.Object), cmp.Compare(a.State, b.State))
	})
	return &c.report, nil
}

// Shallow returns the commits whose parents this copy does not have, from git's
// file shallow.
func (s *Store) Shallow() (map[Hash]bool, error) {
	data, err := readBounded(s.path("shallow"), maxPackedRefs)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	out := map[Hash]bool{}
	for line := range strings.Lines(string(data)) {
		h, err := ParseHash(strings.TrimSuffix(line, "\n"))
		if err != nil {
			return nil, object.Corruptf("shallow: %v", err)
		}
		out[h] = true
	}
	return out, nil
}

// A checker walks commits, tags and trees one by one, collecting the blobs,
// which are then read in the order in which they lie in their packs.
type checker struct {
	store   *Store
	packs   *packSet
	shallow map[Hash]bool
	seen    *marks // commits, trees, tags that are on the stack or done
	blobs   *marks
	stack   []checkNode
	near    pack.Nearby // of commits, tags and trees

	mu       sync.Mutex
	report   CheckReport
	progress func(int64)
}

// A checkNode is an object that another names.
type checkNode struct {
	hash Hash
	want Kind // 0: any
}

// visit marks a blob, or puts any other object on the stack, unless it was seen.
func (c *checker) visit(h Hash, want Kind) {
	if want == Blob {
		c.blobs.add(h)
	} else if c.seen.add(h) {
		c.stack = append(c.stack, checkNode{h, want})
	}
}

// node reads one object and visits those it names.
func (c *checker) node(h Hash, want Kind) {
	k, data, err := c.read(h, &c.near)
	if err == nil && want != 0 && k != want {
		err = object.Corruptf("it is a %s, want a %s", k, want)
	}
	if err == nil && k == Blob {
		// A tip that is a blob. It may be named as a blob again.
		c.blobs.add(h)
		return
	}
	var next []checkNode
	if err == nil {
		next, err = links(k, data)
	}
	c.count(h, err)
	if err != nil {
		return
	}
	for _, n := range next {
		if k == Commit && n.want == Commit && c.shallow[h] {
			c.notChecked(n.hash, "beyond the shallow boundary of this copy")
			continue
		}
		c.visit(n.hash, n.want)
	}
}

// links returns the objects that a commit, tree or tag names.
func links(k Kind, data []byte) ([]checkNode, error) {
	switch k {
	case Commit:
		return commitLinks(data)
	case Tag:
		return tagLinks(data)
	}
	entries, err := ParseTree(data)
	if err != nil {
		return nil, err
	}
	out := make([]checkNode, len(entries))
	for i, e := range entries {
		out[i] = checkNode{e.Hash, Blob}
		if e.Mode == ModeTree {
			out[i].want = Tree
		}
	}
	return out, nil
}

// commitLinks returns the tree of a commit, and then its parents.
func commitLinks(data []byte) ([]checkNode, error) {
	tree, err := commitTree(data)
	if err != nil {
		return nil, err
	}
	out := []checkNode{{tree, Tree}}
	rest := data[len("tree ")+2*len(tree)+1:]
	for bytes.HasPrefix(rest, []byte("parent ")) {
		line, after, _ := bytes.Cut(rest, []byte("\n"))
		h, err := ParseHash(string(line[len("parent "):]))
		if err != nil {
			return nil, object.Corruptf("commit parent: %v", err)
		}
		out = append(out, checkNode{h, Commit})
		rest = after
	}
	return out, nil
}

// tagLinks returns the one object that a tag names.
func tagLinks(data []byte) ([]checkNode, error) {
	lines := strings.SplitN(string(data), "\n", 3)
	if len(lines) == 3 {
		hex, isObject := strings.CutPrefix(lines[0], "object ")
		word, isType := strings.CutPrefix(lines[1], "type ")
		h, err := ParseHash(hex)
		k, known := object.ParseKind(word)
		if isObject && isType && known && err == nil {
			return []checkNode{{h, k}}, nil
		}
	}
	return nil, object.Corruptf("tag does not begin with its object and type")
}

// read returns an object from the pack set of the check or, if that fails, from
// the store as it is now.
func (c *checker) read(h Hash, near *pack.Nearby) (Kind, []byte, error) {
	k, data, err := c.store.getIn(c.packs, h, near)
	if err != nil {
		return c.store.Get(h)
	}
	return k, data, nil
}

// checkBlobs reads the marked blobs on all processors.
func (c *checker) checkBlobs() {
	work := make(chan []Hash)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			var near pack.Nearby
			for hashes := range work {
				for _, h := range hashes {
					k, data, err := c.read(h, &near)
					if cap(data) > cap(near.Room) {
						near.Room = data // nobody keeps it: the next object may take its place
					}
					if err == nil && k != Blob {
						err = object.Corruptf("it is a %s, want a blob", k)
					}
					c.count(h, err)
				}
			}
		})
	}
	c.blobs.inPackOrder(checkBatch, func(hashes []Hash) { work <- hashes })
	close(work)
	wg.Wait()
}

// count adds the outcome of reading an object to the report.
func (c *checker) count(h Hash, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case err == nil:
		c.report.Checked++
		c.report.OK++
	case errors.Is(err, ErrNotFound):
		c.report.Absent++
		c.problem(h, Absent, err)
	case errors.Is(err, ErrCorrupt), errors.Is(err, ErrCollision), errors.Is(err, ErrTooLarge):
		c.report.Checked++
		c.report.Failed++
		c.problem(h, Failed, err)
	default:
		c.report.NotChecked++
		c.problem(h, NotChecked, err)
	}
	if c.progress != nil && c.done()%checkBatch == 0 {
		c.progress(c.done())
	}
}

// done returns the number of objects that were counted.
func (c *checker) done() int64 {
	return c.report.Checked + c.report.Absent + c.report.NotChecked
}

// notChecked adds an object that could not be looked at to the report.
func (c *checker) notChecked(h Hash, why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.report.NotChecked++
	c.problem(h, NotChecked, errors.New(why))
}

// problem adds to the list of the report while there is room.
func (c *checker) problem(h Hash, st State, err error) {
	if len(c.report.Problems) < maxProblems {
		reason := strings.TrimPrefix(err.Error(), "object "+h.String()+": ")
		c.report.Problems = append(c.report.Problems, Problem{h.String(), st, reason})
	}
}

// marks is a set of objects: one bit for each object of a pack set, and a map
// for the others.
type marks struct {
	packs  *packSet
	bits   [][]uint64
	others map[Hash]struct{}
}

func newMarks(v *packSet) *marks {
	m := &marks{packs: v, bits: make([][]uint64, len(v.all)), others: map[Hash]struct{}{}}
	for i, p := range v.all {
		m.bits[i] = make([]uint64, (p.Index.Len()+63)/64)
	}
	return m
}

// add reports whether h was not in the set.
func (m *marks) add(h Hash) bool {
	for i, p := range m.packs.all {
		if pos, ok := p.Index.Find(h); ok {
			word, bit := &m.bits[i][pos/64], uint64(1)<<(pos%64)
			fresh := *word&bit == 0
			*word |= bit
			return fresh
		}
	}
	_, have := m.others[h]
	m.others[h] = struct{}{}
	return !have
}

// inPackOrder calls fn with at most n objects at a time, those of a pack in
// the order of their offsets.
func (m *marks) inPackOrder(n int, fn func([]Hash)) {
	type place struct {
		offset int64
		pos    int
	}
	for i, p := range m.packs.all {
		var places []place
		for pos := range p.Index.Len() {
			if m.bits[i][pos/64]>>(pos%64)&1 == 1 {
				off, _ := p.Index.Offset(pos) // a bad one shows when it is read
				places = append(places, place{off, pos})
			}
		}
		slices.SortFunc(places, func(a, b place) int { return cmp.Compare(a.offset, b.offset) })
		for part := range slices.Chunk(places, n) {
			hashes := make([]Hash, len(part))
			for j, at := range part {
				hashes[j] = p.Index.Name(at.pos)
			}
			fn(hashes)
		}
	}
	for h := range m.others {
		fn([]Hash{h})
	}
}
