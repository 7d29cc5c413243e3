package bib

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// bibtexTypes maps item types to entry types of BibTeX and biblatex, the one written first where several are read.
var bibtexTypes = []struct{ entry, item string }{
	{"article", "article-journal"}, {"book", "book"}, {"incollection", "chapter"}, {"inbook", "chapter"}, {"inproceedings", "paper-conference"}, {"conference", "paper-conference"},
	{"inreference", "entry-encyclopedia"}, {"techreport", "report"}, {"report", "report"}, {"phdthesis", "thesis"}, {"mastersthesis", "thesis"}, {"thesis", "thesis"},
	{"online", "webpage"}, {"electronic", "webpage"}, {"www", "webpage"}, {"dataset", "dataset"}, {"software", "software"}, {"letter", "personal_communication"},
	{"unpublished", "manuscript"}, {"manual", "report"}, {"booklet", "book"}, {"collection", "book"}, {"proceedings", "book"}, {"mvbook", "book"},
	{"periodical", "article-magazine"}, {"misc", "document"},
}

// bibtexOf are item types without an entry type of their own.
var bibtexOf = map[string]string{"article-newspaper": "article", "article-magazine": "article", "post-weblog": "online", "post": "online", "": "misc"}

// bibtexType returns the entry type of an item type.
func bibtexType(item string) string {
	if t, ok := bibtexOf[item]; ok {
		return t
	}
	for _, t := range bibtexTypes {
		if t.item == item {
			return t.entry
		}
	}
	return "misc"
}

// WriteBibTeX writes items as BibTeX, one entry each, with the letters of other
// scripts as they are (UTF-8) and the characters that TeX reserves escaped.
func WriteBibTeX(items []Item) []byte {
	var b strings.Builder
	keys := map[string]bool{}
	for i, it := range items {
		if i > 0 {
			b.WriteString("\n")
		}
		entry := bibtexType(it.Type)
		fmt.Fprintf(&b, "@%s{%s,\n", entry, bibtexKey(it, keys))
		field := func(name, value string) {
			if value != "" {
				fmt.Fprintf(&b, "  %s = {%s},\n", name, value)
			}
		}
		field("author", bibtexNames(it.Author))
		field("editor", bibtexNames(it.Editor))
		field("title", texEscape(it.Title))
		container := "booktitle"
		switch entry {
		case "article":
			container = "journal"
		case "online", "dataset", "software", "misc", "letter", "unpublished", "report", "techreport", "phdthesis", "book":
			container = "maintitle"
		}
		field(container, texEscape(it.ContainerTitle))
		field("series", texEscape(it.Collection))
		publisher := "publisher"
		switch entry {
		case "phdthesis":
			publisher = "school"
		case "techreport":
			publisher = "institution"
		}
		field(publisher, texEscape(it.Publisher))
		field("address", texEscape(it.PublisherPlace))
		field("edition", texEscape(it.Edition))
		field("volume", texEscape(it.Volume))
		if entry == "techreport" && it.Issue == "" {
			field("number", texEscape(it.Number))
		} else {
			field("number", texEscape(it.Issue))
			field("eid", texEscape(it.Number))
		}
		field("pages", texEscape(strings.ReplaceAll(it.Page, "-", "--")))
		field("type", texEscape(it.Genre))
		bibtexDate(field, it.Issued)
		field("doi", texURL(it.DOI))
		field("isbn", texEscape(it.ISBN))
		field("issn", texEscape(it.ISSN))
		field("url", texURL(it.URL))
		field("urldate", texEscape(it.Accessed.String()))
		field("library", texEscape(it.Archive))
		field("langid", texEscape(it.Language))
		field("note", texEscape(it.Note))
		if it.Type != "" && itemType(entry) != it.Type {
			field("entrysubtype", texEscape(it.Type))
		}
		b.WriteString("}\n")
	}
	return []byte(b.String())
}

// bibtexDate writes the year, which is what BibTeX's own styles read, with the
// month where the two say all, else with a biblatex date.
func bibtexDate(field func(name, value string), d Date) {
	switch {
	case d.IsZero():
	case d.Literal != "":
		field("year", texEscape(d.Literal))
	case d.To == nil && !d.Circa && d.Day == 0 && d.Season == "" && d.Year > 0:
		field("year", strconv.Itoa(d.Year))
		if d.Month > 0 {
			field("month", strconv.Itoa(d.Month))
		}
	default:
		if d.Year > 0 {
			field("year", strconv.Itoa(d.Year))
		}
		field("date", texEscape(d.String()))
		field("season", texEscape(d.Season))
	}
}

// itemType returns the item type of an entry type.
func itemType(entry string) string {
	for _, t := range bibtexTypes {
		if t.entry == entry {
			return t.item
		}
	}
	return "document"
}

// bibtexKey returns the item's ID, or brandt1931, as a key that occurs once.
func bibtexKey(it Item, keys map[string]bool) string {
	clean := func(s string) string {
		return strings.Map(func(r rune) rune {
			if r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(":-_.+/", r)) {
				return r
			}
			return -1
		}, s)
	}
	key := clean(it.ID)
	if key == "" {
		key = clean(strings.ToLower(it.short("and")))
		key = cmp.Or(key, "item")
		if it.Issued.Year != 0 {
			key += strconv.Itoa(it.Issued.Year)
		}
	}
	base := key
	for n := 2; keys[key]; n++ {
		key = base + "-" + strconv.Itoa(n)
	}
	keys[key] = true
	return key
}

// bibtexNames writes a field of names.
func bibtexNames(names []Name) string {
	var out []string
	for _, n := range names {
		switch {
		case n.Literal != "":
			out = append(out, "{"+texEscape(n.Literal)+"}")
		default:
			s := texPart(n.Family)
			if n.Particle != "" {
				s = texPart(n.Particle) + " " + s
			}
			if n.Suffix != "" {
				s += ", " + texPart(n.Suffix)
			}
			if n.Given != "" {
				s += ", " + texPart(n.Given)
			}
			out = append(out, s)
		}
	}
	return strings.Join(out, " and ")
}

// texEscapes write the characters that TeX or BibTeX reserve. BibTeX counts braces whether or not a backslash stands
// before them, so that each replacement is balanced in itself; and some readers take any @ for the beginning of an
// entry.
var texEscapes = strings.NewReplacer(`\`, `{\textbackslash}`, "{", `{\textbraceleft}`, "}", `{\textbraceright}`, "@", "{@}", "%", `\%`, "&", `\&`, "#", `\#`, "$", `\$`, "_", `\_`, "~", `{\textasciitilde}`, "^", `{\textasciicircum}`)

// texEscape writes plain text as TeX, on one line.
func texEscape(s string) string { return texEscapes.Replace(oneLine(s)) }

// urlEscapes percent-encode what no URL has and BibTeX would count.
var urlEscapes = strings.NewReplacer("{", "%7B", "}", "%7D", `\`, "%5C")

// texURL writes a URL or DOI as TeX; an @ in it stays, as readers show the field as it is.
func texURL(s string) string { return strings.ReplaceAll(texEscape(urlEscapes.Replace(s)), "{@}", "@") }

// texPart writes a part of a name, in braces where BibTeX would cut it.
func texPart(s string) string {
	out := texEscape(s)
	if strings.Contains(s, ",") || strings.Contains(" "+oneLine(strings.ToLower(s))+" ", " and ") {
		return "{" + out + "}"
	}
	return out
}

// oneLine returns a text on one line, without control characters.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, strings.Join(strings.Fields(s), " "))
}
