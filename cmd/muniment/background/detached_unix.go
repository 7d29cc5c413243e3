//go:build unix

package background

import "syscall"

// detached returns the attributes of a process in a session of its own: a
// terminal that closes does not end it.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
