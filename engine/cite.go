package engine

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"muniment/archive"
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/archive/search"
	"muniment/canon"
	"muniment/cid"
	"muniment/cite"
	"muniment/cite/locator"
	"muniment/ledger"
	"muniment/snapshot/record"
	"muniment/text/legible"
)

// CiteOptions are a claim and its evidence. Required are Claim and one of
// Quote, Span and Context; without a quote also one of Artifact and Source.
type CiteOptions struct {
	Artifact   string // id, name, title or number of a source; an address or a file that is not in the archive yet is added first; "" is what a search for the quote finds
	Source     int64  // number of a registered source, instead of Artifact
	Quote      string
	Language   string // of the quote, BCP 47
	Claim      string
	Relation   string // or an extraction_method; the default of the source's type when empty
	Span       string // where to look, or where the evidence is when Quote is empty
	Locator    string // where the caller believes it is: a JSON object, kept as given
	Reasoning  string
	Context    string // the surroundings, as the caller saw them; the evidence when there is neither quote nor span
	Confidence string // high (default), medium, low
	// DerivedFrom names the inputs of an aggregation whose source names none:
	// artifacts by id or name, citations by number or id.
	DerivedFrom []string
	// ReasoningRequired is none, low, medium or high; low when empty. A citation of
	// this confidence or a lower one needs a reasoning.
	ReasoningRequired string

	// Judged says what a model's yes makes of the claim: policy.JudgedVerified verified; JudgedLabeled unverified, naming the model; with
	// JudgedNever none is asked. "" is what Profile says of it, else the signed policy.HouseProfile, else JudgedLabeled.
	Judged string
	// Profile names the rules that the verdict follows in addition: judged, and reviews, the persons of different organisations who must have
	// checked the claim. "" asks for no reviews.
	Profile string

	// Key is the caller's own, by which a retry in the same session finds the
	// citation that the first attempt registered; "" is one made of the content of
	// the call and what was found.
	Key string

	Remote       bool // the caller is elsewhere: no file of this machine and no page is taken in
	NoRegister   bool // a source that is not in the archive is an error
	NoIntake     bool // a page or file that would be taken in first is SourceNotFound, for the caller to cite again
	AllowPrivate bool // as in accession.AddOptions, for a page that is added

	// The caller, for the function Cite; an Engine has its own.
	Session string
	Agent   string
	User    string
	Project string
}

// Cite registers a claim with its evidence and returns at once whether the
// evidence is there, for a caller that the options name. A failed citation is registered too and is a result, not
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

// citeTyped is Cite for a source that must be of one type.
func (e *Engine) citeTyped(ctx context.Context, typ string, source int64, o CiteOptions) (*CiteResult, error) {
	s, err := e.Sources().Get(source)
	if err != nil {
		return nil, err
	}
	if s.Type != typ {
		return nil, problem.New(problem.Usage, problem.Next(DoShowSource, fmt.Sprint(source)).With("cite it as what it is"), "source %d is a %s, not a %s", source, s.Type, typ)
	}
	o.Source = source
	return e.Cite(ctx, o)
}

// Cite registers a claim with its evidence from a source of any type.
func (e *Engine) Cite(ctx context.Context, o CiteOptions) (*CiteResult, error) {
	c, err := e.Examine(ctx, o)
	if err != nil {
		return nil, err
	}
	return e.register(ctx, c)
}

// Examine looks up the evidence of a claim and judges it, and registers nothing but a
// page or file that the archive does not hold and that is taken in.
func (e *Engine) Examine(ctx context.Context, o CiteOptions) (*Candidate, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	if o.Relation == "" && strings.HasPrefix(o.Span, cite.MetaPrefix) {
		o.Relation = string(cite.MetadataFact)
	}
	given, err := parseLocator(o.Locator)
	if err != nil {
		return nil, err
	}
	fragment, err := o.readFragment()
	if err != nil {
		return nil, err
	}
	if err := e.caller.Require(ActCreate, e.caller.Self()); err != nil {
		return nil, err
	}
	rules, err := e.findRules(o.Profile, o.Judged)
	if err != nil {
		return nil, err
	}
	c, err := e.lookUp(ctx, given, fragment, o)
	if err == nil {
		c.rules = rules
	}
	return c, err
}

// lookUp looks up the evidence of options that are well formed and judges the claim by rules.
func (e *Engine) lookUp(ctx context.Context, given locator.Given, fragment *cite.MediaSpan, o CiteOptions) (*Candidate, error) {
	t, err := e.findTarget(ctx, &o)
	if err != nil {
		return nil, err
	}
	if fragment != nil && t.art != nil {
		return e.examineMedia(t, given, *fragment, o)
	}
	relation := chooseRelation(&t.source)
	if o.Relation != "" {
		if relation, err = cite.ParseRelation(o.Relation); err != nil {
			return nil, problem.New(problem.Usage, problem.Advise(relations), "%w", err)
		}
	}
	if t.art == nil || relation == cite.MetadataFact {
		return e.examineRecord(t, given, o)
	}
	return e.examineText(t, given, relation, o)
}

// readable returns the text of an artifact in which words are looked for: without the lines that are withheld from the reader whole,
// as they name a sealed person. A citation of these is answered like one of words that are not there.
func (e *Engine) readable(art *holdings.Artifact, doc *canon.Document) (*canon.Document, error) {
	door := e.reader.Door()
	if door == nil || door.SeesAll() || door.Rules == nil {
		return doc, nil
	}
	if paper, err := door.Permission(art.ID, ""); err != nil || !paper.Display {
		return doc, err // words of such a paper are concealed as they are given out
	}
	text, err := door.WithoutWithheld(art.ID, doc.Payload())
	if err != nil || bytes.Equal(text, doc.Payload()) {
		return doc, err
	}
	return canon.NewDocument(text), nil
}

// examineText looks up a citation of words of an artifact's text. An aggregation
// whose context is not in these words rests on the whole text.
func (e *Engine) examineText(t *target, given locator.Given, relation cite.Relation, o CiteOptions) (*Candidate, error) {
	doc, err := e.arch.Document(t.tree, t.art)
	if err != nil {
		return nil, err
	}
	contextOnly := strings.TrimSpace(o.Quote) == "" && o.Span == ""
	if relation == cite.DirectQuote && contextOnly {
		relation = cite.Paraphrase
	}
	readable, err := e.readable(t.art, doc)
	if err != nil {
		return nil, err
	}
	match, err := findEvidence(readable, o)
	if err != nil {
		return nil, err
	}
	whole := relation == cite.Aggregation && contextOnly && !match.Verifies()
	if whole {
		if match, err = matchWhole(doc); err != nil {
			return nil, problem.Wrap(err, "citation")
		}
	}
	r := &CiteResult{Match: string(match.Status), Edits: match.Edits, Length: match.Length, Difference: string(match.Difference), Relation: string(relation),
		Artifact: t.art.ID.String(), Name: t.art.Name(), Similarity: measureSimilarity(match), SourceID: t.source.ID, SourceName: joinVersion(t.source.Name, t.source.Version), SourceRegistered: t.registered}
	ev := evidence{artifact: t.art.ID, source: t.source.ID, doc: doc, span: match.Span}
	paper, err := e.Citations().paperOf(t.tree, t.art)
	if err != nil {
		return nil, err
	}
	if err := applyVerdicts(r, doc, match, relation, o, paper); err != nil {
		return nil, err
	}
	if whole && r.VerificationStatus != string(ledger.Failed) {
		r.VerificationStatus, r.ClaimVerdict = string(ledger.Unverified), string(cite.ClaimNotShown)
		r.VerificationNotes = "the context is not in the source's own words; the whole source is the evidence, and nobody judged whether it says so"
		r.Next = problem.Next(problem.DoGive, "quote", "TEXT").With("quote the line of the result that says it")
	}
	if err := ev.locate(r, t.art, given, e.reader); err != nil {
		return nil, err
	}
	asked := o
	if whole {
		asked.Context = "the whole source, for the context is not in its words"
	}
	r.Checks = checkText(t, r, ev, relation, asked)
	if contextOnly { // it is the evidence, and was looked up as such
		r.QuoteContext, r.ContextFrom = o.Context, ContextGiven
	} else if err := r.setContext(doc, match.Span, o.Context); err != nil {
		return nil, problem.Wrap(err, "citation")
	}
	return e.candidate(t, r, ev, match, relation, o), nil
}

// evidence is the cited object.
type evidence struct {
	artifact cid.ID         // of the payload, or of the record for a metadata fact
	record   string         // which record, when the artifact has several
	work     *record.Record // describes what is cited
	anchor   cite.Anchor
	source   int64
	inputs   []string
	// published is when the record says that the source was made.
	published string
	doc       *canon.Document // nil for a metadata fact and a fragment of a picture or a recording
	span      cite.Span
}

// locate notes where the words of a verdict are: their anchor, which of the
// artifact's records holds them, and their place in the original, compared with
// the caller's locator.
func (ev *evidence) locate(r *CiteResult, art *holdings.Artifact, given locator.Given, reader search.Reader) error {
	r.section = given.Text("section")
	h, ok := art.FirstRecord()
	if ev.work = h.Record; ok && h.Record.Source != nil {
		ev.published = h.Record.Source.PublishedAt
	}
	if ok && len(art.CurrentRecords()) > 1 {
		ev.record = h.ID.String()
	}
	if r.Span == "" || ev.doc == nil {
		return nil
	}
	if art.IsUnaccepted() {
		r.note(addedByClaimant)
	}
	if ok {
		r.Locator = search.Locators(reader.Door(), art.ID, h.Record, ev.doc, ev.span)
		r.note(locator.Disagreements(given, r.Locator)...)
	}
	var err error
	ev.anchor, err = cite.AnchorOf(ev.doc, ev.span)
	return problem.Wrap(err, "citation")
}

// addedByClaimant is the note on a verdict whose words a program handed in.
const addedByClaimant = "added by the claimant: no archivist has accepted the source"

// relations are the values of CiteOptions.Relation, for hints.
const relations = "direct_quote, paraphrase, inference_from, metadata_fact or aggregation"

// validate validates the call.
func (o *CiteOptions) validate() error {
	next := problem.Next(DoCite, "artifact", o.Artifact, "quote", o.Quote, "claim", o.Claim)
	switch {
	case o.Artifact == "" && o.Source == 0 && (strings.TrimSpace(o.Quote+o.Context) == "" || strings.EqualFold(o.Relation, string(cite.MetadataFact)) || cite.IsMediaSpan(o.Span)):
		return problem.New(problem.Usage, next, "no artifact was named")
	case o.Artifact != "" && o.Source != 0:
		return problem.New(problem.Usage, next, "an artifact and a source were named, want one of them")
	case strings.TrimSpace(o.Claim) == "":
		return problem.New(problem.Usage, next, "no claim was given")
	case strings.TrimSpace(o.Quote) == "" && o.Span == "" && strings.TrimSpace(o.Context) == "":
		return problem.New(problem.Usage, next, "neither a quote nor a span was given")
	}
	if o.Relation != "" {
		if strings.EqualFold(o.Relation, "negative") {
			return problem.New(problem.Usage, problem.Next(DoCiteNegative), "a negative citation is a search record, not a relation")
		}
		if _, err := cite.ParseRelation(o.Relation); err != nil {
			return problem.New(problem.Usage, problem.Advise(relations), "%w", err)
		}
	}
	need := map[string][]string{"none": nil, "": {"low"}, "low": {"low"}, "medium": {"low", "medium"}, "high": {"low", "medium", "high"}}
	o.Confidence = cmp.Or(o.Confidence, "high")
	if _, ok := need[o.Confidence]; !ok || o.Confidence == "none" {
		return problem.New(problem.Usage, problem.Advise("high, medium or low"), "confidence %q", legible.Printable(o.Confidence))
	}
	levels, ok := need[o.ReasoningRequired]
	if !ok {
		return problem.New(problem.Usage, problem.Advise("none, low, medium or high"), "CITATION_REASONING_REQUIRED is %q", legible.Printable(o.ReasoningRequired))
	}
	if slices.Contains(levels, o.Confidence) && strings.TrimSpace(o.Reasoning) == "" {
		next := problem.Next(problem.DoGive, "reasoning", "TEXT")
		if !slices.Contains(levels, "high") {
			next = problem.Next(problem.DoGive, "reasoning", "TEXT").With("state the confidence high, if it is meant, or")
		}
		return problem.New(problem.Reasoning, next, "a citation of %s confidence needs a reasoning", o.Confidence)
	}
	return nil
}

// parseLocator reads a caller's locator; "" is none.
func parseLocator(s string) (locator.Given, error) {
	g, err := locator.Parse(s)
	if err != nil {
		return nil, problem.New(problem.InvalidLocator, problem.Advise(`a locator is a JSON object such as {"page": 24, "section": "§ 8.1"} or {"page_start": 24, "page_end": 25}`), "%w", err)
	}
	return g, nil
}
