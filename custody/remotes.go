package custody

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"muniment/archive"
	"muniment/archive/mark"
	"muniment/archive/problem"
	"muniment/custody/remote"
	"muniment/objects"
	"muniment/objects/disk"
	"muniment/snapshot"
	"muniment/text/legible"
)

// A RemoteInfo is a remote of an archive: its name, its address, and the newest snapshot that was verified there.
type RemoteInfo struct {
	Name string `json:"name"`
	URL  string `json:"url"`

	// The newest snapshot that was verified there, its commit, and the time of
	// the visit (RFC 3339). All are zero before the first visit.
	Seq      int64  `json:"seq,omitempty"`
	Snapshot string `json:"snapshot,omitempty"`
	Commit   string `json:"commit,omitempty"`
	Seen     string `json:"seen,omitempty"`

	SHA256 string `json:"sha256,omitempty"` // of the file without this member, in hexadecimal; none in files of earlier versions
}

// remotesDir holds one file per remote in archive.local: its address and the newest snapshot that was verified there.
const remotesDir = "remotes"

// remoteName is the form of a remote's name: it is a file's name too.
var remoteName = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}$`)

// maxRemoteFile bounds a remote's file: an address and four short members.
const maxRemoteFile = 64 << 10

// AddRemote gives an address a name and returns the remote. The address is parsed and not contacted; a path is stored
// as an absolute path. A name that is taken or malformed, and an address of no known form, are errors of kind Usage.
func AddRemote(a *archive.Archive, name, url string) (*RemoteInfo, error) {
	if !remoteName.MatchString(name) {
		return nil, problem.New(problem.Usage, problem.Next(DoListRemotes).With("a name is of lower case letters, digits, dots and dashes"), "remote name %q", legible.Printable(name))
	}
	path, err := a.LocalPath(remotesDir, name)
	if err != nil {
		return nil, err
	}
	if _, err := os.Lstat(path); err == nil {
		return nil, problem.New(problem.Usage, problem.Next(DoRemakeRemote, name).With("or choose another name"), "remote %s exists", name)
	}
	r, err := remote.Open(url, remote.Options{})
	if err != nil {
		return nil, problem.New(problem.Usage, problem.Advise("an address is a path, ssh://host/path, host:path, https://host/path or git://host/path"), "remote %s: %w", name, err)
	}
	info := &RemoteInfo{Name: name, URL: url}
	if r.Path() != "" && !strings.HasPrefix(url, "file://") {
		info.URL = r.Path()
	}
	return info, saveRemote(a.Repository, info)
}

// RemoveRemote deletes the name of a remote and the note of its newest snapshot, and returns what was deleted. The copy
// at the address and the receipts of its visits stay.
func RemoveRemote(a *archive.Archive, name string) (*RemoteInfo, error) {
	info, err := findRemote(a.Repository, name)
	if failure := (*problem.Error)(nil); errors.As(err, &failure) && failure.Kind == problem.Damaged {
		info = &RemoteInfo{Name: name} // a damaged file is removed too: its hint says so
	} else if err != nil {
		return nil, err
	}
	local := filepath.Join(a.Dir(), archive.LocalDir)
	return info, problem.Wrap(errors.Join(os.Remove(filepath.Join(local, remotesDir, info.Name)), mark.Forget(local, remotesDir+"/"+info.Name)), "remote")
}

// Remotes returns the remotes of an archive, sorted by name; none is an empty list.
func Remotes(a *archive.Archive) ([]RemoteInfo, error) { return listRemotes(a.Repository) }

// listRemotes is Remotes; with an error it returns those that were read before it.
func listRemotes(a *archive.Repository) ([]RemoteInfo, error) {
	out := []RemoteInfo{}
	entries, err := os.ReadDir(filepath.Join(a.Dir(), archive.LocalDir, remotesDir))
	if errors.Is(err, os.ErrNotExist) {
		return out, nil
	} else if err != nil {
		return nil, problem.Wrap(err, "remotes")
	}
	for _, e := range entries {
		if !remoteName.MatchString(e.Name()) || strings.HasSuffix(e.Name(), tempSuffix) {
			continue
		}
		info, err := findRemote(a, e.Name())
		if err != nil {
			return out, err
		}
		out = append(out, *info)
	}
	return out, nil
}

// findRemote returns the remote with a name; a name that no remote has is an error of kind NotFound.
func findRemote(a *archive.Repository, name string) (*RemoteInfo, error) {
	path := filepath.Join(a.Dir(), archive.LocalDir, remotesDir, name)
	if !remoteName.MatchString(name) {
		return nil, unknownRemoteError(name)
	}
	data, err := disk.ReadOwnPlain(path, maxRemoteFile)
	if errors.Is(err, os.ErrNotExist) {
		return nil, unknownRemoteError(name)
	}
	if err != nil {
		return nil, problem.Wrap(err, "remote "+name)
	}
	info := &RemoteInfo{}
	if err := json.Unmarshal(data, info); err != nil || info.URL == "" {
		return nil, problem.New(problem.Damaged, problem.Next(DoRemakeRemote, name), "%s is not readable", path)
	}
	if info.SHA256 != "" {
		if sum, err := info.sum(); err != nil || sum != info.SHA256 {
			return nil, problem.Negative(problem.Damaged, problem.Next(DoRemakeRemote, name), "%s does not have the checksum that is kept in it", path)
		}
	}
	info.SHA256 = "" // it is of the file, and no part of what callers see
	// An older version, or another program, may have kept a secret there.
	info.Name, info.URL = name, remote.Redacted(info.URL)
	return info, nil
}

// unknownRemoteError reports that no remote has the name.
func unknownRemoteError(name string) error {
	return problem.New(problem.NotFound, problem.Next(DoListRemotes), "no remote is named %s", legible.Printable(name))
}

// sum returns the checksum of a remote's file.
func (i RemoteInfo) sum() (string, error) {
	i.SHA256 = ""
	data, err := json.Marshal(i)
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), err
}

// saveRemote writes the file of a remote.
func saveRemote(a *archive.Repository, info *RemoteInfo) error {
	path, err := a.LocalPath(remotesDir, info.Name)
	if err != nil {
		return err
	}
	kept := *info
	if kept.SHA256, err = info.sum(); err != nil {
		return problem.Wrap(err, "remote")
	}
	data, err := json.MarshalIndent(kept, "", "  ")
	if err != nil {
		return problem.Wrap(err, "remote")
	}
	return problem.Wrap(replaceFile(path, append(data, '\n')), "remote")
}

// saveNewestSeen stores s as the newest snapshot that was verified at a remote. A
// remote without a name, and a nil snapshot, store nothing.
func saveNewestSeen(a *archive.Repository, info *RemoteInfo, s *snapshot.Snapshot) error {
	if info.Name == "" || s == nil {
		return nil
	}
	info.Seq, info.Snapshot, info.Seen = s.Seq, s.ID.String(), now(a)
	info.Commit = objects.Sum(objects.Commit, s.Content).String()
	return saveRemote(a, info)
}

// now returns the time as remotes and receipts note it: RFC 3339, UTC.
func now(a *archive.Repository) string { return a.World().Now().UTC().Format(time.RFC3339) }

// label returns the name of a remote in messages, or its address.
func (i *RemoteInfo) label() string {
	if i.Name != "" {
		return i.Name
	}
	return legible.Printable(i.URL)
}

// tempSuffix ends the names of files that replaceFile is still writing.
const tempSuffix = ".new"

// replaceFile writes a file that appears under its name whole or not at all.
func replaceFile(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+"*"+tempSuffix)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
