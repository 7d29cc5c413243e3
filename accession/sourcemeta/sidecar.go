package sourcemeta

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"muniment/snapshot/record"
	"muniment/text/weburl"
)

// Limits of a sidecar.
const (
	MaxSidecar = 16 << 20 // bytes; 100,000 rows of 160
	maxRows    = 100_000  // each of which is kept in memory
	maxRefused = 1000     // rows with a defect: a file with more is another kind of file
	maxLine    = 1 << 20  // bytes of a line of a table: each cell is shorter than MaxList
	maxHead    = 64 << 10 // bytes of the first line of a table, whose columns have names for people
	maxGlobs   = 1000     // rows with a pattern, each of which is tried on every name
)

// A Sidecar is a file that describes other files. It is safe for concurrent use.
type Sidecar struct {
	over     bool           // the file has more than maxRows rows
	lines    map[string]int // of the rows, by path
	file     string
	rows     []row
	literals map[string][]*row // by last part
	globs    []*row
	urls     map[string]*row
	refused  []*Error // rows that are not used, each with one reason
	notes    []string

	mu sync.Mutex // guards the fields of rows about names
}

// A row is one description.
type row struct {
	line   int
	path   string
	parts  []string
	values Values

	first, second string // names that For looked up
	exact         bool   // its path is a whole name that For looked up, and means no other
	clash         string // why the row was not used for a name that it matches
}

// add adds a row, or returns an error about its path, which no row before has, or about
// an address that an archive must not keep.
func (s *Sidecar) add(line int, p string, v Values) error {
	r := row{line: line, path: p, values: v}
	if !isURL(p) {
		p = strings.TrimPrefix(p, "./")
		r.parts = strings.Split(p, "/")
	}
	switch {
	case p == "":
		return fmt.Errorf("path is empty")
	case len(p) > record.MaxName:
		return fmt.Errorf("path has %d bytes, more than %d", len(p), record.MaxName)
	case strings.HasPrefix(p, "/"):
		return fmt.Errorf("path is %q, want a relative path", p)
	}
	for _, part := range r.parts {
		if part == "" || part == "." || part == ".." {
			return fmt.Errorf("path is %q, which has the part %q", p, part)
		}
	}
	for _, address := range v.addresses() {
		if err := weburl.CheckAddress(address, false); err != nil {
			return err
		}
	}
	key := strings.TrimPrefix(r.path, "./")
	if first, twice := s.lines[key]; twice {
		return fmt.Errorf("path is %q, as in line %d", r.path, first)
	}
	if len(s.rows) >= maxRows {
		s.over = true
		return fmt.Errorf("the file has more than %d rows", maxRows)
	}
	if s.lines == nil {
		s.lines = map[string]int{}
	}
	s.lines[key] = line
	s.rows = append(s.rows, r)
	return nil
}

// addresses returns the values that are addresses of the web.
func (v Values) addresses() (all []string) {
	for _, text := range slices.Concat([]string{v.URL, v.Identifier}, v.Related, slices.Collect(maps.Values(v.Other))) {
		if isURL(text) || text == v.URL {
			all = append(all, text)
		}
	}
	return all
}

// index builds the indexes of s.
func (s *Sidecar) index(d *defects) {
	s.literals, s.urls = map[string][]*row{}, map[string]*row{}
	s.refused = d.rows
	if s.over {
		d.add(0, "", "the file has more than %d rows", maxRows)
	}
	for i := range s.rows {
		r := &s.rows[i]
		if r.parts == nil {
			s.urls[r.path] = r
			continue
		}
		last := r.parts[len(r.parts)-1]
		s.literals[last] = append(s.literals[last], r)
		if isPattern(r.parts) {
			s.globs = append(s.globs, r)
		}
	}
	if len(s.globs) > maxGlobs {
		d.add(s.globs[maxGlobs].line, "path", "path is a pattern, and there are more than %d", maxGlobs)
	}
}

// isPattern reports whether a path is a pattern: it has a sign of one, and is valid.
// a[1.txt is a name.
func isPattern(parts []string) bool {
	signs := false
	for _, part := range parts {
		_, err := path.Match(part, "")
		if err != nil {
			return false
		}
		signs = signs || strings.ContainsAny(part, `*?[\`)
	}
	return signs
}

func isURL(p string) bool { return strings.HasPrefix(p, "http://") || strings.HasPrefix(p, "https://") }

// For returns the layer for name, the relative path under which a file is added or
// the URL of a page. ok is false when no row describes it. It is an error when two
// patterns match name, or when the path of the row is a suffix of another name
// too; Expect makes that independent of the order of calls.
func (s *Sidecar) For(name string) (l Layer, ok bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.find(name)
	if r == nil || err != nil {
		return Layer{}, false, err
	}
	if r.second != "" {
		return Layer{}, false, &Error{s.file, r.line, "path", r.clash}
	}
	return Layer{From: FromSidecar, Where: fmt.Sprintf("%s:%d", s.file, r.line), Values: r.values.clone()}, true, nil
}

// Expect announces the names that For will look up.
func (s *Sidecar) Expect(names ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range names {
		parts := strings.Split(name, "/")
		for _, r := range s.literals[parts[len(parts)-1]] {
			r.exact = r.exact || slices.Equal(r.parts, parts)
		}
	}
	for _, name := range names {
		s.find(name) // errors stay in the rows
	}
}

// find returns the row for name, nil if there is none, and records the name in it.
// The row with the longest path wins; patterns come after paths.
func (s *Sidecar) find(name string) (*row, error) {
	if isURL(name) {
		if r, ok := s.urls[name]; ok {
			r.first = name
			return r, nil
		}
		return nil, nil
	}
	parts := strings.Split(name, "/")
	var best *row
	for _, r := range s.literals[parts[len(parts)-1]] {
		n := len(r.parts)
		if n < len(parts) && r.exact {
			continue
		}
		r.exact = r.exact || slices.Equal(r.parts, parts)
		if n <= len(parts) && slices.Equal(r.parts, parts[len(parts)-n:]) && (best == nil || n > len(best.parts)) {
			best = r
		}
	}
	if best != nil {
		switch {
		case best.first == "":
			best.first = name
		case best.first != name && best.second == "":
			best.second = name
			best.clash = fmt.Sprintf("path %q is both %s and %s, want more of the path", best.path, best.first, best.second)
		}
		return best, nil
	}
	return s.findGlob(parts, name)
}

// findGlob returns the row whose pattern matches name with the most parts.
func (s *Sidecar) findGlob(parts []string, name string) (*row, error) {
	var best, rival *row
	for _, r := range s.globs {
		n := len(r.parts)
		if n > len(parts) || !matchParts(r.parts, parts[len(parts)-n:]) {
			continue
		}
		switch {
		case best == nil || n > len(best.parts):
			best, rival = r, nil
		case n == len(best.parts):
			rival = r
		}
	}
	switch {
	case best == nil:
		return nil, nil
	case rival != nil:
		best.clash = fmt.Sprintf("path %q and %q of line %d both match %s", best.path, rival.path, rival.line, name)
		rival.clash = fmt.Sprintf("path %q and %q of line %d both match %s", rival.path, best.path, best.line, name)
		return nil, &Error{s.file, best.line, "path", best.clash}
	}
	best.first = name
	return best, nil
}

func matchParts(patterns, parts []string) bool {
	for i, p := range patterns {
		if ok, err := path.Match(p, parts[i]); !ok || err != nil {
			return false
		}
	}
	return true
}

// Refused returns the rows that have a defect and describe nothing.
func (s *Sidecar) Refused() []*Error { return slices.Clone(s.refused) }

// Notes returns the notes on the reading of the file: the charset that was assumed, and the names
// under which unknown columns are kept.
func (s *Sidecar) Notes() []string { return slices.Clone(s.notes) }

// Unused returns, in the order of the lines, the rows that described nothing
// and those that could not be used because more than one name or row was meant.
func (s *Sidecar) Unused() []*Error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []*Error
	for i := range s.rows {
		switch r := &s.rows[i]; {
		case r.clash != "":
			out = append(out, &Error{s.file, r.line, "path", r.clash})
		case r.first == "":
			out = append(out, &Error{s.file, r.line, "path", fmt.Sprintf("path %q matches nothing that was added", r.path)})
		}
	}
	return out
}

func (v Values) clone() Values {
	v.Creators, v.Tags, v.Subjects, v.Related = slices.Clone(v.Creators), slices.Clone(v.Tags), slices.Clone(v.Subjects), slices.Clone(v.Related)
	v.Other = maps.Clone(v.Other)
	return v
}
