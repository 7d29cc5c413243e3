package archive

import (
	"crypto/rand"
	"io"
	"time"

	"muniment/judge/model"
	"muniment/objects"
)

// A World is where time, randomness and the process's name come from. The zero
// value has the real clock and randomness, and no author.
type World struct {
	Now  func() time.Time // nil is time.Now
	Rand io.Reader        // nil is crypto/rand
	PID  int
	Host string
	// Author is the archivist that snapshots and records name, "Name <email>".
	Author string

	Disk objects.Hooks // the disk; tests make it fail, or record what is written

	// Indexing, if set, is told the progress of a large holdings index, in artifacts;
	// total is an estimate, and done at the end.
	Indexing func(done, total int)

	// IndexAside, if set, has the search index brought up to date beside this process or
	// this call, and does not wait for it; nil does it where the index is needed.
	IndexAside func() error

	// Migrating, if set, is told of a ledger whose schema a change brings up to date.
	Migrating func(Migration)

	// LedgerURL is the address of a PostgreSQL database that keeps the ledger;
	// "" keeps it in the archive's folder.
	LedgerURL string
	// Sleep waits, so that the time of a refusal does not tell its reason; nil
	// does not wait.
	Sleep func(time.Duration)
	// Drafter writes answers, sorts questions and repairs drafts; nil leaves the
	// archive's own words.
	Drafter *Judge
	// Judge is asked whether words entail the claim that rests on them; nil asks
	// nobody. It may be the Drafter's endpoint, which then judges in another call.
	Judge *Judge
	// Reranker orders the passages that a search found by how well they answer;
	// nil leaves the order of the search.
	Reranker *Judge
	// Embedder gives texts vectors, so that searches also find what means the
	// same in other words; nil searches by words alone.
	Embedder *Embedder
}

// A Migration says that the schema of a ledger is brought up to date for a change.
type Migration struct {
	Path     string // of the ledger
	From, To int64  // its schema, and the newest one
	Copy     string // the file as it was, kept until the next change is on disk; "" where none is made
}

// A Judge is the endpoint of a language model: URL, Model, Key, Timeout.
type Judge = model.Client

// An Embedder is an endpoint that embeds texts: see package model.
type Embedder = model.Client

// orReal returns the world with the real clock and randomness where it has none.
func (w World) orReal() World {
	if w.Now == nil {
		w.Now = time.Now
	}
	if w.Rand == nil {
		w.Rand = rand.Reader
	}
	return w
}
