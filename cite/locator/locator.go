package locator

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"muniment/cite"
)

// A Locator is a place in an original: Pages, Boxes, Times, Region, Cells or
// Section. Its String is its one spelling.
type Locator interface {
	fmt.Stringer
	// Check says what is wrong with the locator's numbers, whatever original
	// they are of.
	Check() error
}

// MaxText is the longest spelling of a locator in bytes: a thousand boxes.
const MaxText = 64 << 10

// Parse reads the one spelling of a locator. What parses is what String
// writes.
func Parse(s string) (Locator, error) {
	if len(s) > MaxText {
		return nil, fmt.Errorf("locator of %d bytes, want at most %d", len(s), MaxText)
	}
	kind, rest, ok := strings.Cut(s, ":")
	if !ok {
		return nil, fmt.Errorf("locator %q: no colon behind its kind, want page, box, time, region, row, col, cell or section", clip(s))
	}
	var l Locator
	var err error
	switch kind {
	default:
		return nil, fmt.Errorf("locator %q: kind %q, want page, box, time, region, row, col, cell or section", clip(s), clip(kind))
	case "page":
		l, err = parsePages(rest)
	case "box":
		l, err = parseBoxes(rest)
	case "time":
		l, err = parseTimes(rest)
	case "region":
		l, err = parseRegion(rest)
	case "row", "col", "cell":
		l, err = parseCells(kind, rest)
	case "section":
		l, err = parseSection(rest)
	}
	if err == nil {
		err = l.Check()
	}
	if err != nil {
		return nil, fmt.Errorf("locator %q: %w", clip(s), err)
	}
	if spelling := l.String(); spelling != s {
		return nil, fmt.Errorf("locator %q: not in its one spelling, want %q", clip(s), clip(spelling))
	}
	return l, nil
}

// A List is several locators of one run. In JSON it is a list of their
// spellings.
type List []Locator

// MarshalJSON writes the spellings of l.
func (l List) MarshalJSON() ([]byte, error) {
	texts := make([]string, len(l))
	for i, one := range l {
		if one == nil {
			return nil, fmt.Errorf("locator %d is missing", i+1)
		}
		if err := one.Check(); err != nil {
			return nil, fmt.Errorf("locator %d: %w", i+1, err)
		}
		texts[i] = one.String()
	}
	return json.Marshal(texts)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (l *List) UnmarshalJSON(data []byte) error {
	*l = nil
	var texts []string
	if err := json.Unmarshal(data, &texts); err != nil {
		return err
	}
	all := make(List, len(texts))
	for i, text := range texts {
		one, err := Parse(text)
		if err != nil {
			return err
		}
		all[i] = one
	}
	*l = all
	return nil
}

// A Section is a path of headings, from the outermost on.
type Section []string

// String returns the section's spelling: its headings joined by slashes, with
// the slash, the percent sign and control characters in them percent-encoded.
func (s Section) String() string {
	var b strings.Builder
	for i, heading := range s {
		b.WriteByte(":/"[min(i, 1)])
		for _, r := range heading {
			if r != '/' && r != '%' && !unicode.IsControl(r) {
				b.WriteRune(r)
				continue
			}
			for _, c := range []byte(string(r)) {
				fmt.Fprintf(&b, "%%%02X", c)
			}
		}
	}
	return "section" + b.String()
}

// Check wants at least one heading, none of them empty, all of them UTF-8.
func (s Section) Check() error {
	if len(s) == 0 {
		return fmt.Errorf("a section without headings")
	}
	for i, heading := range s {
		if heading == "" || !utf8.ValidString(heading) {
			return fmt.Errorf("heading %d is empty or not UTF-8", i+1)
		}
	}
	return nil
}

func parseSection(s string) (Section, error) {
	var path Section
	for part := range strings.SplitSeq(s, "/") {
		heading, err := percentDecode(part)
		if err != nil {
			return nil, err
		}
		path = append(path, heading)
	}
	return path, nil
}

// percentDecode undoes percent-encoding; a plus sign stands for itself.
func percentDecode(s string) (string, error) {
	if !strings.Contains(s, "%") {
		return s, nil
	}
	var out []byte
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			out = append(out, s[i])
			continue
		}
		if i+3 > len(s) {
			return "", fmt.Errorf("%q ends inside a percent-encoding", clip(s))
		}
		c, err := strconv.ParseUint(s[i+1:i+3], 16, 8)
		if err != nil {
			return "", fmt.Errorf("%q is no percent-encoding", s[i:i+3])
		}
		out = append(out, byte(c))
		i += 2
	}
	if !utf8.Valid(out) {
		return "", fmt.Errorf("%q does not decode to UTF-8", clip(s))
	}
	return string(out), nil
}

// number reads decimal digits without sign or leading zero, at most
// cite.MaxNumber.
func number(s string, least int) (int, error) {
	n, err := digits(s)
	switch {
	case err != nil:
		return 0, err
	case len(s) > 1 && s[0] == '0':
		return 0, fmt.Errorf("%q has a leading zero", clip(s))
	case n < least:
		return 0, fmt.Errorf("%d, want at least %d", n, least)
	}
	return n, nil
}

// digits reads decimal digits as the standards allow them, leading zeros
// included, at most cite.MaxNumber.
func digits(s string) (int, error) {
	if s == "" || strings.Trim(s, "0123456789") != "" {
		return 0, fmt.Errorf("%q is not a decimal number", clip(s))
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n > cite.MaxNumber {
		return 0, fmt.Errorf("%s is above %d", clip(s), cite.MaxNumber)
	}
	return int(n), nil
}

// clip keeps an error line readable whatever was passed.
func clip(s string) string {
	const most = 72
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}
