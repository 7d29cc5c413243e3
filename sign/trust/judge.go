package trust

import (
	"fmt"

	"muniment/sign"
)

// A Standing is what a root says of a key at a place.
type Standing int

// The standings. Only Good counts by itself.
const (
	Stranger    Standing = iota // the root does not give the key the role
	OutOfBounds                 // it has the role, but not there
	Revoked                     // it was revoked before
	Pinned                      // good only if shown to lie at or before Judgment.Revocation
	Good
)

// A Judgment is a Standing with the lines of the root it rests on.
type Judgment struct {
	Standing   Standing
	Key        Key        // the key line, unless the key is a stranger
	Revocation Revocation // when the standing is Revoked or Pinned
}

// Counts reports whether the signature counts with nothing more to show.
func (j Judgment) Counts() bool { return j.Standing == Good }

// HasEnd reports whether the key line that covers the place ends at some place. A
// key that has ended can still sign for a place before its end: whoever asks must
// know the place from somebody else than the signer.
func (j Judgment) HasEnd() bool { return j.Standing == Good && !j.Key.To.IsZero() }

// Reason says in one line why a signature counts or does not.
func (j Judgment) Reason() string {
	name := ""
	if j.Standing != Stranger {
		name = Name(j.Key.Key) + " of " + j.Key.Org
	}
	switch j.Standing {
	default:
		return "the trust root does not give that key the role"
	case OutOfBounds:
		return fmt.Sprintf("key %s has the role %s only from %s to %s", name, j.Key.Role, j.Key.From, j.Key.To)
	case Revoked:
		if j.Revocation.None {
			return fmt.Sprintf("key %s is revoked in the role %s, and nothing by it is good", name, j.Key.Role)
		}
		return fmt.Sprintf("key %s is revoked in the role %s after %s", name, j.Key.Role, j.Revocation.Last)
	case Pinned:
		return fmt.Sprintf("key %s is revoked in the role %s after %s, and it is not shown that this is older", name, j.Key.Role, j.Revocation.Last)
	case Good:
		if j.HasEnd() {
			return fmt.Sprintf("key %s has the role %s only to %s", name, j.Key.Role, j.Key.To)
		}
		return fmt.Sprintf("key %s has the role %s", name, j.Key.Role)
	}
}

// Judge says whether k may sign in a role at a place. The place must be known
// from something that the signer could not choose alone: the history that a
// snapshot stands in, the log that holds an entry.
//
// Keys are compared by their 32 bytes, whatever wraps them. Judge applies
// revocations as far as the place alone decides. A snapshot or an entry that
// claims an older place than the last good one is Pinned: who stole the key
// could say so too.
func (r *Root) Judge(role Role, k sign.Key, at Place) Judgment {
	if r == nil || k.IsZero() {
		return Judgment{}
	}
	best := Judgment{}
	for _, line := range r.Keys {
		if line.Role != role || line.Key.Point() != k.Point() {
			continue
		}
		switch {
		case line.covers(at) && (best.Standing != Good || line.To.IsZero()): // a line without an end is the better one
			best = Judgment{Standing: Good, Key: line}
		case best.Standing != Good:
			best = Judgment{Standing: OutOfBounds, Key: line}
		}
	}
	if best.Standing != Good {
		return best
	}
	return r.judgeRevoked(best, at)
}

// judgeRevoked applies the revocations of a key that is in bounds.
func (r *Root) judgeRevoked(j Judgment, at Place) Judgment {
	name, seen := Name(j.Key.Key), false
	for _, v := range r.Revoked {
		if v.Role != j.Key.Role || v.Name != name {
			continue
		}
		seen = true
		j.Revocation = v
		if !v.None && v.Last.Log == at.Log && v.before(at) {
			j.Standing = Pinned
			return j
		}
	}
	if seen { // after the last good place, or in a log that no revocation vouches for
		j.Standing = Revoked
	}
	return j
}

// before reports whether the place is not after the last good one. In a log
// that one is a size: the first entry after it has that index.
func (v Revocation) before(at Place) bool {
	if v.Role.logged() {
		return at.Epoch < v.Last.Epoch || at.Epoch == v.Last.Epoch && at.Number < v.Last.Number
	}
	return at.notAfter(v.Last)
}

// covers reports whether a place is within the line's bounds. A bound in one
// log says nothing of another.
func (k Key) covers(at Place) bool {
	if !k.From.IsZero() && !k.From.notAfter(at) {
		return false
	}
	return k.To.IsZero() || at.notAfter(k.To)
}

// Count counts the keys that have a role anywhere in the root, by their 32
// bytes and then by their organisations. Whether each of them counts is for
// Judge to say before.
func (r *Root) Count(role Role, keys []sign.Key) Threshold {
	var lines []Key
	for _, k := range keys {
		for _, line := range r.Keys {
			if line.Role == role && line.Key.Point() == k.Point() {
				lines = append(lines, line)
				break
			}
		}
	}
	return count(lines)
}

// Reached reports whether keys that count reach the threshold of a role.
func (r *Root) Reached(role Role, keys []sign.Key) bool {
	t, n := r.Thresholds[role], r.Count(role, keys)
	return n.Keys >= t.Keys && n.Orgs >= t.Orgs
}

// Has reports whether any key has the role, at any place.
func (r *Root) Has(role Role) bool {
	for _, k := range r.Keys {
		if k.Role == role {
			return true
		}
	}
	return false
}
