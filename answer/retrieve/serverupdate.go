package retrieve

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// serverStage is how many passages a stage of an update in a database has at most, about: so many
// are lost by an interruption, and lie in memory.
const serverStage = 20_000

// Update brings the index to another snapshot in stages, of which each is one transaction: who
// searches meanwhile finds what the last one left. Where another process brought it there, nothing
// is left to do; where it took another way, the error is ErrMoved. It is ErrBusy while another
// process updates.
func (x *Server) Update(ctx context.Context, snapshot string, add iter.Seq2[Doc, error], remove []string, progress func(done int)) error {
	if snapshot == "" {
		return errors.New("search index: an update needs a snapshot id")
	}
	err := x.withConn(ctx, func(conn *pgx.Conn) error {
		if err := lockSchema(ctx, conn); err != nil {
			return err
		}
		err := x.update(ctx, conn, snapshot, add, remove, progress)
		// A connection that was closed has given the lock back.
		if _, e := conn.Exec(context.WithoutCancel(ctx), `SELECT pg_advisory_unlock(`+schemaKey+`)`); err == nil {
			err = e
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("search index of %s in the database: %w", snapshot, serverError(err))
	}
	return nil
}

// lockTries and lockPause say how long an update waits for its lock: as long as the database takes to
// notice that a process has ended.
const (
	lockTries = 20
	lockPause = 50 * time.Millisecond
)

// lockSchema takes the lock of the writers of a schema. The error is ErrBusy while another has it.
func lockSchema(ctx context.Context, conn *pgx.Conn) error {
	for try := 1; ; try++ {
		var locked bool
		if err := conn.QueryRow(ctx, `SELECT pg_try_advisory_lock(`+schemaKey+`)`).Scan(&locked); err != nil || locked {
			return err
		}
		if try == lockTries {
			return ErrBusy
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(lockPause):
		}
	}
}

// update is Update under the lock of the writers.
func (x *Server) update(ctx context.Context, conn *pgx.Conn, snapshot string, add iter.Seq2[Doc, error], remove []string, progress func(done int)) error {
	at, passages, err := readState(ctx, conn)
	switch {
	case err != nil:
		return err
	case at == (Extent{Snapshot: snapshot}):
		x.setExtent(at)
		return nil
	case at != x.Extent():
		return ErrMoved
	}
	w := &stageWriter{ctx: ctx, remove: remove, anew: at.Last != "" && at.Snapshot != snapshot}
	if w.anew {
		at, passages = Extent{}, 0
	}
	if at.Last == "" {
		at = Extent{Snapshot: snapshot, From: at.Snapshot}
	}
	docs := newDocuments(add)
	defer docs.stop()
	cut, err := docs.next(ctx, stageLimit(passages))
	for err == nil {
		// While one stage is written, the documents of the next are read and cut.
		next := make(chan cutStage, 1)
		if len(cut) > 0 {
			at.Last, at.Done = cut[len(cut)-1].artifact, at.Done+len(cut)
			most := stageLimit(passages)
			go func() {
				c, err := docs.next(ctx, most)
				next <- cutStage{c, err}
			}()
		} else {
			next <- cutStage{}
		}
		done := at.Done
		var then *cutStage
		err = pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
			if err := w.write(tx, cut); err != nil {
				return err
			}
			n := <-next
			if then = &n; then.err == nil && len(then.cut) == 0 {
				at = Extent{Snapshot: snapshot}
			}
			return w.writeState(tx, at)
		})
		if then == nil {
			<-next // nothing else may use docs
		}
		if err != nil {
			return err
		}
		x.setExtent(at)
		if progress != nil {
			progress(done)
		}
		if at.Last == "" {
			return nil
		}
		w.remove, w.anew, passages = nil, false, w.passages
		if cut, err = then.cut, then.err; err != nil {
			return err
		}
	}
	return err
}

// stageLimit returns about how many passages the next stage of an index has.
func stageLimit(passages int64) int { return int(min(max(passages, firstStage), serverStage)) }

// A cutStage is the documents of a stage, or why there are none.
type cutStage struct {
	cut []cutDocument
	err error
}

// A stageWriter writes the stages of one update.
type stageWriter struct {
	ctx    context.Context
	tx     pgx.Tx   // of the stage being written
	remove []string // artifacts that leave with the next stage
	anew   bool     // everything leaves before

	passages, nextPassage, nextTerm int64
}

// A growingTerm is a term with the postings that a stage adds.
type growingTerm struct {
	termRow
	postings []posting
}

// write writes the documents of one stage.
func (w *stageWriter) write(tx pgx.Tx, cut []cutDocument) error {
	w.tx = tx
	if w.anew {
		if _, err := tx.Exec(w.ctx, emptyTables); err != nil {
			return err
		}
	}
	if err := tx.QueryRow(w.ctx, `SELECT passages, next_passage, next_term FROM state`).Scan(&w.passages, &w.nextPassage, &w.nextTerm); err != nil {
		return err
	}
	leave := slices.Clone(w.remove)
	for _, d := range cut {
		leave = append(leave, d.artifact)
	}
	for some := range slices.Chunk(leave, removedAtOnce) {
		if err := w.take(some); err != nil {
			return err
		}
	}
	return w.add(cut)
}

// writeState ends a stage.
func (w *stageWriter) writeState(tx pgx.Tx, at Extent) error {
	_, err := tx.Exec(w.ctx, `UPDATE state SET snapshot = $1, last = $2, done = $3, began = $4, passages = $5, next_passage = $6, next_term = $7`,
		at.Snapshot, at.Last, at.Done, at.From, w.passages, w.nextPassage, w.nextTerm)
	return err
}

// add writes the passages of documents and their postings.
func (w *stageWriter) add(cut []cutDocument) error {
	terms := map[string]*growingTerm{}
	var rows [][]any
	var of [][]*growingTerm // by row
	tongues := map[string]int64{}
	for _, d := range cut {
		for n, p := range d.passages {
			has := p.grow(terms, uint64(w.nextPassage))
			rows = append(rows, []any{w.nextPassage, p.Artifact, n, []byte(p.Title), []byte(p.Author), p.Date, p.Lang, p.Span, []byte(p.Text), p.tongue, nil})
			of = append(of, has)
			tongues[p.tongue]++
			w.nextPassage++
		}
	}
	if len(rows) == 0 {
		return nil
	}
	w.passages += int64(len(rows))
	if err := w.number(terms); err != nil {
		return err
	}
	for i, has := range of {
		var ids []byte
		for _, t := range has {
			ids = binary.AppendUvarint(ids, uint64(t.id))
		}
		rows[i][len(rows[i])-1] = ids
	}
	columns := []string{"id", "artifact", "n", "title", "author", "date", "lang", "span", "text", "tongue", "terms"}
	if _, err := w.tx.CopyFrom(w.ctx, pgx.Identifier{"passage"}, columns, pgx.CopyFromRows(rows)); err != nil {
		return err
	}
	if err := w.speak(tongues); err != nil {
		return err
	}
	return w.extend(terms)
}

// grow adds the postings of a passage to those of its terms, which are returned.
func (s *stored) grow(terms map[string]*growingTerm, at uint64) (has []*growingTerm) {
	words := strings.Fields(s.Words)
	add := func(kind, key string, tf int) {
		name := lexeme(kind, key)
		t := terms[name]
		if t == nil {
			t = &growingTerm{termRow: termRow{term: name, most: 1}}
			if isCounted(name) {
				t.most = 0
			}
			terms[name] = t
		}
		p := posting{at: at}
		if isCounted(name) {
			p.tf, p.length = tf, len(words)
			t.most = max(t.most, worth(1, tf, len(words)))
		}
		t.n++
		t.postings = append(t.postings, p)
		has = append(has, t)
	}
	for key, tf := range count(words) {
		add(termWord, key, tf)
	}
	for key, tf := range count(strings.Fields(s.Caps)) {
		add(termCaps, key, tf)
	}
	for key := range count(strings.Fields(s.Names)) {
		add(termTitle, key, 1)
	}
	for key := range count(strings.Fields(s.When)) {
		if !strings.HasPrefix(key, wordTongue) {
			add(termWhen, key, 1)
		}
	}
	return has
}

// number gives the terms of a stage their numbers, new ones too, and counts their passages.
func (w *stageWriter) number(terms map[string]*growingTerm) error {
	names := slices.Sorted(maps.Keys(terms))
	rows, err := w.tx.Query(w.ctx, `SELECT term, id FROM term WHERE term = ANY($1)`, names)
	if err != nil {
		return err
	}
	var name string
	var id int64
	if _, err = pgx.ForEachRow(rows, []any{&name, &id}, func() error {
		terms[name].id = id
		return nil
	}); err != nil {
		return err
	}
	ids, counts, most := make([]int64, len(names)), make([]int64, len(names)), make([]float64, len(names))
	for i, name := range names {
		t := terms[name]
		if t.id == 0 {
			t.id = w.nextTerm
			w.nextTerm++
		}
		ids[i], counts[i], most[i] = t.id, int64(t.n), t.most
	}
	_, err = w.tx.Exec(w.ctx, `INSERT INTO term (term, id, n, most) SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::float8[])
		ON CONFLICT (term) DO UPDATE SET n = term.n + excluded.n, most = greatest(term.most, excluded.most)`, names, ids, counts, most)
	return err
}

// speak changes how many passages are in each language.
func (w *stageWriter) speak(tongues map[string]int64) error {
	names := slices.Sorted(maps.Keys(tongues))
	more := make([]int64, len(names))
	for i, name := range names {
		more[i] = tongues[name]
	}
	_, err := w.tx.Exec(w.ctx, `INSERT INTO tongue SELECT * FROM unnest($1::text[], $2::bigint[]) ON CONFLICT (tongue) DO UPDATE SET n = tongue.n + excluded.n`, names, more)
	if err == nil {
		_, err = w.tx.Exec(w.ctx, `DELETE FROM tongue WHERE n = 0`)
	}
	return err
}

// extend writes the postings of a stage: what is left of each term's last block is filled first.
func (w *stageWriter) extend(terms map[string]*growingTerm) error {
	byID := make(map[int64]*growingTerm, len(terms))
	for _, t := range terms {
		byID[t.id] = t
	}
	ids := slices.Sorted(maps.Keys(byID))
	rows, err := w.tx.Query(w.ctx, `SELECT b.term, b.first, b.data FROM unnest($1::bigint[]) AS t, LATERAL (
		SELECT term, first, n, data FROM block WHERE term = t ORDER BY first DESC LIMIT 1) AS b WHERE b.n < $2`, ids, blockPostings)
	if err != nil {
		return err
	}
	var changed blockChanges
	var term, first int64
	var data []byte
	_, err = pgx.ForEachRow(rows, []any{&term, &first, &data}, func() error {
		t := byID[term]
		old, err := appendPostings(nil, uint64(first), data, isCounted(t.term))
		if err != nil {
			return err
		}
		more := min(blockPostings-len(old), len(t.postings))
		b := block{uint64(first), append(old, t.postings[:more]...)}
		t.postings = t.postings[more:]
		changed.put(term, b, isCounted(t.term))
		return nil
	})
	if err != nil {
		return err
	}
	if err := changed.write(w.ctx, w.tx); err != nil {
		return err
	}
	var added [][]any
	for _, id := range ids {
		t := byID[id]
		for some := range slices.Chunk(t.postings, blockPostings) {
			b := block{some[0].at, some}
			added = append(added, []any{id, int64(b.first), len(some), b.encode(isCounted(t.term))})
		}
	}
	_, err = w.tx.CopyFrom(w.ctx, pgx.Identifier{"block"}, []string{"term", "first", "n", "data"}, pgx.CopyFromRows(added))
	return err
}

// blockChanges are blocks to be replaced, as columns.
type blockChanges struct {
	terms, firsts, counts []int64
	data                  [][]byte
}

func (c *blockChanges) put(term int64, b block, counted bool) {
	c.terms, c.firsts, c.counts = append(c.terms, term), append(c.firsts, int64(b.first)), append(c.counts, int64(len(b.postings)))
	c.data = append(c.data, b.encode(counted))
}

// write replaces the blocks, and deletes those without a posting.
func (c *blockChanges) write(ctx context.Context, tx pgx.Tx) error {
	if len(c.terms) == 0 {
		return nil
	}
	_, err := tx.Exec(ctx, `UPDATE block SET n = c.n, data = c.data FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bytea[]) AS c (term, first, n, data)
		WHERE block.term = c.term AND block.first = c.first`, c.terms, c.firsts, c.counts, c.data)
	if err == nil && slices.Contains(c.counts, 0) {
		_, err = tx.Exec(ctx, `DELETE FROM block USING unnest($1::bigint[], $2::bigint[]) AS c (term, first) WHERE block.term = c.term AND block.first = c.first AND block.n = 0`, c.terms, c.firsts)
	}
	return err
}

// take removes the passages of artifacts and their postings.
func (w *stageWriter) take(artifacts []string) error {
	rows, err := w.tx.Query(w.ctx, `DELETE FROM passage WHERE artifact = ANY($1) RETURNING id, tongue, terms`, artifacts)
	if err != nil {
		return err
	}
	gone := map[int64][]uint64{} // the passages that leave, by term
	tongues := map[string]int64{}
	var id int64
	var tongue string
	var terms []byte
	_, err = pgx.ForEachRow(rows, []any{&id, &tongue, &terms}, func() error {
		tongues[tongue]--
		w.passages--
		for len(terms) > 0 {
			term, used := binary.Uvarint(terms)
			if used <= 0 {
				return fmt.Errorf("%w: the terms of passage %d", ErrDamaged, id)
			}
			terms = terms[used:]
			gone[int64(term)] = append(gone[int64(term)], uint64(id))
		}
		return nil
	})
	if err != nil || len(tongues) == 0 {
		return err
	}
	if err := w.speak(tongues); err != nil {
		return err
	}
	return w.shrink(gone)
}

// shrink takes passages out of the postings of terms.
func (w *stageWriter) shrink(gone map[int64][]uint64) error {
	ids := slices.Sorted(maps.Keys(gone))
	var less, of, at []int64 // passages that each term loses; every pair of a term and a passage
	for _, id := range ids {
		less = append(less, int64(len(gone[id])))
		slices.Sort(gone[id])
		for _, n := range gone[id] {
			of, at = append(of, id), append(at, int64(n))
		}
	}
	counted := make(map[int64]bool, len(ids))
	rows, err := w.tx.Query(w.ctx, `UPDATE term SET n = term.n - l.n FROM unnest($1::bigint[], $2::bigint[]) AS l (id, n) WHERE term.id = l.id RETURNING term.id, term.term`, ids, less)
	if err != nil {
		return err
	}
	var id, first int64
	var name string
	if _, err = pgx.ForEachRow(rows, []any{&id, &name}, func() error {
		counted[id] = isCounted(name)
		return nil
	}); err != nil {
		return err
	}
	rows, err = w.tx.Query(w.ctx, `SELECT b.term, b.first, b.data FROM (
		SELECT DISTINCT term, (SELECT first FROM block WHERE block.term = p.term AND first <= p.at ORDER BY first DESC LIMIT 1) AS first
		FROM unnest($1::bigint[], $2::bigint[]) AS p (term, at)) AS wanted JOIN block AS b ON b.term = wanted.term AND b.first = wanted.first`, of, at)
	if err != nil {
		return err
	}
	var changed blockChanges
	var data []byte
	if _, err = pgx.ForEachRow(rows, []any{&id, &first, &data}, func() error {
		old, err := appendPostings(nil, uint64(first), data, counted[id])
		if err != nil {
			return err
		}
		left := slices.DeleteFunc(old, func(p posting) bool {
			_, leaves := slices.BinarySearch(gone[id], p.at)
			return leaves
		})
		changed.put(id, block{uint64(first), left}, counted[id])
		return nil
	}); err != nil {
		return err
	}
	if err := changed.write(w.ctx, w.tx); err != nil {
		return err
	}
	_, err = w.tx.Exec(w.ctx, `DELETE FROM term WHERE n = 0 AND id = ANY($1)`, ids)
	return err
}
