//go:build !unix

package bundle

import (
	"testing"
	"time"
)

var started = time.Now()

// processorTime returns the time since the start, in nanoseconds: the system is
// not asked for that of the processor.
func processorTime(testing.TB) int64 { return int64(time.Since(started)) }
