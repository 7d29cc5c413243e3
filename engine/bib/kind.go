package bib

import (
	"strconv"
	"strings"
)

// A kind is what the styles tell apart.
type kind uint8

const (
	standalone kind = iota // books, films, anything that is its own container
	journal
	newspaper // and magazines
	chapter   // and entries and papers in proceedings
	web
	report // and standards, laws, patents
	thesis
	archival // letters, diaries, manuscripts, talks
	data     // and software
)

var kinds = map[string]kind{
	"article-journal": journal, "article": journal, "review": journal, "review-book": journal,
	"article-newspaper": newspaper, "article-magazine": newspaper, "broadcast": newspaper,
	"chapter": chapter, "entry": chapter, "entry-dictionary": chapter, "entry-encyclopedia": chapter, "paper-conference": chapter,
	"webpage": web, "post": web, "post-weblog": web,
	"report": report, "standard": report, "legislation": report, "legal_case": report, "bill": report, "patent": report, "regulation": report, "treaty": report, "map": report,
	"thesis":                 thesis,
	"personal_communication": archival, "manuscript": archival, "document": archival, "interview": archival, "speech": archival, "collection": archival,
	"dataset": data, "software": data,
}

func (it Item) kind() kind {
	switch k, ok := kinds[it.Type]; {
	case ok && (k == journal || k == chapter || k == newspaper) && it.ContainerTitle == "":
		if it.URL != "" && k == newspaper {
			return web
		}
		return standalone
	case ok:
		return k
	case it.Type == "":
		return archival
	}
	return standalone
}

// pages returns the pages with an en dash, and whether they are several.
func (it Item) pages() (string, bool) {
	p := strings.ReplaceAll(strings.ReplaceAll(it.Page, "--", "–"), "-", "–")
	return p, strings.ContainsAny(p, "–,")
}

// pageLabel returns "p. 12" or "pp. 12–19", "" without pages.
func (it Item) pageLabel() string {
	p, several := it.pages()
	switch {
	case p == "":
		return ""
	case several:
		return "pp. " + p
	}
	return "p. " + p
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

// body is the publisher, unless it is the author or the container as well.
func (it Item) body() string {
	for _, n := range it.Author {
		if n.family() == it.Publisher {
			return ""
		}
	}
	if it.Publisher == it.ContainerTitle {
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
