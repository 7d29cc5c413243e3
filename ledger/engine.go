package ledger

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"muniment/cid"
	"muniment/cite"
)

// SourceTypes are the kinds of sources, as callers name them.
var SourceTypes = [...]string{"document", "website", "database", "custom"}

// A Source is something that may be cited. Time, Type and Identifier are
// required, and Artifact or Record.
type Source struct {
	ID         int64 // from 1; given by AddSource
	Time       time.Time
	Type       string // one of SourceTypes
	Identifier string // file name, address, or name of the database
	Name       string // for people
	Version    string
	Artifact   string            // ID of the payload, "" for a source without a body
	Record     string            // ID of its record
	Metadata   map[string]string // whatever the caller wants to keep with it
	Inputs     []string          // what it was derived from: artifact IDs, citation IDs, citation ordinals

	Project, Session, Agent, User string
}

// AddSource registers a source and returns its number. A source of the same
// type, identifier, version, artifact and project as an earlier one, with the
// same inputs, is that one, and added is false.
func (l *Ledger) AddSource(s Source) (id int64, added bool, err error) {
	metadata, err := json.Marshal(s.Metadata)
	if err != nil {
		return 0, false, err
	}
	if s.Metadata == nil {
		metadata = []byte("{}")
	}
	if err := errors.Join(s.validate(), plain(s.Identifier, s.Name, s.Version, string(metadata), list(s.Inputs), s.Project, s.Session, s.Agent, s.User)); err != nil {
		return 0, false, err
	}
	err = l.inTx(func(t tx) error {
		added = false
		key := "artifact"
		value := s.Artifact
		if value == "" {
			key, value = "record", s.Record
		}
		err := t.one(`SELECT id FROM sources WHERE `+key+` = ? AND type = ? AND identifier = ? AND version = ? AND project = ? AND inputs = ? ORDER BY id LIMIT 1`,
			[]any{value, s.Type, s.Identifier, s.Version, s.Project, list(s.Inputs)}, &id)
		if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if err := noteSession(t, s.Time, s.Project, s.Session, s.Agent, s.User); err != nil {
			return err
		}
		added = true
		values := s.values(string(metadata))
		return t.one(`INSERT INTO sources (id, time, type, identifier, name, version, artifact, record, metadata, inputs, project, session, agent, user_id, digest)
			VALUES ((SELECT coalesce(max(id), 0) + 1 FROM sources), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`, append(values, digest(values...)), &id)
	})
	if err != nil {
		return 0, false, err
	}
	return id, added, nil
}

// values returns the columns of a source, but for its number.
func (s *Source) values(metadata string) []any {
	return []any{formatTime(s.Time), s.Type, s.Identifier, s.Name, s.Version, s.Artifact, s.Record, metadata, list(s.Inputs), s.Project, s.Session, s.Agent, s.User}
}

func (s *Source) validate() error {
	known := false
	for _, t := range SourceTypes {
		known = known || s.Type == t
	}
	switch {
	case s.Time.IsZero():
		return fmt.Errorf("the source has no time")
	case !known:
		return fmt.Errorf("type of source %q, want document, website, database or custom", s.Type)
	case s.Identifier == "":
		return fmt.Errorf("the source has no identifier")
	case s.Artifact == "" && s.Record == "":
		return fmt.Errorf("the source has neither an artifact nor a record")
	}
	if s.Artifact != "" {
		if _, err := cid.ParseAs(cid.Raw, s.Artifact); err != nil {
			return fmt.Errorf("artifact: %w", err)
		}
	}
	if s.Record != "" {
		if _, err := cid.ParseAs(cid.JSON, s.Record); err != nil {
			return fmt.Errorf("record: %w", err)
		}
	}
	for _, name := range []string{s.Project, s.Session, s.Agent, s.User} {
		if len(name) > MaxName {
			return fmt.Errorf("a name of %d bytes, want at most %d", len(name), MaxName)
		}
	}
	return nil
}

// A SourceFilter selects sources. Fields left empty select everything.
type SourceFilter struct {
	Type       string
	Project    string // sources of this project and of none
	Artifact   string
	Record     string
	Identifier string
	After      int64
	Limit      int
}

// Source returns a source by its number. A number that does not exist gives an
// error that wraps ErrNotFound.
func (l *Ledger) Source(id int64) (Source, error) {
	all, err := l.sources(&where{[]string{"id = ?"}, []any{id}}, 1)
	if err == nil && len(all) == 0 {
		return Source{}, l.fault(fmt.Errorf("source %d: %w", id, ErrNotFound))
	}
	if err != nil {
		return Source{}, err
	}
	return all[0], nil
}

// Sources returns the sources that f selects, by number.
func (l *Ledger) Sources(f SourceFilter) ([]Source, error) {
	var w where
	w.text("type", f.Type)
	w.text("artifact", f.Artifact)
	w.text("record", f.Record)
	w.text("identifier", f.Identifier)
	if f.Project != "" {
		w.add("(project = ? OR project = '')", f.Project)
	}
	w.add("id > ?", f.After)
	return l.sources(&w, f.Limit)
}

func (l *Ledger) sources(w *where, limit int) ([]Source, error) {
	rows, err := l.query(selectSources+w.tail("id", limit), w.args...)
	if err != nil {
		return nil, l.fault(err)
	}
	all, err := gather(rows, func(s *Source) error { return scanSource(rows, s) })
	return all, l.fault(err)
}

// selectSources reads sources for scanSource.
const selectSources = `SELECT id, time, type, identifier, name, version, artifact, record, metadata, inputs, project, session, agent, user_id, digest FROM sources`

// scanSource reads a row of selectSources.
func scanSource(rows *sql.Rows, s *Source) error {
	var at, metadata, inputs, kept string
	err := rows.Scan(&s.ID, &at, &s.Type, &s.Identifier, &s.Name, &s.Version, &s.Artifact, &s.Record, &metadata, &inputs, &s.Project, &s.Session, &s.Agent, &s.User, &kept)
	if err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(metadata), &s.Metadata); err != nil {
		return fmt.Errorf("source %d: metadata: %w", s.ID, err)
	}
	if len(s.Metadata) == 0 {
		s.Metadata = nil
	}
	if s.Inputs, err = readList(inputs); err != nil {
		return fmt.Errorf("source %d: inputs: %w", s.ID, err)
	}
	if s.Time, err = parseTime(at); err != nil {
		return err
	}
	return checkDigest("sources", s.ID, kept, s.values(metadata)...)
}

// noteSession writes down whose a session is, at its first use.
func noteSession(t tx, at time.Time, project, session, agent, user string) error {
	if session == "" {
		return nil
	}
	_, err := sessions.number(t, []time.Time{at}, [][]any{{project, session, agent, user}})
	return err
}

// A Claim is an assertion and how far it is supported.
type Claim struct {
	ID        int64
	Time      time.Time // of its first citation
	Project   string
	Claim     string
	Citations int // registered for it
	Verified  int // of these, verified and not superseded
}

// A ClaimFilter selects claims. Fields left empty select everything.
type ClaimFilter struct {
	Project string
	Session string // claims with a citation in it
	Agent   string // claims with a citation by it
	After   int64
	Limit   int
}

// CountClaims counts the citations that no later one supersedes by the verdict on their claims.
func (l *Ledger) CountClaims() (cite.ClaimCounts, error) {
	var out cite.ClaimCounts
	rows, err := l.query(`SELECT a.status, a.claim_verdict, c.match, count(*) FROM citations c JOIN attestations a ON a.ordinal = c.ordinal
WHERE ` + newest + ` AND NOT EXISTS (SELECT 1 FROM links s WHERE s.target = c.ordinal AND s.type = 'supersedes') GROUP BY a.status, a.claim_verdict, c.match`)
	if err != nil {
		return out, l.fault(err)
	}
	_, err = gather(rows, func(*struct{}) error {
		var status Status
		var verdict cite.ClaimVerdict
		var match cite.Status
		var n int
		if err := rows.Scan(&status, &verdict, &match, &n); err != nil {
			return err
		}
		switch {
		case status == Verified:
			out.Verified += n
		case status == Failed && verdict == cite.ClaimContradicted:
			out.Contradicted += n
		case status == Pending, status == Unverified && match == cite.NoWords:
			out.Unjudged += n
		default:
			out.Unverified += n
		}
		return nil
	})
	return out, l.fault(err)
}

// Claims returns the claims that f selects, by number.
func (l *Ledger) Claims(f ClaimFilter) ([]Claim, error) {
	var w where
	w.text("k.project", f.Project)
	if f.Session != "" {
		w.add(`EXISTS (SELECT 1 FROM citations x WHERE x.claim_id = k.id AND x.session = ?)`, f.Session)
	}
	if f.Agent != "" {
		w.add(`EXISTS (SELECT 1 FROM citations x WHERE x.claim_id = k.id AND x.agent = ?)`, f.Agent)
	}
	w.add("k.id > ?", f.After)
	rows, err := l.query(`SELECT k.id, k.time, k.project, k.claim,
	(SELECT count(*) FROM citations c WHERE c.claim_id = k.id),
	(SELECT count(*) FROM citations c JOIN attestations a ON a.ordinal = c.ordinal WHERE c.claim_id = k.id AND a.status = 'verified' AND `+newest+`
		AND NOT EXISTS (SELECT 1 FROM links s WHERE s.target = c.ordinal AND s.type = 'supersedes'))
FROM claims k`+w.tail("k.id", f.Limit), w.args...)
	if err != nil {
		return nil, l.fault(err)
	}
	all, err := gather(rows, func(c *Claim) error {
		var at string
		if err := rows.Scan(&c.ID, &at, &c.Project, &c.Claim, &c.Citations, &c.Verified); err != nil {
			return err
		}
		c.Time, err = parseTime(at)
		return err
	})
	return all, l.fault(err)
}
