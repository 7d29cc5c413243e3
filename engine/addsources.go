package engine

import (
	"cmp"
	"context"
	"maps"
	"os"
	"strings"

	"muniment/accession"
	"muniment/accession/sourcemeta"
	"muniment/archive/problem"
	"muniment/canon/dbresult"
	"muniment/cid"
	"muniment/snapshot/record"
	"muniment/text/legible"
)

// SourceOptions describe a source. The zero value names it after its title, else
// after its file or address.
type SourceOptions struct {
	Name     string
	Version  string
	Metadata map[string]string

	AllowPrivate bool   // as in accession.AddOptions
	IgnoreRobots string // as in accession.AddOptions
	KeepQuery    bool   // the address may have a token or key in it, which the record then keeps
}

// AddDoc registers the file at path. A file that the archive does not hold
// is added first.
func (ss Sources) AddDoc(ctx context.Context, path string, o SourceOptions) (*RegisteredSource, error) {
	if err := ss.e.require(ActCreate, ss.e.Caller().Self()); err != nil {
		return nil, err
	}
	if accession.Scheme(path) != "" {
		return nil, problem.New(problem.Usage, problem.Next(DoAddWeb, legible.Printable(path)), "%s is an address, not a file", legible.Printable(path))
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, problem.New(problem.SourceNotFound, problem.Advise("check the path"), "%s: %s", legible.Printable(path), legible.Reason(err))
	}
	if info.IsDir() {
		return nil, problem.New(problem.Usage, problem.Next(problem.DoAdd).With("register the files of the folder one by one"), "%s is a folder", legible.Printable(path))
	}
	return ss.addSource(ctx, path, "document", o)
}

// AddWeb fetches a page once, adds it to the archive and registers it.
// Nothing is rendered; there is no screenshot.
func (ss Sources) AddWeb(ctx context.Context, url string, o SourceOptions) (*RegisteredSource, error) {
	if err := ss.e.require(ActCreate, ss.e.Caller().Self()); err != nil {
		return nil, err
	}
	if s := accession.Scheme(url); s != "http" && s != "https" {
		return nil, problem.New(problem.Usage, problem.Next(DoAddDoc), "%s is not an http or https address", legible.Printable(url))
	}
	return ss.addSource(ctx, url, "website", o)
}

// AddArtifact registers an artifact of the archive, by its id or name.
func (ss Sources) AddArtifact(ref string, o SourceOptions) (*RegisteredSource, error) {
	if err := ss.e.require(ActCreate, ss.e.Caller().Self()); err != nil {
		return nil, err
	}
	tree, err := ss.e.arch.NewestTree()
	if err != nil {
		return nil, err
	}
	art, err := ss.e.Catalog(tree).Resolve(ref)
	if err != nil {
		return nil, err
	}
	s := ss.describeArtifact(art)
	if o.Name != "" {
		s.Name = o.Name
	}
	s.Version, s.Metadata = o.Version, o.Metadata
	return ss.registerSource(s)
}

// addSource adds one input and registers the artifact it became.
func (ss Sources) addSource(ctx context.Context, arg, typ string, o SourceOptions) (*RegisteredSource, error) {
	added, err := accession.Add(ctx, ss.e.arch, []string{arg}, accession.AddOptions{AllowPrivate: o.AllowPrivate, IgnoreRobots: o.IgnoreRobots,
		Source: sourcemeta.Layer{From: sourcemeta.CommandLine, KeepQuery: o.KeepQuery}})
	if err != nil {
		return nil, err
	}
	return ss.registerAdded(added, typ, "", nil, o)
}

// registerAdded registers the first artifact that an add made. Its parts get
// their numbers when they are cited.
func (ss Sources) registerAdded(added *accession.AddResult, typ, identifier string, inputs []string, o SourceOptions) (*RegisteredSource, error) {
	if len(added.Artifacts) == 0 {
		return nil, problem.New(problem.SourceNotFound, problem.Next(accession.DoAddSource), "nothing was taken in")
	}
	if err := ss.e.noteAdditions(added); err != nil {
		return nil, err
	}
	first := added.Artifacts[0]
	id, err := cid.Parse(first.ID)
	if err != nil {
		return nil, problem.Wrap(err, "source")
	}
	tree, err := ss.e.arch.NewestTree()
	if err != nil {
		return nil, err
	}
	art, err := ss.e.arch.Catalog(tree).Artifact(id) // nobody has registered it yet
	if err != nil {
		return nil, err
	}
	if art == nil {
		return nil, problem.New(problem.SourceNotFound, problem.Advise("run the same command again"), "%s was taken out again by another process", first.Path)
	}
	s := ss.describeArtifact(art)
	s.Type, s.Inputs, s.Version, s.Metadata = typ, inputs, o.Version, o.Metadata
	if identifier != "" {
		s.Identifier = identifier
	} else if typ == "document" {
		s.Identifier = first.Path
	}
	if o.Name != "" {
		s.Name = o.Name
	}
	return ss.registerSource(s)
}

// DBSourceOptions describe the answer of a database. Identifier is required,
// and Content, Rows or ResultDescription.
type DBSourceOptions struct {
	SourceOptions
	Identifier        string // of the database
	Query             string
	ResultDescription string
	Content           string // the result as text
	Columns           []dbresult.Column
	Rows              [][]any // with Columns, in the place of Content
	Ordered           bool    // the query promises the order of the rows
	DerivedFrom       []string
}

// AddDB adds the answer of a database to the archive and registers it. Its
// payload is the rows, else the content, else the result description.
func (ss Sources) AddDB(ctx context.Context, o DBSourceOptions) (*RegisteredSource, error) {
	if o.Identifier == "" {
		return nil, problem.New(problem.Usage, problem.Next(DoAddDB), "a database source needs the name of the database")
	}
	got := accession.Body{MediaType: "text/plain; charset=utf-8", Data: []byte(o.Content)}
	if len(o.Columns) > 0 {
		data, err := dbresult.New(o.Query, o.Columns, o.Rows, o.Ordered)
		if err != nil {
			return nil, problem.New(problem.Usage, problem.Next(DoAddDB).With("the result has the form dbresult@1"), "result: %w", err)
		}
		got = accession.Body{MediaType: dbresult.MediaType, Data: data}
	} else if strings.TrimSpace(o.Content) == "" {
		got.Data = []byte(o.ResultDescription)
	}
	got.Facts = map[string]string{factSourceType: "database", factIdentifier: o.Identifier, factQuery: o.Query, factResult: o.ResultDescription}
	return ss.addContent(ctx, "database", o.Identifier, got, o.DerivedFrom, o.SourceOptions)
}

// CustomSourceOptions describe something that an agent made: a matrix, a plot's
// data, an analysis. Name and Content are required.
type CustomSourceOptions struct {
	SourceOptions
	Name        string
	Content     string
	MediaType   string // text/plain when empty
	Description string
	// DerivedFrom names what it was made from: artifacts by id or name,
	// citations by number or id.
	DerivedFrom []string
}

// AddCustom adds an agent's product to the archive and registers it, with the artifacts and
// citations that it was made from.
func (ss Sources) AddCustom(ctx context.Context, o CustomSourceOptions) (*RegisteredSource, error) {
	if o.Name == "" || strings.TrimSpace(o.Content) == "" {
		return nil, problem.New(problem.Usage, problem.Next(DoAddCustom), "a custom source needs a name and content")
	}
	o.MediaType = cmp.Or(o.MediaType, "text/plain; charset=utf-8")
	got := accession.Body{MediaType: o.MediaType, Data: []byte(o.Content),
		Facts: map[string]string{factSourceType: "custom", factIdentifier: o.Name, factDescription: o.Description}}
	return ss.addContent(ctx, "custom", o.Name, got, o.DerivedFrom, o.SourceOptions)
}

// addContent adds content that a caller gave to the archive and registers it. The
// inputs that have IDs are named in the facts of its record too.
func (ss Sources) addContent(ctx context.Context, typ, identifier string, got accession.Body, from []string, o SourceOptions) (*RegisteredSource, error) {
	if err := ss.e.require(ActCreate, ss.e.Caller().Self()); err != nil {
		return nil, err
	}
	if len(got.Data) == 0 || strings.TrimSpace(string(got.Data)) == "" {
		return nil, problem.New(problem.Usage, problem.Next(problem.DoGive, "content", "FILE"), "the %s source %s has no content", typ, legible.Printable(identifier))
	}
	inputs, err := ss.e.resolveInputs(from)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, in := range inputs {
		if _, err := cid.Parse(in); err == nil {
			ids = append(ids, in)
		}
	}
	if len(ids) > 0 {
		got.Facts[factDerivedFrom] = strings.Join(ids, " ")
	}
	maps.DeleteFunc(got.Facts, func(_, v string) bool { return v == "" })
	name, encoded := record.EncodeName(typ + "/" + strings.Trim(strings.Map(func(r rune) rune {
		if r == '/' || r == '\\' {
			return '-'
		}
		return r
	}, identifier), ". ") + ".txt")
	in := accession.Input{Name: name, Encoded: encoded, Fetch: func(context.Context) (accession.Body, error) { return got, nil }}
	added, err := accession.AddInputs(ctx, ss.e.arch, []accession.Input{in}, nil, accession.AddOptions{})
	if err != nil {
		return nil, err
	}
	o.Name = cmp.Or(o.Name, identifier)
	return ss.registerAdded(added, typ, identifier, inputs, o)
}
