//go:build unix && !solaris && !illumos && !aix

package log

import (
	"errors"
	"fmt"
	"muniment/objects/disk"
	"os"
	"syscall"
	"time"
)

// lock takes the lock of a log and returns the function that gives it up. It
// waits for another process, but no longer than wait.
// The kernel drops it when its holder dies.
func lock(path string, wait time.Duration) (unlock func(), err error) {
	f, err := disk.OpenPlain(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	const pause = 2 * time.Millisecond
	for waited := time.Duration(0); ; waited += pause {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return func() { f.Close() }, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) || waited >= wait {
			f.Close()
			return nil, fmt.Errorf("%s is held by another process: %w", path, err)
		}
		time.Sleep(pause)
	}
}
