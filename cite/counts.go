package cite

import "fmt"

// ClaimCounts are the numbers of claims by what became of them, the same four wherever claims are counted.
type ClaimCounts struct {
	Verified     int `json:"verified"`     // it follows from the words cited for it
	Unverified   int `json:"unverified"`   // nothing shows that it follows from the words cited for it, or from the nearest ones
	Contradicted int `json:"contradicted"` // the words cited for it, or others on file, say otherwise
	Unjudged     int `json:"unjudged"`     // nobody judged it: nothing is cited for it, and nothing near it was found
}

// String returns the counts in words: 3 verified, 1 unverified, 0 contradicted, 2 unjudged.
func (n ClaimCounts) String() string {
	return fmt.Sprintf("%d verified, %d unverified, %d contradicted, %d unjudged", n.Verified, n.Unverified, n.Contradicted, n.Unjudged)
}

// IsZero reports whether no claim was counted.
func (n ClaimCounts) IsZero() bool { return n == ClaimCounts{} }
