package ledger

import (
	"errors"
	"fmt"
	"time"
)

// AddRefused appends that a requestor was refused. Neither the question nor the
// reason is in it: it is what a limit on refusals is counted from.
func (l *Ledger) AddRefused(requestor string, at time.Time) error {
	if at.IsZero() {
		return errors.New("a refusal needs a time")
	}
	if err := plain(requestor); err != nil {
		return err
	}
	return l.inTx(func(t tx) error {
		return t.exec(`INSERT INTO refused (id, time, requestor) VALUES ((SELECT coalesce(max(id), 0) + 1 FROM refused), ?, ?)`, formatTime(at), requestor)
	})
}

// Refused returns how often a requestor was refused since a point in time, and
// when first; the zero time where never.
func (l *Ledger) Refused(requestor string, since time.Time) (n int, first time.Time, err error) {
	var at string
	if err := l.scalars(`SELECT count(*), coalesce(min(time), '') FROM refused WHERE requestor = ? AND time >= ?`, []any{&n, &at}, requestor, formatTime(since)); err != nil {
		return 0, time.Time{}, l.fault(err)
	}
	if n > 0 {
		first, err = parseTime(at)
	}
	return n, first, err
}

// A SegmentationError says that a text could not be cut into claims, or could be
// cut in two ways. The text is not in it.
type SegmentationError struct {
	Time   time.Time
	Stage  string // ask, bind or check
	Reason string
	Places int // of the text; at least 1
}

// AddSegmentationErrors appends the errors of one text.
func (l *Ledger) AddSegmentationErrors(all []SegmentationError) error {
	for _, e := range all {
		if e.Time.IsZero() || e.Stage == "" || e.Reason == "" || e.Places < 1 {
			return fmt.Errorf("segmentation error %q of %q at %d places: want time, stage, reason and a place", e.Reason, e.Stage, e.Places)
		}
		if err := plain(e.Stage, e.Reason); err != nil {
			return err
		}
	}
	if len(all) == 0 {
		return nil
	}
	return l.inTx(func(t tx) error {
		for _, e := range all {
			if err := t.exec(`INSERT INTO segmentation_errors (id, time, stage, reason, places) VALUES ((SELECT coalesce(max(id), 0) + 1 FROM segmentation_errors), ?, ?, ?, ?)`,
				formatTime(e.Time), e.Stage, e.Reason, e.Places); err != nil {
				return err
			}
		}
		return nil
	})
}

// SegmentationErrors returns the errors since a point in time, oldest first; all,
// for the zero time.
func (l *Ledger) SegmentationErrors(since time.Time) ([]SegmentationError, error) {
	rows, err := l.query(`SELECT time, stage, reason, places FROM segmentation_errors WHERE time >= ? ORDER BY id`, formatTime(since))
	if err != nil {
		return nil, l.fault(err)
	}
	all, err := gather(rows, func(e *SegmentationError) error {
		var at string
		if err := rows.Scan(&at, &e.Stage, &e.Reason, &e.Places); err != nil {
			return err
		}
		e.Time, err = parseTime(at)
		return err
	})
	return all, l.fault(err)
}
