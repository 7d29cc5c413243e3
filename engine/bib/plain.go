package bib

import "strconv"

func itoa(n int) string { return strconv.Itoa(n) }

// inline is the citation in running text, for lists of them.
func inline(e entry) line {
	var l line
	l.add("(" + e.label() + ")")
	return l
}

// contract writes Publisher. "Title". Published Feb 10, 2026. URL, and what has
// to be said of the source.
func contract(e entry) line {
	var l line
	who := firstOf(e.Publisher, e.ContainerTitle)
	if k := e.kind(); k == journal || k == newspaper {
		who = e.ContainerTitle
	}
	if who == "" {
		var names []string
		for _, n := range e.people() {
			names = append(names, n.straight(n.Given, " "))
		}
		who = series(names, "and", true)
	}
	if who != "" {
		l.add(who).stop().add(" ")
	}
	l.add(`"` + e.heading() + `".`)
	if e.Issued.Literal != "" {
		l.sp(e.Issued.Literal).stop()
	} else if when := contractDate(e.Issued); when != "" {
		l.sp("Published " + when).stop()
	}
	l.sp(e.Link())
	if e.Paywall {
		l.sp("[Paywall]")
	}
	if e.MonitorOnly {
		l.sp("[Monitor-only source]")
	}
	return l
}

// contractDate writes Feb 10, 2026.
func contractDate(d Date) string {
	year := d.year("", "ca. ", "")
	switch {
	case year == "" || d.Month == 0:
		return year
	case d.Day == 0:
		return monthThree[d.Month] + " " + year
	}
	return monthThree[d.Month] + " " + itoa(d.Day) + ", " + year
}
