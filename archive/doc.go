// Package archive opens an archive and answers what it holds: its snapshots,
// its staged tree, the artifacts of a tree, their records, consent, withdrawals
// and holds, the trust and the policy in force.
//
// An archive is a folder with archive.git, a bare git repository that travels,
// and archive.local, which stays: ledger, search index, answer log, evidence,
// and what was last seen here. Most callers need two functions:
//
//	a, err := archive.Open(dir, archive.World{Author: "Ada Vale <ada@example.org>"})
//	…
//	defer a.Close()
//	head, _, err := a.RequireHead()      // the newest snapshot
//	c := a.Catalog(head.Tree)            // its artifacts
//	art, err := c.Resolve("1931-03-14.txt")
//
// A Repository is an archive that may be damaged or not verified yet; every
// Archive embeds one. Reading takes no lock. Writing goes through Edit, which
// stages files under the writer's lock (Lock) for the next snapshot; package
// history signs it, package accession adds files.
//
// Every failure that a person is told of is an *Error: a kind from a closed set,
// one line of what is wrong, and a Step to take. No text of this package names
// a command or an option: a program turns the Action of a step into its own
// words.
//
// An Archive may be used by any number of goroutines at once, and so may its Store,
// its ledger and its catalogues. Two things are for one goroutine: a Content, and an
// open search index. Close ends an Archive; nobody may use it then. What its calls return is shared between
// callers, who leave it as it is.
//
// Limits. A payload that is read into memory has at most read.MaxText bytes; larger
// ones are read through Content. Nothing here checks signatures against a trusted key: that
// is the work of package audit.
package archive
