package main

import (
	"sort"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"muniment/archive"
	"muniment/engine"
	"muniment/history"
)

func itoa(n int) string { return strconv.Itoa(n) }

func (p *program) snapshotCommand() *cobra.Command {
	var text, key string
	var countersign, await bool
	cmd := command("archive", "snapshot -m TEXT | --countersign [SNAPSHOT]", "Sign a snapshot of what was added",
		`Signs the staged tree as a commit that git verify-commit accepts, with an OpenSSH
Ed25519 key: --key FILE, else MUNIMENT_KEY, else the default key of key new, else
the only Ed25519 key of ssh-agent. The first snapshot enrols its key in
trust/allowed_signers. Nothing changed since the last one is exit 1.

A snapshot that withdraws, drops or loosens something needs a key with the role
withdraw (withdraw@muniment in an allowed_signers line): exit 4 without, unless
--await-countersign says that such a key will countersign. --countersign adds a
key's countersignature to a snapshot, the newest without an argument; the snapshot
does not change. Where the trust root asks for more than one key, every snapshot needs
the countersignatures of the others before it is taken elsewhere.`,
		`muniment -C letters snapshot -m "first box"
muniment -C letters snapshot -m "second box" --key ~/.ssh/id_ed25519
muniment -C letters snapshot --countersign 7 --key ~/.ssh/board`,
		cobra.MaximumNArgs(1), func(_ *cobra.Command, args []string) error {
			a, err := p.open()
			if err != nil {
				return err
			}
			defer a.Close()
			if countersign {
				return p.countersign(a, args, key)
			}
			if len(args) > 0 {
				return &archive.Error{Kind: archive.TypeUsage, Message: "snapshot takes no argument without --countersign", Next: archive.Advise(`muniment snapshot -m "first box"`)}
			}
			if text == "" {
				return &archive.Error{Kind: archive.TypeUsage, Message: "a snapshot needs a text that says why", Next: archive.Advise(`muniment snapshot -m "first box"`)}
			}
			signer, err := p.signer(key)
			if err != nil {
				return err
			}
			r, err := engine.Snapshot(a, history.SnapshotOptions{Text: text, Signer: signer, AwaitCountersign: await})
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
					p.say("note: the snapshot stands, and the ledger has not noted its citations: %s; the next command does", r.LedgerProblem)
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
		})
	cmd.Flags().StringVarP(&text, "message", "m", "", "why this snapshot is made")
	cmd.Flags().StringVar(&key, "key", "", "the private key `FILE` to sign with")
	cmd.Flags().BoolVar(&countersign, "countersign", false, "countersign a snapshot instead of making one")
	cmd.Flags().BoolVar(&await, "await-countersign", false, "sign although a key with the role withdraw must countersign")
	cmd.Flags().SetNormalizeFunc(countersignFlags)
	return cmd
}

// countersignFlags gives the flags of countersignatures by the names they had
// before, cosign and await-cosign, which were the words for signatures of a log.
func countersignFlags(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	return pflag.NormalizedName(strings.Replace(name, "cosign", "countersign", 1))
}

// countersign adds a countersignature.
func (p *program) countersign(a *archive.Archive, args []string, key string) error {
	signer, err := p.signer(key)
	if err != nil {
		return err
	}
	ref := ""
	if len(args) == 1 {
		ref = args[0]
	}
	r, err := history.Countersign(a, ref, signer)
	if err != nil {
		return err
	}
	p.show("cosign", r, func() {
		p.out("countersigned snapshot %d, %s", r.Seq, r.Snapshot)
		p.out("by %s, %s now", r.Signer, count(r.Cosigned, "countersignature"))
	})
	return nil
}

func (p *program) statusCommand() *cobra.Command {
	return command("archive", "status", "Show what changed since the last snapshot",
		"Lists what the next snapshot would change, the citations that wait for it, and the\nlast fixity check of this copy: when, with what outcome, and how much it read.",
		"muniment -C letters status", cobra.NoArgs, func(*cobra.Command, []string) error {
			a, err := p.open()
			if err != nil {
				return err
			}
			defer a.Close()
			r, err := history.Status(a)
			if err != nil {
				return err
			}
			p.show("status", r, func() {
				if r.Snapshot == "" {
					p.out("%s: no snapshot yet", r.Name)
				} else {
					p.out("%s: snapshot %d, %s", r.Name, r.Seq, r.Snapshot)
				}
				kinds := make([]string, 0, len(r.Counts))
				for k := range r.Counts {
					kinds = append(kinds, k)
				}
				sort.Strings(kinds)
				for _, k := range kinds {
					p.out("  %s %d", k, r.Counts[k])
				}
				for i, c := range r.Changes {
					if i == maxListed {
						p.out("  … and %d more", len(r.Changes)-maxListed)
						break
					}
					name := c.Name
					if name == "" {
						name = c.Path
					}
					p.out("  %-10s %s%s", c.Kind, name, correctionTail(c.Corrections))
				}
				if r.Citations > 0 {
					p.out("  %s waiting for a snapshot", count(r.Citations, "citation"))
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
			return nil
		})
}

func (p *program) logCommand() *cobra.Command {
	cmd := command("archive", "log [NAME]", "List the snapshots, newest first, or what was said of a paper",
		`Every snapshot's form, signature and link to the one before are checked as it is read.
With NAME it lists the records of a paper: who described it, when, in which snapshot
first, and what was corrected.`,
		"muniment -C letters log\nmuniment -C letters log letter-07.txt", cobra.MaximumNArgs(1), func(_ *cobra.Command, args []string) error {
			a, err := p.open()
			if err != nil {
				return err
			}
			defer a.Close()
			if len(args) == 1 {
				return p.logPaper(a, args[0])
			}
			r, err := history.Log(a)
			if err != nil {
				return err
			}
			p.show("log", snapshotList{r}, func() {
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
				if len(r) == 0 {
					p.say("no snapshot yet; muniment snapshot -m TEXT makes one")
				}
			})
			return nil
		})
	cmd.AddCommand(p.logCommands()...)
	return cmd
}

// correctionTail returns corrections as the end of a line about a paper.
func correctionTail(list []archive.Correction) string {
	if len(list) == 0 {
		return ""
	}
	return ": " + correctionWords(list)
}

// logPaper lists what was said of a paper.
func (p *program) logPaper(a *archive.Archive, ref string) error {
	r, err := history.PaperLog(a, ref)
	if err != nil {
		return err
	}
	p.show("paper-log", r, func() {
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
					p.out("   %s", correctionWords([]archive.Correction{c}))
				}
			}
		}
	})
	return nil
}

// aboutReading are what a record says of how its original was read, not of the paper.
var aboutReading = map[string]bool{"artifact": true, "media_type": true, "canonicalizer": true, "charset": true}

func (p *program) tagCommand() *cobra.Command {
	var o history.TagOptions
	var key string
	cmd := command("archive", "tag [NAME [SNAPSHOT]]", "List tags, or sign a name for a snapshot",
		`Signs a name for a snapshot as an annotated git tag that git verify-tag accepts. The
snapshot is given by its number, its id, a prefix of it or another tag, and is the newest
without. A tag is never moved. Without arguments the tags are listed, and one that is not
what it says is exit 1.`,
		`muniment -C letters tag deposit-2024 -m "as deposited"
muniment -C letters tag first-box 1
muniment -C letters tag`,
		cobra.MaximumNArgs(2), func(_ *cobra.Command, args []string) error {
			a, err := p.open()
			if err != nil {
				return err
			}
			defer a.Close()
			if len(args) == 0 {
				return p.listTags(a)
			}
			o.Name = args[0]
			if len(args) == 2 {
				o.Snapshot = args[1]
			}
			if o.Signer, err = p.signer(key); err != nil {
				return err
			}
			r, err := history.Tag(a, o)
			if err != nil {
				return err
			}
			p.show("tag", tagList{[]archive.TagResult{*r}}, func() {
				p.out("tag %s: snapshot %d, %s", r.Name, r.Seq, r.Snapshot)
				p.out("signed by %s", r.Signer)
			})
			return nil
		})
	cmd.Flags().StringVarP(&o.Text, "message", "m", "", "what the name stands for")
	cmd.Flags().StringVar(&key, "key", "", "the private key `FILE` to sign with")
	return cmd
}

type tagList struct {
	Tags []archive.TagResult `json:"tags"`
}

func (p *program) listTags(a *archive.Archive) error {
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
		return &archive.Error{Kind: archive.TypeVerdictNegative, Message: count(bad, "tag") + " not made by muniment tag, or not of this archive",
			Next: archive.Advise("git -C archive.git tag -d NAME takes one away; muniment tag makes signed ones")}
	}
	return nil
}

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
different snapshots of one number by one key are evidence against that key, unless you
signed both, as with a laptop that was restored from a backup. They are joined by a key
that may withdraw, or change policy, and both stay in the history as evidence.`,
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
