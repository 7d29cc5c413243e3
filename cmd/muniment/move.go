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
	"muniment/custody"
	"muniment/engine"
	"muniment/release"
	"muniment/server"
	"muniment/server/pages"
)

func (p *program) importCommand() *cobra.Command {
	var o accession.AddOptions
	var answer answerImport
	var bib string
	var from packageImport
	cmd := command("move", "import BAG | --ocfl DIR | --ro-crate DIR | ANSWER.json --format FORMAT | --bib FILE", "Take in a bag, the citations of a model's answer, or sources",
		`Validates a BagIt bag (1.0 or 0.97), a folder or packed as zip, tar or tar.gz, and
stages its payload for the next snapshot. A bag that is not valid adds nothing; the
reasons are listed and the exit code is 1. The files outside data/ are kept under the
bag's name and !/, and what bag-info.txt says of its sender becomes facts. A bag that
export wrote brings names, metadata, records, consent and citations back as they were.

With --ocfl it validates a storage root or an object of OCFL 1.0 or 1.1, with --ro-crate
a crate of RO-Crate 1.1, and stages the files of the newest version in the same way.

With --format anthropic, openai or cohere it reads the JSON of an answer, or - for
standard input, and registers every citation in it whose words are in the artifact it
names; the others are rejected with the reason. --map is a JSON object from what the
answer calls a document (file id, address, title, or place from 0) to an artifact.
Exit 1 when a citation was rejected.

With --bib it reads a file of a reference manager (BibTeX, RIS or CSL-JSON), or - for
standard input, and registers each reference as a source without a body, as source add
does. A source that is there already is not registered twice. A reference that cannot
be read is refused with its line; the others are registered, and the exit code is 3.`,
		`muniment -C letters import box-7-bag
muniment -C letters import box-7.zip -n
muniment -C letters import --ocfl store
muniment -C letters import answer.json --format anthropic --map names.json
muniment -C letters import --bib library.bib`,
		cobra.MaximumNArgs(1), func(cmd *cobra.Command, args []string) error {
			if from.ocfl+from.crate != "" {
				return p.importPackage(cmd.Context(), from, bib+answer.format+answer.names, args, o)
			}
			if bib != "" && len(args)+len(answer.format+answer.names+answer.session) == 0 {
				return p.importSources(bib, o.DryRun)
			}
			if len(args) == 0 || bib != "" {
				return &archive.Error{Kind: archive.TypeUsage, Message: "import takes one thing: a bag, an answer with --format, or --bib FILE", Next: archive.Advise("muniment import --help")}
			}
			if answer.format != "" || answer.names != "" {
				return p.importAnswer(args[0], answer)
			}
			return p.importBag(cmd.Context(), args[0], o)
		})
	cmd.Flags().BoolVarP(&o.DryRun, "dry-run", "n", false, "show what would happen to a bag or to sources")
	cmd.Flags().StringVar(&from.ocfl, "ocfl", "", "the folder `DIR` of an OCFL storage root or object")
	cmd.Flags().StringVar(&from.crate, "ro-crate", "", "the folder `DIR` of an RO-Crate")
	cmd.Flags().StringVar(&bib, "bib", "", "register the sources of a BibTeX, RIS or CSL-JSON `FILE`")
	cmd.Flags().StringVar(&answer.format, "format", "", "anthropic, openai or cohere")
	cmd.Flags().StringVar(&answer.names, "map", "", "a JSON `FILE` of artifacts by the answer's names")
	cmd.Flags().StringVar(&answer.session, "session", "", "name of the conversation or task")
	return cmd
}

// importBag takes in a bag and the citations in it.
func (p *program) importBag(ctx context.Context, file string, o accession.AddOptions) error {
	a, err := p.open()
	if err != nil {
		return err
	}
	defer a.Close()
	bag, err := custody.ImportBag(ctx, a, file, o)
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
	var problem *archive.Error
	if errors.As(err, &problem) {
		problem.Partial = nil // it was printed
	}
	return err
}

// A packageImport is the folder of a package that is no bag.
type packageImport struct{ ocfl, crate string }

// An importedPackage is what became of a package and of the citations in it.
type importedPackage struct {
	*custody.PackageImportResult
	Cited *engine.HandedCitations `json:"cited,omitempty"`
}

// importPackage takes in a storage root of OCFL or a crate.
func (p *program) importPackage(ctx context.Context, from packageImport, other string, args []string, o accession.AddOptions) error {
	if other != "" || len(args) > 0 || from.ocfl != "" && from.crate != "" {
		return &archive.Error{Kind: archive.TypeUsage, Message: "import takes one thing: a bag, --ocfl DIR, --ro-crate DIR, an answer with --format, or --bib FILE", Next: archive.Advise("muniment import --help")}
	}
	return p.withArchive(func(a *archive.Archive) error {
		dir, take := from.ocfl, custody.ImportOCFL
		if from.crate != "" {
			dir, take = from.crate, custody.ImportCrate
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
		var problem *archive.Error
		if errors.As(err, &problem) {
			problem.Partial = nil // it was printed
		}
		return err
	})
}

// sayAdded says what was taken from a package, nil for nothing.
func (p *program) sayAdded(r *accession.AddResult) {
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
	*custody.BagImportResult
	Cited *engine.HandedCitations `json:"cited,omitempty"`
}

// sayCited says what became of the citations of a package, nil for none.
func (p *program) sayCited(c *engine.HandedCitations) {
	if c == nil {
		return
	}
	for _, one := range c.Refused {
		p.warn("citation %d refused: %s", one.Number, one.Reason)
	}
	p.say("citations: %d registered, %d there already, %d refused", c.Registered, c.Unchanged, len(c.Refused))
}

func (p *program) exportCommand() *cobra.Command {
	var bag, store, crate, aid, gitBundle, warc string
	var cited citationExport
	var site siteExport
	cmd := command("move", "export --bag DIR|--ocfl DIR|--ro-crate DIR|--finding-aid FILE|--warc FILE [ID|NAME…] | --git-bundle FILE | --site DIR | --annotations FILE | --prov FILE", "Write originals into a bag, the archive into one file, its pages as a site, or citations for others",
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

--site writes the pages of muniment serve as files into a new folder, for any web server,
a USB stick or no server at all, with a search that needs none. They show what consent
lets --tier see, the lowest tier without it; with --everything all that the archive
holds. The list of the files is signed: muniment verify DIR checks it.`,
		`muniment -C letters export --bag letters-bag
muniment -C letters export --finding-aid letters.html
muniment -C letters export --git-bundle letters.bundle
muniment -C letters export --site letters-site
muniment -C letters export --annotations citations.jsonld`,
		cobra.ArbitraryArgs, func(cmd *cobra.Command, args []string) error {
			if site.dir != "" {
				if bag+store+crate+aid+gitBundle+cited.annotations+cited.prov != "" || len(args) > 0 {
					return &archive.Error{Kind: archive.TypeUsage, Message: "--site writes the pages, alone", Next: archive.Advise("muniment export --site DIR")}
				}
				return p.exportSite(cmd.Context(), site)
			}
			if warc != "" {
				return p.exportWARC(cmd.Context(), warc, bag+store+crate+aid+gitBundle+cited.annotations+cited.prov, args)
			}
			if cited.annotations != "" || cited.prov != "" {
				return p.exportCitations(cited, bag+store+crate+aid+gitBundle, args)
			}
			if gitBundle != "" {
				return p.exportGitBundle(gitBundle, bag+store+crate+aid, args)
			}
			dir, write, n := "", packageWriter(nil), 0
			for _, one := range []struct {
				dir   string
				write packageWriter
			}{{bag, custody.ExportBag}, {store, custody.ExportOCFL}, {crate, custody.ExportCrate}, {aid, nil}} {
				if one.dir != "" {
					dir, write, n = one.dir, one.write, n+1
				}
			}
			switch {
			case n != 1:
				return &archive.Error{Kind: archive.TypeUsage, Message: "export needs one folder or file to make", Next: archive.Advise("muniment export --bag DIR")}
			case write == nil:
				return p.exportFindingAid(dir, args)
			}
			return p.exportPackage(cmd.Context(), dir, write, args)
		})
	cmd.Flags().StringVar(&bag, "bag", "", "the new folder `DIR` of the bag")
	cmd.Flags().StringVar(&site.dir, "site", "", "the new `DIR` for the pages")
	cmd.Flags().StringVar(&site.tier, "tier", "", "whom the site is for: a tier of the policy, the lowest without it")
	cmd.Flags().BoolVar(&site.everything, "everything", false, "the site shows all that the archive holds, whatever consent says")
	cmd.Flags().StringVar(&site.key, "key", "", "the private key `FILE` to sign the site with")
	cmd.Flags().BoolVar(&site.private, "private", false, "let only you read the files of the site; else everybody may")
	cmd.Flags().StringVar(&store, "ocfl", "", "the new folder `DIR` of an OCFL storage root")
	cmd.Flags().StringVar(&crate, "ro-crate", "", "the new folder `DIR` of an RO-Crate")
	cmd.Flags().StringVar(&aid, "finding-aid", "", "the new `FILE`.xml, .csv or .html of a finding aid")
	cmd.Flags().StringVar(&warc, "warc", "", "the new `FILE`.warc.gz, .warc or .wacz of the pages from the web")
	cmd.Flags().StringVar(&gitBundle, "git-bundle", "", "the new `FILE` that git clone reads")
	cmd.Flags().StringVar(&cited.annotations, "annotations", "", "the new `FILE` of Web Annotations")
	cmd.Flags().StringVar(&cited.prov, "prov", "", "the new `FILE` of PROV-JSON")
	cmd.Flags().StringVar(&cited.session, "session", "", "the citations of this session only")
	return cmd
}

// A packageWriter writes a package into a new folder.
type packageWriter = func(context.Context, *archive.Archive, string, custody.HandoverOptions) (*custody.BagExportResult, error)

// exportPackage writes originals and what the archive says of them into a folder.
func (p *program) exportPackage(ctx context.Context, dir string, write packageWriter, refs []string) error {
	return p.withArchive(func(a *archive.Archive) error {
		citations, err := engine.HandOnCitations(a, refs)
		if err != nil {
			return err
		}
		r, err := write(ctx, a, dir, custody.HandoverOptions{Refs: refs, Citations: citations})
		if err != nil {
			return err
		}
		p.show("export", r, func() {
			p.out("%s", r.Dir)
			p.out("%s, %d bytes, snapshot %s", count(r.Files, "file"), r.Octets, r.Snapshot)
			for _, w := range r.Warnings {
				p.say("note: %s", w)
			}
			if _, err := os.Stat(filepath.Join(dir, "bagit.txt")); err == nil {
				p.say("next: sha256sum -c manifest-sha256.txt in it, or muniment import %s elsewhere", r.Dir)
			}
		})
		return nil
	})
}

// exportWARC writes the pages from the web into a web archive; others are the other
// files and folders that were asked for.
func (p *program) exportWARC(ctx context.Context, file, others string, refs []string) error {
	if others != "" {
		return &archive.Error{Kind: archive.TypeUsage, Message: "--warc writes the pages from the web, alone", Next: archive.Advise("muniment export --warc FILE.warc.gz")}
	}
	return p.withArchive(func(a *archive.Archive) error {
		r, err := custody.ExportWARC(ctx, a, file, "muniment "+release.Current("muniment").Version, refs)
		if err != nil {
			return err
		}
		p.show("export", r, func() {
			p.out("%s", r.File)
			p.out("%s, %d bytes, snapshot %s", count(r.Pages, "page"), r.Octets, r.Snapshot)
			if r.Left > 0 {
				p.say("note: %s left out, which did not come from the web", count(r.Left, "paper"))
			}
			for _, w := range r.Warnings {
				p.say("note: %s", w)
			}
			p.say("next: muniment add %s in another archive", r.File)
		})
		return nil
	})
}

// exportFindingAid writes a finding aid in the form that the file's name says.
func (p *program) exportFindingAid(file string, refs []string) error {
	form := strings.TrimPrefix(strings.ToLower(filepath.Ext(file)), ".")
	switch {
	case form == "xml" || file == "-":
		form = custody.FindingAidEAD
	case form == "htm":
		form = custody.FindingAidHTML
	}
	return p.withArchive(func(a *archive.Archive) error {
		data, err := custody.FindingAid(a, form, refs)
		if err != nil {
			return err
		}
		return p.writeExport("finding_aid", file, data)
	})
}

func (p *program) exportGitBundle(file, bag string, args []string) error {
	if bag != "" || len(args) > 0 {
		return &archive.Error{Kind: archive.TypeUsage, Message: "--git-bundle takes the whole archive, alone", Next: archive.Advise("muniment export --git-bundle FILE")}
	}
	return p.withArchive(func(a *archive.Archive) error {
		update, end := p.progress("export")
		r, err := custody.ExportGitBundle(a, file, update)
		end()
		if err != nil {
			return err
		}
		p.show("export", r, func() {
			p.out("%s", r.File)
			p.out("%s, snapshot %d %s", count(r.Objects, "object"), r.Seq, r.Snapshot)
			p.say("next: git clone %s DIR; or git clone --mirror %s DIR.git, which muniment clone reads", r.File, r.File)
		})
		return nil
	})
}

// A siteExport is what the flags of export say of a site.
type siteExport struct {
	dir, tier, key string
	everything     bool
	private        bool
}

// exportSite writes the pages of the archive as files.
func (p *program) exportSite(ctx context.Context, o siteExport) error {
	if o.everything && o.tier != "" {
		return &archive.Error{Kind: archive.TypeUsage, Message: "--everything leaves no tier to choose", Next: archive.Advise("muniment export --site DIR --tier TIER")}
	}
	signer, err := p.signer(o.key)
	if err != nil {
		return err
	}
	s, err := server.New(server.Options{Open: p.open, Handles: 1, Loopback: server.Credential{Tier: o.tier}})
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
	if err != nil {
		return err
	}
	p.show("export", r, func() {
		p.out("%s", r.Dir)
		p.out("%s on %s, %d bytes, of these %d for search; the largest page has %d", count(r.Papers, "paper"), count(r.Pages, "page"), r.Bytes, r.Search, r.Largest)
		p.out("shown: %s; snapshot %d %s; signed by %s", r.Shown, r.Seq, r.Snapshot, r.Signer)
		p.say("next: open %s in a browser, or muniment verify %s --trust allowed_signers", filepath.Join(r.Dir, "index.html"), shellWord(r.Dir))
	})
	return nil
}

// importSources registers the sources of a reference manager's file.
func (p *program) importSources(file string, dryRun bool) error {
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
		var partly *archive.Error
		if errors.As(err, &partly) {
			partly.Partial = nil // it was printed
		}
		return err
	})
}
