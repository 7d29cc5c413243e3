//go:build unix

package objects

import (
	"errors"
	"syscall"
)

// processAlive reports whether a process with this number exists here.
func processAlive(pid int) bool {
	if pid <= 0 {
		return false
	}
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}
