package answerlog

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"muniment/objects/disk"
)

// lockPause lies between two attempts to take a lock that another process has.
const lockPause = 2 * time.Millisecond

// lock takes the lock of a log and returns the function that gives it up. It
// waits for another process, but no longer than wait. The system drops the lock
// when its holder dies; on file systems without locks a file marks it.
func lock(path string, wait time.Duration) (unlock func(), err error) {
	f, err := disk.OpenPlain(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	for waited := time.Duration(0); ; waited += lockPause {
		locked, supported := disk.TryLock(f)
		switch {
		case locked:
			return func() { f.Close() }, nil
		case !supported:
			f.Close()
			return mark(path+".held", wait-waited)
		case waited >= wait:
			f.Close()
			return nil, fmt.Errorf("%s is held by another process", path)
		}
		time.Sleep(lockPause)
	}
}

// mark creates the lock file and returns the function that
// removes it. A file whose maker died is left behind and named in the error.
func mark(path string, wait time.Duration) (unlock func(), err error) {
	for waited := time.Duration(0); ; waited += lockPause {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil {
			return func() { f.Close(); os.Remove(path) }, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		if waited >= wait {
			return nil, fmt.Errorf("%s is held by another process; if there is none, remove the file", path)
		}
		time.Sleep(lockPause)
	}
}
