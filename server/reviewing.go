package server

import (
	"cmp"
	"context"

	"muniment/archive/problem"
	"muniment/audit/examination"
	"muniment/cite/review"
	"muniment/engine"
)

// A ToReviewRequest selects citations that are left to review. The zero value is every one that nobody has judged.
type ToReviewRequest struct {
	Citations   []string `json:"citations,omitempty" query:"citations" doc:"these, by number or id"`
	Session     string   `json:"session,omitempty" query:"session"`
	Project     string   `json:"project,omitempty" query:"project"`
	Source      int64    `json:"source,omitempty" query:"source" doc:"of this registered source"`
	Synthesis   int64    `json:"synthesis,omitempty" query:"synthesis" doc:"of this checked draft"`
	Claims      []string `json:"claims,omitempty" query:"claims" doc:"those of exactly these claims, such as the sentences that a bundle lacks"`
	Examination string   `json:"examination,omitempty" query:"examination" doc:"the items of this kept examination whose claims nobody has judged, in the order of its document"`
	All         bool     `json:"all,omitempty" query:"all" doc:"also what rules, a model or somebody else judged"`
	After       int64    `json:"after,omitempty" query:"after" doc:"the number that the page before gave as next"`
	Limit       int      `json:"limit,omitempty" query:"limit" minimum:"1" maximum:"100" default:"20"`
}

// A ToReviewList is a page of citations that are left to review, by number.
type ToReviewList struct {
	Items []engine.ReviewItem `json:"items"`
	Next  int64               `json:"next,omitempty"` // a number, or an item of the examination, after which the list goes on; 0 at its end
}

// A ReviewRequest is what a person found: the statement that they signed, or, from the archivist's browser where the
// server has a key for reviews, the verdict that the server signs.
type ReviewRequest struct {
	Citation string `json:"citation,omitempty" doc:"number or id of the citation; else claim, artifact and span"`
	Claim    string `json:"claim,omitempty" doc:"of words that nobody registered: what is claimed of them"`
	Artifact string `json:"artifact,omitempty" doc:"of such words: the id of the paper"`
	Span     string `json:"span,omitempty" doc:"of such words: their place"`
	Review   string `json:"review,omitempty" doc:"the canonical JSON of a signed muniment/review/v1"`
	Note     string `json:"note,omitempty" doc:"own words, which no snapshot gets"`

	Verdict string `json:"verdict,omitempty" enum:"follows,not,unsure" doc:"in place of review, where the server signs"`
	Reason  string `json:"reason,omitempty" doc:"a word of the fixed list; the first of the verdict where none is given"`
	Name    string `json:"name,omitempty" doc:"the reviewer's name, which others will read; without it a pseudonym"`
}

// maxToReview is the most items of a page: each comes with its paragraph.
const maxToReview = 100

// ToReview returns a page of the citations that a request leaves to review, of those whose words the client may see.
func (c *Client) ToReview(ctx context.Context, r ToReviewRequest) (*ToReviewList, error) {
	if r.Limit <= 0 || r.Limit > maxToReview {
		r.Limit = maxToReview / 5
	}
	var items []engine.ReviewOptions
	if r.Examination != "" {
		report, _, err := c.Examination(ctx, r.Examination)
		if err != nil {
			return nil, err
		}
		items = ItemsOf(&report.Report)
	}
	return callView(ctx, c, r.Session, func(v *view, e *engine.Engine) (*ToReviewList, error) {
		for _, ref := range r.Citations {
			if _, err := v.citation(e, ref); err != nil {
				return nil, err
			}
		}
		out := &ToReviewList{Items: []engine.ReviewItem{}}
		f := engine.ReviewFilter{Citations: r.Citations, Synthesis: r.Synthesis, Claims: r.Claims, Items: items, All: r.All,
			CitationFilter: engine.CitationFilter{Session: r.Session, Project: r.Project, Source: r.Source, After: r.After}}
		if key := c.options().Reviewer; key != nil {
			f.Key = key.Key()
		}
		err := e.Reviews().EachQueued(f, func(item *engine.ReviewItem) (bool, error) {
			if may, err := v.readsItem(e, item); err != nil || !may {
				return true, err
			}
			if len(out.Items) == r.Limit {
				last := out.Items[r.Limit-1]
				out.Next = cmp.Or(last.Item, last.CitationID)
				return false, nil
			}
			out.Items = append(out.Items, *item)
			return true, nil
		})
		return out, err
	})
}

// ItemsOf returns the claims of an examination with the words on which they rest, in document order. It is not nil.
func ItemsOf(r *examination.Report) []engine.ReviewOptions {
	out := []engine.ReviewOptions{}
	for i := range r.Items {
		if it := &r.Items[i]; it.Claim != nil && it.Found != nil {
			out = append(out, engine.ReviewOptions{Claim: it.Claim.Text, Artifact: it.Found.Artifact, Span: it.Found.Span})
		}
	}
	return out
}

// readsItem reports whether the client may see the words of an item whole, without which nobody can judge them. It
// takes out of the item what stands around the words where the client may not see that.
func (v *view) readsItem(e *engine.Engine, item *engine.ReviewItem) (bool, error) {
	may, err := v.readsWith(e, &item.CitationInfo)
	if err != nil || !may || v.rules == nil {
		return may, err
	}
	art, err := v.resolve(item.Artifact)
	if err != nil {
		return false, nil // a fact of a record that nobody need know
	}
	perm, err := v.permission(art, item.Claim+"\n"+item.Words)
	if err != nil {
		return false, err
	}
	if _, whole := perm.Cut(item.Words); !whole || !perm.Display {
		return false, nil
	}
	for _, words := range []*string{&item.Before, &item.After} {
		shown, whole, err := v.show(art, *words)
		if err != nil {
			return false, err
		}
		if !whole {
			*words = shown
		}
	}
	return true, nil
}

// SignsReviews reports whether the server signs what the client finds of a claim: the archivist's, whose key it is.
func (c *Client) SignsReviews() bool { return c.options().Reviewer != nil && c.cred.Archivist }

// Review stores the review of a claim by a person.
func (c *Client) Review(ctx context.Context, r ReviewRequest) (*engine.ReviewResult, error) {
	o := engine.ReviewOptions{Citation: r.Citation, Claim: r.Claim, Artifact: r.Artifact, Span: r.Span, Verdict: r.Verdict, Reason: r.Reason, Name: r.Name, Note: r.Note}
	return callView(ctx, c, "", func(v *view, e *engine.Engine) (*engine.ReviewResult, error) {
		switch {
		case (r.Review == "") == (r.Verdict == ""):
			return nil, problem.New(problem.Usage, problem.Advise("sign a muniment/review/v1 with your key, and send it as review"), "either review or verdict is sent")
		case r.Citation != "":
			if _, err := v.citation(e, r.Citation); err != nil {
				return nil, err
			}
		default:
			art, err := v.resolve(r.Artifact)
			if err != nil {
				return nil, err
			}
			if perm, err := v.permission(art, r.Claim); err != nil {
				return nil, err
			} else if !perm.Display {
				return nil, errHidden(art)
			}
		}
		if r.Review == "" && !c.SignsReviews() {
			return nil, problem.New(problem.NotPermitted, problem.Advise("sign it with your own key: muniment review, or a statement made elsewhere"), "this server signs no reviews for you")
		}
		add := func() (*engine.ReviewResult, error) { return e.Reviews().Add(o, []byte(r.Review)) }
		if r.Review == "" {
			add = func() (*engine.ReviewResult, error) { return e.Reviews().Review(o, c.options().Reviewer) }
		}
		result, err := add()
		if result != nil {
			result.VerificationNotes = v.door.Word(result.VerificationNotes) // the rules quote what is around the words
		}
		return result, err
	})
}

// A ReviewChoice is a verdict that a person may give, with its key at the keyboard, its words and its reasons.
type ReviewChoice struct {
	Verdict, Key, Words string
	Reasons             []review.Reason // the first is taken where none is given
}

// ReviewChoices returns the verdicts in the order in which they are offered.
func ReviewChoices() []ReviewChoice {
	return []ReviewChoice{
		{string(review.Follows), "f", "follows", review.Reasons[review.Follows]},
		{string(review.Not), "n", "does not follow", review.Reasons[review.Not]},
		{string(review.Unsure), "?", "unsure", review.Reasons[review.Unsure]},
	}
}
