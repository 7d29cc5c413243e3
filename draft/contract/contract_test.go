package contract

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// brief are the rules of the contract's daily brief.
var brief = Rules{Title: "Daily Brief", Carry: CarryParagraph, Numeric: true, Policy: true, Require: []string{"url", "published_at"}, MaxRemoved: 3, Attempts: 2, Sections: []Section{
	{"prevailing", []string{"Prevailing View"}}, {"counter", []string{"Counterarguments"}}, {"minority", []string{"Minority View"}}, {"watch", []string{"What to Watch"}}}}

// shelf is the evidence on file of the contract's own example.
var shelf = []Evidence{
	{Number: 1, Publisher: "Federal Reserve", SourceID: "fed", Document: "a1", Title: "FOMC Statement - February 2026", PublishedAt: "2026-02-10", URL: "https://fed.example/1", Tier: 1, Tags: []string{TagCentralBank}, Quote: &Quote{150, 320, "The Committee decided"}},
	{Number: 2, Publisher: "Reuters", SourceID: "reuters", Document: "a2", Title: "Fed holds rates steady", PublishedAt: "2026-02-10T14:00:00Z", URL: "https://reuters.example/2", Tier: 2},
	{Number: 3, Publisher: "BEA", SourceID: "bea", Document: "a3", Title: "GDP Fourth Quarter 2025", PublishedAt: "2026-01-30", URL: "https://bea.example/3", Tier: 1, Tags: []string{TagMacroData}},
	{Number: 4, Publisher: "Financial Times", SourceID: "ft", Document: "r4", Title: "Is the Fed over-tightening?", Snippet: "Is the Fed over-tightening?", PublishedAt: "2026-02-09", URL: "https://ft.example/4", Tier: 2, Paywall: true, Quote: &Quote{0, 5, "stolen"}},
	{Number: 5, Publisher: "Brookings", SourceID: "brookings", Document: "a5", Title: "Monetary Policy Debate", PublishedAt: "2026-02-08", URL: "https://brookings.example/5", Tier: 3},
	{Number: 6, Publisher: "BLS", SourceID: "bls", Document: "a6", Title: "CPI Release Schedule", URL: "https://bls.example/6", Tier: 3, Tags: []string{TagCalendar}},
	{Number: 7, Publisher: "Zero Hedge", SourceID: "zh", Document: "a7", Title: "Deflation warnings", PublishedAt: "2026-02-11", URL: "https://zh.example/7", Tier: 4},
	{Number: 8, Publisher: "zero hedge", SourceID: "zh_feed", Document: "a8", Title: "Another feed", PublishedAt: "2026-02-11", URL: "https://zh.example/8", Tier: 4},
	{Number: 9, Publisher: "Blog", SourceID: "blog", Document: "a9", Title: "No address", PublishedAt: "2026-02-11", Tier: 3},
	{Number: 10, Publisher: "Weekly", SourceID: "weekly", Document: "a10", Title: "Rates", PublishedAt: "2026-02-11", URL: "https://weekly.example/10", Tier: 3},
	{Number: 11, Publisher: "Failed", SourceID: "f", Document: "a11", Title: "x", PublishedAt: "2026-02-11", URL: "https://f.example/11", Tier: 1, Invalid: "the quote is not in the source"},
	{Number: 12, Publisher: "Copy", SourceID: "copy", Document: "a10", Title: "Rates again", PublishedAt: "2026-02-11", URL: "https://copy.example/12", Tier: 3},
	{Number: 13, Publisher: "Desk", SourceID: "desk", Document: "a13", Title: "Rates", PublishedAt: "2026-02-11", URL: "https://desk.example/13", Tier: 2, Tags: []string{TagCentralBank}},
}

func onFile() Context {
	return Context{Available: shelf, Lookup: func(id string) (Evidence, bool) {
		for _, e := range shelf {
			if id == fmt.Sprint(e.Number) || id == fmt.Sprintf("g%d", e.Number) {
				return e, true
			}
		}
		return Evidence{}, false
	}}
}

const valid = `# Daily Brief - 2026-02-11

## Prevailing View
- The Federal Reserve held rates at 5.25-5.50% in February, citing persistent inflation. [1][2]
- Q4 GDP grew 2.9%, slightly above consensus. [3]

## Counterarguments
- Some economists warn the Fed risks over-tightening into a slowdown. [4][5]

## Minority View
- [Insufficient evidence to represent minority views on this topic]

## What to Watch
- Next CPI release on March 12. [6]

## References
[1] Federal Reserve. "FOMC Statement". Feb 10, 2026. https://...
`

func TestValidExample(t *testing.T) {
	v := Validate(valid, onFile(), brief)
	if want := (Report{4, 4, 0, true}); v.Report != want {
		t.Fatalf("report %+v, want %+v\n%+v", v.Report, want, v.Findings)
	}
	if Decide(v, 1, brief) != Deliver {
		t.Error("it is not delivered")
	}
	want := `## References

[1] Federal Reserve. "FOMC Statement - February 2026". Published Feb 10, 2026. https://fed.example/1
[2] Reuters. "Fed holds rates steady". Published Feb 10, 2026. https://reuters.example/2
[3] BEA. "GDP Fourth Quarter 2025". Published Jan 30, 2026. https://bea.example/3
[4] Financial Times. "Is the Fed over-tightening?". Published Feb 9, 2026. https://ft.example/4 [Paywall]
[5] Brookings. "Monetary Policy Debate". Published Feb 8, 2026. https://brookings.example/5
[6] BLS. "CPI Release Schedule". https://bls.example/6

Source is paywalled: a citation marked [Paywall] is based on headline or snippet.
`
	if _, refs, _ := strings.Cut(v.Text, "## References"); "## References"+refs != want {
		t.Errorf("references\n%s", cmp.Diff(want, "## References"+refs))
	}
	if strings.Count(v.Text, "## References") != 1 {
		t.Error("the draft's own references stay")
	}
	var got []string
	for _, b := range v.Bullets {
		got = append(got, fmt.Sprint(b.Section, b.Index, b.Citations))
	}
	if diff := cmp.Diff([]string{"prevailing1 [1 2]", "prevailing2 [3]", "counter1 [4 5]", "minority1 []", "watch1 [6]"}, got); diff != "" {
		t.Errorf("bullets\n%s", diff)
	}
}

func TestInvalidExample(t *testing.T) {
	draft := `## Prevailing View
- The Federal Reserve held rates at 5.25-5.50% in February.
- Markets are expecting a rate cut in Q3.

## Counterarguments
- Some economists think inflation is actually falling faster than the Fed realizes. [99]

## Minority View
- According to insider sources, the Fed will cut rates in March.

## References
[99] Anonymous. "Insider Fed leak". <no URL>
`
	v := Validate(draft, onFile(), brief)
	if want := (Report{4, 0, 4, false}); v.Report != want {
		t.Fatalf("report %+v, want %+v", v.Report, want)
	}
	if Decide(v, 1, brief) != Retry || Decide(v, 2, brief) != Abstain || Decide(v, 9, brief) != Abstain {
		t.Error("want one retry, then abstention")
	}
	for _, words := range []string{"Federal", "Markets", "economists", "insider", "Anonymous"} {
		if strings.Contains(v.Text, words) {
			t.Errorf("%q is still in\n%s", words, v.Text)
		}
	}
	keys, err := json.Marshal(v.Report)
	if want := `{"total_bullets":4,"cited_bullets":0,"removed_bullets":4,"validation_passed":false}`; err != nil || string(keys) != want {
		t.Errorf("report %s, want %s", keys, want)
	}
	if got := Instruction(v, brief); !strings.Contains(got, "watch") || !strings.Contains(got, "no citation 99 is on file") {
		t.Errorf("instruction\n%s", got)
	}
}

// with puts one bullet into a brief that is otherwise valid.
func with(text string) string {
	return strings.Replace(valid, "- Q4 GDP grew 2.9%, slightly above consensus. [3]", text, 1)
}

// TestFaults changes one bullet of the valid brief; each fault has the action
// of the contract's table.
func TestFaults(t *testing.T) {
	n := 0
	for _, c := range []struct {
		name, bullet string
		fault        Fault // "" where it stands
	}{
		{"no citation", "- Stocks were calm.", Uncited},
		{"citation not found", "- Stocks were calm. [99]", NotFound},
		{"one of two not found", "- Stocks were calm. [2][99]", ""},
		{"no url", "- Stocks were calm. [9]", Incomplete},
		{"failed citation", "- Stocks were calm. [11]", Invalid},
		{"tier 4 and a number", "- Stocks rose 5.2% this year. [7]", Unreliable},
		{"tier 4 without a number", "- A few contrarian voices predict deflation by Q3. [7]", ""},
		{"two feeds of a publisher", "- Stocks rose 5.2%. [7][8]", Unreliable},
		{"two publishers of one text", "- Stocks rose 5.2%. [10][12]", Unreliable},
		{"two publishers", "- Stocks rose 5.2%. [7][10]", ""},
		{"tier 2", "- Stocks rose 5.2%. [2]", ""},
		{"number in words", "- Stocks rose twelve percent. [10]", Unreliable},
		{"percent alone", "- Stocks rose by a percent. [10]", Unreliable},
		{"may is no month", "- Stocks may rise. [10]", ""},
		{"May is a month", "- Stocks will rise in May. [10]", Unreliable},
		{"May 5", "- Stocks rose on May 5. [10]", Unreliable},
		{"to march is no month", "- Protesters march on. [10]", ""},
		{"digits of another script", "- Stocks rose ٥ points. [10]", Unreliable},
		{"a fraction sign", "- Stocks rose ½ point. [10]", Unreliable},
		{"name with a digit", "- The S&P 500 rose. [10]", ""},
		{"doubled", "- Stocks doubled. [10]", Unreliable},
		{"scheduled date", "- The next jobs release is on March 12. [6]", ""},
		{"past event of a calendar", "- Stocks fell on March 12. [6]", Unreliable},
		{"scheduled date in figures", "- The next jobs release is due on 12/03/2026. [6]", ""},
		{"scheduled date with points", "- The next jobs release is due on 12.3.2026. [6]", ""},
		{"scheduled month", "- The next jobs release is due in March 2026. [6]", ""},
		{"scheduled May", "- The next jobs release is due in May 2026. [6]", ""},
		{"a share in figures", "- The next release will show that 1/3 left. [6]", Unreliable},
		{"scheduled date with a number", "- The next release on March 12 will show 3%. [6]", Unreliable},
		{"calendar of another source", "- The next jobs release is on March 12. [10]", Unreliable},
		{"policy without tier 1", "- The Fed held rates steady. [2][10]", Unofficial},
		{"policy by the tag of a source", "- Rates stay where they are. [13]", Unofficial},
		{"an opinion on policy", "- Some think the Fed is wrong. [10]", ""},
		{"policy with tier 1", "- The Fed was patient. [1][2]", ""},
		{"macro without tier 1", "- GDP grew slowly. [10]", Unofficial},
		{"quote of a paywalled body", "- Traders said “the worst day since the crash”. [4]", Unread},
		{"quote of a paywalled headline", "- One headline asked “Is the Fed over-tightening?”, to wide debate. [4][1]", ""},
		{"tail behind the mark", "- Stocks were calm. [2] Bonds were not.", Uncited},
		{"mark covers what is before", "- Stocks were calm. Bonds were not. [2]", ""},
		{"paragraph", "Stocks were calm.", Uncited},
		{"table row", "| index | move |\n|---|---|\n| Dax | up |", Uncited},
		{"code", "```\nThe Fed will cut.\n```", Uncited},
		{"quoted line", "> Stocks were calm.", Uncited},
		{"comment", "<!-- Stocks were calm. -->", Uncited},
		{"bold line", "**Stocks were calm.**", Uncited},
		{"heading with a number", "### Stocks up 5%", Uncited},
		{"remark with a number", "Note: rates are 3%.", Uncited},
		{"question with a number", "- Did you know that rates are 3%?", Uncited},
		{"footnote", "[^7]: Stocks were calm and 5.", Uncited},
		{"an abstention", "- [Conflicting reports; unable to confirm]", ""},
		{"an abstention that says more", "- [Insufficient evidence to deny that the Fed cut rates]", Uncited},
		{"a section of its own", "## Rumours\n- Stocks were calm.", Uncited},
		{"a numbered list", "1. Stocks were calm.", Uncited},
		{"another form of mark", "- Stocks were calm. [cite:g2]", ""},
	} {
		n++
		v := Validate(with(c.bullet), onFile(), brief)
		var faults []Fault
		for _, f := range v.Findings {
			faults = append(faults, f.Fault)
		}
		if c.fault == "" && v.Removals > 0 || c.fault != "" && (v.Removals != 1 || !slices.Contains(faults, c.fault)) {
			t.Errorf("%s: %d removals %v, want %q\n%s", c.name, v.Removals, faults, c.fault, v.Text)
		}
		if !v.Report.ValidationPassed || v.Report.TotalBullets != v.Report.CitedBullets+v.Report.RemovedBullets {
			t.Errorf("%s: report %+v", c.name, v.Report)
		}
	}
	if n != 54 {
		t.Errorf("%d cases", n)
	}
}

func TestDecisionTree(t *testing.T) {
	uncited := func(n int) string { return strings.Repeat("- Stocks were calm.\n", n) + "- Bonds were calm. [2]" }
	for removed, want := range map[int]Decision{0: Deliver, 3: Deliver, 4: Retry} {
		v := Validate(with(uncited(removed)), onFile(), brief)
		if got := Decide(v, 1, brief); got != want || v.Removals != removed {
			t.Errorf("%d removals: %s, want %s", v.Removals, got, want)
		}
	}
	// An empty section is a failure, whatever was removed.
	for _, draft := range []string{
		strings.Replace(valid, "- Next CPI release on March 12. [6]", "", 1),
		strings.Replace(valid, "## What to Watch\n- Next CPI release on March 12. [6]", "", 1),
		strings.Replace(valid, "[6]", "[99]", 1),
		"",
	} {
		if v := Validate(draft, onFile(), brief); Decide(v, 1, brief) != Retry || Decide(v, 2, brief) != Abstain {
			t.Errorf("an empty section: %+v", v.Sections)
		}
	}
	// A placeholder of the validator fills no section.
	marked := brief
	marked.Placeholders = true
	v := Validate(strings.Replace(valid, "[6]", "[99]", 1), onFile(), marked)
	if !strings.Contains(v.Text, "## What to Watch\n- "+NoEvidence) || Decide(v, 1, marked) != Retry {
		t.Errorf("placeholder:\n%s", v.Text)
	}
}

func TestAbstainingReport(t *testing.T) {
	v := Validate("## Prevailing View\n- The Fed was patient. [1]\n- Rates rose to 9%. [7]\n", onFile(), brief)
	text, bullets := Failed{Day: "2026-02-11", Last: v, Available: withIDs(shelf[:7]), Tried: []string{"2 of 2 drafts were checked"}}.Report(brief)
	if len(bullets) != 3 || strings.Contains(text, "was patient") || strings.Contains(text, "9%") || !slices.Equal(bullets[0].Citations, []string{"1"}) {
		t.Errorf("bullets %+v", bullets)
	}
	for _, part := range []string{"# Daily Brief - 2026-02-11\n\n## Synthesis Status: Insufficient Evidence\n",
		"We were unable to generate a complete daily brief for 2026-02-11 due to insufficient citeable evidence in available sources.",
		"## Available Evidence Summary\n\n- Federal Reserve: “The Committee decided” [1]\n", "## What Was Tried\n\n- 2 of 2 drafts were checked\n",
		"## What Is Missing\n\n- Section prevailing, bullet 2: a number or date needs a source", "- Section watch: evidence for one bullet", "## Why Insufficient\n\n- ", "without a credible source", "No cited bullet is left in the section counter",
		"## References\n\n[1] Federal Reserve.", "[7] Zero Hedge. \"Deflation warnings\". Published Feb 11, 2026. https://zh.example/7 [Monitor-only source]"} {
		if !strings.Contains(text, part) {
			t.Errorf("the report does not say %q:\n%s", part, text)
		}
	}
	empty, _ := Failed{Day: "2026-02-11", Last: Validate("", Context{}, brief)}.Report(brief)
	for _, part := range []string{"- " + NotAssessed, "No evidence on file is near what the draft says", "## References"} {
		if !strings.Contains(empty, part) {
			t.Errorf("the empty report does not say %q:\n%s", part, empty)
		}
	}
}

func withIDs(all []Evidence) []Evidence {
	out := slices.Clone(all)
	for i := range out {
		out[i].ID = fmt.Sprint(out[i].Number)
	}
	return out
}

func TestPaywalledQuoteIsStripped(t *testing.T) {
	data, err := json.Marshal(shelf[3].Citation())
	if err != nil || !strings.Contains(string(data), `"quote_span":null`) || strings.Contains(string(data), "stolen") || !strings.Contains(string(data), `"snippet_span":{"text":"Is the Fed`) {
		t.Errorf("%s, %v", data, err)
	}
	first := shelf[0]
	first.UUID = "cite_00000000-0001-8000-8000-000000000000"
	data, err = json.Marshal(first.Citation())
	want := `{"id":"cite_00000000-0001-8000-8000-000000000000","number":1,"source_id":"fed","publisher":"Federal Reserve","doc_id":"a1","chunk_id":"","url":"https://fed.example/1","title":"FOMC Statement - February 2026","published_at":"2026-02-10","fetched_at":"","quote_span":{"start":150,"end":320,"text":"The Committee decided"}}`
	if err != nil || string(data) != want {
		t.Errorf("%s, %v", data, err)
	}
}

// TestPaywallIsSaid: words that a metadata-only source cannot show are replaced by a phrase that says so, and a
// sentence that rests on such a source alone is reported.
func TestPaywallIsSaid(t *testing.T) {
	rules := Rules{Title: "Note", Carry: CarryNone, MaxRemoved: 9}
	n := 0
	for _, c := range []struct{ draft, want string }{
		{"- The FT wrote that “markets are in free fall today”. [4]\n\nStocks were calm. [2]\n", "- " + Paywalled + "\n"},
		{"Stocks were calm. [2] The FT wrote that “markets are in free fall today”. [4] Bonds rose. [2]\n", "Stocks were calm. [2] " + Paywalled + ". Bonds rose. [2]\n"},
		{"Stocks were calm. [2] The FT wrote that “markets are in free fall today”. [4]\n", "Stocks were calm. [2] " + Paywalled + ".\n"},
	} {
		n++
		v := Validate(c.draft, onFile(), rules)
		if !strings.Contains(v.Text, c.want) || strings.Contains(v.Text, "free fall") || v.Findings[0].Action != ActionReplaced || v.Findings[0].Fault != Unread {
			t.Errorf("%s\n%s\n%+v", c.draft, v.Text, v.Findings)
		}
		if again := Validate(v.Text, onFile(), rules); again.Text != v.Text {
			t.Errorf("twice:\n%s", again.Text)
		}
	}
	if n != 3 {
		t.Errorf("%d drafts", n)
	}
	v := Validate("Economists debate over-tightening. [4]\n", onFile(), rules)
	if len(v.Warnings) != 1 || !strings.Contains(v.Warnings[0], "paywalled") || !strings.Contains(v.Text, "[Paywall]\n\nSource is paywalled: ") {
		t.Errorf("%v\n%s", v.Warnings, v.Text)
	}
}

// TestNothingUncitedRemains validates drafts of random parts: what is left has
// only claims that stand, and stays as it is when it is validated again.
func TestNothingUncitedRemains(t *testing.T) {
	parts := []string{"Stocks were calm. ", "Bonds rose 5%. ", "The mill burned, and the miller left. ", "[1]", "[99]", "[2, 99]", "[cite:g2]", "[7]", "[10]", "- ", "\n", "\n\n", "## What to Watch\n", "## Elsewhere\n",
		"> ", "| a | b |\n", "|---|---|\n", "```\n", "Why? ", "Note: ", NoEvidence, "1. ", "  ", "He said “the worst day since”. [4] ", "===\n", "**", "## References\n", "\x00"}
	rapid.Check(t, func(t *rapid.T) {
		draft := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 30).Draw(t, "parts"), "")
		rules := brief
		rules.Carry = rapid.SampledFrom([]string{CarryNone, CarryParagraph}).Draw(t, "carry")
		rules.Placeholders = rapid.Bool().Draw(t, "placeholders")
		v := Validate(draft, onFile(), rules)
		again := Examine(v.Text, onFile(), rules)
		for _, c := range again.Claims {
			if c.Fault != "" {
				t.Fatalf("%q is left: %s %s\ndraft %q\nleft %q", c.Text, c.Fault, c.Reason, draft, v.Text)
			}
		}
		if len(again.BadMarks) > 0 {
			t.Fatalf("mark %+v is left\ndraft %q\nleft %q", again.BadMarks[0], draft, v.Text)
		}
		if twice := Validate(v.Text, onFile(), rules); twice.Text != v.Text {
			t.Fatalf("validated twice\ndraft %q\nonce  %q\ntwice %q", draft, v.Text, twice.Text)
		}
	})
}

// TestFreeform: only where both switches are on does a claim stay that cites
// nothing, and it says so.
func TestFreeform(t *testing.T) {
	c := onFile()
	draft := "Stocks were calm. [2] Bonds were not.\n\nGold fell. [99]\n"
	rules := Rules{Title: "Note", Carry: CarryNone, MaxRemoved: 9}
	if v := Validate(draft, c, rules); strings.Contains(v.Text, "Bonds") || len(v.Free) > 0 {
		t.Errorf("without it:\n%s", v.Text)
	}
	c.Freeform = true
	v := Validate(draft, c, rules)
	if !strings.Contains(v.Text, "Bonds were not. [not from the archive]\n") || strings.Contains(v.Text, "Gold") || len(v.Free) != 1 || v.Covered != 1 {
		t.Errorf("with it: %+v\n%s", v, v.Text)
	}
	if again := Validate(v.Text, c, rules); again.Text != v.Text {
		t.Errorf("twice:\n%s", again.Text)
	}
}
