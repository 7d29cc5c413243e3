package locator

import (
	"fmt"
	"strings"
)

// A MediaFragment is a fragment of Media Fragments URI 1.0: the dimensions of a
// recording or picture that it names. What is zero is not named.
type MediaFragment struct {
	Time    *NPT
	Region  *Region
	Tracks  []string
	ID      string
	Ignored []string // name=value pairs that the standard says to ignore, as they stood
}

// NPT is a range of normal play time in seconds, half-open. An End of ToEnd is
// the end of the recording.
type NPT struct{ Start, End Milli }

func (t NPT) String() string {
	if t.End == ToEnd {
		return "t=" + t.Start.String()
	}
	return fmt.Sprintf("t=%v,%v", t.Start, t.End)
}

// String writes the dimensions of f, times in seconds, and nothing ignored.
func (f MediaFragment) String() string {
	var all []string
	if f.Time != nil {
		all = append(all, f.Time.String())
	}
	if r := f.Region; r != nil {
		unit := ""
		if r.Percent {
			unit = "percent:"
		}
		all = append(all, fmt.Sprintf("xywh=%s%d,%d,%d,%d", unit, r.Left, r.Top, r.Width, r.Height))
	}
	for _, track := range f.Tracks {
		all = append(all, "track="+percentEncode(track))
	}
	if f.ID != "" {
		all = append(all, "id="+percentEncode(f.ID))
	}
	return strings.Join(all, "&")
}

// ParseMediaFragment reads a fragment, without its number sign. As the
// standard says it never fails: names and values are percent-decoded after they
// are told apart, a pair that is unknown, not UTF-8 or invalid is ignored, and
// of several valid times, regions or ids the last counts.
func ParseMediaFragment(s string) MediaFragment {
	var f MediaFragment
	for pair := range strings.SplitSeq(s, "&") {
		if pair != "" && !f.take(pair) {
			f.Ignored = append(f.Ignored, pair)
		}
	}
	return f
}

func (f *MediaFragment) take(pair string) bool {
	left, right, ok := strings.Cut(pair, "=")
	name, err := percentDecode(left)
	if err != nil || !ok {
		return false
	}
	value, err := percentDecode(right)
	if err != nil || value == "" || strings.ToValidUTF8(value, "") != value {
		return false
	}
	switch name {
	default:
		return false
	case "t":
		t, err := parseNPT(value)
		if err != nil {
			return false
		}
		f.Time = &t
	case "xywh":
		r, err := parseRegion(strings.TrimPrefix(value, "pixel:"))
		if err != nil || r.Check() != nil || strings.HasPrefix(value, "pixel:percent:") {
			return false
		}
		f.Region = &r
	case "track":
		f.Tracks = append(f.Tracks, value)
	case "id":
		f.ID = value
	}
	return true
}

// parseNPT reads [npt:][start][,end].
func parseNPT(s string) (NPT, error) {
	s = strings.TrimPrefix(s, "npt:")
	left, right, both := strings.Cut(s, ",")
	t := NPT{End: ToEnd}
	var err error
	if left != "" || !both {
		if t.Start, err = parseClock(left); err != nil {
			return NPT{}, err
		}
	}
	if !both {
		return t, nil
	}
	if t.End, err = parseClock(right); err != nil {
		return NPT{}, err
	}
	if t.End <= t.Start {
		return NPT{}, fmt.Errorf("ends at %v, want after its start %v", t.End, t.Start)
	}
	return t, nil
}

// parseClock reads seconds, mm:ss or hh:mm:ss with decimals. Beyond the third
// they are cut off.
func parseClock(s string) (Milli, error) {
	whole, part, dot := strings.Cut(s, ".")
	if dot {
		if strings.Trim(part, "0123456789") != "" {
			return 0, fmt.Errorf("%q is not a fraction", clip(part))
		}
		part = (part + "000")[:3]
		n, err := digits(part)
		if err != nil {
			return 0, err
		}
		m, err := parseClock(whole)
		return m + Milli(n), err
	}
	fields := strings.Split(whole, ":")
	if len(fields) > 3 {
		return 0, fmt.Errorf("%q, want seconds, mm:ss or hh:mm:ss", clip(s))
	}
	total := 0
	for i, field := range fields {
		n, err := digits(field)
		if err != nil {
			return 0, err
		}
		// Minutes and seconds of a clock have two digits and are below 60.
		if clock := len(fields) > 1 && !(i == 0 && len(fields) == 3); clock && (len(field) != 2 || n > 59) {
			return 0, fmt.Errorf("%q, want two digits below 60", clip(field))
		}
		total = total*60 + n
	}
	if m := Milli(total) * 1000; m <= maxMilli {
		return m, nil
	}
	return 0, fmt.Errorf("%q is too long a time", clip(s))
}

// percentEncode encodes all but the unreserved characters of RFC 3986.
func percentEncode(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		if isAlnum(rune(c)) || strings.IndexByte("-._~", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// MediaFragmentOf returns the fragment of times or a region.
func MediaFragmentOf(l Locator) (MediaFragment, error) {
	if err := l.Check(); err != nil {
		return MediaFragment{}, err
	}
	switch l := l.(type) {
	case Times:
		return MediaFragment{Time: &NPT{l.Start, l.End}}, nil
	case Region:
		return MediaFragment{Region: &l}, nil
	}
	return MediaFragment{}, fmt.Errorf("%v is neither a time nor a region", l)
}

// Locators returns the time and the region of f. A time without an end needs
// the recording's length in thousandths of a second; 0 leaves it out.
func (f MediaFragment) Locators(length Milli) List {
	var all List
	if t := f.Time; t != nil {
		times := Times{t.Start, t.End}
		if t.End == ToEnd || length > 0 {
			times.End = length
			if t.End != ToEnd {
				times.End = min(length, t.End)
			}
		}
		if times.Check() == nil {
			all = append(all, times)
		}
	}
	if f.Region != nil {
		all = append(all, *f.Region)
	}
	return all
}
