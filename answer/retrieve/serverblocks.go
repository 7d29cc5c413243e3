package retrieve

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
)

// What a term of the index in a database says of a passage.
const (
	termWord  = "word:" // it holds the word
	termCaps  = "caps:" // it holds the word with a capital
	termTitle = "name:" // the title has it as a name
	termWhen  = "when:" // a word of dateWords or saidWords
)

// isCounted reports whether the postings of a term say how often the word is there.
func isCounted(term string) bool {
	return strings.HasPrefix(term, termWord) || strings.HasPrefix(term, termCaps)
}

// A posting says that a passage has a term.
type posting struct {
	at     uint64 // number of the passage
	tf     int    // how often it holds the word, where the term is counted
	length int    // the passage's content words, where the term is counted
}

func compareAt(p posting, at uint64) int { return cmp.Compare(p.at, at) }

// blockPostings is how many postings a block has at most: about 1.5 kB, so that a row stays
// within its page.
const blockPostings = 512

// A block is a stretch of the postings of a term, in order. first is its key: no posting of the
// block is before it, and none of the block before is after it.
type block struct {
	first    uint64
	postings []posting
}

// encode returns the bytes of a block: for each posting the distance from the one before, or from
// first, and where the term is counted how often and among how many words; all as uvarints.
func (b block) encode(counted bool) []byte {
	out := make([]byte, 0, 3*len(b.postings))
	before := b.first
	for _, p := range b.postings {
		out = binary.AppendUvarint(out, p.at-before)
		before = p.at
		if counted {
			out = binary.AppendUvarint(out, uint64(p.tf))
			out = binary.AppendUvarint(out, uint64(p.length))
		}
	}
	return out
}

// appendPostings reads a block. What it accepts, encode writes again.
func appendPostings(to []posting, first uint64, data []byte, counted bool) ([]posting, error) {
	size, n := len(data), len(to)
	next := func() (v uint64) {
		var used int
		if v, used = binary.Uvarint(data); used <= 0 || used > 1 && data[used-1] == 0 {
			data, size = nil, -1
			return 0
		}
		data = data[used:]
		return v
	}
	for at := first; len(data) > 0; {
		p := posting{at: at + next()}
		if p.at < at || p.at == at && len(to) > n {
			size = -1
		}
		at = p.at
		if counted {
			p.tf, p.length = int(next()), int(next())
			if p.tf < 1 || p.length < p.tf {
				size = -1
			}
		}
		if size < 0 {
			return nil, fmt.Errorf("%w: a block of postings from passage %d", ErrDamaged, first)
		}
		to = append(to, p)
	}
	return to, nil
}

// A termRow is a term of the index in a database.
type termRow struct {
	term string
	id   int64
	n    uint64  // passages that have it
	most float64 // what it is worth at most in any of them, with an idf of 1
}

// A termList is the postings of one term in the database, read as far as they are asked for.
type termList struct {
	termRow
	all []posting // nil until read whole
}

// A postingReader reads postings in one transaction.
type postingReader struct {
	ctx   context.Context
	tx    pgx.Tx
	lists map[string]*termList // the terms that are there
}

// look finds those of some terms that some passage has.
func (r *postingReader) look(terms []string) error {
	rows, err := r.tx.Query(r.ctx, `SELECT term, id, n, most FROM term WHERE term = ANY($1)`, terms)
	if err != nil {
		return err
	}
	var t termRow
	_, err = pgx.ForEachRow(rows, []any{&t.term, &t.id, &t.n, &t.most}, func() error {
		r.lists[t.term] = &termList{termRow: t}
		return nil
	})
	return err
}

// known returns the lists of those of some terms that were found, each once.
func (r *postingReader) known(kind string, keys []string) (out []*termList) {
	for _, key := range keys {
		if l := r.lists[lexeme(kind, key)]; l != nil && !slices.Contains(out, l) {
			out = append(out, l)
		}
	}
	return out
}

// readAll returns all postings of a term.
func (r *postingReader) readAll(l *termList) ([]posting, error) {
	if l.all != nil {
		return l.all, nil
	}
	rows, err := r.tx.Query(r.ctx, `SELECT first, data FROM block WHERE term = $1 ORDER BY first`, l.id)
	if err != nil {
		return nil, err
	}
	l.all, err = collectBlocks(rows, make([]posting, 0, l.n), isCounted(l.term))
	return l.all, err
}

// fewPostings is how many postings a term has at most to be read whole together with others: four
// blocks.
const fewPostings = 4 * blockPostings

// readTogether reads the postings of those of some terms that have few, at once.
func (r *postingReader) readTogether(lists []*termList) error {
	few := map[int64]*termList{}
	for _, l := range lists {
		if l.all == nil && l.n <= fewPostings {
			few[l.id] = l
		}
	}
	if len(few) == 0 {
		return nil
	}
	rows, err := r.tx.Query(r.ctx, `SELECT term, first, data FROM block WHERE term = ANY($1::bigint[]) ORDER BY term, first`, slices.Sorted(maps.Keys(few)))
	if err != nil {
		return err
	}
	var term, first int64
	var data pgtype.DriverBytes
	_, err = pgx.ForEachRow(rows, []any{&term, &first, &data}, func() (err error) {
		l := few[term]
		l.all, err = appendPostings(l.all, uint64(first), data, isCounted(l.term))
		return err
	})
	return err
}

// collectBlocks appends the postings of rows of a key and a block.
func collectBlocks(rows pgx.Rows, to []posting, counted bool) ([]posting, error) {
	defer rows.Close()
	var data pgtype.DriverBytes // of the row, not copied
	for rows.Next() {
		var first int64
		err := rows.Scan(&first, &data)
		if err == nil {
			to, err = appendPostings(to, uint64(first), data, counted)
		}
		if err != nil {
			return nil, err
		}
	}
	return to, rows.Err()
}

// blockRatio is how many times more blocks a term must have than blocks are looked up one by one:
// a look-up costs as much as reading so many in a row.
const blockRatio = 4

// readAt returns the postings of a term at some passages, which are in order.
func (r *postingReader) readAt(l *termList, at []uint64) ([]posting, error) {
	if len(at) == 0 {
		return nil, nil
	}
	found := l.all
	if found == nil && len(at)*blockRatio < int(l.n/blockPostings) {
		rows, err := r.tx.Query(r.ctx, `SELECT b.first, b.data FROM (
			SELECT DISTINCT (SELECT first FROM block WHERE term = $1 AND first <= w ORDER BY first DESC LIMIT 1) AS first FROM unnest($2::bigint[]) AS w) AS wanted
			JOIN block AS b ON b.term = $1 AND b.first = wanted.first ORDER BY b.first`, l.id, signed(at))
		if err != nil {
			return nil, err
		}
		if found, err = collectBlocks(rows, nil, isCounted(l.term)); err != nil {
			return nil, err
		}
	} else if found == nil {
		var err error
		if found, err = r.readAll(l); err != nil {
			return nil, err
		}
	}
	var out []posting
	for _, n := range at {
		i, there := slices.BinarySearchFunc(found, n, compareAt)
		if there {
			out = append(out, found[i])
		}
		found = found[i:]
	}
	return out, nil
}
