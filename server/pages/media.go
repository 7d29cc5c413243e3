package pages

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"muniment/cite"
	"muniment/engine"
	"muniment/server"
)

// A place is where an address points in an artifact.
type place struct {
	span   string // of the text
	time   string // of a recording: a second, or two with a comma between
	region string // of a picture: x,y,width,height, of pixels or percent
	host   string // scheme and host of the address; "" in a site
}

// A Picture is the ground on which cited regions are drawn.
type Picture struct {
	Width, Height float64 // in pixels; 0 where the record does not say
	Regions       []Region
}

// A Region is a rectangle of a picture.
type Region struct {
	X, Y, Width, Height float64
	Words               string // what the region is, for those who do not see it
	Fragment            string // xywh=… of the W3C
	Cited               int64  // number of the citation; 0 for the region that the address asks for
}

// A Moment is a time of a recording on which a citation rests.
type Moment struct {
	Link  string
	Words string
	Cited int64
}

// MediaCite is a region or a time, ready to be cited.
type MediaCite struct {
	Link       string                   `json:"link"`
	Selector   string                   `json:"selector"` // a media fragment of the W3C
	References []server.StyledReference `json:"references"`
	Annotation map[string]any           `json:"annotation"`
}

// onItsSide is the first EXIF orientation that a browser shows turned by a quarter.
const onItsSide = 5

// pictureOf returns the cited regions of a picture, and the one that the address asks for.
func pictureOf(p *server.Paper, asked string) Picture {
	facts := map[string]float64{}
	for _, f := range p.Facts {
		if n, err := strconv.ParseFloat(f.Value, 64); err == nil {
			facts[f.Name] = n
		}
	}
	out := Picture{Width: facts["width"], Height: facts["height"]}
	if facts["orientation"] >= onItsSide {
		out.Width, out.Height = out.Height, out.Width
	}
	for _, c := range p.Citations {
		if r, ok := parseRegion(partsOf(&c).region, out.Width, out.Height); ok {
			r.Cited = c.CitationID
			out.Regions = append(out.Regions, r)
		}
	}
	if r, ok := parseRegion(asked, out.Width, out.Height); ok {
		out.Regions = append(out.Regions, r)
	}
	if out.Width == 0 || out.Height == 0 { // regions of percent alone: any ground will do
		out.Width, out.Height = 100, 100
	}
	return out
}

// parseRegion reads x,y,width,height of a picture, as the fragment xywh of the W3C writes them: pixels, or after
// "percent:" parts of a hundred. What lies outside of the picture is cut off.
func parseRegion(s string, width, height float64) (Region, bool) {
	for _, begin := range []string{"region:", "xywh=", "xywh:", "pixel:"} {
		s = strings.TrimPrefix(s, begin)
	}
	s, ofHundred := strings.CutPrefix(s, "percent:")
	fields := strings.Split(s, ",")
	if len(fields) != 4 {
		return Region{}, false
	}
	var n [4]float64
	for i, f := range fields {
		v, err := strconv.ParseFloat(strings.TrimSpace(f), 64)
		if err != nil || !(v >= 0 && v < 1<<31) {
			return Region{}, false
		}
		n[i] = v
	}
	words := fmt.Sprintf("%g wide and %g high, %g from the left and %g from the top, in pixels", n[2], n[3], n[0], n[1])
	fragment := fmt.Sprintf("xywh=%g,%g,%g,%g", n[0], n[1], n[2], n[3])
	known := width > 0 && height > 0
	switch {
	case ofHundred:
		words = fmt.Sprintf("%g%% wide and %g%% high, %g%% from the left and %g%% from the top", n[2], n[3], n[0], n[1])
		fragment = strings.Replace(fragment, "=", "=percent:", 1)
		if !known {
			width, height = 100, 100
		}
		n = [4]float64{n[0] * width / 100, n[1] * height / 100, n[2] * width / 100, n[3] * height / 100}
	case !known:
		return Region{}, false
	}
	r := Region{X: n[0], Y: n[1], Width: min(n[2], width-n[0]), Height: min(n[3], height-n[1]), Words: words, Fragment: fragment}
	return r, r.Width > 0 && r.Height > 0
}

// parseTime reads the seconds of a time of a recording: 12, or 12,15.5.
func parseTime(s string) (from, to float64, ok bool) {
	first, last, two := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(s, "t="), "npt:"), ",")
	read := func(s string) (float64, bool) {
		v, err := strconv.ParseFloat(strings.TrimSuffix(s, "s"), 64)
		return v, err == nil && v >= 0 && v < 1<<31
	}
	if from, ok = read(cmp.Or(first, "0")); !ok || !two {
		return from, 0, ok && first != ""
	}
	to, ok = read(last)
	return from, to, ok && to > from
}

// fragmentOfTime returns a time as the fragment of an address.
func fragmentOfTime(from, to float64) string {
	if to > 0 {
		return fmt.Sprintf("t=%g,%g", from, to)
	}
	return fmt.Sprintf("t=%g", from)
}

// clock returns seconds as people say them: 1:02:05, 2:05.5.
func clock(seconds float64) string {
	whole := int(math.Floor(seconds))
	out := fmt.Sprintf("%d:%02d", whole/60, whole%60)
	if whole >= 3600 {
		out = fmt.Sprintf("%d:%02d:%02d", whole/3600, whole/60%60, whole%60)
	}
	if part := seconds - float64(whole); part > 0 {
		out += strings.TrimPrefix(strconv.FormatFloat(part, 'f', 1, 64), "0")
	}
	return out
}

// momentsOf returns the times of a recording on which citations rest.
func momentsOf(p *server.Paper, address func(query string) string) []Moment {
	var out []Moment
	for _, c := range p.Citations {
		from, to, ok := parseTime(partsOf(&c).time)
		if !ok {
			continue
		}
		m := Moment{Link: address(fragmentOfTime(from, to)), Words: clock(from), Cited: c.CitationID}
		if to > 0 {
			m.Words += " to " + clock(to)
		}
		out = append(out, m)
	}
	return out
}

// partsOf returns the time and the region of a recording or a picture on which a
// citation rests: those of its span, or else those of its caller's locator.
func partsOf(c *engine.CitationInfo) place {
	m, err := cite.ParseMediaSpan(c.Span)
	if err != nil {
		return place{time: locatorText(c.Locator, "time", "t", "seconds"), region: locatorText(c.Locator, "region", "xywh")}
	}
	var at place
	for part := range strings.SplitSeq(m.Fragment(), "&") {
		if t, ok := strings.CutPrefix(part, "t="); ok {
			at.time = t
		} else {
			at.region = part
		}
	}
	return at
}

// A CitedMedium is the picture or the recording of a citation, with what is cited of it.
type CitedMedium struct {
	Media   string // image, audio or video
	Played  string // its address, with the time that is cited
	Label   string
	Words   string // what is cited of it, for those who do not see or hear it
	Picture Picture
}

// citedMedium returns the picture or recording on the page of a citation, nil where the reader may
// not see it or the browser does not show it.
func (s *source) citedMedium(ctx context.Context, c engine.CitationInfo) *CitedMedium {
	m, err := cite.ParseMediaSpan(c.Span)
	if err != nil || !s.links.Has(c.Artifact) {
		return nil
	}
	paper, err := s.client.Paper(ctx, server.PaperRequest{Artifact: c.Artifact})
	if err != nil || paper.Media == "" {
		return nil
	}
	paper.Citations = nil
	out := &CitedMedium{Media: paper.Media, Label: s.words().label(paper.Holding), Words: m.Words(), Played: s.played(&paper.Holding)}
	if m.HasTime() {
		out.Played += "#" + cite.MediaSpan{Start: m.Start, End: m.End}.Fragment()
	}
	if m.HasRegion() {
		out.Picture = pictureOf(paper, partsOf(&c).region)
	}
	return out
}

// played returns the address of the bytes of a picture or a recording.
func (s *source) played(h *server.Holding) string {
	if s.links.static {
		return s.links.root + mediaName(h.ID, h.MediaType)
	}
	return s.links.Original(h.ID)
}

// locatorText returns the first of the members of a locator that is there, as text.
func locatorText(locator map[string]any, members ...string) string {
	for _, name := range members {
		switch v := locator[name].(type) {
		case string:
			return v
		case float64:
			return strconv.FormatFloat(v, 'f', -1, 64)
		}
	}
	return ""
}

// mediaCiteOf returns the part of a picture or a recording that an address names, ready to be cited, nil for none.
func mediaCiteOf(p *server.Paper, at place) *MediaCite {
	selector, words := "", ""
	if from, to, ok := parseTime(at.time); ok && p.Media != "image" {
		selector, words = fragmentOfTime(from, to), "at "+clock(from)
	}
	if r, ok := parseRegion(at.region, math.MaxInt32, math.MaxInt32); ok && p.Media != "audio" {
		selector, words = r.Fragment, "region "+strings.TrimPrefix(r.Fragment, "xywh=")
	}
	if selector == "" {
		return nil
	}
	address := at.host + "/s/" + strconv.FormatInt(p.Snapshot, 10) + "/a/" + p.ID
	out := &MediaCite{Link: address + "?" + selector + "#" + selector, Selector: selector, References: referencesAt(p, words)}
	out.Annotation = map[string]any{"@context": "http://www.w3.org/ns/anno.jsonld", "type": "Annotation", "motivation": "highlighting",
		"target": map[string]any{"source": address, "selector": map[string]any{"type": "FragmentSelector", "conformsTo": "http://www.w3.org/TR/media-frags/", "value": selector}}}
	return out
}
