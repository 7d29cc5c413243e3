package retrieve

import (
	"fmt"
	"strconv"

	"muniment/snapshot/edtf"
)

// A cell is a stretch of the calendar with a name: a century "19", a decade "193", a year "1931", a
// season "1931s1" (March to May) to "1931s4" (December to February), a month "1931-04" or a day
// "1931-04-12". Ranges are indexed by the cell they are and the cells around it, and a range asked for
// is cut into few cells, so that both kinds of comparison become a search for words.
type cell string

// cellOf returns the cell that is exactly from to to; "" when none is. Every range of Dates is one.
func cellOf(from, to string) cell {
	y, m := number(from[:4]), number(from[5:7])
	switch to {
	case from:
		return cell(from)
	case day(y, m, edtf.DaysIn(int64(y), m)):
		if from[8:] == "01" {
			return cell(from[:7])
		}
	}
	if from[8:] != "01" {
		return ""
	}
	for s := 1; s <= 4; s++ {
		if f, t := seasonDays(y, s); f == from && t == to {
			return seasonCell(y, s)
		}
	}
	switch {
	case from[5:] != "01-01" || to[5:] != "12-31":
	case to[:4] == from[:4]:
		return cell(from[:4])
	case y%10 == 0 && number(to[:4]) == y+9:
		return cell(from[:3])
	case y%100 == 0 && number(to[:4]) == y+99:
		return cell(from[:2])
	}
	return ""
}

func number(s string) int { n, _ := strconv.Atoi(s); return n }

func seasonCell(year, s int) cell { return cell(fmt.Sprintf("%04ds%d", year, s)) }

// seasonDays returns the days of a season, 1 for spring to 4 for the winter that begins in the year.
func seasonDays(year, s int) (from, to string) {
	if s == 4 {
		return day(year, 12, 1), day(year+1, 2, edtf.DaysIn(int64(year+1), 2))
	}
	return day(year, 3*s, 1), day(year, 3*s+2, edtf.DaysIn(int64(year), 3*s+2))
}

// around returns the cells that hold the whole of c, c left out.
func (c cell) around() []cell {
	var out []cell
	switch {
	case len(c) == 10:
		out = append(out, c[:7])
		fallthrough
	case len(c) == 7:
		y, m := number(string(c[:4])), number(string(c[5:7]))
		if m < 3 {
			out = append(out, seasonCell(y-1, 4))
		} else {
			out = append(out, seasonCell(y, m/3))
		}
		out = append(out, c[:4], c[:3], c[:2])
	case len(c) == 6 && c[5] == '4': // a winter ends in the next year
		next := fmt.Sprintf("%04d", number(string(c[:4]))+1)
		for n := 3; n >= 2; n-- {
			if next[:n] == string(c[:n]) {
				out = append(out, c[:n])
			}
		}
	case len(c) == 6:
		out = append(out, c[:4], c[:3], c[:2])
	case len(c) == 4:
		out = append(out, c[:3], c[:2])
	case len(c) == 3:
		out = append(out, c[:2])
	}
	return out
}

// cover cuts a range into cells that together are the range, as large as they can be, and seasons
// are not among them. Cells overlap nowhere.
func cover(from, to string) []cell {
	var out []cell
	fy, ty := number(from[:4]), number(to[:4])
	for y := fy; y <= ty; {
		first, last := day(y, 1, 1), day(y, 12, 31)
		switch {
		case y%100 == 0 && from <= first && day(y+99, 12, 31) <= to:
			out = append(out, cell(first[:2]))
			y += 100
			continue
		case y%10 == 0 && from <= first && day(y+9, 12, 31) <= to:
			out = append(out, cell(first[:3]))
			y += 10
			continue
		case from <= first && last <= to:
			out = append(out, cell(first[:4]))
		default:
			out = append(out, coverYear(y, from, to)...)
		}
		y++
	}
	return out
}

func coverYear(y int, from, to string) []cell {
	var out []cell
	for m := 1; m <= 12; m++ {
		n := edtf.DaysIn(int64(y), m)
		if day(y, m, n) < from || day(y, m, 1) > to {
			continue
		}
		if from <= day(y, m, 1) && day(y, m, n) <= to {
			out = append(out, cell(day(y, m, 1)[:7]))
			continue
		}
		for d := 1; d <= n; d++ {
			if at := day(y, m, d); from <= at && at <= to {
				out = append(out, cell(at))
			}
		}
	}
	return out
}

// seasonsIn returns the seasons that lie in a range and that no cell of its cover holds.
func seasonsIn(from, to string, covered map[cell]bool) []cell {
	var out []cell
	for y := number(from[:4]); y <= number(to[:4]); y++ {
		for s := 1; s <= 4; s++ {
			f, t := seasonDays(y, s)
			if f < from || t > to {
				continue
			}
			c, held := seasonCell(y, s), false
			for _, a := range c.around() {
				held = held || covered[a]
			}
			if !held {
				out = append(out, c)
			}
		}
	}
	return out
}

// The words that a document's date and the dates a passage names are indexed as.
const (
	wordIn      = "in:"   // the document's date is this cell, or lies in it
	wordIs      = "is:"   // the document's date is this cell
	wordSaid    = "say:"  // a date in the passage's words is this cell, or lies in it
	wordHead    = "head:" // a date in the head of its text is this cell, or lies in it
	wordUndated = "none"  // the document has no date

	wordTongue = "tongue:" // the passage's words are indexed in this language
)

// dateWords returns the words for a document's date.
func dateWords(date string) []string {
	var out []string
	if from, to, ok := period(date); !ok {
		out = append(out, wordUndated)
	} else if c := cellOf(from, to); c != "" {
		out = append(out, wordIs+string(c), wordIn+string(c))
		parts := []cell{c}
		if len(c) == 6 { // a season overlaps what its months overlap
			parts = cover(from, to)
		}
		for _, p := range parts {
			for _, a := range p.around() {
				out = append(out, wordIn+string(a))
			}
		}
	}
	return unique(out)
}

// saidWords returns the words for the dates in a text, each of a kind: wordSaid or wordHead.
func saidWords(text, kind string) []string {
	var out []string
	for _, d := range Dates(text) {
		if c := cellOf(d.From, d.To); c != "" {
			out = append(out, kind+string(c))
			for _, a := range c.around() {
				out = append(out, kind+string(a))
			}
		}
	}
	return unique(out)
}

// datedWords returns the words of which a passage holds one exactly if its document's date overlaps
// a range or a date in its text, or its head where heads count, lies in one.
func datedWords(ranges []DateRange, heads bool) []string {
	var out []string
	said := func(c cell) {
		if out = append(out, wordSaid+string(c)); heads {
			out = append(out, wordHead+string(c))
		}
	}
	for _, r := range ranges {
		covered := map[cell]bool{}
		cells := cover(r.From, r.To)
		for _, c := range cells {
			covered[c] = true
			out = append(out, wordIn+string(c))
			said(c)
			for _, a := range c.around() {
				out = append(out, wordIs+string(a))
			}
		}
		for _, c := range seasonsIn(r.From, r.To, covered) {
			said(c)
		}
	}
	return unique(out)
}

// unique keeps the first of equal words.
func unique(words []string) []string {
	seen := map[string]bool{}
	out := words[:0]
	for _, w := range words {
		if !seen[w] {
			seen[w] = true
			out = append(out, w)
		}
	}
	return out
}
