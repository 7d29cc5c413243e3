//go:build unix

package accession

import (
	"errors"
	"os"
	"syscall"
)

// openFile opens a file for reading. os.Open first offers each file to the
// poller, which takes no regular file: five system calls in vain, for each of
// many small files.
func openFile(path string) (*os.File, error) {
	for {
		fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
		switch {
		case err == nil:
			return os.NewFile(uintptr(fd), path), nil
		case !errors.Is(err, syscall.EINTR):
			return nil, &os.PathError{Op: "open", Path: path, Err: err}
		}
	}
}
