package answer

import (
	"fmt"

	"muniment/answer/enforce"
	"muniment/answer/gate"
	"muniment/answer/retrieve"
	"muniment/cid"
)

// enforce asks, between retrieval and drafting, whether the passages that the
// requestor may know of are enough for the profile. What it may not know of
// does not count: the decision is the same as if it were not in the archive.
func (r *run) enforce(found [][]retrieve.Passage) error {
	var results []enforce.Result
	for _, passages := range found {
		for _, p := range passages {
			one, err := r.result(p)
			if err != nil {
				return err
			}
			results = append(results, one)
		}
	}
	d := enforce.Evaluate(enforce.TypeOf(r.query), results, r.p.Profile.Answers, r.request.Toggles).Named(r.p.Profile.Name)
	r.enforced = &d
	return nil
}

// result describes a passage to the tree.
func (r *run) result(p retrieve.Passage) (enforce.Result, error) {
	id, err := cid.ParseAs(cid.Raw, p.Artifact)
	if err != nil {
		return enforce.Result{}, err
	}
	held, err := r.p.View.Record(id)
	if err != nil {
		return enforce.Result{}, fmt.Errorf("record of %s: %w", id, err)
	}
	out := enforce.Result{Source: p.Artifact, Place: p.Span.String(), Similarity: p.Similarity}
	s := held.Record.Source
	if s != nil && s.URL != "" {
		out.Source = s.URL // two accessions of one page are one source
	}
	out.Primary = s != nil && s.Tier == 1
	for _, m := range []struct {
		name  string
		known bool
	}{
		{"title", p.Title != "" || s != nil && s.Title != ""},
		{"creator or publisher", p.Author != "" || s != nil && (len(s.Creators) > 0 || s.Publisher != "")},
		{"date", p.Date != "" || s != nil && (s.PublishedAt != "" || s.FetchedAt != "")},
	} {
		if !m.known {
			out.Missing = append(out.Missing, m.name)
		}
	}
	return out, nil
}

// accepted returns the passages that the profile's answers may rest on.
func (r *run) accepted(passages []retrieve.Passage) ([]retrieve.Passage, error) {
	primary := r.p.Profile.Answers.PrimaryOnly
	if r.request.Toggles.PrimaryOnly != nil {
		primary = *r.request.Toggles.PrimaryOnly
	}
	if !r.enforced.Required || !primary && !r.p.Profile.Answers.Strict {
		return passages, nil
	}
	var out []retrieve.Passage
	for _, p := range passages {
		one, err := r.result(p)
		if err != nil {
			return nil, err
		}
		if (!primary || one.Primary) && (!r.p.Profile.Answers.Strict || len(one.Missing) == 0) {
			out = append(out, p)
		}
	}
	return out, nil
}

// toldWhy gives a coverage refusal the words of the tree, where the tree
// refused and its profile asks for more than the coverage gate does.
func (r *run) toldWhy(text gate.Refusal) gate.Refusal {
	if r.enforced == nil || !r.enforced.Refuse || text.Kind != gate.KindCoverage || !r.thresholds() {
		return text
	}
	text.Message = r.enforced.Message
	text.Suggestions = append(append([]string{}, r.enforced.Suggestions...), text.Suggestions...)
	return text
}

// thresholds tells whether the profile asks for more than that something is
// found.
func (r *run) thresholds() bool {
	a := r.p.Profile.Answers
	return a.SimilarityPercent > 0 || a.MinSources > 1 || a.PrimaryOnly || a.Strict
}
