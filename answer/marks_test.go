//go:build unix

package answer_test

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"muniment/answer"
	"muniment/archive/archivetest"
	"muniment/engine"
)

// A hundred thousand marks, most of which name nothing on file, are checked in
// two seconds. The test lets them take twice the time of the processor, as the
// machine may be busy.
func TestManyMarks(t *testing.T) {
	a, s := archivetest.New(t, map[string]string{"mill.txt": "The mill wheel turned.\n"})
	archivetest.Seal(t, a, s)
	e, err := engine.New(a, engine.Caller{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := engine.Cite(a, engine.CiteOptions{Artifact: "mill.txt", Quote: "The mill wheel turned.", Claim: "The mill wheel turned."}); err != nil {
		t.Fatal(err)
	}
	const marks = 100_000
	for name, mark := range map[string]func(n int) string{
		"one number":   func(int) string { return "[1]" },
		"all numbers":  func(n int) string { return fmt.Sprintf("[%d]", n%9999+1) },
		"long numbers": func(n int) string { return fmt.Sprintf("[cite:g%d]", n+1) },
		"huge numbers": func(n int) string { return fmt.Sprintf("[cite:g%d]", n<<32+1) },
		"no numbers":   func(n int) string { return fmt.Sprintf("[^x%d]", n) },
	} {
		var draft strings.Builder
		draft.WriteString("The mill wheel turned. ")
		for n := range marks {
			draft.WriteString(mark(n))
		}
		begun := processorTime(t)
		r, err := answer.CheckDraft(t.Context(), e, draft.String()+"\n", answer.CheckOptions{})
		took := processorTime(t) - begun
		if err != nil || len(r.Citations) > 1 {
			t.Errorf("%s: %v", name, err)
		}
		t.Logf("%s: %v", name, took)
		if took > 4*time.Second {
			t.Errorf("%s: %v", name, took)
		}
	}
}

// processorTime is what this process took of the processor.
func processorTime(t *testing.T) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
