package retrieve

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/blevesearch/bleve/v2"
	index "github.com/blevesearch/bleve_index_api"

	"muniment/objects/disk"
)

const (
	currentFile  = "current"  // holds the name of the folder in use
	manifestFile = "manifest" // version, snapshot, then the files of the folder
	lockFile     = "lock"     // locked by the process that builds a folder
	claimFile    = "claim"    // locked by the process that brings the index to a snapshot
	folderPrefix = "at-"      // then 32 hex digits of the sha256 of what the folder has
	buildPrefix  = "build-"   // a folder being built
	maxSummed    = 1 << 20    // files up to this size are checked by their sum, larger ones by size only

	abandoned = 24 * time.Hour // a folder under construction that is older has no builder any more, where locks are not known

	// A stage ends when it has added so many passages. The first is short, as an index of
	// something answers better than none; then what was indexed doubles, as each stage opens
	// the index anew, until a stage takes half a minute.
	firstStage   = 2000
	longestStage = 50_000
)

// folderOf returns the name of the folder of an extent.
func folderOf(e Extent) string {
	sum := sha256.Sum256([]byte(e.line()))
	return folderPrefix + hex.EncodeToString(sum[:16])
}

func validFolder(name string) bool {
	h, ok := strings.CutPrefix(name, folderPrefix)
	b, err := hex.DecodeString(h)
	return ok && err == nil && len(b) == 16
}

// Update brings the index to another snapshot in stages. Each stage makes a folder aside,
// which takes the place of the one in use, so that an interruption costs what was read since
// the last stage. The error is ErrBusy where another process builds.
func (x *Folder) Update(ctx context.Context, snapshot string, add iter.Seq2[Doc, error], remove []string, progress func(done int)) error {
	if snapshot == "" {
		return errors.New("search index: an update needs a snapshot id")
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	lock, err := x.lock()
	if err != nil {
		return err
	}
	defer lock.Close()
	if x.extent.Last != "" && x.extent.Snapshot != snapshot {
		_ = x.drop() // the documents of add do not go on from it
	}
	docs := newDocuments(add)
	defer docs.stop()
	at := x.extent
	if at.Last == "" {
		at = Extent{Snapshot: snapshot, From: x.extent.Snapshot}
	}
	for passages := x.passages(); ; {
		n, ended, err := x.stage(ctx, &at, docs, remove, min(max(passages, firstStage), longestStage), progress)
		if err != nil {
			return fmt.Errorf("search index of %s: %w", snapshot, err)
		}
		if ended {
			return nil
		}
		passages, remove = passages+n, nil
	}
}

// lock takes the lock of the builders of an index, and removes what one that was killed
// left. The error is ErrBusy while another has the lock, and ErrMoved where another
// published something since the index was opened; that is in use then.
func (x *Folder) lock() (*os.File, error) {
	lock, supported, err := tryLock(x.dir, lockFile)
	if err != nil {
		return nil, err
	}
	if name, err := x.pointer(); err == nil && name != x.folder {
		was := x.folder
		_ = x.drop()
		if x.use(name); x.folder != was {
			lock.Close()
			return nil, ErrMoved
		}
	}
	if supported {
		x.sweep(x.folder, 0)
	}
	return lock, nil
}

// Claim takes the lock of the process that brings the index in a folder to a snapshot, over
// all its updates and what is read before them; closing the file gives it back. The error is
// ErrBusy while another process has it. Update needs no claim.
func Claim(dir string) (*os.File, error) {
	lock, _, err := tryLock(dir, claimFile)
	return lock, err
}

// IsBuilt reports whether a process builds the index in a folder now.
func IsBuilt(dir string) bool {
	for _, name := range []string{claimFile, lockFile} {
		lock, err := os.OpenFile(filepath.Join(dir, name), os.O_RDWR, 0)
		if err != nil {
			continue
		}
		locked, supported := disk.TryLock(lock)
		lock.Close()
		if supported && !locked {
			return true
		}
	}
	return false
}

// tryLock takes a lock in a folder, which it makes. supported is false where there are no
// locks; the error is ErrBusy while another process has it.
func tryLock(dir, name string) (lock *os.File, supported bool, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, false, fmt.Errorf("search index: %w", err)
	}
	if lock, err = os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_RDWR, 0o644); err != nil {
		return nil, false, fmt.Errorf("search index: %w", err)
	}
	locked, supported := disk.TryLock(lock)
	if supported && !locked {
		lock.Close()
		return nil, true, ErrBusy
	}
	return lock, supported, nil
}

// passages returns how many passages the index in use has.
func (x *Folder) passages() int {
	if x.ix == nil {
		return 0
	}
	n, err := x.ix.DocCount()
	if err != nil {
		return 0
	}
	return int(min(n, math.MaxInt32))
}

// stage indexes documents until it has added so many passages, and publishes what there
// is then. It returns how many it added, and whether the documents ended. What was
// indexed until ctx ended is published too.
func (x *Folder) stage(ctx context.Context, at *Extent, docs *documents, remove []string, limit int, progress func(done int)) (passages int, ended bool, err error) {
	build, err := os.MkdirTemp(x.dir, buildPrefix)
	if err != nil {
		return 0, false, err
	}
	defer os.RemoveAll(build)
	path := filepath.Join(build, "index")
	w := &writer{at: *at, done: at.Done, limit: limit, progress: progress}
	filled := x.fill(ctx, path, w, docs, remove)
	if filled != nil && (ctx.Err() == nil || w.at == *at) {
		return 0, false, filled
	}
	if w.ended {
		w.at = Extent{Snapshot: at.Snapshot}
	}
	if err := writeManifest(path, w.at); err != nil {
		return 0, false, errors.Join(filled, err)
	}
	*at = w.at
	return w.passages, w.ended, errors.Join(filled, x.publish(path, w.at))
}

// publish renames a folder to its name, points to it and removes the others.
func (x *Folder) publish(path string, e Extent) error {
	folder := folderOf(e)
	_ = x.drop()
	target := filepath.Join(x.dir, folder)
	if err := os.Rename(path, target); err != nil { // a damaged folder stands in the way
		if err := os.RemoveAll(target); err != nil {
			return fmt.Errorf("search index: %w", err)
		}
		if err := os.Rename(path, target); err != nil {
			return fmt.Errorf("search index: %w", err)
		}
	}
	pointer := filepath.Join(filepath.Dir(path), currentFile)
	if err := disk.WritePlain(pointer, []byte(folder+"\n"), 0o644); err != nil {
		return fmt.Errorf("search index: %w", err)
	}
	if err := os.Rename(pointer, filepath.Join(x.dir, currentFile)); err != nil {
		return fmt.Errorf("search index: %w", err)
	}
	if x.use(folder); x.ix == nil {
		return fmt.Errorf("%w: the folder just built for %s does not open", ErrDamaged, e.Snapshot)
	}
	x.sweep(folder, abandoned)
	return nil
}

// sweep removes other folders than the one to keep, and constructions of that age. Processes that
// still search them hold their files open; one that is about to open them looks for the new one.
func (x *Folder) sweep(keep string, age time.Duration) {
	entries, err := os.ReadDir(x.dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		stale := validFolder(e.Name()) && e.Name() != keep
		if strings.HasPrefix(e.Name(), buildPrefix) {
			info, err := e.Info()
			stale = err == nil && time.Since(info.ModTime()) >= age
		}
		if stale {
			_ = os.RemoveAll(filepath.Join(x.dir, e.Name()))
		}
	}
}

// fill makes the new index at path, from the one in use where there is one.
func (x *Folder) fill(ctx context.Context, path string, w *writer, docs *documents, remove []string) error {
	ix, err := x.begin(path)
	if err != nil {
		return err
	}
	w.ix = ix
	write := func() error { return w.write(ctx, docs, remove) }
	if x.ix == nil {
		return errors.Join(write(), ix.Close())
	}
	err = guarded(x.ix, func(r index.IndexReader) error {
		w.old = r
		return write()
	})
	return errors.Join(err, ix.Close())
}

// begin makes an empty index, or a copy of the one in use.
func (x *Folder) begin(path string) (bleve.Index, error) {
	if x.ix == nil {
		m, err := newMapping()
		if err != nil {
			return nil, err
		}
		return bleve.New(path, m)
	}
	if err := link(filepath.Join(x.dir, x.folder), path); err != nil {
		return nil, err
	}
	return openBleve(path, false)
}

// A writer puts documents into an index, in batches.
type writer struct {
	ix       bleve.Index
	old      index.IndexReader // the index before; nil when there was none
	limit    int               // it ends when it has added so many passages
	progress func(done int)

	at       Extent // after the batches that were written
	done     int    // documents taken, those of the batch being written included
	passages int
	ended    bool // the documents ended
}

// write removes artifacts and adds documents. While one batch is written, the
// next is read and cut.
func (w *writer) write(ctx context.Context, docs *documents, remove []string) error {
	for some := range slices.Chunk(remove, removedAtOnce) {
		batch := w.ix.NewBatch()
		for _, a := range some {
			if err := w.remove(batch, a); err != nil {
				return err
			}
		}
		if err := errors.Join(ctx.Err(), w.ix.Batch(batch)); err != nil {
			return err
		}
	}
	written := make(chan error, 1) // of the batch with which the index has the extent being written
	written <- nil
	for being := w.at; ; {
		batch, e, err := w.nextBatch(ctx, docs)
		if err := <-written; err != nil {
			return err
		}
		if w.at = being; err != nil || batch == nil {
			w.ended = err == nil && w.passages < w.limit
			return err
		}
		being = e
		go func() { written <- unpanicked(func() error { return w.ix.Batch(batch) }) }()
		if w.progress != nil {
			w.progress(e.Done)
		}
	}
}

// removedAtOnce is of how many artifacts the passages are removed in one batch.
const removedAtOnce = 256

// nextBatch returns a batch of the next documents, and the extent that the index has
// with them; nil after the last, and where the limit is reached.
func (w *writer) nextBatch(ctx context.Context, docs *documents) (*bleve.Batch, Extent, error) {
	e := w.at
	if w.passages >= w.limit {
		return nil, e, nil
	}
	cut, err := docs.next(ctx, min(batchSize, w.limit-w.passages))
	if err != nil || len(cut) == 0 {
		return nil, e, err
	}
	batch := w.ix.NewBatch()
	for _, d := range cut {
		// What is indexed after it was removed in one batch is there.
		if err := w.remove(batch, d.artifact); err != nil {
			return nil, e, err
		}
		for _, p := range d.passages {
			if err := batch.Index(p.id, p); err != nil {
				return nil, e, err
			}
		}
		w.passages += len(d.passages)
	}
	w.done += len(cut)
	e.Last, e.Done = cut[len(cut)-1].artifact, w.done
	return batch, e, nil
}

// remove takes out the passages that the index held of an artifact.
func (w *writer) remove(batch *bleve.Batch, artifact string) error {
	if w.old == nil {
		return nil
	}
	ids, err := passageIDs(w.old, artifact)
	for _, id := range ids {
		batch.Delete(id)
	}
	return err
}

// passageIDs returns the IDs of the passages of an artifact, sorted.
func passageIDs(r index.IndexReader, artifact string) ([]string, error) {
	t, err := r.TermFieldReader(context.Background(), []byte(artifact), "artifact", false, false, false)
	if err != nil {
		return nil, err
	}
	var ids []string
	for {
		d, err := t.Next(nil)
		if err != nil {
			return nil, errors.Join(err, t.Close())
		}
		if d == nil {
			break
		}
		id, err := r.ExternalID(d.ID)
		if err != nil {
			return nil, errors.Join(err, t.Close())
		}
		ids = append(ids, id)
	}
	sort.Strings(ids)
	return ids, t.Close()
}

// link copies an index folder: segments, which are immutable, as links where the file system can.
func link(from, to string) error {
	return filepath.WalkDir(from, func(path string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		switch {
		case e.IsDir():
			return os.MkdirAll(target, 0o755)
		case e.Name() == manifestFile:
			return nil
		case strings.HasSuffix(e.Name(), ".zap") && os.Link(path, target) == nil:
			return nil
		}
		return copyFile(path, target)
	})
}

func copyFile(from, to string) error {
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = io.Copy(dst, src)
	return errors.Join(err, dst.Close())
}

// manifest describes the files of a folder: a line of size, sum or "-", and name for each, sorted.
func manifest(path string, e Extent) (string, error) {
	lines := []string{Version, e.line()}
	err := filepath.WalkDir(path, func(p string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || e.Name() == manifestFile {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		sum := "-"
		if info.Size() <= maxSummed {
			data, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			s := sha256.Sum256(data)
			sum = hex.EncodeToString(s[:])
		}
		rel, err := filepath.Rel(path, p)
		lines = append(lines, strconv.FormatInt(info.Size(), 10)+" "+sum+" "+filepath.ToSlash(rel))
		return err
	})
	sort.Strings(lines[2:])
	return strings.Join(lines, "\n") + "\n", err
}

func writeManifest(path string, e Extent) error {
	m, err := manifest(path, e)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(path, manifestFile), []byte(m), 0o644)
}

// checkManifest returns the extent of an undamaged folder of this version.
func checkManifest(path string) (Extent, bool) {
	have, err := os.ReadFile(filepath.Join(path, manifestFile))
	if err != nil {
		return Extent{}, false
	}
	e, ok := parseManifest(string(have))
	if !ok {
		return Extent{}, false
	}
	want, err := manifest(path, e)
	if err != nil || want != string(have) {
		return Extent{}, false
	}
	return e, true
}

// parseManifest returns the extent that a manifest of this version names.
func parseManifest(text string) (Extent, bool) {
	lines := strings.SplitN(text, "\n", 3)
	if len(lines) < 3 || lines[0] != Version {
		return Extent{}, false
	}
	fields := strings.Split(lines[1], " ")
	e := Extent{Snapshot: fields[0]}
	if len(fields) > 2 {
		e.Last = fields[1]
		e.Done, _ = strconv.Atoi(fields[2])
	}
	if len(fields) > 3 {
		e.From = fields[3]
	}
	return e, e.Snapshot != "" && e.line() == lines[1]
}
