package main

import (
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/engine"
	"muniment/objects/disk"
)

// callerFlags say who calls the engine.
type callerFlags struct{ caller engine.Caller }

func (f *callerFlags) register(cmd *cobra.Command) {
	f.describe(cmd, "session")
	f.describe(cmd, "agent")
	f.describe(cmd, "user")
	f.describe(cmd, "project")
	cmd.Flags().StringVar((*string)(&f.caller.Role), "as", "admin", "act as an `agent`, user, auditor or admin (or archivist); whoever holds the archive is its admin")
}

func (f *callerFlags) describe(cmd *cobra.Command, name string) {
	switch name {
	case "session":
		cmd.Flags().StringVar(&f.caller.Session, name, "", "name of the conversation or task")
	case "agent":
		cmd.Flags().StringVar(&f.caller.Agent, name, "", "name of the program that calls")
	case "user":
		cmd.Flags().StringVar(&f.caller.User, name, "", "on whose behalf")
	case "project":
		cmd.Flags().StringVar(&f.caller.Project, name, "", "the project, a namespace of its own")
	}
}

// engine opens the archive and its engine for a caller.
func (p *program) engine(f *callerFlags, run func(*engine.Engine) error) error {
	return p.withArchive(func(a *archive.Archive) error {
		if f.caller.Role == archivistView {
			f.caller.Role = engine.RoleAdmin
		}
		e, err := engine.New(a, f.caller)
		if err != nil {
			return err
		}
		return run(e)
	})
}

// addModels gives a world the models that the environment names. Without a judge of
// its own the model that drafts judges too.
func (p *program) addModels(w *archive.World) error {
	for _, m := range []struct {
		to              **archive.Judge
		address, prefix string
	}{
		{&w.Drafter, "CITATION_LLM_URL", "MUNIMENT_LLM_"}, {&w.Judge, "MUNIMENT_JUDGE_URL", "MUNIMENT_JUDGE_"},
		{&w.Reranker, "MUNIMENT_RERANK_URL", "MUNIMENT_RERANK_"}, {&w.Embedder, "MUNIMENT_EMBED_URL", "MUNIMENT_EMBED_"},
	} {
		var err error
		if *m.to, err = p.endpoint(m.address, m.prefix); err != nil {
			return err
		}
	}
	if w.Judge == nil {
		w.Judge = w.Drafter
	}
	return nil
}

// endpoint is a model at the address of one variable; others begin with prefix.
func (p *program) endpoint(address, prefix string) (*archive.Judge, error) {
	at := p.env(address)
	if at == "" {
		return nil, nil
	}
	if u, err := url.Parse(at); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, misuse(address+" is no address of http or https", "export "+address+"=http://127.0.0.1:8080/v1")
	}
	j := &archive.Judge{URL: at, Model: p.env(prefix + "MODEL")}
	if file := p.env(prefix + "KEY_FILE"); file != "" {
		key, err := disk.ReadPlain(file, maxHexFile)
		if err != nil {
			return nil, &problem.Error{Kind: problem.Environment, Message: prefix + "KEY_FILE: " + err.Error(), Next: problem.Advise("name a file that can be read"), Err: err}
		}
		j.Key = strings.TrimSpace(string(key))
	}
	if s := p.env(prefix + "TIMEOUT"); s != "" {
		d, err := time.ParseDuration(s)
		if err != nil || d <= 0 {
			return nil, misuse(prefix+"TIMEOUT is no length of time", "such as 30s")
		}
		j.Timeout = d
	}
	return j, nil
}

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

// registerSource registers a source and prints its number.
func (f *describedFlags) registerSource(p *program, add func(*engine.Engine) (*engine.RegisteredSource, error)) error {
	for _, m := range f.metadata {
		key, value, err := keyAndValue(m)
		if err != nil {
			return err
		}
		if f.options.Metadata == nil {
			f.options.Metadata = map[string]string{}
		}
		f.options.Metadata[key] = value
	}
	return p.engine(&f.callerFlags, func(e *engine.Engine) error {
		r, err := add(e)
		return p.conclude(err, "registered-source", r, func() { printRegistered(p, r) })
	})
}

func printRegistered(p *program, r *engine.RegisteredSource) {
	p.out("source %d  %s  %s  %s", r.SourceID, r.Type, r.Identifier, r.Name)
	if r.Artifact != "" {
		p.out("%s", r.Artifact)
	}
	for _, in := range r.DerivedFrom {
		p.out("derived from %s", in)
	}
	p.say("next: muniment cite --source %d --quote TEXT --claim TEXT", r.SourceID)
}

// keyAndValue cuts what --set takes.
func keyAndValue(set string) (key, value string, err error) {
	key, value, ok := strings.Cut(set, "=")
	if !ok || key == "" {
		return "", "", misuse("--set "+set+" is not KEY=VALUE", "--set shelf=3")
	}
	return key, value, nil
}
