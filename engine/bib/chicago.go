package bib

import "strconv"

// chicago writes a reference of the Chicago Manual, author-date: author. year.
// title. source.
func chicago(e entry) line {
	var l line
	k := e.kind()
	who := chicagoPeople(e.Item)
	year := e.Issued.year(e.letter, "ca. ", "n.d.")
	quoted := k == journal || k == newspaper || k == chapter || k == web || k == thesis
	switch {
	case who != "":
		l.add(who).stop().sp(year).stop().add(" ")
		chicagoTitle(&l, e.Item, quoted)
	case (k == newspaper || k == web) && (e.ContainerTitle != "" || e.Publisher != ""):
		l.add(firstOf(e.ContainerTitle, e.Publisher)).stop().sp(year).stop().add(" ")
		chicagoTitle(&l, e.Item, quoted)
	default:
		chicagoTitle(&l, e.Item, quoted)
		l.stop().sp(year)
	}
	l.stop()
	chicagoSource(&l, e.Item, k)
	l.stop()
	if link := e.Link(); link != "" {
		l.sp(link).add(".")
	}
	return l
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func chicagoTitle(l *line, it Item, quoted bool) {
	if !quoted {
		l.italic(it.heading())
		return
	}
	title := it.heading()
	if end := title[len(title)-1]; end != '?' && end != '!' && end != '.' {
		title += "."
	}
	l.add("“" + title + "”")
}

// chicagoPeople writes up to ten people, of more the first seven; the first one
// with the family name in front.
func chicagoPeople(it Item) string {
	var names []string
	for i, n := range it.people() {
		if i == 0 {
			names = append(names, n.inverted(n.Given, ", "))
		} else {
			names = append(names, n.straight(n.Given, " "))
		}
	}
	s := ""
	switch n := len(names); {
	case n > 10:
		s = join(names[:7], ", ") + ", et al."
	case n == 2:
		s = names[0] + ", and " + names[1]
	default:
		s = series(names, "and", true)
	}
	if len(it.Author) == 0 && len(it.Editor) > 0 && it.kind() != chapter {
		s += editors(len(it.Editor), ", ed.", ", eds.")
	}
	return s
}

func chicagoSource(l *line, it Item, k kind) {
	pages, _ := it.pages()
	switch k {
	case journal:
		l.add(" ").italic(it.ContainerTitle)
		if it.Volume != "" {
			l.add(" " + it.Volume)
		}
		switch {
		case it.Issue != "" && it.Volume != "":
			l.add(" (" + it.Issue + ")")
		case it.Issue != "":
			l.add(", no. " + it.Issue)
		}
		if pages != "" {
			if it.Volume == "" && it.Issue == "" {
				l.add(", " + pages)
			} else {
				l.add(": " + pages)
			}
		}
	case newspaper:
		if len(it.people()) > 0 {
			l.add(" ").italic(it.ContainerTitle)
		}
		if day := chicagoDay(it.Issued); day != "" {
			if len(it.people()) > 0 {
				l.add(", " + day)
			} else {
				l.sp(day)
			}
		}
		if pages != "" {
			l.add(", " + pages)
		}
	case chapter:
		l.add(" In ").italic(it.ContainerTitle)
		if ed := it.edition("ed."); ed != "" {
			l.add(", " + ed)
		}
		if it.Volume != "" {
			l.add(", vol. " + it.Volume)
		}
		if len(it.Editor) > 0 && len(it.Author) > 0 {
			var names []string
			for _, n := range it.Editor {
				names = append(names, n.straight(n.Given, " "))
			}
			l.add(", edited by " + series(names, "and", true))
		}
		if pages != "" {
			l.add(", " + pages)
		}
		l.stop().sp(it.imprint())
	case thesis:
		form := it.Genre
		if form == "" {
			form = "Thesis"
		}
		l.sp(joined(form, it.Publisher))
	case archival:
		if it.Genre != "" {
			l.sp(it.Genre)
			if day := chicagoDay(it.Issued); day != "" {
				l.add(", " + day)
			}
			l.stop()
		} else if day := chicagoDay(it.Issued); day != "" {
			l.sp(day).stop()
		}
		for _, s := range []string{it.ContainerTitle, it.Archive, it.body()} {
			if s != "" {
				l.sp(s).stop()
			}
		}
	case web:
		if len(it.people()) > 0 {
			l.sp(firstOf(it.ContainerTitle, it.body())).stop()
		}
		switch {
		case it.Issued.monthDay() != "":
			l.sp(chicagoDay(it.Issued))
		case it.Accessed.Year != 0:
			l.sp("Accessed " + joined(chicagoDay(it.Accessed), strconv.Itoa(it.Accessed.Year)))
		}
	default:
		if ed := it.edition("ed."); ed != "" {
			l.sp(ed).stop()
		}
		if it.Volume != "" {
			l.sp("Vol. " + it.Volume).stop()
		}
		if it.Genre != "" {
			l.sp(it.Genre).stop()
		}
		if k == report && it.Number != "" {
			l.sp("No. " + it.Number).stop()
		}
		if !it.isAuthor(it.Publisher) || it.PublisherPlace != "" {
			l.sp(it.imprint())
		}
	}
}

func chicagoDay(d Date) string { return d.monthDay() }
