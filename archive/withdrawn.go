package archive

import (
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/objects"
	"muniment/snapshot/layout"
	"muniment/snapshot/record"
)

// A WithdrawnArtifact is one artifact that was withdrawn.
type WithdrawnArtifact struct {
	Artifact  string `json:"artifact"`
	Name      string `json:"name"`
	Reason    string `json:"reason"`
	Authority string `json:"authority"`
	Reference string `json:"reference,omitempty"`
	Time      string `json:"time"`
	Snapshot  string `json:"snapshot,omitempty"` // the newest that holds it
	Seq       int64  `json:"seq,omitempty"`
}

// Hold returns the hold on an artifact, nil when there is none.
func (a *Repository) Hold(tree objects.Hash, id cid.ID) (*record.Hold, error) {
	return parseFile(a, tree, layout.HoldPath(id), record.ParseHold)
}

// parseFile returns the parsed content of a file of a tree, or nil for a path without a file.
func parseFile[T any](a *Repository, tree objects.Hash, path string, parse func([]byte) (*T, error)) (*T, error) {
	data, err := a.File(tree, path)
	if err != nil || data == nil {
		return nil, err
	}
	v, err := parse(data)
	if err != nil {
		return nil, problem.Negative(problem.Damaged, problem.Next(problem.DoListDamage), "%s: %w", path, err)
	}
	return v, nil
}

// Withdrawal returns the withdrawal of an artifact, nil when it is not withdrawn.
func (a *Archive) Withdrawal(tree objects.Hash, id cid.ID) (*WithdrawnArtifact, error) {
	w, err := parseFile(a.Repository, tree, layout.WithdrawnPath(id), record.ParseWithdrawal)
	if err != nil || w == nil {
		return nil, err
	}
	one := &WithdrawnArtifact{Artifact: w.Artifact, Name: w.Artifact, Reason: w.Reason, Authority: w.Authority, Reference: w.Reference, Time: w.Time}
	return one, a.fillLastHolder(id, one)
}

// A HeldArtifact is one artifact with the hold on it.
type HeldArtifact struct {
	Artifact  string `json:"artifact"`
	Name      string `json:"name"`
	Reason    string `json:"reason"`
	Authority string `json:"authority"`
	Reference string `json:"reference,omitempty"`
	Time      string `json:"time"`
}

// Holds returns the holds of the newest tree.
func (a *Archive) Holds() ([]HeldArtifact, error) {
	return eachNewest(a, (*holdings.Catalog).MayHaveHold, func(tree objects.Hash, art *holdings.Artifact) (*HeldArtifact, error) {
		h, err := a.Hold(tree, art.ID)
		if err != nil || h == nil {
			return nil, err
		}
		return &HeldArtifact{Artifact: h.Artifact, Name: art.Name(), Reason: h.Reason, Authority: h.Authority, Reference: h.Reference, Time: h.Time}, nil
	})
}

// eachNewest returns the results of read for each artifact of a list of the newest tree, but for nil.
func eachNewest[T any](a *Archive, list func(*holdings.Catalog) ([]*holdings.Artifact, error), read func(objects.Hash, *holdings.Artifact) (*T, error)) ([]T, error) {
	tree, err := a.NewestTree()
	if err != nil {
		return nil, err
	}
	artifacts, err := list(a.Catalog(tree))
	out := []T{}
	for _, art := range artifacts {
		one, err := read(tree, art)
		if err != nil {
			return nil, err
		}
		if one != nil {
			out = append(out, *one)
		}
	}
	return out, err
}

// Withdrawals returns the withdrawn artifacts of the newest tree, with the newest
// snapshot that still holds each and the name it had there.
func (a *Archive) Withdrawals() ([]WithdrawnArtifact, error) {
	return eachNewest(a, (*holdings.Catalog).Withdrawn, func(tree objects.Hash, art *holdings.Artifact) (*WithdrawnArtifact, error) {
		return a.Withdrawal(tree, art.ID)
	})
}

// fillLastHolder sets in one the newest snapshot that holds an artifact's payload,
// and the name that the artifact has there.
func (a *Archive) fillLastHolder(id cid.ID, one *WithdrawnArtifact) error {
	for s, err := range a.SnapshotRows() {
		if err != nil {
			return err
		}
		if there, err := a.holdsPayload(s.Tree, id); err != nil {
			return err
		} else if !there {
			continue
		}
		one.Snapshot, one.Seq = s.ID.String(), s.Seq
		return a.FillName(s.Tree, id, one)
	}
	return nil
}

// FillName sets in one the name that an artifact has in a tree, unless it has one.
func (a *Repository) FillName(tree objects.Hash, id cid.ID, one *WithdrawnArtifact) error {
	hex := id.Hex()
	return problem.Wrap(a.Store().Walk(tree, "artifacts/"+hex[:2]+"/"+hex[2:4], func(path string, h objects.Hash) error {
		kind, ids := layout.ClassifyPath(path)
		if kind != layout.KindRecord || ids[0] != id || one.Name != one.Artifact {
			return nil
		}
		_, data, err := a.Store().Get(h)
		if err != nil {
			return err
		}
		rec, err := record.ParseRecord(data)
		if err == nil && len(rec.Names) > 0 {
			one.Name = rec.Names[0]
		}
		return err
	}), "catalogue")
}

// holdsPayload reports whether a tree has an artifact's payload, in one file, in
// chunks or elsewhere.
func (a *Repository) holdsPayload(tree objects.Hash, id cid.ID) (bool, error) {
	for _, path := range []string{layout.ArtifactPath(id), layout.ChunkPath(layout.ArtifactPath(id), 0), layout.PointerPath(layout.ArtifactPath(id))} {
		if _, ok, err := a.Store().Lookup(tree, path); err != nil || ok {
			return ok, problem.Wrap(err, "catalogue")
		}
	}
	return false, nil
}
