package inventory

import (
	"strconv"
	"strings"

	"muniment/archive"
	"muniment/objects"
	"muniment/snapshot"
)

// FindCommit returns the commit of a snapshot that findSnapshot finds; "" is main,
// whatever it holds.
func FindCommit(a *archive.Archive, ref string) (objects.Hash, error) {
	tip, err := a.Store().Ref(archive.RefMain)
	if err != nil {
		return tip, archive.Environment(err, archive.RefMain)
	}
	if tip.IsZero() {
		return tip, archive.Problem(archive.TypeNoSnapshot, archive.Next(archive.DoSnapshot), "this archive has no snapshot yet")
	}
	if ref == "" {
		return tip, nil
	}
	s, err := FindSnapshot(a, ref)
	if err != nil {
		return tip, err
	}
	return objects.Sum(objects.Commit, s.Content), nil
}

// FindSnapshot finds a snapshot of the history by its number, its id, an
// unambiguous prefix of it, or a tag; "" is the newest. Where two of one number
// were joined, the number alone is ambiguous.
func FindSnapshot(a *archive.Archive, ref string) (*snapshot.Snapshot, error) {
	head, tip, err := a.RequireHead()
	if err != nil || ref == "" {
		return head, err
	}
	history, err := a.History(tip)
	if err != nil {
		return nil, err
	}
	var found []*snapshot.Snapshot
	for _, s := range history {
		id := s.ID.String()
		if IsDigits(ref) && strconv.FormatInt(s.Seq, 10) == ref || id == ref || len(ref) >= archive.MinPrefix && strings.HasPrefix(id, ref) {
			found = append(found, s)
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return nil, archive.Problem(archive.TypeAmbiguous, archive.Next(archive.DoLog).With("give more of the id"), "%s names %d snapshots", archive.Printable(ref), len(found))
	}
	if snapshot.CheckTagName(ref) == nil {
		h, err := a.Store().Ref(archive.RefTags + ref)
		if err != nil {
			return nil, archive.Environment(err, archive.RefTags+ref)
		}
		if !h.IsZero() {
			_, s, err := a.OpenTag(ref, h)
			if err != nil {
				return nil, archive.Problem(archive.TypeVerification, archive.Next(archive.DoTags), "tag %s: %w", ref, err)
			}
			return s, nil
		}
	}
	return nil, archive.Problem(archive.TypeNotFound, archive.Next(archive.DoLog).Or(archive.DoTags), "no snapshot is named %s", archive.Printable(ref))
}

// IsDigits reports whether s is a number in decimal digits.
func IsDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
