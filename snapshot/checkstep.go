package snapshot

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"muniment/cid"
	"muniment/objects"
	"muniment/sign/trust"
	"muniment/snapshot/layout"
)

// readCountersignatures reads the countersignatures of the store, of which a malformed one
// is an item, unless given ones count instead.
func (c *checker) readCountersignatures(st *objects.Store, given Countersignatures) error {
	c.countersignatures = given
	if given == nil {
		tip, err := st.Ref(RefCountersignatures)
		if err != nil {
			return err
		}
		var tree objects.Hash
		if !tip.IsZero() {
			tree, err = st.TreeOf(tip)
		}
		if err == nil {
			c.countersignatures, err = ReadCountersignatures(st, tree)
		}
		if err != nil {
			c.count(place{}, err)
		}
	}
	for _, s := range c.byID {
		c.report.Cosigned += int64(len(c.countersignatures.Of(s)))
	}
	return nil
}

// step checks the removals of a snapshot since its parent or, in a join, that it is the union of
// both.
func (c *checker) step(s *Snapshot) {
	here := place{s.Seq, ""}
	parent := c.byID[s.Prev]
	switch {
	case s.Seq == 1:
		return
	case parent == nil:
		c.notChecked(here, "what it dropped: the snapshot before it cannot be read")
		return
	case len(s.Parents) == 2:
		c.join(s, parent)
		return
	}
	step, err := NewStep(c.get, parent.Tree, s.Tree)
	if err != nil {
		c.notChecked(here, "what it dropped: "+err.Error())
		return
	}
	for _, act := range step.Broken {
		c.count(place{s.Seq, act.Path}, errors.New("it "+act.What))
	}
	for _, id := range step.Originals {
		c.left[id] = append(c.left[id], place{s.Seq, layout.OriginalPath(id)})
	}
	if len(step.Acts) > 0 {
		c.report.Withdrawing++
	}
	if c.may == nil {
		return
	}
	signers := c.countersignatures.Signers(s)
	if len(step.Acts) > 0 {
		if err := step.Permitted(c.may, s, signers); err != nil {
			c.report.Unauthorized = append(c.report.Unauthorized, forbid(s, step.First(), err))
		}
	}
	if c.review == nil {
		return
	}
	if err := c.may(trust.Withdraw, s, signers); err != nil {
		c.reviewStep(parent, s, err)
	}
}

// forbid returns the problem of a snapshot that does what its keys may not.
func forbid(s *Snapshot, act Act, why error) Problem {
	return Problem{Seq: s.Seq, Path: act.Path, State: objects.Failed, Reason: fmt.Sprintf("it %s, and %v", act.What, why)}
}

// reviewStep asks Review about a snapshot whose keys lack the role withdraw, as why says.
func (c *checker) reviewStep(parent, s *Snapshot, why error) {
	acts, isNew, err := c.review(parent, s)
	switch {
	case err != nil && isNew:
		c.notChecked(place{s.Seq, ""}, "what it lets others see: "+err.Error())
	case err != nil || len(acts) == 0:
	case isNew:
		c.report.Unauthorized = append(c.report.Unauthorized, forbid(s, acts[0], why))
	default:
		c.report.Reviewed = append(c.report.Reviewed, forbid(s, acts[0], why))
	}
}

// join checks that the tree of s is the union of its parents' trees.
func (c *checker) join(s, first *Snapshot) {
	here := place{s.Seq, ""}
	second := c.byID[s.Join]
	if second == nil {
		c.notChecked(here, "whether its tree is the union of the two it joins: one of them cannot be read")
		return
	}
	c.count(here, checkUnion(c.get, first.Tree, second.Tree, s.Tree))
	twice := FindEquivocation(slices.Collect(maps.Values(c.byID)), first, second)
	if twice != nil {
		c.report.Withdrawing++
	}
	if c.may == nil {
		return
	}
	signers := c.countersignatures.Signers(s)
	if err := MayJoin(c.get, c.may, first, second, s, twice, signers); err != nil {
		c.report.Unauthorized = append(c.report.Unauthorized, Problem{Seq: s.Seq, State: objects.Failed, Reason: err.Error()})
	}
	if c.review == nil {
		return
	}
	if err := c.may(trust.Withdraw, s, signers); err != nil { // what is well in both may open something together
		c.reviewStep(first, s, err)
		c.reviewStep(second, s, err)
	}
}

// A namedOriginal is an original with the record that names it.
type namedOriginal struct {
	original [32]byte
	artifact cid.ID
	record   cid.ID
}

// checkLeft reports originals that went away while a record that names them
// stayed.
func (c *checker) checkLeft() {
	if len(c.left) == 0 {
		return
	}
	trees := map[int64][]objects.Hash{}
	for _, s := range c.byID {
		trees[s.Seq] = append(trees[s.Seq], s.Tree)
	}
	for _, n := range c.named {
		for _, at := range c.left[cid.FromDigest(cid.Raw, n.original)] {
			for _, tree := range trees[at.seq] {
				original, err1 := lookup(c.get, tree, at.path)
				if err1 == nil && original.IsZero() {
					original, err1 = lookup(c.get, tree, layout.PointerPath(at.path))
				}
				kept, err2 := lookup(c.get, tree, layout.RecordPath(n.artifact, n.record))
				if err := errors.Join(err1, err2); err != nil || !original.IsZero() || kept.IsZero() {
					continue // unreadable directories are reported where they are walked
				}
				c.count(at, fmt.Errorf("the original is gone and the artifact %s, made from it, is not withdrawn", n.artifact))
			}
		}
	}
}
