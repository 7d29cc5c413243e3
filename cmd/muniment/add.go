package main

import (
	"errors"

	"github.com/spf13/cobra"

	"muniment/accession"
	"muniment/archive"
)

func (p *program) addCommand() *cobra.Command {
	var o accession.AddOptions
	f := sourceFlags{withSidecar: true}
	cmd := command("archive", "add PATH|URL…", "Take in files, folders, packed folders and web pages",
		`Every file is brought into its canonical form, hashed and staged for the next
snapshot; its original bytes are kept too. Files that are already in are
recognised. A zip or tar is opened and what lies in it is taken in. A web page is
fetched once and kept as it was. A file that cannot be taken is skipped with its reason and does not
stop the others (exit 3). Interrupting add leaves the archive as it was.`,
		`muniment -C letters add box-1 box-2
muniment -C letters add -n scans
muniment -C letters add https://example.org/mill.html`,
		cobra.MinimumNArgs(1), func(cmd *cobra.Command, args []string) error {
			var err error
			if o.Source, err = f.layer(); err != nil {
				return err
			}
			if o.Registry, err = f.readRegistry(p); err != nil {
				return err
			}
			if o.Sidecar, err = f.readSidecar(); err != nil {
				return err
			}
			a, err := p.open()
			if err != nil {
				return err
			}
			defer a.Close()
			collectAt(gcPercentAdd)
			update, end := p.progress("add")
			o.Progress = update
			r, err := accession.Add(cmd.Context(), a, args, o)
			end()
			if r == nil {
				return err
			}
			addHints(r)
			p.show("add", r, func() { p.added(r) })
			var told *archive.Error
			if errors.As(err, &told) {
				told.Partial = nil // it was printed
			}
			return err
		})
	f.register(cmd)
	cmd.Flags().BoolVarP(&o.DryRun, "dry-run", "n", false, "show what would happen")
	cmd.Flags().StringVar(&o.MediaType, "media-type", "", "what the inputs are, where name and bytes do not say; a charset parameter is a hint")
	cmd.Flags().BoolVar(&o.AllowPrivate, "allow-private", false, "take pages from loopback and private networks")
	cmd.Flags().StringVar(&o.IgnoreRobots, "ignore-robots", "", "why robots.txt is not asked; kept in the record")
	cmd.Flags().BoolVar(&o.AllowSecrets, "allow-secrets", false, "take files that hold a private key (OpenSSH, PEM, OpenPGP, age)")
	cmd.Flags().BoolVar(&o.Reinstate, "reinstate", false, "take in again what was withdrawn")
	return cmd
}

// added prints what was taken in and what was skipped.
func (p *program) added(r *accession.AddResult) {
	verb := "added"
	if r.DryRun {
		verb = "would add"
	}
	shown := 0
	for _, one := range r.Artifacts {
		if one.Status != "added" {
			continue
		}
		if shown++; shown > maxListed {
			continue
		}
		p.out("%s  %s  %s, %s", one.ID, one.Path, one.Canonicalizer, count(one.Paragraphs, "paragraph"))
		if one.Note != "" {
			p.say("  note: %s: %s", one.Path, one.Note)
		}
	}
	if shown > maxListed {
		p.out("… and %d more", shown-maxListed)
	}
	for _, s := range r.Sources {
		p.out("%s  %s  metadata only, not fetched", s.Record, s.Name)
	}
	for _, s := range r.Skipped {
		p.warn("skipped %s: %s", s.Path, s.Reason)
	}
	for _, n := range r.Notes {
		p.say("note: %s", n)
	}
	p.say("%s %d, unchanged %d, skipped %d", verb, r.Added, r.Unchanged, len(r.Skipped))
	if r.Added > 0 && !r.DryRun {
		p.say("next: muniment snapshot -m TEXT")
	}
}

// maxListed is how many artifacts are listed for people before the rest is
// counted; --json lists all.
const maxListed = 40

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return itoa(n) + " " + noun + "s"
}
