// Package background starts another run of the current program that outlives the
// run that started it, and the terminal of both.
//
//	err := background.Start("-C", dir, "index", "--quiet")
//
// Limits: nobody is told how that run ends.
package background

import (
	"os"
	"os/exec"
)

// Start starts the current program with the given arguments, in the environment
// and folder of this process, and does not wait for it.
func Start(args ...string) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(program, args...)
	cmd.Args[0] = os.Args[0]
	cmd.SysProcAttr = detached()
	if err := cmd.Start(); err != nil {
		return err
	}
	return cmd.Process.Release()
}
