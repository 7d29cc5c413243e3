package bib

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

type cslName struct {
	Family      string `json:"family,omitempty"`
	Given       string `json:"given,omitempty"`
	Particle    string `json:"non-dropping-particle,omitempty"`
	Dropping    string `json:"dropping-particle,omitempty"`
	Suffix      string `json:"suffix,omitempty"`
	Literal     string `json:"literal,omitempty"`
	CommaSuffix any    `json:"comma-suffix,omitempty"`
	Static      any    `json:"static-ordering,omitempty"`
	Parse       any    `json:"parse-names,omitempty"`
}

type cslDate struct {
	Parts   [][]any `json:"date-parts,omitempty"`
	Season  any     `json:"season,omitempty"`
	Circa   any     `json:"circa,omitempty"`
	Literal string  `json:"literal,omitempty"`
	Raw     string  `json:"raw,omitempty"`
}

type cslCustom struct {
	Paywall     bool `json:"paywall,omitempty"`
	MonitorOnly bool `json:"monitor_only,omitempty"`
}

// cslText are the members that are strings, in the order they are written.
var cslText = []struct {
	key string
	at  func(*Item) *string
}{
	{"title", func(i *Item) *string { return &i.Title }},
	{"container-title", func(i *Item) *string { return &i.ContainerTitle }},
	{"collection-title", func(i *Item) *string { return &i.Collection }},
	{"publisher", func(i *Item) *string { return &i.Publisher }},
	{"publisher-place", func(i *Item) *string { return &i.PublisherPlace }},
	{"volume", func(i *Item) *string { return &i.Volume }},
	{"issue", func(i *Item) *string { return &i.Issue }},
	{"number", func(i *Item) *string { return &i.Number }},
	{"edition", func(i *Item) *string { return &i.Edition }},
	{"page", func(i *Item) *string { return &i.Page }},
	{"genre", func(i *Item) *string { return &i.Genre }},
	{"DOI", func(i *Item) *string { return &i.DOI }},
	{"ISBN", func(i *Item) *string { return &i.ISBN }},
	{"ISSN", func(i *Item) *string { return &i.ISSN }},
	{"URL", func(i *Item) *string { return &i.URL }},
	{"archive", func(i *Item) *string { return &i.Archive }},
	{"language", func(i *Item) *string { return &i.Language }},
	{"note", func(i *Item) *string { return &i.Note }},
}

// WriteCSL writes items as CSL-JSON: an array, members in a fixed order, two spaces of indentation.
func WriteCSL(items []Item) []byte {
	var b bytes.Buffer
	b.WriteString("[")
	for i := range items {
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString("\n  {")
		first := true
		member := func(key string, v any) {
			if !first {
				b.WriteString(",")
			}
			first = false
			fmt.Fprintf(&b, "\n    %q: ", key)
			b.Write(encode(v))
		}
		it := items[i]
		member("id", it.ID)
		kind := cmp.Or(it.Type, "document")
		member("type", kind)
		for _, f := range cslText {
			if v := *f.at(&it); v != "" {
				member(f.key, v)
			}
		}
		if len(it.Author) > 0 {
			member("author", cslNames(it.Author))
		}
		if len(it.Editor) > 0 {
			member("editor", cslNames(it.Editor))
		}
		if !it.Issued.IsZero() {
			member("issued", cslDateOf(it.Issued))
		}
		if !it.Accessed.IsZero() {
			member("accessed", cslDateOf(it.Accessed))
		}
		if it.Paywall || it.MonitorOnly {
			member("custom", cslCustom{it.Paywall, it.MonitorOnly})
		}
		b.WriteString("\n  }")
	}
	if len(items) > 0 {
		b.WriteString("\n")
	}
	b.WriteString("]\n")
	return b.Bytes()
}

// encode is JSON without the escapes that only HTML needs.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil { // plain strings, integers and structs of them always encode
		panic(err)
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

// cslNames returns names in the form of CSL-JSON.
func cslNames(names []Name) []cslName {
	out := make([]cslName, len(names))
	for i, n := range names {
		out[i] = cslName{Family: n.Family, Given: n.Given, Particle: n.Particle, Suffix: n.Suffix, Literal: n.Literal}
	}
	return out
}

// cslDateOf returns a date in the form of CSL-JSON.
func cslDateOf(d Date) cslDate {
	if d.Literal != "" {
		return cslDate{Literal: d.Literal}
	}
	out := cslDate{}
	parts := func(d Date) []any {
		p := []any{d.Year}
		if d.Month > 0 {
			p = append(p, d.Month)
			if d.Day > 0 {
				p = append(p, d.Day)
			}
		}
		return p
	}
	out.Parts = [][]any{parts(d)}
	if d.To != nil {
		out.Parts = append(out.Parts, parts(*d.To))
	}
	for i, s := range seasons {
		if s == d.Season && i > 0 {
			out.Season = i
		}
	}
	if d.Circa {
		out.Circa = true
	}
	return out
}

var seasons = [...]string{"", "spring", "summer", "autumn", "winter"}

// readCSL reads CSL-JSON: an array of items, an object with an items array, or one item. Numbers and strings are taken
// for each other where the format allows both, unknown members are passed over. Items before damage are read.
func readCSL(data []byte) ([]Row, error) {
	r := cslReader{data: data, dec: json.NewDecoder(bytes.NewReader(data)), line: 1}
	if r.peek() == '[' {
		return r.items(true)
	}
	if _, err := r.dec.Token(); err != nil || r.peek() == 0 {
		return nil, errors.New("not CSL-JSON")
	}
	for r.dec.More() {
		name, err := r.dec.Token()
		if err != nil {
			return nil, fmt.Errorf("not CSL-JSON: %w", err)
		}
		if name == "items" && r.peek() == '[' {
			return r.items(false)
		}
		var other json.RawMessage
		if err := r.dec.Decode(&other); err != nil {
			return nil, fmt.Errorf("not CSL-JSON: %w", err)
		}
	}
	it, err := readCSLItem(data)
	return []Row{{Line: 1, Key: it.ID, Item: it, Err: err}}, nil
}

// A cslReader is a position in a JSON file, with its line from 1.
type cslReader struct {
	data     []byte
	dec      *json.Decoder
	at, line int
}

// peek returns the first byte of the next value, 0 at the end, and counts the lines up to it.
func (r *cslReader) peek() byte {
	start := int(r.dec.InputOffset())
	for start < len(r.data) && strings.IndexByte(" \t\r\n,:", r.data[start]) >= 0 {
		start++
	}
	r.line += bytes.Count(r.data[r.at:start], []byte{'\n'})
	if r.at = start; start < len(r.data) {
		return r.data[start]
	}
	return 0
}

// items reads an array of items, which is whole if it is all of the file.
func (r *cslReader) items(whole bool) ([]Row, error) {
	rows := []Row{}
	if _, err := r.dec.Token(); err != nil {
		return nil, err
	}
	for r.dec.More() {
		if len(rows) >= MaxEntries {
			return nil, errLarge
		}
		r.peek()
		var raw json.RawMessage
		if err := r.dec.Decode(&raw); err != nil {
			return append(rows, Row{Line: r.line, Err: fmt.Errorf("not JSON, and nothing behind it can be read: %w", err)}), nil
		}
		it, err := readCSLItem(raw)
		rows = append(rows, Row{Line: r.line, Key: it.ID, Item: it, Err: err})
	}
	r.peek()
	if _, err := r.dec.Token(); err != nil {
		rows = append(rows, Row{Line: r.line, Err: errors.New("the list is not closed")})
	} else if whole && r.peek() != 0 {
		rows = append(rows, Row{Line: r.line, Err: errors.New("text behind the list")})
	}
	return rows, nil
}

// readCSLItem reads one item.
func readCSLItem(raw json.RawMessage) (Item, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return Item{}, errors.New("not an object")
	}
	var it Item
	text := func(key string, into *string) error {
		v, ok := members[key]
		if !ok || string(v) == "null" {
			return nil
		}
		s, err := readScalar(v)
		if err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
		*into = strings.TrimSpace(s)
		return nil
	}
	if err := errors.Join(text("id", &it.ID), text("type", &it.Type)); err != nil {
		return Item{}, err
	}
	for _, f := range cslText {
		if err := text(f.key, f.at(&it)); err != nil {
			return Item{}, err
		}
	}
	var err error
	if it.Author, err = readCSLNames(members["author"]); err != nil {
		return Item{ID: it.ID}, fmt.Errorf("author: %w", err)
	}
	if it.Editor, err = readCSLNames(members["editor"]); err != nil {
		return Item{}, fmt.Errorf("editor: %w", err)
	}
	if it.Issued, err = readCSLDate(members["issued"]); err != nil {
		return Item{}, fmt.Errorf("issued: %w", err)
	}
	if it.Accessed, err = readCSLDate(members["accessed"]); err != nil {
		return Item{}, fmt.Errorf("accessed: %w", err)
	}
	var custom cslCustom
	if c, ok := members["custom"]; ok && json.Unmarshal(c, &custom) == nil {
		it.Paywall, it.MonitorOnly = custom.Paywall, custom.MonitorOnly
	}
	return it, it.check()
}

// readScalar reads a string or a number.
func readScalar(raw json.RawMessage) (string, error) {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s, nil
	}
	var n json.Number
	if json.Unmarshal(raw, &n) == nil {
		return n.String(), nil
	}
	return "", errors.New("neither a string nor a number")
}

// readCSLNames reads a list of names.
func readCSLNames(raw json.RawMessage) ([]Name, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	var list []cslName
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, errors.New("not a list of names")
	}
	if len(list) > MaxNames {
		return nil, errLarge
	}
	var out []Name
	for _, c := range list {
		n := Name{Family: c.Family, Given: c.Given, Suffix: c.Suffix, Literal: c.Literal, Particle: strings.TrimSpace(c.Dropping + " " + c.Particle)}
		out = appendName(out, n)
	}
	return out, nil
}

// readCSLDate reads a date, in parts, as raw text or as a string or number.
func readCSLDate(raw json.RawMessage) (Date, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return Date{}, nil
	}
	var c cslDate
	if err := json.Unmarshal(raw, &c); err != nil {
		if s, err := readScalar(raw); err == nil {
			return ParseDate(s), nil
		}
		return Date{}, errors.New("not a date")
	}
	if len(c.Parts) == 0 {
		if c.Raw != "" {
			return ParseDate(c.Raw), nil
		}
		return Date{Literal: c.Literal}, nil
	}
	d, err := dateOfParts(c.Parts[0])
	if err != nil {
		return Date{}, err
	}
	if len(c.Parts) > 1 {
		to, err := dateOfParts(c.Parts[1])
		if err != nil {
			return Date{}, err
		}
		if to.Year != 0 {
			d.To = &to
		}
	}
	if s, ok := readInteger(c.Season); ok && s >= 1 && s <= 4 {
		d.Season = seasons[s]
	} else if s, ok := c.Season.(string); ok {
		for _, name := range seasons[1:] {
			if strings.EqualFold(s, name) {
				d.Season = name
			}
		}
	}
	switch v := c.Circa.(type) {
	case bool:
		d.Circa = v
	case float64:
		d.Circa = v != 0
	case string:
		d.Circa = v != "" && v != "false" && v != "0"
	}
	return d, nil
}

// dateOfParts reads year, month and day of CSL-JSON.
func dateOfParts(parts []any) (Date, error) {
	var n [3]int
	if len(parts) > 3 {
		return Date{}, errors.New("date-parts with more than year, month and day")
	}
	for i, p := range parts {
		v, ok := readInteger(p)
		if !ok {
			return Date{}, fmt.Errorf("date part %v is no number", p)
		}
		n[i] = v
	}
	if n[1] < 0 || n[1] > 12 || n[2] < 0 || n[2] > 31 || n[0] < -9999 || n[0] > 9999 || n[1] == 0 && n[2] > 0 || n[0] == 0 && n[1] > 0 {
		return Date{}, fmt.Errorf("date parts %d, %d, %d", n[0], n[1], n[2])
	}
	return Date{Year: n[0], Month: n[1], Day: n[2]}, nil
}

// readInteger returns a JSON number or text as an integer, and reports whether it is one.
func readInteger(v any) (int, bool) {
	switch v := v.(type) {
	case float64:
		return int(v), v == float64(int(v))
	case string:
		n, err := strconv.Atoi(strings.TrimSpace(v))
		return n, err == nil
	}
	return 0, false
}
