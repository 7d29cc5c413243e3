package sourcemeta

import (
	"slices"
	"strings"
)

// modsText returns the text of an element of MODS, on one line: of a name its parts as a list of
// names has them, of a title its parts with their marks, else its characters.
func (n *node) modsText() string {
	first := func(name string) string {
		var out []string
		for _, c := range n.at([]string{name}) {
			if t := c.text(); t != "" {
				out = append(out, t)
			}
		}
		return strings.Join(out, ", ")
	}
	switch n.name.Local {
	case "name":
		return n.modsName()
	case "titleInfo":
		title := strings.TrimSpace(first("nonSort") + " " + first("title"))
		for _, part := range []struct{ before, text string }{{": ", first("subTitle")}, {". ", first("partNumber")}, {". ", first("partName")}} {
			if part.text != "" {
				title += part.before + part.text
			}
		}
		return title
	}
	return n.text()
}

// modsName returns a name of MODS: the family name before the given one. Dates and titles
// of the person are no part of it.
func (n *node) modsName() string {
	var family, given, rest []string
	for _, p := range n.at([]string{"namePart"}) {
		switch text := p.text(); p.attribute("type") {
		case "family":
			family = append(family, text)
		case "given":
			given = append(given, text)
		case "":
			rest = append(rest, text)
		}
	}
	parts := slices.DeleteFunc([]string{strings.Join(family, " "), strings.Join(given, " ")}, func(s string) bool { return s == "" })
	return strings.Join(append(parts, rest...), ", ")
}

// modsSpans returns the spans of time whose ends MODS states each by itself.
func (n *node) modsSpans() (out []string) {
	for _, origin := range n.at([]string{"originInfo"}) {
		for _, name := range []string{"dateCreated", "dateIssued", "copyrightDate"} {
			ends := map[string]string{}
			for _, d := range origin.at([]string{name}) {
				ends[d.attribute("point")] = d.text()
			}
			if ends["start"] != "" && ends["end"] != "" {
				out = append(out, ends["start"]+"/"+ends["end"])
			}
		}
	}
	return out
}
