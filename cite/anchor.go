package cite

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"unicode/utf8"

	"muniment/canon"
)

// AnchorContext is how many code points of context a stored span carries on
// each side, fewer at the edges of the document.
const AnchorContext = 32

// An Anchor ties a span to the words it named when it was made, so that
// whoever holds the text can tell that it still names them.
type Anchor struct {
	SHA256 string // lower case hexadecimal sha2-256 of the quote's bytes
	Prefix string // the code points before the quote, at most AnchorContext
	Suffix string // the code points after it, at most AnchorContext
}

// AnchorOf returns the anchor of s in d. Context may run into separators and
// neighbouring units; it ends at the edges of the payload.
func AnchorOf(d *canon.Document, s Span) (Anchor, error) {
	start, end, err := Resolve(d, s)
	if err != nil {
		return Anchor{}, err
	}
	return anchor(d.Payload(), start, end), nil
}

// AnchorOfMeta returns the anchor of m inside its field's value.
func AnchorOfMeta(record []byte, m MetaSpan) (Anchor, error) {
	value, start, end, err := ResolveMeta(record, m)
	if err != nil {
		return Anchor{}, err
	}
	return anchor([]byte(value), start, end), nil
}

// anchor returns the anchor of a run of text.
func anchor(text []byte, start, end int) Anchor {
	from, to := start, end
	for range AnchorContext {
		_, n := utf8.DecodeLastRune(text[:from])
		from -= n
		_, n = utf8.DecodeRune(text[to:])
		to += n
	}
	sum := sha256.Sum256(text[start:end])
	return Anchor{
		SHA256: hex.EncodeToString(sum[:]),
		Prefix: string(text[from:start]),
		Suffix: string(text[end:to]),
	}
}

// compare returns an error that says how a recomputed anchor differs from the
// recorded one, nil where the two are equal.
func (a Anchor) compare(got Anchor) error {
	switch {
	default:
		return nil
	case got.SHA256 != a.SHA256:
		return fmt.Errorf("the span's text has sha256 %s, the citation says %s", got.SHA256, a.SHA256)
	case got.Prefix != a.Prefix:
		return fmt.Errorf("the text before the span is %q, the citation says %q", got.Prefix, a.Prefix)
	case got.Suffix != a.Suffix:
		return fmt.Errorf("the text after the span is %q, the citation says %q", got.Suffix, a.Suffix)
	}
}
