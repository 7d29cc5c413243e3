package objects

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"muniment/objects/disk"
)

// packedRefsFile is the file in which git keeps many refs.
const packedRefsFile = "packed-refs"

// HealSettings writes new files config and HEAD of a repository where they are absent or damaged,
// and makes the folders that git requires. It returns the names of what it wrote; a config that was
// there is kept as config.damaged. It is called before the repository is opened.
func HealSettings(dir string, h Hooks) ([]string, error) {
	d := disk.Disk(h)
	if _, err := os.Stat(filepath.Join(dir, "objects", "pack")); err != nil {
		return nil, nil // no repository, or one that no settings bring back
	}
	var healed []string
	if _, err := os.Stat(filepath.Join(dir, "refs")); errors.Is(err, fs.ErrNotExist) {
		if err := d.MkdirAll(dir, filepath.Join(dir, "refs", "heads")); err != nil {
			return nil, err
		}
		healed = append(healed, "refs")
	}
	config := filepath.Join(dir, "config")
	c, err := readConfig(config)
	if err == nil {
		err = c.checkSupported()
	}
	if err != nil && (errors.Is(err, fs.ErrNotExist) || !unsupportedForm(c)) {
		if err := d.Rename(config, config+".damaged"); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return healed, err
		}
		if err := h.Replace(config, []byte(configText()), 0o644); err != nil {
			return healed, err
		}
		healed = append(healed, "config")
	}
	if data, err := readBounded(filepath.Join(dir, "HEAD"), maxRefFile); errors.Is(err, fs.ErrNotExist) || err == nil && string(data) != headText {
		if err := h.Replace(filepath.Join(dir, "HEAD"), []byte(headText), 0o644); err != nil {
			return healed, err
		}
		healed = append(healed, "HEAD")
	}
	return healed, nil
}

// LacksSettings reports whether what a folder lacks of a repository is what HealSettings writes:
// config, HEAD and the folder of refs, each absent or damaged. It is asked where the repository
// does not open.
func LacksSettings(dir string) bool {
	if _, err := os.Stat(filepath.Join(dir, "objects", "pack")); err != nil {
		return false
	}
	c, err := readConfig(filepath.Join(dir, "config"))
	if err == nil {
		err = c.checkSupported()
	}
	lost := err != nil && !unsupportedForm(c)
	for _, name := range []string{"HEAD", "refs"} {
		_, absent := os.Stat(filepath.Join(dir, name))
		lost = lost || errors.Is(absent, fs.ErrNotExist) && !unsupportedForm(c)
	}
	return lost
}

// unsupportedForm reports whether a config says in so many words that the repository
// has SHA-256 names or refs in tables: then it is no damage.
func unsupportedForm(c config) bool {
	return c["extensions.objectformat"] == "sha256" || c["extensions.refstorage"] == "reftable"
}

// BadRefs returns the refs whose files hold no ref, with what they hold, and the name
// packed-refs where that file cannot be read.
func (s *Store) BadRefs() (map[string]error, error) {
	bad := map[string]error{}
	if _, err := readPackedRefs(s.path(packedRefsFile)); errors.Is(err, ErrCorrupt) {
		bad[packedRefsFile] = err
	} else if err != nil {
		return nil, err
	}
	err := filepath.WalkDir(s.path("refs"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(s.dir, path)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		if checkRefName(name) != nil {
			return nil
		}
		data, err := readBounded(path, maxRefFile)
		if err == nil {
			_, _, err = parseRef(name, data)
		}
		if errors.Is(err, ErrCorrupt) {
			bad[name] = err
			err = nil
		}
		return err
	})
	return bad, err
}

// SetRefAside moves the file of a damaged ref, or packed-refs, into a folder. l is
// the writer lock of this store.
func (s *Store) SetRefAside(l *Lock, name, folder string) error {
	if err := l.check(s); err != nil {
		return err
	}
	if name != packedRefsFile {
		if err := checkRefName(name); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	path := s.path(filepath.FromSlash(name))
	err := s.disk.Rename(path, filepath.Join(folder, strings.ReplaceAll(name, "/", "-")))
	if errors.Is(err, fs.ErrNotExist) {
		return nil // its folder may be absent too
	} else if err != nil {
		return err
	}
	return s.disk.SyncDir(filepath.Dir(path))
}

// Commits calls fn with every commit of the store, packed or loose, whether a ref leads to it or
// not, until fn returns false. What cannot be read is passed over. Of other objects in packs only
// the headers are read.
func (s *Store) Commits(fn func(h Hash, content []byte) bool) error {
	if err := s.rescan(); err != nil {
		return err
	}
	v, err := s.acquire()
	if err != nil {
		return err
	}
	defer s.release(v)
	visit := func(h Hash) bool {
		k, data, err := s.getIn(v, h, nil)
		return err != nil || k != Commit || fn(h, data)
	}
	for _, p := range v.all {
		for pos := range p.Index.Len() {
			if k, err := p.Kind(pos); err == nil && k == Commit && !visit(p.Index.Name(pos)) {
				return nil
			}
		}
	}
	loose, err := looseObjects(s.path("objects"))
	for _, h := range loose {
		if !visit(h) {
			break
		}
	}
	return err
}
