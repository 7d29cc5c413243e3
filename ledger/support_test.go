package ledger

import (
	"fmt"
	"time"
)

// A Session is a conversation or task.
type Session struct {
	ID      int64
	Time    time.Time // of its first entry
	Project string
	Session string
	Agent   string
	User    string
}

// Sessions returns the sessions of a project, of all for "", oldest first.
func (l *Ledger) Sessions(project string) ([]Session, error) {
	w := where{[]string{"id > 0"}, nil}
	w.text("project", project)
	rows, err := l.query(`SELECT id, time, project, session, agent, user_id FROM sessions`+w.tail("id", 0), w.args...)
	if err != nil {
		return nil, l.fault(err)
	}
	all, err := gather(rows, func(s *Session) error {
		var at string
		if err := rows.Scan(&s.ID, &at, &s.Project, &s.Session, &s.Agent, &s.User); err != nil {
			return err
		}
		s.Time, err = parseTime(at)
		return err
	})
	return all, l.fault(err)
}

// Refusals returns all refusals, oldest first.
func (l *Ledger) Refusals() ([]Refusal, error) {
	rows, err := l.query(`SELECT time, kind, true_kind, stage, snapshot, searched, papers FROM refusals ORDER BY id`)
	if err != nil {
		return nil, l.fault(err)
	}
	all, err := gather(rows, func(r *Refusal) error {
		var at string
		if err := rows.Scan(&at, &r.Kind, &r.TrueKind, &r.Stage, &r.Searched.Snapshot, &r.Searched.Papers, &r.Searched.Of); err != nil {
			return err
		}
		r.Time, err = parseTime(at)
		return err
	})
	return all, l.fault(err)
}

// Pack returns a pack by its id. One that does not exist gives an error that
// wraps ErrNotFound.
func (l *Ledger) Pack(packID string) (Pack, error) {
	rows, err := l.query(`SELECT id, time, pack_id, query, profile, snapshot, metadata, project, session, agent, user_id FROM packs WHERE pack_id = ?`, packID)
	if err != nil {
		return Pack{}, l.fault(err)
	}
	all, err := gather(rows, func(p *Pack) error {
		var at string
		err := rows.Scan(&p.ID, &at, &p.PackID, &p.Query, &p.Profile, &p.Snapshot, &p.Metadata, &p.Project, &p.Session, &p.Agent, &p.User)
		if err == nil {
			p.Time, err = parseTime(at)
		}
		return err
	})
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("pack %.60q: %w", packID, ErrNotFound)
	}
	if err != nil {
		return Pack{}, l.fault(err)
	}
	return all[0], nil
}
