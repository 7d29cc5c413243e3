package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"muniment/archive/problem"
	"muniment/cite"
	"muniment/judge"
	"muniment/ledger"
	"muniment/text/legible"
)

// A CiteResult is the verdict on one claim and its quote.
type CiteResult struct {
	CitationID         int64             `json:"citation_id"` // the ledger's ordinal: 1, 2, 3 …
	Citation           string            `json:"citation"`    // content id; empty while unbound or failed
	VerificationStatus string            `json:"verification_status"`
	VerificationNotes  string            `json:"verification_notes,omitempty"`
	ErrorType          string            `json:"error_type,omitempty"`    // VerificationFailed, Unverified or VerificationTimeout, where it is not verified
	Match              string            `json:"match"`                   // the verdict on the words: exact, normalized, fuzzy, ambiguous, absent; none for a picture or a recording
	ClaimVerdict       string            `json:"claim_verdict,omitempty"` // follows, contradicted, not_shown, judged; none where the words are not there
	Judge              string            `json:"judge,omitempty"`         // the model that judged that it follows
	JudgedBy           string            `json:"judged_by,omitempty"`     // whose verdict it is: the version of the rules, or endpoint and model, or a person
	Reason             string            `json:"reason,omitempty"`        // of the claim's verdict, one sentence
	Missing            []string          `json:"missing,omitempty"`       // words of the claim that the words lack
	Likely             bool              `json:"likely,omitempty"`        // not shown, but close to the words: a hint that nobody judged
	Findings           []judge.Finding   `json:"findings,omitempty"`      // what keeps the claim from following
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
	QuoteContext       string            `json:"quote_context,omitempty"`      // as given; else the paragraph of the words
	ContextFrom        string            `json:"quote_context_from,omitempty"` // caller, or source where it was filled in
	Locator            map[string]string `json:"locator,omitempty"`            // page, row, time or depth of quotation in the original; fragment of a picture or a recording
	MatchedLocation    *Location         `json:"matched_location,omitempty"`
	Places             []Place           `json:"places,omitempty"` // every place of an ambiguous quote
	DerivedFrom        []string          `json:"derived_from,omitempty"`
	Binding            string            `json:"binding"`              // unbound, bound, failed
	Waits              string            `json:"waits_for,omitempty"`  // as of CitationInfo, where it is unbound
	Next               problem.Step      `json:"-"`                    // what would make it verify
	Suggestion         string            `json:"suggestion,omitempty"` // Next in words: its own, or those of the program that prints it
	Nearest            *Place            `json:"nearest,omitempty"`
	Warnings           []Warning         `json:"warnings,omitempty"`
	FormattedReference string            `json:"formatted_reference,omitempty"`
	SummaryNote        string            `json:"summary_note"`
	Repeated           bool              `json:"repeated,omitempty"` // an earlier call with the same key registered it
	Checks             []ledger.Check    `json:"checks"`             // what was checked, in order

	section   string // the section that the caller's locator names
	judgement judge.Judgement
}

// Err returns nil for a verified citation, else an problem.Error of kind
// VerificationFailed, Unverified or VerificationTimeout (pending) whose Partial is the
// result.
// The citation is registered in every case.
func (r *CiteResult) Err() error {
	switch ledger.Status(r.VerificationStatus) {
	case ledger.Verified:
		return nil
	case ledger.Pending:
		return &problem.Error{Kind: problem.Timeout, Message: r.VerificationNotes, Next: r.Next, Partial: r}
	case ledger.Unverified:
		return &problem.Error{Kind: problem.Unverified, Message: r.VerificationNotes, Next: r.Next, Partial: r}
	}
	return &problem.Error{Kind: problem.Verification, Message: r.VerificationNotes, Next: r.Next, Partial: r}
}

// finish fills in the summary, the error type, the location and the reference.
func (r *CiteResult) finish() {
	r.SummaryNote = summarize(r)
	var failure *problem.Error
	if errors.As(r.Err(), &failure) {
		r.ErrorType, r.Suggestion = string(failure.Kind), failure.Hint()
	}
	if r.Span != "" {
		r.MatchedLocation = &Location{Artifact: r.Artifact, Name: r.Name, Span: r.Span, Locator: r.Locator}
		r.FormattedReference = fmt.Sprintf("[%d] %s, %s", r.CitationID, r.Name, describePlace(r.Span, r.Locator))
	}
}

// note adds remarks to the notes; the verdict stays.
func (r *CiteResult) note(notes ...string) {
	for _, n := range notes {
		r.VerificationNotes = strings.TrimPrefix(r.VerificationNotes+"; "+n, "; ")
	}
}

// warn adds an error to the warnings; the verdict stays.
func (r *CiteResult) warn(e *problem.Error) {
	r.Warnings = append(r.Warnings, Warning{ErrorType: string(e.Kind), Message: e.Message, Next: e.Next, Suggestion: e.Hint()})
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
	ErrorType  string       `json:"error_type"`
	Message    string       `json:"message"`
	Next       problem.Step `json:"-"`
	Suggestion string       `json:"suggestion"` // Next in words: its own, or those of the program that prints it
}

// A Place is a span and the words there.
type Place struct {
	Span string `json:"span"`
	Text string `json:"text"`
}

// describePlace returns a place in words: page, chapter, section, time, row, line
// and span, those that are given.
func describePlace(span string, locator map[string]string) string {
	var parts []string
	for _, w := range []struct{ key, word string }{{"page", "p. "}, {"chapter", "chapter "}, {"section", ""}, {"time", "at "}, {"row", "row "}, {"line", "line "}, {"region", "region "}, {"made", ""}} {
		if v := locator[w.key]; v != "" {
			parts = append(parts, w.word+v)
		}
	}
	if span != "" {
		parts = append(parts, span)
	}
	return strings.Join(parts, ", ")
}

// summarize returns one line for a conversation about the whole call: the source as it was
// registered, the place, and the verdict.
func summarize(r *CiteResult) string {
	name := r.Name
	if r.SourceName != "" {
		name = r.SourceName
	}
	at := r.Span
	if place := describePlace("", r.Locator); place != "" {
		at += " (" + place + ")"
	} else if r.section != "" {
		at += " (" + legible.Printable(r.section) + " as given)"
	}
	switch {
	case r.VerificationStatus == string(ledger.Verified) && r.Judge != "":
		return fmt.Sprintf("cited %s %s, %s match; judged by %s to follow", name, at, r.Match, r.Judge)
	case r.Judge != "":
		return fmt.Sprintf("%s %s found, %s match; %s judged that the claim follows, and nobody else", name, at, r.Match, r.Judge)
	case r.VerificationStatus == string(ledger.Verified):
		return fmt.Sprintf("cited %s %s, %s match; the claim follows", name, at, r.Match)
	case r.Match == string(cite.Ambiguous):
		return fmt.Sprintf("not verified: the words are at %d places in %s", len(r.Places), name)
	case r.VerificationStatus == string(ledger.Failed) && slices.ContainsFunc(r.Checks, func(k ledger.Check) bool { return k.Step == "input" && k.Result == "fail" }):
		return fmt.Sprintf("not cited: %s %s is there, and what it was made from is not", name, at)
	case r.VerificationStatus == string(ledger.Failed) && r.Span != "":
		return fmt.Sprintf("not cited: %s %s is there and contradicts the claim", name, at)
	case r.Match == string(cite.NoWords):
		return fmt.Sprintf("%s %s is there; nobody has judged whether it shows the claim", name, at)
	case r.VerificationStatus == string(ledger.Pending):
		return fmt.Sprintf("%s %s found, not judged yet", name, at)
	case r.Span != "":
		return fmt.Sprintf("%s %s found; not shown that the claim follows", name, at)
	}
	return fmt.Sprintf("not cited: %s match in %s", r.Match, name)
}
