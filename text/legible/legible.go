// Package legible writes names, errors and counts so that a person can read them: without
// bytes that a terminal obeys and without characters that nobody sees.
package legible

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"unicode"

	"muniment/snapshot/record"
)

// Printable returns a path, or a word that somebody gave, as it may be shown on a
// terminal and in JSON: bytes that are not printable UTF-8 are percent-encoded.
func Printable(p string) string {
	clean, _ := record.EncodeName(p)
	return clean
}

// RevealInvisible returns s with invisible characters (joiners, fillers, variation selectors, format characters, marks
// of direction) written as \u{200B}. Joiners inside words of the scripts that need them, and in emoji, stay. A program
// passes every name through it before it prints the name.
func RevealInvisible(s string) string {
	if !strings.ContainsFunc(s, IsInvisible) {
		return s
	}
	var b strings.Builder
	before := rune(-1)
	for _, r := range s {
		if IsInvisible(r) && !joinerFits(r, before) {
			fmt.Fprintf(&b, "\\u{%04X}", r)
		} else {
			b.WriteRune(r)
		}
		before = r
	}
	return b.String()
}

// IsInvisible reports whether a character cannot be seen in a name: characters that are ignored by default (joiners,
// fillers, variation selectors, tags), format characters and marks of direction. Signs of the Arabic and Syriac scripts
// that are classed as format characters are seen and not among them.
func IsInvisible(r rune) bool {
	return unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) &&
		!unicode.Is(unicode.Prepended_Concatenation_Mark, r) || r == '\u2028' || r == '\u2029'
}

// joiningScripts are the scripts in whose words joiners change what is seen.
var joiningScripts = []*unicode.RangeTable{unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi,
	unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar}

// joinerFits reports whether the invisible character r has a meaning after before.
func joinerFits(r, before rune) bool {
	switch {
	case r == '\u200c' || r == '\u200d':
		return unicode.In(before, joiningScripts...) || unicode.In(before, unicode.So, unicode.Sk) || before == '\ufe0f'
	case r == '\ufe0e' || r == '\ufe0f':
		return unicode.In(before, unicode.So, unicode.Sm)
	}
	return false
}

// Reason returns in a few words why a file could not be read.
func Reason(err error) string {
	var p *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "no such file"
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	case errors.As(err, &p):
		return p.Err.Error()
	}
	return err.Error()
}

// OneLine returns the message of an error with every run of white space as one space.
func OneLine(err error) string {
	return strings.Join(strings.Fields(err.Error()), " ")
}

// AndMore returns ", and n more", to end a list that names only its first items; "" for 0.
func AndMore(n int) string {
	switch {
	case n <= 0:
		return ""
	case n == 1:
		return ", and 1 more"
	}
	return ", and " + strconv.Itoa(n) + " more"
}
