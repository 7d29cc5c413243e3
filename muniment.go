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
	"muniment/archive/inventory"
	"muniment/archive/search"
	"muniment/audit"
	"muniment/custody"
	"muniment/engine"
	"muniment/history"
	"muniment/sign"
)

// What calls take and give, each described where its service is.
type (
	World           = archive.World           // where time, randomness and names come from
	InitOptions     = archive.InitOptions     // of a new archive
	CloneOptions    = custody.CloneOptions    // of a new copy
	CloneResult     = custody.CloneResult     //
	AddOptions      = accession.AddOptions    // of what is taken in
	AddResult       = accession.AddResult     //
	SnapshotOptions = history.SnapshotOptions // of a signature
	SnapshotResult  = archive.SnapshotResult  //
	ConsentOptions  = history.ConsentOptions  // who may see what
	WithdrawOptions = history.WithdrawOptions // what leaves, and why
	ArtifactInfo    = archive.ArtifactInfo    // one artifact of a list
	SearchResult    = search.Result           // passages, with addresses to cite
	Caller          = engine.Caller           // who cites
	CiteOptions     = engine.CiteOptions      // a claim and its quote
	CiteResult      = engine.CiteResult       // the verdict, with a fix
	AskOptions      = answer.AskOptions       // who asks, and where the answer goes
	AnswerResult    = answer.AnswerResult     // claims, evidence, removed topics
	FetchOptions    = custody.FetchOptions    // whom to believe
	FetchResult     = custody.FetchResult     //
	PushResult      = custody.PushResult      //
	Transfer        = custody.Transfer        // keys and limits of a connection
	VerifyOptions   = audit.VerifyOptions     // what a verifier brings
	BundleVerdict   = audit.BundleVerdict     // a line an axis
	ArchiveVerdict  = audit.ArchiveVerdict    //
	Error           = archive.Error           // a failure with a next step
	Signer          = sign.Signer             // a key that signs
)

// ErrNotOpen is the error of a call to the zero Archive.
var ErrNotOpen = errors.New("muniment: the archive is not open: use Init, Open or Clone")

// An Archive is an open archive. Its zero value answers every call with
// ErrNotOpen. It is not for concurrent use.
type Archive struct{ open *archive.Archive }

// Init makes an archive in dir and opens it: see archive.Init.
func Init(dir string, o InitOptions, w World) (*Archive, error) {
	return opened(archive.Init(dir, o, withSystem(w)))
}

// Open opens the archive in dir, which holds archive.git.
func Open(dir string, w World) (*Archive, error) {
	return opened(archive.Open(dir, withSystem(w)))
}

// Clone copies the archive at url into dir, verified from its first snapshot on,
// and does not open it.
func Clone(ctx context.Context, url, dir string, o CloneOptions, w World) (*CloneResult, error) {
	return custody.Clone(ctx, url, dir, o, withSystem(w))
}

// VerifyBundle verifies a bundle by itself, offline: a zip, a folder or a page.
func VerifyBundle(file string, o VerifyOptions) (*BundleVerdict, error) {
	return audit.VerifyBundle(file, o)
}

// Close releases the archive's files.
func (a *Archive) Close() error {
	if a.open == nil {
		return nil
	}
	return a.open.Close()
}

// Add takes in files, folders, packed folders and web addresses for the next
// snapshot.
func (a *Archive) Add(ctx context.Context, paths []string, o AddOptions) (*AddResult, error) {
	return call(a, func(in *archive.Archive) (*AddResult, error) { return accession.Add(ctx, in, paths, o) })
}

// Snapshot signs what is staged, seals the citations that wait for it, and
// publishes the answer logs.
func (a *Archive) Snapshot(o SnapshotOptions) (*SnapshotResult, error) {
	return call(a, func(in *archive.Archive) (*SnapshotResult, error) { return engine.Snapshot(in, o) })
}

// Log lists the snapshots, newest first.
func (a *Archive) Log() ([]SnapshotResult, error) { return call(a, history.Log) }

// List lists the artifacts of the newest tree whose names hold part, all for "".
func (a *Archive) List(part string) ([]ArtifactInfo, error) {
	return call(a, func(in *archive.Archive) ([]ArtifactInfo, error) { return inventory.List(in, part) })
}

// Search finds at most limit passages of the newest snapshot.
func (a *Archive) Search(ctx context.Context, query string, limit int) (*SearchResult, error) {
	return call(a, func(in *archive.Archive) (*SearchResult, error) { return search.Search(ctx, in, query, limit, nil) })
}

// Consent stages who may see what.
func (a *Archive) Consent(o ConsentOptions) (*history.ConsentResult, error) {
	return call(a, func(in *archive.Archive) (*history.ConsentResult, error) { return history.Consent(in, o) })
}

// Withdraw stages that artifacts leave the archive, with reason and authority.
func (a *Archive) Withdraw(o WithdrawOptions) (*history.WithdrawResult, error) {
	return call(a, func(in *archive.Archive) (*history.WithdrawResult, error) { return history.Withdraw(in, o) })
}

// Engine returns the citation engine for a caller: sources, citations, verdicts,
// links, references.
func (a *Archive) Engine(c Caller) (*engine.Engine, error) {
	return call(a, func(in *archive.Archive) (*engine.Engine, error) { return engine.New(in, c) })
}

// Cite registers a claim with its quote for nobody in particular, and says
// whether the words are there: see Engine for callers with a session.
func (a *Archive) Cite(o CiteOptions) (*CiteResult, error) {
	return call(a, func(in *archive.Archive) (*CiteResult, error) { return engine.Cite(in, o) })
}

// Ask answers a question from the newest snapshot with a signed bundle. A
// refusal is a result, not an error.
func (a *Archive) Ask(ctx context.Context, question string, o AskOptions) (*AnswerResult, error) {
	return call(a, func(in *archive.Archive) (*AnswerResult, error) { return answer.Ask(ctx, in, question, o) })
}

// Bind runs a draft through the same pipeline.
func (a *Archive) Bind(ctx context.Context, draft string, o AskOptions) (*AnswerResult, error) {
	return call(a, func(in *archive.Archive) (*AnswerResult, error) { return answer.Bind(ctx, in, draft, o) })
}

// Fetch takes over what a remote, by name or address, has beyond this archive,
// verified in quarantine.
func (a *Archive) Fetch(ctx context.Context, remote string, o FetchOptions) (*FetchResult, error) {
	return call(a, func(in *archive.Archive) (*FetchResult, error) { return custody.Fetch(ctx, in, remote, o) })
}

// Push sends what a remote lacks.
func (a *Archive) Push(ctx context.Context, remote string, t Transfer) (*PushResult, error) {
	return call(a, func(in *archive.Archive) (*PushResult, error) { return custody.Push(ctx, in, remote, t) })
}

// Verify hashes everything again and checks roots, signatures and history.
func (a *Archive) Verify(o audit.ArchiveVerifyOptions) (*ArchiveVerdict, error) {
	return call(a, func(in *archive.Archive) (*ArchiveVerdict, error) { return audit.Verify(in, o) })
}

func opened(in *archive.Archive, err error) (*Archive, error) {
	if err != nil {
		return nil, err
	}
	return &Archive{in}, nil
}

func call[T any](a *Archive, service func(*archive.Archive) (T, error)) (T, error) {
	if a == nil || a.open == nil {
		var zero T
		return zero, ErrNotOpen
	}
	return service(a.open)
}

// withSystem fills what a World leaves out with the system's clock and
// randomness and this process.
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
	return w
}
