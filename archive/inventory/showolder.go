package inventory

import (
	"encoding/json"

	"muniment/archive"
	"muniment/cid"
	"muniment/snapshot"
	"muniment/snapshot/record"
)

// showTag finds a tag by its name.
func showTag(a *archive.Archive, ref string, take func(kind, id, path string, object any)) error {
	if snapshot.CheckTagName(ref) != nil {
		return nil
	}
	h, err := a.Store().Ref(archive.RefTags + ref)
	if err != nil || h.IsZero() {
		return archive.Environment(err, archive.RefTags+ref)
	}
	if r := a.ReadTag(ref, h); r.Problem == "" {
		take("tag", r.Snapshot, "", r)
	}
	return nil
}

// showOlder looks for an id among what went away between two snapshots of the
// history: what the newest one does not hold any more.
func showOlder(a *archive.Archive, ref string, match func(string) bool) (*ShowResult, error) {
	nothing := archive.Problem(archive.TypeNotFound, archive.Next(archive.DoList).Or(archive.DoLog), "nothing is named %s", archive.Printable(ref))
	_, tip, err := a.Head()
	if err != nil || tip.IsZero() {
		if err == nil {
			err = nothing
		}
		return nil, err
	}
	history, err := a.History(tip)
	if err != nil {
		return nil, err
	}
	for i := 0; i+1 < len(history); i++ {
		older := history[i+1]
		changes, err := snapshot.Diff(a.Store(), older.Tree, history[i].Tree)
		if err != nil {
			return nil, archive.Environment(err, "show")
		}
		for _, c := range changes {
			kind, ids := record.ClassifyPath(c.Path)
			if c.Kind != snapshot.ChangeRemoved || len(ids) == 0 || !match(ids[len(ids)-1].String()) {
				continue
			}
			return describeOlder(a, older, kind, ids[len(ids)-1], c.Path)
		}
	}
	return nil, nothing
}

// describeOlder describes a file of an older snapshot.
func describeOlder(a *archive.Archive, s *snapshot.Snapshot, kind record.Kind, id cid.ID, path string) (*ShowResult, error) {
	names := map[record.Kind]string{record.KindPayload: "artifact", record.KindRecord: "record", record.KindOriginal: "original",
		record.KindConsent: "consent", record.KindHold: "hold", record.KindWithdrawn: "withdrawal"}
	name := names[kind]
	if name == "" {
		name = "file"
	}
	d := struct {
		Snapshot string          `json:"last_snapshot"` // the newest that holds it
		Seq      int64           `json:"last_seq"`
		Content  json.RawMessage `json:"content,omitempty"`
	}{Snapshot: s.ID.String(), Seq: s.Seq}
	switch kind {
	case record.KindRecord, record.KindConsent, record.KindHold, record.KindWithdrawn:
		data, err := a.File(s.Tree, path)
		if err != nil {
			return nil, err
		}
		d.Content = data
	}
	return &ShowResult{Kind: name, ID: id.String(), SHA256: id.Hex(), Path: path, Object: d}, nil
}
