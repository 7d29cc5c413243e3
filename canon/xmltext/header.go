package xmltext

import (
	"cmp"
	_ "embed" // headers.txt
	"encoding/xml"
	"regexp"
	"strings"
	"sync"

	"muniment/canon/office/docpack"
	"muniment/canon/read"
)

//go:embed headers.txt
var headerList string

// A rule names the place of a field in a header.
type rule struct{ field, path string }

// rules are the rules of headers.txt, in their order.
var rules = sync.OnceValue(func() (out []rule) {
	for line := range strings.Lines(headerList) {
		if field, path, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok && !strings.HasPrefix(line, "#") {
			out = append(out, rule{field, path})
		}
	}
	return out
})

// maxValues is how many values of one place are kept: the creators of a source.
const maxValues = read.MaxCreators

// A header collects what a header says.
type header struct {
	values map[string][]string // by path
	at     string              // the path of the value being read, "" for none
	depth  int                 // of its element
	value  strings.Builder
	stated string // by an attribute
}

// start begins an element of a header.
func (h *header) start(path []string, e xml.StartElement) {
	at := strings.Join(path, "/")
	for _, r := range rules() {
		if at != r.path && !strings.HasSuffix(at, "/"+r.path) {
			continue
		}
		if h.at != "" { // a date within another
			h.end(path[:h.depth])
		}
		h.at, h.depth, h.stated = r.path, len(path), ""
		h.value.Reset()
		switch r.field {
		case "date":
			h.stated = statedDate(e)
		case "language":
			h.stated = docpack.Attr(e, "ident")
		}
		return
	}
}

// text adds characters to the value being read.
func (h *header) text(chars []byte) {
	if h.at != "" && h.value.Len() < docpack.MaxStatement {
		h.value.Write(chars)
	}
}

// end ends an element of a header.
func (h *header) end(path []string) {
	if h.at == "" || len(path) != h.depth {
		return
	}
	v := h.stated
	if v == "" {
		v = h.value.String()
	}
	if v = read.Line(read.SafeLine(v)); v != "" && len(h.values[h.at]) < maxValues {
		if h.values == nil {
			h.values = map[string][]string{}
		}
		h.values[h.at] = append(h.values[h.at], v)
	}
	h.at = ""
}

// dateForm is a year, month or day, or an interval of two.
var dateForm = regexp.MustCompile(`^\d{4}(-\d\d(-\d\d)?)?(/\d{4}(-\d\d(-\d\d)?)?)?$`)

// statedDate returns the date that the attributes of an element state.
func statedDate(e xml.StartElement) string {
	for _, name := range []string{"when", "when-iso", "normal", "standarddate"} {
		if v := docpack.Attr(e, name); v != "" {
			return v
		}
	}
	for _, pair := range [][2]string{{"from", "to"}, {"notBefore", "notAfter"}} {
		if from, to := docpack.Attr(e, pair[0]), docpack.Attr(e, pair[1]); from != "" && to != "" {
			return from + "/" + to
		}
	}
	return ""
}

// source returns the metadata of the header.
func (h *header) source() (m read.Meta) {
	for _, r := range rules() {
		for _, v := range h.values[r.path] {
			switch r.field {
			case "title":
				setFirst(&m.Title, v)
			case "creator":
				m.Creators = read.AddCreator(m.Creators, v)
			case "publisher":
				setFirst(&m.Publisher, v)
			case "language":
				setFirst(&m.Language, v)
			case "date":
				if dateForm.MatchString(v) {
					setFirst(&m.PublishedAt, v)
				} else {
					setFirst(&m.PublishedAt, read.Date(v))
				}
			}
		}
	}
	return m
}

// setFirst sets a text that has no value.
func setFirst(to *string, v string) {
	*to = cmp.Or(*to, v)
}
