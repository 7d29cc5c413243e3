package bundle

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"muniment/bundle/display"
	"muniment/bundle/leaf"
	"slices"
	"strings"

	"muniment/cite"
	"muniment/sign"
)

// Opened is a bundle as an auditor sees it. It lives in memory only.
type Opened struct {
	Leaves   []leaf.Leaf // by index; nil where neither disclosed nor opened
	Scopes   []OpenedScope
	Complete bool // every leaf is known: "record complete"
	Claims   []OpenedClaim
}

// OpenedScope says whether a scope was opened, and if not, why.
type OpenedScope struct {
	Name   string
	Opened bool
	Leaves int    // sealed in it, when opened
	Reason string // why it was not opened
}

// OpenedClaim is a claim with everything known about its evidence.
type OpenedClaim struct {
	Number     int // the claim's ordinal
	Text       string
	Rung       cite.Rung
	Shown      bool // to the requestor
	Restricted bool
	Citations  []OpenedCitation
}

// OpenedCitation is a citation with its four fields. Those of a source leaf
// that was not opened are empty.
type OpenedCitation struct {
	Handle      string
	Relation    cite.Relation
	Shown       bool
	Restricted  bool
	Contradicts bool
	Citation    string // content ID
	Artifact    string
	Record      string
	Snapshot    string
	Seq         int64
	Span        string
	Quote       string
}

// Open decrypts the sealed files in memory with an age identity file, checks
// every leaf against its commitment and every source leaf against its proofs,
// and returns what it found. The error is sign.ErrNoIdentity when no scope
// could be opened, and an *InvalidError when what was opened does not hold.
func (b *Bundle) Open(identities []byte) (*Opened, error) {
	if err := CheckIdentities(identities); err != nil {
		return nil, err
	}
	o, err := b.open(identities)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(o.Scopes, func(s OpenedScope) bool { return s.Opened }) {
		return nil, sign.ErrNoIdentity
	}
	for _, ax := range []contentAxis{
		checkSources(o.Leaves, o.Complete, b.statement.Archive, Requirements{}, nil),
		judgeGates(o.Leaves, o.Complete, b.statement.Archive, Requirements{}),
	} {
		if ax.Result == Fail {
			return nil, &InvalidError{ax.Name, ax.Reason}
		}
	}
	o.listClaims(b.display())
	return o, nil
}

// open takes step 15: it opens the scopes that the identities open. Errors are
// *InvalidError.
func (b *Bundle) open(identities []byte) (*Opened, error) {
	o := &Opened{Leaves: slices.Clone(b.leaves)}
	shown := make([]bool, len(o.Leaves))
	shown[b.statement.Display] = true
	for _, i := range b.display().Shown {
		shown[i] = true
	}
	all := true
	for lines := b.statement.Sealed; len(lines) > 0; {
		n := 1
		for n < len(lines) && lines[n].Scope == lines[0].Scope {
			n++
		}
		state, leaves, err := b.openScope(lines[:n], identities)
		if err != nil {
			return nil, err
		}
		for _, i := range slices.Sorted(maps.Keys(leaves)) {
			where := fmt.Sprintf("%sleaf %d", sealedDir+state.Name+": ", i)
			switch {
			case i >= len(o.Leaves):
				return nil, &InvalidError{where, fmt.Sprintf("the statement has %d leaves", len(o.Leaves))}
			case shown[i]:
				return nil, &InvalidError{where, "it was shown and is sealed too"}
			case o.Leaves[i] != nil:
				return nil, &InvalidError{where, "it is in another scope too"}
			}
			if o.Leaves[i], err = b.openLeaf(i, leaves[i]); err != nil {
				return nil, invalid(where, err)
			}
		}
		all = all && state.Opened
		o.Scopes = append(o.Scopes, state)
		lines = lines[n:]
	}
	o.Complete = !slices.Contains(o.Leaves, nil)
	_, listed := b.leaves[b.statement.Display].(*leaf.Display)
	for i, l := range o.Leaves {
		if all && listed && l == nil && !shown[i] {
			return nil, &InvalidError{sealedDir, fmt.Sprintf("leaf %d was not shown and is in no scope", i)}
		}
	}
	if where, err := checkGraph(o.Leaves, b.statement.Display); err != nil {
		return nil, invalid(leafName(where), err)
	}
	return o, nil
}

// openScope opens one scope. Of several subsets one suffices; all that open
// must hold the same.
func (b *Bundle) openScope(lines []Sealed, identities []byte) (OpenedScope, map[int][]byte, error) {
	state := OpenedScope{Name: lines[0].Scope, Reason: "its file is not in this copy"}
	if identities == nil {
		state.Reason = "no identity was given"
	}
	var found map[int][]byte
	for _, s := range lines {
		data, ok := b.files[s.Name()]
		if !ok || identities == nil {
			continue
		}
		leaves, err := openSealed(s, data, identities)
		switch {
		case errors.Is(err, sign.ErrNoIdentity):
			state.Reason = "it is " + sign.ErrNoIdentity.Error()
			continue
		case err != nil:
			return OpenedScope{}, nil, invalid(s.Name(), err)
		case found != nil && !maps.EqualFunc(found, leaves, bytes.Equal):
			return OpenedScope{}, nil, invalid(s.Name(), errors.New("it holds other leaves than another subset of its scope"))
		}
		found = leaves
	}
	if found != nil {
		state.Opened, state.Leaves, state.Reason = true, len(found), ""
	}
	return state, found, nil
}

// listClaims fills Claims, in the order of their ordinals.
func (o *Opened) listClaims(d *leaf.Display) {
	for _, l := range o.Leaves {
		c, ok := l.(*leaf.Claim)
		if !ok {
			continue
		}
		claim := OpenedClaim{
			Number: c.Claim, Text: display.Safe(c.Text), Rung: c.Rung,
			Shown: slices.Contains(d.Shown, c.Index), Restricted: c.Restricted,
		}
		for _, i := range c.Cites {
			t, ok := o.Leaves[i].(*leaf.Cite)
			if !ok {
				continue
			}
			oc := OpenedCitation{
				Handle: t.Handle, Relation: t.Relation, Shown: slices.Contains(d.Shown, i),
				Restricted: t.Restricted, Contradicts: t.Contradicts,
			}
			if s, ok := o.Leaves[t.Source].(*leaf.Source); ok {
				oc.Citation, oc.Artifact, oc.Record, oc.Snapshot = s.Citation, s.Artifact, s.Record, s.Snapshot
				oc.Seq, oc.Span, oc.Quote = s.Seq, s.Span, display.Safe(s.Quote)
			}
			claim.Citations = append(claim.Citations, oc)
		}
		o.Claims = append(o.Claims, claim)
	}
	slices.SortFunc(o.Claims, func(a, b OpenedClaim) int { return a.Number - b.Number })
}

// display returns the display leaf, which every bundle has.
// It is one that shows nothing where the leaf is of a newer type.
func (b *Bundle) display() *leaf.Display {
	if d, ok := b.leaves[b.statement.Display].(*leaf.Display); ok {
		return d
	}
	return &leaf.Display{Header: leaf.Header{Index: b.statement.Display}}
}

// Disclose returns a copy with fewer disclosed leaves: those whose indexes are
// in keep, the display leaf, and what no reduction may drop. The statement and
// its signatures stay as they are; what is left out is named by Verify.
func (b *Bundle) Disclose(keep []int) (*Bundle, error) {
	if b.statement == nil {
		return nil, errEmpty
	}
	d := b.display()
	stay := map[int]bool{d.Index: true}
	for _, i := range keep {
		if i < 0 || i >= len(b.leaves) || b.leaves[i] == nil {
			return nil, fmt.Errorf("leaf %d is not disclosed in this bundle", i)
		}
		stay[i] = true
	}
	for _, i := range d.Keep {
		stay[i] = true
	}
	files := b.Files()
	for i := range b.leaves {
		if !stay[i] {
			delete(files, leafName(i))
		}
	}
	return fromFiles(files)
}

// LeavesOf returns the indexes of the disclosed leaves that a claim needs to be
// shown in full: the claim, its cites and their chunks, and its gate. Those of claim 0
// are the notes on the answer as a whole.
func (b *Bundle) LeavesOf(claim int) []int {
	var out []int
	add := func(i int) bool {
		if b.leaves[i] != nil {
			out = append(out, i)
		}
		return b.leaves[i] != nil
	}
	for i, l := range b.leaves {
		if g, ok := l.(*leaf.Gate); ok && claim == 0 && g.Claim == 0 {
			add(i)
		}
		c, ok := l.(*leaf.Claim)
		if !ok || c.Claim != claim {
			continue
		}
		add(i)
		add(c.Gate)
		for _, n := range c.Cites {
			if !add(n) {
				continue
			}
			t := b.leaves[n].(*leaf.Cite)
			add(t.Source)
			for _, k := range t.Chunks {
				add(k)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// WithoutSealed returns the copy that a requestor gets: the same statement and
// signatures, and no sealed file.
func (b *Bundle) WithoutSealed() *Bundle {
	c := *b
	c.files = maps.Clone(b.files)
	maps.DeleteFunc(c.files, func(name string, _ []byte) bool { return strings.HasPrefix(name, sealedDir) })
	return &c
}
