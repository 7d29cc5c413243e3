package audit

import (
	"fmt"
	"muniment/bundle/leaf"
	"slices"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/bundle"
	"muniment/bundle/bundlefile"
	"muniment/cid"
	"muniment/cid/merkle"
	"muniment/cite"
	"muniment/history"
	"muniment/objects"
	"muniment/snapshot/record"
)

// VerifyBundleInArchive verifies a bundle as VerifyBundle does and adds what only the
// archive knows.
//
// It reruns the archive's policy over the bundle where the sealed layer can be
// opened, with o.Identities or the archive's own identity; the outcome belongs to the
// axis of the gates. It adds a remark for every source that the newest snapshot has
// withdrawn; the verdict stays, since the source was in the snapshot that the bundle
// names. Where o.Consistency lacks the hashes between two sizes of the answer log,
// the archive's copy of the log serves: the hashes prove themselves.
//
// A bundle of another archive is an error of kind Usage.
func VerifyBundleInArchive(a *archive.Archive, path string, o VerifyOptions) (*BundleVerdict, error) {
	find := o.Consistency
	o.Consistency = func(origin string, from, to int64) ([]merkle.Hash, error) {
		if find != nil {
			if hashes, err := find(origin, from, to); err == nil {
				return hashes, nil
			}
		}
		return proveFromCopy(a, origin, from, to)
	}
	v, err := VerifyBundle(path, o)
	if err != nil || v.Verdict == bundle.Invalid {
		return v, err
	}
	b, err := readValidBundle(path)
	if err != nil {
		return nil, err
	}
	if got := b.Statement().Archive; got != a.ID() {
		return nil, problem.New(problem.Usage, problem.Next(problem.DoGive, "archive", "DIR").With("name the archive that made it, or verify it with none"), "the bundle is of the archive %s, and this one is %s", got, a.ID())
	}
	remarks, err := findWithdrawn(a, b, o.Identities)
	if err != nil {
		return nil, err
	}
	v.Report.Remarks = append(v.Report.Remarks, remarks...)
	v.Remarks = append(v.Remarks, remarks...)
	if err := addGateCheck(a, v, b, o.Identities); err != nil {
		return nil, err
	}
	return v, nil
}

// NamesArchive reports whether the bundle in a file says that a made it; false where
// the file cannot be read.
func NamesArchive(a *archive.Archive, path string) bool {
	b, err := bundlefile.ReadShown(path)
	return err == nil && b.Statement().Archive == a.ID()
}

// findWithdrawn returns a remark for every source of a bundle that the newest
// snapshot has withdrawn. Sealed sources are opened with identities, or with the
// archive's own where there are none.
func findWithdrawn(a *archive.Archive, b *bundle.Bundle, identities []byte) ([]string, error) {
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
	var withdrawals []string
	for _, l := range leaves {
		s, ok := l.(*leaf.Source)
		if !ok {
			continue
		}
		withdrawal, err := describeWithdrawal(a, head.Tree, s)
		if err != nil {
			return nil, err
		}
		if withdrawal != "" && !slices.Contains(withdrawals, withdrawal) {
			withdrawals = append(withdrawals, withdrawal)
		}
	}
	for _, withdrawal := range withdrawals {
		remarks = append(remarks, fmt.Sprintf("valid, since withdrawn: %s, as snapshot %d says", withdrawal, head.Seq))
	}
	return remarks, nil
}

// describeWithdrawal returns the withdrawal of a source's artifact in the tree of a snapshot, in
// words; "" if the artifact is not withdrawn.
func describeWithdrawal(a *archive.Archive, tree objects.Hash, s *leaf.Source) (string, error) {
	artifact := s.Artifact
	if c, err := cite.ParseCitation([]byte(s.CitationJSON)); err == nil && c.Relation == cite.MetadataFact {
		rec, err := record.ParseRecord([]byte(s.RecordJSON))
		if err != nil {
			return "", problem.Wrap(err, "source")
		}
		if artifact = rec.Artifact; artifact == "" {
			return "", nil // a record without a body is not withdrawn
		}
	}
	id, err := cid.ParseAs(cid.Raw, artifact)
	if err != nil {
		return "", problem.Wrap(err, "source")
	}
	w, err := a.Withdrawal(tree, id)
	if err != nil || w == nil {
		return "", err
	}
	return fmt.Sprintf("a source of snapshot %d was withdrawn on %s by the authority of %s (%s)", s.Seq, w.Time[:len("2006-01-02")], w.Authority, w.Reason), nil
}

// addGateCheck reruns the display gates and adds the outcome to the verdict, where
// the bundle can be opened.
func addGateCheck(a *archive.Archive, v *BundleVerdict, b *bundle.Bundle, identities []byte) error {
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
	again, err := rerunGates(a, b, opened)
	if err != nil {
		return err
	}
	again.addTo(v)
	return nil
}
