package snapshot

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"muniment/cid"
	"muniment/objects"
	"muniment/snapshot/layout"
)

// A Getter reads git objects: a Store, or a Batch that is not published yet.
// Where several goroutines read, as in Summarize and OpenTree, it must bear it;
// a Reader does not.
type Getter interface {
	Get(objects.Hash) (objects.Kind, []byte, error)
}

// Lines returns the lines of a tree in path order. The digest of a payload,
// record, original or citation is the one its path carries; every other file
// is read and hashed. Objects come from b, or from st when b is nil.
func Lines(st *objects.Store, tree objects.Hash, b Getter) ([]Line, error) {
	if b == nil {
		b = st
	}
	var lines []Line
	w := differ{get: b, fn: func(path string, _, blob objects.Hash) error {
		digest, ok := digestInPath(path)
		if !ok {
			data, err := getBlob(b, blob)
			if err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			digest = sha256.Sum256(data)
		}
		lines = append(lines, Line{digest, path})
		return nil
	}}
	if err := w.tree("", objects.Hash{}, tree, 0); err != nil {
		return nil, err
	}
	return lines, nil
}

// digestInPath returns the digest that a path states of the bytes of its file,
// and reports whether it states one.
func digestInPath(path string) ([32]byte, bool) {
	return digestOfKind(layout.ClassifyPath(path))
}

func digestOfKind(kind layout.Kind, ids []cid.ID) ([32]byte, bool) {
	switch kind {
	default:
		return [32]byte{}, false
	case layout.KindPayload, layout.KindRecord, layout.KindOriginal, layout.KindLoneRecord, layout.KindCitation, layout.KindReview:
		return ids[len(ids)-1].Digest(), true
	}
}

func getBlob(get Getter, h objects.Hash) ([]byte, error) {
	kind, data, err := get.Get(h)
	if err == nil && kind != objects.Blob {
		err = fmt.Errorf("object %s is a %s, want a blob", h, kind)
	}
	if err != nil {
		return nil, err
	}
	return data, nil
}

// A differ visits the files in which two trees differ, in path order, without
// reading what they share.
type differ struct {
	get Getter
	fn  func(path string, old, new objects.Hash) error // a zero hash: not there
	bad func(dir string, err error) error              // nil: the error ends the walk
}

func (w differ) tree(prefix string, old, new objects.Hash, depth int) error {
	if old == new {
		return nil
	}
	a, err := w.entries(prefix, old, depth)
	if err != nil {
		return w.fail(prefix, err)
	}
	b, err := w.entries(prefix, new, depth)
	if err != nil {
		return w.fail(prefix, err)
	}
	for len(a) > 0 || len(b) > 0 {
		var from, to, either objects.TreeEntry
		order := 1
		switch {
		case len(b) == 0:
			order = -1
		case len(a) > 0:
			order = strings.Compare(key(a[0]), key(b[0]))
		}
		if order <= 0 {
			from, either, a = a[0], a[0], a[1:]
		}
		if order >= 0 {
			to, either, b = b[0], b[0], b[1:]
		}
		switch {
		case from.Hash == to.Hash:
		case either.Mode == objects.ModeTree:
			err = w.tree(prefix+either.Name+"/", from.Hash, to.Hash, depth+1)
		default:
			err = w.fn(prefix+either.Name, from.Hash, to.Hash)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// key orders entries as git does: a directory as if its name ended in a slash.
func key(e objects.TreeEntry) string {
	if e.Mode == objects.ModeTree {
		return e.Name + "/"
	}
	return e.Name
}

func (w differ) fail(prefix string, err error) error {
	err = fmt.Errorf("directory %q: %w", prefix, err)
	if w.bad == nil {
		return err
	}
	return w.bad(prefix, err)
}

func (w differ) entries(prefix string, h objects.Hash, depth int) ([]objects.TreeEntry, error) {
	if h.IsZero() {
		return nil, nil
	}
	if depth >= objects.MaxDepth {
		return nil, fmt.Errorf("%q is more than %d directories deep", prefix, objects.MaxDepth)
	}
	kind, data, err := w.get.Get(h)
	if err != nil {
		return nil, err
	}
	if kind != objects.Tree {
		return nil, fmt.Errorf("object %s is a %s, want a tree", h, kind)
	}
	return objects.ParseTree(data)
}

// EachChange calls fn, in path order, with each file in which two trees differ and its
// blob in both; a hash is zero where the tree has no such file. A tree may be zero, which
// is empty. It ends at the first error of fn and returns it.
func EachChange(get Getter, from, to objects.Hash, fn func(path string, old, blob objects.Hash) error) error {
	return differ{get: get, fn: fn}.tree("", from, to, 0)
}

// A Change is one file in which two trees differ.
type Change struct {
	Kind     string // one of the Change constants
	Path     string // of a payload or original in chunks: the directory
	Artifact cid.ID // zero where the path belongs to no artifact
}

// The kinds of change. A file that went away is ChangeRemoved, whatever it
// was; consent and policy files are listed when they are new and when they
// are replaced.
const (
	ChangeAdded     = "added"     // a payload
	ChangeRecord    = "record"    // a record, with or without an artifact
	ChangeOriginal  = "original"  // an original that differs from its payload
	ChangeConsent   = "consent"   //
	ChangeHold      = "hold"      //
	ChangeWithdrawn = "withdrawn" //
	ChangeReview    = "review"    // what a person said of a claim
	ChangeCitation  = "citation"  //
	ChangePolicy    = "policy"    // below policy/
	ChangeTrust     = "trust"     // below trust/
	ChangeArchive   = "archive"   // archive.json, README.txt, .gitattributes
	ChangeUnknown   = "unknown"   // a path that no archive has
	ChangeRemoved   = "removed"
)

var changeKinds = map[layout.Kind]string{
	layout.KindPayload: ChangeAdded, layout.KindPayloadChunk: ChangeAdded,
	layout.KindRecord: ChangeRecord, layout.KindLoneRecord: ChangeRecord,
	layout.KindPointer: ChangeAdded, layout.KindOriginalPointer: ChangeOriginal,
	layout.KindOriginal: ChangeOriginal, layout.KindOriginalChunk: ChangeOriginal,
	layout.KindConsent: ChangeConsent, layout.KindHold: ChangeHold, layout.KindWithdrawn: ChangeWithdrawn, layout.KindCitation: ChangeCitation, layout.KindReview: ChangeReview,
	layout.KindPolicy: ChangePolicy, layout.KindTrust: ChangeTrust,
	layout.KindArchive: ChangeArchive, layout.KindReadme: ChangeArchive, layout.KindAttributes: ChangeArchive,
	layout.KindNone: ChangeUnknown,
}

// Diff lists the files in which two trees differ, in path order. The zero
// hash is the empty tree.
func Diff(st *objects.Store, from, to objects.Hash) ([]Change, error) {
	var out []Change
	w := differ{get: st, fn: func(path string, _, blob objects.Hash) error {
		kind, ids := layout.ClassifyPath(path)
		c := Change{Kind: changeKinds[kind], Path: path}
		switch kind {
		case layout.KindPayload, layout.KindPointer, layout.KindRecord, layout.KindConsent, layout.KindHold, layout.KindWithdrawn:
			c.Artifact = ids[0]
		case layout.KindPayloadChunk, layout.KindOriginalChunk:
			c.Path = path[:len(path)-len("/000/000")]
			if kind == layout.KindPayloadChunk {
				c.Artifact = ids[0]
			}
		}
		if blob.IsZero() {
			c.Kind = ChangeRemoved
		}
		if n := len(out); n == 0 || out[n-1] != c { // chunks of one payload are one change
			out = append(out, c)
		}
		return nil
	}}
	if err := w.tree("", from, to, 0); err != nil {
		return nil, err
	}
	return out, nil
}
