package main

import (
	"github.com/spf13/cobra"
	"muniment/answer"
)

func (p *program) segmentCommand() *cobra.Command {
	var lang string
	cmd := command("evidence", "segment FILE|-", "Cut a text into sentences and claims, with offsets",
		`Reads a text, a file or - for standard input, and prints its sentences and, read as
a markdown draft, its claims: one asserted proposition each. Offsets are code points,
half-open. Places that could be read in two ways are listed. Needs no archive. The
language is told from the text unless --lang gives it.`,
		`muniment segment draft.md --json
muniment segment report.txt --lang de`,
		cobra.ExactArgs(1), func(_ *cobra.Command, args []string) error {
			text, err := p.readText(args[0], answer.MaxSegmented)
			if err != nil {
				return err
			}
			r, err := answer.Segment([]byte(text), lang)
			if err != nil {
				return err
			}
			p.show("segment", r, func() {
				told := ""
				if r.Detected {
					told = ", told from the text"
				}
				name := r.Lang
				if name == "" {
					name = "unknown"
				}
				p.out("language %s%s", name, told)
				p.out("%d sentences", len(r.Sentences))
				for _, s := range r.Sentences {
					p.out("  %d-%d  %s", s.Start, s.End, oneLine(s.Text))
				}
				p.out("%d claims", len(r.Claims))
				for _, c := range r.Claims {
					p.out("  %d-%d  %s  %s", c.Start, c.End, c.Kind, oneLine(c.Text))
				}
				for _, a := range r.Ambiguous {
					p.out("  at %d: %s", a.At, a.Reason)
				}
			})
			return nil
		})
	cmd.Flags().StringVar(&lang, "lang", "", "BCP 47 `tag` of the text's language, such as en or de")
	return withoutArchive(cmd)
}
