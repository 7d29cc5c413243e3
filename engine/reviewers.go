package engine

import (
	"fmt"
	"slices"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/cite/review"
	"muniment/objects"
	"muniment/sign"
	"muniment/sign/trust"
	"muniment/snapshot/layout"
)

// reviewers decides by the trust root of an archive, else by its allowed signers, whose reviews count.
type reviewers struct {
	arch    *archive.Archive
	root    *trust.Root
	allowed *sign.AllowedSigners
	next    int64 // number of the next snapshot
	rows    []archive.SnapshotRow
}

// openReviewers reads the trust that the newest tree holds.
func (rs Reviews) openReviewers() (*reviewers, error) {
	if rs.e == nil || rs.e.arch == nil {
		return nil, errNoArchive()
	}
	w := &reviewers{arch: rs.e.arch, next: 1}
	head, _, err := rs.e.arch.Head()
	if err != nil {
		return nil, err
	}
	tree, err := rs.e.arch.NewestTree()
	if err != nil {
		return nil, err
	}
	if head != nil {
		w.next = head.Seq + 1
	}
	if w.root, err = rs.e.arch.TrustRootIn(tree); err != nil || w.root != nil {
		return w, err
	}
	data, err := rs.e.arch.File(tree, layout.PathAllowedSigners)
	if err != nil || data == nil {
		return w, err
	}
	if w.allowed, err = sign.ParseAllowedSigners(data); err != nil {
		return nil, problem.Negative(problem.Damaged, problem.Next(problem.DoVerify), "%s: %w", layout.PathAllowedSigners, err)
	}
	return w, nil
}

// WhyUncounted returns why a review that a key signs now does not count, "" where it does.
func (rs Reviews) WhyUncounted(key sign.Key) (string, error) {
	w, err := rs.openReviewers()
	if err != nil {
		return "", err
	}
	_, not, err := w.countsBy(key, w.next, false)
	return not, err
}

// counts returns the organisation of a review's key, "" where none is known, and why the review does not count, "" where it does.
func (w *reviewers) counts(k keptReview) (org, not string, err error) {
	seq := w.next
	if w.root != nil && k.path != "" {
		if seq, err = w.sealedAt(k); err != nil {
			return "", "", err
		}
	}
	return w.countsBy(k.Key(), seq, k.path != "")
}

// countsBy is counts for a review by a key in the snapshot of a number. sealed says that a tree holds it.
func (w *reviewers) countsBy(key sign.Key, seq int64, sealed bool) (org, not string, err error) {
	if w.root == nil {
		if w.allowed != nil {
			if _, ok := w.allowed.Allows(key, review.Namespace, w.arch.ID()); ok {
				return "", "", nil
			}
		}
		return "", fmt.Sprintf("its key %s is not among the allowed signers for %s", key.Fingerprint(), review.Namespace), nil
	}
	j := w.root.Judge(trust.Review, key, trust.Seq(seq))
	if j.Standing == trust.Stranger {
		return "", fmt.Sprintf("the trust root does not give its key %s the role review", key.Fingerprint()), nil
	}
	// A revoked key counts for what the history held by the last good snapshot; that one is of this history.
	pinned := j.Standing == trust.Pinned && sealed
	if pinned {
		_, known, err := w.arch.HasSnapshot(j.Revocation.Snapshot.String())
		if err != nil {
			return "", "", err
		}
		pinned = known
	}
	if j.Counts() || pinned {
		return j.Key.Org, "", nil
	}
	return j.Key.Org, j.Reason(), nil
}

// awaitsSnapshot reports whether no snapshot holds a review yet.
func (w *reviewers) awaitsSnapshot(k keptReview) (bool, error) {
	if k.path == "" {
		return true, nil
	}
	seq, err := w.sealedAt(k)
	return seq >= w.next, err
}

// sealedAt returns the number of a snapshot that holds a review, the first one as a rule: reviews are never dropped, so that it is
// looked for by halves. Each that holds it shows that it was there by then.
func (w *reviewers) sealedAt(k keptReview) (int64, error) {
	if k.entry != nil && !k.entry.Snapshot.IsZero() {
		row, known, err := w.arch.HasSnapshot(k.entry.Snapshot.String())
		if err != nil || known {
			return row.Seq, err
		}
	}
	if w.rows == nil {
		for row, err := range w.arch.SnapshotRows() {
			if err != nil {
				return 0, err
			}
			w.rows = append(w.rows, row)
		}
		slices.Reverse(w.rows)
	}
	var failed error
	holds := func(tree objects.Hash) bool {
		_, ok, err := w.arch.Store().Lookup(tree, k.path)
		if err != nil {
			failed = problem.Wrap(err, k.path)
		}
		return ok
	}
	at, _ := slices.BinarySearchFunc(w.rows, true, func(row archive.SnapshotRow, _ bool) int {
		if holds(row.Tree) {
			return 1
		}
		return -1
	})
	if failed != nil || at == len(w.rows) {
		return w.next, failed // staged only
	}
	return w.rows[at].Seq, nil
}
