package objects

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"muniment/objects/disk"
)

// An IncomingFile is a pack or journal of an interrupted batch.
type IncomingFile struct {
	Path     string // in the repository
	Size     int64
	Modified time.Time // when it was written last
}

// IncomingFiles lists the files of interrupted batches that no process is
// writing.
func (s *Store) IncomingFiles() ([]IncomingFile, error) {
	files, err := os.ReadDir(s.path(incomingDir))
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	var out []IncomingFile
	for _, f := range files {
		path := s.path(incomingDir, f.Name())
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() || inUse(strings.TrimSuffix(path, journalExt)) {
			continue
		}
		out = append(out, IncomingFile{incomingDir + "/" + f.Name(), info.Size(), info.ModTime()})
	}
	return out, nil
}

// inUse reports whether a process may be writing the file.
func inUse(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return !os.IsNotExist(err)
	}
	defer f.Close()
	locked, supported := disk.TryLock(f)
	return !locked || !supported
}

// SweepIncoming removes the files of interrupted batches that were last written
// before a time. It returns their paths in the repository.
func (s *Store) SweepIncoming(before time.Time) ([]string, error) {
	list, err := s.IncomingFiles()
	if err != nil {
		return nil, err
	}
	var swept []string
	for _, f := range list {
		if !f.Modified.Before(before) {
			continue
		}
		if err := s.disk.Remove(s.path(filepath.FromSlash(f.Path))); err != nil && !os.IsNotExist(err) {
			return swept, err
		}
		swept = append(swept, f.Path)
	}
	return swept, nil
}
