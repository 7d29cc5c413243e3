package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"muniment/archive"
	"muniment/audit"
	"muniment/custody"
	"muniment/sign"
)

type syncCommand struct {
	*program
	trust, key, accept string
	cosign             bool
}

func newSyncCommand(prog *program) *cobra.Command {
	p := &syncCommand{program: prog}
	cmd := command("copies", "sync", "Fetch from and push to every remote, and keep a receipt of each",
		`Fetches from every remote, then pushes to every one, then notes the newest snapshot of
each in archive.local/receipts. A remote that could not be reached is one line and exit
code 3; one whose history disagrees is an alarm and exit code 1, as for fetch. The other
remotes are synced all the same.

Before the push the answer logs of this archive are copied to their refs. With --cosign
a witness's key cosigns each log that continues its last seen state.`,
		`muniment -C letters sync
muniment -C letters sync --cosign --key witness`,
		cobra.NoArgs, p.run)
	f := cmd.Flags()
	f.StringVar(&p.trust, "trust", "", "the keys that count: a trust root or allowed_signers `FILE`")
	f.BoolVar(&p.cosign, "cosign", false, "cosign the answer logs as a witness")
	f.StringVar(&p.key, "key", "", "the witness's key `FILE`")
	f.StringVar(&p.accept, "accept-trust", "", acceptHelp)
	return cmd
}

func (p *syncCommand) run(cmd *cobra.Command, _ []string) error {
	o, err := fetchOptions(p.program, p.trust)
	if err != nil {
		return err
	}
	var witness sign.Signer
	if p.cosign {
		if witness, err = p.signer(p.key); err != nil {
			return err
		}
	}
	return p.withArchive(func(a *archive.Archive) error {
		update, end := p.progress("sync")
		o.Transfer = newTransfer(p.program, update)
		o.Transfer.AcceptTrust = p.accept
		r, err := custody.Sync(cmd.Context(), a, o, witness)
		end()
		if r == nil || cmd.Context().Err() != nil {
			return interruptionOf(p.program, cmd, err)
		}
		defer p.refreshIndex(a)
		p.show("sync", r, func() {
			for _, one := range r.Remotes {
				p.printSynced(one)
			}
			for _, l := range r.Logs {
				p.out("log %s  epoch %d, %s%s", l.Key, l.Epoch, count(int(l.Size), "entry"), ifText(p.cosign, ", cosigned", ""))
			}
		})
		return err
	})
}

func (p *syncCommand) printSynced(one custody.RemoteSync) {
	if one.Error != "" {
		p.out("%s  failed: %s", one.Remote, one.Error)
		return
	}
	got, sent := 0, 0
	if one.Fetched != nil {
		got = one.Fetched.Snapshots
	}
	if one.Pushed != nil {
		sent = one.Pushed.Snapshots
	}
	if one.Receipt == nil {
		p.out("%s  nothing to keep yet", one.Remote)
		return
	}
	if one.Fetched != nil {
		sayExpiry(p.program, one.Fetched.Expiry)
		for _, c := range one.Fetched.Refs {
			if c.OwnerCommand != "" {
				warnUncleared(p.program, c)
			}
		}
	}
	p.out("%s  snapshot %d  %d fetched, %d sent  seen %s", one.Remote, one.Receipt.Seq, got, sent, one.Receipt.Time)
}

func newReceiptsCommand(p *program) *cobra.Command {
	return command("", "receipts [REMOTE]", "List the snapshots that custodians have shown, and when",
		`A receipt is a line that sync adds to archive.local/receipts: which snapshot a
remote showed as its newest, as this archive saw it. It is a note of ours and carries
no signature of the custodian.`,
		`muniment -C letters remote receipts
muniment -C letters remote receipts museum`,
		cobra.MaximumNArgs(1), p.inArchive(func(_ *cobra.Command, a *archive.Archive, args []string) error {
			name := ""
			if len(args) == 1 {
				name = args[0]
			}
			all, err := custody.Receipts(a, name)
			return p.conclude(err, "receipts", receiptList{all}, func() {
				for _, r := range all {
					p.out("%s  %s  snapshot %d  %s", r.Time, r.Remote, r.Seq, r.Snapshot)
				}
				if len(all) == 0 {
					p.say("no receipts; next: muniment sync")
				}
			})
		}))
}

type repairCommand struct {
	*program
	from  string
	yes   bool
	files []string
}

func newRepairCommand(prog *program) *cobra.Command {
	p := &repairCommand{program: prog}
	cmd := command("copies", "repair", "Restore damaged or absent objects, from this copy and a remote",
		`Reads every pack and every object. Without --from this copy alone is used, which
restores a lost branch or tag. Damaged or absent objects are taken from the remote by
name and hashed before use, so the remote needs no trust. Damaged packs are replaced by
new ones of the readable and restored objects, and the old files are moved to
archive.local/damaged; nothing is deleted. An intact pack whose index is damaged gets a
new one from itself. Refs that lead nowhere are shown with their new targets, and moved
when you agree: the branch to the newest snapshot that this copy had or verified,
wherever that is found; fetch takes over newer snapshots of a remote.

--payloads reads the payload store, and restores absent or wrong payloads there from
files with the right bytes, whatever their names.

At the end the notes that this copy alone keeps are checked as verify does. What is still
damaged is named with what heals it, and the exit code is 3.`,
		`muniment -C letters repair --yes
muniment -C letters repair --from museum
muniment -C letters repair --payloads /mnt/disk/scans`,
		cobra.NoArgs, p.run)
	cmd.Flags().StringVar(&p.from, "from", "", "the `REMOTE`, by name or address")
	cmd.Flags().StringArrayVar(&p.files, "payloads", nil, "the `PATH` of a file or folder with bytes that the payload store lacks")
	cmd.Flags().BoolVar(&p.yes, "yes", false, "move refs that lead nowhere without a question")
	return cmd
}

func (p *repairCommand) run(cmd *cobra.Command, _ []string) error {
	if len(p.files) > 0 {
		return p.repairPayloads(cmd, p.files)
	}
	dir, err := p.archiveDir()
	if err != nil {
		return err
	}
	update, end := p.progress("repair")
	r, err := custody.Repair(cmd.Context(), dir, p.from, newTransfer(p.program, update), p.surroundings(), func(plan []custody.RefRepair) (bool, error) {
		end()
		return p.agreeOnRefs(plan, p.yes)
	})
	end()
	if err != nil {
		return interruptionOf(p.program, cmd, err)
	}
	all := repairReport{RepairResult: r}
	if err := p.withArchive(func(a *archive.Archive) error { all.Copy = audit.DamageOfCopy(a); return nil }); err != nil {
		return err
	}
	withFixes(all.Copy)
	p.show("repair", all, func() {
		p.printRepair(r)
		p.printCopy(all.Copy)
	})
	if len(all.Copy) > 0 {
		return copyDamage("the signed archive is whole here; what this copy keeps besides it is not")
	}
	return nil
}

// A repairReport is what a repair did, and what this copy alone keeps and is still damaged.
type repairReport struct {
	*custody.RepairResult
	Copy []audit.Check `json:"copy,omitempty"`
}

// printRepair prints what a repair did.
func (p *repairCommand) printRepair(r *custody.RepairResult) {
	if r.Rebuilt > 0 {
		p.out("%s got a new index", count(r.Rebuilt, "intact pack"))
	}
	for _, name := range r.Settings {
		p.out("written anew  %s", name)
	}
	for _, one := range r.Refs {
		p.out("%s  %s", one.Ref, ifText(one.To == "", "left out", "moved to "+one.To))
	}
	if r.Healed == 0 && len(r.Aside) == 0 {
		if r.Rebuilt == 0 && len(r.Settings)+len(r.Refs) == 0 {
			p.out("nothing is damaged or absent in the repository")
		}
		return
	}
	p.out("%s healed%s, %d saved from damaged packs", count(r.Healed, "object"), ifText(r.Remote == "", "", " from "+r.Remote), r.Salvaged)
	for _, name := range r.Aside {
		p.out("  set aside  %s", name)
	}
	if r.Folder != "" {
		p.say("the damaged files are in %s", r.Folder)
	}
	p.say("next: muniment verify")
}

// repairPayloads restores missing objects of a payload store from files.
func (p *repairCommand) repairPayloads(cmd *cobra.Command, files []string) error {
	return p.withArchive(func(a *archive.Archive) error {
		r, err := custody.RepairPayloads(cmd.Context(), a, files)
		if err != nil {
			return interruptionOf(p.program, cmd, err)
		}
		p.show("repair-payloads", r, func() {
			p.out("%s at %s read, %d put there again", count(r.Objects, "object"), r.Store, r.Restored)
		})
		return nil
	})
}

// agreeOnRefs shows where refs that lead nowhere will lead, and asks.
func (p *repairCommand) agreeOnRefs(plan []custody.RefRepair, yes bool) (bool, error) {
	for _, one := range plan {
		to := one.To
		if one.Snapshot != "" {
			to = fmt.Sprintf("snapshot %d, %s", one.Seq, one.Snapshot)
		}
		p.say("%s: %s; %s", one.Ref, one.Was, ifText(to == "", "left out: "+one.From, "to "+to+", "+one.From))
	}
	if yes {
		return true, nil
	}
	return p.agrees("Set the damaged files aside and go on? [y/N] ")
}
