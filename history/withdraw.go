package history

import (
	"slices"
	"time"

	"muniment/archive"
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/objects"
	"muniment/snapshot/layout"
	"muniment/snapshot/record"
	"muniment/text/legible"
)

// WithdrawOptions say why artifacts leave the archive.
type WithdrawOptions struct {
	Artifacts []string // ids or names
	Reason    string
	Authority string // who decided
	Reference string // where the decision is on file, or ""
}

// A WithdrawResult lists the withdrawals that Withdraw staged.
type WithdrawResult struct {
	Withdrawn []archive.WithdrawnArtifact `json:"withdrawn"`
	Originals []string                    `json:"originals_dropped"` // ids of originals that go with their last artifact
}

// Withdraw stages the withdrawal of artifacts: their payloads and records
// leave the next snapshot, and the withdrawal lies in their place. Originals
// leave when every artifact made from them is withdrawn. Older snapshots keep
// what they hold. An artifact with a hold on it is refused, and then nothing is
// staged.
func Withdraw(a *archive.Archive, o WithdrawOptions) (*WithdrawResult, error) {
	if o.Reason == "" || o.Authority == "" {
		return nil, problem.New(problem.Usage, problem.Next(problem.DoGive, "reason", "asked by the family", "authority", "board, 3 May"), "a withdrawal needs a reason and an authority")
	}
	if len(o.Artifacts) == 0 {
		return nil, problem.New(problem.Usage, problem.Next(problem.DoList), "no artifact was named")
	}
	tree, err := a.NewestTree()
	if err != nil {
		return nil, err
	}
	c := a.Catalog(tree)
	r := &WithdrawResult{Withdrawn: []archive.WithdrawnArtifact{}, Originals: []string{}}
	files := map[string][]byte{}
	leaving := map[cid.ID]*holdings.Artifact{}
	for _, ref := range o.Artifacts {
		art, err := c.Resolve(ref)
		if err != nil {
			return nil, err
		}
		if leaving[art.ID] != nil {
			continue
		}
		if err := checkNotHeld(a, tree, art); err != nil {
			return nil, err
		}
		leaving[art.ID] = art
		w := record.Withdrawal{Artifact: art.ID.String(), Reason: o.Reason, Authority: o.Authority, Reference: o.Reference,
			Time: a.World().Now().UTC().Format(time.RFC3339), Agent: a.World().Author}
		encoded, err := w.Encode()
		if err != nil {
			return nil, problem.New(problem.Usage, problem.Advise("reason, authority and reference are single lines"), "withdrawal: %w", err)
		}
		files[layout.WithdrawnPath(art.ID)] = encoded
		files[layout.ArtifactPath(art.ID)] = nil
		files[layout.PointerPath(layout.ArtifactPath(art.ID))] = nil
		for _, h := range art.Records {
			files[layout.RecordPath(art.ID, h.ID)] = nil
		}
		r.Withdrawn = append(r.Withdrawn, archive.WithdrawnArtifact{Artifact: art.ID.String(), Name: art.Name(),
			Reason: o.Reason, Authority: o.Authority, Reference: o.Reference, Time: w.Time})
	}
	originals, err := orphanedOriginals(c, leaving)
	if err != nil {
		return nil, err
	}
	for _, original := range originals {
		files[layout.OriginalPath(original)] = nil
		files[layout.PointerPath(layout.OriginalPath(original))] = nil
		r.Originals = append(r.Originals, original.String())
	}
	return r, a.Edit(files)
}

// checkNotHeld returns an error for an artifact with a hold on it.
func checkNotHeld(a *archive.Archive, tree objects.Hash, art *holdings.Artifact) error {
	hold, err := a.Hold(tree, art.ID)
	if err != nil || hold == nil {
		return err
	}
	return problem.New(problem.NotPermitted, problem.Next(DoReleaseHold, art.Name()),
		"%s is held since %s by the authority of %s: %s", art.Name(), hold.Time, legible.Printable(hold.Authority), legible.Printable(hold.Reason))
}

// orphanedOriginals returns the originals, other than payloads, that only records of
// leaving artifacts name.
func orphanedOriginals(c *holdings.Catalog, leaving map[cid.ID]*holdings.Artifact) ([]cid.ID, error) {
	seen := map[cid.ID]bool{}
	var out []cid.ID
	for id, art := range leaving {
		for _, h := range art.Records {
			original, err := cid.ParseAs(cid.Raw, h.Record.Original)
			if err != nil || original == id || seen[original] {
				continue
			}
			seen[original] = true
			users, err := c.MadeFrom(original)
			if err != nil {
				return nil, err
			}
			if !slices.ContainsFunc(users, func(user *holdings.Artifact) bool { return leaving[user.ID] == nil }) {
				out = append(out, original)
			}
		}
	}
	slices.SortFunc(out, func(a, b cid.ID) int { return slices.Compare([]byte(a.Hex()), []byte(b.Hex())) })
	return out, nil
}

// HoldOptions put artifacts under a hold, or release it.
type HoldOptions struct {
	Artifacts []string // ids or names
	Release   bool
	Reason    string
	Authority string // who demands it
	Reference string // where the demand is on file, or ""
}

// HoldResult lists the holds, with the staged changes.
type HoldResult struct {
	Held     []archive.HeldArtifact `json:"held"`
	Released []string               `json:"released"`
	Staged   bool                   `json:"staged"`
}

// Hold stages holds on artifacts, or their release: an artifact with a hold cannot be withdrawn.
// Without artifacts it lists the holds.
func Hold(a *archive.Archive, o HoldOptions) (*HoldResult, error) {
	if len(o.Artifacts) > 0 && !o.Release && (o.Reason == "" || o.Authority == "") {
		return nil, problem.New(problem.Usage, problem.Next(problem.DoGive, "reason", "litigation", "authority", "District Court"), "a hold needs a reason and an authority")
	}
	tree, err := a.NewestTree()
	if err != nil {
		return nil, err
	}
	c := a.Catalog(tree)
	r := &HoldResult{Held: []archive.HeldArtifact{}, Released: []string{}}
	files := map[string][]byte{}
	for _, ref := range o.Artifacts {
		art, err := c.Resolve(ref)
		if err != nil {
			return nil, err
		}
		path := layout.HoldPath(art.ID)
		old, err := a.File(tree, path)
		switch {
		case err != nil:
			return nil, err
		case o.Release && old == nil:
			return nil, problem.New(problem.NothingToDo, problem.Next(DoListHolds), "%s is not held", art.Name())
		case o.Release:
			files[path] = nil
			r.Released = append(r.Released, art.ID.String())
			continue
		case old != nil:
			return nil, problem.New(problem.NothingToDo, problem.Next(DoListHolds).With("release it first to give another reason"), "%s is held already", art.Name())
		}
		h := record.Hold{Artifact: art.ID.String(), Reason: o.Reason, Authority: o.Authority, Reference: o.Reference,
			Time: a.World().Now().UTC().Format(time.RFC3339), Agent: a.World().Author}
		if files[path], err = h.Encode(); err != nil {
			return nil, problem.New(problem.Usage, problem.Advise("reason, authority and reference are single lines"), "hold: %w", err)
		}
	}
	if len(files) > 0 {
		if err := a.Edit(files); err != nil {
			return nil, err
		}
		r.Staged = true
	}
	r.Held, err = a.Holds()
	return r, err
}
