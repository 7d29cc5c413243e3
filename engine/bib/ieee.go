package bib

import "strings"

// ieee writes a reference of the IEEE guide, without its number.
func ieee(e entry) line {
	var l line
	k := e.kind()
	who := ieeePeople(e.Item)
	if who != "" {
		l.add(who)
		if len(e.people()) > maxIEEE {
			l.add(" ").italic("et al.")
		}
		ends := ", "
		if k == web || k == data {
			ends = " "
			l.stop()
		}
		l.add(ends)
	}
	quoted := k == journal || k == newspaper || k == chapter || k == web || k == thesis || k == report || k == archival || k == data
	if quoted {
		end := ","
		if t := e.heading(); t[len(t)-1] == '?' || t[len(t)-1] == '!' {
			end = ""
		}
		if k == web || k == data {
			end = "."
			if t := e.heading(); t[len(t)-1] == '?' || t[len(t)-1] == '!' {
				end = ""
			}
		}
		l.add("“" + e.heading() + end + "”")
	} else {
		l.italic(e.heading())
	}
	ieeeSource(&l, e.Item, k, quoted)
	l.stop()
	ieeeLink(&l, e.Item, k)
	return l
}

// maxIEEE is how many people a reference names; of more, the first.
const maxIEEE = 6

// ieeePeople writes the people of a reference.
func ieeePeople(it Item) string {
	var names []string
	for _, n := range it.people() {
		names = append(names, n.straight(n.initials(" "), " "))
	}
	s := series(names, "and", true)
	if len(names) > maxIEEE {
		s = names[0]
	}
	if len(it.Author) == 0 && len(it.Editor) > 0 && it.kind() != chapter {
		s += editors(len(it.Editor), ", Ed.", ", Eds.")
	}
	return s
}

func ieeeSource(l *line, it Item, k kind, quoted bool) {
	date := ieeeDate(it.Issued, k)
	comma := func(s string) {
		if s == "" {
			return
		}
		if r := l.last(); r == '”' && quoted {
			quoted = false
			l.add(" " + s)
			return
		}
		l.add(", " + s)
	}
	switch k {
	case journal, newspaper:
		l.add(" ").italic(it.ContainerTitle)
		quoted = false
		if it.Volume != "" {
			comma("vol. " + it.Volume)
		}
		if it.Issue != "" {
			comma("no. " + it.Issue)
		}
		comma(it.pageLabel())
		comma(date)
	case chapter:
		l.add(" in ").italic(it.ContainerTitle)
		quoted = false
		if it.Volume != "" {
			comma("vol. " + it.Volume)
		}
		if len(it.Editor) > 0 && len(it.Author) > 0 {
			var names []string
			for _, n := range it.Editor {
				names = append(names, n.straight(n.initials(" "), " "))
			}
			comma(series(names, "and", true) + editors(len(names), ", Ed.", ", Eds."))
		}
		comma(it.edition("ed."))
		if im := it.imprint(); im != "" {
			if it.Type == "paper-conference" {
				comma(it.PublisherPlace)
			} else {
				l.stop().sp(im)
			}
		}
		comma(date)
		comma(it.pageLabel())
	case standalone:
		if it.Volume != "" {
			comma("vol. " + it.Volume)
		}
		comma(it.edition("ed."))
		if im := it.imprint(); im != "" && !it.isAuthor(it.Publisher) {
			l.stop().sp(im)
		}
		comma(date)
	case thesis:
		comma(firstOf(it.Genre, "Thesis"))
		comma(it.Publisher)
		comma(it.PublisherPlace)
		comma(date)
	case report:
		comma(it.body())
		comma(it.PublisherPlace)
		if it.Number != "" {
			comma(joinSpace(firstOf(it.Genre, "Rep."), it.Number))
		} else {
			comma(it.Genre)
		}
		comma(date)
	case web, data:
		if c := firstOf(it.ContainerTitle, it.body()); c != "" && !it.isAuthor(c) {
			l.add(" " + c)
			quoted = false
		}
		if k == data {
			comma(date)
		}
		l.stop()
	default:
		comma(it.Genre)
		comma(it.ContainerTitle)
		comma(it.Archive)
		comma(it.body())
		comma(date)
	}
}

// ieeeDate writes "May 3, 1931", "May 1931" or the year.
func ieeeDate(d Date, k kind) string {
	year := d.year("", "ca. ", "")
	if year == "" || d.Month == 0 || k == standalone || k == chapter && d.Day == 0 && d.Month == 0 {
		return year
	}
	m := monthShort[d.Month]
	switch {
	case d.Day > 0 && k != journal:
		return m + " " + itoa(d.Day) + ", " + year
	}
	return m + " " + year
}

func ieeeLink(l *line, it Item, k kind) {
	switch {
	case it.doi() != "":
		replaceStop(l, ", doi: "+it.doi()+".")
	case it.URL != "":
		if d := it.Accessed; d.Year != 0 {
			when := d.year("", "", "")
			if d.Month > 0 {
				when = monthShort[d.Month] + " " + when
				if d.Day > 0 {
					when = monthShort[d.Month] + " " + itoa(d.Day) + ", " + d.year("", "", "")
				}
			}
			l.sp("Accessed: " + when + ".")
		} else if when := ieeeDate(it.Issued, k); when != "" && k == web {
			l.sp(when + ".")
		}
		l.sp("[Online]. Available: " + it.URL)
	case k == web:
		if when := ieeeDate(it.Issued, k); when != "" {
			l.sp(when + ".")
		}
	}
}

// replaceStop takes the full stop at the end off and adds text.
func replaceStop(l *line, text string) {
	last := &l.runs[len(l.runs)-1]
	if t, ok := strings.CutSuffix(last.text, ".”"); ok {
		last.text = t + ",”"
		text = strings.TrimPrefix(text, ",")
	}
	if n := len(last.text); n > 0 && last.text[n-1] == '.' && last.text == "." {
		l.runs = l.runs[:len(l.runs)-1]
	}
	l.add(text)
}
