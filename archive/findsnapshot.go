package archive

import (
	"strings"

	"muniment/objects"
	"muniment/snapshot"
)

// FindCommit returns the commit of a snapshot that FindSnapshot finds; "" is main,
// whatever it holds.
func (a *Archive) FindCommit(ref string) (objects.Hash, error) {
	tip, err := a.Store().Ref(RefMain)
	if err != nil {
		return tip, Environment(err, RefMain)
	}
	if tip.IsZero() {
		return tip, Problem(TypeNoSnapshot, Next(DoSnapshot), "this archive has no snapshot yet")
	}
	if ref == "" {
		return tip, nil
	}
	s, err := a.FindSnapshot(ref)
	if err != nil {
		return tip, err
	}
	return objects.Sum(objects.Commit, s.Content), nil
}

// FindSnapshot finds a snapshot of the history by its number, its id, an
// unambiguous prefix of it, or a tag; "" is the newest. Where two of one number
// were joined, the number alone is ambiguous.
func (a *Archive) FindSnapshot(ref string) (*snapshot.Snapshot, error) {
	head, _, err := a.RequireHead()
	if err != nil || ref == "" {
		return head, err
	}
	found, err := a.FindRows(ref)
	switch {
	case err != nil:
		return nil, err
	case len(found) == 1:
		s, err := SnapshotAt(a.Store(), found[0].Commit)
		return s, Environment(err, "snapshot "+ref)
	case len(found) > 1:
		return nil, Problem(TypeAmbiguous, Next(DoLog).With("give more of the id"), "%s names %s snapshots", Printable(ref), CountFound(len(found)))
	}
	if snapshot.CheckTagName(ref) == nil {
		h, err := a.Store().Ref(RefTags + ref)
		if err != nil {
			return nil, Environment(err, RefTags+ref)
		}
		if !h.IsZero() {
			_, s, err := a.OpenTag(ref, h)
			if err != nil {
				return nil, Problem(TypeVerification, Next(DoTags), "tag %s: %w", ref, err)
			}
			return s, nil
		}
	}
	return nil, Problem(TypeNotFound, Next(DoLog).Or(DoTags), "no snapshot is named %s", Printable(ref))
}

// IsDigits reports whether s is a number in decimal digits.
func IsDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
