package contract

import (
	"os"
	"strings"
	"testing"

	"muniment/judge"
)

// rows reads a file of testdata: fields between tabs, the first says to which half a row belongs.
func rows(t *testing.T, name string, want int) [][]string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var out [][]string
	for line := range strings.SplitSeq(strings.TrimSpace(string(data)), "\n") {
		if !strings.HasPrefix(line, "#") {
			out = append(out, strings.Split(line, "\t"))
		}
	}
	if len(out) != want {
		t.Fatalf("%s has %d rows, want %d", name, len(out), want)
	}
	return out
}

// halves counts what is right of each half of a set.
type halves map[string]*[2]int

func (h halves) add(half string, right bool) {
	if h[half] == nil {
		h[half] = &[2]int{}
	}
	h[half][1]++
	if right {
		h[half][0]++
	}
}

// TestEachBankNeedsItsOwnSource: with official sources of one bank alone, only claims about that one
// need them; with those of another alone, nothing is asked.
func TestEachBankNeedsItsOwnSource(t *testing.T) {
	publisher := map[string]string{"fed": "Federal Reserve", "ecb": "European Central Bank", "boe": "Bank of England", "boj": "Bank of Japan",
		"snb": "Swiss National Bank", "rba": "RBA", "riksbank": "Sveriges Riksbank", "boc": "Bank of Canada"}
	wire := Evidence{ID: "2", Publisher: "Reuters", SourceID: "reuters", Tier: 2}
	all := halves{}
	for _, r := range rows(t, "policy.tsv", 16) {
		own := Evidence{ID: "1", Publisher: publisher[r[1]], SourceID: "own", Tier: 1, Tags: []string{TagCentralBank}}
		var others []Evidence
		for key, name := range publisher {
			if key != r[1] {
				others = append(others, Evidence{ID: key, Publisher: name, SourceID: key, Tier: 1, Tags: []string{TagCentralBank}})
			}
		}
		missing := unofficial(r[2], []Evidence{wire}, append([]Evidence{own, wire}, others...))
		foreign := unofficial(r[2], []Evidence{wire}, append([]Evidence{wire}, others...))
		given := unofficial(r[2], []Evidence{wire, own}, append([]Evidence{own, wire}, others...))
		right := missing != "" && foreign == "" && given == ""
		if all.add(r[0], right); !right {
			t.Errorf("%q: without its source %q, without a foreign one %q, with its own %q", r[2], missing, foreign, given)
		}
	}
	for half, n := range all {
		t.Logf("half %s: %d of %d", half, n[0], n[1])
	}
}

func TestNumbersByMeaning(t *testing.T) {
	all := halves{}
	for _, r := range rows(t, "numeric.tsv", 16) {
		found, dates := isNumeric(r[2])
		is := "plain"
		if found {
			is = "numeric"
		}
		if dates && scheduled(r[2]) {
			is = "scheduled"
		}
		if all.add(r[0], is == r[1]); is != r[1] {
			t.Errorf("%q is %s, want %s", r[2], is, r[1])
		}
	}
	for half, n := range all {
		t.Logf("half %s: %d of %d", half, n[0], n[1])
	}
}

// TestTagsByMeaning: a tag counts by what it names.
func TestTagsByMeaning(t *testing.T) {
	n := 0
	for tag, want := range map[string]string{"fomc": TagCentralBank, "ecb": TagCentralBank, "monetary-policy": TagCentralBank, "Central_Bank": TagCentralBank, "gdp": TagMacroData, "official-statistics": TagMacroData, "sport": ""} {
		n++
		e := Evidence{Tags: []string{tag}}
		if e.means(TagCentralBank) != (want == TagCentralBank) || e.means(TagMacroData) != (want == TagMacroData) {
			t.Errorf("%s: %v %v", tag, e.means(TagCentralBank), e.means(TagMacroData))
		}
	}
	if n != 7 {
		t.Errorf("%d tags", n)
	}
}

// TestWeakEvidenceIsReplaced: what rests on one side of a contradiction, on sources that are all too old, or
// on one source of tier 4, is replaced by the phrase for it; a hedged sentence stands.
func TestWeakEvidenceIsReplaced(t *testing.T) {
	files := map[string]Evidence{
		"1": {Number: 1, Publisher: "A", Tier: 2, PublishedAt: "2026-02-10", Against: []Evidence{{Number: 2}}},
		"2": {Number: 2, Publisher: "B", Tier: 2, PublishedAt: "2026-02-10", Against: []Evidence{{Number: 1}}},
		"3": {Number: 3, Publisher: "C", Tier: 2, PublishedAt: "2025-11-01"},
		"4": {Number: 4, Publisher: "D", Tier: 4, PublishedAt: "2026-02-10"},
		"5": {Number: 5, Publisher: "E", Tier: 3, PublishedAt: "2026-02-10"},
	}
	ctx := Context{Day: "2026-02-11", Horizon: "2026-01-12", Lookup: func(id string) (Evidence, bool) { e, ok := files[id]; return e, ok }}
	rules := Rules{Title: "Brief", Carry: CarryNone, Numeric: true, MaxRemoved: 3, Attempts: 1}
	n := 0
	for _, c := range []struct {
		text, phrase string
	}{
		{"- Growth slowed. [1]", Conflicting},
		{"- Growth picked up. [2][5]", Conflicting},
		{"- Growth slowed, one desk says, and picked up, says another. [1][2]", ""},
		{"- Growth slowed. [3]", "[Data not yet available as of 2026-02-11]"},
		{"- Growth slowed. [3][5]", ""},
		{"- Deflation is near. [4]", NotAssessed},
		{"- Deflation is near. [4][5]", ""},
		{"- A few contrarian voices predict deflation. [4]", ""},
		{"- According to limited available reports, deflation is near. [4]", ""},
		{"- Some sources suggest deflation is near [4], but official confirmation is pending.", ""},
		{"- Early indications from D show falling prices [4], though this has not been widely reported.", ""},
	} {
		n++
		v := Validate(c.text+"\n\nBonds fell. [5]\n", ctx, rules)
		if got := strings.Contains(v.Text, strings.TrimPrefix(c.text, "- ")); got != (c.phrase == "") || c.phrase != "" && !strings.Contains(v.Text, "- "+c.phrase) {
			t.Errorf("%s\nwant %q\n%s\n%+v", c.text, c.phrase, v.Text, v.Findings)
		}
	}
	if n != 11 {
		t.Errorf("%d cases", n)
	}
}

// TestFigures: the official source of one figure is not wanted for a claim about another.
func TestFigures(t *testing.T) {
	gdp := Evidence{ID: "1", Publisher: "Statistics", Tier: 1, Tags: []string{TagMacroData}, Quote: &Quote{Text: "Gross domestic product rose 2 percent."}}
	jobs := Evidence{ID: "2", Publisher: "Wire", Tier: 2}
	for claim, want := range map[string]string{
		"Unemployment fell to 3.9 percent in January.": "",
		"GDP rose 2 percent.":                          TagMacroData,
	} {
		if got := unofficial(claim, []Evidence{jobs}, []Evidence{gdp, jobs}); got != want {
			t.Errorf("%q: %q, want %q", claim, got, want)
		}
	}
	for text, want := range map[string]bool{"Deflation will come by the third quarter.": false, "Deflation will come by Q3.": false, "Prices fell 3 percent in the third quarter.": true} {
		if got, _ := isNumeric(text); got != want {
			t.Errorf("%q: numeric %v", text, got)
		}
	}
}

// TestClausesBeside: a clause with nothing of the words cited is found beside one that they support, before the mark and
// behind it; a sentence all of whose clauses are cited stands.
func TestClausesBeside(t *testing.T) {
	data, err := os.ReadFile("testdata/beside.tsv")
	if err != nil {
		t.Fatal(err)
	}
	words, let, failed, hidden, stands := map[string]string{}, 0, 0, 0, 0
	for line := range strings.SplitSeq(strings.TrimSpace(string(data)), "\n") {
		f := strings.Split(line, "\t")
		switch f[0] {
		case "words":
			words[f[1]] = f[2]
			continue
		case "hidden":
			hidden++
		case "true":
			stands++
		default:
			continue
		}
		cited := Evidence{Publisher: "Record Office", Title: "Papers", Tier: 1, Quote: &Quote{Text: words[f[1]]}}
		switch reason := uncitedBeside(f[2], []Evidence{cited}); {
		case f[0] == "hidden" && reason == "":
			let++
			t.Errorf("let through: %s", f[2])
		case f[0] == "true" && reason != "":
			failed++
			t.Errorf("%q: %s", f[2], reason)
		}
		c := Context{Lookup: func(id string) (Evidence, bool) { return cited, id == f[1] }}
		draft := "- " + strings.TrimSuffix(f[2], ".") + ". [" + f[1] + "]\n"
		rules := Rules{Title: "Note", Carry: CarryNone, Attempts: 1, MaxRemoved: 9}
		if v := Validate(draft, c, rules); f[0] == "hidden" && v.Removals == 0 {
			t.Errorf("%q stands", f[2])
		}
		rules.Alignment = AlignmentOff
		if v := Validate(draft, c, rules); v.Removals > 0 {
			t.Errorf("%q with the alignment off: %+v", f[2], v.Findings)
		}
		c.Freeform, rules.Alignment = true, ""
		if v := Validate(draft, c, rules); v.Removals > 0 && v.Findings[0].Fault == Uncited {
			t.Errorf("%q is uncited where that is allowed: %+v", f[2], v.Findings)
		}
	}
	t.Logf("%d of %d hidden clauses let through; %d of %d true sentences fail", let, hidden, failed, stands)
	if hidden != 24 || stands != 24 {
		t.Errorf("%d hidden, %d true", hidden, stands)
	}
}

// TestClausesBesideRestatements: of true restatements by another author none fails for a clause; a restatement of other
// words, put before it or behind it, is found where both are clauses.
func TestClausesBesideRestatements(t *testing.T) {
	var all [][]string
	for _, file := range []string{"restatements.tsv", "free.tsv"} {
		data, err := os.ReadFile("../../judge/testdata/" + file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.SplitSeq(strings.TrimSpace(string(data)), "\n") {
			if f := strings.Split(line, "\t"); len(f) == 3 || f[3] == "good" {
				all = append(all, f)
			}
		}
	}
	failed, found, spliced := 0, 0, 0
	for i, f := range all {
		cited := []Evidence{{Names: []string{f[2]}, Around: judge.Passage{Writers: []string{f[2]}}, Quote: &Quote{Text: f[0]}}}
		if reason := uncitedBeside(f[1], cited); reason != "" {
			failed++
			t.Logf("%q of %q: %s", f[1], f[0], reason)
		}
		other := strings.TrimRight(all[(i+7)%len(all)][1], ".")
		for _, joined := range []string{other + ", " + f[1], strings.TrimRight(f[1], ".") + ", and " + other + "."} {
			spliced++
			if uncitedBeside(joined, cited) != "" {
				found++
			}
		}
	}
	t.Logf("%d of %d true restatements fail; %d of %d spliced ones are found", failed, len(all), found, spliced)
	if len(all) < 200 || failed > 0 || found*5 < spliced*3 {
		t.Errorf("%d restatements, %d fail; %d of %d are found", len(all), failed, found, spliced)
	}
}

// The lists by which sentences are cut into clauses are read without an error, and none is empty.
func TestClauseLists(t *testing.T) {
	if clauseListsError != nil || len(leads) == 0 || len(between) == 0 || len(openNames) == 0 {
		t.Fatalf("%d, %d and %d words, %v", len(leads), len(between), len(openNames), clauseListsError)
	}
}

// TestDayOf reads the day of a draft from its first heading, as it is written.
func TestDayOf(t *testing.T) {
	for draft, want := range map[string]string{
		"# Daily Brief - 2025-04-10\n\nText.\n":        "2025-04-10",
		"# Daily Brief - April 10, 2025\n\nText.\n":    "2025-04-10",
		"# Daily Brief, 10 April 2025\n\nText.\n":      "2025-04-10",
		"# Tagesbericht vom 10. April 2025\n\nText.\n": "2025-04-10",
		"# 2025-04-10 brief of the day\n\nText.\n":     "2025-04-10",
		"# April 10, 2025: Daily Brief\n\nText.\n":     "2025-04-10",
		"# Brief for April 2025\n\nText.\n":            "",
		"# Notes\n\n## April 10, 2025\n":               "",
		"On April 10, 2025 it rained.\n":               "",
	} {
		if got := DayOf(draft); got != want {
			t.Errorf("%q: %q, want %q", draft, got, want)
		}
	}
}
