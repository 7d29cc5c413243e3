package main

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"

	"muniment/answer"
	"muniment/archive"
)

func newMoreCommand(p *program) *cobra.Command {
	var f askFlags
	var file string
	cmd := command("answers", "more HANDLE", "Show more of the text around a citation",
		`Takes a handle of an answer, such as "Source A" or A, or the number printed before a
claim, and shows the sentences around the quotation, in the same paragraph, at most
three excerpts long. It is an answer like any other: gated by consent and tier, signed,
logged, and charged to the requestor's budget of the day. The last answer to the same
requestor is meant; --bundle names another; the requestor's copy of it suffices. Whoever
can open the bundle may name a citation by its ID.`,
		`muniment -C letters more A
muniment -C letters more 2 --bundle answer.zip
muniment -C letters more "Source B" --bundle shown.zip --requestor Ann --tier researcher`,
		cobra.RangeArgs(1, 2), func(cmd *cobra.Command, args []string) error {
			return deliver(p, cmd, &f, func(a *archive.Archive) (*answer.Result, error) {
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

func newBudgetCommand(p *program) *cobra.Command {
	var o answer.BudgetOptions
	cmd := command("", "budget", "Show how much a requestor may still see today",
		`Words that a requestor has not been shown before are charged to a budget of the day, in
code points; words that it has seen within 30 days cost nothing. All who give no name share one
budget. A token of muniment serve has an account of its own, "token NAME"; all its callers
without a token share the account "public". Withheld words are listed as a sign that
somebody may be copying the archive out.`,
		`muniment -C letters answers budget
muniment -C letters answers budget --requestor Ann --tier researcher
muniment -C letters answers budget --account "token analyst"
muniment -C letters answers budget --all --json`,
		cobra.NoArgs, p.inArchive(func(_ *cobra.Command, a *archive.Archive, _ []string) error {
			r, err := answer.Budget(a, o)
			return p.conclude(err, "budget", r, func() {
				p.out("%s, tier %s: %d of %d characters of new text today, %s; %d left until %s", cmp.Or(o.Account, r.Requestor, "whoever gives no name"), r.Tier,
					r.Spent, r.Daily, count(r.Passages, "passage"), r.Left, r.Resets)
				for _, x := range r.Risks {
					p.out("withheld %s from %s: %s, %s", x.Time, ifText(x.Requestor == "", "whoever gives no name", x.Requestor), count(x.CodePoints, "character"), x.Rule)
				}
			})
		}))
	f := cmd.Flags()
	f.StringVar(&o.Requestor, "requestor", "", "whose budget; without it that of all who give no name")
	f.StringVar(&o.Tier, "tier", "", "the requestor's tier")
	f.StringVar(&o.Account, "account", "", "the `ACCOUNT` of a caller of a server, instead of a requestor's")
	f.BoolVar(&o.All, "all", false, "list the withheld words of every requestor")
	return cmd
}
