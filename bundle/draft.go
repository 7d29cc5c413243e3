package bundle

import "muniment/bundle/leaf"

// An Answer collects the leaves of an answer before they are numbered. Leaves
// refer to each other by the position that Add returned. The zero Answer is
// ready for use:
//
//	var a bundle.Answer
//	src := a.Add(source, false)
//	words := a.Add(&bundle.Chunk{Text: "The fire began in Pudding Lane"}, true)
//	c := a.Add(&bundle.Cite{Claim: 1, Relation: cite.DirectQuote, Chunks: []int{words}, Source: src}, true)
//	g := a.Add(&bundle.Gate{Stage: bundle.StageCoverage, Claim: 1, Inputs: in, Rung: rung, Failed: failed}, false)
//	a.Add(&bundle.Claim{Claim: 1, Text: "…", Rung: rung, Cites: []int{c}, Gate: g}, true)
//
// Headers, salts, handles, labels, the display leaf and the pads are made by
// Assemble. Outcome and overall rung follow from what is disclosed.
type Answer struct {
	// Tier is the tier of the requestor, as shown in the display leaf; not empty.
	Tier string

	// MinLeaves and MinSealed make room for whatever is withheld, so that the
	// public shape of an answer does not show it: the least number of leaves,
	// and the least number of plaintext bytes in each sealed file. Both are
	// rounded up to the next step; zero is the smallest step.
	MinLeaves, MinSealed int

	drafts []draft
}

// A draft is a leaf before it has an index.
type draft struct {
	leaf      leaf.Leaf
	disclosed bool
}

// Add appends a leaf and returns its position. A disclosed leaf is shown to the
// requestor, in the order of the calls; any other is sealed. The leaf must not
// be changed after Assemble was called with a.
//
// Disclosed leaves may refer to leaves that are not: the reference says that
// there is something, not what.
func (a *Answer) Add(l leaf.Leaf, disclosed bool) int {
	a.drafts = append(a.drafts, draft{l, disclosed})
	return len(a.drafts) - 1
}

// Len returns the number of leaves added so far.
func (a *Answer) Len() int { return len(a.drafts) }
