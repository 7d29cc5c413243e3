package holdings

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"muniment/archive/keyfile"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/objects"
	"muniment/snapshot/layout"
	"muniment/snapshot/record"
	"muniment/text/legible"
)

// findNamed returns artifacts that ref names, by ID: MaxFound and one at most.
func (c *Catalog) findNamed(ref string) ([]*Artifact, error) {
	found := map[cid.ID]*Artifact{}
	take := func(art *Artifact) (bool, error) {
		found[art.ID] = art
		return len(found) <= MaxFound, nil
	}
	if len(ref) >= MinPrefix {
		if low, high, ok := cid.DigestRange(cid.Raw, ref); ok {
			if _, err := c.artifactsIn(low, high, take); err != nil {
				return nil, err
			}
		}
	}
	for _, end := range []byte{0, '/'} { // the name itself, and one in a folder
		if len(ref) > record.MaxName || len(found) > MaxFound {
			break
		}
		prefix := keyfile.Key(keyName, append(reverse(ref), end), nil)
		err := c.scan(prefix, prefix, func(key []byte) (bool, error) {
			return c.at(key, func(art *Artifact, _ *StoredRecord) (bool, error) {
				if art == nil || !art.HasName(ref) {
					return true, nil
				}
				return take(art)
			})
		})
		if err != nil {
			return nil, err
		}
	}
	return slices.SortedFunc(maps.Values(found), func(a, b *Artifact) int { return cmp.Compare(a.ID.Hex(), b.ID.Hex()) }), nil
}

// findMeant returns the artifacts that ref means: those it names or, where it names none, those of NAME@WHEN.
// Two readings of one paper have the same name, which means the newer reading alone.
func (c *Catalog) findMeant(ref string) ([]*Artifact, error) {
	found, err := c.findNamed(ref)
	if err == nil && len(found) == 0 {
		found, err = c.namedAt(ref)
	}
	if err != nil || len(found) < 2 || len(found) > MaxFound {
		return found, err
	}
	current := slices.DeleteFunc(slices.Clone(found), func(art *Artifact) bool {
		old, err2 := c.isReread(art)
		err = cmp.Or(err, err2)
		return old
	})
	if err != nil || len(current) == 0 {
		return found, err
	}
	return current, nil
}

// Resolve finds the artifact that ref names: an artifact id, an unambiguous
// prefix of one (4 characters at least), or an unambiguous suffix of a name.
func (c *Catalog) Resolve(ref string) (*Artifact, error) {
	if id, err := cid.Parse(ref); err == nil {
		art, err := c.Artifact(id)
		if err != nil {
			return nil, err
		}
		if art != nil {
			return art, art.checkPresent()
		}
		return nil, problem.New(problem.SourceNotFound, problem.Next(problem.DoList).Or(problem.DoAdd),
			"no artifact %s in this archive", ref)
	}
	found, err := c.findMeant(ref)
	if err != nil {
		return nil, err
	}
	switch len(found) {
	case 1:
		return found[0], found[0].checkPresent()
	case 0:
		return nil, problem.New(problem.SourceNotFound, problem.Next(problem.DoList).Or(problem.DoAdd),
			"no artifact is named %s", legible.Printable(ref))
	}
	return nil, AmbiguousError(ref, found)
}

// AmbiguousError returns the error of a reference that names several artifacts.
func AmbiguousError(ref string, found []*Artifact) error {
	var names []string
	for _, art := range found[:min(3, len(found))] {
		names = append(names, art.Name()+" ("+art.ID.String()[:12]+"…"+art.dates()+")")
	}
	return problem.New(problem.Ambiguous, problem.Advise("give more of the path, the id, or NAME@DATE or NAME@SNAPSHOT: "+strings.Join(names, ", ")),
		"%s names %s artifacts", legible.Printable(ref), CountFound(len(found)))
}

// CountFound returns a number of results as words of a message: a look-up ends after MaxFound.
func CountFound(n int) string {
	if n > MaxFound {
		return "more than " + strconv.Itoa(MaxFound)
	}
	return strconv.Itoa(n)
}

// MatchesID reports whether ref is id, or a prefix of it of at least MinPrefix characters.
func MatchesID(id, ref string) bool {
	return id == ref || len(ref) >= MinPrefix && strings.HasPrefix(id, ref)
}

// IsDigits reports whether s is a number in decimal digits.
func IsDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// The kinds of a Match.
const (
	MatchOriginal = "original"
	MatchRecord   = "record"
	MatchCitation = "citation"
)

// A Match is something of a tree whose ID begins with a reference.
type Match struct {
	Kind string
	ID   cid.ID
	Place
}

// matches returns the originals and records whose IDs ref begins, each once: MaxFound and one at most of each.
func (c *Catalog) matches(ref string) ([]Match, error) {
	if len(ref) < MinPrefix {
		return nil, nil
	}
	var out []Match
	seen := map[string]bool{}
	take := func(m Match) bool {
		if id := m.ID.String(); MatchesID(id, ref) && !seen[m.Kind+id] {
			seen[m.Kind+id] = true
			out = append(out, m)
		}
		return len(out) <= MaxFound
	}
	if low, high, ok := cid.DigestRange(cid.JSON, ref); ok {
		_, err := c.lonesIn(low, high, func(h StoredRecord) (bool, error) {
			return take(Match{MatchRecord, h.ID, Place{Record: h}}), nil
		})
		if err != nil {
			return nil, err
		}
		err = c.scan(keyfile.Key(keyRecord, low[:digestPart], nil), keyfile.Key(keyRecord, high[:digestPart], nil), func(key []byte) (bool, error) {
			return c.at(key, func(art *Artifact, _ *StoredRecord) (bool, error) {
				for _, h := range recordsOf(art) {
					if !take(Match{MatchRecord, h.ID, Place{art, h}}) {
						return false, nil
					}
				}
				return true, nil
			})
		})
		if err != nil {
			return nil, err
		}
	}
	if low, high, ok := cid.DigestRange(cid.Raw, ref); ok && len(out) <= MaxFound {
		err := c.scan(keyfile.Key(keyOriginal, low[:digestPart], nil), keyfile.Key(keyOriginal, high[:digestPart], nil), func(key []byte) (bool, error) {
			return c.at(key, func(art *Artifact, _ *StoredRecord) (bool, error) {
				for _, h := range recordsOf(art) {
					if id, err := cid.ParseAs(cid.Raw, h.Record.Original); err == nil && id != art.ID && !take(Match{MatchOriginal, id, Place{art, h}}) {
						return false, nil
					}
				}
				return true, nil
			})
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// recordsOf returns the records of an artifact, none for nil.
func recordsOf(art *Artifact) []StoredRecord {
	if art == nil {
		return nil
	}
	return art.Records
}

// Match returns the artifacts that ref names, and the originals, records and citations of the tree whose IDs it begins.
func (c *Catalog) Match(ref string) (artifacts []*Artifact, others []Match, err error) {
	if artifacts, err = c.findMeant(ref); err != nil {
		return nil, nil, err
	}
	if others, err = c.matches(ref); err != nil {
		return nil, nil, err
	}
	if low, high, ok := cid.DigestRange(cid.JSON, ref); ok && len(ref) >= MinPrefix {
		err = c.lookup.visit(dirCitations, low, high, func(path string, _ objects.Hash) (bool, error) {
			if kind, ids := layout.ClassifyPath(path); kind == layout.KindCitation {
				others = append(others, Match{Kind: MatchCitation, ID: ids[0]})
			}
			return len(others) <= 2*MaxFound, nil
		})
	}
	return artifacts, others, err
}

// ResolveAny returns the artifact that Resolve finds. For the id, or an unambiguous prefix, of an original or of a
// record, other is the record that names it, and art its artifact, or nil for a record without a body.
func (c *Catalog) ResolveAny(ref string) (art *Artifact, other *StoredRecord, err error) {
	art, err = c.Resolve(ref)
	var none *problem.Error
	if err != nil && (!errors.As(err, &none) || none.Kind != problem.SourceNotFound && none.Kind != problem.Ambiguous) {
		return nil, nil, err
	}
	found, matchErr := c.matches(ref)
	switch {
	case matchErr != nil:
		return nil, nil, matchErr
	case len(found) == 0:
		return art, nil, err
	case len(found) == 1 && err != nil:
		return found[0].Artifact, &found[0].Record, nil
	}
	if art != nil && (art.ID.String() == ref || art.HasName(ref)) {
		return art, nil, nil
	}
	return nil, nil, problem.New(problem.Ambiguous, problem.Advise("give more of the id"), "%s is the beginning of several ids of artifacts, originals and records", legible.Printable(ref))
}

// Holds reports whether the tree has the artifact or the record of an id.
func (c *Catalog) Holds(id cid.ID) (bool, error) {
	if id.Codec() == cid.Raw {
		art, err := c.Artifact(id)
		return art != nil && len(art.Records) > 0, err
	}
	_, ok, err := c.FindRecord(id)
	return ok, err
}

// FindRecord returns the record with an id, and whether the tree has it.
func (c *Catalog) FindRecord(id cid.ID) (StoredRecord, bool, error) {
	p, ok, err := c.FindPlace(id)
	return p.Record, ok, err
}

// FindPlace returns the place of the record with an id, and whether the tree has it.
func (c *Catalog) FindPlace(id cid.ID) (Place, bool, error) {
	if id.Codec() != cid.JSON {
		return Place{}, false, nil
	}
	found, err := c.matches(id.String())
	if err != nil || len(found) == 0 {
		return Place{}, false, err
	}
	return found[0].Place, true, nil
}

// FromSource returns the current records whose source has text as its address or title, those without a body first.
func (c *Catalog) FromSource(text string) ([]Place, error) {
	var out []Place
	if text == "" {
		return nil, nil
	}
	is := func(h StoredRecord) bool {
		return h.Record.Source != nil && (h.Record.Source.URL == text || h.Record.Source.Title == text)
	}
	prefix := keyfile.Key(keySource, textHash(text), nil)
	err := c.scan(prefix, prefix, func(key []byte) (bool, error) {
		return c.at(key, func(art *Artifact, lone *StoredRecord) (bool, error) {
			if lone != nil && is(*lone) {
				out = append(out, Place{nil, *lone})
			}
			if art == nil {
				return true, nil
			}
			for _, h := range art.CurrentRecords() {
				if is(h) {
					out = append(out, Place{art, h})
				}
			}
			return true, nil
		})
	})
	if err == nil {
		out, err = c.withoutSuperseded(out)
	}
	slices.SortStableFunc(out, func(a, b Place) int {
		switch {
		case a.Artifact == nil && b.Artifact != nil:
			return -1
		case a.Artifact != nil && b.Artifact == nil:
			return 1
		}
		return 0
	})
	return out, err
}

// withoutSuperseded returns the places whose records no other one supersedes.
func (c *Catalog) withoutSuperseded(places []Place) ([]Place, error) {
	var out []Place
	for _, p := range places {
		is, err := c.IsCurrent(p)
		if err != nil {
			return nil, err
		}
		if is {
			out = append(out, p)
		}
	}
	return out, nil
}

// ResolveRecord returns the record that ref names, and a name of it for people. ref is the id of the record or a
// prefix, the address of its source, or what names its artifact.
func (c *Catalog) ResolveRecord(ref string) (StoredRecord, string, error) {
	found := map[cid.ID]StoredRecord{}
	same, err := c.matches(ref)
	if err != nil {
		return StoredRecord{}, "", err
	}
	for _, m := range same {
		if m.Kind == MatchRecord {
			found[m.ID] = m.Record
		}
	}
	from, err := c.FromSource(ref)
	if err != nil {
		return StoredRecord{}, "", err
	}
	for _, p := range from {
		if p.Record.Record.Source.URL == ref {
			found[p.Record.ID] = p.Record
		}
	}
	switch len(found) {
	case 1:
		for _, h := range found {
			return h, h.Label(), nil
		}
	case 0:
		art, err := c.Resolve(ref)
		if err != nil {
			return StoredRecord{}, "", err
		}
		h, ok := art.FirstRecord()
		if !ok {
			return StoredRecord{}, "", problem.New(problem.SourceNotFound, problem.Next(problem.DoList), "%s has no record in this snapshot", legible.Printable(ref))
		}
		return h, art.Name(), nil
	}
	return StoredRecord{}, "", problem.New(problem.Ambiguous, problem.Next(problem.DoShow).With("give the record's id"), "%s names %s records", legible.Printable(ref), CountFound(len(found)))
}
