package custody

import (
	"path/filepath"

	"muniment/archive"
	"muniment/archive/journal"
	"muniment/archive/problem"
)

// mendLists keeps the damaged lists of this copy in the folder of the repair, and their sound lines where they were.
func (s *repairSession) mendLists() error {
	folder, err := s.damagedFolder()
	if err != nil {
		return err
	}
	hooks := s.World().Disk
	for _, name := range []string{receiptsFile, archive.FixityFile, archive.OpeningsFile, archive.SentFile} {
		path, err := s.LocalPath(name)
		if err != nil {
			return err
		}
		mended, aside := false, filepath.Join(folder, name)
		switch name {
		case receiptsFile:
			mended, err = journal.MendList(path, hooks, aside, isReceiptLine)
		case archive.FixityFile:
			mended, err = journal.MendList(path, hooks, aside, archive.IsFixityLine)
		default:
			mended, err = journal.MendList[map[string]any](path, hooks, aside, nil)
		}
		if err != nil {
			return problem.Wrap(err, name)
		}
		if mended {
			s.result.Settings, s.result.Folder = append(s.result.Settings, name), folder
		}
	}
	return nil
}
