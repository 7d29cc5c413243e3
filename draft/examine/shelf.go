package examine

import (
	"math"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"muniment/search/retrieve"
	"muniment/text/lexicon"
	"muniment/text/segment"
)

// A Card is what is known of a paper by which a text may name it.
type Card struct {
	Name       string // of its file
	Title      string
	Creators   []string
	Date       string // of the record
	Identifier string
	Address    string
	Head, Tail string // the beginning of the text, with the line of its date, and its end, with a signature
}

// A Shelf is a set of cards that mentions are compared with.
type Shelf struct {
	cards []indexCard
	df    map[string]int
}

// An indexCard is a card with its words and dates read.
type indexCard struct {
	Card
	words map[string]float64 // with their weight: a title counts more than a line of the text
	days  []retrieve.DateRange
	codes string // all of it in lower case, without punctuation, for shelfmarks
}

// NewShelf returns a shelf of cards.
func NewShelf(cards []Card) *Shelf {
	s := &Shelf{df: map[string]int{}}
	for _, c := range cards {
		k := shelve(c)
		for w := range k.words {
			s.df[w]++
		}
		s.cards = append(s.cards, k)
	}
	return s
}

// headLength and tailLength are how much of a text a card has, in bytes: a title page, or the head of a letter; a signature.
const headLength, tailLength = 420, 90

// longestTitle is how many bytes a paragraph of a title page has at most.
const longestTitle = 220

// HeadOf returns the beginning of a text for a card.
func HeadOf(text string) string { return cutAt(text, headLength) }

// TailOf returns the end of a text for a card: a short line, as a signature is.
func TailOf(text string) string {
	t := strings.TrimSpace(text)
	tail := t[max(0, len(t)-tailLength):]
	if i := strings.LastIndex(tail, "\n"); i >= 0 && len(tail)-i < 50 {
		return tail[i+1:]
	}
	return ""
}

func cutAt(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n], "")
}

func shelve(c Card) indexCard {
	k := indexCard{Card: c, words: map[string]float64{}}
	name := strings.NewReplacer("_", " ", "-", " ").Replace(strings.TrimSuffix(path.Base(c.Name), path.Ext(c.Name)))
	add := func(text string, weight float64) {
		for _, w := range wordsOf(text) {
			if form := stem(w.text); k.words[form] < weight {
				k.words[form] = weight
			}
		}
	}
	add(name, 1)
	add(c.Title, 1)
	for _, creator := range c.Creators {
		add(creator, 1)
	}
	add(c.Identifier, 1)
	title := true
	for i, par := range strings.Split(c.Head, "\n\n") {
		// A title page or the head of a letter; after it the text itself begins.
		if title = title && i < 6 && len(par) <= longestTitle; title {
			add(par, 1)
		} else {
			add(par, 0.25)
		}
	}
	add(c.Tail, 0.9)
	for _, text := range []string{c.Date, strings.ReplaceAll(path.Base(c.Name), "_", " "), c.Title, c.Head} {
		k.days = append(k.days, retrieve.Dates(text)...)
	}
	k.codes = code(c.Identifier + " " + c.Name + " " + c.Title + " " + c.Head)
	return k
}

// stem returns the form of a word in which cards and mentions agree: without the ending of a genitive or a plural.
func stem(w string) string { return segment.Stem(strings.TrimSuffix(w, "'s")) }

// code returns a text in lower case without punctuation.
func code(text string) string {
	var b strings.Builder
	b.WriteByte(' ')
	for _, w := range wordsOf(text) {
		b.WriteString(w.text)
		b.WriteByte(' ')
	}
	return b.String()
}

// idf weighs a word between 0 and 1: 1 for one that a single card has.
func (s *Shelf) idf(w string) float64 {
	n := float64(len(s.cards))
	df := float64(s.df[w])
	if df == 0 || n == 0 {
		return 0
	}
	return math.Log(1+n/df) / math.Log(1+n)
}

// A Match says which cards a mention means.
type Match struct {
	Cards   []int     // those that fit best, the best first
	Scores  []float64 // of every card of the shelf
	Score   float64   // of the first
	Missing bool      // the mention names a paper, and none of the shelf fits
	Sure    bool      // it names it so that no other may be meant
	OnlyDay bool      // it says no more than a day, without its year
	Apart   bool      // the papers that fit it otherwise are of other days than the one that it gives its paper
	Firm    bool      // it speaks of a paper or of what somebody says, and not only of people
}

const (
	// leastScore is the least score of a card that a mention means: about one name that no other card has.
	leastScore = 0.8
	// nearScore is within what of the best other cards are meant too.
	nearScore = 0.2
	// surelyNamed is the score of a card by names alone from which on a date in the sentence does not point to another, which has less than
	// unnamed by names: that one has at most onlyDated by its date.
	surelyNamed, unnamed, onlyDated = 1.2, 0.3, 0.8
	// maxMeant is how many cards a mention means at most: the letters of one person.
	maxMeant = 24
)

// Match returns the cards that a mention means.
func (s *Shelf) Match(m Mention) Match {
	out := Match{Scores: make([]float64, len(s.cards))}
	if m.Where == Linked {
		return s.matchLink(m, out)
	}
	said := readSigns(m)
	named, dated := make([]float64, len(s.cards)), make([]float64, len(s.cards))
	byName := 0.0
	for i := range s.cards {
		named[i], dated[i] = s.score(&s.cards[i], said), s.cards[i].dateScore(said)
		byName = max(byName, named[i])
	}
	for i := range s.cards {
		if byName >= surelyNamed && named[i] < unnamed {
			dated[i] = min(dated[i], onlyDated) // the day of what happened
		}
		out.Scores[i] = named[i] + dated[i]
		out.Score = max(out.Score, out.Scores[i])
	}
	out.OnlyDay = byName < unnamed && len(said.days) > 0 && len(said.dates) == 0
	if out.Score >= leastScore {
		for i, score := range out.Scores {
			if score >= out.Score-nearScore {
				out.Cards = append(out.Cards, i)
			}
		}
		slices.SortStableFunc(out.Cards, func(a, b int) int { return compareDown(out.Scores[a], out.Scores[b]) })
		out.Cards = out.Cards[:min(len(out.Cards), maxMeant)]
	}
	out.Sure, out.Firm = said.sure, said.firm
	if m.Names() && !m.Again {
		out.Missing = len(out.Cards) == 0 || !s.carries(&s.cards[out.Cards[0]], said)
	}
	if len(out.Cards) > 0 && said.ofDay(m.Text) && !slices.ContainsFunc(out.Cards, func(i int) bool { return s.cards[i].fits(said.dates[0], true) >= 0 }) {
		out.Missing, out.Apart = true, true
	}
	if out.Missing {
		out.Cards = nil
	}
	return out
}

// paperOfDay matches the day of a paper: a letter of 5 June 1900, das Protokoll vom 3. Mai 1893.
var paperOfDay = regexp.MustCompile(`(?i)\b(?:letters?|minutes|report|note|entry|telegram|article|issue|brief|schreiben|protokoll|bericht|eintrag|telegramm|ausgabe)\s+(?:of|dated|from|vom|von)\s+(?:the\s+)?\d{1,2}`)

// ofDay reports whether a mention says of which one day, month and year the paper is.
func (g *signs) ofDay(text string) bool {
	return len(g.dates) == 1 && g.dates[0].From == g.dates[0].To && paperOfDay.MatchString(text)
}

func compareDown(a, b float64) int {
	switch {
	case a > b:
		return -1
	case a < b:
		return 1
	}
	return 0
}

// matchLink finds the card that an address or the name of a file names.
func (s *Shelf) matchLink(m Mention, out Match) Match {
	want := strings.TrimSuffix(strings.ToLower(m.Text), "/")
	for i := range s.cards {
		c := &s.cards[i]
		own := strings.TrimSuffix(strings.ToLower(c.Address), "/")
		name := strings.ToLower(c.Name)
		if own != "" && trimScheme(own) == trimScheme(want) || name != "" && (want == name || strings.HasSuffix(want, "/"+path.Base(name)) && path.Base(name) != "" || path.Base(want) == path.Base(name)) {
			out.Cards, out.Scores[i], out.Score = append(out.Cards, i), 2, 2
		}
	}
	out.Sure, out.Firm, out.Missing = true, true, len(out.Cards) == 0
	return out
}

func trimScheme(address string) string {
	return strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(address, "https://"), "http://"), "www.")
}

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
	g.firm = m.Where != Preceding && m.Where != InSentence || m.Names() || len(g.dates)+len(g.days) > 0 || reports(text)
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

// score returns how well a card fits what a mention says.
func (s *Shelf) score(c *indexCard, g signs) float64 {
	total := 0.0
	for _, n := range g.names {
		total += s.idf(n) * c.words[n]
	}
	for _, w := range g.other {
		switch k := stem(w); {
		case lexicon.SourceNoun.Has(w):
			total += 0.3 * s.idf(k) * c.words[k]
		case c.words[k] >= 1:
			total += 0.15 * s.idf(k)
		}
	}
	for _, t := range g.titles {
		total += 1.2 * share(t, c) * bound(len(t))
	}
	for _, k := range g.codes {
		if strings.Contains(c.codes, " "+k+" ") {
			total += 1.5
		}
	}
	return total
}

// bound lets a title of one word count less than one of several.
func bound(words int) float64 { return min(1, float64(words)/2) }

// share returns the share of words that a card has.
func share(words []string, c *indexCard) float64 {
	n := 0
	for _, w := range words {
		if c.words[w] > 0 {
			n++
		}
	}
	return float64(n) / float64(max(1, len(words)))
}

// dateScore returns the part of the score that comes from dates.
func (c *indexCard) dateScore(g signs) float64 {
	best := 0.0
	for _, d := range g.dates {
		v := c.fits(d, g.paper)
		if v > best || best == 0 {
			best = v
		}
	}
	for _, d := range g.days {
		for _, own := range c.days {
			if own.From == own.To && strings.HasSuffix(own.From, d) {
				best = max(best, 1)
			}
		}
	}
	return best
}

func (c *indexCard) fits(d retrieve.DateRange, paper bool) float64 {
	day := d.From == d.To
	v := 0.0
	for i, own := range c.days {
		first := i == 0 || own.From == c.days[0].From
		switch {
		case own.From == d.From && own.To == d.To && day:
			v = max(v, 1.6)
			if !first {
				v = max(v, 1.2)
			}
		case own.From >= d.From && own.To <= d.To && d.From[:7] == d.To[:7]: // a month
			v = max(v, 1)
		case own.From[:4] == d.From[:4] && !day && own.From >= d.From && own.To <= d.To, own.From == d.From && own.To == d.To:
			v = max(v, 0.6)
		case own.From[:4] == d.From[:4] && own.From[:4] != own.To[:4]:
			v = max(v, 0.3)
		}
	}
	if v == 0 && len(c.days) > 0 {
		if paper {
			return -0.9
		}
		if day {
			return -0.5
		}
		return -0.2
	}
	return v
}

// carries reports whether a card has what a mention names a paper by: the title, a party of the case, the author or the shelfmark, and
// not another day.
func (s *Shelf) carries(c *indexCard, g signs) bool {
	for _, k := range g.codes {
		if strings.Contains(c.codes, " "+k+" ") {
			return true
		}
	}
	if len(g.cases) > 0 {
		n := 0
		for _, w := range g.cases[0] {
			if c.words[w] > 0 {
				n++
			}
		}
		return n > 0 && 2*n >= len(g.cases[0]) || len(g.cases[0]) == 0
	}
	titled := false
	for _, t := range g.titles {
		if len(t) >= 2 && share(t, c) >= 0.6 {
			titled = true
		}
	}
	if titled {
		return true
	}
	if g.author != "" && c.words[g.author] == 0 && (len(g.names) < 2 || c.words[g.names[1]] == 0) {
		return false
	}
	for _, t := range g.titles {
		if len(t) >= 2 && share(t, c) < 0.34 && g.author != "" && g.where == Footnote && c.dateScore(g) <= 0 {
			return false
		}
	}
	for _, d := range g.dates {
		if d.From == d.To && g.paper && c.fits(d, true) < 0 {
			return false
		}
	}
	return true
}

// Conflicts reports whether a mention cannot mean a card: it means others that fit much better, or none.
func (m Match) Conflicts(card int) bool {
	if slices.Contains(m.Cards, card) {
		return false
	}
	own := 0.0
	if card >= 0 && card < len(m.Scores) {
		own = m.Scores[card]
	}
	if m.Apart {
		return true
	}
	if m.Missing {
		return m.Sure && own < leastScore
	}
	return m.Firm && len(m.Cards) > 0 && m.Score-own >= 0.45
}
