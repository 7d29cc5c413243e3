package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"muniment/answer"
	"muniment/archive"
	"muniment/archive/problem"
	"muniment/audit/examination"
	"muniment/objects/disk"
)

// maxExamined is the largest file that is examined: a book with pictures.
const maxExamined = 128 << 20

// watchEvery is how often a watched folder is looked at.
const watchEvery = 2 * time.Second

type examineCommand struct {
	*program
	o                         examination.Options
	seal                      answer.AskOptions
	as                        string // who seals
	page, bundle, docx, since string
	key                       string
	sarif, fix, watch         bool
}

// An examinedList is the result of several documents.
type examinedList struct {
	Reports []*examination.Report       `json:"reports"`
	Counts  map[examination.Verdict]int `json:"counts"`
}

func newExamineCommand(prog *program) *cobra.Command {
	p := &examineCommand{program: prog}
	cmd := command("texts", "examine FILE|FOLDER|- ...", "Say what each quotation of a text is worth",
		`Reads a text, a page, a document or a PDF, in any form that add reads, finds its quotations
and the source that each names, and looks them up in every paper: in the source named
first, then in all others. Nothing has to be marked or registered. Each quotation is

  exact        the paper has these words
  scholarly    it has them but for brackets, an ellipsis or modern spelling
  altered      a word, number, name, date or negation is another
  cut          a denial, condition or report around the words is left out
  stitched     two places are run together as one
  elsewhere    the words are in another paper than the one named
  nowhere      no paper has them, though the source named is here
  uncheckable  the source named is not here, or none is named

with its line, the words of the paper, and what differs. No verdict says that something is
true. A sentence in the writer's own words that names its source and contradicts it is listed
too. --complete SCOPE declares that the archive has all of a creator, a series or a kind, so
that what is not here is nowhere. -C may be given several times.

Exit 0: all are exact or scholarly, and there is at least one. Exit 1: something is altered,
cut, stitched, elsewhere, nowhere or contradicted. Exit 3: something cannot be checked, or
there is no quotation.`,
		`muniment -C letters examine article.md
muniment -C letters examine thesis.docx --html thesis.html --docx thesis-marked.docx
muniment -C letters -C diaries examine brief.pdf -o examination.zip
muniment -C letters examine drafts --sarif > found.sarif
muniment -C letters examine report.md --since before.json --fix`,
		cobra.MinimumNArgs(1), p.run)
	fl := cmd.Flags()
	fl.StringArrayVar(&p.o.Complete, "complete", nil, "what the archive has whole: a creator, a `SCOPE` such as letters, or all")
	fl.StringVar(&p.page, "html", "", "write an annotated copy, a page with a card for each quotation, to `FILE.html`")
	fl.StringVar(&p.docx, "docx", "", "write a copy of a DOCX with a comment at each quotation to `FILE.docx`")
	fl.StringVarP(&p.bundle, "out", "o", "", "write the signed bundle of the examination to `FILE.zip`")
	fl.StringVar(&p.since, "since", "", "a report of before, the `FILE` of --json: say what changed")
	fl.BoolVar(&p.fix, "fix", false, "suggest the words of the papers and references; nothing is applied")
	fl.BoolVar(&p.sarif, "sarif", false, "print the findings in SARIF, for editors and continuous integration")
	fl.BoolVar(&p.watch, "watch", false, "examine what changes in a FOLDER, until interrupted")
	fl.StringVar(&p.seal.Requestor, "requestor", "", "for whom the bundle is; the unnamed share the lowest tier")
	fl.StringVar(&p.seal.Tier, "tier", "", "the requestor's tier")
	fl.StringVar(&p.as, "as", "", "archivist: seal all words, whatever consent says; the key must have the right to loosen")
	fl.StringVar(&p.key, "key", "", "the private key `FILE` to sign the bundle with")
	return cmd
}

func (p *examineCommand) run(cmd *cobra.Command, args []string) error {
	collectAt(gcPercentAnswer)
	defer spareMemory(examineMemory)()
	files, several, err := documentsOf(args)
	if err != nil {
		return err
	}
	if (several || p.watch) && p.page+p.docx+p.bundle+p.since != "" {
		return misuse("--html, --docx, -o and --since are of one document", "muniment examine FILE --html FILE.html")
	}
	archives, err := p.openAll()
	if err != nil {
		return err
	}
	for _, a := range archives {
		defer a.Close()
		p.o.Places = append(p.o.Places, examination.Place{Archive: a})
	}
	update, end := p.progress("index")
	p.o.Progress = update
	defer end()
	switch {
	case p.watch:
		return p.watchFolders(cmd.Context(), args)
	case several:
		return p.examineAll(cmd.Context(), files)
	}
	return p.examineOne(cmd.Context(), archives[0], files[0])
}

// openAll opens the archives that the flags name, or the one of the place.
func (p *examineCommand) openAll() ([]*archive.Archive, error) {
	dirs := p.dirs
	if len(dirs) == 0 {
		dirs = []string{""}
	}
	var out []*archive.Archive
	for _, dir := range dirs {
		p.dir = dir
		a, err := p.open()
		if err != nil {
			for _, a := range out {
				a.Close()
			}
			return nil, err
		}
		out = append(out, a)
	}
	return out, nil
}

// documentsOf returns the documents that arguments name, those of a folder included, and whether there may be several.
func documentsOf(args []string) (files []string, several bool, err error) {
	several = len(args) > 1
	for _, arg := range args {
		info, err := os.Stat(arg)
		switch {
		case arg == "-":
			files = append(files, arg)
		case err != nil:
			return nil, false, problem.New(problem.Usage, problem.Advise("give a readable file or folder, or - for standard input"), "%w", err)
		case !info.IsDir():
			files = append(files, arg)
		default:
			several = true
			inside, err := documentsIn(arg)
			if err != nil {
				return nil, false, err
			}
			files = append(files, inside...)
		}
	}
	return files, several, nil
}

// examinedForms are the extensions of files of a folder that are examined.
var examinedForms = []string{".md", ".markdown", ".txt", ".html", ".htm", ".docx", ".odt", ".rtf", ".pdf", ".epub", ".tex"}

// documentsIn returns the documents in a folder, in the order of their names.
func documentsIn(dir string) ([]string, error) {
	var out []string
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && strings.HasPrefix(d.Name(), ".") && name != dir {
			return fs.SkipDir
		}
		if d.Type().IsRegular() && slices.Contains(examinedForms, strings.ToLower(filepath.Ext(name))) {
			out = append(out, name)
		}
		return nil
	})
	if err != nil {
		return nil, problem.New(problem.Usage, problem.Advise("give a readable folder"), "%w", err)
	}
	return out, nil
}

// examine reads and examines one document.
func (p *examineCommand) examine(ctx context.Context, file string) (*examination.Report, []byte, error) {
	var data []byte
	var err error
	if file == "-" {
		data, err = io.ReadAll(io.LimitReader(p.stdin, maxExamined+1))
	} else {
		data, err = disk.ReadPlain(file, maxExamined)
	}
	if err != nil || len(data) > maxExamined {
		if err == nil {
			err = disk.ErrTooLarge
		}
		return nil, nil, problem.New(problem.Usage, problem.Advise("give a readable file of at most 128 MiB, or - for standard input"), "%s: %w", file, err)
	}
	r, err := examination.Examine(ctx, examination.Input{Name: file, Data: data}, p.o)
	return r, data, err
}

// examineOne examines one document and writes what was asked for.
func (p *examineCommand) examineOne(ctx context.Context, a *archive.Archive, file string) error {
	for _, f := range []string{p.page, p.docx, p.bundle} {
		if f != "" {
			if err := archive.CheckNewFile(f); err != nil {
				return err
			}
		}
	}
	r, data, err := p.examine(ctx, file)
	if err != nil {
		return err
	}
	if p.since != "" {
		if err := p.compare(r); err != nil {
			return err
		}
	}
	if p.fix {
		r.Fixes = r.SuggestFixes()
	}
	if err := p.writeCopies(ctx, a, r, data); err != nil {
		return err
	}
	if p.sarif {
		return errors.Join(p.printSARIF(r), r.Err())
	}
	p.show("examination", r, func() { p.printReport(r) })
	return r.Err()
}

// compare reads the report of before.
func (p *examineCommand) compare(r *examination.Report) error {
	text, err := p.readText(p.since, maxContent)
	if err != nil {
		return err
	}
	var before examination.Report
	if err := json.Unmarshal([]byte(text), &before); err != nil || before.Document.SHA256 == "" {
		return misuse(p.since+" is no report of an examination", "muniment examine FILE --json > before.json writes one")
	}
	since := r.Compare(&before)
	r.Since = &since
	return nil
}

// writeCopies writes the annotated copies and the bundle.
func (p *examineCommand) writeCopies(ctx context.Context, a *archive.Archive, r *examination.Report, data []byte) error {
	if p.page != "" {
		page, err := r.Page()
		if err != nil {
			return problem.Wrap(err, "page")
		}
		if err := os.WriteFile(p.page, page, 0o666); err != nil {
			return &problem.Error{Kind: problem.Environment, Message: err.Error(), Next: problem.Advise("choose another place"), Err: err}
		}
		p.say("annotated copy: %s", p.page)
	}
	if p.docx != "" {
		marked, err := r.MarkDOCX(data)
		if err != nil {
			return err
		}
		if err := os.WriteFile(p.docx, marked, 0o666); err != nil {
			return &problem.Error{Kind: problem.Environment, Message: err.Error(), Next: problem.Advise("choose another place"), Err: err}
		}
		p.say("copy with comments: %s", p.docx)
	}
	if p.bundle == "" {
		return nil
	}
	var err error
	o := p.seal
	o.BundleFile = p.bundle
	if o.Archivist, err = asksAsArchivist(p.as); err != nil {
		return err
	}
	if o.Signer, err = p.answerSigner(p.key); err != nil {
		return err
	}
	sealed, err := examination.Seal(ctx, a, r, o)
	if err != nil {
		return err
	}
	p.say("bundle %s: %s; muniment verify %s checks it", sealed.BundleID, p.bundle, p.bundle)
	return nil
}

// examineAll examines several documents and prints one summary.
func (p *examineCommand) examineAll(ctx context.Context, files []string) error {
	list := examinedList{Reports: []*examination.Report{}, Counts: map[examination.Verdict]int{}}
	var worst error
	for _, file := range files {
		r, _, err := p.examine(ctx, file)
		if err != nil {
			return err
		}
		list.Reports = append(list.Reports, r)
		for v, n := range r.Counts {
			list.Counts[v] += n
		}
		worst = worseOf(worst, r.Err())
	}
	if len(files) == 0 {
		worst = &problem.Error{Kind: problem.PartlyDone, Message: "no document was found", Next: problem.Advise("examined are " + strings.Join(examinedForms, ", "))}
	}
	if p.sarif {
		return errors.Join(p.printSARIF(list.Reports...), worst)
	}
	p.show("examinations", list, func() {
		for _, r := range list.Reports {
			p.printReport(r)
		}
		p.out("%s: %s", count(len(list.Reports), "document"), countVerdicts(list.Counts))
	})
	return worst
}

// worseOf returns the error with the graver exit code: something wrong goes before something open.
func worseOf(a, b error) error {
	var x *problem.Error
	if errors.As(a, &x) && x.Kind == problem.VerdictNegative || b == nil {
		return a
	}
	return b
}

// watchFolders examines documents when they change, until it is interrupted.
func (p *examineCommand) watchFolders(ctx context.Context, args []string) error {
	seen := map[string]time.Time{}
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		files, _, err := documentsOf(args)
		if err != nil {
			return err
		}
		for _, file := range files {
			info, err := os.Stat(file)
			if err != nil || seen[file].Equal(info.ModTime()) {
				continue
			}
			seen[file] = info.ModTime()
			r, _, err := p.examine(ctx, file)
			if err != nil {
				p.say("%s: %s", file, err)
				continue
			}
			p.show("examination", r, func() { p.printReport(r) })
		}
		select {
		case <-ctx.Done():
			return interruptedError()
		case <-tick.C:
		}
	}
}

func (p *examineCommand) printSARIF(all ...*examination.Report) error {
	data, err := examination.SARIF(all...)
	if err == nil {
		p.out("%s", data)
	}
	return problem.Wrap(err, "SARIF")
}

// printReport prints a report, the worst items first.
func (p *examineCommand) printReport(r *examination.Report) {
	p.out("%s: %s", r.Document.Name, r.Summary())
	for _, same := range r.Groups() {
		if i := same[0]; i.Verdict != examination.Exact || i.Bad() {
			p.printItem(i, same[1:])
		}
	}
	if n := r.Counts[examination.Exact]; n > 0 {
		p.out("  %d exact, not listed: --json or --html has all", n)
	}
	if s := r.Since; s != nil {
		p.out("  since before: %d new, %d with another verdict, %d gone", len(s.New), len(s.Changed), len(s.Gone))
	}
	for _, f := range r.Fixes {
		p.prose("  fix %d, line %d: “%s” (%s)", f.Item, f.Line, oneLine(f.Instead), f.Source)
	}
	if r.Short > 0 {
		p.say("note: left out %s of a word or two, or titles: not in the paper that is named, or in none here, and perhaps the writer's own words", count(r.Short, "quotation"))
	}
	if r.Skipped > 0 {
		p.say("note: %s beyond the limit of one document", count(r.Skipped, "quotation"))
	}
}

func (p *examineCommand) printItem(i *examination.Item, same []*examination.Item) {
	at := "line " + itoa(i.At.Line)
	if i.At.Page > 0 {
		at += ", p. " + itoa(i.At.Page)
	}
	verdict := string(i.Verdict)
	for _, v := range i.Also {
		verdict += ", " + string(v)
	}
	p.prose("%4d  %-11s  %s  “%s”", i.Item, verdict, at, clipLine(i.Text))
	p.prose("      %s", i.Reason)
	if i.Found != nil {
		p.prose("      %s, %s: “%s”", i.Found.Label(), i.Found.Place(), clipLine(i.Found.Text))
		if whole := i.Whole(); whole != "" {
			p.prose("      whole: “%s”", oneLine(whole))
		}
	} else if i.Nearest != nil {
		p.prose("      nearest, %s, %s: “%s”", i.Nearest.Label(), i.Nearest.Place(), clipLine(i.Nearest.Text))
	}
	if n := i.Named; n != nil && n.Here && i.Bad() && (i.Found == nil || i.Found.Artifact != n.Artifact) {
		p.prose("      its source: %s", n.Label())
	}
	if len(same) > 0 {
		p.prose("      and %s more for the same reason, to line %d: --json or --html has all", itoa(len(same)), same[len(same)-1].At.Line)
	}
	if i.Bad() && !i.Verdict.Bad() {
		p.prose("      the sentence says otherwise: %s", i.Claim.Reason)
	}
}

// clipLine returns a text on one line, of at most a line or two.
func clipLine(s string) string {
	const most = 160
	s = oneLine(s)
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + " …"
	}
	return s
}

// countVerdicts returns the counts of verdicts in words, the worst first.
func countVerdicts(counts map[examination.Verdict]int) string {
	var out []string
	for _, v := range examination.Verdicts {
		if counts[v] > 0 {
			out = append(out, itoa(counts[v])+" "+string(v))
		}
	}
	if len(out) == 0 {
		return "no quotations"
	}
	return strings.Join(out, ", ")
}
