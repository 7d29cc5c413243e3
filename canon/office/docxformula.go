package office

import "encoding/xml"

// enclose writes signs around what an element of a formula holds.
func (x *docx) enclose(open, end string, read func() error) error {
	x.text(open)
	err := read()
	x.text(end)
	return err
}

// root writes a root of a formula, its degree raised before it.
func (x *docx) root() error {
	return x.Each(func(e xml.StartElement, chars []byte) error {
		switch {
		case chars != nil:
			return nil
		case e.Name.Local == "deg":
			return x.writeRaised(above, x.children)
		case e.Name.Local == "e":
			return x.enclose("√(", ")", x.children)
		}
		return x.Skip()
	})
}
