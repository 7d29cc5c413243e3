package search

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"muniment/archive"
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/canon"
	"muniment/canon/forms"
	"muniment/cid"
	"muniment/objects"
	"muniment/search/catalogue"
	"muniment/search/retrieve"
	"muniment/snapshot"
)

// entriesPerArtifact is how many files an artifact has in a tree at least: payload and record.
const entriesPerArtifact = 2

// An update is what an index lacks to be of a snapshot, or to be of the one that an
// interrupted update was on the way to.
type update struct {
	a      *archive.Archive
	ix     retrieve.Index
	wanted *snapshot.Snapshot
	at     *archive.SnapshotRow // the snapshot that the index is of or on the way to; nil when it is empty
	newer  bool                 // the index is of a later snapshot than the one wanted
	large  bool                 // it has more than inlinePassages passages, about

	id     string // where the update goes
	tree   objects.Hash
	extent retrieve.Extent      // of the index now
	from   *archive.SnapshotRow // where the update begins; nil where everything is read

	artifacts []*holdings.Artifact // to be read; nil until list
	gone      []string             // IDs of those that leave, changed ones included
}

// planUpdate returns the next update that brings an index to a snapshot; nil where it is of
// it. An index of which the history does not hold the snapshot any more is emptied.
func planUpdate(ctx context.Context, a *archive.Archive, ix retrieve.Index, s *snapshot.Snapshot) (*update, error) {
	u := &update{a: a, ix: ix, wanted: s, id: s.ID.String(), tree: s.Tree, extent: ix.Extent()}
	if ix.Snapshot() == u.id {
		return nil, nil
	}
	if u.extent.Snapshot == "" {
		return u, u.estimate()
	}
	var known bool
	var err error
	if u.at, known, err = row(a, u.extent.Snapshot); err != nil {
		return nil, err
	}
	u.from = u.at
	if known && u.extent.Last != "" {
		u.id, u.tree = u.extent.Snapshot, u.at.Tree
		if u.from = nil; u.extent.From != "" {
			if u.from, known, err = row(a, u.extent.From); err != nil {
				return nil, err
			}
		}
	}
	if !known {
		if err := ix.Reset(ctx); err != nil {
			return nil, problem.Wrap(err, "search index")
		}
		return planUpdate(ctx, a, ix, s)
	}
	if u.newer = u.extent.Last == "" && u.at.Seq > s.Seq; u.newer {
		return u, nil
	}
	return u, u.estimate()
}

// row returns a snapshot of the history, and reports whether it is in there.
func row(a *archive.Archive, id string) (*archive.SnapshotRow, bool, error) {
	r, there, err := a.HasSnapshot(id)
	if err != nil || !there {
		return nil, false, err
	}
	return &r, true, nil
}

// estimate says whether the update is large, without reading many records.
func (u *update) estimate() error {
	many := u.wanted.Entries/entriesPerArtifact - int64(u.extent.Done)
	if u.from != nil {
		changed, err := changedArtifacts(u.a, u.from.Tree, u.tree)
		if err != nil {
			return err
		}
		many = int64(len(changed) - u.extent.Done)
	}
	if u.large = many > inlinePassages; u.large {
		return nil
	}
	if err := u.list(); err != nil {
		return err
	}
	u.large = passagesIn(u.artifacts[u.indexed():]) > inlinePassages
	return nil
}

// list reads which artifacts the update is about.
func (u *update) list() (err error) {
	if u.artifacts != nil {
		return nil
	}
	var old *holdings.Catalog
	if u.from != nil {
		old = u.a.Holdings().Peek(u.from.Tree)
	}
	u.artifacts, u.gone, err = artifactsSince(u.a, u.a.Holdings().Peek(u.tree), old)
	return err
}

// indexed returns how many of the artifacts an interrupted update has indexed.
func (u *update) indexed() int {
	if u.extent.Last == "" {
		return 0
	}
	return 1 + slices.IndexFunc(u.artifacts, func(art *holdings.Artifact) bool { return art.ID.String() == u.extent.Last })
}

// run does the update.
func (u *update) run(ctx context.Context, progress func(done, total int)) error {
	if err := u.list(); err != nil {
		return err
	}
	done, gone := u.indexed(), u.gone
	if done > 0 {
		gone = nil
	}
	var fault error
	err := u.ix.Update(ctx, u.id, newTexts(u.a, u.tree, u.artifacts, done, progress, &fault), gone, nil)
	return updateError(ctx, fault, problem.Wrap(err, "search index"))
}

// partly returns the index as it is, without what the wanted snapshot does not have so. Its
// coverage says which share of the snapshot it has, and its notice of what it is, and what
// becomes of the rest. Both have no counts: their reader may not know of every text.
func (u *update) partly(rest string) (*Opened, error) {
	o := &Opened{Index: u.ix, Searched: Coverage{Snapshot: u.wanted.ID.String(), Seq: u.wanted.Seq, Rest: rest}}
	var changed []changedArtifact
	var err error
	if u.at != nil && u.at.ID != u.wanted.ID {
		changed, err = changedArtifacts(u.a, u.at.Tree, u.wanted.Tree)
	}
	if err == nil {
		err = u.measure(&o.Searched, len(changed))
	}
	if err != nil {
		u.ix.Close()
		return nil, err
	}
	for _, one := range changed {
		if !one.added {
			o.hidden = append(o.hidden, one.id.String())
		}
	}
	slices.Sort(o.hidden)
	switch {
	case u.at == nil:
		o.Notice = fmt.Sprintf("nothing of snapshot %d was searched", u.wanted.Seq)
	case u.extent.Last == "":
		o.Notice = fmt.Sprintf("snapshot %d was searched, not yet snapshot %d", u.at.Seq, u.wanted.Seq)
	case u.from == nil:
		o.Notice = fmt.Sprintf("a part of snapshot %d was searched", u.at.Seq)
	default:
		o.Notice = fmt.Sprintf("snapshot %d and a part of snapshot %d were searched", u.from.Seq, u.at.Seq)
	}
	o.Notice += "; " + rest
	return o, nil
}

// A changedArtifact is an artifact of which two trees have other files.
type changedArtifact struct {
	id    cid.ID
	added bool // the second has a payload that the first does not have
}

// changedArtifacts returns the artifacts in which two trees differ, sorted.
func changedArtifacts(a *archive.Archive, from, to objects.Hash) ([]changedArtifact, error) {
	changes, err := snapshot.Diff(a.Store(), from, to)
	if err != nil {
		return nil, problem.Wrap(err, "search index")
	}
	var out []changedArtifact
	for _, ch := range changes {
		if ch.Artifact.IsZero() {
			continue
		}
		if n := len(out); n == 0 || out[n-1].id != ch.Artifact {
			out = append(out, changedArtifact{id: ch.Artifact})
		}
		if ch.Kind == snapshot.ChangeAdded {
			out[len(out)-1].added = true
		}
	}
	return out, nil
}

// indexedCatalog returns the catalogue of the snapshot an index was made for, nil
// when there is none or the history no longer holds it.
func indexedCatalog(a *archive.Archive, id string) (*holdings.Catalog, error) {
	if id == "" {
		return nil, nil
	}
	r, there, err := row(a, id)
	if err != nil || !there {
		return nil, err
	}
	return a.Holdings().Peek(r.Tree), nil
}

// artifactsSince returns the artifacts whose first record the catalogue old, which
// may be nil, does not have so, and the IDs of those that are gone or changed since:
// taken away, or read anew as another text.
func artifactsSince(a *archive.Archive, c, old *holdings.Catalog) (artifacts []*holdings.Artifact, gone []string, err error) {
	if old == nil {
		all, err := c.ReadAll()
		if err != nil {
			return nil, nil, err
		}
		reread := all.Reread()
		return slices.DeleteFunc(all.Artifacts, func(art *holdings.Artifact) bool { return reread[art.ID] }), nil, nil
	}
	changed, err := changedArtifacts(a, old.Tree, c.Tree)
	if err != nil {
		return nil, nil, err
	}
	artifacts = []*holdings.Artifact{}
	reread := map[cid.ID]bool{} // texts of earlier readings
	for _, one := range changed {
		now, err := c.Artifact(one.id)
		if err != nil {
			return nil, nil, err
		}
		before, err := old.Artifact(one.id)
		if err != nil {
			return nil, nil, err
		}
		there := now != nil && len(now.Records) > 0
		if there && isUnchanged(before, now) {
			continue
		}
		if there {
			artifacts = append(artifacts, now)
		}
		if before != nil {
			gone = append(gone, one.id.String())
		}
		if !there {
			continue
		}
		earlier, err := c.RereadBy(now)
		if err != nil {
			return nil, nil, err
		}
		for _, id := range earlier {
			reread[id] = true
			gone = append(gone, id.String())
		}
	}
	slices.Sort(gone)
	return slices.DeleteFunc(artifacts, func(art *holdings.Artifact) bool { return reread[art.ID] }), slices.Compact(gone), nil
}

// newTexts returns the documents of artifacts in a tree, from one of them on. An error of
// the archive goes to fault.
func newTexts(a *archive.Archive, tree objects.Hash, artifacts []*holdings.Artifact, from int, progress func(done, total int), fault *error) iter.Seq2[retrieve.Doc, error] {
	return func(yield func(retrieve.Doc, error) bool) {
		for i := from; i < len(artifacts); i++ {
			art := artifacts[i]
			h, ok := art.FirstRecord()
			if !ok || !h.Record.Textual() {
				continue
			}
			data, err := a.Payload(tree, art.ID)
			if err != nil {
				*fault = err
				yield(retrieve.Doc{}, err)
				return
			}
			doc := retrieve.Doc{Artifact: art.ID.String(), Date: holdings.DateOf(h.Record).String(), Head: catalogue.ReadHead(string(data), "").Text(), Document: canon.NewDocument(data), Rows: forms.Rows(h.Record.Canonicalizer)}
			if h.Record.Source != nil {
				doc.Title, doc.Lang = h.Record.Source.Title, h.Record.Source.Language
				if len(h.Record.Source.Creators) > 0 {
					doc.Author = h.Record.Source.Creators[0]
				}
			}
			if progress != nil {
				progress(i+1, len(artifacts))
			}
			if !yield(doc, nil) {
				return
			}
		}
	}
}

// isUnchanged reports whether an artifact, which may be nil, had the same first
// record before.
func isUnchanged(before, now *holdings.Artifact) bool {
	if before == nil {
		return false
	}
	was, ok := before.FirstRecord()
	is, _ := now.FirstRecord()
	return ok && was.ID == is.ID
}
