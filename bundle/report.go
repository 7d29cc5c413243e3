package bundle

import (
	"fmt"
	"io"
	"strings"

	"muniment/cite"
)

// ReportSchema names the JSON form of a verification.
const ReportSchema = "muniment.verify.v1"

// A Report is the JSON form of a verdict and of what the bundle shows.
type Report struct {
	Schema  string   `json:"schema"`
	Verdict string   `json:"verdict"`
	Axes    []Axis   `json:"axes"`
	Remarks []string `json:"remarks"`
	View
}

// NewReport returns the report of a verdict. The view of a bundle that could
// not be read is the zero View.
func NewReport(v *Verdict, view View) Report {
	r := Report{Schema: ReportSchema, Verdict: v.Verdict, Axes: v.Axes, Remarks: append([]string{}, v.Remarks...), View: view}
	if r.Claims == nil {
		r.Claims, r.Removed, r.Refused = []ViewClaim{}, []ViewRemoved{}, []ViewRefusal{}
	}
	return r
}

// WriteReport prints a verdict and what the bundle shows, for people. Nothing
// that a bundle holds reaches w other than through Safe.
func WriteReport(w io.Writer, v *Verdict, view View) error {
	var b strings.Builder
	for _, a := range v.Axes {
		fmt.Fprintf(&b, "%-11s  %-20s  %s\n", a.Result, a.Name, safeLine(a.Reason))
	}
	for _, r := range v.Remarks {
		fmt.Fprintf(&b, "remark: %s\n", safeLine(r))
	}
	if view.Answer != "" {
		b.WriteString("\n")
		writeView(&b, view)
	}
	fmt.Fprintf(&b, "\n%s\n", v.Verdict)
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteView prints what a bundle shows, without a verdict.
func WriteView(w io.Writer, view View) error {
	var b strings.Builder
	writeView(&b, view)
	_, err := io.WriteString(w, b.String())
	return err
}

func writeView(b *strings.Builder, view View) {
	fmt.Fprintf(b, "answer %s · %s · %s · tier %s · says it was issued %s\n", view.Answer, view.Outcome, view.Rung, view.Tier, view.Issued)
	for _, c := range view.Claims {
		fmt.Fprintf(b, "\n%d. %s\n   [%s]\n", c.Number, indent(c.Text), c.Rung)
		if c.Rung == cite.Labeled {
			b.WriteString("   This is an inference, not something the archive says.\n")
		}
		for _, t := range c.Citations {
			label := t.Label
			if t.Contradicts {
				label += ", speaks against the claim"
			}
			quote := indent(t.Quote)
			if !t.Restricted {
				quote = "“" + quote + "”"
			}
			fmt.Fprintf(b, "   %s (%s): %s\n", t.Handle, label, quote)
		}
		if c.Missing > 0 {
			fmt.Fprintf(b, "   %d citations of this claim are not in this copy.\n", c.Missing)
		}
	}
	for i, r := range view.Removed {
		if i == 0 {
			b.WriteString("\nRemoved topics\n")
		}
		fmt.Fprintf(b, " - %s: %s\n", indent(r.Topic), indent(r.Reason))
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

// indent keeps a text of several lines within its item, so that no line of it
// can pose as one of ours.
func indent(s string) string { return strings.ReplaceAll(s, "\n", "\n      ") }
