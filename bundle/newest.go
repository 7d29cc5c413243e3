package bundle

import (
	"fmt"
	"muniment/bundle/display"
	"muniment/bundle/leaf"
	"time"

	"muniment/sign"
	"muniment/sign/trust"
	"muniment/snapshot"
)

// Newest is the newest of the signed things that a verifier has seen. Whoever keeps
// newer ones back can only make it look old, so a reader compares its age with how
// often the archive signs.
type Newest struct {
	What string `json:"what"` // such as snapshot 12
	Time string `json:"time"` // RFC 3339 UTC, as its signer says
	Days *int64 `json:"days"` // before the verifier's time, negative after it; null where none was given

	at time.Time
}

// NewNewest returns a signed thing that says it is of some time, and its age at the
// time now; the zero time is that of a verifier without a clock.
func NewNewest(what string, at, now time.Time) *Newest {
	n := &Newest{What: what, Time: at.UTC().Format(trust.TimeForm), at: at}
	if !now.IsZero() {
		const day = 24 * 60 * 60
		seconds := now.Unix() - at.Unix()
		days := seconds / day
		if seconds < 0 && seconds%day != 0 {
			days--
		}
		n.Days = &days
	}
	return n
}

// or returns the newer one of two, n where they are of one time.
func (n *Newest) or(m *Newest) *Newest {
	if m.at.After(n.at) {
		return m
	}
	return n
}

// String returns the thing and its age on one line.
func (n *Newest) String() string {
	line := fmt.Sprintf("the newest signed thing seen is %s, which says %s", n.What, n.Time)
	switch {
	case n.Days == nil:
		return line
	case *n.Days < 0:
		return line + ", after the time of this verification"
	case *n.Days == 1:
		return line + ", 1 day before this verification"
	}
	return line + ", " + display.Count(int(*n.Days), "day") + " before this verification"
}

// newest returns the newest of what is signed in a bundle: the statement, a
// snapshot that is cited, a cosignature of the log.
func (b *Bundle) newest(now time.Time) *Newest {
	n := NewNewest("the statement", b.statement.Issued, now)
	seen := make(map[string]bool)
	for _, l := range b.leaves {
		if source, ok := l.(*leaf.Source); ok && !seen[source.Commit] {
			seen[source.Commit] = true
			if s, err := snapshot.Parse([]byte(source.Commit)); err == nil {
				n = n.or(NewNewest(fmt.Sprintf("snapshot %d", s.Seq), s.Time, now))
			}
		}
	}
	cosigned, err := sign.Cosignatures(b.proof.Note)
	if err != nil {
		return n // the axis of the witnesses says so
	}
	for _, c := range cosigned {
		n = n.or(NewNewest("the cosignature of "+c.Key.Fingerprint(), time.Unix(c.Time, 0), now))
	}
	return n
}

// JudgeExpiry returns the axis of expiry: whether the trust root was to be replaced
// before the verifier's time. An expired root is not false, but somebody may keep a
// newer version back.
func (q Requirements) JudgeExpiry() Axis {
	axis := func(r Result, format string, args ...any) Axis {
		return Axis{AxisExpiry, r, fmt.Sprintf(format, args...)}
	}
	switch {
	case !q.hasTrust():
		return axis(NotChecked, "no trust file was given")
	case q.Root == nil:
		return axis(NotChecked, "an allowed_signers file does not expire")
	case q.Root.Expires.IsZero():
		return axis(NotChecked, "version %d of the trust root does not expire: nothing here shows that there is no newer one", q.Root.Version)
	}
	end := q.Root.Expires.Format(trust.TimeForm)
	switch {
	case q.Now.IsZero():
		return axis(NotChecked, "version %d of the trust root expires %s, and no time was given", q.Root.Version, end)
	case q.Root.Expired(q.Now):
		return axis(NotChecked, "version %d of the trust root expired %s; ask for a newer version, which is compared on paper", q.Root.Version, end)
	}
	return axis(Pass, "version %d of the trust root expires %s", q.Root.Version, end)
}
