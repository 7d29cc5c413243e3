package read

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
)

// A namedEncoding is a code page of DOS, under its IANA name. The WHATWG standard has
// but 866 of them; mails and files of the nineties declare the others.
type namedEncoding struct {
	name string
	enc  encoding.Encoding
}

// pages are the code pages by their number.
var pages = map[string]namedEncoding{
	"437": {"ibm437", charmap.CodePage437},
	"850": {"ibm850", charmap.CodePage850},
	"852": {"ibm852", charmap.CodePage852},
	"855": {"ibm855", charmap.CodePage855},
	"858": {"ibm00858", charmap.CodePage858},
	"860": {"ibm860", charmap.CodePage860},
	"862": {"ibm862", charmap.CodePage862},
	"863": {"ibm863", charmap.CodePage863},
	"865": {"ibm865", charmap.CodePage865},
}

// pageName is how a code page is named: ibm850, cp-850, CP00858, 437.
var pageName = regexp.MustCompile(`^(?i:ibm|cp|ccsid|csibm|cspc|oem)?[-_]?0{0,2}([48]\d\d)$`)

// codePage returns the code page of a charset name.
func codePage(name string) (namedEncoding, bool) {
	m := pageName.FindStringSubmatch(name)
	if m == nil {
		return namedEncoding{}, false
	}
	p, ok := pages[m[1]]
	return p, ok
}

// CodePageName returns the charset of a code page of Windows or DOS, or "".
func CodePageName(number int) string {
	switch number {
	case 437, 850, 852, 855, 860, 862, 863, 865, 866:
		return "ibm" + strconv.Itoa(number)
	case 858:
		return "ibm00858"
	case 874, 1250, 1251, 1252, 1253, 1254, 1255, 1256, 1257, 1258:
		return "windows-" + strconv.Itoa(number)
	case 932:
		return "shift_jis"
	case 936:
		return "gbk"
	case 949:
		return "euc-kr"
	case 950:
		return "big5"
	case 10000:
		return "macintosh"
	case 65001:
		return "utf-8"
	}
	return ""
}

// DecodeBytes returns bytes of a charset as text; what the charset lacks becomes U+FFFD.
func DecodeBytes(data []byte, charset string) string {
	enc := encoding.Encoding(charmap.Windows1252)
	if page, ok := codePage(charset); ok {
		enc = page.enc
	} else if named, err := htmlindex.Get(charset); err == nil {
		enc = named
	}
	if charset == "utf-8" && utf8.Valid(data) {
		return string(data)
	}
	text, err := enc.NewDecoder().Bytes(data)
	if err != nil {
		return strings.Repeat(string(utf8.RuneError), len(data))
	}
	return string(text)
}

// DecodePage returns bytes of a code page of Windows or DOS as text; an unknown page
// is read as windows-1252.
func DecodePage(data []byte, number int) string { return DecodeBytes(data, CodePageName(number)) }
