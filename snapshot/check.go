package snapshot

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"muniment/cid"
	"muniment/cid/jcs"
	"muniment/objects"
	"muniment/sign"
	"muniment/sign/trust"
)

// A Problem is something that Check found, or could not look at.
type Problem struct {
	Seq    int64         // the snapshot in which it showed first
	Path   string        // the file, or "" for the snapshot itself
	State  objects.State // Failed, Absent or NotChecked
	Reason string
}

// String returns the problem on one line.
func (p Problem) String() string {
	where := p.Path
	if where == "" {
		where = "the snapshot"
	}
	return fmt.Sprintf("snapshot %d: %s: %s: %s", p.Seq, where, p.State, p.Reason)
}

// A Report is the result of Check. An item is the root of a snapshot, a file
// with its content, or a rule that was broken or could not be checked;
// Items = OK + Failed + Absent + NotChecked.
type Report struct {
	Head      *Snapshot // the newest snapshot, nil when it cannot be read
	Snapshots int64     // read and verified
	Items     int64

	OK, Failed, Absent, NotChecked int64

	// Unreadable counts the items among NotChecked that are here and that the system
	// did not read: see objects.IsUnreadable.
	Unreadable int64

	// Untrusted lists the snapshots whose signer is not among the allowed ones;
	// it is empty when none were given. They are no items: whose key it is says
	// nothing about the objects.
	Untrusted []Problem

	// Undersigned lists the snapshots whose signer counts, and which too few keys have
	// countersigned for the threshold of the trust root.
	Undersigned []Problem

	// Unshown says why the newest snapshot may be later than it claims: see EndUnshown.
	// It is nil where that is shown, or where no trust root was given.
	Unshown error

	// Withdrawing counts the snapshots that do what needs a key with the role
	// withdraw, see Step; Unauthorized lists those of them that no such key
	// signed or countersigned. Like Untrusted it is empty when nobody was given,
	// and it holds no items.
	Withdrawing  int64
	Unauthorized []Problem

	// Reviewed lists older snapshots that do what Checking.Review names and no key with the
	// role withdraw signed. They were valid when they were made, and still are.
	Reviewed []Problem

	// Elsewhere counts the payloads and originals in whose place a pointer lies: their
	// bytes are in a store of payloads and were not read.
	Elsewhere int64

	// Cosigned counts the countersignatures that verify for a snapshot read.
	Cosigned int64

	// Summary is that of Head, nil unless everything that was read is well. Artifacts is
	// the number of artifacts of Head; from CheckSince, how many more it has than the
	// snapshot that was checked before.
	Summary   *Summary
	Artifacts int64

	Problems []Problem // by Seq, path and reason; at most MaxProblems, while the counts go on
}

// MaxProblems bounds the list of a Report.
const MaxProblems = 1000

// Sound reports whether nothing was found wrong or missing among the objects
// and the history. What was not checked is counted in NotChecked; trust in the
// signers is in Untrusted.
func (r *Report) Sound() bool { return r.Failed == 0 && r.Absent == 0 }

// workers is how many files are read at a time: reading and hashing one of
// them while another is inflated keeps two processors busy, and memory holds
// two payloads.
const workers = 2

// queue is how many jobs wait for a worker: the walk through the trees does
// not stop for one large payload. A job that waits holds names, not bytes.
const queue = 256

// A Checking says by whose trust CheckWith judges, and how much it reads. Its zero value asks for
// no trust.
type Checking struct {
	Allowed *sign.AllowedSigners // who may act, from an allowed_signers file
	Root    *trust.Root          // or, when it is not nil, from a trust root
	Permit  Permit               // or, when it is not nil, as it says

	// Countersignatures, where they are not nil, count instead of those of the store: what
	// a copy that is not stored yet will hold.
	Countersignatures Countersignatures

	// Parsed are snapshots that [History] returned before: what it found of them is not
	// parsed again.
	Parsed []*Snapshot

	// Review returns what a snapshot does beyond what its Step shows that needs the role
	// withdraw, compared with a parent. It is asked of no first snapshot, and of no snapshot
	// whose keys have that role. isNew says whether that makes the snapshot
	// Unauthorized, or is a remark in Report.Reviewed. A nil Review asks nothing.
	Review func(parent, s *Snapshot) (acts []Act, isNew bool, err error)

	// Earlier returns the snapshot of the history with an ID, nil where the history has
	// none, for CheckSince: citations name snapshots that it does not read. Workers call
	// it at the same time.
	Earlier func(cid.ID) *Snapshot

	// Progress, which may be nil, is called from one goroutine at a time with
	// the items done and an estimate of their number.
	Progress func(done, total int64)
}

// CheckWith verifies a whole archive from the commit tip: the history and its
// signatures, every root, and every file that any snapshot holds against its
// path, its record and the rules of the archive. Countersignatures are read from
// the store's RefCountersignatures. What lies beyond the boundary of a shallow clone is
// not checked, and counted so.
//
// Citations are checked as files; whether their spans resolve is the caller's
// to check. The error is only for a history of which nothing can be read.
func CheckWith(st *objects.Store, tip objects.Hash, o Checking) (*Report, error) {
	c, err := newChecker(st, o)
	if err != nil {
		return nil, err
	}
	// 1. History: form, signatures, links.
	history, broken := readHistory(func(h objects.Hash) ([]byte, error) {
		kind, data, err := st.Get(h)
		if err == nil && kind != objects.Commit {
			err = fmt.Errorf("object %s is a %s, want a commit", h, kind)
		}
		return data, err
	}, tip, o.Parsed)
	if len(history) == 0 {
		return nil, broken
	}
	c.broken = broken != nil
	c.historyErrors(broken)
	if err := c.check(st, history, history, o); err != nil {
		return nil, err
	}
	return &c.report, nil
}

// newChecker returns a checker that has read nothing.
func newChecker(st *objects.Store, o Checking) (*checker, error) {
	c := &checker{
		get: &blobReader{Reader: st.NewReader()}, may: PermitSigners(o.Allowed), review: o.Review, progress: o.Progress, tree: &Tree{}, byID: map[cid.ID]*Snapshot{}, left: map[cid.ID][]place{},
		payloads: map[[32]byte][]objects.Hash{}, originals: map[[32]byte]bool{}, wanted: map[[32]byte]place{},
	}
	var err error
	c.shallow, err = st.Shallow()
	return c, err
}

// check checks the snapshots of todo, which are the newest of a history, and fills the
// report.
func (c *checker) check(st *objects.Store, history, todo []*Snapshot, o Checking) error {
	c.report.Head, c.earlier = history[0], o.Earlier
	if c.total = int64(len(todo)); c.since == nil {
		c.total += history[0].Entries
	}
	for _, s := range history {
		c.byID[s.ID] = s
	}
	switch {
	case o.Permit != nil:
		c.may = o.Permit
	case o.Root != nil:
		c.may = PermitRoot(o.Root, history)
	}
	if err := c.readCountersignatures(st, o.Countersignatures); err != nil {
		return err
	}
	if o.Root != nil {
		c.report.Unshown = EndUnshown(o.Root, history[0], c.countersignatures.Of(history[0]))
	}
	jobs := make(chan job, queue)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			r := &blobReader{Reader: st.NewReader()}
			for j := range jobs {
				c.run(j, r)
			}
		})
	}
	for _, s := range slices.Backward(todo) {
		c.snapshot(s, jobs)
	}
	close(jobs)
	wg.Wait()
	c.checkWanted()
	c.checkLeft()
	c.done()
	if c.report.Sound() && c.report.NotChecked == 0 {
		c.report.Summary, c.report.Artifacts = c.tree.summary(), c.artifacts
	}
	slices.SortFunc(c.report.Problems, func(a, b Problem) int {
		if a.Seq != b.Seq {
			return int(min(1, max(-1, a.Seq-b.Seq)))
		}
		return strings.Compare(a.Path+"\x00"+a.Reason, b.Path+"\x00"+b.Reason)
	})
	return nil
}

// A place is where something was asked for.
type place struct {
	seq  int64
	path string
}

// A checker goes through the snapshots, oldest first, and hands the files
// that are new in each to workers.
type checker struct {
	get               *blobReader // of the goroutine that walks
	may               Permit
	review            func(parent, s *Snapshot) (acts []Act, isNew bool, err error)
	shallow           map[objects.Hash]bool
	broken            bool // a part of the history cannot be read
	countersignatures Countersignatures
	progress          func(done, total int64)
	total             int64

	// Of the goroutine that walks.
	byID        map[cid.ID]*Snapshot
	tree        *Tree        // lines of the newest snapshot walked
	last        objects.Hash // its git tree
	since       *Snapshot    // what came before is known; nil: nothing is
	earlier     func(cid.ID) *Snapshot
	withdrawals bool  // a snapshot walked has one
	artifacts   int64 // that the newest snapshot walked has more than the first
	incomplete  bool  // a directory or file could not be read: roots cannot be computed
	payloads    map[[32]byte][]objects.Hash
	originals   map[[32]byte]bool
	hasPointers bool // a snapshot walked has a pointer

	mu     sync.Mutex
	report Report
	wanted map[[32]byte]place // originals that records name
	named  []namedOriginal    // which record names which original
	left   map[cid.ID][]place // originals that went away, and where
}

// historyErrors reports the joined errors of readHistory, each an item.
func (c *checker) historyErrors(err error) {
	var joined interface{ Unwrap() []error }
	if errors.As(err, &joined) {
		for _, e := range joined.Unwrap() {
			c.historyErrors(e)
		}
		return
	}
	var at *HistoryError
	if errors.As(err, &at) {
		if at.Child != (objects.Hash{}) && c.shallow[at.Child] && errors.Is(at.Err, objects.ErrNotFound) {
			c.notChecked(place{at.Seq, ""}, "it and all before it lie beyond the boundary of this shallow copy")
			return
		}
		c.count(place{at.Seq, ""}, at.Err)
	}
}

// snapshot checks one snapshot and sends its new files to the workers.
func (c *checker) snapshot(s *Snapshot, jobs chan<- job) {
	c.mu.Lock()
	c.report.Snapshots++
	c.mu.Unlock()
	here := place{s.Seq, ""}
	if s.Newer != nil {
		c.notChecked(here, s.Newer.Error())
	}
	// 2. The signer.
	c.signer(s)
	// 3. The files that are new since the snapshot before.
	v := &visit{checker: c, snapshot: s, jobs: jobs}
	err := differ{get: c.get, fn: v.file, bad: func(dir string, err error) error {
		c.incomplete = true
		c.count(place{s.Seq, dir}, err)
		return nil
	}}.tree("", c.last, s.Tree, 0)
	c.last = s.Tree
	v.flush()
	if err != nil {
		c.count(here, err)
		return
	}
	// 4. The archive is the same, and nothing is gone without a reason.
	v.finish()
	c.step(s)
	// 5. The root over all files.
	c.root(s)
}

// signer asks whether the key of a snapshot may sign it.
func (c *checker) signer(s *Snapshot) {
	if c.may == nil {
		return
	}
	err := c.may(trust.Snapshot, s, c.countersignatures.Signers(s))
	switch {
	case err == nil:
	case IsUndersigned(err):
		c.report.Undersigned = append(c.report.Undersigned, Problem{Seq: s.Seq, State: objects.Failed, Reason: err.Error()})
	default:
		c.report.Untrusted = append(c.report.Untrusted, Problem{Seq: s.Seq, State: objects.Failed, Reason: err.Error()})
	}
}

func (c *checker) root(s *Snapshot) {
	here := place{s.Seq, ""}
	root := c.tree.Root()
	if err := c.tree.lost; err != nil {
		c.incomplete = true
		c.count(here, err)
	}
	if c.incomplete {
		c.notChecked(here, "its root: a file or directory it covers cannot be read")
		return
	}
	switch {
	case c.tree.Entries() != s.Entries:
		c.count(here, fmt.Errorf("it has %d files and says %d", c.tree.Entries(), s.Entries))
	case root != s.Root:
		c.count(here, fmt.Errorf("its files give the root %x, and it says %x", root, s.Root))
	default:
		c.count(here, nil)
	}
}

// checkWanted reports originals that a record names and no snapshot holds.
func (c *checker) checkWanted() {
	for digest, at := range c.wanted {
		if !c.originals[digest] && !c.keptOriginal(digest) {
			if c.report.Unreadable > 0 {
				c.notChecked(at, "its original may lie in a directory that cannot be read")
				continue
			}
			c.problem(Problem{at.seq, at.path, objects.Absent,
				fmt.Sprintf("its original %s is in no snapshot", cid.FromDigest(cid.Raw, digest))})
		}
	}
}

// count counts an item that was looked at.
func (c *checker) count(at place, err error) {
	switch {
	case err == nil:
		c.problem(Problem{State: ok})
	case isNewer(err):
		c.notChecked(at, err.Error())
	case errors.Is(err, objects.ErrNotFound):
		c.problem(Problem{at.seq, at.path, objects.Absent, err.Error()})
	case objects.IsUnreadable(err):
		c.mu.Lock()
		c.report.Unreadable++
		c.mu.Unlock()
		c.notChecked(at, "cannot be read: "+err.Error())
	default:
		c.problem(Problem{at.seq, at.path, objects.Failed, err.Error()})
	}
}

// isNewer reports whether err says that a newer program made something.
func isNewer(err error) bool {
	var newer *jcs.NewerError
	return errors.As(err, &newer)
}

func (c *checker) notChecked(at place, reason string) {
	c.problem(Problem{at.seq, at.path, objects.NotChecked, reason})
}

// ok is the state of an item without a problem.
const ok objects.State = "ok"

// problem counts an item by its state and keeps it if it is a problem.
func (c *checker) problem(p Problem) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.report.Items++
	switch p.State {
	default:
		c.report.Failed++
	case ok:
		c.report.OK++
	case objects.Absent:
		c.report.Absent++
	case objects.NotChecked:
		c.report.NotChecked++
	}
	if p.State != ok && len(c.report.Problems) < MaxProblems {
		c.report.Problems = append(c.report.Problems, p)
	}
	if c.report.Items%progressStep == 0 {
		c.report.tell(c)
	}
}

// progressStep is how many items lie between two calls of progress.
const progressStep = 256

func (r *Report) tell(c *checker) {
	if c.progress != nil {
		c.progress(r.Items, max(c.total, r.Items))
	}
}

// done tells the final number of items.
func (c *checker) done() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.total = c.report.Items
	c.report.tell(c)
}
