//go:build unix

package bundle

import (
	"syscall"
	"testing"
)

// processorTime is what this process took of the processor, in nanoseconds: on
// a busy machine it means more than the time that passed.
func processorTime(t testing.TB) int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return u.Utime.Nano() + u.Stime.Nano()
}
