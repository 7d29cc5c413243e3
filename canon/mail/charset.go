package mail

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"

	"muniment/canon/read"
)

// decode returns the UTF-8 text of a few bytes in a charset.
func (m *message) decode(data []byte, charset string) (string, bool) {
	if len(data) == 0 {
		return "", true
	}
	if m.attempts >= maxAttempts && !utf8.Valid(data) {
		return "", false
	}
	text, decision, err := m.decodeText(data, charset)
	switch {
	case err != nil:
		m.attempts++
	case strings.Contains(decision, " guess "):
		m.attempts++
		m.noteCharset(decision)
	}
	return string(text), err == nil
}

// decodeText is read.Decode but for one thing: a name of two characters in an
// East Asian charset is often valid UTF-8 by accident, of Greek or Arabic
// letters. Such bytes are what the sender says.
func (m *message) decodeText(data []byte, charset string) (text []byte, decision string, err error) {
	if text, name := eastAsian(data, charset); text != nil {
		return text, name + " hint", nil
	}
	text, decision, err = read.Decode(data, charset)
	if err == nil {
		m.checkCharset(text, charset, decision)
	}
	return text, decision, err
}

// eastAsian decodes bytes that are valid UTF-8, beyond ASCII, yet without any
// East Asian character, in the East Asian charset they are said to be in.
func eastAsian(data []byte, charset string) (text []byte, name string) {
	switch strings.ToLower(charset) {
	default:
		return nil, ""
	case "gbk", "gb2312", "gb18030", "big5", "big5-hkscs", "euc-jp", "euc-kr", "ks_c_5601-1987", "shift_jis", "sjis", "x-sjis", "windows-31j":
	}
	const firstEastAsian = 0x1100 // Hangul
	if !utf8.Valid(data) || isASCII(data) || bytes.ContainsFunc(data, func(r rune) bool { return r >= firstEastAsian }) {
		return nil, ""
	}
	enc, err := htmlindex.Get(charset)
	if err != nil {
		return nil, ""
	}
	name, err = htmlindex.Name(enc)
	if err != nil {
		return nil, ""
	}
	text, err = enc.NewDecoder().Bytes(data)
	if err != nil || bytes.ContainsRune(text, utf8.RuneError) || bytes.IndexByte(text, 0) >= 0 {
		return nil, ""
	}
	return text, name
}

// asciiLike are the unknown charsets whose bytes look like ASCII and are not.
var asciiLike = regexp.MustCompile(`^(utf-7|hz|iso-2022)`)

// checkCharset counts a declared charset that is unknown or not the one that
// the text turned out to be in. ASCII is every charset.
func (m *message) checkCharset(text []byte, declared, decision string) {
	declared = strings.ToLower(declared)
	if declared == "" || strings.HasPrefix(declared, "utf-32") {
		return
	}
	if strings.HasPrefix(decision, "ibm") && strings.Contains(decision, " hint") {
		return // a code page that the standard of the web lacks
	}
	enc, err := htmlindex.Get(declared)
	if err != nil || enc == encoding.Replacement {
		if !isASCII(text) || asciiLike.MatchString(declared) {
			m.defects[defectCharset]++
		}
		return
	}
	name, err := htmlindex.Name(enc)
	decided, _, _ := strings.Cut(decision, " ")
	utf16 := strings.HasPrefix(name, "utf-16") && strings.HasPrefix(decided, "utf-16")
	if err == nil && name != decided && !utf16 && !isASCII(text) {
		m.defects[defectCharset]++
	}
}

// isASCII reports whether a text has ASCII bytes alone.
func isASCII(text []byte) bool {
	return !slices.ContainsFunc(text, func(c byte) bool { return c >= utf8.RuneSelf })
}
