package office

import (
	"cmp"
	"encoding/xml"
	"strconv"
	"unicode"
	"unicode/utf8"

	"muniment/canon/office/docpack"
)

// How check boxes are written.
const (
	boxEmpty = "☐"
	boxTaken = "☒"
)

// maxEntries is the number of entries of a drop-down list of a form; Word allows 25.
const maxEntries = 1000

// boxOf returns how a check box is written.
func boxOf(checked bool) string {
	if checked {
		return boxTaken
	}
	return boxEmpty
}

// boxFor replaces the glyph of a check box, which is the first character of its control, by its
// box, and returns the other words of the control; outside of a check box it returns the text.
func (x *docx) boxFor(text string) string {
	if x.check == "" || text == "" || x.checked {
		return text
	}
	if !x.isSilent() {
		x.checked = true
	}
	glyph, n := utf8.DecodeRuneInString(text)
	if n < len(text) && (unicode.IsLetter(glyph) || unicode.IsDigit(glyph)) { // a control without a glyph
		return x.check + " " + text
	}
	return x.check + text[n:]
}

// control writes a content control: a check box as its state, and nothing for a hint without a
// value.
func (x *docx) control() error {
	check, checked := x.check, x.checked
	hint := false
	err := x.Each(func(e xml.StartElement, chars []byte) error {
		switch {
		case chars != nil:
			return nil
		case space(e.Name.Space) == spaceWord && e.Name.Local == "sdtPr":
			return x.Each(func(e xml.StartElement, chars []byte) error {
				switch {
				case chars != nil:
					return nil
				case e.Name.Local == "showingPlcHdr" && space(e.Name.Space) == spaceWord:
					hint = readToggle(e) == yes
				case e.Name.Local == "checkbox" && e.Name.Space == spaceWord2010:
					state, err := x.checkBox()
					x.check, x.checked = boxOf(state), false
					return err
				}
				return x.Skip()
			})
		case hint && e.Name.Local == "sdtContent":
			x.countShown("hints")
			x.mute++
			err := x.element(e)
			x.mute--
			return err
		}
		return x.element(e)
	})
	x.check, x.checked = check, checked
	return err
}

// spaceWord2010 is the name space of check boxes among content controls.
const spaceWord2010 = "http://schemas.microsoft.com/office/word/2010/wordml"

// checkBox reads whether a check box is checked: as it says, else as it was at first.
func (x *docx) checkBox() (bool, error) {
	state, initial := unstated, unstated
	err := x.Each(func(e xml.StartElement, chars []byte) error {
		if chars != nil {
			return nil
		}
		switch e.Name.Local {
		case "checked":
			state = readToggle(e)
		case "default":
			initial = readToggle(e)
		}
		return x.Skip()
	})
	if state == unstated {
		state = initial
	}
	return state == yes, err
}

// A formField is what a field of a form shows where the document stores no result for
// it.
type formField struct {
	value   string
	written int // bytes before it
}

// formField follows the parts of a field and reads the field of a form that begins
// there.
func (x *docx) formField(kind string) error {
	open := len(x.fields)
	f := formField{written: x.written}
	err := x.Each(func(e xml.StartElement, chars []byte) (err error) {
		switch {
		case chars != nil:
			return nil
		case kind == "begin" && e.Name.Local == "ffData":
			f.value, err = x.formValue()
			return err
		}
		return x.Skip()
	})
	x.field(kind)
	switch {
	case len(x.fields) > open:
		x.forms = append(x.forms, f)
	case len(x.fields) < open:
		last := x.forms[len(x.forms)-1]
		if x.forms = x.forms[:len(x.forms)-1]; last.written == x.written {
			x.text(last.value)
		}
	}
	return err
}

// formValue returns the value of a field of a form: a box, or the entry that was
// chosen. The value of a field for text is the field's result.
func (x *docx) formValue() (value string, err error) {
	err = x.eachWord(func(e xml.StartElement) error {
		switch e.Name.Local {
		case "checkBox":
			state, err := x.checkBox()
			value = boxOf(state)
			return err
		case "ddList":
			value, err = x.chosenEntry()
			return err
		}
		return x.Skip()
	})
	return value, err
}

// chosenEntry returns the entry of a drop-down list that was chosen, else the initial one.
func (x *docx) chosenEntry() (string, error) {
	chosen, initial := "", "0"
	var entries []string
	err := x.eachWord(func(e xml.StartElement) error {
		v := docpack.Attr(e, "val")
		switch e.Name.Local {
		case "result":
			chosen = v
		case "default":
			initial = v
		case "listEntry":
			if len(entries) < maxEntries {
				entries = append(entries, v)
			}
		}
		return x.Skip()
	})
	chosen = cmp.Or(chosen, initial)
	if n, bad := strconv.Atoi(chosen); bad == nil && n >= 0 && n < len(entries) {
		return entries[n], err
	}
	return "", err
}
