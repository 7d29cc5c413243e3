package sourcemeta

import (
	"bytes"
	_ "embed" // descriptions.txt
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"io"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/encoding/htmlindex"
)

// Limits of a sidecar in XML.
const (
	maxElements = 1 << 17 // each of which is kept in memory; a finding aid of 7,500 letters
	maxDepth    = 256
)

//go:embed descriptions.txt
var descriptionList string

// A stated field is where a standard states a field.
type statedField struct {
	field     string // or path
	steps     []string
	attribute string    // whose value counts before the text
	wanted    [2]string // an attribute and its value
}

// standards are the fields of descriptions.txt by the standard.
var standards = sync.OnceValue(func() map[string][]statedField {
	out := map[string][]statedField{}
	for line := range strings.Lines(descriptionList) {
		part := strings.Split(strings.TrimSpace(line), "\t")
		if len(part) != 3 || strings.HasPrefix(line, "#") {
			continue
		}
		f := statedField{field: part[1]}
		place, attribute, _ := strings.Cut(part[2], "@")
		f.attribute = attribute
		if open := strings.IndexByte(place, '['); open >= 0 {
			name, value, _ := strings.Cut(strings.Trim(place[open:], "[]"), "=")
			f.wanted, place = [2]string{name, value}, place[:open]
		}
		if place != "" {
			f.steps = strings.Split(place, "/")
		}
		out[part[0]] = append(out[part[0]], f)
	}
	return out
})

// A node is an element of a description.
type node struct {
	name     xml.Name
	attr     []xml.Attr
	children []*node
	all      *[]byte // the characters of the document
	from, to int     // those of the element, with the elements within
	line     int
}

// ReadXML reads a sidecar in EAD 3, EAD 2002, MODS, Dublin Core or with headers of TEI.
// A component of EAD describes the file of its dao, a record of MODS that of its
// identifier of the type filename or of its location, a record of Dublin Core that of
// an identifier that has an ending or is an address. A file of one description that
// names none describes the files of its own name: letter-07.mods.xml describes
// letter-07.*. A value that is not valid is kept as a fact, with a note. file is the
// name in errors, as for ReadCSV.
func ReadXML(file string, data []byte) (*Sidecar, error) {
	d := &defects{file: file}
	s := &Sidecar{file: file}
	if len(data) > MaxSidecar {
		d.add(0, "", "the file has %d bytes, more than %d", len(data), MaxSidecar)
		return nil, d.err()
	}
	root, line, err := readNodes(data)
	if err != nil {
		d.add(line, "", "%s", err)
		return nil, d.err()
	}
	r := &descriptionReader{out: s, defects: d}
	r.find(root)
	if r.found == 0 {
		d.add(0, "", "no description is in it: want EAD, MODS, Dublin Core or a header of TEI")
		return nil, d.err()
	}
	r.nameSingle()
	if r.unnamed > 0 {
		s.notes = append(s.notes, fmt.Sprintf("%d of %d descriptions name no file and describe nothing here", r.unnamed, r.found))
	}
	s.index(d)
	if err := d.err(); err != nil {
		return nil, err
	}
	return s, nil
}

// readNodes returns the tree of a document, or an error and its line.
func readNodes(data []byte) (root *node, line int, err error) {
	x := xml.NewDecoder(bytes.NewReader(data))
	x.Entity = maps.Clone(xml.HTMLEntity)
	x.CharsetReader = func(charset string, in io.Reader) (io.Reader, error) {
		enc, err := htmlindex.Get(charset)
		if err != nil {
			return nil, fmt.Errorf("the charset %s is not known", quote(charset))
		}
		return enc.NewDecoder().Reader(in), nil
	}
	var all []byte
	root = &node{all: &all}
	open, elements := []*node{root}, 0
	for {
		token, err := x.Token()
		line, _ := x.InputPos()
		if errors.Is(err, io.EOF) {
			return root, 0, nil
		}
		if err != nil {
			return nil, line, err
		}
		top := open[len(open)-1]
		switch token := token.(type) {
		case xml.StartElement:
			if elements++; elements > maxElements || len(open) > maxDepth {
				return nil, line, fmt.Errorf("more than %d elements, or nested deeper than %d", maxElements, maxDepth)
			}
			n := &node{name: token.Name, attr: token.Copy().Attr, all: &all, from: len(all), line: line}
			top.children = append(top.children, n)
			open = append(open, n)
		case xml.EndElement:
			top.to = len(all)
			open = open[:len(open)-1]
		case xml.CharData:
			all = append(all, token...)
		case xml.Directive:
			for _, m := range entityText.FindAllSubmatch(token[:min(len(token), maxDoctype)], -1) {
				x.Entity[string(m[1])] = html.UnescapeString(string(m[2]) + string(m[3]))
			}
		}
	}
}

// maxDoctype is how many bytes of a document type are searched for entities.
const maxDoctype = 64 << 10

// entityText finds the entities that a document type declares with a text, without mark-up
// and other entities in it. An entity that is declared otherwise is an error where it is
// used.
var entityText = regexp.MustCompile(`<!ENTITY\s+([A-Za-z_][\w.-]*)\s+(?:"((?:[^"&<%]|&#x?[0-9A-Fa-f]{1,6};)*)"|'((?:[^'&<%]|&#x?[0-9A-Fa-f]{1,6};)*)')\s*>`)

// text returns the characters of n, on one line.
func (n *node) text() string { return strings.Join(strings.Fields(string((*n.all)[n.from:n.to])), " ") }

// attribute returns the value of an attribute by its local name.
func (n *node) attribute(name string) string {
	for _, a := range n.attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// at returns the elements at a place below n.
func (n *node) at(steps []string) []*node {
	if len(steps) == 0 {
		return []*node{n}
	}
	var out []*node
	for _, c := range n.children {
		if steps[0] == "*" || c.name.Local == steps[0] {
			out = append(out, c.at(steps[1:])...)
		}
	}
	return out
}

// A descriptionReader finds the descriptions of a document.
type descriptionReader struct {
	out            *Sidecar
	defects        *defects
	found, unnamed int
	last           Values // of the description that names no file
	lastLine       int
}

// component finds the components of a finding aid.
var component = regexp.MustCompile(`^(archdesc|c|c0[1-9]|c1[0-2])$`)

// standardOf returns the standard in which an element is a description, or "".
func standardOf(n *node) string {
	switch {
	case component.MatchString(n.name.Local) && len(n.at([]string{"did"})) > 0:
		return "ead"
	case n.name.Local == "mods":
		return "mods"
	case n.name.Local == "teiHeader":
		return "tei"
	case slices.ContainsFunc(n.children, func(c *node) bool { return strings.HasPrefix(c.name.Space, "http://purl.org/dc/") }):
		return "dc"
	}
	return ""
}

// find reads the descriptions in an element.
func (r *descriptionReader) find(n *node) {
	standard := standardOf(n)
	if standard != "" {
		r.describe(n, standard)
	}
	if standard == "" || standard == "ead" {
		for _, c := range n.children {
			r.find(c)
		}
	}
}

// fileEnding matches the name of a file with an ending.
var fileEnding = regexp.MustCompile(`^[^\s:]+\.[A-Za-z][A-Za-z0-9]{1,5}$`)

// describe reads one description.
func (r *descriptionReader) describe(n *node, standard string) {
	r.found++
	var v Values
	var paths []string
	if standard == "mods" {
		for _, span := range n.modsSpans() {
			r.set(&v, "published_at", span, n.line)
		}
	}
	for _, f := range standards()[standard] {
		for _, at := range n.at(f.steps) {
			if f.wanted[0] != "" && !strings.EqualFold(at.attribute(f.wanted[0]), f.wanted[1]) {
				continue
			}
			text := at.attribute(f.attribute)
			switch {
			case f.attribute != "" && (text != "" || len(f.steps) == 0):
			case standard == "mods":
				text = at.modsText()
			default:
				text = at.text()
			}
			switch text = strings.TrimSpace(text); {
			case text == "":
			case f.field != "path":
				r.set(&v, f.field, text, n.line)
			case standard == "dc" && !isURL(text) && !fileEnding.MatchString(text):
				r.set(&v, "identifier", text, n.line)
			default:
				paths = append(paths, text)
			}
		}
	}
	r.keepOthers(&v, n, standard)
	if len(paths) == 0 {
		r.unnamed++
		r.last, r.lastLine = v, n.line
	}
	for _, p := range paths {
		if err := r.out.add(n.line, p, v.clone()); err != nil {
			r.defects.addRow(n.line, "path", "%s", err)
		}
	}
}

// unlisted are the elements of a standard that no place names and whose text says nothing
// of the paper: what describes the description, and components with descriptions of their
// own.
var unlisted = regexp.MustCompile(`^(did|head|dsc|c|c0[1-9]|c1[0-2]|recordInfo|daogrp|daoset)$`)

// keepOthers keeps statements of elements without a field as facts under their names. A header of
// TEI is about the file with the text, and is not searched.
func (r *descriptionReader) keepOthers(v *Values, n *node, standard string) {
	if standard == "tei" {
		return
	}
	for _, outer := range append([]*node{n}, n.at([]string{"did"})...) {
		depth := 0
		if outer != n {
			depth = 1
		}
		for _, c := range outer.children {
			named := slices.ContainsFunc(standards()[standard], func(f statedField) bool {
				return len(f.steps) > depth && (depth == 0 || f.steps[0] == outer.name.Local) && f.steps[depth] == c.name.Local && (f.wanted[0] == "" || len(f.steps) > depth+1 || strings.EqualFold(c.attribute(f.wanted[0]), f.wanted[1]))
			})
			if text := c.text(); !named && text != "" && !unlisted.MatchString(c.name.Local) {
				name := c.name.Local
				if kind := c.attribute("localtype") + c.attribute("type"); kind != "" && (name == "container" || name == "identifier") {
					name += "_" + kind
				}
				r.keepOther(v, factName(name, 1), text, n.line)
			}
		}
	}
}

// keepOther adds a text to the fact of a name.
func (r *descriptionReader) keepOther(v *Values, name, text string, line int) {
	if known := v.Other[name]; known != "" {
		if slices.Contains(strings.Split(known, "; "), text) {
			return
		}
		text = known + "; " + text
	}
	if err := v.setOther(name, text); err != nil {
		r.defects.addRow(line, name, "%s", err)
	}
}

// runningFields are the fields that a standard states one paragraph at a time.
var runningFields = []string{"description", "rights", "extent"}

// set adds a value: to a list, to a running text, or to a text that has none. A second value
// of any other field, and one that is not valid, is kept as a fact.
func (r *descriptionReader) set(v *Values, name, text string, line int) {
	f, _ := fieldOf(name)
	one := v.clone()
	switch {
	case f.list != nil && slices.Contains(*f.list(v), text), f.list == nil && *f.text(v) == text:
		return
	case f.list == nil && !f.empty(v) && !slices.Contains(runningFields, f.name):
		r.keepOther(v, name, text, line)
		return
	case f.list == nil && !f.empty(v):
		*f.text(&one) += " " + text
	case f.list != nil:
		*f.list(&one) = append(*f.list(&one), text)
	default:
		*f.text(&one) = text
	}
	if err := v.setField(f, &one); err == nil {
		return
	} else {
		r.out.notes = append(r.out.notes, fmt.Sprintf("line %d: %s; it is kept as the fact other_%s", line, err, name))
		r.keepOther(v, name, text, line)
	}
}

// nameSingle gives the only description of a file that names nothing the files of the
// file's own name.
func (r *descriptionReader) nameSingle() {
	if r.found != 1 || r.unnamed != 1 {
		return
	}
	name := path.Base(strings.ReplaceAll(r.out.file, `\`, "/"))
	name, _, _ = strings.Cut(name, ".")
	if err := r.out.add(r.lastLine, literalPattern(name)+".*", r.last); err == nil {
		r.unnamed = 0
	}
}

// literalPattern returns the pattern that matches a name alone.
func literalPattern(name string) string { return patternMarks.ReplaceAllString(name, `\$0`) }

// patternMarks are the characters that mean others in a pattern.
var patternMarks = regexp.MustCompile(`[\\*?\[]`)
