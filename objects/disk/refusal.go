package disk

import (
	"errors"
	"syscall"
)

// IsFull reports whether err says that no room is left: the disk is full, or what
// the user may keep on it.
func IsFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// IsReadOnly reports whether err says that nothing may be written: the medium is
// read-only, or the user has no permission.
func IsReadOnly(err error) bool {
	return errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.EACCES) || errors.Is(err, syscall.EPERM)
}

// IsUnreadable reports whether err says that a file is there and the system did not
// read it: no permission, or a device that fails. What the file holds is then not
// known, and it is not corrupt.
func IsUnreadable(err error) bool {
	var number syscall.Errno
	return errors.As(err, &number) && number != syscall.ENOENT && number != syscall.ENOTDIR
}
