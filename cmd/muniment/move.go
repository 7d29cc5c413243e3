package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"muniment/accession"
	"muniment/archive"
	"muniment/archive/problem"
	"muniment/custody"
	"muniment/engine"
	"muniment/handover"
	"muniment/internal/release"
	"muniment/policy"
	"muniment/server"
	"muniment/server/pages"
)

type importCommand struct {
	*program
	o          accession.AddOptions
	answerFlag answerImport
	bib        string
	from       packageImport
}

func newImportCommand(prog *program) *cobra.Command {
	p := &importCommand{program: prog}
	cmd := command("copies", "import BAG | --ocfl DIR | --ro-crate DIR | ANSWER.json --format FORMAT | --bib FILE", "Take in a bag, the citations of a model's answer, or sources",
		`Validates a BagIt bag (1.0 or 0.97), a folder or packed as zip, tar or tar.gz, and
stages its payload for the next snapshot. A bag that is not valid adds nothing; the
reasons are listed and the exit code is 1. The files outside data/ are kept under the
bag's name and !/, and the sender's data in bag-info.txt become facts. A bag that export
wrote brings names, metadata, records, consent and citations back as they were.

With --ocfl it validates a storage root or an object of OCFL 1.0 or 1.1, with --ro-crate
a crate of RO-Crate 1.1, and stages the files of the newest version in the same way.

With --format anthropic, openai or cohere it reads the JSON of an answer, or - for
standard input, and registers every citation in it whose words are in the artifact it
names; the others are rejected with the reason. --map is a JSON object from the answer's
name of a document (file id, address, title, or place from 0) to an artifact. Exit 1
when a citation was rejected.

With --bib it reads a file of a reference manager (BibTeX, RIS or CSL-JSON), or - for
standard input, and registers each reference as a source without a body, as source add
does. A source that is there already is not registered twice. A reference that cannot
be read is refused with its line; the others are registered, and the exit code is 3.`,
		`muniment -C letters import box-7-bag
muniment -C letters import box-7.zip -n
muniment -C letters import --ocfl store
muniment -C letters import answer.json --format anthropic --map names.json
muniment -C letters import --bib library.bib`,
		cobra.MaximumNArgs(1), p.run)
	cmd.Flags().BoolVarP(&p.o.DryRun, "dry-run", "n", false, "show what would happen to a bag or to sources")
	cmd.Flags().StringVar(&p.from.ocfl, "ocfl", "", "the folder `DIR` of an OCFL storage root or object")
	cmd.Flags().StringVar(&p.from.crate, "ro-crate", "", "the folder `DIR` of an RO-Crate")
	cmd.Flags().StringVar(&p.bib, "bib", "", "register the sources of a BibTeX, RIS or CSL-JSON `FILE`")
	cmd.Flags().StringVar(&p.answerFlag.format, "format", "", "anthropic, openai or cohere")
	cmd.Flags().StringVar(&p.answerFlag.names, "map", "", "a JSON `FILE` of artifacts by the answer's names")
	cmd.Flags().StringVar(&p.answerFlag.session, "session", "", "name of the conversation or task")
	return cmd
}

func (p *importCommand) run(cmd *cobra.Command, args []string) error {
	if p.from.ocfl+p.from.crate != "" {
		return p.importPackage(cmd.Context(), p.from, p.bib+p.answerFlag.format+p.answerFlag.names, args, p.o)
	}
	if p.bib != "" && len(args)+len(p.answerFlag.format+p.answerFlag.names+p.answerFlag.session) == 0 {
		return p.importSources(p.bib, p.o.DryRun)
	}
	if len(args) == 0 || p.bib != "" {
		return misuse("import takes one thing: a bag, an answer with --format, or --bib FILE", "muniment import --help")
	}
	if p.answerFlag.format != "" || p.answerFlag.names != "" {
		return importAnswer(p.program, args[0], p.answerFlag)
	}
	return p.importBag(cmd.Context(), args[0], p.o)
}

// importBag takes in a bag and the citations in it.
func (p *importCommand) importBag(ctx context.Context, file string, o accession.AddOptions) error {
	return p.withArchive(func(a *archive.Archive) error {
		bag, err := handover.ImportBag(ctx, a, file, o)
		if bag == nil {
			return err
		}
		r := &importedBag{BagImportResult: bag}
		if r.Added != nil {
			addHints(r.Added)
		}
		if len(r.Citations) > 0 && !o.DryRun {
			var fault error
			if r.Cited, fault = engine.TakeCitations(ctx, a, r.Citations); fault != nil {
				return fault
			}
		}
		p.show("import", r, func() {
			p.out("%s: %s; files: %d ok, %d failed, %d absent, %d not checked", r.Bag, ifText(r.Valid, "a valid bag", "not a valid bag"), r.Report.OK, r.Report.Failed, r.Report.Absent, r.Report.NotChecked)
			for _, x := range r.Report.Problems {
				p.out("  %s  %s: %s", x.State, ifText(x.Path != "", x.Path, "the bag"), x.Reason)
			}
			p.sayAdded(r.Added)
			for _, name := range r.Empty {
				p.say("note: %s has no bytes: its name is kept with the bag's", name)
			}
			p.sayCited(r.Cited)
		})
		return withoutPartial(err)
	})
}

// A packageImport is the folder of a package that is no bag.
type packageImport struct{ ocfl, crate string }

// An importedPackage is what became of a package and of the citations in it.
type importedPackage struct {
	*handover.PackageImportResult
	Cited *engine.HandedCitations `json:"cited,omitempty"`
}

// importPackage takes in a storage root of OCFL or a crate.
func (p *importCommand) importPackage(ctx context.Context, from packageImport, other string, args []string, o accession.AddOptions) error {
	if other != "" || len(args) > 0 || from.ocfl != "" && from.crate != "" {
		return misuse("import takes one thing: a bag, --ocfl DIR, --ro-crate DIR, an answer with --format, or --bib FILE", "muniment import --help")
	}
	return p.withArchive(func(a *archive.Archive) error {
		dir, take := from.ocfl, handover.ImportOCFL
		if from.crate != "" {
			dir, take = from.crate, handover.ImportCrate
		}
		taken, err := take(ctx, a, dir, o)
		if taken == nil {
			return err
		}
		r := &importedPackage{PackageImportResult: taken}
		addHints(r.Added)
		if len(r.Citations) > 0 && !o.DryRun {
			var fault error
			if r.Cited, fault = engine.TakeCitations(ctx, a, r.Citations); fault != nil {
				return fault
			}
		}
		p.show("import_package", r, func() {
			p.out("%s: valid; %s", r.Package, count(r.Files, "file"))
			p.sayAdded(r.Added)
			p.sayCited(r.Cited)
		})
		return withoutPartial(err)
	})
}

// sayAdded prints the artifacts, skipped files and notes of an import; nil prints nothing.
func (p *importCommand) sayAdded(r *accession.AddResult) {
	if r == nil {
		return
	}
	for _, s := range r.Skipped {
		p.warn("skipped %s: %s", s.Path, s.Reason)
	}
	for _, n := range r.Notes {
		p.say("note: %s", n)
	}
	p.say("added %d, unchanged %d, skipped %d", r.Added, r.Unchanged, len(r.Skipped))
}

// An importedBag is what became of a bag and of the citations in it.
type importedBag struct {
	*handover.BagImportResult
	Cited *engine.HandedCitations `json:"cited,omitempty"`
}

// sayCited prints the counts of imported and refused citations; nil prints nothing.
func (p *importCommand) sayCited(c *engine.HandedCitations) {
	if c == nil {
		return
	}
	for _, one := range c.Refused {
		p.warn("citation %d refused: %s", one.Number, one.Reason)
	}
	p.say("citations: %d registered, %d there already, %d refused", c.Registered, c.Unchanged, len(c.Refused))
}

type exportCommand struct {
	*program
	bag, store, crate, aid, gitBundle, warc string
	citedFlag                               citationExport
	site                                    siteExport
	as                                      string // for whom, instead of a tier
}

func newExportCommand(prog *program) *cobra.Command {
	p := &exportCommand{program: prog}
	cmd := command("copies", "export --bag DIR|--ocfl DIR|--ro-crate DIR|--finding-aid FILE|--warc FILE [ID|NAME…] | --git-bundle FILE | --site DIR | --annotations FILE | --prov FILE", "Write originals into a bag, the archive into one file, its pages as a site, or citations for others",
		`--bag writes the originals of the newest snapshot, or of the artifacts that are named,
byte for byte and under their names into a new BagIt 1.0 bag with sha256 and sha512
manifests; the folder muniment in it has records, consent and citations, metadata a
table for other programs. --git-bundle writes every snapshot, with tags, logs and
countersignatures, into one file that git clone reads. An interrupted export leaves no
half bag or file.

--ocfl writes the same into a storage root of OCFL 1.1, and --ro-crate into an RO-Crate
1.1. --finding-aid writes a list of the holdings into a new file, or - for EAD to
standard output: EAD 3 for .xml, a table for .csv, a page for .html.

--warc writes the pages from the web, with the times of their capture, into a new file
of WARC 1.1: NAME.warc.gz, NAME.warc or, packed with an index, NAME.wacz.

--annotations writes the citations as W3C Web Annotations (JSON-LD), --prov as
PROV-JSON, into a new file or, for -, to standard output.

--site writes the pages of muniment serve as files into a new folder, for any web
server, a USB stick or no server at all, with a search that needs none. The list
of the files is signed: muniment verify DIR checks it.

Each says for whom it was made. A bag is of everything, unless --tier says for whom; a
git bundle is the archive itself. All others show what consent lets --tier see, by default
the lowest tier; with --everything the whole archive. A package for others has the
originals that they may read whole, a finding aid what they may know of.`,
		`muniment -C letters export --bag letters-bag
muniment -C letters export --finding-aid letters.html
muniment -C letters export --ro-crate letters-crate --tier family
muniment -C letters export --git-bundle letters.bundle
muniment -C letters export --site letters-site
muniment -C letters export --annotations citations.jsonld`,
		cobra.ArbitraryArgs, p.run)
	cmd.Flags().StringVar(&p.bag, "bag", "", "the new folder `DIR` of the bag")
	cmd.Flags().StringVar(&p.site.dir, "site", "", "the new `DIR` for the pages")
	cmd.Flags().StringVar(&p.site.tier, "tier", "", "whom it is for: a tier of the policy, the lowest without it")
	cmd.Flags().BoolVar(&p.site.everything, "everything", false, "show the whole archive, whatever consent says")
	cmd.Flags().StringVar(&p.as, "as", "", "archivist: the same as --everything")
	cmd.Flags().StringVar(&p.site.key, "key", "", "the private key `FILE` to sign the site with")
	cmd.Flags().BoolVar(&p.site.private, "private", false, "let only you read the files of the site; else everybody may")
	cmd.Flags().StringVar(&p.store, "ocfl", "", "the new folder `DIR` of an OCFL storage root")
	cmd.Flags().StringVar(&p.crate, "ro-crate", "", "the new folder `DIR` of an RO-Crate")
	cmd.Flags().StringVar(&p.aid, "finding-aid", "", "the new `FILE`.xml, .csv or .html of a finding aid")
	cmd.Flags().StringVar(&p.warc, "warc", "", "the new `FILE`.warc.gz, .warc or .wacz of the pages from the web")
	cmd.Flags().StringVar(&p.gitBundle, "git-bundle", "", "the new `FILE` that git clone reads")
	cmd.Flags().StringVar(&p.citedFlag.annotations, "annotations", "", "the new `FILE` of Web Annotations")
	cmd.Flags().StringVar(&p.citedFlag.prov, "prov", "", "the new `FILE` of PROV-JSON")
	cmd.Flags().StringVar(&p.citedFlag.session, "session", "", "the citations of this session only")
	return cmd
}

// view returns the view on the newest snapshot of those for whom the export is.
func (p *exportCommand) view(a *archive.Archive) (*policy.View, error) {
	switch {
	case p.site.everything && p.site.tier != "":
		return nil, misuse("--everything leaves no tier to choose", "muniment export --bag DIR --tier TIER")
	case p.site.everything, p.bag != "" && p.site.tier == "":
		return policy.HolderView(), nil
	}
	return a.ReaderView(p.site.tier)
}

func (p *exportCommand) run(cmd *cobra.Command, args []string) error {
	archivist, err := asksAsArchivist(p.as)
	if err != nil {
		return err
	}
	p.site.everything = p.site.everything || archivist
	if p.site.dir != "" {
		if p.bag+p.store+p.crate+p.aid+p.gitBundle+p.citedFlag.annotations+p.citedFlag.prov != "" || len(args) > 0 {
			return misuse("--site writes the pages, alone", "muniment export --site DIR")
		}
		return p.exportSite(cmd.Context(), p.site)
	}
	if p.warc != "" {
		return p.exportWARC(cmd.Context(), p.warc, p.bag+p.store+p.crate+p.aid+p.gitBundle+p.citedFlag.annotations+p.citedFlag.prov, args)
	}
	if p.citedFlag.annotations != "" || p.citedFlag.prov != "" {
		return p.exportCitations(p.citedFlag, p.bag+p.store+p.crate+p.aid+p.gitBundle, args)
	}
	if p.gitBundle != "" {
		return p.exportGitBundle(p.gitBundle, p.bag+p.store+p.crate+p.aid, args)
	}
	dir, write, n := "", packageWriter(nil), 0
	for _, one := range []struct {
		dir   string
		write packageWriter
	}{{p.bag, handover.ExportBag}, {p.store, handover.ExportOCFL}, {p.crate, handover.ExportCrate}, {p.aid, nil}} {
		if one.dir != "" {
			dir, write, n = one.dir, one.write, n+1
		}
	}
	switch {
	case n != 1:
		return misuse("export needs one folder or file to make", "muniment export --bag DIR")
	case write == nil:
		return p.exportFindingAid(dir, args)
	}
	return p.exportPackage(cmd.Context(), dir, write, args)
}

// A packageWriter writes a package into a new folder.
type packageWriter = func(context.Context, *archive.Archive, string, handover.Options) (*handover.BagExportResult, error)

// exportPackage writes originals and what the archive says of them into a folder.
func (p *exportCommand) exportPackage(ctx context.Context, dir string, write packageWriter, refs []string) error {
	return p.withArchive(func(a *archive.Archive) error {
		v, err := p.view(a)
		if err != nil {
			return err
		}
		citations, err := engine.HandOnCitations(a, refs, v)
		if err != nil {
			return err
		}
		r, err := write(ctx, a, dir, handover.Options{View: v, Refs: refs, Citations: citations})
		return p.conclude(err, "export", r, func() {
			p.out("%s", r.Dir)
			p.out("%s, %d bytes, snapshot %s", count(r.Files, "file"), r.Octets, r.Snapshot)
			p.say("made for %s", v.For())
			for _, w := range r.Warnings {
				p.say("note: %s", w)
			}
			if _, err := os.Stat(filepath.Join(dir, "bagit.txt")); err == nil {
				p.say("next: sha256sum -c manifest-sha256.txt in it, or muniment import %s elsewhere", r.Dir)
			}
		})
	})
}

// exportWARC writes the pages from the web into a web archive; others are the other
// files and folders that were asked for.
func (p *exportCommand) exportWARC(ctx context.Context, file, others string, refs []string) error {
	if others != "" {
		return misuse("--warc writes the pages from the web, alone", "muniment export --warc FILE.warc.gz")
	}
	return p.withArchive(func(a *archive.Archive) error {
		v, err := p.view(a)
		if err != nil {
			return err
		}
		r, err := handover.ExportWARC(ctx, a, file, "muniment "+release.Current("muniment").Version, handover.Options{View: v, Refs: refs})
		return p.conclude(err, "export", r, func() {
			p.out("%s", r.File)
			p.out("%s, %d bytes, snapshot %s", count(r.Pages, "page"), r.Octets, r.Snapshot)
			p.say("made for %s", v.For())
			if r.Left > 0 {
				p.say("note: %s left out, which did not come from the web", count(r.Left, "paper"))
			}
			for _, w := range r.Warnings {
				p.say("note: %s", w)
			}
			p.say("next: muniment add %s in another archive", r.File)
		})
	})
}

// exportFindingAid writes a finding aid in the form that the file's name says.
func (p *exportCommand) exportFindingAid(file string, refs []string) error {
	form := strings.TrimPrefix(strings.ToLower(filepath.Ext(file)), ".")
	switch {
	case form == "xml" || file == "-":
		form = handover.FindingAidEAD
	case form == "htm":
		form = handover.FindingAidHTML
	}
	return p.withArchive(func(a *archive.Archive) error {
		v, err := p.view(a)
		if err != nil {
			return err
		}
		data, err := handover.FindingAid(a, form, handover.Options{View: v, Refs: refs})
		if err != nil {
			return err
		}
		return writeExport(p.program, "finding_aid", file, data, v)
	})
}

func (p *exportCommand) exportGitBundle(file, bag string, args []string) error {
	if bag != "" || len(args) > 0 {
		return misuse("--git-bundle takes the whole archive, alone", "muniment export --git-bundle FILE")
	}
	return p.withArchive(func(a *archive.Archive) error {
		update, end := p.progress("export")
		r, err := custody.ExportGitBundle(a, file, update)
		end()
		return p.conclude(err, "export", r, func() {
			p.out("%s", r.File)
			p.out("%s, snapshot %d %s", count(r.Objects, "object"), r.Seq, r.Snapshot)
			p.say("next: git clone %s DIR; or git clone --mirror %s DIR.git, which muniment clone reads", r.File, r.File)
		})
	})
}

// A siteExport is what the flags of export say of a site.
type siteExport struct {
	dir, tier, key string
	everything     bool
	private        bool
}

// exportSite writes the pages of the archive as files.
func (p *exportCommand) exportSite(ctx context.Context, o siteExport) error {
	if o.everything && o.tier != "" {
		return misuse("--everything leaves no tier to choose", "muniment export --site DIR --tier TIER")
	}
	signer, err := p.signer(o.key)
	if err != nil {
		return err
	}
	if err := p.withArchive(func(a *archive.Archive) error { _, err := a.ReaderView(o.tier); return err }); err != nil {
		return err
	}
	s, err := server.New(server.Options{Open: p.open, Limits: server.Limits{Readers: 1}})
	if err != nil {
		return err
	}
	defer s.Close()
	reader := s.Reader(o.tier)
	if o.everything {
		reader = s.Client(server.Credential{Name: "site", Role: engine.RoleAdmin}, "")
	}
	update, end := p.progress("export")
	r, err := pages.Export(ctx, reader, o.dir, pages.SiteOptions{Signer: signer, Private: o.private, Progress: update})
	end()
	return p.conclude(err, "export", r, func() {
		p.out("%s", r.Dir)
		p.out("%s on %s, %d bytes, of these %d for search; the largest page has %d", count(r.Papers, "paper"), count(r.Pages, "page"), r.Bytes, r.Search, r.Largest)
		p.out("shown: %s; snapshot %d %s; signed by %s", r.Shown, r.Seq, r.Snapshot, r.Signer)
		p.say("next: open %s in a browser, or muniment verify %s --trust allowed_signers", filepath.Join(r.Dir, "index.html"), shellWord(r.Dir))
	})
}

// importSources registers the sources of a reference manager's file.
func (p *importCommand) importSources(file string, dryRun bool) error {
	text, err := p.readText(file, engine.MaxSourcesFile)
	if err != nil {
		return err
	}
	return p.withArchive(func(a *archive.Archive) error {
		r, err := engine.ImportSources(a, engine.SourcesImport{Name: file, Data: []byte(text), DryRun: dryRun})
		if r == nil {
			return err
		}
		p.show("source_import", r, func() {
			for _, s := range r.Sources {
				p.out("line %d  %s  %s  %s", s.Line, s.Verdict, s.Entry, ifText(s.Reason != "", s.Reason, s.Record+"  "+s.Title))
				for _, n := range s.Notes {
					p.out("   %s", n)
				}
			}
			p.out("%s: %d registered, %d there already, %d refused", r.Format, r.Registered, r.Duplicate, r.Refused)
			if r.Registered > 0 && !dryRun {
				p.say("staged; next: muniment source list, muniment snapshot")
			}
		})
		var partly *problem.Error
		if errors.As(err, &partly) {
			partly.Partial = nil // it was printed
		}
		return err
	})
}
