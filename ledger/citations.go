package ledger

import (
	"database/sql"
	"fmt"
	"strings"
	"time"

	"muniment/cid"
	"muniment/cite"
)

// A Status is what the last verification of an entry found.
type Status string

// The four statuses. Unverified means that nothing contradicts the entry and
// nobody could judge what a model would have to: it is not a failure.
const (
	Verified   Status = "verified"
	Failed     Status = "failed"
	Pending    Status = "pending"
	Unverified Status = "unverified"
)

// A Binding says how far an entry has become part of the archive.
type Binding string

// The three bindings.
const (
	Unbound Binding = "unbound" // only this ledger knows it
	Bound   Binding = "bound"   // it names a snapshot and has an ID
	Sealed  Binding = "sealed"  // a later snapshot holds the citation object
)

// An Entry is a claim as its caller registered it, with what the search for
// its quote found. Only Time, Relation, Claim and Status are required.
type Entry struct {
	Time     time.Time
	Session  string // conversation or task
	Agent    string // who registered it
	Artifact string // ID of the payload, or of the record for a metadata_fact; "" when the source is unknown
	Record   string // ID of the record meant, when the artifact has several
	Span     string // "" when the quote was not found
	Relation cite.Relation
	Claim    string

	Quote      string // as the caller gave it
	Reasoning  string
	Context    string
	Locator    string // the caller's own locator, JSON, kept as given
	Confidence string // the caller's own: high, medium, low

	Match         cite.Status
	Edits, Length int
	Difference    string
	Anchor        cite.Anchor

	Status Status // the first attestation's
	Notes  string // its words
}

// A Citation is an entry with its ordinal and its current state. Status and
// Notes are those of the last attestation.
type Citation struct {
	Ordinal int64 // from 1
	Entry
	Binding  Binding
	ID       cid.ID // of the citation object; zero while unbound
	JSON     []byte // the citation object, canonical; nil while unbound
	Snapshot cid.ID // that holds the citation object; zero until sealed
}

// An Attestation is what one verification found.
type Attestation struct {
	Time   time.Time
	Agent  string // who verified
	Status Status
	Notes  string
}

func (s Status) known() bool {
	return s == Verified || s == Failed || s == Pending || s == Unverified
}

func (e *Entry) validate() error {
	switch {
	default:
	case e.Time.IsZero():
		return fmt.Errorf("the entry has no time")
	case strings.TrimSpace(e.Claim) == "":
		return fmt.Errorf("the entry has no claim")
	case !e.Status.known():
		return fmt.Errorf("status %q, want verified, failed, pending or unverified", e.Status)
	}
	if r, err := cite.ParseRelation(string(e.Relation)); err != nil || r != e.Relation {
		return fmt.Errorf("relation %q is not one of the five", e.Relation)
	}
	if e.Artifact != "" {
		if _, err := cid.Parse(e.Artifact); err != nil {
			return fmt.Errorf("artifact: %w", err)
		}
	}
	if e.Record != "" {
		if _, err := cid.ParseAs(cid.JSON, e.Record); err != nil {
			return fmt.Errorf("record: %w", err)
		}
	}
	if e.Span == "" {
		return nil
	}
	if e.Relation == cite.MetadataFact {
		_, err := cite.ParseMetaSpan(e.Span)
		return err
	}
	_, err := cite.ParseSpan(e.Span)
	return err
}

// columns of the table citations that an entry fills, in the order of values.
const columns = `time, session, agent, artifact, record, span, relation, claim, quote, reasoning, context, locator,
	confidence, match, edits, length, difference, sha256, prefix, suffix`

func (e *Entry) values() []any {
	return []any{
		formatTime(e.Time), e.Session, e.Agent, e.Artifact, e.Record, e.Span, string(e.Relation), e.Claim, e.Quote, e.Reasoning, e.Context, e.Locator,
		e.Confidence, string(e.Match), e.Edits, e.Length, e.Difference, e.Anchor.SHA256, e.Anchor.Prefix, e.Anchor.Suffix,
	}
}

// AddCitation appends an entry and its first attestation and returns its
// ordinal: the last one plus 1.
func (l *Ledger) AddCitation(e Entry) (ordinal int64, err error) {
	if err := e.validate(); err != nil {
		return 0, err
	}
	err = l.inTx(func(tx *sql.Tx) error {
		marks := strings.TrimSuffix(strings.Repeat("?, ", len(e.values())), ", ")
		row := tx.QueryRow(`INSERT INTO citations (`+columns+`) VALUES (`+marks+`) RETURNING ordinal`, e.values()...)
		if err := row.Scan(&ordinal); err != nil {
			return err
		}
		return insertAttestation(tx, ordinal, Attestation{e.Time, e.Agent, e.Status, e.Notes})
	})
	if err != nil {
		return 0, err
	}
	return ordinal, nil
}

func insertAttestation(tx *sql.Tx, ordinal int64, a Attestation) error {
	_, err := tx.Exec(`INSERT INTO attestations (ordinal, time, agent, status, notes) VALUES (?, ?, ?, ?, ?)`,
		ordinal, formatTime(a.Time), a.Agent, string(a.Status), a.Notes)
	return err
}

// Attest appends what a verification found; it becomes the entry's status.
func (l *Ledger) Attest(ordinal int64, a Attestation) error {
	if a.Time.IsZero() || !a.Status.known() {
		return fmt.Errorf("attestation of citation %d: status %q at %v, want a known status and a time", ordinal, a.Status, a.Time)
	}
	return l.inTx(func(tx *sql.Tx) error {
		if _, err := one(tx, ordinal); err != nil {
			return err
		}
		return insertAttestation(tx, ordinal, a)
	})
}

// Attestations returns everything verifications found about an entry, oldest
// first.
func (l *Ledger) Attestations(ordinal int64) ([]Attestation, error) {
	rows, err := l.read.Query(`SELECT time, agent, status, notes FROM attestations WHERE ordinal = ? ORDER BY id`, ordinal)
	if err != nil {
		return nil, l.fault(err)
	}
	defer rows.Close()
	var all []Attestation
	for rows.Next() {
		var a Attestation
		var at string
		if err := rows.Scan(&at, &a.Agent, &a.Status, &a.Notes); err != nil {
			return nil, l.fault(err)
		}
		if a.Time, err = parseTime(at); err != nil {
			return nil, l.fault(err)
		}
		all = append(all, a)
	}
	if err := rows.Err(); err != nil {
		return nil, l.fault(err)
	}
	if len(all) == 0 {
		return nil, l.fault(fmt.Errorf("citation %d: %w", ordinal, ErrNotFound))
	}
	return all, nil
}

// Bind records the citation object of an entry: its canonical JSON and ID. The
// object must agree with the entry in artifact, span, relation and claim.
// Binding again with the same object is no error; with another one it is.
func (l *Ledger) Bind(ordinal int64, canonical []byte, id cid.ID, at time.Time) error {
	obj, err := cite.ParseCitation(canonical)
	if err != nil {
		return fmt.Errorf("binding citation %d: %w", ordinal, err)
	}
	if got := cid.OfJSON(canonical); got != id {
		return fmt.Errorf("binding citation %d: the object's id is %s, not %s", ordinal, got, id)
	}
	if at.IsZero() {
		return fmt.Errorf("binding citation %d: no time", ordinal)
	}
	return l.inTx(func(tx *sql.Tx) error {
		c, err := one(tx, ordinal)
		if err != nil {
			return err
		}
		if c.Binding != Unbound {
			if c.ID == id {
				return nil
			}
			return fmt.Errorf("citation %d is bound to %s, not to %s", ordinal, c.ID, id)
		}
		for _, f := range []struct{ name, entry, object string }{
			{"artifact", c.Artifact, obj.Artifact}, {"span", c.Span, obj.Span},
			{"relation", string(c.Relation), string(obj.Relation)}, {"claim", c.Claim, obj.Claim},
		} {
			if f.entry != f.object {
				return fmt.Errorf("citation %d has %s %q, the object %q", ordinal, f.name, f.entry, f.object)
			}
		}
		_, err = tx.Exec(`INSERT INTO bindings (ordinal, time, citation, json) VALUES (?, ?, ?, ?)`,
			ordinal, formatTime(at), id.String(), string(canonical))
		return err
	})
}

// Seal records the snapshot that holds a bound entry's citation object.
// Sealing again with the same snapshot is no error; with another one it is.
func (l *Ledger) Seal(ordinal int64, snapshot cid.ID, at time.Time) error {
	if _, err := cid.ParseAs(cid.Raw, snapshot.String()); err != nil {
		return fmt.Errorf("sealing citation %d: snapshot: %w", ordinal, err)
	}
	if at.IsZero() {
		return fmt.Errorf("sealing citation %d: no time", ordinal)
	}
	return l.inTx(func(tx *sql.Tx) error {
		c, err := one(tx, ordinal)
		switch {
		default:
			_, err = tx.Exec(`INSERT INTO seals (ordinal, time, snapshot) VALUES (?, ?, ?)`, ordinal, formatTime(at), snapshot.String())
			return err
		case err != nil:
			return err
		case c.Binding == Unbound:
			return fmt.Errorf("citation %d is unbound, only a bound one can be sealed", ordinal)
		case c.Binding == Sealed && c.Snapshot != snapshot:
			return fmt.Errorf("citation %d is sealed in %s, not in %s", ordinal, c.Snapshot, snapshot)
		case c.Binding == Sealed:
			return nil
		}
	})
}
