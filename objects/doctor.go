package objects

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"muniment/objects/disk"
	"muniment/objects/object"
	"muniment/objects/pack"
)

// Doctor returns the causes for which a repository may show other content than
// was written, or waste room: grafts, alternates, replace refs, a shallow history,
// packs that do not belong to an index, damaged indexes, files that dead
// processes left, and settings that are not as Init wrote them. It reads no
// object; Check does. The list is sorted by path; nil means that nothing was
// found.
//
// What a living writer does meanwhile is no cause: a finding counts when it is the same
// in several looks, and a temporary file when no process has its lock.
func (s *Store) Doctor() []Problem {
	found := diagnose(s)
	for look := 1; look < doctorLooks && len(found) > 0; look++ {
		time.Sleep(doctorPause)
		again := diagnose(s)
		found = slices.DeleteFunc(found, func(f finding) bool { return !slices.Contains(again, f) })
	}
	var out []Problem
	for _, f := range found {
		if isOwnTemporary(f.Object) && !isAbandoned(s.path(filepath.FromSlash(f.Object))) {
			continue
		}
		if strings.HasSuffix(f.Object, ".lock") && f.isWriters(s) {
			continue
		}
		out = append(out, f.Problem)
	}
	return out
}

// isWriters reports whether the lock file of a ref belongs to the living process that has
// the writer lock of s, or is gone by now.
func (f finding) isWriters(s *Store) bool {
	h, err := s.Holder("")
	if err == nil && h != nil && h.State == OwnerAlive {
		c, _ := parseLock(h.content)
		if slices.ContainsFunc(c.refs, func(r lockedRef) bool { return r.name+".lock" == f.Object }) {
			return true
		}
	}
	now, err := stampOf(s.path(filepath.FromSlash(f.Object)))
	return err != nil || now != f.stamp
}

// A writer renames an index and its pack, and has the lock of a ref, for a few
// milliseconds each.
const (
	doctorLooks = 3
	doctorPause = 40 * time.Millisecond
)

// A finding is a problem with the size and time of its file: the next file of the same
// name is another finding.
type finding struct {
	Problem
	stamp fileStamp
}

// diagnose looks at a store once, and returns the findings sorted by path.
func diagnose(s *Store) []finding {
	d := diagnosis{store: s}
	d.checkSideFiles()
	d.checkPackNames()
	d.checkRefs()
	d.checkSettings()
	var all []finding
	for _, p := range d.found {
		stamp, _ := stampOf(s.path(filepath.FromSlash(p.Object))) // of what is no file it is zero
		all = append(all, finding{p, stamp})
	}
	slices.SortFunc(all, func(a, b finding) int { return strings.Compare(a.Object, b.Object) })
	return all
}

// A diagnosis collects the problems of a store.
type diagnosis struct {
	store *Store
	found []Problem
}

func (d *diagnosis) add(path string, st State, format string, args ...any) {
	d.found = append(d.found, Problem{path, st, fmt.Sprintf(format, args...)})
}

// checkSideFiles reports files that make git read other objects than the store
// has.
func (d *diagnosis) checkSideFiles() {
	for _, f := range []struct{ path, why string }{
		{"info/grafts", "git shows other parents than the commits name"},
		{"objects/info/alternates", "git reads objects from another repository"},
		{"objects/info/http-alternates", "git reads objects from another server"},
		{"info/attributes", "git may change the bytes of files that it checks out"},
		{"shallow", "part of the history is not in this copy"},
		{"commondir", "git reads refs and objects from another repository"},
	} {
		if _, err := os.Lstat(d.store.path(filepath.FromSlash(f.path))); err == nil {
			d.add(f.path, Failed, "%s", f.why)
		} else if !errors.Is(err, fs.ErrNotExist) {
			d.add(f.path, NotChecked, "%v", err)
		}
	}
}

// checkPackNames reports files among the packs that belong to none, and damaged
// indexes.
func (d *diagnosis) checkPackNames() {
	files, err := os.ReadDir(d.store.packDir())
	if err != nil {
		d.add("objects/pack", NotChecked, "%v", err)
		return
	}
	have := map[string]bool{}
	for _, f := range files {
		have[f.Name()] = true
	}
	for _, f := range files {
		name := f.Name()
		path := "objects/pack/" + name
		base, ext := strings.TrimSuffix(name, filepath.Ext(name)), filepath.Ext(name)
		switch {
		case strings.HasPrefix(name, "tmp_"):
			d.add(path, Failed, "half-written file that a dead process left")
		case ext == ".promisor":
			d.add(path, Failed, "a partial clone: objects that git left out are read from a server")
		case ext == ".pack" && !have[base+".idx"]:
			d.add(path, Failed, "pack without an index: its objects are not seen; git index-pack makes one")
		case ext == ".idx" && !have[base+".pack"]:
			d.add(path, Failed, "index without its pack")
		case ext == ".idx":
			if err := pack.CheckIndex(filepath.Join(d.store.packDir(), base)); err != nil {
				d.add(path, Failed, "%v", err)
			}
		}
	}
}

// checkRefs reports refs that lead nowhere or replace objects, an unusual HEAD,
// and lock files of git.
func (d *diagnosis) checkRefs() {
	s := d.store
	refs, err := s.Refs()
	if err != nil {
		d.add("refs", Failed, "%v", err)
	}
	for name, h := range refs {
		if strings.HasPrefix(name, "refs/replace/") {
			d.add(name, Failed, "git shows other content under the name of an object")
		}
		if !s.Has(h) {
			d.add(name, Absent, "it names %s, which is not here", h)
		}
	}
	if data, err := readBounded(s.path("HEAD"), maxRefFile); err != nil {
		d.add("HEAD", NotChecked, "%v", err)
	} else if string(data) != headText {
		d.add("HEAD", Failed, "it holds %q, want %q", object.Clip(string(data)), headText)
	}
	filepath.WalkDir(s.path("refs"), func(path string, f fs.DirEntry, err error) error {
		if err == nil && !f.IsDir() && strings.HasSuffix(path, ".lock") {
			d.addLockFile(path)
		}
		return nil
	})
	for _, name := range []string{"packed-refs.lock", "config.lock", "HEAD.lock", "shallow.lock"} {
		if _, err := os.Lstat(s.path(name)); err == nil {
			d.addLockFile(s.path(name))
		}
	}
}

// addLockFile reports a lock file of git.
func (d *diagnosis) addLockFile(path string) {
	rel, err := filepath.Rel(d.store.dir, path)
	if err != nil {
		rel = path
	}
	d.add(filepath.ToSlash(rel), Failed, "lock file: a git process is at work, or died")
}

// checkSettings reports settings that are not as Init wrote them.
func (d *diagnosis) checkSettings() {
	c, err := readConfig(d.store.path("config"))
	if err != nil {
		d.add("config", NotChecked, "%v", err)
		return
	}
	for _, e := range c.differences() {
		d.add("config", Failed, "%v", e)
	}
	for key := range c {
		if strings.HasPrefix(key, "include.") || strings.HasPrefix(key, "includeif.") {
			d.add("config", NotChecked, "%s takes in settings from another file", object.Clip(key))
		}
	}
}

// Sweep removes the files that dead processes left among the packs: temporary
// files of no open batch, and indexes without a pack. It returns their paths in
// the repository. l is the writer lock of this store: under it no index waits
// for its pack to be renamed.
func (s *Store) Sweep(l *Lock) ([]string, error) {
	if err := l.check(s); err != nil {
		return nil, err
	}
	files, err := os.ReadDir(s.packDir())
	if err != nil {
		return nil, err
	}
	var swept []string
	for _, f := range files {
		path := filepath.Join(s.packDir(), f.Name())
		if !isAbandoned(path) {
			continue
		}
		if err := s.disk.Remove(path); err != nil {
			return swept, err
		}
		swept = append(swept, "objects/pack/"+f.Name())
	}
	return swept, nil
}

// isAbandoned reports whether a file among the packs belongs to no process. Where
// the system has no advisory locks every temporary file counts as in use.
func isAbandoned(path string) bool {
	name := filepath.Base(path)
	if base, ok := strings.CutSuffix(path, ".idx"); ok && strings.HasPrefix(name, "pack-") {
		_, err := os.Stat(base + ".pack")
		return errors.Is(err, fs.ErrNotExist)
	}
	if !isOwnTemporary(name) {
		return false // git's own temporary files are git's to sweep
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	locked, supported := disk.TryLock(f)
	return locked && supported
}

// isOwnTemporary reports whether a path is that of a temporary file of a batch.
func isOwnTemporary(path string) bool {
	name := filepath.Base(path)
	tempPack, _ := filepath.Match(pack.TempPack, name)
	tempIndex, _ := filepath.Match(pack.TempIndex, name)
	return tempPack || tempIndex
}
