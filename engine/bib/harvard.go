package bib

import "fmt"

// harvard writes a reference of Cite Them Right: author (year) ‘part’, whole.
func harvard(e entry) line {
	var l line
	k := e.kind()
	names, more := harvardNames(e.people())
	year := "(" + e.Issued.year(e.letter, "c.", "no date") + ")"
	if k == web && names == "" {
		names = e.Publisher
	}
	part := k == journal || k == newspaper || k == chapter || k == web && e.ContainerTitle != "" && !e.isAuthor(e.ContainerTitle)
	switch {
	case names != "":
		l.add(names)
		if more {
			l.add(" ").italic("et al.")
		}
		if len(e.Author) == 0 && len(e.Editor) > 0 && k != chapter {
			l.add(editors(len(e.Editor), " (ed.)", " (eds)"))
		}
		l.sp(year).add(" ")
		harvardTitle(&l, e.Item, part)
	default:
		harvardTitle(&l, e.Item, part)
		l.sp(year)
	}
	harvardSource(&l, e.Item, k)
	l.stop()
	return l
}

func harvardTitle(l *line, it Item, part bool) {
	if part {
		l.add("‘" + it.heading() + "’")
		return
	}
	l.italic(it.heading())
}

// harvardNames writes up to three people, of more the first.
func harvardNames(people []Name) (names string, more bool) {
	var list []string
	for _, n := range people {
		list = append(list, n.inverted(n.initials(""), ", "))
	}
	if len(list) > 3 {
		return list[0], true
	}
	return series(list, "and", false), false
}

func harvardSource(l *line, it Item, k kind) {
	switch k {
	case journal, newspaper:
		l.add(", ").italic(it.ContainerTitle)
		volume := it.Volume
		if it.Issue != "" {
			volume += "(" + it.Issue + ")"
		}
		if volume != "" {
			l.add(", " + volume)
		}
		if k == newspaper {
			if day := it.Issued.dayMonth(); day != "" {
				l.add(", " + day)
			}
		}
		if p := it.pageLabel(); p != "" {
			l.add(", " + p)
		}
	case chapter:
		l.add(", in ")
		if len(it.Editor) > 0 && len(it.Author) > 0 {
			var list []string
			for _, n := range it.Editor {
				list = append(list, n.straight(n.initials(""), ", "))
			}
			l.add(series(list, "and", false) + editors(len(list), " (ed.) ", " (eds) "))
		}
		l.italic(it.ContainerTitle)
		harvardImprint(l, it)
		if p := it.pageLabel(); p != "" {
			l.add(", " + p)
		}
	case thesis:
		form := it.Genre
		if form == "" {
			form = "Thesis"
		}
		l.stop().sp(form)
		if it.Publisher != "" {
			l.stop().sp(it.Publisher)
		}
	case archival:
		if it.Genre != "" {
			l.sp("[" + it.Genre + "]")
		}
		if day := it.Issued.dayMonth(); day != "" {
			l.add(", " + day)
		}
		for _, s := range []string{it.ContainerTitle, it.Archive, it.body()} {
			if s != "" {
				l.stop().sp(s)
			}
		}
	default:
		if it.Genre != "" {
			l.sp("[" + it.Genre + "]")
		}
		if k == report && it.Number != "" {
			l.add(" (no. " + it.Number + ")")
		}
		if k == web {
			if it.ContainerTitle != "" && !it.isAuthor(it.ContainerTitle) {
				l.add(", ").italic(it.ContainerTitle)
				if day := it.Issued.dayMonth(); day != "" {
					l.add(", " + day)
				}
			}
			break
		}
		harvardImprint(l, it)
	}
	harvardLink(l, it)
}

func harvardImprint(l *line, it Item) {
	if ed := it.edition("edn"); ed != "" {
		l.stop().sp(ed)
	}
	if it.Volume != "" {
		l.stop().sp("Vol. " + it.Volume)
	}
	if im := it.imprint(); im != "" && !it.isAuthor(it.Publisher) {
		l.stop().sp(im)
	} else if it.PublisherPlace != "" && it.isAuthor(it.Publisher) {
		l.stop().sp(im)
	}
}

func harvardLink(l *line, it Item) {
	switch {
	case it.doi() != "":
		l.stop().sp("Available at: https://doi.org/" + it.doi())
	case it.URL != "":
		l.stop().sp("Available at: " + it.URL)
	default:
		return
	}
	if d := it.Accessed; it.doi() == "" && d.Year != 0 {
		l.add(fmt.Sprintf(" (Accessed: %s)", joinSpace(d.dayMonth(), d.year("", "", ""))))
	}
}

func joinSpace(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + " " + b
}
