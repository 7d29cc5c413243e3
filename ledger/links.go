package ledger

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// LinkTypes are the possible relations of one citation to another.
var LinkTypes = [...]string{"supports", "contradicts", "extends", "supersedes"}

// A Link says what one citation is to another.
type Link struct {
	Time     time.Time
	From, To int64 // ordinals
	Type     string
	Agent    string
	Session  string
}

// AddLink appends a link. The same link again adds nothing; both citations
// must exist, and a citation is superseded by a later one only.
func (l *Ledger) AddLink(k Link) error {
	switch {
	case k.Time.IsZero():
		return fmt.Errorf("the link has no time")
	case !slices.Contains(LinkTypes[:], k.Type):
		return fmt.Errorf("link %q, want supports, contradicts, extends or supersedes", k.Type)
	case k.From == k.To:
		return fmt.Errorf("citation %d cannot be linked to itself", k.From)
	case k.Type == "supersedes" && k.From < k.To:
		return fmt.Errorf("citation %d is older than %d and cannot supersede it", k.From, k.To)
	}
	if err := plain(k.Agent, k.Session); err != nil {
		return err
	}
	return l.inTx(func(t tx) error {
		for _, n := range []int64{k.From, k.To} {
			if _, err := one(t.query, n); err != nil {
				return err
			}
		}
		var n int64
		err := t.one(`SELECT count(*) FROM links WHERE ordinal = ? AND type = ? AND target = ?`, []any{k.From, k.Type, k.To}, &n)
		if err != nil || n > 0 {
			return err
		}
		values := k.values()
		return t.exec(`INSERT INTO links (id, time, ordinal, type, target, agent, session, digest) VALUES ((SELECT coalesce(max(id), 0) + 1 FROM links), ?, ?, ?, ?, ?, ?, ?)`,
			append(values, digest(values...))...)
	})
}

// values returns the columns of a link, but for its number.
func (k *Link) values() []any {
	return []any{formatTime(k.Time), k.From, k.Type, k.To, k.Agent, k.Session}
}

// Links returns the links from and to a citation, oldest first.
func (l *Ledger) Links(ordinal int64) ([]Link, error) {
	rows, err := l.query(selectLinks+` WHERE ordinal = ? OR target = ? ORDER BY id`, ordinal, ordinal)
	if err != nil {
		return nil, l.fault(err)
	}
	all, err := gather(rows, func(k *Link) error { _, err := scanLink(rows, k); return err })
	return all, l.fault(err)
}

// LinksOf returns the links from and to each of the given citations, oldest first.
func (l *Ledger) LinksOf(ordinals []int64) (map[int64][]Link, error) {
	out := map[int64][]Link{}
	for some := range slices.Chunk(ordinals, rowsAtOnce) {
		list, args := among(some)
		rows, err := l.query(selectLinks+` WHERE ordinal IN `+list+` OR target IN `+list+` ORDER BY id`, append(args, args...)...)
		if err != nil {
			return nil, l.fault(err)
		}
		all, err := gather(rows, func(k *Link) error { _, err := scanLink(rows, k); return err })
		if err != nil {
			return nil, l.fault(err)
		}
		for _, k := range all {
			for _, end := range []int64{k.From, k.To} {
				if slices.Contains(some, end) {
					out[end] = append(out[end], k)
				}
			}
		}
	}
	return out, nil
}

// selectLinks reads links for scanLink.
const selectLinks = `SELECT id, time, ordinal, type, target, agent, session, digest FROM links`

// scanLink reads a row of selectLinks.
func scanLink(rows *sql.Rows, k *Link) (id int64, err error) {
	var at, kept string
	if err := rows.Scan(&id, &at, &k.From, &k.Type, &k.To, &k.Agent, &k.Session, &kept); err != nil {
		return id, err
	}
	if k.Time, err = parseTime(at); err != nil {
		return id, err
	}
	return id, checkDigest("links", id, kept, k.values()...)
}

// Superseded returns, of the given citations, those that a later one
// supersedes, with the latest that does.
func (l *Ledger) Superseded(ordinals []int64) (map[int64]int64, error) {
	out := map[int64]int64{}
	for some := range slices.Chunk(ordinals, rowsAtOnce) {
		list, args := among(some)
		rows, err := l.query(`SELECT target, ordinal FROM links WHERE type = 'supersedes' AND target IN `+list+` ORDER BY id`, args...)
		if err != nil {
			return nil, l.fault(err)
		}
		pairs, err := gather(rows, func(p *[2]int64) error { return rows.Scan(&p[0], &p[1]) })
		if err != nil {
			return nil, l.fault(err)
		}
		for _, p := range pairs {
			out[p[0]] = max(out[p[0]], p[1])
		}
	}
	return out, nil
}

// A SearchRecord says that a claim was looked for and not found: where, with
// which words, and what was read. It supports nothing.
type SearchRecord struct {
	ID        int64 // from 1; given by AddSearch
	Time      time.Time
	Claim     string
	Query     string // the words that were searched for
	Snapshot  string // ID of the newest snapshot then, "" before the first
	Artifact  string // ID, "" when the whole archive was searched
	Source    int64  // number of the registered source that was read, 0 for none
	Locator   string // where the caller looked, a JSON object; may be empty
	Spans     []string
	Reasoning string

	Project, Session, Agent, User string
}

// AddSearch appends a search record and returns its number.
func (l *Ledger) AddSearch(s SearchRecord) (id int64, err error) {
	if s.Time.IsZero() || strings.TrimSpace(s.Claim) == "" {
		return 0, fmt.Errorf("a search record needs a time and a claim")
	}
	spans := []byte("[]")
	if len(s.Spans) > 0 {
		if spans, err = json.Marshal(s.Spans); err != nil {
			return 0, err
		}
	}
	if err := plain(s.Claim, s.Query, s.Locator, s.Reasoning, string(spans), s.Project, s.Session, s.Agent, s.User); err != nil {
		return 0, err
	}
	for _, name := range []string{s.Project, s.Session, s.Agent, s.User} {
		if len(name) > MaxName {
			return 0, fmt.Errorf("a name of %d bytes, want at most %d", len(name), MaxName)
		}
	}
	err = l.inTx(func(t tx) error {
		return errors.Join(noteSession(t, s.Time, s.Project, s.Session, s.Agent, s.User),
			t.one(`INSERT INTO search_records (id, time, claim, query, snapshot, artifact, spans, reasoning, project, session, agent, user_id, source, locator)
			VALUES ((SELECT coalesce(max(id), 0) + 1 FROM search_records), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
				[]any{formatTime(s.Time), s.Claim, s.Query, s.Snapshot, s.Artifact, string(spans), s.Reasoning, s.Project, s.Session, s.Agent, s.User, s.Source, s.Locator}, &id))
	})
	if err != nil {
		return 0, err
	}
	return id, nil
}

// Searches returns the search records of a session, a project and an agent, or
// of all for "", by number.
func (l *Ledger) Searches(f Filter) ([]SearchRecord, error) {
	var w where
	w.text("session", f.Session)
	w.text("project", f.Project)
	w.text("agent", f.Agent)
	w.text("artifact", f.Artifact)
	w.add("id > ?", f.After)
	rows, err := l.query(`SELECT id, time, claim, query, snapshot, artifact, spans, reasoning, project, session, agent, user_id, source, locator FROM search_records`+w.tail("id", f.Limit), w.args...)
	if err != nil {
		return nil, l.fault(err)
	}
	all, err := gather(rows, func(s *SearchRecord) error {
		var at, spans string
		err := rows.Scan(&s.ID, &at, &s.Claim, &s.Query, &s.Snapshot, &s.Artifact, &spans, &s.Reasoning, &s.Project, &s.Session, &s.Agent, &s.User, &s.Source, &s.Locator)
		if err != nil {
			return err
		}
		if s.Spans, err = readList(spans); err != nil {
			return fmt.Errorf("search record %d: %w", s.ID, err)
		}
		s.Time, err = parseTime(at)
		return err
	})
	return all, l.fault(err)
}
