package ledger

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// entriesAtOnce is how many entries one statement writes: some 3,000 parameters, and
// conditions that both databases answer from their indexes.
const entriesAtOnce = 100

// AddCitation appends entries with their first attestations in one transaction, all or none, and returns the ordinal
// of the first; the others follow it without a gap. An entry whose Key its caller used before, in the same session,
// adds nothing and gives the ordinal of then.
func (l *Ledger) AddCitation(entries ...Entry) (first int64, err error) {
	added, err := l.AddKeyed(entries)
	if err != nil {
		return 0, err
	}
	return added[0].Ordinal, nil
}

// An Added is the ordinal of an entry. Known says that it is that of an earlier entry of
// the same caller and session with the same key, and that nothing was appended.
type Added struct {
	Ordinal int64
	Known   bool
}

// AddKeyed appends entries in one transaction, all or none, but for those whose keys are
// there, and returns what became of each.
func (l *Ledger) AddKeyed(entries []Entry) (added []Added, err error) {
	if len(entries) == 0 {
		return nil, fmt.Errorf("no citations to add")
	}
	for i := range entries {
		if err := entries[i].validate(); err != nil {
			return nil, err
		}
	}
	write := l.inTx
	if !slices.ContainsFunc(entries, func(e Entry) bool { return e.Key == "" }) {
		write = l.inRepeatable // a second attempt finds the keys of the first
	}
	err = write(func(t tx) error {
		added = nil
		for some := range slices.Chunk(entries, entriesAtOnce) {
			got, err := addEntries(t, some)
			if err != nil {
				return err
			}
			added = append(added, got...)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return added, nil
}

// addEntries appends entries of a transaction, those of one statement.
func addEntries(t tx, entries []Entry) ([]Added, error) {
	added, fresh, err := findKeys(t, entries)
	if err != nil || len(fresh) == 0 {
		return added, err
	}
	refs, err := numberTexts(t, entries, fresh)
	if err != nil {
		return nil, err
	}
	var ordinal, key, attestation int64
	err = t.one(`SELECT (SELECT coalesce(max(ordinal), 0) FROM citations), (SELECT coalesce(max(id), 0) FROM citation_keys), (SELECT coalesce(max(id), 0) FROM attestations)`,
		nil, &ordinal, &key, &attestation)
	if err != nil {
		return nil, err
	}
	var citations, keys, attestations []any
	byKey := map[string]int64{}
	for n, i := range fresh {
		e := &entries[i]
		ordinal++
		added[i].Ordinal = ordinal
		citations = append(append(append(citations, ordinal), e.values(refs[n].claim)...), refs[n].document, refs[n].chunk, e.PublishedAt)
		if e.Key != "" {
			key++
			byKey[e.caller()] = ordinal
			keys = append(keys, key, formatTime(e.Time), e.Project, e.Session, e.Agent, e.Key, ordinal)
		}
		attestation++
		a := Attestation{Time: e.Time, Agent: e.Agent, Status: e.Status, Verdict: e.Verdict, Notes: e.Notes, Checks: e.Checks}
		row, err := a.row(attestation, ordinal)
		if err != nil {
			return nil, err
		}
		attestations = append(attestations, row...)
	}
	for i := range added {
		if added[i].Known && added[i].Ordinal == 0 { // the key of another entry of these
			added[i].Ordinal = byKey[entries[i].caller()]
		}
	}
	if err := insertRows(t, `citations (ordinal, `+columns+`)`, len(citations)/len(fresh), citations); err != nil {
		return nil, err
	}
	if err := insertRows(t, `citation_keys (id, time, project, session, agent, key, ordinal)`, 7, keys); err != nil {
		return nil, err
	}
	return added, insertRows(t, `attestations (`+attestationColumns+`)`, len(attestations)/len(fresh), attestations)
}

// caller returns the key of an entry with whose it is. Texts of the ledger have no NUL.
func (e *Entry) caller() string {
	return strings.Join([]string{e.Project, e.Session, e.Agent, e.Key}, "\x00")
}

// findKeys looks entries up by their keys, and returns the indexes of the new ones. The ordinal of
// an entry that has the key of an earlier one of the list is 0.
func findKeys(t tx, entries []Entry) (added []Added, fresh []int, err error) {
	added = make([]Added, len(entries))
	var rows [][]any
	for i := range entries {
		e := &entries[i]
		if len(e.Key) > MaxKey {
			return nil, nil, fmt.Errorf("an idempotency key of %d bytes, want at most %d", len(e.Key), MaxKey)
		}
		if e.Key != "" {
			rows = append(rows, []any{e.Project, e.Session, e.Agent, e.Key})
		}
	}
	known, err := findRows(t, "citation_keys", "ordinal", []string{"project", "session", "agent", "key"}, rows)
	if err != nil {
		return nil, nil, err
	}
	first := map[string]bool{}
	for i := range entries {
		e := &entries[i]
		if e.Key != "" {
			caller := e.caller()
			if ordinal := known[caller]; ordinal != 0 || first[caller] {
				added[i] = Added{ordinal, true}
				continue
			}
			first[caller] = true
		}
		fresh = append(fresh, i)
	}
	return added, fresh, nil
}

// rowKey returns the values of columns as the key of a map.
func rowKey(values []any) string {
	parts := make([]string, len(values))
	for i, v := range values {
		parts[i] = fmt.Sprint(v)
	}
	return strings.Join(parts, "\x00")
}

// findRows returns the least number of the rows of a table that have the values of one of
// rows in the columns, by rowKey.
func findRows(t tx, table, number string, columns []string, rows [][]any) (map[string]int64, error) {
	found := map[string]int64{}
	if len(rows) == 0 {
		return found, nil
	}
	one := `(` + strings.Join(columns, ` = ? AND `) + ` = ?)`
	var args []any
	for _, row := range rows {
		args = append(args, row...)
	}
	read, err := t.query(`SELECT `+number+`, `+strings.Join(columns, `, `)+` FROM `+table+` WHERE `+strings.Repeat(one+` OR `, len(rows)-1)+one, args...)
	if err != nil {
		return nil, err
	}
	_, err = gather(read, func(n *int64) error {
		values := make([]any, len(columns))
		into := []any{n}
		for i := range values {
			into = append(into, &values[i])
		}
		if err := read.Scan(into...); err != nil {
			return err
		}
		if key := rowKey(values); found[key] == 0 || *n < found[key] {
			found[key] = *n
		}
		return nil
	})
	return found, err
}

// A dictionary is a table whose rows get their numbers at their first use.
type dictionary struct {
	table string
	key   []string // the columns that tell rows apart
	rest  []string // further columns
}

// number returns the number of each row, which has the values of the key and then of the
// rest. Rows that are not there are inserted, in their order.
func (d *dictionary) number(t tx, times []time.Time, rows [][]any) ([]int64, error) {
	var distinct [][]any
	seen := map[string]bool{}
	var when []time.Time
	for i, row := range rows {
		if key := rowKey(row[:len(d.key)]); !seen[key] {
			seen[key] = true
			distinct, when = append(distinct, row), append(when, times[i])
		}
	}
	var keys [][]any
	for _, row := range distinct {
		keys = append(keys, row[:len(d.key)])
	}
	known, err := findRows(t, d.table, "id", d.key, keys)
	if err != nil {
		return nil, err
	}
	if len(known) < len(distinct) {
		var last int64
		if err := t.one(`SELECT coalesce(max(id), 0) FROM `+d.table, nil, &last); err != nil {
			return nil, err
		}
		var values []any
		for i, row := range distinct {
			if key := rowKey(keys[i]); known[key] == 0 {
				last++
				known[key] = last
				values = append(append(values, last, formatTime(when[i])), row...)
			}
		}
		all := slices.Concat([]string{"id", "time"}, d.key, d.rest)
		if err := insertRows(t, d.table+` (`+strings.Join(all, `, `)+`)`, len(all), values); err != nil {
			return nil, err
		}
	}
	out := make([]int64, len(rows))
	for i, row := range rows {
		out[i] = known[rowKey(row[:len(d.key)])]
	}
	return out, nil
}

// The dictionaries of what entries name. A session that another agent or user goes on
// with keeps its first description.
var (
	sessions  = dictionary{"sessions", []string{"project", "session"}, []string{"agent", "user_id"}}
	claims    = dictionary{"claims", []string{"project", "claim"}, nil}
	documents = dictionary{"documents", []string{"artifact"}, nil}
	chunks    = dictionary{"chunks", []string{"document", "span"}, nil}
)

// references are the numbers of what an entry names; document and chunk are nil for none.
type references struct {
	claim           int64
	document, chunk any
}

// numberTexts returns the numbers of what the entries at some indexes name, and notes
// their sessions.
func numberTexts(t tx, entries []Entry, at []int) ([]references, error) {
	var named, claimed, held, parts [][]any
	var inSession, inAll, inHeld, inParts []time.Time
	for _, i := range at {
		e := &entries[i]
		if e.Session != "" {
			named, inSession = append(named, []any{e.Project, e.Session, e.Agent, e.User}), append(inSession, e.Time)
		}
		claimed, inAll = append(claimed, []any{e.Project, e.Claim}), append(inAll, e.Time)
		if e.Artifact != "" {
			held, inHeld = append(held, []any{e.Artifact}), append(inHeld, e.Time)
		}
	}
	if _, err := sessions.number(t, inSession, named); err != nil {
		return nil, err
	}
	claimIDs, err := claims.number(t, inAll, claimed)
	if err != nil {
		return nil, err
	}
	documentIDs, err := documents.number(t, inHeld, held)
	if err != nil {
		return nil, err
	}
	out := make([]references, len(at))
	document := 0
	for n, i := range at {
		out[n].claim = claimIDs[n]
		if e := &entries[i]; e.Artifact != "" {
			out[n].document = documentIDs[document]
			if e.Span != "" {
				parts, inParts = append(parts, []any{documentIDs[document], e.Span}), append(inParts, e.Time)
			}
			document++
		}
	}
	chunkIDs, err := chunks.number(t, inParts, parts)
	if err != nil {
		return nil, err
	}
	part := 0
	for n, i := range at {
		if e := &entries[i]; e.Artifact != "" && e.Span != "" {
			out[n].chunk = chunkIDs[part]
			part++
		}
	}
	return out, nil
}
