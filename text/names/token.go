package names

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A token is a word of a text.
type token struct {
	start, end, past int // bytes; past is after a possessive ending, which end is before
	kind             kind
	capital          bool // begins with a capital letter
	initial          bool // one capital letter with a stop
	joined           bool // nothing but space divides it from the token before
	newLine          bool // begins a line
	begins           bool // begins a sentence, a quotation or a title
	amid             bool // a & divides it from the token before
	german           bool // of a paragraph in German
	english          bool // of a paragraph in English; of a few words without a sign of either it is neither
	name             bool // part of a name
}

// is reports whether a token is of any of some kinds.
func (t *token) is(k kind) bool { return t.kind&k != 0 }

// tokens returns the words of a text.
func tokens(text string) []token {
	words := vocabulary()
	out := make([]token, 0, len(text)/5)
	paragraph := 0
	for at, after := 0, 0; at < len(text); {
		r, size := rune(text[at]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[at:])
		}
		if !isLetter(r) {
			at += size
			continue
		}
		t := token{start: at, past: wordEnd(text, at)}
		t.end = withoutPossessive(text, at, t.past)
		t.capital = unicode.IsUpper(r)
		t.kind = kindOf(words, text[t.start:t.end])
		t.initial = t.capital && t.end == at+size && t.past == t.end && strings.HasPrefix(text[t.end:], ".")
		if setContext(&t, out, text[after:at]) {
			setLanguage(out[paragraph:])
			paragraph = len(out)
		}
		out = append(out, t)
		at, after = t.past, t.past
	}
	setLanguage(out[paragraph:])
	return out
}

// setContext sets the members of a token that depend on the gap before it, and reports whether a paragraph begins.
func setContext(t *token, before []token, gap string) (paragraph bool) {
	if len(before) == 0 {
		t.begins = true
		return false
	}
	last := &before[len(before)-1]
	t.newLine = strings.Contains(gap, "\n")
	t.amid = strings.Contains(gap, "&")
	paragraph = t.newLine && strings.Count(gap, "\n") > 1
	trimmed := strings.TrimSpace(gap)
	switch {
	case paragraph:
		t.begins = true
	case trimmed == "" && gap != "" && !strings.Contains(gap, "\t"): // which divides cells of a table
		t.joined = true
	case trimmed == "." && (last.initial || last.capital && last.is(title|sovereign)):
		t.joined = true
	default:
		t.begins = strings.ContainsAny(gap, ".!?:“„«\"•|#*") && !(strings.HasPrefix(gap, ".") && last.initial)
	}
	return paragraph
}

// setLanguage sets the language of the tokens of a paragraph.
func setLanguage(all []token) {
	en, de := 0, 0
	for i := range all {
		if all[i].is(english) {
			en++
		}
		if all[i].is(german) {
			de++
		}
	}
	for i := range all {
		all[i].german, all[i].english = de > en, en > de
	}
}

func isLetter(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

// wordEnd returns where the word ends that begins at a byte: after letters, with apostrophes and hyphens between them.
func wordEnd(text string, at int) int {
	for at < len(text) {
		r, size := utf8.DecodeRuneInString(text[at:])
		switch {
		case isLetter(r):
		case r == '\'' || r == '’' || r == '-':
			if next, _ := utf8.DecodeRuneInString(text[at+size:]); !isLetter(next) {
				return at
			}
		default:
			return at
		}
		at += size
	}
	return at
}

// withoutPossessive returns where a word ends without the ending 's.
func withoutPossessive(text string, start, end int) int {
	for _, ending := range []string{"'s", "’s", "'S", "’S"} {
		if w := text[start:end]; strings.HasSuffix(w, ending) && len(w) > len(ending) {
			return end - len(ending)
		}
	}
	return end
}
