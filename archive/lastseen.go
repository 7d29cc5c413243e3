package archive

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"muniment/objects"
	"muniment/snapshot"
)

// lastSeenFile names the newest snapshot that was made or asked here, so that a
// history that was cut back, or replaced by another, is noticed.
const lastSeenFile = "last-snapshot"

// RememberSnapshot remembers the newest snapshot. A copy that cannot be written
// remembers nothing.
func (a *Repository) RememberSnapshot(s *snapshot.Snapshot) {
	path, err := a.LocalPath(lastSeenFile)
	if err != nil {
		return
	}
	line := fmt.Sprintf("%d %s\n", s.Seq, s.ID)
	if old, err := os.ReadFile(path); err == nil && string(old) == line {
		return
	}
	_ = a.world.Disk.Replace(path, []byte(line), 0o600)
}

// CheckRollback reports a history that no longer holds the newest snapshot
// seen here.
func (a *Repository) CheckRollback(head *snapshot.Snapshot) error {
	path := filepath.Join(a.dir, LocalDir, lastSeenFile)
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	var seq int64
	var id string
	if _, scan := fmt.Sscanf(string(data), "%d %s", &seq, &id); err != nil || scan != nil {
		return Negative(TypeDamaged, Advise("look at it, and delete it if you trust the archive"), "%s is not readable: %q", path, strings.TrimSpace(string(data)))
	}
	if head.ID.String() == id {
		return nil
	}
	if head.Seq > seq {
		history, err := a.History(objects.Sum(objects.Commit, head.Content))
		if err != nil {
			return err
		}
		for _, s := range history {
			if s.ID.String() == id {
				return nil
			}
		}
	}
	return Negative(TypeDamaged, Advise("if an older or other copy was put back on purpose, delete "+path),
		"the newest snapshot is %d (%s), yet %d (%s) was seen here: the history was cut back or replaced", head.Seq, head.ID, seq, id)
}
