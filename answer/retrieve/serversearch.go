package retrieve

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Search returns the passages that hold words of the query, best first.
//
// It reads the postings of one term after the other, beginning with the term that can add most, and
// adds up what each is worth. Where the terms left cannot lift a passage that has none of those before
// above the k best, they are read of the passages found so far only, and these become fewer with each
// term. The result is exactly that of scoring every passage.
func (x *Server) Search(ctx context.Context, q Query) (found []Passage, err error) {
	err = x.weighed(ctx, q, func(s *serverPlan) error {
		at, err := s.choose()
		if err == nil && len(at) > 0 {
			found, err = s.load(`SELECT `+rowColumns+` FROM passage WHERE id = ANY($1::bigint[])`, signed(at))
			found = rank(found, s.k)
		}
		return err
	})
	return found, err
}

// Fetch returns passages by their IDs.
func (x *Server) Fetch(ctx context.Context, q Query, ids []string) (found []Passage, err error) {
	artifacts, numbers := make([]string, len(ids)), make([]int, len(ids))
	for i, id := range ids {
		artifact, n, _ := strings.Cut(id, "#")
		artifacts[i], numbers[i] = artifact, -1
		if at := number(strings.TrimLeft(n, "0")); id == passageID(artifact, at) {
			numbers[i] = at
		}
	}
	err = x.weighed(ctx, q, func(s *serverPlan) error {
		found, err = s.load(`SELECT `+rowColumns+` FROM unnest($1::text[], $2::integer[]) WITH ORDINALITY AS w (paper, place, i)
			JOIN passage ON artifact = paper AND n = place ORDER BY i`, artifacts, numbers)
		return err
	})
	return found, err
}

// rowColumns are what a passage is shown and scored by.
const rowColumns = `artifact, n, title, author, date, lang, span, text`

// load returns the passages of a query for rowColumns that are of the dates asked for, with their scores.
func (s *serverPlan) load(query string, args ...any) (found []Passage, err error) {
	rows, err := s.tx.Query(s.ctx, query, args...)
	if err != nil {
		return nil, err
	}
	var n int
	var title, author, text []byte
	var c stored
	_, err = pgx.ForEachRow(rows, []any{&c.Artifact, &n, &title, &author, &c.Date, &c.Lang, &c.Span, &text}, func() error {
		c.id, c.Title, c.Author, c.Text = passageID(c.Artifact, n), string(title), string(author), string(text)
		c.analyse()
		p, ok, err := s.score(&c)
		if ok && err == nil {
			found = append(found, p)
		}
		return err
	})
	return found, err
}

// Weigh returns what the words of a query weigh, without searching.
func (x *Server) Weigh(ctx context.Context, q Query) (w Weighing, err error) {
	err = x.weighed(ctx, q, func(s *serverPlan) error {
		w = s.weighing()
		return nil
	})
	return w, err
}

// A serverPlan is a query in one state of the index.
type serverPlan struct {
	*plan
	postingReader
	hidden []uint64 // passages that the search is not to know of, in order
	dating dating
}

// weighed gives fn the plan of a query with its weights. A query that asks for nothing, and an empty
// index, call nothing.
func (x *Server) weighed(ctx context.Context, q Query, fn func(*serverPlan) error) error {
	p, err := newPlan(q)
	if err != nil || p == nil || x.Extent().Snapshot == "" {
		return err
	}
	return x.read(ctx, func(tx pgx.Tx, passages uint64, languages []string) error {
		p.translate(languages)
		s := &serverPlan{plan: p, postingReader: postingReader{ctx: ctx, tx: tx, lists: map[string]*termList{}}}
		if err := s.weighFrom(passages, q.Hidden); err != nil {
			return err
		}
		return fn(s)
	})
}

// weighFrom computes the idf of every term, without the passages of hidden artifacts.
func (s *serverPlan) weighFrom(passages uint64, hidden []string) error {
	wanted := map[string]bool{}
	for i, t := range s.terms {
		for _, key := range s.keys[i] {
			wanted[lexeme(termWord, key)] = true
			if t.Name {
				wanted[lexeme(termCaps, key)], wanted[lexeme(termTitle, key)] = true, true
			}
		}
	}
	if len(s.dates) > 0 {
		for _, w := range append(datedWords(s.dates), wordUndated) {
			wanted[lexeme(termWhen, w)] = true
		}
	}
	if err := s.look(slices.Sorted(maps.Keys(wanted))); err != nil {
		return err
	}
	if len(s.dates) > 0 {
		s.dating.in, s.dating.undated = s.known(termWhen, datedWords(s.dates)), s.known(termWhen, []string{wordUndated})
	}
	if len(hidden) > 0 {
		rows, err := s.tx.Query(s.ctx, `SELECT id FROM passage WHERE artifact = ANY($1) ORDER BY id`, hidden)
		if err != nil {
			return err
		}
		if s.hidden, err = pgx.CollectRows(rows, pgx.RowTo[uint64]); err != nil {
			return err
		}
	}
	return s.weigh(passages-uint64(len(s.hidden)), func(key string) (uint64, error) {
		l := s.lists[lexeme(termWord, key)]
		if l == nil {
			return 0, nil
		}
		not, err := s.readAt(l, s.hidden)
		return l.n - uint64(len(not)), err
	})
}

// A clause is where one word of the query is found.
type clause struct {
	term    int
	most    float64     // it adds no more than this
	counted []*termList // where words are counted, with a capital where it is a name
	titles  []*termList // of a name: the titles
}

// clauses returns the words of the query that some passage has, those that add most first.
func (s *serverPlan) clauses() (out []*clause) {
	for i, t := range s.terms {
		if t.Stem == "" {
			continue
		}
		c := &clause{term: i, counted: s.known(termWord, s.keys[i])}
		if t.Name {
			c.counted, c.titles = s.known(termCaps, s.keys[i]), s.known(termTitle, s.keys[i])
		}
		for _, l := range slices.Concat(c.counted, c.titles) {
			c.most = max(c.most, t.IDF*l.most)
		}
		if c.most > 0 {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b *clause) int { return cmp.Compare(b.most, a.most) })
	return out
}

// An addition is what a clause adds to the score of a passage.
type addition struct {
	at    uint64
	worth float64
}

// adds returns what a clause adds to passages, in order: to those of at or, where at is nil, to all.
func (s *serverPlan) adds(c *clause, at []uint64) ([]addition, error) {
	idf := s.terms[c.term].IDF
	var out []addition
	lists := slices.Concat(c.counted, c.titles)
	for i, l := range lists {
		var found []posting
		var err error
		if at == nil {
			found, err = s.readAll(l)
		} else {
			found, err = s.readAt(l, at)
		}
		if err != nil {
			return nil, err
		}
		out = slices.Grow(out, len(found))
		for _, p := range found {
			if i < len(c.counted) {
				out = append(out, addition{p.at, worth(idf, p.tf, p.length)})
			} else {
				out = append(out, addition{p.at, idf})
			}
		}
	}
	if len(lists) > 1 { // a passage that has it in its words and in its title counts its words
		slices.SortStableFunc(out, func(a, b addition) int { return cmp.Compare(a.at, b.at) })
		out = slices.CompactFunc(out, func(a, b addition) bool { return a.at == b.at })
	}
	return out, nil
}

// A dating says which passages are of the query's dates.
type dating struct {
	in      []*termList // the lists of passages that are
	undated []*termList // that of passages whose document has no date
}

// A candidate is a passage with what the terms read so far add to its score.
type candidate struct {
	at     uint64
	sum    float64
	factor float64 // by which the sum becomes the score
}

func (c candidate) score() float64 { return c.sum * c.factor }

// candidates returns passages that no term was read of before, with the query's date, and without
// those that are hidden or of another date.
func (s *serverPlan) candidates(found []addition) ([]candidate, error) {
	out := make([]candidate, 0, len(found))
	hidden := s.hidden
	for _, a := range found {
		i, there := slices.BinarySearch(hidden, a.at)
		if hidden = hidden[i:]; !there {
			out = append(out, candidate{a.at, a.worth, 1})
		}
	}
	if len(s.dates) == 0 || len(out) == 0 {
		return out, nil
	}
	at := numbersOf(out)
	in, err := s.among(s.dating.in, at)
	if err != nil {
		return nil, err
	}
	undated, err := s.among(s.dating.undated, at)
	if err != nil {
		return nil, err
	}
	date := s.terms[len(s.terms)-1].IDF
	kept := out[:0]
	for _, c := range out {
		switch {
		case in[c.at]:
			c.sum += date
		case undated[c.at]:
			c.factor = undatedFactor
		default:
			continue
		}
		kept = append(kept, c)
	}
	return kept, nil
}

// among returns those of some passages, which are in order, that one of some lists has.
func (s *serverPlan) among(lists []*termList, at []uint64) (map[uint64]bool, error) {
	out := make(map[uint64]bool)
	for _, l := range lists {
		found, err := s.readAt(l, at)
		if err != nil {
			return nil, err
		}
		for _, p := range found {
			out[p.at] = true
		}
	}
	return out, nil
}

func numbersOf(candidates []candidate) []uint64 {
	at := make([]uint64, len(candidates))
	for i, c := range candidates {
		at[i] = c.at
	}
	return at
}

// choose returns the k best passages.
func (s *serverPlan) choose() ([]uint64, error) {
	clauses := s.clauses()
	if len(clauses) == 0 && slices.ContainsFunc(s.terms, func(t Term) bool { return t.Stem != "" }) {
		return nil, nil // a date finds nothing alone, where words were asked for
	}
	lists := slices.Concat(s.dating.in, s.dating.undated)
	for _, c := range clauses {
		lists = slices.Concat(lists, c.counted, c.titles)
	}
	if err := s.readTogether(lists); err != nil {
		return nil, err
	}
	if len(clauses) == 0 {
		return s.chooseDated()
	}
	rest := 0.0 // what the clauses not read yet add at most
	for _, c := range clauses {
		rest += c.most
	}
	date := 0.0 // what a date adds
	if len(s.dates) > 0 {
		date = s.terms[len(s.terms)-1].IDF
	}
	var best []candidate
	least := 0.0 // no score below it is among the k best
	for i, c := range clauses {
		var at []uint64
		if closed := i > 0 && rest+date < least-rounding; closed {
			if len(best) <= s.k {
				break
			}
			at = numbersOf(best)
		}
		found, err := s.adds(c, at)
		if err != nil {
			return nil, err
		}
		if best, err = s.merge(best, found, at == nil); err != nil {
			return nil, err
		}
		rest -= c.most
		least = s.leastOf(best)
		best = slices.DeleteFunc(best, func(c candidate) bool { return (c.sum+rest)*c.factor < least-rounding })
	}
	return s.order(best, clauses)
}

// merge adds what was found of a term to the candidates, in their order; new ones too, where open.
func (s *serverPlan) merge(best []candidate, found []addition, open bool) ([]candidate, error) {
	var fresh []addition
	i := 0
	for _, a := range found {
		for i < len(best) && best[i].at < a.at {
			i++
		}
		if i < len(best) && best[i].at == a.at {
			best[i].sum += a.worth
		} else if open {
			fresh = append(fresh, a)
		}
	}
	if len(fresh) == 0 {
		return best, nil
	}
	more, err := s.candidates(fresh)
	if err != nil || len(best) == 0 {
		return more, err
	}
	out := make([]candidate, 0, len(best)+len(more))
	for len(best) > 0 && len(more) > 0 {
		if best[0].at < more[0].at {
			out, best = append(out, best[0]), best[1:]
		} else {
			out, more = append(out, more[0]), more[1:]
		}
	}
	return append(append(out, best...), more...), nil
}

// leastOf returns the k-th best score so far; 0 where there are fewer.
func (s *serverPlan) leastOf(best []candidate) float64 {
	if len(best) < s.k {
		return 0
	}
	top := make([]float64, 0, s.k) // the best so far, a heap with the least of them first
	for _, c := range best {
		v := c.score()
		switch {
		case len(top) < s.k:
			top = append(top, v)
			for i := len(top) - 1; i > 0 && top[i] < top[(i-1)/2]; i = (i - 1) / 2 {
				top[i], top[(i-1)/2] = top[(i-1)/2], top[i]
			}
		case v > top[0]:
			top[0] = v
			for i := 0; ; {
				least := i
				for _, j := range []int{2*i + 1, 2*i + 2} {
					if j < len(top) && top[j] < top[least] {
						least = j
					}
				}
				if least == i {
					break
				}
				top[i], top[least] = top[least], top[i]
				i = least
			}
		}
	}
	return top[0]
}

// order returns the k best of the candidates. Where there are more, their scores are added up anew in
// the order of the query, and of equal ones those with the first names are taken.
func (s *serverPlan) order(best []candidate, clauses []*clause) ([]uint64, error) {
	if len(best) <= s.k {
		return numbersOf(best), nil
	}
	at := numbersOf(best)
	byTerm := slices.SortedFunc(slices.Values(clauses), func(a, b *clause) int { return cmp.Compare(a.term, b.term) })
	for i := range best {
		best[i].sum = 0
	}
	for _, c := range byTerm {
		found, err := s.adds(c, at)
		if err != nil {
			return nil, err
		}
		if best, err = s.merge(best, found, false); err != nil {
			return nil, err
		}
	}
	if len(s.dates) > 0 {
		in, err := s.among(s.dating.in, at)
		if err != nil {
			return nil, err
		}
		for i := range best {
			if in[best[i].at] {
				best[i].sum += s.terms[len(s.terms)-1].IDF
			}
		}
	}
	slices.SortFunc(best, func(a, b candidate) int { return cmp.Or(cmp.Compare(b.score(), a.score()), cmp.Compare(a.at, b.at)) })
	least := best[s.k-1].score()
	above := slices.IndexFunc(best, func(c candidate) bool { return c.score() == least })
	equal := above
	for equal < len(best) && best[equal].score() == least {
		equal++
	}
	first, err := s.firstNamed(numbersOf(best[above:equal]), s.k-above)
	return append(numbersOf(best[:above]), first...), err
}

// chooseDated returns k passages of the query's dates, where it asks for nothing else.
func (s *serverPlan) chooseDated() ([]uint64, error) {
	var at []uint64
	for _, l := range s.dating.in {
		found, err := s.readAll(l)
		if err != nil {
			return nil, err
		}
		for _, p := range found {
			if _, hidden := slices.BinarySearch(s.hidden, p.at); !hidden {
				at = append(at, p.at)
			}
		}
	}
	slices.Sort(at)
	return s.firstNamed(slices.Compact(at), s.k)
}

// namesAtOnce is how many names are read in a row to find the first among many passages.
const namesAtOnce = 4096

// firstNamed returns those n of some passages that have the first names. Of many it does not read all
// names, but goes through those of the index.
func (s *serverPlan) firstNamed(at []uint64, n int) (out []uint64, err error) {
	if len(at) <= n {
		return at, nil
	}
	if len(at) <= manyEqual {
		rows, err := s.tx.Query(s.ctx, `SELECT id FROM passage WHERE id = ANY($1::bigint[]) ORDER BY artifact, n LIMIT $2`, signed(at), n)
		if err != nil {
			return nil, err
		}
		return pgx.CollectRows(rows, pgx.RowTo[uint64])
	}
	slices.Sort(at)
	artifact, place := "", -1
	for more := true; more && len(out) < n; {
		rows, err := s.tx.Query(s.ctx, `SELECT artifact, n, id FROM passage WHERE (artifact, n) > ($1, $2) ORDER BY artifact, n LIMIT $3`, artifact, place, namesAtOnce)
		if err != nil {
			return nil, err
		}
		var id uint64
		more = false
		if _, err = pgx.ForEachRow(rows, []any{&artifact, &place, &id}, func() error {
			more = true
			if _, among := slices.BinarySearch(at, id); among && len(out) < n {
				out = append(out, id)
			}
			return nil
		}); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// signed returns numbers as the database has them.
func signed(at []uint64) []int64 {
	out := make([]int64, len(at))
	for i, n := range at {
		out[i] = int64(n)
	}
	return out
}
