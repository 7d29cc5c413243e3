package objects

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"muniment/objects/disk"
)

// An Incoming is what an interrupted batch left.
type Incoming struct {
	Path   string // of the pack, in the repository
	Size   int64
	Change time.Time // when it was written last
}

// Incoming lists what interrupted batches left and no process holds.
func (s *Store) Incoming() ([]Incoming, error) {
	files, err := os.ReadDir(s.path(incomingDir))
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	var out []Incoming
	for _, f := range files {
		path := s.path(incomingDir, f.Name())
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() || held(strings.TrimSuffix(path, journalExt)) {
			continue
		}
		out = append(out, Incoming{incomingDir + "/" + f.Name(), info.Size(), info.ModTime()})
	}
	return out, nil
}

// held reports whether a process may be writing the file.
func held(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return !os.IsNotExist(err)
	}
	defer f.Close()
	got, supported := disk.TryLock(f)
	return !got || !supported
}

// SweepIncoming removes what interrupted batches left and nobody has written
// since before. It returns the paths in the repository.
func (s *Store) SweepIncoming(before time.Time) ([]string, error) {
	list, err := s.Incoming()
	if err != nil {
		return nil, err
	}
	var swept []string
	for _, f := range list {
		if !f.Change.Before(before) {
			continue
		}
		if err := s.disk.Remove(s.path(filepath.FromSlash(f.Path))); err != nil && !os.IsNotExist(err) {
			return swept, err
		}
		swept = append(swept, f.Path)
	}
	return swept, nil
}
