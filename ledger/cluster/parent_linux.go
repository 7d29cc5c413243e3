package cluster

import "syscall"

// endWithParent makes the kernel stop the server when this process dies.
func endWithParent(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGQUIT }
