package cite

// GateTableVersion names the rung table below. A bundle records it beside the
// inputs, and every verifier runs Judge again.
const GateTableVersion = "muniment/gate/v1"

// A Rung is what a claim reached. The four are ordered, highest first.
type Rung string

// The ladder.
const (
	Supported Rung = "supported" // the whole claim rests on its citation
	Narrowed  Rung = "narrowed"  // a cut of the drafted claim does
	Labeled   Rung = "labeled"   // shown as an inference, with its marker
	Refused   Rung = "refused"   // stripped and listed
)

// Values of GateInput.Entailed.
const (
	EntailedYes           = "yes"
	EntailedNo            = "no"
	EntailedContradiction = "contradiction"
)

// A GateInput is everything the rung of a claim depends on. It is recorded in
// the gate leaf as it stands here.
type GateInput struct {
	Relation      Relation `json:"relation"`
	Match         Status   `json:"match"`          // of the quote; "" when the span was given and nothing was looked for
	Aligned       bool     `json:"aligned"`        // every content word, number, name and negation of the claim aligns with the cited words
	Entailed      string   `json:"entailed"`       // a model's judgement: "" (none), yes, no, contradiction
	InputsResolve bool     `json:"inputs_resolve"` // every input of an aggregation resolves
	SpanResolves  bool     `json:"span_resolves"`
	Narrowed      bool     `json:"narrowed"` // the claim is a cut of a longer drafted one
	Marker        bool     `json:"marker"`   // the claim carries an epistemic marker
}

// A FailedTest is the first test of a rung that the input did not pass.
type FailedTest struct {
	Rung Rung   `json:"rung"`
	Test string `json:"test"`
}

// A Verdict is the rung a claim reached, and for every higher rung, in order,
// the test that kept it out.
type Verdict struct {
	Rung   Rung
	Failed []FailedTest
}

// A test of the table. It names what must hold.
type test struct {
	name  string
	holds func(GateInput) bool
}

// The tests, each a pure function of the input. Values that are not in a
// closed set fail, so that an unknown input can only lower the rung.
var (
	relationSupports = test{"relation_supports", func(in GateInput) bool {
		switch in.Relation {
		case DirectQuote, Paraphrase, MetadataFact, Aggregation:
			return true
		}
		return false
	}}
	relationInfers = test{"relation_infers", func(in GateInput) bool { return in.Relation == InferenceFrom }}
	spanResolves   = test{"span_resolves", func(in GateInput) bool { return in.SpanResolves }}
	quoteMatches   = test{"quote_matches", func(in GateInput) bool {
		switch in.Match {
		case Exact, Normalized:
			return true
		case "":
			return in.Relation != DirectQuote
		}
		return false
	}}
	quoteNotAbsent = test{"quote_not_absent", func(in GateInput) bool {
		switch in.Match {
		case "", Exact, Normalized, Fuzzy, Ambiguous:
			return true
		}
		return false
	}}
	notContradicted = test{"not_contradicted", func(in GateInput) bool {
		switch in.Entailed {
		case "", EntailedYes, EntailedNo:
			return true
		}
		return false
	}}
	entailedOrAligned = test{"entailed_or_aligned", func(in GateInput) bool {
		return in.Relation != Paraphrase || in.Entailed == EntailedYes || in.Entailed == "" && in.Aligned
	}}
	inputsResolve = test{"inputs_resolve", func(in GateInput) bool {
		return in.Relation != Aggregation || in.InputsResolve
	}}
	wholeClaim = test{"whole_claim", func(in GateInput) bool { return !in.Narrowed }}
	cutClaim   = test{"cut_claim", func(in GateInput) bool { return in.Narrowed }}
	hasMarker  = test{"marked", func(in GateInput) bool { return in.Marker }}
)

// gateTable is version GateTableVersion. A claim has the first rung whose
// tests all hold; refused has none. docs/spec/citation.md prints it.
var gateTable = [...]struct {
	rung  Rung
	tests []test
}{
	{Supported, []test{relationSupports, spanResolves, quoteMatches, notContradicted, entailedOrAligned, inputsResolve, wholeClaim}},
	{Narrowed, []test{relationSupports, spanResolves, quoteMatches, notContradicted, entailedOrAligned, inputsResolve, cutClaim}},
	{Labeled, []test{relationInfers, spanResolves, quoteNotAbsent, notContradicted, hasMarker}},
	{Refused, nil},
}

// Judge returns the highest rung whose tests all hold.
func Judge(in GateInput) Verdict {
	var v Verdict
	for _, row := range gateTable {
		failed := firstFailed(row.tests, in)
		if failed == "" {
			v.Rung = row.rung
			break
		}
		v.Failed = append(v.Failed, FailedTest{row.rung, failed})
	}
	return v
}

// firstFailed returns the name of the first test that does not hold, "" for none.
func firstFailed(tests []test, in GateInput) string {
	for _, t := range tests {
		if !t.holds(in) {
			return t.name
		}
	}
	return ""
}
