package ledger

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"muniment/archive"
)

// A highWater is how far a ledger had come when a copy closed it last. Rows are never deleted, so that a
// ledger with less is an older one.
type highWater struct {
	Rows   map[string]int64 `json:"rows"`             // by table: the largest number
	Digest string           `json:"digest,omitempty"` // of the row of the newest citation
}

// measure returns the high-water mark of a ledger.
func (l *Ledger) measure() (highWater, error) {
	h := highWater{Rows: map[string]int64{}}
	numbers, into := make([]int64, len(tables)), make([]any, len(tables))
	columns := make([]string, len(tables))
	for i, t := range tables {
		into[i], columns[i] = &numbers[i], `(SELECT coalesce(max(`+t.key+`), 0) FROM `+t.name+`)`
	}
	if err := l.scalars(`SELECT `+strings.Join(columns, ", "), into); err != nil {
		return h, err
	}
	for i, t := range tables {
		if numbers[i] > 0 {
			h.Rows[t.name] = numbers[i]
		}
	}
	var err error
	h.Digest, err = l.digestOf(h.Rows["citations"])
	return h, err
}

// digestOf returns the digest in the row of a citation, "" where there is no such row.
func (l *Ledger) digestOf(ordinal int64) (digest string, err error) {
	err = l.scalars(`SELECT coalesce((SELECT digest FROM citations WHERE ordinal = ?), '')`, []any{&digest}, ordinal)
	return digest, err
}

// compare returns in words how a ledger, whose mark is now, falls short of an earlier mark of it, "" where
// it does not.
func (l *Ledger) compare(was, now highWater) (string, error) {
	for _, table := range slices.Sorted(maps.Keys(was.Rows)) {
		if now.Rows[table] < was.Rows[table] {
			return fmt.Sprintf("its %s end at %d and ended at %d: an older ledger was put back", table, now.Rows[table], was.Rows[table]), nil
		}
	}
	digest, err := l.digestOf(was.Rows["citations"])
	if err == nil && digest != was.Digest {
		return fmt.Sprintf("its citation %d is not the one that was here: another ledger was put in its place", was.Rows["citations"]), nil
	}
	return "", err
}

// FindSetBack returns in words how the ledger of an archive falls short of what it had when this copy
// closed it last, "" where it does not: it was restored from a backup, or replaced by another. Of a ledger
// in a database server, which other copies write too, nothing is noted.
func FindSetBack(a *archive.Archive) (string, error) {
	text, err := a.LedgerState()
	if a.World().LedgerURL != "" || err != nil || text == "" {
		return "", err
	}
	var was highWater
	if err := json.Unmarshal([]byte(text), &was); err != nil {
		return "", fmt.Errorf("the note of the ledger in %s is not readable: %w", archive.JournalFile, err)
	}
	l, err := Find(a)
	if err != nil || l == nil {
		return "", err // that it is gone is said of the file
	}
	now, err := l.measure()
	if err != nil {
		return "", l.fault(err)
	}
	short, err := l.compare(was, now)
	return short, l.fault(err)
}

// AcceptSetBack has this copy go on with the ledger as it is, and returns what FindSetBack said of it.
func AcceptSetBack(a *archive.Archive) (string, error) {
	short, err := FindSetBack(a)
	if err != nil {
		return "", err
	}
	l, err := Find(a)
	if err != nil || l != nil && short == "" || a.World().LedgerURL != "" {
		return "", err
	}
	text := ""
	if l != nil {
		now, err := l.measure()
		if err != nil {
			return "", l.fault(err)
		}
		data, err := json.Marshal(now)
		if err != nil {
			return "", err
		}
		text = string(data)
	}
	return short, a.RememberLedger(text)
}

// noteHighWater notes how far a ledger has come, where it has not fallen short of the last note. A note
// that cannot be written costs the alarm that it would have given, so that no error is reported.
func noteHighWater(a *archive.Archive, l *Ledger) {
	text, err := a.LedgerState()
	if err != nil || l.readOnly || l.older != nil || a.World().LedgerURL != "" {
		return
	}
	now, err := l.measure()
	if err != nil || len(now.Rows) == 0 {
		return
	}
	var was highWater
	if text != "" {
		if json.Unmarshal([]byte(text), &was) != nil {
			return
		}
		if short, err := l.compare(was, now); err != nil || short != "" {
			return
		}
	}
	if data, err := json.Marshal(now); err == nil && string(data) != text {
		_ = a.RememberLedger(string(data))
	}
}
