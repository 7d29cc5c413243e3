// Package custody copies an archive between those who keep it: clones, pushes, fetches, receipts and repairs, over git
// and nothing else. Bags and other forms of handing on are in package handover.
//
// Most callers need two calls. Clone makes a copy of an archive, Sync brings a
// copy and all of its remotes up to date with each other:
//
//	copied, err := custody.Clone(ctx, "ssh://museum/letters.git", "letters",
//		custody.CloneOptions{Expect: id}, world)
//	…
//	result, err := custody.Sync(ctx, open, custody.FetchOptions{}, nil)
//
// A remote is a bare git repository at a path, or one that ssh, https or the git protocol reaches; stock git on the
// other side is enough. AddRemote gives an address a name, and Push, Fetch and Repair take either.
//
// # What is trusted
//
// Nothing that a remote says. Fetch and Clone receive into a quarantine: a repository of its own below archive.local,
// which nothing else reads. There every id, root, signature and link is verified, and every signer against the trust
// that the caller names or, without one, against the trust that the archive itself has handed down (verifyhistory.go).
// Only then do the objects become part of the archive and the refs move, all refs in one step. An object that no ref
// leads to, or a pack that is malformed, is an error of kind VerificationFailed and leaves the archive as it was.
//
// A fetch reads the snapshots that this copy did not verify before (fetchnew.go). Which those are says a note in
// archive.local, and the index of snapshots there says which commits are part of this archive. Both are derived, and as
// trusted as the copy's own config and refs, which whoever changes them can change too. A note that somebody changed
// lets nothing in: its snapshot must be our newest or lie before it, reached from the remote's newest parent by parent,
// and what comes after is verified under the trust in that snapshot's signed tree. It can pass over no more than what
// is part of this archive already; audit.Verify checks that again, and believes neither.
//
// A snapshot branch only moves forward. Where two histories disagree, the error has the kind HistoriesDisagree and both
// signed heads are kept as evidence (disagreement.go). Tags never move. Answer logs and countersignatures are merged:
// the result holds what either copy held (logmerge.go).
//
// # What can go wrong
//
// A remote that does not answer is an error of kind RemoteUnreachable; what was done before stays, and the same call
// continues from there: a push sends whole snapshots, oldest first, and an interrupted one loses at most the batch
// under way. Every error names a next step from steps.go or gives advice in words.
//
// # Limits
//
// A clone, and a fetch that must read everything, hold the commits of the whole history in memory, and quarantines need
// as much disk as the pack that arrives. A receipt is this archive's own note of what a remote showed, not the
// signature of that custodian. Clone without a trust root, allowed signers or an expected id trusts the first key that
// it meets, and the result says so.
package custody
