package answer

import (
	"context"
	"errors"

	"muniment/answer/budget"
	"muniment/answer/gate"
	"muniment/archive/holdings"
	"muniment/archive/search"
	"muniment/bundle"
	"muniment/bundle/leaf"
	"muniment/canon"
	"muniment/cid"
	"muniment/cite"
	"muniment/draft/enforce"
	"muniment/draft/profile"
	"muniment/engine"
	"muniment/judge/model"
	"muniment/policy"
	"muniment/search/retrieve"
	"muniment/snapshot"
	"muniment/snapshot/access"
	"muniment/snapshot/record"
)

// ErrAssembly wraps whatever kept a finished answer from being signed and
// logged. Nothing was delivered.
var ErrAssembly = errors.New("the answer was not assembled")

// MaxClaims is how many claims of a draft one bundle takes: each makes up to ten
// leaves, and a bundle has at most 4096.
const MaxClaims = 400

// ErrTooManyClaims is wrapped by the error about a draft that is too long.
var ErrTooManyClaims = errors.New("too many claims")

// maxClaim is the most bytes of a claim of a draft with its escapes: leaves repeat it, and a
// leaf has at most 64 KiB.
const maxClaim = 48 << 10

// ErrLongClaim is wrapped by the error about a sentence that no leaf holds.
var ErrLongClaim = errors.New("a sentence is too long")

// A View is one snapshot as the pipeline reads it. Its functions are called
// for artifacts that retrieval found, never before the category filter has let
// the question pass.
type View struct {
	Snapshot *snapshot.Snapshot
	CoversTo string   // newest date of the archive, in EDTF, or ""
	Names    []string // names that tie a question to the archive

	// Unaccepted has the artifacts that programs brought in and nobody accepted: no answer rests on them.
	Unaccepted []string

	Record func(artifact cid.ID) (StoredRecord, error)
	// Dated calls each for the artifacts of a period that are not withdrawn, with the record
	// that describes them, until each returns false: for questions about records, and for
	// what a refusal names as nearest. Undated does so for those of a kind without a date,
	// Described for those whose description has some words. Without the three there are none.
	Dated     func(holdings.Period, Visit) error
	Undated   func(kind string, visit Visit) error
	Described func(words []string, visit Visit) error
	Document  func(artifact cid.ID) (*canon.Document, error)
	// Mentions reports whether a record that the requestor may know of names one
	// of the words: the look at metadata that a borderline question gets. It
	// reads no document. Without it a borderline question stays refused.
	Mentions func(words []string) (bool, error)
	// Sends reports whether words of an artifact may be sent to the model of a purpose, and
	// writes down that they are; nil is everything.
	Sends func(purpose string, artifact cid.ID) (bool, error)
	// Hidden lists artifacts that a requestor may not know of: they are left out
	// of what search computes. Without it there are none to leave out.
	Hidden  func(who policy.Requestor) ([]string, error)
	Consent func(artifact cid.ID) (*access.Consent, error) // nil for the archive's default
	Paper   func(artifact cid.ID) (*policy.Paper, error)   // whose it is; without it no paper is withheld whole for its persons
	Proof   func(path string) (*snapshot.Proof, error)     // of a line of the snapshot
	// ProofIn returns the proof of a file of an earlier snapshot; the file of a review, for one.
	ProofIn func(in *snapshot.Snapshot, path string) (*snapshot.Proof, error)
}

// A Visit is called with an artifact and its record, and reports whether to go on.
type Visit func(artifact cid.ID, rec *record.Record) (more bool, err error)

// A StoredRecord is a record and its canonical bytes.
type StoredRecord struct {
	ID     cid.ID
	Record *record.Record
	JSON   []byte
}

// A Pipeline answers questions from one snapshot.
type Pipeline struct {
	View   View
	Policy *policy.Policy
	// Profile has the thresholds of an answer; the zero one has none.
	Profile profile.Profile
	// Searched says which share of the snapshot every search looked at; nil where nothing
	// was searched. What says that something is in no text is signed only of the whole.
	Searched *search.Coverage
	// IndexNotice says what was searched where the index was not of the whole snapshot
	// yet when Index opened it.
	IndexNotice string
	// Index opens the search index of the snapshot. It is called after the
	// category filter only.
	Index func(context.Context) (retrieve.Index, error)
	// LogNotice says that the answer log begins another epoch, and why; "" where it
	// goes on.
	LogNotice string
	// Stranger says that the archive does not name the signing key as one for answers.
	// The bundle then says so too.
	Stranger bool
	// Draft asks a model for an answer from passages. Without it, and wherever
	// nothing of a draft can be delivered, the archive's own words are.
	Draft func(context.Context, model.DraftRequest) (model.Draft, error)
	// Judge asks a model whether a claim follows from words that the rules leave open.
	Judge func(context.Context, model.Question) (model.Judgement, error)
	// JudgeDrafts says that Judge is the model of Draft. What it drafted is then not judged: nobody judges its own sentence.
	JudgeDrafts bool
	// Reviewed returns the citations of exactly a claim that persons reviewed; nil where nobody is asked.
	Reviewed func(claim string) ([]engine.ReviewedClaim, error)
	// Rerank asks a model how well passages answer a question.
	Rerank func(ctx context.Context, query string, passages []string) (model.Reranking, error)
	// Classify asks a model for the category of a question that the rules passed
	// with a doubt. It can make that decision stricter and no other.
	Classify func(context.Context, model.ClassifyRequest) (model.Classification, error)
	// Freeform lists drafted text that cites nothing as NotFromArchive instead
	// of dropping it: the profile and the signed policy both allow it.
	Freeform bool
	Env      bundle.Env
}

// A Request is who asks, and what binds the answer to the question: a nonce, or
// what bundle.RequestMAC made of the nonce and the question on the requestor's
// side. MAC is used where it is not nil.
type Request struct {
	Requestor policy.Requestor
	Account   string // under which the ledger keeps what the requestor was shown and refused
	Nonce     []byte
	MAC       *[32]byte
	// Cut lists what was cut from a draft before it came here: it is listed with
	// what is removed.
	Cut []RemovedTopic
	// Toggles set what citations are required differently from the profile.
	Toggles enforce.Toggles
	// Private leaves the question out of what the bundle shows.
	Private bool
	// Budget is the requestor's account. Without one nothing is metered.
	Budget *budget.Account
}

// A Response is a bundle and what it says.
type Response struct {
	Bundle    *bundle.Bundle
	Outcome   cite.Rung
	Claims    []Claim
	Removed   []RemovedTopic
	Refusal   *gate.Refusal // set when Outcome is refused
	Category  string        // of a category refusal
	TrueKind  gate.Kind     // of a refusal, for the ledger: not for the requestor
	TrueStage leaf.Stage    // the gate that refused
	// Unanswered says that the response counts as a refusal: it is one, or nothing but
	// nearest passages are shown. FailedTest is then the test that the first topic
	// failed, as display and sealed layer have it; "" of a category refusal.
	Unanswered bool
	FailedTest string
	Notices    []string
	Counts     cite.ClaimCounts // of a draft: its claims, delivered and removed
	Freeform   []string         // text that cites nothing, let through; each is in Removed too
	Withheld   []Withheld       // by the budget
	Type       enforce.QueryType
	Enforced   *enforce.Decision // nil where retrieval was not reached
	Decision   gate.Decision     // of the category filter
	// Segmentation counts the places at which a draft could not be cut into claims, or
	// could be cut in two ways, by the reason.
	Segmentation map[string]int
	TopK         int // passages that were looked at for one part of the question
}

// passagesPerPart is how many passages are looked at for one part of a
// question or one claim of a draft: enough for the right one to be among them
// when others share its words.
const passagesPerPart = 32

// A Claim is one delivered claim.
type Claim struct {
	Text       string
	Rung       cite.Rung // "" for the role nearest
	Role       cite.Role // nearest, or answer; "" is an answer that was not scored
	Restricted bool
	Judge      string   // the model that judged that it follows from its words; "" for none
	Notes      []string // who wrote the words, and which other papers have them
	Citation   Citation
	Also       []Citation // of other papers that say the same, after Citation in the bundle
	Records    []Citation // all citations of a claim that rests on records, in the order of the bundle's
}

// A Citation is the evidence of a delivered claim: what its reader may see,
// and where it is.
type Citation struct {
	Relation cite.Relation
	Excerpt  gate.Excerpt
	Notice   string

	Artifact cid.ID
	Span     cite.Span
	Meta     string // in the place of Span, where Artifact is a record
	Quote    string

	Passage budget.Range // what is shown of the artifact, in code points of its text
	Fresh   int          // of them, not shown to the requestor before

	Similarity float64 // of the cited words to the question or the claim, 0 to 1
}

// A RemovedTopic is a topic that was asked or drafted and is not delivered.
type RemovedTopic struct {
	Topic  string `json:"topic"`
	Reason string `json:"reason"`
}

// Place returns the citation's span or meta span.
func (c Citation) Place() string {
	if c.Meta != "" {
		return c.Meta
	}
	return c.Span.String()
}
