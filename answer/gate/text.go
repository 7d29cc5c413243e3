package gate

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// MaxQuestion is the longest question the category filter reads, in code
// points: a page of text. A longer one is a document, which bind takes.
const MaxQuestion = 4000

// malformed returns the name of the defect of a question that cannot be read,
// or "".
func malformed(q string) string {
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

var quoted = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"[^"\n]*"`) })

// unquote removes what stands in double quotation marks from a folded text:
// words that are mentioned, not used. A text that is nothing but a quotation
// is returned whole.
func unquote(s string) string {
	out := strings.TrimSpace(quoted().ReplaceAllString(s, `""`))
	if strings.IndexFunc(out, unicode.IsLetter) < 0 {
		return s
	}
	return out
}

// A rule is a named pattern over folded text, with the pattern of what only
// looks like it.
type rule struct {
	name   string
	match  *regexp.Regexp
	except *regexp.Regexp // nil: no exception
}

func (r rule) fires(s string) bool {
	return r.match.MatchString(s) && (r.except == nil || !r.except.MatchString(s))
}

// fire returns the name of the first rule that fires, or "".
func fire(rules []rule, s string) string {
	for _, r := range rules {
		if r.fires(s) {
			return r.name
		}
	}
	return ""
}

// rules compiles a table of name, pattern, exception. In a pattern, SUBJ
// stands for the person an archive is of (fold and names put the word
// zzsubject in the place of the name), OBJ for the same as an object, SAID for
// verbs of reported speech, CLAUSE for the beginning of a request, and ASKED,
// in an exception, for the beginning of a question about the past.
func rules(table ...[3]string) []rule {
	expand := strings.NewReplacer(
		"SUBJ", `(?:he|she|they|you|zzsubject|the (?:author|writer|diarist|subject|deceased))`,
		"OBJ", `(?:him|her|them|zzsubject|zzperson|the (?:author|writer|diarist|subject|deceased))`,
		"SAID", `(?:say|says|said|saying|write|writes|wrote|written|writing|describe[sd]?|describing|tell|tells|told|mention(?:s|ed)?|admit(?:s|ted)?|confess(?:es|ed)?|report(?:s|ed)?|record(?:s|ed)?|note[sd]?|claim(?:s|ed)?|express(?:es|ed)?|explain(?:s|ed)?|give|gave|complain(?:s|ed)?)`,
		"CLAUSE", `(?:^|[.!?;:,\n"]\s*|\b(?:please|now|then|and|but|so|just|must|should|also|first|next|simply|kindly|you to|can you|could you|will you|would you|you can|you will|let's|let us|to|don't|don't you|do)\s+)`,
	)
	asked := strings.NewReplacer("ASKED", `^\s*"?(?:(?:and|but|so|then) )?(?:(?:in |from |to |of |by )?(?:why|when|where|how|what|which|who|whom|whose)(?: \w+){0,3} )?(?:did|does|was|were|had|has)\b.*\b`)
	out := make([]rule, 0, len(table))
	for _, t := range table {
		r := rule{name: t[0], match: regexp.MustCompile(expand.Replace(t[1]))}
		if t[2] != "" {
			r.except = regexp.MustCompile(expand.Replace(asked.Replace(t[2])))
		}
		out = append(out, r)
	}
	return out
}
