package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"muniment/archive/problem"
	"muniment/audit/examination"
	"muniment/bundle"
	"muniment/bundle/bundlefile"
	"muniment/engine"
	"muniment/server"
	"muniment/sign"
	"muniment/text/legible"
)

type reviewCommand struct {
	*program
	f                   callerFlags
	filter              engine.ReviewFilter
	o                   engine.ReviewOptions
	key                 string
	list                bool
	bundle, examination string
}

func newReviewCommand(prog *program) *cobra.Command {
	p := &reviewCommand{program: prog}
	cmd := command("claims", "review [CITATION]…", "Judge as a person whether claims follow from their words",
		`Shows one after the other the citations that nobody has judged: the claim, and the
words with the rest of their paragraph. Press f where the claim follows from the words,
n where it does not, ? where you are unsure; Enter goes on, b goes back, q ends. What
you say is signed with your key, kept in the ledger and sealed by the next snapshot.

It counts where the trust root gives your key the role review, or where
trust/allowed_signers has a line for review@muniment: muniment key trust --role review.
One person decides; two of different organisations where the rules say that the words
contradict the claim. Two who disagree make it disputed. Nobody reviews a claim that
they registered. Review again to replace what you said; both reviews stay.

With --verdict one citation is judged without questions, with --list the citations are
listed. --name signs your name; without it readers see a pseudonym. --note stays in the
ledger. Reasons: meaning, same, computed (follows); missing, contradicts, scope,
restriction, referent, misread (not); context, language, expertise, illegible (unsure).`,
		`muniment review --session brief-3
muniment review 12 --verdict follows --reason same --name "Ada Vale"
muniment review 12 --verdict not --reason scope --note "only if it rains"
muniment review --synthesis 1 --list
muniment review --bundle report.zip
muniment review --examination article.json`, cobra.ArbitraryArgs, p.run)
	fl := cmd.Flags()
	fl.StringVar(&p.o.Verdict, "verdict", "", "follows, not or unsure; f, n or ?")
	fl.StringVar(&p.o.Reason, "reason", "", "a `WORD` of the list above; the first of the verdict where none is given")
	fl.StringVar(&p.o.Name, "name", "", "your `NAME`, which others will read")
	fl.StringVar(&p.o.Note, "note", "", "your own words, which no snapshot gets")
	fl.StringVar(&p.o.Claim, "claim", "", "of a quotation that nobody registered: what is claimed of it")
	fl.StringVar(&p.o.Artifact, "artifact", "", "of such a quotation: the `ID` of the paper")
	fl.StringVar(&p.o.Span, "span", "", "of such a quotation: the place of its words")
	fl.StringVar(&p.key, "key", "", "the private key `FILE`; else found as for signing")
	fl.BoolVar(&p.list, "list", false, "list what is left to review")
	fl.BoolVar(&p.filter.All, "all", false, "also what rules, a model or somebody else judged")
	fl.Int64Var(&p.filter.Source, "source", 0, "of this registered source")
	fl.Int64Var(&p.filter.Synthesis, "synthesis", 0, "those of this checked draft")
	fl.StringVar(&p.bundle, "bundle", "", "those of the sentences that a bundle `FILE` lacks, or has only as inferences")
	fl.StringVar(&p.examination, "examination", "", "the items of an examination, a `FILE` of muniment examine --json")
	fl.IntVar(&p.filter.Limit, "limit", 0, "at most so many; 0 is all")
	p.f.register(cmd)
	return cmd
}

func (p *reviewCommand) run(_ *cobra.Command, args []string) error {
	p.filter.Session, p.filter.Project, p.filter.Citations = p.f.caller.Session, p.f.caller.Project, args
	if p.o.Verdict != "" || p.o.Claim != "" {
		return p.engine(&p.f, func(e *engine.Engine) error { return p.reviewOne(e, args) })
	}
	if p.bundle != "" {
		var err error
		if p.filter.Claims, err = lackedIn(p.bundle); err != nil {
			return err
		}
	}
	if p.examination != "" {
		var report examination.Report
		data, err := p.readText(p.examination, maxExamined)
		if err == nil {
			err = json.Unmarshal([]byte(data), &report)
		}
		if err != nil {
			return problem.New(problem.Usage, problem.Advise("give the file that muniment examine --json printed"), "%s: %w", p.examination, err)
		}
		p.filter.Items = server.ItemsOf(&report)
	}
	return p.engine(&p.f, func(e *engine.Engine) error {
		var key sign.Signer
		if asks := !p.list && !p.json && p.interactive(); asks || p.key != "" {
			var err error
			if key, err = p.signer(p.key); err != nil {
				return err
			}
			p.filter.Key = key.Key()
		}
		items, err := e.Reviews().Queue(p.filter)
		if err != nil {
			return err
		}
		if key != nil && !p.list && !p.json && p.interactive() {
			return p.ask(e, items, key)
		}
		p.show("reviews", reviewList{items}, func() {
			for i := range items {
				p.out("%4d  %-10s  %s %s  %s", cmp.Or(items[i].Item, items[i].CitationID), items[i].VerificationStatus, items[i].Name, items[i].Span, items[i].Claim)
			}
			p.say("%s to review of other people's; muniment review NUMBER --verdict follows judges one", count(len(items), "citation"))
		})
		return nil
	})
}

// lackedIn returns the sentences that a bundle removed, or delivers only as inferences.
func lackedIn(file string) ([]string, error) {
	b, err := bundlefile.Read(file)
	if err != nil {
		return nil, problem.New(problem.Usage, problem.Advise("give the file of an answer or a bound draft"), "%s: %w", file, err)
	}
	view, err := bundle.Render(b)
	if err != nil {
		return nil, problem.Wrap(err, file)
	}
	out := []string{}
	for _, r := range view.Removed {
		out = append(out, r.Topic)
	}
	for _, c := range view.Claims {
		if _, claim, labeled := strings.Cut(c.Text, ": "); labeled && string(c.Rung) == "labeled" {
			out = append(out, claim) // after the words that say whose inference it is
		}
	}
	return out, nil
}

// reviewOne judges a citation, or a quotation that nobody registered, without questions.
func (p *reviewCommand) reviewOne(e *engine.Engine, args []string) error {
	if p.o.Verdict == "" || len(args) > 1 || (len(args) == 1) == (p.o.Claim != "") {
		return misuse("--verdict judges one citation, or one claim with --artifact and --span", "muniment review NUMBER --verdict follows")
	}
	p.o.Citation = strings.Join(args, "")
	key, err := p.signer(p.key)
	if err != nil {
		return err
	}
	r, err := e.Reviews().Review(p.o, key)
	return p.conclude(err, "review", r, func() { p.printReview(r) })
}

// printReview prints a review that was kept, and what persons now make of the claim.
func (p *reviewCommand) printReview(r *engine.ReviewResult) {
	p.out("%s", r.Review)
	if r.CitationID > 0 {
		p.prose("citation %d: %s", r.CitationID, r.Outcome())
	}
	if !r.Counted {
		p.say("kept and not counted: %s; muniment key trust --role review says how", r.NotCounted)
	}
	p.say("the next snapshot seals it: muniment snapshot -m TEXT")
}

// ask shows the items one after the other and judges each by a key.
func (p *reviewCommand) ask(e *engine.Engine, items []engine.ReviewItem, key sign.Signer) error {
	not, err := e.Reviews().WhyUncounted(key.Key())
	if err != nil {
		return err
	}
	if not != "" {
		p.say("what you say is kept and does not count: %s; muniment key trust --role review --enrol", not)
	}
	judged := map[int]bool{}
	for i := 0; i >= 0 && i < len(items); {
		p.showItem(&items[i], i+1, len(items))
		fmt.Fprint(p.stderr, "f follows, n not, ? unsure, Enter on, b back, q end: ")
		c, err := p.readKey()
		if err != nil {
			return err
		}
		fmt.Fprintln(p.stderr)
		o := items[i].Options()
		o.Name, o.Note, o.Verdict = p.o.Name, p.o.Note, string(c)
		switch c {
		case 'q', 3, 4: // Ctrl-C, Ctrl-D
			i = len(items)
			continue
		case 'b':
			i = max(0, i-1)
			continue
		case '\r', '\n', ' ':
			i++
			continue
		case 'f', 'n', '?':
		default:
			continue
		}
		r, err := e.Reviews().Review(o, key)
		if err != nil {
			return err
		}
		judged[i] = true
		p.prose("  %s", r.Outcome())
		i++
	}
	p.say("%s reviewed; the next snapshot seals what you said: muniment snapshot -m TEXT", count(len(judged), "citation"))
	return nil
}

// readKey reads one key from the terminal.
func (p *reviewCommand) readKey() (byte, error) {
	fd := int(p.stdin.Fd())
	before, err := term.MakeRaw(fd)
	if err != nil {
		return 0, err
	}
	defer term.Restore(fd, before)
	b := make([]byte, 1)
	if _, err := p.stdin.Read(b); errors.Is(err, io.EOF) {
		return 'q', nil
	} else if err != nil {
		return 0, err
	}
	return b[0], nil
}

// leastSide is the narrowest terminal on which claim and words are next to each other.
const leastSide = 90

// showItem prints a claim and its words, next to each other where there is room.
func (p *reviewCommand) showItem(it *engine.ReviewItem, n, of int) {
	place := strings.TrimSpace(it.Name + " " + it.Span)
	p.out("\n%d of %d  %s", n, of, place)
	words := ifText(it.Words == "", "no words: "+place, it.Before+"»"+it.Words+"«"+it.After)
	width := p.columns()
	if width < leastSide {
		p.prose("claim: %s", it.Claim)
		p.prose("words: %s", words)
	} else {
		half := min(width, 2*mostWidth)/2 - 2
		left := splitLines(fold(legible.Printable(it.Claim), half))
		right := splitLines(fold(legible.Printable(words), half))
		blank := make([]string, max(len(left), len(right)))
		left, right = append(left, blank...), append(right, blank...)
		for i := range blank {
			p.out("%-*s  │ %s", half, left[i], right[i])
		}
	}
	if it.VerificationNotes != "" {
		p.prose("  %s", it.VerificationNotes)
	}
	for _, r := range it.Reviews {
		p.prose("  %s said %s: %s", r.By, r.Verdict, r.Text)
	}
}

// A reviewList is what muniment review --json prints without a verdict.
type reviewList struct {
	Items []engine.ReviewItem `json:"items"`
}
