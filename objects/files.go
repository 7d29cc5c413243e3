package objects

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"muniment/objects/pack"
)

// CheckFiles reads every pack and every pack index whole, and
// compares each file with the checksum it carries. It finds damage that Check
// cannot see, because no tip leads to it or because another copy is sound:
// changed bytes of an unused object, of the head and tail of a pack, or of an
// index. files is the number of files; a pack that an outside repack removes
// meanwhile is not counted. Problems are sorted by
// path, and their State is Failed, or NotChecked when the disk gives an error.
func (s *Store) CheckFiles() (files int, problems []Problem, err error) {
	names, err := packNames(s.packDir())
	if err != nil {
		return 0, nil, err
	}
	look := func(path string, err error) {
		if errors.Is(err, fs.ErrNotExist) {
			return
		}
		files++
		var disk *fs.PathError
		switch {
		case errors.As(err, &disk):
			problems = append(problems, Problem{path, NotChecked, err.Error()})
		case err != nil:
			problems = append(problems, Problem{path, Failed, err.Error()})
		}
	}
	for _, name := range names {
		path := "objects/pack/" + name
		look(path+".idx", pack.CheckIndex(filepath.Join(s.packDir(), name)))
		look(path+".pack", pack.CheckSum(filepath.Join(s.packDir(), name+".pack")))
	}
	slices.SortFunc(problems, func(a, b Problem) int { return strings.Compare(a.Object, b.Object) })
	return files, problems, nil
}
