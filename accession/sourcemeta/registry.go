package sourcemeta

import (
	"fmt"
	"slices"
	"strings"
)

// OfficialCalendar is the tag of a source whose scheduled dates need no second
// source; official_calendar in a registry gives it.
const OfficialCalendar = "official_calendar"

// An Entry is one source of a Registry.
type Entry struct {
	ID               string
	Name             string // of the source, not of its documents; may be ""
	Publisher        string
	URL              string   // where the source is at home; may be ""
	Patterns         []string // of the URLs of its documents
	Tier             int      // 1 to 4; 0 when not rated
	PaywallPolicy    string
	Tags             []string
	OfficialCalendar bool
	Language         string
	CSLType          string
	Line             int // in the registry

	patterns []pattern
}

// Values returns the values of each document of the source. The name and address
// of the source itself are not among them: the name becomes the fact source_name,
// and both describe a source that is registered as a whole.
func (e Entry) Values() Values {
	v := Values{Publisher: e.Publisher, Tier: e.Tier, PaywallPolicy: e.PaywallPolicy, Tags: slices.Clone(e.Tags),
		Language: e.Language, CSLType: e.CSLType, SourceID: e.ID}
	if e.OfficialCalendar && !slices.Contains(v.Tags, OfficialCalendar) {
		v.Tags = append(v.Tags, OfficialCalendar)
	}
	return v
}

// Matches reports whether url may be one of the source's documents.
func (e Entry) Matches(url string) bool {
	at, err := placeOf(url)
	return err == nil && slices.ContainsFunc(e.patterns, func(p pattern) bool { return p.matches(at) })
}

// A Registry finds sources by their keys and by the URLs of their documents.
type Registry struct {
	file    string
	entries []Entry
	ignored []string
	byID    map[string]int
	byHost  map[string][]int // entries with a pattern of the host or of what lies below it
}

// index builds the indexes of r and adds a defect for each id or pattern of two
// entries.
func (r *Registry) index(d *defects) {
	r.byID, r.byHost = map[string]int{}, map[string][]int{}
	claimed := map[string]int{}
	for i, e := range r.entries {
		if other, ok := r.byID[e.ID]; ok {
			d.add(e.Line, "id", "id is %q, as in line %d", e.ID, r.entries[other].Line)
			continue
		}
		r.byID[e.ID] = i
		for _, p := range e.patterns {
			key := fmt.Sprint(p.scheme, "|", p.below, "|", p.host, "|", p.port, "|", strings.Join(p.path, "*"))
			if other, ok := claimed[key]; ok && other != i {
				d.add(e.Line, "url_patterns", "url_patterns has %q, as %s in line %d", p.text, r.entries[other].ID, r.entries[other].Line)
			}
			claimed[key] = i
			if at := r.byHost[p.host]; len(at) == 0 || at[len(at)-1] != i {
				r.byHost[p.host] = append(at, i)
			}
		}
	}
}

// Ignored returns the keys that were passed over, as FILE:LINE: KEY.
func (r *Registry) Ignored() []string { return slices.Clone(r.ignored) }

// ByID returns the source with the key id.
func (r *Registry) ByID(id string) (Entry, bool) {
	i, ok := r.byID[id]
	if !ok {
		return Entry{}, false
	}
	return r.entries[i], true
}

// ByURL returns the source whose documents are at url; the most specific pattern
// wins. ok is false when there is none; an error names two sources whose patterns
// are equally specific.
func (r *Registry) ByURL(url string) (e Entry, ok bool, err error) {
	at, err := placeOf(url)
	if err != nil {
		return Entry{}, false, nil // a urn or doi, say, which no pattern speaks of
	}
	best, rival := -1, -1
	var most pattern
	for host := at.host; host != ""; _, host, _ = strings.Cut(host, ".") {
		for _, i := range r.byHost[host] {
			for _, p := range r.entries[i].patterns {
				if p.host != host || !p.matches(at) {
					continue
				}
				switch order := p.compare(most); {
				case best < 0 || order > 0:
					best, rival, most = i, -1, p
				case order == 0 && i != best:
					rival = i
				}
			}
		}
	}
	switch {
	case best < 0:
		return Entry{}, false, nil
	case rival >= 0:
		a, b := r.entries[best], r.entries[rival]
		return Entry{}, false, &Error{r.file, b.Line, "url_patterns",
			fmt.Sprintf("url_patterns of %s and, in line %d, of %s both match %s", b.ID, a.Line, a.ID, url)}
	}
	return r.entries[best], true, nil
}

// Layer returns the layer of r for a document with the given layers: the source of
// the first source_id by precedence, else that of the first url that has one. A
// url that the document states about itself does not count, for its author would
// choose the tier. A source_id that r does not have is an error.
func (r *Registry) Layer(layers ...Layer) (l Layer, ok bool, err error) {
	layers = slices.Clone(layers)
	slices.SortStableFunc(layers, func(a, b Layer) int { return int(a.From) - int(b.From) })
	for _, given := range layers {
		if id := given.Values.SourceID; id != "" && given.From < Document {
			e, ok := r.ByID(id)
			if !ok {
				return Layer{}, false, fmt.Errorf("source_id %q, from the %s, is not in %s", id, given.origin(), r.file)
			}
			return r.layer(e), true, nil
		}
	}
	for _, given := range layers {
		if u := given.Values.URL; u != "" && given.From < Document {
			if e, ok, err := r.ByURL(u); err != nil {
				return Layer{}, false, err
			} else if ok {
				return r.layer(e), true, nil
			}
		}
	}
	return Layer{}, false, nil
}

// layer returns the layer of an entry.
func (r *Registry) layer(e Entry) Layer {
	return Layer{From: FromRegistry, Where: fmt.Sprintf("%s:%d", r.file, e.Line), Values: e.Values(), Name: e.Name}
}
