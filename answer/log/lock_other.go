//go:build !unix || solaris || illumos || aix

package log

import (
	"errors"
	"fmt"
	"os"
	"time"
)

// lock takes the lock of a log and returns the function that gives it up. It
// waits for another process, but no longer than wait.
// A lock whose holder died is left behind and named in the error.
func lock(path string, wait time.Duration) (unlock func(), err error) {
	marker := path + ".held"
	const pause = 2 * time.Millisecond
	for waited := time.Duration(0); ; waited += pause {
		f, err := os.OpenFile(marker, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil {
			return func() { f.Close(); os.Remove(marker) }, nil
		}
		if !errors.Is(err, os.ErrExist) {
			return nil, err
		}
		if waited >= wait {
			return nil, fmt.Errorf("%s is held by another process; if there is none, remove the file", marker)
		}
		time.Sleep(pause)
	}
}
