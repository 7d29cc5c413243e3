package mail

import (
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"muniment/canon"
)

// extensions are the extensions of parts without a file name, by media type.
var extensions = map[string]string{
	plainText: ".txt", "text/html": ".html", "application/xhtml+xml": ".xhtml", "text/calendar": ".ics", rfc822: ".eml", outlookType: ".msg",
	"image/png": ".png", "image/jpeg": ".jpg", "image/gif": ".gif", "image/svg+xml": ".svg", "image/webp": ".webp",
	"application/pdf": ".pdf", "application/pgp-signature": ".asc", "application/pkcs7-signature": ".p7s",
}

// partName returns a name for a part that no other part of the message has.
func (m *message) partName(e entity) string {
	name := safeName(e.file)
	if name == "" {
		name = fmt.Sprintf("part-%d%s", m.leaves, extensions[e.typ.word])
	}
	unique := name
	for n := 2; m.names[strings.ToLower(unique)]; n++ {
		ext := path.Ext(name)
		unique = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(name, ext), n, ext)
	}
	m.names[strings.ToLower(unique)] = true
	return unique
}

// safeName returns the last component of a file name as a sender gave it,
// without what could lead elsewhere or look like another name: separators,
// controls, marks that reorder or hide, and dots and spaces at the edges. It
// may be empty.
func safeName(name string) string {
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	name = strings.Map(func(r rune) rune {
		switch {
		case r < ' ', 0x7F <= r && r < 0xA0, r == utf8.RuneError,
			0x200B <= r && r <= 0x200F, 0x2028 <= r && r <= 0x202E, 0x2060 <= r && r <= 0x206F, r == 0x061C, r == 0xFEFF, r == 0xAD:
			return -1
		}
		return r
	}, name)
	name = strings.Trim(string(canon.NFC([]byte(oneLine(name)))), ". ")
	if len(name) <= maxName {
		return name
	}
	ext := path.Ext(name)
	if len(ext) > maxExt {
		ext = ""
	}
	cut := maxName - len(ext)
	for !utf8.RuneStart(name[cut]) {
		cut--
	}
	return strings.TrimRight(name[:cut], ". ") + ext
}
