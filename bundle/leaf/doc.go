// Package leaf is the content of a bundle: one struct for each kind of leaf, and their
// canonical JSON.
//
//	data, err := leaf.Encode(&leaf.Claim{Header: h, Claim: 1, Text: "…"}) // the content of a file
//	l, err := leaf.Parse(data)                                            // the same bytes again
//	leaf.Commitment(data)                                                 // what SHA256SUMS lists
//
// Parse is strict: what it accepts, Encode returns byte for byte. A leaf of a newer type is a
// *jcs.NewerError, and ParseUnread keeps its header. NewSource makes the leaf with which an
// auditor checks a citation without an archive, and Source.Verify checks it.
//
// The form of each kind is in docs/spec/bundle.md. Limits: MaxSize bytes a leaf, MaxCount leaves
// an answer, MaxTexts texts in a list. What the leaves of one answer must hold together, package
// bundle checks.
package leaf
