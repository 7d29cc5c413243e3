package cite

// A ClaimVerdict is the relation of a claim to the words cited for it. Whether the words are there
// is another question: Status answers it.
type ClaimVerdict string

// The verdicts on a claim. The empty verdict is that of a citation registered before claims were judged.
const (
	ClaimFollows      ClaimVerdict = "follows"      // the words state it, by rules
	ClaimContradicted ClaimVerdict = "contradicted" // the words, or what stands around them, say otherwise
	ClaimNotShown     ClaimVerdict = "not_shown"    // neither; only a reader or a model can say
	ClaimJudged       ClaimVerdict = "judged"       // a named model judged that it follows
)

// Valid reports whether the verdict is one of the four, or empty.
func (v ClaimVerdict) Valid() bool {
	switch v {
	case "", ClaimFollows, ClaimContradicted, ClaimNotShown, ClaimJudged:
		return true
	}
	return false
}
