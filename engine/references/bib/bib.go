// Package bib writes references: what stands behind a claim, in the form that
// readers of a field expect, and in the exchange formats of reference managers.
//
//	item := bib.Item{Type: "book", Title: "The Mill", Author: []bib.Name{bib.ParseName("Brandt, Anna")}, Issued: bib.Date{Year: 1931}}
//	list, err := bib.Format([]bib.Item{item}, bib.APA, bib.Text)
//	// list[0].Text == "Brandt, A. (1931). The Mill."
//
// # Items
//
// An Item has the fields of the Citation Style Language's data model (CSL 1.0.2)
// that the styles here use. What is missing is left out of a reference together
// with its punctuation, or replaced as the style says: a reference without an
// author begins with its title, one without a date says n.d.
//
// # Styles
//
//	inline     (Brandt, 1931, p. 24): the citation in running text
//	harvard    Harvard as in Cite Them Right (12th edition)
//	ieee       IEEE Reference Guide; numbered in the order given
//	apa        Publication Manual of the American Psychological Association, 7th edition
//	chicago    The Chicago Manual of Style, 17th edition, author-date
//	contract   [1] Publisher. "Title". Published Feb 10, 2026. URL [Paywall]
//
// The rules of each style are data in the folder styles.
//
// Titles keep the capitals they were given: whether a word is a name cannot be
// told from its spelling. Works of one author and one year are told apart by
// letters (1931a, 1931b) in the order of their titles. A source is listed once,
// however often it is cited. Lists are sorted by author, year and title, those
// of ieee and contract stand in the order of the citations.
//
// # Exchange
//
// BibTeX, RIS and CSL-JSON are read by Read and written. A written item is read
// back as the same Item but for what a format does not have: BibTeX and RIS
// reduce the type and keep no paywall mark, RIS joins a particle to the family
// name and has no seasons, ranges or approximate dates. An entry that cannot be
// read is a Row with an error and its line, and the others are read.
//
// # Limits
//
// Legal references, patents and maps are written as reports. Names keep the
// order of their parts as given; scripts without a family name are literals.
// BibTeX's crossref and xdata are not followed.
package bib

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// An Item is a work that can be referred to. Strings are plain text.
type Item struct {
	ID             string // the caller's own key; unique in a list
	Type           string // item type of CSL 1.0.2, such as article-journal, book, chapter, webpage; "" is document
	Title          string
	ContainerTitle string // journal, newspaper, book, website
	Collection     string // series
	Publisher      string
	PublisherPlace string
	Volume         string
	Issue          string
	Number         string // of a report, standard or patent
	Edition        string // 2, "2nd", "revised"
	Page           string // 12 or 12-19
	Genre          string // Letter, Doctoral dissertation, Diary entry
	DOI            string // without resolver
	ISBN, ISSN     string
	URL            string
	Archive        string // that holds it, with its call number
	Language       string // BCP 47
	Note           string
	Author         []Name
	Editor         []Name
	Issued         Date
	Accessed       Date

	Paywall     bool // cited by its metadata only
	MonitorOnly bool // of tier 4
}

// A Style is a way to write references.
type Style string

// The styles.
const (
	Inline   Style = "inline"
	Harvard  Style = "harvard"
	IEEE     Style = "ieee"
	APA      Style = "apa"
	Chicago  Style = "chicago"
	Contract Style = "contract"
)

// Styles lists them.
var Styles = []Style{Inline, Harvard, IEEE, APA, Chicago, Contract}

// Markup says how italics are written.
type Markup uint8

// The markups.
const (
	Text     Markup = iota // no italics
	Markdown               // *italics*, special characters escaped
	HTML                   // <i>italics</i>, special characters escaped
)

// A Reference is one line of a list of references.
type Reference struct {
	Item  int    // index in the items given
	Label string // what stands in the text: 1, or Brandt, 1931a
	Text  string

	author, year string // the parts of the label
}

// ErrStyle is wrapped by errors about a style that there is not.
var ErrStyle = errors.New("unknown style")

// ParseStyle reads the name of a style, in any case; "apa7" and "chicago author-date" are names as well.
func ParseStyle(s string) (Style, error) {
	name := strings.ToLower(strings.TrimSpace(s))
	switch name {
	case "apa7", "apa-7", "apa 7":
		return APA, nil
	case "chicago-author-date", "chicago author-date":
		return Chicago, nil
	case "references", "reference list":
		return Contract, nil
	}
	if slices.Contains(Styles, Style(name)) {
		return Style(name), nil
	}
	return "", fmt.Errorf("%w %q: want inline, harvard, ieee, apa, chicago or contract", ErrStyle, s)
}

// Format writes the references of items in a style. An item that occurs again,
// with the same ID or in every field, is listed once, at its first place.
func Format(items []Item, style Style, markup Markup) ([]Reference, error) {
	if !slices.Contains(Styles, style) {
		return nil, fmt.Errorf("%w %q", ErrStyle, style)
	}
	entries, sheet := uniqueEntries(items), sheets[style]
	if !sheet.isNumbered() {
		order(entries, sheet)
		distinguish(entries)
	}
	out := make([]Reference, 0, len(entries))
	for i, e := range entries {
		w := writer{sheet: sheet, entry: e}
		w.write("whole")
		r := Reference{Item: e.at, Text: w.line.render(markup), author: e.short(cmp.Or(sheet["and"], "and")), year: e.date()}
		if r.Label = r.author + ", " + r.year; sheet.isNumbered() {
			r.Label = strconv.Itoa(i + 1)
			r.Text = "[" + r.Label + "] " + r.Text
		}
		out = append(out, r)
	}
	return out, nil
}

// Cite writes the citation of one reference in running text, with a place in the work, such as "p. 24" or "para. 3",
// when locator is not empty: [1, p. 24] for the numbered styles, else (Brandt, 1931a, p. 24).
func Cite(r Reference, style Style, locator string) string {
	text := r.Label
	if locator != "" {
		text += ", " + locator
	}
	switch {
	case sheets[style].isNumbered():
		return "[" + text + "]"
	case style == Chicago:
		text = r.author + " " + r.year
		if locator != "" {
			text += ", " + strings.TrimPrefix(strings.TrimPrefix(locator, "pp. "), "p. ")
		}
	}
	return "(" + text + ")"
}

// Locator writes a place in a work in English from what a span or a caller's locator says: kind is page, paragraph,
// line, section, row, time or chapter; to is "" or the last of several.
func Locator(kind, from, to string) string {
	names := map[string][2]string{"page": {"p.", "pp."}, "paragraph": {"para.", "paras."}, "line": {"line", "lines"}, "section": {"sec.", "secs."},
		"row": {"row", "rows"}, "time": {"", ""}, "chapter": {"chap.", "chaps."}}
	n, ok := names[kind]
	if !ok {
		n = [2]string{kind, kind}
	}
	name, place := n[0], from
	if to != "" && to != from {
		name, place = n[1], from+"–"+to
	}
	return strings.TrimSpace(name + " " + place)
}

// check returns an error for an item without a field that a reference can begin with.
func (it Item) check() error {
	for _, s := range []string{it.Title, it.ContainerTitle, it.URL, it.Publisher} {
		if strings.TrimSpace(s) != "" {
			return nil
		}
	}
	if len(it.Author) > 0 {
		return nil
	}
	return errors.New("no title, author, container or address")
}
