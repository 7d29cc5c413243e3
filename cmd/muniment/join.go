package main

import (
	"github.com/spf13/cobra"
	"muniment/archive"
	"muniment/engine"
	"muniment/history"
)

func (p *program) joinCommand() *cobra.Command {
	var o history.JoinOptions
	var key string
	cmd := command("archive", "join DIR|REF|COMMIT -m TEXT", "Join two histories that forked",
		`Two archivists who each signed a snapshot of the same number have forked the history. A
join is a snapshot with both as its parents. Its tree is computed, not chosen, and every
verifier computes it again: everything either holds; what either withdrew is withdrawn;
of two consents the stricter in each dimension; holds of both; policy and trust are ours.

The other history is a copy's folder, or a ref or commit that fetch left here. It is
verified first, and its snapshots must be signed by keys this archive trusts. Two
different snapshots of one number by one key are evidence against that key and are
never joined.`,
		`muniment -C letters join ../copy -m "join the reading room's copy"`,
		cobra.ExactArgs(1), func(_ *cobra.Command, args []string) error {
			a, err := p.open()
			if err != nil {
				return err
			}
			defer a.Close()
			if o.Other = args[0]; o.Text == "" {
				return &archive.Error{Kind: archive.TypeUsage, Message: "a join needs a text that says why", Next: archive.Advise(`muniment join DIR -m "join the reading room's copy"`)}
			}
			if o.Signer, err = p.signer(key); err != nil {
				return err
			}
			r, err := engine.Join(a, o)
			if err != nil {
				return err
			}
			defer p.refreshIndex(a)
			p.show("join", r, func() {
				p.out("snapshot %s", r.Snapshot)
				p.out("seq %d, joins %s and %s", r.Seq, r.Prev, r.Join)
				p.out("%s, %s, signed by %s", count(r.Artifacts, "artifact"), count(int(r.Entries), "entry line"), r.Signer)
				p.say("next: muniment verify --trust allowed_signers")
			})
			return nil
		})
	cmd.Flags().StringVarP(&o.Text, "message", "m", "", "why the histories are joined")
	cmd.Flags().StringVar(&key, "key", "", "the private key `FILE` to sign with")
	return cmd
}
