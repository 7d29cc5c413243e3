package main

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/audit"
	"muniment/bundle"
	"muniment/bundle/bundlefile"
	"muniment/bundle/evidence"
	"muniment/cid"
	"muniment/objects/disk"
	"muniment/server/pages"
	"muniment/sign"
)

// verifyFlags are the flags of verify.
type verifyFlags struct {
	trust, nonce, nonceFile, question, tiles, archive, witnesses string

	remotePayloads bool

	pinned cid.ID // the archive that --archive names, zero where it names a folder or nothing

	require, identities, since []string
}

type verifyCommand struct {
	*program
	v verifyFlags
}

func newVerifyCommand(prog *program) *cobra.Command {
	p := &verifyCommand{program: prog}
	cmd := command("proof", "verify [FILE.zip|DIR|PROOF.json|EVIDENCE|SNAPSHOT]", "Verify a bundle, evidence, a snapshot or a whole archive, offline",
		`A bundle needs no archive: its seal, leaves, signatures, log proof and display are
checked, one line per axis. --trust takes a trust root or an OpenSSH allowed_signers
file; without it no key is trusted and the verdict is INCOMPLETE (exit 3). A false axis
is INVALID (exit 1). With --identity the sealed layer is opened and every citation
followed to its paragraph, record and signed snapshot. A trust root inside a bundle is
never used. A copy without some parts of the answer is "VALID, reduced: 3 of 9 shown
parts are missing"; --require display refuses it.

--archive ID names the archive that is meant: without it, and without a trust root or an
allowed_signers line with muniment-archive=ID in its comment, a key that signs in two
archives counts in both, and the verdict says which archive it is.

A trust root asks for more: its thresholds, revocation, log inclusion, and witnesses
where it names a quorum. --require AXIS adds any other axis: display completeness, gate
re-evaluation; request binding (give --question and --nonce); sealed layer, artifact and
span (give --identity). --since takes a checkpoint of the answer log that you kept, and
proofs that the log only grew; --tiles a folder with the log's tiles; --witnesses your own
list of witnesses and how many of them must have seen the log, in the form of C2SP
tlog-policy, in place of the archive's. With the archive
at hand, named by --archive DIR or found as for every other command, a remark says which
sources were withdrawn since: the answer stays valid. Its copy of the answer log then
serves as --tiles.

Evidence that fetch or an answer log wrote, a .zip or a .conflict, is verified and the
verdict says what it proves: that one key signed two histories. That needs no --trust,
which says whose key it is; an older .conflict has no key in it and does need it.

A folder that export --site wrote is verified too: every file is the one that was signed,
and there is no other.

Without an argument, or with an archive's folder, the whole archive is verified: every
object is hashed again, every record's roots computed again, every snapshot's form, root
and signature checked back to the first. What this copy alone keeps (ledger, logs, kept
bundles, notes) has a verdict of its own, "this copy", SOUND or DAMAGED with what heals
it: a damaged copy of a valid archive is exit 3, never INVALID. Payloads in a payload
store are listed; --remote-payloads reads those of the newest snapshot there and hashes
them.`,
		`muniment verify answer.zip --trust allowed_signers
muniment verify answer.zip --trust allowed_signers --identity court.key
muniment verify p2.proof.json --trust allowed_signers
muniment verify letter.proof.json --trust allowed_signers
muniment verify archive.local/evidence/equivocation-2-1f0c-9a3e.zip
muniment -C letters verify`,
		cobra.MaximumNArgs(1), p.run)
	f := cmd.Flags()
	f.StringVar(&p.v.trust, "trust", "", "a trust root, or an OpenSSH allowed_signers `FILE`")
	f.StringSliceVar(&p.v.require, "require", nil, "an `AXIS` that must pass")
	f.StringSliceVar(&p.v.identities, "identity", nil, "an auditor's identity `FILE`")
	f.StringVar(&p.v.question, "question", "", "the question that was asked, with --nonce")
	f.StringVar(&p.v.nonce, "nonce", "", "the request nonce that ask printed")
	f.StringVar(&p.v.nonceFile, "nonce-file", "", "a `FILE` that holds the nonce")
	f.StringSliceVar(&p.v.since, "since", nil, "a checkpoint `FILE` that was kept, or a consistency proof")
	f.StringVar(&p.v.archive, "archive", "", "the `ID` of the archive that is meant; or the archive's DIR, to list the sources withdrawn since")
	f.StringVar(&p.v.witnesses, "witnesses", "", "a `FILE` of witnesses and their quorum (C2SP tlog-policy)")
	f.StringVar(&p.v.tiles, "tiles", "", "the `DIR` with the tiles of the answer log")
	f.BoolVar(&p.v.remotePayloads, "remote-payloads", false, "read the payloads in the payload store")
	cmd.Annotations = map[string]string{noArchiveOfFile: ""}
	return cmd
}

func (p *verifyCommand) run(cmd *cobra.Command, args []string) error {
	trusted, err := archive.ReadTrust(p.v.trust)
	if err != nil {
		return err
	}
	if id, err := cid.ParseAs(cid.JSON, p.v.archive); err == nil {
		p.v.pinned, p.v.archive = id, ""
	}
	if len(args) == 0 {
		return p.verifyArchive("", trusted, &p.v)
	}
	if _, err := os.Stat(filepath.Join(args[0], archive.StoreDir)); err == nil {
		p.dir = args[0] // an archive's folder, not a bundle's
		return p.verifyArchive("", trusted, &p.v)
	}
	if _, err := os.Lstat(args[0]); err != nil && !looksLikePath(args[0]) {
		return p.verifyArchive(args[0], trusted, &p.v)
	}
	o, err := p.v.options(trusted, p.world.Now())
	if err != nil {
		return err
	}
	return p.verifyFile(args[0], p.v.archive, o)
}

// options returns the options for a bundle; the files that flags name are read.
func (v *verifyFlags) options(trusted archive.Trust, now time.Time) (audit.VerifyOptions, error) {
	o := audit.VerifyOptions{Allowed: trusted.Allowed, Root: trusted.Root, Archive: v.pinned, Now: now, TrustFile: v.trust, Require: v.require}
	checkpoint, proofs, err := archive.ReadLogProofs(v.since, v.tiles)
	if err != nil {
		return o, err
	}
	o.Since, o.Consistency = checkpoint, proofs.Find
	if o.Witnesses, err = archive.ReadWitnesses(v.witnesses); err != nil {
		return o, err
	}
	for _, file := range v.identities {
		data, err := disk.ReadPlain(file, sign.MaxIdentities)
		if err != nil {
			return o, keyError(err, "give the file that key new --auditor made")
		}
		o.Identities = append(append(o.Identities, data...), '\n')
	}
	o.Request, err = v.request()
	return o, err
}

// request returns the question and its nonce, nil where neither was given.
func (v *verifyFlags) request() (*bundle.RequestProof, error) {
	nonce, err := hex.DecodeString(v.nonce)
	if v.nonceFile != "" {
		if nonce, err = readHex(v.nonceFile, "give the file of ask --nonce-file"); err != nil {
			return nil, err
		}
	}
	if err == nil && len(nonce) == 0 && v.question == "" {
		return nil, nil
	}
	if err != nil || len(nonce) == 0 || v.question == "" {
		return nil, misuse("--question and --nonce go together; the nonce is hexadecimal", "ask --json printed it as request_nonce")
	}
	return &bundle.RequestProof{Question: v.question, Nonce: nonce}, nil
}

// verifyArchive verifies the whole archive, from the snapshot on that an id or
// prefix names, or from the newest for "". pinned is the archive that is meant, or
// zero.
func (p *verifyCommand) verifyArchive(snapshot string, trusted archive.Trust, v *verifyFlags) error {
	a, err := p.open()
	var failure *problem.Error
	if errors.As(err, &failure) && failure.Kind == problem.Damaged {
		return p.archiveVerdict(audit.DamagedVerdict(failure), trusted.IsZero())
	}
	if err != nil {
		return err
	}
	defer a.Close()
	update, end := p.progress("verify")
	r, err := audit.Verify(a, audit.ArchiveVerifyOptions{Allowed: trusted.Allowed, Root: trusted.Root, Archive: v.pinned, Now: p.world.Now(), Snapshot: snapshot, Progress: update, RemotePayloads: v.remotePayloads})
	end()
	if err != nil {
		return err
	}
	return p.archiveVerdict(r, trusted.IsZero())
}

// archiveVerdict prints the verdict on an archive.
func (p *verifyCommand) archiveVerdict(r *audit.ArchiveVerdict, noTrust bool) error {
	withFixes(r.Copy)
	p.show("verify", r, func() {
		var b strings.Builder
		b.WriteString(bundle.VerdictLines(r.Verdict))
		for _, x := range r.Axes {
			fmt.Fprintf(&b, "%-11s  %-19s %s\n", x.Result, x.Name, oneLine(x.Reason))
		}
		p.report(b.String())
		for _, x := range r.Problems {
			where := "snapshot " + itoa(int(x.Seq))
			if x.Path != "" {
				where += ", " + x.Path
			}
			p.prose("             %s: %s: %s", x.State, where, x.Reason)
		}
		if r.Newest != nil {
			p.prose("%s", r.Newest)
		}
		p.out("objects: %d checked, %d ok, %d failed, %d absent, %d not checked", r.Checked, r.OK, r.Failed, r.Absent, r.NotChecked)
		if r.CopyVerdict != "" {
			p.out("this copy: %s", r.CopyVerdict)
		}
		p.printCopy(r.Copy)
	})
	if err := verdictError(r.Verdict, theArchive, noTrust); err != nil || r.CopyVerdict != audit.CopyDamaged {
		return err
	}
	return copyDamage("the signed archive is VALID; this copy of it is DAMAGED")
}

// printCopy prints the checks of what this copy alone keeps, and what heals each.
func (p *program) printCopy(checks []audit.Check) {
	for _, c := range checks {
		p.prose("%-11s  %-19s %s", c.State, c.Name, c.Detail)
		if c.Fix != "" {
			p.prose("             heal: %s", c.Fix)
		}
	}
}

// copyDamage returns the error of a copy of which printCopy named damage.
func copyDamage(message string) error {
	return &problem.Error{Kind: problem.Damaged, Outcome: problem.Incomplete, Message: message, Next: problem.Advise("each line marked failed names what heals it; muniment doctor lists them too")}
}

// looksLikePath tells a mistyped file name from an id.
func looksLikePath(s string) bool { return strings.ContainsAny(s, "/.") }

// verifyProof verifies the proof of a paragraph or an artifact.
// verifyFile verifies a bundle, a site, evidence or a proof. archiveDir names the
// archive that says what was withdrawn since; it may be "".
func (p *verifyCommand) verifyFile(file, archiveDir string, o audit.VerifyOptions) error {
	switch {
	case pages.IsSite(os.DirFS(file)):
		return p.verifySite(file, o)
	case bundlefile.IsEvidence(file):
		return p.verifyEvidence(file, o)
	case bundlefile.IsProof(file):
		return p.verifyProof(file, o)
	}
	return p.verifyBundle(file, archiveDir, o)
}

// verifySite verifies a folder of pages.
func (p *verifyCommand) verifySite(dir string, o audit.VerifyOptions) error {
	r := pages.VerifySite(os.DirFS(dir), bundle.Requirements{Allowed: o.Allowed, Root: o.Root, Archive: o.Archive, Now: o.Now})
	p.show("verify", r, func() {
		p.printed = true
		p.out("%s", r.Verdict)
		for _, a := range r.Axes {
			p.prose("  %-18s %-12s %s", a.Name, a.Result, a.Reason)
		}
		if r.Snapshot != "" {
			p.out("snapshot %d %s, shown: %s, made %s", r.Seq, r.Snapshot, r.Shown, r.Made)
		}
	})
	return verdictError(r.Verdict, dir, o.Allowed == nil && o.Root == nil)
}

func (p *verifyCommand) verifyProof(file string, o audit.VerifyOptions) error {
	r, err := audit.VerifyProofFile(file, o)
	if err != nil {
		return err
	}
	return p.reportVerdict(r, r.Verdict, file, o, func(w io.Writer) error { return bundle.WriteProofReport(w, r) })
}

// verifyEvidence verifies a file that shows two histories.
func (p *verifyCommand) verifyEvidence(file string, o audit.VerifyOptions) error {
	r, err := audit.VerifyEvidenceFile(file, o)
	if err != nil {
		return err
	}
	return p.reportVerdict(r, r.Verdict, file, o, func(w io.Writer) error { return evidence.WriteReport(w, r) })
}

func (p *verifyCommand) verifyBundle(file, archive string, o audit.VerifyOptions) error {
	readsForeignFile()
	r, err := p.judgeBundle(file, archive, o)
	if err != nil {
		return err
	}
	return p.reportVerdict(r, r.Verdict, file, o, func(w io.Writer) error { return bundle.WriteReport(w, r.Report, r.View) })
}

// reportVerdict prints what was verified of a file, for people as write writes it, and returns
// the error of a verdict that is not VALID.
func (p *verifyCommand) reportVerdict(r any, verdict, file string, o audit.VerifyOptions, write func(io.Writer) error) error {
	p.show("verify", r, func() {
		var b strings.Builder
		_ = write(&b) // a Builder takes everything
		p.report(b.String())
	})
	return verdictError(verdict, file, o.Allowed == nil && o.Root == nil)
}

// judgeBundle verifies a bundle with the archive that is named, or with the one
// found here when it is the bundle's, or with none.
func (p *verifyCommand) judgeBundle(file, archive string, q audit.VerifyOptions) (*audit.BundleVerdict, error) {
	if archive != "" {
		p.dir = archive
	}
	a, err := p.open()
	if err != nil {
		if archive != "" {
			return nil, err
		}
		return audit.VerifyBundle(file, q)
	}
	defer a.Close()
	if archive == "" && !audit.NamesArchive(a, file) {
		return audit.VerifyBundle(file, q)
	}
	return audit.VerifyBundleInArchive(a, file, q)
}

// theArchive is the subject of verify without a bundle.
const theArchive = "the archive"

// verdictError turns a verdict that is not VALID into its exit code.
func verdictError(verdict, what string, noTrust bool) error {
	switch {
	case bundle.IsValid(verdict):
		return nil
	case verdict == bundle.Incomplete:
		hint := "muniment verify --help lists what each axis needs"
		if noTrust {
			hint = "name the keys you trust with --trust allowed_signers; muniment key trust prints the line of a key"
		}
		return &problem.Error{Kind: problem.VerdictNegative, Outcome: problem.Incomplete, Message: what + " is INCOMPLETE: a required axis could not be checked", Next: problem.Advise(hint)}
	}
	if what == theArchive {
		return &problem.Error{Kind: problem.Damaged, Outcome: problem.Found, Message: what + " is INVALID", Next: problem.Advise("the lines marked FAIL and those below them say why; muniment repair --from REMOTE brings back what is damaged, or trust the keys you meant to trust")}
	}
	return &problem.Error{Kind: problem.InvalidBundle, Message: what + " is INVALID", Next: problem.Advise("the lines marked FAIL say why; do not rely on it, ask its sender for another copy")}
}
