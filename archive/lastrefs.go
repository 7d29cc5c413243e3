package archive

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"muniment/objects"
	"muniment/snapshot"
)

// lastRefsFile names the tags, and the refs of co-signatures and logs, that
// were made or taken over here, one `<object> <ref>` in a line: no snapshot
// says which there are, so that one which is gone would show nowhere.
const lastRefsFile = "last-refs"

// RememberRefs remembers the refs that are here. A copy that cannot be written
// remembers nothing.
func (a *Archive) RememberRefs() {
	known, err := a.lastRefs()
	if err != nil {
		return
	}
	refs, err := a.store.Refs()
	if err != nil {
		return
	}
	now := maps.Clone(known)
	for name, h := range refs {
		switch tag := IsTagRef(name); {
		case tag && now[name].IsZero() && a.ReadTag(strings.TrimPrefix(name, RefTags), h).Problem == "":
			now[name] = h
		case !tag && IsMergeable(name):
			now[name] = h
		}
	}
	if maps.Equal(known, now) {
		return
	}
	path, err := a.LocalPath(lastRefsFile)
	if err != nil {
		return
	}
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(now)) {
		fmt.Fprintf(&text, "%s %s\n", now[name], name)
	}
	_ = a.world.Disk.Replace(path, []byte(text.String()), 0o600)
}

// lastRefs reads what was remembered.
func (a *Repository) lastRefs() (map[string]objects.Hash, error) {
	out := map[string]objects.Hash{}
	data, err := os.ReadFile(filepath.Join(a.dir, LocalDir, lastRefsFile))
	if errors.Is(err, os.ErrNotExist) {
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(data)) {
		hex, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		h, err := objects.ParseHash(hex)
		if err != nil || !IsTagRef(name) && !IsMergeable(name) {
			return nil, fmt.Errorf("%s: %q is not an object and a ref", lastRefsFile, line)
		}
		out[name] = h
	}
	return out, nil
}

// FindLostRefs says of each ref that was here why it no longer is what it was, by
// name.
func (a *Repository) FindLostRefs(refs map[string]objects.Hash) (map[string]error, error) {
	known, err := a.lastRefs()
	if err != nil {
		return nil, err
	}
	out := map[string]error{}
	for name, h := range known {
		switch {
		case refs[name].IsZero():
			out[name] = fmt.Errorf("it named %s and is gone; fetch brings it back from a remote, or take its line out of %s/%s if that was meant", h, LocalDir, lastRefsFile)
		case IsTagRef(name) && refs[name] != h:
			out[name] = fmt.Errorf("it named %s and was moved to %s; a tag is never moved", h, refs[name])
		case name == snapshot.RefCosigs:
			if line, err := a.store.Ancestors(refs[name]); err == nil && !line[h] {
				out[name] = fmt.Errorf("it named %s and was cut back to %s; fetch puts it together with that of a remote", h, refs[name])
			}
		}
	}
	return out, nil
}
