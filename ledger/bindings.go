package ledger

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"muniment/cid"
	"muniment/cite"
)

// A CitationObject is the canonical JSON of a citation and its ID, with the
// ordinal of the entry that it is of.
type CitationObject struct {
	Ordinal int64
	ID      cid.ID
	JSON    []byte
}

// rowsAtOnce is how many rows one statement reads or writes: PostgreSQL takes
// 65,535 parameters, SQLite 32,766, and a row here has up to four.
const rowsAtOnce = 500

// Bind records the citation objects of entries in one transaction, all or none,
// and returns how many were not bound before. An object must agree with its entry
// in artifact, span, relation, claim and the verdict on the claim, which is that of
// the newest attestation. An entry that is bound keeps its object.
func (l *Ledger) Bind(objects []CitationObject, at time.Time) (n int, err error) {
	if at.IsZero() {
		return 0, fmt.Errorf("binding citations: no time")
	}
	parsed := make([]*cite.Citation, len(objects))
	for i, o := range objects {
		if parsed[i], err = cite.ParseCitation(o.JSON); err != nil {
			return 0, fmt.Errorf("binding citation %d: %w", o.Ordinal, err)
		}
		if got := cid.OfJSON(o.JSON); got != o.ID {
			return 0, fmt.Errorf("binding citation %d: the object's id is %s, not %s", o.Ordinal, got, o.ID)
		}
	}
	err = l.inRepeatable(func(t tx) error {
		n = 0
		for first := 0; first < len(objects); first += rowsAtOnce {
			some := objects[first:min(first+rowsAtOnce, len(objects))]
			fresh, err := bindSome(t, some, parsed[first:], at)
			if err != nil {
				return err
			}
			n += fresh
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return n, nil
}

// bindSome binds a part of the entries of Bind.
func bindSome(t tx, objects []CitationObject, parsed []*cite.Citation, at time.Time) (n int, err error) {
	type entry struct {
		ordinal                                  int64
		artifact, span, relation, claim, verdict string
		bound                                    bool
	}
	ordinals := make([]int64, len(objects))
	for i := range objects {
		ordinals[i] = objects[i].Ordinal
	}
	list, args := among(ordinals)
	rows, err := t.query(`SELECT c.ordinal, c.artifact, c.span, c.relation, c.claim, a.claim_verdict, b.ordinal IS NOT NULL
		FROM citations c JOIN attestations a ON a.ordinal = c.ordinal LEFT JOIN bindings b ON b.ordinal = c.ordinal
		WHERE `+newest+` AND c.ordinal IN `+list, args...)
	if err != nil {
		return 0, err
	}
	entries, err := gather(rows, func(e *entry) error {
		return rows.Scan(&e.ordinal, &e.artifact, &e.span, &e.relation, &e.claim, &e.verdict, &e.bound)
	})
	if err != nil {
		return 0, err
	}
	byOrdinal := make(map[int64]entry, len(entries))
	for _, e := range entries {
		byOrdinal[e.ordinal] = e
	}
	var values []any
	for i, o := range objects {
		e, ok := byOrdinal[o.Ordinal]
		if !ok {
			return 0, fmt.Errorf("citation %d: %w", o.Ordinal, ErrNotFound)
		}
		for _, f := range []struct{ name, entry, object string }{
			{"artifact", e.artifact, parsed[i].Artifact}, {"span", e.span, parsed[i].Span},
			{"relation", e.relation, string(parsed[i].Relation)}, {"claim", e.claim, parsed[i].Claim},
			{"claim verdict", e.verdict, string(parsed[i].ClaimVerdict)},
		} {
			if f.entry != f.object {
				return 0, fmt.Errorf("citation %d has %s %q, the object %q", o.Ordinal, f.name, f.entry, f.object)
			}
		}
		if !e.bound {
			e.bound = true
			byOrdinal[o.Ordinal] = e
			values = append(values, o.Ordinal, formatTime(at), o.ID.String(), string(o.JSON))
		}
	}
	return len(values) / 4, insertRows(t, `bindings (ordinal, time, citation, json)`, 4, values)
}

// Seal records, in one transaction, the snapshot that holds the citation objects of
// bound entries, and returns how many were not sealed before. An entry that is
// sealed keeps its snapshot.
func (l *Ledger) Seal(ordinals []int64, snapshot cid.ID, at time.Time) (n int, err error) {
	if _, err := cid.ParseAs(cid.Raw, snapshot.String()); err != nil {
		return 0, fmt.Errorf("sealing citations: snapshot: %w", err)
	}
	if at.IsZero() {
		return 0, fmt.Errorf("sealing citations: no time")
	}
	err = l.inRepeatable(func(t tx) error {
		n = 0
		for some := range slices.Chunk(ordinals, rowsAtOnce) {
			list, args := among(some)
			rows, err := t.query(`SELECT b.ordinal, s.ordinal IS NOT NULL FROM bindings b LEFT JOIN seals s ON s.ordinal = b.ordinal WHERE b.ordinal IN `+list, args...)
			if err != nil {
				return err
			}
			type binding struct {
				ordinal int64
				sealed  bool
			}
			bound, err := gather(rows, func(b *binding) error { return rows.Scan(&b.ordinal, &b.sealed) })
			if err != nil {
				return err
			}
			sealed := make(map[int64]bool, len(bound))
			for _, b := range bound {
				sealed[b.ordinal] = b.sealed
			}
			var values []any
			for _, ordinal := range some {
				done, ok := sealed[ordinal]
				if !ok {
					return fmt.Errorf("citation %d is not bound, only a bound one can be sealed", ordinal)
				}
				if !done {
					sealed[ordinal] = true
					values = append(values, ordinal, formatTime(at), snapshot.String())
				}
			}
			if err := insertRows(t, `seals (ordinal, time, snapshot)`, 3, values); err != nil {
				return err
			}
			n += len(values) / 3
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return n, nil
}

// among returns the right side of an IN and its parameters.
func among(ordinals []int64) (list string, args []any) {
	args = make([]any, len(ordinals))
	for i, n := range ordinals {
		args[i] = n
	}
	return `(` + strings.TrimSuffix(strings.Repeat("?, ", len(ordinals)), ", ") + `)`, args
}

// insertRows inserts rows of so many columns in one statement; no values insert none.
func insertRows(t tx, into string, columns int, values []any) error {
	if len(values) == 0 {
		return nil
	}
	row := `(` + strings.TrimSuffix(strings.Repeat("?, ", columns), ", ") + `)`
	return t.exec(`INSERT INTO `+into+` VALUES `+strings.TrimSuffix(strings.Repeat(row+", ", len(values)/columns), ", "), values...)
}
