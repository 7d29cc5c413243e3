package holdings

import (
	"crypto/sha256"
	"errors"
	"io/fs"
	"os"
	"strings"

	"muniment/archive/keyfile"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/objects"
	"muniment/snapshot"
	"muniment/snapshot/edtf"
	"muniment/snapshot/layout"
	"muniment/snapshot/record"
)

// A gatherer collects the keys that a tree has beyond another.
type gatherer struct {
	index  *Index
	from   coveredTree
	tree   objects.Hash
	newest bool // totals are wanted
	write  bool // the keys may go to the disk

	totals  Totals
	keys    [][]byte        // in memory
	writer  *keyfile.Writer // or on the disk
	visited int             // artifacts and records without a body
	total   int             // of them, estimated
}

// run collects the keys into memory or, where they are many, into a writer.
func (g *gatherer) run() error {
	err := g.collect()
	if err != nil && g.writer != nil {
		g.writer.Abort()
	}
	if f := g.index.copy.Progress; err == nil && f != nil && g.visited >= indexSteps {
		f(g.visited, g.visited)
	}
	return err
}

func (g *gatherer) collect() error {
	if g.from.tree.IsZero() {
		return g.collectAll()
	}
	return g.collectChanges()
}

// collectAll reads every record of the tree.
func (g *gatherer) collectAll() error {
	store := g.index.copy.Store
	g.total = int(g.index.copy.Entries() / 2) // a payload and a record
	scratch := &Lookup{store: store}
	var art *Artifact
	var held bool
	end := func() error {
		if art == nil && !held {
			return nil
		}
		err := g.addArtifact(art, held)
		art, held = nil, false
		return err
	}
	var at cid.ID
	err := store.Walk(g.tree, "", func(path string, h objects.Hash) error {
		kind, ids := layout.ClassifyPath(path)
		switch kind {
		case layout.KindLoneRecord:
			return g.addLone(path, h)
		case layout.KindPayload, layout.KindPayloadChunk, layout.KindPointer, layout.KindConsent, layout.KindWithdrawn, layout.KindRecord, layout.KindHold:
		default:
			return nil
		}
		if ids[0] != at {
			if err := end(); err != nil {
				return err
			}
			at = ids[0]
		}
		if kind == layout.KindHold {
			held = true
			if art == nil {
				art = &Artifact{ID: at}
			}
			return nil
		}
		var err error
		art, err = scratch.addFile(art, path, h)
		return err
	})
	if err == nil {
		err = end()
	}
	return problem.Wrap(err, "holdings index")
}

// collectChanges reads the artifacts in which the tree differs from the one that the index was made of.
func (g *gatherer) collectChanges() error {
	store := g.index.copy.Store
	if _, err := store.Tree(g.from.tree); err != nil {
		return errTreeGone
	}
	changes, err := snapshot.Diff(store, g.from.tree, g.tree)
	if err != nil {
		return problem.Wrap(err, "holdings index")
	}
	before, now := NewLookup(store, g.from.tree), NewLookup(store, g.tree)
	g.total = len(changes)
	for i := 0; i < len(changes); {
		id := changes[i].Artifact
		if id.IsZero() {
			if kind, _ := layout.ClassifyPath(changes[i].Path); kind == layout.KindLoneRecord && changes[i].Kind != snapshot.ChangeRemoved {
				h, _, err := store.Lookup(g.tree, changes[i].Path)
				if err == nil {
					err = g.addLone(changes[i].Path, h)
				}
				if err != nil {
					return problem.Wrap(err, "holdings index")
				}
			}
			i++
			continue
		}
		isNew, held, gained := false, false, false
		for ; i < len(changes) && changes[i].Artifact == id; i++ {
			isNew = isNew || changes[i].Kind == snapshot.ChangeAdded
			held = held || changes[i].Kind == snapshot.ChangeHold
			gained = gained || changes[i].Kind != snapshot.ChangeRemoved
		}
		if !gained && !g.newest { // it has no keys, and totals are not wanted
			continue
		}
		art, err := now.Artifact(id)
		if err == nil {
			err = g.addArtifact(art, held)
		}
		if err == nil && !isNew {
			var old *Artifact
			old, err = before.Artifact(id)
			g.totals.add(old, -1)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// addArtifact adds the keys of an artifact, which may be nil, and its totals.
func (g *gatherer) addArtifact(art *Artifact, held bool) error {
	if art == nil {
		return nil
	}
	g.totals.add(art, 1)
	d := art.ID.Digest()
	place := append([]byte{placeArtifact}, d[:digestPart]...)
	var keys [][]byte
	for _, h := range art.Records {
		keys = append(keys, recordKeys(h, place)...)
		if original, err := cid.ParseAs(cid.Raw, h.Record.Original); err == nil && original != art.ID {
			o := original.Digest()
			keys = append(keys, keyfile.Key(keyOriginal, o[:digestPart], place))
		}
	}
	for kind, is := range map[byte]bool{keyConsent: art.HasConsent, keyWithdrawn: art.Withdrawn, keyHold: held, keyRegistered: art.IsUnaccepted()} {
		if is {
			keys = append(keys, keyfile.Key(kind, nil, place))
		}
	}
	return g.add(keys)
}

// addLone adds the keys of a record without a body.
func (g *gatherer) addLone(path string, h objects.Hash) error {
	stored, err := readRecord(g.index.copy.Store, path, h)
	if err != nil {
		return err
	}
	d := stored.ID.Digest()
	return g.add(recordKeys(stored, append([]byte{placeLone}, d[:digestPart]...)))
}

// recordKeys returns the keys of a record that lies at a place.
func recordKeys(h StoredRecord, place []byte) [][]byte {
	d := h.ID.Digest()
	keys := [][]byte{keyfile.Key(keyRecord, d[:digestPart], place)}
	for _, name := range h.Record.Names {
		keys = append(keys, keyfile.Key(keyName, append(reverse(name), 0), place))
	}
	if s := h.Record.Source; s != nil {
		for _, text := range []string{s.URL, s.Title} {
			if text != "" {
				keys = append(keys, keyfile.Key(keySource, textHash(text), place))
			}
		}
	}
	kind := byte(keyDate)
	if place[0] == placeLone {
		kind = keyLoneDate
	}
	for _, day := range lastDays(h.Record) {
		keys = append(keys, keyfile.Key(kind, invert(day), place))
	}
	keys = append(keys, descriptionKeys(h.Record, place)...)
	if old, err := cid.ParseAs(cid.JSON, h.Record.Supersedes); err == nil {
		o := old.Digest()
		keys = append(keys, keyfile.Key(keySupersedes, o[:digestPart], place))
	}
	for from := range strings.FieldsSeq(h.Record.Facts[FactDerivedFrom] + " " + h.Record.Facts[FactPartOf]) {
		if id, err := cid.ParseAs(cid.Raw, from); err == nil {
			f := id.Digest()
			keys = append(keys, keyfile.Key(keyDerived, f[:digestPart], place))
		}
	}
	return keys
}

// lastDays returns the last day of what a record is dated by and, where nothing dates it, of the date found at the head
// of its text, as YYYY-MM-DD; none for a date without an end, and for one outside of the years 0000 to 9999.
func lastDays(r *record.Record) []string {
	d := DateOf(r)
	if _, last := d.Interval(); !d.IsZero() && last.Year >= 0 && last.Year <= 9999 {
		return []string{last.String()}
	}
	return nil
}

// DateOf returns the date of a record or, without one, the date at the head of its text.
func DateOf(r *record.Record) edtf.Date {
	if d := r.Published(); !d.IsZero() {
		return d
	}
	d, _ := edtf.Parse(r.Facts[record.FactDateFound]) // "" is no date
	return d
}

// add adds the keys of one artifact or record. More than maxUnwritten of them go
// to the disk, where that can be written.
func (g *gatherer) add(keys [][]byte) error {
	g.visited++
	if f := g.index.copy.Progress; f != nil && g.visited%indexSteps == 0 {
		f(g.visited, max(g.total, g.visited+1))
	}
	if g.visited == maxUnwritten && g.write {
		if err := g.begin(); err != nil {
			return err
		}
	}
	if g.writer == nil {
		g.keys = append(g.keys, keys...)
		return nil
	}
	for _, k := range keys {
		if err := g.writer.Add(k); err != nil {
			return errMoved
		}
	}
	return nil
}

// begin opens a writer for the keys. A folder that cannot be written, or that
// another process writes, leaves them in memory.
func (g *gatherer) begin() error {
	if err := os.MkdirAll(g.index.copy.Dir, 0o700); err != nil {
		return nil
	}
	mode := keyfile.Extend
	if g.from.tree.IsZero() {
		mode = keyfile.Rebuild
	}
	w, err := keyfile.Begin(g.index.copy.Dir, g.index.copy.Disk, mode)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, keyfile.ErrDamaged):
		g.index.keys = &keySet{set: &keyfile.Set{}}
		return errMoved
	case err != nil:
		return nil
	}
	if mode == keyfile.Extend && w.Label() != g.index.open().set.Label {
		w.Abort()
		return errMoved
	}
	g.writer = w
	for _, k := range g.keys {
		if err := w.Add(k); err != nil {
			return errMoved
		}
	}
	g.keys = nil
	return nil
}

// reverse returns the bytes of s, the last first.
func reverse(s string) []byte {
	out := make([]byte, 0, len(s)+1)
	for i := len(s) - 1; i >= 0; i-- {
		out = append(out, s[i])
	}
	return out
}

// invert returns the bytes of a date so that later dates come first.
func invert(date string) []byte {
	out := []byte(date)
	for i := range out {
		out[i] = ^out[i]
	}
	return out
}

// textHash returns the hash of a text in a key.
func textHash(text string) []byte {
	sum := sha256.Sum256([]byte(text))
	return sum[:digestPart]
}
