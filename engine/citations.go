package engine

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/ledger"
	"muniment/text/legible"
)

// A CitationInfo is a registered citation with its state.
type CitationInfo struct {
	CitationID         int64          `json:"citation_id"`           // 0 for one that only the snapshot has
	Place              int64          `json:"place,omitempty"`       // of one without a number in the order of lists, for After
	Citation           string         `json:"citation,omitempty"`    // content id; none while unbound
	ContractID         string         `json:"contract_id,omitempty"` // cite_ and a UUID, as the citation contract names it
	Claim              string         `json:"claim"`
	ClaimID            int64          `json:"claim_id"`
	Relation           string         `json:"relation"`
	ExtractionMethod   string         `json:"extraction_method,omitempty"` // as the caller gave it
	VerbatimQuote      string         `json:"verbatim_quote,omitempty"`    // as the caller gave it
	QuoteContext       string         `json:"quote_context,omitempty"`
	ContextFrom        string         `json:"quote_context_from,omitempty"` // caller, or source where it is filled in; a list fills in none
	QuoteLanguage      string         `json:"quote_language,omitempty"`
	RelevanceReasoning string         `json:"relevance_reasoning,omitempty"`
	Confidence         string         `json:"confidence"`
	SourceID           int64          `json:"source_id,omitempty"`
	SourceName         string         `json:"source_name,omitempty"` // as it was registered, with its version
	Artifact           string         `json:"artifact,omitempty"`
	Name               string         `json:"name,omitempty"`
	Locator            map[string]any `json:"locator,omitempty"` // the caller's, as given
	Span               string         `json:"span,omitempty"`
	Text               string         `json:"text,omitempty"`          // the words at the span
	Match              string         `json:"match"`                   // the verdict on the words
	ClaimVerdict       string         `json:"claim_verdict,omitempty"` // that on the claim; none before claims were judged
	Judge              string         `json:"judge,omitempty"`         // the model that judged the claim
	SimilarityScore    float64        `json:"similarity_score"`
	Difference         string         `json:"difference,omitempty"`
	DerivedFrom        []string       `json:"derived_from,omitempty"`
	VerificationStatus string         `json:"verification_status"`
	VerificationNotes  string         `json:"verification_notes,omitempty"`
	Damage             string         `json:"damage,omitempty"` // what is wrong with its row of the ledger
	Binding            string         `json:"binding"`
	Waits              string         `json:"waits_for,omitempty"` // a signature, where the caller asked for a snapshot that a person is to sign
	Snapshot           string         `json:"snapshot,omitempty"`
	SupersededBy       int64          `json:"superseded_by,omitempty"`
	Links              []WhyLink      `json:"links,omitempty"` // to and from other citations
	Session            string         `json:"session,omitempty"`
	CreatedBy          string         `json:"created_by,omitempty"`
	User               string         `json:"user,omitempty"`
	Project            string         `json:"project,omitempty"`
	CreatedAt          string         `json:"created_at"` // empty for one that only the snapshot has
}

// A CitationFilter selects citations; an empty field selects everything.
type CitationFilter struct {
	Artifact string // content id
	Source   int64
	Session  string
	Project  string
	Agent    string
	Claim    int64
	Words    string // of a claim that has no number here: only what the snapshot alone has
	Status   string // verified, failed, pending or unverified
	// From and To bound the day on which the source was published, as texts of EDTF: from is in, to is not.
	From, To string
	After    int64 // only numbers and places above it
	Limit    int   // at most so many; 0 is no limit

	Profile string // for VerifyPending: as in CiteOptions
}

// List returns the citations of the filter that the caller may read, by
// number; after them, by place, the citations of the newest snapshot that the ledger lacks, as in a clone.
// A damaged row of the ledger is a failed citation whose note names the damage. A filter for another project, session or agent than the caller may read
// is NotPermitted.
func (cs Citations) List(f CitationFilter) ([]CitationInfo, error) {
	status := ledger.Status(f.Status)
	if !slices.Contains([]ledger.Status{"", ledger.Verified, ledger.Failed, ledger.Pending, ledger.Unverified}, status) {
		return nil, problem.New(problem.Usage, problem.Advise("verified, failed, pending or unverified"), "status %q", legible.Printable(f.Status))
	}
	l, err := cs.e.ledger()
	if err != nil {
		return nil, err
	}
	asked := ledger.Filter{Source: f.Source, Artifact: f.Artifact, Session: f.Session, Project: f.Project, Agent: f.Agent, Claim: f.Claim, Status: status, PublishedFrom: f.From, PublishedTo: f.To, After: f.After, Limit: f.Limit}
	narrow := cs.e.caller.Narrow(asked)
	if f.Project != "" && narrow.Project != f.Project || f.Agent != "" && narrow.Agent != f.Agent || f.Session != "" && narrow.Session != f.Session {
		return nil, cs.e.caller.Require(ActReadCitation, Owner{f.Project, f.Session, f.Agent})
	}
	all, err := l.List(narrow)
	if err != nil {
		return nil, problem.Wrap(err, "ledger")
	}
	all = slices.DeleteFunc(all, func(c ledger.Citation) bool { return !cs.e.caller.May(ActReadCitation, OwnerOf(&c)) })
	if all, err = cs.addSealed(l, all, narrow, f.Words); err != nil {
		return nil, err
	}
	return cs.describeCitations(l, all)
}

// Get returns a citation by its number, its ID or its ContractID; by its ID also one that only
// the newest snapshot has, as in a clone.
func (cs Citations) Get(ref string) (*CitationInfo, error) {
	c, l, err := cs.findAnywhere(ref)
	if err != nil {
		return nil, err
	}
	all, err := cs.describeCitations(l, []ledger.Citation{c})
	if err != nil {
		return nil, err
	}
	return &all[0], cs.fillContext(&all[0])
}

// ForSource returns the citations of a source.
func (cs Citations) ForSource(source int64) ([]CitationInfo, error) {
	return cs.List(CitationFilter{Source: source})
}

// BySession returns the citations of a session.
func (cs Citations) BySession(session string) ([]CitationInfo, error) {
	return cs.List(CitationFilter{Session: session})
}

// Find returns a citation by its number, its ID or its ContractID, with the ledger that has it. A
// citation that the caller may not read is NotFound.
func (cs Citations) Find(ref string) (ledger.Citation, *ledger.Ledger, error) {
	l, err := cs.e.ledger()
	if err != nil {
		return ledger.Citation{}, nil, err
	}
	var c ledger.Citation
	_, numErr := strconv.ParseInt(ref, 10, 64)
	if _, named := contractNumber(ref); named || numErr == nil {
		c, err = getNumbered(cs.e.arch.ID(), l, ref)
	} else if id, idErr := cid.ParseAs(cid.JSON, ref); idErr == nil {
		c, err = l.ByID(id)
	} else {
		return c, nil, problem.New(problem.Usage, problem.Advise("give the number that cite told, the citation's id, or cite_ and its UUID"), "%s is neither the number nor the id of a citation", legible.Printable(ref))
	}
	if err == nil && cs.e.caller.May(ActReadCitation, OwnerOf(&c)) {
		return c, l, nil
	}
	if err != nil && !errors.Is(err, ledger.ErrNotFound) {
		return c, nil, problem.Wrap(err, "ledger")
	}
	return ledger.Citation{}, nil, problem.New(problem.NotFound, problem.Next(DoListCitations), "no citation %s", legible.Printable(ref))
}

// describeCitations returns citations of the ledger as callers see them.
func (cs Citations) describeCitations(l *ledger.Ledger, all []ledger.Citation) ([]CitationInfo, error) {
	ordinals := make([]int64, len(all))
	for i := range all {
		ordinals[i] = all[i].Ordinal
	}
	links, err := l.LinksOf(ordinals)
	if err != nil {
		return nil, problem.Wrap(err, "ledger")
	}
	tree, err := cs.e.arch.NewestTree()
	if err != nil {
		return nil, err
	}
	waits, err := cs.e.waitsFor()
	if err != nil {
		return nil, err
	}
	c := cs.e.Catalog(tree)
	out := make([]CitationInfo, len(all))
	named := sourceNames{ledger: l}
	for i := range all {
		out[i] = describeEntry(&all[i])
		if all[i].Snapshot.IsZero() && out[i].Binding != "failed" && cs.e.owns(all[i]) {
			out[i].Waits = waits
		}
		out[i].ContractID = ContractID(cs.e.arch.ID(), &all[i])
		if out[i].SourceName, err = named.find(all[i].Source); err != nil {
			return nil, problem.Wrap(err, "ledger")
		}
		for _, k := range links[all[i].Ordinal] {
			out[i].Links = append(out[i].Links, WhyLink{k.From, k.Type, k.To})
			if k.Type == "supersedes" && k.To == all[i].Ordinal {
				out[i].SupersededBy = max(out[i].SupersededBy, k.From)
			}
		}
		if id, err := cid.Parse(all[i].Artifact); err == nil {
			if out[i].Name, err = findName(c, id); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// ref returns the number of the citation, or its ID where it has none.
func (c *CitationInfo) ref() string {
	if c.CitationID == 0 {
		return c.Citation
	}
	return strconv.FormatInt(c.CitationID, 10)
}

// sealedRef returns the ID of a citation that has no number, "" for one that has.
func sealedRef(c *ledger.Citation) string {
	if c.Ordinal != 0 || c.ID.IsZero() {
		return ""
	}
	return c.ID.String()
}

// findName returns the name of an artifact or a label of a record, "" where the
// tree holds neither.
func findName(c *holdings.Catalog, id cid.ID) (string, error) {
	art, err := c.Artifact(id)
	if err != nil {
		return "", err
	}
	if art != nil && len(art.Records) > 0 {
		return art.Name(), nil
	}
	h, ok, err := c.FindRecord(id)
	if err != nil || !ok {
		return "", err
	}
	return h.Label(), nil
}

// objectOf returns a locator as the ledger keeps it as an object; nil for none.
func objectOf(locator string) (out map[string]any) {
	d := json.NewDecoder(strings.NewReader(locator))
	d.UseNumber()
	if d.Decode(&out) != nil {
		return nil
	}
	return out
}

// describeEntry returns the fields that the ledger has of a citation.
func describeEntry(c *ledger.Citation) CitationInfo {
	out := CitationInfo{
		CitationID: c.Ordinal, Place: placeOf(c), Claim: c.Claim, ClaimID: c.ClaimID, Relation: string(c.Relation), ExtractionMethod: c.Method, VerbatimQuote: c.Quote,
		QuoteContext: c.Context, QuoteLanguage: c.Language, RelevanceReasoning: c.Reasoning, Confidence: c.Confidence, SourceID: c.Source,
		Artifact: c.Artifact, Locator: objectOf(c.Locator), Span: c.Span, Text: c.Text, Match: string(c.Match), ClaimVerdict: string(c.Verdict), Judge: c.Judge, Damage: c.Damage, Difference: c.Difference, DerivedFrom: c.Inputs,
		VerificationStatus: string(c.Status), VerificationNotes: c.Notes, Binding: string(c.Binding),
		Session: c.Session, CreatedBy: c.Agent, User: c.User, Project: c.Project,
	}
	if !c.Time.IsZero() {
		out.CreatedAt = c.Time.UTC().Format(time.RFC3339)
	}
	if c.Length > 0 && c.Edits < c.Length && c.Match != "absent" {
		out.SimilarityScore = 1 - float64(c.Edits)/float64(c.Length)
	}
	if c.Context != "" {
		out.ContextFrom = ContextGiven
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
