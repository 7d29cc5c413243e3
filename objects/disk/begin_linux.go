package disk

import (
	"os"
	"syscall"
)

// BeginWriting asks the system to bring bytes of f to the disk while others
// are made. It makes nothing last: a sync does, and then finds little to do.
func BeginWriting(f *os.File, off, n int64) {
	const rangeWrite = 2 // SYNC_FILE_RANGE_WRITE: begin, do not wait
	_ = syscall.SyncFileRange(int(f.Fd()), off, n, rangeWrite)
}
