package bib

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// risTypes maps item types to reference types, the one written first where
// several are read.
var risTypes = []struct{ ris, item string }{
	{"JOUR", "article-journal"}, {"BOOK", "book"}, {"CHAP", "chapter"}, {"CONF", "paper-conference"}, {"CPAPER", "paper-conference"}, {"NEWS", "article-newspaper"},
	{"MGZN", "article-magazine"}, {"ELEC", "webpage"}, {"WEB", "webpage"}, {"BLOG", "post-weblog"}, {"RPRT", "report"}, {"GOVDOC", "report"}, {"THES", "thesis"}, {"PCOMM", "personal_communication"},
	{"UNPB", "manuscript"}, {"MANSCPT", "manuscript"}, {"DATA", "dataset"}, {"COMP", "software"}, {"ENCYC", "entry-encyclopedia"}, {"DICT", "entry-dictionary"}, {"EDBOOK", "book"},
	{"EBOOK", "book"}, {"EJOUR", "article-journal"}, {"STAND", "standard"}, {"BILL", "bill"}, {"CASE", "legal_case"}, {"STAT", "legislation"}, {"PAT", "patent"}, {"MAP", "map"}, {"GEN", "document"},
}

func risType(item string) string {
	for _, t := range risTypes {
		if t.item == item {
			return t.ris
		}
	}
	return "GEN"
}

// WriteRIS writes items as RIS: CRLF line ends, two spaces, hyphen and space
// behind each tag, UTF-8.
func WriteRIS(items []Item) []byte {
	var b bytes.Buffer
	tag := func(name, value string) {
		if value = strings.Join(strings.Fields(value), " "); value != "" {
			fmt.Fprintf(&b, "%s  - %s\r\n", name, value)
		}
	}
	for _, it := range items {
		fmt.Fprintf(&b, "TY  - %s\r\n", risType(it.Type))
		tag("ID", it.ID)
		for _, n := range it.Author {
			tag("AU", risName(n))
		}
		for _, n := range it.Editor {
			tag("ED", risName(n))
		}
		tag("TI", it.Title)
		tag("T2", it.ContainerTitle)
		tag("T3", it.Collection)
		tag("PB", it.Publisher)
		tag("CY", it.PublisherPlace)
		tag("VL", it.Volume)
		tag("IS", it.Issue)
		tag("M1", it.Number)
		tag("ET", it.Edition)
		from, to, ranged := strings.Cut(it.Page, "-")
		tag("SP", from)
		if ranged {
			tag("EP", to)
		}
		tag("M3", it.Genre)
		tag("DA", risDate(it.Issued))
		if y := it.Issued.Year; y != 0 {
			tag("PY", strconv.Itoa(y))
		}
		tag("DO", it.DOI)
		if it.ISBN != "" {
			tag("SN", it.ISBN)
		} else {
			tag("SN", it.ISSN)
		}
		tag("UR", it.URL)
		tag("Y2", risDate(it.Accessed))
		tag("AV", it.Archive)
		tag("LA", it.Language)
		tag("N1", it.Note)
		b.WriteString("ER  - \r\n\r\n")
	}
	return b.Bytes()
}

// risName writes family, given, suffix.
func risName(n Name) string {
	if n.Literal != "" {
		return n.Literal
	}
	s := n.family()
	if n.Given != "" || n.Suffix != "" {
		s += ", " + n.Given
	}
	if n.Suffix != "" {
		s += ", " + n.Suffix
	}
	return s
}

// risDate writes YYYY/MM/DD/other.
func risDate(d Date) string {
	if d.Literal != "" {
		return "///" + d.Literal
	}
	if d.Year == 0 {
		return ""
	}
	s := fmt.Sprintf("%04d/", d.Year)
	if d.Month > 0 {
		s += fmt.Sprintf("%02d", d.Month)
	}
	s += "/"
	if d.Day > 0 {
		s += fmt.Sprintf("%02d", d.Day)
	}
	return s + "/"
}

// ReadRIS reads RIS. A line without a tag continues the one before.
func ReadRIS(data []byte) ([]Item, []*EntryError, error) {
	if len(data) > MaxFile {
		return nil, nil, errLarge
	}
	text := strings.ReplaceAll(strings.ReplaceAll(strings.ToValidUTF8(strings.TrimPrefix(string(data), "\uFEFF"), "\uFFFD"), "\r\n", "\n"), "\r", "\n")
	var items []Item
	var bad []*EntryError
	var fields [][2]string
	begin, open := 0, false
	fail := func(line int, reason string) {
		bad = append(bad, &EntryError{Line: line, Entry: strconv.Itoa(len(items) + len(bad) + 1), Reason: reason})
	}
	end := func() {
		it, err := risItem(fields)
		if err != nil {
			fail(begin, err.Error())
		} else {
			items = append(items, it)
		}
		fields, open = nil, false
	}
	n := 0
	for line := range strings.SplitSeq(text, "\n") {
		n++
		tag, value, ok := risLine(line)
		switch {
		case strings.TrimSpace(line) == "":
		case !ok && open && len(fields) > 0:
			fields[len(fields)-1][1] += " " + strings.TrimSpace(line)
		case !ok:
			fail(n, "a line without a tag outside an entry")
		case tag == "TY":
			if open {
				fail(begin, "no ER before the next entry")
				fields = nil
			}
			begin, open = n, true
			fields = append(fields, [2]string{tag, value})
		case !open:
			fail(n, "tag "+tag+" outside an entry")
		case tag == "ER":
			end()
		default:
			fields = append(fields, [2]string{tag, value})
		}
		if len(items)+len(bad) > MaxEntries || len(fields) > 10*MaxNames {
			return nil, nil, errLarge
		}
	}
	if open {
		fail(begin, "no ER at the end")
	}
	return items, bad, nil
}

func risLine(line string) (tag, value string, ok bool) {
	if len(line) < 5 || line[2:5] != "  -" {
		return "", "", false
	}
	for i := range 2 {
		if c := line[i]; !(c >= 'A' && c <= 'Z' || i == 1 && c >= '0' && c <= '9') {
			return "", "", false
		}
	}
	return line[:2], strings.TrimSpace(line[5:]), true
}

func risItem(fields [][2]string) (Item, error) {
	var it Item
	from, to, year := "", "", ""
	for _, f := range fields {
		v := f[1]
		set := func(into *string) {
			if *into == "" {
				*into = v
			}
		}
		switch f[0] {
		case "TY":
			it.Type = "document"
			for _, t := range risTypes {
				if t.ris == v {
					it.Type = t.item
				}
			}
		case "ID":
			set(&it.ID)
		case "AU", "A1":
			it.Author = named(it.Author, risPerson(v))
		case "ED", "A2":
			it.Editor = named(it.Editor, risPerson(v))
		case "TI", "T1":
			set(&it.Title)
		case "T2", "JO", "JF", "JA", "BT":
			set(&it.ContainerTitle)
		case "T3":
			set(&it.Collection)
		case "PB":
			set(&it.Publisher)
		case "CY", "PP":
			set(&it.PublisherPlace)
		case "VL":
			set(&it.Volume)
		case "IS":
			set(&it.Issue)
		case "M1":
			set(&it.Number)
		case "ET":
			set(&it.Edition)
		case "SP":
			set(&from)
		case "EP":
			set(&to)
		case "M3":
			set(&it.Genre)
		case "DA":
			it.Issued = risWhen(v)
		case "PY", "Y1":
			set(&year)
		case "DO":
			set(&it.DOI)
		case "SN":
			if digits := strings.Count(v, "") - 1 - strings.Count(v, "-"); digits > 8 {
				set(&it.ISBN)
			} else {
				set(&it.ISSN)
			}
		case "UR", "L1":
			set(&it.URL)
		case "Y2":
			it.Accessed = risWhen(v)
		case "AV":
			set(&it.Archive)
		case "LA":
			set(&it.Language)
		case "N1":
			set(&it.Note)
		}
	}
	if it.Issued.IsZero() {
		it.Issued = risWhen(year)
	}
	it.Page = from
	if to != "" && to != from && !strings.Contains(from, "-") {
		it.Page += "-" + to
	}
	return it, it.known()
}

// risPerson reads a name; RIS inverts every person's, so that one without a
// comma is a body.
func risPerson(s string) Name {
	if !strings.Contains(s, ",") {
		return Name{Literal: s}
	}
	parts := strings.SplitN(s, ",", 3)
	n := split(strings.TrimSpace(parts[0]))
	n.Given = strings.TrimSpace(parts[1])
	if len(parts) == 3 {
		n.Suffix = strings.TrimSpace(parts[2])
	}
	return n
}

// risWhen reads YYYY/MM/DD/other, or any form ParseDate knows.
func risWhen(s string) Date {
	if !strings.Contains(s, "/") {
		return ParseDate(s)
	}
	parts := strings.SplitN(s, "/", 4)
	iso := parts[0]
	for i := 1; i < 3 && i < len(parts) && strings.TrimSpace(parts[i]) != ""; i++ {
		p := strings.TrimSpace(parts[i])
		if len(p) == 1 {
			p = "0" + p
		}
		iso += "-" + p
	}
	d, ok := simple(iso)
	switch {
	case ok:
		return d
	case len(parts) == 4 && parts[3] != "":
		return Date{Literal: parts[3]}
	}
	return Date{Literal: s}
}
