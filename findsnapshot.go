package muniment

import (
	"strconv"
	"strings"

	"muniment/snapshot"
)

// findSnapshot finds a snapshot of the history by its number, its id, an
// unambiguous prefix of it, or a tag; "" is the newest. Where two of one number
// were joined, the number alone is ambiguous.
func (a *Archive) findSnapshot(ref string) (*snapshot.Snapshot, error) {
	head, tip, err := a.mustHead()
	if err != nil || ref == "" {
		return head, err
	}
	history, err := a.history(tip)
	if err != nil {
		return nil, err
	}
	var found []*snapshot.Snapshot
	for _, s := range history {
		id := s.ID.String()
		if digits(ref) && itoa64(s.Seq) == ref || id == ref || len(ref) >= minPrefix && strings.HasPrefix(id, ref) {
			found = append(found, s)
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return nil, problem(TypeAmbiguous, ExitUsage, "give more of the id: muniment log lists them", "%s names %d snapshots", printable(ref), len(found))
	}
	if snapshot.CheckTagName(ref) == nil {
		h, err := a.store.Ref(refTags + ref)
		if err != nil {
			return nil, environment(err, refTags+ref)
		}
		if !h.IsZero() {
			_, s, err := a.tagged(ref, h)
			if err != nil {
				return nil, problem(TypeVerification, ExitNo, "muniment tag lists the tags and what is wrong with them", "tag %s: %w", ref, err)
			}
			return s, nil
		}
	}
	return nil, problem(TypeNotFound, ExitUsage, "muniment log lists the snapshots, muniment tag their names", "no snapshot is named %s", printable(ref))
}

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

func itoa64(n int64) string { return strconv.FormatInt(n, 10) }
