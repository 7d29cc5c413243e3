package engine

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/ledger"
	"muniment/policy"
	"muniment/text/legible"
)

// An input is one thing that an aggregation rests on, as it was looked up.
type input struct {
	ref      string
	id       string // its lasting id, "" for none
	kind     string // artifact, citation, or "" for what is not there
	name     string
	resolves bool
	reason   string // why not
	from     []input
}

// maxChain is how many aggregations may rest on each other: a review of reviews
// of papers is three.
const maxChain = 16

// resolveInputs returns references in their lasting form: names become artifact
// IDs, numbers of bound citations their IDs. A reference that does not resolve
// stays as it was given, and an aggregation that rests on it fails.
func (e *Engine) resolveInputs(from []string) ([]string, error) {
	if len(from) == 0 {
		return nil, nil
	}
	tree, err := e.arch.NewestTree()
	if err != nil {
		return nil, err
	}
	c := e.Catalog(tree)
	var out []string
	for _, ref := range from {
		ref = strings.TrimSpace(ref)
		if ref == "" {
			return nil, problem.New(problem.Usage, problem.Advise("name an artifact or a citation"), "an input without a name")
		}
		in, err := e.resolveInput(c, ref, 0)
		if err != nil {
			return nil, err
		}
		if in.id != "" {
			ref = in.id
		} else if n, ok := contractNumber(ref); ok && in.kind == "citation" {
			ref = strconv.FormatInt(n, 10)
		}
		if !slices.Contains(out, ref) {
			out = append(out, ref)
		}
	}
	return out, nil
}

// resolveInput resolves a reference: an artifact of the newest tree, or a citation in force, each
// with its own inputs.
func (e *Engine) resolveInput(c *holdings.Catalog, ref string, depth int) (input, error) {
	switch {
	case depth > maxChain:
		return input{ref: ref, reason: fmt.Sprintf("more than %d aggregations rest on each other", maxChain)}, nil
	case isCitationRef(ref):
		return e.resolveCitation(c, ref, depth)
	}
	in := input{ref: ref}
	art, err := c.Resolve(ref)
	if err != nil {
		in.reason = noInput
		if id, idErr := cid.ParseAs(cid.Raw, ref); idErr == nil {
			art, err := c.Artifact(id)
			if err != nil {
				return in, err
			}
			if art != nil && art.Withdrawn && e.reader.Door().SeesAll() {
				in.kind, in.id, in.reason = "artifact", ref, "withdrawn"
			}
		}
		return in, nil
	}
	in.kind, in.id, in.name = "artifact", art.ID.String(), art.Name()
	if in.resolves = !art.Withdrawn && len(art.Records) > 0; !in.resolves {
		in.reason = "withdrawn"
		return in, nil
	}
	if h, ok := art.FirstRecord(); ok {
		err = e.addBelow(&in, c, strings.Fields(h.Record.Facts[factDerivedFrom]), depth)
	}
	return in, err
}

// resolveCitation is resolveInput for a reference to a citation.
func (e *Engine) resolveCitation(c *holdings.Catalog, ref string, depth int) (input, error) {
	in := input{ref: ref, kind: "citation"}
	entry, l, err := e.findInProject(ref)
	var failure *problem.Error
	if errors.As(err, &failure) && failure.Kind == problem.NotFound {
		if sealed, from, sealedErr := e.Citations().findAnywhere(ref); sealedErr == nil && sealed.Ordinal == 0 { // one of another ledger
			entry, l, err = sealed, from, nil
		}
	}
	if errors.As(err, &failure) && failure.Kind == problem.NotFound {
		in.kind, in.reason = "", noCitation
		return in, nil
	}
	if err != nil {
		return in, err
	}
	if known, err := e.permits(c, &entry, func(p policy.Permission) bool { return p.Existence }); err != nil || !known {
		in.kind, in.reason = "", noCitation
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
		in.reason = fmt.Sprintf("citation %d is %s", entry.Ordinal, entry.Status)
	}
	if newer, err := l.Superseded([]int64{entry.Ordinal}); err != nil {
		return in, problem.Wrap(err, "ledger")
	} else if n := newer[entry.Ordinal]; n > 0 {
		in.resolves, in.reason = false, fmt.Sprintf("citation %d is superseded by %d", entry.Ordinal, n)
	}
	below := entry.Inputs
	if len(below) == 0 && entry.Artifact != "" {
		below = []string{entry.Artifact}
	}
	return in, e.addBelow(&in, c, below, depth)
}

// The reasons of inputs that do not resolve. They say nothing of what the reader may not
// see.
const (
	noInput    = "no artifact of this archive"
	noCitation = "no citation of this ledger"
)

// addBelow resolves what an input rests on and adds it.
func (e *Engine) addBelow(in *input, c *holdings.Catalog, refs []string, depth int) error {
	for _, ref := range refs {
		below, err := e.resolveInput(c, ref, depth+1)
		if err != nil {
			return err
		}
		in.add(below)
	}
	return nil
}

// add notes that the input rests on another one. Where that one does not
// resolve, neither does the input.
func (in *input) add(below input) {
	in.from = append(in.from, below)
	if !below.resolves && in.resolves {
		in.resolves, in.reason = false, fmt.Sprintf("it rests on %s, which does not resolve: %s", below.ref, below.reason)
	}
}

// isCitationRef reports whether a reference names a citation: a number, or the ID
// of a JSON object.
func isCitationRef(ref string) bool {
	if _, err := cid.ParseAs(cid.JSON, ref); err == nil {
		return true
	}
	if _, ok := contractNumber(ref); ok {
		return true
	}
	return ref != "" && strings.Trim(ref, "0123456789") == ""
}

// findInProject is Find among all citations of the caller's project: an input
// need not be one that the caller may read.
func (e *Engine) findInProject(ref string) (ledger.Citation, *ledger.Ledger, error) {
	within := Engine{arch: e.arch, caller: Caller{Role: RoleAuditor, Project: e.caller.Project}, group: e.group}
	return within.Citations().Find(ref)
}

// listInputIDs returns the IDs of the citations among the inputs of an
// aggregation, sorted: what its citation object names. known has IDs that the ledger
// does not have yet. waiting reports that one of them has no ID.
func listInputIDs(l *ledger.Ledger, inputs []string, known map[int64]cid.ID) (ids []string, waiting bool, err error) {
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
		id := known[n]
		if id.IsZero() {
			c, err := l.Get(n)
			if err != nil {
				return nil, false, err
			}
			id = c.ID
		}
		if id.IsZero() {
			return nil, true, nil
		}
		ids = append(ids, id.String())
	}
	slices.Sort(ids)
	return slices.Compact(ids), false, nil
}

// checkInputs adds a check for each input of an aggregation to the result. One
// input that does not resolve fails the citation.
func (e *Engine) checkInputs(r *CiteResult, c *holdings.Catalog, inputs []string) error {
	r.DerivedFrom = slices.Clone(inputs)
	if len(inputs) == 0 {
		r.Checks = append(r.Checks, ledger.Check{Step: "inputs", Result: "not_checked", Expected: "what it was made from", Found: "the source does not say"})
		return nil
	}
	for _, ref := range inputs {
		in, err := e.resolveInput(c, ref, 0)
		if err != nil {
			return err
		}
		check := ledger.Check{Step: "input", Result: "pass", Expected: ref, Found: in.name}
		if !in.resolves {
			check.Result, check.Found = "fail", in.reason
			r.VerificationStatus = string(ledger.Failed)
			r.VerificationNotes = fmt.Sprintf("the aggregation rests on %s, which does not resolve: %s", legible.Printable(ref), in.reason)
			r.Next = problem.Next(DoAddCustom).With("its inputs must be in the archive")
		}
		r.Checks = append(r.Checks, check)
	}
	return nil
}
