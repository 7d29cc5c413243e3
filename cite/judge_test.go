package cite

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// want is the rung by the sentences of the specification, written as it reads
// there and not as the table is built.
func want(in GateInput) Rung {
	found := in.Match == Exact || in.Match == Normalized
	given := in.Match == ""
	if !in.SpanResolves || in.Entailed != "" && in.Entailed != EntailedYes && in.Entailed != EntailedNo {
		return Refused
	}
	rests := false
	switch in.Relation {
	case DirectQuote:
		rests = found
	case MetadataFact:
		rests = found || given
	case Paraphrase:
		rests = (found || given) && (in.Entailed == EntailedYes || in.Aligned && in.Entailed == "")
	case Aggregation:
		rests = (found || given) && in.InputsResolve
	case InferenceFrom:
		if in.Marker && (found || given || in.Match == Fuzzy || in.Match == Ambiguous) {
			return Labeled
		}
	}
	switch {
	case rests && in.Narrowed:
		return Narrowed
	case rests:
		return Supported
	}
	return Refused
}

func TestJudgeExhaustively(t *testing.T) {
	both := []bool{false, true}
	ran, rungs := 0, map[Rung]int{}
	above := map[Rung][]Rung{Supported: nil, Narrowed: {Supported}, Labeled: {Supported, Narrowed}, Refused: {Supported, Narrowed, Labeled}}
	for _, relation := range append(Relations[:], "hearsay") {
		for _, match := range []Status{"", Exact, Normalized, Fuzzy, Ambiguous, Absent, "near"} {
			for _, entailed := range []string{"", EntailedYes, EntailedNo, EntailedContradiction, "perhaps"} {
				for bits := range 1 << 5 {
					on := func(i int) bool { return both[bits>>i&1] }
					in := GateInput{
						Relation: relation, Match: match, Entailed: entailed,
						Aligned: on(0), InputsResolve: on(1), SpanResolves: on(2), Narrowed: on(3), Marker: on(4),
					}
					v := Judge(in)
					ran++
					rungs[v.Rung]++
					if v.Rung != want(in) {
						t.Errorf("%+v: %s, want %s", in, v.Rung, want(in))
					}
					var failed []Rung
					for _, f := range v.Failed {
						failed = append(failed, f.Rung)
						if f.Test == "" {
							t.Errorf("%+v: no test named for %s", in, f.Rung)
						}
					}
					if diff := cmp.Diff(above[v.Rung], failed); diff != "" {
						t.Errorf("%+v reached %s: %s", in, v.Rung, diff)
					}
				}
			}
		}
	}
	if ran != 6*7*5*32 {
		t.Errorf("ran %d inputs", ran)
	}
	for rung := range above {
		if rungs[rung] == 0 {
			t.Errorf("no input reaches %s", rung)
		}
	}
}

func TestJudgeNamesTheTest(t *testing.T) {
	tests := []struct {
		in   GateInput
		want string
	}{
		{GateInput{Relation: DirectQuote, Match: Exact, SpanResolves: true}, "supported"},
		{GateInput{Relation: DirectQuote, Match: Fuzzy, SpanResolves: true}, "refused supported:quote_matches narrowed:quote_matches labeled:relation_infers"},
		{GateInput{Relation: DirectQuote, Match: Exact}, "refused supported:span_resolves narrowed:span_resolves labeled:relation_infers"},
		{GateInput{Relation: Paraphrase, Match: Exact, SpanResolves: true, Aligned: true, Narrowed: true}, "narrowed supported:whole_claim"},
		{GateInput{Relation: Paraphrase, Match: Exact, SpanResolves: true}, "refused supported:entailed_or_aligned narrowed:entailed_or_aligned labeled:relation_infers"},
		{GateInput{Relation: InferenceFrom, Match: Fuzzy, SpanResolves: true, Marker: true}, "labeled supported:relation_supports narrowed:relation_supports"},
		{GateInput{Relation: InferenceFrom, Match: Exact, SpanResolves: true}, "refused supported:relation_supports narrowed:relation_supports labeled:marked"},
		{GateInput{Relation: Aggregation, SpanResolves: true}, "refused supported:inputs_resolve narrowed:inputs_resolve labeled:relation_infers"},
	}
	for _, tt := range tests {
		v := Judge(tt.in)
		got := string(v.Rung)
		for _, f := range v.Failed {
			got += fmt.Sprintf(" %s:%s", f.Rung, f.Test)
		}
		if got != tt.want {
			t.Errorf("%+v: %s, want %s", tt.in, got, tt.want)
		}
	}
}

// The page prints the table that the code runs.
func TestSpecPrintsTheTable(t *testing.T) {
	page, err := os.ReadFile("../docs/spec/citation.md")
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for _, row := range gateTable {
		var names []string
		for _, test := range row.tests {
			names = append(names, "`"+test.name+"`")
		}
		line := fmt.Sprintf("| %s | %s |\n", row.rung, strings.Join(names, ", "))
		if row.tests == nil {
			line = fmt.Sprintf("| %s | none |\n", row.rung)
		}
		if !strings.Contains(string(page), line) {
			t.Errorf("docs/spec/citation.md lacks the line %s", line)
		}
		lines++
	}
	if lines != 4 || !strings.Contains(string(page), GateTableVersion) || !strings.Contains(string(page), CitationType) {
		t.Errorf("%d rungs; the page must name %s and %s", lines, GateTableVersion, CitationType)
	}
}

// The whole example of the page is a citation that this package reads.
func TestSpecExample(t *testing.T) {
	page, err := os.ReadFile("../docs/spec/citation.md")
	if err != nil {
		t.Fatal(err)
	}
	c := sampleCitation(t)
	c.Type, c.ClaimVerdict = CitationType, ClaimFollows
	data, err := c.Encode()
	if err != nil {
		t.Fatal(err)
	}
	id, err := c.ID()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), string(data)) || !strings.Contains(string(page), id.String()) {
		t.Errorf("docs/spec/citation.md lacks the example\n%s\n%s", data, id)
	}
}
