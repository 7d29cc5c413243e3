package examine

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"muniment/search/retrieve"
	"muniment/text/clause"
	"muniment/text/lexicon"
	"muniment/text/segment"
)

// signs are the names, titles, codes and dates of a mention, read once for all cards.
type signs struct {
	names  []string // proper names, in lower case
	other  []string // further words with a topic
	titles [][]string
	codes  []string
	dates  []retrieve.DateRange
	days   []string // MM-DD, where no year is given
	paper  bool     // they are of a paper, not of what happened
	sure   bool
	firm   bool   // it is of a paper, beyond the names in it
	author string // the first name of an entry
	cases  [][]string
	where  Where
}

var dayMonth = regexp.MustCompile(`(?i)\b(\d{1,2})(?:st|nd|rd|th|\.)?\s+(?:of\s+)?(january|february|march|april|may|june|july|august|september|october|november|december|januar|februar|märz|mai|juni|juli|oktober|dezember)\b|\b(january|february|march|april|may|june|july|august|september|october|november|december)\s+(\d{1,2})\b`)

// readSigns reads a mention.
func readSigns(m Mention) signs {
	text := m.Text
	g := signs{where: m.Where, dates: retrieve.Dates(text)}
	for _, n := range properNames(text) {
		g.names = append(g.names, stem(fold(n)))
	}
	for _, w := range wordsOf(text) {
		if len([]rune(w.text)) > 3 && !segment.Function(w.text) && !slices.Contains(g.names, stem(w.text)) && !strings.ContainsFunc(w.text, unicode.IsNumber) {
			g.other = append(g.other, w.text)
		}
	}
	for _, e := range emphasis.FindAllStringSubmatch(text, -1) {
		g.title(e[1] + e[2])
	}
	g.firm = len(g.titles) > 0
	for _, q := range quotedIn(text) {
		if inner := text[q.inner.start:q.inner.end]; isTitle(inner) {
			g.title(inner)
		}
	}
	for _, c := range shelfmark.FindAllString(text, -1) {
		g.codes = append(g.codes, strings.TrimSpace(code(c)))
	}
	if name := caseName.FindString(text); name != "" {
		g.readCase(name)
	}
	if len(g.dates) == 0 {
		for _, d := range dayMonth.FindAllStringSubmatch(text, -1) {
			if all := retrieve.Dates(d[1] + d[4] + " " + d[2] + d[3] + " 2000"); len(all) == 1 {
				g.days = append(g.days, all[0].From[5:])
			}
		}
	}
	if m.Where == Footnote || m.Where == AfterQuote {
		g.paper = true
		if len(g.names) > 0 {
			g.author = g.names[0]
		}
	}
	g.firm = g.firm || m.Where != Preceding && m.Where != InSentence || m.Names() || len(g.dates)+len(g.days) > 0 || reports(text) || strings.Contains(text, ": …") && lexicon.Tells.In(clause.Parse(text).Words) != ""
	g.sure = len(g.codes)+len(g.titles)+len(g.cases) > 0 || m.Where == Footnote || m.Where == AfterQuote
	return g
}

func (g *signs) title(text string) {
	var words []string
	for _, w := range wordsOf(text) {
		if !segment.Function(w.text) {
			words = append(words, stem(w.text))
		}
	}
	if len(words) > 0 {
		g.titles = append(g.titles, words)
	}
}

// genericParty are words in the names of parties that tell no case.
var genericParty = []string{"state", "people", "united", "states", "commonwealth", "crown", "inc", "co", "corp", "ltd", "company", "city", "county", "estate", "bank", "insurance", "mutual", "authority", "in", "re", "matter", "ex", "parte", "board"}

func (g *signs) readCase(name string) {
	var words []string
	for _, w := range wordsOf(name) {
		if !segment.Function(w.text) && !slices.Contains(genericParty, w.text) && len(w.text) > 1 && w.text != "vs" {
			words = append(words, stem(w.text))
		}
	}
	g.cases = append(g.cases, words)
}
