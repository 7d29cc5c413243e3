package main

import (
	"muniment/history"
	"sort"
	"strings"

	"github.com/spf13/cobra"
)

func (p *program) diffCommand() *cobra.Command {
	return command("archive", "diff A..B | A [B]", "Show in what two snapshots differ",
		`Lists what came, changed and went from snapshot A to snapshot B, the newest without:
artifacts added, withdrawn or reinstated, records of artifacts that were there, originals,
consent, holds, citations, policy and trust. A snapshot is given by its number, its id,
a prefix of it or a tag.`,
		`muniment -C letters diff 3..5
muniment -C letters diff deposit-2024`,
		cobra.RangeArgs(1, 2), func(_ *cobra.Command, args []string) error {
			from, to, _ := strings.Cut(args[0], "..")
			if len(args) == 2 {
				from, to = args[0], args[1]
			}
			a, err := p.open()
			if err != nil {
				return err
			}
			defer a.Close()
			r, err := history.Diff(a, from, to)
			if err != nil {
				return err
			}
			p.show("diff", r, func() {
				for _, c := range r.Changes {
					name := c.Name
					switch {
					case name == "":
						name = c.Path
					case c.Kind == "record" || c.Kind == "removed":
						name += "  " + c.Path
					}
					p.out("%-10s %s", c.Kind, name)
				}
				kinds := make([]string, 0, len(r.Counts))
				for k, n := range r.Counts {
					kinds = append(kinds, itoa(n)+" "+k)
				}
				sort.Strings(kinds)
				p.say("snapshot %d to %d: %s", r.FromSeq, r.ToSeq, ifText(len(kinds) > 0, strings.Join(kinds, ", "), "nothing changed"))
			})
			return nil
		})
}
