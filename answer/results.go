package answer

import (
	"muniment/answer/enforce"
)

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
type RemovedTopic struct {
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
	Outcome   string         `json:"outcome"` // supported, narrowed, labeled, refused
	Claims    []AnswerClaim  `json:"claims"`
	Removed   []RemovedTopic `json:"removed"`
	Refusal   *Refusal       `json:"refusal"`
	Notices   []string       `json:"notices,omitempty"`
	Freeform  []string       `json:"freeform,omitempty"` // not from the archive: text that cites nothing, where profile and policy let it through
	Bundle    string         `json:"bundle"`             // path of the complete, sealed bundle
	Display   string         `json:"display,omitempty"`  // path of the display copy, when one was asked for
	BundleID  string         `json:"bundle_id"`
	Snapshot  string         `json:"snapshot"`
	Profile   string         `json:"profile"`
	Requestor string         `json:"requestor,omitempty"`
	Tier      string         `json:"tier"`
	Nonce     string         `json:"request_nonce,omitempty"` // keep it: it proves later which question was asked; "" where the requestor has it

	// Contract is the same in the form of the answer contract, of Ask only.
	Contract *enforce.Answer `json:"-"`

	Budget *BudgetInfo `json:"budget,omitempty"` // after this answer; auditors have none
}
