package trust

import (
	"crypto/sha256"
	"maps"
	"slices"

	"muniment/cid"
)

// First returns the beginning of a version 1: one key of one organisation
// suffices everywhere, and no witness is asked for. It has no keys yet, so that
// only With makes a root of it.
func First(archive cid.ID) *Root {
	r := &Root{Archive: archive, Version: 1, Thresholds: make(map[Role]Threshold)}
	for _, role := range thresholdRoles {
		r.Thresholds[role] = Threshold{1, 1}
	}
	r.Thresholds[Witness] = Threshold{}
	return r
}

// Next returns the beginning of the version after r, which says the same.
func (r *Root) Next() *Root {
	n := r.clone()
	n.Version, n.Prev = r.Version+1, [sha256.Size]byte(r.Digest())
	return n
}

// With returns a changed copy of r, read back from its own text.
func (r *Root) With(change func(*Root)) (*Root, error) {
	n := r.clone()
	change(n)
	return Parse(n.Encode())
}

func (r *Root) clone() *Root {
	n := *r
	n.Thresholds = maps.Clone(r.Thresholds)
	n.Keys, n.Revoked = slices.Clone(r.Keys), slices.Clone(r.Revoked)
	n.Witnesses.Witnesses, n.Witnesses.Groups = slices.Clone(r.Witnesses.Witnesses), slices.Clone(r.Witnesses.Groups)
	return &n
}
