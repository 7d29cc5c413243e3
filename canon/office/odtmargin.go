package office

import (
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
)

// standardPage is the master page of a document that names none.
const standardPage = "Standard"

// pages are the master pages of a document, whose headers and footers its pages have.
type pages struct {
	follow map[string]string // the page behind each, by name; itself where none is named
	begun  []string          // that paragraphs and tables of the text begin
	first  bool              // a paragraph or table was read
	styles styles            // those of styles.xml alone
}

// listPages reads the names of the master pages.
func (x *odt) listPages() error {
	if x.pages.follow == nil {
		x.pages.follow = map[string]string{}
	}
	return x.each(func(e xml.StartElement) error {
		if odfSpace(e) == odfStyle && e.Name.Local == "master-page" {
			if len(x.pages.follow) == maxMargins {
				return fmt.Errorf("the document has more than %d master pages", maxMargins)
			}
			x.pages.follow[odfAttr(e, "name")] = odfAttr(e, "next-style-name")
		}
		return x.Skip()
	})
}

// turnPage notes the master page that a paragraph or a table of the body begins.
func (x *odt) turnPage(family, name string) {
	if len(x.outer) > 0 || x.isSilent() {
		return
	}
	page := ""
	for st := range x.styles.chain(family, name) {
		if page = st.page; page != "" {
			break
		}
	}
	if page == "" && !x.pages.first {
		page = standardPage
	}
	x.pages.first = true
	for page != "" && !slices.Contains(x.pages.begun, page) {
		next, ok := x.pages.follow[page]
		if !ok {
			return
		}
		x.pages.begun = append(x.pages.begun, page)
		page = next
	}
}

// writeMargins writes the headers and footers of the master pages that the text begins after all
// other text, each text once.
func (x *odt) writeMargins() error {
	texts := map[string][]string{} // by kind
	err := x.each(func(root xml.StartElement) error {
		return x.each(func(e xml.StartElement) error {
			if odfSpace(e) != odfOffice || e.Name.Local != "master-styles" {
				return x.Skip()
			}
			return x.each(func(e xml.StartElement) error {
				if odfSpace(e) != odfStyle || e.Name.Local != "master-page" || !slices.Contains(x.pages.begun, odfAttr(e, "name")) {
					return x.Skip()
				}
				return x.each(func(e xml.StartElement) error { return x.readMargin(e, texts) })
			})
		})
	})
	for _, kind := range []string{"header", "footer"} {
		for _, text := range texts[kind] {
			x.count(kind + "s")
			x.block("⟦" + kind + "⟧\n" + text)
		}
	}
	if err != nil {
		return err
	}
	return x.err
}

// readMargin adds the text of a header or a footer of a master page to those of its kind:
// of style:header, of its forms for first and for left pages, and so of footers.
func (x *odt) readMargin(e xml.StartElement, texts map[string][]string) error {
	kind, on, _ := strings.Cut(e.Name.Local, "-")
	if kind != "header" && kind != "footer" || on != "" && on != "left" && on != "first" || odfAttr(e, "display") == "false" {
		return x.Skip()
	}
	text, err := x.readApart(x.children)
	if err == nil && text != "" && !slices.Contains(texts[kind], text) {
		texts[kind] = append(texts[kind], text)
	}
	return err
}
