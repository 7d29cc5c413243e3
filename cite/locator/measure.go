package locator

import (
	"fmt"
	"strconv"
	"strings"

	"muniment/cite"
)

// Milli is a length in points or a time in seconds, in thousandths.
type Milli int64

// String writes m without trailing zeros: 12, 12.5, 0.025.
func (m Milli) String() string {
	s := strconv.FormatInt(int64(m)/1000, 10)
	if part := int64(m) % 1000; part != 0 {
		s += "." + strings.TrimRight(fmt.Sprintf("%03d", part), "0")
	}
	return s
}

// parseMilli reads what String writes for numbers from 0 to cite.MaxNumber.
func parseMilli(s string) (Milli, error) {
	whole, part, dot := strings.Cut(s, ".")
	n, err := digits(whole)
	if err != nil {
		return 0, err
	}
	m := Milli(n) * 1000
	if dot {
		if len(part) > 3 {
			return 0, fmt.Errorf("%q has more than three decimals", clip(s))
		}
		n, err := digits(part)
		if err != nil {
			return 0, err
		}
		for range 3 - len(part) {
			n *= 10
		}
		m += Milli(n)
	}
	return m, nil
}

// maxMilli is the largest length or time.
const maxMilli = Milli(cite.MaxNumber) * 1000

// A Box is a rectangle on a page, from the page's top left corner, in points
// of 1/72 inch.
type Box struct {
	Page                     int // from 1
	Left, Top, Width, Height Milli
}

func (b Box) String() string {
	return fmt.Sprintf("%d:%v,%v,%v,%v", b.Page, b.Left, b.Top, b.Width, b.Height)
}

// Boxes are the rectangles that a run covers, in reading order.
type Boxes []Box

// String returns box:24:72,90,200,14.5, with a semicolon between boxes.
func (b Boxes) String() string {
	all := make([]string, len(b))
	for i, one := range b {
		all[i] = one.String()
	}
	return "box:" + strings.Join(all, ";")
}

// Check wants at least one box, and of each a page from 1, a place that is not
// negative and a size above 0.
func (b Boxes) Check() error {
	if len(b) == 0 {
		return fmt.Errorf("no box")
	}
	for i, one := range b {
		if one.Page < 1 || one.Page > cite.MaxNumber {
			return fmt.Errorf("box %d: page %d, want at least 1", i+1, one.Page)
		}
		if one.Left < 0 || one.Top < 0 || one.Width < 1 || one.Height < 1 || max(one.Left, one.Top, one.Width, one.Height) > maxMilli+999 {
			return fmt.Errorf("box %d: %v, want a place of at least 0 and a size above 0", i+1, one)
		}
	}
	return nil
}

func parseBoxes(s string) (Boxes, error) {
	var all Boxes
	for part := range strings.SplitSeq(s, ";") {
		page, rest, ok := strings.Cut(part, ":")
		if !ok {
			return nil, fmt.Errorf("%q: no colon behind the page", clip(part))
		}
		n, err := number(page, 1)
		if err != nil {
			return nil, fmt.Errorf("page: %w", err)
		}
		b, err := parseBox(n, rest)
		if err != nil {
			return nil, err
		}
		all = append(all, b)
	}
	return all, nil
}

// parseBox reads left,top,width,height.
func parseBox(page int, s string) (Box, error) {
	b := Box{Page: page}
	parts := strings.Split(s, ",")
	if len(parts) != 4 {
		return Box{}, fmt.Errorf("%d numbers, want left,top,width,height", len(parts))
	}
	for i, to := range []*Milli{&b.Left, &b.Top, &b.Width, &b.Height} {
		m, err := parseMilli(parts[i])
		if err != nil {
			return Box{}, err
		}
		*to = m
	}
	return b, nil
}

// Times is a range of a recording, in seconds, half-open.
type Times struct{ Start, End Milli }

// String returns time:12.5-14.
func (t Times) String() string { return fmt.Sprintf("time:%v-%v", t.Start, t.End) }

// Check wants a range that is not empty.
func (t Times) Check() error {
	if t.Start < 0 || t.End <= t.Start || t.End > maxMilli+999 {
		return fmt.Errorf("from %v to %v seconds, want an end after its start", t.Start, t.End)
	}
	return nil
}

func parseTimes(s string) (Times, error) {
	left, right, ok := strings.Cut(s, "-")
	if !ok {
		return Times{}, fmt.Errorf("no hyphen between start and end")
	}
	start, err := parseMilli(left)
	if err != nil {
		return Times{}, err
	}
	end, err := parseMilli(right)
	if err != nil {
		return Times{}, err
	}
	return Times{start, end}, nil
}

// A Region is a rectangle of a picture or film, from its top left corner, in
// pixels or in per cent of its size.
type Region struct {
	Percent                  bool
	Left, Top, Width, Height int
}

// String returns region:160,120,320,240 or region:percent:25,25,50,50.
func (r Region) String() string {
	unit := ""
	if r.Percent {
		unit = "percent:"
	}
	return fmt.Sprintf("region:%s%d,%d,%d,%d", unit, r.Left, r.Top, r.Width, r.Height)
}

// Check wants a size above 0, and in per cent a region inside the picture.
func (r Region) Check() error {
	switch {
	case r.Left < 0 || r.Top < 0 || r.Width < 1 || r.Height < 1 || max(r.Left, r.Top, r.Width, r.Height) > cite.MaxNumber:
		return fmt.Errorf("%d,%d,%d,%d, want a place of at least 0 and a size above 0", r.Left, r.Top, r.Width, r.Height)
	case r.Percent && (r.Left+r.Width > 100 || r.Top+r.Height > 100):
		return fmt.Errorf("%d,%d,%d,%d per cent reaches beyond the picture", r.Left, r.Top, r.Width, r.Height)
	}
	return nil
}

func parseRegion(s string) (Region, error) {
	var r Region
	s, r.Percent = strings.CutPrefix(s, "percent:")
	parts := strings.Split(s, ",")
	if len(parts) != 4 {
		return Region{}, fmt.Errorf("%d numbers, want left,top,width,height", len(parts))
	}
	for i, to := range []*int{&r.Left, &r.Top, &r.Width, &r.Height} {
		n, err := digits(parts[i])
		if err != nil {
			return Region{}, err
		}
		*to = n
	}
	return r, nil
}
