package main

import (
	"strings"

	"github.com/spf13/cobra"

	"muniment/answer"
	"muniment/archive"
)

func (p *program) moreCommand() *cobra.Command {
	var f askFlags
	var file string
	cmd := command("evidence", "more HANDLE", "Show more of the text around a citation",
		`Takes a handle of an answer, such as "Source A" or A, or the number printed before a claim,
and shows the sentences around what was quoted, in the same paragraph, at most three excerpts
long. It is an answer like any other: gated by consent and tier, signed, logged, and charged to
the requestor's budget of the day. The last answer to the same requestor is meant; --bundle names
another, of which the requestor's copy will do. Who can open the bundle may name a citation by
its ID.`,
		`muniment -C letters more A
muniment -C letters more 2 --bundle answer.zip
muniment -C letters more "Source B" --bundle shown.zip --requestor Ann --tier researcher`,
		cobra.RangeArgs(1, 2), func(cmd *cobra.Command, args []string) error {
			return p.answer(cmd, &f, func(a *archive.Archive) (*answer.Result, error) {
				return answer.More(cmd.Context(), a, strings.Join(args, " "), file, f.o)
			})
		})
	fs := cmd.Flags()
	fs.StringVar(&file, "bundle", "", "the bundle `FILE.zip` of the answer, complete or as displayed")
	fs.StringVar(&f.o.Requestor, "requestor", "", "who asks: the name that the answer was given to")
	fs.StringVar(&f.o.Tier, "tier", "", "the requestor's tier: public, researcher or family")
	fs.StringVarP(&f.o.BundleFile, "out", "o", "", "write the complete, sealed bundle of this answer to `FILE.zip`")
	fs.StringVar(&f.o.DisplayFile, "display", "", "write the requestor's copy of this answer to `FILE.zip`")
	fs.BoolVar(&f.o.Auditor, "auditor", false, "show artifact, snapshot and span; needs this archive's auditor identity")
	fs.StringVar(&f.key, "key", "", "the private key `FILE` to sign with")
	fs.StringVar(&f.nonceFile, "nonce-file", "", "bind the answer with the nonce in this `FILE`; made when it does not exist")
	fs.StringVar(&f.requestFile, "request", "", "bind the answer with the HMAC in this `FILE`, made where the nonce is")
	fs.BoolVar(&f.refuse, "fail-on-refusal", false, "exit 5 when the answer is a refusal")
	return cmd
}

func (p *program) budgetCommand() *cobra.Command {
	var requestor, tier string
	var all bool
	cmd := command("evidence", "budget", "Show what a requestor may still be shown today",
		`Words that a requestor has not been shown before are charged to a budget of the day, in
code points; what it has seen within 30 days costs nothing. All who give no name share one
budget. What a budget withheld is listed as a risk that the archive is being read out.`,
		`muniment -C letters budget
muniment -C letters budget --requestor Ann --tier researcher
muniment -C letters budget --all --json`,
		cobra.NoArgs, func(_ *cobra.Command, _ []string) error {
			a, err := p.open()
			if err != nil {
				return err
			}
			defer a.Close()
			r, err := answer.Budget(a, requestor, tier, all)
			if err != nil {
				return err
			}
			p.show("budget", r, func() {
				p.out("%s, tier %s: %d of %d characters of new text today, %s; %d left until %s", ifText(r.Requestor == "", "whoever gives no name", r.Requestor), r.Tier,
					r.Spent, r.Daily, count(r.Passages, "passage"), r.Left, r.Resets)
				for _, x := range r.Risks {
					p.out("withheld %s from %s: %s, %s", x.Time, ifText(x.Requestor == "", "whoever gives no name", x.Requestor), count(x.CodePoints, "character"), x.Rule)
				}
			})
			return nil
		})
	f := cmd.Flags()
	f.StringVar(&requestor, "requestor", "", "whose budget; without it that of all who give no name")
	f.StringVar(&tier, "tier", "", "the requestor's tier")
	f.BoolVar(&all, "all", false, "list what was withheld from every requestor")
	return cmd
}
