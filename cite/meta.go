package cite

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// MetaPrefix begins every meta span and no other.
const MetaPrefix = "meta:"

// Limits of a field path, far above what a record can hold (objects are at
// most 8 deep and have short keys) and small enough for an error line.
const (
	maxFieldBytes = 200
	maxFieldDepth = 8
)

// A MetaSpan is a half-open run of code points inside one field of a record.
type MetaSpan struct {
	Field      string // path of keys and list ordinals from 1, joined by dots: media_type, source.title, names.1
	Start, End int    // code points, half-open
}

// ParseMetaSpan reads the one spelling of a meta span, meta:source.title:0-12.
func ParseMetaSpan(s string) (MetaSpan, error) {
	rest, ok := strings.CutPrefix(s, MetaPrefix)
	if !ok {
		return MetaSpan{}, invalid(s, "does not begin with %q", MetaPrefix)
	}
	field, run, ok := strings.Cut(rest, ":")
	if !ok {
		return MetaSpan{}, invalid(s, "no colon after the field; want the form meta:source.title:0-12")
	}
	if err := checkField(field); err != nil {
		return MetaSpan{}, invalid(s, "%v", err)
	}
	left, right, ok := strings.Cut(run, "-")
	if !ok {
		return MetaSpan{}, invalid(s, "no hyphen between start and end; want the form meta:source.title:0-12")
	}
	m := MetaSpan{Field: field}
	var err error
	if m.Start, err = parseNumber(left, 0); err != nil {
		return MetaSpan{}, invalid(s, "start %v", err)
	}
	if m.End, err = parseNumber(right, 0); err != nil {
		return MetaSpan{}, invalid(s, "end %v", err)
	}
	if m.End <= m.Start {
		return MetaSpan{}, invalid(s, "empty: ends at %d, want more than its start %d", m.End, m.Start)
	}
	return m, nil
}

// String returns the span's one spelling.
func (m MetaSpan) String() string {
	return fmt.Sprintf("%s%s:%d-%d", MetaPrefix, m.Field, m.Start, m.End)
}

// checkField returns an error for a path that no field can have.
func checkField(field string) error {
	parts := strings.Split(field, ".")
	if len(field) > maxFieldBytes || len(parts) > maxFieldDepth {
		return fmt.Errorf("field of %d bytes and %d steps, want at most %d and %d", len(field), len(parts), maxFieldBytes, maxFieldDepth)
	}
	for i, part := range parts {
		if i > 0 && part != "" && part[0] >= '0' && part[0] <= '9' {
			if _, err := parseNumber(part, 1); err != nil {
				return fmt.Errorf("field %q: list ordinal %v", field, err)
			}
			continue
		}
		for j := range len(part) {
			c := part[j]
			if !(c >= 'a' && c <= 'z' || j > 0 && (c == '_' || c >= '0' && c <= '9')) {
				return fmt.Errorf("field %q: step %q is not a snake_case key", clip(field), clip(part))
			}
		}
		if part == "" {
			return fmt.Errorf("field %q has an empty step", clip(field))
		}
	}
	return nil
}

// A MetaField is one citable field of a record.
type MetaField struct {
	Path  string // as in MetaSpan.Field
	Value string // the string, or the digits of an integer
}

// MetaFields lists the strings and integers of a record's JSON, sorted by path
// within each object and in list order. Everything else cannot be cited.
func MetaFields(record []byte) ([]MetaField, error) {
	root, err := decodeRecord(record)
	if err != nil {
		return nil, err
	}
	var fields []MetaField
	var walk func(path string, v any)
	walk = func(path string, v any) {
		join := func(step string) string {
			if path == "" {
				return step
			}
			return path + "." + step
		}
		switch v := v.(type) {
		case map[string]any:
			for _, k := range slices.Sorted(maps.Keys(v)) {
				walk(join(k), v[k])
			}
		case []any:
			for i, e := range v {
				walk(join(fmt.Sprint(i+1)), e)
			}
		case string:
			if v != "" && checkField(path) == nil {
				fields = append(fields, MetaField{path, v})
			}
		case json.Number:
			if checkField(path) == nil {
				fields = append(fields, MetaField{path, v.String()})
			}
		}
	}
	walk("", root)
	return fields, nil
}

// ResolveMeta returns the whole value of the field that m names in the record,
// and the byte range of the run inside it.
func ResolveMeta(record []byte, m MetaSpan) (value string, start, end int, err error) {
	fields, err := MetaFields(record)
	if err != nil {
		return "", 0, 0, err
	}
	for _, f := range fields {
		if f.Path != m.Field {
			continue
		}
		n := utf8.RuneCountInString(f.Value)
		if m.Start < 0 || m.End <= m.Start || m.End > n {
			return "", 0, 0, invalid(m.String(), "not a run of the %d code points of the field", n)
		}
		start = byteOffset(f.Value, m.Start)
		return f.Value, start, start + byteOffset(f.Value[start:], m.End-m.Start), nil
	}
	return "", 0, 0, invalid(m.String(), "the record has no string or number at %q", m.Field)
}

// QuoteMeta returns the text that m names in the record.
func QuoteMeta(record []byte, m MetaSpan) (string, error) {
	value, start, end, err := ResolveMeta(record, m)
	if err != nil {
		return "", err
	}
	return value[start:end], nil
}

// decodeRecord decodes a JSON object with its numbers as they are written.
func decodeRecord(record []byte) (map[string]any, error) {
	var root map[string]any
	dec := json.NewDecoder(bytes.NewReader(record))
	dec.UseNumber() // digits as written, not as a float
	if err := dec.Decode(&root); err != nil {
		return nil, fmt.Errorf("record is not a JSON object: %v", err)
	}
	return root, nil
}

// byteOffset returns the byte offset of code point n of s, at most len(s).
func byteOffset(s string, n int) int {
	for i := range s {
		if n == 0 {
			return i
		}
		n--
	}
	return len(s)
}
