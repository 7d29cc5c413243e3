package history

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"muniment/archive/holdings"
	"muniment/cid"
	"muniment/objects"
	"muniment/policy"
	"muniment/snapshot"
	"muniment/snapshot/layout"
	"muniment/snapshot/record"
)

// An exposure is one file with which somebody sees more, or which a key without the role
// withdraw may not bring.
type exposure struct {
	Path string
	What string // a verb and its objects: "of letter.txt: allows display"

	// Aside means that somebody sees more by a change that does not say so, such as a record
	// without the link to the scan whose consent held.
	Aside bool
}

// WideningActs returns the exposures of a tree over the one before it, as acts of a snapshot.
func WideningActs(get snapshot.Getter, from, to objects.Hash, locate Locator) ([]snapshot.Act, error) {
	found, err := exposures(get, from, to, locate)
	return actsOf(found), err
}

// actsOf returns exposures as acts of a snapshot.
func actsOf(list []exposure) []snapshot.Act {
	var out []snapshot.Act
	for _, w := range list {
		out = append(out, snapshot.Act{Path: w.Path, What: w.What})
	}
	return out
}

// A Locator returns the artifact of the record with an id, and whether it is known.
type Locator func(record cid.ID) (artifact cid.ID, known bool, err error)

// exposures returns the exposures of a tree over the one before it, those of policy/ first. Objects come from
// get, which may be called from this goroutine alone. locate finds records in the archive
// before the tree from; nil knows none.
//
// It answers two questions at once. What a key without the role withdraw may put into a
// snapshot is a list: payloads and originals, records that keep what the ones before say of
// their derivation, records without a body, citations, holds, and consents and policies that
// are not wider. Whatever is not on the list is found. And consents are compared as they take
// effect: with what a text takes from its scan, the archive's default, the labels, the tiers
// and the persons, by the recogniser and the rules that the gates use.
//
// Only files that differ are looked at, and what they refer to. That suffices, as what a text
// takes from a scan is never wider where the scan's consent is not. It does not judge what
// snapshot.NewStep finds: withdrawals, removals, and changes below trust/.
func exposures(get snapshot.Getter, from, to objects.Hash, locate Locator) ([]exposure, error) {
	c := newComparison(get, from, to, locate)
	if err := snapshot.EachChange(get, from, to, c.file); err != nil {
		return nil, err
	}
	return c.compare(from, to)
}

// stagedExposures is exposures for a tree that this program staged and that a key with the role withdraw
// signs, and returns the step too, in one walk. It does not read the records of papers that are new: those that the program makes of
// a paper read again carry what held for it. A tree of 50,000 new papers is compared in the
// time that a walk over it takes.
func stagedExposures(get snapshot.Getter, from, to objects.Hash) (*snapshot.Step, []exposure, error) {
	c := newComparison(get, from, to, nil)
	c.knows = true
	step, err := snapshot.NewStepWith(get, from, to, c.file)
	if err != nil {
		return nil, nil, err
	}
	found, err := c.compare(from, to)
	return step, found, err
}

func newComparison(get snapshot.Getter, from, to objects.Hash, locate Locator) *comparison {
	return &comparison{get: get, from: holdings.NewLookup(get, from), to: holdings.NewLookup(get, to), locate: locate, came: map[cid.ID]cid.ID{}, touched: map[cid.ID]bool{}}
}

// compare compares what the walk has found.
func (c *comparison) compare(from, to objects.Hash) ([]exposure, error) {
	if err := c.readPolicies(from, to); err != nil {
		return nil, err
	}
	c.comparePolicies()
	for _, id := range c.order {
		if err := c.compareArtifact(id); err != nil {
			return nil, err
		}
	}
	return c.found, nil
}

// A comparison is the state of exposures.
type comparison struct {
	get      snapshot.Getter
	from, to *holdings.Lookup
	locate   Locator
	knows    bool   // as in FindKnown
	payload  cid.ID // the last one that came

	policies []string          // paths below policy/ that differ
	came     map[cid.ID]cid.ID // artifacts of records that are new, where one supersedes another or is derived
	touched  map[cid.ID]bool   // artifacts to compare
	order    []cid.ID          // the same, in path order

	before, after *policy.Policy // nil where nothing asks for them
	found         []exposure
}

func (c *comparison) add(path, format string, args ...any) {
	c.found = append(c.found, exposure{Path: path, What: fmt.Sprintf(format, args...)})
}

// file takes one file that differs.
func (c *comparison) file(path string, old, blob objects.Hash) error {
	kind, ids := layout.ClassifyPath(path)
	switch kind {
	case layout.KindPayload, layout.KindPointer:
		if old.IsZero() {
			c.payload = ids[0]
		}
		return nil
	case layout.KindPayloadChunk, layout.KindOriginal, layout.KindOriginalChunk, layout.KindOriginalPointer,
		layout.KindLoneRecord, layout.KindCitation, layout.KindReview, layout.KindHold:
		return nil // bytes that their path names; what goes is a snapshot.Step
	case layout.KindWithdrawn, layout.KindTrust:
		return nil // a snapshot.Step
	case layout.KindPolicy:
		c.policies = append(c.policies, path)
		return nil
	case layout.KindConsent:
		c.touch(ids[0])
		return nil
	case layout.KindRecord:
		return c.record(ids[0], ids[1], blob)
	}
	c.add(path, "adds, changes or drops a file that only a key with the role withdraw may")
	return nil
}

func (c *comparison) touch(id cid.ID) {
	if !c.touched[id] {
		c.touched[id] = true
		c.order = append(c.order, id)
	}
}

// The members of a record by which the consent of one artifact depends on another record.
// They stand in canonical JSON as they are written here.
var (
	memberSupersedes = []byte(`"supersedes":`)
	memberDerived    = []byte(`"` + holdings.FactDerivedFrom + `":`)
)

// record takes a record that came or went. Most are of papers that are new and depend on
// nothing: their bytes are not parsed.
func (c *comparison) record(artifact, id cid.ID, blob objects.Hash) error {
	switch {
	case blob.IsZero():
		c.touch(artifact)
		return nil
	case c.knows && artifact == c.payload:
		return nil
	}
	_, data, err := c.get.Get(blob)
	if err != nil {
		return err
	}
	c.came[id] = artifact
	if artifact != c.payload || bytes.Contains(data, memberSupersedes) || bytes.Contains(data, memberDerived) {
		c.touch(artifact) // a paper that was here may have come in something that is hidden
	}
	return nil
}

// readPolicies reads both policies where something is compared by them.
func (c *comparison) readPolicies(from, to objects.Hash) error {
	if len(c.policies)+len(c.order) == 0 {
		return nil
	}
	for _, p := range []struct {
		tree objects.Hash
		into **policy.Policy
	}{{from, &c.before}, {to, &c.after}} {
		files, err := c.policyFiles(p.tree)
		if err != nil {
			return err
		}
		if *p.into, err = policy.Load(files); err != nil && len(c.policies) > 0 {
			c.add("policy/", "changes a policy that cannot be read: %v", err)
		}
		if len(c.policies) == 0 {
			c.after = c.before
			return nil
		}
	}
	return nil
}

// policyFiles returns the files below policy/ of a tree.
func (c *comparison) policyFiles(tree objects.Hash) (map[string][]byte, error) {
	files := map[string][]byte{}
	folder, err := c.folder(tree, "policy")
	if err != nil || folder.IsZero() {
		return files, err
	}
	err = snapshot.EachChange(c.get, objects.Hash{}, folder, func(path string, _, blob objects.Hash) error {
		_, data, err := c.get.Get(blob)
		files["policy/"+path] = data
		return err
	})
	return files, err
}

// folder returns a directory at the top of a tree, the zero hash where it has none.
func (c *comparison) folder(tree objects.Hash, name string) (objects.Hash, error) {
	if tree.IsZero() {
		return tree, nil
	}
	_, data, err := c.get.Get(tree)
	if err != nil {
		return objects.Hash{}, err
	}
	entries, err := objects.ParseTree(data)
	i := slices.IndexFunc(entries, func(e objects.TreeEntry) bool { return e.Name == name && e.Mode == objects.ModeTree })
	if err != nil || i < 0 {
		return objects.Hash{}, err
	}
	return entries[i].Hash, nil
}

// comparePolicies compares the policies of both trees.
func (c *comparison) comparePolicies() {
	if c.before == nil || c.after == nil {
		return
	}
	for _, path := range c.policies {
		for _, w := range c.before.Widens(c.after, path) {
			c.found = append(c.found, exposure{path, w.What, w.Aside})
		}
	}
}

// locateRecord finds the artifact of a record: among those that came, and in the archive
// before.
func (c *comparison) locateRecord(id cid.ID) (cid.ID, bool, error) {
	if artifact, ok := c.came[id]; ok {
		return artifact, true, nil
	}
	if c.locate == nil {
		return cid.ID{}, false, nil
	}
	return c.locate(id)
}

// linksOf returns the links of a record, one line each: of what its text was
// made, of what it is part, and what lies inside it.
func linksOf(r *record.Record) []string {
	var out []string
	if d := holdings.DerivationOf(r); d != nil {
		for _, from := range d.From {
			out = append(out, "the text of "+from)
		}
	}
	for whole := range strings.FieldsSeq(r.Facts[holdings.FactPartOf]) {
		out = append(out, "a part of "+whole)
	}
	for _, part := range r.Parts {
		out = append(out, "the whole of "+part.Artifact)
	}
	return out
}
