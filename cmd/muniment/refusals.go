package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"muniment/answer"
	"muniment/archive"
)

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
