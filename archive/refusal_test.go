package archive

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"muniment/archive/problem"
	"muniment/objects"
)

// A disk that refuses is described in words, and is told apart from damage.
func TestEnvironmentRefusals(t *testing.T) {
	wrap := func(err error) error {
		return fmt.Errorf("pack x: %w", &fs.PathError{Op: "read", Path: "p", Err: err})
	}
	for _, c := range []struct {
		err  error
		kind problem.Kind
		says string
	}{
		{wrap(syscall.ENOSPC), problem.Environment, "add: the disk is full: pack x: read p: "},
		{wrap(syscall.EDQUOT), problem.Environment, "add: the disk is full: "},
		{wrap(syscall.EROFS), problem.Environment, "add: the disk is read-only: "},
		{wrap(syscall.EACCES), problem.Environment, "add: this user may not: "},
		{wrap(syscall.EIO), problem.Environment, "add: cannot be read: "},
		{wrap(objects.ErrCorrupt), problem.Damaged, "corrupt"},
		{errors.Join(objects.ErrCorrupt, wrap(syscall.EIO)), problem.Damaged, "corrupt"},
		{fmt.Errorf("%w: %w", objects.ErrNotFound, fs.ErrNotExist), problem.Damaged, "not found"},
	} {
		var e *problem.Error
		if !errors.As(problem.Wrap(c.err, "add"), &e) || e.Kind != c.kind || !strings.Contains(e.Message, c.says) || e.Next.IsZero() {
			t.Errorf("%v: %v, want %s with %q", c.err, e, c.kind, c.says)
		}
	}
}
