package enforce

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestQueryTypes(t *testing.T) {
	data, err := os.ReadFile("testdata/query_types.txt")
	if err != nil {
		t.Fatal(err)
	}
	tried := map[QueryType]int{}
	for l := range strings.Lines(string(data)) {
		want, q, ok := strings.Cut(strings.TrimSpace(l), "  ")
		if !ok || strings.HasPrefix(l, "#") {
			continue
		}
		tried[QueryType(want)]++
		if got := TypeOf(q); got != QueryType(want) {
			t.Errorf("%q: %s, want %s", q, got, want)
		}
	}
	for _, k := range Types {
		if tried[k] < 15 {
			t.Errorf("%d questions are %s", tried[k], k)
		}
	}
}

func thresholds(t *testing.T, name string) Thresholds {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "policy", "shipped", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var p struct {
		Answers Thresholds `json:"answers"`
	}
	if err := json.Unmarshal(data, &p); err != nil {
		t.Fatal(err)
	}
	return p.Answers
}

// TestPersonas compares the shipped thresholds with the specification's.
func TestPersonas(t *testing.T) {
	want := map[string]Thresholds{
		"educator":   {CitationsRequired: true, SimilarityPercent: 80, MinSources: 2, Strict: true},
		"researcher": {CitationsRequired: true, SimilarityPercent: 75, MinSources: 3, PrimaryOnly: true, Strict: true},
		"creator":    {SimilarityPercent: 60, MinSources: 1},
		"builder":    {SimilarityPercent: 65, MinSources: 1},
	}
	for name, w := range want {
		got := thresholds(t, name)
		if got.Nearest = nil; got != w {
			t.Errorf("%s: %+v, want %+v", name, got, w)
		}
	}
}

func results(n int, similarity float64, primary bool) []Result {
	var out []Result
	for i := range n {
		out = append(out, Result{Source: fmt.Sprint("s", i), Place: "p1:0-4", Similarity: similarity, Primary: primary})
	}
	return out
}

func TestTree(t *testing.T) {
	yes, no := true, false
	for _, c := range []struct {
		name    string
		persona string
		query   QueryType
		found   []Result
		toggles Toggles
		want    Reason
	}{
		{"nothing found", "educator", Factual, nil, Toggles{}, InsufficientRetrieval},
		{"no metadata", "educator", Factual, []Result{{Source: "a", Place: "p1:0-1", Similarity: 1, Missing: []string{"title"}}}, Toggles{}, NoCiteableContent},
		{"no source at all", "creator", Factual, []Result{{Similarity: 1}}, Toggles{CitationsRequired: &yes}, NoCiteableContent},
		{"lenient metadata", "creator", Factual, []Result{{Source: "a", Place: "p1:0-1", Similarity: 1, Missing: []string{"title"}}}, Toggles{CitationsRequired: &yes}, ""},
		{"below the threshold", "educator", Factual, results(3, 0.65, true), Toggles{}, LowSimilarityScore},
		{"at the threshold", "educator", Factual, results(2, 0.80, false), Toggles{}, ""},
		{"just below it", "educator", Factual, results(2, 0.7999, false), Toggles{}, LowSimilarityScore},
		{"four of five words", "educator", Factual, results(2, 0.7999999999, false), Toggles{}, ""},
		{"one source", "educator", Factual, results(1, 0.9, true), Toggles{}, BelowMinSources},
		{"one source twice", "educator", Factual, append(results(1, 0.9, true), results(1, 0.95, true)...), Toggles{}, BelowMinSources},
		{"a second that is not relevant", "educator", Factual, append(results(1, 0.9, true), Result{Source: "x", Place: "p1:0-1", Similarity: 0.1}), Toggles{}, BelowMinSources},
		{"at the minimum", "researcher", Factual, results(3, 0.75, true), Toggles{}, ""},
		{"no primary ones", "researcher", Factual, results(3, 0.75, false), Toggles{}, NoPrimarySources},
		{"secondary ones allowed", "researcher", Factual, results(3, 0.75, false), Toggles{PrimaryOnly: &no}, ""},
		{"primary ones wanted", "educator", Factual, results(2, 0.9, false), Toggles{PrimaryOnly: &yes}, NoPrimarySources},
		{"creative, required all the same", "educator", Creative, nil, Toggles{}, InsufficientRetrieval},
		{"creative, switched off", "educator", Creative, nil, Toggles{CitationsRequired: &no}, ""},
		{"factual, switched off: the default holds", "educator", Factual, nil, Toggles{CitationsRequired: &no}, InsufficientRetrieval},
		{"optional", "creator", Factual, nil, Toggles{}, ""},
		{"optional, switched on", "creator", Creative, results(1, 0.59, false), Toggles{CitationsRequired: &yes}, LowSimilarityScore},
		{"optional, switched on, found", "builder", Analytical, results(1, 0.65, false), Toggles{CitationsRequired: &yes}, ""},
	} {
		d := Evaluate(c.query, c.found, thresholds(t, c.persona), c.toggles)
		if d.Reason != c.want || d.Refuse != (c.want != "") {
			t.Errorf("%s: %+v, want %q", c.name, d, c.want)
		}
		if d.Refuse != (d.Message != "" && len(d.Gaps) > 0 && len(d.Suggestions) > 0 && len(d.Questions) > 0) {
			t.Errorf("%s: words of %+v", c.name, d)
		}
	}
}

func TestMessages(t *testing.T) {
	for _, c := range []struct {
		persona, want string
		found         []Result
	}{
		{"educator", "I cannot provide a cited answer to this query because no relevant documents were found in the current corpus. To maintain accuracy and trust, I must refuse rather than provide an uncited response.", nil},
		{"educator", "I cannot provide a cited answer because the retrieved documents have low relevance (best: 0.65, required: 0.80). To maintain accuracy, I must refuse rather than cite insufficient sources.", results(3, 0.65, true)},
		{"researcher", "I cannot provide a cited answer because only 1 source(s) were found, but 3 are required for confident citation.", results(1, 0.9, true)},
		{"researcher", "I cannot provide a cited answer because no primary sources were found in the retrieval results, and primary sources are required for researcher persona queries.", results(3, 0.9, false)},
	} {
		if got := Evaluate(Factual, c.found, thresholds(t, c.persona), Toggles{}).Named(c.persona).Message; got != c.want {
			t.Errorf("%q\nwant %q", got, c.want)
		}
	}
}

// TestTreeIsMonotone: more evidence never turns a yes into a no.
func TestTreeIsMonotone(t *testing.T) {
	result := rapid.Custom(func(t *rapid.T) Result {
		return Result{Source: rapid.StringMatching(`[a-d]`).Draw(t, "source"), Place: rapid.SampledFrom([]string{"", "p1:0-1"}).Draw(t, "place"),
			Similarity: float64(rapid.IntRange(0, 100).Draw(t, "similarity")) / 100, Primary: rapid.Bool().Draw(t, "primary"),
			Missing: rapid.SampledFrom([][]string{nil, {"title"}}).Draw(t, "missing")}
	})
	rapid.Check(t, func(t *rapid.T) {
		a := Thresholds{CitationsRequired: rapid.Bool().Draw(t, "required"), SimilarityPercent: rapid.IntRange(0, 100).Draw(t, "percent"),
			MinSources: rapid.IntRange(1, 4).Draw(t, "min"), PrimaryOnly: rapid.Bool().Draw(t, "primary only"), Strict: rapid.Bool().Draw(t, "strict")}
		found := rapid.SliceOfN(result, 0, 8).Draw(t, "found")
		query := rapid.SampledFrom(Types).Draw(t, "type")
		if Evaluate(query, found, a, Toggles{}).Refuse {
			return
		}
		more := append(slices.Clone(found), rapid.SliceOfN(result, 1, 4).Draw(t, "more")...)
		if d := Evaluate(query, more, a, Toggles{}); d.Refuse {
			t.Fatalf("%+v with more: %s", found, d.Reason)
		}
	})
}

// refusal is the example of the specification.
func refusal() Answer {
	return Answer{
		Version: Version, Persona: "educator",
		Answer:    Text{"I cannot provide a cited answer to this query because…", InsufficientData},
		Sources:   []Source{},
		Retrieval: Retrieval{"Original query", 10, []string{"letters"}, []Found{}},
		Unknowns:  Unknowns{[]string{}, []string{"No relevant documents found in the corpus"}, []string{"Could you rephrase your query with different keywords?"}},
		Integrity: Integrity{true, false, "none", FallbackRefusal},
	}
}

func answered() Answer {
	a := refusal()
	a.Answer = Text{"“The wheel stopped.”", "complete"}
	a.Sources = []Source{{Handle: "Source A", Relation: "direct_quote", Label: "their words", Claim: "“The wheel stopped.”", Excerpt: "The wheel stopped."}}
	a.Retrieval.Results = []Found{{"Source A", 0.91}}
	a.Unknowns = Unknowns{[]string{}, []string{}, []string{}}
	a.Integrity = Integrity{true, true, "high", FallbackNone}
	return a
}

// TestShape compares every key of the JSON, on every level, with the
// specification's.
func TestShape(t *testing.T) {
	want := map[string][]string{
		"":                  {"answer", "integrity", "persona", "retrieval_summary", "sources", "unknowns", "version"},
		"answer":            {"completeness", "text"},
		"retrieval_summary": {"namespaces", "query", "results", "top_k"},
		"unknowns":          {"clarifying_questions", "missing_context", "unsupported_claims"},
		"integrity":         {"citation_required", "citations_provided", "fallback_behavior", "retrieval_confidence"},
	}
	for _, a := range []Answer{refusal(), answered()} {
		data, err := a.Encode()
		if err != nil {
			t.Fatal(err)
		}
		var m map[string]any
		if err := json.Unmarshal(data, &m); err != nil {
			t.Fatal(err)
		}
		for at, keys := range want {
			level := m
			if at != "" {
				level = m[at].(map[string]any)
			}
			var got []string
			for k, v := range level {
				got = append(got, k)
				if v == nil {
					t.Errorf("%s.%s is null", at, k)
				}
			}
			slices.Sort(got)
			if !slices.Equal(got, keys) {
				t.Errorf("%q: keys %v, want %v", at, got, keys)
			}
		}
		if m["version"] != "muniment.answer.v1" {
			t.Errorf("version %v", m["version"])
		}
		var back Answer
		if err := json.Unmarshal(data, &back); err != nil || !reflect.DeepEqual(back, a) {
			t.Errorf("read back: %v\n%s", err, cmp.Diff(a, back))
		}
	}
}

func TestValidate(t *testing.T) {
	breaks := map[string]func(*Answer){
		"version":        func(a *Answer) { a.Version = "kwanzaa.answer.v1" },
		"persona":        func(a *Answer) { a.Persona = "" },
		"text":           func(a *Answer) { a.Answer.Text = "" },
		"completeness":   func(a *Answer) { a.Answer.Completeness = "none" },
		"confidence":     func(a *Answer) { a.Integrity.RetrievalConfidence = "" },
		"fallback":       func(a *Answer) { a.Integrity.FallbackBehavior = "x" },
		"null":           func(a *Answer) { a.Unknowns.MissingContext = nil },
		"no sources":     func(a *Answer) { a.Sources, a.Integrity.CitationsProvided = []Source{}, false },
		"not a refusal":  func(a *Answer) { a.Answer.Completeness = InsufficientData },
		"not complete":   func(a *Answer) { a.Integrity.FallbackBehavior = FallbackRefusal },
		"uncited":        func(a *Answer) { a.Integrity.CitationsProvided = false },
		"top_k":          func(a *Answer) { a.Retrieval.TopK = -1 },
		"a nameless one": func(a *Answer) { a.Sources[0].Handle = "" },
		"a strange one":  func(a *Answer) { a.Retrieval.Results[0].Handle = "Source Z" },
		"score":          func(a *Answer) { a.Retrieval.Results[0].Score = 1.5 },
	}
	for name, change := range breaks {
		a := answered()
		if err := a.Validate(); err != nil {
			t.Fatal(err)
		}
		if change(&a); a.Validate() == nil {
			t.Errorf("%s: valid", name)
		}
	}
	for name, change := range map[string]func(*Answer){
		"with sources":    func(a *Answer) { a.Sources, a.Integrity.CitationsProvided = answered().Sources, true },
		"nothing missing": func(a *Answer) { a.Unknowns.MissingContext = []string{} },
		"cited":           func(a *Answer) { a.Integrity.CitationsProvided = true },
	} {
		a := refusal()
		if err := a.Validate(); err != nil {
			t.Fatal(err)
		}
		if change(&a); a.Validate() == nil {
			t.Errorf("refusal %s: valid", name)
		}
	}
}

func TestMetricsAndAlerts(t *testing.T) {
	now := time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)
	ask := func(hours int, persona string, reason Reason, best, sources int) Event {
		return Event{Time: now.Add(-time.Duration(hours) * time.Hour), Persona: persona, Type: Factual, Refused: reason != "", Kind: "coverage", Reason: string(reason),
			Measured: true, Best: best, Threshold: 8000, Sources: sources}
	}
	calm := []Event{ask(1, "educator", "", 9000, 2), ask(2, "educator", LowSimilarityScore, 5000, 0), ask(30, "builder", "", 8000, 7)}
	calm[0].Rung = "narrowed"
	m := Measure(calm)
	want := Metrics{Questions: 3, Refused: 1, Personas: []PersonaCount{{"builder", 1, 0, 0}, {"educator", 2, 1, 0.5}}, Rungs: []Count{{"narrowed", 1}, {"refused", 1}}, Kinds: []Count{{"coverage", 1}},
		Reasons: []Count{{"low_similarity_score", 1}}, Types: []Count{{"factual", 3}}, Similarity: 22000.0 / 3 / 10_000, Reached: 3,
		Sources: []Count{{"0", 1}, {"2", 1}, {"5 or more", 1}}}
	if d := cmp.Diff(want, m); d != "" {
		t.Error(d)
	}
	if got := Alerts(calm, now); len(got) != 0 { // half is not more than half
		t.Errorf("alerts of a calm day: %v", got)
	}
	few := append(slices.Clone(calm), ask(3, "educator", LowSimilarityScore, 100, 0), ask(4, "researcher", NoCiteableContent, 200, 0))
	if got := Alerts(few, now); len(got) != 0 {
		t.Errorf("alerts of %d questions: %v", len(few), got)
	}
	loud := slices.Clone(calm)
	for range MinQuestions {
		loud = append(loud, ask(3, "educator", LowSimilarityScore, 100, 0))
		loud = append(loud, ask(4, "researcher", NoCiteableContent, 200, 0))
	}
	var names []string
	for _, a := range Alerts(loud, now) {
		names = append(names, strings.TrimSpace(a.Name+" "+a.Persona))
	}
	if want := []string{"refusal_rate educator", "refusal_rate researcher", "no_citeable_content_spike", "low_average_similarity"}; !slices.Equal(names, want) {
		t.Errorf("alerts %v, want %v", names, want)
	}
	usual := slices.Clone(loud)
	for day := 1; day < 8; day++ {
		for range MinQuestions / 2 {
			usual = append(usual, ask(24*day+1, "researcher", NoCiteableContent, 200, 0))
		}
	}
	for _, a := range Alerts(usual, now) {
		if a.Name == "no_citeable_content_spike" {
			t.Error("a spike of what happens every day")
		}
	}
	if got := Alerts(nil, now); len(got) != 0 || Measure(nil).Similarity != 0 {
		t.Errorf("of nothing: %v", got)
	}
}
