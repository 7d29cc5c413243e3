package pages

import (
	"fmt"
	"strconv"

	"muniment/server"
)

// A Chart is a row of bars, drawn as SVG.
type Chart struct {
	Label  string // what it shows, for those who do not see it: words, or their key
	Width  int
	Height int
	Bars   []Bar
}

// A Bar is one bar of a chart, or two on top of each other.
type Bar struct {
	Name  string
	Count int
	Part  int    // of Count, in the other colour
	Link  string // "" for none
	X, W  int
	Y, H  int
	PartY int
	PartH int

	Layers []Layer // of Count, from the ground up, each in its own colour
	Mark   bool    // its name is written below
	Far    bool    // and on a narrow screen, where letters are larger and fewer names have room
}

// A Layer is one of several parts of a bar.
type Layer struct {
	Name  string // its class and what it is
	Count int
	Y, H  int
}

const (
	chartHeight = 120 // of the bars, in user units of the SVG
	chartWidth  = 960
	maxBarWidth = 64
	nameWidth   = 44 // so much a name below a bar takes
	farLetter   = 24 // so much a letter of it takes on a narrow screen
	farGap      = 30 // and the gap to the next name there
)

func itoa(n int) string { return strconv.Itoa(n) }

// newChart returns a chart of bars, which have names, counts and parts; first is the number of the first on an axis whose round numbers are named.
func newChart(label string, bars []Bar, first int) Chart {
	c := Chart{Label: label, Width: chartWidth, Height: chartHeight}
	if len(bars) == 0 {
		return c
	}
	most := 1
	for _, b := range bars {
		most = max(most, b.Count)
	}
	w := max(1, min(maxBarWidth, chartWidth/len(bars)))
	every := 1
	for _, round := range []int{1, 2, 5, 10, 20, 50, 100} {
		if every = round; every*w >= nameWidth {
			break
		}
	}
	c.Width = max(w*len(bars), chartWidth)
	free := 0 // where the next name on a narrow screen may begin
	for i, b := range bars {
		b.X, b.W = i*w, max(1, w-max(1, w/8))
		if b.Count > 0 {
			b.H = max(2, b.Count*chartHeight/most)
		}
		b.Y = chartHeight - b.H
		b.PartH = b.Part * chartHeight / most
		b.PartY = chartHeight - b.PartH
		top := chartHeight
		for j := range b.Layers {
			k := &b.Layers[j]
			if k.Count > 0 {
				k.H = max(1, k.Count*chartHeight/most)
			}
			top -= k.H
			k.Y = top
		}
		b.Mark = (first+i)%every == 0
		if end := b.X + farLetter*len(b.Name); b.Mark && b.X >= free && end <= c.Width {
			b.Far, free = true, end+farGap
		}
		c.Bars = append(c.Bars, b)
	}
	return c
}

// timeline returns the chart of holdings by time, and how many have no date. Equal times are equally
// wide: years, or decades or centuries where there are too many years.
func timeline(years []server.NamedCount, link func(year string, span int) string) (Chart, int) {
	undated, counts, first, last := 0, map[int]int{}, 0, 0
	for _, y := range years {
		n, err := strconv.Atoi(y.Name)
		if err != nil {
			undated += y.Count
			continue
		}
		if len(counts) == 0 {
			first = n
		}
		counts[n], first, last = y.Count, min(first, n), max(last, n)
	}
	if len(counts) == 0 {
		return Chart{}, undated
	}
	span := 1
	for (last-first)/span >= maxTimeline {
		span *= 10
	}
	var bars []Bar
	for at := first - first%span; at <= last; at += span {
		bar := Bar{Name: itoa(at)}
		if span > 1 {
			bar.Name += "s"
		}
		for year := at; year < at+span; year++ {
			if bar.Count == 0 && counts[year] > 0 {
				bar.Link = link(fmt.Sprintf("%04d", year), span)
			}
			bar.Count += counts[year]
		}
		bars = append(bars, bar)
	}
	return newChart("chart."+itoa(span), bars, first/span), undated
}

// maxTimeline is how many bars a time axis has; of more years each bar shows ten or a hundred.
const maxTimeline = 120
