package bib

import (
	"strconv"
	"strings"
)

// fields are the fields of templates that are values of the item alone; "" is
// none.
var fields = map[string]func(it *Item) string{
	"title":     func(it *Item) string { return it.heading() },
	"container": func(it *Item) string { return it.ContainerTitle },
	"publisher": func(it *Item) string { return it.Publisher },
	"place":     func(it *Item) string { return it.PublisherPlace },
	"imprint":   func(it *Item) string { return it.imprint() },
	"body":      func(it *Item) string { return it.body() },
	"volume":    func(it *Item) string { return it.Volume },
	"issue":     func(it *Item) string { return it.Issue },
	"number":    func(it *Item) string { return it.Number },
	"genre":     func(it *Item) string { return it.Genre },
	"archive":   func(it *Item) string { return it.Archive },
	"pages":     func(it *Item) string { return it.pages() },
	"pagelabel": func(it *Item) string { return it.pageLabel() },
	"doi":       func(it *Item) string { return it.doi() },
	"url":       func(it *Item) string { return it.URL },
	"link":      func(it *Item) string { return it.Link() },
	"literal":   func(it *Item) string { return it.Issued.Literal },
	"paywall":   func(it *Item) string { return mark(it.Paywall) },
	"monitored": func(it *Item) string { return mark(it.MonitorOnly) },

	"asks": func(it *Item) string {
		return mark(strings.HasSuffix(it.heading(), "?") || strings.HasSuffix(it.heading(), "!"))
	},
	"selfpublished": func(it *Item) string { return mark(it.isAuthor(it.Publisher)) },
	"selfcontained": func(it *Item) string { return mark(it.ContainerTitle == "" || it.isAuthor(it.ContainerTitle)) },
}

// mark returns the value of a field that only says yes.
func mark(yes bool) string {
	if yes {
		return "yes"
	}
	return ""
}

// value returns the value of a field in the style's form.
func (w *writer) value(name string) string {
	if f := fields[name]; f != nil {
		return f(&w.Item)
	}
	if name, ok := strings.CutPrefix(name, "accessed."); ok {
		if w.Accessed.Year == 0 {
			return ""
		}
		return w.dateField(name, w.Accessed, "")
	}
	switch people := w.people(); name {
	default:
		return w.dateField(name, w.Issued, w.letter)
	case "label":
		return w.label()
	case "people":
		return w.names(people)
	case "etal":
		if w.tooMany(len(people)) {
			return "et al."
		}
	case "lastperson":
		if w.tooMany(len(people)) {
			return nameForm(w.sheet["next"]).write(people[len(people)-1])
		}
	case "role":
		if len(w.Author) == 0 && !w.kind().isChapter() {
			return w.role(len(w.Editor))
		}
	case "editors":
		if len(w.Author) > 0 {
			var list []string
			for _, n := range w.Editor {
				list = append(list, nameForm(w.sheet["editor"]).write(n))
			}
			return joinNames(list, w.sheet["editor pair"], w.sheet["editor last"])
		}
	case "editorrole":
		return w.role(len(w.Editor))
	case "edition":
		return w.Item.edition(w.sheet["edition"])
	}
	return ""
}

// role returns the word for so many editors.
func (s sheet) role(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return s["role"]
	}
	return s["roles"]
}

// most returns how many people a reference names, and how many of more.
func (s sheet) most() (most, of int) {
	a, b, _ := strings.Cut(s["most"], " ")
	most, _ = strconv.Atoi(a)
	of, _ = strconv.Atoi(b)
	return most, of
}

// tooMany reports whether a reference does not name all of n people.
func (s sheet) tooMany(n int) bool {
	most, _ := s.most()
	return most > 0 && n > most
}

// names returns the people that a reference names.
func (s sheet) names(people []Name) string {
	var list []string
	form := nameForm(s["first"])
	for _, n := range people {
		list = append(list, form.write(n))
		form = nameForm(s["next"])
	}
	if s.tooMany(len(people)) {
		_, of := s.most()
		return strings.Join(list[:of], ", ")
	}
	return joinNames(list, s["pair"], s["last"])
}

// dateField returns a part of a date; letter tells works of one year apart.
func (s sheet) dateField(name string, d Date, letter string) string {
	switch name {
	case "year":
		return d.year(letter, s["circa"], s["undated"])
	case "monthday":
		return d.monthDay()
	case "daymonth":
		return d.dayMonth()
	case "mon":
		if d.Month == 0 {
			return ""
		}
		if s["months"] == "three" {
			return monthNames[d.Month][:3]
		}
		return monthShort[d.Month]
	case "day":
		if d.Day > 0 {
			return strconv.Itoa(d.Day)
		}
		return ""
	}
	panic("bib: there is no field " + name)
}

// A nameForm is an example of how a style writes a name: the name of Anna Brandt
// the younger, with her middle name in the styles that write initials.
type nameForm string

// write writes a name like the example.
func (f nameForm) write(n Name) string {
	s := n.family()
	if n.Literal != "" || n.Family == "" {
		return s
	}
	example, suffix := strings.CutSuffix(string(f), ", Jr.")
	given, beforeSuffix := n.Given, ", "
	if !suffix {
		beforeSuffix = " "
	}
	switch {
	case strings.Contains(example, "A. M."):
		given = n.initials(" ")
	case strings.Contains(example, "A.M."):
		given = n.initials("")
	}
	switch {
	case given == "":
	case strings.HasPrefix(example, "Brandt"):
		s += ", " + given
	default:
		s = given + " " + s
	}
	if n.Suffix != "" {
		s += beforeSuffix + n.Suffix
	}
	return s
}
