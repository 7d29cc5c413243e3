package ledger

import (
	"fmt"
	"time"
)

// A Question says what became of a question, answered or refused. What was
// asked is not kept.
type Question struct {
	Time     time.Time
	Profile  string
	Type     string // factual, analytical, creative
	Refused  bool
	Kind     string // of a refusal, as shown: category, coverage, consent; "" of an answer
	Reason   string // of a refusal: what decided it, as far as it may be shown
	TrueKind string // the reason that the display may have to hide
	Stage    string // of the pipeline that refused

	Reached   bool // whether anything was looked for; then the numbers count
	Best      int  // best similarity found, in ten-thousandths
	Threshold int
	Sources   int // different sources found

	Searched Coverage
}

// A Coverage is the share of a snapshot that was looked through for a question. The
// zero value is for nothing, or for what was not kept.
type Coverage struct {
	Snapshot string // its ID
	Papers   int64  // of the snapshot that were searched: at least so many, and all where all were
	Of       int64  // papers that the snapshot has
}

// validate requires numbers only of a snapshot, and no more papers than it has.
func (s Coverage) validate() error {
	if s.Papers < 0 || s.Papers > s.Of || s.Snapshot == "" && s.Of > 0 {
		return fmt.Errorf("%d of %d papers of snapshot %q searched", s.Papers, s.Of, s.Snapshot)
	}
	return plain(s.Snapshot)
}

// AddQuestion appends what became of a question.
func (l *Ledger) AddQuestion(q Question) error {
	if q.Time.IsZero() || q.Profile == "" || q.Type == "" || q.Refused != (q.Kind != "") || q.Refused != (q.Reason != "") {
		return fmt.Errorf("question of profile %q and type %q, refused %v as %q for %q, at %v: want profile, type and time, and kind and reason of a refusal only", q.Profile, q.Type, q.Refused, q.Kind, q.Reason, q.Time)
	}
	if err := q.Searched.validate(); err != nil {
		return err
	}
	bit := func(b bool) int {
		if b {
			return 1
		}
		return 0
	}
	return l.inTx(func(t tx) error {
		return t.exec(`INSERT INTO questions (id, time, profile, type, refused, kind, reason, true_kind, stage, reached, best, threshold, sources, snapshot, searched, papers)
			VALUES ((SELECT coalesce(max(id), 0) + 1 FROM questions), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			formatTime(q.Time), q.Profile, q.Type, bit(q.Refused), q.Kind, q.Reason, q.TrueKind, q.Stage, bit(q.Reached), q.Best, q.Threshold, q.Sources,
			q.Searched.Snapshot, q.Searched.Papers, q.Searched.Of)
	})
}

// Questions returns the outcomes of the questions since a point in time, oldest first; all for the
// zero time. profile selects one profile, "" all.
func (l *Ledger) Questions(since time.Time, profile string) ([]Question, error) {
	var w where
	w.add("time >= ?", formatTime(since))
	w.text("profile", profile)
	rows, err := l.query(`SELECT time, profile, type, refused, kind, reason, true_kind, stage, reached, best, threshold, sources, snapshot, searched, papers FROM questions`+w.tail("id", 0), w.args...)
	if err != nil {
		return nil, l.fault(err)
	}
	all, err := gather(rows, func(q *Question) error {
		var at string
		var refused, reached int
		if err := rows.Scan(&at, &q.Profile, &q.Type, &refused, &q.Kind, &q.Reason, &q.TrueKind, &q.Stage, &reached, &q.Best, &q.Threshold, &q.Sources,
			&q.Searched.Snapshot, &q.Searched.Papers, &q.Searched.Of); err != nil {
			return err
		}
		q.Refused, q.Reached = refused == 1, reached == 1
		q.Time, err = parseTime(at)
		return err
	})
	return all, l.fault(err)
}
