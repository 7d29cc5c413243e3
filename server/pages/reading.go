package pages

import (
	"context"
	"slices"
	"strings"

	"muniment/cid"
	"muniment/server"
)

const maxFacetValues = 12 // values of a field that are listed beside the papers

// facetsOf returns the fields by which a list can be narrowed, with the values of what it selects. link
// returns the address of the list with another filter.
func facetsOf(list *server.HoldingList, ask Filter, l links, link func(Filter) string) []Facet {
	among := list
	if list.Among != nil {
		among = list.Among
	}
	var out []Facet
	for _, name := range []string{"kind", "decade", "creator", "to", "place", "tag", "series", "language"} {
		chosen := ask.Fields()[name]
		f, before := Facet{Name: "facet." + name, Open: len(out) < 2 || *chosen != ""}, *chosen
		for _, c := range *among.Counts()[name] {
			v := FacetValue{Of: name, Name: c.Name, Count: c.Count, Chosen: c.Name == before}
			if *chosen = c.Name; v.Chosen {
				*chosen = ""
			}
			if v.Link = l.Filtered(name, *chosen); !l.static {
				v.Link = link(ask)
			}
			f.Values = append(f.Values, v)
		}
		*chosen = before
		if len(f.Values) > maxFacetValues {
			f.More = len(f.Values) - maxFacetValues
			f.Values = f.Values[:maxFacetValues]
		}
		if len(f.Values) > 1 || len(f.Values) == 1 && (f.Values[0].Chosen || f.Values[0].Count < list.Total) { // one value of all narrows nothing
			out = append(out, f)
		}
	}
	return out
}

// arrange sets the path, the companions and the folds of the page of a paper: its facts by the fold that they are in.
func (s *source) arrange(p *Paper, at place) {
	if p.Series != "" {
		parts := strings.Split(p.Series, " › ")
		for i, name := range parts {
			p.Path = append(p.Path, Crumb{name, s.links.Filtered("series", strings.Join(parts[:i+1], " › "))})
		}
	}
	for _, c := range p.Companions {
		switch {
		case c.Paper == nil:
			p.Others = append(p.Others, c)
		case c.Relation == server.MadeInto && slices.ContainsFunc(p.Beside, func(r Reading) bool { return r.Relation == server.MadeInto }):
			p.Earlier = append(p.Earlier, Reading{Companion: c})
		default:
			p.Beside = append(p.Beside, s.reading(c, at, p.Media == ""))
		}
	}
	for _, f := range p.Facts {
		if _, err := cid.Parse(f.Value); err == nil || strings.HasPrefix(f.Value, "sha256:") || isID(f.Value) {
			p.Proofs = append(p.Proofs, f)
		} else {
			p.About = append(p.About, f)
		}
	}
	p.Pages = s.pagePictures(p.Info.ID, p.Kind, p.Original, p.Facts)
}

// isID reports whether a value is a list of ids, or a hash in hexadecimal digits.
func isID(value string) bool {
	fields := strings.Fields(value)
	return len(fields) > 0 && !slices.ContainsFunc(fields, func(s string) bool {
		_, err := cid.Parse(s)
		return err != nil && (len(s) < 40 || strings.Trim(s, "0123456789abcdef") != "")
	})
}

// reading returns a companion with its text and pictures.
func (s *source) reading(c server.Companion, at place, isOnly bool) Reading {
	r := Reading{Companion: c, Links: s.links, Only: isOnly, Text: blocksOf(c.Paper, "")}
	if c.Paper.Media != "" && c.Paper.Info.Size <= server.MaxMediaOnPage {
		r.Played = s.played(&c.Holding)
		if from, to, ok := parseTime(at.time); ok {
			r.Played += "#" + fragmentOfTime(from, to)
		}
	}
	r.Pages = s.pagePictures(c.ID, c.Kind, c.Paper.Original, c.Paper.Facts)
	return r
}

const (
	openings   = 12  // papers that are looked at for the first words of the first page
	maxOpening = 320 // code points of these
)

// introduce fills in whose papers the archive holds, of which years, and the first words of one.
func (s *source) introduce(ctx context.Context, h *Home) error {
	about, err := s.client.About(ctx)
	if err != nil {
		return err
	}
	h.About.About = *about
	h.Span.First, h.Span.Last = yearsOf(h.Years)
	list, err := s.client.Holdings(ctx, server.HoldingsRequest{Limit: openings})
	if err != nil {
		return err
	}
	for _, one := range list.Holdings {
		if lineForm(one.Kind) != "" || !s.links.Has(one.ID) {
			continue
		}
		p, err := s.client.Paper(ctx, server.PaperRequest{Artifact: one.ID})
		if err != nil {
			return err
		}
		words := openingOf(p)
		if words == one.Label() && p.Next != 0 { // a heading that is its title: the words follow
			if p, err = s.client.Paper(ctx, server.PaperRequest{Artifact: one.ID, From: p.Next}); err != nil {
				return err
			}
			words = openingOf(p)
		}
		if words != "" {
			h.FirstWords = &FirstWords{one, words}
			return nil
		}
	}
	return nil
}

// yearsOf returns the first and the last year that have papers, "" where no paper has a date.
func yearsOf(years []server.NamedCount) (first, last string) {
	for _, y := range years {
		if y.Name != "none" {
			if first == "" {
				first = strings.TrimLeft(y.Name, "0")
			}
			last = strings.TrimLeft(y.Name, "0")
		}
	}
	return first, last
}

// openingOf returns the first words of the longest of the first paragraphs that may be read: those
// before it are an address or a salutation.
func openingOf(p *server.Paper) string {
	best := ""
	for i, one := range p.Passages {
		if i < 4 && len(one.Names) == 0 && len(one.Text) > len(best) {
			best = one.Text
		}
	}
	words := []rune(strings.TrimSpace(best))
	if len(words) <= maxOpening {
		return string(words)
	}
	cut := string(words[:maxOpening])
	if at := strings.LastIndex(cut, " "); at > 0 {
		cut = cut[:at]
	}
	return cut + " …"
}
