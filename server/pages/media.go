package pages

import (
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

// parseRegion reads x,y,width,height of a picture, in pixels or after "percent:" in parts of a hundred, with or without
// the name of a fragment. What lies outside of the picture is cut off.
func parseRegion(s string, width, height float64) (Region, bool) {
	for _, begin := range []string{"region:", "xywh=", "xywh:"} {
		s = strings.TrimPrefix(s, begin)
	}
	m, err := cite.ReadMediaSpan("xywh=" + s)
	known := width > 0 && height > 0
	if err != nil || !known && !m.Percent {
		return Region{}, false
	}
	r := Region{X: float64(m.X), Y: float64(m.Y), Width: float64(m.W), Height: float64(m.H), Words: m.Words(), Fragment: m.Fragment()}
	if !known {
		width, height = 100, 100
	}
	if m.Percent {
		r.X, r.Y, r.Width, r.Height = r.X*width/100, r.Y*height/100, r.Width*width/100, r.Height*height/100
	}
	r.Width, r.Height = min(r.Width, width-r.X), min(r.Height, height-r.Y)
	return r, r.Width > 0 && r.Height > 0
}

// parseTime reads the seconds of a time of a recording, to of which is 0 for an open end: 12, or 12,15.5, or 0:12.
func parseTime(s string) (from, to float64, ok bool) {
	m, err := cite.ReadMediaSpan("t=" + strings.TrimPrefix(s, "t="))
	if m.End != cite.OpenEnd {
		to = float64(m.End) / 1000
	}
	return float64(m.Start) / 1000, to, err == nil && m.HasTime()
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
