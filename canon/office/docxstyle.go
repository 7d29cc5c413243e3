package office

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"strings"

	"muniment/canon/office/docpack"
)

// A statement is whether a document says that something is so.
type statement uint8

const (
	unstated statement = iota
	no
	yes
)

// readToggle reads a property that is on by being there.
func readToggle(e xml.StartElement) statement {
	if v := toggleValue(docpack.Attr(e, "val")); v != unstated {
		return v
	}
	return yes
}

// toggleValue returns the statement that a value of ST_OnOff makes.
func toggleValue(v string) statement {
	switch v {
	case "1", "true", "on":
		return yes
	case "0", "false", "off":
		return no
	}
	return unstated
}

// isHeading reports whether an outline level is one; 9 is body text.
func isHeading(level string) bool { return level != "" && level != "9" }

// outline returns the level of a heading, from 1; 0 for body text.
func outline(level string) int {
	if len(level) != 1 || level < "0" || level > "8" {
		return 0
	}
	return int(level[0]-'0') + 1
}

// builtinHeading returns the level of the styles that Word has built in under the names
// heading 1 to heading 9; some programs write them without an outline level.
func builtinHeading(name string) int {
	n, ok := strings.CutPrefix(strings.ToLower(name), "heading ")
	if !ok || len(n) != 1 || n < "1" || n > "9" {
		return 0
	}
	return int(n[0] - '0')
}

// styles are the properties of a document's styles for lists and hidden text.
type styles struct {
	byID     map[styleKey]style
	standard string // the paragraphs' style that states none
}

type styleKey struct{ kind, id string }

type style struct {
	base, number, level string
	numLevel            string
	section             int // 1 to 9 for the style that is named heading 1 to 9
	hidden, struck      statement
	rise                rise
	page                string // of OpenDocument: the master page that begins with the paragraph or table
}

// chain yields a style and those that it inherits from.
func (s styles) chain(kind, id string) func(yield func(style) bool) {
	return func(yield func(style) bool) {
		for range maxInherit {
			st, ok := s.byID[styleKey{kind, id}]
			if !ok || !yield(st) {
				return
			}
			id = st.base
		}
	}
}

// paragraph returns the paragraph properties of a style.
func (s styles) paragraph(id string) paragraph {
	id = cmp.Or(id, s.standard)
	number, numLevel, level, section := "", "", "", 0
	for st := range s.chain("paragraph", id) {
		if section == 0 && level == "" {
			section = st.section
		}
		number = cmp.Or(number, st.number)
		numLevel = cmp.Or(numLevel, st.numLevel)
		level = cmp.Or(level, st.level)
	}
	if level != "" {
		section = outline(level)
	}
	return paragraph{
		style: id, list: number != "" && number != "0", heading: isHeading(level), level: section,
		number: number, numLevel: -1, styleLevel: levelOf(numLevel),
	}
}

// hiddenText returns the statement of a style about hidden text.
func (s styles) hiddenText(id, kind string) statement {
	for st := range s.chain(kind, id) {
		if st.hidden != unstated {
			return st.hidden
		}
	}
	return unstated
}

// struck returns the statement of a style about struck text.
func (s styles) struck(id, kind string) statement {
	for st := range s.chain(kind, id) {
		if st.struck != unstated {
			return st.struck
		}
	}
	return unstated
}

// readStyles reads the part that defines the styles.
func readStyles(c *docpack.Pack, name string) (styles, error) {
	s := styles{byID: map[styleKey]style{}}
	if name == "" {
		return s, nil
	}
	d, err := c.XML(name)
	if err != nil {
		return s, err
	}
	x := docx{Decoder: d}
	err = x.eachWord(func(root xml.StartElement) error {
		return x.eachWord(func(e xml.StartElement) error {
			if e.Name.Local != "style" {
				return x.Skip()
			}
			if len(s.byID) == maxStyles {
				return fmt.Errorf("%s: more than %d styles", name, maxStyles)
			}
			key := styleKey{docpack.Attr(e, "type"), docpack.Attr(e, "styleId")}
			if key.kind == "paragraph" && toggleValue(docpack.Attr(e, "default")) == yes {
				s.standard = key.id
			}
			st, err := x.style()
			s.byID[key] = st
			return err
		})
	})
	return s, err
}

// style reads one style.
func (x *docx) style() (st style, err error) {
	err = x.eachWord(func(e xml.StartElement) error {
		switch e.Name.Local {
		case "name":
			st.section = builtinHeading(docpack.Attr(e, "val"))
		case "basedOn":
			st.base = docpack.Attr(e, "val")
		case "rPr":
			return x.eachWord(func(e xml.StartElement) error {
				switch e.Name.Local {
				case "vanish":
					st.hidden = readToggle(e)
				case "strike", "dstrike":
					st.struck = max(st.struck, readToggle(e))
				case "vertAlign", "position":
					st.rise = riseOf(st.rise, e)
				}
				return x.Skip()
			})
		case "pPr":
			return x.eachWord(func(e xml.StartElement) error {
				switch e.Name.Local {
				case "outlineLvl":
					st.level = docpack.Attr(e, "val")
				case "numPr":
					return x.eachWord(func(e xml.StartElement) error {
						switch e.Name.Local {
						case "numId":
							st.number = docpack.Attr(e, "val")
						case "ilvl":
							st.numLevel = docpack.Attr(e, "val")
						}
						return x.Skip()
					})
				}
				return x.Skip()
			})
		}
		return x.Skip()
	})
	return st, err
}
