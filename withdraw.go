package muniment

import (
	"slices"
	"time"

	"muniment/cid"
	"muniment/objects"
	"muniment/snapshot/record"
)

// WithdrawOptions say why artifacts leave the archive.
type WithdrawOptions struct {
	Artifacts []string // ids or names
	Reason    string
	Authority string // who decided
	Reference string // where the decision is on file, or ""
}

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

// WithdrawResult tells what was staged.
type WithdrawResult struct {
	Withdrawn []WithdrawnArtifact `json:"withdrawn"`
	Originals []string            `json:"originals_dropped"` // ids of originals that go with their last artifact
}

// Withdraw stages the withdrawal of artifacts: their payloads and records
// leave the next snapshot, and the withdrawal lies in their place. Originals
// leave when every artifact made from them is withdrawn. Older snapshots keep
// what they hold. An artifact with a hold on it is refused, and then nothing is
// staged.
func (a *Archive) Withdraw(o WithdrawOptions) (*WithdrawResult, error) {
	if o.Reason == "" || o.Authority == "" {
		return nil, problem(TypeUsage, ExitUsage, `muniment withdraw NAME --reason "asked by the family" --authority "board, 3 May"`, "a withdrawal needs a reason and an authority")
	}
	if len(o.Artifacts) == 0 {
		return nil, problem(TypeUsage, ExitUsage, "muniment ls lists what is here", "no artifact was named")
	}
	tree, err := a.newestTree()
	if err != nil {
		return nil, err
	}
	c, err := a.load(tree)
	if err != nil {
		return nil, err
	}
	r := &WithdrawResult{Withdrawn: []WithdrawnArtifact{}, Originals: []string{}}
	files := map[string][]byte{}
	leaving := map[cid.ID]bool{}
	for _, ref := range o.Artifacts {
		art, err := c.resolve(ref)
		if err != nil {
			return nil, err
		}
		if leaving[art.id] {
			continue
		}
		if err := a.refuseHeld(tree, art); err != nil {
			return nil, err
		}
		leaving[art.id] = true
		w := record.Withdrawal{Artifact: art.id.String(), Reason: o.Reason, Authority: o.Authority, Reference: o.Reference,
			Time: a.world.Now().UTC().Format(time.RFC3339), Agent: a.world.Author}
		encoded, err := w.Encode()
		if err != nil {
			return nil, problem(TypeUsage, ExitUsage, "reason, authority and reference are single lines", "withdrawal: %w", err)
		}
		files[record.WithdrawnPath(art.id)] = encoded
		files[record.ArtifactPath(art.id)] = nil
		for _, h := range art.records {
			files[record.RecordPath(art.id, h.id)] = nil
		}
		r.Withdrawn = append(r.Withdrawn, WithdrawnArtifact{Artifact: art.id.String(), Name: art.name(),
			Reason: o.Reason, Authority: o.Authority, Reference: o.Reference, Time: w.Time})
	}
	for _, original := range c.orphaned(leaving) {
		files[record.OriginalPath(original)] = nil
		r.Originals = append(r.Originals, original.String())
	}
	return r, a.edit(files)
}

// hold reads the hold on an artifact, nil when there is none.
func (a *Archive) hold(tree objects.Hash, id cid.ID) (*record.Hold, error) {
	data, err := a.file(tree, record.HoldPath(id))
	if err != nil || data == nil {
		return nil, err
	}
	hold, err := record.ParseHold(data)
	if err != nil {
		return nil, problem(TypeDamaged, ExitNo, "muniment verify lists every damaged object", "%s: %w", record.HoldPath(id), err)
	}
	return hold, nil
}

// withdrawal reads why an artifact is gone, nil when it is not withdrawn.
func (a *Archive) withdrawal(tree objects.Hash, id cid.ID) (*WithdrawnArtifact, error) {
	data, err := a.file(tree, record.WithdrawnPath(id))
	if err != nil || data == nil {
		return nil, err
	}
	w, err := record.ParseWithdrawal(data)
	if err != nil {
		return nil, problem(TypeDamaged, ExitNo, "muniment verify lists every damaged object", "%s: %w", record.WithdrawnPath(id), err)
	}
	one := &WithdrawnArtifact{Artifact: w.Artifact, Name: w.Artifact, Reason: w.Reason, Authority: w.Authority, Reference: w.Reference, Time: w.Time}
	return one, a.lastHolder(id, one)
}

// refuseHeld is the error for an artifact with a hold on it.
func (a *Archive) refuseHeld(tree objects.Hash, art *artifact) error {
	hold, err := a.hold(tree, art.id)
	if err != nil || hold == nil {
		return err
	}
	return problem(TypeNotPermitted, ExitNotAllowed, "muniment hold --release "+art.name()+" takes the hold away, when its authority agrees",
		"%s is held since %s by the authority of %s: %s", art.name(), hold.Time, printable(hold.Authority), printable(hold.Reason))
}

// orphaned returns the originals, other than payloads, that only records of
// leaving artifacts name.
func (c *catalog) orphaned(leaving map[cid.ID]bool) []cid.ID {
	named := map[string]bool{} // by whether a record that stays names it
	for _, art := range c.artifacts {
		for _, h := range art.records {
			if h.rec.Original != art.id.String() {
				named[h.rec.Original] = named[h.rec.Original] || !leaving[art.id]
			}
		}
	}
	var out []cid.ID
	for id := range leaving {
		for _, h := range c.byID[id].records {
			if stays, ok := named[h.rec.Original]; ok && !stays {
				delete(named, h.rec.Original)
				if original, err := cid.ParseAs(cid.Raw, h.rec.Original); err == nil {
					out = append(out, original)
				}
			}
		}
	}
	slices.SortFunc(out, func(a, b cid.ID) int { return slices.Compare([]byte(a.Hex()), []byte(b.Hex())) })
	return out
}

// HoldOptions put artifacts under a hold, or release it.
type HoldOptions struct {
	Artifacts []string // ids or names
	Release   bool
	Reason    string
	Authority string // who demands it
	Reference string // where the demand is on file, or ""
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

// HoldResult lists what is held, after what was staged.
type HoldResult struct {
	Held     []HeldArtifact `json:"held"`
	Released []string       `json:"released"`
	Staged   bool           `json:"staged"`
}

// Hold stages holds on artifacts, or their release: while one lies beside an
// artifact it cannot be withdrawn. Without artifacts it lists the holds.
func (a *Archive) Hold(o HoldOptions) (*HoldResult, error) {
	if len(o.Artifacts) > 0 && !o.Release && (o.Reason == "" || o.Authority == "") {
		return nil, problem(TypeUsage, ExitUsage, `muniment hold NAME --reason "litigation" --authority "District Court"`, "a hold needs a reason and an authority")
	}
	tree, err := a.newestTree()
	if err != nil {
		return nil, err
	}
	c, err := a.load(tree)
	if err != nil {
		return nil, err
	}
	r := &HoldResult{Held: []HeldArtifact{}, Released: []string{}}
	files := map[string][]byte{}
	for _, ref := range o.Artifacts {
		art, err := c.resolve(ref)
		if err != nil {
			return nil, err
		}
		path := record.HoldPath(art.id)
		old, err := a.file(tree, path)
		switch {
		case err != nil:
			return nil, err
		case o.Release && old == nil:
			return nil, problem(TypeNothingToDo, ExitNo, "muniment hold lists what is held", "%s is not held", art.name())
		case o.Release:
			files[path] = nil
			r.Released = append(r.Released, art.id.String())
			continue
		case old != nil:
			return nil, problem(TypeNothingToDo, ExitNo, "muniment hold lists what is held; release it first to give another reason", "%s is held already", art.name())
		}
		h := record.Hold{Artifact: art.id.String(), Reason: o.Reason, Authority: o.Authority, Reference: o.Reference,
			Time: a.world.Now().UTC().Format(time.RFC3339), Agent: a.world.Author}
		if files[path], err = h.Encode(); err != nil {
			return nil, problem(TypeUsage, ExitUsage, "reason, authority and reference are single lines", "hold: %w", err)
		}
	}
	if len(files) > 0 {
		if err := a.edit(files); err != nil {
			return nil, err
		}
		r.Staged = true
	}
	r.Held, err = a.holds()
	return r, err
}

// holds lists the holds of the newest tree.
func (a *Archive) holds() ([]HeldArtifact, error) {
	tree, err := a.newestTree()
	if err != nil {
		return nil, err
	}
	c, err := a.load(tree)
	if err != nil {
		return nil, err
	}
	out := []HeldArtifact{}
	err = a.beside(tree, record.KindHold, func(id cid.ID, data []byte) error {
		h, err := record.ParseHold(data)
		if err != nil {
			return err
		}
		one := HeldArtifact{Artifact: h.Artifact, Name: h.Artifact, Reason: h.Reason, Authority: h.Authority, Reference: h.Reference, Time: h.Time}
		if art := c.byID[id]; art != nil {
			one.Name = art.name()
		}
		out = append(out, one)
		return nil
	})
	return out, err
}

// Withdrawn lists the withdrawn artifacts of the newest tree, with the newest
// snapshot that still holds each and the name it had there.
func (a *Archive) Withdrawn() ([]WithdrawnArtifact, error) {
	tree, err := a.newestTree()
	if err != nil {
		return nil, err
	}
	out := []WithdrawnArtifact{}
	err = a.beside(tree, record.KindWithdrawn, func(id cid.ID, data []byte) error {
		w, err := record.ParseWithdrawal(data)
		if err != nil {
			return err
		}
		one := WithdrawnArtifact{Artifact: w.Artifact, Name: w.Artifact, Reason: w.Reason, Authority: w.Authority, Reference: w.Reference, Time: w.Time}
		if err := a.lastHolder(id, &one); err != nil {
			return err
		}
		out = append(out, one)
		return nil
	})
	return out, err
}

// beside visits the files of a kind that lie beside artifacts.
func (a *Archive) beside(tree objects.Hash, want record.Kind, fn func(id cid.ID, data []byte) error) error {
	return environment(a.store.Walk(tree, "artifacts", func(path string, h objects.Hash) error {
		kind, ids := record.ClassifyPath(path)
		if kind != want {
			return nil
		}
		_, data, err := a.store.Get(h)
		if err == nil {
			err = fn(ids[0], data)
		}
		if err != nil {
			return problem(TypeDamaged, ExitNo, "muniment verify lists every damaged object", "%s: %w", path, err)
		}
		return nil
	}), "catalogue")
}

// lastHolder finds the newest snapshot that holds an artifact's payload.
func (a *Archive) lastHolder(id cid.ID, one *WithdrawnArtifact) error {
	_, tip, err := a.head()
	if err != nil || tip.IsZero() {
		return err
	}
	history, err := a.history(tip)
	if err != nil {
		return err
	}
	for _, s := range history {
		if there, err := a.holdsPayload(s.Tree, id); err != nil {
			return err
		} else if !there {
			continue
		}
		one.Snapshot, one.Seq = s.ID.String(), s.Seq
		return a.nameAt(s.Tree, id, one)
	}
	return nil
}

// nameAt takes an artifact's name from a record of it in a tree.
func (a *Archive) nameAt(tree objects.Hash, id cid.ID, one *WithdrawnArtifact) error {
	hex := id.Hex()
	return environment(a.store.Walk(tree, "artifacts/"+hex[:2]+"/"+hex[2:4], func(path string, h objects.Hash) error {
		kind, ids := record.ClassifyPath(path)
		if kind != record.KindRecord || ids[0] != id || one.Name != one.Artifact {
			return nil
		}
		_, data, err := a.store.Get(h)
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

// holdsPayload reports whether a tree has an artifact's payload, in one file or
// in chunks.
func (a *Archive) holdsPayload(tree objects.Hash, id cid.ID) (bool, error) {
	for _, path := range []string{record.ArtifactPath(id), record.ChunkPath(record.ArtifactPath(id), 0)} {
		if _, ok, err := a.store.Lookup(tree, path); err != nil || ok {
			return ok, environment(err, "catalogue")
		}
	}
	return false, nil
}
