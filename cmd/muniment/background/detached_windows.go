package background

import (
	"syscall"

	"golang.org/x/sys/windows"
)

// detached returns the attributes of a process without a console, in a group of
// its own: neither a console that closes nor its Ctrl-C ends it.
func detached() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: windows.DETACHED_PROCESS | windows.CREATE_NEW_PROCESS_GROUP}
}
