package contract

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The sentences that a draft of TestNothingUncitedPasses has, and what may stand between a mark and its neighbours.
var (
	citedSentences   = []string{"Some economists argue.", "Rates were held!", "The Committee met in Washington D.C.", "“We wait,” the chair said.", "Growth slowed (a little).", "Was the rate held?", "Prices rose, and wages followed.", "*Bonds* were calm…"}
	uncitedSentences = []string{"iPhone sales collapsed.", "eBay sold its stake.", "the miller drowned.", "“nobody knew,” he claimed.", "1,000 workers left.", "Stocks crashed.", "von Neumann lied.", "(the bank failed.)", "de facto control passed to Moscow.", "*emphatically*, they cheated.", "2. The mill burned.", "# The mill burned.", "- The mill burned.", "€5 bn went missing.", "note: the mill burned.", "and the mill burned.", "which nobody had expected was a lie."}
	gaps             = []string{" ", "  ", "", "\n", "\n  ", "\t", " \n"}
	markings         = []string{"[10]", "[^10]", "[cite:g10]", "[10][2]", "[10, 2]", "[10] [2]"}
)

// TestNothingUncitedPasses moves marks about: no sentence is delivered that stands behind the last mark
// or before which alone a mark stands.
func TestNothingUncitedPasses(t *testing.T) {
	let := 0
	ctx := onFile()
	ctx.Lookup = func(id string) (Evidence, bool) {
		id = strings.TrimLeft(id, "g^")
		return Evidence{Publisher: "Weekly " + id, URL: "x", PublishedAt: "2026-02-11", Tier: 1}, id == "10" || id == "2"
	}
	rapid.Check(t, func(r *rapid.T) {
		pick := func(name string, of []string) string { return rapid.SampledFrom(of).Draw(r, name) }
		cited, uncited, mark := pick("cited", citedSentences), pick("uncited", uncitedSentences), pick("mark", markings)
		lead := pick("lead", []string{"- ", "", "1. ", "> ", "* ", "**Outlook:** "})
		var bullet string
		switch rapid.IntRange(0, 3).Draw(r, "place") {
		case 0: // behind the mark
			bullet = lead + cited + pick("before", gaps) + mark + pick("after", gaps[:4]) + uncited
		case 1: // the mark before its sentence
			bullet = lead + mark + pick("after", gaps) + uncited
		case 2: // behind two marked ones
			bullet = lead + cited + " " + mark + " " + pick("second", citedSentences) + pick("before", gaps) + mark + " " + uncited
		case 3: // before the marked one, where a mark covers its own sentence alone
			bullet = lead + uncited + " " + cited + " " + mark
		}
		for _, carry := range []string{CarryNone, CarryParagraph} {
			if carry == CarryParagraph && strings.HasSuffix(bullet, mark) {
				continue // the mark covers it there
			}
			rules := Rules{Title: "Note", Carry: carry, MaxRemoved: 100, Attempts: 1}
			v := Validate("# Note\n\nRates held. [10]\n\n"+bullet+"\n", ctx, rules)
			words := strings.Trim(uncited, "()#-*2. “”")
			if strings.Contains(v.Text, words) {
				let++
				r.Errorf("carry %s: %q let through:\n%s", carry, bullet, v.Text)
			}
		}
	})
	t.Logf("%d let through", let)
}

// TestMarksCoverWhatTheyFollow: the strictness of the marks costs no sentence that is cited.
func TestMarksCoverWhatTheyFollow(t *testing.T) {
	n := 0
	for _, text := range []string{
		"- Rates were held. [10]", "- Rates were held [10].", "- Rates were held.[10]", "- Rates [10] were held.", "- Rates were held\n  [10]", "- Rates were held.\n[10]",
		"- Smith et al. [10] argue that rates were held.", "- According to Apple Inc. [10] rates were held.", "- The Fed said [10] that it held rates.",
		"- Rates rose [10] in March.", "- Rates rose [10], as banks expected.", "- Rates rose, e.g. [10] in Japan.", "- Rates rose (see [10]).", "- Rates held. [10] Bonds fell. [2]",
		"- Rates held. [10]\n  Bonds fell. [2]", "- Rates held, [10] and bonds fell. [2]", "- Rates held [10] and bonds fell [2].", "1. Rates held. [10]", "| Dax | up [10] |",
		"- Rates were held. ([10])", "- **Rates were held.** [10]", "- “Rates were held.” [10]", "- Rates rose [10] despite weak growth.", "- Rates were held; [10] bonds fell. [2]",
	} {
		n++
		v := Validate(text+"\n", onFile(), Rules{Title: "Note", Carry: CarryNone, Attempts: 1})
		if v.Removals != 0 {
			t.Errorf("%q: %+v", text, v.Findings)
		}
	}
	if n != 24 {
		t.Errorf("%d cases", n)
	}
}

// TestClaimsAgainstTheirCitation: what a citation contradicts, or has nothing to do with, fails under
// every profile; with the alignment off it stays and is reported.
func TestClaimsAgainstTheirCitation(t *testing.T) {
	words := map[string]string{"1": "The Committee held the target range at 5.25 percent.", "2": "Real GDP increased at an annual rate of 2.9 percent in the fourth quarter."}
	ctx := Context{Lookup: func(id string) (Evidence, bool) {
		id = strings.TrimPrefix(id, "g")
		publisher := map[string]string{"1": "Federal Reserve", "2": "U.S. Bureau of Economic Analysis"}[id]
		return Evidence{Publisher: publisher, Tier: 1, Quote: &Quote{Text: words[id]}}, words[id] != ""
	}}
	n := 0
	for text, want := range map[string]Fault{
		"The moon is made of cheese. [cite:g1]":                  Unrelated,
		"The miller drowned. [1][2]":                             Unrelated,
		"The Committee held the target range at 9 percent. [1]":  Contradicted,
		"The Committee did not hold the target range. [1]":       Contradicted,
		"GDP grew 2.9% in Q4. [2]":                               "",
		"GDP grew 2.9%, slightly above expectations. [2]":        "",
		"The Fed held its range at 5.25%. [1]":                   "",
		"The Fed was patient. [1]":                               "",
		"The Federal Reserve held rates steady. [1]":             "",
		"Q4 GDP grew 2.9%, slightly above expectations. [2]":     "",
		"The Federal Reserve held rates at 5.25%. [1]":           "",
		"The Fed held its target range at 5.25 percent. [1]":     "",
		"According to limited available reports, GDP grew. [2]":  "",
		"Some sources suggest that the Committee held. [1]":      "",
		"The FOMC held the range steady at 5.25 percent. [1]":    "",
		"Growth of GDP was 2.9 percent in the last quarter. [2]": "",
	} {
		n++
		v := Validate(text+"\n", ctx, Rules{Title: "Note", Carry: CarryNone, Attempts: 1})
		got := Fault("")
		for _, f := range v.Findings {
			got = f.Fault
		}
		if got != want {
			t.Errorf("%q: %q, want %q: %+v", text, got, want, v.Findings)
		}
		v = Validate(text+"\n", ctx, Rules{Title: "Note", Carry: CarryNone, Attempts: 1, Alignment: AlignmentOff})
		if !v.Report.ValidationPassed || len(v.Findings) != map[bool]int{true: 1}[want != ""] || want != "" && v.Findings[0].Action != ActionKept {
			t.Errorf("%q with the alignment off: %+v", text, v)
		}
	}
	if n != 16 {
		t.Errorf("%d cases", n)
	}
}

// TestTails: a clause behind a mark that stands inside its sentence is found; what leads a claim in covers it.
func TestTails(t *testing.T) {
	for text, passes := range map[string]bool{
		"- Rates[10]were held although sales collapsed.":                               false,
		"- Oil prices rose on fears [10] while the harbour was closed for a week.":     false,
		"- The bridge was rebuilt [10]; the masons were never paid.":                   false,
		"- According to the minutes [10] it was refused because the names were wrong.": true,
		"- In the minutes [10] the council refused it because the names were wrong.":   true,
		"- Oil prices rose [10] on fears of a shortage.":                               true,
	} {
		v := Validate(text+"\n", onFile(), Rules{Title: "Note", Carry: CarryNone, Attempts: 1, Alignment: AlignmentOff})
		if (v.Removals == 0) != passes {
			t.Errorf("%q: %+v", text, v.Findings)
		}
	}
}
