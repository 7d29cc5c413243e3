package enforce

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Version is the version member of the answer contract, and KwanzaaVersion that of
// its view for programs that know the contract by its first name.
const (
	Version        = "muniment.answer.v1"
	KwanzaaVersion = "kwanzaa.answer.v1"
)

// Values of the contract's closed members.
var (
	Completeness = []string{"complete", "partial", "insufficient_data"}
	Confidences  = []string{"none", "low", "medium", "high"}
	Fallbacks    = []string{"not_needed", "refusal", "creative_generation", "clarification_requested"}
)

// The values that a refusal has.
const (
	InsufficientData = "insufficient_data"
	FallbackRefusal  = "refusal"
	FallbackNone     = "not_needed"
	FallbackCreative = "creative_generation" // the lines of the answer are for a text that is to be made up
)

// An Answer is the answer contract. Its members, and no other, are in the JSON,
// all of them always.
type Answer struct {
	Version   string    `json:"version"` // Version
	Persona   string    `json:"persona"` // name of the profile
	Answer    Text      `json:"answer"`
	Sources   []Source  `json:"sources"`
	Retrieval Retrieval `json:"retrieval_summary"`
	Unknowns  Unknowns  `json:"unknowns"`
	Integrity Integrity `json:"integrity"`
	Refusal   *Figures  `json:"refusal,omitempty"` // of a refusal by a profile's thresholds
}

// Figures say why a profile's thresholds refused a question.
type Figures struct {
	Reason          Reason  `json:"reason"`
	Threshold       float64 `json:"threshold"` // least similarity of the best passage
	Actual          float64 `json:"actual"`    // the best similarity found
	SourcesRequired int     `json:"sources_required"`
	SourcesFound    int     `json:"sources_found"` // different ones that count
	PrimaryFound    int     `json:"primary_sources_found"`
}

// Figures returns the figures of a refusal; nil of anything else.
func (d *Decision) Figures() *Figures {
	if d == nil || !d.Refuse {
		return nil
	}
	return d.Measured()
}

// Measured returns the figures of a decision, refused or not.
func (d *Decision) Measured() *Figures {
	hundredths := func(x float64) float64 { return math.Round(x*100) / 100 }
	return &Figures{d.Reason, hundredths(d.Threshold), hundredths(d.Best), d.MinSources, d.Sources, d.Primary}
}

// Kwanzaa returns the answer as the view of the contract's first name has it: with that
// version, and no member of ours.
func (a Answer) Kwanzaa() *Answer {
	a.Version, a.Refusal = KwanzaaVersion, nil
	return &a
}

// Text is the text of a response.
type Text struct {
	Text         string `json:"text"`
	Completeness string `json:"completeness"` // one of Completeness
}

// A Source is one citation as it is displayed. The handle resolves within this
// answer only; artifact, snapshot and span are those of an auditor's view and
// empty in any other.
type Source struct {
	Handle     string `json:"handle"`
	Relation   string `json:"relation"`
	Label      string `json:"label"`
	Claim      string `json:"claim"`
	Excerpt    string `json:"excerpt"`
	Restricted bool   `json:"restricted"`
	Artifact   string `json:"artifact"`
	Snapshot   string `json:"snapshot"`
	Span       string `json:"span"`
}

// Retrieval describes the search. Results are the cited ones, by handle; uncited results are left
// out.
type Retrieval struct {
	Query      string   `json:"query"` // as asked; it goes back to whoever asked, and into no log
	TopK       int      `json:"top_k"`
	Namespaces []string `json:"namespaces"`
	Results    []Found  `json:"results"`
}

// Found is one result.
type Found struct {
	Handle string  `json:"handle"`
	Score  float64 `json:"score"` // similarity, 0 to 1, to two places
}

// Unknowns lists the unanswered parts of a question.
type Unknowns struct {
	UnsupportedClaims   []string `json:"unsupported_claims"`
	MissingContext      []string `json:"missing_context"`
	ClarifyingQuestions []string `json:"clarifying_questions"`
}

// Integrity says by which rules.
type Integrity struct {
	CitationRequired    bool   `json:"citation_required"`
	CitationsProvided   bool   `json:"citations_provided"`
	RetrievalConfidence string `json:"retrieval_confidence"` // one of Confidences
	FallbackBehavior    string `json:"fallback_behavior"`    // one of Fallbacks
}

// Validate reports the first member of an answer that contradicts another. An
// answer may be without sources only as a refusal for want of data, and a
// refusal has no sources, says what is missing and provides no citations.
func (a *Answer) Validate() error {
	refusal := a.Integrity.FallbackBehavior == FallbackRefusal
	switch {
	case a.Version != Version:
		return fmt.Errorf("version %q, want %q", a.Version, Version)
	case a.Persona == "":
		return errors.New("persona is empty")
	case a.Answer.Text == "":
		return errors.New("answer.text is empty")
	case !slices.Contains(Completeness, a.Answer.Completeness):
		return fmt.Errorf("answer.completeness %q is not known", a.Answer.Completeness)
	case !slices.Contains(Confidences, a.Integrity.RetrievalConfidence):
		return fmt.Errorf("integrity.retrieval_confidence %q is not known", a.Integrity.RetrievalConfidence)
	case !slices.Contains(Fallbacks, a.Integrity.FallbackBehavior):
		return fmt.Errorf("integrity.fallback_behavior %q is not known", a.Integrity.FallbackBehavior)
	case refusal != (a.Answer.Completeness == InsufficientData):
		return fmt.Errorf("fallback_behavior %q with completeness %q: a refusal, and nothing else, has insufficient data", a.Integrity.FallbackBehavior, a.Answer.Completeness)
	case len(a.Sources) == 0 && !refusal:
		return errors.New("sources is empty and the answer is no refusal")
	case len(a.Sources) > 0 && refusal:
		return fmt.Errorf("a refusal with %d sources", len(a.Sources))
	case refusal && len(a.Unknowns.MissingContext) == 0:
		return errors.New("unknowns.missing_context of a refusal is empty")
	case a.Integrity.CitationsProvided != (len(a.Sources) > 0):
		return fmt.Errorf("citations_provided %v with %d sources", a.Integrity.CitationsProvided, len(a.Sources))
	case a.Retrieval.TopK < 0:
		return fmt.Errorf("retrieval_summary.top_k is %d", a.Retrieval.TopK)
	case a.Sources == nil || a.Retrieval.Namespaces == nil || a.Retrieval.Results == nil ||
		a.Unknowns.UnsupportedClaims == nil || a.Unknowns.MissingContext == nil || a.Unknowns.ClarifyingQuestions == nil:
		return errors.New("a list is null, want an array")
	}
	handles := map[string]bool{}
	for i, s := range a.Sources {
		if s.Handle == "" || s.Relation == "" {
			return fmt.Errorf("sources[%d] has no handle or no relation", i)
		}
		handles[s.Handle] = true
	}
	for i, r := range a.Retrieval.Results {
		if !handles[r.Handle] {
			return fmt.Errorf("retrieval_summary.results[%d] is of %q, which is no source", i, r.Handle)
		}
		if math.IsNaN(r.Score) || r.Score < 0 || r.Score > 1 {
			return fmt.Errorf("retrieval_summary.results[%d] has the score %v, want 0 to 1", i, r.Score)
		}
	}
	return nil
}

// Encode returns the JSON of an answer after validating it.
func (a *Answer) Encode() ([]byte, error) {
	checked := *a
	if a.Version == KwanzaaVersion && a.Refusal == nil {
		checked.Version = Version
	}
	if err := checked.Validate(); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(a); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
