package engine

import (
	"cmp"
	"fmt"

	"muniment/archive/problem"
	"muniment/cite"
	"muniment/cite/people"
	"muniment/cite/review"
	"muniment/ledger"
	"muniment/sign"
	"muniment/snapshot"
)

// A ReviewedClaim is a citation that persons judged, with their reviews as a bundle carries them.
type ReviewedClaim struct {
	Artifact, Claim, Span, Words string

	Decision people.Decision // of the sealed reviews
	Ledger   people.Decision // with those that no snapshot holds yet
	Unsealed string          // people.SayUnsealed of these
	Needed   int             // organisations that must say yes
	Sealed   []SealedReview  // in force or replaced, in the order of the archive
}

// A SealedReview is a review that a snapshot holds.
type SealedReview struct {
	JSON         []byte
	Organisation string
	Not          string // why it does not count; "" where it does
	Snapshot     *snapshot.Snapshot
	Path         string // in the snapshot
}

// OfClaim returns the citations of exactly a claim that reviews are of. least is how many organisations a profile asks for. What no
// snapshot holds counts for nothing in Decision, as nobody could check it.
func (rs Reviews) OfClaim(claim string, least int) ([]ReviewedClaim, error) {
	if rs.e == nil || rs.e.arch == nil {
		return nil, errNoArchive()
	}
	l, err := rs.e.ledger()
	if err != nil {
		return nil, err
	}
	numbers, err := l.ReviewedWith(claim)
	if err != nil {
		return nil, problem.Wrap(err, "ledger")
	}
	var out []ReviewedClaim
	seen := map[string]bool{}
	for _, n := range numbers {
		c, err := l.Get(n)
		if err != nil {
			return nil, problem.Wrap(err, "ledger")
		}
		if c.Span == "" || cite.IsMediaSpan(c.Span) || c.Relation == cite.MetadataFact {
			continue
		}
		what, err := rs.findWords(&c)
		if err != nil {
			return nil, err
		}
		if what == nil || seen[what.digest] {
			continue
		}
		seen[what.digest] = true
		one, err := rs.sealedReviews(l, &c, what, least)
		if err != nil {
			return nil, err
		}
		if len(one.Sealed) > 0 || one.Unsealed != "" {
			out = append(out, *one)
		}
	}
	return out, nil
}

// sealedReviews returns the sealed reviews of a citation, and the decision that follows from them.
func (rs Reviews) sealedReviews(l *ledger.Ledger, c *ledger.Citation, what *reviewTarget, least int) (*ReviewedClaim, error) {
	out := &ReviewedClaim{Artifact: c.Artifact, Claim: c.Claim, Span: c.Span, Words: what.subject.Words, Needed: max(1, least)}
	all, err := rs.collectReviews(l, what.digest)
	if err != nil {
		return nil, err
	}
	who, err := rs.openReviewers()
	if err != nil {
		return nil, err
	}
	last, err := lastUnreviewed(l, c)
	if err != nil {
		return nil, err
	}
	if last.Verdict == cite.ClaimContradicted {
		out.Needed = max(out.Needed, 2)
	}
	_, opinions, err := rs.weighReviews(l, c, what.digest)
	if err != nil {
		return nil, err
	}
	out.Ledger, out.Unsealed = people.Weigh(cite.ClaimNotShown, opinions, out.Needed), people.SayUnsealed(opinions)
	var sealed []keptReview
	for _, k := range all {
		in, err := rs.snapshotOf(who, k)
		if err != nil {
			return nil, err
		}
		if in == nil {
			continue
		}
		one := SealedReview{Snapshot: in, Path: k.path}
		if one.JSON, err = review.Encode(k.Review); err != nil {
			return nil, problem.Wrap(err, "review")
		}
		if one.Organisation, one.Not, err = rs.countsFor(who, l, c, k); err != nil {
			return nil, err
		}
		sealed, out.Sealed = append(sealed, k), append(out.Sealed, one)
	}
	newest := review.Newest(reviewsIn(sealed))
	var in []people.Review
	for i, k := range sealed {
		for _, r := range newest {
			if r != k.Review {
				continue
			}
			o, err := describeReview(k)
			if err != nil {
				return nil, err
			}
			o.Org, o.Not = out.Sealed[i].Organisation, out.Sealed[i].Not
			in = append(in, o)
		}
	}
	out.Decision = people.Weigh(cite.ClaimNotShown, in, out.Needed)
	return out, nil
}

// snapshotOf returns the snapshot that decides whether a review counts, nil for one that none holds.
func (rs Reviews) snapshotOf(who *reviewers, k keptReview) (*snapshot.Snapshot, error) {
	if waits, err := who.awaitsSnapshot(k); err != nil || waits {
		return nil, err
	}
	seq, err := who.sealedAt(k)
	if err != nil {
		return nil, err
	}
	for row, err := range rs.e.arch.SnapshotRows() {
		if err != nil {
			return nil, err
		}
		if row.Seq == seq {
			return rs.e.arch.FindSnapshot(row.ID.String())
		}
	}
	return nil, nil
}

// isOwn reports whether the caller registered a citation, by name or, unless it is zero, by the key.
func (rs Reviews) isOwn(l *ledger.Ledger, c *ledger.Citation, key sign.Key) (bool, error) {
	by := registrant(c, &ledger.Review{Agent: rs.e.caller.Agent, User: rs.e.caller.User})
	if by != "" || c.Ordinal == 0 || key == (sign.Key{}) {
		return by != "", nil
	}
	return rs.isOwnKey(l, c, key)
}

// maxSignedAs is how many of a key's newest snapshots are read for the name of who signed with it.
const maxSignedAs = 100

// isOwnKey reports whether a key is one of whoever registered a citation: with it they handed in a review, or signed a snapshot in
// their name.
func (rs Reviews) isOwnKey(l *ledger.Ledger, c *ledger.Citation, key sign.Key) (bool, error) {
	own, err := keysOf(l, c)
	if err != nil || own[key.Point()] {
		return err == nil, err
	}
	registered, read := cmp.Or(c.User, c.Agent), 0
	for row, err := range rs.e.arch.SnapshotRows() {
		if err != nil {
			return false, err
		}
		if row.Signer != key.Point() {
			continue
		}
		s, err := rs.e.arch.FindSnapshot(row.ID.String())
		if err != nil {
			return false, err
		}
		if fmt.Sprintf("%s <%s>", s.Author.Name, s.Author.Email) == registered {
			return true, nil
		}
		if read++; read == maxSignedAs {
			break
		}
	}
	return false, nil
}

// keysOf returns the keys with which whoever registered a citation handed in reviews: they are theirs, whatever name goes with them later.
func keysOf(l *ledger.Ledger, c *ledger.Citation) (map[[32]byte]bool, error) {
	own, err := l.ReviewsBy(c.Agent, c.User)
	if err != nil {
		return nil, problem.Wrap(err, "ledger")
	}
	out := map[[32]byte]bool{}
	for i := range own {
		r, err := review.Parse(own[i].JSON)
		if err != nil {
			return nil, problem.Wrap(err, "ledger")
		}
		out[r.Key().Point()] = true
	}
	return out, nil
}
