package main

import (
	"cmp"
	"context"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/audit"
	"muniment/draft"
	"muniment/engine"
	"muniment/objects/disk"
	"muniment/server"
	"muniment/text/legible"
)

type citeCommand struct {
	*program
	o                engine.CiteOptions
	f                callerFlags
	negative         bool
	query, batchFlag string
	spans            []string
}

func newCiteCommand(prog *program) *cobra.Command {
	p := &citeCommand{program: prog}
	cmd := command("claims", "cite --artifact ID|NAME|URL --quote TEXT --claim TEXT", "Register a claim with its quote",
		`Looks the quote up in the source's canonical text and answers at once. A citation has
two verdicts: whether the words are there (exact, normalized, fuzzy, ambiguous, absent),
and whether the claim follows from them (follows, contradicted, not_shown, judged by a
model). It is verified if both are yes; failed if the words are not there or contradict
the claim, with a call that would verify; unverified if nothing shows that the claim
follows. Citations are never changed or deleted. A quote that is not found is never
moved to another place by itself.

The artifact may be named by its id, name, title or source number; without one the
quote is searched, and cited where one artifact alone has it.

A page or a file that is not in the archive yet is taken in first, and the result says
so (source_registered); --no-register makes that an error. Without --quote the words of
--context are looked up, and cited as a paraphrase. The answer of a database, and a
source with inputs, is cited as an aggregation, which fails if one of the inputs does
not resolve.

A picture is cited by a region, sound by a time and video by both, in pixels or percent
and in seconds, as Media Fragments URI 1.0 writes them; it stays unverified, as there
are no words to compare.

With CITATION_LLM_URL, or MUNIMENT_JUDGE_URL for another one than drafts, a model judges
each claim whose words are there. Its yes never overrules a contradiction, a condition, a
report or a restriction; the citation stays unverified and names the model, unless
--judged verified says otherwise, else the profile of --profile, as engine does, else the
archive (draft profile judged). Its no makes unverified what the rules show. Under a
profile with reviews the claim is verified only where so many persons checked it. A model
that does not answer leaves the citation pending: citations --pending --verify.

With --batch the calls are lines of JSON in a file, or - for standard input, with the
fields of POST /api/v1/cite (claim, artifact, quote, span, idempotency_key …). Each line
is answered by one, in order: {"line":1,"citation":{…}} or {"line":2,"error":{…}}. A
line without a key gets one made from its content, so that running the same batch again
in the same session adds nothing.

With --negative a search without support is recorded; that is no citation and
supports nothing. Exit 1 when it failed, 3 when it is unverified or pending.`,
		`muniment cite --artifact letter-07.txt --quote "the mill wheel has stopped" --claim "The mill wheel had stopped."
muniment cite --artifact letter-07.txt --span p2:0-26 --claim "The mill wheel had stopped."
muniment cite --artifact flood.png --span region:xywh=10,20,300,40 --claim "The water reached the sill."
muniment cite --artifact speech.mp3 --span time:2-4.5 --claim "He laughs."
muniment cite --source 2 --context "42 of 60 papers match" --claim "70% of the papers use microservices."
muniment cite --batch claims.jsonl --session review-3
muniment cite --negative --claim "The mill was sold." --query "mill sold" --artifact letter-07.txt`,
		cobra.NoArgs, p.run)
	registerCite(cmd, &p.o, &p.spans)
	fl := cmd.Flags()
	fl.StringVar(&p.o.Profile, "profile", "", "the `PROFILE` whose judged and reviews the verdict follows; without one no review is asked for")
	fl.StringVar(&p.o.Judged, "judged", "", "what a model's yes makes of the claim: verified, labeled, or never to ask none; by default what the profile says, else the archive")
	fl.StringVar(&p.batchFlag, "batch", "", "the calls as lines of a `FILE` of JSON, - for standard input")
	fl.StringVar(&p.o.Key, "idempotency-key", "", "a `KEY` by which a retry in the same session finds the citation; by default the content of the call")
	fl.BoolVar(&p.negative, "negative", false, "record a search that found no support")
	fl.StringVar(&p.query, "query", "", "with --negative: the words that were searched")
	p.f.register(cmd)
	return cmd
}

func (p *citeCommand) run(cmd *cobra.Command, _ []string) error {
	if p.batchFlag != "" {
		return p.engine(&p.f, func(e *engine.Engine) error { return p.citeBatch(cmd.Context(), e, p.batchFlag) })
	}
	return p.engine(&p.f, func(e *engine.Engine) error {
		if len(p.spans) > 0 {
			p.o.Span = p.spans[0]
		}
		if p.negative || strings.EqualFold(p.o.Relation, "negative") {
			return p.citeNegative(cmd, e, engine.NegativeOptions{Claim: p.o.Claim, Query: p.query, Artifact: p.o.Artifact, Source: p.o.Source, Locator: p.o.Locator, Spans: p.spans,
				Reasoning: strings.TrimSpace(p.o.Reasoning + "\n" + p.o.Context)})
		}
		if len(p.spans) > 1 || p.query != "" {
			return misuse("several spans, or a query, are for --negative", "give one --span; a span may cross paragraphs: p4:10-p6:3")
		}
		p.o.ReasoningRequired = p.env("CITATION_REASONING_REQUIRED")
		p.o.Session, p.o.Agent, p.o.User, p.o.Project = p.f.caller.Session, p.f.caller.Agent, p.f.caller.User, p.f.caller.Project
		r, err := e.Cite(cmd.Context(), p.o)
		if err != nil {
			return err
		}
		return p.cited(r)
	})
}

// registerCite adds the flags that say what is cited.
func registerCite(cmd *cobra.Command, o *engine.CiteOptions, spans *[]string) {
	fl := cmd.Flags()
	fl.StringVar(&o.Artifact, "artifact", "", "the artifact's `ID|NAME`, or an address or file to take in")
	fl.Int64Var(&o.Source, "source", 0, "the `NUMBER` of a registered source")
	fl.StringVar(&o.Quote, "quote", "", "the words, as they stand there")
	fl.StringVar(&o.Language, "quote-language", "", "language of the quote, such as de")
	fl.StringVar(&o.Claim, "claim", "", "the claim that the words support")
	fl.StringVar(&o.Relation, "relation", "", "direct_quote, paraphrase, inference_from, metadata_fact or aggregation; by default the kind of the source")
	fl.StringArrayVar(spans, "span", nil, "where to look, such as p4 or p4:0-41; of a picture region:xywh=10,20,300,40, of a recording time:2-4")
	fl.StringVar(&o.Locator, "locator", "", "where the caller believes it is, a `JSON` object; kept as given")
	fl.StringVar(&o.Reasoning, "reasoning", "", "why the words support the claim")
	fl.StringVar(&o.Context, "context", "", "the surroundings, as the agent saw them")
	fl.StringVar(&o.Confidence, "confidence", "high", "the agent's own: high, medium or low")
	fl.StringArrayVar(&o.DerivedFrom, "derived-from", nil, "an input of an aggregation: an artifact or a citation; may be repeated")
	fl.BoolVar(&o.NoRegister, "no-register", false, "a source that is not in the archive is an error")
	fl.BoolVar(&o.AllowPrivate, "allow-private", false, "take a page from loopback and private networks")
}

// citeBatch registers the citations of a file of lines and prints a line for each.
func (p *citeCommand) citeBatch(ctx context.Context, e *engine.Engine, file string) error {
	b := p.batch(e)
	done, err := p.batchOf(file, func(in io.Reader) (server.BatchDone, error) { return b.Cite(ctx, in, p.stdout) })
	if err != nil {
		return err
	}
	p.say("%s: %d verified, %d failed, %d unverified or pending, %d not registered", count(done.Lines, "line"), done.Verified, done.Failed, done.Unverified, done.Errors)
	switch {
	case done.Errors > 0:
		return &problem.Error{Kind: problem.PartlyDone, Message: count(done.Errors, "line") + " could not be registered", Next: problem.Advise("the output has an error for each; mend those lines and run the same command again, the others are not doubled")}
	case done.Failed > 0:
		return &problem.Error{Kind: problem.Verification, Message: count(done.Failed, "citation") + " failed", Next: problem.Next(engine.DoListCitations).With("the output has what would mend each")}
	case done.Unverified > 0:
		return &problem.Error{Kind: problem.Unverified, Message: count(done.Unverified, "citation") + " not verified", Next: problem.Next(engine.DoListCitations).With("the output says why")}
	}
	return nil
}

// batch returns the handler of cite --batch lines.
func (p *program) batch(e *engine.Engine) *server.Batch {
	return &server.Batch{Engine: e, ReasoningRequired: p.env("CITATION_REASONING_REQUIRED"), Words: func(s problem.Step) string { return p.here(hintOf(s)) }}
}

// batchOf gives the lines of a file, or of standard input for -, to answer.
func (p *program) batchOf(file string, answer func(io.Reader) (server.BatchDone, error)) (server.BatchDone, error) {
	in := p.stdin
	if file != "-" {
		f, err := disk.OpenNamed(file)
		if err != nil {
			return server.BatchDone{}, &problem.Error{Kind: problem.Usage, Message: file + ": " + legible.Reason(err), Next: problem.Advise("name a file of JSON lines, or - for standard input"), Err: err}
		}
		defer f.Close()
		in = f
	}
	p.printed = true
	return answer(in)
}

// cited prints the verdict on a citation and returns it as an error where it is
// no.
func (p *citeCommand) cited(r *engine.CiteResult) error {
	suggest(r)
	r.Suggestion = p.here(r.Suggestion)
	p.show("cite", r, func() {
		if r.SourceRegistered {
			p.out("registered %s as source %d; it was not in the archive", r.Name, r.SourceID)
		}
		p.out("%s: %s", r.VerificationStatus, r.SummaryNote)
		fragment, isFragment := engine.DescribeFragment(r.Span)
		switch {
		case isFragment:
			p.out("words none, relation %s", r.Relation)
			p.out("%s %s", r.Name, fragment)
		case r.Span != "":
			p.out("match %s, similarity %.3f (%s in %d), relation %s", r.Match, r.Similarity, count(r.Edits, "edit"), r.Length, r.Relation)
			p.out("%s %s: “%s”", r.Name, r.Span, r.Quote)
		default:
			p.out("match %s, similarity %.3f (%s in %d), relation %s", r.Match, r.Similarity, count(r.Edits, "edit"), r.Length, r.Relation)
		}
		for _, w := range r.Warnings {
			p.say("muniment: note: %s; %s", w.Message, w.Suggestion)
		}
		if r.ClaimVerdict == "follows" || r.Judge != "" { // of others the first line says it
			p.out("claim %s%s", strings.ReplaceAll(r.ClaimVerdict, "_", " "), judgedBy(r.Judge))
		}
		if r.VerificationStatus == "verified" && r.VerificationNotes != "" {
			p.say("muniment: note: %s", r.VerificationNotes)
		}
		if r.Citation != "" {
			p.out("citation %d  %s", r.CitationID, r.Citation)
		} else if r.Binding == "unbound" {
			p.out("citation %d, unbound: the next snapshot gives it its id", r.CitationID)
		}
	})
	return r.Err()
}

// judgedBy returns the words for the model that judged; "" for none.
func judgedBy(name string) string {
	if name == "" {
		return ""
	}
	return " by " + name
}

func (p *citeCommand) citeNegative(cmd *cobra.Command, e *engine.Engine, o engine.NegativeOptions) error {
	r, err := e.CiteNegative(cmd.Context(), o)
	return p.conclude(err, "search-record", r, func() {
		p.out("%s", r.SummaryNote)
		for _, s := range r.Spans {
			p.out("read %s", s)
		}
		p.say("a search record supports nothing; muniment citations lists it after the citations")
	})
}

func newBibCommand(p *program) *cobra.Command {
	var o engine.BibOptions
	cmd := command("claims", "bib [NUMBER|ARTIFACT]…", "List the cited works",
		`Writes references for citations, by their numbers, for artifacts, for a session or for
everything cited. A work is listed once, however often it is cited. Styles: inline,
harvard, ieee, apa, chicago (author-date) and contract, a numbered list that marks
paywalled and monitor-only sources; bibtex, ris and csl-json are files for reference
managers. The data of a work come from its record, as muniment add --title, --creator
and --meta set them.`,
		`muniment bib --all --style apa
muniment bib 1 2 --style contract
muniment bib letter-07.txt --style bibtex`,
		cobra.ArbitraryArgs, p.inArchive(func(_ *cobra.Command, a *archive.Archive, args []string) error {
			o.References = args
			r, err := engine.WriteBibliography(a, o)
			return p.conclude(err, "bib", r, func() {
				for _, line := range strings.Split(strings.TrimRight(strings.ReplaceAll(r.Text, "\r\n", "\n"), "\n"), "\n") {
					p.out("%s", line)
				}
				for _, ref := range r.References {
					for _, c := range ref.Citations {
						p.say("citation %d: %s, %s", c.CitationID, c.VerificationStatus, verdicts(c.Support))
					}
				}
			})
		}))
	f := cmd.Flags()
	f.StringVar(&o.Style, "style", "harvard", "inline, harvard, ieee, apa, chicago, contract, bibtex, ris or csl-json")
	f.StringVar(&o.Markup, "markup", "text", "text, markdown or html, for italics")
	f.StringVar(&o.Session, "session", "", "the citations of this session")
	f.BoolVar(&o.All, "all", false, "everything cited")
	return cmd
}

type whyCommand struct {
	*program
	f          callerFlags
	profile    string
	identities []string
}

func newWhyCommand(prog *program) *cobra.Command {
	p := &whyCommand{program: prog}
	cmd := command("claims", "why CITATION|ANSWER.zip", "Explain a citation, its failure, or an answer step by step",
		`Walks through the checks of a citation in their order, with what was expected and
what was found, then looks its words up again. For an aggregation the chain is
walked down to the papers it rests on.

Of an answer it explains the decision of each gate: the scores, the tests that a rung
failed, the refusals, and what would change them. The gates are sealed: --identity or
the archive's own identity opens them, and the opening is noted, as by bundle open.
Without one only the requestor's copy is explained.`,
		"muniment why 3\nmuniment why 3 --profile market-brief\nmuniment why answer.zip", cobra.ExactArgs(1), p.run)
	cmd.Flags().StringVar(&p.profile, "profile", "", "also say whether it counts in a draft under this profile of rules")
	cmd.Flags().StringArrayVar(&p.identities, "identity", nil, "of an answer: an auditor's identity `FILE`")
	p.f.register(cmd)
	return cmd
}

func (p *whyCommand) run(_ *cobra.Command, args []string) error {
	if strings.HasSuffix(args[0], ".zip") {
		return p.whyAnswer(args[0], p.identities)
	}
	return p.engine(&p.f, func(e *engine.Engine) error {
		explain := func() (*engine.WhyResult, error) { return e.Citations().Why(args[0]) }
		if p.profile != "" {
			explain = func() (*engine.WhyResult, error) { return draft.ExplainUnder(e, args[0], p.profile) }
		}
		r, err := explain()
		return p.conclude(err, "why", r, func() { p.explain(r) })
	})
}

// whyAnswer explains the answer in a bundle.
func (p *whyCommand) whyAnswer(file string, identities []string) error {
	sealed := ""
	key, err := readIdentity(p.program, identities)
	if err != nil && len(identities) > 0 {
		return err
	} else if err != nil {
		key, sealed = nil, err.Error()
	}
	readsForeignFile()
	r, err := audit.ExplainAnswer(file, key, sealed, func(r *audit.OpenResult) error { return noteOpening(p.program, file, r, key) })
	if err != nil {
		return err
	}
	if r.Noted != "" {
		p.say("the opening is noted in %s", r.Noted)
	}
	p.show("why-answer", r, func() {
		p.out("%s", strings.ToUpper(r.Rung))
		p.prose("question: %s", r.Question)
		for _, s := range r.Reasons {
			about := s.Gate
			if s.Claim > 0 {
				about += ", claim " + strconv.Itoa(s.Claim)
			}
			p.prose("  %s: %s", about, s.Result)
			if s.Why != "" {
				p.prose("              why   %s", s.Why)
			}
			if s.Next != "" {
				p.prose("              next  %s", s.Next)
			}
		}
		if r.Sealed != "" {
			p.prose("the sealed gates were not read: %s", r.Sealed)
		}
	})
	return nil
}

func (p *whyCommand) explain(r *engine.WhyResult) {
	printCitation(p.program, &r.CitationInfo)
	step := func(s engine.WhyStep) {
		p.prose("  %-11s %s", s.Result, s.Step)
		if s.Expected != "" {
			p.prose("              expected  %s", s.Expected)
		}
		if s.Found != "" {
			p.prose("              found     %s", s.Found)
		}
	}
	p.prose("")
	if len(r.Steps) > 0 {
		p.prose("when it was verified:")
	}
	for _, s := range r.Steps {
		step(s)
	}
	p.prose("now:")
	for _, s := range r.Now {
		step(s)
	}
	if len(r.Profile) > 0 {
		p.prose("under the profile:")
		for _, s := range r.Profile {
			step(s)
		}
	}
	for _, o := range r.Reviews {
		counted := "counts"
		if o.Not != "" {
			counted = "does not count: " + o.Not
		}
		p.prose("%s said %s on %s: %s (%s)", o.By+ifText(o.Org != "", " of "+o.Org, ""), o.Verdict, o.Day, o.Text, counted)
	}
	if waits := r.Waits(); waits != "" {
		p.prose("%s, and bind counts what a snapshot holds: muniment snapshot -m TEXT", waits)
	}
	if r.People.Missing > 0 {
		p.prose("%s", r.People.Reason)
	}
	if !r.Next.IsZero() {
		p.prose("next: %s", p.here(stepWords(r.Next)))
	}
	if len(r.Inputs) > 0 {
		p.prose("it rests on:")
		p.inputs(r.Inputs, "  ")
	}
	for _, k := range r.Links {
		p.prose("citation %d %s citation %d", k.From, k.Type, k.To)
	}
}

func (p *whyCommand) inputs(all []engine.WhyInput, indent string) {
	for _, in := range all {
		name := cmp.Or(in.Name, in.Ref)
		if in.Resolves {
			p.prose("%sresolves       %s", indent, name)
		} else {
			p.prose("%snot resolved   %s: %s", indent, name, in.Reason)
		}
		p.inputs(in.From, indent+"  ")
	}
}
