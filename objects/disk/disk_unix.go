//go:build unix

package disk

import (
	"errors"
	"os"
	"syscall"
)

func syncDir(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

// Map returns the content of f, of the given size, mapped read-only, and the
// function that ends the mapping.
func Map(f *os.File, size int) ([]byte, func() error, error) {
	data, err := syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, nil, os.NewSyscallError("mmap", err)
	}
	return data, func() error { return syscall.Munmap(data) }, nil
}

// TryLock takes an advisory lock on f, which the kernel drops when f is closed
// or the process ends. locked is false when another open file has the lock;
// supported is false on file systems without such locks.
func TryLock(f *os.File) (locked, supported bool) {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil:
			return true, true
		case errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.EWOULDBLOCK):
			return false, true
		default:
			return false, false
		}
	}
}
