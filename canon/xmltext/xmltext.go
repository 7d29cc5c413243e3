// Package xmltext makes xml@1, the text of an XML document without its mark-up: TEI,
// EAD and any other.
//
//	r := read.NewRegistry(xmltext.Reader())
//	form, err := r.Canonicalize(read.Input{Name: "letter.xml", Data: data})
//
// The charset is that of a byte order mark, of the sender, or the one that the document
// declares. Entities that the document declares itself are resolved within limits, those
// of HTML by their names, and nothing outside the document is read. Blocks are apart by
// a blank line; elements.txt says which elements are blocks, lines, cells and notes. White
// space is one space, unless xml:space is preserve. Raised and lowered text, and numbers
// of MathML, are set off from their neighbours. Headers of TEI and EAD are no text: they
// describe the source, by the places in headers.txt. Attributes, comments and
// instructions are left out.
//
// Facts, each only if not zero: "ids" lists xml:id (or id) and the paragraph in which
// each begins, as ID:PARAGRAPH; "ids_left_out", "notes", "deleted".
//
// A document that is not well-formed, needs what lies outside of it, or has text in
// attributes alone is text@1 with its mark-up; the fact "xml_unread" says why.
package xmltext

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"muniment/canon"
	"muniment/canon/office/docpack"
	"muniment/canon/read"
)

// Name is the form's name and version.
const Name = "xml@1"

// maxIDs is the length of the fact "ids" in bytes: a record has a megabyte.
const maxIDs = 128 << 10

// maxReason is the length in code points of the fact "xml_unread".
const maxReason = 300

// Reader returns the reader of xml@1.
func Reader() read.Reader {
	return read.Reader{
		Name:       Name,
		MediaTypes: []string{"text/xml", "application/tei+xml", "application/xml"},
		Extensions: []string{".xml", ".tei"},
		Read:       readXML,
	}
}

// declared finds the charset that an XML declaration states.
var declared = regexp.MustCompile(`^(?:\xEF\xBB\xBF)?<\?xml[^>]{0,100}?encoding\s*=\s*["']([A-Za-z0-9._:-]{1,40})["']`)

// readXML returns the xml@1 form of an input, or its text@1 form where there is none.
func readXML(in read.Input) (read.Form, error) {
	charset := ""
	if m := declared.FindSubmatch(in.Data); m != nil {
		charset = string(m[1])
	}
	source, decision, err := read.DecodeDeclared(in.Data, in.MediaType, charset)
	if err != nil {
		return read.Form{}, fmt.Errorf("%s: %w", Name, err)
	}
	form, err := parse(source)
	if err != nil {
		form = read.Form{Payload: canon.Text(source), Canonicalizer: canon.TextForm, Facts: map[string]string{"xml_unread": read.Cut(read.SafeLine(err.Error()), maxReason)}}
	}
	form.Unicode, form.Charset = canon.UnicodeVersion, decision
	return form, nil
}

// parse returns the form of a document in UTF-8.
func parse(source []byte) (read.Form, error) {
	if len(source) > docpack.MaxXML {
		return read.Form{}, fmt.Errorf("%d bytes are more than the %d that are read as XML", len(source), docpack.MaxXML)
	}
	source, err := expand(source)
	if err != nil {
		return read.Form{}, err
	}
	mixed, err := findMixed(source)
	if err != nil {
		return read.Form{}, err
	}
	d, err := docpack.NewDecoder("the document", source)
	if err != nil {
		return read.Form{}, err
	}
	w := &writer{d: d, mixed: mixed, counts: map[string]int{}}
	if err := w.children(context{}, false); err != nil {
		return read.Form{}, err
	}
	w.endBlock()
	if len(w.blocks)+len(w.notes) == 0 {
		return read.Form{}, errors.New("there is no text but in the mark-up")
	}
	w.counts["notes"] = len(w.notes)
	facts := w.idFact()
	for key, n := range read.Counts(w.counts) {
		facts[key] = n
	}
	text := strings.Join(append(w.blocks, w.notes...), "\n\n")
	return read.Form{Payload: canon.Text([]byte(text)), Canonicalizer: Name, Facts: facts, Source: w.header.source()}, nil
}

// findMixed returns, for each element in the order of their starts, whether it has text
// of its own.
func findMixed(source []byte) ([]bool, error) {
	d, err := docpack.NewDecoder("the document", source)
	if err != nil {
		return nil, err
	}
	var mixed []bool
	var open []int
	for roots := 0; ; {
		token, err := d.Next()
		if errors.Is(err, io.EOF) {
			if roots != 1 || len(open) > 0 {
				return nil, errors.New("the document is not one whole element")
			}
			return mixed, nil
		}
		if err != nil {
			return nil, err
		}
		switch token := token.(type) {
		case xml.StartElement:
			if len(open) == 0 {
				roots++
			}
			open = append(open, len(mixed))
			mixed = append(mixed, false)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			blank := len(strings.TrimFunc(string(token), isSpace)) == 0
			if !blank && len(open) == 0 {
				return nil, errors.New("there is text outside of the document's element")
			}
			if !blank {
				mixed[open[len(open)-1]] = true
			}
		}
	}
}

// idFact returns the fact of the places that identifiers name.
func (w *writer) idFact() map[string]string {
	facts := map[string]string{}
	var list strings.Builder
	left := 0
	for _, at := range w.ids {
		n, last := at.block, len(w.blocks)
		if at.note {
			n, last = n+len(w.blocks), len(w.blocks)+len(w.notes)
		}
		entry := at.name + ":" + strconv.Itoa(n+1)
		if n >= last {
			continue // nothing follows it
		}
		if list.Len()+len(entry) >= maxIDs {
			left++
			continue
		}
		if list.Len() > 0 {
			list.WriteByte(' ')
		}
		list.WriteString(entry)
	}
	if list.Len() > 0 {
		facts["ids"] = list.String()
	}
	if left > 0 {
		facts["ids_left_out"] = strconv.Itoa(left)
	}
	return facts
}
