package snapshot

import (
	"fmt"
	"slices"
	"strings"

	"muniment/cid"
	"muniment/objects"
	"muniment/snapshot/access"
	"muniment/snapshot/layout"
	"muniment/snapshot/record"
)

// A Merge is one edit that turns the tree of a join's first parent into the
// joined tree.
type Merge struct {
	Path string
	Blob objects.Hash // zero: the file goes
	Data []byte       // of a consent that neither parent has; nil else
}

// Union returns how the tree of a join differs from that of its first parent,
// in path order. It is a function of the two trees alone, so that a verifier
// makes it again:
//
//  1. Files of one parent only are in the union. Of a path that differs the
//     first parent's file is.
//  2. policy/, trust/ and the files of no folder are the first parent's.
//  3. An artifact that one of them has withdrawn is withdrawn: its payload and
//     its records go, and its withdrawal stays.
//  4. An original named by a record that goes by rule 3, and by none that
//     stays, goes too.
//  5. Where both have a consent of an artifact, the union's is the stricter in
//     every dimension and of the higher tier, for the persons of both. When it
//     says no more than the first parent's, or the second's, it is that file;
//     else it is a new one with the first's agent, the later time, and both
//     reasons.
//  6. A pointer goes where the other tree has the bytes.
func Union(get Getter, first, second objects.Hash) ([]Merge, error) {
	u := uniter{get: get, first: first, second: second, edits: map[string]Merge{}}
	var err error
	if u.policy, err = readConsentPolicy(get, first); err != nil {
		return nil, err
	}
	if err := (differ{get: get, fn: u.find}).tree("", first, second, 0); err != nil {
		return nil, err
	}
	for _, f := range u.files {
		if err := u.file(f); err != nil {
			return nil, err
		}
	}
	if err := u.originals(); err != nil {
		return nil, err
	}
	out := make([]Merge, 0, len(u.edits))
	for _, e := range u.edits {
		out = append(out, e)
	}
	slices.SortFunc(out, func(a, b Merge) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}

// A both is a path with its files in the two trees, zero where there is none.
type both struct {
	path          string
	first, second objects.Hash
}

// A uniter makes a union.
type uniter struct {
	get           Getter
	first, second objects.Hash
	policy        *consentPolicy // of first
	files         []both         // that differ
	withdrawn     map[cid.ID]bool
	edits         map[string]Merge
	leaving       []both // records of artifacts that the union withdraws
}

// find collects what differs, and the artifacts that only one tree withdraws.
func (u *uniter) find(path string, first, second objects.Hash) error {
	u.files = append(u.files, both{path, first, second})
	if kind, ids := layout.ClassifyPath(path); kind == layout.KindWithdrawn && (first.IsZero() || second.IsZero()) {
		if u.withdrawn == nil {
			u.withdrawn = map[cid.ID]bool{}
		}
		u.withdrawn[ids[0]] = true
	}
	return nil
}

// file decides one path that differs.
func (u *uniter) file(f both) error {
	kind, ids := layout.ClassifyPath(f.path)
	switch kind {
	case layout.KindPolicy, layout.KindTrust, layout.KindArchive, layout.KindReadme, layout.KindAttributes, layout.KindNone:
		return nil // 2
	case layout.KindPayload, layout.KindPayloadChunk, layout.KindPointer, layout.KindRecord:
		if u.withdrawn[ids[0]] { // 3
			if !f.first.IsZero() {
				u.edits[f.path] = Merge{Path: f.path}
			}
			if kind == layout.KindRecord {
				u.leaving = append(u.leaving, f)
			}
			return nil
		}
	case layout.KindConsent:
		if !f.first.IsZero() && !f.second.IsZero() {
			return u.consent(f) // 5
		}
	}
	if kind == layout.KindPointer || kind == layout.KindOriginalPointer {
		if held, err := u.holds(strings.TrimSuffix(f.path, layout.PointerPath(""))); err != nil || held { // 6
			if err == nil && !f.first.IsZero() {
				u.edits[f.path] = Merge{Path: f.path}
			}
			return err
		}
	}
	if f.first.IsZero() { // 1
		u.edits[f.path] = Merge{Path: f.path, Blob: f.second}
	}
	return nil
}

// holds reports whether either tree has a file or directory at path.
func (u *uniter) holds(path string) (bool, error) {
	for _, tree := range []objects.Hash{u.first, u.second} {
		if h, err := lookup(u.get, tree, path); err != nil || !h.IsZero() {
			return err == nil, err
		}
	}
	return false, nil
}

// consent merges two consents of an artifact.
func (u *uniter) consent(f both) error {
	a, err := readConsent(u.get, f.first)
	if err != nil {
		return fmt.Errorf("%s: %w", f.path, err)
	}
	b, err := readConsent(u.get, f.second)
	if err != nil {
		return fmt.Errorf("%s: %w", f.path, err)
	}
	m := u.policy.stricter(a, b)
	switch {
	case sameConsent(m, a):
		return nil
	case sameConsent(m, b):
		u.edits[f.path] = Merge{Path: f.path, Blob: f.second}
		return nil
	}
	data, err := m.Encode()
	if err != nil {
		return fmt.Errorf("%s: %w", f.path, err)
	}
	u.edits[f.path] = Merge{Path: f.path, Blob: objects.Sum(objects.Blob, data), Data: data}
	return nil
}

// stricter returns a with everything that b forbids forbidden.
func (p *consentPolicy) stricter(a, b *access.Consent) *access.Consent {
	m := *a
	if a.MinTier == "" || b.MinTier != "" && p.rank[b.MinTier] > p.rank[a.MinTier] {
		m.MinTier = b.MinTier
	}
	m.Restrict(*b, *p.standard)
	m.Time = max(a.Time, b.Time)
	if a.Reason != b.Reason {
		m.Reason = a.Reason + "; " + b.Reason
	}
	return &m
}

// sameConsent reports whether two consents allow the same.
func sameConsent(a, b *access.Consent) bool {
	return a.Inclusion == b.Inclusion && a.Surfacing == b.Surfacing && a.Display == b.Display && a.Existence == b.Existence &&
		a.MinTier == b.MinTier && slices.Equal(a.Persons, b.Persons) && slices.Equal(a.Sensitive, b.Sensitive) &&
		a.Reading == b.Reading && a.Processing == b.Processing && a.Until == b.Until && a.Review == b.Review &&
		a.Authority == b.Authority && a.Rights == b.Rights
}

// originals removes those whose last artifact goes.
func (u *uniter) originals() error {
	going := map[string]bool{}
	for _, f := range u.leaving {
		blob := f.first
		if blob.IsZero() {
			blob = f.second
		}
		original, err := ownOriginal(u.get, blob)
		if err != nil {
			return fmt.Errorf("%s: %w", f.path, err)
		}
		if original != "" {
			going[original] = true
		}
	}
	if len(going) == 0 {
		return nil
	}
	for _, tree := range []objects.Hash{u.first, u.second} {
		if err := u.keepNamed(tree, going); err != nil {
			return err
		}
	}
	for original := range going {
		id, err := cid.ParseAs(cid.Raw, original)
		if err != nil {
			return err
		}
		if err := u.dropOriginal(layout.OriginalPath(id)); err != nil {
			return err
		}
	}
	return nil
}

// keepNamed takes out of going what a record of a tree names that stays in
// the union.
func (u *uniter) keepNamed(tree objects.Hash, going map[string]bool) error {
	return differ{get: u.get, fn: func(path string, _, blob objects.Hash) error {
		kind, ids := layout.ClassifyPath(path)
		if kind != layout.KindRecord || u.withdrawn[ids[0]] {
			return nil
		}
		original, err := ownOriginal(u.get, blob)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		delete(going, original)
		return nil
	}}.tree("", objects.Hash{}, tree, 0)
}

// dropOriginal takes out an original, a file or a directory of chunks.
func (u *uniter) dropOriginal(path string) error {
	for at := range u.edits {
		if at == path || at == layout.PointerPath(path) || strings.HasPrefix(at, path+"/") {
			delete(u.edits, at)
		}
	}
	pointer, err := lookup(u.get, u.first, layout.PointerPath(path))
	if err != nil {
		return err
	}
	if !pointer.IsZero() {
		u.edits[layout.PointerPath(path)] = Merge{Path: layout.PointerPath(path)}
	}
	h, err := lookup(u.get, u.first, path)
	if err != nil || h.IsZero() {
		return err
	}
	kind, _, err := u.get.Get(h)
	if err != nil || kind == objects.Blob {
		u.edits[path] = Merge{Path: path}
		return err
	}
	return differ{get: u.get, fn: func(at string, _, _ objects.Hash) error {
		u.edits[at] = Merge{Path: at}
		return nil
	}}.tree(path+"/", objects.Hash{}, h, 4)
}

// ownOriginal returns the original of a record that differs from its artifact, or "".
func ownOriginal(get Getter, blob objects.Hash) (string, error) {
	data, err := getBlob(get, blob)
	if err != nil {
		return "", err
	}
	rec, err := record.ParseRecord(data)
	if err != nil {
		return "", err
	}
	if rec.Original == rec.Artifact {
		return "", nil
	}
	return rec.Original, nil
}

// checkUnion compares a joined tree with the union of its parents' trees.
func checkUnion(get Getter, first, second, joined objects.Hash) error {
	want, err := Union(get, first, second)
	if err != nil {
		return err
	}
	edits := make(map[string]objects.Hash, len(want))
	for _, m := range want {
		edits[m.Path] = m.Blob
	}
	err = differ{get: get, fn: func(path string, _, blob objects.Hash) error {
		if h, ok := edits[path]; !ok || h != blob {
			return fmt.Errorf("it is not the union of the two it joins: see %s", path)
		}
		delete(edits, path)
		return nil
	}}.tree("", first, joined, 0)
	if err != nil {
		return err
	}
	for _, m := range want {
		if _, missing := edits[m.Path]; missing {
			return fmt.Errorf("it is not the union of the two it joins: see %s", m.Path)
		}
	}
	return nil
}
