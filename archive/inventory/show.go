package inventory

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"muniment/archive"
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/objects"
	"muniment/snapshot"
	"muniment/snapshot/access"
	"muniment/snapshot/layout"
	"muniment/snapshot/record"
	"muniment/text/legible"
)

// A ShowResult is whatever an id or a name names.
type ShowResult struct {
	Kind   string `json:"kind"` // artifact, original, record, snapshot, citation, consent, archive
	ID     string `json:"id"`
	SHA256 string `json:"sha256"` // the id's digest in hex, as sha256sum prints it
	Path   string `json:"path,omitempty"`
	Object any    `json:"object"`

	// Capture says of the address of a page which capture of it this is, and names others.
	Capture string `json:"capture,omitempty"`
}

// A WaitingCitation is a citation that the ledger has bound and that no snapshot holds yet.
type WaitingCitation struct {
	ID     string
	Object json.RawMessage // canonical JSON
}

// Show returns what ref names: an id, an unambiguous prefix of one, an unambiguous
// suffix of a name, or the address of a page, of which the newest capture is shown; also one of the
// citations that wait for a snapshot.
func Show(a *archive.Archive, ref string, waiting []WaitingCitation) (*ShowResult, error) {
	tree, err := a.NewestTree()
	if err != nil {
		return nil, err
	}
	c := a.Catalog(tree)
	var found []*ShowResult
	match := func(id string) bool { return holdings.MatchesID(id, ref) }
	seen := map[string]bool{}
	take := func(kind, id, path string, object any) {
		if !seen[kind+id] {
			seen[kind+id] = true
			found = append(found, &ShowResult{Kind: kind, ID: id, Path: path, Object: object})
		}
	}
	if match(a.ID().String()) {
		take("archive", a.ID().String(), layout.PathArchive, a.Info())
	}
	artifacts, others, err := c.Match(ref)
	if err != nil {
		return nil, err
	}
	pages, err := c.OnlyCaptures(ref)
	if err != nil {
		return nil, err
	}
	if len(pages) > 0 && pages[0].Artifact != nil {
		artifacts = []*holdings.Artifact{pages[0].Artifact}
	} else if len(pages) > 0 {
		artifacts, others = nil, append(others, holdings.Match{Kind: holdings.MatchRecord, ID: pages[0].Record.ID, Place: pages[0]})
	}
	for _, art := range artifacts {
		described, err := describeArtifact(a, tree, art)
		if err != nil {
			return nil, err
		}
		take("artifact", art.ID.String(), layout.ArtifactPath(art.ID), described)
	}
	if err := showOthers(a, tree, others, take); err != nil {
		return nil, err
	}
	if err := showSnapshots(a, ref, take); err != nil {
		return nil, err
	}
	if err := showTag(a, ref, take); err != nil {
		return nil, err
	}
	for _, w := range waiting {
		if match(w.ID) {
			take("citation", w.ID, "", w.Object)
		}
	}
	switch len(found) {
	case 1:
		id, err := cid.Parse(found[0].ID)
		if err != nil {
			return nil, problem.Wrap(err, "show")
		}
		found[0].SHA256, found[0].Capture = id.Hex(), holdings.CaptureNote(pages)
		return found[0], nil
	case 0:
		return showOlder(a, ref, match)
	}
	var names []string
	for _, f := range found[:min(3, len(found))] {
		names = append(names, f.Kind+" "+f.ID)
	}
	return nil, problem.New(problem.Ambiguous, problem.Advise("give more of it: "+strings.Join(names, ", ")), "%s names %s things", legible.Printable(ref), holdings.CountFound(len(found)))
}

// A Paper is an artifact with its withdrawal, hold, consent and records.
type Paper struct {
	holdings.ArtifactInfo
	Description []holdings.Correction      `json:"description,omitempty"` // what its first current record says, by field
	Withdrawn   bool                       `json:"withdrawn"`
	Withdrawal  *archive.WithdrawnArtifact `json:"withdrawal,omitempty"`
	Hold        *record.Hold               `json:"hold,omitempty"`
	Consent     *access.Consent            `json:"consent,omitempty"`
	Accession   []*record.Record           `json:"accessions"`          // with those that correct, by time
	Made        *holdings.Derivation       `json:"made,omitempty"`      // of the text of a scan or a recording
	Texts       []TextOf                   `json:"texts,omitempty"`     // that were made from it
	Parts       []Inside                   `json:"parts,omitempty"`     // what lay inside: attachments, pictures
	PartOf      []Inside                   `json:"part_of,omitempty"`   // in what it lay
	Elsewhere   []Elsewhere                `json:"elsewhere,omitempty"` // of its payload and originals, those in a payload store
}

// A TextOf is a text that was made from a scan or a recording.
type TextOf struct {
	Artifact string `json:"artifact"`
	Name     string `json:"name"`
	How      string `json:"how"` // as in archive.Derivation
}

// addTexts adds the texts that were made from the artifact.
func (d *Paper) addTexts(c *holdings.Catalog, art *holdings.Artifact) error {
	places, err := c.DerivedFrom(art.ID)
	for _, p := range places {
		if made := holdings.DerivationOf(p.Record.Record); made != nil {
			d.Texts = append(d.Texts, TextOf{p.Artifact.ID.String(), p.Record.Label(), made.How})
		}
	}
	return err
}

// An Inside is an artifact that lies in another, or in which one lies.
type Inside struct {
	Artifact string `json:"artifact"`
	Name     string `json:"name"`
}

// addParts adds what lay inside the artifact, as its current records list it, and that in
// which it lay.
func (d *Paper) addParts(c *holdings.Catalog, art *holdings.Artifact) error {
	add := func(list []Inside, one Inside) []Inside {
		if slices.ContainsFunc(list, func(i Inside) bool { return i == one }) {
			return list
		}
		return append(list, one)
	}
	for _, h := range art.CurrentRecords() {
		for _, part := range h.Record.Parts {
			d.Parts = add(d.Parts, Inside{part.Artifact, part.Name})
		}
		id, err := cid.ParseAs(cid.Raw, h.Record.Facts[holdings.FactPartOf])
		if err != nil {
			continue
		}
		whole, err := c.Artifact(id)
		if err != nil {
			return err
		}
		one := Inside{Artifact: id.String()}
		if whole != nil {
			one.Name = whole.Name()
		}
		d.PartOf = add(d.PartOf, one)
	}
	return nil
}

// An Elsewhere is a payload or original that lies in a payload store.
type Elsewhere struct {
	ID    string `json:"id"`
	Size  int64  `json:"size"`            // bytes
	Store string `json:"store,omitempty"` // the address that this copy names; "" where it names none
}

// addElsewhere adds the payload or original id where a pointer stands in its place at
// path.
func (d *Paper) addElsewhere(a *archive.Archive, tree objects.Hash, path, id string) error {
	p, err := a.Pointer(tree, path)
	if err != nil || p == nil || slices.ContainsFunc(d.Elsewhere, func(e Elsewhere) bool { return e.ID == id }) {
		return err
	}
	one := Elsewhere{ID: id, Size: p.Size}
	c, err := a.PayloadStoreConfig()
	if err == nil && c != nil {
		one.Store = c.Address
	}
	d.Elsewhere = append(d.Elsewhere, one)
	return err
}

// describeArtifact returns an artifact with all that the tree has of it.
func describeArtifact(a *archive.Archive, tree objects.Hash, art *holdings.Artifact) (*Paper, error) {
	d := &Paper{ArtifactInfo: art.Info(), Withdrawn: art.Withdrawn, Accession: make([]*record.Record, 0, len(art.Records))}
	for _, h := range art.Records {
		d.Accession = append(d.Accession, h.Record)
	}
	slices.SortStableFunc(d.Accession, func(x, y *record.Record) int { return strings.Compare(x.Time, y.Time) })
	if h, ok := art.FirstRecord(); ok {
		for _, c := range holdings.Corrections(&record.Record{}, h.Record) {
			if !slices.Contains([]string{"artifact", "media_type", "canonicalizer", "charset", holdings.FactDerivedFrom, holdings.FactTextMade, holdings.FactPartOf}, c.Field) {
				d.Description = append(d.Description, c)
			}
		}
	}
	if h, ok := art.FirstRecord(); ok {
		d.Made = holdings.DerivationOf(h.Record)
	}
	err := d.addTexts(a.Catalog(tree), art)
	if err == nil {
		err = d.addParts(a.Catalog(tree), art)
	}
	if err == nil {
		err = d.addElsewhere(a, tree, layout.ArtifactPath(art.ID), art.ID.String())
	}
	for _, h := range art.Records {
		if original, bad := cid.ParseAs(cid.Raw, h.Record.Original); bad == nil && err == nil && original != art.ID {
			err = d.addElsewhere(a, tree, layout.OriginalPath(original), original.String())
		}
	}
	if err != nil {
		return nil, err
	}
	if d.Withdrawal, err = a.Withdrawal(tree, art.ID); err != nil {
		return nil, err
	}
	if d.Hold, err = a.Hold(tree, art.ID); err != nil {
		return nil, err
	}
	d.Consent, err = a.Consent(tree, art.ID)
	return d, err
}

// showSnapshots passes to take each snapshot whose ID ref begins.
func showSnapshots(a *archive.Archive, ref string, take func(kind, id, path string, object any)) error {
	if holdings.IsDigits(ref) { // a number is no ID
		return nil
	}
	rows, err := a.FindRows(ref)
	if err != nil {
		return err
	}
	for _, row := range rows {
		s, err := archive.SnapshotAt(a.Store(), row.Commit)
		if err != nil {
			return problem.Wrap(err, "snapshot "+ref)
		}
		artifacts, err := a.CountArtifacts(s)
		r := a.DescribeCounted(s, row.Commit, artifacts, err)
		if err := a.AddWitnesses(r, s); err != nil {
			return err
		}
		take("snapshot", s.ID.String(), "", r)
	}
	return nil
}

// showTag passes to take the sound tag with the name ref.
func showTag(a *archive.Archive, ref string, take func(kind, id, path string, object any)) error {
	if snapshot.CheckTagName(ref) != nil {
		return nil
	}
	h, err := a.Store().Ref(archive.RefTags + ref)
	if err != nil || h.IsZero() {
		return problem.Wrap(err, archive.RefTags+ref)
	}
	if r := a.ReadTag(ref, h); r.Problem == "" {
		take("tag", r.Snapshot, "", r)
	}
	return nil
}

// showOthers passes to take each original, citation and record.
func showOthers(a *archive.Archive, tree objects.Hash, others []holdings.Match, take func(kind, id, path string, object any)) error {
	for _, m := range others {
		switch {
		case m.Kind == holdings.MatchOriginal:
			take(m.Kind, m.ID.String(), "", map[string]any{"original_of": m.Artifact.ID.String(), "names": m.Record.Record.Names})
		case m.Kind == holdings.MatchCitation:
			data, err := a.File(tree, layout.CitationPath(m.ID))
			if err != nil {
				return err
			}
			take(m.Kind, m.ID.String(), layout.CitationPath(m.ID), json.RawMessage(data))
		case m.Artifact == nil:
			take(m.Kind, m.ID.String(), layout.LoneRecordPath(m.ID), m.Record.Record)
		default:
			take(m.Kind, m.ID.String(), layout.RecordPath(m.Artifact.ID, m.ID), m.Record.Record)
		}
	}
	return nil
}

// showOlder looks for an id among what went away between two snapshots of the
// history: what the newest one does not hold any more.
func showOlder(a *archive.Archive, ref string, match func(string) bool) (*ShowResult, error) {
	nothing := problem.New(problem.NotFound, problem.Next(problem.DoList).Or(problem.DoLog), "nothing is named %s", legible.Printable(ref))
	var newer archive.SnapshotRow
	for older, err := range a.SnapshotRows() {
		if err != nil {
			return nil, err
		}
		if newer.Seq == 0 {
			newer = older
			continue
		}
		changes, err := snapshot.Diff(a.Store(), older.Tree, newer.Tree)
		if err != nil {
			return nil, problem.Wrap(err, "show")
		}
		for _, c := range changes {
			kind, ids := layout.ClassifyPath(c.Path)
			if c.Kind != snapshot.ChangeRemoved || len(ids) == 0 || !match(ids[len(ids)-1].String()) {
				continue
			}
			return describeOlder(a, older, kind, ids[len(ids)-1], c.Path)
		}
		newer = older
	}
	return nil, nothing
}

// describeOlder returns the description of a file of an older snapshot.
func describeOlder(a *archive.Archive, s archive.SnapshotRow, kind layout.Kind, id cid.ID, path string) (*ShowResult, error) {
	names := map[layout.Kind]string{layout.KindPayload: "artifact", layout.KindPointer: "pointer", layout.KindOriginalPointer: "pointer", layout.KindRecord: "record", layout.KindOriginal: "original",
		layout.KindConsent: "consent", layout.KindHold: "hold", layout.KindWithdrawn: "withdrawal"}
	name := names[kind]
	name = cmp.Or(name, "file")
	d := struct {
		Snapshot string          `json:"last_snapshot"` // the newest that holds it
		Seq      int64           `json:"last_seq"`
		Content  json.RawMessage `json:"content,omitempty"`
	}{Snapshot: s.ID.String(), Seq: s.Seq}
	switch kind {
	case layout.KindRecord, layout.KindPointer, layout.KindOriginalPointer, layout.KindConsent, layout.KindHold, layout.KindWithdrawn:
		data, err := a.File(s.Tree, path)
		if err != nil {
			return nil, err
		}
		d.Content = data
	}
	return &ShowResult{Kind: name, ID: id.String(), SHA256: id.Hex(), Path: path, Object: d}, nil
}
