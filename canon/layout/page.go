package layout

import (
	"slices"
	"strconv"
	"strings"

	"muniment/canon/read"
)

// parsePAGE reads PAGE, the format of PRImA, of any of its dates.
func parsePAGE(in read.Input) (*scan, error) {
	root, charset, err := tree(in)
	if err != nil {
		return nil, err
	}
	s := &scan{charset: charset}
	root.each(func(n *node) bool {
		switch n.name {
		case "Creator":
			if by := strings.TrimSpace(n.all()); by != "" {
				s.by = append(s.by, by)
			}
		case "Page":
			if s.image == "" {
				s.image = n.attrs["imageFilename"]
			}
			s.pages = append(s.pages, s.pagePage(n))
			return false
		}
		return true
	})
	return s, nil
}

// pagePage returns the regions of a page of PAGE with text in its reading order; those
// that the order does not name come last.
func (s *scan) pagePage(n *node) page {
	var regions []*node
	n.each(func(c *node) bool {
		if c.name == "TextRegion" {
			regions = append(regions, c)
		}
		return true
	})
	place := map[string]int{} // by the id of a region
	if order := n.first("ReadingOrder"); order != nil {
		order.each(func(c *node) bool {
			slices.SortStableFunc(c.children, func(a, b *node) int { return pageIndex(a) - pageIndex(b) })
			if id := c.attrs["regionRef"]; id != "" {
				if _, known := place[id]; !known {
					place[id] = len(place) + 1
				}
			}
			return true
		})
	}
	rank := func(r *node) int {
		if at := place[r.attrs["id"]]; at > 0 {
			return at
		}
		return len(place) + 1
	}
	slices.SortStableFunc(regions, func(a, b *node) int { return rank(a) - rank(b) })
	var p page
	for _, r := range regions {
		p = append(p, s.pageRegion(r))
	}
	return p
}

// pageIndex returns the place of a member of an ordered group.
func pageIndex(n *node) int {
	i, err := strconv.Atoi(n.attrs["index"])
	if err != nil || i < 0 || i > maxPlace {
		return 0
	}
	return i
}

// pageRegion returns the lines of a region or, where it has none, those of its own text.
func (s *scan) pageRegion(n *node) []line {
	var block []line
	for _, c := range n.children {
		if c.name == "TextLine" {
			block = append(block, line{s.pageText(c), pageBox(c)})
		}
	}
	if block == nil {
		for one := range strings.Lines(s.pageText(n)) {
			block = append(block, line{one, pageBox(n)})
		}
	}
	return block
}

// pageText returns the text of an element of PAGE, else that of the words in it. Of
// several readings the one with the lowest index is taken.
func (s *scan) pageText(n *node) string {
	var best *node
	for _, c := range n.children {
		if c.name == "TextEquiv" && (best == nil || pageIndex(c) < pageIndex(best)) {
			best = c
		}
	}
	if best != nil {
		if u := best.first("Unicode"); u != nil && strings.TrimSpace(u.all()) != "" {
			s.see(best.attrs["conf"], 1)
			return u.all()
		}
	}
	var words []string
	for _, c := range n.children {
		if c.name == "Word" {
			words = append(words, s.pageText(c))
		}
	}
	return strings.Join(words, " ")
}

// pageBox returns the box around the outline of an element of PAGE.
func pageBox(n *node) Box {
	coords := n.first("Coords")
	if coords == nil {
		return Box{}
	}
	var xs, ys []int
	for pair := range strings.FieldsSeq(coords.attrs["points"]) {
		if x, y, ok := strings.Cut(pair, ","); ok {
			xs, ys = append(xs, number(x)), append(ys, number(y))
		}
	}
	for _, c := range coords.children { // until 2010
		if c.name == "Point" {
			xs, ys = append(xs, number(c.attrs["x"])), append(ys, number(c.attrs["y"]))
		}
	}
	if len(xs) == 0 {
		return Box{}
	}
	x, y := slices.Min(xs), slices.Min(ys)
	return Box{x, y, slices.Max(xs) - x, slices.Max(ys) - y}
}
