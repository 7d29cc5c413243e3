package main

import (
	"cmp"
	"context"
	"io"
	"strings"

	"muniment/answer"
	"muniment/archive"
	"muniment/archive/problem"
	"muniment/draft"
	"muniment/engine"
	"muniment/policy"
	"muniment/server"

	"github.com/spf13/cobra"
)

type checkCommand struct {
	*program
	f                  callerFlags
	o                  draft.CheckOptions
	source             sourceFlags
	repair             bool
	results, batchFlag string
}

func newCheckCommand(prog *program) *cobra.Command {
	p := &checkCommand{program: prog}
	cmd := command("", "check DRAFT.md [SECOND.md]", "Gate a draft without sealing it",
		`Reads a markdown draft, a file or - for standard input, whose marks [1], [2] name
citations by their numbers. Gaps are closed from citations on file, or marked as only
suggested; text that still breaks the rules of the --profile is removed; the rest is
printed with its references and kept, bullet by bullet, with its citations: citations
--synthesis N.

If a draft does not pass, a second one is tried, from SECOND.md or a model; if that
fails too, a report is printed instead, with the evidence and the reasons. Exit 1 means
that there is no draft to deliver: write another one, or read the report. Exit 3 means
that the draft passes once the marks of its unverified citations are removed. Without
--profile the text's shape chooses: headings of a market brief, else notes, which are
reported line by line and whose uncited sentences are flagged in their place.

With --results a list of search results is judged instead, each an object with source,
place, similarity (0 to 1), tier, title, creator and date; all but source may be missing.

With --batch the drafts are lines of JSON in a file, or - for standard input, with the
fields of POST /api/v1/check (draft, second, profile, no_repair, query, on). Each line is
answered by one, in order: {"line":1,"check":{…}} or {"line":2,"error":{…}}. Exit 1 where
one of the drafts is not to be delivered, 3 where a line was no draft.`,
		`muniment draft check brief.md --profile market-brief
muniment draft check note.md --profile analyst-note --no-repair --json
muniment draft check first.md second.md --profile market-brief --query "What moved rates?"
muniment draft check --batch drafts.jsonl --profile analyst-note
muniment draft check --results found.json --query "Who repaired the mill?" --profile educator`,
		cobra.MaximumNArgs(2), p.run)
	fl := cmd.Flags()
	fl.StringVar(&p.o.Profile, "profile", "", "the profile of rules: muniment draft profile list; chosen by the text's shape when empty")
	fl.BoolVar(&p.repair, "repair", false, "close gaps from evidence on file first, which is the default")
	fl.BoolVar(&p.o.NoRepair, "no-repair", false, "do not repair the draft")
	fl.StringVar(&p.o.Query, "query", "", "what the draft answers: choose evidence for it first")
	fl.StringVar(&p.results, "results", "", "a `FILE` with search results in JSON: say whether they are enough for the --profile to answer --query")
	fl.StringVar(&p.batchFlag, "batch", "", "check the drafts in the lines of a `FILE` of JSON, - for standard input")
	fl.StringVar(&p.o.On, "on", "", "the day of the draft, YYYY-MM-DD; that of its first heading, else today, when empty")
	fl.StringVar(&p.source.registry, "registry", "", "a source_registry.yaml `FILE` that the sources' addresses must fit")
	fl.StringVar(&p.o.Requestor, "requestor", "", "for whom it is, where the profile lets uncited text through")
	fl.StringVar(&p.o.Tier, "tier", "", "the requestor's tier")
	p.f.register(cmd)
	return cmd
}

func (p *checkCommand) run(cmd *cobra.Command, args []string) error {
	if p.repair && p.o.NoRepair {
		return misuse("both --repair and --no-repair were given", "repair is on unless --no-repair is given")
	}
	if p.results != "" {
		return p.checkResults(p.results, args, p.o)
	}
	var err error
	if p.o.Registry, err = p.source.readRegistry(p.program); err != nil {
		return err
	}
	if p.batchFlag != "" {
		if len(args) > 0 {
			return misuse("--batch has its drafts in its lines", "muniment draft check --batch drafts.jsonl")
		}
		return p.engine(&p.f, func(e *engine.Engine) error { return p.checkBatch(cmd.Context(), e, p.batchFlag, p.o) })
	}
	return p.checkDraft(cmd.Context(), &p.f, args, p.o)
}

// checkDraft checks the draft in the first of the files, with its second attempt in
// the other, prints what is left of it, and fails where it is not to be delivered.
func (p *checkCommand) checkDraft(ctx context.Context, f *callerFlags, files []string, o draft.CheckOptions) error {
	if len(files) == 0 {
		return misuse("no draft is named", "muniment draft check DRAFT.md, or --results FILE.json with search results")
	}
	text, err := p.readText(files[0], maxDraft)
	if err != nil {
		return err
	}
	if len(files) == 2 {
		if o.Second, err = p.readText(files[1], maxDraft); err != nil {
			return err
		}
	}
	return p.engine(f, func(e *engine.Engine) error {
		r, err := draft.Check(ctx, e, text, o)
		if err != nil {
			return err
		}
		p.show("check", r, func() { p.printCheck(r) })
		switch {
		case r.Decision == "deliver" && len(r.Unverified) > 0:
			return &problem.Error{Kind: problem.Unverified, Message: r.UnverifiedNotice(), Next: problem.Advise("the text holds without these marks; muniment why NUMBER says what each lacks"), Partial: r}
		case r.Decision == "deliver":
			return nil
		}
		hint := "cite what is on file: muniment citations lists it; then muniment draft check FIRST.md SECOND.md"
		switch r.Decision {
		case "abstain":
			hint = "muniment cite registers more evidence; the report says what was missing"
		case "flagged":
			hint = "each finding names its sentence; cite what it rests on: muniment citations lists what is on file"
		}
		return &problem.Error{Kind: problem.VerdictNegative, Message: "the draft does not suffice: " + r.Decision, Next: problem.Advise(hint), Partial: r}
	})
}

// checkBatch checks the drafts of a file of lines and prints a line for each.
func (p *checkCommand) checkBatch(ctx context.Context, e *engine.Engine, file string, o draft.CheckOptions) error {
	b := p.batch(e)
	b.Check = o
	done, err := p.batchOf(file, func(in io.Reader) (server.BatchDone, error) { return b.CheckDrafts(ctx, in, p.stdout) })
	if err != nil {
		return err
	}
	p.say("%s: %d to deliver, %d not, %d not checked", count(done.Lines, "line"), done.Verified, done.Failed, done.Errors)
	switch {
	case done.Errors > 0:
		return &problem.Error{Kind: problem.PartlyDone, Message: count(done.Errors, "line") + " could not be checked", Next: problem.Advise("the output has an error for each; mend those lines and give them alone")}
	case done.Failed > 0:
		return &problem.Error{Kind: problem.VerdictNegative, Message: count(done.Failed, "draft") + " not to be delivered", Next: problem.Advise("the findings of each name what is missing; muniment citations lists what is on file")}
	}
	return nil
}

// checkResults judges search results that somebody already has.
func (p *checkCommand) checkResults(file string, args []string, o draft.CheckOptions) error {
	if len(args) > 0 {
		return misuse("both a draft and --results were given", "give one of them")
	}
	data, err := p.readText(file, maxContent)
	if err != nil {
		return err
	}
	return p.withArchive(func(a *archive.Archive) error {
		r, err := draft.CheckResults(a, o.Profile, o.Query, []byte(data))
		if err != nil {
			return err
		}
		p.show("check-results", r, func() {
			if r.Allowed {
				p.out("enough under the profile %s: %d of %d results can be cited, from %s", r.Profile, r.Citeable, r.Results, count(r.Figures.SourcesFound, "source"))
				return
			}
			p.prose("%s", r.Message)
			for _, g := range r.Gaps {
				p.prose("  %s", g)
			}
		})
		if r.Allowed {
			return nil
		}
		return &problem.Error{Kind: problem.VerdictNegative, Message: "the results are not enough: " + string(r.Figures.Reason), Next: problem.Advise(hintOf(answer.NextStep(r.Suggestions[0]))), Partial: r}
	})
}

func (p *checkCommand) printCheck(r *draft.CheckResult) {
	printLines(p.program, r.Text)
	for _, x := range r.Findings {
		p.say("%s (%s): %s: %s", x.Action, x.Fault, oneLine(x.Text), x.Reason)
	}
	for _, x := range r.Passes {
		if x.Accepted {
			p.say("repair by %s: accepted", x.By)
		} else if x.Reason != "" {
			p.say("repair by %s: %s", x.By, x.Reason)
		}
	}
	for _, w := range r.Warnings {
		p.say("note: %s", w)
	}
	if r.ProfileChosen != "" {
		p.say("profile %s: %s; --profile NAME takes another", r.Profile, r.ProfileChosen)
	}
	if len(r.Unverified) > 0 {
		p.say("%s", r.UnverifiedNotice())
	}
	sentences := ""
	if r.RemovedSentences > 0 {
		sentences = ", and " + count(r.RemovedSentences, "sentence") + " of others"
	}
	p.say("claims: %s; %d of %d bullets cited, %d removed%s", r.Claims,
		r.Report.CitedBullets, r.Report.TotalBullets, r.Report.RemovedBullets, sentences)
	p.say("%s; next: muniment citations --synthesis %d", r.Decision, r.Synthesis)
}

// printLines prints a text of several lines.
func printLines(p *program, text string) {
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		p.out("%s", line)
	}
}

func newPackCommand(p *program) *cobra.Command {
	var f callerFlags
	var o draft.PackOptions
	cmd := command("", "pack QUESTION", "Choose evidence for a text within limits",
		`Searches the newest snapshot, cuts what it finds into chunks and takes as many as the
--profile allows: no publisher and no class of sources dominates. The choice is kept
with its scores. Exit 1 if the limits allow no pack; the error names them.`,
		`muniment draft pack "What moved rates?" --profile market-brief`,
		cobra.MinimumNArgs(1), func(cmd *cobra.Command, args []string) error {
			o.Query = strings.Join(args, " ")
			return p.engine(&f, func(e *engine.Engine) error {
				update, end := p.progress("index")
				o.Progress = update
				r, err := draft.Pack(cmd.Context(), e, o)
				end()
				return p.conclude(err, "pack", r, func() {
					for i, c := range r.Chunks {
						t := r.Texts[i]
						p.out("%.3f  tier %d  %-20s  %s  %s", c.Score, c.Tier, t.Publisher, t.Name, oneLine(t.Text))
					}
					s := r.Stats
					p.out("%s, at most %d %% of one; tiers 1 to 4: %d, %d, %d, %d %%", count(s.UniquePublishers, "publisher"), s.MaxPublisher, s.Tier1, s.Tier2, s.Tier3, s.Tier4)
					for _, n := range r.Notes {
						p.say("note: %s", n)
					}
					p.say("%s", r.PackID)
				})
			})
		})
	cmd.Flags().StringVar(&o.Profile, "profile", policy.DefaultProfile, "the profile of rules: muniment draft profile list")
	cmd.Flags().StringVar(&o.On, "on", "", "the day the question is asked, YYYY-MM-DD; today when empty")
	f.register(cmd)
	return cmd
}

// printSynthesis prints the bullets of a validated text with their citations, or
// lists such texts for the number 0.
func printSynthesis(p *program, e *engine.Engine, id int64, section string, bullet int) error {
	if id == 0 {
		all, err := draft.Syntheses(e, 0, 0)
		return p.conclude(err, "syntheses", synthesisList{all}, func() {
			for _, s := range all {
				p.out("%4d  %-8s  %s  %d of %d bullets cited  %s", s.Synthesis, s.Decision, s.Profile, s.Report.CitedBullets, s.Report.TotalBullets, s.CreatedAt)
			}
		})
	}
	r, err := draft.Synthesis(e, id, section, bullet)
	return p.conclude(err, "synthesis", r, func() {
		for _, b := range r.Bullets {
			p.out("%s %d: %s", b.Section, b.Bullet, oneLine(b.Text))
			for _, n := range b.Citations {
				for i := range r.Citations {
					if c := &r.Citations[i]; c.CitationID == n {
						p.out("  [%d] %s  %s %s  “%s”", n, c.VerificationStatus, c.Name, c.Span, oneLine(c.Text))
					}
				}
			}
		}
	})
}

type segmentCommand struct {
	*program
	lang string
}

func newSegmentCommand(prog *program) *cobra.Command {
	p := &segmentCommand{program: prog}
	cmd := command("", "segment FILE|-", "Cut a text into sentences and claims, with offsets",
		`Reads a text, a file or - for standard input, and prints its sentences and, read as a
markdown draft, its claims: one asserted proposition each. Offsets are code points,
half-open. Places that could be read in two ways are listed. Needs no archive. The
language is recognised from the text unless --lang gives it.`,
		`muniment draft segment draft.md --json
muniment draft segment report.txt --lang de`,
		cobra.ExactArgs(1), p.run)
	cmd.Flags().StringVar(&p.lang, "lang", "", "BCP 47 `tag` of the text's language, such as en or de")
	return withoutArchive(cmd)
}

func (p *segmentCommand) run(_ *cobra.Command, args []string) error {
	readsForeignFile()
	text, err := p.readText(args[0], draft.MaxSegmented)
	if err != nil {
		return err
	}
	r, err := draft.Segment([]byte(text), p.lang)
	return p.conclude(err, "segment", r, func() {
		how := ""
		if r.Detected {
			how = ", told from the text"
		}
		name := cmp.Or(r.Lang, "unknown")
		p.out("language %s%s", name, how)
		p.out("%s", count(len(r.Sentences), "sentence"))
		for _, s := range r.Sentences {
			p.out("  %d-%d  %s", s.Start, s.End, oneLine(s.Text))
		}
		p.out("%s", count(len(r.Claims), "claim"))
		for _, c := range r.Claims {
			p.out("  %d-%d  %s  %s", c.Start, c.End, c.Kind, oneLine(c.Text))
		}
		for _, a := range r.Ambiguous {
			p.out("  at %d: %s", a.At, a.Reason)
		}
	})
}
