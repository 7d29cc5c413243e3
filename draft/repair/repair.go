// Package repair closes the gaps of a draft: it puts known evidence behind
// claims that cite none, or says of them that they are only suggested, and
// leaves the rest to the validator, which strips it.
//
//	out, err := repair.Run(ctx, draft, gate, holds, repair.Known(find), repair.Suggested(hint))
//	// out.Draft, out.Before, out.After, out.Gain()
//
// A pass is anything that takes a draft with its flagged claims and gives a
// draft; a model is one. At most MaxPasses run. The gate, which is deterministic,
// ends it: as soon as nothing is flagged no pass runs, and its result alone says
// whether a pass helped. Each flagged claim is taken from a pass by itself. A pass is
// rejected, and its draft dropped, where it is altered or covers less, and what it made
// of one claim where that is rewritten, dangling or unheld:
//
//	altered    any byte outside the flagged claims is not what it was, or claims
//	           came or went
//	rewritten  a flagged claim has other words than before, but for one of the
//	           phrases of hedge.Softeners around it
//	dangling   it cites what is not on file
//	unheld     a mark that it put behind a claim does not hold: the claim does not
//	           follow from the words cited, or the gate finds it contradicted by them
//	coverage   fewer claims stand than before
//
// A pass that fails with an error is rejected too; the draft stays as it was.
// Nothing here changes the evidence.
//
// The package is pure but for what the passes do.
package repair

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"muniment/draft/contract"
	"muniment/judge/hedge"
	"muniment/text/segment"
)

// MaxPasses is how many passes one draft gets.
const MaxPasses = 2

// Coverage counts the claims of a draft and the covered ones.
type Coverage struct {
	Covered int `json:"covered"`
	Claims  int `json:"claims"`
}

// Share is the covered part of the claims, 0 to 1; 1 without claims.
func (c Coverage) Share() float64 {
	if c.Claims == 0 {
		return 1
	}
	return float64(c.Covered) / float64(c.Claims)
}

// A Record is what became of one pass.
type Record struct {
	By       string   `json:"by"`
	Flagged  int      `json:"flagged"` // before it
	Accepted bool     `json:"accepted"`
	Reason   string   `json:"reason,omitempty"` // why it was rejected; "" where it changed nothing
	After    Coverage `json:"after"`            // of the draft that was kept
}

// An Outcome is a draft after its repair.
type Outcome struct {
	Draft         string
	Before, After Coverage
	Passes        []Record
}

// Gain is the growth of the share of covered claims.
func (o *Outcome) Gain() float64 { return o.After.Share() - o.Before.Share() }

// A Pass is one way to close gaps.
type Pass struct {
	By  string // ledger, softening, model
	Run func(ctx context.Context, draft string, flagged []contract.Claim) (string, error)
}

// A Gate examines a draft.
type Gate = func(draft string) *contract.Examination

// Holds decides whether a claim follows from the words that the citations of
// ids name, where it is softened without the softening.
type Holds = func(claim contract.Claim, ids []string) bool

// Run repairs a draft. The error is ctx's; whatever else goes wrong is in the
// records.
func Run(ctx context.Context, draft string, gate Gate, holds Holds, passes ...Pass) (*Outcome, error) {
	x := gate(draft)
	o := &Outcome{Draft: draft, Before: coverage(x), After: coverage(x)}
	for _, p := range passes[:min(len(passes), MaxPasses)] {
		flagged := flaggedOf(x)
		if len(flagged) == 0 {
			break
		}
		r := Record{By: p.By, Flagged: len(flagged)}
		next, err := p.Run(ctx, o.Draft, flagged)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		after := x
		switch {
		case err != nil:
			r.Reason = err.Error()
		case next == o.Draft:
		default:
			next = strings.TrimRight(next, " \t\r\n") + o.Draft[len(strings.TrimRight(o.Draft, " \t\r\n")):]
			kept, err := accept(o.Draft, next, x, gate(next), holds)
			if err != nil {
				r.Reason = err.Error()
			}
			if kept != o.Draft {
				if after = gate(kept); coverage(after).Covered < coverage(x).Covered {
					a, b := coverage(x), coverage(after)
					r.Reason, after = fmt.Sprintf("coverage: %d of %d claims stood, now %d of %d", a.Covered, a.Claims, b.Covered, b.Claims), x
				} else {
					r.Accepted, o.Draft = true, kept
				}
			}
		}
		x = after
		o.After = coverage(x)
		r.After = o.After
		o.Passes = append(o.Passes, r)
	}
	return o, nil
}

func coverage(x *contract.Examination) Coverage { return Coverage{x.Covered(), len(x.Claims)} }

func flaggedOf(x *contract.Examination) []contract.Claim {
	return slices.DeleteFunc(slices.Clone(x.Claims), func(c contract.Claim) bool { return !isGap(&c) })
}

// isGap reports whether more marks or a softening may close what is wrong with a claim: not what its
// evidence contradicts, disputes, or is too old for.
func isGap(c *contract.Claim) bool {
	switch c.Fault {
	case "", contract.Contradicted, contract.Conflict, contract.Outdated:
		return false
	}
	return true
}

// accept returns the draft with those replacements of flagged claims that are right, and why the first
// of the others is not; where more than flagged claims changed none is taken.
func accept(old, next string, before, after *contract.Examination, holds Holds) (string, error) {
	flagged := flaggedOf(before)
	parts, at, err := replaced(old, next, before, after)
	if err != nil {
		return old, err
	}
	became := map[int]contract.Fault{} // by start
	for _, c := range after.Claims {
		became[c.Start] = c.Fault
	}
	had := map[string]bool{}
	for _, m := range before.BadMarks {
		had[m.ID] = true
	}
	var out strings.Builder
	end := 0
	for i, part := range parts {
		was := old[flagged[i].Start:flagged[i].End]
		bad := check(&flagged[i], was, part, holds)
		if f := became[at[i]]; bad == nil && part != was && (f == contract.Contradicted || f == contract.Unrelated) {
			bad = fmt.Errorf("unheld: %.80q would be %s", was, f)
		}
		for _, m := range after.BadMarks {
			if !had[m.ID] && m.Start >= at[i] && m.Start < at[i]+len(part) {
				bad = fmt.Errorf("dangling: citation %s does not count: %s", m.ID, m.Reason)
			}
		}
		if bad != nil {
			part, err = was, cmp.Or(err, bad)
		}
		out.WriteString(old[end:flagged[i].Start] + part)
		end = flagged[i].End
	}
	return out.String() + old[end:], err
}

// check returns the error of a text that replaces a flagged claim.
func check(c *contract.Claim, was, part string, holds Holds) error {
	if part == was {
		return nil
	}
	if !sameWords(was, part) {
		return fmt.Errorf("rewritten: %.80q became %.80q", was, part)
	}
	ids := added(was, part)
	if len(ids) == 0 {
		ids = added("", part) // it has only the marks that it had
	}
	if len(ids) == 0 {
		return fmt.Errorf("unheld: %.80q cites nothing", part)
	}
	if !holds(*c, ids) {
		return fmt.Errorf("unheld: %.80q does not follow from %s", was, strings.Join(ids, ", "))
	}
	return nil
}

// replaced returns the text in next that replaces each flagged claim, and its place.
func replaced(old, next string, before, after *contract.Examination) (parts []string, places []int, err error) {
	if len(before.Claims) != len(after.Claims) {
		return nil, nil, fmt.Errorf("altered: %d claims became %d", len(before.Claims), len(after.Claims))
	}
	var want strings.Builder
	at := 0
	for i, c := range before.Claims {
		if !isGap(&c) {
			continue
		}
		part := next[after.Claims[i].Start:after.Claims[i].End]
		want.WriteString(old[at:c.Start] + part)
		parts, places, at = append(parts, part), append(places, after.Claims[i].Start), c.End
	}
	want.WriteString(old[at:])
	if want.String() != next {
		return nil, nil, errors.New("altered: text that was not flagged is not what it was")
	}
	return parts, places, nil
}

// sameWords reports whether a part has the words that it replaces and, except for one phrase before
// and one after them, no others; and every sign of a number is the same.
func sameWords(was, part string) bool {
	a, b := strip(was), strip(part)
	if a == b {
		return true
	}
	softened := false
	for _, s := range hedge.Softeners {
		if len(b) >= len(s) && strings.EqualFold(b[:len(s)], s) {
			b, softened = strings.TrimLeft(b[len(s):], ", "), true
			break
		}
	}
	for _, s := range hedge.Softeners {
		if t := strings.TrimRight(b, "."); strings.HasSuffix(t, s) {
			b, softened = strings.TrimRight(strings.TrimSuffix(t, s), ", "), true
			break
		}
	}
	trim := func(s string) string { return strings.TrimRight(s, ". ") }
	return softened && (trim(a) == trim(b) || len(a) > 0 && len(b) > 0 && strings.EqualFold(a[:1], b[:1]) && trim(a[1:]) == trim(b[1:]))
}

// strip returns a text without citation marks, its white space as single spaces.
func strip(text string) string {
	var out strings.Builder
	at := 0
	for _, m := range marks(text) {
		if m.Start >= at {
			out.WriteString(text[at:m.Start])
			at = m.End
		}
	}
	out.WriteString(text[at:])
	return beforeStop.ReplaceAllString(strings.Join(strings.Fields(out.String()), " "), "$1")
}

// beforeStop is the space that a mark leaves before a stop.
var beforeStop = regexp.MustCompile(` ([.,;:!?])`)

func marks(text string) []segment.Marker {
	var out []segment.Marker
	for _, c := range segment.Claims(text, "en") {
		out = append(out, c.Markers...)
	}
	return out
}

// added returns the citations of part that was does not have.
func added(was, part string) []string {
	var out []string
	had := map[string]bool{}
	for _, m := range marks(was) {
		had[m.ID] = true
	}
	for _, m := range marks(part) {
		if !had[m.ID] {
			had[m.ID] = true
			out = append(out, m.ID)
		}
	}
	return out
}
