package archive

import (
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"muniment/answer/model"
	"muniment/answer/policy"
	"muniment/canon/forms"
	"muniment/canon/read"
	"muniment/cid"
	"muniment/ledger"
	"muniment/objects"
	"muniment/sign"
	"muniment/snapshot/record"
)

// Names inside an archive's folder.
const (
	StoreDir = "archive.git"   // the git repository that travels
	LocalDir = "archive.local" // what stays: ledger, index, log, bundles, identity
)

// Git references of an archive.
const (
	RefMain   = "refs/heads/main"
	RefStaged = "refs/muniment/staged"
)

// LockWait is how long a writer waits for another one before it gives up: long
// enough for a neighbour's publish, short enough for a person.
const LockWait = 3 * time.Second

// A World is where time, randomness and the process's name come from.
type World struct {
	Now  func() time.Time
	Rand io.Reader
	PID  int
	Host string
	// Author is the archivist that snapshots and records name, "Name <email>".
	Author string

	Disk objects.Hooks // the disk; tests make it fail, or record what is written

	// LedgerURL is the address of a PostgreSQL database that keeps the ledger;
	// "" keeps it in the archive's folder.
	LedgerURL string
	// Sleep waits, so that the time of a refusal does not tell its reason; nil
	// does not wait.
	Sleep func(time.Duration)
	// Judge is asked whether cited words entail their claim; nil asks nobody.
	Judge *Judge
	// Embedder gives texts vectors, so that searches also find what means the
	// same in other words; nil searches by words alone.
	Embedder *Embedder
}

// An Archive is an open archive. Close it.
type Archive struct {
	*Repository
	info *record.Archive
	id   cid.ID

	readers *read.Registry
	ledger  *ledger.Ledger // opened at first use
	cached  *Catalog       // of the newest tree that was asked for
}

// InitOptions describe a new archive. The zero value gives an open archive of
// nobody in particular.
type InitOptions struct {
	Name        string   // of the archive; the folder's name when empty
	Subject     string   // the person whose papers these are
	Aliases     []string // other names of that person
	Born, Died  string   // YYYY-MM-DD, or empty
	CoversFrom  string   // YYYY-MM-DD, or empty
	CoversTo    string   // YYYY-MM-DD, or empty: the newest dated artifact
	Consent     string   // open (default) or closed
	ThirdParty  string   // open, listed (default) or strict
	NoAuditor   bool     // do not make the archivist's own auditor identity
	AuditorName string   // scope of that identity; "audit" when empty
}

// Init makes an archive in dir: dir/archive.git and dir/archive.local. The
// first files (archive.json, policy) are staged for the first snapshot. A dir
// that already holds an archive is refused; an interrupted Init leaves none.
func Init(dir string, o InitOptions, w World) (*Archive, error) {
	if dir == "" {
		return nil, Problem(TypeUsage, Next(DoInit), "an archive needs a folder, and its name is empty")
	}
	store := filepath.Join(dir, StoreDir)
	if _, err := os.Lstat(store); err == nil {
		return nil, Problem(TypeArchiveExists, Next(DoLookInto, dir).With("choose another folder for a new one"),
			"%s is already an archive", dir)
	}
	if err := makeDir(dir, w.Disk); err != nil {
		return nil, Problem(TypeEnvironment, Advise("choose a folder that can be made and written"), "init %s: %s", dir, Reason(err))
	}
	if o.Name == "" {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return nil, Environment(err, "init")
		}
		o.Name = filepath.Base(abs)
	}
	building, err := w.Disk.MkdirTemp(dir, ".muniment-init-*")
	if err != nil {
		return nil, Problem(TypeEnvironment, Advise("choose a folder that can be written"), "init %s: %s", dir, Reason(err))
	}
	defer os.RemoveAll(building)
	local := filepath.Join(building, LocalDir)
	if err := errors.Join(w.Disk.Mkdir(building, local), os.Chmod(local, 0o700), w.Disk.Replace(filepath.Join(local, initMark), nil, 0o600)); err != nil {
		return nil, Environment(err, "init")
	}
	if err := initStore(filepath.Join(building, StoreDir), local, o, w); err != nil {
		return nil, err
	}
	localDir := filepath.Join(dir, LocalDir)
	if _, err := os.Lstat(filepath.Join(localDir, initMark)); err == nil {
		if err := os.RemoveAll(localDir); err != nil {
			return nil, Environment(err, "init")
		}
	}
	if _, err := os.Lstat(localDir); err == nil {
		return nil, Problem(TypeArchiveExists, Advise("it may hold the ledger and the answer log of an archive whose "+StoreDir+" is missing; restore that or move it away"),
			"%s is there without %s", localDir, StoreDir)
	}
	if err := w.Disk.Rename(local, localDir); err != nil {
		return nil, Environment(err, "init")
	}
	if err := w.Disk.Rename(filepath.Join(building, StoreDir), store); err != nil {
		return nil, Environment(err, "init")
	}
	if err := w.Disk.Remove(filepath.Join(localDir, initMark)); err != nil {
		return nil, Environment(err, "init")
	}
	return Open(dir, w)
}

// initMark marks, in the local folder, an Init that is not over: while there
// is no store beside it, the next Init may begin again.
const initMark = "init-not-finished"

// makeDir makes the folder of an archive so that it lasts.
func makeDir(dir string, disk objects.Hooks) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
		return err
	}
	return disk.Mkdir(filepath.Dir(dir), dir)
}

// initStore makes the repository and stages its first files.
func initStore(dir, local string, o InitOptions, w World) error {
	st, err := objects.InitWith(dir, w.Disk)
	if err != nil {
		return Environment(err, "init")
	}
	defer st.Close()
	seed := make([]byte, 32)
	if _, err := io.ReadFull(w.Rand, seed); err != nil {
		return Environment(err, "init")
	}
	info := record.Archive{FormatVersion: 1, Name: o.Name, Random: hex.EncodeToString(seed), ObjectFormat: "sha1"}
	encoded, err := info.Encode()
	if err != nil {
		return Problem(TypeUsage, Next(DoNameArchive), "archive name: %w", err)
	}
	files, err := policy.DefaultFiles(policy.Defaults{
		Consent:      o.Consent,
		ThirdParties: o.ThirdParty,
		Subject: record.Subject{Name: o.Subject, Aliases: o.Aliases, Born: o.Born, Died: o.Died,
			CoversFrom: o.CoversFrom, CoversTo: o.CoversTo},
	})
	if err != nil {
		return Problem(TypeUsage, Next(DoReadInitOptions), "%w", err)
	}
	files[record.PathArchive] = encoded
	files[record.PathReadme] = []byte(record.Readme)
	files[record.PathAttributes] = []byte(record.Attributes)
	if !o.NoAuditor {
		scope := o.AuditorName
		if scope == "" {
			scope = DefaultScope
		}
		identity, recipient, err := sign.NewIdentity()
		if err != nil {
			return Environment(err, "init")
		}
		if err := w.Disk.Replace(filepath.Join(local, IdentityFile), identity, 0o600); err != nil {
			return Environment(err, "init")
		}
		auditors := record.Auditors{Scopes: []record.Scope{{Name: scope, Recipients: []string{recipient}, Default: true}}}
		if files[record.PathAuditors], err = auditors.Encode(); err != nil {
			return Problem(TypeUsage, Advise("a scope is a short lower case word"), "auditor scope: %w", err)
		}
	}
	lock, err := st.Lock(Owner(w), LockWait)
	if err != nil {
		return Environment(err, "init")
	}
	defer lock.Unlock()
	b, err := st.NewBatch()
	if err != nil {
		return Environment(err, "init")
	}
	defer b.Abort()
	return stage(b, lock, w, objects.Hash{}, objects.Hash{}, objects.Hash{}, files)
}

// OpenStore opens the repository of the archive in dir.
func OpenStore(dir string, disk objects.Hooks) (*objects.Store, error) {
	st, err := objects.OpenWith(filepath.Join(dir, StoreDir), disk)
	if errors.Is(err, objects.ErrNoStore) || errors.Is(err, os.ErrNotExist) {
		next := Next(DoFindArchive)
		if filepath.Base(dir) == StoreDir {
			next = Next(DoOpenFolder, filepath.Dir(dir))
		}
		why := StoreDir + " is not there"
		if _, there := os.Lstat(filepath.Join(dir, StoreDir)); there == nil {
			why = strings.TrimSuffix(err.Error(), ": "+objects.ErrNoStore.Error())
			next = Next(DoClone).With("an archive is a bare git repository with SHA-1 names and refs in files")
		}
		return nil, Problem(TypeNoArchive, next, "no archive in %s: %s", dir, why)
	}
	return st, Environment(err, "open "+dir)
}

// Open opens the archive in dir, which holds archive.git.
func Open(dir string, w World) (*Archive, error) {
	st, err := OpenStore(dir, w.Disk)
	if err != nil {
		return nil, err
	}
	a := &Archive{Repository: NewRepository(dir, st, w), readers: forms.Registry()}
	tree, err := a.NewestTree()
	if err == nil {
		err = a.readInfo(tree)
	}
	if err != nil {
		st.Close()
		return nil, err
	}
	return a, nil
}

// Close releases the archive's files.
func (a *Archive) Close() error {
	if a.ledger != nil {
		if err := a.ledger.Close(); err != nil {
			return err
		}
	}
	return a.store.Close()
}

// Info returns archive.json.
func (a *Archive) Info() *record.Archive { return a.info }

// Readers returns the readers of the forms that a file may have.
func (a *Archive) Readers() *read.Registry { return a.readers }

// ID returns the archive's id, the CID of archive.json.
func (a *Archive) ID() cid.ID { return a.id }

// Name returns the archive's name.
func (a *Archive) Name() string { return a.info.Name }

// Ledger opens the ledger once.
func (a *Archive) Ledger() (*ledger.Ledger, error) {
	if a.ledger != nil {
		return a.ledger, nil
	}
	var l *ledger.Ledger
	if a.world.LedgerURL != "" {
		// Archives that share a database without saying so stay apart.
		var err error
		if l, err = ledger.OpenPostgres(a.world.LedgerURL, "muniment_"+a.id.Hex()[:16]); err != nil {
			var away *ledger.UnavailableError
			var newer *ledger.NewerSchemaError
			if !errors.As(err, &away) && !errors.As(err, &newer) {
				return nil, Problem(TypeDatabase, Advise("CITATION_DB_URL wants postgres://USER@HOST/DATABASE; without it the ledger is a file in the archive's folder"), "%w", err)
			}
			return nil, Environment(err, "ledger")
		}
	} else {
		path, err := a.LocalPath("ledger.db")
		if err != nil {
			return nil, err
		}
		if l, err = ledger.Open(path); err != nil {
			return nil, Environment(err, "ledger")
		}
	}
	a.ledger = l
	return l, nil
}

// ExistingLedger is openLedger for readers: a copy of the archive without a ledger
// has none, and none is made, so that a copy on a read-only disk can be read.
func (a *Archive) ExistingLedger() (*ledger.Ledger, error) {
	if _, err := os.Lstat(filepath.Join(a.dir, LocalDir, "ledger.db")); a.ledger == nil && a.world.LedgerURL == "" && errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return a.Ledger()
}

// readInfo reads archive.json from tree.
func (a *Archive) readInfo(tree objects.Hash) error {
	data, err := a.File(tree, record.PathArchive)
	if err != nil {
		return err
	}
	if data == nil {
		return Problem(TypeDamaged, Next(DoDoctor).With("or restore "+StoreDir+" from a good copy"),
			"%s holds no %s", filepath.Join(a.dir, StoreDir), record.PathArchive)
	}
	info, err := record.ParseArchive(data)
	if err != nil {
		return Problem(TypeDamaged, Next(DoListDamage), "%s: %w", record.PathArchive, err)
	}
	a.info, a.id = info, cid.OfJSON(data)
	return nil
}

// A Judge is the endpoint of a language model that judges whether cited words
// entail their claim: URL, Model, Key, Timeout.
type Judge = model.Client

// An Embedder is an endpoint that embeds texts: see package answer/model.
type Embedder = model.Client

// DefaultScope is the auditor scope that Init makes.
const DefaultScope = "audit"

// IdentityFile is the archivist's own auditor identity in archive.local.
const IdentityFile = "audit.key"
