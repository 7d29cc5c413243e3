package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"muniment/archive"
	"muniment/archive/inventory"
	"muniment/archive/search"
	"muniment/cid"
	"muniment/ledger"
)

// An Engine registers sources and citations for one caller. Its methods are
// those of the Citation & Provenance Engine's interface:
//
//	add_doc_source, add_web_source,      AddDocSource, AddWebSource,
//	add_db_source, add_custom_source     AddDBSource, AddCustomSource
//	cite_doc, cite_web, cite_db,         CiteDoc, CiteWeb, CiteDB, CiteCustom;
//	cite_custom                          Cite takes any kind
//	extraction_method="negative"         CiteNegative
//	get_source, list_sources             Source, Sources
//	get_citation, list_citations         Citation, Citations
//	get_citations_for_source, _by_session, _by_project, _by_status
//	                                     CitationsForSource, CitationsBySession, Citations
//	related_citations, relation_type     Link
//	format_citation, export_bibliography FormatCitation, ExportBibliography
//	CitationContext                      Caller
//
// The modes basic and multi-agent are the ledger in the archive's folder and
// the one that World.LedgerURL names. Sources are artifacts and records of the
// archive; the numbers that callers get are the ledger's.
type Engine struct {
	arch *archive.Archive
	who  Caller
}

// New returns the engine for a caller.
func New(a *archive.Archive, c Caller) (*Engine, error) {
	if c.Role == "" {
		c.Role = RoleAdmin
	}
	if access[c.Role] == nil {
		return nil, archive.Problem(archive.TypeUsage, archive.Advise("agent, user, auditor or admin"), "role %q", archive.Printable(string(c.Role)))
	}
	if c.Role == RoleUser && c.Project == "" {
		return nil, archive.Problem(archive.TypeUsage, archive.Advise("name the project with --project"), "a user reads the citations of a project, and none is named")
	}
	for _, name := range []string{c.Session, c.Agent, c.User, c.Project} {
		if len(name) > ledger.MaxName {
			return nil, archive.Problem(archive.TypeUsage, archive.Advise("shorten the name"), "a name of %d bytes, want at most %d", len(name), ledger.MaxName)
		}
	}
	if c.Agent == "" && c.Role == RoleAdmin {
		c.Agent = a.World().Author
	}
	return &Engine{arch: a, who: c}, nil
}

// Archive returns the archive that the engine cites.
func (e *Engine) Archive() *archive.Archive { return e.arch }

// Caller returns who calls the engine.
func (e *Engine) Caller() Caller { return e.who }

// A CitationInfo is a registered citation with its state.
type CitationInfo struct {
	CitationID         int64    `json:"citation_id"`        // 0 for one that only the snapshot has
	Citation           string   `json:"citation,omitempty"` // content id; none while unbound
	Claim              string   `json:"claim"`
	ClaimID            int64    `json:"claim_id"`
	Relation           string   `json:"relation"`
	ExtractionMethod   string   `json:"extraction_method,omitempty"` // as the caller gave it
	VerbatimQuote      string   `json:"verbatim_quote,omitempty"`    // as the caller gave it
	QuoteContext       string   `json:"quote_context,omitempty"`
	QuoteLanguage      string   `json:"quote_language,omitempty"`
	RelevanceReasoning string   `json:"relevance_reasoning,omitempty"`
	Confidence         string   `json:"confidence"`
	SourceID           int64    `json:"source_id,omitempty"`
	SourceName         string   `json:"source_name,omitempty"` // as it was registered, with its version
	Artifact           string   `json:"artifact,omitempty"`
	Name               string   `json:"name,omitempty"`
	Locator            string   `json:"locator,omitempty"` // the caller's, as given
	Span               string   `json:"span,omitempty"`
	Text               string   `json:"text,omitempty"` // the words at the span
	Match              string   `json:"match"`
	SimilarityScore    float64  `json:"similarity_score"`
	Difference         string   `json:"difference,omitempty"`
	DerivedFrom        []string `json:"derived_from,omitempty"`
	VerificationStatus string   `json:"verification_status"`
	VerificationNotes  string   `json:"verification_notes,omitempty"`
	Binding            string   `json:"binding"`
	Snapshot           string   `json:"snapshot,omitempty"`
	SupersededBy       int64    `json:"superseded_by,omitempty"`
	Session            string   `json:"session,omitempty"`
	CreatedBy          string   `json:"created_by,omitempty"`
	User               string   `json:"user,omitempty"`
	Project            string   `json:"project,omitempty"`
	CreatedAt          string   `json:"created_at"` // empty for one that only the snapshot has
}

// A CitationFilter selects citations. Fields left empty select everything.
type CitationFilter struct {
	Source  int64
	Session string
	Project string
	Agent   string
	Claim   int64
	Status  string // verified, failed, pending or unverified
	After   int64  // only ordinals above it
	Limit   int    // at most so many; 0 is no limit
}

// Citations lists what the caller may read, by ordinal.
func (e *Engine) Citations(f CitationFilter) ([]CitationInfo, error) {
	status := ledger.Status(f.Status)
	if !slices.Contains([]ledger.Status{"", ledger.Verified, ledger.Failed, ledger.Pending, ledger.Unverified}, status) {
		return nil, archive.Problem(archive.TypeUsage, archive.Advise("verified, failed, pending or unverified"), "status %q", archive.Printable(f.Status))
	}
	l, err := e.arch.Ledger()
	if err != nil {
		return nil, err
	}
	asked := ledger.Filter{Source: f.Source, Session: f.Session, Project: f.Project, Agent: f.Agent, Claim: f.Claim, Status: status, After: f.After, Limit: f.Limit}
	narrow := e.who.Narrow(asked)
	if f.Project != "" && narrow.Project != f.Project || f.Agent != "" && narrow.Agent != f.Agent || f.Session != "" && narrow.Session != f.Session {
		return nil, e.who.Require(ActReadCitation, Owner{f.Project, f.Session, f.Agent})
	}
	all, err := l.List(narrow)
	if err != nil {
		return nil, archive.Environment(err, "ledger")
	}
	all = slices.DeleteFunc(all, func(c ledger.Citation) bool { return !e.who.May(ActReadCitation, OwnerOf(&c)) })
	return e.describe(l, all)
}

// Citation returns one citation by its ordinal or content id; by content id also
// one that only the newest snapshot has, as in a clone.
func (e *Engine) Citation(ref string) (*CitationInfo, error) {
	c, l, err := e.look(ref)
	if err != nil {
		return nil, err
	}
	all, err := e.describe(l, []ledger.Citation{c})
	if err != nil {
		return nil, err
	}
	return &all[0], nil
}

// CitationsForSource lists the citations of a source.
func (e *Engine) CitationsForSource(source int64) ([]CitationInfo, error) {
	return e.Citations(CitationFilter{Source: source})
}

// CitationsBySession lists the citations of a session.
func (e *Engine) CitationsBySession(session string) ([]CitationInfo, error) {
	return e.Citations(CitationFilter{Session: session})
}

// Find looks a citation up. One that the caller may not read is not there.
func (e *Engine) Find(ref string) (ledger.Citation, *ledger.Ledger, error) {
	l, err := e.arch.Ledger()
	if err != nil {
		return ledger.Citation{}, nil, err
	}
	var c ledger.Citation
	if n, numErr := strconv.ParseInt(ref, 10, 64); numErr == nil {
		c, err = l.Get(n)
	} else if id, idErr := cid.ParseAs(cid.JSON, ref); idErr == nil {
		c, err = l.ByID(id)
	} else {
		return c, nil, archive.Problem(archive.TypeUsage, archive.Advise("give the number that cite told, or the citation's id"), "%s is neither the number nor the id of a citation", archive.Printable(ref))
	}
	if err == nil && e.who.May(ActReadCitation, OwnerOf(&c)) {
		return c, l, nil
	}
	if err != nil && !errors.Is(err, ledger.ErrNotFound) {
		return c, nil, archive.Environment(err, "ledger")
	}
	return ledger.Citation{}, nil, archive.Problem(archive.TypeNotFound, archive.Advise("muniment citations lists them"), "no citation %s", archive.Printable(ref))
}

// describe turns entries into what callers see.
func (e *Engine) describe(l *ledger.Ledger, all []ledger.Citation) ([]CitationInfo, error) {
	ordinals := make([]int64, len(all))
	for i := range all {
		ordinals[i] = all[i].Ordinal
	}
	newer, err := l.Superseded(ordinals)
	if err != nil {
		return nil, archive.Environment(err, "ledger")
	}
	tree, err := e.arch.NewestTree()
	if err != nil {
		return nil, err
	}
	c, err := e.arch.Catalog(tree)
	if err != nil {
		return nil, err
	}
	out := make([]CitationInfo, len(all))
	named := sourceNames{ledger: l}
	for i := range all {
		out[i] = citationInfo(&all[i])
		if out[i].SourceName, err = named.of(all[i].Source); err != nil {
			return nil, archive.Environment(err, "ledger")
		}
		out[i].SupersededBy = newer[all[i].Ordinal]
		if id, err := cid.Parse(all[i].Artifact); err == nil {
			out[i].Name = nameOf(c, id)
		}
	}
	return out, nil
}

// nameOf returns a name for people of an artifact or record, "" for what the
// tree does not hold.
func nameOf(c *archive.Catalog, id cid.ID) string {
	if art := c.ByID[id]; art != nil && len(art.Records) > 0 {
		return art.Name()
	}
	if h, ok := c.FindRecord(id); ok {
		return h.Label()
	}
	return ""
}

func citationInfo(c *ledger.Citation) CitationInfo {
	out := CitationInfo{
		CitationID: c.Ordinal, Claim: c.Claim, ClaimID: c.ClaimID, Relation: string(c.Relation), ExtractionMethod: c.Method, VerbatimQuote: c.Quote,
		QuoteContext: c.Context, QuoteLanguage: c.Language, RelevanceReasoning: c.Reasoning, Confidence: c.Confidence, SourceID: c.Source,
		Artifact: c.Artifact, Locator: c.Locator, Span: c.Span, Text: c.Text, Match: string(c.Match), Difference: c.Difference, DerivedFrom: c.Inputs,
		VerificationStatus: string(c.Status), VerificationNotes: c.Notes, Binding: string(c.Binding),
		Session: c.Session, CreatedBy: c.Agent, User: c.User, Project: c.Project,
	}
	if !c.Time.IsZero() {
		out.CreatedAt = c.Time.UTC().Format(time.RFC3339)
	}
	if c.Length > 0 && c.Edits < c.Length && c.Match != "absent" {
		out.SimilarityScore = 1 - float64(c.Edits)/float64(c.Length)
	}
	if !c.ID.IsZero() {
		out.Citation = c.ID.String()
	}
	if !c.Snapshot.IsZero() {
		out.Snapshot = c.Snapshot.String()
	}
	if c.Status == ledger.Failed && c.Binding == ledger.Unbound {
		out.Binding = "failed"
	}
	return out
}

// A ClaimInfo is a claim and how far its citations support it.
type ClaimInfo struct {
	ClaimID   int64  `json:"claim_id"`
	Claim     string `json:"claim"`
	Citations int    `json:"citations"`
	Verified  int    `json:"verified"` // of these, verified and not superseded
	Project   string `json:"project,omitempty"`
	CreatedAt string `json:"created_at"`
}

// Claims lists the claims of which the caller may read citations. The counts
// are those of the caller's project.
func (e *Engine) Claims(session string, after int64, limit int) ([]ClaimInfo, error) {
	l, err := e.arch.Ledger()
	if err != nil {
		return nil, err
	}
	f := e.who.Narrow(ledger.Filter{Session: session})
	all, err := l.Claims(ledger.ClaimFilter{Project: f.Project, Session: f.Session, Agent: f.Agent, After: after, Limit: limit})
	if err != nil {
		return nil, archive.Environment(err, "ledger")
	}
	out := []ClaimInfo{}
	for _, k := range all {
		if e.who.May(ActReadCitation, Owner{k.Project, e.who.Session, e.who.Agent}) {
			out = append(out, ClaimInfo{ClaimID: k.ID, Claim: k.Claim, Citations: k.Citations, Verified: k.Verified, Project: k.Project, CreatedAt: k.Time.UTC().Format(time.RFC3339)})
		}
	}
	return out, nil
}

// A LinkResult is a link between two citations.
type LinkResult struct {
	From      int64  `json:"from"`
	Type      string `json:"type"` // supports, contradicts, extends, supersedes
	To        int64  `json:"to"`
	CreatedAt string `json:"created_at"`
}

// Link says what one citation is to another. Links are append-only; the same
// one again adds nothing.
func (e *Engine) Link(from, typ, to string) (*LinkResult, error) {
	a, l, err := e.Find(from)
	if err != nil {
		return nil, err
	}
	b, _, err := e.Find(to)
	if err != nil {
		return nil, err
	}
	if err := e.who.Require(ActCreate, Owner{a.Project, e.who.Session, a.Agent}); err != nil {
		return nil, err
	}
	if a.Project != b.Project {
		return nil, archive.Problem(archive.TypeNotPermitted, archive.Advise("link citations of one project"), "citations %d and %d are of different projects", a.Ordinal, b.Ordinal)
	}
	if !slices.Contains(ledger.LinkTypes[:], typ) {
		return nil, archive.Problem(archive.TypeUsage, archive.Advise("supports, contradicts, extends or supersedes"), "link %q", archive.Printable(typ))
	}
	k := ledger.Link{Time: e.arch.World().Now(), From: a.Ordinal, To: b.Ordinal, Type: typ, Agent: e.who.Agent, Session: e.who.Session}
	switch {
	case k.From == k.To:
		return nil, archive.Problem(archive.TypeUsage, archive.Advise("name two citations"), "citation %d cannot be linked to itself", k.From)
	case typ == "supersedes" && k.From < k.To:
		return nil, archive.Problem(archive.TypeUsage, archive.Advise(fmt.Sprintf("muniment link %d supersedes %d", k.To, k.From)), "citation %d is older than %d and cannot supersede it", k.From, k.To)
	}
	if err := l.AddLink(k); err != nil {
		return nil, archive.Environment(err, "ledger")
	}
	return &LinkResult{From: k.From, Type: typ, To: k.To, CreatedAt: k.Time.UTC().Format(time.RFC3339)}, nil
}

// NegativeOptions say what was looked for and not found. Claim is required,
// and Query or Spans.
type NegativeOptions struct {
	Claim     string
	Query     string
	Artifact  string   // id or name; "" for the whole archive
	Spans     []string // what was read of the artifact; all of it when empty
	Reasoning string
}

// A SearchRecordResult is the record of a search without support.
type SearchRecordResult struct {
	SearchID    int64    `json:"search_id"`
	Claim       string   `json:"claim"`
	Query       string   `json:"query,omitempty"`
	Artifact    string   `json:"artifact,omitempty"`
	Name        string   `json:"name,omitempty"`
	Snapshot    string   `json:"snapshot,omitempty"`
	Spans       []string `json:"spans"`
	Reasoning   string   `json:"reasoning,omitempty"`
	Session     string   `json:"session,omitempty"`
	CreatedBy   string   `json:"created_by,omitempty"`
	Project     string   `json:"project,omitempty"`
	CreatedAt   string   `json:"created_at"`
	SummaryNote string   `json:"summary_note,omitempty"`
}

// CiteNegative records that a claim was looked for and not supported: a search
// record. It is no citation and never raises coverage.
func (e *Engine) CiteNegative(ctx context.Context, o NegativeOptions) (*SearchRecordResult, error) {
	if o.Claim == "" || o.Query == "" && o.Artifact == "" {
		return nil, archive.Problem(archive.TypeUsage, archive.Advise(`muniment cite --negative --claim TEXT --query "words searched" [--artifact NAME --span p1…]`), "a negative citation needs a claim, and what was searched or read")
	}
	if err := e.who.Require(ActCreate, e.who.Self()); err != nil {
		return nil, err
	}
	a := e.arch
	s := ledger.SearchRecord{Time: a.World().Now(), Claim: o.Claim, Query: o.Query, Reasoning: o.Reasoning,
		Project: e.who.Project, Session: e.who.Session, Agent: e.who.Agent, User: e.who.User}
	r := &SearchRecordResult{Spans: []string{}}
	if head, _, err := a.Head(); err != nil {
		return nil, err
	} else if head != nil {
		s.Snapshot = head.ID.String()
	}
	switch {
	case o.Artifact != "":
		tree, err := a.NewestTree()
		if err != nil {
			return nil, err
		}
		c, err := a.Catalog(tree)
		if err != nil {
			return nil, err
		}
		art, err := c.Resolve(o.Artifact)
		if err != nil {
			return nil, err
		}
		doc, err := a.Document(tree, art)
		if err != nil {
			return nil, err
		}
		s.Artifact, r.Name = art.ID.String(), art.Name()
		for _, text := range o.Spans {
			span, err := inventory.ParseSpan(doc, text)
			if err != nil {
				return nil, err
			}
			s.Spans = append(s.Spans, span.String())
		}
		if len(o.Spans) == 0 {
			span, err := wholeText(doc)
			if err != nil {
				return nil, archive.Environment(err, "span")
			}
			s.Spans = []string{span.String()}
		}
	case s.Snapshot != "":
		const reviewed = 10 // what a person reads of a list
		found, err := search.Search(ctx, a, o.Query, reviewed, nil)
		if err != nil {
			return nil, err
		}
		for _, hit := range found.Hits {
			s.Spans = append(s.Spans, hit.Artifact+"#"+hit.Span)
		}
	}
	l, err := a.Ledger()
	if err != nil {
		return nil, err
	}
	id, err := l.AddSearch(s)
	if err != nil {
		return nil, archive.Environment(err, "ledger")
	}
	s.ID = id
	name := r.Name
	*r = searchResult(s)
	r.Name = name
	where := "the archive"
	if name != "" {
		where = name
	}
	r.SummaryNote = fmt.Sprintf("looked for in %s, not supported: search record %d", where, id)
	return r, nil
}

func searchResult(s ledger.SearchRecord) SearchRecordResult {
	out := SearchRecordResult{SearchID: s.ID, Claim: s.Claim, Query: s.Query, Artifact: s.Artifact, Snapshot: s.Snapshot, Spans: s.Spans, Reasoning: s.Reasoning,
		Session: s.Session, CreatedBy: s.Agent, Project: s.Project, CreatedAt: s.Time.UTC().Format(time.RFC3339)}
	if out.Spans == nil {
		out.Spans = []string{}
	}
	return out
}

// Searches lists the search records that the caller may read.
func (e *Engine) Searches(session string) ([]SearchRecordResult, error) {
	l, err := e.arch.Ledger()
	if err != nil {
		return nil, err
	}
	all, err := l.Searches(e.who.Narrow(ledger.Filter{Session: session}))
	if err != nil {
		return nil, archive.Environment(err, "ledger")
	}
	out := []SearchRecordResult{}
	for _, s := range all {
		if e.who.May(ActReadCitation, Owner{s.Project, s.Session, s.Agent}) {
			out = append(out, searchResult(s))
		}
	}
	return out, nil
}

// FormatCitation writes the reference of one citation in a style of package
// bib: inline, harvard, ieee, apa, chicago, bibtex …
func (e *Engine) FormatCitation(ordinal int64, style string) (string, error) {
	if _, _, err := e.Find(strconv.FormatInt(ordinal, 10)); err != nil {
		return "", err
	}
	return FormatCitation(e.arch, ordinal, style)
}

// ExportBibliography writes the references of a session's citations, of all
// that the caller may read for "", each source once. Failed citations are left
// out.
func (e *Engine) ExportBibliography(session, style string) (*BibResult, error) {
	all, err := e.Citations(CitationFilter{Session: session})
	if err != nil {
		return nil, err
	}
	var refs []string
	for _, c := range all {
		if c.VerificationStatus != string(ledger.Failed) && c.SupersededBy == 0 {
			refs = append(refs, strconv.FormatInt(c.CitationID, 10))
		}
	}
	if len(refs) == 0 {
		return &BibResult{Style: style, References: []BibReference{}}, nil
	}
	return Bibliography(e.arch, BibOptions{Style: style, References: refs})
}
