package gate

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxQuestion is the longest question the category filter reads, in code
// points: a page of text. A longer one is a document, which bind takes.
const MaxQuestion = 4000

// defectOf returns the name of the defect of a question that cannot be read,
// or "".
func defectOf(q string) string {
	switch {
	case !utf8.ValidString(q):
		return "encoding"
	case strings.TrimSpace(q) == "":
		return "empty"
	case utf8.RuneCountInString(q) > MaxQuestion:
		return "length"
	}
	letters := false
	for _, r := range q {
		switch {
		case unicode.IsLetter(r):
			letters = true
		case r == '\n' || r == '\t' || r == '\r':
		case unicode.IsControl(r), r == utf8.RuneError, r&0xfffe == 0xfffe, r >= 0xfdd0 && r <= 0xfdef:
			return "control"
		case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r >= 0xe0000 && r <= 0xe007f:
			return "invisible" // overrides of direction, and tags: text that shows as something else
		}
	}
	if !letters {
		return "letters"
	}
	return ""
}

// wordPattern matches a word of a folded text, with its hyphens and apostrophes.
var wordPattern = regexp.MustCompile(`[\p{L}\p{M}\d]+(?:['-][\p{L}\p{M}\d]+)*`)
