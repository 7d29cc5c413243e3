package disk

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockHigh is the upper half of the offset of the one byte that TryLock locks. A
// lock of Windows keeps others from reading and writing the bytes that it covers;
// no file has content at this offset.
const lockHigh = 1 << 30

// TryLock takes an exclusive lock on f, which the system drops when f is closed
// or the process ends. locked is false when another open file has the lock;
// supported is false on file systems without such locks.
func TryLock(f *os.File) (locked, supported bool) {
	at := windows.Overlapped{OffsetHigh: lockHigh}
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at)
	switch {
	case err == nil:
		return true, true
	case errors.Is(err, windows.ERROR_LOCK_VIOLATION), errors.Is(err, windows.ERROR_IO_PENDING):
		return false, true
	}
	return false, false
}
