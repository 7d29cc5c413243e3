//go:build !unix

package objects

import (
	"io"
	"os"
)

// syncDir does nothing where directories cannot be synced.
func syncDir(string) error { return nil }

// mapFile returns the content of f, of the given size, loaded into memory.
func mapFile(f *os.File, size int) ([]byte, func() error, error) {
	data := make([]byte, size)
	if _, err := io.ReadFull(f, data); err != nil {
		return nil, nil, err
	}
	return data, func() error { return nil }, nil
}

func tryFlock(*os.File) (held, supported bool) { return false, false }

// processAlive errs on the side of life: a lock is then left to its owner.
func processAlive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	p.Release()
	return true
}
