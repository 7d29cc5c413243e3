package read

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/wlynxg/chardet"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// Limits of Decode.
const (
	// maxControls: one control character among this many code points still
	// passes for text (form feeds, escape sequences of old terminals); a binary
	// that happens to decode has one in eight.
	maxControls = 32
	// maxDamage: one byte in this many may be undecodable. A few broken bytes do
	// not make a letter unreadable; more of them mean another charset.
	maxDamage = 100
	// minUTF8: a text that is not valid UTF-8 is damaged UTF-8 and nothing else
	// when it has this many multi-byte sequences to each undecodable byte. Text
	// in other charsets has one sequence by accident to ten such bytes.
	minUTF8 = 2
	// guessSample is the number of bytes, from the first line beyond ASCII, that
	// a guess looks at. More bytes do not change the answer and cost time.
	guessSample = 64 << 10
	// minGuess is the confidence, in percent, below which a guess is none.
	minGuess = 20
)

// Guesser is the name and version of the library that guesses charsets. Another
// version may guess otherwise, so that every guess names it.
const Guesser = "github.com/wlynxg/chardet v1.0.5"

// A candidate is one charset that a text may be in.
type candidate struct {
	name    string            // as recorded
	how     string            // bom, valid, zeros, hint, damaged, "guess NN …"
	enc     encoding.Encoding // nil for UTF-8
	skip    int               // bytes of byte order mark before the text
	guessed bool              // a guess is wrong unless it decodes every byte
}

// Decode returns data as valid UTF-8, a leading byte order mark removed, and
// the decision it took. The first of these that fits is taken:
//
//	utf-8 bom, utf-16le bom, …  a byte order mark says so
//	utf-8 valid                 the bytes are valid UTF-8
//	utf-16le zeros, …           zero bytes as they stand in a text of one script without a mark
//	windows-1252 hint           the hint, a charset name or a media type with a charset parameter
//	utf-8 damaged               UTF-8 but for a few bytes
//	windows-1251 guess 87 …     detected by its statistics, with a confidence of 87 %
//	windows-1250 guess 44 …     by its letters, 44 % likelier than the above
//
// Undecodable bytes, at most one in a hundred and none in what was guessed,
// become U+FFFD and are counted: "shift_jis hint, 3 undecodable". A guess names
// its Guesser, or Letters. Charset names are those of the WHATWG Encoding Standard, which
// reads iso-8859-1 as windows-1252; a hint of iso-2022-jp, whose bytes are
// ASCII, comes before the test for UTF-8. What is empty, longer than MaxText,
// holds U+0000 or is full of control characters is not text.
func Decode(data []byte, hint string) (utf8Text []byte, charset string, err error) {
	if len(data) == 0 {
		return nil, "", errors.New("the text is empty")
	}
	if len(data) > MaxText {
		return nil, "", fmt.Errorf("%d bytes are more than the %d that are read as text", len(data), MaxText)
	}
	for c := range eachCandidate(data, hint) {
		out, bad := c.decode(data)
		if bad > len(data)/maxDamage || bad > 0 && c.guessed {
			continue
		}
		if err := checkText(out); err != nil {
			return nil, "", err
		}
		charset = c.name + " " + c.how
		if bad > 0 {
			charset += fmt.Sprintf(", %d undecodable", bad)
		}
		return out, charset, nil
	}
	if c, ok := candidateByMark(data); ok {
		return nil, "", fmt.Errorf("the byte order mark says %s, and more than one byte in %d is not", c.name, maxDamage)
	}
	if i := bytes.IndexByte(data, 0); i >= 0 {
		return nil, "", fmt.Errorf("byte %d is zero, which no text holds", i)
	}
	return nil, "", errors.New("the charset cannot be told: the bytes are neither UTF-8 nor of a recognized charset")
}

// DecodeDeclared is Decode of a text that names its charset itself, as XML does: the name counts
// after a byte order mark and the hint, and before the test for UTF-8. A name that is not known, or
// in whose charset more bytes are undecodable than Decode lets pass, does not count. The decision
// is "windows-1252 declared".
func DecodeDeclared(data []byte, hint, declared string) (utf8Text []byte, charset string, err error) {
	c, known := candidateByName(declared, "declared")
	_, marked := candidateByMark(data)
	_, hinted := candidateByName(charsetInHint(hint), "hint")
	if !known || marked || hinted || len(data) > MaxText || bytes.IndexByte(data, 0) >= 0 {
		return Decode(data, hint)
	}
	out, bad := c.decode(data)
	if bad > len(data)/maxDamage {
		return Decode(data, hint)
	}
	if err := checkText(out); err != nil {
		return nil, "", err
	}
	if charset = c.name + " declared"; bad > 0 {
		charset += fmt.Sprintf(", %d undecodable", bad)
	}
	return out, charset, nil
}

// eachCandidate yields the charsets that data may be in, in the order of Decode.
func eachCandidate(data []byte, hint string) func(yield func(candidate) bool) {
	return func(yield func(candidate) bool) {
		if c, ok := candidateByMark(data); ok {
			yield(c) // a mark is believed or nothing is
			return
		}
		hinted, hasHint := candidateByName(charsetInHint(hint), "hint")
		zero, valid := bytes.IndexByte(data, 0) >= 0, utf8.Valid(data)
		escaped := hasHint && hinted.name == "iso-2022-jp" && bytes.IndexByte(data, 0x1B) >= 0
		if valid && !zero && !escaped {
			yield(candidate{name: "utf-8", how: "valid"})
			return
		}
		if hasHint && !yield(hinted) {
			return
		}
		if zero {
			if c, ok := candidateByZeros(data); ok {
				yield(c)
			}
			return
		}
		if good, bad := countSequences(data); good >= minUTF8*bad {
			yield(candidate{name: "utf-8", how: "damaged"})
			return
		}
		sample := sampleForGuess(data)
		c, ok := guessCharset(sample)
		if better, sure := correctGuess(sample, c, !ok); sure && !yield(better) {
			return
		}
		if ok {
			yield(c)
		}
	}
}

// decode returns the text of data in c, and how many undecodable bytes (of
// UTF-8) or places (of others) it has. An input that is UTF-8 without them is returned as it is.
func (c candidate) decode(data []byte) (text []byte, bad int) {
	data = data[c.skip:]
	if c.enc == nil {
		if utf8.Valid(data) {
			return data, 0
		}
		_, bad = countSequences(data)
		return Repair(data), bad
	}
	text, err := c.enc.NewDecoder().Bytes(data)
	if err != nil {
		return nil, len(data)
	}
	return bytes.TrimPrefix(text, []byte("\uFEFF")), bytes.Count(text, []byte("\uFFFD"))
}

// candidateByMark recognizes a byte order mark. UTF-32 comes first: its little-endian
// mark begins like that of UTF-16.
func candidateByMark(data []byte) (candidate, bool) {
	for _, c := range []struct {
		mark, name string
		enc        encoding.Encoding
	}{
		{"\xEF\xBB\xBF", "utf-8", nil},
		{"\xFF\xFE\x00\x00", "utf-32le", utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM)},
		{"\x00\x00\xFE\xFF", "utf-32be", utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM)},
		{"\xFF\xFE", "utf-16le", unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)},
		{"\xFE\xFF", "utf-16be", unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)},
	} {
		if bytes.HasPrefix(data, []byte(c.mark)) {
			return candidate{name: c.name, how: "bom", enc: c.enc, skip: len(c.mark)}, true
		}
	}
	return candidate{}, false
}

// charsetInHint returns the charset that a hint names: the charset parameter of a
// media type, or the hint itself.
func charsetInHint(hint string) string {
	if !strings.ContainsAny(hint, "/;") {
		return strings.TrimSpace(hint)
	}
	_, charset := ParseMediaType(hint)
	return charset
}

// KnownCharset reports whether a hint of this charset name can be used.
func KnownCharset(name string) bool {
	_, ok := candidateByName(name, "")
	return ok
}

// candidateByName returns the candidate for a charset name, if it is a known one.
func candidateByName(name, how string) (candidate, bool) {
	switch strings.ToLower(name) {
	case "utf-32", "utf-32le":
		return candidate{name: "utf-32le", how: how, enc: utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM)}, true
	case "utf-32be":
		return candidate{name: "utf-32be", how: how, enc: utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM)}, true
	case "johab", "euc-tw", "hz-gb-2312", "iso-2022-kr", "":
		return candidate{}, false // no decoder, or one that replaces everything
	}
	if page, ok := codePage(name); ok {
		return candidate{name: page.name, how: how, enc: page.enc}, true
	}
	enc, err := htmlindex.Get(name)
	if err != nil || enc == encoding.Replacement {
		return candidate{}, false
	}
	canonical, err := htmlindex.Name(enc)
	if err != nil || canonical == "utf-8" {
		return candidate{}, false // valid UTF-8 needs no hint, and invalid is not helped by one
	}
	return candidate{name: canonical, how: how, enc: enc}, true
}

// countSequences counts the valid multi-byte sequences of UTF-8 and the bytes that
// belong to none.
func countSequences(data []byte) (good, bad int) {
	for len(data) > 0 {
		if skip := asciiLen(data); skip > 0 {
			data = data[skip:]
			continue
		}
		_, size := utf8.DecodeRune(data)
		if size > 1 {
			good++
		} else {
			bad++
		}
		data = data[size:]
	}
	return good, bad
}

// sampleForGuess returns the part of a text that a guess looks at.
func sampleForGuess(data []byte) []byte {
	if i := asciiLen(data); i < len(data) {
		data = data[bytes.LastIndexByte(data[:i], '\n')+1:]
	}
	return data[:min(len(data), guessSample)]
}

// guessCharset asks the statistics of the Guesser.
func guessCharset(data []byte) (candidate, bool) {
	r := chardet.Detect(data)
	percent := int(r.Confidence * 100)
	if percent < minGuess {
		return candidate{}, false
	}
	c, ok := candidateByName(r.Encoding, fmt.Sprintf("guess %d by %s", percent, Guesser))
	c.guessed = true
	return c, ok
}

// checkText returns an error for bytes that decode but are no text: U+0000, or
// too many controls.
func checkText(text []byte) error {
	controls := 0
	for at := 0; at < len(text); at += 8 {
		word := text[at:min(at+8, len(text))]
		if len(word) == 8 && !anyControl(binary.LittleEndian.Uint64(word)) {
			continue
		}
		for i, c := range word {
			switch {
			case c == 0:
				return fmt.Errorf("the decoded text holds U+0000 at byte %d, which no text does", at+i)
			case c < ' ' && c != '\t' && c != '\n' && c != '\f' && c != '\r':
				controls++
			}
		}
	}
	if controls == 0 {
		return nil
	}
	if points := utf8.RuneCount(text); controls > points/maxControls {
		return fmt.Errorf("%d of %d characters are controls: binary, not text", controls, points)
	}
	return nil
}

// anyControl reports whether one of eight bytes is below a space.
func anyControl(w uint64) bool {
	const each = 0x0101010101010101
	return (w-each*' ')&^w&(each<<7) != 0
}
