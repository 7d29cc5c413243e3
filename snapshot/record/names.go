package record

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxName is the length in bytes of the longest name, as PATH_MAX on Linux.
const MaxName = 4096

// EncodeName turns the path of a file into a name that a record may hold. A
// path of printable UTF-8 is its own name. In any other, each byte that is not
// UTF-8, each byte of an unprintable character (controls, line and paragraph
// separators, marks that reorder text) and each percent sign becomes %XX, and
// encoded is true: the record then sets NamesEncoded.
func EncodeName(path string) (name string, encoded bool) {
	if utf8.ValidString(path) && !strings.ContainsFunc(path, unprintable) {
		return path, false
	}
	return escape(path), true
}

// DecodeName returns the path that EncodeName encoded as name.
func DecodeName(name string) (path string, err error) {
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		if name[i] != '%' {
			b.WriteByte(name[i])
			continue
		}
		if i+2 >= len(name) {
			return "", fmt.Errorf("name %q ends inside %%XX", name)
		}
		high, low := strings.IndexByte(upperHex, name[i+1]), strings.IndexByte(upperHex, name[i+2])
		if high < 0 || low < 0 {
			return "", fmt.Errorf("name %q has %q, want %%XX in upper case", name, name[i:i+3])
		}
		b.WriteByte(byte(high<<4 | low))
		i += 2
	}
	if path = b.String(); escape(path) != name {
		return "", fmt.Errorf("name %q encodes bytes that need no encoding", name)
	}
	return path, nil
}

const upperHex = "0123456789ABCDEF"

func escape(path string) string {
	var b strings.Builder
	for i := 0; i < len(path); {
		r, n := utf8.DecodeRuneInString(path[i:])
		if r == utf8.RuneError && n == 1 || unprintable(r) || r == '%' {
			for _, c := range []byte(path[i : i+n]) {
				b.Write([]byte{'%', upperHex[c>>4], upperHex[c&15]})
			}
		} else {
			b.WriteString(path[i : i+n])
		}
		i += n
	}
	return b.String()
}

func unprintable(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029'
}

// checkNames requires distinct relative paths.
func checkNames(names []string, encoded bool) error {
	if encoded && len(names) == 0 {
		return errors.New("names_encoded is set and there are no names")
	}
	var seen map[string]bool
	if len(names) > 1 {
		seen = make(map[string]bool, len(names))
	}
	needed := false
	for _, name := range names {
		if err := checkName(name); err != nil {
			return err
		}
		if seen[name] {
			return fmt.Errorf("name %q twice", name)
		}
		if seen != nil {
			seen[name] = true
		}
		if encoded {
			path, err := DecodeName(name)
			if err != nil {
				return err
			}
			_, was := EncodeName(path)
			needed = needed || was
		}
	}
	if encoded && !needed {
		return errors.New("names_encoded is set and no name needs it")
	}
	return nil
}

// checkName requires a relative path that stays below where it starts.
func checkName(name string) error {
	switch {
	case name == "":
		return errors.New("a name is empty")
	case len(name) > MaxName:
		return fmt.Errorf("a name has %d bytes, more than %d", len(name), MaxName)
	case strings.HasPrefix(name, "/"):
		return fmt.Errorf("name %q is absolute, want a relative path", name)
	case strings.ContainsFunc(name, unprintable):
		return fmt.Errorf("name %q has unprintable characters, want them encoded as %%XX", name)
	}
	for part := range strings.SplitSeq(name, "/") {
		switch part {
		case "", ".", "..":
			return fmt.Errorf("name %q has the part %q, want a clean relative path", name, part)
		}
	}
	return nil
}
