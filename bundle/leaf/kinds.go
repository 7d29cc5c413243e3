package leaf

import (
	"muniment/cite"
	"muniment/snapshot"
)

// The types of leaves. Of claims, citations and gates there are two versions: the
// first has no roles, names of sources and scores. Questions are of the second
// only, reviews of the third only, all other kinds of the first.
const (
	Type1 = "muniment/leaf/v1"
	Type2 = "muniment/leaf/v2"
	Type3 = "muniment/leaf/v3"
)

// A Kind says what a leaf holds.
type Kind string

// The kinds of leaves. There is one Go struct for each.
const (
	KindClaim   Kind = "claim"   // one asserted proposition and its rung
	KindCite    Kind = "cite"    // the public half of a citation: handle and relation
	KindSource  Kind = "source"  // the sealed half: artifact, snapshot, span, quote and proofs
	KindChunk   Kind = "chunk"   // a piece of an excerpt
	KindGate    Kind = "gate"    // what a gate saw and decided
	KindRefusal Kind = "refusal" // a refusal as shown
	KindRemoved Kind = "removed" // a topic that was cut
	KindDisplay Kind = "display" // which leaves were shown, in which order
	KindPad     Kind = "pad"     // nothing; makes the number of leaves say nothing

	KindQuestion Kind = "question" // what was asked, where its requestor lets it be shown
	KindReviews  Kind = "reviews"  // what persons said of a citation
)

// Header begins every leaf. In a draft all of it is left empty.
type Header struct {
	Type   string `json:"type"`
	Answer string `json:"answer"` // the statement's id: 32 hex digits
	Index  int    `json:"index"`  // position among the leaves, from 0
	Kind   Kind   `json:"kind"`
	Salt   string `json:"salt"` // 64 hex digits, fresh for each leaf
}

// Head returns h: every leaf embeds its header.
func (h *Header) Head() *Header { return h }

// A Leaf is one of *Claim, *Cite, *Source, *Chunk, *Gate, *Refusal, *Removed,
// *Display, *Pad, *Question and *Reviews.
type Leaf interface {
	Head() *Header
	// kind returns the kind of the Go type.
	kind() Kind
	// check returns what is wrong with the leaf by itself, whatever the others hold.
	check() error
	// refs appends the leaves this one refers to, with the kind each must have.
	refs(to []Ref) []Ref
	// remap returns a copy with every reference i replaced by to[i].
	remap(to []int) Leaf
}

// A Claim is one asserted proposition of the answer.
type Claim struct {
	Header
	Claim      int       `json:"claim"` // ordinal in the answer, from 1
	Text       string    `json:"text"`
	Rung       cite.Rung `json:"rung"`           // "" for the role nearest: it stands in the gate leaf
	Role       cite.Role `json:"role,omitempty"` // set by Assemble to answer when empty; "" in the first version only
	Restricted bool      `json:"restricted"`     // some of its evidence may not be shown
	Cites      []int     `json:"cites"`          // cite leaves
	Gate       int       `json:"gate"`           // the gate leaf with the inputs of the rung
}

// A Cite is what a requestor learns of a citation. It resolves nowhere outside
// its bundle.
type Cite struct {
	Header
	Claim       int           `json:"claim"`  // ordinal of the claim it supports
	Handle      string        `json:"handle"` // "Source A"; set by Assemble
	Relation    cite.Relation `json:"relation"`
	Label       string        `json:"label"`       // Label(Relation); set by Assemble when empty
	Contradicts bool          `json:"contradicts"` // the source speaks against the claim: no reduction may drop it
	Restricted  bool          `json:"restricted"`  // the person's instructions withhold the excerpt; Chunks is empty
	Chunks      []int         `json:"chunks"`      // chunk leaves in reading order, together one contiguous excerpt
	Source      int           `json:"source"`      // the source leaf

	// What the paper is called and of which day it is, as its record says, where
	// the requestor may know both; else "".
	Title string `json:"title,omitempty"`
	Date  string `json:"date,omitempty"`
}

// A Chunk is a piece of an excerpt. Chunks that are not disclosed render as a
// visible gap.
type Chunk struct {
	Header
	Text string `json:"text"`
}

// A Source is everything an auditor needs to check a citation with no archive
// at hand. NewSource makes one.
type Source struct {
	Header
	Citation     string         `json:"citation"`      // content ID of CitationJSON
	CitationJSON string         `json:"citation_json"` // the citation as the archive seals it
	Artifact     string         `json:"artifact"`      // ID of the payload; of the record for a metadata_fact
	Record       string         `json:"record"`        // content ID of RecordJSON
	Snapshot     string         `json:"snapshot"`      // ID of Commit
	Seq          int64          `json:"seq"`
	Span         string         `json:"span"` // p4:0-41, l118:0-20, meta:<field>:0-9
	QuoteSHA256  string         `json:"quote_sha256"`
	Prefix       string         `json:"prefix"` // up to 32 code points before the span
	Suffix       string         `json:"suffix"` // and after it
	Quote        string         `json:"quote"`
	Paragraphs   []Paragraph    `json:"paragraphs"` // the units the span touches, in order; none for a meta span
	RecordJSON   string         `json:"record_json"`
	RecordProof  snapshot.Proof `json:"record_proof"` // of the record's line to the snapshot's Muniment-Root
	Commit       string         `json:"commit"`       // content of the signed snapshot commit
}

// A Paragraph is one unit of a text, paragraph or line, with its way to the
// root in the record.
type Paragraph struct {
	Kind    string   `json:"kind"`    // "p" or "l"
	Ordinal int      `json:"ordinal"` // from 1
	Text    string   `json:"text"`
	Proof   []string `json:"proof"` // hashes in hex, from the leaf to the root
}

// Stage names the gate that wrote a gate leaf.
type Stage string

// The four gates that decide.
const (
	StageCategory Stage = "category" // may the question be attempted at all
	StageRank     Stage = "rank"     // does a quote answer the question: which role its score gives
	StageCoverage Stage = "coverage" // which rung does the evidence give
	StageConsent  Stage = "consent"  // what may be shown
)

// A Gate is what one gate saw and decided. A coverage gate's Rung and Failed
// follow from Inputs by the rung table, and a rank gate's Role from Rank by the
// weights, so that everyone can judge again.
type Gate struct {
	Header
	Stage    Stage             `json:"stage"`
	Claim    int               `json:"claim"`     // ordinal of the claim; 0 for the answer as a whole
	Query    string            `json:"query"`     // the question, at the category stage only
	Inputs   cite.GateInput    `json:"inputs"`    // at the coverage stage, else zero
	Rung     cite.Rung         `json:"rung"`      // at the coverage stage, else ""
	Failed   []cite.FailedTest `json:"failed"`    // the failed test of every higher rung
	Table    string            `json:"table"`     // version of the rung table; set by Assemble at the coverage stage
	TrueKind string            `json:"true_kind"` // the kind of refusal as it was, whatever is shown; "" when nothing was refused
	Notes    []string          `json:"notes"`

	Role  cite.Role     `json:"role,omitempty"`  // at the rank stage: what Rank gives, "" for neither
	Rank  *cite.Ranking `json:"rank,omitempty"`  // at the rank stage, and there always
	Judge *Judge        `json:"judge,omitempty"` // at the coverage stage, where a model was asked; else nil
}

// A Judge is a model that was asked whether a claim follows from its words.
type Judge struct {
	Model        string `json:"model"`
	PromptSHA256 string `json:"prompt_sha256"` // in hex
	ReplySHA256  string `json:"reply_sha256"`
	Verdict      string `json:"verdict"` // one of JudgeVerdicts
}

// JudgeVerdicts are the possible verdicts of a judge on a claim.
var JudgeVerdicts = []string{"yes", "no", "doubt"}

// A Refusal replaces an answer, or the answer to one part of the question.
type Refusal struct {
	Header
	RefusalKind string   `json:"refusal_kind"` // the kind shown: one of RefusalKinds
	Message     string   `json:"message"`
	Suggestions []string `json:"suggestions"`
	Topic       string   `json:"topic"` // the part of the question; "" for all of it
}

// RefusalKinds are the kinds of refusals.
var RefusalKinds = []string{"category", "retrieval", "coverage", "consent", "assembly"}

// A Removed is a topic that was cut from the answer.
type Removed struct {
	Header
	Topic  string `json:"topic"`
	Reason string `json:"reason"`
}

// A Display lists the leaves that were shown. Assemble makes the only one.
type Display struct {
	Header
	Shown         []int     `json:"shown"` // every disclosed leaf but this one, in rendering order
	Keep          []int     `json:"keep"`  // those of them that no reduction may drop, ascending
	OutcomeRung   cite.Rung `json:"outcome_rung"`
	RequestorTier string    `json:"requestor_tier"`
}

// A Question is what was asked, as far as its requestor lets it be shown.
type Question struct {
	Header
	Text string `json:"text"`
}

// A Pad holds nothing but its salt.
type Pad struct {
	Header
}

// Label returns the words a requestor reads for a relation.
func Label(r cite.Relation) string {
	switch r {
	default:
		return ""
	case cite.DirectQuote:
		return "their words"
	case cite.Paraphrase:
		return "paraphrased"
	case cite.InferenceFrom:
		return "interpreted from"
	case cite.MetadataFact:
		return "record of the archive"
	case cite.Aggregation:
		return "counted from"
	}
}
