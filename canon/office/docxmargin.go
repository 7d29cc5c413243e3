package office

import (
	"encoding/xml"
	"fmt"
	"maps"
	"slices"

	"muniment/canon/office/docpack"
)

// maxMargins is the number of headers and footers: three of each for every section of
// a long book.
const maxMargins = 3000

// margins are the headers and footers that the sections refer to.
type margins struct {
	order      []margin
	titlePages bool // a section has a first page of its own
}

// A margin is a header or a footer.
type margin struct {
	kind string // "header" or "footer"
	on   string // the pages that have it: "default", "first" or "even"
	id   string // of the relation
}

// section reads which headers and footers a section has.
func (x *docx) section() error {
	return x.eachWord(func(e xml.StartElement) error {
		switch e.Name.Local {
		case "headerReference", "footerReference":
			m := margin{e.Name.Local[:len("header")], docpack.Attr(e, "type"), docpack.Attr(e, "id")}
			if !slices.Contains(x.margins.order, m) {
				if len(x.margins.order) == maxMargins {
					return fmt.Errorf("the document has more than %d headers and footers", maxMargins)
				}
				x.margins.order = append(x.margins.order, m)
			}
		case "titlePg":
			x.margins.titlePages = x.margins.titlePages || readToggle(e) == yes
		}
		return x.Skip()
	})
}

// writeMargins writes the headers and footers of pages after all other text, each text once, and
// returns their parts.
func (x *docx) writeMargins(related []docpack.Relation, settings string) (parts []string, err error) {
	evenPages := false
	if settings != "" && x.pack.Has(settings) {
		if err := eachBelow(x.pack, settings, func(e xml.StartElement) error {
			if e.Name.Local == "evenAndOddHeaders" {
				evenPages = readToggle(e) == yes
			}
			return nil
		}); err != nil {
			return nil, err
		}
	}
	written := map[string]bool{}
	for _, kind := range []string{"header", "footer"} {
		for _, m := range x.margins.order {
			if m.kind != kind || m.on == "first" && !x.margins.titlePages || m.on == "even" && !evenPages {
				continue
			}
			part, text, err := x.tryMargin(related, m)
			switch {
			case x.err != nil:
				return nil, x.err
			case err != nil:
				x.unread(kind, err)
				continue
			}
			if !slices.Contains(parts, part) {
				parts = append(parts, part)
			}
			if text != "" && !written[kind+text] {
				written[kind+text] = true
				x.count(kind + "s")
				x.block("⟦" + kind + "⟧\n" + text)
			}
		}
	}
	return parts, x.err
}

// tryMargin reads a header or a footer. What it counted of one that cannot be read counts
// for nothing.
func (x *docx) tryMargin(related []docpack.Relation, m margin) (part, text string, err error) {
	before, written, counts := *x, *x.writer, maps.Clone(x.counts)
	part, text, err = x.readMargin(related, m)
	if err != nil && x.err == nil {
		written.written = x.written // it still counts against the limit
		*x = before
		*x.writer = written
		x.counts = counts
	}
	return part, text, err
}

// readMargin returns the text of a header or a footer.
func (x *docx) readMargin(related []docpack.Relation, m margin) (part, text string, err error) {
	for _, r := range related {
		if r.ID == m.id && r.Kind == m.kind {
			part = r.Target
		}
	}
	if part == "" {
		return "", "", fmt.Errorf("the text refers to %s %q, which the document does not have", m.kind, m.id)
	}
	if x.Decoder, err = x.pack.XML(part); err != nil {
		return "", "", err
	}
	if x.related, err = x.pack.Relations(part); err != nil {
		return "", "", err
	}
	x.push()
	err = x.eachWord(func(xml.StartElement) error { return x.readStory() })
	return part, x.pop(), err
}

// checkComments reads the comments through, where the text refers to some. They are not
// part of the text; that they are damaged is a fact.
func (x *docx) checkComments(part string) {
	if x.counts["comments"] == 0 || part == "" || !x.pack.Has(part) {
		return
	}
	d, err := x.pack.XML(part)
	if err == nil {
		err = d.Each(func(_ xml.StartElement, chars []byte) error {
			if chars != nil {
				return nil
			}
			return d.Skip()
		})
	}
	if err != nil {
		x.unread("comments", err)
	}
}
