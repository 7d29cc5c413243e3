package bib

// apa writes a reference of APA 7: author, date, title, source.
func apa(e entry) line {
	var l line
	k := e.kind()
	who := apaPeople(e.Item)
	date := "(" + apaDate(e, k) + ")"
	title := func() {
		if k == journal || k == newspaper || k == chapter {
			l.add(e.heading())
		} else {
			l.italic(e.heading())
			apaBrackets(&l, e.Item, k)
		}
	}
	if who != "" {
		l.add(who).stop().sp(date).add(".").add(" ")
		title()
	} else {
		title()
		l.stop().sp(date)
	}
	l.stop()
	apaSource(&l, e.Item, k)
	l.stop()
	if link := e.Link(); link != "" {
		l.sp(link)
	}
	return l
}

// apaDate gives the day where APA wants it: not for journals, books and reports.
func apaDate(e entry, k kind) string {
	year := e.Issued.year(e.letter, "ca. ", "n.d.")
	if k == newspaper || k == web || k == archival {
		if day := e.Issued.monthDay(); day != "" && e.Issued.Year != 0 {
			return year + ", " + day
		}
	}
	return year
}

// apaPeople writes up to 20 authors, of more the first 19 and the last; editors
// where there are no authors.
func apaPeople(it Item) string {
	var names []string
	for _, n := range it.people() {
		names = append(names, n.inverted(n.initials(" "), ", "))
	}
	s := ""
	switch n := len(names); {
	case n > 20:
		s = join(names[:19], ", ") + ", . . . " + names[n-1]
	case n > 1:
		s = join(names[:n-1], ", ") + ", & " + names[n-1]
	case n == 1:
		s = names[0]
	}
	if len(it.Author) == 0 && len(it.Editor) > 0 && it.kind() != chapter {
		s += editors(len(it.Editor), " (Ed.)", " (Eds.)")
	}
	return s
}

func editors(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// apaBrackets writes edition, number and form behind the title of a whole work.
func apaBrackets(l *line, it Item, k kind) {
	paren := ""
	if ed := it.edition("ed."); ed != "" {
		paren = ed
	}
	if k == report && it.Number != "" {
		paren = joined(paren, "No. "+it.Number)
	}
	if k == standalone && it.Volume != "" {
		paren = joined(paren, "Vol. "+it.Volume)
	}
	if paren != "" {
		l.sp("(" + paren + ")")
	}
	switch {
	case k == thesis:
		form := it.Genre
		if form == "" {
			form = "Thesis"
		}
		l.sp("[" + joined(form, it.Publisher) + "]")
	case k == data && it.Genre == "":
		form := "Data set"
		if it.Type == "software" {
			form = "Computer software"
		}
		l.sp("[" + form + "]")
	case it.Genre != "" && k != report:
		l.sp("[" + it.Genre + "]")
	}
}

// apaSource writes where the work is found.
func apaSource(l *line, it Item, k kind) {
	pages, _ := it.pages()
	switch k {
	case journal:
		l.add(" ").italic(it.ContainerTitle)
		if it.Volume != "" {
			l.add(", ").italic(it.Volume)
		}
		if it.Issue != "" {
			if it.Volume == "" {
				l.add(", ")
			}
			l.add("(" + it.Issue + ")")
		}
		if pages != "" {
			l.add(", " + pages)
		}
	case newspaper:
		l.add(" ").italic(it.ContainerTitle)
		if it.Volume != "" {
			l.add(", ").italic(it.Volume)
			if it.Issue != "" {
				l.add("(" + it.Issue + ")")
			}
		}
		if pages != "" {
			l.add(", " + pages)
		}
	case chapter:
		l.add(" In ")
		if len(it.Editor) > 0 && len(it.Author) > 0 {
			var names []string
			for _, n := range it.Editor {
				names = append(names, n.straight(n.initials(" "), ", "))
			}
			l.add(series(names, "&", true) + editors(len(names), " (Ed.), ", " (Eds.), "))
		}
		l.italic(it.ContainerTitle)
		paren := it.edition("ed.")
		if it.Volume != "" {
			paren = joined(paren, "Vol. "+it.Volume)
		}
		paren = joined(paren, it.pageLabel())
		if paren != "" {
			l.add(" (" + paren + ")")
		}
		l.stop().sp(it.body())
	case thesis:
		l.sp(it.Archive)
	case archival:
		site := it.ContainerTitle
		if site != "" {
			l.sp(site).stop()
		}
		l.sp(it.Archive)
		l.stop().sp(it.body())
	case web:
		if c := it.ContainerTitle; c != "" && !it.isAuthor(c) {
			l.sp(c)
		} else {
			l.sp(it.body())
		}
	default:
		l.sp(it.body())
	}
}

func (it Item) isAuthor(name string) bool {
	for _, n := range it.Author {
		if n.family() == name {
			return true
		}
	}
	return false
}

func join(parts []string, sep string) string {
	s := ""
	for i, p := range parts {
		if i > 0 {
			s += sep
		}
		s += p
	}
	return s
}

// joined puts a comma between what is not empty.
func joined(parts ...string) string {
	s := ""
	for _, p := range parts {
		switch {
		case p == "":
		case s == "":
			s = p
		default:
			s += ", " + p
		}
	}
	return s
}
