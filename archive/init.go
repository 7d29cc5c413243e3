package archive

import (
	"cmp"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"muniment/archive/problem"
	"muniment/objects"
	"muniment/objects/disk"
	"muniment/policy"
	"muniment/sign"
	"muniment/snapshot/access"
	"muniment/snapshot/layout"
	"muniment/snapshot/record"
	"muniment/text/legible"
)

// InitOptions describe a new archive. The zero value gives an open archive of
// nobody in particular.
type InitOptions struct {
	Name        string   // of the archive; the folder's name when empty
	Subject     string   // the person whose papers these are
	Aliases     []string // other names of that person
	Born, Died  string   // in EDTF, or empty
	CoversFrom  string   // in EDTF, or empty
	CoversTo    string   // in EDTF, or empty: the newest dated artifact
	Consent     string   // open (default) or closed
	ThirdParty  string   // open, listed (default) or strict
	NoAuditor   bool     // do not make the archivist's own auditor identity
	AuditorName string   // scope of that identity; "audit" when empty
}

// Init makes an archive in dir: dir/archive.git and dir/archive.local. The
// first files (archive.json, policy) are staged for the first snapshot. A dir
// that already holds an archive is refused; an interrupted Init leaves none.
func Init(dir string, o InitOptions, w World) (*Archive, error) {
	w = w.orReal()
	if dir == "" {
		return nil, problem.New(problem.Usage, problem.Next(problem.DoInit), "an archive needs a folder, and its name is empty")
	}
	store := filepath.Join(dir, StoreDir)
	if _, err := os.Lstat(store); err == nil {
		return nil, problem.New(problem.ArchiveExists, problem.Next(problem.DoLookInto, dir).With("choose another folder for a new one"),
			"%s is already an archive", dir)
	}
	if err := makeDir(dir, w.Disk); err != nil {
		return nil, problem.New(problem.Environment, problem.Advise("choose a folder that can be made and written"), "init %s: %s", dir, legible.Reason(err))
	}
	if o.Name == "" {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return nil, problem.Wrap(err, "init")
		}
		o.Name = filepath.Base(abs)
	}
	building, err := w.Disk.MkdirTemp(dir, ".muniment-init-*")
	if err != nil {
		return nil, problem.New(problem.Environment, problem.Advise("choose a folder that can be written"), "init %s: %s", dir, legible.Reason(err))
	}
	defer os.RemoveAll(building)
	local := filepath.Join(building, LocalDir)
	if err := errors.Join(w.Disk.Mkdir(building, local), os.Chmod(local, 0o700), w.Disk.Replace(filepath.Join(local, initMark), nil, 0o600)); err != nil {
		return nil, problem.Wrap(err, "init")
	}
	if err := initStore(filepath.Join(building, StoreDir), local, o, w); err != nil {
		return nil, err
	}
	localDir := filepath.Join(dir, LocalDir)
	if _, err := os.Lstat(filepath.Join(localDir, initMark)); err == nil {
		if err := os.RemoveAll(localDir); err != nil {
			return nil, problem.Wrap(err, "init")
		}
	}
	if _, err := os.Lstat(localDir); err == nil {
		return nil, problem.New(problem.ArchiveExists, problem.Advise("it may hold the ledger and the answer log of an archive whose "+StoreDir+" is missing; restore that or move it away"),
			"%s is there without %s", localDir, StoreDir)
	}
	if err := w.Disk.Rename(local, localDir); err != nil {
		return nil, problem.Wrap(err, "init")
	}
	if err := w.Disk.Rename(filepath.Join(building, StoreDir), store); err != nil {
		return nil, problem.Wrap(err, "init")
	}
	if err := w.Disk.Remove(filepath.Join(localDir, initMark)); err != nil {
		return nil, problem.Wrap(err, "init")
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
		return problem.Wrap(err, "init")
	}
	defer st.Close()
	seed := make([]byte, 32)
	if _, err := io.ReadFull(w.Rand, seed); err != nil {
		return problem.Wrap(err, "init")
	}
	info := record.Archive{FormatVersion: 1, Name: o.Name, Random: hex.EncodeToString(seed), ObjectFormat: "sha1"}
	encoded, err := info.Encode()
	if err != nil {
		return problem.New(problem.Usage, problem.Next(problem.DoGive, "name", "NAME").With("choose a shorter name of ordinary characters"), "archive name: %w", err)
	}
	files, err := policy.DefaultFiles(policy.Defaults{
		Consent:      o.Consent,
		ThirdParties: o.ThirdParty,
		Subject: access.Subject{Name: o.Subject, Aliases: o.Aliases, Born: o.Born, Died: o.Died,
			CoversFrom: o.CoversFrom, CoversTo: o.CoversTo},
	})
	if err != nil {
		return problem.New(problem.Usage, problem.Next(problem.DoReadOptions, "init").With("dates are EDTF, as 1901-03-04, 1901-03, 1901~ or 1880/1890; consent is open or closed"), "%w", err)
	}
	files[layout.PathArchive] = encoded
	files[layout.PathReadme] = []byte(layout.Readme)
	files[layout.PathAttributes] = []byte(layout.Attributes)
	if !o.NoAuditor {
		scope := o.AuditorName
		scope = cmp.Or(scope, DefaultScope)
		identity, recipient, err := sign.NewIdentity()
		if err != nil {
			return problem.Wrap(err, "init")
		}
		if err := w.Disk.Replace(filepath.Join(local, IdentityFile), identity, 0o600); err != nil {
			return problem.Wrap(err, "init")
		}
		auditors := access.Auditors{Scopes: []access.Scope{{Name: scope, Recipients: []string{recipient}, Default: true}}}
		if files[layout.PathAuditors], err = auditors.Encode(); err != nil {
			return problem.New(problem.Usage, problem.Advise("a scope is a short lower case word"), "auditor scope: %w", err)
		}
	}
	lock, err := st.Lock(Owner(w), LockWait)
	if err != nil {
		return problem.Wrap(err, "init")
	}
	defer lock.Unlock()
	b, err := st.NewBatch()
	if err != nil {
		return problem.Wrap(err, "init")
	}
	defer b.Abort()
	edits, err := putFiles(b, files)
	if err != nil {
		return err
	}
	return StageEdits(b, lock, w, objects.Hash{}, objects.Hash{}, objects.Hash{}, edits)
}

// DefaultScope is the auditor scope that Init makes.
const DefaultScope = "audit"

// IdentityFile is the archivist's own auditor identity in archive.local.
const IdentityFile = "audit.key"

// CheckIdentity returns an error where the archivist's own auditor identity cannot be
// read as one, so that nothing is sealed to an identity that nobody could open. A copy
// without an identity is no error.
func (a *Repository) CheckIdentity() error {
	data, err := disk.ReadOwnPlain(a.local(IdentityFile), sign.MaxIdentities)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return problem.Wrap(err, "auditor identity")
	}
	who, err := sign.Recipients(data)
	if err == nil && len(who) == 0 {
		err = errors.New("it holds no identity")
	}
	for line := range strings.Lines(string(data)) {
		if said, ok := strings.CutPrefix(line, "# public key: "); ok && err == nil && !slices.Contains(who, strings.TrimSpace(said)) {
			err = errors.New("its public key is not that of its identity")
		}
	}
	if err == nil {
		return nil
	}
	return problem.New(problem.Damaged, problem.Advise("put "+LocalDir+"/"+IdentityFile+" back from a backup; without one, move it away and make another identity"),
		"the auditor identity %s/%s is damaged, and what is sealed to it could not be opened: %w", LocalDir, IdentityFile, err)
}
