package contract_test

import (
	"strings"
	"testing"

	"muniment/draft/contract"
	"muniment/draft/profile"
)

// hidden are drafts that have one claim without a citation in an odd place; the claim has the words
// collapsed or collapse. Half of the sets were written before the rules that find them.
var hidden = []string{
	"## iPhone sales collapsed\n\nRates were held. [10]",                               // a heading
	"iPhone sales collapsed\n===\n\nRates were held. [10]",                             // an underlined heading
	"---\ntitle: iPhone sales collapsed\n---\n\nRates were held. [10]",                 // front matter
	"| iPhone sales collapsed | Rates |\n|---|---|\n| Dax | up [10] |",                 // the head of a table
	"| Rates | Phones |\n|---|---|\n| Rates were held [10] | iPhone sales collapsed |", // a cell behind the mark
	"| Rates | Phones |\n|---|---|\n| Dax | up [10] |\n| iPhone sales collapsed | 5 |", // a row of its own
	"Rates were held. [10]\n\n[^1]: iPhone sales collapsed.",                           // a footnote
	"Rates were held.[^10]\n\n[^10]: iPhone sales collapsed.",                          // a footnote of a citation
	"> Rates were held. [10]\n> > iPhone sales collapsed.",                             // a quote in a quote
	"iPhone sales collapsed. <!-- [10] -->\n\nRates were held. [10]",                   // a mark that nobody sees
	"Rates were held. [10]\n\n<!-- iPhone sales collapsed. [10] -->",                   // a claim that nobody sees
	"Rates were held. [10] <!-- and so iPhone sales collapsed",                         // a comment that does not end
	"- Rates were held. [10]\n\n      iPhone sales collapsed.",                         // a list continuation
	"- Rates were held. [10]\n  + iPhone sales collapsed",                              // a nested item
	"Rates were held [10], iPhone sales collapsed.",                                    // a comma
	"Rates were held [10] — the sales of iPhones collapsed.",                           // a dash
	"Rates were held [10] (iPhone sales collapsed).",                                   // brackets
	"Rates were held [10]: iPhone sales collapsed.",                                    // a colon
	"Rates were held. [10]\n\niPhone sales collapsed. ［10］",                            // brackets of another script
	"Rates were held. [10]\n\niPhone sales collapsed. \\[10\\]",                        // a mark that is text
	"Rates were held. [10]\n\niPhone sales collapsed. [10](https://e.example)",         // a link that looks like a mark
	"Rates were held. [10]\n\n`iPhone sales collapsed.`",                               // a code span
	"Rates were held. [10]\n\n```\niPhone sales collapsed.\n```",                       // a code block
	"Rates were held. [10]\n\n![iPhone sales collapsed](x.png)",                        // the text of a picture
	"Rates were held. [10]\n\n[iPhone sales collapsed](https://e.example)",             // the text of a link
	"Rates were held. [10]\n\niPhone sales collapsed, didn't they?",                    // a tag question
	"Rates were held. [10]\n\nIs it not true that iPhone sales collapsed?",             // a question that takes it for granted
	"Rates were held. [10]\n\nWho would deny, after iPhone sales collapsed, the need?", // the same behind a comma
	"Rates were held. [10]\n\nI do not know why, but iPhone sales collapsed.",          // a remark on the text
	"Rates were held. [10]\n\nThe archive has no doubt that iPhone sales collapsed.",   // the same
	"Rates were held. [10]\n\n[Insufficient evidence to assess this claim] iPhone sales collapsed.",
	"Rates were held. [10]\n\n<p title=\"x\">iPhone sales collapsed.</p>",
	"Rates were held. [10]\n\nNote: iPhone sales collapsed.",
	"Rates were held.[10]iPhone sales collapsed.", // no blank at all
	"Rates were held. [10]\u200biPhone sales collapsed.",
	"Rates were held. [10]\n\n: iPhone sales collapsed.",
	"Rates were held. [10]\n\n1) iPhone sales collapsed",
	"Rates were held. [10]\n\n**iPhone sales collapsed**\n\nRates were held. [10]",
	"Rates were held. [10]\n\n~~iPhone sales collapsed.~~",
	"Rates were held in March [10] and iPhone sales collapsed.",
	"Rates were held in March [10] while the sales of phones collapsed.",
	"Rates were held, said Reuters [10], but in April iPhone sales collapsed.",
	"Rates were held. [10]\n\n<details><summary>iPhone sales collapsed</summary></details>",
	"Rates were held. [10]\n\n- [x] iPhone sales collapsed",
	"Rates were held. [10]\n\n$$iPhone sales collapsed$$",
	"Rates were held. [10]\n\n&#105;Phone sales collapsed.",
	"Rates were held. [10]\n\nTerm\n: iPhone sales collapsed",
	"Rates were held. [10]\n\nPhones | Rates\n---|---\niPhone sales collapsed | 5",
	"Rates were held. [10] ¶ iPhone sales collapsed",
	"Rates were held. [10]\n\n[x]: https://e.example 'iPhone sales collapsed.'",
}

// TestForcedLinesAreSentences: where a mark covers its own sentence alone, what stands on another line of the page
// is another sentence.
func TestForcedLinesAreSentences(t *testing.T) {
	c := contract.Context{Lookup: func(id string) (contract.Evidence, bool) {
		return contract.Evidence{Publisher: "Weekly", Title: "Rates", Tier: 1}, id == "10"
	}}
	n := 0
	for _, draft := range []string{
		"iPhone sales collapsed \\\nRates were held. [10]", "iPhone sales collapsed  \nRates were held. [10]", "<br>iPhone sales collapsed<br>Rates were held. [10]",
		"- iPhone sales collapsed<br/>Rates were held. [10]", "<p>iPhone sales collapsed</p><p>Rates were held. [10]</p>", "**iPhone sales collapsed**  \nRates were held. [10]",
	} {
		n++
		v := contract.Validate(draft+"\n", c, contract.Rules{Title: "Note", Carry: contract.CarryNone, MaxRemoved: 9, Attempts: 1})
		if strings.Contains(v.Text, "collapsed") || !strings.Contains(v.Text, "Rates were held. [10]") {
			t.Errorf("%q:\n%s\n%+v", draft, v.Text, v.Findings)
		}
	}
	for _, draft := range []string{"Rates were held  \n[10]", "Rates were held.  \n[10]", "Rates were held<br>[10]", "| Dax<br>old | up [10] |"} {
		n++
		if v := contract.Validate(draft+"\n", c, contract.Rules{Title: "Note", Carry: contract.CarryNone, Attempts: 1}); v.Removals != 0 {
			t.Errorf("%q: %+v", draft, v.Findings)
		}
	}
	if n != 10 {
		t.Errorf("%d drafts", n)
	}
}

// TestHiddenClaimsAreFound: under every shipped profile a claim that cites nothing is taken out or, where the
// profile leaves such claims, flagged in its place, wherever it stands.
func TestHiddenClaimsAreFound(t *testing.T) {
	let, n := 0, 0
	for _, name := range profile.Names {
		p, ok := profile.Find(name)
		if !ok {
			t.Fatal(name)
		}
		c := contract.Context{Day: "2026-02-11", Support: func(_ string, cited []contract.Evidence) ([]contract.Evidence, string) { return cited, "" }, Lookup: func(id string) (contract.Evidence, bool) {
			id = strings.TrimLeft(id, "g^")
			return contract.Evidence{Publisher: "Weekly", Title: "Rates", URL: "https://weekly.example", PublishedAt: "2026-02-10", Tier: 1}, id == "10"
		}}
		for _, draft := range hidden {
			n++
			v := contract.Validate(draft+"\n", c, p.Draft)
			at := strings.Index(v.Text, "collapse")
			if at < 0 || p.Draft.Uncited == contract.UncitedFlag && strings.Contains(strings.SplitN(v.Text[at:], "\n", 2)[0], contract.Flag) {
				continue
			}
			let++
			t.Errorf("%s: %q is let through:\n%s\n%+v", name, draft, v.Text, v.Findings)
		}
	}
	if n != len(profile.Names)*len(hidden) {
		t.Errorf("%d drafts", n)
	}
	t.Logf("%d of %d let through", let, n)
}

// TestOpenTextStays: questions, remarks, headings and labels that assert nothing need no citation, and
// what follows a mark and belongs to the sentence is covered by it.
func TestOpenTextStays(t *testing.T) {
	c := contract.Context{Support: func(_ string, cited []contract.Evidence) ([]contract.Evidence, string) { return cited, "" }, Lookup: func(id string) (contract.Evidence, bool) {
		return contract.Evidence{Publisher: "Weekly", Title: "Rates", Tier: 1}, id == "10"
	}}
	n := 0
	for _, text := range []string{
		"## What happened in March\n\nRates were held. [10]", "## Prices and wages\n\nRates were held. [10]", "## Why was it held?\n\nRates were held. [10]", "# Daily Brief - 2026-02-11\n\nRates were held. [10]",
		"| Index | Close |\n|---|---|\n| Dax | up [10] |", "| Index | Close |\n|---|---|\n| Rates were held [10] | 5 |", "Rates were held. [10] Who decided it?", "Rates were held. [10]\n\nWhen did she leave the mill?",
		"Rates were held. [10]\n\nI could not find a letter about it.", "Rates were held. [10]\n\nThe archive has no letter of that year.", "Rates rose [10], the bank said.", "Rates rose [10], economists argued in March.",
		"Rates rose [10], which nobody expected.", "Rates rose [10], as banks expected.", "Rates rose [10] (a surprise).", "Rates rose [10]: a surprise.", "Rates rose [10] — again.", "Rates were held [10] in March, in April and in May.",
		"Rates were held. [10] But did she know the miller?", "Rates were held [10] and, in March, cut [10].",
	} {
		n++
		v := contract.Validate(text+"\n", c, contract.Rules{Title: "Note", Carry: contract.CarryNone, Attempts: 1})
		if v.Removals != 0 {
			t.Errorf("%q: %+v", text, v.Findings)
		}
	}
	if n != 20 {
		t.Errorf("%d texts", n)
	}
}
