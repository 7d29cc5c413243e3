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

// fold brings a text into the form that the rules are written for: lower
// case; straight quotes and hyphens; full-width letters as ASCII; without
// characters of no width; runs of blanks as one space, line ends as "\n".
func fold(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	blank := true // swallows leading blanks
	for _, r := range s {
		switch {
		case r == '\n' || r == '\r':
			if !strings.HasSuffix(b.String(), "\n") {
				b.WriteByte('\n')
			}
			blank = true
			continue
		case unicode.IsSpace(r):
			if !blank {
				b.WriteByte(' ')
			}
			blank = true
			continue
		case r == 0x00ad || r >= 0x200b && r <= 0x200d || r == 0x2060 || r == 0xfeff || r == 0x180e:
			continue
		case r == '‘' || r == '’' || r == '‛' || r == '′' || r == '`':
			r = '\''
		case r == '“' || r == '”' || r == '„' || r == '‟' || r == '«' || r == '»' || r == '″':
			r = '"'
		case r >= 0x2010 && r <= 0x2015 || r == 0x2212:
			r = '-'
		case r >= 0xff01 && r <= 0xff5e:
			r -= 0xff01 - '!'
		}
		blank = false
		b.WriteRune(unicode.ToLower(r))
	}
	return strings.TrimSpace(b.String())
}

var quotation = regexp.MustCompile(`"[^"\n]*"`)

// unquote removes what stands in double quotation marks from a folded text:
// words that are mentioned, not used. A text that is nothing but a quotation
// is returned whole.
func unquote(s string) string {
	out := strings.TrimSpace(quotation.ReplaceAllString(s, `""`))
	if strings.IndexFunc(out, unicode.IsLetter) < 0 {
		return s
	}
	return out
}

// wordPattern matches a word of a folded text, with its hyphens and apostrophes.
var wordPattern = regexp.MustCompile(`[\p{L}\p{M}\d]+(?:['-][\p{L}\p{M}\d]+)*`)
