package accession

import (
	"cmp"
	"errors"
	"time"

	"muniment/accession/sourcemeta"
	"muniment/archive"
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/snapshot/layout"
	"muniment/snapshot/record"
	"muniment/text/weburl"
)

// SourceInfo is one source that the archive knows.
type SourceInfo struct {
	Record string         `json:"record"`
	Kind   string         `json:"kind"` // with_body or metadata_only
	Name   string         `json:"name"`
	Source *record.Source `json:"source"`
}

// withoutSecret returns the next step after an error of weburl.CheckAddress.
func withoutSecret(err error) problem.Step {
	var secret *weburl.SecretError
	if errors.As(err, &secret) && secret.Parameter == "" {
		return problem.Advise("give the address without it, or save the page in a browser and add the file")
	}
	return problem.Next(problem.DoGive, "keep-query", "").With("give the address without it, or keep it in the record for ever")
}

// AddSource stages a record without a body, for a source of which only the
// metadata may be kept. It is cited through its record: relation
// metadata_fact. The same source again adds nothing.
func AddSource(a *archive.Archive, v sourcemeta.Layer, registry *sourcemeta.Registry) (*SourceInfo, error) {
	if err := v.CheckAddress(); err != nil {
		return nil, problem.New(problem.Usage, withoutSecret(err), "source: %w", err)
	}
	v.Values.PaywallPolicy = record.PaywallMetadataOnly
	layers := []sourcemeta.Layer{v}
	if registry != nil {
		l, ok, err := registry.Layer(layers...)
		if err != nil {
			return nil, problem.New(problem.Usage, problem.Advise("check the registry, or leave the source's id out"), "source: %w", err)
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
		return nil, problem.New(problem.Usage, problem.Next(DoAddSource), "a source needs a title or an address")
	}
	tree, err := a.NewestTree()
	if err != nil {
		return nil, err
	}
	c := a.Catalog(tree)
	same, err := c.FromSource(cmp.Or(src.URL, src.Title))
	if err != nil {
		return nil, err
	}
	for _, p := range same {
		if h := p.Record; p.Artifact == nil && h.Record.Source.URL == src.URL && h.Record.Source.Title == src.Title {
			return &SourceInfo{Record: h.ID.String(), Kind: record.PaywallMetadataOnly, Name: h.Label(), Source: h.Record.Source}, nil
		}
	}
	rec := record.Record{Time: a.World().Now().UTC().Format(time.RFC3339), Agent: a.World().Author, Source: &src, Facts: facts}
	data, err := rec.Encode()
	if err != nil {
		return nil, problem.New(problem.Usage, problem.Next(problem.DoReadOptions, "source add"), "source: %w", err)
	}
	id := cid.OfJSON(data)
	if err := a.Edit(map[string][]byte{layout.LoneRecordPath(id): data}); err != nil {
		return nil, err
	}
	h := holdings.StoredRecord{ID: id, Record: &rec}
	return &SourceInfo{Record: id.String(), Kind: record.PaywallMetadataOnly, Name: h.Label(), Source: &src}, nil
}

// Sources lists every record that says where its original comes from.
func Sources(a *archive.Archive) ([]SourceInfo, error) {
	tree, err := a.NewestTree()
	if err != nil {
		return nil, err
	}
	all, err := a.Catalog(tree).ReadAll()
	if err != nil {
		return nil, err
	}
	out := []SourceInfo{}
	for _, h := range all.CurrentLone() {
		out = append(out, SourceInfo{Record: h.ID.String(), Kind: record.PaywallMetadataOnly, Name: h.Label(), Source: h.Record.Source})
	}
	for _, art := range all.Artifacts {
		for _, h := range art.CurrentRecords() {
			if h.Record.Source != nil {
				out = append(out, SourceInfo{Record: h.ID.String(), Kind: "with_body", Name: h.Label(), Source: h.Record.Source})
			}
		}
	}
	return out, nil
}
