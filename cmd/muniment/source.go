package main

import (
	"errors"
	"io/fs"
	"muniment/accession"
	"muniment/archive"
	"muniment/engine"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"muniment/accession/sourcemeta"
)

// sourceFlags are what the command line can say of a source.
type sourceFlags struct {
	values         map[string]*string
	creators, tags []string
	registry       string
	sidecar        string
	withSidecar    bool
}

// sourceFlagHelp names the single-valued fields and what they are.
var sourceFlagHelp = []struct{ flag, field, help string }{
	{"title", "title", "the title"},
	{"publisher", "publisher", "the publisher"},
	{"url", "url", "the address"},
	{"published-at", "published_at", "YYYY-MM-DD or RFC 3339"},
	{"tier", "tier", "1 (primary) to 4"},
	{"language", "language", "a BCP 47 tag"},
	{"csl-type", "csl_type", "item type of the Citation Style Language"},
	{"source-id", "source_id", "id in the registry"},
}

func (f *sourceFlags) register(cmd *cobra.Command) {
	f.values = map[string]*string{}
	for _, h := range sourceFlagHelp {
		f.values[h.field] = cmd.Flags().String(h.flag, "", h.help)
	}
	cmd.Flags().StringArrayVar(&f.creators, "creator", nil, "who made it; may be repeated")
	cmd.Flags().StringSliceVar(&f.tags, "tag", nil, "a tag; may be repeated")
	cmd.Flags().StringVar(&f.registry, "registry", "", "a source_registry.yaml `FILE`")
	if f.withSidecar {
		cmd.Flags().StringVar(&f.sidecar, "meta", "", "a CSV or JSON `FILE` with source metadata by path")
	}
}

// layer reads the flags.
func (f *sourceFlags) layer() (sourcemeta.Layer, error) {
	l := sourcemeta.Layer{From: sourcemeta.CommandLine}
	set := func(field, text string) error {
		if text == "" {
			return nil
		}
		if err := l.Values.Set(field, text); err != nil {
			return sourceError(err)
		}
		return nil
	}
	for _, h := range sourceFlagHelp {
		if err := set(h.field, *f.values[h.field]); err != nil {
			return l, err
		}
	}
	l.Values.Creators, l.Values.Tags = f.creators, f.tags
	if err := l.Values.Check(); err != nil {
		return l, sourceError(err)
	}
	return l, nil
}

func sourceError(err error) error {
	return &archive.Error{Kind: archive.TypeUsage, Message: "source: " + err.Error(), Next: archive.Advise("muniment source add --help says what each field may be"), Err: err}
}

// metaError is a defect of the file that a flag names.
func metaError(flag string, err error) error {
	hint := "mend the file at the place that is named, or leave --" + flag + " out"
	var p *fs.PathError
	if errors.As(err, &p) {
		hint = "give --" + flag + " a file that can be read"
	}
	return &archive.Error{Kind: archive.TypeUsage, Message: flag + ": " + err.Error(), Next: archive.Advise(hint), Err: err}
}

// readRegistry reads --registry, nil without one.
func (f *sourceFlags) readRegistry(p *program) (*sourcemeta.Registry, error) {
	if f.registry == "" {
		return nil, nil
	}
	data, err := os.ReadFile(f.registry)
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

// readSidecar reads --meta, nil without one.
func (f *sourceFlags) readSidecar() (*sourcemeta.Sidecar, error) {
	if f.sidecar == "" {
		return nil, nil
	}
	data, err := os.ReadFile(f.sidecar)
	if err != nil {
		return nil, metaError("meta", err)
	}
	read := sourcemeta.ReadCSV
	if strings.EqualFold(filepath.Ext(f.sidecar), ".json") {
		read = sourcemeta.ReadJSON
	}
	s, err := read(f.sidecar, data)
	if err != nil {
		return nil, metaError("meta", err)
	}
	return s, nil
}

func (p *program) sourceCommand() *cobra.Command {
	cmd := command("evidence", "source", "Register and list sources",
		`A source is registered when it is given to an agent, and then has a number to cite it
by: a file (add-doc), a page (add-web), the answer of a database (add-db), or what an
agent made itself (add-custom). A source without a body, paywalled perhaps, is a
record alone (add) and is cited by the words of its metadata: cite --relation
metadata_fact.`,
		"muniment source add --url https://example.org/a --title \"Prices rise\"\nmuniment source list",
		cobra.NoArgs, p.overview)
	cmd.AddCommand(p.sourceAddCommand(), p.sourceDocCommand(), p.sourceWebCommand(), p.sourceDBCommand(), p.sourceCustomCommand(), p.sourceListCommand(), p.sourceShowCommand())
	return withoutArchive(cmd)
}

func (p *program) sourceAddCommand() *cobra.Command {
	f := sourceFlags{}
	cmd := command("", "add", "Register a source without a body",
		"Stages a record of the source's metadata for the next snapshot. Nothing is fetched.\nA source with a body is taken in with add.",
		`muniment source add --url https://example.org/a --title "Prices rise" --publisher "The Paper" --published-at 2026-02-10`,
		cobra.NoArgs, func(*cobra.Command, []string) error {
			layer, err := f.layer()
			if err != nil {
				return err
			}
			registry, err := f.readRegistry(p)
			if err != nil {
				return err
			}
			a, err := p.open()
			if err != nil {
				return err
			}
			defer a.Close()
			r, err := accession.AddSource(a, layer, registry)
			if err != nil {
				return err
			}
			p.show("source", r, func() {
				p.out("%s  %s", r.Record, r.Name)
				p.say("staged; next: muniment cite --relation metadata_fact --artifact %s --quote TEXT --claim TEXT", r.Record)
			})
			return nil
		})
	f.register(cmd)
	cmd.Aliases = []string{"register"}
	return cmd
}

func (p *program) sourceListCommand() *cobra.Command {
	var f callerFlags
	var typ string
	cmd := command("", "list", "List the sources", `Lists the registered sources with their numbers, and every record that says where its
original comes from.`,
		"muniment source list --type website", cobra.NoArgs, func(*cobra.Command, []string) error {
			a, err := p.open()
			if err != nil {
				return err
			}
			defer a.Close()
			e, err := engine.New(a, f.caller)
			if err != nil {
				return err
			}
			registered, err := e.Sources(typ)
			if err != nil {
				return err
			}
			list := []accession.SourceInfo{}
			if typ == "" {
				if list, err = accession.Sources(a); err != nil {
					return err
				}
			}
			p.show("sources", struct {
				Registered []engine.RegisteredSource `json:"registered"`
				Sources    []accession.SourceInfo    `json:"sources"`
			}{registered, list}, func() {
				for _, s := range registered {
					p.out("%4d  %-8s  %s  %s", s.SourceID, s.Type, s.Identifier, s.Name)
				}
				for _, s := range list {
					p.out("%s  %-13s  %s  %s", s.Record, s.Kind, s.Name, s.Source.Title)
				}
				p.say("%d registered; %s with source metadata", len(registered), count(len(list), "record"))
			})
			return nil
		})
	cmd.Flags().StringVar(&typ, "type", "", "document, website, database or custom")
	f.register(cmd)
	return cmd
}
