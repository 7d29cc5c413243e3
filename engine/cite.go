package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"muniment/accession"
	"muniment/archive"
	"muniment/archive/search"
	"muniment/canon"
	"muniment/cid"
	"muniment/cite"
	"muniment/ledger"
	"muniment/objects"
)

// longQuote is the length in code points above which a quote is warned of: it
// is then hard for a reader to see what of it supports the claim.
const longQuote = 2000

// CiteOptions are a claim and its evidence. Claim is required, Artifact or
// Source, and Quote, Span or Context.
type CiteOptions struct {
	Artifact   string // id or name; an address or a file that is not in the archive yet is taken in first
	Source     int64  // number of a registered source, in the place of Artifact
	Quote      string
	Language   string // of the quote, BCP 47
	Claim      string
	Relation   string // or an extraction_method; the default of the source's type when empty
	Span       string // where to look, or where the evidence is when Quote is empty
	Locator    string // where the caller believes it is: a JSON object, kept as given
	Reasoning  string
	Context    string // the surroundings, as the caller saw them; the evidence when there is neither quote nor span
	Confidence string // high (default), medium, low
	// DerivedFrom names what an aggregation rests on, where its source does not
	// say: artifacts by id or name, citations by number or id.
	DerivedFrom []string
	// ReasoningRequired is none, low, medium or high; low when empty. It says
	// from which confidence downwards a citation needs a reasoning.
	ReasoningRequired string

	NoRegister   bool // a source that is not in the archive is an error
	AllowPrivate bool // of AddOptions, for a page that is registered

	// Who cites, for callers of Archive.Cite; an Engine has a Caller.
	Session string
	Agent   string
	User    string
	Project string
}

// Cite registers a claim with its evidence and says at once whether the
// evidence is there. A failed citation is registered too and is a result, not
// an error; what cannot be looked up at all is an error.
func Cite(a *archive.Archive, o CiteOptions) (*CiteResult, error) {
	e, err := New(a, Caller{Session: o.Session, Agent: o.Agent, User: o.User, Project: o.Project})
	if err != nil {
		return nil, err
	}
	return e.Cite(context.Background(), o)
}

// CiteDoc cites a document source by its number: direct_quote by default.
func (e *Engine) CiteDoc(ctx context.Context, source int64, o CiteOptions) (*CiteResult, error) {
	return e.citeTyped(ctx, "document", source, o)
}

// CiteWeb cites an archived page by its number: direct_quote by default.
func (e *Engine) CiteWeb(ctx context.Context, source int64, o CiteOptions) (*CiteResult, error) {
	return e.citeTyped(ctx, "website", source, o)
}

// CiteDB cites the answer of a database by its number: aggregation by default.
func (e *Engine) CiteDB(ctx context.Context, source int64, o CiteOptions) (*CiteResult, error) {
	return e.citeTyped(ctx, "database", source, o)
}

// CiteCustom cites what an agent made by its number: aggregation by default
// where the source says what it was made from, else direct_quote.
func (e *Engine) CiteCustom(ctx context.Context, source int64, o CiteOptions) (*CiteResult, error) {
	return e.citeTyped(ctx, "custom", source, o)
}

func (e *Engine) citeTyped(ctx context.Context, typ string, source int64, o CiteOptions) (*CiteResult, error) {
	s, err := e.Source(source)
	if err != nil {
		return nil, err
	}
	if s.Type != typ {
		return nil, archive.Problem(archive.TypeUsage, archive.Advise("cite it as what it is; muniment source show "+fmt.Sprint(source)), "source %d is a %s, not a %s", source, s.Type, typ)
	}
	o.Source = source
	return e.Cite(ctx, o)
}

// Cite registers a claim with its evidence from a source of any type.
func (e *Engine) Cite(ctx context.Context, o CiteOptions) (*CiteResult, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	given, err := parseLocator(o.Locator)
	if err != nil {
		return nil, err
	}
	if err := e.who.Require(ActCreate, e.who.Self()); err != nil {
		return nil, err
	}
	t, err := e.target(ctx, &o)
	if err != nil {
		return nil, err
	}
	method := o.Relation
	relation := relationOf(&t.source)
	if o.Relation != "" {
		if relation, err = cite.ParseRelation(o.Relation); err != nil {
			return nil, archive.Problem(archive.TypeUsage, archive.Advise("direct_quote, paraphrase, inference_from, metadata_fact or aggregation"), "%w", err)
		}
	}
	if t.art == nil {
		relation = cite.MetadataFact
	}
	if relation == cite.MetadataFact {
		return e.citeRecord(ctx, t, given, method, o)
	}
	doc, err := e.arch.Document(t.tree, t.art)
	if err != nil {
		return nil, err
	}
	if relation == cite.DirectQuote && strings.TrimSpace(o.Quote) == "" && o.Span == "" {
		relation = cite.Paraphrase // there are no words to quote, only surroundings
	}
	match, err := find(doc, o)
	if err != nil {
		return nil, err
	}
	whole := false
	if relation == cite.Aggregation && !match.Verifies() && strings.TrimSpace(o.Quote) == "" && o.Span == "" {
		// The surroundings are the caller's own words about the result: the
		// whole of it is the evidence.
		if match, err = wholeMatch(doc); err != nil {
			return nil, archive.Environment(err, "citation")
		}
		whole = true
	}
	r := &CiteResult{Match: string(match.Status), Edits: match.Edits, Length: match.Length, Difference: string(match.Difference), Relation: string(relation),
		Artifact: t.art.ID.String(), Name: t.art.Name(), Similarity: similarity(match), SourceID: t.source.ID, SourceName: withVersion(t.source.Name, t.source.Version), SourceRegistered: t.registered}
	ev := evidence{artifact: t.art.ID, source: t.source.ID, method: method, doc: doc, span: match.Span}
	if relation == cite.Aggregation {
		if ev.inputs = t.source.Inputs; len(o.DerivedFrom) > 0 {
			if ev.inputs, err = e.inputsOf(o.DerivedFrom); err != nil {
				return nil, err
			}
		}
	}
	judge(e.arch, r, doc, match, relation, o)
	if whole && r.VerificationStatus == string(ledger.Verified) {
		r.VerificationStatus = string(ledger.Unverified)
		r.VerificationNotes = "the context is not in the source's own words; the whole source is the evidence, and nobody judged whether it says so"
		r.Suggestion = "quote the line of the result that says it, with --quote"
	}
	h, ok := t.art.FirstRecord()
	if ok && r.Span != "" {
		r.Locator = search.Locators(h.Record, doc, match.Span)
		r.note(disagreements(given, r.Locator)...)
	}
	if ok && len(t.art.CurrentRecords()) > 1 {
		ev.record = h.ID.String()
	}
	if r.Span != "" {
		if ev.anchor, err = cite.AnchorOf(doc, match.Span); err != nil {
			return nil, archive.Environment(err, "citation")
		}
	}
	r.said = given.text("section")
	asked := o
	if whole {
		asked.Context = "the whole source, for the context is not in its words"
	}
	r.Checks = textChecks(t, r, ev, relation, asked)
	if relation == cite.Aggregation {
		if err := e.checkInputs(r, t.catalog, ev.inputs); err != nil {
			return nil, err
		}
	}
	return r, e.register(ctx, r, ev, match, relation, o)
}

// A target is what a call cites.
type target struct {
	tree       objects.Hash
	catalog    *archive.Catalog
	art        *archive.Artifact // nil for a source without a body
	source     ledger.Source
	registered bool // by this call: it was not in the archive
}

// target finds what a call cites, and registers it first where it is not in
// the archive.
func (e *Engine) target(ctx context.Context, o *CiteOptions) (*target, error) {
	a := e.arch
	t := &target{}
	var err error
	if t.tree, err = a.NewestTree(); err != nil {
		return nil, err
	}
	if t.catalog, err = a.Catalog(t.tree); err != nil {
		return nil, err
	}
	if o.Source != 0 {
		s, err := e.Source(o.Source)
		if err != nil {
			return nil, err
		}
		t.source = ledger.Source{ID: s.SourceID, Type: s.Type, Name: s.Name, Version: s.Version, Inputs: s.DerivedFrom}
		if o.Artifact = s.Artifact; s.Artifact == "" {
			o.Artifact = s.Record
			return t, nil
		}
		t.art, err = t.catalog.Resolve(o.Artifact)
		return t, err
	}
	if relation, err := cite.ParseRelation(o.Relation); err == nil && relation == cite.MetadataFact {
		return t, nil // a record is cited, and resolved there
	}
	t.art, err = resolveCited(t.catalog, o.Artifact)
	var told *archive.Error
	if errors.As(err, &told) && told.Kind == archive.TypeSourceNotFound {
		if hint := bodilessHint(t.catalog, *o); hint != "" {
			return nil, archive.Problem(archive.TypeSourceNotFound, archive.Advise(hint), "%s is a source without a body: there is no text to quote, only its record", archive.Printable(o.Artifact))
		}
		return e.registerFirst(ctx, t, told, o)
	}
	if err != nil {
		return nil, err
	}
	return t, e.number(t)
}

// registerFirst takes in what is cited, a page or a file, where the archive
// does not hold it: archive-on-cite.
func (e *Engine) registerFirst(ctx context.Context, t *target, missing *archive.Error, o *CiteOptions) (*target, error) {
	s := accession.Scheme(o.Artifact)
	info, err := os.Stat(o.Artifact)
	page, file := s == "http" || s == "https", s == "" && err == nil && info.Mode().IsRegular()
	if !page && !file {
		return nil, missing
	}
	if o.NoRegister {
		missing.Next = archive.Advise("muniment source add-doc " + shellWord(o.Artifact) + " registers it; or leave --no-register out")
		if page {
			missing.Next = archive.Advise("muniment source add-web " + shellWord(o.Artifact) + " registers it; or leave --no-register out")
		}
		return nil, missing
	}
	add := e.AddDocSource
	if page {
		add = e.AddWebSource
	}
	got, err := add(ctx, o.Artifact, SourceOptions{AllowPrivate: o.AllowPrivate})
	if err != nil {
		return nil, err
	}
	o.Artifact = got.Artifact
	if t.tree, err = e.arch.NewestTree(); err != nil {
		return nil, err
	}
	if t.catalog, err = e.arch.Catalog(t.tree); err != nil {
		return nil, err
	}
	if t.art, err = t.catalog.Resolve(got.Artifact); err != nil {
		return nil, err
	}
	t.registered, t.source = true, ledger.Source{ID: got.SourceID, Type: got.Type, Name: got.Name, Version: got.Version, Inputs: got.DerivedFrom}
	return t, nil
}

// number finds the number of the source that an artifact is, or gives it one.
func (e *Engine) number(t *target) error {
	l, err := e.arch.Ledger()
	if err != nil {
		return err
	}
	known, err := l.Sources(ledger.SourceFilter{Artifact: t.art.ID.String(), Project: e.who.Project})
	if err != nil {
		return archive.Environment(err, "ledger")
	}
	for _, s := range slices.Backward(known) {
		if e.who.May(ActReadSource, Owner{s.Project, s.Session, s.Agent}) {
			t.source = s
			return nil
		}
	}
	s := e.sourceOf(t.art)
	got, err := e.registerSource(s)
	if err != nil {
		return err
	}
	s.ID, t.source = got.SourceID, s
	t.source.ID = got.SourceID
	return nil
}

// resolveCited is resolve, and besides finds the newest page of an address.
func resolveCited(c *archive.Catalog, ref string) (*archive.Artifact, error) {
	if accession.Scheme(ref) == "" {
		return c.Resolve(ref)
	}
	var best *archive.Artifact
	newest := ""
	for _, art := range c.Artifacts {
		for _, h := range art.CurrentRecords() {
			if src := h.Record.Source; src != nil && src.URL == ref && !art.Withdrawn && h.Record.Time >= newest {
				best, newest = art, h.Record.Time
			}
		}
	}
	if best != nil {
		return best, nil
	}
	return c.Resolve(ref)
}

// evidence is what a citation points at, and how it was called.
type evidence struct {
	artifact cid.ID // of the payload, or of the record for a metadata fact
	record   string // which record, when the artifact has several
	anchor   cite.Anchor
	source   int64
	method   string
	inputs   []string
	doc      *canon.Document // nil for a metadata fact
	span     cite.Span
}

// check validates the call.
func (o *CiteOptions) check() error {
	hint := "muniment cite --artifact NAME --quote TEXT --claim TEXT"
	switch {
	case o.Artifact == "" && o.Source == 0:
		return archive.Problem(archive.TypeUsage, archive.Advise(hint), "no artifact was named")
	case o.Artifact != "" && o.Source != 0:
		return archive.Problem(archive.TypeUsage, archive.Advise(hint), "an artifact and a source were named, want one of them")
	case strings.TrimSpace(o.Claim) == "":
		return archive.Problem(archive.TypeUsage, archive.Advise(hint), "no claim was given")
	case strings.TrimSpace(o.Quote) == "" && o.Span == "" && strings.TrimSpace(o.Context) == "":
		return archive.Problem(archive.TypeUsage, archive.Advise(hint), "neither a quote nor a span was given")
	}
	if o.Relation != "" {
		if strings.EqualFold(o.Relation, "negative") {
			return archive.Problem(archive.TypeUsage, archive.Advise(`muniment cite --negative --claim TEXT --query "words searched"`), "a negative citation is a search record, not a relation")
		}
		if _, err := cite.ParseRelation(o.Relation); err != nil {
			return archive.Problem(archive.TypeUsage, archive.Advise("direct_quote, paraphrase, inference_from, metadata_fact or aggregation"), "%w", err)
		}
	}
	need := map[string][]string{"none": nil, "": {"low"}, "low": {"low"}, "medium": {"low", "medium"}, "high": {"low", "medium", "high"}}
	if o.Confidence == "" {
		o.Confidence = "high"
	}
	if _, ok := need[o.Confidence]; !ok || o.Confidence == "none" {
		return archive.Problem(archive.TypeUsage, archive.Advise("high, medium or low"), "confidence %q", archive.Printable(o.Confidence))
	}
	levels, ok := need[o.ReasoningRequired]
	if !ok {
		return archive.Problem(archive.TypeUsage, archive.Advise("none, low, medium or high"), "CITATION_REASONING_REQUIRED is %q", archive.Printable(o.ReasoningRequired))
	}
	if slices.Contains(levels, o.Confidence) && strings.TrimSpace(o.Reasoning) == "" {
		hint := "add --reasoning TEXT"
		if !slices.Contains(levels, "high") {
			hint += ", or --confidence high if it is meant"
		}
		return archive.Problem(archive.TypeReasoning, archive.Advise(hint), "a citation of %s confidence needs a reasoning", o.Confidence)
	}
	return nil
}
