//go:build !unix

package objects

import "os"

// processAlive errs on the side of life: a lock is then left to its owner.
func processAlive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	p.Release()
	return true
}
