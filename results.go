package muniment

import (
	"muniment/answer/enforce"
	"muniment/ledger"
)

// This file holds the messages: the results that methods return and that the
// command line prints with --json. Times are RFC 3339 UTC, ids are CIDs in
// text form, offsets are code points.

// A Skip is an input that was not taken, and why.
type Skip struct {
	Path       string `json:"path"`
	Reason     string `json:"reason"`
	Suggestion string `json:"suggestion,omitempty"` // where more can be said than to mend the input
}

// An AddedArtifact is one input that is in the archive after an add.
type AddedArtifact struct {
	ID            string `json:"id"`
	Original      string `json:"original"`
	Path          string `json:"path"`
	MediaType     string `json:"media_type"`
	Canonicalizer string `json:"canonicalizer"`
	Paragraphs    int    `json:"paragraphs"`
	Status        string `json:"status"` // added or unchanged
	Note          string `json:"note,omitempty"`
}

// AddResult tells what an add did.
type AddResult struct {
	Added     int             `json:"added"`
	Unchanged int             `json:"unchanged"`
	Skipped   []Skip          `json:"skipped"`
	Artifacts []AddedArtifact `json:"artifacts"`
	Notes     []string        `json:"notes,omitempty"`   // names that look alike
	Sources   []SourceInfo    `json:"sources,omitempty"` // registered without a body
	Chunks    *Chunks         `json:"chunks,omitempty"`  // of payloads and originals above 8 MiB
	DryRun    bool            `json:"dry_run,omitempty"`
}

// Chunks counts the chunks of large payloads and originals.
type Chunks struct {
	Written int `json:"written"`
	Resumed int `json:"resumed"` // taken over from an add that was interrupted
	Known   int `json:"known"`   // in the archive before, or twice in this add
}

// SnapshotResult names a signed snapshot.
type SnapshotResult struct {
	Snapshot  string `json:"snapshot"`
	Commit    string `json:"commit"`
	Root      string `json:"root"`
	Seq       int64  `json:"seq"`
	Artifacts int    `json:"artifacts"`
	Entries   int64  `json:"entries"`
	Prev      string `json:"prev,omitempty"`
	Signer    string `json:"signer"`
	Time      string `json:"time"`
	Author    string `json:"author"`
	Text      string `json:"text"`
	Enrolled  bool   `json:"enrolled,omitempty"` // the key is in trust/allowed_signers; said when the snapshot is made
	Bound     int    `json:"citations_bound"`
	Sealed    int    `json:"citations_sealed"`

	Join     string   `json:"join,omitempty"`     // the other snapshot that this one joins
	Cosigned []string `json:"cosigned,omitempty"` // fingerprints of the keys that co-signed it
	Tags     []string `json:"tags,omitempty"`     //
	Takes    int      `json:"takes,omitempty"`    // acts that need the role withdraw; said when the snapshot is made
	Awaits   bool     `json:"awaits_cosignature,omitempty"`

	LogProblem string `json:"log_problem,omitempty"` // why the answer logs were not copied to their refs
}

// A Change is one difference between two trees of an archive.
type Change struct {
	Kind     string `json:"kind"`
	Path     string `json:"path"`
	Artifact string `json:"artifact,omitempty"`
	Name     string `json:"name,omitempty"`
}

// StatusResult is the difference between the newest snapshot and what is
// staged for the next one.
type StatusResult struct {
	Archive   string         `json:"archive"`
	Name      string         `json:"name"`
	Snapshot  string         `json:"snapshot,omitempty"`
	Seq       int64          `json:"seq"`
	Counts    map[string]int `json:"counts"`
	Changes   []Change       `json:"changes"`
	Citations int            `json:"citations_waiting"`
	Clean     bool           `json:"clean"`
	Fixity    *LastFixity    `json:"last_fixity,omitempty"`
}

// An ArtifactInfo is one artifact of a catalogue.
type ArtifactInfo struct {
	ID            string   `json:"id"`
	Names         []string `json:"names"`
	Title         string   `json:"title,omitempty"`
	Date          string   `json:"date,omitempty"`
	MediaType     string   `json:"media_type"`
	Canonicalizer string   `json:"canonicalizer"`
	Size          int64    `json:"size"`
	Paragraphs    int      `json:"paragraphs"`
	Lines         int      `json:"lines"`
	Original      string   `json:"original"`
	Records       []string `json:"records"`
}

// A ShowResult is whatever an id or a name names.
type ShowResult struct {
	Kind   string `json:"kind"` // artifact, original, record, snapshot, citation, consent, archive
	ID     string `json:"id"`
	SHA256 string `json:"sha256"` // the id's digest in hex, as sha256sum prints it
	Path   string `json:"path,omitempty"`
	Object any    `json:"object"`
}

// A SearchHit is one passage, with the address that cite takes.
type SearchHit struct {
	Artifact   string            `json:"artifact"`
	Name       string            `json:"name"`
	Date       string            `json:"date,omitempty"`
	Span       string            `json:"span"`
	Text       string            `json:"text"`
	Locator    map[string]string `json:"locator,omitempty"`
	Score      float64           `json:"score"`
	Similarity float64           `json:"similarity"`
}

// SearchResult is the list of passages found in one snapshot.
type SearchResult struct {
	Snapshot string      `json:"snapshot"`
	Query    string      `json:"query"`
	Hits     []SearchHit `json:"hits"`
}

// A CiteResult is the verdict on one claim and its quote.
type CiteResult struct {
	CitationID         int64             `json:"citation_id"` // the ledger's ordinal: 1, 2, 3 …
	Citation           string            `json:"citation"`    // content id; empty while unbound or failed
	VerificationStatus string            `json:"verification_status"`
	VerificationNotes  string            `json:"verification_notes,omitempty"`
	ErrorType          string            `json:"error_type,omitempty"` // VerificationFailed or VerificationTimeout, where it is not verified
	Match              string            `json:"match"`
	Similarity         float64           `json:"similarity_score"`
	Edits              int               `json:"edits"`
	Length             int               `json:"length"`
	Difference         string            `json:"difference,omitempty"`
	Relation           string            `json:"relation"`
	SourceID           int64             `json:"source_id,omitempty"`
	SourceName         string            `json:"source_name,omitempty"` // as it was registered, with its version
	SourceRegistered   bool              `json:"source_registered"`     // by this call: the source was not in the archive
	Artifact           string            `json:"artifact"`
	Name               string            `json:"name"`
	Snapshot           string            `json:"snapshot,omitempty"`
	Span               string            `json:"span,omitempty"`
	Quote              string            `json:"quote,omitempty"`
	Locator            map[string]string `json:"locator,omitempty"` // page, row, time or depth of quotation in the original
	MatchedLocation    *Location         `json:"matched_location,omitempty"`
	Places             []Place           `json:"places,omitempty"` // every place of an ambiguous quote
	DerivedFrom        []string          `json:"derived_from,omitempty"`
	Binding            string            `json:"binding"` // unbound, bound, failed
	Suggestion         string            `json:"suggestion,omitempty"`
	Nearest            *Place            `json:"nearest,omitempty"`
	Warnings           []Warning         `json:"warnings,omitempty"`
	FormattedReference string            `json:"formatted_reference,omitempty"`
	SummaryNote        string            `json:"summary_note"`
	Checks             []ledger.Check    `json:"checks"` // what was checked, in order

	said string // the section that the caller's locator names
}

// Err is the result as an error: nil when it is verified, else of type
// VerificationFailed or VerificationTimeout with the suggestion, and the result
// itself as what was done. The citation is registered in every case.
func (r *CiteResult) Err() error {
	switch ledger.Status(r.VerificationStatus) {
	case ledger.Verified:
		return nil
	case ledger.Pending:
		return &Error{Type: TypeTimeout, Code: ExitPartly, Message: r.VerificationNotes, Suggestion: r.Suggestion, Partial: r}
	}
	return &Error{Type: TypeVerification, Code: ExitNo, Message: r.VerificationNotes, Suggestion: r.Suggestion, Partial: r}
}

// A Location is where evidence was found.
type Location struct {
	Artifact string            `json:"artifact"`
	Name     string            `json:"name"`
	Snapshot string            `json:"snapshot,omitempty"` // while bound
	Span     string            `json:"span"`
	Locator  map[string]string `json:"locator,omitempty"`
}

// A Warning is a remark in the form of an error that does not stop a call.
type Warning struct {
	ErrorType  string `json:"error_type"`
	Message    string `json:"message"`
	Suggestion string `json:"suggestion"`
}

// A Place is a span and the words there.
type Place struct {
	Span string `json:"span"`
	Text string `json:"text"`
}

// An AnswerCitation is one citation of a delivered claim as its reader may see
// it; the last five fields are for auditors.
type AnswerCitation struct {
	Handle     string `json:"handle"`
	Relation   string `json:"relation"`
	Label      string `json:"label"`
	Quote      string `json:"quote"`
	Restricted bool   `json:"restricted,omitempty"`
	Notice     string `json:"notice,omitempty"`

	Artifact string `json:"artifact,omitempty"`
	Name     string `json:"name,omitempty"`
	Snapshot string `json:"snapshot,omitempty"`
	Span     string `json:"span,omitempty"`
	Citation string `json:"citation,omitempty"`
}

// An AnswerClaim is one delivered claim.
type AnswerClaim struct {
	Text       string           `json:"text"`
	Rung       string           `json:"rung"`
	Label      string           `json:"label,omitempty"`
	Restricted bool             `json:"restricted,omitempty"`
	Citations  []AnswerCitation `json:"citations"`
}

// A Removed is a topic that was asked or drafted and is not delivered.
type Removed struct {
	Topic  string `json:"topic"`
	Reason string `json:"reason"`
}

// A Refusal says which kind of refusal an answer is and what to do next.
type Refusal struct {
	Kind        string   `json:"kind"` // category, retrieval, coverage, consent, assembly
	Category    string   `json:"category,omitempty"`
	Message     string   `json:"message"`
	Suggestions []string `json:"suggestions"`
}

// An AnswerResult is a delivered answer or refusal.
type AnswerResult struct {
	Outcome   string        `json:"outcome"` // supported, narrowed, labeled, refused
	Claims    []AnswerClaim `json:"claims"`
	Removed   []Removed     `json:"removed"`
	Refusal   *Refusal      `json:"refusal"`
	Notices   []string      `json:"notices,omitempty"`
	Freeform  []string      `json:"freeform,omitempty"` // not from the archive: text that cites nothing, where profile and policy let it through
	Bundle    string        `json:"bundle"`             // path of the complete, sealed bundle
	Display   string        `json:"display,omitempty"`  // path of the display copy, when one was asked for
	BundleID  string        `json:"bundle_id"`
	Snapshot  string        `json:"snapshot"`
	Profile   string        `json:"profile"`
	Requestor string        `json:"requestor,omitempty"`
	Tier      string        `json:"tier"`
	Nonce     string        `json:"request_nonce,omitempty"` // keep it: it proves later which question was asked; "" where the requestor has it

	// Contract is the same in the form of the answer contract, of Ask only.
	Contract *enforce.Answer `json:"-"`

	Budget *BudgetInfo `json:"budget,omitempty"` // after this answer; auditors have none
}
