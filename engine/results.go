package engine

import (
	"muniment/archive"
	"muniment/ledger"
)

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
		return &archive.Error{Kind: archive.TypeTimeout, Message: r.VerificationNotes, Next: archive.Advise(r.Suggestion), Partial: r}
	}
	return &archive.Error{Kind: archive.TypeVerification, Message: r.VerificationNotes, Next: archive.Advise(r.Suggestion), Partial: r}
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
