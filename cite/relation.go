package cite

import (
	"fmt"
	"strings"
)

// A Relation says how a claim uses the words it cites.
type Relation string

// The five relations.
const (
	DirectQuote   Relation = "direct_quote"
	Paraphrase    Relation = "paraphrase"
	InferenceFrom Relation = "inference_from"
	MetadataFact  Relation = "metadata_fact"
	Aggregation   Relation = "aggregation"
)

// Relations lists the five in the order of the specification.
var Relations = [...]Relation{DirectQuote, Paraphrase, InferenceFrom, MetadataFact, Aggregation}

// relationAliases are the names that callers of extraction_method and readers
// of the display already use. They are accepted as input and never stored.
var relationAliases = map[string]Relation{
	"direct quote":     DirectQuote,
	"direct-quote":     DirectQuote,
	"quote":            DirectQuote,
	"paraphrased":      Paraphrase,
	"inference":        InferenceFrom,
	"inference from":   InferenceFrom,
	"inference-from":   InferenceFrom,
	"interpreted from": InferenceFrom,
	"metadata":         MetadataFact,
	"metadata fact":    MetadataFact,
	"metadata-fact":    MetadataFact,
	"aggregate":        Aggregation,
}

// ParseRelation reads a relation or one of its aliases (inference, direct
// quote, metadata, …) and returns the relation's own name.
func ParseRelation(s string) (Relation, error) {
	if r := Relation(s); r.valid() {
		return r, nil
	}
	if r, ok := relationAliases[s]; ok {
		return r, nil
	}
	names := make([]string, len(Relations))
	for i, r := range Relations {
		names[i] = string(r)
	}
	return "", fmt.Errorf("relation %q, want one of %s", clip(s), strings.Join(names, ", "))
}

// valid reports whether r is one of the five relations.
func (r Relation) valid() bool {
	for _, k := range Relations {
		if r == k {
			return true
		}
	}
	return false
}
