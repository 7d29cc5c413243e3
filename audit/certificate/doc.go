// Package certificate makes the certificate of integrity and custody of papers: a folder for
// people who have no archive, with a page to print and sign, the papers, what proves them, and
// the commands that check it with stock tools.
//
//	c, err := certificate.Make(ctx, a, certificate.Options{Refs: []string{"1931-04-02.txt"}, View: v, To: "for-court"})
//	fmt.Println(c.Verdict, c.To)
//
// # What it says
//
// What each paper is, with its hashes; where it was from its deposit to today, as records,
// snapshots, receipts and fixity checks say; who signed; and what nobody checked. The package
// makes no verdict of its own: verdicts come from package bundle, and facts from what the archive keeps.
// Each event names its source, as a record in a signed snapshot proves more than a note of
// this copy.
//
// # Who sees what
//
// A certificate is made for the readers of a [policy.View]. A paper of which they may not know
// is as absent; of one that they may not read whole there are hashes, proofs and dates and no
// bytes, and changes of its consent are told without their terms. A paper that is withdrawn,
// damaged or not yet signed has no certificate.
//
// # Limits
//
// The page is a declaration only once a person has signed it. See docs/spec/certificate.md.
package certificate
