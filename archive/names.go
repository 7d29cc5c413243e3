package archive

import (
	"fmt"
	"strings"
	"unicode"

	"muniment/accession/container"
	"muniment/snapshot/record"
)

// RevealInvisible returns s as it may be shown to a person, whoever chose its
// characters: what changes the look of a text without being seen (joiners,
// fillers, variation selectors, format characters, marks of direction) stands
// there as \u{200B}. Joiners inside words of the scripts that need them, and in
// emoji, stay. Everything that prints names goes through it.
func RevealInvisible(s string) string {
	if !strings.ContainsFunc(s, container.Invisible) {
		return s
	}
	var b strings.Builder
	before := rune(-1)
	for _, r := range s {
		if container.Invisible(r) && !joinerFits(r, before) {
			fmt.Fprintf(&b, "\\u{%04X}", r)
		} else {
			b.WriteRune(r)
		}
		before = r
	}
	return b.String()
}

// IsInvisible reports the characters that Visible shows.
func IsInvisible(r rune) bool { return container.Invisible(r) }

// joiningScripts are the scripts in whose words joiners decide what is seen.
var joiningScripts = []*unicode.RangeTable{unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi,
	unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar}

// joinerFits reports whether an invisible character has its place behind another.
func joinerFits(r, before rune) bool {
	switch {
	case r == '\u200c' || r == '\u200d':
		return unicode.In(before, joiningScripts...) || unicode.In(before, unicode.So, unicode.Sk) || before == '\ufe0f'
	case r == '\ufe0e' || r == '\ufe0f':
		return unicode.In(before, unicode.So, unicode.Sm)
	}
	return false
}

// Printable makes a path safe to show on a terminal and in JSON.
func Printable(p string) string {
	clean, _ := record.EncodeName(p)
	return clean
}
