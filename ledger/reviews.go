package ledger

import (
	"database/sql"
	"fmt"
	"slices"
	"time"

	"muniment/cid"
)

// A Review is what a person said of a claim and its words, as its caller handed it in. Only
// Time, Subject, Object and JSON are required.
type Review struct {
	ID       int64 // from 1; given by AddReview
	Time     time.Time
	Project  string
	Agent    string // who handed it in
	User     string
	Citation int64  // ordinal of the citation for which it was made, 0 for none
	Subject  string // 64 hex digits: package cite/review
	Object   cid.ID // of JSON
	JSON     []byte // the signed object, canonical
	Note     string // the reviewer's own words, which no snapshot gets
	Snapshot cid.ID // that holds the object; zero until sealed
}

// AddReview appends a review and returns its number. An object that is on file already adds nothing
// and gives the number of then.
func (l *Ledger) AddReview(r Review) (id int64, err error) {
	switch {
	case r.Time.IsZero() || len(r.Subject) != 64:
		return 0, fmt.Errorf("a review of the subject %.80q at %v, want 64 hex digits and a time", r.Subject, r.Time)
	case r.Object != cid.OfJSON(r.JSON):
		return 0, fmt.Errorf("a review with the id %s, and its object has %s", r.Object, cid.OfJSON(r.JSON))
	}
	for _, name := range []string{r.Project, r.Agent, r.User} {
		if len(name) > MaxName {
			return 0, fmt.Errorf("a name of %d bytes, want at most %d", len(name), MaxName)
		}
	}
	if err := plain(r.Project, r.Agent, r.User, r.Subject, string(r.JSON), r.Note); err != nil {
		return 0, err
	}
	err = l.inRepeatable(func(t tx) error {
		known, err := findRows(t, "reviews", "id", []string{"review"}, [][]any{{r.Object.String()}})
		if err != nil {
			return err
		}
		if id = known[r.Object.String()]; id != 0 {
			return nil
		}
		if err := t.one(`SELECT coalesce(max(id), 0) + 1 FROM reviews`, nil, &id); err != nil {
			return err
		}
		values := r.values()
		return insertRows(t, `reviews (`+reviewColumns+`)`, len(values)+2, append(append([]any{id}, values...), digest(values...)))
	})
	if err != nil {
		return 0, err
	}
	return id, nil
}

// reviewColumns are the columns of the table reviews.
const reviewColumns = `id, time, project, agent, user_id, ordinal, subject, review, json, note, digest`

// values returns the columns of a review but for its number and its digest.
func (r *Review) values() []any {
	var ordinal any
	if r.Citation != 0 {
		ordinal = r.Citation
	}
	return []any{formatTime(r.Time), r.Project, r.Agent, r.User, ordinal, r.Subject, r.Object.String(), string(r.JSON), r.Note}
}

// selectReviews reads reviews for scanReview.
const selectReviews = `SELECT r.id, r.time, r.project, r.agent, r.user_id, coalesce(r.ordinal, 0), r.subject, r.review, r.json, r.note, r.digest, coalesce(s.snapshot, '')
	FROM reviews r LEFT JOIN review_seals s ON s.id = r.id`

// scanReview reads a row of selectReviews.
func scanReview(rows *sql.Rows, r *Review) error {
	var at, object, data, kept, snapshot string
	if err := rows.Scan(&r.ID, &at, &r.Project, &r.Agent, &r.User, &r.Citation, &r.Subject, &object, &data, &r.Note, &kept, &snapshot); err != nil {
		return err
	}
	var err error
	if r.Time, err = parseTime(at); err != nil {
		return err
	}
	r.JSON = []byte(data)
	if r.Object = cid.OfJSON(r.JSON); r.Object.String() != object {
		return &DamagedRowError{"reviews", r.ID, "its object has another id"}
	}
	if snapshot != "" {
		if r.Snapshot, err = cid.ParseAs(cid.Raw, snapshot); err != nil {
			return &DamagedRowError{"reviews", r.ID, err.Error()}
		}
	}
	return checkDigest("reviews", r.ID, kept, r.values()...)
}

// ReviewsOf returns the reviews of subjects, by subject, oldest first.
func (l *Ledger) ReviewsOf(subjects []string) (map[string][]Review, error) {
	out := map[string][]Review{}
	for some := range slices.Chunk(subjects, rowsAtOnce) {
		var args []any
		numbers := make([]int64, len(some))
		for _, s := range some {
			args = append(args, s)
		}
		list, _ := among(numbers)
		rows, err := l.query(selectReviews+` WHERE r.subject IN `+list+` ORDER BY r.id`, args...)
		if err != nil {
			return nil, l.fault(err)
		}
		all, err := gather(rows, func(r *Review) error { return scanReview(rows, r) })
		if err != nil {
			return nil, l.fault(err)
		}
		for _, r := range all {
			out[r.Subject] = append(out[r.Subject], r)
		}
	}
	return out, nil
}

// HasReviews reports whether anything was reviewed.
func (l *Ledger) HasReviews() (bool, error) {
	var n int
	if err := l.scalars(`SELECT count(*) FROM (SELECT 1 FROM reviews LIMIT 1) one`, []any{&n}); err != nil {
		return false, l.fault(err)
	}
	return n > 0, nil
}

// UnsealedReviews returns the reviews that no snapshot holds, oldest first.
func (l *Ledger) UnsealedReviews() ([]Review, error) {
	rows, err := l.query(selectReviews + ` WHERE s.id IS NULL ORDER BY r.id`)
	if err != nil {
		return nil, l.fault(err)
	}
	all, err := gather(rows, func(r *Review) error { return scanReview(rows, r) })
	return all, l.fault(err)
}

// SealReviews records the snapshot that holds the objects of reviews. One that is sealed keeps its snapshot.
func (l *Ledger) SealReviews(ids []int64, snapshot cid.ID, at time.Time) error {
	if _, err := cid.ParseAs(cid.Raw, snapshot.String()); err != nil || at.IsZero() {
		return fmt.Errorf("sealing reviews in %s at %v: want a snapshot and a time", snapshot, at)
	}
	return l.inRepeatable(func(t tx) error {
		for some := range slices.Chunk(ids, rowsAtOnce) {
			var keys [][]any
			for _, id := range some {
				keys = append(keys, []any{id})
			}
			done, err := findRows(t, "review_seals", "id", []string{"id"}, keys)
			if err != nil {
				return err
			}
			var values []any
			for _, id := range some {
				if done[rowKey([]any{id})] == 0 {
					values = append(values, id, formatTime(at), snapshot.String())
				}
			}
			if err := insertRows(t, `review_seals (id, time, snapshot)`, 3, values); err != nil {
				return err
			}
		}
		return nil
	})
}

// ReviewedWith returns the citations of exactly a claim for which reviews were made, by their numbers in order.
func (l *Ledger) ReviewedWith(claim string) ([]int64, error) {
	rows, err := l.query(`SELECT DISTINCT r.ordinal FROM reviews r JOIN citations c ON c.ordinal = r.ordinal WHERE c.claim = ? ORDER BY r.ordinal`, claim)
	if err != nil {
		return nil, l.fault(err)
	}
	all, err := gather(rows, func(n *int64) error { return rows.Scan(n) })
	return all, l.fault(err)
}

// CitedFor returns the citations of exactly a claim, by their numbers in order.
func (l *Ledger) CitedFor(claim string) ([]int64, error) {
	rows, err := l.query(`SELECT c.ordinal FROM citations c JOIN claims k ON k.id = c.claim_id WHERE k.claim = ? ORDER BY c.ordinal`, claim)
	if err != nil {
		return nil, l.fault(err)
	}
	all, err := gather(rows, func(n *int64) error { return rows.Scan(n) })
	return all, l.fault(err)
}

// ReviewsBy returns the reviews that an agent handed in without a user, or a user with any agent, oldest first; none for "".
func (l *Ledger) ReviewsBy(agent, user string) ([]Review, error) {
	where, name := `r.user_id = ?`, user
	if user == "" {
		where, name = `r.user_id = '' AND r.agent = ?`, agent
	}
	if name == "" {
		return nil, nil
	}
	rows, err := l.query(selectReviews+` WHERE `+where+` ORDER BY r.id`, name)
	if err != nil {
		return nil, l.fault(err)
	}
	all, err := gather(rows, func(r *Review) error { return scanReview(rows, r) })
	return all, l.fault(err)
}
