package read

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"muniment/canon"
)

// Limits of what a document may say about itself, so that a record stays small.
const (
	// MaxField is the longest statement in code points.
	MaxField = 1024
	// MaxCreators is the number of creators.
	MaxCreators = 100
)

// Line returns a statement on one line, in normal form and of at most MaxField
// code points.
func Line(v string) string {
	v = strings.ToValidUTF8(v, "") // a reader may have cut a character in two
	return Cut(string(canon.NFC([]byte(strings.Join(strings.Fields(v), " ")))), MaxField)
}

// SafeLine returns a statement of a file that anybody may have written: on one
// line, in normal form, without controls, and without the marks of direction by
// which a text shows as another. Its length is not bounded.
func SafeLine(v string) string {
	v = strings.Map(func(r rune) rune {
		switch {
		case r < ' ', 0x7F <= r && r <= 0x9F, r == 0x2028, r == 0x2029:
			return ' '
		case r == 0x061C, 0x200E <= r && r <= 0x200F, 0x202A <= r && r <= 0x202E, 0x2066 <= r && r <= 0x2069, r == 0xFEFF:
			return -1
		}
		return r
	}, strings.ToValidUTF8(v, "\uFFFD"))
	return string(canon.NFC([]byte(strings.Join(strings.Fields(v), " "))))
}

// Cut returns the first code points of a text that is longer than most, without
// white space at its edges, and any other text as it is.
func Cut(v string, most int) string {
	if utf8.RuneCountInString(v) <= most {
		return v
	}
	return strings.TrimSpace(string([]rune(v)[:most]))
}

// AddCreator appends the Line of a creator, unless it is empty, in the list, or
// beyond MaxCreators.
func AddCreator(creators []string, v string) []string {
	if v = Line(v); v == "" || slices.Contains(creators, v) || len(creators) == MaxCreators {
		return creators
	}
	return append(creators, v)
}

// Date returns a stated date as RFC 3339 where it gives time and zone, as
// YYYY-MM-DD where it gives the day, and "" otherwise.
func Date(v string) string {
	v = strings.TrimSpace(v)
	if _, err := time.Parse(time.RFC3339, v); err == nil {
		return v
	}
	if len(v) < len(time.DateOnly) {
		return ""
	}
	day, rest := v[:len(time.DateOnly)], v[len(time.DateOnly):]
	if _, err := time.Parse(time.DateOnly, day); err != nil || rest != "" && rest[0] != 'T' && rest[0] != ' ' {
		return ""
	}
	return day
}

// Address returns the Line of a web address, or "" for another text.
func Address(v string) string {
	if v = Line(v); strings.HasPrefix(v, "https://") || strings.HasPrefix(v, "http://") {
		return v
	}
	return ""
}

// Counts returns the facts of the counts that are not zero.
func Counts(counts map[string]int) map[string]string {
	facts := map[string]string{}
	for key, n := range counts {
		if n > 0 {
			facts[key] = strconv.Itoa(n)
		}
	}
	return facts
}
