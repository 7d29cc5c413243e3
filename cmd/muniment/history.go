package main

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"muniment/archive"
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/engine"
	"muniment/history"
	"muniment/server"
	"muniment/text/legible"
)

func itoa(n int) string { return strconv.Itoa(n) }

type snapshotCommand struct {
	*program
	text, key                     string
	countersignFlag, await, widen bool
}

func newSnapshotCommand(prog *program) *cobra.Command {
	p := &snapshotCommand{program: prog}
	cmd := command("papers", "snapshot -m TEXT | --countersign [SNAPSHOT]", "Sign a snapshot of what was added",
		`Signs the staged tree as a commit that git verify-commit accepts, with an OpenSSH
Ed25519 key: --key FILE, else MUNIMENT_KEY, else the default key of key new, else the
only Ed25519 key of ssh-agent. The first snapshot enrols its key in
trust/allowed_signers. The exit code is 1 if nothing changed since the last one.

A snapshot that withdraws, drops or loosens something needs a key with the role withdraw
(withdraw@muniment in an allowed_signers line): exit 4 without, unless
--await-countersign says that such a key will countersign. So does one that lets anybody
see more than before. Where that is a side effect (a text that is no longer tied to its
hidden scan, a person whose name is taken for another's), it is exit 4 for every key,
unless --widen says that it is intended. --countersign adds a key's countersignature to
a snapshot, by default the newest; the snapshot itself does not change. Where the trust
root asks for more than one key, every snapshot needs the countersignatures of the
others before it is taken elsewhere.`,
		`muniment -C letters snapshot -m "first box"
muniment -C letters snapshot -m "second box" --key ~/.ssh/id_ed25519
muniment -C letters snapshot --countersign 7 --key ~/.ssh/board`,
		cobra.MaximumNArgs(1), p.inArchive(p.run))
	cmd.Flags().StringVarP(&p.text, "message", "m", "", "why this snapshot is made")
	cmd.Flags().StringVar(&p.key, "key", "", "the private key `FILE` to sign with")
	cmd.Flags().BoolVar(&p.countersignFlag, "countersign", false, "countersign a snapshot instead of making one")
	cmd.Flags().BoolVar(&p.await, "await-countersign", false, "sign although a key with the role withdraw must countersign")
	cmd.Flags().BoolVar(&p.widen, "widen", false, "sign although a side effect lets somebody see more")
	cmd.Flags().SetNormalizeFunc(countersignFlags)
	return cmd
}

func (p *snapshotCommand) run(_ *cobra.Command, a *archive.Archive, args []string) error {
	if p.countersignFlag {
		return p.countersign(a, args, p.key)
	}
	if len(args) > 0 {
		return misuse("snapshot takes no argument without --countersign", `muniment snapshot -m "first box"`)
	}
	if p.text == "" {
		return misuse("a snapshot needs a text that says why", `muniment snapshot -m "first box"`)
	}
	signer, err := p.signer(p.key)
	if err != nil {
		return err
	}
	r, err := engine.Snapshot(a, history.SnapshotOptions{Text: p.text, Signer: signer, AwaitCountersign: p.await, Widen: p.widen})
	if err != nil {
		return err
	}
	defer p.refreshIndex(a)
	p.show("snapshot", r, func() {
		p.out("snapshot %s", r.Snapshot)
		p.out("seq %d, %s, %s, root %s", r.Seq, count(r.Artifacts, "artifact"), count(int(r.Entries), "entry line"), r.Root)
		p.out("signed by %s", r.Signer)
		if r.Finished {
			p.say("note: nothing new was signed; this snapshot was signed before, and the ledger has noted its citations now")
		}
		if r.LedgerProblem != "" {
			p.say("note: the snapshot is signed, but the ledger has not noted its citations: %s; the next command does", r.LedgerProblem)
		}
		if r.Bound+r.Sealed > 0 {
			p.out("citations bound %d, sealed %d", r.Bound, r.Sealed)
		}
		if r.Awaits {
			p.say("note: this key alone does not suffice; others refuse the snapshot until another that may has countersigned: muniment snapshot --countersign --key FILE")
		}
		if r.LogProblem != "" {
			p.say("note: the answer logs were not copied: %s; muniment log check says more", r.LogProblem)
		}
		if !r.Enrolled {
			p.say("note: this key is not in trust/allowed_signers; key trust --enrol puts it there, and others must be told of it")
		}
		p.say(`next: muniment ask "…", or muniment key trust > allowed_signers and muniment verify --trust allowed_signers`)
	})
	return nil
}

// countersignFlags gives the flags of countersignatures by the names they had
// before, cosign and await-cosign, which were the words for signatures of a log.
func countersignFlags(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	return pflag.NormalizedName(strings.Replace(name, "cosign", "countersign", 1))
}

// countersign adds a countersignature.
func (p *snapshotCommand) countersign(a *archive.Archive, args []string, key string) error {
	signer, err := p.signer(key)
	if err != nil {
		return err
	}
	ref := ""
	if len(args) == 1 {
		ref = args[0]
	}
	r, err := history.Countersign(a, ref, signer)
	return p.conclude(err, "cosign", r, func() {
		p.out("countersigned snapshot %d, %s", r.Seq, r.Snapshot)
		p.out("by %s, %s now", r.Signer, count(r.Cosigned, "countersignature"))
	})
}

func newStatusCommand(p *program) *cobra.Command {
	return command("papers", "status", "Show what changed since the last snapshot",
		"Lists what the next snapshot would change, the citations that wait for it, and the\nlast fixity check of this copy: when, with what outcome, and how much it read.",
		"muniment -C letters status", cobra.NoArgs, p.inArchive(func(_ *cobra.Command, a *archive.Archive, _ []string) error {
			r, err := engine.Status(a)
			return p.conclude(err, "status", r, func() {
				if r.Snapshot == "" {
					p.out("%s: no snapshot yet", r.Name)
				} else {
					p.out("%s: snapshot %d, %s", r.Name, r.Seq, r.Snapshot)
				}
				for _, k := range slices.Sorted(maps.Keys(r.Counts)) {
					p.out("  %s %d", k, r.Counts[k])
				}
				for i, c := range r.Changes {
					if i == maxListed {
						p.out("  … and %d more", len(r.Changes)-maxListed)
						break
					}
					name := cmp.Or(c.Name, c.Path)
					p.out("  %-10s %s%s", c.Kind, name, correctionTail(c.Corrections))
				}
				if r.Claims != nil {
					p.out("  claims: %s", r.Claims)
				}
				if r.Citations > 0 {
					p.out("  %s waiting for a snapshot", count(r.Citations, "citation"))
				}
				for _, one := range r.Requests {
					p.out("  %s asks for a snapshot of %s since %s: %s", legible.Printable(one.Agent), count(one.Papers, "addition"), one.Time, legible.Printable(one.Reason))
				}
				if r.Unworded {
					p.say("others read excerpts of papers, as nothing says more; muniment consent --reading whole --preview shows what that word would open")
				}
				for _, d := range r.Due {
					p.out("  due: %s: %s (%s)", d.Name, ifText(d.Until != "", "restricted until "+d.Until, "to be looked at on "+d.Review), d.Reason)
				}
				if len(r.Due) > 0 {
					p.say("nothing opens by itself: muniment consent NAME --preset open --until none, then a snapshot by a key that may loosen")
				}
				if r.Fixity != nil {
					p.out("  last fixity check: %s", r.Fixity)
				}
				if r.Index != nil && (r.Index.Texts > 0 || r.Index.Building) {
					p.out("  search index: %s", r.Index)
				}
				if r.Clean {
					p.out("  nothing changed")
				} else {
					p.say("next: muniment snapshot -m TEXT")
				}
			})
		}))
}

type logCommand struct {
	*program
	o history.LogOptions
}

// logPage is how many snapshots log prints where nothing is said: some screens.
const logPage = 100

func newLogCommand(prog *program) *cobra.Command {
	p := &logCommand{program: prog}
	cmd := command("papers", "log [NAME]", "List the snapshots, newest first, or the records of a paper",
		`Every snapshot's form, signature and link to the one before are checked as it is read.
It prints the newest 100, or --limit of them, and says how to go on.
With NAME it lists the records of a paper: who described it, when, in which snapshot
first, and what was corrected.`,
		"muniment -C letters log\nmuniment -C letters log letter-07.txt", cobra.MaximumNArgs(1), p.inArchive(p.run))
	cmd.Flags().Int64Var(&p.o.Before, "before", 0, "only snapshots with a number below `SEQ`")
	cmd.Flags().IntVar(&p.o.Limit, "limit", logPage, "at most `N` snapshots; 0 lists all")
	cmd.AddCommand(newLogPublishCommand(p.program), newLogCosignCommand(p.program), newLogCheckCommand(p.program), newLogProveCommand(p.program), newLogKeepCommand(p.program))
	return cmd
}

func (p *logCommand) run(_ *cobra.Command, a *archive.Archive, args []string) error {
	if len(args) == 1 {
		return p.logPaper(a, args[0])
	}
	if p.o.Before < 0 || p.o.Limit < 0 {
		return misuse("--before and --limit are numbers from 0", "muniment help log")
	}
	r, more, err := history.Log(a, p.o)
	list := server.SnapshotList{Snapshots: r}
	if more > 0 {
		list.Next = r[len(r)-1].Seq
	}
	return p.conclude(err, "log", list, func() {
		for _, s := range r {
			p.out("%d  %s  %s", s.Seq, s.Time, s.Snapshot)
			p.out("   %s, %s; signed by %s", s.Author, ifText(s.Uncounted != "", s.Uncounted, count(s.Artifacts, "artifact")), s.Signer)
			for _, k := range s.Cosigned {
				p.out("   countersigned by %s", k)
			}
			if s.Join != "" {
				p.out("   joins %s", s.Join)
			}
			if len(s.Tags) > 0 {
				p.out("   tagged %s", strings.Join(s.Tags, ", "))
			}
			p.out("   %s", s.Text)
		}
		switch {
		case more > 0:
			p.say("%s more; muniment log --before %d goes on", count(more, "older snapshot"), list.Next)
		case len(r) == 0 && p.o.Before > 0:
			p.say("no snapshot has a number below %d", p.o.Before)
		case len(r) == 0:
			p.say("no snapshot yet; muniment snapshot -m TEXT makes one")
		}
	})
}

// correctionTail returns corrections as the end of a line about a paper.
func correctionTail(list []holdings.Correction) string {
	if len(list) == 0 {
		return ""
	}
	return ": " + correctionWords(list)
}

// logPaper lists the history of an artifact.
func (p *logCommand) logPaper(a *archive.Archive, ref string) error {
	r, err := history.PaperLog(a, ref)
	return p.conclude(err, "paper-log", r, func() {
		p.out("%s", r.Name)
		for _, e := range r.Entries {
			first := "staged"
			if e.Seq > 0 {
				first = "snapshot " + strconv.FormatInt(e.Seq, 10)
			}
			p.out("%s  %s  %s", first, e.Time, e.Record)
			p.out("   %s", e.Agent)
			for _, c := range e.Corrections {
				if e.Supersedes != "" || !aboutReading[c.Field] {
					p.out("   %s", correctionWords([]holdings.Correction{c}))
				}
			}
		}
	})
}

// aboutReading lists the record fields about the reading of the original, not about the paper.
var aboutReading = map[string]bool{"artifact": true, "media_type": true, "canonicalizer": true, "charset": true}

type tagCommand struct {
	*program
	o   history.TagOptions
	key string
}

func newTagCommand(prog *program) *cobra.Command {
	p := &tagCommand{program: prog}
	cmd := command("papers", "tag [NAME [SNAPSHOT]]", "List tags, or sign a name for a snapshot",
		`Signs a name for a snapshot as an annotated git tag that git verify-tag accepts. The
snapshot is given by its number, its id, a prefix of it or another tag; by default it is
the newest. A tag is never moved. Without arguments the tags are listed, and a damaged
or forged one is exit 1.`,
		`muniment -C letters tag deposit-2024 -m "as deposited"
muniment -C letters tag first-box 1
muniment -C letters tag`,
		cobra.MaximumNArgs(2), p.inArchive(p.run))
	cmd.Flags().StringVarP(&p.o.Text, "message", "m", "", "what the tag is for")
	cmd.Flags().StringVar(&p.key, "key", "", "the private key `FILE` to sign with")
	return cmd
}

func (p *tagCommand) run(_ *cobra.Command, a *archive.Archive, args []string) error {
	if len(args) == 0 {
		return p.listTags(a)
	}
	p.o.Name = args[0]
	if len(args) == 2 {
		p.o.Snapshot = args[1]
	}
	var err error
	if p.o.Signer, err = p.signer(p.key); err != nil {
		return err
	}
	r, err := history.Tag(a, p.o)
	if err != nil {
		return err
	}
	p.show("tag", tagList{[]archive.TagResult{*r}}, func() {
		p.out("tag %s: snapshot %d, %s", r.Name, r.Seq, r.Snapshot)
		p.out("signed by %s", r.Signer)
	})
	return nil
}

type tagList struct {
	Tags []archive.TagResult `json:"tags"`
}

func (p *tagCommand) listTags(a *archive.Archive) error {
	tags, err := a.Tags()
	if err != nil {
		return err
	}
	bad := 0
	p.show("tag", tagList{tags}, func() {
		for _, t := range tags {
			if t.Problem == "" {
				p.out("%-20s snapshot %d  %s  %s", t.Name, t.Seq, t.Snapshot, firstLine(t.Text))
			} else {
				p.out("%-20s FAIL %s", t.Name, t.Problem)
			}
		}
		if len(tags) == 0 {
			p.say("no tag yet; muniment tag NAME makes one")
		}
	})
	for _, t := range tags {
		if t.Problem != "" {
			bad++
		}
	}
	if bad > 0 {
		return &problem.Error{Kind: problem.VerdictNegative, Message: count(bad, "tag") + " not made by muniment tag, or not of this archive",
			Next: problem.Advise("git -C archive.git tag -d NAME takes one away; muniment tag makes signed ones")}
	}
	return nil
}

func newJoinCommand(p *program) *cobra.Command {
	var o history.JoinOptions
	var key string
	cmd := command("papers", "join DIR|REF|COMMIT -m TEXT", "Join two histories that forked",
		`Two archivists who each signed a snapshot of the same number have forked the history. A
join is a snapshot with both as its parents. Its tree is computed, not chosen, and every
verifier computes it again: everything either holds; what either withdrew is withdrawn;
of two consents the stricter in each dimension; holds of both; policy and trust are ours.

The other history is a copy's folder, or a ref or commit that fetch left here. It is
verified first, and its snapshots must be signed by keys this archive trusts. Two
different snapshots of one number by one key are evidence against that key, unless you
signed both, as with a laptop that was restored from a backup. They are joined by a key
that may withdraw, or change policy, and both stay in the history as evidence.`,
		`muniment -C letters join ../copy -m "join the reading room's copy"`,
		cobra.ExactArgs(1), p.inArchive(func(_ *cobra.Command, a *archive.Archive, args []string) error {
			if o.Other = args[0]; o.Text == "" {
				return misuse("a join needs a text that says why", `muniment join DIR -m "join the reading room's copy"`)
			}
			var err error
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
		}))
	cmd.Flags().StringVarP(&o.Text, "message", "m", "", "why the histories are joined")
	cmd.Flags().StringVar(&key, "key", "", "the private key `FILE` to sign with")
	return cmd
}
