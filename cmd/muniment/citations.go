package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/engine"
	"muniment/objects/disk"
	"muniment/text/legible"
)

type citationsCommand struct {
	*program
	f               callerFlags
	filter          engine.CitationFilter
	pending, verify bool
	synthesis       int64
	section         string
	bullet          int
}

func newCitationsCommand(prog *program) *cobra.Command {
	p := &citationsCommand{program: prog}
	cmd := command("claims", "citations [NUMBER|ID]", "List the citations",
		`Lists the registered citations with their state: verified, failed, pending or
unverified; unbound, bound or sealed; superseded. Those that only the newest snapshot
has, as in a clone, follow without a number. The next page begins --after the last
number, or place (in the JSON). With --pending --verify the citations that wait for a
model are verified again.
Search records (cite --negative) follow, in the JSON under searches. ID is the content
id of a citation or, as check --json names it, cite_ and a UUID.

With --synthesis N the citations of a checked draft are listed by section and bullet; N
is the number that check printed; 0 lists the drafts.`,
		"muniment citations --synthesis 1 --section prevailing --bullet 2\nmuniment citations --session review-3\nmuniment citations --status failed --limit 20\nmuniment citations --pending --verify",
		cobra.MaximumNArgs(1), p.run)
	fl := cmd.Flags()
	fl.Int64Var(&p.filter.Source, "source", 0, "of this registered source")
	fl.Int64Var(&p.filter.Claim, "claim", 0, "of this claim, by its number")
	fl.StringVar(&p.filter.Status, "status", "", "verified, failed, pending or unverified")
	fl.StringVar(&p.filter.From, "published-from", "", "of sources published on this `DAY` or later, as far as it was known when they were cited")
	fl.StringVar(&p.filter.To, "published-to", "", "of sources published before this `DAY`")
	fl.Int64Var(&p.filter.After, "after", 0, "only numbers above it")
	fl.IntVar(&p.filter.Limit, "limit", 0, "at most so many; 0 lists all")
	fl.BoolVar(&p.pending, "pending", false, "those that a model has not judged")
	fl.BoolVar(&p.verify, "verify", false, "with --pending: verify them again")
	fl.Int64Var(&p.synthesis, "synthesis", 0, "by section and bullet, those of this checked draft; 0 lists the drafts")
	fl.StringVar(&p.section, "section", "", "of this section of the draft")
	fl.IntVar(&p.bullet, "bullet", 0, "of this bullet of the section, from 1")
	p.f.register(cmd)
	return cmd
}

func (p *citationsCommand) run(cmd *cobra.Command, args []string) error {
	if p.pending {
		p.filter.Status = "pending"
	}
	p.filter.Session, p.filter.Project, p.filter.Agent = p.f.caller.Session, p.f.caller.Project, p.f.caller.Agent
	ofSynthesis := cmd.Flags().Changed("synthesis")
	if !ofSynthesis && (p.section != "" || p.bullet != 0) {
		return misuse("--section and --bullet are of a synthesis", "muniment citations --synthesis 1 --section prevailing --bullet 2")
	}
	return p.engine(&p.f, func(e *engine.Engine) error {
		if ofSynthesis {
			return printSynthesis(p.program, e, p.synthesis, p.section, p.bullet)
		}
		if len(args) == 1 {
			one, err := e.Citations().Get(args[0])
			return p.conclude(err, "citation", one, func() { printCitation(p.program, one) })
		}
		if p.verify && !p.pending {
			return misuse("--verify is for --pending", "muniment citations --pending --verify")
		}
		return p.listCitations(cmd.Context(), e, p.filter, p.verify)
	})
}

// listCitations prints the citations that a filter lets through, those that wait
// for a model verified again where verify is set, and the search records.
func (p *citationsCommand) listCitations(ctx context.Context, e *engine.Engine, filter engine.CitationFilter, verify bool) error {
	list := func() ([]engine.CitationInfo, error) { return e.Citations().List(filter) }
	if verify {
		list = func() ([]engine.CitationInfo, error) { return e.VerifyPending(ctx, filter) }
	}
	all, err := list()
	if err != nil {
		return err
	}
	searches := []engine.SearchRecord{}
	if filter.Status == "" && filter.Source == 0 && filter.Claim == 0 && filter.After == 0 {
		if searches, err = e.Searches(filter.Session); err != nil {
			return err
		}
	}
	p.show("citations", citationList{all, searches}, func() {
		for i := range all {
			c := &all[i]
			state := c.VerificationStatus
			if c.SupersededBy > 0 {
				state += ", superseded"
			}
			if c.Damage != "" && c.Citation == "" {
				p.out("%4d  damaged: %s", c.CitationID, c.Damage)
				continue
			}
			p.out("%4s  %-10s  %-7s  %s %s  %s  (%s)", numberOrSeal(c), state, c.Binding, c.Name, c.Span, c.Claim, verdicts(engine.Support{Match: c.Match, ClaimVerdict: c.ClaimVerdict, Judge: c.Judge}))
		}
		for _, s := range searches {
			p.out("search %d  not found: %s", s.SearchID, s.Claim)
		}
		p.say("%s", count(len(all), "citation"))
	})
	if i := slices.IndexFunc(all, func(c engine.CitationInfo) bool { return c.Damage != "" }); i >= 0 {
		return &problem.Error{Kind: problem.Damaged, Outcome: problem.Incomplete, Message: all[i].Damage, Next: problem.Advise("move archive.local/ledger.db and its -wal and -shm away and keep them; muniment ledger import FILE fills a new ledger from a backup, muniment ledger rebuild from the snapshot; muniment verify lists every damaged row"), Partial: all}
	}
	if verify {
		worst := problem.Kind("")
		for _, c := range all {
			switch c.VerificationStatus {
			case "verified":
			case "failed":
				worst = problem.Verification
			default:
				worst = cmp.Or(worst, problem.Unverified)
			}
		}
		if worst != "" {
			return &problem.Error{Kind: worst, Message: "not every citation is verified", Next: problem.Advise("muniment why NUMBER says why"), Partial: all}
		}
	}
	return nil
}

// numberOrSeal returns the number of a citation, or a mark of one that only the snapshot has.
func numberOrSeal(c *engine.CitationInfo) string {
	if c.CitationID == 0 {
		return "-"
	}
	return itoa(int(c.CitationID))
}

// printCitation prints one citation.
func printCitation(p *program, c *engine.CitationInfo) {
	number := "citation"
	if c.CitationID > 0 {
		number = fmt.Sprintf("citation %d", c.CitationID)
	}
	p.out("%s: %s, %s", number, c.VerificationStatus, c.Binding)
	if c.ClaimVerdict != "" {
		p.out("%s", verdicts(engine.Support{Match: c.Match, ClaimVerdict: c.ClaimVerdict, Judge: c.Judge}))
	}
	p.out("claim: %s", c.Claim)
	where := c.Name
	if c.SourceName != "" && c.SourceName != c.Name {
		where = c.SourceName + ", " + c.Name
	}
	fragment, isFragment := engine.DescribeFragment(c.Span)
	if c.Span == "" {
		p.out("%s: “%s”, which is not there", where, c.VerbatimQuote)
	} else if isFragment {
		p.out("%s %s", where, fragment)
	} else {
		p.out("%s %s: “%s”", where, c.Span, c.Text)
	}
	if isFragment {
		p.out("relation %s", c.Relation)
	} else {
		p.out("relation %s, match %s, similarity %.3f", c.Relation, c.Match, c.SimilarityScore)
	}
	if c.ContextFrom == engine.ContextFilled {
		p.out("context (filled in from the source): %s", c.QuoteContext)
	} else if c.QuoteContext != "" {
		p.out("context: %s", c.QuoteContext)
	}
	if c.RelevanceReasoning != "" {
		p.out("reasoning: %s", c.RelevanceReasoning)
	}
	if c.VerificationNotes != "" {
		p.out("note: %s", c.VerificationNotes)
	}
	if c.SupersededBy > 0 {
		p.out("superseded by citation %d", c.SupersededBy)
	}
	if c.Citation != "" {
		p.out("%s", c.Citation)
	}
	if c.CreatedAt != "" {
		p.out("registered %s by %s", c.CreatedAt, c.CreatedBy)
	}
}

// verdicts returns the two verdicts on a citation in words.
func verdicts(s engine.Support) string {
	out := "words " + s.Match
	if s.ClaimVerdict != "" {
		out += ", claim " + strings.ReplaceAll(s.ClaimVerdict, "_", " ") + judgedBy(s.Judge)
	}
	return out
}

func newClaimsCommand(p *program) *cobra.Command {
	var f callerFlags
	var after int64
	var limit int
	cmd := command("claims", "claims", "List the claims and how far they are supported",
		"Lists every claim once, with the number of its citations and of those that verify\nand are not superseded, and the two verdicts on the first twenty. Claims that only the\nnewest snapshot has, as in a clone, follow without a number.",
		"muniment claims --session review-3", cobra.NoArgs, func(*cobra.Command, []string) error {
			return p.engine(&f, func(e *engine.Engine) error {
				all, err := e.Citations().Claims(f.caller.Session, after, limit)
				return p.conclude(err, "claims", claimList{all}, func() {
					for _, c := range all {
						number := "-" // of a claim that only the snapshot has
						if c.ClaimID > 0 {
							number = itoa(int(c.ClaimID))
						}
						p.out("%4s  %d of %d verified  %s", number, c.Verified, c.Citations, c.Claim)
						for _, s := range c.Support {
							p.out("      citation %s: %s", cmp.Or(s.Citation, itoa(int(s.CitationID))), verdicts(s.Support))
						}
					}
					p.say("%s", count(len(all), "claim"))
				})
			})
		})
	cmd.Flags().Int64Var(&after, "after", 0, "only numbers above it")
	cmd.Flags().IntVar(&limit, "limit", 0, "at most so many; 0 lists all")
	f.register(cmd)
	return cmd
}

func newLinkCommand(p *program) *cobra.Command {
	var f callerFlags
	cmd := command("claims", "link CITATION TYPE CITATION", "Relate one citation to another",
		"TYPE is supports, contradicts, extends or supersedes. Links are append-only. A wrong\ncitation is not changed: a later one supersedes it, and lists say so.",
		"muniment link 2 supersedes 1", cobra.ExactArgs(3), func(_ *cobra.Command, args []string) error {
			return p.engine(&f, func(e *engine.Engine) error {
				r, err := e.Link(args[0], args[1], args[2])
				return p.conclude(err, "link", r, func() { p.out("citation %d %s citation %d", r.From, r.Type, r.To) })
			})
		})
	f.register(cmd)
	return cmd
}

// A ledgerCopy is what ledger export wrote or ledger import read.
type ledgerCopy struct {
	File string `json:"file"`
	Rows int64  `json:"rows"`

	OnlyThere []string `json:"only_there,omitempty"` // what rebuild cannot give back
}

func newLedgerCommand(p *program) *cobra.Command {
	cmd := command("copies", "ledger", "Back the ledger up, or fill a new one",
		`The ledger keeps what agents registered: sources, claims, citations, attestations,
links, searches, budgets. A backup is a file of JSON lines with every row and number,
whichever database has them, and ends in the sha256 of all lines. Import fills an empty
ledger, all rows or none, and so moves one from a file to PostgreSQL and back: set or
unset CITATION_DB_URL in between. Without a backup, rebuild registers the citations of the
newest snapshot again.`,
		"muniment ledger export ledger.jsonl\nmuniment ledger import ledger.jsonl\nmuniment ledger rebuild", cobra.NoArgs, p.overview)
	cmd.AddCommand(
		command("", "export FILE", "Write every row of the ledger to a file", "The file must not exist yet; - is the standard output, for a disk that is full or cannot\nbe written. It holds the names of agents and their results: keep it as\nsafe as the archive.",
			"muniment ledger export ledger.jsonl", cobra.ExactArgs(1), func(_ *cobra.Command, args []string) error { return exportLedger(p, args[0]) }),
		command("", "import FILE", "Fill an empty ledger from a backup", "Refused if the ledger has entries, or if the backup is of another archive or of a newer\nversion, or was changed or cut short. Nothing is registered then.",
			"muniment ledger import ledger.jsonl", cobra.ExactArgs(1), func(_ *cobra.Command, args []string) error { return importLedger(p, args[0]) }),
		command("", "rebuild", "Register the citations that only the snapshot has", "For a clone, and for a ledger that was lost or moved away because it is damaged: every\ncitation of the newest snapshot that the ledger does not have is verified again and\nregistered, with a new number. What only the ledger had is listed; a backup has it.",
			"muniment ledger rebuild", cobra.NoArgs, func(*cobra.Command, []string) error { return rebuildLedger(p) }))
	return cmd
}

func rebuildLedger(p *program) error {
	return p.withArchive(func(a *archive.Archive) error {
		n, err := engine.RebuildLedger(a)
		if err != nil {
			return err
		}
		p.show("ledger", ledgerCopy{"", int64(n), engine.OnlyInLedger}, func() {
			p.out("%s registered from the snapshot", count(n, "citation"))
			p.prose("only a lost ledger had: %s", strings.Join(engine.OnlyInLedger, "; "))
		})
		return nil
	})
}

func exportLedger(p *program, file string) error {
	return p.withArchive(func(a *archive.Archive) error {
		if file == "-" {
			_, err := engine.ExportLedger(a, p.stdout)
			return err
		}
		f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return &problem.Error{Kind: problem.Usage, Message: file + ": " + legible.Reason(err), Next: problem.Advise("name a file that is not there yet"), Err: err}
		}
		rows, err := engine.ExportLedger(a, f)
		if err == nil {
			err = f.Sync()
		}
		if end := f.Close(); err == nil {
			err = end
		}
		if err != nil {
			os.Remove(file)
			return problem.Wrap(err, "ledger")
		}
		p.show("ledger", ledgerCopy{File: file, Rows: rows}, func() { p.out("%s: %s", file, count(int(rows), "row")) })
		return nil
	})
}

func importLedger(p *program, file string) error {
	return p.withArchive(func(a *archive.Archive) error {
		f, err := disk.OpenNamed(file)
		if err != nil {
			return &problem.Error{Kind: problem.Usage, Message: file + ": " + legible.Reason(err), Next: problem.Advise("name a file that muniment ledger export wrote"), Err: err}
		}
		defer f.Close()
		rows, err := engine.ImportLedger(a, f)
		if err != nil {
			return err
		}
		p.show("ledger", ledgerCopy{File: file, Rows: rows}, func() { p.out("%s: %s", file, count(int(rows), "row")) })
		return nil
	})
}
