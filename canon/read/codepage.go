package read

import (
	"regexp"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
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
