package main

import (
	"github.com/spf13/cobra"
	"muniment/archive"
	"muniment/history"
)

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
