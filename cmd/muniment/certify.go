package main

import (
	"cmp"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"muniment/archive"
	"muniment/audit/certificate"
	"muniment/bundle"
	"muniment/policy"
)

type certifyCommand struct {
	*program
	o               certificate.Options
	trust, tier, as string
	everything      bool
}

func newCertifyCommand(prog *program) *cobra.Command {
	p := &certifyCommand{program: prog}
	cmd := command("proof", "certify ID...", "Write a certificate of integrity and custody of papers",
		`Writes a folder for people who have no archive, such as a court or an auditor: a page to
print and sign, certificate.html; the papers with their records; the proofs that the
newest signed snapshot holds them; and README.txt, the commands by which anybody checks
it in five minutes with openssl, ssh-keygen and a browser. The page says what each paper
is, where it was from its deposit to today, who signed, and what nobody checked. It ends
in a declaration with blanks for a qualified person.

--to names the new folder, or a new FILE.zip. --trust says whose keys count; without it
keys are named and not judged, and the exit code is 3. --answer adds a bundle of this
archive, which is verified and stays as it was sealed, whatever tier it is for. --token
adds the token of a time-stamping authority (RFC 3161) over the checkpoint of such a
bundle, which log keep writes; --tsa-cert names the root certificates that count. --whole
verifies the whole archive too.

It is made for the lowest tier of readers, or for --tier: a paper of which they may not
know is as absent, and of one that they may not read whole there are hashes, proofs and
dates and no bytes. --everything makes it for a holder of the archive. A paper that is
withdrawn, damaged or not signed yet has no certificate.`,
		`muniment -C letters certify letter-07.txt --trust allowed_signers
muniment -C letters certify letter-07.txt --answer answer.zip --to for-court.zip --trust allowed_signers`,
		cobra.MinimumNArgs(1), p.run)
	f := cmd.Flags()
	f.StringVar(&p.o.To, "to", "", "the new `FOLDER` or FILE.zip; certificate without it")
	f.StringVar(&p.trust, "trust", "", "a trust root, or an OpenSSH allowed_signers `FILE`")
	f.StringSliceVar(&p.o.Answers, "answer", nil, "a bundle, `FILE.zip`, that goes with it")
	f.StringSliceVar(&p.o.Tokens, "token", nil, "a time-stamp token over the checkpoint of an answer, a `FILE`")
	f.StringVar(&p.o.TSA, "tsa-cert", "", "the root certificates of authorities that count, a `FILE` in PEM")
	f.StringVar(&p.tier, "tier", "", "whom it is for: a tier of the policy, the lowest without it")
	f.BoolVar(&p.everything, "everything", false, "show all of the papers, whatever consent says")
	f.StringVar(&p.as, "as", "", "archivist: the same as --everything")
	f.BoolVar(&p.o.Whole, "whole", false, "verify the whole archive too")
	return cmd
}

func (p *certifyCommand) run(cmd *cobra.Command, args []string) error {
	archivist, err := asksAsArchivist(p.as)
	if err != nil {
		return err
	}
	if p.everything = p.everything || archivist; p.everything && p.tier != "" {
		return misuse("--everything leaves no tier to choose", "muniment certify ID --tier TIER")
	}
	if p.o.Trust, err = archive.ReadTrust(p.trust); err != nil {
		return err
	}
	a, err := p.open()
	if err != nil {
		return err
	}
	defer a.Close()
	p.o.Refs, p.o.To, p.o.Now, p.o.View = args, cmp.Or(p.o.To, "certificate"), p.world.Now().Truncate(time.Second), policy.HolderView()
	if !p.everything {
		if p.o.View, err = a.ReaderView(p.tier); err != nil {
			return err
		}
	}
	c, err := certificate.Make(cmd.Context(), a, p.o)
	if err != nil {
		return err
	}
	p.show("certificate", c, func() {
		p.out("%s", c.To)
		for _, paper := range c.Papers {
			p.out("%d  %s  sha256 %s%s", paper.Number, cmp.Or(paper.Title, "without a title"), paper.SHA256, ifText(paper.Withheld != "", ", restricted", ""))
		}
		for _, t := range c.Times {
			p.out("%s existed before %s by %s", t.Answer, t.Before, t.Name)
		}
		p.out("snapshot %d %s: %s", c.Snapshot.Seq, c.Snapshot.ID, c.Verdict)
		p.say("next: print and sign %s; README.txt says how others check it", filepath.Join(c.To, "certificate.html"))
	})
	if c.Verdict == bundle.Valid {
		return nil
	}
	return verdictError(c.Verdict, "the certificate", p.o.Trust.IsZero())
}
