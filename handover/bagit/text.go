package bagit

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/unicode/utf32"
)

// declaration is the exact form of bagit.txt. Each line is ended by LF, CR or
// CRLF; that of the second is sometimes left out.
var declaration = regexp.MustCompile(`^BagIt-Version: ([0-9]+\.[0-9]+)(?:\r\n|\r|\n)Tag-File-Character-Encoding: ([!-~]+)(\r\n|\r|\n)?$`)

// drafts are the versions before 1.0 that are read, all by the rules of 0.97.
var drafts = []string{"0.93", "0.94", "0.95", "0.96", "0.97"}

// errUnknown is wrapped by errors about a valid version or encoding that this
// package does not read.
var errUnknown = errors.New("not read here")

// parseDeclaration parses bagit.txt. ended reports whether the last line has its
// line end.
func parseDeclaration(data []byte) (version, charset string, ended bool, err error) {
	if bytes.HasPrefix(data, []byte(bom)) {
		return "", "", false, errors.New("begins with a byte-order mark")
	}
	m := declaration.FindSubmatch(data)
	if m == nil {
		return "", "", false, fmt.Errorf(`is not the two lines "BagIt-Version: M.N" and "Tag-File-Character-Encoding: ENCODING": %q`, data[:min(len(data), 100)])
	}
	version, charset = string(m[1]), string(m[2])
	if version != "1.0" && !slices.Contains(drafts, version) {
		return "", "", false, fmt.Errorf("version %s is %w; 1.0 and 0.93 to 0.97 are", version, errUnknown)
	}
	return version, charset, len(m[3]) > 0, nil
}

const bom = "\ufeff"

// A charset decodes the tag files of a bag.
type charset struct {
	name string
	enc  encoding.Encoding // nil for UTF-8
}

// lookupCharset returns the charset that IANA registers under name.
func lookupCharset(name string) (charset, error) {
	if strings.EqualFold(name, "UTF-8") {
		return charset{name: name}, nil
	}
	switch strings.ToUpper(name) { // not in the index
	case "UTF-32":
		return charset{name: name, enc: utf32.UTF32(utf32.BigEndian, utf32.UseBOM)}, nil
	case "UTF-32BE":
		return charset{name: name, enc: utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM)}, nil
	case "UTF-32LE":
		return charset{name: name, enc: utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM)}, nil
	}
	enc, err := ianaindex.IANA.Encoding(name)
	if err != nil || enc == nil {
		return charset{}, fmt.Errorf("encoding %s is %w", name, errUnknown)
	}
	return charset{name: name, enc: enc}, nil
}

// decode returns the text of a tag file without its byte-order mark. hasBOM
// reports a mark that the encoding does not need.
func (c charset) decode(data []byte) (text string, hasBOM bool, err error) {
	if c.enc == nil {
		if !utf8.Valid(data) {
			return "", false, errors.New("is not UTF-8")
		}
		text, hasBOM = strings.CutPrefix(string(data), bom)
		return text, hasBOM, nil
	}
	out, err := c.enc.NewDecoder().Bytes(data)
	if err != nil || bytes.ContainsRune(out, utf8.RuneError) {
		return "", false, fmt.Errorf("is not %s", c.name)
	}
	return strings.TrimPrefix(string(out), bom), false, nil
}

// splitLines cuts a text at LF, CR and CRLF. ended reports whether the last line
// has its line end.
func splitLines(text string) (lines []string, ended bool) {
	for len(text) > 0 {
		i := strings.IndexAny(text, "\r\n")
		if i < 0 {
			return append(lines, text), false
		}
		lines = append(lines, text[:i])
		if strings.HasPrefix(text[i:], "\r\n") {
			i++
		}
		text = text[i+1:]
	}
	return lines, true
}
