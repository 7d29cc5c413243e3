package server

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"muniment/archive/holdings"
	"muniment/audit"
	"muniment/engine"
	"muniment/history"
)

// Parameters of calls without a body.
type (
	none          struct{}
	artifactParam struct {
		Artifact string `path:"artifact" doc:"id or name"`
	}
	artifactsParam struct {
		Part  string `query:"name" doc:"only artifacts whose names contain it"`
		After string `query:"after" doc:"the id that the page before gave as next"`
		Limit int    `query:"limit" minimum:"1" maximum:"1000" default:"100"`
	}
	snapshotsParam struct {
		Before int64 `query:"before" minimum:"1" doc:"only snapshots with a lower number, such as next of the page before"`
		Limit  int   `query:"limit" minimum:"1" maximum:"1000" default:"100" doc:"at most so many"`
	}
	claimsParam struct {
		Session string `query:"session"`
		After   int64  `query:"after"`
		Limit   int    `query:"limit" minimum:"1" maximum:"1000" default:"100"`
	}
	citeParam struct {
		Key  string `header:"Idempotency-Key" hidden:"true"` // described by onceParameter, as of every POST
		Body CiteRequest
	}
	bundleParam struct {
		RawBody []byte `contentType:"application/zip" doc:"a bundle: a zip, or an HTML page"`
	}
)

// addCalls adds every call of the interface.
func (s *Server) addCalls(api huma.API) {
	addRead(api, "/status", "status", "What is served, and who you are", func(c *Client, ctx context.Context, _ none) (*Status, error) { return c.Status(ctx) })
	addRead(api, "/snapshots", "list_snapshots", "List the snapshots", func(c *Client, ctx context.Context, in snapshotsParam) (*SnapshotList, error) {
		return c.Snapshots(ctx, history.LogOptions{Before: in.Before, Limit: in.Limit})
	})
	addPost(api, "/snapshots", "request_snapshot", "Ask for a snapshot of what you added yourself", requestSnapshot)
	addRead(api, "/search", "search_archive", "Find passages, with addresses ready to cite", (*Client).Search)
	addRead(api, "/artifacts", "list_artifacts", "List the artifacts", func(c *Client, ctx context.Context, in artifactsParam) (*ArtifactList, error) {
		return c.Artifacts(ctx, in.Part, in.After, in.Limit)
	})
	addRead(api, "/artifacts/{artifact}", "get_artifact", "Describe an artifact", func(c *Client, ctx context.Context, in artifactParam) (*holdings.ArtifactInfo, error) {
		return c.Artifact(ctx, in.Artifact)
	})
	addRead(api, "/artifacts/{artifact}/text", "read_passage", "Read words of an artifact", (*Client).Read)

	add(api, operation{http.MethodPost, "/cite", "cite", "Register a claim with its quote"}, func(ctx context.Context, c *Client, in *citeParam) (*CiteReply, error) {
		if in.Key != "" {
			in.Body.Key = in.Key
		}
		return c.Cite(ctx, in.Body)
	})
	addPost(api, "/cite/batch", "cite_batch", "Register many claims with their quotes", func(c *Client, ctx context.Context, in CiteBatch) (*CiteLines, error) {
		return c.CiteBatch(ctx, in.Citations)
	})
	addPost(api, "/cite_negative", "cite_negative", "Record a search without support", (*Client).CiteNegative)
	addRead(api, "/citations", "list_citations", "List the citations", (*Client).Citations)
	addRead(api, "/citations/{citation}", "get_citation", "Show a citation", (*Client).Citation)
	addRead(api, "/citations/{citation}/why", "why", "Show what is on file of a citation", (*Client).Why)
	addRead(api, "/claims", "list_claims", "List the claims and how far they are supported", func(c *Client, ctx context.Context, in claimsParam) (*ClaimList, error) {
		return c.Claims(ctx, in.Session, in.After, in.Limit)
	})
	addRead(api, "/reviews", "list_to_review", "List the citations that nobody has judged", (*Client).ToReview)
	addPost(api, "/reviews", "review", "Hand in what a person found of a claim, signed", (*Client).Review)
	addPost(api, "/links", "link", "Link two citations", (*Client).Link)
	addRead(api, "/sources", "list_sources", "List the registered sources", (*Client).Sources)
	addRead(api, "/sources/{source}", "get_source", "Show a registered source", (*Client).Source)
	addPost(api, "/sources", "register_source", "Register a source", (*Client).RegisterSource)

	addPost(api, "/ask", "ask", "Ask the archive", (*Client).Ask)
	addPost(api, "/check", "check_draft", "Gate a draft without sealing it", (*Client).Check)
	addPost(api, "/segment", "segment", "Cut a text into sentences and claims", (*Client).Segment)
	addPost(api, "/bib", "format_bibliography", "List the works behind citations", (*Client).Bibliography)
	add(api, operation{http.MethodPost, "/verify", "verify_bundle", "Verify a bundle"}, func(ctx context.Context, c *Client, in *bundleParam) (*audit.BundleVerdict, error) {
		return c.VerifyBundle(ctx, in.RawBody)
	})
}

// Bibliography returns the references of citations that the client may read: those
// that are named, or those of a session.
func (c *Client) Bibliography(ctx context.Context, r BibRequest) (*engine.BibResult, error) {
	if r.Session == "" {
		r.Session = c.session
	}
	return callView(ctx, c, r.Session, func(v *view, e *engine.Engine) (*engine.BibResult, error) {
		o := engine.BibOptions{Style: r.Style, Markup: r.Markup, View: v.door}
		for _, ref := range r.Citations {
			if _, err := v.citation(e, ref); err != nil {
				art, artErr := v.resolve(ref)
				if artErr != nil {
					return nil, err
				}
				ref = art.ID.String()
			}
			o.References = append(o.References, ref)
		}
		if len(o.References) == 0 {
			all, _, err := v.citationList(e, engine.CitationFilter{Session: r.Session}).page(0, 0)
			if err != nil {
				return nil, err
			}
			for _, one := range all {
				o.References = append(o.References, itoa(int(one.CitationID)))
			}
		}
		return engine.WriteBibliography(v.handle.archive, o)
	})
}
