package audit

import (
	"cmp"
	"errors"
	"fmt"
	"muniment/bundle/leaf"
	"os"
	"path/filepath"
	"slices"

	"muniment/archive/problem"
	"muniment/bundle"
	"muniment/sign"
	"muniment/text/legible"
)

// An OpenedCitation is a citation of an opened bundle: artifact, record, snapshot
// and span, with the quoted words.
type OpenedCitation struct {
	Handle   string `json:"handle"`
	Label    string `json:"label"`
	Relation string `json:"relation"`
	Citation string `json:"citation"`
	Artifact string `json:"artifact"`
	Record   string `json:"record"`
	Snapshot string `json:"snapshot"`
	Seq      int64  `json:"seq"`
	Span     string `json:"span"`
	Quote    string `json:"quote"`
}

// An OpenedClaim is a claim of an opened bundle with its citations.
type OpenedClaim struct {
	Claim     int              `json:"claim"`
	Text      string           `json:"text"`
	Rung      string           `json:"rung"`
	Shown     bool             `json:"shown"`
	Citations []OpenedCitation `json:"citations"`
}

// OpenResult is the record of an answer, as far as the identity opens it.
type OpenResult struct {
	File     string        `json:"file"`
	Bundle   string        `json:"bundle_id"`
	Scopes   []string      `json:"scopes"` // the scopes whose sealed parts were opened
	Complete bool          `json:"record_complete"`
	Leaves   int           `json:"leaves"`
	Opened   int           `json:"opened"`
	Query    string        `json:"query"`
	Claims   []OpenedClaim `json:"claims"`
	Gates    []string      `json:"gates"`
	Out      string        `json:"out,omitempty"`
	Noted    string        `json:"noted,omitempty"` // the file in which NoteOpening recorded the opening

	gates []*leaf.Gate // of which Gates are the lines
}

// OpenBundle decrypts the sealed layer with an age identity file and checks
// every leaf and every citation. With out the leaves are written into that new
// folder; otherwise nothing leaves memory. note, where it is not nil, is called
// before anything is written or returned; its error ends the call.
func OpenBundle(path string, identities []byte, out string, note func(*OpenResult) error) (*OpenResult, error) {
	b, err := readValidBundle(path)
	if err != nil {
		return nil, err
	}
	opened, err := b.Open(identities)
	var invalid *bundle.InvalidError
	switch {
	case errors.Is(err, sign.ErrNoIdentity):
		return nil, problem.New(problem.Key, problem.Advise("use the identity of an auditor that was enrolled when the answer was made; a display copy has no sealed layer"), "this identity opens nothing in %s", legible.Printable(path))
	case errors.As(err, &invalid):
		return nil, problem.New(problem.InvalidBundle, problem.Next(problem.DoVerify).With("do not rely on it: what was sealed is not what was signed"), "%s: %w", legible.Printable(path), err)
	case err != nil:
		return nil, problem.New(problem.Key, problem.Advise("give the file of an auditor's identity"), "identity: %w", err)
	}
	r := &OpenResult{File: path, Complete: opened.Complete, Leaves: len(opened.Leaves), Claims: []OpenedClaim{}, Gates: []string{}, Out: out}
	r.Bundle, r.Scopes = answerID(b), []string{}
	for _, s := range opened.Scopes {
		if s.Opened {
			r.Scopes = append(r.Scopes, s.Name)
		}
	}
	for _, l := range opened.Leaves {
		if l == nil {
			continue
		}
		r.Opened++
		if g, ok := l.(*leaf.Gate); ok {
			if g.Query != "" {
				r.Query = g.Query
			}
			r.gates = append(r.gates, g)
		}
	}
	sortGates(r.gates)
	for _, g := range r.gates {
		r.Gates = append(r.Gates, describeGate(g))
	}
	for _, c := range opened.Claims {
		one := OpenedClaim{Claim: c.Number, Text: c.Text, Rung: string(c.Rung), Shown: c.Shown, Citations: []OpenedCitation{}}
		for _, s := range c.Citations {
			one.Citations = append(one.Citations, OpenedCitation{Handle: s.Handle, Label: leaf.Label(s.Relation), Relation: string(s.Relation),
				Citation: s.Citation, Artifact: s.Artifact, Record: s.Record, Snapshot: s.Snapshot, Seq: s.Seq, Span: s.Span, Quote: s.Quote})
		}
		r.Claims = append(r.Claims, one)
	}
	if note != nil {
		if err := note(r); err != nil {
			return nil, err
		}
	}
	if out != "" {
		if err := writeLeaves(out, opened.Leaves); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// stages are the gates in the order in which an answer passes them.
var stages = []leaf.Stage{leaf.StageCategory, leaf.StageRank, leaf.StageCoverage, leaf.StageConsent}

// sortGates puts gates into the order in which they decided, and within one stage into
// that of the claims: the leaves of a bundle lie in an order drawn at random.
func sortGates(gates []*leaf.Gate) {
	slices.SortStableFunc(gates, func(a, b *leaf.Gate) int {
		return cmp.Or(cmp.Compare(slices.Index(stages, a.Stage), slices.Index(stages, b.Stage)), cmp.Compare(a.Claim, b.Claim))
	})
}

// describeGate returns the decision of a gate in one line.
func describeGate(g *leaf.Gate) string {
	s := string(g.Stage)
	if g.Claim > 0 {
		s += fmt.Sprintf(", claim %d", g.Claim)
	}
	if g.Rung != "" {
		s += ": " + string(g.Rung)
	}
	for _, f := range g.Failed {
		s += fmt.Sprintf("; not %s: %s", f.Rung, f.Test)
	}
	if g.TrueKind != "" {
		s += "; refused: " + g.TrueKind
	}
	for _, n := range g.Notes {
		s += "; " + n
	}
	return s
}

// writeLeaves writes the opened leaves into a new folder, under the names that the
// SHA256SUMS of the bundle gives them.
func writeLeaves(dir string, leaves []leaf.Leaf) error {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return problem.New(problem.Usage, problem.Advise("choose a folder that does not exist yet"), "%w", err)
	}
	if err := os.Mkdir(filepath.Join(dir, "leaves"), 0o700); err != nil {
		return problem.Wrap(err, "opened leaves")
	}
	for i, l := range leaves {
		if l == nil {
			continue
		}
		data, err := leaf.Encode(l)
		if err != nil {
			return problem.Wrap(err, "opened leaves")
		}
		if err := os.WriteFile(filepath.Join(dir, "leaves", fmt.Sprintf("%05d.json", i)), data, 0o600); err != nil {
			return problem.Wrap(err, "opened leaves")
		}
	}
	return nil
}
