// Package jsontext makes json@1 and jsonl@1, the texts of a JSON document and
// of JSON Lines, without loss of a number.
//
//	r := read.NewRegistry(jsontext.Reader(), jsontext.LinesReader())
//	form, err := r.Canonicalize(read.Input{Name: "levels.json", Data: data})
//
// The document is read by RFC 8259, strictly, and written again so that every
// value can be cited by its line:
//
//   - Members and elements stand on lines of their own, indented by two spaces
//     for each level; {} and [] stay on one line. In jsonl@1 each value is one
//     line, without any space between its tokens; blank lines are no values.
//   - Members are sorted by their names' code points: RFC 8259 gives them no
//     order, and databases and programs keep none. Elements keep theirs.
//   - A number stands as it was written. 9007199254740993 does not become
//     …992, and 1, 1.0 and 1e0 are three texts.
//   - A string stands in the normal form, its escapes undone. Escaped again are
//     \" \\ \b \f \n \r \t, other controls below U+0020 as \u001f, and the line
//     breaks of the text step: \u0085, \u2028, \u2029. A combining mark behind
//     an escape is escaped too, since it would join the letter that the escape
//     ends in.
//
// So a document that differs in white space, order of members, escapes, normal
// form or charset alone is the same artifact. The result is JSON, and ends in
// the text step of package canon, which changes nothing in it.
//
// Refused, and so kept as bytes@1: two members of one name (readers disagree
// which counts), names that are one in normal form among them; lone surrogates;
// comments, trailing commas and whatever else RFC 8259 does not have.
//
// What comes as JSON and is two or more lines, each an object, is jsonl@1.
//
// Facts: "root" (object, array, string, number, literal; json@1 alone) and
// "values" (the strings, numbers and literals of a document, or the lines).
package jsontext

import (
	"bytes"
	"fmt"
	"strconv"

	"muniment/canon"
	"muniment/canon/read"
)

// The names and versions of the two forms.
const (
	Name      = "json@1"
	LinesName = "jsonl@1"
)

// Limits. A document beyond one of them stays bytes@1.
const (
	// MaxInput is the longest document in bytes: form and document are in
	// memory together.
	MaxInput = 64 << 20
	// MaxOutput is the longest form in bytes. Indentation makes a form longer
	// than its document, a hundred times where one-digit numbers lie deep.
	MaxOutput = 128 << 20
	// MaxDepth is how deep arrays and objects may lie in each other. Documents
	// that people write have ten levels; the reader is recursive, and sorting
	// may move a member once for each level above it.
	MaxDepth = 100
	// MaxMoved is how many bytes may change places while members are sorted,
	// those of outer objects with all that lies in them: some five seconds'
	// worth could be hidden in a document that is turned over at each level.
	MaxMoved = 1 << 30
	// MaxOpen is the number of members, some 40 bytes each, that objects not
	// yet closed may have.
	MaxOpen = 4_000_000
)

// Reader returns the reader of json@1.
func Reader() read.Reader {
	return read.Reader{
		Name:       Name,
		MediaTypes: []string{"application/json", "application/geo+json", "application/ld+json", "text/json"},
		Extensions: []string{".json", ".geojson", ".jsonld"},
		Read:       readValue,
	}
}

// LinesReader returns the reader of jsonl@1.
func LinesReader() read.Reader {
	return read.Reader{
		Name:       LinesName,
		MediaTypes: []string{"application/x-ndjson", "application/jsonl", "application/x-jsonlines"},
		Extensions: []string{".ndjson", ".jsonl"},
		Read:       readLines,
	}
}

// readValue returns the json@1 form of an input, or the jsonl@1 form of
// objects on lines of their own.
func readValue(in read.Input) (read.Form, error) {
	s, charset, err := decodeInput(in)
	if err != nil {
		return read.Form{}, fmt.Errorf("%s: %w", Name, err)
	}
	s.skipSpace()
	root := s.kind()
	err = s.document()
	if err != nil {
		if lines, ok := objectLines(in); ok {
			return lines, nil
		}
		return read.Form{}, fmt.Errorf("%s: %w", Name, err)
	}
	return newForm(Name, charset, s.out, map[string]string{"root": root, "values": strconv.Itoa(s.values)}), nil
}

// objectLines reads JSON Lines that come under the name of JSON, as exports of
// databases do: two or more values, each an object.
func objectLines(in read.Input) (read.Form, bool) {
	f, err := readLines(in)
	if err != nil {
		return read.Form{}, false
	}
	n := 0
	for line := range bytes.Lines(f.Payload) {
		if n++; line[0] != '{' {
			return read.Form{}, false
		}
	}
	f.MediaType = "application/jsonl"
	return f, n > 1
}

// readLines returns the jsonl@1 form of an input.
func readLines(in read.Input) (read.Form, error) {
	s, charset, err := decodeInput(in)
	if err != nil {
		return read.Form{}, fmt.Errorf("%s: %w", LinesName, err)
	}
	s.compact = true
	lines := 0
	for s.at < len(s.text) {
		s.end = len(s.text)
		if lf := bytes.IndexByte(s.text[s.at:], '\n'); lf >= 0 {
			s.end = s.at + lf
		}
		if s.skipSpace(); s.at < s.end {
			lines++
			if err := s.document(); err != nil {
				return read.Form{}, fmt.Errorf("%s: %w", LinesName, err)
			}
		}
		s.at = s.end + 1
	}
	return newForm(LinesName, charset, s.out, map[string]string{"values": strconv.Itoa(lines)}), nil
}

// decodeInput returns a scanner of the decoded document, and the charset decision.
func decodeInput(in read.Input) (*scanner, string, error) {
	if len(in.Data) > MaxInput {
		return nil, "", fmt.Errorf("the document has %d bytes, at most %d are read", len(in.Data), MaxInput)
	}
	text, charset, err := read.Decode(in.Data, in.MediaType)
	if err != nil {
		return nil, "", err
	}
	return &scanner{text: text, end: len(text), out: make([]byte, 0, len(text)+len(text)/2)}, charset, nil
}

// newForm returns the form whose text is out.
func newForm(name, charset string, out []byte, facts map[string]string) read.Form {
	return read.Form{
		Payload:       canon.Text(out),
		Canonicalizer: name,
		Unicode:       canon.UnicodeVersion,
		Charset:       charset,
		Facts:         facts,
	}
}
