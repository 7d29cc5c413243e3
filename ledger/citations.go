package ledger

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

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
	User     string // on whose behalf
	Project  string // whose namespace it is in
	Source   int64  // number of a registered source, 0 for none
	Artifact string // ID of the payload, or of the record for a metadata_fact; "" when the source is unknown
	Record   string // ID of the record meant, when the artifact has several
	Span     string // "" when the quote was not found
	Relation cite.Relation
	Claim    string

	Quote      string // as the caller gave it
	Text       string // the words at the span
	Language   string // of the quote, BCP 47
	Reasoning  string
	Context    string
	Locator    string   // the caller's own locator, JSON, kept as given
	Method     string   // the caller's own word for the relation
	Confidence string   // the caller's own: high, medium, low
	Inputs     []string // what an aggregation rests on: artifact IDs, citation IDs, citation ordinals

	Match         cite.Status
	Edits, Length int
	Difference    string
	Anchor        cite.Anchor

	Status  Status            // the first attestation's
	Verdict cite.ClaimVerdict // its verdict on the claim
	Notes   string            // its words
	Checks  []Check

	// PublishedAt is when the record said that the source was made, in EDTF; "" where it did not.
	// It can be found by and is no part of the citation.
	PublishedAt string `json:",omitempty"`

	Key string // a caller's own, by which a retry in the same session finds the entry; "" for none
}

// A Citation is an entry with its ordinal and its current state. Status, Verdict
// and Notes are those of the last attestation.
type Citation struct {
	Ordinal int64 // from 1
	Entry
	Judge    string // the model that gave Verdict; "" for the rules
	ClaimID  int64  // number of the claim; several citations may support one
	Binding  Binding
	ID       cid.ID // of the citation object; zero while unbound
	JSON     []byte // the citation object, canonical; nil while unbound
	Snapshot cid.ID // that holds the citation object; zero until sealed
	Damage   string // what is wrong with the row, of which nothing but Ordinal and ID is then given; "" for a sound one
}

// A Check is one step of a verification.
type Check struct {
	Step     string `json:"step"`
	Result   string `json:"result"` // pass, fail, not_checked
	Expected string `json:"expected,omitempty"`
	Found    string `json:"found,omitempty"`
}

// An Attestation is what one verification found. The last four fields are a
// model's: what it was asked and what it said, as they were.
type Attestation struct {
	Time   time.Time
	Agent  string // who verified
	Status Status
	// Verdict is the one on the claim; the words' is the entry's Match.
	Verdict cite.ClaimVerdict
	Notes   string
	Checks  []Check

	Model        string
	PromptSHA256 string // lower case hexadecimal, of Prompt
	Prompt       string
	Reply        string
}

// StatusOf returns the status of a citation by its two verdicts: verified where the words are there, exactly or up to
// typography, and the claim follows; failed where they are not there or the claim is contradicted; unverified where they
// are at several places, where nothing but a model said that the claim follows, and for a picture or a recording, which
// has no words. Nothing is pending by itself, and a model's yes verifies only where the caller's profile says so.
func StatusOf(words cite.Status, claim cite.ClaimVerdict) Status {
	switch {
	case words == cite.Ambiguous, words == cite.NoWords:
		return Unverified
	case words != cite.Exact && words != cite.Normalized, claim == cite.ClaimContradicted:
		return Failed
	case claim == cite.ClaimFollows:
		return Verified
	}
	return Unverified
}

// valid reports whether the status is one of the four.
func (s Status) valid() bool {
	return s == Verified || s == Failed || s == Pending || s == Unverified
}

func (e *Entry) validate() error {
	switch {
	default:
	case e.Time.IsZero():
		return fmt.Errorf("the entry has no time")
	case strings.TrimSpace(e.Claim) == "":
		return fmt.Errorf("the entry has no claim")
	case !e.Status.valid():
		return fmt.Errorf("status %q, want verified, failed, pending or unverified", e.Status)
	case !e.Verdict.Valid():
		return fmt.Errorf("verdict on the claim %q, want follows, contradicted, not_shown or judged", e.Verdict)
	}
	if r, err := cite.ParseRelation(string(e.Relation)); err != nil || r != e.Relation {
		return fmt.Errorf("relation %q is not one of the five", e.Relation)
	}
	for _, field := range []string{e.Session, e.Agent, e.User, e.Project} {
		if len(field) > MaxName {
			return fmt.Errorf("a name of %d bytes, want at most %d", len(field), MaxName)
		}
	}
	if err := plain(e.Session, e.Agent, e.User, e.Project, e.Claim, e.Quote, e.Text, e.Language, e.Reasoning, e.Context, e.Locator, e.Method, e.Confidence, e.Notes, e.PublishedAt,
		e.Anchor.Prefix, e.Anchor.Suffix, strings.Join(e.Inputs, "")); err != nil {
		return err
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
	if cite.IsMediaSpan(e.Span) {
		_, err := cite.ParseMediaSpan(e.Span)
		return err
	}
	_, err := cite.ParseSpan(e.Span)
	return err
}

// MaxName is the longest name of a session, agent, user or project in bytes:
// names are indexed, and a row of an index has two thousand.
const MaxName = 512

// plain refuses what one of the databases cannot hold as text.
func plain(texts ...string) error {
	for _, s := range texts {
		if !utf8.ValidString(s) || strings.ContainsRune(s, 0) {
			return fmt.Errorf("text that is not UTF-8, or holds a NUL: %.40q", s)
		}
	}
	return nil
}

// columns of the table citations that an entry fills, in the order of values.
const columns = `time, session, agent, artifact, record, span, relation, claim, quote, reasoning, context, locator,
	confidence, match, edits, length, difference, sha256, prefix, suffix, user_id, project, method, language, inputs, text, source, claim_id, digest, document, chunk, published_at`

func (e *Entry) values(claim int64) []any {
	var source any
	if e.Source != 0 {
		source = e.Source
	}
	values := []any{
		formatTime(e.Time), e.Session, e.Agent, e.Artifact, e.Record, e.Span, string(e.Relation), e.Claim, e.Quote, e.Reasoning, e.Context, e.Locator,
		e.Confidence, string(e.Match), e.Edits, e.Length, e.Difference, e.Anchor.SHA256, e.Anchor.Prefix, e.Anchor.Suffix,
		e.User, e.Project, e.Method, e.Language, list(e.Inputs), e.Text, source, claim,
	}
	digested := values
	if e.PublishedAt != "" { // older rows have none, and keep their digest
		digested = append(slices.Clip(values), e.PublishedAt)
	}
	return append(values, digest(digested...))
}

// list writes a list of strings as JSON, "" for an empty one.
func list(all []string) string {
	if len(all) == 0 {
		return ""
	}
	out, err := json.Marshal(all)
	if err != nil {
		panic(err) // strings always marshal
	}
	return string(out)
}

// readList reads the output of list.
func readList(s string) (all []string, err error) {
	if s == "" {
		return nil, nil
	}
	return all, json.Unmarshal([]byte(s), &all)
}

// attestationColumns are the columns of the table attestations that row fills.
const attestationColumns = `id, ordinal, time, agent, status, claim_verdict, notes, kind, checks, model, prompt_sha256, prompt, reply, digest`

// row returns the columns of an attestation of an entry, with its number.
func (a *Attestation) row(id, ordinal int64) ([]any, error) {
	checks := ""
	if len(a.Checks) > 0 {
		out, err := json.Marshal(a.Checks)
		if err != nil {
			return nil, err
		}
		checks = string(out)
	}
	kind := "checks"
	if a.Prompt != "" {
		kind = "model"
	}
	values := a.values(ordinal, kind, checks)
	return append(append([]any{id}, values...), digest(values...)), nil
}

func insertAttestation(t tx, ordinal int64, a Attestation) error {
	var last int64
	if err := t.one(`SELECT coalesce(max(id), 0) FROM attestations`, nil, &last); err != nil {
		return err
	}
	row, err := a.row(last+1, ordinal)
	if err != nil {
		return err
	}
	return insertRows(t, `attestations (`+attestationColumns+`)`, len(row), row)
}

// values returns the columns of an attestation, but for its number.
func (a *Attestation) values(ordinal int64, kind, checks string) []any {
	return []any{ordinal, formatTime(a.Time), a.Agent, string(a.Status), string(a.Verdict), a.Notes, kind, checks, a.Model, a.PromptSHA256, a.Prompt, a.Reply}
}

// Attest appends what a verification found; it becomes the entry's status.
func (l *Ledger) Attest(ordinal int64, a Attestation) error {
	if a.Time.IsZero() || !a.Status.valid() || !a.Verdict.Valid() {
		return fmt.Errorf("attestation of citation %d: status %q at %v, want a known status and a time", ordinal, a.Status, a.Time)
	}
	if err := plain(a.Agent, a.Notes, a.Model, a.Prompt, a.Reply); err != nil {
		return fmt.Errorf("attestation of citation %d: %w", ordinal, err)
	}
	return l.inTx(func(t tx) error {
		if _, err := one(t.query, ordinal); err != nil {
			return err
		}
		return insertAttestation(t, ordinal, a)
	})
}

// selectAttestations reads attestations for scanAttestation.
const selectAttestations = `SELECT ` + attestationColumns + ` FROM attestations`

// scanAttestation reads a row of selectAttestations.
func scanAttestation(rows *sql.Rows, a *Attestation) (id int64, err error) {
	var ordinal int64
	var at, kind, checks, kept string
	if err := rows.Scan(&id, &ordinal, &at, &a.Agent, &a.Status, &a.Verdict, &a.Notes, &kind, &checks, &a.Model, &a.PromptSHA256, &a.Prompt, &a.Reply, &kept); err != nil {
		return id, err
	}
	if a.Time, err = parseTime(at); err != nil {
		return id, err
	}
	if err := checkDigest("attestations", id, kept, a.values(ordinal, kind, checks)...); err != nil || checks == "" {
		return id, err
	}
	if err := json.Unmarshal([]byte(checks), &a.Checks); err != nil {
		return id, fmt.Errorf("checks of citation %d: %w", ordinal, err)
	}
	return id, nil
}

// Attestations returns everything verifications found about an entry, oldest
// first.
func (l *Ledger) Attestations(ordinal int64) ([]Attestation, error) {
	rows, err := l.query(selectAttestations+` WHERE ordinal = ? ORDER BY id`, ordinal)
	if err != nil {
		return nil, l.fault(err)
	}
	all, err := gather(rows, func(a *Attestation) error { _, err := scanAttestation(rows, a); return err })
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("citation %d: %w", ordinal, ErrNotFound)
	}
	if err != nil {
		return nil, l.fault(err)
	}
	return all, nil
}
