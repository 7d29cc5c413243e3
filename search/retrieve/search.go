package retrieve

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"

	index "github.com/blevesearch/bleve_index_api"
)

// Search returns the passages that hold words of the query, best first.
//
// It reads the postings of the query's terms document by document and leaves out lists that cannot
// lift a passage above the k best so far any more (MaxScore: Turtle and Flood, Query evaluation:
// strategies and optimizations, 1995). The result is exactly that of scoring every passage.
func (x *Folder) Search(ctx context.Context, q Query) (found []Passage, err error) {
	err = x.weigh(q, func(s *plan, one part) error {
		if found, err = s.search(ctx, one); err == nil && !s.bare {
			found = rank(found, s.k)
		}
		return err
	})
	return found, err
}

// weigh weighs the words of a query, and does what is given with its plan; nothing where it asks for nothing.
func (x *Folder) weigh(q Query, then func(*plan, part) error) error {
	s, err := newPlan(q)
	if err != nil || s == nil {
		return err
	}
	return x.read(func(r index.IndexReader) error {
		one := part{r, q.Hidden}
		if err := s.weighIn(one); err != nil {
			return err
		}
		return then(s, one)
	})
}

// A part is the reader of an index, and the artifacts in it that a query is not to know of.
type part struct {
	r      index.IndexReader
	hidden []string
}

// search returns the passages of one part that may be among the best.
func (s *plan) search(ctx context.Context, p part) ([]Passage, error) {
	hidden := setOf(p.hidden)
	want := s.k
	defer func() { s.k = want }()
	for ; ; s.k *= wider {
		b := &best{ctx: ctx, plan: s}
		if err := errors.Join(b.open(p.r), b.run()); err != nil {
			return nil, errors.Join(err, b.close())
		}
		if err := b.close(); err != nil {
			return nil, err
		}
		ids, err := b.names(p.r)
		if err != nil {
			return nil, err
		}
		all := len(ids) < s.k
		ids = slices.DeleteFunc(ids, func(id string) bool {
			sees := !hidden[artifactOf(id)]
			if sees && err == nil && s.query.Sees != nil {
				sees, err = s.seesAt(p.r, id)
			}
			return !sees
		})
		if err != nil {
			return nil, err
		}
		if all || len(ids) >= want {
			ids = ids[:min(len(ids), want)]
			if !s.bare {
				return s.loadAll(ctx, ids, errGone, p)
			}
			found := make([]Passage, len(ids))
			for i, id := range ids {
				found[i] = Passage{ID: id, Artifact: artifactOf(id)}
			}
			return found, nil
		}
	}
}

// weighIn computes the idf of every term in all parts together, without the passages of
// hidden artifacts.
func (s *plan) weighIn(parts ...part) error {
	total, languages := uint64(0), []string{}
	hidden := make([][]uint64, len(parts)) // the hidden passages of each part, in order
	for i, p := range parts {
		n, err := p.r.DocCount()
		if err != nil {
			return err
		}
		more, err := languagesIn(p.r)
		if err != nil {
			return err
		}
		for _, artifact := range p.hidden {
			if err := each(p.r, artifact, "artifact", func(at uint64) (bool, error) { hidden[i] = append(hidden[i], at); return true, nil }); err != nil {
				return err
			}
		}
		slices.Sort(hidden[i])
		total += n - uint64(len(hidden[i]))
		languages = append(languages, more...)
	}
	slices.Sort(languages)
	languages = slices.Compact(languages)
	count := func(key string) (n uint64, err error) {
		for i, p := range parts {
			more, err := holdingBut(p.r, key, hidden[i])
			if err == nil && more > 0 && s.query.Sees != nil {
				more, err = s.seenHolding(p.r, key, more, hidden[i])
			}
			if err != nil {
				return 0, err
			}
			n += more
		}
		return n, nil
	}
	if err := s.split(languages, func(key string) (bool, error) { n, err := count(key); return n > 0, err }); err != nil {
		return err
	}
	s.translate(languages)
	return s.weigh(total, count)
}

// holdingBut returns how many passages hold a word, without some, which are in order.
func holdingBut(r index.IndexReader, key string, without []uint64) (uint64, error) {
	n, err := holding(r, key, "words")
	if err != nil || n == 0 || len(without) == 0 {
		return n, err
	}
	p, err := newPostings(r, key, "words", false)
	for i := 0; i < len(without) && err == nil && p.at != end; i++ {
		if err = p.seek(without[i]); p.at == without[i] {
			n--
		}
	}
	if p != nil {
		err = errors.Join(err, p.reader.Close())
	}
	return n, err
}

// seenHolding returns how many of the passages that hold a word may be read. holding is the number of passages with the word except
// those of without, which is sorted. Above rareWord the result is holding, or 0 where none of the first maxUnseen may be read.
func (s *plan) seenHolding(r index.IndexReader, key string, holding uint64, without []uint64) (seen uint64, err error) {
	looked := 0
	err = each(r, key, "words", func(at uint64) (bool, error) {
		if _, hidden := slices.BinarySearch(without, at); hidden {
			return true, nil
		}
		ids, err := externalIDs(r, []hit{{at: at}})
		if err != nil {
			return false, err
		}
		sees, err := s.seesAt(r, ids[0])
		if looked++; sees {
			seen++
		}
		return holding <= rareWord || !sees && looked < maxUnseen, err
	})
	if holding > rareWord && seen > 0 {
		seen = holding
	}
	return seen, err
}

// languagesIn returns the languages that the passages of an index are in, sorted.
func languagesIn(r index.IndexReader) ([]string, error) {
	d, err := r.FieldDictPrefix("when", []byte(wordTongue))
	if err != nil {
		return nil, err
	}
	defer d.Close()
	var out []string
	for {
		e, err := d.Next()
		if err != nil || e == nil {
			return out, err
		}
		out = append(out, strings.TrimPrefix(e.Term, wordTongue))
	}
}

// each calls fn with the passages that hold a term, in order, until fn returns false or an error.
func each(r index.IndexReader, term, field string, fn func(at uint64) (more bool, err error)) error {
	p, err := newPostings(r, term, field, false)
	for more := true; err == nil && p.at != end; err = p.next() {
		if more, err = fn(p.at); !more || err != nil {
			break
		}
	}
	if p != nil {
		err = errors.Join(err, p.reader.Close())
	}
	return err
}

// holding returns how many passages hold a term.
func holding(r index.IndexReader, term, field string) (uint64, error) {
	t, err := r.TermFieldReader(context.Background(), []byte(term), field, false, false, false)
	if err != nil {
		return 0, err
	}
	n := t.Count()
	return n, t.Close()
}

// end is the number after the last passage.
const end = math.MaxUint64

// postings are the passages that hold one term, in order.
type postings struct {
	reader index.TermFieldReader
	doc    index.TermFieldDoc
	id     [8]byte
	at     uint64 // number of the passage, end after the last
}

func newPostings(r index.IndexReader, term, field string, counts bool) (*postings, error) {
	t, err := r.TermFieldReader(context.Background(), []byte(term), field, counts, counts, false)
	if err != nil {
		return nil, err
	}
	p := &postings{reader: t}
	return p, p.next()
}

func (p *postings) next() error { return p.take(p.reader.Next(&p.doc)) }

// seek goes to the first passage from at on.
func (p *postings) seek(at uint64) error {
	if p.at >= at {
		return nil
	}
	binary.BigEndian.PutUint64(p.id[:], at)
	return p.take(p.reader.Advance(p.id[:], &p.doc))
}

func (p *postings) take(d *index.TermFieldDoc, err error) error {
	if p.at = end; err == nil && d != nil {
		p.at = binary.BigEndian.Uint64(d.ID)
	}
	return err
}

// length returns how many words the passage's field has; bleve keeps the reciprocal of its root.
func (p *postings) length() int { return int(math.Round(1 / (p.doc.Norm * p.doc.Norm))) }

// A list is where one term of the query is found. The first of its postings are where words are
// counted, one for each language, with a capital where it is a name, whose titles come next; a date has
// postings for every part of its range.
type list struct {
	term    int
	most    float64 // the term can add no more than this
	parts   []*postings
	counted int         // of the parts, where words are counted
	words   []*postings // of a name: its word, with or without capital, in the order of the parts
	at      uint64
}

func (l *list) settle() {
	l.at = end
	for _, p := range l.parts {
		l.at = min(l.at, p.at)
	}
}

func (l *list) seek(at uint64) error {
	if l.at >= at {
		return nil
	}
	for _, p := range l.parts {
		if err := p.seek(at); err != nil {
			return err
		}
	}
	l.settle()
	return nil
}

// adds returns the score that the term adds to the list's current passage.
func (l *list) adds(t Term) (float64, error) {
	if t.Stem == "" {
		return t.IDF, nil
	}
	i := slices.IndexFunc(l.parts[:l.counted], func(p *postings) bool { return p.at == l.at })
	if i < 0 { // only the title has it
		return t.IDF, nil
	}
	p := l.parts[i]
	if !t.Name {
		return worth(t.IDF, int(p.doc.Freq), p.length()), nil
	}
	words := l.words[i]
	if err := words.seek(l.at); err != nil {
		return 0, err
	}
	if words.at != l.at {
		return 0, errors.New("a word with a capital is no word of its passage")
	}
	return worth(t.IDF, int(p.doc.Freq), words.length()), nil
}

// best collects the best passages of a plan.
type best struct {
	ctx     context.Context
	plan    *plan
	lists   []*list   // by what they can add at most, least first; the date, which finds nothing alone, before all
	sums    []float64 // of most, up to each list
	undated *postings // where the query has a date: passages without one
	added   []float64 // by term, of the passage being scored

	first int // lists before it cannot make a hit alone
	hits  []hit
	full  int     // so many hits are cut
	least float64 // a hit below it is not among the k best
}

type hit struct {
	at    uint64
	score float64
}

func (b *best) open(r index.IndexReader) error {
	b.added = make([]float64, len(b.plan.terms))
	for i, t := range b.plan.terms {
		l := &list{term: i, most: t.IDF}
		var err error
		switch {
		case t.Stem == "":
			for _, w := range datedWords(b.plan.dates, !b.plan.text) {
				p, e := newPostings(r, w, "when", false)
				if p != nil {
					l.parts = append(l.parts, p)
				}
				err = errors.Join(err, e)
			}
		default:
			l.most *= mostWorth
			err = b.openWord(l, r)
		}
		b.lists = append(b.lists, l)
		if err != nil {
			return err
		}
		if t.Stem == "" && len(l.parts) > 1 { // the days of a date that no passage is in
			l.parts = append(l.parts[:1], slices.DeleteFunc(l.parts[1:], func(p *postings) bool { return p.at == end && p.reader.Close() == nil })...)
		}
		l.settle()
	}
	if len(b.plan.dates) > 0 && len(b.lists) > 1 {
		b.first = 1
	}

	b.lists = slices.Concat(b.lists[len(b.lists)-b.first:], b.lists[:len(b.lists)-b.first]) // the date is the last term
	slices.SortStableFunc(b.lists[b.first:], func(a, c *list) int { return cmp.Compare(a.most, c.most) })
	sum := 0.0
	for _, l := range b.lists {
		sum += l.most
		b.sums = append(b.sums, sum)
	}
	if len(b.plan.dates) > 0 {
		var err error
		b.undated, err = newPostings(r, wordUndated, "when", false)
		return err
	}
	return nil
}

// openWord opens the postings of a word in every language.
func (b *best) openWord(l *list, r index.IndexReader) error {
	keys := b.plan.keys[l.term]
	open := func(list *[]*postings, field string, counts bool) error {
		for _, key := range keys {
			p, err := newPostings(r, key, field, counts)
			if p != nil {
				*list = append(*list, p)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	l.counted = len(keys)
	t, first := b.plan.terms[l.term], "words"
	var err error
	if t.Name {
		first, err = "caps", open(&l.words, "words", true)
	}
	if err = errors.Join(err, open(&l.parts, first, true)); t.Upper && !b.plan.text {
		err = errors.Join(err, open(&l.parts, "names", false))
	}
	return err
}

func (b *best) close() error {
	var errs []error
	for _, l := range b.lists {
		for _, p := range slices.Concat(l.parts, l.words) {
			if p != nil {
				errs = append(errs, p.reader.Close())
			}
		}
	}
	if b.undated != nil {
		errs = append(errs, b.undated.reader.Close())
	}
	return errors.Join(errs...)
}

// rounding is how far the sum of what terms add may be from the same sum in another order.
const rounding = 1e-9

// run finds every passage that may be among the k best.
func (b *best) run() error {
	for n := 0; ; n++ {
		if n%4096 == 0 && b.ctx.Err() != nil {
			return b.ctx.Err()
		}
		for b.first < len(b.lists) && b.sums[b.first] < b.least-rounding {
			b.first++
		}
		at := uint64(end)
		for _, l := range b.lists[b.first:] {
			at = min(at, l.at)
		}
		if at == end {
			return nil
		}
		if err := b.weigh(at); err != nil {
			return err
		}
		for _, l := range b.lists[b.first:] {
			if l.at == at {
				if err := l.seek(at + 1); err != nil {
					return err
				}
			}
		}
	}
}

// weigh scores one passage.
func (b *best) weigh(at uint64) error {
	sum, dated := 0.0, len(b.plan.dates) == 0
	clear(b.added)
	for i := len(b.lists) - 1; i >= 0; i-- {
		l := b.lists[i]
		if i < b.first {
			if sum+b.sums[i] < b.least-rounding {
				return nil
			}
			if err := l.seek(at); err != nil {
				return err
			}
		}
		if l.at != at {
			continue
		}
		w, err := l.adds(b.plan.terms[l.term])
		if err != nil {
			return err
		}
		b.added[l.term] = w
		sum += w
		dated = dated || b.plan.terms[l.term].Stem == ""
	}
	score := 0.0
	for _, w := range b.added {
		score += w
	}
	if !dated {
		if score *= undatedFactor; score < b.least {
			return nil
		}
		if err := b.undated.seek(at); err != nil || b.undated.at != at {
			return err
		}
	}
	if score > 0 && score >= b.least {
		b.hits = append(b.hits, hit{at, score})
		if len(b.hits) >= max(b.full, 4*b.plan.k+64) {
			b.cut()
		}
	}
	return nil
}

// cut drops hits that are not among the k best, and keeps all that are equal to the last of them.
func (b *best) cut() {
	if len(b.hits) <= b.plan.k {
		return
	}
	slices.SortFunc(b.hits, func(a, c hit) int { return cmp.Or(cmp.Compare(c.score, a.score), cmp.Compare(a.at, c.at)) })
	b.least = b.hits[b.plan.k-1].score
	n := b.plan.k
	for n < len(b.hits) && b.hits[n].score == b.least {
		n++
	}
	b.hits = b.hits[:n]
	b.full = 2 * n
}
