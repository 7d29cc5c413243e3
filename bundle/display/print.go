package display

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"muniment/cite"
)

// WriteView prints what a bundle shows, without a verdict.
func Write(w io.Writer, view View) error {
	b := new(strings.Builder)
	if view.Examined != nil {
		writeExamination(b, view, view.Examined)
		writeClaims(b, view)
		writeOthers(b, view.Removed)
	} else {
		writeHead(b, view)
		writeClaims(b, view)
		writeRemoved(b, view)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeHead writes the lines of an answer before its claims.
func writeHead(b *strings.Builder, view View) {
	fmt.Fprintf(b, "answer %s · %s · %s · tier %s · says it was issued %s\n", view.Answer, view.Outcome, view.Rung, view.Tier, view.Issued)
	if view.Asked != "" {
		fmt.Fprintf(b, "question: %s\n", indent(view.Asked))
	}
	for _, n := range view.Notes {
		fmt.Fprintf(b, "note in the bundle: %s\n", n)
	}
}

func writeClaims(b *strings.Builder, view View) {
	headed := false
	for _, c := range view.Claims {
		rung := string(c.Rung)
		if c.Role == cite.RoleNearest {
			if rung = string(c.Role); !headed {
				fmt.Fprintf(b, "\n%s\n", NearestHeading)
				headed = true
			}
		}
		fmt.Fprintf(b, "\n%d. %s\n   [%s]\n", c.Number, indent(c.Text), rung)
		if c.Rung == cite.Labeled {
			b.WriteString("   This is an inference, not something the archive says.\n")
		}
		if c.Judged != "" {
			fmt.Fprintf(b, "   %s\n", c.Judged)
		}
		for _, t := range c.Citations {
			writeCitation(b, c, t)
		}
		if c.Missing > 0 {
			fmt.Fprintf(b, "   %s not in this copy.\n", CountOf(c.Missing, "citation of this claim is", "citations of this claim are"))
		}
	}
}

// writeRemoved prints the removed topics of an answer and its refusals.
func writeRemoved(b *strings.Builder, view View) {
	for i, r := range view.Removed {
		if i == 0 {
			b.WriteString("\nRemoved topics\n")
		}
		fmt.Fprintf(b, " - %s (%s)\n", indent(r.Topic), indent(r.Reason))
	}
	for _, r := range view.Refused {
		topic := ""
		if r.Topic != "" {
			topic = " to answer “" + indent(r.Topic) + "”"
		}
		fmt.Fprintf(b, "\nRefused%s (%s): %s\n", topic, r.Kind, indent(r.Message))
		for _, s := range r.Suggestions {
			fmt.Fprintf(b, " - %s\n", indent(s))
		}
	}
}

// writeCitation writes a citation of a claim. A quote that is the claim itself is
// not printed again.
func writeCitation(b *strings.Builder, c Claim, t Cite) {
	label := t.Label
	if t.Contradicts {
		label += ", speaks against the claim"
	}
	fmt.Fprintf(b, "   %s (%s)", t.Handle, label)
	if name := SourceName(t.Title, t.Date); name != "" {
		fmt.Fprintf(b, ", %s", name)
	}
	switch {
	case t.Restricted:
		fmt.Fprintf(b, ": %s", indent(t.Quote))
	case !Repeats(c.Text, t.Quote):
		fmt.Fprintf(b, ": “%s”", indent(t.Quote))
	}
	b.WriteString("\n")
}

// Repeats reports whether a quote is its claim, in other marks of quotation and omission, so that a
// surface for people prints it once.
func Repeats(claim, quote string) bool {
	return quote != "" && bareQuote(claim) == bareQuote(quote)
}

// bareQuote returns a quote without quotation marks and marks of omission around it.
func bareQuote(s string) string {
	return strings.Trim(strings.ReplaceAll(s, GapText, "…"), "“”\" …")
}

// indent keeps a text of several lines within its item, so that no line of it
// can pose as one of ours.
func indent(s string) string { return strings.ReplaceAll(s, "\n", "\n      ") }

// Count returns a number of things in words: 1 entry, 2 entries.
func Count(n int, noun string) string {
	many := noun + "s"
	switch {
	case strings.HasSuffix(noun, "ss"):
		many = noun + "es"
	case strings.HasSuffix(noun, "ry"):
		many = strings.TrimSuffix(noun, "y") + "ies"
	case strings.HasSuffix(noun, "leaf"):
		many = strings.TrimSuffix(noun, "f") + "ves"
	}
	return CountOf(n, noun, many)
}

// CountOf returns a number and the words for one thing or for many, where a verb or an
// adjective changes with the noun: 1 snapshot withdraws, 2 snapshots withdraw.
func CountOf(n int, one, many string) string {
	if n != 1 {
		one = many
	}
	return strconv.Itoa(n) + " " + one
}
