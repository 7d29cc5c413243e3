// Package muniment is an archive whose citations can be proved.
//
// Artifacts are canonicalized, hashed and kept with their originals in an
// ordinary bare git repository; snapshots of it are signed commits. A citation
// is the tuple (artifact, snapshot, span, relation). An answer is split into
// claims, every claim is cited or removed, and the result is a signed Merkle
// bundle that anybody can verify offline.
//
// The calls most programs need, in the order of a piece of data's life:
//
//	a, err := muniment.Init("letters", muniment.InitOptions{Subject: "Ada Vale"}, world)
//	added, err := a.Add(ctx, []string{"box-1"}, muniment.AddOptions{})
//	snap, err := a.Snapshot(muniment.SnapshotOptions{Text: "first box", Signer: key})
//	cited, err := a.Cite(muniment.CiteOptions{Artifact: "letter-07.txt", Quote: "the mill wheel", Claim: "…"})
//	answer, err := a.Ask(ctx, "Who repaired the mill?", muniment.AskOptions{Signer: key})
//	verdict, err := muniment.VerifyBundle(file, muniment.VerifyOptions{Allowed: signers})
//
// An archive is a folder that holds archive.git, which travels, and
// archive.local, which does not: the ledger, the search index, the answer log,
// the bundles that were made here and the archivist's own auditor identity.
// Everything in archive.local but the ledger, the log and that identity can be
// rebuilt.
//
// The result types in results.go are the messages of the command line and of
// every other surface: one Go struct per message.
//
// The library never prints, exits, prompts or reads the environment. Time and
// randomness come from a World. Reaching a remote is the exception: package
// custody/remote reads the user's ssh and git surroundings as git does. Errors
// meant for people are *Error values with a suggestion and the exit code of the
// command line.
//
// One process writes an archive at a time; any number read. A single Archive
// value is not for concurrent use.
package muniment
