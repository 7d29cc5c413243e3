package retrieve

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"muniment/objects/disk"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/blevesearch/bleve/v2"
	index "github.com/blevesearch/bleve_index_api"
)

const (
	currentFile  = "current"      // holds the name of the folder in use
	manifestFile = "manifest"     // version, snapshot, then the files of the folder
	folderPrefix = "at-"          // then 32 hex digits of the snapshot ID's sha256
	buildPrefix  = "build-"       // a folder being built
	batchSize    = 2000           // passages per batch: each one is an fsync, and must fit in memory
	maxSummed    = 1 << 20        // files up to this size are checked by their sum, larger ones by size only
	abandoned    = 24 * time.Hour // a folder under construction that is older has no builder any more
)

func folderOf(snapshot string) string {
	sum := sha256.Sum256([]byte(snapshot))
	return folderPrefix + hex.EncodeToString(sum[:16])
}

func validFolder(name string) bool {
	h, ok := strings.CutPrefix(name, folderPrefix)
	b, err := hex.DecodeString(h)
	return ok && err == nil && len(b) == 16
}

// Update brings the index to another snapshot: a new folder is made aside and takes the place of
// the one in use when it is whole.
func (x *Folder) Update(ctx context.Context, snapshot string, add iter.Seq2[Doc, error], remove []string, progress func(done int)) error {
	if snapshot == "" {
		return errors.New("search index: an update needs a snapshot id")
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if err := os.MkdirAll(x.dir, 0o755); err != nil {
		return fmt.Errorf("search index: %w", err)
	}
	build, err := os.MkdirTemp(x.dir, buildPrefix)
	if err != nil {
		return fmt.Errorf("search index: %w", err)
	}
	defer os.RemoveAll(build)
	path := filepath.Join(build, "index")
	if err := x.fill(ctx, path, add, remove, progress); err != nil {
		return fmt.Errorf("search index of %s: %w", snapshot, err)
	}
	if err := writeManifest(path, snapshot); err != nil {
		return fmt.Errorf("search index of %s: %w", snapshot, err)
	}
	return x.publish(path, snapshot)
}

// publish renames a finished folder to its name, points to it and removes the others.
func (x *Folder) publish(path, snapshot string) error {
	folder := folderOf(snapshot)
	_ = x.drop()
	target := filepath.Join(x.dir, folder)
	if err := os.Rename(path, target); err != nil {
		// Another process published the same snapshot, or a damaged folder stands in the way.
		if have, ok := checkManifest(target); !ok || have != snapshot {
			if err := os.RemoveAll(target); err != nil {
				return fmt.Errorf("search index: %w", err)
			}
			if err := os.Rename(path, target); err != nil {
				return fmt.Errorf("search index: %w", err)
			}
		}
	}
	pointer := filepath.Join(filepath.Dir(path), currentFile)
	if err := disk.WritePlain(pointer, []byte(folder+"\n"), 0o644); err != nil {
		return fmt.Errorf("search index: %w", err)
	}
	if err := os.Rename(pointer, filepath.Join(x.dir, currentFile)); err != nil {
		return fmt.Errorf("search index: %w", err)
	}
	x.use(folder)
	if x.ix == nil {
		return fmt.Errorf("%w: the folder just built for %s does not open", ErrDamaged, snapshot)
	}
	x.sweep(folder)
	return nil
}

// sweep removes other snapshots' folders and abandoned constructions. Processes that still search
// them hold their files open.
func (x *Folder) sweep(keep string) {
	entries, err := os.ReadDir(x.dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		stale := validFolder(e.Name()) && e.Name() != keep
		if strings.HasPrefix(e.Name(), buildPrefix) {
			info, err := e.Info()
			stale = err == nil && time.Since(info.ModTime()) > abandoned
		}
		if stale {
			_ = os.RemoveAll(filepath.Join(x.dir, e.Name()))
		}
	}
}

// fill makes the new index at path, from the one in use where there is one.
func (x *Folder) fill(ctx context.Context, path string, add iter.Seq2[Doc, error], remove []string, progress func(done int)) error {
	ix, err := x.begin(path)
	if err != nil {
		return err
	}
	w := &writer{ix: ix, batch: ix.NewBatch(), progress: progress}
	return errors.Join(x.old(w, func() error { return w.write(ctx, add, remove) }), ix.Close())
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

// old lets a writer see what the index in use holds.
func (x *Folder) old(w *writer, fn func() error) error {
	if x.ix == nil {
		return fn()
	}
	return guarded(x.ix, func(r index.IndexReader) error {
		w.old = r
		return fn()
	})
}

// A writer puts documents into an index, in batches.
type writer struct {
	ix       bleve.Index
	old      index.IndexReader // the index before; nil when there was none
	batch    *bleve.Batch
	done     int // documents taken
	progress func(done int)
}

func (w *writer) write(ctx context.Context, add iter.Seq2[Doc, error], remove []string) error {
	for _, a := range remove {
		if err := w.remove(a); err != nil {
			return err
		}
		if err := w.flush(ctx, batchSize); err != nil {
			return err
		}
	}
	for d, err := range add {
		if err != nil {
			return err
		}
		ps, err := passages(d)
		if err != nil {
			return err
		}
		// What is indexed after it was removed in one batch is there.
		if err := w.remove(d.Artifact); err != nil {
			return err
		}
		for n, p := range ps {
			if err := w.batch.Index(passageID(d.Artifact, n), p); err != nil {
				return err
			}
		}
		w.done++
		if err := w.flush(ctx, batchSize); err != nil {
			return err
		}
	}
	return w.flush(ctx, 0)
}

// flush writes the batch when it has more than so many passages.
func (w *writer) flush(ctx context.Context, least int) error {
	if w.batch.Size() <= least {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := w.ix.Batch(w.batch); err != nil {
		return err
	}
	w.batch = w.ix.NewBatch()
	if w.progress != nil {
		w.progress(w.done)
	}
	return nil
}

// remove takes out the passages that the index held of an artifact.
func (w *writer) remove(artifact string) error {
	if w.old == nil {
		return nil
	}
	ids, err := passageIDs(w.old, artifact)
	for _, id := range ids {
		w.batch.Delete(id)
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
func manifest(path, snapshot string) (string, error) {
	lines := []string{Version, snapshot}
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

func writeManifest(path, snapshot string) error {
	m, err := manifest(path, snapshot)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(path, manifestFile), []byte(m), 0o644)
}

// checkManifest returns the snapshot of a complete folder of this version.
func checkManifest(path string) (snapshot string, ok bool) {
	have, err := os.ReadFile(filepath.Join(path, manifestFile))
	if err != nil {
		return "", false
	}
	lines := strings.SplitN(string(have), "\n", 3)
	if len(lines) < 3 || lines[0] != Version || lines[1] == "" {
		return "", false
	}
	want, err := manifest(path, lines[1])
	if err != nil || want != string(have) {
		return "", false
	}
	return lines[1], true
}
