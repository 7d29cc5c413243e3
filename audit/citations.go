package audit

import (
	"errors"
	"fmt"

	"muniment/archive"
	"muniment/archive/holdings"
	"muniment/bundle"
	"muniment/canon"
	"muniment/cid"
	"muniment/cite"
	"muniment/objects"
	"muniment/snapshot"
	"muniment/snapshot/layout"
)

// verifyCitations adds the axis of citations: it checks every citation in a snapshot
// against the text of its artifact.
func verifyCitations(a *archive.Archive, v *ArchiveVerdict, s *snapshot.Snapshot) {
	if s == nil {
		v.Axes = append(v.Axes, bundle.Axis{Name: "citations", Result: bundle.NotChecked, Reason: "the snapshot cannot be read"})
		return
	}
	checked, bad, unreadable := 0, 0, 0
	older := map[string]*snapshot.Snapshot{}
	history, err := a.History(objects.Sum(objects.Commit, s.Content))
	if err != nil {
		history = []*snapshot.Snapshot{s} // a broken history is reported by the first axis
	}
	for _, one := range history {
		older[one.ID.String()] = one
	}
	err = a.Store().Walk(s.Tree, "citations", func(path string, h objects.Hash) error {
		checked++
		err := verifyCitation(a, s, h, older)
		switch {
		case objects.IsUnreadable(err):
			unreadable++
			v.NotChecked++
			v.Problems = append(v.Problems, archive.CheckProblem{Seq: s.Seq, Path: path, State: string(objects.NotChecked), Reason: "cannot be read: " + err.Error()})
		case err != nil:
			bad++
			v.Failed++
			v.Problems = append(v.Problems, archive.CheckProblem{Seq: s.Seq, Path: path, State: string(objects.Failed), Reason: err.Error()})
		}
		return nil
	})
	switch {
	case bad == 0 && objects.IsUnreadable(err):
		v.Axes = append(v.Axes, bundle.Axis{Name: "citations", Result: bundle.NotChecked, Reason: "cannot be read: " + err.Error()})
	case bad == 0 && unreadable > 0:
		v.Axes = append(v.Axes, bundle.Axis{Name: "citations", Result: bundle.NotChecked, Reason: fmt.Sprintf("of %d, %d rest on what cannot be read", checked, unreadable)})
	case err != nil:
		v.Axes = append(v.Axes, bundle.Axis{Name: "citations", Result: bundle.Fail, Reason: err.Error()})
	case bad > 0:
		v.Axes = append(v.Axes, bundle.Axis{Name: "citations", Result: bundle.Fail, Reason: fmt.Sprintf("%d of %d do not resolve", bad, checked)})
	default:
		v.Axes = append(v.Axes, bundle.Axis{Name: "citations", Result: bundle.Pass, Reason: fmt.Sprintf("%d sealed citations, each resolved to its words", checked)})
	}
}

// verifyCitation returns an error where a sealed citation does not resolve to its
// words. older has the snapshots of the history by id.
func verifyCitation(a *archive.Archive, s *snapshot.Snapshot, h objects.Hash, older map[string]*snapshot.Snapshot) error {
	_, data, err := a.Store().Get(h)
	if err != nil {
		return err
	}
	c, err := cite.ParseCitation(data)
	if err != nil {
		return err
	}
	id, err := cid.Parse(c.Artifact)
	if err != nil {
		return err
	}
	if c.Relation == cite.MetadataFact {
		return verifyMetadata(a, s, c, id, older)
	}
	withdrawn, err := a.File(s.Tree, layout.WithdrawnPath(id))
	if err != nil {
		return err
	}
	if withdrawn != nil { // it resolves in the snapshot that it names
		if s = older[c.Snapshot]; s == nil {
			return fmt.Errorf("its artifact is withdrawn, and its snapshot %s is not in the history", c.Snapshot)
		}
		if c.Type == cite.MediaCitationType {
			return verifyFragment(a.Holdings().Peek(s.Tree), s, c, id)
		}
		data, err := a.Payload(s.Tree, id)
		if err != nil {
			return err
		}
		return c.Check(canon.NewDocument(data))
	}
	if c.Type == cite.MediaCitationType {
		return verifyFragment(a.Catalog(s.Tree), s, c, id)
	}
	art, err := a.Catalog(s.Tree).Artifact(id)
	if err != nil {
		return err
	}
	if art == nil {
		return fmt.Errorf("its artifact %s is not in snapshot %d", id, s.Seq)
	}
	doc, err := a.Document(s.Tree, art)
	if err != nil {
		return err
	}
	return c.Check(doc)
}

// verifyFragment returns an error where a citation of a picture or a recording does
// not lie in what a record of its artifact describes: of the record that it names, or
// else of any. The payload is hashed where all payloads are.
func verifyFragment(catalog *holdings.Catalog, s *snapshot.Snapshot, c *cite.Citation, id cid.ID) error {
	art, err := catalog.Artifact(id)
	if err != nil {
		return err
	}
	if art == nil {
		return fmt.Errorf("its artifact %s is not in snapshot %d", id, s.Seq)
	}
	problem := fmt.Errorf("its record is not in snapshot %d", s.Seq)
	for _, h := range art.Records {
		if c.Record != "" && c.Record != h.ID.String() {
			continue
		}
		if problem = c.CheckMedia(h.Record.Canonicalizer, h.Record.Facts); problem == nil {
			return nil
		}
	}
	return problem
}

// verifyMetadata returns an error where a citation of a record does not resolve.
func verifyMetadata(a *archive.Archive, s *snapshot.Snapshot, c *cite.Citation, id cid.ID, older map[string]*snapshot.Snapshot) error {
	h, ok, err := findRecord(a.Catalog(s.Tree), id)
	if err != nil {
		return err
	}
	was := older[c.Snapshot]
	if ok && was != nil {
		path := layout.LoneRecordPath(id)
		if h.Record.Artifact != "" {
			artifact, err := cid.ParseAs(cid.Raw, h.Record.Artifact)
			if err != nil {
				return err
			}
			path = layout.RecordPath(artifact, id)
		}
		if kept, err := a.File(was.Tree, path); err != nil || kept == nil {
			return errors.Join(err, fmt.Errorf("snapshot %d, which it names, has not its record", was.Seq))
		}
	}
	if !ok && was != nil { // its artifact may be withdrawn
		if h, ok, err = findRecord(a.Holdings().Peek(was.Tree), id); err != nil {
			return err
		}
	}
	if !ok {
		return fmt.Errorf("its record %s is not in snapshot %d", id, s.Seq)
	}
	data, err := h.Record.Encode()
	if err != nil {
		return err
	}
	return c.CheckRecord(data)
}

// findRecord returns the record with an ID, and whether the tree has it. What the
// index does not propose is looked for among all records before it is absent.
func findRecord(c *holdings.Catalog, id cid.ID) (holdings.StoredRecord, bool, error) {
	h, ok, err := c.FindRecord(id)
	if err != nil || ok {
		return h, ok, err
	}
	all, err := c.ReadAll()
	if err != nil {
		return h, false, err
	}
	for _, h := range all.LoneRecords {
		if h.ID == id {
			return h, true, nil
		}
	}
	for _, art := range all.Artifacts {
		for _, h := range art.Records {
			if h.ID == id {
				return h, true, nil
			}
		}
	}
	return h, false, nil
}
