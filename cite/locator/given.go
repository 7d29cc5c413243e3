package locator

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// A Given is the locator that a caller wrote: where the caller believes the
// evidence to be. It may have any members. The types of the members listed in
// numeric are checked, and Disagreements compares those that name a place.
type Given map[string]any

// numeric lists the members whose type is checked, and whether a member is a
// number.
var numeric = map[string]bool{
	"page": true, "page_start": true, "page_end": true, "char_offset_start": true, "char_offset_end": true, "row": true, "line": true, "chapter": true,
	"section": false, "section_header": false, "heading_context": false, "accessed_at": false, "query": false, "table": false, "result_description": false,
}

// MaxGiven is the longest locator in bytes: a query is the longest part.
const MaxGiven = 64 << 10

// Parse reads a caller's locator, a JSON object; "" is none.
func Parse(s string) (Given, error) {
	if s == "" {
		return nil, nil
	}
	if len(s) > MaxGiven {
		return nil, fmt.Errorf("locator: %d bytes, want at most %d", len(s), MaxGiven)
	}
	dec := json.NewDecoder(bytes.NewReader([]byte(s)))
	dec.UseNumber()
	var g Given
	if err := dec.Decode(&g); err != nil || g == nil {
		return nil, errors.New("locator: not a JSON object")
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("locator: text after the JSON object")
	}
	for _, name := range slices.Sorted(maps.Keys(g)) {
		if err := checkMember(name, g[name]); err != nil {
			return nil, fmt.Errorf("locator: %w", err)
		}
	}
	return g, nil
}

// checkMember returns an error for a member of the wrong type. A page, row,
// line or chapter may also be a text, as page xii.
func checkMember(name string, value any) error {
	number, listed := numeric[name]
	n, isNumber := value.(json.Number)
	text, isText := value.(string)
	switch {
	case !listed, !number && isText:
	case number && isNumber:
		if v, err := n.Int64(); err != nil || v < 0 {
			return fmt.Errorf("%s is %s, want a number from 0", name, n)
		}
	case number && isText && text != "" && !strings.HasPrefix(name, "char_"):
	case number:
		return fmt.Errorf("%s has the wrong type, want a number", name)
	default:
		return fmt.Errorf("%s has the wrong type, want a text", name)
	}
	return nil
}

// Text returns a member as a text, "" where the locator does not have it.
func (g Given) Text(name string) string {
	switch v := g[name].(type) {
	case json.Number:
		return v.String()
	case string:
		return strings.TrimSpace(v)
	}
	return ""
}

// Disagreements returns a note for each member of a caller's locator that names
// another place than the locator of the words, found.
func Disagreements(g Given, found map[string]string) []string {
	var notes []string
	for _, name := range []string{"page", "row", "line", "chapter"} {
		given := g.Text(name)
		if start, end := g.Text("page_start"), g.Text("page_end"); name == "page" && start != "" {
			if given = start; end != "" && end != start {
				given = start + "-" + end
			}
		}
		switch at := found[name]; {
		case given == "" || given == at:
		case at == "":
			notes = append(notes, fmt.Sprintf("the locator says %s %s, and the source has no %ss to compare with", name, given, name))
		case !overlap(given, at):
			notes = append(notes, fmt.Sprintf("the locator says %s %s; the words are on %s %s", name, given, name, at))
		}
	}
	for _, name := range []string{"section_header", "heading_context", "section"} {
		given, at := g.Text(name), found["section"]
		if given != "" && at != "" && !strings.Contains(strings.ToLower(at), strings.ToLower(given)) {
			notes = append(notes, fmt.Sprintf("the locator says %s “%s”; the words are under “%s”", strings.ReplaceAll(name, "_", " "), given, at))
			break
		}
	}
	return notes
}

// overlap reports whether one of two numbers or ranges lies inside the other.
func overlap(a, b string) bool {
	ends := func(s string) (from, to int, ok bool) {
		first, last, ranged := strings.Cut(s, "-")
		if !ranged {
			last = first
		}
		_, errFirst := fmt.Sscan(first, &from)
		_, errLast := fmt.Sscan(last, &to)
		return from, to, errFirst == nil && errLast == nil
	}
	aFrom, aTo, aOK := ends(a)
	bFrom, bTo, bOK := ends(b)
	return aOK && bOK && (bFrom <= aFrom && aTo <= bTo || aFrom <= bFrom && bTo <= aTo)
}
