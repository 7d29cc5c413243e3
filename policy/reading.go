package policy

import (
	"cmp"
	"strings"
	"unicode"

	"muniment/snapshot/access"
)

// readingOf returns how much a tier may read of an artifact with this consent; nil is the default consent.
func (p *Policy) readingOf(c *access.Consent, rank int) string {
	own := p.consent.Reading
	if c != nil {
		own = cmp.Or(c.Reading, own)
	}
	return access.StricterReading(own, p.Tiers[rank].Reading)
}

// Processing returns what may be sent to other programs of an artifact with a consent, nil for the
// default: none, local, or local and the endpoint on one host.
func (p *Policy) ProcessingOf(c *access.Consent) string {
	if c == nil {
		return p.consent.Processing
	}
	return cmp.Or(c.Processing, p.consent.Processing)
}

// Whole reports whether the paper may be read whole.
func (p Permission) Whole() bool { return p.Display && p.Reading == access.ReadingWhole }

// Piece returns how many code points of the paper may be read in one piece, in its place: all where
// it may be read whole, none where it may be quoted by answers alone.
func (p Permission) Piece() int {
	switch {
	case p.Whole():
		return access.Unlimited
	case !p.Display || p.Reading == access.ReadingNone:
		return 0
	case p.Excerpt == access.Unlimited:
		return access.UsualExcerpt
	}
	return p.Excerpt
}

// Cut returns the beginning of words that may be read in one piece, and whether that is all of
// them. It ends after a word, unless the first word alone is longer.
func (p Permission) Cut(words string) (text string, whole bool) {
	return CutWords(words, p.Piece())
}

// CutWords returns the words at the beginning of a text that have at most limit code points together,
// and whether that is all of it. Of a first word that is longer it returns as much.
func CutWords(text string, limit int) (cut string, whole bool) {
	if len(text) <= limit {
		return text, true
	}
	n, end, word := 0, 0, 0 // code points, and the bytes before the limit and before the last word's end
	var before rune
	for at, r := range text {
		if n > 0 && !(isInWord(before) && isInWord(r)) {
			word = at
		}
		if n == limit {
			end = at
			break
		}
		n, before = n+1, r
	}
	switch {
	case n < limit || end == 0 && limit > 0:
		return text, true
	case word > 0:
		end = word
	}
	return strings.TrimRightFunc(text[:end], unicode.IsSpace), false
}

// withoutSpaces are the scripts that do not divide words by spaces, so that a text may be cut between
// any two of their letters.
var withoutSpaces = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}

// isInWord reports whether a character may not be cut from another one of its kind.
func isInWord(r rune) bool {
	if unicode.IsMark(r) || r == '\'' || r == '’' || r == '-' {
		return true
	}
	return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !unicode.In(r, withoutSpaces...)
}
