package ledger

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// A Pack is the evidence that was chosen for a question.
type Pack struct {
	ID       int64 // from 1; given by AddPack
	Time     time.Time
	PackID   string // pack_<uuid>, the caller's
	Query    string
	Profile  string
	Snapshot string
	Metadata string // JSON, in the contract's words

	Project, Session, Agent, User string
}

// AddPack appends a pack and returns its number.
func (l *Ledger) AddPack(p Pack) (id int64, err error) {
	if p.Time.IsZero() || p.PackID == "" || p.Metadata == "" {
		return 0, errors.New("a pack needs a time, an id and its metadata")
	}
	if err := errors.Join(plain(p.PackID, p.Query, p.Profile, p.Snapshot, p.Metadata), names(p.Project, p.Session, p.Agent, p.User)); err != nil {
		return 0, err
	}
	err = l.inTx(func(t tx) error {
		if err := noteSession(t, p.Time, p.Project, p.Session, p.Agent, p.User); err != nil {
			return err
		}
		return t.one(`INSERT INTO packs (id, time, pack_id, query, profile, snapshot, metadata, project, session, agent, user_id)
			VALUES ((SELECT coalesce(max(id), 0) + 1 FROM packs), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
			[]any{formatTime(p.Time), p.PackID, p.Query, p.Profile, p.Snapshot, p.Metadata, p.Project, p.Session, p.Agent, p.User}, &id)
	})
	if err != nil {
		return 0, err
	}
	return id, nil
}

// A Synthesis is a text that was validated: what it was after repair, and which
// citations support each of its bullets.
type Synthesis struct {
	ID       int64 // from 1; given by AddSynthesis
	Time     time.Time
	Profile  string
	Decision string // deliver, retry or abstain
	Attempt  int    // from 1
	Pack     string // its pack_id, "" for none
	Text     string
	Report   string // JSON, the contract's four counts
	Findings string // JSON array
	Passes   string // JSON array

	Claims                      int // of the draft, after repair
	CoveredBefore, CoveredAfter int // of these: as drafted, and after repair

	Project, Session, Agent, User string

	Bullets []Bullet // in the order of the text; not filled in by Syntheses
}

// A Bullet is one bullet of a synthesis.
type Bullet struct {
	Section   string
	Number    int // in its section, from 1, as a reader counts
	Text      string
	Citations []int64 // ordinals, in the order of the text
}

// AddSynthesis appends a synthesis with its bullets, all or none, and returns
// its number. Every citation must be in the ledger.
func (l *Ledger) AddSynthesis(s Synthesis) (id int64, err error) {
	if s.Time.IsZero() || s.Attempt < 1 || s.Claims < 0 || s.CoveredBefore < 0 || s.CoveredAfter < 0 {
		return 0, errors.New("a synthesis needs a time and the number of its attempt")
	}
	switch s.Decision {
	default:
		return 0, fmt.Errorf("decision %q, want deliver, retry or abstain", s.Decision)
	case "deliver", "retry", "abstain":
	}
	if err := errors.Join(plain(s.Profile, s.Pack, s.Text, s.Report, s.Findings, s.Passes), names(s.Project, s.Session, s.Agent, s.User)); err != nil {
		return 0, err
	}
	for _, b := range s.Bullets {
		if err := plain(b.Section, b.Text); err != nil {
			return 0, err
		}
	}
	err = l.inTx(func(t tx) error {
		if err := noteSession(t, s.Time, s.Project, s.Session, s.Agent, s.User); err != nil {
			return err
		}
		at := formatTime(s.Time)
		err := t.one(`INSERT INTO syntheses (id, time, profile, decision, attempt, pack, text, report, findings, passes, claims, covered_before, covered_after, project, session, agent, user_id)
			VALUES ((SELECT coalesce(max(id), 0) + 1 FROM syntheses), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
			[]any{at, s.Profile, s.Decision, s.Attempt, s.Pack, s.Text, s.Report, s.Findings, s.Passes, s.Claims, s.CoveredBefore, s.CoveredAfter, s.Project, s.Session, s.Agent, s.User}, &id)
		if err != nil {
			return err
		}
		for _, b := range s.Bullets {
			if err := addBullet(t, at, id, b); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return id, nil
}

func addBullet(t tx, at string, synthesis int64, b Bullet) error {
	var bullet int64
	err := t.one(`INSERT INTO synthesis_bullets (id, time, synthesis, section, bullet, text)
		VALUES ((SELECT coalesce(max(id), 0) + 1 FROM synthesis_bullets), ?, ?, ?, ?, ?) RETURNING id`,
		[]any{at, synthesis, b.Section, b.Number, b.Text}, &bullet)
	if err != nil {
		return err
	}
	for i, n := range b.Citations {
		if _, err := one(t.query, n); err != nil {
			return err
		}
		if err := t.exec(`INSERT INTO synthesis_citations (id, time, bullet, position, ordinal)
			VALUES ((SELECT coalesce(max(id), 0) + 1 FROM synthesis_citations), ?, ?, ?, ?)`, at, bullet, i+1, n); err != nil {
			return err
		}
	}
	return nil
}

// Synthesis returns a synthesis with its bullets. A number that does not exist
// gives an error that wraps ErrNotFound.
func (l *Ledger) Synthesis(id int64) (Synthesis, error) {
	all, err := l.syntheses(&where{[]string{"id = ?"}, []any{id}}, 1)
	if err == nil && len(all) == 0 {
		err = l.fault(fmt.Errorf("synthesis %d: %w", id, ErrNotFound))
	}
	if err != nil {
		return Synthesis{}, err
	}
	rows, err := l.query(`SELECT b.section, b.bullet, b.text, coalesce(c.ordinal, 0) FROM synthesis_bullets b
		LEFT JOIN synthesis_citations c ON c.bullet = b.id WHERE b.synthesis = ? ORDER BY b.id, c.position`, id)
	if err != nil {
		return Synthesis{}, l.fault(err)
	}
	type row struct {
		Bullet
		ordinal int64
	}
	cited, err := gather(rows, func(r *row) error { return rows.Scan(&r.Section, &r.Number, &r.Text, &r.ordinal) })
	if err != nil {
		return Synthesis{}, l.fault(err)
	}
	s := &all[0]
	for _, r := range cited {
		n := len(s.Bullets)
		if n == 0 || s.Bullets[n-1].Section != r.Section || s.Bullets[n-1].Number != r.Number {
			s.Bullets = append(s.Bullets, r.Bullet)
			n++
		}
		if r.ordinal > 0 {
			s.Bullets[n-1].Citations = append(s.Bullets[n-1].Citations, r.ordinal)
		}
	}
	return *s, nil
}

// Syntheses returns the syntheses of a session, a project and an agent, of all
// for "", by number, without their bullets.
func (l *Ledger) Syntheses(f Filter) ([]Synthesis, error) {
	var w where
	w.text("session", f.Session)
	w.text("project", f.Project)
	w.text("agent", f.Agent)
	w.add("id > ?", f.After)
	return l.syntheses(&w, f.Limit)
}

func (l *Ledger) syntheses(w *where, limit int) ([]Synthesis, error) {
	rows, err := l.query(`SELECT id, time, profile, decision, attempt, pack, text, report, findings, passes, claims, covered_before, covered_after, project, session, agent, user_id
		FROM syntheses`+w.tail("id", limit), w.args...)
	if err != nil {
		return nil, l.fault(err)
	}
	all, err := gather(rows, func(s *Synthesis) error {
		var at string
		err := rows.Scan(&s.ID, &at, &s.Profile, &s.Decision, &s.Attempt, &s.Pack, &s.Text, &s.Report, &s.Findings, &s.Passes, &s.Claims, &s.CoveredBefore, &s.CoveredAfter,
			&s.Project, &s.Session, &s.Agent, &s.User)
		if err == nil {
			s.Time, err = parseTime(at)
		}
		return err
	})
	return all, l.fault(err)
}

// names checks the lengths of indexed names.
func names(all ...string) error {
	for _, name := range all {
		if len(name) > MaxName {
			return fmt.Errorf("a name of %d bytes, want at most %d", len(name), MaxName)
		}
	}
	return plain(strings.Join(all, " "))
}
