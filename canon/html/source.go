package html

import (
	"strings"
	"time"

	"golang.org/x/net/html"

	"muniment/canon/read"
)

// Where a page states its date, title and publisher, best first; names and
// properties of meta elements in lower case.
var (
	dateNames = []string{"article:published_time", "dcterms.issued", "dc.date.issued", "dcterms.date",
		"dc.date", "citation_publication_date", "citation_date", "datepublished", "date", "dcterms.created", "dc.date.created"}
	titleNames     = []string{"og:title", "dcterms.title", "dc.title", "citation_title"}
	publisherNames = []string{"og:site_name", "dcterms.publisher", "dc.publisher", "citation_publisher", "publisher"}
	creatorNames   = []string{"author", "dcterms.creator", "dc.creator", "citation_author", "article:author"}
)

// statements gathers the plain statements of a page.
type statements struct {
	restore                    func(string) string
	title, language, canonical string
	meta                       map[string][]string
}

// source returns the statements of a page about itself in title, meta and link elements and in the
// language of its root.
func source(root *html.Node, restore func(string) string) read.Meta {
	s := statements{restore: restore, meta: map[string][]string{}}
	s.gather(root)
	m := read.Meta{
		Title:     s.title,
		Publisher: s.first(publisherNames),
		URL:       s.canonical,
		Language:  s.language,
	}
	if m.Title == "" {
		m.Title = s.first(titleNames)
	}
	if m.URL == "" {
		m.URL = read.Address(s.first([]string{"og:url"}))
	}
	for _, name := range dateNames {
		for _, v := range s.meta[name] {
			if m.PublishedAt == "" {
				m.PublishedAt = date(v)
			}
		}
	}
	for _, name := range creatorNames {
		for _, v := range s.meta[name] {
			if read.Address(v) == "" {
				m.Creators = read.AddCreator(m.Creators, v)
			}
		}
	}
	return m
}

// gather walks the tree without recursion, in document order.
func (s *statements) gather(root *html.Node) {
	for n := root; n != nil; n = nextNode(n, root) {
		if n.Type != html.ElementNode || n.Namespace != "" {
			continue
		}
		switch n.Data {
		case "html":
			if s.language = s.clean(attr(n, "lang")); s.language == "" {
				s.language = s.clean(attr(n, "xml:lang"))
			}
		case "title":
			if s.title == "" && n.FirstChild != nil {
				s.title = s.clean(n.FirstChild.Data)
			}
		case "meta":
			content := s.clean(attr(n, "content"))
			for _, key := range []string{"name", "property", "itemprop"} {
				if name := strings.ToLower(strings.Trim(attr(n, key), whiteSpace)); name != "" && content != "" {
					s.meta[name] = append(s.meta[name], content)
				}
			}
		case "link":
			if s.canonical == "" && hasWord(attr(n, "rel"), "canonical") {
				s.canonical = read.Address(s.clean(attr(n, "href")))
			}
		}
	}
}

// nextNode returns the node after n in document order, templates passed over.
func nextNode(n, root *html.Node) *html.Node {
	if n.FirstChild != nil && n.Data != "template" {
		return n.FirstChild
	}
	for n != root && n.NextSibling == nil {
		n = n.Parent
	}
	if n == root {
		return nil
	}
	return n.NextSibling
}

// first returns the first value that a page states under one of the names, the
// best name first.
func (s *statements) first(names []string) string {
	for _, name := range names {
		if v := s.meta[name]; len(v) > 0 {
			return v[0]
		}
	}
	return ""
}

// clean returns a statement as the page wrote it, on one line and of bounded
// length.
func (s *statements) clean(v string) string { return read.Line(s.restore(v)) }

// date returns a stated date as RFC 3339 where it gives time and zone, as
// YYYY-MM-DD where it gives the day, and "" otherwise.
func date(v string) string {
	if _, err := time.Parse(time.RFC3339, v); err == nil {
		return v
	}
	if len(v) < len(time.DateOnly) {
		return ""
	}
	day := strings.ReplaceAll(v[:len(time.DateOnly)], "/", "-")
	if _, err := time.Parse(time.DateOnly, day); err != nil {
		return ""
	}
	if rest := v[len(time.DateOnly):]; rest != "" && rest[0] != 'T' && rest[0] != ' ' {
		return ""
	}
	return day
}
