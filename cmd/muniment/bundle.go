package main

import (
	"muniment/bundle/display"
	"strings"

	"github.com/spf13/cobra"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/audit"
	"muniment/history"
	"muniment/objects/disk"
	"muniment/sign"
)

func newBundleCommand(p *program) *cobra.Command {
	cmd := command("proof", "bundle", "Show, narrow and open bundles",
		"A bundle is a signed answer: its display for the requestor, and a sealed layer for auditors.",
		"muniment bundle show answer.zip\nmuniment bundle disclose answer.zip --claims 1 -o one.zip\nmuniment bundle open answer.zip --identity court.key",
		cobra.NoArgs, p.overview)
	cmd.AddCommand(newBundleShowCommand(p), newBundleDiscloseCommand(p), newBundleOpenCommand(p), newBundleSignCommand(p), newBundleExportCommand(p))
	return withoutArchive(cmd)
}

func newBundleShowCommand(p *program) *cobra.Command {
	return withoutArchive(command("", "show FILE.zip|DIR", "Show the answer that a bundle displays",
		"Prints the statement and the answer as its requestor sees it. It is read strictly, but\nsignatures and trust are checked by verify only.",
		"muniment bundle show answer.zip", cobra.ExactArgs(1), func(_ *cobra.Command, args []string) error {
			readsForeignFile()
			r, err := audit.ShowBundle(args[0])
			return p.conclude(err, "bundle", r, func() {
				for _, line := range splitLines(r.Statement) {
					p.out("%s", line)
				}
				p.out("")
				var view strings.Builder
				_ = display.Write(&view, r.View) // a Builder takes everything
				p.report(view.String())
				p.out("%d of %d leaves are disclosed here, %s", r.Disclosed, r.Leaves, count(r.Sealed, "sealed file"))
			})
		}))
}

// privateFlag adds --private to a command that writes a file for others.
func privateFlag(cmd *cobra.Command, private *bool) {
	cmd.Flags().BoolVar(private, "private", false, "let only you read what is written; else everybody may")
}

func newBundleDiscloseCommand(p *program) *cobra.Command {
	var out string
	var claims []int
	var private bool
	cmd := command("", "disclose FILE.zip -o FILE.zip", "Make a narrower display from a wider one",
		`Needs no key: the statement and its signatures stay the same, and the verifier says
which leaves are missing. Refusals, removed topics and contradicting citations
cannot be left out. Without --claims only the sealed layer is dropped.`,
		"muniment bundle disclose answer.zip -o shown.zip\nmuniment bundle disclose answer.zip --claims 1,3 -o two.zip",
		cobra.ExactArgs(1), func(_ *cobra.Command, args []string) error {
			if out == "" {
				return misuse("disclose needs a file to write", "muniment bundle disclose "+args[0]+" -o shown.zip")
			}
			r, err := audit.DiscloseBundle(args[0], archive.NewFile{Path: out, Private: private}, claims)
			return p.conclude(err, "disclose", r, func() {
				p.out("%s", r.File)
				p.out("%d of %d leaves disclosed, sealed layer left out", r.Disclosed, r.Leaves)
				p.say("next: muniment verify %s --trust allowed_signers", out)
			})
		})
	cmd.Flags().StringVarP(&out, "out", "o", "", "the `FILE.zip` to write; an existing one is not replaced")
	privateFlag(cmd, &private)
	cmd.Flags().IntSliceVar(&claims, "claims", nil, "ordinals of the claims to keep")
	return withoutArchive(cmd)
}

type bundleOpenCommand struct {
	*program
	identities []string
	outFlag    string
}

func newBundleOpenCommand(prog *program) *cobra.Command {
	p := &bundleOpenCommand{program: prog}
	cmd := command("", "open FILE.zip|DIR", "Open the sealed layer, as an auditor",
		`Decrypts the leaves that an identity can open, checks every leaf against its commitment
and every excerpt against the paragraph, record and snapshot it cites, and shows the
whole record: question, gates, sources. Without --identity the archive's own identity is
used; of a scope that needs several people, give the identity of each. -o DIR writes the
opened leaves. Before anything is shown the opening is noted, with the names of the
recipients: in archive.local/openings of the bundle's archive where it is here, else in
openings in the user's data folder.`,
		"muniment bundle open answer.zip --identity court.key\nmuniment -C letters bundle open answer.zip --json",
		cobra.ExactArgs(1), p.run)
	cmd.Flags().StringSliceVar(&p.identities, "identity", nil, "an auditor's identity `FILE`")
	cmd.Flags().StringVarP(&p.outFlag, "out", "o", "", "a new `DIR` for the opened leaves")
	return cmd
}

func (p *bundleOpenCommand) run(_ *cobra.Command, args []string) error {
	key, err := readIdentity(p.program, p.identities)
	if err != nil {
		return err
	}
	r, err := audit.OpenBundle(args[0], key, p.outFlag, func(r *audit.OpenResult) error { return noteOpening(p.program, args[0], r, key) })
	if err != nil {
		return err
	}
	p.say("the opening is noted in %s", r.Noted)
	p.show("open", r, func() {
		p.out("record complete: %s; %d of %d leaves opened", ifText(r.Complete, "yes", "no"), r.Opened, r.Leaves)
		if r.Query != "" {
			p.out("question: %s", r.Query)
		}
		for _, c := range r.Claims {
			p.out("")
			p.out("%d. [%s] %s", c.Claim, c.Rung, c.Text)
			for _, s := range c.Citations {
				p.out("   %s %s: artifact %s", s.Handle, s.Label, s.Artifact)
				p.out("      snapshot %s", s.Snapshot)
				p.out("      span %s: “%s”", s.Span, s.Quote)
			}
		}
		for _, g := range r.Gates {
			p.out("gate %s", g)
		}
	})
	return nil
}

// noteOpening notes an opening where the bundle's archive is, else in the data
// folder.
func noteOpening(p *program, file string, r *audit.OpenResult, key []byte) error {
	if a, err := p.open(); err == nil {
		defer a.Close()
		if audit.NamesArchive(a, file) {
			r.Noted, err = audit.NoteOpening(a, r, key)
			return err
		}
	}
	dir, err := p.dataDir()
	if err != nil {
		return err
	}
	r.Noted, err = audit.NoteOpeningIn(dir, p.surroundings(), r, key)
	return err
}

// readIdentity reads auditor identities: the files that were named, else the one
// of the archive here.
func readIdentity(p *program, files []string) ([]byte, error) {
	var all []byte
	for _, file := range files {
		data, err := disk.ReadPlain(file, sign.MaxIdentities)
		if err != nil {
			return nil, keyError(err, "give the file that key new --auditor made")
		}
		all = append(append(all, data...), '\n')
	}
	if all != nil {
		return all, nil
	}
	a, err := p.open()
	if err != nil {
		return nil, &problem.Error{Kind: problem.Key, Message: "no auditor identity: no --identity and no archive here", Next: problem.Advise("name the file that key new --auditor made with --identity FILE"), Err: err}
	}
	defer a.Close()
	data, err := history.ArchivistIdentity(a)
	if err == nil && data == nil {
		err = &problem.Error{Kind: problem.Key, Message: "this copy of the archive has no auditor identity", Next: problem.Advise("name the file that key new --auditor made with --identity FILE")}
	}
	return data, err
}

func newBundleExportCommand(p *program) *cobra.Command {
	var page string
	var private bool
	cmd := command("", "export FILE.zip --html FILE.html", "Write the displayed answer of a bundle as one page",
		`The page shows claims, rungs, quotes, gaps, removed topics and refusals. It asks for
nothing from outside, can be printed, and can be read without JavaScript; with it,
the page checks the bundle inside it. verify and muniment-verify read the page as
they read the zip, byte for byte. The sealed layer is left out.`,
		"muniment bundle export answer.zip --html answer.html",
		cobra.ExactArgs(1), func(_ *cobra.Command, args []string) error {
			if page == "" {
				return misuse("export needs a page to write", "muniment bundle export "+args[0]+" --html answer.html")
			}
			r, err := audit.ExportPage(args[0], archive.NewFile{Path: page, Private: private})
			return p.conclude(err, "bundle-export", r, func() {
				p.out("%s", r.File)
				for _, s := range r.Signers {
					p.out("signed by %s: compare with your trust root", s)
				}
				p.say("next: muniment verify %s --trust allowed_signers", page)
			})
		})
	cmd.Flags().StringVar(&page, "html", "", "the `FILE.html` to write; an existing one is not replaced")
	privateFlag(cmd, &private)
	return withoutArchive(cmd)
}

func newBundleSignCommand(p *program) *cobra.Command {
	var key, out string
	var private bool
	cmd := command("", "sign FILE.zip -o FILE.zip", "Add a signature to a bundle",
		`Signs the statement of a bundle with one more key: a custodian's, in addition to that of
the key that answered. Several custodians sign at different times, each a copy of the
one before. Nothing else changes. Read the statement first: muniment bundle show prints
it. The verifier's trust root decides what the signatures count for.`,
		"muniment bundle sign answer.zip -o signed.zip --key ~/keys/museum", cobra.ExactArgs(1), func(_ *cobra.Command, args []string) error {
			if out == "" {
				return misuse("sign needs a file to write", "muniment bundle sign "+args[0]+" -o signed.zip")
			}
			s, err := p.signer(key)
			if err != nil {
				return err
			}
			r, err := audit.SignBundle(args[0], archive.NewFile{Path: out, Private: private}, s)
			return p.conclude(err, "sign", r, func() {
				p.out("%s", r.File)
				p.out("signed by %s", count(len(r.Signers), "key"))
				for _, fingerprint := range r.Signers {
					p.out("  %s", fingerprint)
				}
			})
		})
	cmd.Flags().StringVar(&key, "key", "", "the private key `FILE`; else found as for signing")
	cmd.Flags().StringVarP(&out, "out", "o", "", "the `FILE.zip` to write; an existing one is not replaced")
	privateFlag(cmd, &private)
	return withoutArchive(cmd)
}
