// Package history changes what an archive says, in signed steps: it signs
// snapshots, countersigns, tags and joins them, compares them, and stages consent,
// withdrawals, holds and keys for the next one.
//
//	signed, err := history.SignStaged(a, history.SnapshotOptions{Text: "letters of 1931", Signer: key}, nil)
//	changes, err := history.Diff(a, "1", "2")
//
// SignStaged does not know the ledger: what another package wants sealed, such
// as citations, is handed to it; package engine makes a whole snapshot so.
//
// A snapshot is never changed and a tag is never moved. Two snapshots of one
// number by different keys are a fork, which SignUnion joins; two by one key are
// evidence against the key and are not joined. A function that signs refuses a
// nil Signer.
package history
