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

import (
	"context"
	"crypto/rand"
	"errors"
	"os"
	"time"

	"muniment/accession"
	"muniment/answer"
	"muniment/archive"
	"muniment/archive/holdings"
	"muniment/archive/inventory"
	"muniment/archive/problem"
	"muniment/archive/search"
	"muniment/audit"
	"muniment/custody"
	"muniment/engine"
	"muniment/history"
	"muniment/sign"
)

// The options that calls take and the results that they give. Each is declared,
// with the meaning and the unit of every field, in the package of its service.
// The zero value of every options struct works, save for the fields that its
// call names as required.
type (
	World  = archive.World // the clock, the randomness, the process and the archivist; zero fields mean the system's
	Trust  = archive.Trust // whose signatures count: an allowed_signers list, or a trust root
	Signer = sign.Signer   // a key that signs; package sign/sshkey makes and loads one
	Error  = problem.Error // a failure with its kind, its subject and a next step

	InitOptions  = archive.InitOptions // the subject and the policy of a new archive
	CloneOptions = custody.CloneOptions
	CloneResult  = custody.CloneResult // what was copied, and who signed it

	AddOptions   = accession.AddOptions
	AddResult    = accession.AddResult // what was taken in, and what was skipped with its reason
	ArtifactInfo = holdings.ArtifactInfo
	SearchResult = search.Result // passages, each with an address to cite

	SnapshotOptions = history.SnapshotOptions // Text and Signer are required
	SnapshotResult  = archive.SnapshotResult
	ConsentOptions  = history.ConsentOptions // who may see what
	ConsentResult   = history.ConsentResult
	WithdrawOptions = history.WithdrawOptions // Artifacts, Reason and Authority are required
	WithdrawResult  = history.WithdrawResult

	Engine      = engine.Engine // registers and checks the citations of one caller
	Caller      = engine.Caller // on whose behalf an Engine works
	CiteOptions = engine.CiteOptions
	CiteResult  = engine.CiteResult // the verdict on a quote, and a fix where it is no

	AskOptions   = answer.AskOptions // Signer is required
	AnswerResult = answer.Result     // claims with their evidence, what was removed, and the bundle

	Transfer     = custody.Transfer // limits of a connection
	FetchOptions = custody.FetchOptions
	FetchResult  = custody.FetchResult
	PushResult   = custody.PushResult

	VerifyOptions        = audit.VerifyOptions
	BundleVerdict        = audit.BundleVerdict // VALID, INVALID or INCOMPLETE, with a reason for each axis
	ArchiveVerifyOptions = audit.ArchiveVerifyOptions
	ArchiveVerdict       = audit.ArchiveVerdict
)

// ErrNotOpen is the error of every call on a zero Archive.
var ErrNotOpen = errors.New("muniment: the archive is not open: use Init or Open")

// An Archive is an open archive: one folder on disk. Init and Open return one;
// Close releases it. Any number of goroutines may use an Archive at once, until it is closed;
// what its calls return is theirs.
type Archive struct{ open *archive.Archive }

// Init makes an archive in dir, a folder that need not exist, and opens it. The
// error is of kind ArchiveExists where dir holds an archive already.
func Init(dir string, o InitOptions, w World) (*Archive, error) {
	return wrap(archive.Init(dir, o, withSystem(w)))
}

// Open opens the archive in dir, the folder that holds archive.git. The error is
// of kind NoArchive where dir holds none.
func Open(dir string, w World) (*Archive, error) {
	return wrap(archive.Open(dir, withSystem(w)))
}

// Clone copies the archive at url into dir, a new folder, and verifies it from
// its first snapshot on; nothing is left in dir where a check fails. Open opens
// the copy.
func Clone(ctx context.Context, url, dir string, o CloneOptions, w World) (*CloneResult, error) {
	return custody.Clone(ctx, url, dir, o, withSystem(w))
}

// VerifyBundle returns the verdict on the bundle in file, which is a zip, a folder
// or an HTML page. It needs no archive and no network. A bundle that fails a
// check is a result, not an error.
func VerifyBundle(file string, o VerifyOptions) (*BundleVerdict, error) {
	return audit.VerifyBundle(file, o)
}

// Close releases the archive's files. A second call does nothing.
func (a *Archive) Close() error {
	if a == nil || a.open == nil {
		return nil
	}
	open := a.open
	a.open = nil
	return open.Close()
}

// Add stages files, folders, packed folders and web addresses for the next
// snapshot. Inputs that cannot be read are in the result's Skipped, and the
// error is then of kind PartlyDone, beside the result.
func (a *Archive) Add(ctx context.Context, paths []string, o AddOptions) (*AddResult, error) {
	return call(a, func(open *archive.Archive) (*AddResult, error) { return accession.Add(ctx, open, paths, o) })
}

// Snapshot signs what is staged as the next snapshot, seals the citations that
// wait for one, and publishes the answer logs. The error is of kind NothingToDo
// where nothing is staged.
func (a *Archive) Snapshot(o SnapshotOptions) (*SnapshotResult, error) {
	return call(a, func(open *archive.Archive) (*SnapshotResult, error) { return engine.Snapshot(open, o) })
}

// Log returns the snapshots, newest first.
func (a *Archive) Log() ([]SnapshotResult, error) {
	return call(a, func(open *archive.Archive) ([]SnapshotResult, error) {
		list, _, err := history.Log(open, history.LogOptions{})
		return list, err
	})
}

// List returns the artifacts, staged ones included, whose names contain part;
// all of them for "".
func (a *Archive) List(part string) ([]ArtifactInfo, error) {
	return call(a, func(open *archive.Archive) ([]ArtifactInfo, error) { return inventory.List(open, part) })
}

// Search returns at most limit passages of the newest snapshot that match the
// words of query, best first.
func (a *Archive) Search(ctx context.Context, query string, limit int) (*SearchResult, error) {
	return call(a, func(open *archive.Archive) (*SearchResult, error) {
		return search.Search(ctx, open, query, limit, search.Reader{}, nil)
	})
}

// Consent stages who may see what. It counts from the next snapshot on.
func (a *Archive) Consent(o ConsentOptions) (*ConsentResult, error) {
	return call(a, func(open *archive.Archive) (*ConsentResult, error) { return history.Consent(open, o) })
}

// Withdraw stages that artifacts leave the archive, with the reason and the
// authority that decided. It counts from the next snapshot on.
func (a *Archive) Withdraw(o WithdrawOptions) (*WithdrawResult, error) {
	return call(a, func(open *archive.Archive) (*WithdrawResult, error) { return history.Withdraw(open, o) })
}

// Engine returns the citation engine of one caller: sources, citations,
// verdicts, links and references. It is good until the archive is closed.
func (a *Archive) Engine(c Caller) (*Engine, error) {
	return call(a, func(open *archive.Archive) (*Engine, error) { return engine.New(open, c) })
}

// Cite registers a claim with its quote and returns whether the words are in the
// archive. A quote that is not there is a result, not an error. Programs that
// cite for several callers use Engine.
func (a *Archive) Cite(o CiteOptions) (*CiteResult, error) {
	return call(a, func(open *archive.Archive) (*CiteResult, error) { return engine.Cite(open, o) })
}

// Ask answers a question from the newest snapshot and seals the answer in a
// signed bundle, whose file the result names. A refusal is a result, not an
// error.
func (a *Archive) Ask(ctx context.Context, question string, o AskOptions) (*AnswerResult, error) {
	return call(a, func(open *archive.Archive) (*AnswerResult, error) { return answer.Ask(ctx, open, question, o) })
}

// Bind takes a draft, plain text, in the place of a question: each sentence is
// cited or removed, and what stays is sealed as Ask does.
func (a *Archive) Bind(ctx context.Context, draft string, o AskOptions) (*AnswerResult, error) {
	return call(a, func(open *archive.Archive) (*AnswerResult, error) { return answer.Bind(ctx, open, draft, o) })
}

// Fetch takes the newer snapshots of a remote, given by its name or address,
// once they are verified in quarantine. The error is of kind HistoriesDisagree
// where the remote's history is not a continuation of this one.
func (a *Archive) Fetch(ctx context.Context, remote string, o FetchOptions) (*FetchResult, error) {
	return call(a, func(open *archive.Archive) (*FetchResult, error) { return custody.Fetch(ctx, open, remote, o) })
}

// Push sends the snapshots that a remote, given by its name or address, lacks.
func (a *Archive) Push(ctx context.Context, remote string, t Transfer) (*PushResult, error) {
	return call(a, func(open *archive.Archive) (*PushResult, error) { return custody.Push(ctx, open, remote, t) })
}

// Verify hashes every object again and returns the verdict on the roots, the
// signatures and the history of the archive.
func (a *Archive) Verify(o ArchiveVerifyOptions) (*ArchiveVerdict, error) {
	return call(a, func(open *archive.Archive) (*ArchiveVerdict, error) { return audit.Verify(open, o) })
}

// wrap returns the front door to an open archive.
func wrap(open *archive.Archive, err error) (*Archive, error) {
	if err != nil {
		return nil, err
	}
	return &Archive{open}, nil
}

// call returns what a service gives for the open archive of a, or ErrNotOpen.
func call[T any](a *Archive, service func(*archive.Archive) (T, error)) (T, error) {
	if a == nil || a.open == nil {
		var zero T
		return zero, ErrNotOpen
	}
	return service(a.open)
}

// nobody is the archivist of records and snapshots where a World names none.
const nobody = "Archivist <archivist@archive.invalid>"

// withSystem returns w with the system's clock and randomness, the number and
// host of this process, and nobody in the place of zero fields.
func withSystem(w World) World {
	if w.Now == nil {
		w.Now = time.Now
	}
	if w.Rand == nil {
		w.Rand = rand.Reader
	}
	if w.PID == 0 {
		w.PID = os.Getpid()
	}
	if w.Host == "" {
		w.Host, _ = os.Hostname()
	}
	if w.Author == "" {
		w.Author = nobody
	}
	return w
}
