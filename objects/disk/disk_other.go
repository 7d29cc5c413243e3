//go:build !unix

package disk

import (
	"io"
	"os"
)

// syncDir does nothing where directories cannot be synced.
func syncDir(string) error { return nil }

// Map returns the content of f, of the given size, loaded into memory.
func Map(f *os.File, size int) ([]byte, func() error, error) {
	data := make([]byte, size)
	if _, err := io.ReadFull(f, data); err != nil {
		return nil, nil, err
	}
	return data, func() error { return nil }, nil
}
