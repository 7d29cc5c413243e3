package main

import (
	"github.com/spf13/cobra"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/audit"
)

type upgradeCommand struct {
	*program
	check bool
}

func newUpgradeCommand(prog *program) *cobra.Command {
	p := &upgradeCommand{program: prog}
	cmd := command("start", "upgrade", "Say what this version of the program changes for an archive",
		`Compares this program with the one that this copy was last upgraded to: which papers
readers of the lowest tier see less of, which are shown to them only after somebody signs
it, which verdicts on citations change, which files are written in a newer form, and
whether the ledger is brought up to date. Nothing is shown to more people by an upgrade.

--check changes nothing. Without it the ledger is brought up to date at once, with a copy
of the file as it was, and the copy notes that it was upgraded, so that the next check
lists only what is newer. Nothing is signed: each change that needs a signature names
the command.`,
		"muniment -C letters upgrade --check\nmuniment -C letters upgrade", cobra.NoArgs, p.inArchive(p.run))
	cmd.Flags().BoolVar(&p.check, "check", false, "list what changes, and change nothing; exit 1 if anything does")
	return cmd
}

// effects are the words for the effects of changes, in the order in which they are listed.
var effects = []struct{ effect, words string }{
	{audit.EffectLess, "shown to fewer people"},
	{audit.EffectSign, "shown only after somebody signs it"},
	{audit.EffectVerdict, "another verdict"},
	{audit.EffectLedger, "the ledger"},
	{audit.EffectForm, "newer forms"},
}

func (p *upgradeCommand) run(_ *cobra.Command, a *archive.Archive, _ []string) error {
	compare := audit.Upgrade
	if p.check {
		compare = audit.CheckUpgrade
	}
	r, err := compare(a)
	if err != nil {
		return err
	}
	for i, c := range r.Changes {
		r.Changes[i].Fix = hintOf(c.Next)
	}
	p.show("upgrade", r, func() { p.print(r) })
	if p.check && len(r.Changes) > 0 {
		return &problem.Error{Kind: problem.VerdictNegative, Message: count(len(r.Changes), "change") + " with this program", Next: problem.Advise("muniment upgrade notes that you have seen them")}
	}
	return nil
}

// print lists the changes by their effect.
func (p *upgradeCommand) print(r *audit.UpgradeReport) {
	if r.Last == "" {
		p.out("this copy has not noted an upgrade: everything since the first program is listed")
	}
	for _, e := range effects {
		for _, c := range r.Changes {
			if c.Effect != e.effect {
				continue
			}
			p.out("%s: %s", e.words, c.What)
			if c.Effect != audit.EffectForm && c.Effect != audit.EffectLedger {
				p.out("  %d, such as", c.Count)
			}
			for _, name := range c.Names {
				p.out("    %s", name)
			}
			if c.Fix != "" {
				p.out("  to change it: %s", c.Fix)
			}
		}
	}
	switch {
	case len(r.Changes) == 0:
		p.out("nothing changes for this archive")
	case r.Noted:
		p.out("noted: this copy is upgraded to the program of %s", r.Program)
	}
}
