package audit

import (
	"fmt"
	"slices"

	"muniment/archive"
	"muniment/bundle"
	"muniment/cid"
	"muniment/cite"
	"muniment/history"
	"muniment/merkle"
	"muniment/objects"
	"muniment/snapshot/record"
)

// VerifyBundleHere is the function VerifyBundle with the archive at hand: where the
// sealed layer can be opened it runs the archive's policy again, which belongs
// to the axis of the gates, and it adds a remark for every source that the newest snapshot has withdrawn. That is no
// fault of the bundle, whose verdict stays: what it cites was in the snapshot
// it names. Sources that are sealed are opened with the identities given, or
// with the archive's own; a remark says when they cannot be.
//
// What o does not find between two sizes of the answer log is looked for in the
// archive's copy of it. It proves what it shows whoever made the copy.
func VerifyBundleHere(a *archive.Archive, path string, o VerifyOptions) (*BundleVerdict, error) {
	find := o.Consistency
	o.Consistency = func(origin string, from, to int64) ([]merkle.Hash, error) {
		if find != nil {
			if hashes, err := find(origin, from, to); err == nil {
				return hashes, nil
			}
		}
		return copiedPath(a, origin, from, to)
	}
	v, err := VerifyBundle(path, o)
	if err != nil || v.Verdict == bundle.Invalid {
		return v, err
	}
	b, err := archive.ReadValidBundle(path)
	if err != nil {
		return nil, err
	}
	if got := b.Statement().Archive; got != a.ID() {
		return nil, archive.Problem(archive.TypeUsage, archive.Advise("name the archive that made it with --archive DIR, or verify it with none"), "the bundle is of the archive %s, and this one is %s", got, a.ID())
	}
	remarks, err := sinceWithdrawn(a, b, o.Identities)
	if err != nil {
		return nil, err
	}
	v.Report.Remarks = append(v.Report.Remarks, remarks...)
	v.Remarks = append(v.Remarks, remarks...)
	if err := runAgain(a, v, b, o.Identities); err != nil {
		return nil, err
	}
	return v, nil
}

// runAgain runs the display gates again, where the bundle can be opened.
func runAgain(a *archive.Archive, v *BundleVerdict, b *bundle.Bundle, identities []byte) error {
	if len(identities) == 0 {
		var err error
		if identities, err = history.ArchivistIdentity(a); err != nil || identities == nil {
			return err
		}
	}
	opened, err := b.Open(identities)
	if err != nil {
		return nil // the axes say what is wrong, and the remarks what is sealed
	}
	again, err := regate(a, b, opened)
	if err != nil {
		return err
	}
	again.addTo(v)
	return nil
}

// Holds reports whether the bundle in a file names this archive. What cannot be
// read names none.
func Holds(a *archive.Archive, path string) bool {
	b, err := archive.ReadBundle(path)
	return err == nil && b.Statement().Archive == a.ID()
}

// sinceWithdrawn looks the sources of a bundle up in the newest snapshot.
func sinceWithdrawn(a *archive.Archive, b *bundle.Bundle, identities []byte) ([]string, error) {
	head, _, err := a.RequireHead()
	if err != nil {
		return nil, err
	}
	if len(identities) == 0 {
		if identities, err = history.ArchivistIdentity(a); err != nil {
			return nil, err
		}
	}
	leaves := b.Leaves()
	var remarks []string
	if opened, err := b.Open(identities); err == nil {
		leaves = opened.Leaves
	} else if len(b.Statement().Sealed) > 0 {
		remarks = append(remarks, "whether a source is since withdrawn was not looked up for those that are sealed")
	}
	var seen []string
	for _, leaf := range leaves {
		s, ok := leaf.(*bundle.Source)
		if !ok {
			continue
		}
		gone, err := goneFrom(a, head.Tree, s)
		if err != nil {
			return nil, err
		}
		if gone != "" && !slices.Contains(seen, gone) {
			seen = append(seen, gone)
		}
	}
	for _, gone := range seen {
		remarks = append(remarks, fmt.Sprintf("valid, since withdrawn: %s, as snapshot %d says", gone, head.Seq))
	}
	return remarks, nil
}

// goneFrom describes the withdrawal of a source's artifact in a tree, "" when
// it is not withdrawn.
func goneFrom(a *archive.Archive, tree objects.Hash, s *bundle.Source) (string, error) {
	artifact := s.Artifact
	if c, err := cite.ParseCitation([]byte(s.CitationJSON)); err == nil && c.Relation == cite.MetadataFact {
		rec, err := record.ParseRecord([]byte(s.RecordJSON))
		if err != nil {
			return "", archive.Environment(err, "source")
		}
		if artifact = rec.Artifact; artifact == "" {
			return "", nil // a record without a body is not withdrawn
		}
	}
	id, err := cid.ParseAs(cid.Raw, artifact)
	if err != nil {
		return "", archive.Environment(err, "source")
	}
	w, err := a.Withdrawal(tree, id)
	if err != nil || w == nil {
		return "", err
	}
	return fmt.Sprintf("a source of snapshot %d was withdrawn on %s by the authority of %s (%s)", s.Seq, w.Time[:len("2006-01-02")], w.Authority, w.Reason), nil
}
