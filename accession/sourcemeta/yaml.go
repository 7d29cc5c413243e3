package sourcemeta

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Limits of a registry.
const (
	MaxRegistry = 1 << 20 // bytes; 4,000 sources of 250
	maxIgnored  = 100     // keys told by Ignored
)

// ReadRegistry reads a source_registry.yaml of the form that the package
// comment shows. file is its name in errors. The error is of type Errors, and
// then there is no Registry.
func ReadRegistry(file string, data []byte) (*Registry, error) {
	d := &defects{file: file}
	data, ok := checkFile(d, data, MaxRegistry)
	if !ok {
		return nil, d.err()
	}
	w := &walker{defects: d, out: &Registry{file: file}}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc, more yaml.Node
	if err := dec.Decode(&doc); err != nil {
		yamlError(d, err)
		return nil, d.err()
	}
	if err := dec.Decode(&more); err == nil {
		d.add(more.Line, "", "a second document begins, want one")
	} else if !errors.Is(err, io.EOF) {
		yamlError(d, err)
	}
	w.document(&doc)
	w.out.index(d)
	if err := d.err(); err != nil {
		return nil, err
	}
	return w.out, nil
}

var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

func yamlError(d *defects, err error) {
	if errors.Is(err, io.EOF) {
		d.add(0, "", "the file is empty, want sources")
		return
	}
	m := yamlLine.FindStringSubmatch(err.Error())
	line := 0
	if m != nil {
		line, _ = strconv.Atoi(m[1])
		err = errors.New(err.Error()[len(m[0]):])
	}
	// The module counts lines from 0 in some of its errors and from 1 in others.
	d.add(line, "", "here or in the next line, not YAML: %s", clip(err.Error()))
}

// A walker goes through the nodes of a document. It asks the nodes what was
// written and lets no type be guessed.
type walker struct {
	defects *defects
	out     *Registry
}

func (w *walker) fault(n *yaml.Node, field, format string, args ...any) {
	w.defects.add(n.Line, field, format, args...)
}

func (w *walker) ignore(n *yaml.Node, key string) {
	if len(w.out.ignored) < maxIgnored {
		w.out.ignored = append(w.out.ignored, (&Error{File: w.defects.file, Line: n.Line, Reason: clip(key)}).Error())
	}
}

func (w *walker) document(doc *yaml.Node) {
	top := doc
	if doc.Kind == yaml.DocumentNode && len(doc.Content) == 1 {
		top = doc.Content[0]
	}
	if top.Kind == yaml.SequenceNode {
		w.sources(top)
		return
	}
	var sources *yaml.Node
	w.members(top, "the document", func(key, value *yaml.Node) {
		if key.Value == "sources" {
			sources = value
		} else {
			w.ignore(key, key.Value)
		}
	})
	switch {
	case sources != nil:
		w.sources(sources)
	case top.Kind == yaml.MappingNode:
		w.fault(top, "sources", "sources is missing")
	}
}

// sources reads a list of sources, or a mapping from their keys.
func (w *walker) sources(n *yaml.Node) {
	if n.Kind == yaml.SequenceNode {
		for _, one := range n.Content {
			w.entry(one, nil)
		}
	} else {
		w.members(n, "sources", func(key, value *yaml.Node) { w.entry(value, key) })
	}
	if len(n.Content) == 0 && len(w.defects.list) == 0 {
		w.fault(n, "sources", "sources is empty")
	}
}

// members calls do for each member of a mapping, once.
func (w *walker) members(n *yaml.Node, what string, do func(key, value *yaml.Node)) {
	if n.Kind != yaml.MappingNode || tagged(n) {
		w.fault(n, "", "%s is %s, want a mapping", what, written(n))
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		switch {
		case key.Kind != yaml.ScalarNode || tagged(key) || key.Tag == "!!merge":
			w.fault(key, "", "a key in %s is %s, want a plain word", what, written(key))
			continue
		case seen[key.Value]:
			w.fault(key, key.Value, "%s is there twice", quoted(key.Value))
			continue
		}
		seen[key.Value] = true
		do(key, n.Content[i+1])
	}
}

// entryKeys are the keys of an entry and the other words that are read as
// them.
var entryKeys = map[string]string{
	"id": "id", "source_id": "id",
	"name": "name", "title": "name",
	"publisher": "publisher",
	"url":       "url", "homepage": "url",
	"url_patterns": "url_patterns", "urls": "url_patterns", "domains": "url_patterns",
	"tier": "tier", "credibility_tier": "tier",
	"paywall_policy": "paywall_policy", "tags": "tags", "official_calendar": "official_calendar",
	"language": "language", "csl_type": "csl_type",
}

// entry reads one source, whose key is above it in a mapping or inside.
func (w *walker) entry(n *yaml.Node, key *yaml.Node) {
	before := len(w.defects.list)
	e := Entry{Line: n.Line}
	seen := map[string]bool{}
	if key != nil {
		e.Line, seen["id"] = key.Line, true
		e.ID = w.text(key, "id")
	}
	w.members(n, "a source", func(key, value *yaml.Node) {
		name, ok := entryKeys[key.Value]
		switch {
		case !ok:
			w.ignore(key, key.Value)
		case seen[name]:
			w.fault(key, name, "%s is there twice, once as another word", name)
		default:
			seen[name] = true
			w.member(&e, name, value)
		}
	})
	if len(w.defects.list) > before {
		return // what is missing may be what was wrong
	}
	for _, must := range []struct{ name, value string }{{"id", e.ID}, {"publisher", e.Publisher}} {
		if must.value == "" {
			w.defects.add(e.Line, must.name, "%s is missing", must.name)
		}
	}
	if len(e.Patterns) == 0 && e.URL != "" {
		p, err := patternOf(e.URL)
		if err != nil {
			w.defects.add(e.Line, "url", "url %s", err)
		}
		e.Patterns, e.patterns = []string{p.text}, []pattern{p}
	}
	w.check(&e)
	w.out.entries = append(w.out.entries, e)
}

// check applies the rules of Values to what the entry will say.
func (w *walker) check(e *Entry) {
	v := e.Values()
	v.Title, v.URL = e.Name, e.URL
	if err := v.Check(); err != nil {
		reason := err.Error()
		field, _, _ := strings.Cut(reason, " ")
		switch {
		case field == "source_id":
			field, reason = "id", strings.TrimPrefix(reason, "source_")
		case field == "title":
			field, reason = "name", "name"+strings.TrimPrefix(reason, "title")
		}
		w.defects.add(e.Line, field, "%s", reason)
	}
}

func (w *walker) member(e *Entry, name string, n *yaml.Node) {
	if n.Kind == yaml.ScalarNode && n.Tag == "!!null" && !tagged(n) {
		return // a key with nothing after it says nothing
	}
	switch name {
	case "id":
		e.ID = w.text(n, name)
	case "name":
		e.Name = w.text(n, name)
	case "publisher":
		e.Publisher = w.text(n, name)
	case "url":
		e.URL = w.text(n, name)
	case "paywall_policy":
		e.PaywallPolicy = w.text(n, name)
	case "language":
		e.Language = w.text(n, name)
	case "csl_type":
		e.CSLType = w.text(n, name)
	case "tags":
		e.Tags = w.list(n, name)
	case "url_patterns":
		for i, s := range w.list(n, name) {
			p, err := parsePattern(s)
			if err != nil {
				w.fault(itemOf(n, i), name, "%s %s", name, err)
				continue
			}
			e.Patterns, e.patterns = append(e.Patterns, s), append(e.patterns, p)
		}
	case "tier":
		if i := slices.Index([]string{"1", "2", "3", "4"}, n.Value); i >= 0 && scalar(n, "!!int") {
			e.Tier = i + 1
		} else {
			w.fault(n, name, "tier is %s, want 1 to 4", written(n))
		}
	case "official_calendar":
		if e.OfficialCalendar = n.Value == "true"; !scalar(n, "!!bool") || n.Value != "true" && n.Value != "false" {
			w.fault(n, name, "official_calendar is %s, want true or false", written(n))
		}
	}
}

// itemOf returns the node of item i of a list, or of the list that is one text.
func itemOf(n *yaml.Node, i int) *yaml.Node {
	if i < len(n.Content) {
		return n.Content[i]
	}
	return n
}

// text returns a text. Numbers, dates and truth values must be quoted, so that
// what is read is what was written.
func (w *walker) text(n *yaml.Node, name string) string {
	if !scalar(n, "!!str") {
		w.fault(n, name, "%s is %s, want a text, quoted if it looks like something else", name, written(n))
		return ""
	}
	return strings.TrimSpace(n.Value)
}

// list returns a list of texts; one text is a list of one.
func (w *walker) list(n *yaml.Node, name string) []string {
	items := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode && !tagged(n) {
		items = n.Content
	}
	var out []string
	for _, item := range items {
		before := len(w.defects.list)
		s := w.text(item, name)
		if s == "" && len(w.defects.list) == before {
			w.fault(item, name, "%s has an empty member", name)
		}
		out = append(out, s)
	}
	return out
}

// tagged reports whether the writer gave n a type or a name of its own.
func tagged(n *yaml.Node) bool { return n.Style&yaml.TaggedStyle != 0 || n.Anchor != "" }

func scalar(n *yaml.Node, tag string) bool {
	return n.Kind == yaml.ScalarNode && n.Tag == tag && !tagged(n)
}

// written says what n is, for errors.
func written(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.AliasNode:
		return "an alias, which is not followed here,"
	case n.Anchor != "":
		return "anchored (which is not taken here)"
	case n.Style&yaml.TaggedStyle != 0:
		return "tagged " + quoted(n.Tag)
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Tag == "!!null":
		return "nothing"
	}
	return quoted(n.Value) + map[string]string{"!!int": " (a number)", "!!float": " (a number)", "!!bool": " (a truth value)",
		"!!timestamp": " (a date)"}[n.Tag]
}
