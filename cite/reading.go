package cite

import (
	"bytes"
	"regexp"
	"slices"
	"unicode"
	"unicode/utf8"
)

const (
	// MaxElision is the most code points between two pieces of a quote that leaves words
	// out: what is further apart is not one statement.
	MaxElision = 600
	// maxPieces is how many pieces such a quote has at most.
	maxPieces = 8
)

// A breaking says what becomes of a hyphen at the end of a line.
type breaking int

const (
	joined     breaking = iota // repai-⏎red is repaired
	hyphenated                 // well-⏎known is well-known
)

// matchReading looks for the quote in the text as it is read aloud: words that a line
// break divides are whole, and emphasis by _ or * is gone. Where that finds nothing, it
// looks for the pieces of a quote that leaves words out. found is false where there is
// no match.
func (f *finder) matchReading() (m Match, found bool, err error) {
	base, quote, runes := f.view, f.quote, f.runes
	views := []*view{readingView(f.payload[f.from:f.to], joined), readingView(f.payload[f.from:f.to], hyphenated)}
	wanted := readingQuote(string(quote))
	for _, v := range views {
		f.view = v
		for _, q := range [][]byte{wanted, trimQuotes(wanted)} {
			if len(q) == 0 {
				continue
			}
			if places := f.places(v.text, q, f.edge); len(places) > 0 {
				f.quote, f.runes = q, []rune(string(q))
				m, err = f.match(Normalized, places)
				return m, err == nil, err
			}
		}
	}
	if pieces := piecesOf(wanted); len(pieces) > 0 {
		for _, v := range views {
			f.view = v
			if places := f.runs(pieces); len(places) > 0 {
				f.quote = bytes.Join(pieces, []byte(" ... "))
				f.runes = []rune(string(f.quote))
				m, err = f.match(Normalized, places)
				m.Elided = len(pieces) > 1
				return m, err == nil, err
			}
		}
	}
	f.view, f.quote, f.runes = base, quote, runes
	return Match{}, false, nil
}

// readingQuote returns a folded quote as it is read aloud, without white space around it.
func readingQuote(quote string) []byte {
	return bytes.Trim(readingView([]byte(quote), joined).text, " ")
}

// readingView returns the match view of src in which broken words are joined, emphasis is
// dropped and an ellipsis is three dots.
func readingView(src []byte, b breaking) *view {
	v := &view{text: make([]byte, 0, len(src)), reading: true}
	for i := 0; i < len(src); {
		if n, to := readingAt(src, i, b); n > 0 {
			v.jumps = append(v.jumps, jump{len(v.text), len(v.text) + len(to), i, i + n})
			v.text = append(v.text, to...)
			i += n
			continue
		}
		if plain[src[i]] {
			v.text = append(v.text, src[i])
			i++
			continue
		}
		i = v.foldOne(src, i)
	}
	return v
}

// readingAt returns the length of what at i is read in another way than the match view
// has it, and what it is read as; 0 for everything else.
func readingAt(src []byte, i int, b breaking) (n int, to string) {
	switch c := src[i]; {
	case c == '_' || c == '*':
		n = runEnd(src, i, func(r rune) bool { return r == rune(c) }) - i
		if isEmphasis(src, i, i+n) {
			return n, ""
		}
	case c == '-' || c >= 0xC2:
		r, size := utf8.DecodeRune(src[i:])
		if r == '…' {
			return size, "..."
		}
		if r != '-' && r != 0x2010 && r != 0xAD {
			return 0, ""
		}
		end := breakEnd(src, i+size)
		before, _ := utf8.DecodeLastRune(src[:i])
		after, _ := utf8.DecodeRune(src[end:])
		if end == i+size || !unicode.IsLetter(before) || !unicode.IsLower(after) {
			return 0, ""
		}
		if b == hyphenated && r != 0xAD {
			return end - i, "-"
		}
		return end - i, ""
	}
	return 0, ""
}

// breakEnd returns the end of one line break and the spaces around it; at, if there is no line
// break.
func breakEnd(src []byte, at int) int {
	blank := func(r rune) bool { return r == ' ' || r == '\t' || r == '\r' }
	end := runEnd(src, at, blank)
	if end == len(src) || src[end] != '\n' {
		return at
	}
	return runEnd(src, end+1, blank)
}

// DropEmphasis returns a text without the marks of _emphasis_ and *emphasis*.
func DropEmphasis(text []byte) []byte {
	var out []byte
	for i := 0; i < len(text); {
		end := runEnd(text, i, func(r rune) bool { return r == '_' || r == '*' })
		switch {
		case end == i:
			out, i = append(out, text[i]), i+1
			continue
		case !isEmphasis(text, i, end):
			out = append(out, text[i:end]...)
		}
		i = end
	}
	return out
}

// isEmphasis reports whether the marks from start to end are at the edge of a word or a stop, and
// not between two letters or two spaces: the marks of _so_, not those of snake_case or 2 * 3.
func isEmphasis(src []byte, start, end int) bool {
	before, _ := utf8.DecodeLastRune(src[:start])
	after, _ := utf8.DecodeRune(src[end:])
	blankBefore, blankAfter := start == 0 || isSpace(before), end == len(src) || isSpace(after)
	word := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }
	return !(blankBefore && blankAfter) && !(word(before) && word(after))
}

// ellipsis matches the mark of words that a quote leaves out, with the spaces around it.
var ellipsis = regexp.MustCompile(` ?[\[(]? ?\.(?: ?\.){2,} ?[\])]? ?`)

// piecesOf returns the pieces of a quote between ellipses; none where there is no
// ellipsis, where a piece has no letter, or where there are too many.
func piecesOf(quote []byte) [][]byte {
	if !ellipsis.Match(quote) {
		return nil
	}
	if inner := trimQuotes(quote); inner != nil {
		quote = inner
	}
	var out [][]byte
	size := 0
	for _, at := range ellipsis.Split(string(quote), -1) {
		piece := []byte(at)
		if len(bytes.TrimSpace(piece)) == 0 {
			continue
		}
		if !bytes.ContainsFunc(piece, unicode.IsLetter) && !bytes.ContainsFunc(piece, unicode.IsNumber) {
			return nil
		}
		size += utf8.RuneCount(piece)
		out = append(out, piece)
	}
	if len(out) > maxPieces || size < ShortQuote {
		return nil
	}
	return out
}

// runs returns the runs of the view that hold pieces in their order, each at most MaxElision code
// points after the one before, in one paragraph. Of runs with one end it returns the shortest.
func (f *finder) runs(pieces [][]byte) []place {
	all := make([][]place, len(pieces))
	for i, p := range pieces {
		if all[i] = f.places(f.view.text, p, f.edge); len(all[i]) == 0 {
			return nil
		}
	}
	var out []place
	for _, first := range all[0] {
		run, ok := first, true
		for _, next := range all[1:] {
			at := slices.IndexFunc(next, func(p place) bool { return p.start >= run.end })
			if ok = at >= 0 && f.elides(run.end, next[at].start); !ok {
				break
			}
			run.end = next[at].end
		}
		switch {
		case !ok:
		case len(out) > 0 && out[len(out)-1].end == run.end:
			out[len(out)-1] = run
		default:
			out = append(out, run)
		}
	}
	return out
}

// elides reports whether a quote may leave out the text between two places of the view: it is short
// enough, and in one paragraph.
func (f *finder) elides(from, to int) bool {
	start, _ := f.view.end(from)
	end, _ := f.view.start(to)
	return utf8.RuneCount(f.view.text[from:to]) <= MaxElision && !bytes.Contains(f.payload[f.from+start:max(f.from+start, f.from+end)], []byte("\n\n"))
}

// IsElided reports whether a text leaves words out by an ellipsis inside it.
func IsElided(text string) bool {
	return len(piecesOf(readingQuote(string(foldQuote(text))))) > 1
}
