package retrieve

import (
	"strings"

	"muniment/snapshot/edtf"
)

// edtfRanges returns the dates of EDTF in a text that no other form of a date covers:
// words with the signs of intervals, doubt and unspecified digits, as in 1880/1890,
// 1817~ and 18XX.
func edtfRanges(text string) []DateRange {
	if !strings.ContainsAny(text, "~%/X") {
		return nil
	}
	var out []DateRange
	at := 0
	for _, word := range strings.Fields(text) {
		at += strings.Index(text[at:], word)
		begin, end := at, at+len(word)
		at = end
		trimmed := strings.TrimLeft(word, `("'`)
		begin += len(word) - len(trimmed)
		date := strings.TrimRight(trimmed, `?!,;:)"'`)
		date = strings.TrimSuffix(date, ".") // of a sentence; an open end has two
		if strings.HasSuffix(trimmed, "/..") {
			date = trimmed
		}
		if !strings.ContainsAny(date, "~%/X") {
			continue
		}
		if from, to, ok := interval(date); ok {
			out = append(out, DateRange{From: from, To: to, Start: begin, End: begin + len(date)})
		}
	}
	return out
}

// interval returns the first and last day of a date of EDTF as YYYY-MM-DD, within the
// years 0000 to 9999.
func interval(date string) (from, to string, ok bool) {
	d, err := edtf.Parse(date)
	if err != nil || d.IsZero() {
		return "", "", false
	}
	first, last := d.Interval()
	if last.Year < 0 || first.Year > 9999 {
		return "", "", false
	}
	from, to = "0000-01-01", "9999-12-31"
	if first.Year >= 0 {
		from = first.String()
	}
	if last.Year <= 9999 {
		to = last.String()
	}
	return from, to, true
}
