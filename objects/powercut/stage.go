package powercut

import (
	"os"
	"path/filepath"
	"slices"
	"time"
)

// A Stage is a folder that takes on one state after another. Between two of
// them only the files that differ are written.
type Stage struct {
	dir   string
	files map[string][32]byte
	dirs  map[string]bool
}

// NewStage begins with the folder dir, which must be empty.
func NewStage(dir string) *Stage {
	return &Stage{dir: dir, files: map[string][32]byte{}, dirs: map[string]bool{}}
}

// Age dates every file back to 1 January 1980, as a machine finds them that
// was started again after the cut.
func (g *Stage) Age() error {
	old := time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)
	for name := range g.files {
		if err := os.Chtimes(filepath.Join(g.dir, filepath.FromSlash(name)), old, old); err != nil {
			return err
		}
	}
	return nil
}

// Reset empties the folder: before the next Show, when what was shown has been
// changed.
func (g *Stage) Reset() error {
	names, err := os.ReadDir(g.dir)
	for _, n := range names {
		if e := os.RemoveAll(filepath.Join(g.dir, n.Name())); err == nil {
			err = e
		}
	}
	clear(g.files)
	clear(g.dirs)
	return err
}

// Show makes the folder hold a state and nothing else, given that nobody else
// has changed it since the last one.
func (g *Stage) Show(s State) error {
	at := func(name string) string { return filepath.Join(g.dir, filepath.FromSlash(name)) }
	for name, sum := range g.files {
		if c, ok := s.Files[name]; !ok || c.sum != sum {
			if err := os.Remove(at(name)); err != nil {
				return err
			}
			delete(g.files, name)
		}
	}
	var dirs []string
	for d := range g.dirs {
		if !s.Dirs[d] {
			dirs = append(dirs, d)
		}
	}
	slices.Sort(dirs)
	for _, d := range slices.Backward(dirs) { // the inner ones first
		if err := os.Remove(at(d)); err != nil {
			return err
		}
		delete(g.dirs, d)
	}
	for d := range s.Dirs {
		if !g.dirs[d] {
			if err := os.MkdirAll(at(d), 0o777); err != nil {
				return err
			}
			g.dirs[d] = true
		}
	}
	for name, c := range s.Files {
		if _, there := g.files[name]; there {
			continue
		}
		if err := os.WriteFile(at(name), c.data, 0o644); err != nil {
			return err
		}
		g.files[name] = c.sum
	}
	return nil
}
