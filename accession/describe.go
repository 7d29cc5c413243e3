package accession

import (
	"maps"
	"slices"
	"time"

	"muniment/accession/sourcemeta"
	"muniment/archive"
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/snapshot/layout"
	"muniment/snapshot/record"
	"muniment/text/legible"
)

// A Description is a change of the descriptions of papers in the archive.
type Description struct {
	Values sourcemeta.Values // each field that is given replaces that of the record
	Clear  []string          // fields and facts to empty

	// TakeFound takes the date at the head of a text for its date, where it has none.
	TakeFound bool

	// Sidecar describes whatever in the archive its rows name.
	Sidecar *sourcemeta.Sidecar

	DryRun bool // report what would change, stage nothing
}

// A Described is one record that was corrected.
type Described struct {
	Artifact    string                `json:"artifact,omitempty"` // "" of a record without a body
	Name        string                `json:"name"`
	Record      string                `json:"record"`
	Supersedes  string                `json:"supersedes"`
	Corrections []holdings.Correction `json:"corrections"`
}

// A DescribeResult is what Describe did.
type DescribeResult struct {
	Described []Described `json:"described"`
	Unchanged []string    `json:"unchanged,omitempty"` // names of which all that was said was known
	Skipped   []Skip      `json:"skipped"`
	Notes     []string    `json:"notes,omitempty"`
	DryRun    bool        `json:"dry_run,omitempty"`
}

// Describe corrects what the archive says of papers: for each of refs, and each paper
// that a row of the sidecar names, it stages a record that supersedes the current one.
// A row that cannot be used is a Skip, and the error is then of the kind PartlyDone.
func Describe(a *archive.Archive, refs []string, d Description) (*DescribeResult, error) {
	if len(refs) == 0 && d.Sidecar == nil {
		return nil, problem.New(problem.Usage, problem.Next(problem.DoDescribe), "nothing to describe: no paper is named")
	}
	said := sourcemeta.Layer{From: sourcemeta.CommandLine, Values: d.Values}
	if err := said.CheckAddress(); err != nil {
		return nil, problem.New(problem.Usage, problem.Advise("give the address without it"), "source: %w", err)
	}
	tree, err := a.NewestTree()
	if err != nil {
		return nil, err
	}
	c := a.Catalog(tree)
	w := describer{archive: a, description: d, files: map[string][]byte{}, now: a.World().Now().UTC().Format(time.RFC3339),
		result: &DescribeResult{Described: []Described{}, Skipped: []Skip{}, DryRun: d.DryRun}}
	for _, ref := range refs {
		p, err := c.ResolvePlace(ref)
		if err != nil {
			return nil, err
		}
		if err := w.correct(p, d.Clear, said); err != nil {
			return nil, problem.New(problem.Usage, problem.Next(problem.DoReadOptions, "describe"), "%s: %w", legible.Printable(ref), err)
		}
	}
	if d.Sidecar != nil {
		if err := w.readSidecar(c, said); err != nil {
			return nil, err
		}
	}
	if len(w.files) > 0 && !d.DryRun {
		if err := a.Edit(w.files); err != nil {
			return nil, err
		}
	}
	return w.result, w.partly()
}

// A describer collects the records that supersede others.
type describer struct {
	archive     *archive.Archive
	description Description
	now         string
	files       map[string][]byte
	result      *DescribeResult
}

// readSidecar corrects whatever the rows of the sidecar name.
func (w *describer) readSidecar(c *holdings.Catalog, said sourcemeta.Layer) error {
	all, err := c.ReadAll()
	if err != nil {
		return err
	}
	reread := all.Reread()
	var places []holdings.Place
	for _, art := range all.Artifacts {
		if reread[art.ID] {
			continue
		}
		for _, h := range art.CurrentRecords() {
			places = append(places, holdings.Place{Artifact: art, Record: h})
		}
	}
	for _, h := range all.CurrentLone() {
		places = append(places, holdings.Place{Record: h})
	}
	side := w.description.Sidecar
	for _, p := range places {
		side.Expect(p.Record.Label())
	}
	for _, p := range places {
		l, ok, err := side.For(p.Record.Label())
		if err != nil || !ok {
			continue // the row is among those that were not used
		}
		if err := w.correct(p, w.description.Clear, said, l); err != nil {
			w.result.Skipped = append(w.result.Skipped, Skip{Path: p.Record.Label(), Reason: err.Error()})
		}
	}
	for _, e := range append(side.Refused(), side.Unused()...) {
		w.result.Skipped = append(w.result.Skipped, Skip{Path: legible.Printable(e.File), Reason: e.Error()})
	}
	w.result.Notes = append(w.result.Notes, side.Notes()...)
	return nil
}

// correct adds a record that supersedes the one at a place, unless the layers say what
// it says already.
func (w *describer) correct(p holdings.Place, clear []string, layers ...sourcemeta.Layer) error {
	old := p.Record.Record
	if w.description.TakeFound && old.Date() == "" && old.Facts[record.FactDateFound] != "" {
		l := sourcemeta.Layer{From: sourcemeta.Document}
		l.Values.PublishedAt = old.Facts[record.FactDateFound]
		layers = append(layers, l)
	}
	next, data, err := supersede(p.Record, w.now, w.archive.World().Author, nil, clear, layers...)
	if err != nil {
		return err
	}
	if next == nil {
		w.result.Unchanged = append(w.result.Unchanged, p.Record.Label())
		return nil
	}
	id := cid.OfJSON(data)
	one := Described{Name: p.Record.Label(), Record: id.String(), Supersedes: next.Supersedes, Corrections: holdings.Corrections(old, next)}
	path := layout.LoneRecordPath(id)
	if p.Artifact != nil {
		one.Artifact, path = p.Artifact.ID.String(), layout.RecordPath(p.Artifact.ID, id)
	}
	w.files[path] = data
	w.result.Described = append(w.result.Described, one)
	return nil
}

// supersede returns the record that supersedes one, and its bytes; nil where it would
// say the same. The facts are added to those that it has.
func supersede(old holdings.StoredRecord, now, agent string, facts map[string]string, clear []string, layers ...sourcemeta.Layer) (*record.Record, []byte, error) {
	next := *old.Record
	var src record.Source
	if next.Source != nil {
		src = *next.Source
	}
	src, next.Facts = sourcemeta.Correct(src, next.Facts, clear, layers...)
	next.Source = &src
	if src.IsZero() {
		next.Source = nil
	}
	if len(facts) > 0 {
		next.Facts = maps.Clone(next.Facts)
		if next.Facts == nil {
			next.Facts = map[string]string{}
		}
		maps.Copy(next.Facts, facts)
	}
	markTitle(&next, old.Label())
	if len(holdings.Corrections(old.Record, &next)) == 0 {
		return nil, nil, nil
	}
	next.Type, next.Supersedes, next.Time, next.Agent = "", old.ID.String(), now, agent
	data, err := next.Encode()
	return &next, data, err
}

// partly returns the error of a description of which rows were not used.
func (w *describer) partly() error {
	n := len(w.result.Skipped)
	if n == 0 {
		return nil
	}
	first := w.result.Skipped[0]
	e := problem.New(problem.PartlyDone, problem.Advise("mend the rows that are named, then describe again: what is known already is left as it is"),
		"%d not described: %s%s", n, first.Reason, legible.AndMore(n-1))
	e.Partial = w.result
	return e
}

// statedLayers returns the layers that people state, of those that an add has: what
// the document, its name or a registry says makes no correction of a known paper.
func statedLayers(layers []sourcemeta.Layer) []sourcemeta.Layer {
	return slices.DeleteFunc(slices.Clone(layers), func(l sourcemeta.Layer) bool {
		return l.From != sourcemeta.CommandLine && l.From != sourcemeta.FromSidecar || l.Values.IsZero()
	})
}
