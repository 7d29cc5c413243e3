package pages

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"muniment/archive/problem"
	"muniment/engine"
	"muniment/server"
)

// A Review is the page on which a person judges one claim after the other.
type Review struct {
	Item   *engine.ReviewItem   `json:"item,omitempty"` // nil where nothing is left
	Signs  bool                 `json:"signs"`          // the server signs what this reader finds
	Last   *engine.CitationInfo `json:"last,omitempty"` // the citation that was judged before this one
	Failed string               `json:"error,omitempty"`
	Advice string               `json:"suggestion,omitempty"`

	Keep    url.Values            `json:"-"` // what selects the items, and the reviewer's name, in every address
	Choices []server.ReviewChoice `json:"-"`
}

// reviewFilters are the fields of an address that select what is reviewed, and who reviews.
var reviewFilters = []string{"session", "project", "synthesis", "examination", "source", "all", "name"}

// reviewRequest returns the request of an address, and the fields that go into the next address.
func reviewRequest(q url.Values) (server.ToReviewRequest, url.Values) {
	keep := url.Values{}
	for _, name := range reviewFilters {
		if v := q.Get(name); v != "" {
			keep.Set(name, v)
		}
	}
	r := server.ToReviewRequest{Session: q.Get("session"), Project: q.Get("project"), Synthesis: number(q.Get("synthesis")), Examination: q.Get("examination"), Source: number(q.Get("source")), All: q.Get("all") != "", After: number(q.Get("after")), Limit: 1}
	if one := q.Get("citation"); one != "" {
		r.Citations = []string{one}
	}
	return r, keep
}

// review shows the first citation that an address leaves to review.
func (s *source) review(ctx context.Context, q url.Values, failed error) (*frame, error) {
	in, keep := reviewRequest(q)
	p := &Review{Signs: s.client.SignsReviews(), Keep: keep, Choices: server.ReviewChoices()}
	list, err := s.client.ToReview(ctx, in)
	if err != nil && server.FaultOf(err).Status == http.StatusForbidden {
		return nil, problem.New(problem.NotPermitted, problem.Advise("its archivist opens the link that the server printed at its start, and gives others a token (muniment token new --role user)"), "those who keep this archive review its citations")
	}
	if err != nil {
		return nil, err
	}
	if len(list.Items) > 0 {
		p.Item = &list.Items[0]
		papers, err := s.client.HoldingsOf(ctx, []string{p.Item.Artifact})
		if err != nil {
			return nil, err
		}
		if h, ok := papers[p.Item.Artifact]; ok {
			p.Item.Name = s.words().label(h)
		}
	}
	if done := q.Get("done"); done != "" {
		if p.Last, err = s.client.Citation(ctx, server.CitationRequest{Citation: done}); err != nil {
			p.Last = nil // not for this reader any more
		}
	}
	if failed != nil {
		fault := server.FaultOf(failed)
		p.Failed, p.Advice = fault.Detail, fault.Suggestion
	}
	return s.frame(ctx, "review", "Review", p)
}

// Address returns the address of the page for what follows its item, with what the reader had selected.
func (p *Review) Address() string {
	q := url.Values{}
	if p == nil || p.Item == nil {
		return ""
	}
	for name, v := range p.Keep {
		q[name] = v
	}
	q.Set("after", strconv.FormatInt(cmp.Or(p.Item.Item, p.Item.CitationID), 10))
	return "?" + q.Encode()
}

// Ref returns the citation as a form and a command name it: by its number, or by its id where this ledger has none; "" for an item of an examination.
func (p *Review) Ref() string {
	if p == nil || p.Item == nil {
		return ""
	}
	return p.Item.Options().Citation
}

// postReview stores the verdict of a form and redirects to the next citation.
func postReview(w http.ResponseWriter, r *http.Request) {
	serve2(w, r, func(ctx context.Context, s *source) (string, *frame, error) {
		citation := r.FormValue("citation")
		found, err := s.client.Review(ctx, server.ReviewRequest{Citation: citation, Claim: r.PostFormValue("claim"), Artifact: r.PostFormValue("artifact"), Span: r.PostFormValue("span"), Verdict: r.PostFormValue("verdict"), Reason: reasonOf(r), Name: r.FormValue("name"), Note: r.PostFormValue("note")})
		q := r.Form
		if err != nil {
			q.Set("citation", citation)
			q.Set("after", strconv.FormatInt(number(r.PostFormValue("item"))-1, 10))
			f, showErr := s.review(ctx, q, err)
			return "", f, showErr
		}
		_, keep := reviewRequest(q)
		keep.Set("after", cmp.Or(r.PostFormValue("item"), strconv.FormatInt(found.CitationID, 10)))
		keep.Set("done", citation)
		return "/review?" + keep.Encode(), nil, nil
	})
}

// reasonOf returns the reason that a form gives, "" where it is one of another verdict: a key was pressed after all.
func reasonOf(r *http.Request) string {
	verdict, reason, _ := strings.Cut(r.PostFormValue("reason"), ":")
	if verdict != r.PostFormValue("verdict") {
		return ""
	}
	return reason
}

// Reviews reports whether the reader of a page may review.
func (f *frame) Reviews() bool {
	return engine.Caller{Role: f.Status.Role, Project: f.Status.Project}.May(engine.ActReview, engine.Owner{Project: f.Status.Project})
}
