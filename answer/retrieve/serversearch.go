package retrieve

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
)

// Search returns the passages that hold words of the query, best first.
//
// The database's full text index finds the passages of the rarest words, and the rest of the query
// computes their scores as worth does. Words are added, the next rarer first, until those left out
// cannot lift a passage above the k best.
func (x *Server) Search(ctx context.Context, q Query) ([]Passage, error) {
	s, err := newPlan(q)
	if err != nil || s == nil || x.Snapshot() == "" {
		return nil, err
	}
	var found []Passage
	err = x.read(ctx, func(tx *sql.Tx, passages uint64) error {
		if err := s.weighFrom(ctx, tx, passages, q.Hidden); err != nil {
			return err
		}
		var rows []chosenRow
		hidden := q.hiding()
		for want := s.k; ; s.k *= wider {
			if rows, err = s.choose(ctx, tx); err != nil {
				return err
			}
			all := len(rows) < s.k
			rows = slices.DeleteFunc(rows, func(r chosenRow) bool { return hidden[r.artifact] })
			if all || len(rows) >= want {
				s.k, rows = want, rows[:min(len(rows), want)]
				break
			}
		}
		for _, r := range rows {
			if found, err = s.appendRow(ctx, tx, found, passageID(r.artifact, r.n)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return rank(found, s.k), nil
}

// Fetch returns passages by their IDs.
func (x *Server) Fetch(ctx context.Context, q Query, ids []string) ([]Passage, error) {
	s, err := newPlan(q)
	if err != nil || s == nil || x.Snapshot() == "" {
		return nil, err
	}
	var found []Passage
	err = x.read(ctx, func(tx *sql.Tx, passages uint64) error {
		if err := s.weighFrom(ctx, tx, passages, q.Hidden); err != nil {
			return err
		}
		for _, id := range ids {
			if found, err = s.appendRow(ctx, tx, found, id); err != nil {
				return err
			}
		}
		return nil
	})
	return found, err
}

// Weigh returns what the words of a query weigh, without searching.
func (x *Server) Weigh(ctx context.Context, q Query) (w Weighing, err error) {
	s, err := newPlan(q)
	if err != nil || s == nil || x.Snapshot() == "" {
		return w, err
	}
	err = x.read(ctx, func(tx *sql.Tx, passages uint64) error {
		if err := s.weighFrom(ctx, tx, passages, q.Hidden); err != nil {
			return err
		}
		w = s.weighing()
		return nil
	})
	return w, err
}

// appendRow adds a passage that is there and fits the query's dates.
func (s *plan) appendRow(ctx context.Context, tx *sql.Tx, found []Passage, id string) ([]Passage, error) {
	c, err := loadRow(ctx, tx, id)
	if err != nil || c == nil {
		return found, err
	}
	p, ok, err := s.score(c)
	if ok && err == nil {
		found = append(found, p)
	}
	return found, err
}

// weighFrom computes the idf of every term, without the passages of hidden artifacts.
func (s *plan) weighFrom(ctx context.Context, tx *sql.Tx, passages uint64, hidden []string) error {
	languages, err := texts(tx.QueryContext(ctx, `SELECT tongue FROM tongue ORDER BY tongue`))
	if err != nil {
		return err
	}
	s.translate(languages)
	// Two words of a query may have one key, as Mühle and muhle have.
	keys := unique(slices.Concat(s.keys...))
	counts, err := countStems(ctx, tx, keys)
	if err != nil {
		return err
	}
	if len(hidden) > 0 {
		var not uint64
		if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM passage WHERE artifact = ANY($1)`, hidden).Scan(&not); err != nil {
			return err
		}
		passages -= not
		for _, key := range keys {
			stem := lexeme("", key)
			if counts[stem] == 0 {
				continue
			}
			if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM passage WHERE artifact = ANY($1) AND $2 = ANY(words)`, hidden, stem).Scan(&not); err != nil {
				return err
			}
			counts[stem] -= not
		}
	}
	return s.weigh(passages, func(key string) (uint64, error) { return counts[lexeme("", key)], nil })
}

// countStems returns how many passages hold each of some keys.
func countStems(ctx context.Context, tx *sql.Tx, keys []string) (map[string]uint64, error) {
	stems := make([]string, len(keys))
	for i, key := range keys {
		stems[i] = lexeme("", key)
	}
	out := map[string]uint64{}
	rows, err := tx.QueryContext(ctx, `SELECT stem, n FROM stem WHERE stem = ANY($1)`, stems)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var stem string
		var n uint64
		if err := rows.Scan(&stem, &n); err != nil {
			return nil, err
		}
		out[stem] = n
	}
	return out, rows.Err()
}

// A chosenRow is one of the best passages.
type chosenRow struct {
	artifact string
	n        int
	score    float64 // the sum of what its words are worth, halved where it has no date and the query has
}

// choose returns the k best passages.
func (s *plan) choose(ctx context.Context, tx *sql.Tx) ([]chosenRow, error) {
	var words []int // terms, the rarest first
	rest := 0.0     // what the words not asked for, and the date, add at most
	for i, t := range s.terms {
		if t.Stem == "" {
			rest += t.IDF
			continue
		}
		words = append(words, i)
		rest += mostWorth * t.IDF
	}
	slices.SortStableFunc(words, func(a, b int) int { return cmp.Compare(s.terms[b].IDF, s.terms[a].IDF) })
	if len(words) == 0 {
		return s.ask(ctx, tx, tsquery(datedWords(s.dates)))
	}
	var asked []string
	for i := 0; ; {
		t := s.terms[words[i]]
		kind := "word:"
		if t.Name {
			kind = "name:"
		}
		for _, key := range s.keys[words[i]] {
			asked = append(asked, lexeme(kind, key))
		}
		rest -= mostWorth * t.IDF
		i++
		if i < len(words) && !t.Known {
			continue // no passage has it
		}
		rows, err := s.ask(ctx, tx, tsquery(asked))
		if err != nil || i == len(words) {
			return rows, err
		}
		if len(rows) == s.k {
			least := rows[len(rows)-1].score
			if rest < least-rounding {
				return rows, nil
			}
		}
	}
}

// ask returns the k best among the passages that hold one of the words.
func (s *plan) ask(ctx context.Context, tx *sql.Tx, words string) ([]chosenRow, error) {
	if words == "" { // an index without passages speaks no language
		return nil, nil
	}
	args := []any{words, s.k}
	arg := func(v any, as string) string {
		args = append(args, v)
		return fmt.Sprintf("$%d::%s", len(args), as)
	}
	sum, where, factor := "0::float8", "found @@ $1::tsquery", ""
	norm := fmt.Sprintf("%v::float8 * (%v::float8 + %v::float8 * cardinality(words)::float8 / %v::float8)", saturation, 1-lengthWeight, lengthWeight, usualLength)
	for i, t := range s.terms {
		idf, keys := arg(t.IDF, "float8"), []string{}
		for _, key := range s.keys[i] {
			keys = append(keys, arg(lexeme("", key), "text"))
		}
		// A passage holds the key of its own language only.
		holds := func(column string) string { return column + " && ARRAY[" + strings.Join(keys, ", ") + "]" }
		tf := func(column string) string {
			counts := make([]string, len(keys))
			for i, key := range keys {
				counts[i] = "cardinality(array_positions(" + column + ", " + key + "))"
			}
			return "(" + strings.Join(counts, " + ") + ")::float8"
		}
		worth := func(column string) string {
			return fmt.Sprintf("%s * %s * %v::float8 / (%s + %s)", idf, tf(column), saturation+1, tf(column), norm)
		}
		switch {
		case t.Stem == "":
			dated := "found @@ " + arg(tsquery(datedWords(s.dates)), "tsquery")
			where += " AND (" + dated + " OR found @@ " + arg(tsquery([]string{wordUndated}), "tsquery") + ")"
			sum += fmt.Sprintf(" + CASE WHEN %s THEN %s ELSE 0 END", dated, idf)
			factor = fmt.Sprintf(" * CASE WHEN %s THEN 1 ELSE %v::float8 END", dated, undatedFactor)
		case t.Name:
			sum += fmt.Sprintf(" + CASE WHEN %s THEN %s WHEN %s THEN %s ELSE 0 END", holds("caps"), worth("caps"), holds("names"), idf)
		default:
			sum += fmt.Sprintf(" + CASE WHEN %s THEN %s ELSE 0 END", holds("words"), worth("words"))
		}
	}
	rows, err := tx.QueryContext(ctx, `SELECT artifact, n, (`+sum+`)`+factor+` AS score FROM passage WHERE `+where+` ORDER BY score DESC, artifact, n LIMIT $2`, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []chosenRow
	for rows.Next() {
		var r chosenRow
		if err := rows.Scan(&r.artifact, &r.n, &r.score); err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, rows.Err()
}

// quoteLexeme writes a lexeme as a query for full text has it.
var quoteLexeme = strings.NewReplacer(`'`, `''`, `\`, `\\`)

// tsquery asks for any of some lexemes.
func tsquery(lexemes []string) string {
	quoted := make([]string, len(lexemes))
	for i, l := range lexemes {
		quoted[i] = "'" + quoteLexeme.Replace(l) + "'"
	}
	return strings.Join(quoted, " | ")
}
