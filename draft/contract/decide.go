package contract

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A Decision says what becomes of a validated draft.
type Decision string

// The decisions.
const (
	Deliver Decision = "deliver"
	Retry   Decision = "retry"
	Abstain Decision = "abstain"
	Flagged Decision = "flagged" // the draft as it is after validation, with sentences that cite nothing
)

// Decide returns the decision on draft number attempt, counted from 1.
func Decide(v *Validation, attempt int, r Rules) Decision {
	switch {
	case v.Report.ValidationPassed:
		return Deliver
	case attempt < min(max(r.Attempts, 1), MaxAttempts):
		return Retry
	case r.Uncited != "" && v.Report.CitedBullets+v.Open > 0:
		return Flagged
	}
	return Abstain
}

// Instruction tells a drafter what the next draft needs.
func Instruction(v *Validation, r Rules) string {
	parts := []string{"Write the text again. Cite evidence that is on file after every sentence that states anything: [1], [2]."}
	for _, s := range v.Sections {
		if s.Empty {
			parts = append(parts, fmt.Sprintf("Section %q has no cited bullet; cite evidence for it or write only %s in it.", s.Key, NotAssessed))
		}
	}
	for _, f := range v.Findings {
		if f.Action == ActionKept && f.Fault != Uncited {
			continue
		}
		parts = append(parts, fmt.Sprintf("%s: %s", oneLine(f.Text), f.Reason))
	}
	return strings.Join(parts, "\n")
}

// Failed is the input of an abstaining report.
type Failed struct {
	Day       string      // YYYY-MM-DD
	Last      *Validation // of the last draft
	Available []Evidence  // what there was near its claims, in the order of the references
	Tried     []string    // what was done to save the draft, a line each
}

// Report writes the report that replaces a failed draft, and returns the bullets that sum up the
// evidence, with their citations.
func (f Failed) Report(r Rules) (string, []Bullet) {
	if f.Last == nil {
		f.Last = &Validation{}
	}
	name := strings.ToLower(r.Title)
	var b strings.Builder
	fmt.Fprintf(&b, "# %s - %s\n\n## Synthesis Status: Insufficient Evidence\n\n", r.Title, f.Day)
	fmt.Fprintf(&b, "We were unable to generate a complete %s for %s due to insufficient citeable evidence in available sources.\n\n", name, f.Day)
	b.WriteString("## Available Evidence Summary\n\n")
	bullets := f.summary()
	for _, k := range bullets {
		b.WriteString("- " + k.Text + "\n")
	}
	b.WriteString("\n## Why Insufficient\n\n")
	for _, line := range f.reasons() {
		b.WriteString("- " + line + "\n")
	}
	for _, part := range []struct {
		title string
		lines []string
	}{{"What Was Tried", f.Tried}, {"What Is Missing", f.missing()}} {
		if len(part.lines) > 0 {
			b.WriteString("\n## " + part.title + "\n\n")
		}
		for _, line := range part.lines {
			b.WriteString("- " + line + "\n")
		}
	}
	refs := References(f.Available)
	if refs == "" {
		refs = "## References\n\nNo source was retrieved.\n"
	}
	return b.String() + "\n" + refs, bullets
}

// summaryLines is how many bullets sum up the evidence.
const summaryLines = 3

// summarySection is the section of the summary's bullets.
const summarySection = "available-evidence-summary"

// summary returns the sources at hand in their own words: first those that the draft cited, then by
// tier. Nothing of the draft is in it.
func (f Failed) summary() []Bullet {
	var out []Bullet
	add := func(text string, ids ...string) {
		if len(out) < summaryLines {
			out = append(out, Bullet{summarySection, len(out) + 1, text, ids})
		}
	}
	cited := map[int64]bool{}
	for i := range f.Last.Cited {
		cited[f.Last.Cited[i].Number] = true
	}
	order := slices.Clone(f.Available)
	slices.SortStableFunc(order, func(a, b Evidence) int {
		rank := func(e Evidence) int { // a source that is not rated comes last
			if e.Tier == 0 {
				return 5
			}
			return e.Tier
		}
		if x, y := cited[a.Number], cited[b.Number]; x != y {
			return map[bool]int{true: -1, false: 1}[x]
		}
		return cmp.Compare(rank(a), rank(b))
	})
	for _, e := range order {
		who := cmp.Or(plain(e.Publisher), "A source at hand")
		switch {
		case e.Invalid != "" || e.ID == "":
		case e.Quote != nil && !e.Paywall:
			add(fmt.Sprintf("%s: “%s” [%s]", who, oneLine(plain(e.Quote.Text)), e.ID), e.ID)
		case e.Title != "":
			add(fmt.Sprintf("%s is titled “%s”; nothing else of it is quoted here. [%s]", who, plain(e.Title), e.ID), e.ID)
		}
	}
	if len(out) == 0 {
		add(NotAssessed)
	}
	return out
}

// missing says of each statement that fell, by its place and not by its words, what it lacked.
func (f Failed) missing() []string {
	var out []string
	for _, x := range f.Last.Findings {
		if x.Action == ActionRemoved || x.Action == ActionReplaced || x.Action == ActionCitation {
			where := fmt.Sprintf("Section %s, bullet %d", x.Section, x.Bullet)
			if x.Bullet == 0 {
				where = "Outside of the bullets"
			}
			out = append(out, where+": "+x.Reason)
		}
	}
	for _, s := range f.Last.Sections {
		if s.Empty {
			out = append(out, fmt.Sprintf("Section %s: evidence for one bullet at least", s.Key))
		}
	}
	const most = 12 // lines that are read
	if n := len(out); n > most {
		out = append(out[:most], fmt.Sprintf("and %d more", n-most))
	}
	return out
}

// reasons lists the missing evidence, the general before the particular.
func (f Failed) reasons() []string {
	var out []string
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	tiers, paywalled, publishers := [5]int{}, 0, map[string]bool{}
	for i := range f.Available {
		e := &f.Available[i]
		tiers[max(0, min(e.Tier, 4))]++
		publishers[publisherKey(e.Publisher)] = true
		if e.Paywall {
			paywalled++
		}
	}
	n := len(f.Available)
	switch {
	case n == 0:
		add("No evidence on file is near what the draft says")
	case tiers[4] == n:
		add("Only Tier 4 sources are available (%d)", n)
	case tiers[1] == 0:
		add("No Tier 1 source is available among %d", n)
	}
	if n > 0 && paywalled*2 > n {
		add("Paywalled sources dominate (%d of %d); insufficient full-text access", paywalled, n)
	}
	if n > 1 && len(publishers) == 1 {
		add("All %d citations are of one publisher", n)
	}
	counts := map[Fault]int{}
	for _, x := range f.Last.Findings {
		if x.Action == ActionRemoved || x.Action == ActionReplaced {
			counts[x.Fault]++
		}
	}
	for _, x := range []struct {
		fault Fault
		words string
	}{
		{Uncited, "cite no evidence on file"},
		{Unreliable, "state a number or date without a credible source"},
		{Unofficial, "are about policy and do not cite the official source"},
		{Unread, "quote a source of which only metadata is known"},
		{Unsupported, "do not follow from what they cite"},
		{Conflict, "rest on one of two citations that contradict each other"},
		{Outdated, "rest on sources that are all too old"},
		{Weak, "rest on a single source of tier 4"},
		{Contradicted, "are contradicted by what they cite"},
		{Unrelated, "have nothing in common with what they cite"},
	} {
		if counts[x.fault] > 0 {
			add("%d of the draft's statements %s", counts[x.fault], x.words)
		}
	}
	for _, s := range f.Last.Sections {
		if s.Empty {
			add("No cited bullet is left in the section %s", s.Key)
		}
	}
	if len(out) == 0 {
		add("%d statements had to be removed", f.Last.Removals)
	}
	return slices.Compact(out)
}

// oneLine is the beginning of a text, in one line.
func oneLine(s string) string {
	const longest = 120 // code points that tell a sentence from others
	if r := []rune(strings.Join(strings.Fields(s), " ")); len(r) > longest {
		return string(r[:longest]) + "…"
	}
	return strings.Join(strings.Fields(s), " ")
}
