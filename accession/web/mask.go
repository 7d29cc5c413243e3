package web

import (
	"bytes"
	"regexp"
	"strings"

	"muniment/text/weburl"
)

// A masker replaces secrets by spaces, so that all else stays where it was. Of pages and of
// kept archives alike these are: user names and passwords in addresses; unless keepQuery,
// parameters of addresses; values of headers and of fields of forms. Which are secret their
// names say: see weburl.IsSecretName.
type masker struct {
	Masked    int
	keepQuery bool
}

var (
	// addressLike is a run of what addresses have, whether in a header, a request or a text.
	addressLike = regexp.MustCompile(`[^\s<>"']+`)
	headerName  = regexp.MustCompile(`^[!-9;-~]+:`)
	// A tag of HTML, and an attribute of it with its value.
	tag       = regexp.MustCompile(`<[a-zA-Z](?:"[^"]*"|'[^']*'|[^"'>])*>`)
	attribute = regexp.MustCompile(`([a-zA-Z_:][-\w:.]*)\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)`)
)

// header masks the lines of a header, or of another block that is no page.
func (m *masker) header(block []byte) {
	secret := false // the header that goes on in the next line is one
	for line := range bytes.Lines(block) {
		value := bytes.TrimRight(line, "\r\n")
		if len(value) > 0 && (value[0] == ' ' || value[0] == '\t') && secret {
			m.blank(value)
			continue
		}
		at := headerName.FindIndex(value)
		if secret = at != nil && weburl.IsSecretName(string(value[:at[1]-1])); secret {
			m.blank(value[at[1]:])
			continue
		}
		for _, run := range addressLike.FindAll(value, -1) {
			m.address(run)
		}
	}
}

// body masks a page, in HTML or any other text. What is no text by its first bytes stays as it is.
func (m *masker) body(page []byte) {
	if bytes.IndexByte(page[:min(len(page), 512)], 0) >= 0 {
		return
	}
	if bytes.Contains(page, []byte("\n"+recordStart)) { // records that a wrong length made a part of the page
		m.header(page)
	}
	for _, one := range tag.FindAll(page, -1) {
		m.tag(one)
	}
	for _, run := range addressLike.FindAll(page, -1) {
		if bytes.Contains(run, []byte("//")) || bytes.ContainsAny(run, "?\\") {
			m.address(run)
		}
	}
}

// tag masks the value of a field that is secret by its name, and attributes that are.
func (m *masker) tag(text []byte) {
	secret := false
	all := attribute.FindAllSubmatch(text, -1)
	for _, a := range all {
		switch strings.ToLower(string(a[1])) {
		case "name", "id", "property":
			secret = secret || weburl.IsSecretName(string(bytes.Trim(a[2], `"'`)))
		}
	}
	for _, a := range all {
		name := strings.ToLower(string(a[1]))
		if secret && (name == "value" || name == "content") || weburl.IsSecretName(name) {
			m.blank(bytes.Trim(a[2], `"'`))
		}
	}
}

// address masks the secrets of a run that may be an address.
func (m *masker) address(run []byte) {
	if !bytes.ContainsAny(run, "=@%") {
		return
	}
	if bytes.Contains(run, []byte(`\/\/`)) { // as scripts write it
		if _, dropped := weburl.StripAddress(strings.ReplaceAll(string(run), `\/`, "/"), m.keepQuery); len(dropped) > 0 {
			m.blank(run)
			return
		}
	}
	const relative = "//host/" // in which a mail's address is no password
	text, added := string(run), ""
	if !strings.Contains(text, "//") {
		added = relative
	}
	clean, dropped := weburl.StripAddress(added+text, m.keepQuery)
	if len(dropped) == 0 {
		return
	}
	m.blank(run)
	copy(run, strings.TrimPrefix(clean, added))
}

// blank replaces bytes by spaces.
func (m *masker) blank(b []byte) {
	if len(bytes.TrimSpace(b)) > 0 {
		m.Masked++
	}
	for i := range b {
		b[i] = ' '
	}
}
