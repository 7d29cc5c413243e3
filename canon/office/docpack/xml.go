package docpack

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"muniment/canon/read"
)

// Limits of an XML entry.
const (
	// MaxXML is the longest entry in bytes. A novel of a thousand pages, with
	// every change of its history marked, has some forty megabytes.
	MaxXML = 64 << 20
	// MaxElements is the number of elements; four million take some seconds.
	MaxElements = 4_000_000
	// MaxDepth is how deep elements are nested. A table within a table takes
	// three levels.
	MaxDepth = 256
	// maxEquals is how many "=" stand between one "<" and the next, hence the
	// number of attributes of a tag, each of which takes memory of 50 to 200
	// bytes until its element ends.
	maxEquals = 4096
)

// A Decoder reads the elements and characters of an XML entry. It expands no
// entity but the five of XML itself and character references; a document that
// uses another is refused.
type Decoder struct {
	Charset string // how the entry was decoded, as read.Decode says it

	name     string
	xml      *xml.Decoder
	depth    int
	elements int
}

// declared finds the charset that an XML declaration states.
var declared = regexp.MustCompile(`^<\?xml[^>]{0,100}encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']`)

// XML opens an entry. A charset that has to be guessed, and bytes that are not
// of their charset, are errors.
func (c *Pack) XML(name string) (*Decoder, error) {
	data, err := c.Read(name, MaxXML)
	if err != nil {
		return nil, err
	}
	d, err := NewDecoder(name, data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return d, nil
}

// NewDecoder reads XML that lies in memory; name is for its errors.
func NewDecoder(name string, data []byte) (*Decoder, error) {
	hint := ""
	if m := declared.FindSubmatch(data); m != nil {
		hint = string(m[1])
	}
	text, charset, err := read.Decode(data, hint)
	if err != nil {
		return nil, err
	}
	if _, how, _ := strings.Cut(charset, " "); how != "valid" && how != "bom" && how != "hint" && how != "zeros" {
		return nil, fmt.Errorf("not in the charset that it declares, but %s", charset)
	}
	if err := checkTags(text); err != nil {
		return nil, err
	}
	d := &Decoder{name: name, Charset: charset, xml: xml.NewDecoder(bytes.NewReader(text))}
	d.xml.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // it is UTF-8 by now
	return d, nil
}

// checkTags refuses a tag of more attributes than a parser should hold.
func checkTags(text []byte) error {
	for at := 0; ; {
		length := bytes.IndexByte(text[at:], '<')
		if length < 0 {
			length = len(text) - at
		}
		if n := bytes.Count(text[at:at+length], []byte{'='}); n > maxEquals {
			return fmt.Errorf("%d attributes in one place, at most %d are read", n, maxEquals)
		}
		if at += length + 1; at >= len(text) {
			return nil
		}
	}
}

// Next returns the next xml.StartElement, xml.EndElement or xml.CharData; the
// bytes of the latter are valid until the call after. At the end of the entry
// it returns io.EOF, every other error names the entry.
func (d *Decoder) Next() (xml.Token, error) {
	if d.xml == nil {
		return nil, io.EOF
	}
	for {
		token, err := d.xml.Token()
		if err != nil {
			if errors.Is(err, io.EOF) {
				return nil, io.EOF
			}
			return nil, fmt.Errorf("%s: %w", d.name, err)
		}
		switch token.(type) {
		case xml.StartElement:
			d.depth++
			d.elements++
			if d.depth > MaxDepth {
				return nil, fmt.Errorf("%s: elements nested deeper than %d", d.name, MaxDepth)
			}
			if d.elements > MaxElements {
				return nil, fmt.Errorf("%s: more than %d elements", d.name, MaxElements)
			}
			return token, nil
		case xml.EndElement:
			d.depth--
			return token, nil
		case xml.CharData:
			return token, nil
		}
	}
}

// Each calls fn for every element within the one whose start was read last, and
// for every run of characters with the zero element; fn consumes the element it
// is given, with Each, Text or Skip. At the top of an entry Each goes over its
// root.
func (d *Decoder) Each(fn func(e xml.StartElement, chars []byte) error) error {
	top := d.depth
	for {
		token, err := d.Next()
		if errors.Is(err, io.EOF) && top == 0 {
			return nil
		}
		if err != nil {
			return d.endError(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			err = fn(token, nil)
		case xml.CharData:
			err = fn(xml.StartElement{}, token)
		case xml.EndElement:
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// Skip passes over the rest of the element whose start was read last.
func (d *Decoder) Skip() error {
	for top := d.depth; d.depth >= top; {
		if _, err := d.Next(); err != nil {
			return d.endError(err)
		}
	}
	return nil
}

// Text returns the characters of the element whose start was read last, those
// of elements within it included, at most limit bytes of them.
func (d *Decoder) Text(limit int) (string, error) {
	var b []byte
	for top := d.depth; d.depth >= top; {
		token, err := d.Next()
		if err != nil {
			return "", d.endError(err)
		}
		if chars, ok := token.(xml.CharData); ok {
			b = append(b, chars[:min(len(chars), limit-len(b))]...)
		}
	}
	return string(b), nil
}

// endError returns the error for a document that ends too early, and any
// other error as it is.
func (d *Decoder) endError(err error) error {
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: ends within an element", d.name)
	}
	return err
}

// Attr returns the value of the attribute with that local name, or "".
func Attr(e xml.StartElement, local string) string {
	for _, a := range e.Attr {
		if a.Name.Local == local {
			return a.Value
		}
	}
	return ""
}
