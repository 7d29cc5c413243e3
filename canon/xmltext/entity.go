package xmltext

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits of entities.
const (
	// maxEntities is how many a document declares; the sets of ISO have 2,000.
	maxEntities = 10_000
	// maxExpanded is how many bytes the entities of a document have together, each as
	// often as it is named. Editions name some thousand entities of a sentence.
	maxExpanded = 8 << 20
	// maxNesting is how deep entities refer to each other.
	maxNesting = 16
)

// reference finds references to entities that have a name, and what holds none.
var reference = regexp.MustCompile(`(?s)<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|<[^!?][^<>]*>|&([A-Za-z_:][\w:.-]*);`)

// inTag finds the references within a tag.
var inTag = regexp.MustCompile(`&([A-Za-z_:][\w:.-]*);`)

// entityDecl finds the declarations of an internal subset; what is no declaration of a
// text is passed over whole.
var entityDecl = regexp.MustCompile(`(?s)<!--.*?-->|<\?.*?\?>|<!ENTITY\s+(%\s+)?([A-Za-z_:][\w:.-]*)\s+(?:"([^"]*)"|'([^']*)'|[^>]*)\s*>|<![A-Z](?:[^>"']|"[^"]*"|'[^']*')*>|%[^\s;]+;`)

// An entitySet resolves the entities of one document.
type entitySet struct {
	values   map[string]string
	outside  map[string]bool // declared, and lying elsewhere
	expanded int             // bytes written
}

// expand returns a document without its document type and with its entities resolved.
func expand(source []byte) ([]byte, error) {
	at, end, subset, err := findDoctype(source)
	if err != nil {
		return nil, err
	}
	if bytes.IndexByte(source, '&') < 0 {
		return append(source[:at:at], source[end:]...), nil
	}
	s := &entitySet{values: map[string]string{}, outside: map[string]bool{}}
	if err := s.declare(subset); err != nil {
		return nil, err
	}
	var out strings.Builder
	out.Write(source[:at])
	if err := s.write(&out, string(source[end:]), 0); err != nil {
		return nil, err
	}
	return []byte(out.String()), nil
}

// prolog finds the prolog before a document type.
var prolog = regexp.MustCompile(`^(?s)(?:\s+|<\?.*?\?>|<!--.*?-->)*`)

// findDoctype returns where a document type begins and ends, and what it declares.
func findDoctype(source []byte) (at, end int, subset []byte, err error) {
	at = len(prolog.Find(source))
	if !bytes.HasPrefix(source[at:], []byte("<!DOCTYPE")) {
		return at, at, nil, nil
	}
	from, quote := -1, byte(0)
	for i := at; i < len(source); i++ {
		c := source[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case bytes.HasPrefix(source[i:], []byte("<!--")):
			n := bytes.Index(source[i+4:], []byte("-->"))
			if n < 0 {
				return 0, 0, nil, errors.New("a comment has no end")
			}
			i += n + 6
		case c == '"' || c == '\'':
			quote = c
		case c == '[' && from < 0:
			from = i + 1
		case c == ']' && from >= 0:
			subset = source[from:i]
		case c == '>' && (from < 0 || subset != nil):
			return at, i + 1, subset, nil
		}
	}
	return 0, 0, nil, errors.New("the document type has no end")
}

// declare reads the declarations of an internal subset; the first of a name counts.
func (s *entitySet) declare(subset []byte) error {
	for _, m := range entityDecl.FindAllSubmatch(subset, maxEntities+1) {
		name := string(m[2])
		if name == "" || len(m[1]) > 0 {
			continue
		}
		if len(s.values)+len(s.outside) >= maxEntities {
			return fmt.Errorf("more than %d entities", maxEntities)
		}
		if _, known := s.values[name]; known || s.outside[name] {
			continue
		}
		if m[3] == nil && m[4] == nil {
			s.outside[name] = true
			continue
		}
		value, err := characters(string(m[3]) + string(m[4]))
		if err != nil {
			return err
		}
		s.values[name] = value
	}
	return nil
}

// numeric finds references to characters.
var numeric = regexp.MustCompile(`&#(x[0-9A-Fa-f]{1,6}|[0-9]{1,7});`)

// characters returns the value of an entity with its references to characters resolved.
func characters(value string) (string, error) {
	if strings.Contains(value, "%") {
		return "", errors.New("an entity refers to a parameter entity")
	}
	var bad error
	out := numeric.ReplaceAllStringFunc(value, func(ref string) string {
		digits, base := ref[2:len(ref)-1], 10
		if digits[0] == 'x' {
			digits, base = digits[1:], 16
		}
		n, err := strconv.ParseUint(digits, base, 32)
		if err != nil || n == 0 || n > utf8.MaxRune || !utf8.ValidRune(rune(n)) {
			bad = fmt.Errorf("%s is no character", ref)
		}
		return string(rune(n))
	})
	return out, bad
}

// write writes a part of the document with its entities resolved.
func (s *entitySet) write(out *strings.Builder, part string, depth int) error {
	if depth > maxNesting {
		return fmt.Errorf("entities refer to each other more than %d times", maxNesting)
	}
	for part != "" {
		m := reference.FindStringSubmatchIndex(part) // one at a time: a book has a million
		if m == nil {
			break
		}
		out.WriteString(part[:m[0]])
		err := error(nil)
		if m[2] < 0 {
			err = s.writeTag(out, part[m[0]:m[1]], depth)
		} else {
			err = s.resolve(out, part[m[2]:m[3]], depth)
		}
		if err != nil {
			return err
		}
		part = part[m[1]:]
	}
	out.WriteString(part)
	return nil
}

// resolve writes the text of an entity.
func (s *entitySet) resolve(out *strings.Builder, name string, depth int) error {
	value, ok := s.values[name]
	switch html, known := xml.HTMLEntity[name]; {
	case name == "amp" || name == "lt" || name == "gt" || name == "quot" || name == "apos":
		out.WriteString("&" + name + ";")
	case ok:
		if s.expanded += len(value) + 16; s.expanded > maxExpanded { // a reference costs time, too
			return fmt.Errorf("entities resolve to more than %d bytes", maxExpanded)
		}
		return s.write(out, value, depth+1)
	case s.outside[name]:
		return fmt.Errorf("the entity %s lies outside of the document", name)
	case known:
		out.WriteString(html)
	default:
		return fmt.Errorf("the entity %s is not declared", name)
	}
	return nil
}

// quoted escapes what ends a value or begins a tag.
var quoted = strings.NewReplacer(`"`, "&quot;", `'`, "&apos;", "<", "&lt;", ">", "&gt;")

// writeTag writes mark-up; the entities in the values of a tag are resolved as text.
func (s *entitySet) writeTag(out *strings.Builder, tag string, depth int) error {
	if strings.HasPrefix(tag, "<!") || strings.HasPrefix(tag, "<?") || !strings.Contains(tag, "&") {
		out.WriteString(tag)
		return nil
	}
	last := 0
	for _, m := range inTag.FindAllStringSubmatchIndex(tag, -1) {
		out.WriteString(tag[last:m[0]])
		last = m[1]
		var value strings.Builder
		if err := s.resolve(&value, tag[m[2]:m[3]], depth); err != nil {
			return err
		}
		out.WriteString(quoted.Replace(value.String()))
	}
	out.WriteString(tag[last:])
	return nil
}
