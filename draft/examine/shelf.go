package examine

import (
	"cmp"
	"maps"
	"math"
	"path"
	"regexp"
	"slices"
	"strings"

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
	at    map[string][]holder // the cards that have a word, in order
	years map[string][]int    // those that have a day of a year
	named []float64           // by card: the score by words in a Match, 0 between two of them
}

// A holder is a card that has a word, with the weight of the word: a title counts more than a line of the text.
type holder struct {
	card   int32
	weight float32
}

// An indexCard is a card with its dates read.
type indexCard struct {
	Card
	days  []retrieve.DateRange
	codes string // all of it in lower case, without punctuation, for shelfmarks
}

// NewShelf returns a shelf of cards.
func NewShelf(cards []Card) *Shelf {
	s := &Shelf{at: map[string][]holder{}, years: map[string][]int{}}
	for _, c := range cards {
		s.Add(c)
	}
	return s
}

// Add puts a card at the end of the shelf. What mentions meant before may be another card now.
func (s *Shelf) Add(c Card) {
	k, words := shelve(c)
	n := len(s.cards)
	for w, weight := range words {
		s.at[w] = append(s.at[w], holder{int32(n), float32(weight)})
	}
	for _, d := range k.days {
		for _, year := range []string{d.From[:4], d.To[:4]} {
			if of := s.years[year]; len(of) == 0 || of[len(of)-1] != n {
				s.years[year] = append(of, n)
			}
		}
	}
	s.cards, s.named = append(s.cards, k), append(s.named, 0)
}

// weight returns the weight that a word has on a card, 0 where the card does not have it.
func (s *Shelf) weight(card int, word string) float32 {
	of := s.at[word]
	if i, ok := slices.BinarySearchFunc(of, int32(card), func(h holder, card int32) int { return cmp.Compare(h.card, card) }); ok {
		return of[i].weight
	}
	return 0
}

// rareAmong is how many cards have a word at most by which, as one that is no name, a card is looked at: more of them tell no paper.
const rareAmong = 64

// candidates returns the indexes of the cards that share a name, a rare word or a year with a mention, in ascending
// order: of all cards where there are few, or the mention has a shelf code, or a day without a year.
func (s *Shelf) candidates(g *signs) []int {
	seen := map[int]bool{}
	take := func(of []holder) {
		for _, h := range of {
			seen[int(h.card)] = true
		}
	}
	if len(g.codes)+len(g.days) > 0 || len(s.cards) <= rareAmong {
		out := make([]int, len(s.cards))
		for i := range out {
			out[i] = i
		}
		return out
	}
	for _, n := range g.names {
		take(s.at[n])
	}
	for _, t := range g.titles {
		for _, w := range t {
			take(s.at[w])
		}
	}
	for _, w := range g.other {
		if of := s.at[stem(w)]; len(of) <= rareAmong {
			take(of)
		}
	}
	for _, d := range g.dates {
		for _, i := range slices.Concat(s.years[d.From[:4]], s.years[d.To[:4]]) {
			seen[i] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
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
		return strings.Clone(tail[i+1:])
	}
	return ""
}

func cutAt(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.Clone(strings.ToValidUTF8(text[:n], "")) // the text itself leaves memory
}

// shelve reads the dates of a card, and its words with their weights.
func shelve(c Card) (k indexCard, words map[string]float64) {
	k, words = indexCard{Card: c}, map[string]float64{}
	name := strings.NewReplacer("_", " ", "-", " ").Replace(strings.TrimSuffix(path.Base(c.Name), path.Ext(c.Name)))
	add := func(text string, weight float64) {
		for _, w := range wordsOf(text) {
			if form := stem(w.text); words[form] < weight {
				words[form] = weight
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
	for _, text := range append([]string{c.Date, strings.ReplaceAll(path.Base(c.Name), "_", " "), c.Title}, strings.Split(c.Head, "\n\n")...) {
		if strings.ContainsAny(text, "0123456789") {
			k.days = append(k.days, retrieve.Dates(text)...)
		}
	}
	k.codes = code(c.Identifier + " " + c.Name + " " + c.Title + " " + c.Head)
	return k, words
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
	df := float64(len(s.at[w]))
	if df == 0 || n == 0 {
		return 0
	}
	return math.Log(1+n/df) / math.Log(1+n)
}

// A Match says which cards a mention means.
type Match struct {
	Cards   []int           // those that fit best, the best first
	scores  map[int]float64 // of the cards that may be meant as well as the first; those of others are lower
	Score   float64         // of the first
	Missing bool            // the mention names a paper, and none of the shelf fits
	Sure    bool            // it names it so that no other may be meant
	OnlyDay bool            // it says no more than a day, without its year
	Apart   bool            // the papers that fit it otherwise are of other days than the one that it gives its paper
	Firm    bool            // it speaks of a paper or of what somebody says, and not only of people
}

const (
	// leastScore is the least score of a card that a mention means: about one name that no other card has.
	leastScore = 0.8
	// nearScore is within what of the best other cards are meant too.
	nearScore = 0.2
	// surelyNamed is the score of a card by names alone from which on a date in the sentence does not point to another,
	// which has less than unnamed by names: that one has at most onlyDated by its date.
	surelyNamed, unnamed, onlyDated = 1.2, 0.3, 0.8
	// maxMeant is how many cards a mention means at most: the letters of one person.
	maxMeant = 24
	// conflicting is how much lower than the best the score is at least of a card that a mention cannot mean.
	conflicting = 0.45
)

// Match returns the cards that a mention means.
func (s *Shelf) Match(m Mention) Match {
	out := Match{scores: map[int]float64{}}
	if m.Where == Linked {
		return s.matchLink(m, out)
	}
	said := readSigns(m)
	all := s.candidates(&said)
	s.score(&said)
	byName := 0.0
	for _, i := range all {
		byName = max(byName, s.named[i])
	}
	scores := make([]float64, len(all))
	for k, i := range all {
		dated := s.cards[i].dateScore(said)
		if byName >= surelyNamed && s.named[i] < unnamed {
			dated = min(dated, onlyDated) // the day of what happened
		}
		scores[k] = s.named[i] + dated
		out.Score = max(out.Score, scores[k])
	}
	clear(s.named)
	out.OnlyDay = byName < unnamed && len(said.days) > 0 && len(said.dates) == 0
	if out.Score >= leastScore {
		for k, i := range all {
			if scores[k] >= out.Score-nearScore {
				out.Cards = append(out.Cards, i)
			}
			if scores[k] >= min(leastScore, out.Score-conflicting) {
				out.scores[i] = scores[k]
			}
		}
		slices.SortStableFunc(out.Cards, func(a, b int) int { return compareDown(out.scores[a], out.scores[b]) })
		out.Cards = out.Cards[:min(len(out.Cards), maxMeant)]
	}
	out.Sure, out.Firm = said.sure, said.firm
	if m.Names() && !m.Again {
		out.Missing = len(out.Cards) == 0 || !s.carries(out.Cards[0], said)
	}
	if len(out.Cards) > 0 && len(said.dates) == 1 && said.dates[0].From == said.dates[0].To && paperOfDay.MatchString(m.Text) && !slices.ContainsFunc(out.Cards, func(i int) bool { return s.cards[i].fits(said.dates[0], true) >= 0 }) {
		out.Missing, out.Apart = true, true
	}
	if out.Missing {
		out.Cards = nil
	}
	return out
}

// paperOfDay matches the day of a paper: a letter of 5 June 1900, das Protokoll vom 3. Mai 1893.
var paperOfDay = regexp.MustCompile(`(?i)\b(?:letters?|minutes|report|note|entry|telegram|article|issue|brief|schreiben|protokoll|bericht|eintrag|telegramm|ausgabe)\s+(?:of|dated|from|vom|von)\s+(?:the\s+)?\d{1,2}`)

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
			out.Cards, out.scores[i], out.Score = append(out.Cards, i), 2, 2
		}
	}
	out.Sure, out.Firm, out.Missing = true, true, len(out.Cards) == 0
	return out
}

func trimScheme(address string) string {
	return strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(address, "https://"), "http://"), "www.")
}

// score adds to each card of named how well its words fit what a mention says. It goes through the cards that have a
// word, so that it costs little for each that has none.
func (s *Shelf) score(g *signs) {
	add := func(word string, weigh func(weight float64) float64) {
		for _, h := range s.at[word] {
			s.named[h.card] += weigh(float64(h.weight))
		}
	}
	for _, n := range g.names {
		idf := s.idf(n)
		add(n, func(w float64) float64 { return idf * w })
	}
	for _, w := range g.other {
		k := stem(w)
		idf, source := s.idf(k), lexicon.SourceNoun.Has(w)
		add(k, func(w float64) float64 {
			switch {
			case source:
				return 0.3 * idf * w
			case w >= 1:
				return 0.15 * idf
			}
			return 0
		})
	}
	for _, t := range g.titles {
		each := 1.2 * bound(len(t)) / float64(len(t))
		for _, w := range t {
			add(w, func(float64) float64 { return each })
		}
	}
	for _, k := range g.codes {
		for i := range s.cards {
			if strings.Contains(s.cards[i].codes, " "+k+" ") {
				s.named[i] += 1.5
			}
		}
	}
}

// bound lets a title of one word count less than one of several.
func bound(words int) float64 { return min(1, float64(words)/2) }

// share returns the share of words that a card has.
func (s *Shelf) share(words []string, card int) float64 {
	n := 0
	for _, w := range words {
		if s.weight(card, w) > 0 {
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
		case own.From < d.From && d.To <= own.To && own.From[:4] == own.To[:4]: // a day of a journal, or of a year
			v = max(v, 0.3)
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

// ofCourt matches a word by which a paper is one of a court, and so may be the case that is named.
var ofCourt = regexp.MustCompile(` (?:v|vs|re|parte|matter|court|opinion|judge?ment|plaintiff|appell\w+|petition\w*|docket|urteil|beschluss|gericht) `)

// carries reports whether a card has what a mention names a paper by: the title, a party of the case, the author or the
// shelfmark, and not another day.
func (s *Shelf) carries(card int, g signs) bool {
	c := &s.cards[card]
	for _, k := range g.codes {
		if strings.Contains(c.codes, " "+k+" ") {
			return true
		}
	}
	if len(g.cases) > 0 {
		n := 0
		for _, w := range g.cases[0] {
			if s.weight(card, w) > 0 {
				n++
			}
		}
		return ofCourt.MatchString(c.codes) && (n > 0 && 2*n >= len(g.cases[0]) || len(g.cases[0]) == 0)
	}
	titled := false
	for _, t := range g.titles {
		if len(t) >= 2 && s.share(t, card) >= 0.6 {
			titled = true
		}
	}
	if titled {
		return true
	}
	if g.author != "" && s.weight(card, g.author) == 0 && (len(g.names) < 2 || s.weight(card, g.names[1]) == 0) {
		return false
	}
	for _, t := range g.titles {
		if len(t) >= 2 && s.share(t, card) < 0.34 && g.author != "" && g.where == Footnote && c.dateScore(g) <= 0 {
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
	own := m.scores[card]
	if m.Apart {
		return true
	}
	if m.Missing {
		return m.Sure && own < leastScore
	}
	return m.Firm && len(m.Cards) > 0 && m.Score-own >= conflicting
}
