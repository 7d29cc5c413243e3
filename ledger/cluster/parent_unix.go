//go:build unix && !linux

package cluster

import "syscall"

// endWithParent does nothing: only Linux stops a child with its parent.
func endWithParent(*syscall.SysProcAttr) {}
