package office

import (
	"encoding/xml"
	"strconv"
	"strings"

	"muniment/canon/office/docpack"
	"muniment/canon/read"
)

// A rise is the position of characters: raised above the line, lowered below it, or as unstated as
// a style leaves it.
type rise uint8

const (
	onLine rise = iota
	above
	below
	baseline // stated to be on the line
)

// form writes a run at this position.
func (r rise) form(run string) string {
	switch r {
	case above:
		return read.Superscript(run)
	case below:
		return read.Subscript(run)
	}
	return run
}

// endRun writes the raised, lowered or struck run that ends here in its form. What
// neighbouring runs of a document raise and strike alike is one run.
func (w *writer) endRun() {
	s := w.story
	if s.rising == above || s.rising == below || s.strike {
		from := min(s.from, len(s.out)) // blanks before it may have gone
		run := string(s.out[from:])
		form := s.rising.form(run)
		if s.strike {
			form = read.Marked(read.Struck, form)
		}
		w.charge(len(form) - len(run))
		s.out = append(s.out[:from], form...)
	}
	s.rising, s.strike = onLine, false
}

// writeRaised reads an element that is above or below the line as a whole.
func (w *writer) writeRaised(r rise, read func() error) error {
	w.push()
	err := read()
	text := r.form(w.pop())
	if !w.isSilent() {
		w.charge(len(text))
		w.inline(text)
	}
	return err
}

// riseOf reads where DOCX sets characters: by w:vertAlign, or higher or lower
// by w:position, which says nothing where the other does.
func riseOf(known rise, e xml.StartElement) rise {
	val := docpack.Attr(e, "val")
	if e.Name.Local == "position" {
		n, err := strconv.Atoi(val)
		switch {
		case err != nil || known == above || known == below:
		case n > 0:
			return above
		case n < 0:
			return below
		default:
			return baseline
		}
		return known
	}
	switch val {
	case "superscript":
		return above
	case "subscript":
		return below
	case "baseline":
		if known == onLine {
			return baseline
		}
	}
	return known
}

// textPosition reads where OpenDocument sets characters: a word or a part of
// the height, and their size.
func textPosition(val string) rise {
	place, _, _ := strings.Cut(strings.TrimSpace(val), " ")
	switch place {
	case "super":
		return above
	case "sub":
		return below
	}
	part, err := strconv.ParseFloat(strings.TrimSuffix(place, "%"), 64)
	switch {
	case err != nil:
		return onLine
	case part > 0:
		return above
	case part < 0:
		return below
	}
	return baseline
}

// rise returns the statement of a style about raised and lowered text.
func (s styles) rise(id, kind string) rise {
	for st := range s.chain(kind, id) {
		if st.rise != onLine {
			return st.rise
		}
	}
	return onLine
}
