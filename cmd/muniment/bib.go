package main

import (
	"strings"

	"github.com/spf13/cobra"

	"muniment/archive"
	"muniment/engine"
)

func newBibCommand(p *program) *cobra.Command {
	var o engine.BibOptions
	cmd := command("claims", "bib [NUMBER|ARTIFACT]…", "List the cited works",
		`Writes references for citations, by their numbers, for artifacts, for a session or for
everything cited. A work is listed once, however often it is cited. Styles: inline,
harvard, ieee, apa, chicago (author-date) and contract, a numbered list that marks
paywalled and monitor-only sources; bibtex, ris and csl-json are files for reference
managers. The data of a work come from its record, as muniment add --title, --creator
and --meta set them.`,
		`muniment bib --all --style apa
muniment bib 1 2 --style contract
muniment bib letter-07.txt --style bibtex`,
		cobra.ArbitraryArgs, p.inArchive(func(_ *cobra.Command, a *archive.Archive, args []string) error {
			o.References = args
			r, err := engine.WriteBibliography(a, o)
			return p.conclude(err, "bib", r, func() {
				for _, line := range strings.Split(strings.TrimRight(strings.ReplaceAll(r.Text, "\r\n", "\n"), "\n"), "\n") {
					p.out("%s", line)
				}
				for _, ref := range r.References {
					for _, c := range ref.Citations {
						p.say("citation %d: %s, %s", c.CitationID, c.VerificationStatus, verdicts(c.Support))
					}
				}
			})
		}))
	f := cmd.Flags()
	f.StringVar(&o.Style, "style", "harvard", "inline, harvard, ieee, apa, chicago, contract, bibtex, ris or csl-json")
	f.StringVar(&o.Markup, "markup", "text", "text, markdown or html, for italics")
	f.StringVar(&o.Session, "session", "", "the citations of this session")
	f.BoolVar(&o.All, "all", false, "everything cited")
	return cmd
}
