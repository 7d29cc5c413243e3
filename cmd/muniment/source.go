package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"muniment/accession"
	"muniment/accession/sourcemeta"
	"muniment/archive"
	"muniment/archive/problem"
	"muniment/engine"
	"muniment/objects/disk"
	"muniment/server"
)

// sourceFlags are the flags that describe a source.
type sourceFlags struct {
	values         map[string]*string
	creators, tags []string
	subjects       []string
	related        []string
	set            []string
	registry       string
	sidecar        string
	withSidecar    bool
	keepQuery      bool
	describes      bool // what is in the archive: no registry is asked
}

// sourceFlagHelp names the single-valued fields and what they are.
var sourceFlagHelp = []struct{ flag, field, help string }{
	{"title", "title", "the title"},
	{"publisher", "publisher", "the publisher"},
	{"url", "url", "the address"},
	{"date", "published_at", "when it was made or published, in EDTF: 1931, 1931-05, 1817~, 1913-11?, 1880/1890, 18XX"},
	{"source-tier", "tier", "how near the source is to what happened: 1 (primary) to 4"},
	{"language", "language", "a BCP 47 tag"},
	{"csl-type", "csl_type", "item type of the Citation Style Language"},
	{"identifier", "identifier", "the reference code"},
	{"description", "description", "scope and content"},
	{"extent", "extent", `such as "2 leaves"`},
	{"rights", "rights", "conditions of access and use"},
	{"place", "place", "where it was written, or what it is about"},
	{"box", "box", "the box it is kept in"},
	{"folder", "folder", "the folder in the box"},
	{"level", "level", "collection, fonds, subfonds, series, subseries, file or item"},
	{"source-id", "source_id", "id in the registry"},
}

func (f *sourceFlags) register(cmd *cobra.Command) {
	f.values = map[string]*string{}
	for _, h := range sourceFlagHelp {
		f.values[h.field] = cmd.Flags().String(h.flag, "", h.help)
	}
	alias(cmd, "tier", "source-tier") // --tier is a requestor's
	cmd.Flags().StringVar(f.values["published_at"], "published-at", "", "the same as --date")
	cmd.Flags().StringArrayVar(&f.subjects, "about", nil, "a `SUBJECT`: topic, person or place; may be repeated")
	cmd.Flags().StringArrayVar(&f.related, "related", nil, "another unit of description; may be repeated")
	cmd.Flags().StringArrayVar(&f.set, "set", nil, "`KEY=VALUE`: a field by any of its names, else a fact to keep; may be repeated")
	cmd.Flags().StringArrayVar(&f.creators, "creator", nil, "who made it; may be repeated")
	cmd.Flags().StringSliceVar(&f.tags, "tag", nil, "a tag; may be repeated")
	if !f.describes {
		cmd.Flags().BoolVar(&f.keepQuery, "keep-query", false, "keep tokens and keys in addresses, also of web archives, in the record")
		cmd.Flags().StringVar(&f.registry, "registry", "", "a source_registry.yaml `FILE`")
	}
	if f.withSidecar {
		cmd.Flags().StringVar(&f.sidecar, "meta", "", "a CSV, JSON or XML `FILE` with source metadata by path")
	}
}

// layer reads the flags.
func (f *sourceFlags) layer() (sourcemeta.Layer, error) {
	l := sourcemeta.Layer{From: sourcemeta.CommandLine, KeepQuery: f.keepQuery}
	set := func(field, text string) error {
		if text == "" {
			return nil
		}
		if err := l.Values.Set(field, text); err != nil {
			return f.problem(err)
		}
		return nil
	}
	for _, h := range sourceFlagHelp {
		if err := set(h.field, *f.values[h.field]); err != nil {
			return l, err
		}
	}
	l.Values.Creators, l.Values.Tags, l.Values.Subjects, l.Values.Related = f.creators, f.tags, f.subjects, f.related
	for _, one := range f.set {
		key, value, err := keyAndValue(one)
		if err != nil {
			return l, err
		}
		if err := l.Values.SetAny(key, value); err != nil {
			return l, f.problem(err)
		}
	}
	if err := l.Values.Check(); err != nil {
		return l, f.problem(err)
	}
	return l, nil
}

// problem returns the error of a field that a flag gives.
func (f *sourceFlags) problem(err error) error {
	command := "source add"
	switch {
	case f.describes:
		command = "describe"
	case f.withSidecar:
		command = "add"
	}
	return &problem.Error{Kind: problem.Usage, Message: "source: " + err.Error(), Next: problem.Advise("muniment " + command + " --help says what each field may be"), Err: err}
}

// metaError is a defect of the file that a flag names.
func metaError(flag string, err error) error {
	hint := "mend the file at the place that is named, or leave --" + flag + " out"
	var p *fs.PathError
	if errors.As(err, &p) {
		hint = "give --" + flag + " a file that can be read"
	}
	return &problem.Error{Kind: problem.Usage, Message: flag + ": " + err.Error(), Next: problem.Advise(hint), Err: err}
}

// readRegistry reads --registry, nil without one.
func (f *sourceFlags) readRegistry(p *program) (*sourcemeta.Registry, error) {
	if f.registry == "" {
		return nil, nil
	}
	defer readsForeignFile()()
	data, err := disk.ReadPlain(f.registry, sourcemeta.MaxRegistry)
	if err != nil {
		return nil, metaError("registry", err)
	}
	r, err := sourcemeta.ReadRegistry(f.registry, data)
	if err != nil {
		return nil, metaError("registry", err)
	}
	for _, key := range r.Ignored() {
		p.say("muniment: note: %s: key %s is not used", f.registry, key)
	}
	return r, nil
}

// readSidecar reads the file of a flag, nil without one.
func (f *sourceFlags) readSidecar(flag string) (*sourcemeta.Sidecar, error) {
	if f.sidecar == "" {
		return nil, nil
	}
	// The file may be anybody's; what is read afterwards is not.
	defer readsForeignFile()()
	data, err := disk.ReadPlain(f.sidecar, sourcemeta.MaxSidecar)
	if err != nil {
		return nil, metaError(flag, err)
	}
	read := sourcemeta.ReadCSV
	switch strings.ToLower(filepath.Ext(f.sidecar)) {
	case ".json":
		read = sourcemeta.ReadJSON
	case ".xml":
		read = sourcemeta.ReadXML
	}
	s, err := read(f.sidecar, data)
	if err != nil {
		return nil, metaError(flag, err)
	}
	return s, nil
}

func newSourceCommand(p *program) *cobra.Command {
	cmd := command("claims", "source", "Register and list sources",
		`A source is registered when it is given to an agent, and then has a number to cite it
by: a file (add-doc), a page (add-web), the answer of a database (add-db), or an agent's
own product (add-custom). A source without a body, paywalled perhaps, is a record alone
(add) and is cited by the words of its metadata: cite --relation metadata_fact.`,
		"muniment source add --url https://example.org/a --title \"Prices rise\"\nmuniment source list",
		cobra.NoArgs, p.overview)
	cmd.AddCommand(newSourceAddCommand(p), newSourceDocCommand(p), newSourceWebCommand(p), newSourceDBCommand(p), newSourceCustomCommand(p), newSourceListCommand(p), newSourceShowCommand(p), newSourceSetCommand(p))
	return withoutArchive(cmd)
}

type sourceAddCommand struct {
	*program
	f         sourceFlags
	caller    callerFlags
	batchFlag string
}

func newSourceAddCommand(prog *program) *cobra.Command {
	p := &sourceAddCommand{program: prog, f: sourceFlags{}}
	cmd := command("", "add", "Register a source without a body, or sources of a file",
		`Stages a record of the source's metadata for the next snapshot. Nothing is fetched.
A source with a body is taken in with add.

With --batch the sources are lines of JSON in a file, or - for standard input, with the
fields of POST /api/v1/sources: type (document, website, database or custom), and artifact,
url, query or content after it, name, version, derived_from, metadata. Each line is answered
by one, in order: {"line":1,"source":{…}} or {"line":2,"error":{…}}. A source that is
registered keeps its number, so that the same batch again adds nothing. Exit 3 where a line
was not registered.`,
		`muniment source add --url https://example.org/a --title "Prices rise" --publisher "The Paper" --published-at 2026-02-10
muniment source add --batch sources.jsonl`,
		cobra.NoArgs, p.run)
	p.f.register(cmd)
	p.caller.describe(cmd, "session")
	p.caller.describe(cmd, "agent")
	p.caller.describe(cmd, "project")
	p.caller.caller.Role = engine.RoleAdmin
	cmd.Flags().StringVar(&p.batchFlag, "batch", "", "register the sources in the lines of a `FILE` of JSON, - for standard input")
	cmd.Aliases = []string{"register"}
	return cmd
}

func (p *sourceAddCommand) run(cmd *cobra.Command, _ []string) error {
	if p.batchFlag != "" {
		return p.engine(&p.caller, func(e *engine.Engine) error { return p.sourceBatch(cmd.Context(), e, p.batchFlag) })
	}
	layer, err := p.f.layer()
	if err != nil {
		return err
	}
	registry, err := p.f.readRegistry(p.program)
	if err != nil {
		return err
	}
	return p.withArchive(func(a *archive.Archive) error {
		r, err := accession.AddSource(a, layer, registry)
		return p.conclude(err, "source", r, func() {
			p.out("%s  %s", r.Record, r.Name)
			p.say("staged; next: muniment cite --relation metadata_fact --artifact %s --quote TEXT --claim TEXT", r.Record)
		})
	})
}

// sourceBatch registers the sources of a file of lines and prints a line for each.
func (p *sourceAddCommand) sourceBatch(ctx context.Context, e *engine.Engine, file string) error {
	b := p.batch(e)
	done, err := p.batchOf(file, func(in io.Reader) (server.BatchDone, error) { return b.AddSources(ctx, in, p.stdout) })
	if err != nil {
		return err
	}
	p.say("%s: %d registered, %d not", count(done.Lines, "line"), done.Verified, done.Errors)
	if done.Errors > 0 {
		return &problem.Error{Kind: problem.PartlyDone, Message: count(done.Errors, "line") + " could not be registered", Next: problem.Advise("the output has an error for each; mend those lines and run the same command again, the others are not doubled")}
	}
	return nil
}

type sourceListCommand struct {
	*program
	f   callerFlags
	typ string
}

func newSourceListCommand(prog *program) *cobra.Command {
	p := &sourceListCommand{program: prog}
	cmd := command("", "list", "List the sources", `Lists the registered sources with their numbers, and every record that names the origin
of its original.`,
		"muniment source list --type website", cobra.NoArgs, p.inArchive(p.run))
	cmd.Flags().StringVar(&p.typ, "type", "", "document, website, database or custom")
	p.f.register(cmd)
	return cmd
}

func (p *sourceListCommand) run(_ *cobra.Command, a *archive.Archive, _ []string) error {
	e, err := engine.New(a, p.f.caller)
	if err != nil {
		return err
	}
	registered, err := e.Sources().List(p.typ, 0, 0)
	if err != nil {
		return err
	}
	list := []accession.SourceInfo{}
	if p.typ == "" {
		if list, err = accession.Sources(a); err != nil {
			return err
		}
	}
	p.show("sources", sourceList{registered, list}, func() {
		for _, s := range registered {
			p.out("%4d  %-8s  %s  %s", s.SourceID, s.Type, s.Identifier, s.Name)
		}
		for _, s := range list {
			p.out("%s  %-13s  %s  %s", s.Record, s.Kind, s.Name, s.Source.Title)
		}
		p.say("%d registered; %s with source metadata", len(registered), count(len(list), "record"))
	})
	return nil
}

func newSourceDocCommand(p *program) *cobra.Command {
	var f describedFlags
	cmd := command("", "add-doc FILE", "Register a file as a source", "Takes the file in for the next snapshot, or finds it taken in, and gives it a number to\ncite it by.",
		`muniment source add-doc gobd.pdf --name "GoBD Regulations" --version 2024-01`,
		cobra.ExactArgs(1), func(cmd *cobra.Command, args []string) error {
			return f.registerSource(p, func(e *engine.Engine) (*engine.RegisteredSource, error) {
				return e.Sources().AddDoc(cmd.Context(), args[0], f.options)
			})
		})
	f.register(cmd)
	return cmd
}

func newSourceWebCommand(p *program) *cobra.Command {
	var f describedFlags
	cmd := command("", "add-web URL", "Register a page as a source", "Fetches the page once, archives it for the next snapshot, and gives it a number to cite\nit by. Nothing is rendered.",
		`muniment source add-web https://example.org/regulations --name "Updated guidelines"`,
		cobra.ExactArgs(1), func(cmd *cobra.Command, args []string) error {
			return f.registerSource(p, func(e *engine.Engine) (*engine.RegisteredSource, error) {
				return e.Sources().AddWeb(cmd.Context(), args[0], f.options)
			})
		})
	f.register(cmd)
	cmd.Flags().BoolVar(&f.options.AllowPrivate, "allow-private", false, "take pages from loopback and private networks")
	cmd.Flags().StringVar(&f.options.IgnoreRobots, "ignore-robots", "", "do not ask robots.txt, for this `REASON`")
	cmd.Flags().BoolVar(&f.options.KeepQuery, "keep-query", false, "take an address with a token or key in it, which the record then keeps")
	return cmd
}

func newSourceDBCommand(p *program) *cobra.Command {
	var f describedFlags
	var o engine.DBSourceOptions
	var content string
	cmd := command("", "add-db NAME", "Register the answer of a database as a source",
		"Keeps a database's answer as text, with its query and its meaning. It\nis cited as an aggregation.",
		`muniment source add-db slr_content --query "SELECT …" --result-description "42 of 60 papers match" --content result.txt`,
		cobra.ExactArgs(1), func(cmd *cobra.Command, args []string) error {
			o.Identifier = args[0]
			if content != "" {
				text, err := p.readText(content, maxContent)
				if err != nil {
					return err
				}
				o.Content = text
			}
			return f.registerSource(p, func(e *engine.Engine) (*engine.RegisteredSource, error) {
				o.SourceOptions = f.options
				return e.Sources().AddDB(cmd.Context(), o)
			})
		})
	cmd.Flags().StringVar(&o.Query, "query", "", "the query")
	cmd.Flags().StringVar(&o.ResultDescription, "result-description", "", "what the result says; its content where there is none")
	cmd.Flags().StringVar(&content, "content", "", "a `FILE` with the result as text, - for standard input")
	cmd.Flags().StringArrayVar(&o.DerivedFrom, "derived-from", nil, "an input: an artifact or a citation; may be repeated")
	f.register(cmd)
	return cmd
}

// maxContent is the longest content that is handed over, in bytes: that of an
// input that is read as a whole.
const maxContent = 8 << 20

func newSourceCustomCommand(p *program) *cobra.Command {
	var f describedFlags
	var o engine.CustomSourceOptions
	var content string
	cmd := command("", "add-custom NAME", "Register an agent's product as a source",
		`Keeps a matrix, a table or an analysis that an agent made, with its inputs. A citation
of it is an aggregation, which fails if one of the inputs does not resolve; muniment why
walks the chain down to the papers.`,
		`muniment source add-custom architecture-matrix --content matrix.csv --derived-from paper-1.pdf --derived-from paper-2.pdf`,
		cobra.ExactArgs(1), func(cmd *cobra.Command, args []string) error {
			text, err := p.readText(content, maxContent)
			if err != nil {
				return err
			}
			o.Name, o.Content = args[0], text
			return f.registerSource(p, func(e *engine.Engine) (*engine.RegisteredSource, error) {
				o.SourceOptions = f.options
				return e.Sources().AddCustom(cmd.Context(), o)
			})
		})
	cmd.Flags().StringVar(&content, "content", "-", "a `FILE` with its content as text, - for standard input")
	cmd.Flags().StringVar(&o.Description, "description", "", "what it is")
	cmd.Flags().StringVar(&o.MediaType, "media-type", "", "of the content, text/plain by default")
	cmd.Flags().StringArrayVar(&o.DerivedFrom, "derived-from", nil, "an input: an artifact or a citation; may be repeated")
	f.register(cmd)
	return cmd
}

type sourceSetCommand struct {
	*program
	f sourceFlags
}

func newSourceSetCommand(prog *program) *cobra.Command {
	p := &sourceSetCommand{program: prog, f: sourceFlags{describes: true}}
	cmd := command("", "set NUMBER|NAME… --title TEXT …", "Describe a source: title, creator, date and other fields",
		`Stages a record for each source that supersedes the one before, as describe does, and takes
the numbers of registered sources too. A profile that is strict about metadata cites a source
once its title, its creator or publisher, and its date are signed. The source keeps its number.`,
		`muniment source set 3 --title "Mill notes" --creator "Tobias Lunt" --date 1931-04-02`,
		cobra.MinimumNArgs(1), p.run)
	p.f.register(cmd)
	return cmd
}

func (p *sourceSetCommand) run(_ *cobra.Command, args []string) error {
	layer, err := p.f.layer()
	if err != nil {
		return err
	}
	if layer.Values.IsZero() {
		return problem.New(problem.Usage, problem.Next(problem.DoDescribe), "nothing is said of the source: no field is given")
	}
	return p.withArchive(func(a *archive.Archive) error {
		e, err := engine.New(a, engine.Caller{Role: engine.RoleAdmin})
		if err != nil {
			return err
		}
		for i, ref := range args {
			n, err := strconv.ParseInt(ref, 10, 64)
			if err != nil {
				continue // a name, an id or an address
			}
			s, err := e.Sources().Get(n)
			if err != nil {
				return err
			}
			if args[i] = s.Artifact; s.Artifact == "" {
				args[i] = s.Record
			}
		}
		r, err := accession.Describe(a, args, accession.Description{Values: layer.Values})
		return p.conclude(err, "describe", r, func() { printDescribed(p.program, r) })
	})
}

func newSourceShowCommand(p *program) *cobra.Command {
	var f callerFlags
	cmd := command("", "show NUMBER", "Show a registered source", "Shows the source with this number, and its inputs.",
		"muniment source show 2", cobra.ExactArgs(1), func(_ *cobra.Command, args []string) error {
			n, err := strconv.ParseInt(args[0], 10, 64)
			if err != nil {
				return misuse(args[0]+" is no number of a source", "muniment source list shows the numbers")
			}
			return p.engine(&f, func(e *engine.Engine) error {
				r, err := e.Sources().Describe(n)
				return p.conclude(err, "registered-source", r, func() {
					printRegistered(p, r)
					for _, line := range [][2]string{{"query", r.Query}, {"result", r.Result}, {"description", r.Description}, {"content", strings.TrimSuffix(r.Content, "\n")}} {
						if line[1] != "" {
							p.out("%s: %s", line[0], line[1])
						}
					}
					if r.Content == "" && r.ContentSize > 0 {
						p.out("content: %s, which %s writes", count(int(r.ContentSize), "byte"), p.here("muniment cat "+r.Artifact))
					}
				})
			})
		})
	f.register(cmd)
	return cmd
}
