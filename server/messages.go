package server

import (
	"context"
	"encoding/json"

	"muniment/answer"
	"muniment/archive"
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/draft"
	"muniment/engine"
	"muniment/text/legible"
)

// The requests below are the bodies of HTTP, the arguments of MCP tools and the
// lines of a batch. A field whose JSON name has omitempty may be left out.

// A CiteRequest is a claim with its evidence.
type CiteRequest struct {
	Artifact    string         `json:"artifact,omitempty" doc:"the artifact's id, name, title or address, or the number of a source; without it and source the artifact that has the quote is searched"`
	Source      int64          `json:"source,omitempty" doc:"the number of a registered source"`
	Quote       string         `json:"quote,omitempty" doc:"the words, as they stand in the source"`
	Language    string         `json:"quote_language,omitempty" doc:"language of the quote, BCP 47"`
	Claim       string         `json:"claim" doc:"what the words are to support"`
	Relation    string         `json:"relation,omitempty" enum:"direct_quote,paraphrase,inference_from,metadata_fact,aggregation" doc:"how the claim stands to the words; by default what the source is"`
	Span        string         `json:"span,omitempty" doc:"where to look, such as p4 or p4:0-41; the evidence itself where there is no quote"`
	Locator     map[string]any `json:"locator,omitempty" doc:"where you believe it is, such as a page; kept as given"`
	Reasoning   string         `json:"reasoning,omitempty" doc:"why the words support the claim"`
	Context     string         `json:"quote_context,omitempty" doc:"the surroundings, as you saw them"`
	Confidence  string         `json:"confidence,omitempty" enum:"high,medium,low" doc:"your own confidence, high by default"`
	DerivedFrom []string       `json:"derived_from,omitempty" doc:"what an aggregation rests on: artifacts or citations"`
	Session     string         `json:"session,omitempty" doc:"name of the conversation or task"`
	Profile     string         `json:"profile,omitempty" doc:"the profile whose judged and reviews the verdict follows; without one the archive's own judged holds, and no review is asked for"`
	Judged      string         `json:"judged,omitempty" enum:"never,labeled,verified" doc:"what a model's yes makes of the claim: verified, or labeled as the model's and unverified; with never none is asked; by default what the profile says, else the archive"`
	Key         string         `json:"idempotency_key,omitempty" doc:"a retry with the same key and session returns the citation that is there"`
}

// options returns the request as the engine takes it.
func (r *CiteRequest) options() (engine.CiteOptions, error) {
	o := engine.CiteOptions{Artifact: r.Artifact, Source: r.Source, Quote: r.Quote, Language: r.Language, Claim: r.Claim, Relation: r.Relation, Span: r.Span,
		Reasoning: r.Reasoning, Context: r.Context, Confidence: r.Confidence, DerivedFrom: r.DerivedFrom, Key: r.Key, Profile: r.Profile, Judged: r.Judged}
	var err error
	o.Locator, err = locatorText(r.Locator)
	return o, err
}

// locatorText returns a locator as the engine takes it, "" for none.
func locatorText(object map[string]any) (string, error) {
	if len(object) == 0 {
		return "", nil
	}
	data, err := json.Marshal(object)
	if err != nil {
		return "", problem.New(problem.InvalidLocator, problem.Advise("a locator is a JSON object"), "%w", err)
	}
	return string(data), nil
}

// A CiteReply is the verdict on a citation. A verdict of no is a reply, with the
// nearest words and the call that would mend it, and no error.
type CiteReply struct {
	engine.CiteResult
	NextCall *NextCall `json:"next_call,omitempty"`
}

// A CiteLine is the reply to one citation of a batch: Citation, or Error where nothing was registered.
type CiteLine struct {
	Line     int        `json:"line"` // from 1
	Citation *CiteReply `json:"citation,omitempty"`
	Error    *Fault     `json:"error,omitempty"`
}

// A CheckLine is the reply to one draft of a batch: Check, or Error where nothing was kept.
type CheckLine struct {
	Line  int                `json:"line"` // from 1
	Check *draft.CheckResult `json:"check,omitempty"`
	Error *Fault             `json:"error,omitempty"`
}

// A SourceLine is the reply to one source of a batch: Source, or Error where nothing was registered.
type SourceLine struct {
	Line   int                      `json:"line"` // from 1
	Source *engine.RegisteredSource `json:"source,omitempty"`
	Error  *Fault                   `json:"error,omitempty"`
}

// A CiteBatch is a list of citations.
type CiteBatch struct {
	Citations []CiteRequest `json:"citations" maxItems:"1000" doc:"registered in this order; without an idempotency key each gets one from its content and its session"`
}

// CiteLines are the replies to a batch, in its order.
type CiteLines struct {
	Results []CiteLine `json:"results"`
}

// A NegativeRequest is a claim for which a search found no support.
type NegativeRequest struct {
	Claim     string         `json:"claim"`
	Query     string         `json:"query,omitempty" doc:"the words that were searched"`
	Artifact  string         `json:"artifact,omitempty" doc:"the artifact that was read; leave out for the whole archive"`
	Source    int64          `json:"source,omitempty" doc:"the number of the registered source that was read, instead of artifact"`
	Spans     []string       `json:"spans,omitempty" doc:"what was read of it; all of it when left out"`
	Locator   map[string]any `json:"locator,omitempty" doc:"where you looked, such as a section; kept as given"`
	Reasoning string         `json:"reasoning,omitempty"`
	Session   string         `json:"session,omitempty"`
}

// A SearchRequest is a search for passages.
type SearchRequest struct {
	Query string `json:"query" query:"query" required:"true" doc:"the words to search for; dates keep to artifacts of that time"`
	Limit int    `json:"limit,omitempty" query:"limit" minimum:"1" maximum:"100" doc:"most passages, 10 by default"`
}

// A ReadRequest asks for the text of an artifact.
type ReadRequest struct {
	Artifact string `json:"artifact" path:"artifact" doc:"the artifact's id or name"`
	Span     string `json:"span,omitempty" query:"span" doc:"such as p4 or p4:0-41"`
	From     int    `json:"from_paragraph,omitempty" query:"from_paragraph" minimum:"1" doc:"where to begin reading without a span; 1 by default"`
}

// A Passage is words of an artifact with their address.
type Passage struct {
	Span string `json:"span"`
	Text string `json:"text"`
}

// A ReadReply is a part of an artifact's text.
type ReadReply struct {
	Artifact string    `json:"artifact"`
	Name     string    `json:"name"`
	Passages []Passage `json:"passages"`
	Clipped  bool      `json:"clipped"`                  // words were left out that this tier may not see at once
	Next     int       `json:"next_paragraph,omitempty"` // where reading goes on; 0 at the end
}

// An ArtifactList is a page of artifacts.
type ArtifactList struct {
	Artifacts []holdings.ArtifactInfo `json:"artifacts"`
	Next      string                  `json:"next,omitempty"` // the page after this one begins after it
}

// A SourceRequest registers a source.
type SourceRequest struct {
	Type              string            `json:"type" enum:"document,website,database,custom"`
	Name              string            `json:"name,omitempty" doc:"a name for people; of a database or custom source its identifier"`
	Version           string            `json:"version,omitempty"`
	Artifact          string            `json:"artifact,omitempty" doc:"document: an artifact of the archive"`
	URL               string            `json:"url,omitempty" doc:"website: the page, which is fetched and archived once"`
	Query             string            `json:"query,omitempty" doc:"database: the query"`
	ResultDescription string            `json:"result_description,omitempty" doc:"database: what the result says"`
	Content           string            `json:"content,omitempty" doc:"database, custom: the text"`
	MediaType         string            `json:"media_type,omitempty" doc:"custom: of the content, text/plain by default"`
	Description       string            `json:"description,omitempty" doc:"custom: what it is"`
	DerivedFrom       []string          `json:"derived_from,omitempty" doc:"artifacts or citations that it was made from"`
	Metadata          map[string]string `json:"metadata,omitempty"`
	Session           string            `json:"session,omitempty"`
}

// register registers a source that is no artifact yet.
func (r *SourceRequest) register(ctx context.Context, e *engine.Engine) (*engine.RegisteredSource, error) {
	o := engine.SourceOptions{Name: r.Name, Version: r.Version, Metadata: r.Metadata}
	switch r.Type {
	case "website":
		return e.Sources().AddWeb(ctx, r.URL, o)
	case "database":
		return e.Sources().AddDB(ctx, engine.DBSourceOptions{SourceOptions: o, Identifier: r.Name, Query: r.Query, ResultDescription: r.ResultDescription, Content: r.Content, DerivedFrom: r.DerivedFrom})
	case "custom":
		return e.Sources().AddCustom(ctx, engine.CustomSourceOptions{SourceOptions: o, Name: r.Name, Content: r.Content, MediaType: r.MediaType, Description: r.Description, DerivedFrom: r.DerivedFrom})
	}
	return nil, problem.New(problem.Usage, problem.Advise("document, website, database or custom"), "type of source %q", legible.Printable(r.Type))
}

// A SourcesRequest selects registered sources. Pages go on after the last number.
type SourcesRequest struct {
	Type  string `json:"type,omitempty" query:"type" enum:"document,website,database,custom" doc:"of this type alone"`
	After int64  `json:"after,omitempty" query:"after" doc:"only numbers above it"`
	Limit int    `json:"limit,omitempty" query:"limit" minimum:"1" maximum:"1000" doc:"at most so many, 100 by default"`
}

// A NumberedSource names a registered source.
type NumberedSource struct {
	Source int64 `json:"source" path:"source" doc:"its number"`
}

// SourceList is a list of registered sources.
type SourceList struct {
	Sources []engine.RegisteredSource `json:"sources"`
	Next    int64                     `json:"next_after,omitempty"` // the page after this one; 0 at the end
}

// A CitationsRequest selects citations. Pages go on after the last number.
type CitationsRequest struct {
	Source  int64  `json:"source,omitempty" query:"source" doc:"of this registered source"`
	Claim   int64  `json:"claim,omitempty" query:"claim" doc:"of this claim, by its number"`
	Session string `json:"session,omitempty" query:"session"`
	Project string `json:"project,omitempty" query:"project"`
	Status  string `json:"status,omitempty" query:"status" enum:"verified,failed,pending,unverified"`
	After   int64  `json:"after,omitempty" query:"after" doc:"only numbers above it"`
	Limit   int    `json:"limit,omitempty" query:"limit" minimum:"1" maximum:"1000" doc:"at most so many, 100 by default"`
}

// CitationList is a page of citations.
type CitationList struct {
	Citations []engine.CitationInfo `json:"citations"`
	Next      int64                 `json:"next_after,omitempty"` // the page after this one; 0 at the end
}

// A CitationRequest names a citation.
type CitationRequest struct {
	Citation string `json:"citation" path:"citation" doc:"its number or its id"`
}

// ClaimList is a page of claims.
type ClaimList struct {
	Claims []engine.ClaimInfo `json:"claims"`
	Next   int64              `json:"next_after,omitempty"`
}

// A LinkRequest links two citations.
type LinkRequest struct {
	From    string `json:"from" doc:"number or id of a citation"`
	Type    string `json:"type" enum:"supports,extends,contradicts,supersedes"`
	To      string `json:"to" doc:"number or id of a citation"`
	Session string `json:"session,omitempty"`
}

// An AskRequest is a question.
type AskRequest struct {
	Question string `json:"question"`
	Profile  string `json:"profile,omitempty" doc:"the profile of rules, persona-archive by default"`
	Nonce    string `json:"request_nonce,omitempty" doc:"16 to 64 bytes in hexadecimal that bind the answer to the question; derived for you when left out"`
	NoModel  bool   `json:"no_model,omitempty" doc:"answer in the archive's own words, even where there is a model"`
}

// A CheckRequest is a draft whose marks [1], [2] name citations by their numbers.
type CheckRequest struct {
	Draft    string `json:"draft" doc:"markdown"`
	Second   string `json:"second,omitempty" doc:"the draft that is taken when the first one fails"`
	Profile  string `json:"profile,omitempty"`
	NoRepair bool   `json:"no_repair,omitempty"`
	Query    string `json:"query,omitempty" doc:"what the draft answers: evidence is chosen for it first"`
	On       string `json:"on,omitempty" doc:"the day of the draft, YYYY-MM-DD"`
	Session  string `json:"session,omitempty"`
}

// A SegmentRequest is a text to be cut into sentences and claims.
type SegmentRequest struct {
	Text     string `json:"text"`
	Language string `json:"language,omitempty" doc:"BCP 47; found out when left out"`
}

// A BibRequest asks for references.
type BibRequest struct {
	Citations []string `json:"citations,omitempty" doc:"numbers of citations, or artifacts; without them the citations of the session"`
	Session   string   `json:"session,omitempty"`
	Style     string   `json:"style,omitempty" enum:"inline,harvard,ieee,apa,chicago,contract,bibtex,ris,csl-json" doc:"harvard by default"`
	Markup    string   `json:"markup,omitempty" enum:"text,markdown,html"`
}

// SnapshotList is the list of snapshots, newest first.
type SnapshotList struct {
	Snapshots []archive.SnapshotResult `json:"snapshots"`
	Next      int64                    `json:"next,omitempty" doc:"before of the next page; absent at the end"`
}

// A Status says what is served.
type Status struct {
	Archive   string      `json:"archive"` // its id
	Name      string      `json:"name"`
	Snapshot  string      `json:"snapshot,omitempty"`
	Seq       int64       `json:"seq,omitempty"`
	Artifacts int64       `json:"artifacts,omitempty"` // for an admin alone: others may not know of all
	Staged    bool        `json:"staged"`              // there is more than the newest snapshot signs
	Role      engine.Role `json:"role"`
	Tier      string      `json:"tier"`
	Project   string      `json:"project,omitempty"`
	Ask       bool        `json:"ask"` // there is a key to sign answers with
}

// An AskReply is an answer without the paths of files here.
type AskReply struct {
	answer.Result
	ID       string    `json:"id"` // by which the answer and its bundle are read again
	NextCall *NextCall `json:"next_call,omitempty"`
}

// A snapshotRequest asks for a snapshot of what the caller added itself.
type snapshotRequest struct {
	Session string `json:"session,omitempty" doc:"conversation or task"`
}
