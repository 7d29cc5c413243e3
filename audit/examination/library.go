package examination

import (
	"cmp"
	"context"
	"iter"
	"path"
	"slices"
	"strconv"
	"strings"

	"muniment/archive"
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/archive/search"
	"muniment/canon"
	"muniment/cid"
	"muniment/draft/examine"
	"muniment/policy"
	"muniment/search/retrieve"
	"muniment/snapshot"
	"muniment/text/clause"
	"muniment/text/lexicon"
	"muniment/text/segment"
)

// A Place is an archive to look in, for a reader. The zero Reader is the holder of the archive, who may read all.
type Place struct {
	Archive *archive.Archive
	Reader  search.Reader
}

const (
	// wholeShelf is up to how many papers an archive's cards are all read; of a larger one only those that a search proposes are.
	wholeShelf = 400
	// perSearch is how many passages a search returns, and perMention how many papers the description of a source proposes.
	perSearch, perMention = 24, 24
	// rareWords is how many words of a quotation are searched by, the rarest.
	rareWords = 8
	// cachedMatches is how many mentions are held with the score of every card.
	cachedMatches = 1 << 10
	// cachedText is how many bytes of papers are held with their words, which take some twenty times as much.
	cachedText = 1 << 20
)

// A hall is one archive of an examination, with its index open.
type hall struct {
	Place
	view    *policy.View // what may be shown
	head    *snapshot.Snapshot
	index   *search.Opened
	catalog *holdings.Catalog
	hidden  map[string]bool
	subject []string // names of whom the archive is about
	papers  int
	byID    map[cid.ID]int // index of the card
}

// A paper is an artifact that may be quoted.
type paper struct {
	hall *hall
	art  *holdings.Artifact
	card examine.Card
	text *examine.Paper // nil where it is not in memory
	used int
}

// creator returns the first creator that the record names, "" for none.
func (p *paper) creator() string {
	if len(p.card.Creators) == 0 {
		return ""
	}
	return p.card.Creators[0]
}

// A library is what an examination looks in.
type library struct {
	ctx     context.Context
	halls   []*hall
	papers  []*paper
	shelf   *examine.Shelf
	match   map[string]examine.Match
	shelved int   // papers on the shelf
	held    []int // the papers in memory
	bytes   int   // of them
	speller examine.Speller
	clock   int
}

// openLibrary opens the archives of an examination.
func openLibrary(ctx context.Context, places []Place, progress func(done, total int)) (*library, error) {
	l := &library{ctx: ctx, shelf: examine.NewShelf(nil), match: map[string]examine.Match{}}
	for _, p := range places {
		h, err := openHall(ctx, p, progress)
		if err != nil {
			l.close()
			return nil, err
		}
		l.halls = append(l.halls, h)
		if h.papers > wholeShelf {
			continue
		}
		all, err := h.catalog.ReadAll()
		if err != nil {
			l.close()
			return nil, err
		}
		for _, art := range all.Artifacts {
			if err := l.take(h, art); err != nil {
				l.close()
				return nil, err
			}
		}
	}
	return l, nil
}

func openHall(ctx context.Context, p Place, progress func(done, total int)) (*hall, error) {
	head, _, err := p.Archive.RequireHead()
	if err != nil {
		return nil, err
	}
	h := &hall{Place: p, view: p.Reader.Door(), head: head, hidden: map[string]bool{}, byID: map[cid.ID]int{}}
	if h.index, _, err = search.Index(ctx, p.Archive, head, progress); err != nil {
		return nil, err
	}
	h.catalog = p.Archive.ShownCatalog(head.Tree, h.view)
	rules, err := p.Archive.ReadPolicy(head.Tree)
	if err != nil {
		h.index.Close()
		return nil, err
	}
	h.subject = rules.Subject.Names()
	for _, id := range p.Reader.Hidden {
		h.hidden[id] = true
	}
	totals, err := h.catalog.Totals()
	if err != nil {
		h.index.Close()
		return nil, err
	}
	h.papers = int(totals.Artifacts)
	return h, nil
}

func (l *library) close() {
	for _, h := range l.halls {
		_ = h.index.Close()
	}
}

// sees reports whether the caller may read words of an artifact.
func (h *hall) sees(art *holdings.Artifact) (bool, error) {
	if h.hidden[art.ID.String()] {
		return false, nil
	}
	perm, err := h.view.Permission(art.ID, "")
	return perm.Display, problem.Wrap(err, "policy")
}

// text returns the text of a paper without the paragraphs that names keep from the caller.
func (h *hall) text(art *holdings.Artifact) ([]byte, error) {
	doc, err := h.Archive.Document(h.head.Tree, art)
	if err != nil {
		return nil, err
	}
	text, err := h.view.WithoutNamed(art.ID, doc.Payload())
	return text, problem.Wrap(err, "policy")
}

// take puts the card of an artifact that the caller may read on the shelf, once.
func (l *library) take(h *hall, art *holdings.Artifact) error {
	if art == nil || art.Withdrawn {
		return nil
	}
	if _, known := h.byID[art.ID]; known {
		return nil
	}
	if sees, err := h.sees(art); err != nil || !sees {
		return err
	}
	rec, ok := art.FirstRecord()
	if !ok || !rec.Record.Textual() {
		return nil
	}
	text, err := h.text(art)
	if err != nil {
		return err
	}
	c := examine.Card{Name: art.Name(), Head: examine.HeadOf(string(text[:min(len(text), 4096)])), Tail: examine.TailOf(string(text[max(0, len(text)-512):]))}
	if s := rec.Record.Source; s != nil {
		c.Title, c.Creators, c.Date, c.Identifier, c.Address = s.Title, s.Creators, s.PublishedAt, s.Identifier, s.URL
	}
	h.byID[art.ID] = len(l.papers)
	l.papers = append(l.papers, &paper{hall: h, art: art, card: c})
	return nil
}

// fillShelf adds the cards that were taken to the shelf. What mentions name is then looked up again.
func (l *library) fillShelf() {
	for ; l.shelved < len(l.papers); l.shelved++ {
		l.shelf.Add(l.papers[l.shelved].card)
		clear(l.match)
	}
}

// matchOf returns the cards of the shelf that a mention names, from a cache.
func (l *library) matchOf(m examine.Mention) examine.Match {
	key := string(m.Where) + " " + strconv.FormatBool(m.Again) + " " + m.Text
	if known, ok := l.match[key]; ok {
		return known
	}
	out := l.shelf.Match(m)
	if len(l.match) >= cachedMatches {
		clear(l.match)
	}
	l.match[key] = out
	return out
}

// document returns the text of a paper.
func (l *library) document(i int) (*canon.Document, error) {
	p := l.papers[i]
	return p.hall.Archive.Document(p.hall.head.Tree, p.art)
}

// words returns the words of a paper. The papers that were used longest ago leave memory.
func (l *library) words(i int) (*examine.Paper, error) {
	p := l.papers[i]
	l.clock++
	p.used = l.clock
	if p.text != nil {
		return p.text, nil
	}
	text, err := p.hall.text(p.art)
	if err != nil {
		return nil, err
	}
	p.text = examine.NewPaper(string(text), &l.speller)
	l.held, l.bytes = append(l.held, i), l.bytes+len(text)
	if l.bytes > cachedText {
		l.forget()
	}
	return p.text, nil
}

// forget takes from memory the papers that were used longest ago, but the newest, until half of what is held is left.
func (l *library) forget() {
	slices.SortFunc(l.held, func(a, b int) int { return cmp.Compare(l.papers[a].used, l.papers[b].used) })
	n := 0
	for n < len(l.held)-1 && l.bytes > cachedText/2 {
		p := l.papers[l.held[n]]
		l.bytes -= len(p.text.Text())
		p.text = nil
		n++
	}
	l.held = slices.Delete(l.held, 0, n)
}

// search returns the papers with passages that have words of a quotation, those of the best passages first.
func (l *library) search(text string) ([]int, error) {
	var out []int
	for _, h := range l.halls {
		words, err := h.rarest(l.ctx, examine.Distinctive(text))
		if err != nil {
			return nil, err
		}
		if words == "" {
			continue
		}
		found, err := l.searchFor(h, words, perSearch, triedPapers)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
}

// searchFor returns the papers of the passages that a search finds, at most so many of each, and takes their cards.
func (l *library) searchFor(h *hall, words string, most, papers int) ([]int, error) {
	_, artifacts, err := h.index.SearchFor(l.ctx, h.catalog, retrieve.Query{Text: words, K: most, Bare: true}, h.Reader)
	if err != nil {
		return nil, err
	}
	var out []int
	for _, art := range artifacts {
		if art == nil {
			continue
		}
		if err := l.take(h, art); err != nil {
			return nil, err
		}
		if i, ok := h.byID[art.ID]; ok && !slices.Contains(out, i) {
			if out = append(out, i); len(out) == papers {
				break
			}
		}
	}
	return out, nil
}

// rarest returns the rarest of some words that the index has.
func (h *hall) rarest(ctx context.Context, words string) (string, error) {
	all := strings.Fields(words)
	if len(all) <= rareWords {
		return words, nil
	}
	w, err := h.index.Weigh(ctx, h.index.QueryFor(retrieve.Query{Text: strings.Join(all[:min(len(all), retrieve.MaxTerms)], " ")}, h.Reader))
	if err != nil {
		return "", problem.Wrap(err, "search")
	}
	terms := slices.DeleteFunc(w.Terms, func(t retrieve.Term) bool { return !t.Known || t.Stem == "" })
	slices.SortStableFunc(terms, func(a, b retrieve.Term) int { return cmp.Compare(b.IDF, a.IDF) })
	var out []string
	for _, t := range terms[:min(len(terms), rareWords)] {
		out = append(out, t.Word)
	}
	return strings.Join(out, " "), nil
}

// propose takes the cards of the papers that a mention may mean, in archives of which not all cards are read. done has what was looked up before.
func (l *library) propose(m examine.Mention, done map[string]bool) error {
	names := m.Keys()
	if m.Where == examine.Linked {
		names = segment.Stems(path.Base(m.Text))
	}
	words := strings.Join(names, " ")
	if words == "" {
		return nil
	}
	isNew := func(key string) bool {
		known := done[key]
		done[key] = true
		return !known
	}
	named := isNew(words)
	var days []holdings.Period
	for _, d := range retrieve.Dates(m.Text) {
		if d.From == d.To && isNew(d.From) {
			days = append(days, holdings.Period{From: d.From, To: d.To})
		}
	}
	for _, h := range l.halls {
		if h.papers <= wholeShelf {
			continue
		}
		for _, day := range days {
			if err := l.takeFirst(h, h.catalog.InPeriod(day)); err != nil {
				return err
			}
		}
		if !named {
			continue
		}
		if _, err := l.searchFor(h, words, perMention, perMention); err != nil {
			return err
		}
		if err := l.takeFirst(h, h.catalog.ListDescribed(segment.Stems(words))); err != nil {
			return err
		}
	}
	return nil
}

// takeFirst takes the cards of the first of some papers.
func (l *library) takeFirst(h *hall, papers iter.Seq2[holdings.Place, error]) error {
	n := 0
	for place, err := range papers {
		if err != nil {
			return err
		}
		if err := l.take(h, place.Artifact); err != nil {
			return err
		}
		if n++; n == perMention {
			break
		}
	}
	return nil
}

// holds reports whether anything that the caller may see is of a scope: a kind of papers, or words that the description or the card of one has.
func (l *library) holds(scope string) (bool, error) {
	words := clause.Parse(scope).Words
	kind := !slices.ContainsFunc(words, func(w string) bool { return !lexicon.SourceNoun.Has(w) })
	if len(words) == 0 || kind || strings.EqualFold(scope, "all") {
		return len(words) > 0, nil
	}
	for _, h := range l.halls {
		for _, err := range h.catalog.ListDescribed(segment.Stems(scope)) {
			return err == nil, err
		}
	}
	return slices.ContainsFunc(l.papers, func(p *paper) bool {
		have := clause.Parse(strings.Join(append(slices.Clone(p.card.Creators), p.card.Title, strings.NewReplacer("_", " ", "-", " ").Replace(p.card.Name), p.card.Head), " ")).Words
		return !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(have, w) })
	}), nil
}

// mentions reports whether a paper, its record or its text, has one of the names. A paper that cannot be read is taken to have them.
func (l *library) mentions(card int, names []string) bool {
	text, err := l.papers[card].hall.text(l.papers[card].art)
	if err != nil {
		return true
	}
	c := l.papers[card].card
	all := strings.ToLower(strings.Join(append(slices.Clone(c.Creators), c.Name, c.Title, c.Identifier, string(text)), " "))
	return slices.ContainsFunc(names, func(n string) bool { return strings.Contains(all, strings.ToLower(n)) })
}
