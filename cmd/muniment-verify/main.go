// Command muniment-verify checks the bundle of an answer, the proof of a paragraph
// or an artifact, or evidence that two histories were signed, offline. It needs no
// archive, and links nothing but the verification core: no network, no database,
// no other program.
//
//	muniment-verify FILE.zip|FILE.html|DIR|PROOF.json|EVIDENCE [--trust FILE] [--archive ID] [--require AXIS]
//	    [--identity FILE] [--question TEXT --nonce HEX|--nonce-file FILE] [--since FILE] [--tiles DIR]
//	    [--witnesses FILE] [--json]
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"muniment/bundle/display"
	"os"
	"runtime/debug"

	"muniment/bundle"
	"muniment/bundle/bundlefile"
	"muniment/bundle/evidence"
	"muniment/cid"
	"muniment/internal/release"
)

const usage = `muniment-verify checks the bundle of an answer, the proof of a paragraph or
an artifact, or evidence that two histories were signed, offline.

  muniment-verify FILE.zip|FILE.html|DIR|PROOF.json|EVIDENCE [--trust FILE] [--archive ID] [--require AXIS]
      [--identity FILE] [--question TEXT --nonce HEX|--nonce-file FILE] [--since FILE] [--tiles DIR]
      [--witnesses FILE] [--json]

  --trust FILE     trust root, or OpenSSH allowed_signers file: whose signatures
                   count. Without it the verdict is at best INCOMPLETE.
  --archive ID     the archive that is meant, where the trust file does not name it:
                   a key may sign in several
  --require AXIS   an axis that must be checked; may be given several times
  --identity FILE  age identity file: open what is sealed to it, in memory;
                   may be given several times
  --question TEXT  the question that was asked, with the nonce that was kept
  --nonce HEX      the nonce of the request
  --nonce-file FILE  the same, from a file
  --since FILE     a checkpoint of the answer log that was kept, or a proof of
                   consistency; may be given several times
  --tiles DIR      folder with the tiles of the answer log
  --witnesses FILE  your own list of witnesses, and how many must have seen the
                   log (C2SP tlog-policy), in place of the trust root's
  --json           one JSON document in the place of text
  --version        print the commit, its date and the formats that are read; so
                   does muniment-verify version

Example:
  muniment-verify answer.zip --trust allowed_signers

Exit codes:
  0  VALID: nothing failed, and everything required was checked; of a copy with
     parts left out "VALID, reduced: 3 of 9 shown parts are missing"
  1  INVALID: something failed
  2  the command was not understood
  3  INCOMPLETE: nothing failed, but something required was not checked
  6  a file could not be read
`

// The exit codes.
const (
	exitValid       = 0
	exitInvalid     = 1
	exitUsage       = 2
	exitIncomplete  = 3
	exitEnvironment = 6
)

// options are the values of the command line.
type options struct {
	path, trust, tiles      string
	archive                 cid.ID
	question, nonce         string
	nonceFile, witnesses    string
	require, since, secrets []string
	json, version           bool
}

// A problem is an error with its exit code and a suggestion.
type problem struct {
	code       int
	err        error
	suggestion string
}

// memoryLimit makes the collector run before the program has 20 MiB, so that
// with its code it stays below 32 MB whatever bundle it reads: internal/bench/verify.sh
// tries the largest of everything.
const memoryLimit = 20 << 20

func main() {
	debug.SetMemoryLimit(memoryLimit)
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run runs the command and returns the exit code.
func run(args []string, stdout, stderr io.Writer) int {
	o, err := parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stdout, usage)
		return exitValid
	}
	if err != nil {
		return printProblem(stderr, &problem{exitUsage, err, "muniment-verify --help shows the options and an example"})
	}
	if o.version {
		if p := outputProblem(writeVersion(stdout, o.json)); p != nil {
			return printProblem(stderr, p)
		}
		return exitValid
	}
	verdict, p := verifyFile(o, stdout)
	if p != nil {
		return printProblem(stderr, p)
	}
	switch {
	default:
		return exitInvalid
	case bundle.IsValid(verdict):
		return exitValid
	case verdict == bundle.Incomplete:
		return exitIncomplete
	}
}

// parse reads the command line; options may precede or follow the bundle.
func parse(args []string) (options, error) {
	var o options
	fs := flag.NewFlagSet("muniment-verify", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.StringVar(&o.trust, "trust", "", "")
	fs.StringVar(&o.tiles, "tiles", "", "")
	fs.StringVar(&o.witnesses, "witnesses", "", "")
	fs.StringVar(&o.question, "question", "", "")
	fs.StringVar(&o.nonce, "nonce", "", "")
	fs.StringVar(&o.nonceFile, "nonce-file", "", "")
	list := func(name string, to *[]string) {
		fs.Func(name, "", func(s string) error {
			*to = append(*to, s)
			return nil
		})
	}
	list("since", &o.since)
	list("identity", &o.secrets)
	fs.BoolVar(&o.json, "json", false, "")
	fs.BoolVar(&o.version, "version", false, "")
	fs.Func("archive", "", func(s string) (err error) {
		o.archive, err = cid.ParseAs(cid.JSON, s)
		return err
	})
	fs.Func("require", "", func(s string) error {
		axis, err := bundle.ParseAxis(s)
		o.require = append(o.require, axis)
		return err
	})
	for {
		if err := fs.Parse(args); err != nil {
			return o, err
		}
		if fs.NArg() == 0 {
			break
		}
		if o.path != "" {
			return o, fmt.Errorf("two bundles are given, %q and %q; want one", o.path, fs.Arg(0))
		}
		o.path, args = fs.Arg(0), fs.Args()[1:]
	}
	if o.path == "version" {
		o.version = true // a file of this name is ./version
	}
	if o.path == "" && !o.version {
		return o, errors.New("no bundle is given")
	}
	return o, nil
}

// verifyFile reads the files that the options name, judges the bundle or proof
// and writes the report.
func verifyFile(o options, stdout io.Writer) (verdict string, p *problem) {
	q, p := readRequirements(o)
	if p != nil {
		return "", p
	}
	hint := "name a bundle: a zip file, or the folder it was unpacked into; the proof of a paragraph or an artifact; or evidence of two histories"
	if bundlefile.IsProof(o.path) {
		v, err := bundlefile.CheckProof(o.path, q)
		if err != nil {
			return "", &problem{exitEnvironment, err, hint}
		}
		return v.Verdict, outputProblem(writeProofVerdict(stdout, o.json, v))
	}
	if bundlefile.IsEvidence(o.path) {
		v, err := bundlefile.CheckEvidence(o.path, q)
		if err != nil {
			return "", &problem{exitEnvironment, err, hint}
		}
		return v.Verdict, outputProblem(writeEvidenceVerdict(stdout, o.json, v))
	}
	v, view, err := bundlefile.Check(o.path, q)
	if err != nil {
		return "", &problem{exitEnvironment, err, hint}
	}
	v.File, v.Trust = o.path, o.trust
	return v.Verdict, outputProblem(writeVerdict(stdout, o.json, v, view))
}

// outputProblem returns the problem of a report that could not be written, or nil.
func outputProblem(err error) *problem {
	if err == nil {
		return nil
	}
	return &problem{exitEnvironment, err, "check that the output can be written"}
}

// writeVerdict writes the verdict on a bundle as text or JSON.
func writeVerdict(w io.Writer, asJSON bool, v *bundle.Verdict, view display.View) error {
	if !asJSON {
		return bundle.WriteReport(w, v, view)
	}
	return writeJSON(w, bundle.NewReport(v, view))
}

// writeProofVerdict writes the verdict on a proof as text or JSON.
func writeProofVerdict(w io.Writer, asJSON bool, v *bundle.ProofVerdict) error {
	if !asJSON {
		return bundle.WriteProofReport(w, v)
	}
	return writeJSON(w, struct {
		Schema string `json:"schema"`
		*bundle.ProofVerdict
	}{bundle.ReportSchema, v})
}

// writeEvidenceVerdict writes the verdict on evidence as text or JSON.
func writeEvidenceVerdict(w io.Writer, asJSON bool, v *evidence.Verdict) error {
	if !asJSON {
		return evidence.WriteReport(w, v)
	}
	return writeJSON(w, struct {
		Schema string `json:"schema"`
		*evidence.Verdict
	}{bundle.ReportSchema, v})
}

// writeVersion writes which build the program is as text or JSON.
func writeVersion(w io.Writer, asJSON bool) error {
	b := release.Current("muniment-verify")
	if !asJSON {
		_, err := io.WriteString(w, b.Text())
		return err
	}
	return writeJSON(w, struct {
		Schema string `json:"schema"`
		release.Build
	}{"muniment.version.v1", b})
}

// writeJSON writes one JSON document that a terminal may show.
func writeJSON(w io.Writer, v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(display.SafeJSON(b.Bytes()))
	return err
}

// printProblem prints the two lines of an error and returns its exit code.
func printProblem(w io.Writer, p *problem) int {
	fmt.Fprintf(w, "muniment-verify: error: %s\nmuniment-verify: hint: %s\n", display.Safe(p.err.Error()), p.suggestion)
	return p.code
}
