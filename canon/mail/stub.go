package mail

import (
	_ "embed"
	"strings"
	"unicode"
)

//go:embed stubs.txt
var stubList string

// stubPhrases are the phrases of plain texts that are stubs of a page, as fold writes them.
var stubPhrases = func() (out []string) {
	for line := range strings.Lines(stubList) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			out = append(out, fold(line))
		}
	}
	return out
}()

// Sizes by which a plain text is a stub of a page, in letters and digits.
const (
	// stubRatio is how many times longer the page must be. A plain text that a program
	// makes of a page has nearly all of its words.
	stubRatio = 4
	// stubMargin is how much longer it must be besides: a short note has no stub.
	stubMargin = 200
	// maxStub is the longest plain text in which phrases count: one that is longer has
	// something to say of its own.
	maxStub = 1500
)

// The ways in which a plain text is a stub of a page.
const (
	stubByPhrase = "phrase"
	stubByLength = "length"
	stubEmpty    = "empty"
)

// stubOf returns the way in which a plain text is a stub of a page with another text, "" for a text
// of its own.
func stubOf(plain, page []byte) string {
	short, long := countLetters(plain), countLetters(page)
	switch {
	case long == 0:
		return ""
	case short == 0:
		return stubEmpty
	case long >= short*stubRatio && long >= short+stubMargin:
		return stubByLength
	case short > maxStub:
		return ""
	}
	text, other := fold(string(plain)), ""
	for _, phrase := range stubPhrases {
		if !strings.Contains(text, phrase) {
			continue
		}
		if other == "" {
			other = fold(string(page))
		}
		if !strings.Contains(other, phrase) {
			return stubByPhrase
		}
	}
	return ""
}

// countLetters counts letters and digits outside of addresses of the web.
func countLetters(text []byte) int {
	n := 0
	for word := range strings.FieldsSeq(string(text)) {
		if strings.Contains(word, "://") {
			continue
		}
		for _, r := range word {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				n++
			}
		}
	}
	return n
}

// fold returns the words of a text in lower case, with a space around each; e-mail is
// email, apostrophes go, and so does what else is neither letter nor digit.
func fold(text string) string {
	text = strings.NewReplacer("'", "", "’", "", "e-mail", "email").Replace(strings.ToLower(text))
	return " " + strings.Join(strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), " ") + " "
}
