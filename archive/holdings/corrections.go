package holdings

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"muniment/archive/keyfile"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/objects"
	"muniment/snapshot/edtf"
	"muniment/snapshot/record"
	"muniment/text/legible"
)

// A Correction is one value in which a record differs from the one that it
// supersedes. Old or New is "" where the value came or went.
type Correction struct {
	Field string `json:"field"` // a member of the source, a fact other_NAME, or a member of the record
	Old   string `json:"old,omitempty"`
	New   string `json:"new,omitempty"`
}

// Corrections returns in what a record differs from an older one of the same accession, by field.
func Corrections(old, young *record.Record) []Correction {
	before, after := DescribedValues(old), DescribedValues(young)
	var out []Correction
	for field, value := range after {
		if before[field] != value {
			out = append(out, Correction{field, before[field], value})
		}
	}
	for field, value := range before {
		if _, ok := after[field]; !ok {
			out = append(out, Correction{Field: field, Old: value})
		}
	}
	slices.SortFunc(out, func(a, b Correction) int { return strings.Compare(a.Field, b.Field) })
	return out
}

// DescribedValues returns the fields of a record that describe its source and its reading,
// as texts; the members of a list are joined by semicolons.
func DescribedValues(r *record.Record) map[string]string {
	out := map[string]string{}
	for name, value := range map[string]string{"artifact": r.Artifact, "media_type": r.MediaType, "canonicalizer": r.Canonicalizer, "charset": r.Charset} {
		if value != "" {
			out[name] = value
		}
	}
	for name, value := range r.Facts {
		if strings.HasPrefix(name, "other_") || name == "source_id" || name == FactDerivedFrom || name == FactTextMade || name == "origin_tier" && r.Facts[FactSourceType] != "" {
			out[name] = value
		}
	}
	if r.Source == nil {
		return out
	}
	data, err := json.Marshal(r.Source)
	if err != nil {
		return out // a source is texts, lists of texts and a number
	}
	members := map[string]any{}
	if err := json.Unmarshal(data, &members); err != nil {
		return out
	}
	for name, value := range members {
		if list, ok := value.([]any); ok {
			texts := make([]string, len(list))
			for i, one := range list {
				texts[i] = fmt.Sprint(one)
			}
			out[name] = strings.Join(texts, "; ")
			continue
		}
		out[name] = fmt.Sprint(value)
	}
	return out
}

// Older returns the records that a record of the artifact supersedes, directly and by
// the records between, the youngest first.
func (art *Artifact) Older(h StoredRecord) []StoredRecord {
	var out []StoredRecord
	for h.Record != nil && h.Record.Supersedes != "" && len(out) < len(art.Records) {
		i := slices.IndexFunc(art.Records, func(o StoredRecord) bool { return o.ID.String() == h.Record.Supersedes })
		if i < 0 {
			break
		}
		h = art.Records[i]
		out = append(out, h)
	}
	return out
}

// SupersededBy returns the places of the records of the tree that supersede a record.
func (c *Catalog) SupersededBy(id cid.ID) ([]Place, error) {
	var out []Place
	d := id.Digest()
	prefix := keyfile.Key(keySupersedes, d[:digestPart], nil)
	err := c.scan(prefix, prefix, func(key []byte) (bool, error) {
		return c.at(key, func(art *Artifact, lone *StoredRecord) (bool, error) {
			if lone != nil && lone.Record.Supersedes == id.String() {
				out = append(out, Place{nil, *lone})
			}
			for _, h := range recordsOf(art) {
				if h.Record.Supersedes == id.String() {
					out = append(out, Place{art, h})
				}
			}
			return true, nil
		})
	})
	return out, err
}

// ResolvePlace returns the current record that ref names: by the id of the record, by
// the address of its source, or by what names its artifact. It is ambiguous where an
// artifact was taken in several times and ref does not say which accession is meant.
func (c *Catalog) ResolvePlace(ref string) (Place, error) {
	art, other, err := c.ResolveAny(ref)
	if other != nil {
		return c.currentOf(Place{art, *other})
	}
	if err != nil {
		from, err2 := c.FromSource(ref)
		if err2 == nil && len(from) == 1 && from[0].Record.Record.Source.URL == ref {
			return from[0], nil
		}
		return Place{}, err
	}
	current := art.CurrentRecords()
	named := slices.DeleteFunc(slices.Clone(current), func(h StoredRecord) bool { return !(&Artifact{Records: []StoredRecord{h}}).HasName(ref) })
	if len(named) == 0 {
		named = current
	}
	if len(named) == 0 {
		return Place{}, problem.New(problem.SourceNotFound, problem.Next(problem.DoList), "%s has no record", legible.Printable(ref))
	}
	for _, h := range named[1:] {
		if h.Record.Original != named[0].Record.Original || !slices.Equal(h.Record.Names, named[0].Record.Names) {
			return Place{}, problem.New(problem.Ambiguous, problem.Next(problem.DoShow).With("give the record's id"), "%s was taken in %d times: as %s and as %s", legible.Printable(ref), len(named), named[0].Label(), h.Label())
		}
	}
	first, _ := (&Artifact{Records: named}).FirstRecord()
	return Place{art, first}, nil
}

// currentOf returns the place of a record, or an error where another one supersedes it.
func (c *Catalog) currentOf(p Place) (Place, error) {
	by, err := c.SupersededBy(p.Record.ID)
	if err != nil || len(by) == 0 {
		return p, err
	}
	return Place{}, problem.New(problem.Usage, problem.Next(problem.DoShow, by[0].Record.ID.String()), "the record %s is superseded by %s", p.Record.ID, by[0].Record.ID)
}

// IsCurrent reports whether no record of the tree supersedes the record at a place.
func (c *Catalog) IsCurrent(p Place) (bool, error) {
	if p.Artifact != nil && !slices.ContainsFunc(p.Artifact.CurrentRecords(), func(h StoredRecord) bool { return h.ID == p.Record.ID }) {
		return false, nil
	}
	by, err := c.SupersededBy(p.Record.ID)
	return len(by) == 0, err
}

// namedAt returns the artifacts that NAME@WHEN names. WHEN is a date of the paper, a day of accession, or the number,
// id or tag of a snapshot. A snapshot selects the artifacts that it added; if it added none, all that it holds.
func (c *Catalog) namedAt(ref string) ([]*Artifact, error) {
	i := strings.LastIndexByte(ref, '@')
	if i <= 0 {
		return nil, nil
	}
	name, when := ref[:i], ref[i+1:]
	named, err := c.findNamed(name)
	if err != nil || len(named) == 0 {
		return nil, err
	}
	if d, err := edtf.Parse(when); err == nil && !d.IsZero() && !IsDigits(when) || err == nil && len(when) == len("1931") && when > "0999" {
		return slices.DeleteFunc(named, func(art *Artifact) bool {
			h, ok := art.FirstRecord()
			return !ok || !DateOf(h.Record).Overlaps(d) && !strings.HasPrefix(h.Record.Time, when)
		}), nil
	}
	tree, earlier, err := c.index.copy.SnapshotTrees(when)
	var none *problem.Error
	if errors.As(err, &none) && (none.Kind == problem.NotFound || none.Kind == problem.NoSnapshot) {
		return nil, nil // a name with that character in it
	} else if err != nil {
		return nil, err
	}
	holds := func(tree objects.Hash) map[cid.ID]bool {
		out := map[cid.ID]bool{}
		lookup := NewLookup(c.store(), tree)
		for _, art := range named {
			if held, err2 := lookup.Artifact(art.ID); err2 != nil {
				err = err2
			} else if held != nil && len(held.Records) > 0 {
				out[art.ID] = true
			}
		}
		return out
	}
	now, before := holds(tree), holds(earlier)
	first := slices.DeleteFunc(slices.Clone(named), func(art *Artifact) bool { return !now[art.ID] || before[art.ID] })
	if len(first) > 0 || err != nil {
		return first, err
	}
	return slices.DeleteFunc(named, func(art *Artifact) bool { return !now[art.ID] }), err
}

// isReread reports whether every record of an artifact is superseded by one of another
// artifact: its original was read again.
func (c *Catalog) isReread(art *Artifact) (bool, error) {
	current := art.CurrentRecords()
	for _, h := range current {
		if is, err := c.IsCurrent(Place{art, h}); err != nil || is {
			return false, err
		}
	}
	return len(current) > 0, nil
}

// RereadBy returns the ids of the artifacts that are no longer current because records of
// art supersede theirs: the texts of earlier readings of its originals.
func (c *Catalog) RereadBy(art *Artifact) ([]cid.ID, error) {
	var out []cid.ID
	for _, h := range art.Records {
		id, err := cid.ParseAs(cid.JSON, h.Record.Supersedes)
		if err != nil {
			continue // it supersedes none
		}
		old, ok, err := c.FindPlace(id)
		if err != nil {
			return nil, err
		}
		if !ok || old.Artifact == nil || old.Artifact.ID == art.ID {
			continue
		}
		is, err := c.isReread(old.Artifact)
		if err != nil {
			return nil, err
		}
		if is {
			out = append(out, old.Artifact.ID)
		}
	}
	return out, nil
}

// CurrentLone returns the records without a body that no other one supersedes.
func (c *Contents) CurrentLone() []StoredRecord { return currentOf(c.LoneRecords) }

// Reread returns the ids of the artifacts of which every record is superseded by one of another artifact.
func (c *Contents) Reread() map[cid.ID]bool {
	old := map[string]cid.ID{}
	for _, art := range c.Artifacts {
		for _, h := range art.Records {
			if h.Record.Supersedes != "" {
				old[h.Record.Supersedes] = art.ID
			}
		}
	}
	out := map[cid.ID]bool{}
	if len(old) == 0 {
		return out
	}
	for _, art := range c.Artifacts {
		current := art.CurrentRecords()
		if len(current) > 0 && !slices.ContainsFunc(current, func(h StoredRecord) bool { _, is := old[h.ID.String()]; return !is }) {
			out[art.ID] = true
		}
	}
	return out
}
