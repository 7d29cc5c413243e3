package main

import (
	"github.com/spf13/cobra"
	"muniment/history"
)

func (p *program) holdCommand() *cobra.Command {
	var o history.HoldOptions
	cmd := command("archive", "hold [ID|NAME…]", "Hold artifacts against withdrawal, or release them",
		`Stages a hold beside artifacts: while it lies there they cannot be withdrawn. --release
takes it away; that snapshot must be signed, or co-signed, by a key with the role
withdraw. Without arguments the holds are listed.`,
		`muniment -C letters hold letter-07.txt --reason litigation --authority "District Court" --reference "12 C 34/24"
muniment -C letters hold letter-07.txt --release
muniment -C letters hold`,
		cobra.ArbitraryArgs, func(_ *cobra.Command, args []string) error {
			a, err := p.open()
			if err != nil {
				return err
			}
			defer a.Close()
			o.Artifacts = args
			r, err := history.Hold(a, o)
			if err != nil {
				return err
			}
			p.show("hold", r, func() {
				for _, id := range r.Released {
					p.out("released %s", id)
				}
				for _, h := range r.Held {
					p.out("held %s  %s  since %s, %s: %s", h.Artifact, h.Name, h.Time, h.Authority, h.Reason)
				}
				if len(r.Held) == 0 {
					p.say("nothing is held")
				}
				if r.Staged {
					p.say("staged; next: muniment snapshot -m TEXT puts it in force")
				}
			})
			return nil
		})
	f := cmd.Flags()
	f.BoolVar(&o.Release, "release", false, "take the hold away")
	f.StringVar(&o.Reason, "reason", "", "why, kept in the archive")
	f.StringVar(&o.Authority, "authority", "", "who demands it")
	f.StringVar(&o.Reference, "reference", "", "where the demand is on file")
	return cmd
}
