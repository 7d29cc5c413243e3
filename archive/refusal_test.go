package archive

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"muniment/ledger"
	"muniment/objects"
)

// A disk that refuses is described in words, and is told apart from damage.
func TestEnvironmentRefusals(t *testing.T) {
	wrap := func(err error) error {
		return fmt.Errorf("pack x: %w", &fs.PathError{Op: "read", Path: "p", Err: err})
	}
	for _, c := range []struct {
		err  error
		kind Kind
		says string
	}{
		{wrap(syscall.ENOSPC), TypeEnvironment, "add: the disk is full: pack x: read p: "},
		{wrap(syscall.EDQUOT), TypeEnvironment, "add: the disk is full: "},
		{wrap(syscall.EROFS), TypeEnvironment, "add: the disk is read-only: "},
		{wrap(syscall.EACCES), TypeEnvironment, "add: this user may not: "},
		{wrap(syscall.EIO), TypeEnvironment, "add: cannot be read: "},
		{fmt.Errorf("ledger: %w", ledger.ErrReadOnly), TypeEnvironment, "can only be read"},
		{wrap(objects.ErrCorrupt), TypeDamaged, "corrupt"},
		{errors.Join(objects.ErrCorrupt, wrap(syscall.EIO)), TypeDamaged, "corrupt"},
		{fmt.Errorf("%w: %w", objects.ErrNotFound, fs.ErrNotExist), TypeDamaged, "not found"},
	} {
		var e *Error
		if !errors.As(Environment(c.err, "add"), &e) || e.Kind != c.kind || !strings.Contains(e.Message, c.says) || e.Next.IsZero() {
			t.Errorf("%v: %v, want %s with %q", c.err, e, c.kind, c.says)
		}
	}
}
