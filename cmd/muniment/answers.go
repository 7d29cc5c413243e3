package main

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"muniment/answer"
	"muniment/archive"
)

type answersCommand struct {
	*program
}

func newAnswersCommand(prog *program) *cobra.Command {
	p := &answersCommand{program: prog}
	cmd := command("answers", "answers", "List the complete bundles that are kept here",
		`Every answer is kept as a complete bundle in archive.local/bundles, with an entry in the
answer log. This lists the bundles, the oldest first, with their sizes. answers keep
sets for how long they are kept, and answers prune removes older ones. refusals counts
refusals, budget shows how much a requestor may still see. Only bundles with an entry in
the answer log are ever pruned: that the answer was given stays provable, and whoever
has its bundle can still show it.`,
		"muniment -C letters answers\nmuniment -C letters answers keep --days 365\nmuniment -C letters answers prune -n",
		cobra.NoArgs, p.inArchive(p.run))
	list := command("", "list", cmd.Short, "As muniment answers alone: the oldest first, with their sizes.", "muniment -C letters answers list", cobra.NoArgs, p.inArchive(p.run))
	var days int
	keep := command("", "keep --days N", "Set for how many days complete bundles are kept",
		`Nothing is removed before answers prune. 0 days means for ever, as without a policy. The
policy is of this copy of the archive.`, "muniment -C letters answers keep --days 365", cobra.NoArgs, func(cmd *cobra.Command, _ []string) error {
			if !cmd.Flags().Changed("days") {
				return misuse("keep needs a number of days", "muniment answers keep --days 365; --days 0 keeps all")
			}
			return p.withArchive(func(a *archive.Archive) error {
				r, err := answer.KeepAnswers(a, days)
				if err == nil {
					p.showKept(r)
				}
				return err
			})
		})
	keep.Flags().IntVar(&days, "days", 0, "for how many days, 0 for always")
	var try bool
	prune := command("", "prune", "Remove complete bundles that are older than the policy says",
		`Removes from archive.local/bundles the bundles that are older than answers keep --days
allows and have an entry in the answer log here. Each is noted, with its place in the
log, in archive.local/answers-pruned. A file that -o named is never touched.`,
		"muniment -C letters answers prune -n\nmuniment -C letters answers prune", cobra.NoArgs, p.inArchive(func(_ *cobra.Command, a *archive.Archive, _ []string) error {
			r, err := answer.PruneAnswers(a, try)
			if err != nil {
				return err
			}
			if r.Days == 0 {
				return misuse("no policy says for how long answers are kept", "muniment answers keep --days 365")
			}
			p.showKept(r)
			return nil
		}))
	prune.Flags().BoolVarP(&try, "dry-run", "n", false, "show what would be removed, and remove nothing")
	cmd.AddCommand(list, newRefusalsCommand(p.program), newBudgetCommand(p.program), keep, prune)
	return cmd
}

func (p *answersCommand) run(_ *cobra.Command, a *archive.Archive, _ []string) error {
	r, err := answer.Kept(a)
	if err == nil {
		p.showKept(r)
	}
	return err
}

// showKept prints the list of complete bundles, kept and pruned.
func (p *answersCommand) showKept(r *answer.KeptResult) {
	p.show("answers", r, func() {
		for _, k := range r.Kept {
			p.out("%s  %s  %-8s %7d  %s", k.ID, k.Issued, k.Outcome, k.Bytes, ifText(k.Logged != "", k.Logged, "not pruned: "+k.Reason))
		}
		for _, k := range r.Pruned {
			p.out("%s  %s  pruned  %s", k.ID, k.Issued, k.Logged)
		}
		p.say("%s kept, %d bytes; %s", count(len(r.Kept), "bundle"), r.Bytes, ifText(r.Days == 0, "kept always; answers keep says for how long", "kept for "+count(r.Days, "day")))
	})
}

type refusalsCommand struct {
	*program
	since string
	o     answer.RefusalsOptions
}

func newRefusalsCommand(prog *program) *cobra.Command {
	p := &refusalsCommand{program: prog}
	cmd := command("", "refusals", "Count the refusals by reason and day",
		`Counts the outcomes of the questions asked here: refusals by reason and by day, the rate
of every profile, the average similarity of what was found, and an alert where more than
half of a profile's questions were refused, where refusals for want of metadata suddenly
rise, or where the average similarity is below 0.5; of fewer than 20 questions there is
none. Answers are counted by their rung: supported, narrowed, labeled. The questions
themselves are not kept. Places where a draft could be cut into claims in two ways are
counted by their reason.

A requestor is refused at most 300 times within an hour, and is then told when to ask
again. The signed policy can forbid that refusals are kept here, for everybody or for some
(muniment draft profile policy), never that the answer log has them.

--since takes a day, a time in RFC 3339, or a span back from now such as 7d or 12h.`,
		`muniment -C letters answers refusals
muniment -C letters answers refusals --since 7d --json`,
		cobra.NoArgs, p.inArchive(p.run))
	fs := cmd.Flags()
	fs.StringVar(&p.since, "since", "", "only from this `TIME` on: 2026-03-01, an RFC 3339 time, 7d or 12h")
	fs.StringVar(&p.o.Profile, "profile", "", "only questions asked in this profile")
	fs.BoolVar(&p.o.Auditor, "auditor", false, "show the true kinds too; needs this archive's auditor identity")
	return cmd
}

func (p *refusalsCommand) run(_ *cobra.Command, a *archive.Archive, _ []string) error {
	var err error
	if p.o.Since, err = sinceWhen(p.since, p.world.Now()); err != nil {
		return err
	}
	r, err := answer.Refusals(a, p.o)
	return p.conclude(err, "refusals", r, func() { p.printRefusals(r) })
}

// sinceWhen reads a point in time, or a span back from now.
func sinceWhen(s string, now time.Time) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, nil
		}
	}
	var days int
	if n, ok := strings.CutSuffix(s, "d"); ok {
		if _, err := fmt.Sscanf(n+"|", "%d|", &days); err == nil && days > 0 && days < 100_000 && fmt.Sprint(days) == n {
			return now.AddDate(0, 0, -days), nil
		}
	}
	if d, err := time.ParseDuration(s); err == nil && d > 0 {
		return now.Add(-d), nil
	}
	return time.Time{}, misuse(fmt.Sprintf("%q is no time", s), "--since 2026-03-01, --since 7d or --since 12h")
}

func (p *refusalsCommand) printRefusals(r *answer.RefusalsResult) {
	p.out("%s, %d refused", count(r.Metrics.Questions, "question"), r.Metrics.Refused)
	if r.Metrics.Reached > 0 {
		p.out("average best similarity %.2f over %s", r.Metrics.Similarity, count(r.Metrics.Reached, "question"))
	}
	for _, one := range r.Metrics.Personas {
		p.out("  %-16s %d of %d refused (%.0f %%)", one.Persona, one.Refused, one.Questions, one.Rate*100)
	}
	table := func(title string, counts []answer.RefusalCount) {
		if len(counts) == 0 {
			return
		}
		p.out("%s", title)
		for _, c := range counts {
			p.out("  %5d  %s", c.Count, c.Name)
		}
	}
	if !r.Kept {
		p.out("refusals are not kept: the signed policy forbids log_refusal")
	}
	table("rungs:", r.Metrics.Rungs)
	table("reasons:", r.Metrics.Reasons)
	table("types of questions:", r.Metrics.Types)
	if len(r.Days) > 0 {
		p.out("days:")
	}
	for _, d := range r.Days {
		var why []string
		for _, c := range d.Reasons {
			why = append(why, fmt.Sprintf("%s %d", c.Name, c.Count))
		}
		p.out("  %s  %d of %d refused  %s", d.Day, d.Refused, d.Questions, strings.Join(why, ", "))
	}
	for _, e := range r.Events {
		if e.TrueKind != "" && e.TrueKind != e.Kind {
			p.out("%s  shown as %s, in truth %s at %s", e.Time, e.Kind, e.TrueKind, e.Stage)
		}
	}
	for _, s := range r.Segmentation {
		p.out("segmentation (%s): %s in %s: %s", s.Stage, count(s.Places, "place"), count(s.Texts, "text"), s.Reason)
	}
	for _, x := range r.Alerts {
		p.out("alert: %s", x.Message)
	}
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
