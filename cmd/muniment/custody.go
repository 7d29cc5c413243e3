package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"muniment/archive"
	"muniment/archive/payloads"
	"muniment/bundle"
	"muniment/custody"
)

// newTransfer returns how this run reaches remotes.
func newTransfer(p *program, update func(done, total int)) custody.Transfer {
	return custody.Transfer{Ask: p.interactive(), Progress: update}
}

func newRemoteCommand(p *program) *cobra.Command {
	cmd := command("copies", "remote", "Name the places that keep copies",
		`A remote is an address with a name: a path, ssh://host/path, host:path,
https://host/path or git://host/path. Anything that speaks git can keep a copy.`,
		`muniment -C letters remote add museum ssh://git@museum.example/letters.git`,
		cobra.NoArgs, p.overview)
	cmd.AddCommand(newRemoteAddCommand(p), newRemoteListCommand(p), newRemoteRemoveCommand(p), newRemotePayloadsCommand(p), newReceiptsCommand(p))
	return withoutArchive(cmd)
}

func newRemoteAddCommand(p *program) *cobra.Command {
	return command("", "add NAME URL", "Give an address a name",
		`Nothing is connected. A password has no place in the address: web servers are asked
through git credential and ~/.netrc, ssh uses the agent, ~/.ssh/config and key files.`,
		`muniment -C letters remote add museum ssh://git@museum.example/letters.git
muniment -C letters remote add disk /mnt/disk/letters.git`,
		cobra.ExactArgs(2), p.inArchive(func(_ *cobra.Command, a *archive.Archive, args []string) error {
			r, err := custody.AddRemote(a, args[0], args[1])
			return p.conclude(err, "remote-add", r, func() {
				p.out("%s  %s", r.Name, r.URL)
				p.say("next: muniment push %s", r.Name)
			})
		}))
}

func newRemoteListCommand(p *program) *cobra.Command {
	return command("", "list", "List the remotes and the snapshots last seen there",
		`Shows for each remote the newest snapshot that was verified there, and when.
Nothing is connected; muniment sync asks them again.`,
		`muniment -C letters remote list`,
		cobra.NoArgs, p.inArchive(func(_ *cobra.Command, a *archive.Archive, _ []string) error {
			all, err := custody.Remotes(a)
			return p.conclude(err, "remote-list", remoteList{all}, func() {
				for _, r := range all {
					if r.Snapshot == "" {
						p.out("%s  %s  never seen", r.Name, r.URL)
						continue
					}
					p.out("%s  %s  snapshot %d  %s  %s", r.Name, r.URL, r.Seq, r.Seen, r.Snapshot)
				}
				if len(all) == 0 {
					p.say("no remotes; next: muniment remote add NAME URL")
				}
			})
		}))
}

func newRemoteRemoveCommand(p *program) *cobra.Command {
	return command("", "remove NAME", "Forget a remote and the snapshots seen there",
		`The copy there stays as it is, and so do the receipts. When the remote is added again
its earlier snapshots are not known: an older copy there raises no alarm.`,
		`muniment -C letters remote remove museum`,
		cobra.ExactArgs(1), p.inArchive(func(_ *cobra.Command, a *archive.Archive, args []string) error {
			r, err := custody.RemoveRemote(a, args[0])
			return p.conclude(err, "remote-remove", r, func() { p.out("removed %s  %s", r.Name, r.URL) })
		}))
}

type remotePayloadsCommand struct {
	*program
	c      payloads.Config
	above  string
	forget bool
}

func newRemotePayloadsCommand(prog *program) *cobra.Command {
	p := &remotePayloadsCommand{program: prog}
	cmd := command("", "payloads [s3://BUCKET/PREFIX]", "Name the payload store, where large files go",
		`Files added from now on that are no text and larger than --above go to an S3 bucket; a
signed pointer replaces them in the archive. An original goes there too, while the text
made from it stays. Files that are in the archive already stay where they are. Nothing
is connected and no key is stored: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are read
at each use, or else the user's ~/.aws/credentials. Without an argument the store is
shown. A store belongs to this copy; a clone names its own, or this one.`,
		`muniment -C letters remote payloads s3://museum/letters --endpoint https://s3.example.org --above 8MB
muniment -C letters remote payloads`,
		cobra.MaximumNArgs(1), p.inArchive(p.run))
	f := cmd.Flags()
	f.StringVar(&p.c.Endpoint, "endpoint", "https://s3.amazonaws.com", "the server's `URL`")
	f.StringVar(&p.above, "above", "8MB", "the `SIZE` above which files go there, 64KiB at least")
	f.StringVar(&p.c.Region, "region", "", "the `REGION` that requests are signed for, us-east-1 without it")
	f.StringVar(&p.c.Profile, "profile", "", "the `NAME` of the profile in ~/.aws/credentials")
	f.BoolVar(&p.forget, "forget", false, "forget the store; its content stays")
	return cmd
}

func (p *remotePayloadsCommand) run(_ *cobra.Command, a *archive.Archive, args []string) error {
	var err error
	switch {
	case p.forget:
		err = custody.ForgetPayloadStore(a)
	case len(args) == 1:
		p.c.Address = args[0]
		if p.c.Above, err = parseSize(p.above); err == nil {
			err = custody.NamePayloadStore(a, p.c)
		}
	}
	if err != nil {
		return err
	}
	named, err := a.PayloadStoreConfig()
	return p.conclude(err, "remote-payloads", payloadStore{named}, func() {
		if named == nil {
			p.say("no payload store; everything stays in archive.git")
			return
		}
		p.out("%s  at %s, above %d bytes", named.Address, named.Endpoint, named.Above)
	})
}

// sizeUnits are the units of a size on the command line, in bytes.
var sizeUnits = map[string]int64{"": 1, "B": 1, "KB": 1e3, "MB": 1e6, "GB": 1e9, "KIB": 1 << 10, "MIB": 1 << 20, "GIB": 1 << 30}

// parseSize returns a size such as 8MB or 64KiB in bytes.
func parseSize(s string) (int64, error) {
	digits := strings.TrimRight(s, "BKMGIbkmgi ")
	n, err := strconv.ParseInt(digits, 10, 64)
	unit, known := sizeUnits[strings.ToUpper(strings.TrimSpace(s[len(digits):]))]
	if err != nil || !known || n < 1 || n > math.MaxInt64/unit {
		return 0, misuse("the size "+strconv.Quote(s)+" is no number of bytes", "muniment remote payloads s3://BUCKET --above 8MB")
	}
	return n * unit, nil
}

// withArchive runs fn on the archive of this call.
func (p *program) withArchive(fn func(*archive.Archive) error) error {
	a, err := p.open()
	if err != nil {
		return err
	}
	return errors.Join(fn(a), a.Close())
}

// inArchive returns a command's run that opens the archive first and closes it after.
func (p *program) inArchive(run func(*cobra.Command, *archive.Archive, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		return p.withArchive(func(a *archive.Archive) error { return run(cmd, a, args) })
	}
}

// onlyRemote returns the remote that was named, or the one there is.
func onlyRemote(a *archive.Archive, args []string) (string, error) {
	if len(args) == 1 {
		return args[0], nil
	}
	all, err := custody.Remotes(a)
	if err != nil {
		return "", err
	}
	switch len(all) {
	case 0:
		return "", misuse("this archive has no remote", "muniment remote add NAME URL makes one")
	case 1:
		return all[0].Name, nil
	}
	return "", misuse(fmt.Sprintf("this archive has %d remotes", len(all)), "muniment remote list shows them; name one")
}

type pushCommand struct {
	*program
	accept string
}

func newPushCommand(prog *program) *cobra.Command {
	p := &pushCommand{program: prog}
	cmd := command("copies", "push [REMOTE]", "Send newer snapshots to a remote",
		`Sends whole snapshots, oldest first, with tags, answer logs and countersignatures. The
remote's branch only moves forward; nothing is forced and nothing deleted. An
interrupted push continues from the last snapshot of the remote. A remote with a
snapshot that is not in our history is left alone (exit 1): fetch says what it is. If
there is only one remote, it need not be named.`,
		`muniment -C letters push museum
muniment -C letters push /mnt/disk/letters.git`,
		cobra.MaximumNArgs(1), p.inArchive(p.run))
	cmd.Flags().StringVar(&p.accept, "accept-trust", "", acceptHelp)
	return cmd
}

func (p *pushCommand) run(cmd *cobra.Command, a *archive.Archive, args []string) error {
	name, err := onlyRemote(a, args)
	if err != nil {
		return err
	}
	update, end := p.progress("push")
	t := newTransfer(p.program, update)
	t.AcceptTrust = p.accept
	r, err := custody.Push(cmd.Context(), a, name, t)
	end()
	if err != nil {
		return interruptionOf(p.program, cmd, err)
	}
	p.show("push", r, func() {
		p.out("%s", r.Snapshot)
		if r.Snapshots == 0 {
			p.out("%s has snapshot %d already", r.Remote, r.Seq)
		} else {
			p.out("%s: snapshot %d → %d, %s sent", r.Remote, r.From, r.Seq, count(r.Objects, "object"))
		}
		printRefs(p.program, r.Refs)
		p.say("next: muniment sync keeps a receipt; muniment clone %s DIR makes a copy", r.URL)
	})
	return nil
}

// acceptHelp explains --accept-trust where an archive is pushed.
const acceptHelp = "push on snapshots that were fetched under changed trust, whose `DIGEST` you compared"

// printRefs lists the changes of tags, logs and countersignatures.
func printRefs(p *program, all []custody.RefChange) {
	for _, c := range all {
		switch {
		case c.OwnerCommand != "":
			warnUncleared(p, c)
		case c.Done:
			p.out("  %s", c.Name)
		default:
			p.out("  %s: left as it is: %s", c.Name, c.Reason)
		}
	}
}

// warnUncleared says that a remote's version of a ref cannot be extended, and what its
// keeper runs.
func warnUncleared(p *program, c custody.RefChange) {
	p.out("  %s: %s%s", c.Name, ifText(c.Done, "only its accepted files are taken from ", ""), c.Reason)
	p.out("    ours cannot extend it; the keeper of that repository runs there: %s", c.OwnerCommand)
}

// interruptionOf turns the error of a call that the user interrupted into that.
func interruptionOf(p *program, cmd *cobra.Command, err error) error {
	if cmd.Context().Err() != nil {
		return interruptedError()
	}
	return err
}

type fetchCommand struct {
	*program
	trust string
	await bool
}

func newFetchCommand(prog *program) *cobra.Command {
	p := &fetchCommand{program: prog}
	cmd := command("copies", "fetch [REMOTE]", "Take over newer snapshots from a remote, once they are verified",
		`Received objects wait in quarantine until every id, root, signature and link of its
history is verified; then it becomes part of the archive. A history that is not an
extension of ours is an alarm (exit 1): nothing is changed, and both signed heads are
kept in a file under archive.local/evidence that anybody can check. One key with two
snapshots of one number is an equivocation; two keys are a fork, which muniment join can
join. A remote that shows less than before was cut back, which is reported.

Signers are those of the trust root that this copy trusts, and of its newer versions;
without one, those that the archive allows, from snapshot to snapshot; or those of
--trust FILE. A snapshot that withdraws something without the signature of a key with
that right is refused; whoever is to countersign it accepts it with --await-countersign.
If there is only one remote, it need not be named.`,
		`muniment -C letters fetch museum`,
		cobra.MaximumNArgs(1), p.run)
	cmd.Flags().StringVar(&p.trust, "trust", "", "the keys that count: a trust root or allowed_signers `FILE`")
	cmd.Flags().BoolVar(&p.await, "await-countersign", false, awaitHelp)
	cmd.Flags().SetNormalizeFunc(countersignFlags)
	return cmd
}

func (p *fetchCommand) run(cmd *cobra.Command, args []string) error {
	o, err := fetchOptions(p.program, p.trust)
	if err != nil {
		return err
	}
	return p.withArchive(func(a *archive.Archive) error {
		name, err := onlyRemote(a, args)
		if err != nil {
			return err
		}
		update, end := p.progress("fetch")
		o.AwaitCountersign = p.await
		o.Transfer = newTransfer(p.program, update)
		r, err := custody.Fetch(cmd.Context(), a, name, o)
		end()
		if err != nil {
			return interruptionOf(p.program, cmd, err)
		}
		p.show("fetch", r, func() { p.printFetched(r) })
		if r.Relation != "same" && r.Relation != "behind" {
			p.refreshIndex(a)
		}
		return nil
	})
}

// awaitHelp explains --await-countersign where snapshots are taken over.
const awaitHelp = "take over snapshots that a key with the right has yet to countersign"

func (p *fetchCommand) printFetched(r *custody.FetchResult) {
	switch r.Relation {
	case "same":
		p.out("%s: the same, snapshot %d", r.Remote, r.Seq)
	case "behind":
		p.out("%s: behind, snapshot %d of %d", r.Remote, r.Seq, r.OurSeq)
		p.say("next: muniment push %s", r.Remote)
	case "empty":
		p.out("%s: nothing there yet", r.Remote)
		p.say("next: muniment push %s", r.Remote)
	default:
		p.out("%s", r.Snapshot)
		p.out("%s: %s taken, %s, %d bytes; newest is %d by %s", r.Remote, count(r.Snapshots, "snapshot"), count(r.Objects, "object"), r.Bytes, r.Seq, r.Signer)
		p.say("next: muniment log; muniment verify")
	}
	sayExpiry(p.program, r.Expiry)
	printRefs(p.program, r.Refs)
}

// sayExpiry says that a trust root has expired, or cannot be told not to have.
func sayExpiry(p *program, axis *bundle.Axis) {
	if axis != nil && axis.Result != bundle.Pass {
		p.out("%s  %s  %s", axis.Result, axis.Name, axis.Reason)
	}
}

func fetchOptions(p *program, trust string) (custody.FetchOptions, error) {
	whom, err := archive.ReadTrust(trust)
	return custody.FetchOptions{Trust: whom}, err
}

type cloneCommand struct {
	*program
	o     custody.CloneOptions
	trust string
}

func newCloneCommand(prog *program) *cobra.Command {
	p := &cloneCommand{program: prog}
	cmd := command("copies", "clone URL DIR", "Copy an archive into a new folder, once it is verified",
		`Everything is verified before the folder appears: ids, roots, signatures, history. You
choose whose keys to trust, with --trust FILE or, where somebody told you the archive's
id, with --expect ID. Without them the first snapshot's key is believed because it came
first; compare its printed fingerprint over another channel.

The copy has no keys: snapshot needs one that the archive allows.`,
		`muniment clone ssh://git@museum.example/letters.git letters
muniment clone /mnt/disk/letters.git letters --trust allowed_signers`,
		cobra.ExactArgs(2), p.run)
	f := cmd.Flags()
	f.StringVar(&p.trust, "trust", "", "the keys that count: a trust root or allowed_signers `FILE`")
	f.StringVar(&p.o.Expect, "expect", "", "the `ID` that the archive must have")
	f.BoolVar(&p.o.AwaitCountersign, "await-countersign", false, awaitHelp)
	f.SetNormalizeFunc(countersignFlags)
	f.StringVar(&p.o.Name, "name", "origin", "the remote's `NAME` in the copy")
	return withoutArchive(cmd)
}

func (p *cloneCommand) run(cmd *cobra.Command, args []string) error {
	var err error
	if p.o.Trust, err = archive.ReadTrust(p.trust); err != nil {
		return err
	}
	update, end := p.progress("clone")
	p.o.Transfer = newTransfer(p.program, update)
	r, err := custody.Clone(cmd.Context(), args[0], args[1], p.o, p.surroundings())
	end()
	if err != nil {
		return interruptionOf(p.program, cmd, err)
	}
	p.show("clone", r, func() {
		p.out("%s", r.Snapshot)
		p.out("archive %s (%s): %s, %s", r.Name, r.Archive, count(r.Snapshots, "snapshot"), count(r.Objects, "object"))
		for _, s := range r.Signers {
			p.out("signed by %s", s)
		}
		if r.Pinned {
			p.say("verified against what you gave")
		} else {
			p.say("trusted on first use: nobody has told this machine before whose key that is; compare fingerprint and archive id with its custodian")
		}
		printRefs(p.program, r.Refs)
		p.say("next: muniment -C %s status", r.Dir)
	})
	return nil
}
