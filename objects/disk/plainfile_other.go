//go:build !unix

package disk

// Where the system has no such flags, the look at the file before and after it
// is opened must do.
const (
	noFollow = 0
	noWait   = 0
)
