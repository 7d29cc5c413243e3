package answer

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"muniment/answer/gate"
	"muniment/cid"
	"muniment/draft/enforce"
	"muniment/judge/model"
	"muniment/policy"
	"muniment/search/rank"
	"muniment/search/retrieve"
)

// retrieve returns the passages for each topic. Without topics the index is not
// opened.
func (p *Pipeline) retrieve(ctx context.Context, q question, topics []topic) ([]passages, error) {
	if len(topics) == 0 {
		return nil, nil
	}
	index, err := p.Index(ctx)
	if err != nil {
		return nil, err
	}
	defer index.Close()
	s := searcher{index: index, viewer: q.viewer, k: passagesPerPart, distinct: q.origin == asked, unaccepted: p.View.Unaccepted}
	if q.origin == fromOutside {
		s.k = passagesOfDraft
	}
	if p.View.Hidden != nil {
		if s.unknown, err = p.View.Hidden(q.request.Requestor); err != nil {
			return nil, err
		}
		if s.notPublic, err = p.View.Hidden(policy.Requestor{}); err != nil {
			return nil, err
		}
	}
	out := make([]passages, len(topics))
	for i, t := range topics {
		out[i].topic = t
		s.copies = nil
		if out[i].all, out[i].open, err = s.search(ctx, t.query); err != nil {
			return nil, err
		}
		if q.origin == fromOutside {
			if err := s.widen(ctx, &out[i]); err != nil {
				return nil, err
			}
		}
		if out[i].copies = s.copies; q.origin == asked {
			if out[i].asked, err = s.weigh(ctx, t); err != nil {
				return nil, err
			}
			if out[i].around, err = s.readAround(ctx, t.query, out[i].open); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// passagesOfDraft is how many passages are looked through for the words of a sentence of a draft: of short sentences that many papers have something of,
// search tells too little.
const passagesOfDraft = 8 * passagesPerPart

// widen searches for a sentence of a draft without its dates too, as these may be wrong. Each list keeps its best
// passages and every passage that contains the sentence.
func (s *searcher) widen(ctx context.Context, f *passages) error {
	folded := func(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), " ")) }
	sentence := strings.TrimRight(folded(f.topic.query), ".")
	near := func(list []retrieve.Passage) []retrieve.Passage {
		best := slices.Clip(list[:min(len(list), passagesPerPart)])
		for _, p := range list[len(best):] {
			if strings.Contains(folded(p.Text), sentence) {
				best = append(best, p)
			}
		}
		return best
	}
	f.all, f.open = near(f.all), near(f.open)
	bare := retrieve.WithoutDates(f.topic.query)
	if bare == f.topic.query {
		return nil
	}
	all, open, err := s.search(ctx, bare)
	f.all, f.open = union(f.all, near(all)), union(f.open, near(open))
	return err
}

// A searcher searches an index for one viewer.
type searcher struct {
	index   retrieve.Index
	viewer  *viewer
	k       int      // passages
	unknown []string // artifacts that the requestor may not know of

	unaccepted []string // artifacts that no archivist accepted: no answer rests on them

	notPublic []string // artifacts that not everybody may know of

	distinct bool        // search as if copies of papers were not there, so that they change nothing
	copies   []duplicate // the passages of copies that the last search came upon
}

// search returns the passages for a text, and those of artifacts that the
// requestor may know of: as many as if there were no others. The subject's names
// are no topic.
func (s *searcher) search(ctx context.Context, text string) (all, open []retrieve.Passage, err error) {
	q := s.query(text, nil)
	q.K = s.k
	if open, err = s.searchKnown(ctx, &q); err != nil || len(s.unknown) == 0 {
		return open, open, err
	}
	q.Hidden = s.listIgnored()
	if all, err = s.index.Search(ctx, q); err != nil {
		return nil, nil, err
	}
	_, err = s.viewer.open(all)
	return union(all, open), open, err
}

// query returns the query for a text.
func (s *searcher) query(text string, hidden []string) retrieve.Query {
	return s.viewer.query(retrieve.Query{Text: text, Hidden: hidden})
}

// searchKnown returns the passages of artifacts that the requestor may know of. It hides the others from the query, and copies where they are to change
// nothing.
func (s *searcher) searchKnown(ctx context.Context, q *retrieve.Query) ([]retrieve.Passage, error) {
	wide := *q
	for {
		wide.Hidden = slices.Concat(s.unknown, s.listIgnored())
		found, err := s.index.Search(ctx, wide)
		if err != nil {
			return nil, err
		}
		known, err := s.viewer.open(found)
		if err != nil {
			return nil, err
		}
		if len(known) < len(found) { // the policy's text hides more than the view told
			for _, p := range found {
				if !s.viewer.known[p.Artifact] && !slices.Contains(s.unknown, p.Artifact) {
					s.unknown = append(s.unknown, p.Artifact)
				}
			}
			continue
		}
		var more []duplicate
		if s.distinct && len(s.copies) < maxCopies {
			if more, err = s.findCopies(found); err != nil {
				return nil, err
			}
		}
		if len(more) == 0 {
			q.Hidden = wide.Hidden
			return found[:min(len(found), q.K)], nil
		}
		s.copies, wide.K = append(s.copies, more...), min(2*wide.K, maxCopies)
	}
}

// listIgnored returns the artifacts that a search leaves out, each once: copies of others, and sources that no archivist accepted.
func (s *searcher) listIgnored() []string {
	out := slices.Clone(s.unaccepted)
	for _, d := range s.copies {
		out = append(out, d.Artifact)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

const (
	// maxCentres is of how many passages, the best ones, the passages around are read; with more of them a question to a large archive takes longer.
	maxCentres = 12
	// aroundPlaces is how many passages before and after each of them: about a letter.
	aroundPlaces = 2
)

// readAround returns the passages around the best of a list which the list does not have: a paragraph of a letter need not hold a word of
// the question that the letter answers.
func (s *searcher) readAround(ctx context.Context, text string, found []retrieve.Passage) ([]retrieve.Passage, error) {
	ids := retrieve.NeighbourIDs(found, maxCentres, aroundPlaces)
	if len(ids) == 0 {
		return nil, nil
	}
	return s.index.Fetch(ctx, s.query(text, s.unknown), ids)
}

// weigh returns a topic as sentences are ranked for it. What the words of a question
// weigh is computed from papers that everybody may know of, so that no other paper
// changes a score.
func (s *searcher) weigh(ctx context.Context, t topic) (rank.Question, error) {
	hidden := slices.Concat(s.notPublic, s.unknown, s.listIgnored())
	slices.Sort(hidden)
	w, err := s.index.Weigh(ctx, s.query(t.query, slices.Compact(hidden)))
	return rank.NewQuestion(t.query, "", w), err
}

// union returns a list with those of another one that it does not have.
func union(all, more []retrieve.Passage) []retrieve.Passage {
	for _, p := range more {
		if !slices.ContainsFunc(all, func(q retrieve.Passage) bool { return q.ID == p.ID }) {
			all = append(all, p)
		}
	}
	return all
}

// enforce decides whether the passages that the requestor may know of are enough
// for the profile, and returns those that its answers may rest on. What the
// requestor may not know of does not count: the decision is the same as if it
// were not in the archive. The decision is nil where the records say it all.
func (p *Pipeline) enforce(q question, known display, found []passages) ([]passages, *enforce.Decision, error) {
	if len(found) == 0 && len(known.claims) > 0 {
		return nil, nil, nil
	}
	var results []enforce.Result
	for _, f := range found {
		for _, passage := range f.open {
			one, err := p.describe(passage)
			if err != nil {
				return nil, nil, err
			}
			results = append(results, one)
		}
	}
	d := enforce.Evaluate(enforce.TypeOf(q.text), results, p.Profile.Answers, q.request.Toggles).Named(p.Profile.Name)
	out := make([]passages, len(found))
	for i, f := range found {
		if d.Refuse && d.Reason != enforce.InsufficientRetrieval {
			out[i] = passages{topic: f.topic, absent: gate.KindCoverage}
			continue
		}
		accepted, err := p.acceptablePassages(q, d, f.open)
		if err != nil {
			return nil, nil, err
		}
		if out[i] = f; len(accepted) < len(f.open) {
			out[i].open, out[i].all, out[i].around = accepted, accepted, nil
			if len(accepted) == 0 {
				out[i] = passages{topic: f.topic, absent: gate.KindCoverage}
			}
		}
	}
	if !d.Required && !slices.ContainsFunc(out, func(f passages) bool { return len(f.open) > 0 }) {
		// Nothing is left to show: the refusal is that of the thresholds.
		yes, t := true, q.request.Toggles
		t.CitationsRequired = &yes
		d = enforce.Evaluate(d.Type, results, p.Profile.Answers, t).Named(p.Profile.Name)
	}
	return out, &d, nil
}

// describe returns a passage as the decision tree of a profile reads it.
func (p *Pipeline) describe(passage retrieve.Passage) (enforce.Result, error) {
	id, err := cid.ParseAs(cid.Raw, passage.Artifact)
	if err != nil {
		return enforce.Result{}, err
	}
	held, err := p.View.Record(id)
	if err != nil {
		return enforce.Result{}, fmt.Errorf("record of %s: %w", id, err)
	}
	out := enforce.Result{Name: passage.Title, Source: passage.Artifact, Place: passage.Span.String(), Similarity: passage.Similarity}
	s := held.Record.Source
	if s != nil && s.URL != "" {
		out.Source = s.URL // two accessions of one page are one source
	}
	if len(held.Record.Names) > 0 {
		out.Name = held.Record.Names[0]
	}
	out.Primary = s != nil && s.Tier == 1
	for _, m := range []struct {
		name  string
		known bool
	}{
		{"title", passage.Title != "" || s != nil && s.Title != ""},
		{"creator or publisher", passage.Author != "" || s != nil && (len(s.Creators) > 0 || s.Publisher != "")},
		{"date", passage.Date != "" || s != nil && (s.PublishedAt != "" || s.FetchedAt != "")},
	} {
		if !m.known {
			out.Missing = append(out.Missing, m.name)
		}
	}
	return out, nil
}

// roundingError is the largest difference of four of five words from 0.8.
const roundingError = 1e-4

// acceptablePassages returns the passages that the profile's answers may rest on.
func (p *Pipeline) acceptablePassages(q question, d enforce.Decision, found []retrieve.Passage) ([]retrieve.Passage, error) {
	primary := p.Profile.Answers.PrimaryOnly
	if q.request.Toggles.PrimaryOnly != nil {
		primary = *q.request.Toggles.PrimaryOnly
	}
	if !d.Required {
		// Nothing needs a citation, but what is shown is one, and meets the threshold.
		return slices.DeleteFunc(slices.Clone(found), func(one retrieve.Passage) bool { return one.Similarity < d.Threshold-roundingError }), nil
	}
	if !primary && !p.Profile.Answers.Strict {
		return found, nil
	}
	var out []retrieve.Passage
	for _, passage := range found {
		one, err := p.describe(passage)
		if err != nil {
			return nil, err
		}
		if (!primary || one.Primary) && (!p.Profile.Answers.Strict || len(one.Missing) == 0) {
			out = append(out, passage)
		}
	}
	return out, nil
}

// demandsMore reports whether the profile asks for more than that something is
// found.
func (p *Pipeline) demandsMore() bool {
	a := p.Profile.Answers
	return a.SimilarityPercent > 0 || a.MinSources > 1 || a.PrimaryOnly || a.Strict
}

// rerank puts the passages of each topic into the order that a model gives them, where
// there is one: sentences whose scores are equal, and what a model that drafts reads
// first, follow it. No score changes. Only passages whose words the requestor may be shown
// are sent; the others keep their places.
func (p *Pipeline) rerank(ctx context.Context, q question, found []passages, known *display) error {
	if p.Rerank == nil {
		return nil
	}
	for i := range found {
		f := &found[i]
		var places []int
		var texts []string
		for at, passage := range f.open {
			id, err := cid.ParseAs(cid.Raw, passage.Artifact)
			if err != nil {
				return err
			}
			perm, err := q.viewer.permission(id, passage.Text)
			if err != nil {
				return err
			}
			if !perm.Display || len(q.viewer.policy.Veils(passage.Text)) > 0 || len(texts) == model.MaxRerank {
				continue
			}
			may, err := q.viewer.sends(toRerank, passage.Artifact)
			if err != nil {
				return err
			}
			if may {
				places, texts = append(places, at), append(texts, passage.Text)
			}
		}
		if len(texts) < 2 {
			continue
		}
		r, err := p.Rerank(ctx, f.topic.query, texts)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			known.note("no model ordered the passages: " + model.Explain(err))
			return nil
		}
		known.note("the passages were ordered by the model " + r.Model)
		order := make([]int, len(places))
		for k := range order {
			order[k] = k
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(r.Scores[b], r.Scores[a]) })
		sorted := slices.Clone(f.open)
		for k, from := range order {
			sorted[places[k]] = f.open[places[from]]
		}
		f.open = sorted
	}
	return nil
}
