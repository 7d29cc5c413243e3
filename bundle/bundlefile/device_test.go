//go:build unix

package bundlefile

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A device and a pipe without a writer are refused, and not waited for.
func TestDevices(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	requireUnreadable(t, pipe)
	requireUnreadable(t, os.DevNull)
}
