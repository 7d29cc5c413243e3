//go:build !unix

package objects

import "os"

// processAlive reports whether a process with this number may exist here. In
// doubt it does: a lock is then left to its owner.
func processAlive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	p.Release()
	return true
}
