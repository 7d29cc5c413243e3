package ledger

import (
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"
)

// ErrOverdrawn is wrapped by the error about passages that an account may have no
// room for any more, because another request was faster.
var ErrOverdrawn = errors.New("the budget was spent by another request")

// ShownKinds are the ways in which a passage is shown. What an auditor saw is
// kept for its handles only and charged to nobody.
var ShownKinds = [...]string{"ask", "bind", "more", "audit"}

// A Shown is a passage that a requestor was shown.
type Shown struct {
	Time      time.Time
	Requestor string // "" is shared by all who gave no name
	Kind      string // one of ShownKinds
	Answer    string // ID of the statement
	Handle    string // of the citation in it
	Artifact  string
	Span      string // of the citation
	First     int    // code points of the artifact's text, half-open; both 0 where nothing was shown
	Past      int
	Fresh     int // of them, not seen before
}

// A Risk is a passage that a budget withheld.
type Risk struct {
	Time       time.Time
	Requestor  string
	Rule       string // that withheld it
	Artifact   string
	CodePoints int // that it would have added
}

// An Exposure is what a requestor was shown, in sums.
type Exposure struct {
	Today    int // code points, new when they were shown, since the beginning of the day
	Passages int // of them
	Window   int // the same since the beginning of the window
}

// Spent sums what a requestor was shown since two points in time.
func (l *Ledger) Spent(requestor string, window, day time.Time) (Exposure, error) {
	var e Exposure
	if !l.isOpen() {
		return e, ErrNotOpen
	}
	_, read := l.databases()
	err := l.retry(func() error { return readExposure(read, l.dialect, requestor, window, day, &e) })
	return e, l.fault(err)
}

// rower is a database or a transaction.
type rower interface {
	QueryRow(query string, args ...any) *sql.Row
}

func readExposure(db rower, d *dialect, requestor string, window, day time.Time, into *Exposure) error {
	at := formatTime(day)
	return db.QueryRow(d.sql(`SELECT coalesce(sum(fresh), 0), coalesce(sum(CASE WHEN time >= ? THEN fresh ELSE 0 END), 0), coalesce(sum(CASE WHEN time >= ? AND fresh > 0 THEN 1 ELSE 0 END), 0)
		FROM shown WHERE requestor = ? AND time >= ?`), at, at, requestor, formatTime(window)).Scan(&into.Window, &into.Today, &into.Passages)
}

// ShownOf returns the passages of an artifact shown to a requestor since a point in time, oldest
// first; not those that it saw as an auditor.
func (l *Ledger) ShownOf(requestor, artifact string, since time.Time) ([]Shown, error) {
	return l.queryShown(`WHERE requestor = ? AND artifact = ? AND time >= ? AND kind <> 'audit' ORDER BY id`, requestor, artifact, formatTime(since))
}

// ShownUnder returns the passage of a handle of an answer, or of every handle for "". The error
// wraps ErrNotFound if there is none.
func (l *Ledger) ShownUnder(answer, handle string) ([]Shown, error) {
	var all []Shown
	var err error
	if handle == "" {
		all, err = l.queryShown(`WHERE answer = ? ORDER BY id`, answer)
	} else {
		all, err = l.queryShown(`WHERE answer = ? AND handle = ? ORDER BY id`, answer, handle)
	}
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("answer %s, handle %q: %w", answer, handle, ErrNotFound)
	}
	return all, err
}

// LastShown returns the newest passage that a requestor was shown, as an auditor
// too where audits is set. The error wraps ErrNotFound where there is none.
func (l *Ledger) LastShown(requestor string, audits bool) (Shown, error) {
	without := "audit"
	if audits {
		without = ""
	}
	all, err := l.queryShown(`WHERE requestor = ? AND kind <> ? ORDER BY id DESC LIMIT 1`, requestor, without)
	switch {
	case err != nil:
		return Shown{}, err
	case len(all) == 0:
		return Shown{}, fmt.Errorf("requestor %q: %w", requestor, ErrNotFound)
	}
	return all[0], nil
}

// queryShown returns the shown passages that a condition selects.
func (l *Ledger) queryShown(where string, args ...any) ([]Shown, error) {
	rows, err := l.query(`SELECT time, requestor, kind, answer, handle, artifact, span, first, past, fresh FROM shown `+where, args...)
	if err != nil {
		return nil, l.fault(err)
	}
	all, err := gather(rows, func(s *Shown) error {
		var at string
		if err := rows.Scan(&at, &s.Requestor, &s.Kind, &s.Answer, &s.Handle, &s.Artifact, &s.Span, &s.First, &s.Past, &s.Fresh); err != nil {
			return err
		}
		s.Time, err = parseTime(at)
		return err
	})
	return all, l.fault(err)
}

// A Cap is what an account may hold after AddShown: the sums of Spent, over the
// same two points in time.
type Cap struct {
	Window, Day time.Time
	Most        Exposure
	Entries     map[string]int // by artifact: how many entries ShownOf gave, on which the passages were decided; nil checks none
}

// AddShown appends passages of one requestor, and what was withheld from it,
// in one transaction. Where the sums would then be above the cap, or an artifact
// of something new has other entries than the cap says, nothing is appended and
// the error wraps ErrOverdrawn.
func (l *Ledger) AddShown(passages []Shown, withheld []Risk, limit Cap) error {
	requestor, fresh, n := "", 0, 0
	for i, s := range passages {
		switch {
		case s.Time.IsZero() || !slices.Contains(ShownKinds[:], s.Kind) || s.Answer == "" || s.Handle == "" || s.Artifact == "":
			return fmt.Errorf("passage %+v: want a time, a kind, an answer, a handle and an artifact", s)
		case s.First < 0 || s.Past < s.First || s.Fresh < 0 || s.Fresh > s.Past-s.First:
			return fmt.Errorf("passage of code points %d to %d with %d new", s.First, s.Past, s.Fresh)
		case i > 0 && s.Requestor != requestor:
			return errors.New("passages of several requestors")
		}
		requestor = s.Requestor
		if fresh += s.Fresh; s.Fresh > 0 {
			n++
		}
	}
	for _, r := range withheld {
		if r.Time.IsZero() || r.Rule == "" {
			return fmt.Errorf("risk %+v: want a time and a rule", r)
		}
	}
	if len(passages)+len(withheld) == 0 {
		return nil
	}
	return l.inTx(func(t tx) error {
		if fresh > 0 {
			var e Exposure
			if err := readExposure(t.Tx, t.dialect, requestor, limit.Window, limit.Day, &e); err != nil {
				return err
			}
			if e.Today+fresh > limit.Most.Today || e.Window+fresh > limit.Most.Window || e.Passages+n > limit.Most.Passages {
				return fmt.Errorf("%d code points: %w", fresh, ErrOverdrawn)
			}
			if err := checkUnchanged(t, passages, limit); err != nil {
				return err
			}
		}
		for _, s := range passages {
			if err := t.exec(`INSERT INTO shown (id, time, requestor, kind, answer, handle, artifact, span, first, past, fresh)
				VALUES ((SELECT coalesce(max(id), 0) + 1 FROM shown), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
				formatTime(s.Time), s.Requestor, s.Kind, s.Answer, s.Handle, s.Artifact, s.Span, s.First, s.Past, s.Fresh); err != nil {
				return err
			}
		}
		for _, r := range withheld {
			if err := t.exec(`INSERT INTO extraction_risks (id, time, requestor, rule, artifact, code_points)
				VALUES ((SELECT coalesce(max(id), 0) + 1 FROM extraction_risks), ?, ?, ?, ?, ?)`,
				formatTime(r.Time), r.Requestor, r.Rule, r.Artifact, r.CodePoints); err != nil {
				return err
			}
		}
		return nil
	})
}

// checkUnchanged refuses passages of artifacts of which something was shown since
// the cap was made.
func checkUnchanged(t tx, passages []Shown, limit Cap) error {
	done := map[string]bool{}
	for _, s := range passages {
		if limit.Entries == nil || s.Fresh == 0 || done[s.Artifact] {
			continue
		}
		done[s.Artifact] = true
		n := 0
		row := t.QueryRow(t.dialect.sql(`SELECT count(*) FROM shown WHERE requestor = ? AND artifact = ? AND time >= ? AND kind <> 'audit'`),
			s.Requestor, s.Artifact, formatTime(limit.Window))
		if err := row.Scan(&n); err != nil {
			return err
		}
		if n != limit.Entries[s.Artifact] {
			return fmt.Errorf("%d entries of the artifact, were %d: %w", n, limit.Entries[s.Artifact], ErrOverdrawn)
		}
	}
	return nil
}

// Risks returns the withholdings by budgets since a point in time, oldest first.
func (l *Ledger) Risks(since time.Time) ([]Risk, error) {
	rows, err := l.query(`SELECT time, requestor, rule, artifact, code_points FROM extraction_risks WHERE time >= ? ORDER BY id`, formatTime(since))
	if err != nil {
		return nil, l.fault(err)
	}
	all, err := gather(rows, func(r *Risk) error {
		var at string
		if err := rows.Scan(&at, &r.Requestor, &r.Rule, &r.Artifact, &r.CodePoints); err != nil {
			return err
		}
		r.Time, err = parseTime(at)
		return err
	})
	return all, l.fault(err)
}
