package bundle

import (
	"fmt"
	"io"
	"muniment/bundle/display"
	"strings"
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
	display.View
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
func NewReport(v *Verdict, shown display.View) Report {
	r := Report{Schema: ReportSchema, Verdict: v.Verdict, Archive: v.Archive, Newest: v.Newest, Axes: v.Axes, Signers: append([]Signer{}, v.Signers...), Remarks: append([]string{}, v.Remarks...), Redo: Redo(v.File, v.Trust), View: shown}
	if r.Claims == nil {
		r.Claims, r.Removed, r.Refused = []display.Claim{}, []display.Removed{}, []display.Refusal{}
	}
	return r
}

// WriteReport prints a verdict and what the bundle shows, for people. Nothing
// that a bundle holds reaches w other than through Safe.
func WriteReport(w io.Writer, v *Verdict, shown display.View) error {
	var b strings.Builder
	b.WriteString(VerdictLines(v.Verdict))
	for _, a := range v.Axes {
		fmt.Fprintf(&b, "%-11s  %-20s  %s\n", a.Result, a.Name, display.SafeLine(a.Reason))
	}
	for _, r := range v.Remarks {
		fmt.Fprintf(&b, "remark: %s\n", display.SafeLine(r))
	}
	if v.Newest != nil {
		fmt.Fprintf(&b, "%s\n", v.Newest)
	}
	if shown.Answer != "" {
		b.WriteString("\n")
		display.Write(&b, shown)
	}
	b.WriteString("\n" + RedoHeading + "\n")
	redo := Redo(v.File, v.Trust)
	for _, name := range AxisNames {
		if redo[name] != "" {
			fmt.Fprintf(&b, "  %-20s  %s\n", name, display.SafeLine(redo[name]))
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
