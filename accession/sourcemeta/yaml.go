package sourcemeta

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"muniment/text/weburl"
)

// Limits of a registry.
const (
	MaxRegistry = 256 << 10 // bytes; 1,000 sources of 250
	maxIgnored  = 100       // keys that Ignored returns
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
	w := &registryReader{defects: d, out: &Registry{file: file}}
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
	w.readDocument(&doc)
	w.out.index(d)
	if err := d.err(); err != nil {
		return nil, err
	}
	return w.out, nil
}

var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// yamlError adds an error of the YAML module as a defect.
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

// A registryReader reads the nodes of a document. It takes the text of a node as
// written: the YAML module would guess types.
type registryReader struct {
	defects *defects
	out     *Registry
}

func (w *registryReader) addDefect(n *yaml.Node, field, format string, args ...any) {
	w.defects.add(n.Line, field, format, args...)
}

func (w *registryReader) addIgnored(n *yaml.Node, key string) {
	if len(w.out.ignored) < maxIgnored {
		w.out.ignored = append(w.out.ignored, (&Error{File: w.defects.file, Line: n.Line, Reason: clip(key)}).Error())
	}
}

func (w *registryReader) readDocument(doc *yaml.Node) {
	top := doc
	if doc.Kind == yaml.DocumentNode && len(doc.Content) == 1 {
		top = doc.Content[0]
	}
	if top.Kind == yaml.SequenceNode {
		w.readSources(top)
		return
	}
	var sources *yaml.Node
	w.eachMember(top, "the document", func(key, value *yaml.Node) {
		if key.Value == "sources" {
			sources = value
		} else {
			w.addIgnored(key, key.Value)
		}
	})
	switch {
	case sources != nil:
		w.readSources(sources)
	case top.Kind == yaml.MappingNode:
		w.addDefect(top, "sources", "sources is missing")
	}
}

// readSources reads a list of sources, or a mapping from their keys.
func (w *registryReader) readSources(n *yaml.Node) {
	if n.Kind == yaml.SequenceNode {
		for _, one := range n.Content {
			w.readEntry(one, nil)
		}
	} else {
		w.eachMember(n, "sources", func(key, value *yaml.Node) { w.readEntry(value, key) })
	}
	if len(n.Content) == 0 && len(w.defects.list) == 0 {
		w.addDefect(n, "sources", "sources is empty")
	}
}

// eachMember calls do for each member of a mapping, once.
func (w *registryReader) eachMember(n *yaml.Node, what string, do func(key, value *yaml.Node)) {
	if n.Kind != yaml.MappingNode || hasTag(n) {
		w.addDefect(n, "", "%s is %s, want a mapping", what, describe(n))
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		switch {
		case key.Kind != yaml.ScalarNode || hasTag(key) || key.Tag == "!!merge":
			w.addDefect(key, "", "a key in %s is %s, want a plain word", what, describe(key))
			continue
		case seen[key.Value]:
			w.addDefect(key, key.Value, "%s is there twice", quote(key.Value))
			continue
		}
		seen[key.Value] = true
		do(key, n.Content[i+1])
	}
}

// entryKeys maps the keys of an entry and their synonyms to the keys.
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

// readEntry reads one source. key is its key in a mapping of sources, nil in a
// list.
func (w *registryReader) readEntry(n *yaml.Node, key *yaml.Node) {
	before := len(w.defects.list)
	e := Entry{Line: n.Line}
	seen := map[string]bool{}
	if key != nil {
		e.Line, seen["id"] = key.Line, true
		e.ID = w.readText(key, "id")
	}
	w.eachMember(n, "a source", func(key, value *yaml.Node) {
		name, ok := entryKeys[key.Value]
		switch {
		case !ok:
			w.addIgnored(key, key.Value)
		case seen[name]:
			w.addDefect(key, name, "%s is there twice, once as another word", name)
		default:
			seen[name] = true
			w.readMember(&e, name, value)
		}
	})
	if len(w.defects.list) > before {
		return // what is missing may be what was wrong
	}
	if e.ID == "" {
		w.defects.add(e.Line, "id", "id is missing")
	}
	if e.Publisher == "" {
		w.defects.add(e.Line, "publisher", "publisher is missing")
	}
	if len(e.Patterns) == 0 && e.URL != "" {
		p, err := patternOf(e.URL)
		if err != nil {
			w.defects.add(e.Line, "url", "url %s", err)
		}
		e.Patterns, e.patterns = []string{p.text}, []pattern{p}
	}
	if err := weburl.CheckAddress(e.URL, false); err != nil {
		w.defects.add(e.Line, "url", "url: %s", err)
	}
	w.checkEntry(&e)
	w.out.entries = append(w.out.entries, e)
}

// checkEntry checks the values of an entry by the rules of Values.
func (w *registryReader) checkEntry(e *Entry) {
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

// readMember reads the value of one key of an entry.
func (w *registryReader) readMember(e *Entry, name string, n *yaml.Node) {
	if n.Kind == yaml.ScalarNode && n.Tag == "!!null" && !hasTag(n) {
		return // a key with nothing after it has no value
	}
	texts := map[string]*string{"id": &e.ID, "name": &e.Name, "publisher": &e.Publisher, "url": &e.URL,
		"paywall_policy": &e.PaywallPolicy, "language": &e.Language, "csl_type": &e.CSLType}
	if p := texts[name]; p != nil {
		*p = w.readText(n, name)
		return
	}
	switch name {
	case "tags":
		e.Tags = w.readList(n, name)
	case "url_patterns":
		for i, s := range w.readList(n, name) {
			p, err := parsePattern(s)
			if err != nil {
				w.addDefect(itemOf(n, i), name, "%s %s", name, err)
				continue
			}
			e.Patterns, e.patterns = append(e.Patterns, s), append(e.patterns, p)
		}
	case "tier":
		if e.Tier, _ = strconv.Atoi(n.Value); !isScalar(n, "!!int") || e.Tier < 1 || e.Tier > 4 || strconv.Itoa(e.Tier) != n.Value {
			w.addDefect(n, name, "tier is %s, want 1 to 4", describe(n))
		}
	case "official_calendar":
		if e.OfficialCalendar = n.Value == "true"; !isScalar(n, "!!bool") || n.Value != "true" && n.Value != "false" {
			w.addDefect(n, name, "official_calendar is %s, want true or false", describe(n))
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

// readText returns a text. Numbers, dates and truth values must be quoted, for
// readers of YAML differ on them.
func (w *registryReader) readText(n *yaml.Node, name string) string {
	if !isScalar(n, "!!str") {
		w.addDefect(n, name, "%s is %s, want a text, quoted if it looks like something else", name, describe(n))
		return ""
	}
	return strings.TrimSpace(n.Value)
}

// readList returns a list of texts; one text is a list of one.
func (w *registryReader) readList(n *yaml.Node, name string) []string {
	items := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode && !hasTag(n) {
		items = n.Content
	}
	var out []string
	for _, item := range items {
		before := len(w.defects.list)
		s := w.readText(item, name)
		if s == "" && len(w.defects.list) == before {
			w.addDefect(item, name, "%s has an empty member", name)
		}
		out = append(out, s)
	}
	return out
}

// hasTag reports whether n has an explicit tag or an anchor.
func hasTag(n *yaml.Node) bool { return n.Style&yaml.TaggedStyle != 0 || n.Anchor != "" }

// isScalar reports whether n is a scalar that YAML resolves to tag.
func isScalar(n *yaml.Node, tag string) bool {
	return n.Kind == yaml.ScalarNode && n.Tag == tag && !hasTag(n)
}

// describe returns the name of n's kind, for errors.
func describe(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.AliasNode:
		return "an alias, which is not followed here,"
	case n.Anchor != "":
		return "anchored (which is not taken here)"
	case n.Style&yaml.TaggedStyle != 0:
		return "tagged " + quote(n.Tag)
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Tag == "!!null":
		return "nothing"
	}
	return quote(n.Value) + map[string]string{"!!int": " (a number)", "!!float": " (a number)", "!!bool": " (a truth value)",
		"!!timestamp": " (a date)"}[n.Tag]
}
