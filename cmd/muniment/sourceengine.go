package main

import (
	"muniment/archive"
	"muniment/engine"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

// describedFlags describe a source that is registered.
type describedFlags struct {
	callerFlags
	options  engine.SourceOptions
	metadata []string
}

func (f *describedFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.options.Name, "name", "", "a name for people")
	cmd.Flags().StringVar(&f.options.Version, "version", "", "the version, such as 2024-01")
	cmd.Flags().StringArrayVar(&f.metadata, "set", nil, "`KEY=VALUE` to keep with it; may be repeated")
	f.callerFlags.register(cmd)
}

// run registers a source and prints its number.
func (f *describedFlags) run(p *program, add func(*engine.Engine) (*engine.RegisteredSource, error)) error {
	for _, m := range f.metadata {
		key, value, ok := strings.Cut(m, "=")
		if !ok || key == "" {
			return &archive.Error{Kind: archive.TypeUsage, Message: "--set " + m + " is not KEY=VALUE", Next: archive.Advise("--set shelf=3")}
		}
		if f.options.Metadata == nil {
			f.options.Metadata = map[string]string{}
		}
		f.options.Metadata[key] = value
	}
	return p.engine(&f.callerFlags, func(e *engine.Engine) error {
		r, err := add(e)
		if err != nil {
			return err
		}
		p.show("registered-source", r, func() { p.registered(r) })
		return nil
	})
}

func (p *program) registered(r *engine.RegisteredSource) {
	p.out("source %d  %s  %s  %s", r.SourceID, r.Type, r.Identifier, r.Name)
	if r.Artifact != "" {
		p.out("%s", r.Artifact)
	}
	for _, in := range r.DerivedFrom {
		p.out("derived from %s", in)
	}
	p.say("next: muniment cite --source %d --quote TEXT --claim TEXT", r.SourceID)
}

func (p *program) sourceDocCommand() *cobra.Command {
	var f describedFlags
	cmd := command("", "add-doc FILE", "Register a file as a source", "Takes the file in for the next snapshot, or finds it taken in, and gives it a number to\ncite it by.",
		`muniment source add-doc gobd.pdf --name "GoBD Regulations" --version 2024-01`,
		cobra.ExactArgs(1), func(cmd *cobra.Command, args []string) error {
			return f.run(p, func(e *engine.Engine) (*engine.RegisteredSource, error) {
				return e.AddDocSource(cmd.Context(), args[0], f.options)
			})
		})
	f.register(cmd)
	return cmd
}

func (p *program) sourceWebCommand() *cobra.Command {
	var f describedFlags
	cmd := command("", "add-web URL", "Register a page as a source", "Fetches the page once, archives it for the next snapshot, and gives it a number to cite\nit by. Nothing is rendered.",
		`muniment source add-web https://example.org/regulations --name "Updated guidelines"`,
		cobra.ExactArgs(1), func(cmd *cobra.Command, args []string) error {
			return f.run(p, func(e *engine.Engine) (*engine.RegisteredSource, error) {
				return e.AddWebSource(cmd.Context(), args[0], f.options)
			})
		})
	f.register(cmd)
	cmd.Flags().BoolVar(&f.options.AllowPrivate, "allow-private", false, "take pages from loopback and private networks")
	cmd.Flags().StringVar(&f.options.IgnoreRobots, "ignore-robots", "", "do not ask robots.txt, for this `REASON`")
	return cmd
}

func (p *program) sourceDBCommand() *cobra.Command {
	var f describedFlags
	var o engine.DBSourceOptions
	var content string
	cmd := command("", "add-db NAME", "Register the answer of a database as a source",
		"Keeps what a database answered, as text, with its query and what the result means. It\nis cited as an aggregation.",
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
			return f.run(p, func(e *engine.Engine) (*engine.RegisteredSource, error) {
				o.SourceOptions = f.options
				return e.AddDBSource(cmd.Context(), o)
			})
		})
	cmd.Flags().StringVar(&o.Query, "query", "", "the query")
	cmd.Flags().StringVar(&o.ResultDescription, "result-description", "", "what the result says; its content where there is none")
	cmd.Flags().StringVar(&content, "content", "", "a `FILE` with the result as text, - for standard input")
	cmd.Flags().StringArrayVar(&o.DerivedFrom, "derived-from", nil, "what it was made from: an artifact or a citation; may be repeated")
	f.register(cmd)
	return cmd
}

// maxContent is the longest content that is handed over, in bytes: that of an
// input that is read as a whole.
const maxContent = 8 << 20

func (p *program) sourceCustomCommand() *cobra.Command {
	var f describedFlags
	var o engine.CustomSourceOptions
	var content string
	cmd := command("", "add-custom NAME", "Register what an agent made as a source",
		`Keeps a matrix, a table, an analysis that an agent made, with what it was made from. A
citation of it is an aggregation, which fails where one of these inputs does not
resolve; muniment why walks the chain down to the papers.`,
		`muniment source add-custom architecture-matrix --content matrix.csv --derived-from paper-1.pdf --derived-from paper-2.pdf`,
		cobra.ExactArgs(1), func(cmd *cobra.Command, args []string) error {
			text, err := p.readText(content, maxContent)
			if err != nil {
				return err
			}
			o.Name, o.Content = args[0], text
			return f.run(p, func(e *engine.Engine) (*engine.RegisteredSource, error) {
				o.SourceOptions = f.options
				return e.AddCustomSource(cmd.Context(), o)
			})
		})
	cmd.Flags().StringVar(&content, "content", "-", "a `FILE` with its content as text, - for standard input")
	cmd.Flags().StringVar(&o.Description, "description", "", "what it is")
	cmd.Flags().StringVar(&o.MediaType, "media-type", "", "of the content, text/plain by default")
	cmd.Flags().StringArrayVar(&o.DerivedFrom, "derived-from", nil, "what it was made from: an artifact or a citation; may be repeated")
	f.register(cmd)
	return cmd
}

func (p *program) sourceShowCommand() *cobra.Command {
	var f callerFlags
	cmd := command("", "show NUMBER", "Show a registered source", "Shows what a number stands for, with what it was derived from.",
		"muniment source show 2", cobra.ExactArgs(1), func(_ *cobra.Command, args []string) error {
			n, err := strconv.ParseInt(args[0], 10, 64)
			if err != nil {
				return &archive.Error{Kind: archive.TypeUsage, Message: args[0] + " is no number of a source", Next: archive.Advise("muniment source list shows the numbers")}
			}
			return p.engine(&f, func(e *engine.Engine) error {
				r, err := e.Source(n)
				if err != nil {
					return err
				}
				p.show("registered-source", r, func() { p.registered(r) })
				return nil
			})
		})
	f.register(cmd)
	return cmd
}
