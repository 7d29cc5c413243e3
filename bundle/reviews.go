package bundle

import (
	"fmt"
	"slices"

	"muniment/bundle/display"
	"muniment/bundle/leaf"
	"muniment/cid"
	"muniment/cite"
	"muniment/cite/review"
	"muniment/sign/trust"
)

// maxReviews is the most reviews in a bundle: each has a signature, which a verifier in a script needs some ten milliseconds for.
const maxReviews = 256

// checkReviews requires reviews to be of a citation of their claim: step 7.
func checkReviews(l *leaf.Reviews, claims map[int]*leaf.Claim, leaves []leaf.Leaf) error {
	if c, ok := leaves[l.Cite].(*leaf.Cite); ok && c.Claim != l.Claim {
		return fmt.Errorf("it is of claim %d, its cite %d is for claim %d", l.Claim, l.Cite, c.Claim)
	}
	if c := claims[l.Claim]; c != nil && !slices.Contains(c.Cites, l.Cite) {
		return fmt.Errorf("it is of the cite %d, which claim %d has not", l.Cite, l.Claim)
	}
	for _, other := range leaves {
		if o, ok := other.(*leaf.Reviews); ok && o != l && o.Cite == l.Cite {
			return fmt.Errorf("it is of the cite %d, as is leaf %d", l.Cite, o.Index)
		}
	}
	return nil
}

// judgeReviews weighs the reviews of a citation again, and returns what is wrong with them or with the claim they are for, or "".
// It notes in g the keys that no trust at hand gives the right to review.
func (g *gateJudge) judgeReviews(l *leaf.Reviews) string {
	said, err := l.Weigh()
	if err != nil {
		return err.Error()
	}
	if got := leaf.OutcomeOf(said); got != l.Outcome {
		return fmt.Sprintf("its reviews give the outcome %q, it says %q", got, l.Outcome)
	}
	for i := range l.Reviews {
		if fault := g.judgeReviewer(&l.Reviews[i]); fault != "" {
			return fault
		}
	}
	for _, other := range g.leaves {
		switch o := other.(type) {
		case *leaf.Claim:
			if fault := disagrees(l, o); o.Claim == l.Claim && fault != "" {
				return fault
			}
		case *leaf.Gate:
			if o.Claim == l.Claim && o.Stage == leaf.StageCoverage && l.Outcome == leaf.OutcomeFollows && o.Inputs.Entailed != cite.EntailedYes {
				return fmt.Sprintf("persons say that claim %d follows, and its gate, leaf %d, does not say so", l.Claim, o.Index)
			}
		case *leaf.Source:
			if c, ok := g.leaves[l.Cite].(*leaf.Cite); ok && c.Source == o.Index {
				if fault := differsFrom(l, o); fault != "" {
					return fault
				}
			}
		}
	}
	return ""
}

// disagrees returns how a claim contradicts what persons said of a citation of it, or "".
func disagrees(l *leaf.Reviews, c *leaf.Claim) string {
	full := c.Rung == cite.Supported || c.Rung == cite.Narrowed
	switch l.Outcome {
	case leaf.OutcomeFollows:
		if c.Text != l.Text {
			return fmt.Sprintf("persons checked another claim than claim %d", c.Claim)
		}
	case leaf.OutcomeDisputed, leaf.OutcomeNotShown, leaf.OutcomeContradicted:
		if full {
			return fmt.Sprintf("claim %d has the rung %s, and persons say that it is %s", c.Claim, c.Rung, l.Outcome)
		}
	}
	return ""
}

// differsFrom returns how reviews are of other words than the source of their citation, or "".
func differsFrom(l *leaf.Reviews, s *leaf.Source) string {
	r, err := review.Parse([]byte(l.Reviews[0].Review))
	if err != nil {
		return err.Error()
	}
	if r.Artifact != s.Artifact || l.Span != s.Span || l.Quote != s.Quote {
		return fmt.Sprintf("persons read %s of %s, the citation is of %s of %s", clip(l.Span), r.Artifact, clip(s.Span), s.Artifact)
	}
	return ""
}

// judgeReviewer requires the key of a review that counts to have the role review at its snapshot, in the organisation that the
// leaf names, as far as the trust at hand says.
func (g *gateJudge) judgeReviewer(r *leaf.Review) string {
	if r.Not != "" {
		return ""
	}
	parsed, err := review.Parse([]byte(r.Review))
	if err != nil {
		return err.Error()
	}
	key := parsed.Key()
	switch {
	case g.trust.Root != nil:
		j := g.trust.Root.Judge(trust.Review, key, trust.Seq(r.Seq))
		switch {
		case j.Standing == trust.Stranger:
			g.strangers[key.Fingerprint()] = true
		case j.Standing == trust.Pinned:
			g.strangers[key.Fingerprint()] = true
		case !j.Counts():
			return fmt.Sprintf("a review by %s counts there: %s", key.Fingerprint(), j.Reason())
		case j.Key.Org != r.Organisation:
			return fmt.Sprintf("a review by %s is said to be of %q, the trust root says %q", key.Fingerprint(), clip(r.Organisation), j.Key.Org)
		}
	case g.trust.Allowed != nil:
		if _, ok := g.trust.Allowed.Allows(key, review.Namespace, g.archive); !ok {
			g.strangers[key.Fingerprint()] = true
		}
	default:
		g.strangers[key.Fingerprint()] = true
	}
	return ""
}

// checkReviewProofs takes step 16g: each review lies in its snapshot, which a key that counts has signed.
func checkReviewProofs(l *leaf.Reviews, archive cid.ID, q Requirements) error {
	for i := range l.Reviews {
		snap, err := l.Reviews[i].Verify(archive)
		if err == nil {
			_, err = q.judgeSnapshotKey(snap, true)
		}
		if err != nil {
			return fmt.Errorf("review %d: %w", i+1, err)
		}
	}
	return nil
}

// withoutReviews returns a copy of the bundle without the reviews in it: no form of a page has words for them.
func (b *Bundle) withoutReviews() *Bundle {
	out := *b
	out.files, out.leaves = make(map[string][]byte, len(b.files)), slices.Clone(b.leaves)
	for name, data := range b.files {
		out.files[name] = data
	}
	for i, l := range b.leaves {
		if _, ok := l.(*leaf.Reviews); ok {
			out.leaves[i] = nil
			delete(out.files, leafName(i))
		}
	}
	return &out
}

// sayJudged returns for each claim who judged it, in the words for its reader: nothing where no review is at hand.
func (b *Bundle) sayJudged() map[int]string {
	out := map[int]string{}
	for _, l := range b.leaves {
		if r, ok := l.(*leaf.Reviews); ok {
			if said, err := r.Weigh(); err == nil && (out[r.Claim] == "" || r.Outcome != leaf.OutcomeFollows) {
				out[r.Claim] = display.SafeLine(said.Sentence())
			}
		}
	}
	if len(out) == 0 {
		return out
	}
	for _, l := range b.leaves {
		c, ok := l.(*leaf.Claim)
		if !ok || out[c.Claim] != "" {
			continue
		}
		g, _ := b.leaves[c.Gate].(*leaf.Gate)
		switch {
		case c.Role == cite.RoleNearest:
			out[c.Claim] = display.JudgedByNobody
		case g != nil && g.Judge != nil && g.Judge.Verdict == leaf.JudgeVerdicts[0] && c.Rung == cite.Labeled:
			out[c.Claim] = "unverified: the model " + display.SafeLine(g.Judge.Model) + " says that it follows; no person checked it"
		case g != nil && g.Judge != nil && g.Judge.Verdict == leaf.JudgeVerdicts[0]:
			out[c.Claim] = "verified: the model " + display.SafeLine(g.Judge.Model) + " says that it follows; no person checked it"
		case c.Rung == cite.Labeled:
			out[c.Claim] = display.JudgedByNobody
		default:
			out[c.Claim] = display.JudgedByRules
		}
	}
	return out
}
