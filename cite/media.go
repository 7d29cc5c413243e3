package cite

import (
	"fmt"
	"strconv"
	"strings"
)

// What begins a media span, and no other span.
const (
	TimePrefix   = "time:"
	RegionPrefix = "region:"
)

// OpenEnd is the End of a time that lasts as long as the recording. It has no
// place in a citation: Within replaces it by the duration.
const OpenEnd int64 = -1

// percent is the width and the height of a picture whose regions count in percent.
const percent = 100

// A MediaSpan is a fragment of a picture or a recording: a rectangle, a time, or in
// a moving picture both. Zero W is the whole picture, zero End the whole time.
type MediaSpan struct {
	Start, End int64 // milliseconds, half-open
	Percent    bool  // the region counts in percent of the picture, not in pixels
	X, Y, W, H int   // from the upper left corner of the picture as it is shown
}

// IsMediaSpan reports whether a text begins as a media span does, or as a fragment of
// W3C Media Fragments URI 1.0.
func IsMediaSpan(s string) bool {
	s = strings.TrimPrefix(s, "#")
	for _, prefix := range []string{TimePrefix, RegionPrefix, "t=", "xywh="} {
		if strings.HasPrefix(s, prefix) {
			return true
		}
	}
	return false
}

// HasTime reports whether the span names a time.
func (m MediaSpan) HasTime() bool { return m.End != 0 }

// HasRegion reports whether the span names a region.
func (m MediaSpan) HasRegion() bool { return m.W != 0 }

// ParseMediaSpan reads the one spelling of a media span: time:2-4.5,
// region:xywh=10,20,300,40, time:2-4&xywh=percent:5,5,20,20.
func ParseMediaSpan(s string) (MediaSpan, error) {
	m, err := parseMedia(s)
	if err == nil && m.End == OpenEnd {
		err = fmt.Errorf("number at the end is missing")
	}
	if err != nil {
		return MediaSpan{}, invalid(s, "%v", err)
	}
	if m.String() != s {
		return MediaSpan{}, invalid(s, "not in its one spelling, want %q", m)
	}
	return m, nil
}

// ReadMediaSpan reads a media span as callers write it: also with clock times, with
// open ends, and as a fragment of W3C Media Fragments URI 1.0, such as
// t=npt:0:02,0:04.5&xywh=pixel:10,20,300,40. An open end is OpenEnd.
func ReadMediaSpan(s string) (MediaSpan, error) {
	m, err := parseMedia(s)
	if err != nil {
		return MediaSpan{}, invalid(s, "%v", err)
	}
	return m, nil
}

// parseMedia parses leniently; a strict caller compares the spelling of the result.
func parseMedia(s string) (MediaSpan, error) {
	var m MediaSpan
	rest := strings.TrimPrefix(s, "#")
	if region, ok := strings.CutPrefix(rest, RegionPrefix); ok {
		rest = region
		if !strings.HasPrefix(rest, "xywh=") {
			return m, fmt.Errorf("want the form region:xywh=10,20,300,40 or region:xywh=percent:5,5,20,20")
		}
	}
	for i, part := range strings.Split(rest, "&") {
		var err error
		switch {
		default:
			return m, fmt.Errorf("%q is neither a time nor a region; want the form time:2-4, region:xywh=10,20,300,40 or time:2-4&xywh=10,20,300,40", clip(part))
		case strings.HasPrefix(part, TimePrefix) && i == 0:
			err = m.parseTime(part[len(TimePrefix):], "-")
		case strings.HasPrefix(part, "t="):
			err = m.parseTime(strings.TrimPrefix(part[len("t="):], "npt:"), ",")
		case strings.HasPrefix(part, "xywh="):
			err = m.parseRegion(part[len("xywh="):])
		}
		if err != nil {
			return MediaSpan{}, err
		}
	}
	return m, nil
}

// parseTime reads the two ends of a time.
func (m *MediaSpan) parseTime(s, between string) (err error) {
	if m.HasTime() {
		return fmt.Errorf("two times; want the form time:2-4")
	}
	start, end, ok := strings.Cut(s, between)
	if !ok && between == "-" {
		return fmt.Errorf("no hyphen between start and end; want the form time:2-4")
	}
	if start+end == "" {
		return fmt.Errorf("number of seconds is missing; want the form time:2-4")
	}
	m.End = OpenEnd
	if start != "" || between == "-" {
		if m.Start, err = parseSeconds(start); err != nil {
			return fmt.Errorf("start %v", err)
		}
	}
	if end == "" {
		return nil
	}
	if m.End, err = parseSeconds(end); err != nil {
		return fmt.Errorf("end %v", err)
	}
	if m.End <= m.Start {
		return fmt.Errorf("empty: ends at %s, want more than its start %s", seconds(m.End), seconds(m.Start))
	}
	return nil
}

// parseSeconds returns the milliseconds of seconds with at most three decimals, preceded by minutes
// or hours and minutes where there are colons.
func parseSeconds(s string) (int64, error) {
	parts := strings.Split(s, ":")
	last, decimals, pointed := strings.Cut(parts[len(parts)-1], ".")
	if len(parts) > 3 || pointed && (decimals == "" || len(decimals) > 3) {
		return 0, fmt.Errorf("%q is not a decimal number of seconds with at most three decimals", clip(s))
	}
	parts[len(parts)-1] = last
	total := int64(0)
	for i, part := range parts {
		if len(parts) > 1 { // a clock writes 00:02
			part = strings.TrimPrefix(part, "0")
			if part == "" {
				part = "0"
			}
		}
		n, err := parseNumber(part, 0)
		switch {
		case err != nil:
			return 0, err
		case i > 0 && n > 59:
			return 0, fmt.Errorf("%d is above 59", n)
		}
		total = total*60 + int64(n)
	}
	if total > MaxNumber {
		return 0, fmt.Errorf("%s is above %d", clip(s), MaxNumber)
	}
	if !pointed {
		return total * 1000, nil
	}
	n, err := strconv.ParseUint((decimals + "00")[:3], 10, 16)
	if err != nil {
		return 0, fmt.Errorf("%q is not a decimal number", clip(s))
	}
	return total*1000 + int64(n), nil
}

// parseRegion reads the place and the size of a region.
func (m *MediaSpan) parseRegion(s string) (err error) {
	if m.HasRegion() {
		return fmt.Errorf("two regions; want the form region:xywh=10,20,300,40")
	}
	dims, ok := strings.CutPrefix(s, "percent:")
	if m.Percent = ok; !ok {
		dims = strings.TrimPrefix(s, "pixel:")
	}
	parts := strings.Split(dims, ",")
	if len(parts) != 4 {
		return fmt.Errorf("%q is not four numbers; want the form xywh=10,20,300,40", clip(dims))
	}
	for i, field := range []struct {
		name  string
		to    *int
		least int
	}{{"x", &m.X, 0}, {"y", &m.Y, 0}, {"width", &m.W, 1}, {"height", &m.H, 1}} {
		if *field.to, err = parseNumber(parts[i], field.least); err != nil {
			return fmt.Errorf("%s %v", field.name, err)
		}
	}
	most := int64(MaxNumber)
	if m.Percent {
		most = percent
	}
	if right, bottom := int64(m.X)+int64(m.W), int64(m.Y)+int64(m.H); right > most || bottom > most {
		return fmt.Errorf("the region lies outside: it ends at %d,%d, want at most %d,%d", right, bottom, most, most)
	}
	return nil
}

// String returns the span's one spelling, "" for the zero MediaSpan.
func (m MediaSpan) String() string {
	region := m.region()
	switch {
	case m.HasTime() && m.HasRegion():
		return m.time() + "&" + region
	case m.HasTime():
		return m.time()
	case m.HasRegion():
		return RegionPrefix + region
	}
	return ""
}

// Fragment returns the span as W3C Media Fragments URI 1.0 writes it after the # of an address:
// t=2,4&xywh=10,20,300,40.
func (m MediaSpan) Fragment() string {
	var parts []string
	if m.HasTime() {
		parts = append(parts, "t="+seconds(m.Start)+","+seconds(m.End))
	}
	if m.HasRegion() {
		parts = append(parts, m.region())
	}
	return strings.Join(parts, "&")
}

func (m MediaSpan) time() string {
	if m.End == OpenEnd {
		return TimePrefix + seconds(m.Start) + "-"
	}
	return TimePrefix + seconds(m.Start) + "-" + seconds(m.End)
}

func (m MediaSpan) region() string {
	unit := ""
	if m.Percent {
		unit = "percent:"
	}
	return fmt.Sprintf("xywh=%s%d,%d,%d,%d", unit, m.X, m.Y, m.W, m.H)
}

// seconds writes milliseconds as seconds, without zeros at the end.
func seconds(ms int64) string {
	s := strconv.FormatInt(ms/1000, 10)
	if ms%1000 != 0 {
		s += strings.TrimRight(fmt.Sprintf(".%03d", ms%1000), "0")
	}
	return s
}

// Bounds are the extent of a picture or a recording. A zero field is not known.
type Bounds struct {
	Duration int64 `json:"duration_ms,omitempty"` // milliseconds
	Height   int   `json:"height,omitempty"`      // pixels, as the picture is shown
	Width    int   `json:"width,omitempty"`
}

// String returns the bounds for an error line.
func (b Bounds) String() string {
	var parts []string
	if b.Width > 0 {
		parts = append(parts, fmt.Sprintf("%d × %d pixels", b.Width, b.Height))
	}
	if b.Duration > 0 {
		parts = append(parts, seconds(b.Duration)+" seconds")
	}
	return strings.Join(parts, ", ")
}

// BoundsOf returns the bounds that the facts of a record give (package canon/media
// lists them). A picture that its EXIF orientation turns on its side is as high as it
// is stored wide.
func BoundsOf(facts map[string]string) Bounds {
	var b Bounds
	width, errWidth := parseNumber(facts["width"], 1)
	height, errHeight := parseNumber(facts["height"], 1)
	if errWidth == nil && errHeight == nil {
		b.Width, b.Height = width, height
		if turned := facts["orientation"]; len(turned) == 1 && turned >= "5" && turned <= "8" {
			b.Width, b.Height = height, width
		}
	}
	if ms, err := parseSeconds(facts["duration"]); err == nil && facts["duration"] != "" {
		b.Duration = ms
	}
	return b
}

// Within returns m with the end of the recording for an open one, and of b what
// bounds m: width and height of a region, the duration of a time. The error is an
// *InvalidSpanError that gives the bounds that m oversteps.
func (b Bounds) Within(m MediaSpan) (MediaSpan, Bounds, error) {
	at := m.String()
	if m.End == OpenEnd {
		if m.End = b.Duration; b.Duration == 0 {
			return MediaSpan{}, Bounds{}, invalid(at, "has no end, and how long the recording lasts is not known")
		}
	}
	if !m.HasTime() {
		b.Duration = 0
	}
	if !m.HasRegion() {
		b.Width, b.Height = 0, 0
	}
	switch {
	case b.Duration > 0 && (m.Start >= b.Duration || m.End > b.Duration):
		return MediaSpan{}, Bounds{}, invalid(at, "lies outside the recording, which lasts %s seconds", seconds(b.Duration))
	case b.Width > 0 && !m.Percent && (m.X+m.W > b.Width || m.Y+m.H > b.Height):
		return MediaSpan{}, Bounds{}, invalid(at, "the region lies outside the picture, which has %d × %d pixels", b.Width, b.Height)
	}
	return m, b, nil
}

// Clip returns the part of m that lies within b, or all of b where no part does; ok is
// false where b does not say.
func (b Bounds) Clip(m MediaSpan) (part MediaSpan, ok bool) {
	if m.HasTime() {
		if b.Duration == 0 {
			return MediaSpan{}, false
		}
		if m.Start >= b.Duration {
			m.Start = 0
		}
		if m.End == OpenEnd || m.End > b.Duration {
			m.End = b.Duration
		}
	}
	if m.HasRegion() && !m.Percent && b.Width > 0 {
		if m.X >= b.Width || m.Y >= b.Height {
			m.X, m.Y, m.W, m.H = 0, 0, b.Width, b.Height
		}
		m.W, m.H = min(m.W, b.Width-m.X), min(m.H, b.Height-m.Y)
	}
	return m, true
}

// Unknown names the bounds of m that are not known: "the size of the picture", "the duration of the
// recording", both, or "". A region in percent needs no size.
func (b Bounds) Unknown(m MediaSpan) string {
	var parts []string
	if m.HasRegion() && !m.Percent && b.Width == 0 {
		parts = append(parts, "the size of the picture")
	}
	if m.HasTime() && b.Duration == 0 {
		parts = append(parts, "the duration of the recording")
	}
	return strings.Join(parts, " and ")
}

// check returns the error in the bounds that a citation states for a span.
func (b *Bounds) check(m MediaSpan) error {
	if b == nil {
		return nil
	}
	switch {
	case *b == Bounds{}:
		return fmt.Errorf("bounds are empty")
	case b.Width < 0 || b.Height < 0 || b.Duration < 0 || b.Width > MaxNumber || b.Height > MaxNumber || b.Duration > MaxNumber*1000:
		return fmt.Errorf("bounds %d × %d and %d ms, want numbers from 1", b.Width, b.Height, b.Duration)
	case (b.Width == 0) != (b.Height == 0):
		return fmt.Errorf("bounds %d × %d, want both sides", b.Width, b.Height)
	case b.Width > 0 && !m.HasRegion(), b.Duration > 0 && !m.HasTime():
		return fmt.Errorf("bounds of what span %s does not name", m)
	}
	_, _, err := b.Within(m)
	return err
}

// Words returns the span in words of a reader: the seconds of a time as a clock shows
// them, and a region by its size and corner.
func (m MediaSpan) Words() string {
	var parts []string
	if m.HasTime() {
		parts = append(parts, clock(m.Start)+" to "+clock(m.End))
	}
	if m.HasRegion() {
		unit := "pixels"
		if m.Percent {
			unit = "percent"
		}
		parts = append(parts, fmt.Sprintf("a region of %d × %d %s at %d, %d", m.W, m.H, unit, m.X, m.Y))
	}
	return strings.Join(parts, ", ")
}

// clock writes milliseconds as 0:02 or 1:00:02.5.
func clock(ms int64) string {
	s := ms / 1000
	out := fmt.Sprintf("%d:%02d", s/60, s%60)
	if s >= 3600 {
		out = fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	if ms%1000 != 0 {
		out += strings.TrimRight(fmt.Sprintf(".%03d", ms%1000), "0")
	}
	return out
}
