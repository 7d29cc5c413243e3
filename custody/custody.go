package custody

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"muniment/archive"
	"muniment/custody/remote"
	"muniment/objects"
	"muniment/snapshot"
)

// remotesDir holds one file per remote in archive.local: its address and the
// newest snapshot that was verified there.
const remotesDir = "remotes"

// remoteName is the form of a remote's name: it is a file's name too.
var remoteName = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}$`)

// A RemoteInfo is a remote of an archive.
type RemoteInfo struct {
	Name string `json:"name"`
	URL  string `json:"url"`

	// The newest snapshot that was verified there, and when it was seen last.
	Seq      int64  `json:"seq,omitempty"`
	Snapshot string `json:"snapshot,omitempty"`
	Commit   string `json:"commit,omitempty"`
	Seen     string `json:"seen,omitempty"`
}

// Transfer says how remotes are reached. The zero value reaches them as git
// does.
type Transfer struct {
	Stall    time.Duration         // how long a remote may be silent; 2 minutes when zero
	Ask      bool                  // credential helpers may ask the person at the terminal
	Progress func(done, total int) // objects or items of the step under way; total 0 is unknown

	// AcceptTrust is the digest of the archive's trust that a person accepts to
	// push on, where a fetch has changed it: see archive.Repository.TrustDigest.
	AcceptTrust string
}

func (t Transfer) tell(done, total int) {
	if t.Progress != nil {
		t.Progress(done, total)
	}
}

// AddRemote gives an address a name. Nothing is connected. A path is kept as
// an absolute one.
func AddRemote(a *archive.Archive, name, url string) (*RemoteInfo, error) {
	if !remoteName.MatchString(name) {
		return nil, archive.Problem(archive.TypeUsage, archive.Advise("a name is of lower case letters, digits, dots and dashes: muniment remote add museum URL"), "remote name %q", archive.Printable(name))
	}
	path, err := a.LocalPath(remotesDir, name)
	if err != nil {
		return nil, err
	}
	if _, err := os.Lstat(path); err == nil {
		return nil, archive.Problem(archive.TypeUsage, archive.Advise("muniment remote remove "+name+" first, or choose another name"), "remote %s exists", name)
	}
	r, err := remote.Open(url, remote.Options{})
	if err != nil {
		return nil, archive.Problem(archive.TypeUsage, archive.Advise("an address is a path, ssh://host/path, host:path, https://host/path or git://host/path"), "remote %s: %w", name, err)
	}
	info := &RemoteInfo{Name: name, URL: url}
	if r.Path() != "" && !strings.HasPrefix(url, "file://") {
		info.URL = r.Path()
	}
	return info, saveRemote(a.Repository, info)
}

// RemoveRemote forgets a remote and what was seen there. The copy there stays,
// and so do its receipts.
func RemoveRemote(a *archive.Archive, name string) (*RemoteInfo, error) {
	info, err := findRemote(a.Repository, name)
	if err != nil {
		return nil, err
	}
	return info, archive.Environment(os.Remove(filepath.Join(a.Dir(), archive.LocalDir, remotesDir, info.Name)), "remote")
}

// Remotes lists the remotes by name.
func Remotes(a *archive.Archive) ([]RemoteInfo, error) {
	out := []RemoteInfo{}
	entries, err := os.ReadDir(filepath.Join(a.Dir(), archive.LocalDir, remotesDir))
	if errors.Is(err, os.ErrNotExist) {
		return out, nil
	} else if err != nil {
		return nil, archive.Environment(err, "remotes")
	}
	for _, e := range entries {
		if !remoteName.MatchString(e.Name()) || strings.HasSuffix(e.Name(), newSuffix) {
			continue
		}
		info, err := findRemote(a.Repository, e.Name())
		if err != nil {
			return nil, err
		}
		out = append(out, *info)
	}
	return out, nil
}

// maxRemoteFile bounds a remote's file: an address and four short members.
const maxRemoteFile = 64 << 10

func findRemote(a *archive.Repository, name string) (*RemoteInfo, error) {
	path := filepath.Join(a.Dir(), archive.LocalDir, remotesDir, name)
	if !remoteName.MatchString(name) {
		return nil, noRemote(name)
	}
	st, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, noRemote(name)
	}
	var data []byte
	if err == nil && st.Size() <= maxRemoteFile {
		data, err = os.ReadFile(path)
	}
	if err != nil {
		return nil, archive.Environment(err, "remote "+name)
	}
	info := &RemoteInfo{}
	if err := json.Unmarshal(data, info); err != nil || info.URL == "" {
		return nil, archive.Problem(archive.TypeDamaged, archive.Advise("muniment remote remove "+name+", then add it again"), "%s is not readable", path)
	}
	info.Name = name
	return info, nil
}

func noRemote(name string) error {
	return archive.Problem(archive.TypeNotFound, archive.Advise("muniment remote list shows them; muniment remote add NAME URL makes one"), "no remote is named %s", archive.Printable(name))
}

const newSuffix = ".new"

func saveRemote(a *archive.Repository, info *RemoteInfo) error {
	path, err := a.LocalPath(remotesDir, info.Name)
	if err != nil {
		return err
	}
	data, err := json.MarshalIndent(info, "", "  ")
	if err != nil {
		return archive.Environment(err, "remote")
	}
	return archive.Environment(replaceFile(path, append(data, '\n')), "remote")
}

// replaceFile writes a file under its name whole or not at all.
func replaceFile(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+"*"+newSuffix)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// connect opens a remote by its name or, where that is none, by its address.
func connect(a *archive.Repository, ref string, t Transfer) (*RemoteInfo, *remote.Remote, error) {
	info, err := findRemote(a, ref)
	if err != nil && strings.ContainsAny(ref, "/:") {
		info, err = &RemoteInfo{URL: ref}, nil
	}
	if err != nil {
		return nil, nil, err
	}
	r, err := openRemote(info.URL, t)
	return info, r, err
}

func openRemote(url string, t Transfer) (*remote.Remote, error) {
	r, err := remote.Open(url, remote.Options{Stall: t.Stall, Ask: t.Ask})
	if err != nil {
		return nil, archive.Problem(archive.TypeUsage, archive.Advise("an address is a path, ssh://host/path, host:path, https://host/path or git://host/path"), "%w", err)
	}
	return r, nil
}

// noteRemote remembers the newest snapshot that was verified at a remote.
func noteRemote(a *archive.Repository, info *RemoteInfo, s *snapshot.Snapshot) error {
	if info.Name == "" || s == nil {
		return nil
	}
	info.Seq, info.Snapshot, info.Seen = s.Seq, s.ID.String(), now(a)
	info.Commit = objects.Sum(objects.Commit, s.Content).String()
	return saveRemote(a, info)
}

func now(a *archive.Repository) string { return a.World().Now().UTC().Format(time.RFC3339) }

// label names a remote in messages.
func (i *RemoteInfo) label() string {
	if i.Name != "" {
		return i.Name
	}
	return archive.Printable(i.URL)
}

// unreachable is the error of a remote that did not do its part.
func unreachable(info *RemoteInfo, err error) error {
	var told *archive.Error
	if err == nil || errors.As(err, &told) {
		return err
	}
	hint := "check the address and the network; what was done before is kept, and the same command goes on from there"
	var outcome archive.Outcome
	switch {
	case errors.Is(err, remote.ErrNoRepository):
		hint = "make one there with git init --bare -b main PATH, or correct the address"
	case errors.Is(err, remote.ErrFile):
		hint, outcome = "a git bundle becomes one with git clone --mirror FILE DIR.git; give DIR.git", archive.Misused
	case errors.Is(err, remote.ErrFormat):
		hint, outcome = "make one there with git init --bare -b main --object-format=sha1 PATH", archive.Misused
	case errors.Is(err, remote.ErrHostKey):
		hint = "connect once with ssh and compare the host's fingerprint; its line then stands in ~/.ssh/known_hosts"
	case errors.Is(err, remote.ErrAuth):
		hint = "ssh: ssh-add your key, or name it in ~/.ssh/config; https: let a git credential helper or ~/.netrc know the password"
	case errors.Is(err, remote.ErrRefused):
		hint, outcome = "another push may have come first: muniment fetch shows what is there now", archive.Found
	}
	message := archive.OneLine(err)
	if label := info.label(); !strings.HasPrefix(message, label+": ") {
		message = label + ": " + message
	}
	return &archive.Error{Kind: archive.TypeRemote, Outcome: outcome, Message: message, Next: archive.Advise(hint), Err: err}
}

// haves picks the commits that a remote is told we hold: the newest ones, then
// every second, fourth … back to the first.
func haves(history []*snapshot.Snapshot) []objects.Hash {
	var out []objects.Hash
	for i, step := 0, 1; i < len(history); i += step {
		out = append(out, objects.Sum(objects.Commit, history[i].Content))
		if len(out) >= nearHaves {
			step *= 2
		}
	}
	if n := len(history); n > 0 {
		out = append(out, objects.Sum(objects.Commit, history[n-1].Content))
	}
	slices.SortFunc(out, func(a, b objects.Hash) int { return slices.Compare(a[:], b[:]) })
	return slices.Compact(out)
}

// nearHaves is how many of the newest snapshots are named one by one: a remote
// that is behind is rarely further.
const nearHaves = 16
