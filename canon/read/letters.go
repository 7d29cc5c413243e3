package read

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Letters is the name and version of the letter model that corrects the Guesser.
// Every decision of the model names it.
const Letters = "letters@2"

// How surprising a character beyond ASCII is, in bits or so. Sums are compared,
// so that only the differences count.
const (
	costCommon  = 4
	costUsual   = 6
	costRare    = 8
	costSign    = 6  // a quotation mark or dash
	costForeign = 14 // a letter of another language
	costOdd     = 14 // any other sign
	costBroken  = 24 // a control, or nothing that is assigned
	costCapital = 2  // more for a capital
	costInside  = 8  // more for a capital behind a small letter, a sign within a word, two scripts in one
)

const (
	// lettersSample is how many bytes beyond ASCII the model looks at: what they
	// do not decide, more of them do not either.
	lettersSample = 512
	// lettersMargin is what one foreign letter costs more than a common one.
	lettersMargin = costForeign - costCommon
	// lettersPlain is the greatest mean cost of a reading where the Guesser has
	// none.
	lettersPlain = 8
)

// lettersSigns may be in the text of any language.
const lettersSigns = "„“”‚‘’‹›«»–—…§€°·\u00A0\u00AD¿¡、。，「」・！？：；（）《》　"

// costs returns the tables of the models, made once.
var costs = sync.OnceValue(func() []map[rune]int {
	tables := make([]map[rune]int, len(lettersModels))
	for i, m := range lettersModels {
		t := map[rune]int{}
		for _, tier := range []struct {
			letters string
			cost    int
		}{{m.rare, costRare}, {m.usual, costUsual}, {m.common, costCommon}} {
			for _, r := range tier.letters {
				t[r] = tier.cost
			}
		}
		tables[i] = t
	}
	return tables
})

// A reading is a text that the sample may be.
type reading struct {
	candidate
	text string
	cost int // of the language that it fits best
}

// correctGuess returns the reading of data that the letters speak for, where they
// speak clearly against the Guesser's; ok is false where they do not. With
// none, the Guesser has no answer.
func correctGuess(data []byte, guessed candidate, none bool) (c candidate, ok bool) {
	data, cut := cutToSample(data)
	if four, ok := candidateByFourBytes(data); ok {
		return four, true
	}
	best, ok := likeliestReading(data, cut)
	if !ok {
		return candidate{}, false
	}
	other := lettersPlain * beyondASCII(best.text)
	if !none {
		text, fits := guessed.decodeSample(data, cut)
		if text == best.text {
			return candidate{}, false
		}
		other = costInCharset(text, guessed.name)
		if !fits {
			other = max(other, 2*best.cost)
		}
		if !isClearlyCheaper(best.cost, other) {
			return candidate{}, false
		}
	} else if best.cost > other {
		return candidate{}, false
	}
	best.how = fmt.Sprintf("guess %d by %s", percentLess(best.cost, other), Letters)
	best.guessed = true
	return best.candidate, true
}

// cutToSample returns as much of data as the model looks at, and whether that
// is not all.
func cutToSample(data []byte) (part []byte, cut bool) {
	n := 0
	for i, c := range data {
		if c >= utf8.RuneSelf {
			if n++; n > lettersSample {
				return data[:i], true
			}
		}
	}
	return data, false
}

// likeliestReading returns the reading that costs least, of two the first.
func likeliestReading(data []byte, cut bool) (best reading, ok bool) {
	texts := map[string]reading{} // by charset; without a decoder where it does not fit
	for i, m := range lettersModels {
		for _, name := range m.charsets {
			r, tried := texts[name]
			if !tried {
				if c, known := candidateByName(name, ""); known {
					if text, fits := c.decodeSample(data, cut); fits {
						r = reading{candidate: c, text: text}
					}
				}
				texts[name] = r
			}
			if r.enc == nil {
				continue
			}
			most := math.MaxInt
			if ok {
				most = best.cost
			}
			if r.cost = m.cost(r.text, costs()[i], most); r.cost < most {
				best, ok = r, true
			}
		}
	}
	return best, ok
}

// isClearlyCheaper reports whether a reading is to be preferred to the Guesser's: it costs
// at most four fifths of that, and more than one foreign letter is the reason;
// or nine tenths, and three are.
func isClearlyCheaper(cost, guessed int) bool {
	less := guessed - cost
	return 5*cost <= 4*guessed && less > lettersMargin || 10*cost <= 9*guessed && less >= 3*lettersMargin
}

// costInCharset returns the cost of a text in the language that it fits best of those
// that come in a charset, of all where none does.
func costInCharset(text, charset string) int {
	none := !slices.ContainsFunc(lettersModels, func(m lettersModel) bool { return slices.Contains(m.charsets, charset) })
	least := math.MaxInt
	for i, m := range lettersModels {
		if none || slices.Contains(m.charsets, charset) {
			least = min(least, m.cost(text, costs()[i], least))
		}
	}
	return least
}

// percentLess returns by how much of other cost is less, from 1 to 99.
func percentLess(cost, other int) int {
	return min(max(100*(other-cost)/max(other, 1), 1), 99)
}

// decodeSample decodes the beginning of a text, which, if it is cut, may end within a
// character.
func (c candidate) decodeSample(data []byte, cut bool) (text string, fits bool) {
	if c.enc == nil {
		return string(bytes.ToValidUTF8(data, []byte("\uFFFD"))), utf8.Valid(data)
	}
	out, err := c.enc.NewDecoder().Bytes(data)
	if err != nil {
		return "", false
	}
	text = string(out)
	if cut {
		text = strings.TrimSuffix(text, "\uFFFD")
	}
	return text, !strings.Contains(text, "\uFFFD")
}

// beyondASCII counts the code points that are not ASCII.
func beyondASCII(text string) (n int) {
	for _, r := range text {
		if r >= utf8.RuneSelf {
			n++
		}
	}
	return n
}

// cost sums up how surprising a text is in a language, until that is most.
func (m lettersModel) cost(text string, table map[rune]int, most int) (sum int) {
	before := rune(0)
	for i, r := range text {
		if r >= utf8.RuneSelf {
			after, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):])
			if sum += m.costOf(r, before, after, table); sum >= most {
				return sum
			}
		}
		before = r
	}
	return sum
}

// costOf returns the cost of a character between two others.
func (m lettersModel) costOf(r, before, after rune, table map[rune]int) int {
	cost, known := table[r]
	small := unicode.ToLower(r)
	if !known && small != r {
		if cost, known = table[small]; known {
			cost += costCapital
		}
	}
	switch {
	case known:
	case strings.ContainsRune(lettersSigns, r):
		cost = costSign
	case unicode.IsLetter(r), unicode.Is(unicode.M, r):
		cost = costForeign
	case r < 0xA0 || r == '\uFFFD' || unicode.Is(unicode.Co, r) || !unicode.IsPrint(r):
		cost = costBroken
	default:
		cost = costOdd
	}
	// Portuguese has its tildes before o and e, and at the end of few words;
	// Spanish opens a sentence with its marks.
	switch {
	case m.language == "pt" && (small == 'ã' || small == 'õ') && !strings.ContainsRune("oesOES", after),
		(r == '¿' || r == '¡') && unicode.IsLower(after):
		cost = costForeign
	}
	inWord := isASCIILetter(before) && isASCIILetter(after)
	switch {
	case unicode.IsUpper(r) && unicode.IsLower(before),
		!unicode.IsLetter(r) && inWord && r != '’',
		0x2500 <= r && r <= 0x259F && (unicode.IsLetter(before) || unicode.IsLetter(after)), // a frame joined to a word
		m.script == alone && unicode.IsLetter(r) && (isASCIILetter(before) || isASCIILetter(after)):
		cost += costInside
	}
	return cost
}

// isASCIILetter reports whether a character is a letter of ASCII.
func isASCIILetter(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }

// candidateByFourBytes recognizes GB18030 in a text of another script than Chinese: its letters are
// sequences of four bytes, a digit in every second, which occur in no text of another charset.
func candidateByFourBytes(data []byte) (candidate, bool) {
	long := 0
	for i := 0; i < len(data); {
		c := data[i]
		if c < 0x80 {
			i++
			continue
		}
		if i+4 > len(data) {
			break
		}
		switch {
		case c <= 0x84 && isDigit(data[i+1]) && data[i+2] >= 0x81 && isDigit(data[i+3]):
			long++
			i += 4
		case data[i+1] >= 0xA1 && 0xA1 <= c && c <= 0xA9: // signs, and letters with accents
			i += 2
		default:
			return candidate{}, false
		}
	}
	if long == 0 {
		return candidate{}, false
	}
	c, ok := candidateByName("gb18030", fmt.Sprintf("guess %d by %s", 99, Letters))
	c.guessed = true
	return c, ok
}

// isDigit reports whether a byte is a decimal digit.
func isDigit(c byte) bool { return '0' <= c && c <= '9' }
