package bundle

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"muniment/cite"
)

// ReportSchema names the JSON form of a verification.
const ReportSchema = "muniment.verify.v1"

// A Report is the JSON form of a verdict and of what the bundle shows.
type Report struct {
	Schema  string            `json:"schema"`
	Verdict string            `json:"verdict"`
	Archive string            `json:"archive,omitempty"` // the one that the statement names
	Newest  *Newest           `json:"newest,omitempty"`  // of what is signed in the bundle
	Axes    []Axis            `json:"axes"`
	Signers []Signer          `json:"signers"`
	Remarks []string          `json:"remarks"`
	Redo    map[string]string `json:"redo"` // by axis, see Redo
	View
}

// RedoHeading is the heading of the commands of Redo in a report for people.
const RedoHeading = "to take a step again"

// Redo returns the commands that take the steps of an axis again, by other
// programs where there are any. The names of the bundle and of the trust file
// are quoted for a shell, and FILE and TRUST stand for them where they are "".
// Other words in capitals are for the reader to fill in; the stock tools are run
// in the folder the bundle was unpacked into. The command is empty for truth,
// which no command shows.
func Redo(file, trust string) map[string]string {
	given := shellWord(file, "FILE") + " --trust " + shellWord(trust, "TRUST")
	verify := func(axis, more string) string {
		return "muniment-verify " + given + more + " --require " + strings.ReplaceAll(axis, " ", "-")
	}
	return map[string]string{
		AxisIntegrity:   "sha256sum -c --ignore-missing SHA256SUMS && sha256sum SHA256SUMS statement",
		AxisSigners:     "ssh-keygen -Y verify -f allowed_signers -I NAME -n answer@muniment -s sigs/KEY.sshsig < statement",
		AxisArchive:     verify(AxisArchive, " --archive ID"),
		AxisRevocation:  verify(AxisRevocation, ""),
		AxisExpiry:      verify(AxisExpiry, ""),
		AxisLog:         verify(AxisLog, ""),
		AxisWitnesses:   verify(AxisWitnesses, ""),
		AxisConsistency: verify(AxisConsistency, " --since CHECKPOINT --tiles DIR"),
		AxisRequest:     "printf %s QUESTION | openssl dgst -sha256 -mac HMAC -macopt hexkey:NONCE",
		AxisDisplay:     verify(AxisDisplay, ""),
		AxisSealed:      verify(AxisSealed, " --identity IDENTITY"),
		AxisSpan:        verify(AxisSpan, " --identity IDENTITY"),
		AxisGate:        verify(AxisGate, ""),
		AxisTruth:       "",
	}
}

// shellWord returns a file's name as one word of a shell, or otherwise for a name that is none.
func shellWord(name, otherwise string) string {
	const plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789@%+=:,./_-"
	if name == "" {
		return otherwise
	}
	if name[0] == '-' {
		name = "./" + name // no option
	}
	if strings.Trim(name, plain) == "" {
		return name
	}
	return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
}

// NewReport returns the report of a verdict. The view of a bundle that could
// not be read is the zero View.
func NewReport(v *Verdict, view View) Report {
	r := Report{Schema: ReportSchema, Verdict: v.Verdict, Archive: v.Archive, Newest: v.Newest, Axes: v.Axes, Signers: append([]Signer{}, v.Signers...), Remarks: append([]string{}, v.Remarks...), Redo: Redo(v.File, v.Trust), View: view}
	if r.Claims == nil {
		r.Claims, r.Removed, r.Refused = []ViewClaim{}, []ViewRemoved{}, []ViewRefusal{}
	}
	return r
}

// WriteReport prints a verdict and what the bundle shows, for people. Nothing
// that a bundle holds reaches w other than through Safe.
func WriteReport(w io.Writer, v *Verdict, view View) error {
	var b strings.Builder
	b.WriteString(VerdictLines(v.Verdict))
	for _, a := range v.Axes {
		fmt.Fprintf(&b, "%-11s  %-20s  %s\n", a.Result, a.Name, SafeLine(a.Reason))
	}
	for _, r := range v.Remarks {
		fmt.Fprintf(&b, "remark: %s\n", SafeLine(r))
	}
	if v.Newest != nil {
		fmt.Fprintf(&b, "%s\n", v.Newest)
	}
	if view.Answer != "" {
		b.WriteString("\n")
		writeView(&b, view)
	}
	b.WriteString("\n" + RedoHeading + "\n")
	redo := Redo(v.File, v.Trust)
	for _, name := range AxisNames {
		if redo[name] != "" {
			fmt.Fprintf(&b, "  %-20s  %s\n", name, SafeLine(redo[name]))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// VerdictLines returns the two lines with which a report begins: the verdict, and what
// it means in plain words.
func VerdictLines(verdict string) string {
	words := "a key that you trust signed this, and every check that is required holds"
	switch verdict {
	case Invalid:
		words = "something does not hold: the lines marked FAIL say what"
	case Incomplete:
		words = "nothing that was checked is wrong; something that is required was not checked"
	}
	return verdict + "\n  " + words + "\n\n"
}

// WriteView prints what a bundle shows, without a verdict.
func WriteView(w io.Writer, view View) error {
	var b strings.Builder
	writeView(&b, view)
	_, err := io.WriteString(w, b.String())
	return err
}

// writeView writes the claims, removed topics and refusals of a view.
func writeView(b *strings.Builder, view View) {
	fmt.Fprintf(b, "answer %s · %s · %s · tier %s · says it was issued %s\n", view.Answer, view.Outcome, view.Rung, view.Tier, view.Issued)
	if view.Asked != "" {
		fmt.Fprintf(b, "question: %s\n", indent(view.Asked))
	}
	for _, n := range view.Notes {
		fmt.Fprintf(b, "note in the bundle: %s\n", n)
	}
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
		for _, t := range c.Citations {
			writeCitation(b, c, t)
		}
		if c.Missing > 0 {
			fmt.Fprintf(b, "   %s not in this copy.\n", CountOf(c.Missing, "citation of this claim is", "citations of this claim are"))
		}
	}
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
func writeCitation(b *strings.Builder, c ViewClaim, t ViewCite) {
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
	return strings.Trim(strings.ReplaceAll(s, gapText, "…"), "“”\" …")
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
