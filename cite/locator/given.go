package locator

import "fmt"

// Given reads what can be understood of a locator that a caller wrote as a JSON
// object of any members: page, a number or such a string as "24" or "24-25", or
// page_start and page_end with perhaps char_offset_start and char_offset_end;
// and section. Other members are the caller's own and pass, and so does a page
// that is a label, as "xii". Only a member of the wrong type, or numbers that
// cannot be, are errors. Which run the caller cites is decided by the quote:
// the result is for comparing with it, and a difference is a note.
func Given(data []byte) (List, error) {
	in, err := members(data)
	if err != nil {
		return nil, fmt.Errorf("locator: %w", err)
	}
	p, err := givenPages(in)
	if err == nil && p != nil {
		err = p.Check()
	}
	var section string
	if err == nil {
		err = in.read("section", &section, false)
	}
	if err != nil {
		return nil, fmt.Errorf("locator: %w", err)
	}
	var all List
	if p != nil {
		all = append(all, *p)
	}
	if section != "" {
		all = append(all, Section{section})
	}
	return all, nil
}

func givenPages(in object) (*Pages, error) {
	var p Pages
	if in["page_start"] == nil {
		var label string
		switch {
		case in["page_end"] != nil:
			return nil, fmt.Errorf("page_end without page_start")
		case in["page"] == nil:
			return nil, nil
		case in.read("page", &label, true) == nil:
			if l, err := Parse("page:" + label); err == nil {
				p = l.(Pages)
				return &p, nil
			}
			return nil, nil
		}
		if err := in.read("page", &p.From, true); err != nil {
			return nil, err
		}
		p.To = p.From
		return &p, nil
	}
	if err := in.read("page_start", &p.From, true); err != nil {
		return nil, err
	}
	p.To = p.From
	if err := in.read("page_end", &p.To, false); err != nil {
		return nil, err
	}
	if err := in.read("char_offset_start", &p.Start, false); err != nil {
		return nil, err
	}
	if err := in.read("char_offset_end", &p.End, false); err != nil {
		return nil, err
	}
	if p.Exact = in["char_offset_start"] != nil && in["char_offset_end"] != nil; !p.Exact {
		p.Start, p.End = 0, 0
	}
	return &p, nil
}

// Object writes p as the members that Given reads.
func (p Pages) Object() map[string]int {
	switch {
	default:
		return map[string]int{"page_start": p.From, "page_end": p.To}
	case p.Exact:
		return map[string]int{"page_start": p.From, "page_end": p.To, "char_offset_start": p.Start, "char_offset_end": p.End}
	case p.From == p.To:
		return map[string]int{"page": p.From}
	}
}
