//go:build !unix && !windows

package background

import "syscall"

// detached returns no attributes: the system has none of this kind.
func detached() *syscall.SysProcAttr { return nil }
