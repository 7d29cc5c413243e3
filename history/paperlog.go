package history

import (
	"slices"

	"muniment/archive"
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/snapshot"
	"muniment/snapshot/layout"
	"muniment/snapshot/record"
)

// The kinds of change of a record that supersedes another one.
const (
	ChangeDescribed = "described" // what is said of a paper was corrected
	ChangeReread    = "reread"    // its original was read anew, into another artifact
)

// A DescriptionEntry is one record in the history of what is said of a paper.
type DescriptionEntry struct {
	Record      string                `json:"record"`
	Artifact    string                `json:"artifact,omitempty"`
	Time        string                `json:"time"`
	Agent       string                `json:"agent"`
	Supersedes  string                `json:"supersedes,omitempty"`
	Seq         int64                 `json:"seq,omitempty"`      // of the first snapshot that holds it; 0 when it is staged
	Snapshot    string                `json:"snapshot,omitempty"` // its id
	Corrections []holdings.Correction `json:"corrections"`        // against the record it supersedes; of the first one all it says
}

// A PaperLogResult is the history of what is said of a paper.
type PaperLogResult struct {
	Name    string             `json:"name"`
	Entries []DescriptionEntry `json:"entries"` // the newest first
}

// PaperLog lists the records of a paper, the newest first: who said what of it when,
// and which snapshot was the first to hold it.
func PaperLog(a *archive.Archive, ref string) (*PaperLogResult, error) {
	tree, err := a.NewestTree()
	if err != nil {
		return nil, err
	}
	c := a.Catalog(tree)
	place, err := c.ResolvePlace(ref)
	if err != nil {
		return nil, err
	}
	r := &PaperLogResult{Name: place.Record.Label()}
	for at, ok := place, true; ok; {
		var older holdings.Place
		if older, ok, err = supersededPlace(c, at); err != nil {
			return nil, err
		}
		before := &record.Record{}
		if ok {
			before = older.Record.Record
		}
		rec := at.Record.Record
		e := DescriptionEntry{Record: at.Record.ID.String(), Artifact: rec.Artifact, Time: rec.Time, Agent: rec.Agent, Supersedes: rec.Supersedes,
			Corrections: holdings.Corrections(before, rec)}
		if e.Seq, e.Snapshot, err = firstSnapshot(a, recordPath(at)); err != nil {
			return nil, err
		}
		r.Entries = append(r.Entries, e)
		at = older
	}
	return r, nil
}

// recordPath returns where the record of a place lies.
func recordPath(p holdings.Place) string {
	if p.Artifact == nil {
		return layout.LoneRecordPath(p.Record.ID)
	}
	return layout.RecordPath(p.Artifact.ID, p.Record.ID)
}

// supersededPlace returns the place of the record that one supersedes, and whether
// the tree has it.
func supersededPlace(c *holdings.Catalog, p holdings.Place) (holdings.Place, bool, error) {
	old, err := cid.ParseAs(cid.JSON, p.Record.Record.Supersedes)
	if err != nil {
		return holdings.Place{}, false, nil // it supersedes none
	}
	if p.Artifact != nil {
		if i := slices.IndexFunc(p.Artifact.Records, func(h holdings.StoredRecord) bool { return h.ID == old }); i >= 0 {
			return holdings.Place{Artifact: p.Artifact, Record: p.Artifact.Records[i]}, true, nil
		}
	}
	return c.FindPlace(old)
}

// firstSnapshot returns number and id of the first snapshot that holds a file, 0 for
// one that is staged.
func firstSnapshot(a *archive.Archive, path string) (seq int64, id string, err error) {
	for row, err := range a.SnapshotRows() {
		if err != nil {
			return 0, "", err
		}
		_, held, err := a.Store().Lookup(row.Tree, path)
		if err != nil {
			return 0, "", problem.Wrap(err, path)
		}
		if !held {
			break
		}
		seq, id = row.Seq, row.ID.String()
	}
	return seq, id, nil
}

// markDescriptions gives the changes that are records of a tree which supersede others
// their kind and what they correct, and puts those of one paper in the order in which they
// supersede each other.
func markDescriptions(c *holdings.Catalog, changes []Change) error {
	chain := map[string]string{} // the record that one among the changes supersedes
	defer func() { orderDescriptions(changes, chain) }()
	for i := range changes {
		one := &changes[i]
		kind, ids := layout.ClassifyPath(one.Path)
		if one.Kind == snapshot.ChangeRemoved || kind != layout.KindRecord && kind != layout.KindLoneRecord {
			continue
		}
		place, ok, err := recordPlace(c, ids)
		if err != nil || !ok || place.Record.Record.Supersedes == "" {
			if err != nil {
				return err
			}
			continue
		}
		one.Kind = ChangeDescribed
		chain[place.Record.ID.String()] = place.Record.Record.Supersedes
		older, ok, err := supersededPlace(c, place)
		if err != nil {
			return err
		}
		if ok {
			one.Corrections = holdings.Corrections(older.Record.Record, place.Record.Record)
			if older.Artifact != nil && place.Artifact != nil && older.Artifact.ID != place.Artifact.ID {
				one.Kind = ChangeReread
			}
		}
		if one.Name == "" {
			one.Name = place.Record.Label()
		}
	}
	return nil
}

// orderDescriptions sorts the described and reread changes of each paper, within the places
// that they have among the changes, by how many others of them each supersedes. chain has
// for each record the one that it supersedes.
func orderDescriptions(changes []Change, chain map[string]string) {
	places, rank := map[string][]int{}, map[string]int{}
	for i := range changes {
		if changes[i].Kind != ChangeDescribed && changes[i].Kind != ChangeReread {
			continue
		}
		places[changes[i].Name] = append(places[changes[i].Name], i)
		var open []string // newest first
		for id := recordOf(changes[i].Path); rank[id] == 0 && chain[id] != "" && len(open) <= len(chain); id = chain[id] {
			open = append(open, id)
		}
		for _, id := range slices.Backward(open) {
			rank[id] = rank[chain[id]] + 1
		}
	}
	for _, at := range places {
		var sorted []Change
		for _, i := range at {
			sorted = append(sorted, changes[i])
		}
		slices.SortStableFunc(sorted, func(x, y Change) int { return rank[recordOf(x.Path)] - rank[recordOf(y.Path)] })
		for n, i := range at {
			changes[i] = sorted[n]
		}
	}
}

// recordOf returns the ID of the record at a path.
func recordOf(path string) string {
	_, ids := layout.ClassifyPath(path)
	if len(ids) == 0 {
		return ""
	}
	return ids[len(ids)-1].String()
}

// recordPlace returns the place of the record that a path names by ids: that of its
// artifact and its own, or its own alone.
func recordPlace(c *holdings.Catalog, ids []cid.ID) (holdings.Place, bool, error) {
	if len(ids) == 1 {
		return c.FindPlace(ids[0])
	}
	art, err := c.Artifact(ids[0])
	if art == nil || err != nil {
		return holdings.Place{}, false, err
	}
	i := slices.IndexFunc(art.Records, func(h holdings.StoredRecord) bool { return h.ID == ids[1] })
	if i < 0 {
		return holdings.Place{}, false, nil
	}
	return holdings.Place{Artifact: art, Record: art.Records[i]}, true, nil
}
