package office

import (
	"encoding/xml"
	"fmt"

	"muniment/canon/office/docpack"
)

// writeNotes writes the notes of one kind that the text refers to.
func (x *docx) writeNotes(c *docpack.Pack, part string, kind int) error {
	list := &x.notes[kind]
	if len(list.order) == 0 {
		return nil
	}
	element, fact := "footnote", "footnotes"
	if kind == 1 {
		element, fact = "endnote", "endnotes"
	}
	if part == "" {
		return fmt.Errorf("the text refers to %s, and the document has none", fact)
	}
	d, err := c.XML(part)
	if err != nil {
		return err
	}
	x.Decoder = d
	texts := map[string]string{}
	err = x.Each(func(root xml.StartElement, chars []byte) error {
		if chars != nil {
			return nil
		}
		return x.Each(func(e xml.StartElement, chars []byte) error {
			if chars != nil {
				return nil
			}
			id := docpack.Attr(e, "id")
			_, double := texts[id]
			if space(e.Name.Space) != spaceWord || e.Name.Local != element || !list.known[id] || double {
				return x.Skip()
			}
			x.push()
			err := x.readStory()
			texts[id] = x.pop()
			return err
		})
	})
	if err != nil {
		return err
	}
	for _, id := range list.order {
		text, ok := texts[id]
		if !ok {
			return fmt.Errorf("the text refers to %s %q, which %s does not have", element, id, part)
		}
		x.count(fact)
		x.block(text)
	}
	return x.err
}
