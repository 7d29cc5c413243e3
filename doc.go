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
//	a, err := muniment.Init("letters", muniment.InitOptions{Subject: "Ada Vale"}, muniment.World{})
//	added, err := a.Add(ctx, []string{"box-1"}, muniment.AddOptions{})
//	signed, err := a.Snapshot(muniment.SnapshotOptions{Text: "first box", Signer: key})
//	cited, err := a.Cite(muniment.CiteOptions{Artifact: "letter-07.txt", Quote: "the mill wheel", Claim: "…"})
//	answer, err := a.Ask(ctx, "Who repaired the mill?", muniment.AskOptions{Signer: key})
//	verdict, err := muniment.VerifyBundle(answer.Bundle, muniment.VerifyOptions{Allowed: signers})
//
// Open opens an archive that is there; Clone and Fetch copy what others keep.
// The key is a Signer, which package sign/sshkey makes and loads; signers is what
// sign.ParseAllowedSigners reads. The examples run as they stand.
//
// An archive is a folder that holds archive.git, which travels, and
// archive.local, which does not: the ledger, the search index, the answer log,
// the bundles that were made here and the archivist's own auditor identity.
// Everything in archive.local but the ledger, the log and that identity can be
// rebuilt.
//
// This package is the front door: each method is a line into the service that
// does the work. The services are packages of their own, functions over an open
// archive.Archive: accession takes in, history signs, engine cites, answer asks,
// custody moves copies between machines, audit verifies. Programs that need more
// than is here call them; an Archive of this package and one of package archive
// open the same folder. Results have JSON tags: they are the messages of the
// command line.
//
// The library never prints, exits or prompts. Time, randomness, the name of the
// process and the archivist come from a World, whose zero fields mean the
// system's clock, crypto/rand and this process. Reaching a remote is the
// exception: package custody/remote reads the user's ssh and git surroundings
// as git does. Errors meant for people are *Error values: a kind to branch on, a
// message, and a typed next step that a program turns into its own words.
//
// One process writes an archive at a time; any number read. One Archive value serves
// any number of goroutines at once. A writer that finds another one at work waits three
// seconds for it; its error is then of kind Busy, and the same call may be made
// again.
package muniment
