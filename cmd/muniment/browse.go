package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sort"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"muniment/archive"
	"muniment/archive/inventory"
	"muniment/archive/problem"
	"muniment/archive/search"
	"muniment/audit"
	"muniment/engine"
	"muniment/history"
)

type lsCommand struct {
	*program
	withdrawn, long bool
	o               inventory.TableOptions
}

func newLsCommand(prog *program) *cobra.Command {
	p := &lsCommand{program: prog}
	cmd := command("papers", "ls [PART]", "List the artifacts",
		`Lists the staged tree or, if nothing is staged, the newest snapshot. PART keeps the
names that contain it. --long makes a table with dates, titles and creators; --columns
chooses others: name, id, date, added, agent, size, paragraphs, records, a field of a
description, other_NAME. On a terminal a table is as wide as the terminal. --sort sorts
by a column, dates as intervals. --withdrawn lists the withdrawn artifacts instead, with
the reason and the last snapshot that has them.`,
		"muniment -C letters ls\nmuniment -C letters ls 1931\nmuniment -C letters ls --long --sort date\nmuniment -C letters ls --columns identifier,title,box,folder\nmuniment -C letters ls --withdrawn", cobra.MaximumNArgs(1), p.inArchive(p.run))
	cmd.Flags().BoolVar(&p.withdrawn, "withdrawn", false, "list the withdrawn artifacts")
	cmd.Flags().BoolVarP(&p.long, "long", "l", false, "a table with dates, titles and creators")
	cmd.Flags().StringSliceVar(&p.o.Columns, "columns", nil, "the columns of the table, in this order")
	cmd.Flags().StringVar(&p.o.Sort, "sort", "", "the `COLUMN` to sort by")
	cmd.Flags().BoolVar(&p.o.Reverse, "reverse", false, "in reverse order")
	return cmd
}

func (p *lsCommand) run(_ *cobra.Command, a *archive.Archive, args []string) error {
	part := ""
	if len(args) == 1 {
		part = args[0]
	}
	if p.withdrawn {
		return p.listWithdrawn(a, part)
	}
	if p.long || len(p.o.Columns) > 0 || p.o.Sort != "" || p.o.Reverse {
		p.o.Part = part
		r, err := inventory.Table(a, p.o)
		return p.conclude(err, "ls-table", r, func() {
			p.table(r.Columns, r.Rows)
			p.say("%s", count(len(r.Rows), "artifact"))
		})
	}
	list, err := inventory.List(a, part)
	return p.conclude(err, "ls", artifactList{list}, func() {
		for _, one := range list {
			name := one.ID
			if len(one.Names) > 0 {
				name = one.Names[0]
			}
			p.out("%s  %s  %d bytes, %s", one.ID, name, one.Size, count(one.Paragraphs, "paragraph"))
		}
		p.say("%s", count(len(list), "artifact"))
	})
}

// listWithdrawn lists the withdrawn artifacts whose names contain part.
func (p *lsCommand) listWithdrawn(a *archive.Archive, part string) error {
	all, err := a.Withdrawals()
	if err != nil {
		return err
	}
	list := []archive.WithdrawnArtifact{}
	for _, w := range all {
		if strings.Contains(w.Name, part) {
			list = append(list, w)
		}
	}
	p.show("ls", withdrawnList{list}, func() {
		for _, w := range list {
			p.out("%s  %s", w.Artifact, w.Name)
			p.out("    withdrawn %s, %s: %s", w.Time, w.Authority, w.Reason)
			if w.Seq > 0 {
				p.out("    last in snapshot %d, %s", w.Seq, w.Snapshot)
			}
		}
		p.say("%s withdrawn", count(len(list), "artifact"))
	})
	return nil
}

type showCommand struct {
	*program
	proof bool
}

func newShowCommand(prog *program) *cobra.Command {
	p := &showCommand{program: prog}
	cmd := command("papers", "show ID|NAME|URL", "Show the object of an id or a name",
		"Takes an id, an unambiguous prefix of one (4 characters at least) or an unambiguous\nsuffix of a name: artifacts, originals, records, snapshots, tags, citations; also of older\nsnapshots only. The address of a page, with or without its scheme, means the newest\ncapture; a note names the others.\n\nWith --proof it writes the files of an artifact in the newest snapshot, and a proof that\nthere are no others: payload, records, consent, hold or withdrawal. verify checks it\nwithout the archive. Its lines name two neighbours in the inventory.",
		"muniment -C letters show letter-07.txt\nmuniment -C letters show bafkreib3x\nmuniment -C letters show letter-07.txt --proof > letter-07.proof.json", cobra.ExactArgs(1), p.inArchive(p.run))
	cmd.Flags().BoolVar(&p.proof, "proof", false, "a proof of all files of an artifact in the newest snapshot")
	return cmd
}

func (p *showCommand) run(_ *cobra.Command, a *archive.Archive, args []string) error {
	if p.proof {
		r, err := audit.ProveArtifact(a, args[0])
		if err != nil {
			return err
		}
		return writeProof(p.program, r)
	}
	r, err := engine.Show(a, args[0])
	return p.conclude(err, "show", r, func() {
		p.printShown(r)
		noteCapture(p.program, r.Capture)
	})
}

// printShown prints what an id or a name names: a paper in plain words, anything else with
// every member on a line of its own.
func (p *showCommand) printShown(r *inventory.ShowResult) {
	if paper, ok := r.Object.(*inventory.Paper); ok {
		p.out("%s %s", r.Kind, r.ID)
		p.out("sha256 %s", r.SHA256)
		p.shownPaper(paper)
		return
	}
	p.out("%s %s", r.Kind, r.ID)
	p.out("sha256 %s", r.SHA256)
	if r.Path != "" {
		p.out("%s", r.Path)
	}
	data, err := json.Marshal(r.Object)
	var object any
	if err == nil {
		err = json.Unmarshal(data, &object)
	}
	if err != nil {
		p.out("%s", err)
		return
	}
	p.members("", object)
}

// members prints a JSON value in lines: a member of an object as its name and value,
// deeper ones indented.
func (p *showCommand) members(indent string, value any) {
	object, ok := value.(map[string]any)
	if !ok {
		p.out("%s%s", indent, strings.TrimSpace(plainValue(value)))
		return
	}
	for _, name := range sortedKeys(object) {
		switch inner := object[name].(type) {
		case map[string]any:
			p.out("%s%s", indent, name)
			p.members(indent+"  ", inner)
		case []any:
			p.out("%s%s", indent, name)
			for _, one := range inner {
				p.members(indent+"  ", one)
			}
		default:
			p.out("%s%s %s", indent, name, plainValue(inner))
		}
	}
}

// plainValue returns a JSON value that is neither object nor list as text.
func plainValue(value any) string {
	if n, ok := value.(float64); ok {
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	return fmt.Sprint(value)
}

// maxShownParts is how many parts of a paper are shown in plain words: a mailbox has
// thousands.
const maxShownParts = 20

// shownPaper prints an artifact in plain words.
func (p *showCommand) shownPaper(paper *inventory.Paper) {
	line := func(name, format string, args ...any) {
		if text := fmt.Sprintf(format, args...); text != "" {
			for i, one := range splitLines(text) {
				p.out("%-14s %s", ifText(i == 0, name, ""), one)
			}
		}
	}
	for i, name := range paper.Names {
		line(ifText(i == 0, "name", ""), "%s", name)
	}
	for _, c := range paper.Description {
		line(c.Field, "%s", c.New)
	}
	if paper.DateFound != "" && paper.Date == "" {
		line("date offered", "%s, from its head", paper.DateFound)
	}
	kept := paper.Canonicalizer
	if paper.Paragraphs > 0 {
		kept += ", " + count(paper.Paragraphs, "paragraph") + ", " + count(paper.Lines, "line")
	}
	line("kept as", "%s, %s", kept, count(int(paper.Size), "byte"))
	line("read from", "%s%s", paper.MediaType, ifText(paper.Original != paper.ID, ", original "+paper.Original, ""))
	if made := paper.Made; made != nil {
		line("text", "%s%s, of %s", made.Mark(), ifText(made.By == "", "", " by "+made.By), strings.Join(made.From, " "))
	}
	for _, part := range paper.Parts[:min(len(paper.Parts), maxShownParts)] {
		line("holds", "%s, %s", part.Name, part.Artifact)
	}
	if more := len(paper.Parts) - maxShownParts; more > 0 {
		line("", "and %d more, which --json lists", more)
	}
	for _, whole := range paper.PartOf {
		line("part of", "%s", strings.TrimPrefix(whole.Name+", "+whole.Artifact, ", "))
	}
	for _, t := range paper.Texts {
		line("its text", "%s, from %s, %s", t.Name, t.How, t.Artifact)
	}
	for _, rec := range paper.Accession {
		if rec.Supersedes == "" {
			line("taken in", "%s by %s", rec.Time, rec.Agent)
		} else {
			line("described", "%s by %s", rec.Time, rec.Agent)
		}
	}
	for _, e := range paper.Elsewhere {
		line("elsewhere", "%s, %s, in %s", e.ID, count(int(e.Size), "byte"), ifText(e.Store == "", "a payload store that this copy does not name", e.Store))
	}
	if paper.Withdrawal != nil {
		line("withdrawn", "%s, %s: %s", paper.Withdrawal.Time, paper.Withdrawal.Authority, paper.Withdrawal.Reason)
	} else if paper.Withdrawn {
		line("withdrawn", "yes")
	}
	if paper.Hold != nil {
		line("held", "%s, %s: %s", paper.Hold.Time, paper.Hold.Authority, paper.Hold.Reason)
	}
	if c := paper.Consent; c != nil {
		line("consent", "inclusion %s, surfacing %s, display %s, existence %s: %s", yesNo(c.Inclusion), yesNo(c.Surfacing), yesNo(c.Display), yesNo(c.Existence), c.Reason)
	}
	for _, rec := range paper.Records {
		line("record", "%s", rec)
	}
}

func yesNo(b bool) string { return ifText(b, "yes", "no") }

type catCommand struct {
	*program
	original, proof, number bool
	span, at                string
}

func newCatCommand(prog *program) *cobra.Command {
	p := &catCommand{program: prog}
	cmd := command("papers", "cat ID|NAME|URL", "Print an artifact",
		"Writes the canonical payload, byte for byte, or the original as it was received.\nWith --span only the words at that address; with --proof also the proof that this\nparagraph or line belongs to the artifact and to the newest snapshot, which verify\nchecks without the archive and without the rest of the text. --at prints from an older\nsnapshot, also an artifact withdrawn since. -n prints the number of each paragraph\nbefore it, such as p3, as spans use it. The address of a page, with or without\nits scheme, means its newest capture.",
		"muniment -C letters cat letter-07.txt\nmuniment -C letters cat -n letter-07.txt\nmuniment -C letters cat letter-07.txt --span p2:0-40\nmuniment -C letters cat letter-07.txt --span p2 --proof > p2.proof.json\nmuniment -C letters cat page.html --original | sha256sum",
		cobra.ExactArgs(1), p.inArchive(p.run))
	cmd.Flags().BoolVar(&p.original, "original", false, "the bytes as received")
	cmd.Flags().BoolVarP(&p.number, "number", "n", false, "number the paragraphs")
	cmd.Flags().StringVar(&p.span, "span", "", "an address such as p4:0-41")
	cmd.Flags().StringVar(&p.at, "at", "", "from this `SNAPSHOT`: number, id, prefix or tag")
	cmd.Flags().BoolVar(&p.proof, "proof", false, "with --span: a proof of that paragraph or line")
	return cmd
}

func (p *catCommand) run(_ *cobra.Command, a *archive.Archive, args []string) error {
	if p.proof {
		return p.printProof(a, args[0], p.span)
	}
	r, data, err := inventory.Cat(a, args[0], inventory.CatOptions{Original: p.original, Span: p.span, At: p.at, Number: p.number})
	if err != nil {
		return err
	}
	if p.json {
		p.document("cat", r)
		return nil
	}
	noteCapture(p.program, r.Capture)
	p.printed = true
	return p.copyOut(data)
}

// noteCapture says which capture of a page was printed, where there are several.
func noteCapture(p *program, note string) {
	if note != "" {
		p.say("note: %s", note)
	}
}

// copyOut writes r to standard output. Damage of the content is an error at its end.
func (p *catCommand) copyOut(r io.Reader) error {
	_, err := io.Copy(p.stdout, r)
	if failure := (*problem.Error)(nil); errors.As(err, &failure) {
		return err
	}
	p.wrote(err)
	return nil
}

// printProof writes the canonical JSON of a paragraph proof.
func (p *catCommand) printProof(a *archive.Archive, ref, span string) error {
	if span == "" {
		return misuse("--proof needs --span", "muniment cat NAME --span p3 --proof")
	}
	r, err := audit.ProveParagraph(a, ref, span)
	if err != nil {
		return err
	}
	return writeProof(p.program, r)
}

// writeProof writes the canonical JSON of a proof.
func writeProof(p *program, r interface{ Encode() ([]byte, error) }) error {
	if p.json {
		p.document("proof", r)
		return nil
	}
	data, err := r.Encode()
	if err != nil {
		return &problem.Error{Kind: problem.Internal, Message: err.Error(), Next: problem.Advise("report this"), Err: err}
	}
	p.raw(data)
	return nil
}

type searchCommand struct {
	*program
	limit int
}

func newSearchCommand(prog *program) *cobra.Command {
	p := &searchCommand{program: prog}
	cmd := command("papers", "search WORDS", "Find passages, with addresses ready to cite",
		"Searches the newest snapshot. Dates in the words keep to artifacts of that time.\nThe index is made at the first search after a snapshot.",
		`muniment -C letters search "mill wheel"`, cobra.MinimumNArgs(1), p.inArchive(p.run))
	cmd.Flags().IntVar(&p.limit, "limit", 10, "most passages")
	return cmd
}

func (p *searchCommand) run(cmd *cobra.Command, a *archive.Archive, args []string) error {
	update, end := p.progress("index")
	r, err := search.Search(cmd.Context(), a, strings.Join(args, " "), p.limit, search.Reader{}, update)
	end()
	if err != nil {
		return err
	}
	p.show("search", r, func() {
		for _, h := range r.Hits {
			p.out("%s %s  (%.2f)%s", h.Name, h.Span, h.Similarity, ifText(h.Locator["made"] == "", "", "  "+h.Locator["made"]))
			p.out("    %s", h.Text)
		}
		if len(r.Hits) > 0 {
			p.say("next: muniment cite --artifact %s --quote TEXT --claim TEXT", r.Hits[0].Name)
		}
	})
	p.noteIndex(&r.Searched, r.Notice)
	if len(r.Hits) == 0 {
		return &problem.Error{Kind: problem.VerdictNegative, Message: "no passage holds these words", Next: problem.Advise("try other words; muniment ls shows what is here")}
	}
	return nil
}

func newDiffCommand(p *program) *cobra.Command {
	return command("papers", "diff A..B | A [B]", "Show the differences of two snapshots",
		`Lists the changes from snapshot A to snapshot B, by default the newest: artifacts added,
withdrawn or reinstated, new records of older artifacts, originals, consent, holds,
citations, policy and trust. A snapshot is given by its number, its id, a prefix of it
or a tag.`,
		`muniment -C letters diff 3..5
muniment -C letters diff deposit-2024`,
		cobra.RangeArgs(1, 2), func(_ *cobra.Command, args []string) error {
			from, to, _ := strings.Cut(args[0], "..")
			if len(args) == 2 {
				from, to = args[0], args[1]
			}
			return p.withArchive(func(a *archive.Archive) error {
				r, err := history.Diff(a, from, to)
				return p.conclude(err, "diff", r, func() {
					for _, c := range r.Changes {
						name := c.Name
						switch {
						case name == "":
							name = c.Path
						case c.Kind == "record" || c.Kind == "removed":
							name += "  " + c.Path
						}
						p.out("%-10s %s%s", c.Kind, name, correctionTail(c.Corrections))
					}
					kinds := make([]string, 0, len(r.Counts))
					for k, n := range r.Counts {
						kinds = append(kinds, itoa(n)+" "+k)
					}
					sort.Strings(kinds)
					p.say("snapshot %d to %d: %s", r.FromSeq, r.ToSeq, ifText(len(kinds) > 0, strings.Join(kinds, ", "), "nothing changed"))
				})
			})
		})
}
