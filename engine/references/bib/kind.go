package bib

import (
	"slices"
	"strconv"
	"strings"
)

// A kind is a kind of work that the styles tell apart.
type kind string

// kinds lists, by kind, the item types of CSL; every other type is standalone:
// books, films, anything that is its own container.
var kinds = func() map[string]kind {
	out := map[string]kind{}
	for k, types := range map[kind]string{
		"journal":     "article-journal article review review-book",
		"newspaper":   "article-newspaper article-magazine broadcast",
		"chapter":     "chapter entry entry-dictionary entry-encyclopedia",
		"proceedings": "paper-conference",
		"web":         "webpage post post-weblog",
		"report":      "report standard legislation legal_case bill patent regulation treaty map",
		"thesis":      "thesis",
		"archival":    "personal_communication manuscript document interview speech collection",
		"data":        "dataset",
		"software":    "software",
	} {
		for t := range strings.FieldsSeq(types) {
			out[t] = k
		}
	}
	return out
}()

// parents are the kinds whose templates are used for a kind without templates.
var parents = map[kind]kind{"proceedings": "chapter", "software": "data"}

// isChapter reports whether a work of the kind is a part of a book.
func (k kind) isChapter() bool { return k == "chapter" || parents[k] == "chapter" }

// kind returns the kind of a work. A part without its container is a work of
// its own or, in a newspaper, a page.
func (it Item) kind() kind {
	switch k, ok := kinds[it.Type]; {
	case ok && (k == "journal" || k == "newspaper" || k.isChapter()) && it.ContainerTitle == "":
		if it.URL != "" && k == "newspaper" {
			return "web"
		}
		return "standalone"
	case ok:
		return k
	case it.Type == "":
		return "archival"
	}
	return "standalone"
}

// pages returns the pages with an en dash.
func (it Item) pages() string {
	return strings.ReplaceAll(strings.ReplaceAll(it.Page, "--", "–"), "-", "–")
}

// pageLabel returns "p. 12" or "pp. 12–19", "" without pages.
func (it Item) pageLabel() string {
	switch p := it.pages(); {
	case p == "":
		return ""
	case strings.ContainsAny(p, "–,"):
		return "pp. " + p
	default:
		return "p. " + p
	}
}

// doi returns the DOI without resolver or prefix.
func (it Item) doi() string {
	d := it.DOI
	for _, p := range []string{"https://doi.org/", "http://doi.org/", "http://dx.doi.org/", "https://dx.doi.org/", "doi:", "DOI:"} {
		d = strings.TrimPrefix(d, p)
	}
	return strings.TrimSpace(d)
}

// Link returns the address of the DOI at its resolver, else the URL.
func (it Item) Link() string {
	if d := it.doi(); d != "" {
		return "https://doi.org/" + d
	}
	return it.URL
}

// edition returns "2nd ed." for 2, "rev. ed." for revised; "" for the first.
func (it Item) edition(word string) string {
	e := strings.TrimSpace(it.Edition)
	n, err := strconv.Atoi(e)
	switch {
	case e == "" || n == 1:
		return ""
	case err == nil:
		return ordinal(n) + " " + word
	case strings.HasSuffix(strings.ToLower(e), "ed.") || strings.HasSuffix(strings.ToLower(e), "edition"):
		return e
	case strings.EqualFold(e, "revised"):
		return "rev. " + word
	}
	return e + " " + word
}

// ordinal writes 1st, 2nd, 3rd, 4th.
func ordinal(n int) string {
	suffix := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return strconv.Itoa(n) + suffix
}

// isAuthor reports whether an author has the given name.
func (it Item) isAuthor(name string) bool {
	return slices.ContainsFunc(it.Author, func(n Name) bool { return n.family() == name })
}

// body returns the publisher, unless it is the author or the container as well.
func (it Item) body() string {
	if it.isAuthor(it.Publisher) || it.Publisher == it.ContainerTitle {
		return ""
	}
	return it.Publisher
}

// imprint returns "Place: Publisher", or the one that is known.
func (it Item) imprint() string {
	switch {
	case it.PublisherPlace != "" && it.Publisher != "":
		return it.PublisherPlace + ": " + it.Publisher
	case it.Publisher != "":
		return it.Publisher
	}
	return it.PublisherPlace
}
