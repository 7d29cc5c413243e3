package sourcemeta

import (
	"path"
	"slices"
	"strings"
	"time"

	"muniment/snapshot/record"
)

// An Origin is a place that values come from. A smaller one takes precedence.
type Origin int

// The origins, in their order of precedence.
const (
	CommandLine Origin = iota + 1
	FromSidecar
	FromRegistry
	Fetch    // what package web says about a page: url and fetched_at
	Document // what the document says about itself
	FileName // an ISO date in the name
)

var origins = [...]string{"", "command line", "sidecar", "registry", "fetch", "document", "file name"}

func (o Origin) String() string {
	if o < CommandLine || o > FileName {
		return "unknown"
	}
	return origins[o]
}

// A Layer is what one origin says.
type Layer struct {
	From   Origin
	Where  string // file and line, such as letters.csv:3; "" where there is none
	Values Values
	Name   string // of the source itself, from a registry; the fact source_name
}

func (l Layer) origin() string {
	if l.Where == "" {
		return l.From.String()
	}
	return l.From.String() + " " + l.Where
}

// maxDropped is the length in bytes of a dropped_ fact.
const maxDropped = 300

// Merge joins layers, given in any order, by the rules of the package comment.
// The source is one that a record may hold; when nothing is known it is zero and
// the record has none. The facts say where each value comes from and belong
// into the record's facts.
func Merge(layers ...Layer) (record.Source, map[string]string) {
	if !slices.ContainsFunc(layers, func(l Layer) bool { return !l.Values.IsZero() }) {
		return record.Source{}, map[string]string{} // as of most letters, of which nothing is said
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

// merge takes the field of a valid layer into out, which has those of the
// layers before it.
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

// without returns the elements of list that have does not have.
func without(list, have []string) []string {
	var out []string
	for _, s := range list {
		if !slices.Contains(have, s) {
			out = append(out, s)
		}
	}
	return out
}

// tidy joins the lines and runs of spaces that documents have in their titles
// and names, and drops the empty and repeated members of their lists.
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

// clip bounds what is kept of a value that was dropped. Errors quote what they
// show, so that a cut between bytes of ASCII or of a character is all there is
// to mind.
func clip(s string) string {
	if len(s) <= maxDropped {
		return strings.ToValidUTF8(s, "\ufffd")
	}
	return strings.ToValidUTF8(s[:maxDropped], "") + "…"
}

// isoDate returns the first date of the form YYYY-MM-DD that no digit touches.
// A name of a million is looked at without an expression.
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

func digits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// FromName returns what the name of a file says: published_at, when its last
// part has an ISO date.
func FromName(name string) Layer {
	l := Layer{From: FileName}
	if d, ok := isoDate(path.Base(name)); ok {
		if _, err := time.Parse(time.DateOnly, d); err == nil {
			l.Values.PublishedAt = d
		}
	}
	return l
}
