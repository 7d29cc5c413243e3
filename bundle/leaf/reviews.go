package leaf

import (
	"errors"
	"fmt"
	"slices"

	"muniment/cid"
	"muniment/cite"
	"muniment/cite/people"
	"muniment/cite/review"
	"muniment/snapshot"
	"muniment/snapshot/layout"
)

// MaxReviews is the most reviews of one citation in a leaf: each brings a signed snapshot of some 2 KB and a proof, and more
// would not fit into MaxSize. MaxNeeded is the most organisations that a verdict can need.
const (
	MaxReviews = 8
	MaxNeeded  = 8
)

// Outcomes of persons, as a leaf says them.
const (
	OutcomeNone         = ""             // too few said yes, or nobody was sure
	OutcomeFollows      = "follows"      // enough said yes, and nobody no
	OutcomeNotShown     = "not_shown"    // somebody said no, and nobody yes
	OutcomeContradicted = "contradicted" // the same, and that the words say the opposite
	OutcomeDisputed     = "disputed"     // they disagree
)

// Reviews is a leaf of the signed reviews of a citation of the answer, with the outcome that follows from them. Claim, span and quote are those of the
// subject that each review names by its hash.
type Reviews struct {
	Header
	Cite    int      `json:"cite"`    // the cite leaf
	Claim   int      `json:"claim"`   // ordinal of the claim it supports
	Needed  int      `json:"needed"`  // organisations that must say yes, from 1
	Outcome string   `json:"outcome"` // one of the outcomes
	Quote   string   `json:"quote"`   // the words at the span; "" for a picture or a recording
	Reviews []Review `json:"reviews"` // in the order of the archive
	Span    string   `json:"span"`    // as in the citation
	Text    string   `json:"text"`    // the claim that was reviewed
}

// A Review is a person's review with the snapshot that holds it.
type Review struct {
	Commit       string         `json:"commit"`       // content of the signed snapshot commit
	Not          string         `json:"not"`          // why the review does not count, as the signer says; "" where it does
	Organisation string         `json:"organisation"` // of the key; "" where none is known
	Proof        snapshot.Proof `json:"proof"`        // of the review's line to the snapshot's Muniment-Root
	Review       string         `json:"review"`       // the signed object, muniment/review/v1
	Seq          int64          `json:"seq"`          // number of the snapshot
	Snapshot     string         `json:"snapshot"`     // ID of Commit
}

func (*Reviews) kind() Kind { return KindReviews }

func (l *Reviews) check() error {
	switch {
	case l.Claim < 1:
		return fmt.Errorf("claim %d, ordinals start at 1", l.Claim)
	case l.Cite < 0 || l.Cite >= MaxCount:
		return fmt.Errorf("cite %d, which no leaf can be", l.Cite)
	case l.Needed < 1 || l.Needed > MaxNeeded:
		return fmt.Errorf("%d organisations are needed, want 1 to %d", l.Needed, MaxNeeded)
	case !slices.Contains([]string{OutcomeNone, OutcomeFollows, OutcomeNotShown, OutcomeContradicted, OutcomeDisputed}, l.Outcome):
		return fmt.Errorf("outcome %.40q is not known", l.Outcome)
	case len(l.Reviews) < 1 || len(l.Reviews) > MaxReviews:
		return fmt.Errorf("%d reviews, want 1 to %d", len(l.Reviews), MaxReviews)
	}
	all, err := l.Parse()
	if err != nil {
		return err
	}
	for i, r := range all {
		if r.Artifact != all[0].Artifact {
			return fmt.Errorf("review %d is of artifact %s, the first one of %s", i+1, r.Artifact, all[0].Artifact)
		}
		if slices.ContainsFunc(all[:i], func(o *review.Review) bool { return o.ID() == r.ID() }) {
			return fmt.Errorf("review %d is there twice", i+1)
		}
		if err := l.Reviews[i].check(); err != nil {
			return fmt.Errorf("review %d: %w", i+1, err)
		}
	}
	return nil
}

// Parse returns the reviews, whose signatures hold and which are of the claim, span and quote of the leaf.
func (l *Reviews) Parse() ([]*review.Review, error) {
	var out []*review.Review
	for i := range l.Reviews {
		r, err := review.Parse([]byte(l.Reviews[i].Review))
		if err == nil {
			err = r.IsOf(review.Subject{Artifact: r.Artifact, Claim: l.Text, Span: l.Span, Words: l.Quote})
		}
		if err != nil { // %v: a newer review makes a newer leaf, docs/spec/bundle.md
			return nil, fmt.Errorf("review %d: %v", i+1, err)
		}
		out = append(out, r)
	}
	return out, nil
}

// check checks the form of what comes with a review.
func (r *Review) check() error {
	if _, err := cid.ParseAs(cid.Raw, r.Snapshot); err != nil {
		return fmt.Errorf("snapshot: %w", err)
	}
	if r.Seq < 1 {
		return fmt.Errorf("seq %d, snapshots are counted from 1", r.Seq)
	}
	for _, line := range r.Proof.Lines {
		if err := checkTexts("inner", line.Inner); err != nil {
			return err
		}
	}
	return checkTexts("outer", r.Proof.Outer)
}

func (l *Reviews) refs(to []Ref) []Ref { return append(to, Ref{l.Cite, KindCite}) }

func (l *Reviews) remap(to []int) Leaf {
	c := *l
	c.Cite = to[l.Cite]
	return &c
}

// Weigh returns the decision of the reviews that are in force and count.
func (l *Reviews) Weigh() (people.Decision, error) {
	all, err := l.Parse()
	if err != nil {
		return people.Decision{}, err
	}
	newest := review.Newest(all)
	var in []people.Review
	for i, r := range all {
		if !slices.Contains(newest, r) {
			continue
		}
		reason, err := review.FindReason(r.Verdict, r.Reason)
		if err != nil {
			return people.Decision{}, err
		}
		in = append(in, people.Review{Verdict: string(r.Verdict), Reason: r.Reason, Text: reason.Text, By: r.Reviewer(), Org: l.Reviews[i].Organisation, Day: r.Day,
			Key: r.Key().ID(), Not: l.Reviews[i].Not})
	}
	return people.Weigh(cite.ClaimNotShown, in, l.Needed), nil
}

// OutcomeOf returns the outcome of a decision.
func OutcomeOf(d people.Decision) string {
	switch {
	case d.Disputed:
		return OutcomeDisputed
	case d.Verdict == cite.ClaimFollows:
		return OutcomeFollows
	case d.Verdict == cite.ClaimContradicted:
		return OutcomeContradicted
	case d.Settles():
		return OutcomeNotShown
	}
	return OutcomeNone
}

// Verify checks that the review lies in its snapshot, and returns the snapshot. Whether its key counts the caller decides.
func (r *Review) Verify(archive cid.ID) (*snapshot.Snapshot, error) {
	snap, err := snapshot.Parse([]byte(r.Commit))
	if err != nil {
		return nil, fmt.Errorf("commit: %w", err)
	}
	parsed, err := review.Parse([]byte(r.Review))
	if err != nil {
		return nil, err
	}
	switch {
	case snap.ID.String() != r.Snapshot || snap.Archive != archive || snap.Seq != r.Seq:
		return nil, fmt.Errorf("the commit is snapshot %s, number %d of archive %s; want %s, number %d of %s", snap.ID, snap.Seq, snap.Archive, r.Snapshot, r.Seq, archive)
	case snap.Newer != nil:
		return nil, snap.Newer
	}
	subject, err := review.SubjectID(parsed.Subject)
	if err != nil {
		return nil, err
	}
	present, line, err := r.Proof.Verify(snap.Root)
	switch {
	case err != nil:
		return nil, fmt.Errorf("proof: %w", err)
	case !present || line.Path != layout.ReviewPath(subject, parsed.ID()) || line.Digest != parsed.ID().Digest():
		return nil, errors.New("the proof is not one of the review in that snapshot")
	}
	return snap, nil
}
