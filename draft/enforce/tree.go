package enforce

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// A Reason is why a question was refused.
type Reason string

// The reasons of the tree, in its order.
const (
	InsufficientRetrieval Reason = "insufficient_retrieval"
	NoCiteableContent     Reason = "no_citeable_content"
	LowSimilarityScore    Reason = "low_similarity_score"
	BelowMinSources       Reason = "below_min_sources"
	NoPrimarySources      Reason = "no_primary_sources"
)

// Reasons are all reasons of the tree.
var Reasons = []Reason{InsufficientRetrieval, NoCiteableContent, LowSimilarityScore, BelowMinSources, NoPrimarySources}

// A Result is one passage that retrieval found.
type Result struct {
	Name       string   // of the document, for people; may be empty
	Source     string   // key of the registered source; equal for two passages of one
	Place      string   // where in it, such as a span; "" when that is not known
	Similarity float64  // 0 to 1
	Primary    bool     // a source of tier 1
	Missing    []string // members of the citation's metadata that are not known
}

// citeable reports whether a result can be cited.
func (r Result) citeable(strict bool) bool {
	return r.Source != "" && r.Place != "" && !(strict && len(r.Missing) > 0)
}

// MaxNearest is the most nearest passages that a profile may have shown for a part
// of a question: what three do not answer, more of them do not either, and each
// is charged to the budget.
const MaxNearest = 3

// Thresholds are a profile's minimums for the passages that a search found.
type Thresholds struct {
	CitationsRequired bool `json:"citations_required"` // false: a creative question goes on to drafting whatever was found
	SimilarityPercent int  `json:"similarity_percent"` // least similarity of the best passage
	MinSources        int  `json:"min_sources"`        // distinct sources
	PrimaryOnly       bool `json:"primary_only"`       // only sources of tier 1 count
	Strict            bool `json:"strict"`             // only sources with complete metadata count

	// Nearest is how many passages are shown for a part of a question that nothing
	// answers; nil in profiles of the first version.
	Nearest *int `json:"nearest,omitempty"`
}

// MostNearest returns how many nearest passages are shown for a part of a question.
// Where a profile of the first version requires citations, a refusal has no sources.
func (t Thresholds) MostNearest() int {
	switch {
	case t.Nearest != nil:
		return *t.Nearest
	case t.CitationsRequired:
		return 0
	}
	return MaxNearest
}

// Toggles are a caller's deviations from the profile. Nil leaves the profile's own.
type Toggles struct {
	CitationsRequired *bool
	PrimaryOnly       *bool
}

// A Decision is what the tree says of one question.
type Decision struct {
	Refuse      bool
	Reason      Reason // "" unless Refuse
	Type        QueryType
	Required    bool // whether citations were required
	Message     string
	Gaps        []string // what is missing, one line each
	Suggestions []string
	Questions   []string // that could narrow it down

	// What was measured, refused or not.
	Best       float64 // best similarity of a citeable result; of any, where none is
	Threshold  float64
	Results    int
	Citeable   int
	Sources    int       // different ones that count
	Primary    int       // of them
	MinSources int       // sources that the profile asks for
	Lacking    string    // "primary " where it is primary sources that are too few
	Unnamed    []Unnamed // results that a strict profile cannot cite, with what they lack
}

// Unnamed is a document whose metadata is incomplete.
type Unnamed struct {
	Name    string   `json:"name"`
	Missing []string `json:"missing"`
}

// Evaluate walks down the tree. It takes time linear in the number of results.
func Evaluate(query QueryType, results []Result, t Thresholds, toggles Toggles) Decision {
	d := Decision{Type: query, Required: t.CitationsRequired, Threshold: float64(t.SimilarityPercent) / 100, Results: len(results), MinSources: t.MinSources}
	primaryOnly := t.PrimaryOnly
	if toggles.PrimaryOnly != nil {
		primaryOnly = *toggles.PrimaryOnly
	}
	d.measure(results, t.Strict)
	if toggles.CitationsRequired != nil {
		d.Required = *toggles.CitationsRequired
	}
	if !d.Required {
		if query == Creative || !t.CitationsRequired {
			return d
		}
		d.Required = true // the profile's default
	}
	switch {
	case d.Results == 0:
		d.Reason = InsufficientRetrieval
	case d.Citeable == 0:
		d.Reason = NoCiteableContent
	case !reaches(d.Best, t.SimilarityPercent):
		d.Reason = LowSimilarityScore
	case d.Sources < t.MinSources:
		d.Reason = BelowMinSources
	case primaryOnly && d.Primary == 0:
		d.Reason = NoPrimarySources
	case primaryOnly && d.Primary < t.MinSources:
		d.Reason, d.Lacking = BelowMinSources, "primary "
	default:
		return d
	}
	d.Refuse = true
	d.words(t)
	return d
}

// reaches reports whether a similarity is at a threshold or above: in whole
// ten-thousandths, so that what was computed as 0.7999999 for four of five
// words does not fail.
func reaches(similarity float64, percent int) bool {
	return math.Round(similarity*10_000) >= float64(percent*100)
}

// measure counts the sources and the best similarity of the results.
func (d *Decision) measure(results []Result, strict bool) {
	best := 0.0
	sources, primary := map[string]bool{}, map[string]bool{}
	for _, r := range results {
		best = max(best, r.Similarity)
		if !r.citeable(strict) {
			if len(r.Missing) > 0 && !slices.ContainsFunc(d.Unnamed, func(u Unnamed) bool { return u.Name == r.Name }) {
				d.Unnamed = append(d.Unnamed, Unnamed{r.Name, r.Missing})
			}
			continue
		}
		d.Citeable++
		d.Best = max(d.Best, r.Similarity)
		if !reaches(r.Similarity, int(math.Round(d.Threshold*100))) {
			continue
		}
		sources[r.Source] = true
		if r.Primary {
			primary[r.Source] = true
		}
	}
	if d.Citeable == 0 {
		d.Best = best
	}
	d.Sources, d.Primary = len(sources), len(primary)
}

// SuggestDescribe is the suggestion of a refusal for want of metadata.
const SuggestDescribe = "Register the sources again with title, creator and date"

// counted returns how many of the sources that are too few there are.
func (d *Decision) counted() int {
	if d.Lacking != "" {
		return d.Primary
	}
	return d.Sources
}

// words writes the message, the gaps and the suggestions of a refusal.
func (d *Decision) words(t Thresholds) {
	switch d.Reason {
	case InsufficientRetrieval:
		d.Message = "I cannot provide a cited answer to this query because no relevant documents were found in the current corpus. " +
			"To maintain accuracy and trust, I must refuse rather than provide an uncited response."
		d.Gaps = []string{"No relevant documents found in the corpus"}
		d.Suggestions = []string{"Try rephrasing your query with different keywords", "The corpus may need expansion to cover this topic"}
	case NoCiteableContent:
		d.Message = "I cannot provide a cited answer because the retrieved documents lack the metadata that a citation needs. " +
			"To maintain accuracy and trust, I must refuse rather than cite incomplete sources."
		d.Gaps = []string{fmt.Sprintf("%d retrieved document(s) lack complete citation metadata", d.Results)}
		const most = 5 // documents that are named
		for i, u := range d.Unnamed {
			if u.Name != "" && i < most {
				d.Gaps = append(d.Gaps, fmt.Sprintf("%s has no %s", u.Name, strings.Join(u.Missing, ", no ")))
			}
		}
		d.Suggestions = []string{SuggestDescribe, "Ask in a profile that is not strict about metadata"}
	case LowSimilarityScore:
		d.Message = fmt.Sprintf("I cannot provide a cited answer because the retrieved documents have low relevance (best: %.2f, required: %.2f). "+
			"To maintain accuracy, I must refuse rather than cite insufficient sources.", d.Best, d.Threshold)
		d.Gaps = []string{fmt.Sprintf("Retrieved documents have low relevance (best: %.2f, required: %.2f)", d.Best, d.Threshold)}
		d.Suggestions = []string{"Rephrase your query to better match document content", "Use terminology that appears in historical documents"}
	case BelowMinSources:
		d.Message = fmt.Sprintf("I cannot provide a cited answer because only %d %ssource(s) were found, but %d are required for confident citation.", d.counted(), d.Lacking, t.MinSources)
		d.Gaps = []string{fmt.Sprintf("Only %d %ssource(s) found, %d required", d.counted(), d.Lacking, t.MinSources)}
		d.Suggestions = []string{"Broaden your query to match more documents", "Use more general terms or remove specific constraints"}
	case NoPrimarySources:
		d.Message = "I cannot provide a cited answer because no primary sources were found in the retrieval results, and primary sources are required for this profile's queries."
		d.Gaps = []string{fmt.Sprintf("No primary sources among %d source(s) found", d.Sources)}
		d.Suggestions = []string{"Consider allowing secondary sources", "Ingest primary source documents on this topic (speeches, letters, official documents)"}
	}
	d.Questions = Questions()
}

// Named puts a profile's name into the words of a refusal that speak of it.
func (d Decision) Named(name string) Decision {
	if d.Reason == NoPrimarySources {
		d.Message = "I cannot provide a cited answer because no primary sources were found in the retrieval results, and primary sources are required for " + name + " persona queries."
	}
	return d
}

// Confidence says how sure retrieval was, in the contract's words: none when
// refused, high from a best similarity of 0.85, medium from 0.65, else low.
func (d Decision) Confidence() string {
	switch {
	default:
		return "low"
	case d.Refuse || d.Citeable == 0:
		return "none"
	case d.Best >= 0.85:
		return "high"
	case d.Best >= 0.65:
		return "medium"
	}
}

// Questions returns the questions that could narrow down what was asked.
func Questions() []string {
	return []string{"Could you rephrase your query with different keywords?", "Are you looking for information from a specific time period?"}
}
