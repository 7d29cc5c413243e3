package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"muniment/archive"
	"muniment/cid"
	"muniment/ledger"
)

// An inputState is what one input of an aggregation is found to be.
type inputState struct {
	ref      string
	id       string // its lasting id, "" for none
	kind     string // artifact, citation, or "" for what is not there
	name     string
	resolves bool
	why      string // why not
	from     []inputState
}

// maxChain is how many aggregations may rest on each other: a review of reviews
// of papers is three.
const maxChain = 16

// input looks one input up: an artifact of the newest tree, or a citation that
// stands, with its own inputs.
func (e *Engine) input(c *archive.Catalog, ref string, depth int) (inputState, error) {
	in := inputState{ref: ref}
	if depth > maxChain {
		in.why = fmt.Sprintf("more than %d aggregations rest on each other", maxChain)
		return in, nil
	}
	if !isCitationRef(ref) {
		art, err := c.Resolve(ref)
		if err != nil {
			in.why = "no artifact of this archive"
			if id, idErr := cid.ParseAs(cid.Raw, ref); idErr == nil && c.ByID[id] != nil && c.ByID[id].Withdrawn {
				in.kind, in.id, in.why = "artifact", ref, "withdrawn"
			}
			return in, nil
		}
		in.kind, in.id, in.name = "artifact", art.ID.String(), art.Name()
		if in.resolves = !art.Withdrawn && len(art.Records) > 0; !in.resolves {
			in.why = "withdrawn"
			return in, nil
		}
		// What was itself derived leads on to what it was made from.
		if h, ok := art.FirstRecord(); ok && h.Record.Facts[factDerivedFrom] != "" {
			for _, deeper := range strings.Fields(h.Record.Facts[factDerivedFrom]) {
				one, err := e.input(c, deeper, depth+1)
				if err != nil {
					return in, err
				}
				in.add(one)
			}
		}
		return in, nil
	}
	in.kind = "citation"
	entry, l, err := e.findInput(ref)
	var told *archive.Error
	if errors.As(err, &told) && told.Kind == archive.TypeNotFound {
		if sealed, from, sealedErr := e.look(ref); sealedErr == nil && sealed.Ordinal == 0 { // one of another ledger
			entry, l, err = sealed, from, nil
		}
	}
	if errors.As(err, &told) && told.Kind == archive.TypeNotFound {
		in.kind, in.why = "", "no citation of this ledger"
		return in, nil
	}
	if err != nil {
		return in, err
	}
	if !entry.ID.IsZero() {
		in.id = entry.ID.String()
	}
	in.name = fmt.Sprintf("citation %d: %s", entry.Ordinal, entry.Claim)
	if entry.Ordinal == 0 {
		in.name = "citation: " + entry.Claim
	}
	in.resolves = entry.Status != ledger.Failed && entry.Span != ""
	if !in.resolves {
		in.why = fmt.Sprintf("citation %d is %s", entry.Ordinal, entry.Status)
	}
	if newer, err := l.Superseded([]int64{entry.Ordinal}); err != nil {
		return in, archive.Environment(err, "ledger")
	} else if n := newer[entry.Ordinal]; n > 0 {
		in.resolves, in.why = false, fmt.Sprintf("citation %d is superseded by %d", entry.Ordinal, n)
	}
	below := entry.Inputs
	if len(below) == 0 && entry.Artifact != "" {
		below = []string{entry.Artifact}
	}
	for _, deeper := range below {
		one, err := e.input(c, deeper, depth+1)
		if err != nil {
			return in, err
		}
		in.add(one)
	}
	return in, nil
}

// add hangs an input below another one, which does not resolve without it.
func (in *inputState) add(below inputState) {
	in.from = append(in.from, below)
	if !below.resolves && in.resolves {
		in.resolves, in.why = false, fmt.Sprintf("it rests on %s, which does not resolve: %s", below.ref, below.why)
	}
}

// isCitationRef reports whether an input names a citation: a number or the id
// of one of our objects.
func isCitationRef(ref string) bool {
	if _, err := cid.ParseAs(cid.JSON, ref); err == nil {
		return true
	}
	return ref != "" && strings.Trim(ref, "0123456789") == ""
}

// findInput is find for inputs: what one citation rests on need not be the
// caller's own, but is of the caller's project.
func (e *Engine) findInput(ref string) (ledger.Citation, *ledger.Ledger, error) {
	within := Engine{arch: e.arch, who: Caller{Role: RoleAuditor, Project: e.who.Project}}
	return within.Find(ref)
}

// inputIDs are the inputs of an aggregation that are citations with an id: what
// its citation object names.
func inputIDs(l *ledger.Ledger, inputs []string) (ids []string, waiting bool, err error) {
	for _, ref := range inputs {
		if !isCitationRef(ref) {
			continue
		}
		if _, err := cid.ParseAs(cid.JSON, ref); err == nil {
			ids = append(ids, ref)
			continue
		}
		var n int64
		if _, err := fmt.Sscan(ref, &n); err != nil {
			return nil, false, err
		}
		c, err := l.Get(n)
		if err != nil {
			return nil, false, err
		}
		if c.ID.IsZero() {
			return nil, true, nil
		}
		ids = append(ids, c.ID.String())
	}
	slices.Sort(ids)
	return slices.Compact(ids), false, nil
}
