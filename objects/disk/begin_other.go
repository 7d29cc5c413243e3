//go:build !linux

package disk

import "os"

// BeginWriting does nothing where the system cannot be asked for it.
func BeginWriting(*os.File, int64, int64) {}
