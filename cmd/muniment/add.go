package main

import (
	"context"
	"muniment/bundle/display"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"muniment/accession"
	"muniment/archive"
	"muniment/archive/holdings"
	"muniment/archive/problem"
)

type addCommand struct {
	*program
	o    accession.AddOptions
	f    sourceFlags
	name string
}

func newAddCommand(prog *program) *cobra.Command {
	p := &addCommand{program: prog, f: sourceFlags{withSidecar: true}}
	cmd := command("papers", "add PATH|URL…", "Take in files, folders, packed folders and web pages",
		`Every file is brought into its canonical form, hashed and staged for the next snapshot;
its original bytes are kept too. Files that are already in are recognised. A zip, 7z or
tar is opened and its files are taken in. A web page is fetched once and kept unchanged.
- is standard input, as a file named by --name. A file that cannot be taken is skipped
with its reason and does not stop the others (exit 3). Interrupting add leaves the
archive as it was; with --keep the finished files stay staged.

A file with the name of a scan or a recording in the same folder is taken for its text,
with the place of each line: page-7.alto.xml, page-7.hocr, page-7.page.xml or page-7.txt
for page-7.png, talk.srt for talk.mp3. --text-of NAME names the scan or recording of
files with other names. --ocr LANG has Tesseract read the scans that have no text.
Quotes from such a text are marked: from OCR.`,
		`muniment -C letters add box-1 box-2
muniment -C letters add -n scans
muniment -C letters add --ocr deu scans
muniment -C letters add --text-of page-7.png ocr/0007.xml
muniment -C letters add https://example.org/mill.html
muniment -C letters add - --name box-3.tar < box-3.tar`,
		cobra.MinimumNArgs(1), p.run)
	p.f.register(cmd)
	cmd.Flags().BoolVarP(&p.o.DryRun, "dry-run", "n", false, "show what would happen")
	cmd.Flags().StringVar(&p.name, "name", "", "the name of the `FILE` on standard input")
	cmd.Flags().BoolVar(&p.o.TakeFound, "take-dates", false, "take the date at the head of a letter where there is no other")
	cmd.Flags().StringVar(&p.o.TextOf, "text-of", "", "the scan or recording, a `NAME` in the archive, whose text the inputs are")
	cmd.Flags().StringVar(&p.o.OCR, "ocr", "", "recognise the letters on scans by Tesseract, in languages `LANG` as deu or deu+eng")
	cmd.Flags().BoolVar(&p.o.Keep, "keep", false, "when interrupted, keep what was finished")
	cmd.Flags().StringVar(&p.o.MediaType, "media-type", "", "the media type of the inputs, if name and bytes do not show it; a charset parameter is a hint")
	cmd.Flags().BoolVar(&p.o.AllowPrivate, "allow-private", false, "take pages from loopback and private networks")
	cmd.Flags().StringVar(&p.o.IgnoreRobots, "ignore-robots", "", "why robots.txt is ignored; kept in the record")
	cmd.Flags().BoolVar(&p.o.AllowSecrets, "allow-secrets", false, "take files that hold a private key (OpenSSH, PEM, OpenPGP, age)")
	cmd.Flags().BoolVar(&p.o.Reinstate, "reinstate", false, "take in a withdrawn file again")
	return cmd
}

func (p *addCommand) run(cmd *cobra.Command, args []string) error {
	var err error
	if p.o.Source, err = p.f.layer(); err != nil {
		return err
	}
	if p.o.Registry, err = p.f.readRegistry(p.program); err != nil {
		return err
	}
	if p.o.Sidecar, err = p.f.readSidecar("meta"); err != nil {
		return err
	}
	if slices.Contains(args, accession.PipePath) {
		p.o.Piped = &accession.Piped{Name: p.name, Content: p.stdin}
	} else if p.name != "" {
		return problem.New(problem.Usage, problem.Next(problem.DoGive, "name", "FILE").With("say what standard input, -, is"), "--name is for standard input, and no path is -")
	}
	return p.withArchive(func(a *archive.Archive) error {
		collectAt(gcPercentAdd)
		defer spareMemory(addMemory)()
		update, end := p.progress("add")
		p.o.Progress = update
		r, err := accession.Add(cmd.Context(), a, args, p.o)
		end()
		if r == nil {
			return err
		}
		addHints(r)
		p.show("add", r, func() { p.printAdded(r) })
		return withoutPartial(err)
	})
}

// printAdded prints what was taken in and what was skipped.
func (p *addCommand) printAdded(r *accession.AddResult) {
	verb := "added"
	if r.DryRun {
		verb = "would add"
	}
	shown := 0
	for _, one := range r.Artifacts {
		if one.Status == "unchanged" {
			continue
		}
		if shown++; shown > maxListed {
			continue
		}
		if one.Status == "described" {
			p.out("%s  %s  %s", one.ID, one.Path, correctionWords(one.Corrections))
			continue
		}
		p.out("%s  %s  %s, %s", one.ID, one.Path, one.Canonicalizer, count(one.Paragraphs, "paragraph"))
		if one.Note != "" {
			p.say("  note: %s: %s", one.Path, one.Note)
		}
	}
	if shown > maxListed {
		p.out("… and %d more", shown-maxListed)
	}
	for _, s := range r.Sources {
		p.out("%s  %s  metadata only, not fetched", s.Record, s.Name)
	}
	for i, s := range r.Skipped {
		if i == maxListed {
			p.warn("… and %d more", len(r.Skipped)-maxListed)
			break
		}
		p.warn("skipped %s: %s", s.Path, s.Reason)
	}
	for _, n := range r.Notes {
		p.say("note: %s", n)
	}
	if len(r.LeftOut) > 0 {
		kinds := map[string]int{}
		for _, one := range r.LeftOut {
			kinds[one.What]++
		}
		words := []string{}
		for _, what := range sortedKeys(kinds) {
			_, noun, _ := strings.Cut(what, " ")
			words = append(words, count(kinds[what], noun))
		}
		p.say("left out: %s; --json names each", strings.Join(words, ", "))
	}
	described := ""
	if r.Described > 0 {
		described = ", described anew " + itoa(r.Described)
	}
	p.say("%s %d%s, unchanged %d, skipped %d", verb, r.Added, described, r.Unchanged, len(r.Skipped))
	elsewhere := int64(0)
	for _, one := range r.Artifacts {
		elsewhere += one.Elsewhere
	}
	if elsewhere > 0 {
		p.say("of these, %s went to the payload store", count(int(elsewhere), "byte"))
	}
	if r.Added+r.Described > 0 && !r.DryRun {
		p.say("next: muniment snapshot -m TEXT")
	}
}

// correctionWords returns corrections in words: title "Old" -> "New", box -> "3".
func correctionWords(list []holdings.Correction) string {
	words := make([]string, len(list))
	for i, c := range list {
		words[i] = c.Field
		if c.Old != "" {
			words[i] += " " + strconv.Quote(c.Old)
		}
		if c.New == "" {
			words[i] += " taken away"
		} else {
			words[i] += " -> " + strconv.Quote(c.New)
		}
	}
	return strings.Join(words, ", ")
}

type describeCommand struct {
	*program
	d         accession.Description
	f         sourceFlags
	from      string
	again     bool
	mediaType string
}

func newDescribeCommand(prog *program) *cobra.Command {
	p := &describeCommand{program: prog, f: sourceFlags{describes: true}}
	cmd := command("papers", "describe NAME… [--title TEXT …] | NAME --reread | --from FILE", "Correct or add titles, dates, creators and other fields",
		`Stages a record for each paper that supersedes the one before: nothing is lost, and
citations of the old record stay valid. NAME is a name, an id, the id of a record or the
address of a source. A given field replaces that of the record; --clear empties one. log
NAME lists the descriptions of a paper, by whom and when.

--from reads a CSV or JSON file with a row for each paper, as add --meta does, or XML:
EAD, MODS, Dublin Core or headers of TEI. A component of EAD describes the file of its
dao; a file with one description that names no file describes the files of its own name.
A row that cannot be used is left out with its reason (exit 3).

Dates are EDTF: 1931, 1931-05, 1931-05-20, 1817~ (about), 1913-11? (perhaps), 1880/1890,
18XX; or as people write them: May 1817, c. 1911, 4 février 1913. --take-dates takes over
the dates that add found at the heads of letters.

--reread reads the original of one paper again, by --media-type or by its name and
bytes. The new reading is staged with a record that supersedes the one before and keeps
title, dates and the rest of the description. The earlier reading stays too, and
citations of it stay valid; the name then refers to the new one.`,
		`muniment -C letters describe letter-07.txt --title "To Ben Ost" --date 1817~
muniment -C letters describe letter-07.txt --set "reference code=VP 1/7" --about harbours
muniment -C letters describe --from inventory.csv
muniment -C letters describe letter-07.txt --clear publisher
muniment -C letters describe letter-07.txt --reread --media-type 'text/plain; charset=windows-1250'`,
		cobra.ArbitraryArgs, p.run)
	p.f.register(cmd)
	cmd.Flags().BoolVar(&p.again, "reread", false, "read the original of one paper again")
	cmd.Flags().StringVar(&p.mediaType, "media-type", "", "with --reread: what the original is, with its charset perhaps")
	cmd.Flags().StringVar(&p.from, "from", "", "a CSV, JSON or XML `FILE` that describes papers by path")
	cmd.Flags().StringArrayVar(&p.d.Clear, "clear", nil, "a `FIELD` to empty; may be repeated")
	cmd.Flags().BoolVar(&p.d.TakeFound, "take-dates", false, "take the date at the head of the text where there is no other")
	cmd.Flags().BoolVarP(&p.d.DryRun, "dry-run", "n", false, "show what would change")
	return cmd
}

func (p *describeCommand) run(cmd *cobra.Command, args []string) error {
	layer, err := p.f.layer()
	if err != nil {
		return err
	}
	p.d.Values = layer.Values
	p.f.sidecar = p.from
	if p.d.Sidecar, err = p.f.readSidecar("from"); err != nil {
		return err
	}
	silent := p.d.Values.IsZero() && len(p.d.Clear) == 0 && !p.d.TakeFound && p.d.Sidecar == nil
	if p.again || p.mediaType != "" {
		if !p.again || !silent || len(args) != 1 || p.d.DryRun {
			return misuse("--reread takes one paper, no field, and --media-type perhaps", "muniment describe NAME --reread")
		}
		return p.withArchive(func(a *archive.Archive) error { return reread(p.program, cmd.Context(), a, args[0], p.mediaType) })
	}
	if silent {
		return problem.New(problem.Usage, problem.Next(problem.DoDescribe), "nothing is said of the papers: no field is given")
	}
	return p.withArchive(func(a *archive.Archive) error {
		r, err := accession.Describe(a, args, p.d)
		if r == nil {
			return err
		}
		p.show("describe", r, func() { printDescribed(p.program, r) })
		return withoutPartial(err)
	})
}

type unstageCommand struct {
	*program
	all bool
}

func newUnstageCommand(prog *program) *cobra.Command {
	p := &unstageCommand{program: prog}
	cmd := command("papers", "unstage NAME… | --all", "Take back what was added and not yet signed",
		`Undoes the staged changes of papers. NAME is a name or the end of one, an id, or the
folder or container of the papers. A paper in no snapshot is removed from the store; of
a paper in a snapshot only the staged changes are undone, such as a description or a
consent. Citations of a removed paper stay in the ledger, not bound, and are listed.
--all undoes all staged changes.`,
		"muniment -C letters unstage letter-09.txt\nmuniment -C letters unstage box-3\nmuniment -C letters unstage --all",
		cobra.ArbitraryArgs, p.run)
	cmd.Flags().BoolVar(&p.all, "all", false, "undo all staged changes")
	return cmd
}

func (p *unstageCommand) run(_ *cobra.Command, args []string) error {
	if p.all && len(args) > 0 {
		return problem.New(problem.Usage, problem.Next(accession.DoUnstage), "unstage was given names and --all")
	}
	return p.withArchive(func(a *archive.Archive) error {
		r, err := accession.Unstage(a, args, p.all)
		return p.conclude(err, "unstage", r, func() {
			for i, one := range r.Unstaged {
				if i == maxListed {
					p.out("… and %d more", len(r.Unstaged)-maxListed)
					break
				}
				p.out("%s  %s%s", ifText(one.Signed, "as signed", "gone"), one.Name, ifText(one.Artifact == "", "", "  "+one.Artifact))
			}
			for _, c := range r.Citations {
				p.warn("citation %d stays, not bound: %s", c.Ordinal, c.Claim)
			}
			p.say("%s taken back, %s, %s erased", count(len(r.Unstaged), "paper"), count(r.Others, "other change"), count(r.Erased, "object"))
		})
	})
}

func newRereadCommand(p *program) *cobra.Command {
	var mediaType string
	cmd := command("papers", "reread NAME [--media-type TYPE]", "Read an original again, as another type or charset",
		`describe --reread does the same, and says why.`,
		`muniment -C letters reread page.bin --media-type text/html`,
		cobra.ExactArgs(1), p.inArchive(func(cmd *cobra.Command, a *archive.Archive, args []string) error {
			return reread(p, cmd.Context(), a, args[0], mediaType)
		}))
	cmd.Flags().StringVar(&mediaType, "media-type", "", "what the original is, with its charset perhaps")
	return cmd
}

// reread stages a new reading of an original and prints what it changed.
func reread(p *program, ctx context.Context, a *archive.Archive, name, mediaType string) error {
	r, err := accession.Reread(ctx, a, name, mediaType)
	return p.conclude(err, "reread", r, func() {
		if r.Unchanged {
			p.out("%s reads as before", r.Name)
			if r.Charset != "" {
				p.say("note: its charset stays %s", r.Charset)
			}
			return
		}
		p.out("%s  %s", r.Artifact, r.Name)
		p.out("    %s", correctionWords(r.Corrections))
		p.say("next: muniment snapshot -m TEXT")
	})
}

// printDescribed prints what was corrected.
func printDescribed(p *program, r *accession.DescribeResult) {
	for i, one := range r.Described {
		if i == maxListed {
			p.out("… and %d more", len(r.Described)-maxListed)
			break
		}
		p.out("%s  %s", one.Record, one.Name)
		p.out("    %s", correctionWords(one.Corrections))
	}
	for _, s := range r.Skipped {
		p.warn("not used: %s", s.Reason)
	}
	for _, n := range r.Notes {
		p.say("note: %s", n)
	}
	p.say("%s %d, unchanged %d, not used %d", ifText(r.DryRun, "would describe", "described"), len(r.Described), len(r.Unchanged), len(r.Skipped))
	if len(r.Described) > 0 && !r.DryRun {
		p.say("next: muniment snapshot -m TEXT")
	}
}

// maxListed is how many artifacts are listed for people before the rest is
// counted; --json lists all.
const maxListed = 40

func count(n int, noun string) string {
	return display.Count(n, noun)
}
