//go:build !unix && !windows

package disk

import "os"

// TryLock takes no lock where the system has none.
func TryLock(*os.File) (locked, supported bool) { return false, false }
