package engine

import (
	"errors"
	"slices"
	"strconv"

	"muniment/archive/problem"
	"muniment/cid"
	"muniment/cite"
	"muniment/cite/people"
	"muniment/ledger"
	"muniment/sign"
)

// A ReviewFilter selects what is to be reviewed. The zero value is every citation that nobody has judged.
type ReviewFilter struct {
	CitationFilter
	Citations []string        // these, by number or ID; then nothing else selects
	Synthesis int64           // those of this checked draft
	Claims    []string        // those of exactly these claims, such as the sentences that a bundle lacks
	Items     []ReviewOptions // claims on words that nobody registered, such as an examination's; then After is the number of the last one read
	All       bool            // also what rules, a model or somebody else judged
	Key       sign.Key        // of the reviewer: what it has reviewed is left out; zero for nobody's
}

// A ReviewItem is a claim with its words in their paragraphs, as a reviewer reads them.
type ReviewItem struct {
	CitationInfo
	Item    int64           `json:"item,omitempty"`   // of ReviewFilter.Items, from 1; 0 of a citation
	Before  string          `json:"before,omitempty"` // from the beginning of the paragraph to the words
	Words   string          `json:"words"`
	After   string          `json:"after,omitempty"` // to its end
	Subject string          `json:"subject"`
	Around  string          `json:"surroundings"` // as a review names them
	Reviews []people.Review `json:"reviews"`      // in force; who disagrees with whom is seen before one reads
}

// Options returns the options of a review of the item, without its verdict.
func (i *ReviewItem) Options() ReviewOptions {
	if i.CitationID == 0 && i.Citation == "" {
		return ReviewOptions{Claim: i.Claim, Artifact: i.Artifact, Span: i.Span}
	}
	return ReviewOptions{Citation: i.ref()}
}

// reviewPage is the number of citations that are read from the ledger at a time while the queue of reviews is filled.
const reviewPage = 100

// Queue returns the citations that a filter leaves to review, by number. Citations whose words the caller may not see are left out, and those whose
// words are not there; claims of the caller's own are left out too, unless they are named, as nobody reviews those.
func (rs Reviews) Queue(f ReviewFilter) ([]ReviewItem, error) {
	out := []ReviewItem{}
	err := rs.EachQueued(f, func(item *ReviewItem) (bool, error) {
		out = append(out, *item)
		return f.Limit == 0 || len(out) < f.Limit, nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// EachQueued calls take with the items of Queue until it returns false; the limit of the filter it leaves to take.
func (rs Reviews) EachQueued(f ReviewFilter, take func(*ReviewItem) (bool, error)) error {
	if err := rs.e.require(ActReview, rs.e.Caller().Self()); err != nil {
		return err
	}
	l, err := rs.e.ledger()
	if err != nil {
		return err
	}
	tree, err := rs.e.arch.NewestTree()
	if err != nil {
		return err
	}
	catalog := rs.e.arch.Catalog(tree)
	for {
		part, more, err := rs.selectToReview(l, &f)
		if err != nil {
			return err
		}
		for i := range part {
			if sees, err := rs.e.SeesCitation(catalog, &part[i]); err != nil {
				return err
			} else if !sees {
				continue
			}
			if len(f.Citations) == 0 {
				if own, err := rs.isOwn(l, &part[i], f.Key); err != nil {
					return err
				} else if own {
					continue
				}
			}
			item, ok, err := rs.reviewItem(l, &part[i], &f)
			if err != nil {
				return err
			}
			if !ok {
				continue
			}
			if f.Items != nil {
				item.Item = f.After + int64(i) + 1
			}
			if goOn, err := take(item); err != nil || !goOn {
				return err
			}
		}
		if !more {
			return nil
		}
		f.After = part[len(part)-1].Ordinal
	}
}

// selectToReview returns citations that a filter names, whatever was said of them, and whether more follow after the last one.
func (rs Reviews) selectToReview(l *ledger.Ledger, f *ReviewFilter) (part []ledger.Citation, more bool, err error) {
	refs := slices.Clone(f.Citations)
	for _, claim := range f.Claims {
		numbers, err := l.CitedFor(claim)
		if err != nil {
			return nil, false, problem.Wrap(err, "ledger")
		}
		for _, n := range numbers {
			if ref := strconv.FormatInt(n, 10); !slices.Contains(refs, ref) {
				refs = append(refs, ref)
			}
		}
	}
	if f.Items != nil {
		part, err = rs.anchorItems(f.Items[min(max(f.After, 0), int64(len(f.Items))):])
		return part, false, err
	}
	if f.Synthesis > 0 {
		if refs, err = citedIn(l, f.Synthesis); err != nil {
			return nil, false, err
		}
	}
	for _, ref := range refs {
		c, _, err := rs.e.Citations().findAnywhere(ref)
		if err != nil {
			return nil, false, err
		}
		if c.Ordinal == 0 || c.Ordinal > f.After {
			part = append(part, c)
		}
	}
	if len(refs) > 0 || f.Synthesis > 0 || f.Claims != nil {
		return part, false, nil
	}
	part, err = l.List(rs.e.caller.Narrow(ledger.Filter{Source: f.Source, Artifact: f.Artifact, Session: f.Session, Project: f.Project, Agent: f.Agent, Claim: f.Claim, Status: ledger.Status(f.Status), After: f.After, Limit: reviewPage}))
	return part, len(part) == reviewPage, problem.Wrap(err, "ledger")
}

// anchorItems returns claims that nobody registered as citations; one whose words are not there has no span.
func (rs Reviews) anchorItems(items []ReviewOptions) (out []ledger.Citation, err error) {
	for _, o := range items {
		c := ledger.Citation{Entry: ledger.Entry{Claim: o.Claim, Artifact: o.Artifact, Span: o.Span, Project: rs.e.caller.Project}}
		err := rs.anchorSpan(&c)
		var gone *problem.Error
		switch {
		case errors.As(err, &gone) && (gone.Kind == problem.Usage || gone.Kind == problem.NotFound):
			c.Span = ""
		case err != nil:
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// citedIn returns the numbers of the citations of a checked draft, each once.
func citedIn(l *ledger.Ledger, synthesis int64) ([]string, error) {
	s, err := l.Synthesis(synthesis)
	if errors.Is(err, ledger.ErrNotFound) {
		return nil, problem.New(problem.NotFound, problem.Advise("muniment citations --synthesis 0 lists the checked drafts"), "no checked draft %d", synthesis)
	}
	var out []string
	for _, b := range s.Bullets {
		for _, n := range b.Citations {
			if ref := strconv.FormatInt(n, 10); !slices.Contains(out, ref) {
				out = append(out, ref)
			}
		}
	}
	return out, problem.Wrap(err, "ledger")
}

// reviewItem returns a citation as a reviewer reads it; ok is false where the filter leaves it out.
func (rs Reviews) reviewItem(l *ledger.Ledger, c *ledger.Citation, f *ReviewFilter) (item *ReviewItem, ok bool, err error) {
	if c.Span == "" || !rs.e.caller.May(ActReadCitation, OwnerOf(c)) {
		return nil, false, nil
	}
	open := c.Status == ledger.Unverified || c.Status == ledger.Pending
	if !open && !f.All && len(f.Citations) == 0 {
		return nil, false, nil
	}
	if later, err := l.Superseded([]int64{c.Ordinal}); err != nil || later[c.Ordinal] > 0 {
		return nil, false, problem.Wrap(err, "ledger")
	}
	what, err := rs.findWords(c)
	if what == nil {
		return nil, false, err
	}
	said, opinions, err := rs.weighReviews(l, c, what.digest)
	if err != nil {
		return nil, false, err
	}
	spoke := func(o people.Review) bool { return !f.Key.IsZero() && o.Key == f.Key.ID() }
	if len(f.Citations) == 0 && (!f.All && said.Settles() || slices.ContainsFunc(opinions, spoke)) {
		return nil, false, nil
	}
	info, err := rs.e.Citations().describeCitations(l, []ledger.Citation{*c})
	if err != nil {
		return nil, false, err
	}
	return &ReviewItem{info[0], 0, what.before, what.subject.Words, what.after, what.digest, what.subject.Surroundings, opinions}, true, nil
}

// WeighPeople returns the verdict of persons on a citation under a profile that asks for reviews of least organisations.
func (rs Reviews) WeighPeople(c *ledger.Citation, least int) (people.Decision, error) {
	if rs.e == nil || rs.e.arch == nil || c == nil {
		return people.Decision{}, nil
	}
	l, err := rs.e.ledger()
	if err != nil {
		return people.Decision{}, err
	}
	_, opinions, err := rs.reviewsNow(l, c)
	if err != nil {
		return people.Decision{}, err
	}
	if len(opinions) == 0 {
		return people.Weigh(c.Verdict, nil, least), nil
	}
	last, err := lastUnreviewed(l, c)
	return people.Weigh(last.Verdict, opinions, least), err
}

// requireReviews adds to a result what its profile asks of persons: without enough reviews it is unverified, whatever rules and models
// say, and the ledger keeps the verdict that holds under every profile. How many reviews wait for a snapshot is noted.
func (rs Reviews) requireReviews(asked *Candidate, l *ledger.Ledger, c *ledger.Citation) error {
	r, least := asked.result, asked.rules.reviews
	if c.Span == "" || r.VerificationStatus == string(ledger.Failed) && r.ClaimVerdict != string(cite.ClaimContradicted) {
		return nil // the words are not there, so there is nothing to review
	}
	_, opinions, err := rs.reviewsNow(l, c)
	if err != nil || len(opinions) == 0 && least == 0 {
		return err
	}
	if said := people.Weigh(cite.ClaimVerdict(r.ClaimVerdict), opinions, least); !said.Settles() && least > 0 {
		if r.VerificationStatus != string(ledger.Failed) {
			r.VerificationStatus = string(ledger.Unverified)
		}
		r.VerificationNotes, r.Next = said.Sentence(), problem.Advise("let a person who did not register the claim review it")
	}
	if waits := people.SayUnsealed(opinions); waits != "" {
		r.note(waits)
	}
	return nil
}

// applyReviews gives a citation that is being registered the state that reviews of the same claim and words give it, and reports
// whether persons have decided: then no model is asked.
func (rs Reviews) applyReviews(asked *Candidate, l *ledger.Ledger, entry *ledger.Entry) (bool, error) {
	r := asked.result
	c := ledger.Citation{Ordinal: r.CitationID, Entry: *entry}
	if _, err := cid.Parse(c.Artifact); err != nil {
		return false, nil
	}
	said, _, err := rs.reviewsNow(l, &c)
	if err != nil || !said.Settles() {
		return false, err
	}
	a := underPeople(ledger.Attestation{Status: entry.Status, Verdict: entry.Verdict, Notes: entry.Notes}, said)
	a.Time, a.Agent = entry.Time, entry.Agent
	r.applyVerdict(a, r.judgement)
	r.JudgedBy, r.Reason = said.By, said.Reason
	if a.Verdict == cite.ClaimNotShown && a.Status == ledger.Verified {
		r.Findings = nil
	}
	entry.Status, entry.Verdict = a.Status, a.Verdict
	return true, problem.Wrap(l.Attest(r.CitationID, a), "ledger")
}
