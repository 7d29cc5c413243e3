package answer

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"time"

	"muniment/answer/gate"
	"muniment/archive"
	"muniment/archive/problem"
	"muniment/archive/search"
	"muniment/cite"
	"muniment/draft"
	"muniment/draft/enforce"
	"muniment/draft/profile"
	"muniment/ledger"
	"muniment/objects"
	"muniment/policy"
)

// RefusalsOptions select what Refusals counts.
type RefusalsOptions struct {
	Since   time.Time // zero for all
	Profile string    // "" for all
	Auditor bool      // add the true kinds, which the display may have had to hide
}

// A RefusalCount is one line of a distribution.
type RefusalCount = enforce.Count

// A RefusalDay is what became of the questions of one day, UTC.
type RefusalDay struct {
	Day       string          `json:"day"`
	Questions int             `json:"questions"`
	Refused   int             `json:"refused"`
	Reasons   []enforce.Count `json:"reasons"`
	Rungs     []enforce.Count `json:"rungs"` // of all questions, refused among them
}

// A RefusalEvent is one refused question. What was asked is not kept.
type RefusalEvent struct {
	Time       string  `json:"time"`
	Profile    string  `json:"profile"`
	QueryType  string  `json:"query_type"`
	Kind       string  `json:"kind"`
	Reason     string  `json:"reason"`
	Similarity float64 `json:"best_similarity"`
	Threshold  float64 `json:"threshold"`
	Sources    int     `json:"sources"`
	TrueKind   string  `json:"true_kind,omitempty"`
	Stage      string  `json:"stage,omitempty"`
	// Searched says what was looked through before it was refused; without it, nothing was,
	// or the ledger has the refusal from before it kept that.
	Searched *SearchedPapers `json:"searched,omitempty"`
}

// SearchedPapers is the share of a snapshot that was looked through for a question. The
// counts are for auditors: they may tell of papers that others may not know of.
type SearchedPapers struct {
	Snapshot string `json:"snapshot"`
	Percent  int    `json:"percent" minimum:"0" maximum:"100"` // rounded down to tens
	Papers   int64  `json:"papers,omitempty"`                  // that were searched, at least
	Of       int64  `json:"of,omitempty"`                      // that the snapshot has
}

// searchedPapers returns the share that a row of the ledger states; nil where it states none.
func searchedPapers(s ledger.Coverage, auditor bool) *SearchedPapers {
	if s.Snapshot == "" {
		return nil
	}
	out := &SearchedPapers{Snapshot: s.Snapshot, Percent: 100}
	if s.Papers < s.Of {
		out.Percent = int(s.Papers*10/s.Of) * 10
	}
	if auditor {
		out.Papers, out.Of = s.Papers, s.Of
	}
	return out
}

// searchedOf returns, for the ledger, the share of its snapshot, whose tree is given, that a
// pipeline looked through.
func searchedOf(a *archive.Archive, tree objects.Hash, c *search.Coverage) (ledger.Coverage, error) {
	if c == nil {
		return ledger.Coverage{}, nil
	}
	all, err := a.Holdings().Peek(tree).Totals()
	if err != nil {
		return ledger.Coverage{}, err
	}
	return ledger.Coverage{Snapshot: c.Snapshot, Papers: max(0, all.Artifacts-c.Lacks), Of: all.Artifacts}, nil
}

// RefusalsResult counts the outcomes of questions.
type RefusalsResult struct {
	Since   string          `json:"since,omitempty"`
	Metrics enforce.Metrics `json:"metrics"`
	Days    []RefusalDay    `json:"days"`
	Alerts  []enforce.Alert `json:"alerts"`
	Events  []RefusalEvent  `json:"events"` // the refused ones, oldest first
	// Kept says whether refusals are counted: the signed policy may forbid it, and then
	// only answers are. The answer log has all of them in any case.
	Kept bool `json:"refusals_kept"`
	// Segmentation are the places of drafts that could not be cut into claims, or could
	// be in two ways, by stage and reason.
	Segmentation []SegmentationCount `json:"segmentation_errors"`
}

// A SegmentationCount is how often one thing was unclear in cutting drafts into claims.
type SegmentationCount struct {
	Stage  string `json:"stage"` // ask, bind or check
	Reason string `json:"reason"`
	Texts  int    `json:"texts"`
	Places int    `json:"places"`
}

// Refusals counts the outcomes of the questions put to this archive.
func Refusals(a *archive.Archive, o RefusalsOptions) (*RefusalsResult, error) {
	if o.Auditor {
		if err := checkDelivery(a, AskOptions{Auditor: true}); err != nil {
			return nil, err
		}
	}
	if o.Profile != "" {
		if _, err := draft.FindProfile(a, o.Profile); err != nil {
			return nil, err
		}
	}
	l, err := ledger.Of(a)
	if err != nil {
		return nil, err
	}
	all, err := l.Questions(o.Since, o.Profile)
	if err != nil {
		return nil, problem.Wrap(err, "ledger")
	}
	r := &RefusalsResult{Days: []RefusalDay{}, Events: []RefusalEvent{}}
	if !o.Since.IsZero() {
		r.Since = o.Since.UTC().Format(time.RFC3339)
	}
	var events, day []enforce.Event
	for i, q := range all {
		e := enforce.Event{Time: q.Time, Persona: q.Profile, Type: enforce.QueryType(q.Type), Refused: q.Refused, Kind: q.Kind, Reason: q.Reason,
			Rung: rungOf(q), Measured: q.Reached, Best: q.Best, Threshold: q.Threshold, Sources: q.Sources}
		events, day = append(events, e), append(day, e)
		if q.Refused {
			one := RefusalEvent{Time: q.Time.UTC().Format(time.RFC3339), Profile: q.Profile, QueryType: q.Type, Kind: q.Kind, Reason: q.Reason,
				Similarity: toHundredths(float64(q.Best) / 10_000), Threshold: toHundredths(float64(q.Threshold) / 10_000), Sources: q.Sources, Searched: searchedPapers(q.Searched, o.Auditor)}
			if o.Auditor {
				one.TrueKind, one.Stage = q.TrueKind, q.Stage
			}
			r.Events = append(r.Events, one)
		}
		if on := q.Time.UTC().Format(time.DateOnly); i+1 == len(all) || all[i+1].Time.UTC().Format(time.DateOnly) != on {
			m := enforce.Measure(day)
			r.Days = append(r.Days, RefusalDay{on, m.Questions, m.Refused, m.Reasons, m.Rungs})
			day = nil
		}
	}
	if err := r.countSegmentation(a, l, o.Since); err != nil {
		return nil, err
	}
	r.Metrics, r.Alerts = enforce.Measure(events), enforce.Alerts(events, a.World().Now())
	return r, nil
}

// countSegmentation adds the segmentation errors, and whether refusals are kept.
func (r *RefusalsResult) countSegmentation(a *archive.Archive, l *ledger.Ledger, since time.Time) error {
	r.Kept, r.Segmentation = true, []SegmentationCount{}
	all, err := l.SegmentationErrors(since)
	if err != nil {
		return problem.Wrap(err, "ledger")
	}
	for _, e := range all {
		i := slices.IndexFunc(r.Segmentation, func(c SegmentationCount) bool { return c.Stage == e.Stage && c.Reason == e.Reason })
		if i < 0 {
			i = len(r.Segmentation)
			r.Segmentation = append(r.Segmentation, SegmentationCount{Stage: e.Stage, Reason: e.Reason})
		}
		r.Segmentation[i].Texts++
		r.Segmentation[i].Places += e.Places
	}
	head, _, err := a.Head()
	if err != nil || head == nil {
		return err
	}
	rules, err := a.ReadPolicy(head.Tree)
	if err == nil {
		r.Kept, err = rules.LogsRefusals(policy.Requestor{})
	}
	return problem.Wrap(err, "policy")
}

// rungOf returns the rung of an answered question, which the ledger keeps as its stage.
func rungOf(q ledger.Question) string {
	if q.Refused {
		return ""
	}
	return q.Stage
}

// A requestor is refused at most MaxRefusals questions within RefusalWindow. That is
// one every twelve seconds for an hour: a person who types is far below it, and
// whoever tries word by word what is hidden needs thousands.
const (
	MaxRefusals   = 300
	RefusalWindow = time.Hour
)

// checkRefused returns an error where a requestor was refused too often of late.
// Auditors are not counted.
func checkRefused(a *archive.Archive, o AskOptions) error {
	if o.Auditor {
		return nil
	}
	l, err := ledger.Of(a)
	if err != nil {
		return err
	}
	n, first, err := l.Refused(accountOf(o.Requestor, o.Account), a.World().Now().Add(-RefusalWindow))
	if err != nil {
		return problem.Wrap(err, "ledger")
	}
	if n < MaxRefusals {
		return nil
	}
	again := first.Add(RefusalWindow).UTC().Format("2006-01-02 15:04 UTC")
	e := problem.New(problem.Busy, problem.Next(problem.DoList).With("ask again after "+again+"; what is answered is not counted"),
		"%d questions of this requestor were refused within an hour, which is the limit", n)
	e.Wait = first.Add(RefusalWindow).Sub(a.World().Now())
	return e
}

// noteOutcome keeps in the ledger what became of a request. A refusal always counts
// towards the limit of its requestor; its reason is kept unless the signed policy
// forbids it.
func noteOutcome(a *archive.Archive, p *Pipeline, r Request, kind string, res *Response, rules *profile.Profile) error {
	searched, err := searchedOf(a, p.View.Snapshot.Tree, p.Searched)
	if err != nil {
		return problem.Wrap(err, "ledger")
	}
	l, err := ledger.Of(a)
	if err != nil {
		return err
	}
	if res.Refusal != nil && r.Budget != nil { // an auditor has none
		if err := l.AddRefused(r.Account, a.World().Now()); err != nil {
			return problem.Wrap(err, "ledger")
		}
	}
	if res.Unanswered {
		if logged, err := p.Policy.LogsRefusals(r.Requestor); err != nil || !logged {
			return problem.Wrap(err, "policy")
		}
		if err := l.AddRefusal(ledger.Refusal{Kind: string(res.shownKind()), TrueKind: string(res.TrueKind), Stage: string(res.TrueStage), Time: a.World().Now(), Searched: searched}); err != nil {
			return problem.Wrap(err, "ledger")
		}
	}
	if kind != "ask" {
		return nil
	}
	return problem.Wrap(l.AddQuestion(questionOf(a.World().Now(), res, rules, searched)), "ledger")
}

// noteSegmentation records the doubts in cutting a request's drafts into claims, by stage and
// reason, never the text.
func noteSegmentation(a *archive.Archive, stage string, res *Response, failed error) error {
	unclear := map[string]int{}
	if errors.Is(failed, ErrTooManyClaims) {
		unclear[draft.TooManyClaims] = 1
	} else if res != nil {
		unclear = res.Segmentation
	}
	return draft.NoteUnclear(a, stage, unclear)
}

// questionOf returns the outcome of a question for the ledger, never the question.
func questionOf(now time.Time, res *Response, rules *profile.Profile, searched ledger.Coverage) ledger.Question {
	q := ledger.Question{Time: now, Profile: rules.Name, Type: string(res.Type), Searched: searched}
	if d := res.Enforced; d != nil {
		q.Reached, q.Sources = true, d.Sources
		q.Best, q.Threshold = int(math.Round(d.Best*10_000)), int(math.Round(d.Threshold*10_000))
	}
	if !res.Unanswered {
		q.Stage = string(res.Outcome)
	}
	if res.Unanswered {
		q.Refused, q.Kind, q.TrueKind, q.Stage = true, string(res.shownKind()), string(res.TrueKind), string(res.TrueStage)
		switch {
		default:
			q.Reason = cmp.Or(res.FailedTest, q.Kind)
		case res.Refusal == nil:
			q.Reason = string(cite.RoleNearest)
		case res.Category != "":
			q.Reason = res.Category
		case res.Enforced != nil && res.Enforced.Refuse:
			q.Reason = string(res.Enforced.Reason)
		}
	}
	return q
}

// shownKind returns the kind of refusal as which an unanswered question is shown:
// where nothing but nearest passages are, coverage.
func (r *Response) shownKind() gate.Kind {
	if r.Refusal == nil {
		return gate.KindCoverage
	}
	return r.Refusal.Kind
}
