package retrieve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/mapping"
	index "github.com/blevesearch/bleve_index_api"

	"muniment/objects/disk"

	// the analyzer that splits at white space: words come analysed
	_ "github.com/blevesearch/bleve/v2/analysis/analyzer/custom"
	_ "github.com/blevesearch/bleve/v2/analysis/tokenizer/whitespace"
)

// Version names the analysis and the layout. An index of another version counts as absent.
const Version = "muniment/index/v6"

// openWait is how long opening waits for bleve's file lock. Readers share it, and nothing writes in
// a published folder, so only another program's backup or a stale lock can make us wait.
const openWait = "2s"

// ErrDamaged says that the index could not be read. It has been set aside: Snapshot is "" and the
// next Update must be given every document.
var ErrDamaged = errors.New("search index damaged")

// ErrBusy says that another process builds the index now.
var ErrBusy = errors.New("another process builds the search index")

// ErrMoved says that another process updated the index; the caller opens it again.
var ErrMoved = errors.New("another process updated the search index")

// A Folder is an index in a folder of its own, kept by bleve.
type Folder struct {
	dir string

	mu     sync.RWMutex
	ix     bleve.Index // nil when empty
	extent Extent
	folder string
}

// maxPointer is the most bytes of a file that names a folder or a snapshot.
const maxPointer = 4096

// Open opens the index in a folder, which need not exist. A missing, damaged or outdated index
// opens as an empty one, with Snapshot "".
func Open(dir string) (*Folder, error) {
	x := &Folder{dir: dir}
	before := ""
	for {
		name, err := x.pointer()
		if err != nil || name == "" {
			return x, err
		}
		// A folder that does not open may have been replaced since its name was read.
		if x.use(name); x.ix != nil || name == before {
			return x, nil
		}
		before = name
	}
}

// pointer returns the name of the folder in use, "" when there is none.
func (x *Folder) pointer() (string, error) {
	name, err := disk.ReadOwnPlain(filepath.Join(x.dir, currentFile), maxPointer)
	if errors.Is(err, os.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("search index: %w", err)
	}
	folder := strings.TrimSpace(string(name))
	if !validFolder(folder) {
		return "", nil
	}
	return folder, nil
}

// use opens a published folder; on any defect the index is empty.
func (x *Folder) use(folder string) {
	if folder == "" {
		return
	}
	path := filepath.Join(x.dir, folder)
	e, ok := checkManifest(path)
	if !ok {
		return
	}
	ix, err := openBleve(path, true)
	if err != nil {
		return
	}
	x.ix, x.extent, x.folder = ix, e, folder
}

// ExtentOf returns the extent of the index in a folder as it says of itself, without
// opening it.
func ExtentOf(dir string) Extent {
	x := &Folder{dir: dir}
	name, err := x.pointer()
	if err != nil || name == "" {
		return Extent{}
	}
	f, err := os.Open(filepath.Join(dir, name, manifestFile))
	if err != nil {
		return Extent{}
	}
	defer f.Close()
	head := make([]byte, maxPointer)
	n, _ := io.ReadFull(f, head)
	e, _ := parseManifest(string(head[:n]))
	return e
}

// openBleve turns a panic over damaged files into an error.
func openBleve(path string, readOnly bool) (ix bleve.Index, err error) {
	defer func() {
		if r := recover(); r != nil {
			ix, err = nil, fmt.Errorf("%w: %v", ErrDamaged, r)
		}
	}()
	ix, err = bleve.OpenUsing(path, map[string]any{"read_only": readOnly, "bolt_timeout": openWait})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return ix, nil
}

// Close releases the index. A closed index is empty.
func (x *Folder) Close() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.drop()
}

// Reset empties the index. Processes that search it go on with what they have open.
func (x *Folder) Reset(context.Context) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	err := x.drop()
	if gone := os.Remove(filepath.Join(x.dir, currentFile)); !errors.Is(gone, os.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	x.sweep("", abandoned)
	return err
}

func (x *Folder) drop() error {
	ix := x.ix
	x.ix, x.extent, x.folder = nil, Extent{}, ""
	if ix == nil {
		return nil
	}
	return ix.Close()
}

// Snapshot returns the ID of the snapshot that is indexed, "" for an empty index.
func (x *Folder) Snapshot() string {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if x.extent.Last != "" {
		return ""
	}
	return x.extent.Snapshot
}

// Extent returns how far the index is on the way to a snapshot.
func (x *Folder) Extent() Extent {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.extent
}

// Artifacts returns the IDs of the artifacts in the index, sorted.
func (x *Folder) Artifacts(context.Context) (ids []string, err error) {
	err = x.read(func(r index.IndexReader) error {
		d, err := r.FieldDict("artifact")
		if err != nil {
			return err
		}
		defer d.Close()
		for {
			e, err := d.Next()
			if err != nil || e == nil {
				return err
			}
			n, err := holding(r, e.Term, "artifact") // the dictionary still has those removed
			if err != nil {
				return err
			}
			if n > 0 {
				ids = append(ids, e.Term)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	sort.Strings(ids)
	return ids, nil
}

// read gives the index to fn. An empty index calls nothing.
func (x *Folder) read(fn func(index.IndexReader) error) (err error) {
	x.mu.RLock()
	ix, folder := x.ix, x.folder
	if ix == nil {
		x.mu.RUnlock()
		return nil
	}
	err = guarded(ix, fn)
	x.mu.RUnlock()
	if errors.Is(err, ErrDamaged) {
		x.discard(folder)
	}
	return err
}

// guarded gives fn a reader of an index, and reports whatever goes wrong inside bleve as damage.
func guarded(ix bleve.Index, fn func(index.IndexReader) error) error {
	return unpanicked(func() error {
		adv, err := ix.Advanced()
		if err != nil {
			return err
		}
		r, err := adv.Reader()
		if err != nil {
			return err
		}
		defer r.Close()
		return fn(r)
	})
}

// unpanicked runs fn and reports a panic inside bleve as damage.
func unpanicked(fn func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: %v", ErrDamaged, r)
		}
	}()
	return fn()
}

// discard empties the index after damage, unless another goroutine already did.
func (x *Folder) discard(folder string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.folder != folder || folder == "" {
		return
	}
	_ = x.drop()
	_ = os.RemoveAll(filepath.Join(x.dir, folder))
}

// newMapping describes the fields of stored.
func newMapping() (mapping.IndexMapping, error) {
	m := bleve.NewIndexMapping()
	if err := m.AddCustomAnalyzer("stems", map[string]any{"type": "custom", "tokenizer": "whitespace"}); err != nil {
		return nil, err
	}
	words := bleve.NewTextFieldMapping()
	words.Analyzer, words.Store, words.IncludeTermVectors, words.IncludeInAll, words.DocValues = "stems", false, false, false, false
	key := bleve.NewKeywordFieldMapping()
	key.IncludeInAll, key.IncludeTermVectors, key.DocValues = false, false, false
	kept := bleve.NewTextFieldMapping()
	kept.Index, kept.IncludeTermVectors, kept.IncludeInAll, kept.DocValues = false, false, false, false

	doc := bleve.NewDocumentStaticMapping()
	for name, f := range map[string]*mapping.FieldMapping{
		"artifact": key, "words": words, "caps": words, "names": words, "when": words,
		"title": kept, "head": kept, "author": kept, "date": kept, "lang": kept, "span": kept, "text": kept,
	} {
		doc.AddFieldMappingsAt(name, f)
	}
	m.DefaultMapping = doc
	return m, nil
}
