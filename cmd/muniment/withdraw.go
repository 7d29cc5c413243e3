package main

import (
	"github.com/spf13/cobra"

	"muniment/archive"
	"muniment/history"
)

func newWithdrawCommand(p *program) *cobra.Command {
	var o history.WithdrawOptions
	cmd := command("papers", "withdraw ID|NAME… --reason TEXT --authority WHO", "Take artifacts out, with reason and authority",
		`Stages that the payloads and records of artifacts leave the next snapshot. A note of the
reason and the authority replaces them; an original is removed with the last artifact
made from it. Search, ask and cite no longer use them. Nothing signed is undone: older
snapshots, and copies of them, keep the artifacts (cat --at SNAPSHOT), and citations of
them still verify, with the remark "since withdrawn".

The snapshot must be signed, or countersigned, by a key with the role withdraw.
Artifacts with a hold cannot be withdrawn. add --reinstate takes in a withdrawn file
again.`,
		`muniment -C letters withdraw letter-07.txt --reason "asked by the family" --authority "board, 3 May" --reference "minutes 12/4"
muniment -C letters snapshot -m "withdraw letter 7"`,
		cobra.MinimumNArgs(1), p.inArchive(func(_ *cobra.Command, a *archive.Archive, args []string) error {
			o.Artifacts = args
			r, err := history.Withdraw(a, o)
			return p.conclude(err, "withdraw", r, func() {
				for _, w := range r.Withdrawn {
					p.out("withdrawn %s  %s", w.Artifact, w.Name)
				}
				for _, id := range r.Originals {
					p.out("original  %s goes too", id)
				}
				p.say("staged; next: muniment snapshot -m TEXT puts it in force")
			})
		}))
	f := cmd.Flags()
	f.StringVar(&o.Reason, "reason", "", "why, kept in the archive")
	f.StringVar(&o.Authority, "authority", "", "who decided")
	f.StringVar(&o.Reference, "reference", "", "where the decision is on file")
	return cmd
}

type holdCommand struct {
	*program
	o history.HoldOptions
}

func newHoldCommand(prog *program) *cobra.Command {
	p := &holdCommand{program: prog}
	cmd := command("papers", "hold [ID|NAME…]", "Hold artifacts against withdrawal, or release them",
		`Stages a hold on artifacts: until it is released they cannot be withdrawn. --release
removes it; that snapshot must be signed, or countersigned, by a key with the role
withdraw. Without arguments the holds are listed.`,
		`muniment -C letters hold letter-07.txt --reason litigation --authority "District Court" --reference "12 C 34/24"
muniment -C letters hold letter-07.txt --release
muniment -C letters hold`,
		cobra.ArbitraryArgs, p.inArchive(p.run))
	f := cmd.Flags()
	f.BoolVar(&p.o.Release, "release", false, "remove the hold")
	f.StringVar(&p.o.Reason, "reason", "", "why, kept in the archive")
	f.StringVar(&p.o.Authority, "authority", "", "who demands it")
	f.StringVar(&p.o.Reference, "reference", "", "where the demand is on file")
	return cmd
}

func (p *holdCommand) run(_ *cobra.Command, a *archive.Archive, args []string) error {
	p.o.Artifacts = args
	r, err := history.Hold(a, p.o)
	return p.conclude(err, "hold", r, func() {
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
}
