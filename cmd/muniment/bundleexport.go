package main

import (
	"github.com/spf13/cobra"
	"muniment/archive"
	"muniment/audit"
)

func (p *program) bundleExportCommand() *cobra.Command {
	var page string
	cmd := command("", "export FILE.zip --html FILE.html", "Write what a bundle displays as one page",
		`The page shows claims, rungs, quotes, gaps, removed topics and refusals. It asks for
nothing from outside, can be printed, and can be read without JavaScript; with it,
the page checks the bundle inside it. verify and muniment-verify read the page as
they read the zip, byte for byte. The sealed layer is left out.`,
		"muniment bundle export answer.zip --html answer.html",
		cobra.ExactArgs(1), func(_ *cobra.Command, args []string) error {
			if page == "" {
				return &archive.Error{Kind: archive.TypeUsage, Message: "export needs a page to write", Next: archive.Advise("muniment bundle export " + args[0] + " --html answer.html")}
			}
			r, err := audit.ExportPage(args[0], page)
			if err != nil {
				return err
			}
			p.show("bundle-export", r, func() {
				p.out("%s", r.File)
				for _, s := range r.Signers {
					p.out("signed by %s: compare with your trust root", s)
				}
				p.say("next: muniment verify %s --trust allowed_signers", page)
			})
			return nil
		})
	cmd.Flags().StringVar(&page, "html", "", "the `FILE.html` to write; an existing one is not replaced")
	return withoutArchive(cmd)
}
