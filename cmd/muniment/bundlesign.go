package main

import (
	"github.com/spf13/cobra"
	"muniment/archive"
	"muniment/audit"
)

func (p *program) bundleSignCommand() *cobra.Command {
	var key, out string
	cmd := command("", "sign FILE.zip -o FILE.zip", "Add a signature to a bundle",
		`Signs the statement of a bundle with one more key: a custodian's, beside that of the
key that answered. Several custodians sign at different times, each a copy of the one
before. Nothing else changes. Read the statement first: muniment bundle show prints it.
What the signatures are worth is for the verifier's trust root to say.`,
		"muniment bundle sign answer.zip -o signed.zip --key ~/keys/museum", cobra.ExactArgs(1), func(_ *cobra.Command, args []string) error {
			if out == "" {
				return &archive.Error{Kind: archive.TypeUsage, Message: "sign needs a file to write", Next: archive.Advise("muniment bundle sign " + args[0] + " -o signed.zip")}
			}
			s, err := p.signer(key)
			if err != nil {
				return err
			}
			r, err := audit.SignBundle(args[0], out, s)
			if err != nil {
				return err
			}
			p.show("sign", r, func() {
				p.out("%s", r.File)
				p.out("signed by %d keys", len(r.Signers))
				for _, fingerprint := range r.Signers {
					p.out("  %s", fingerprint)
				}
			})
			return nil
		})
	cmd.Flags().StringVar(&key, "key", "", "the private key `FILE`; else found as for signing")
	cmd.Flags().StringVarP(&out, "out", "o", "", "the `FILE.zip` to write; an existing one is not replaced")
	return withoutArchive(cmd)
}
