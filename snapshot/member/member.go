// Package member writes and reads the JSON objects of an archive and checks their members.
//
// Each check has the name and the value of a member, and its error names both and says what was
// wanted. An object is a struct with a function that joins such checks; the two calls by which
// it is written and read are
//
//	data, err := member.Encode(&hold, &hold.Type, TypeHold, (*Hold).check)
//	hold, err := member.Parse(data, TypeHold, (*Hold).check)
//
// It knows no object: packages record and access do.
package member

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode"

	"muniment/cid"
	"muniment/cid/jcs"
	"muniment/snapshot/edtf"
)

// encode gives v its type, checks it and returns its canonical bytes.
func Encode[T any](v *T, typ *string, want string, check func(*T) error) ([]byte, error) {
	if *typ == "" {
		*typ = want
	}
	if *typ != want {
		return nil, fmt.Errorf("type is %q, want %q", *typ, want)
	}
	if err := check(v); err != nil {
		return nil, err
	}
	return jcs.Marshal(v)
}

// parse reads canonical bytes of an object of a type and checks what its members say.
func Parse[T any](data []byte, typ string, check func(*T) error) (*T, error) {
	v := new(T)
	// Steps 1 to 5 of docs/spec/object.md.
	if err := jcs.Unmarshal(data, typ, v); err != nil {
		return nil, err
	}
	// 6. What the members say.
	if err := check(v); err != nil {
		return nil, err
	}
	return v, nil
}

// parseEither reads canonical bytes of one of two versions of an object.
func ParseEither[T any](data []byte, typ, second string, check func(*T) error) (*T, error) {
	v, err := Parse(data, typ, check)
	if err == nil {
		return v, nil
	}
	if saw, other := jcs.Member(data, "type"); other == nil && saw == second {
		return Parse(data, second, check)
	}
	return nil, err
}

// FirstOf returns the first of joined errors: one defect is one line.
func FirstOf(err error) error {
	var joined interface{ Unwrap() []error }
	for errors.As(err, &joined) && len(joined.Unwrap()) > 0 {
		err = joined.Unwrap()[0]
	}
	return err
}

// Optional applies check to a value that may be absent.
func Optional(name, value string, check func(name, value string) error) error {
	if value == "" {
		return nil
	}
	return check(name, value)
}

// Line requires a text of one line without control characters.
func Line(name, s string) error {
	switch {
	case strings.TrimSpace(s) == "":
		return fmt.Errorf("%s is missing", name)
	case strings.ContainsFunc(s, unicode.IsControl):
		return fmt.Errorf("%s %q has control characters", name, s)
	}
	return nil
}

// Texts requires a list of distinct, non-empty texts.
func Texts(name string, list []string) error {
	seen := make(map[string]bool, len(list))
	for i, s := range list {
		switch {
		case strings.TrimSpace(s) == "":
			return fmt.Errorf("%s[%d] is empty", name, i)
		case seen[s]:
			return fmt.Errorf("%s has %q twice", name, s)
		}
		seen[s] = true
	}
	return nil
}

// secondsZ is RFC 3339 in UTC with whole seconds.
const secondsZ = "2006-01-02T15:04:05Z"

// Instant requires a time of the form secondsZ.
func Instant(name, s string) error {
	t, err := time.Parse(secondsZ, s)
	if err != nil || len(s) != len(secondsZ) || t.Format(secondsZ) != s {
		return fmt.Errorf("%s is %q, want RFC 3339 in UTC with whole seconds: %s", name, s, secondsZ)
	}
	return nil
}

// Day requires a date of the form YYYY-MM-DD.
func Day(name, s string) error {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil || t.Format(time.DateOnly) != s {
		return fmt.Errorf("%s is %q, want YYYY-MM-DD", name, s)
	}
	return nil
}

// withOffset is RFC 3339 in capitals, with at most nine digits of a second and an
// offset below a day, which time.Parse alone does not require.
var withOffset = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`)

// DayOrTime requires a date, or a time with the offset its author wrote: the
// day of publication is the day it was there.
func DayOrTime(name, s string) error {
	if Day(name, s) == nil {
		return nil
	}
	if _, err := time.Parse(time.RFC3339, s); err != nil || !withOffset.MatchString(s) {
		return fmt.Errorf("%s is %q, want YYYY-MM-DD or RFC 3339", name, s)
	}
	return nil
}

// Date requires a date of EDTF, levels 0 and 1, without a time of day.
func Date(name, s string) error {
	if _, err := edtf.Parse(s); err != nil || strings.Contains(s, "T") {
		return fmt.Errorf("%s is %q, want a date of EDTF, as YYYY-MM-DD, YYYY-MM, 1817~, 1880/1890 or 18XX", name, s)
	}
	return nil
}

// DateOrTime requires a date of EDTF or what DayOrTime allows.
func DateOrTime(name, s string) error {
	if DayOrTime(name, s) == nil {
		return nil
	}
	return Date(name, s)
}

// Digest requires a sha256 digest in lower case hexadecimal.
func Digest(name, s string) error {
	if _, ok := ReadDigest(s); !ok {
		return fmt.Errorf("%s is %q, want 64 lower case hexadecimal digits", name, s)
	}
	return nil
}

// The characters of a few forms. Every record has a media type and a form, and
// there are millions of them.
const (
	small = "abcdefghijklmnopqrstuvwxyz"
	digit = "0123456789"
)

// word reports whether s begins with one of first, goes on with characters of
// rest, and has at most length of them.
func word(s, first, rest string, length int) bool {
	if s == "" || len(s) > length || strings.IndexByte(first, s[0]) < 0 {
		return false
	}
	for i := 1; i < len(s); i++ {
		if strings.IndexByte(rest, s[i]) < 0 {
			return false
		}
	}
	return true
}

// isMediaType is [a-z0-9][a-z0-9!#$&^_.+-]{0,126} twice, with a slash between.
func isMediaType(s string) bool {
	const rest = small + digit + "!#$&^_.+-"
	major, minor, ok := strings.Cut(s, "/")
	return ok && word(major, small+digit, rest, 127) && word(minor, small+digit, rest, 127)
}

// isForm is [a-z][a-z0-9-]{0,62}@[1-9][0-9]{0,5}.
func isForm(s string) bool {
	name, version, ok := strings.Cut(s, "@")
	return ok && word(name, small, small+digit+"-", 63) && word(version, digit[1:], digit, 6)
}

// MediaType requires type/subtype in lower case without parameters.
func MediaType(name, s string) error {
	if !isMediaType(s) {
		return fmt.Errorf("%s is %q, want a type/subtype in lower case", name, s)
	}
	return nil
}

// Form requires the name@version of a canonicalizer.
func Form(name, s string) error {
	if !isForm(s) {
		return fmt.Errorf("%s is %q, want name@version", name, s)
	}
	return nil
}

// schemes are the schemes of a source's address: a page or a file that can be fetched, or a name of
// a document. Anything else a reader might click on could be a program (javascript, data, vbscript)
// or lie on the reader's own machine (file).
var schemes = []string{"http", "https", "ftp", "doi", "urn"}

// Address requires an address of one line with one of the schemes.
func Address(name, s string) error {
	if err := Line(name, s); err != nil {
		return err
	}
	scheme, _, ok := strings.Cut(s, ":")
	for _, known := range schemes {
		if ok && strings.EqualFold(scheme, known) {
			return nil
		}
	}
	return fmt.Errorf("%s is %q, want an address of one of the schemes %s", name, s, strings.Join(schemes, ", "))
}

// OneOf requires one of a few words.
func OneOf(name, s string, words ...string) error {
	for _, w := range words {
		if s == w {
			return nil
		}
	}
	return fmt.Errorf("%s is %q, want one of %s", name, s, strings.Join(words, ", "))
}

// RawID requires the ID of a payload or an original.
func RawID(name, id string) error { return checkID(name, id, cid.Raw) }

// JSONID requires the ID of one of our objects.
func JSONID(name, id string) error { return checkID(name, id, cid.JSON) }

func checkID(name, id string, codec cid.Codec) error {
	if _, err := cid.ParseAs(codec, id); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// ReadDigest reads 64 lower case hexadecimal digits.
func ReadDigest(s string) (d [32]byte, ok bool) {
	if !ReadHex(d[:], s) {
		return [32]byte{}, false
	}
	return d, true
}

// ReadHex fills d from lower case hexadecimal digits, two for each byte; false where s has others, or another number of them.
func ReadHex(d []byte, s string) bool {
	if len(s) != 2*len(d) {
		return false
	}
	for i := range d {
		high, low := digitValue[s[2*i]], digitValue[s[2*i+1]]
		if high|low >= 16 {
			return false
		}
		d[i] = high<<4 | low
	}
	return true
}

// digitValue is the value of a digit, 16 for any other byte. Paths are read by
// the million.
var digitValue = func() (v [256]byte) {
	for i := range v {
		v[i] = 16
	}
	for i, c := range []byte("0123456789abcdef") {
		v[c] = byte(i)
	}
	return v
}()
