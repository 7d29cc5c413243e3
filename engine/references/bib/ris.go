package bib

import (
	"bytes"
	"cmp"
	"errors"
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

// risType returns the reference type of an item type.
func risType(item string) string {
	for _, t := range risTypes {
		if t.item == item {
			return t.ris
		}
	}
	return "GEN"
}

// WriteRIS writes items as RIS: CRLF line ends, two spaces, hyphen and space after each tag, UTF-8.
func WriteRIS(items []Item) []byte {
	var b bytes.Buffer
	tag := func(name, value string) {
		if value = oneLine(value); value != "" {
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

// readRIS reads RIS. A line without a tag continues the one before.
func readRIS(data []byte) ([]Row, error) {
	text := strings.ReplaceAll(strings.ReplaceAll(strings.ToValidUTF8(string(data), "\uFFFD"), "\r\n", "\n"), "\r", "\n")
	var rows []Row
	var fields [][2]string // of the open entry; none outside an entry
	begin, n := 0, 0
	refuse := func(line int, reason string) { rows = append(rows, Row{Line: line, Err: errors.New(reason)}) }
	for line := range strings.SplitSeq(text, "\n") {
		n++
		tag, value, ok := risLine(line)
		open := len(fields) > 0
		switch {
		case strings.TrimSpace(line) == "":
		case !ok && open:
			fields[len(fields)-1][1] += " " + strings.TrimSpace(line)
		case !ok:
			refuse(n, "a line without a tag outside an entry")
		case tag == "TY":
			if open {
				refuse(begin, "no ER before the next entry")
			}
			begin, fields = n, [][2]string{{tag, value}}
		case !open:
			refuse(n, "tag "+tag+" outside an entry")
		case tag == "ER":
			it, err := risItem(fields)
			rows, fields = append(rows, Row{Line: begin, Key: it.ID, Item: it, Err: err}), nil
		default:
			fields = append(fields, [2]string{tag, value})
		}
		if len(rows) > MaxEntries || len(fields) > 10*MaxNames {
			return nil, errLarge
		}
	}
	if len(fields) > 0 {
		refuse(begin, "no ER at the end")
	}
	return rows, nil
}

// risLine splits a line into its tag and value, and reports whether it has a tag.
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

// risFields maps tags to the fields that they fill; of several the first counts.
var risFields = map[string]func(*Item) *string{
	"ID": func(it *Item) *string { return &it.ID }, "TI": func(it *Item) *string { return &it.Title }, "T2": func(it *Item) *string { return &it.ContainerTitle },
	"T3": func(it *Item) *string { return &it.Collection }, "PB": func(it *Item) *string { return &it.Publisher }, "CY": func(it *Item) *string { return &it.PublisherPlace },
	"VL": func(it *Item) *string { return &it.Volume }, "IS": func(it *Item) *string { return &it.Issue }, "M1": func(it *Item) *string { return &it.Number },
	"ET": func(it *Item) *string { return &it.Edition }, "M3": func(it *Item) *string { return &it.Genre }, "DO": func(it *Item) *string { return &it.DOI },
	"UR": func(it *Item) *string { return &it.URL }, "AV": func(it *Item) *string { return &it.Archive }, "LA": func(it *Item) *string { return &it.Language },
	"N1": func(it *Item) *string { return &it.Note },
}

// risAliases are other tags for a field.
var risAliases = map[string]string{"A1": "AU", "A2": "ED", "T1": "TI", "JO": "T2", "JF": "T2", "JA": "T2", "BT": "T2", "PP": "CY", "L1": "UR", "Y1": "PY"}

// risItem makes an item of an entry's tags and values.
func risItem(fields [][2]string) (Item, error) {
	var it Item
	from, to, year := "", "", ""
	set := func(into *string, value string) {
		*into = cmp.Or(*into, value)
	}
	for _, f := range fields {
		tag, v := f[0], f[1]
		if other, ok := risAliases[tag]; ok {
			tag = other
		}
		if at := risFields[tag]; at != nil {
			set(at(&it), v)
			continue
		}
		switch tag {
		case "TY":
			it.Type = "document"
			for _, t := range risTypes {
				if t.ris == v {
					it.Type = t.item
				}
			}
		case "AU":
			it.Author = appendName(it.Author, risPerson(v))
		case "ED":
			it.Editor = appendName(it.Editor, risPerson(v))
		case "SP":
			set(&from, v)
		case "EP":
			set(&to, v)
		case "PY":
			set(&year, v)
		case "DA":
			it.Issued = risWhen(v)
		case "Y2":
			it.Accessed = risWhen(v)
		case "SN":
			if digits := strings.Count(v, "") - 1 - strings.Count(v, "-"); digits > 8 {
				set(&it.ISBN, v)
			} else {
				set(&it.ISSN, v)
			}
		}
	}
	if it.Issued.IsZero() {
		it.Issued = risWhen(year)
	}
	it.Page = from
	if to != "" && to != from && !strings.Contains(from, "-") {
		it.Page += "-" + to
	}
	return it, it.check()
}

// risPerson reads a name; RIS inverts every person's, so that one without a
// comma is a body.
func risPerson(s string) Name {
	if !strings.Contains(s, ",") {
		return Name{Literal: s}
	}
	parts := strings.SplitN(s, ",", 3)
	n := splitParticle(strings.TrimSpace(parts[0]))
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
	d, ok := simpleDate(iso)
	switch {
	case ok:
		return d
	case len(parts) == 4 && parts[3] != "":
		return Date{Literal: parts[3]}
	}
	return Date{Literal: s}
}
