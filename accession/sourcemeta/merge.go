package sourcemeta

import (
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"muniment/snapshot/record"
	"muniment/text/weburl"
)

// An Origin is a kind of place that values come from. A smaller one takes
// precedence.
type Origin int

// The origins, in their order of precedence.
const (
	CommandLine Origin = iota + 1
	FromSidecar
	FromRegistry
	Fetch    // url and fetched_at of a page that package web fetched
	Document // values in the document itself
	FileName // an ISO date in the name
)

var origins = [...]string{"", "command line", "sidecar", "registry", "fetch", "document", "file name"}

func (o Origin) String() string {
	if o < CommandLine || o > FileName {
		return "unknown"
	}
	return origins[o]
}

// A Layer is the values of one origin.
type Layer struct {
	From   Origin
	Where  string // file and line, such as letters.csv:3; "" where there is none
	Values Values
	Name   string // of the source itself, from a registry; the fact source_name

	KeepQuery bool // the address may have a parameter that CheckAddress takes for a secret
}

// CheckAddress checks the address in l.
func (l Layer) CheckAddress() error { return weburl.CheckAddress(l.Values.URL, l.KeepQuery) }

// origin returns the origin and place of l, for facts and errors.
func (l Layer) origin() string {
	if l.Where == "" {
		return l.From.String()
	}
	return l.From.String() + " " + l.Where
}

// maxDropped is the length in bytes of a dropped_ fact.
const maxDropped = 300

// Merge merges layers, given in any order, by the rules of the package comment. The
// source is one that a record may hold, zero when no layer has a value. The facts
// name the origin of each value and belong into the facts of the record.
func Merge(layers ...Layer) (record.Source, map[string]string) {
	if !slices.ContainsFunc(layers, func(l Layer) bool { return !l.Values.IsZero() }) {
		return record.Source{}, map[string]string{} // as for most letters
	}
	layers = slices.DeleteFunc(slices.Clone(layers), func(l Layer) bool { return l.Values.IsZero() })
	slices.SortStableFunc(layers, func(a, b Layer) int { return int(a.From) - int(b.From) })
	var out Values
	facts := map[string]string{}
	for _, f := range fields {
		for _, l := range layers {
			v := l.Values
			if l.From >= Document {
				v = tidy(v)
			}
			if f.empty(&v) {
				continue
			}
			if err := f.valid(&v); err != nil {
				if key := "dropped_" + f.name; facts[key] == "" {
					facts[key] = clip(l.origin() + ": " + err.Error())
				}
				continue
			}
			f.merge(&out, &v, l, facts)
		}
	}
	for _, l := range slices.Backward(layers) {
		for name, text := range l.Values.Other {
			facts["other_"+name] = text
		}
	}
	if out.SourceID != "" {
		facts["source_id"] = out.SourceID
		for _, l := range layers {
			if l.Name != "" && l.Values.SourceID == out.SourceID {
				facts["source_name"] = l.Name
			}
		}
	}
	return out.source(), facts
}

// merge adds the field of a valid layer to out, which has the fields of the layers
// before it.
func (f field) merge(out, v *Values, l Layer, facts map[string]string) {
	key := "origin_" + f.name
	switch {
	case f.empty(out):
		f.copy(out, v)
		facts[key] = l.origin()
	case f.name == "tags":
		if added := without(v.Tags, out.Tags); len(added) > 0 {
			out.Tags = append(out.Tags, added...)
			facts[key] += "; " + l.origin()
		}
	case f.name == "paywall_policy" && v.PaywallPolicy == record.PaywallMetadataOnly && out.PaywallPolicy != v.PaywallPolicy:
		out.PaywallPolicy = v.PaywallPolicy
		facts[key] = l.origin()
	}
}

// Correct replaces the values of a source that a record has by those of layers, the
// first of which wins, and empties the fields and facts named in clear. facts are
// those of the record; the result has the origin of each new value.
func Correct(src record.Source, facts map[string]string, clear []string, layers ...Layer) (record.Source, map[string]string) {
	v := ValuesOf(src).clone()
	v.SourceID = facts["source_id"]
	facts = maps.Clone(facts)
	if facts == nil {
		facts = map[string]string{}
	}
	for _, name := range clear {
		f, ok := fieldOf(name)
		if !ok {
			delete(facts, "other_"+factName(name, 1))
			continue
		}
		var none Values
		f.copy(&v, &none)
		delete(facts, "origin_"+f.name)
		delete(facts, "dropped_"+f.name)
	}
	for _, l := range slices.Backward(layers) {
		said := l.Values.clone()
		for _, f := range fields {
			if f.empty(&said) || f.same(&said, &v) && !strings.HasPrefix(facts["origin_"+f.name], Document.String()) {
				continue // who says again what a document says of itself vouches for it
			}
			f.copy(&v, &said)
			facts["origin_"+f.name] = l.origin()
			delete(facts, "dropped_"+f.name)
		}
		for name, text := range said.Other {
			facts["other_"+name] = text
		}
	}
	if delete(facts, "source_id"); v.SourceID != "" {
		facts["source_id"] = v.SourceID
	}
	return v.source(), facts
}

// without returns the elements of list that are not in others.
func without(list, others []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(others, s) })
}

// tidy returns v with lines and runs of spaces joined, as documents have them in
// titles and names, and without empty or repeated members of lists.
func tidy(v Values) Values {
	for _, f := range fields {
		switch {
		case f.text != nil:
			*f.text(&v) = strings.Join(strings.Fields(*f.text(&v)), " ")
		case f.list != nil:
			var list []string
			for _, s := range *f.list(&v) {
				if s = strings.Join(strings.Fields(s), " "); s != "" && !slices.Contains(list, s) {
					list = append(list, s)
				}
			}
			*f.list(&v) = list
		}
	}
	return v
}

// clip returns at most the first maxDropped bytes of an error about a value. Errors
// quote values, so that only a character can be cut.
func clip(s string) string {
	if len(s) <= maxDropped {
		return strings.ToValidUTF8(s, "\ufffd")
	}
	return strings.ToValidUTF8(s[:maxDropped], "") + "…"
}

// isoDate returns the first date of the form YYYY-MM-DD with no adjacent digit. It runs once for
// every file that is added, and is faster than an expression.
func isoDate(s string) (string, bool) {
	for i := 0; i+len(time.DateOnly) <= len(s); i++ {
		d := s[i : i+len(time.DateOnly)]
		if d[4] != '-' || d[7] != '-' || i > 0 && digits(s[i-1:i]) || i+len(d) < len(s) && digits(s[i+len(d):i+len(d)+1]) ||
			!digits(d[:4]) || !digits(d[5:7]) || !digits(d[8:]) {
			continue
		}
		if month, day := d[5:7], d[8:]; "01" <= month && month <= "12" && "01" <= day && day <= "31" {
			return d, true
		}
	}
	return "", false
}

// digits reports whether s has digits alone.
func digits(s string) bool { return strings.Trim(s, "0123456789") == "" }

// FromName returns the layer of a file name: published_at, when its last part has
// an ISO date.
func FromName(name string) Layer {
	l := Layer{From: FileName}
	if d, ok := isoDate(path.Base(name)); ok {
		if _, err := time.Parse(time.DateOnly, d); err == nil {
			l.Values.PublishedAt = d
		}
	}
	return l
}
