package muniment

import (
	"time"

	"muniment/accession/sourcemeta"
	"muniment/cid"
	"muniment/objects"
	"muniment/snapshot/record"
)

// SourceInfo is one source that the archive knows.
type SourceInfo struct {
	Record string         `json:"record"`
	Kind   string         `json:"kind"` // with_body or metadata_only
	Name   string         `json:"name"`
	Source *record.Source `json:"source"`
}

// AddSource stages a record without a body, for a source of which only the
// metadata may be kept. It is cited through its record: relation
// metadata_fact. The same source again adds nothing.
func (a *Archive) AddSource(v sourcemeta.Layer, registry *sourcemeta.Registry) (*SourceInfo, error) {
	v.Values.PaywallPolicy = record.PaywallMetadataOnly
	layers := []sourcemeta.Layer{v}
	if registry != nil {
		l, ok, err := registry.Layer(layers...)
		if err != nil {
			return nil, problem(TypeUsage, ExitUsage, "check the registry, or leave --source-id out", "source: %w", err)
		}
		if ok {
			layers = append(layers, l)
		}
	}
	if v.Values.Title == "" && v.Values.URL == "" && v.Values.SourceID != "" && registry != nil {
		if e, ok := registry.ByID(v.Values.SourceID); ok { // the source as a whole
			layers[1].Values.Title, layers[1].Values.URL = e.Name, e.URL
		}
	}
	src, facts := sourcemeta.Merge(layers...)
	if src.Title == "" && src.URL == "" {
		return nil, problem(TypeUsage, ExitUsage, `muniment source add --url https://example.org/a --title "…"`, "a source needs a title or an address")
	}
	tree, err := a.newestTree()
	if err != nil {
		return nil, err
	}
	c, err := a.load(tree)
	if err != nil {
		return nil, err
	}
	for _, h := range c.lone {
		if h.rec.Source != nil && h.rec.Source.URL == src.URL && h.rec.Source.Title == src.Title {
			return &SourceInfo{Record: h.id.String(), Kind: record.PaywallMetadataOnly, Name: h.label(), Source: h.rec.Source}, nil
		}
	}
	rec := record.Record{Time: a.world.Now().UTC().Format(time.RFC3339), Agent: a.world.Author, Source: &src, Facts: facts}
	data, err := rec.Encode()
	if err != nil {
		return nil, problem(TypeUsage, ExitUsage, "muniment source add --help", "source: %w", err)
	}
	id := cid.OfJSON(data)
	if err := a.edit(map[string][]byte{record.LoneRecordPath(id): data}); err != nil {
		return nil, err
	}
	h := held{id: id, rec: &rec}
	return &SourceInfo{Record: id.String(), Kind: record.PaywallMetadataOnly, Name: h.label(), Source: &src}, nil
}

// Sources lists every record that says where its original comes from.
func (a *Archive) Sources() ([]SourceInfo, error) {
	tree, err := a.newestTree()
	if err != nil {
		return nil, err
	}
	return a.sourcesOf(tree)
}

func (a *Archive) sourcesOf(tree objects.Hash) ([]SourceInfo, error) {
	c, err := a.load(tree)
	if err != nil {
		return nil, err
	}
	out := []SourceInfo{}
	for _, h := range c.lone {
		out = append(out, SourceInfo{Record: h.id.String(), Kind: record.PaywallMetadataOnly, Name: h.label(), Source: h.rec.Source})
	}
	for _, art := range c.artifacts {
		for _, h := range art.current() {
			if h.rec.Source != nil {
				out = append(out, SourceInfo{Record: h.id.String(), Kind: "with_body", Name: h.label(), Source: h.rec.Source})
			}
		}
	}
	return out, nil
}
