//go:build unix

package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"muniment/internal/casecount"
	"muniment/objects"
)

// TestInterruptedLargeAdd stops an add of a recording midway, and finds that
// the next one writes only the chunks that were not finished. The writer lock
// is held meanwhile, so that the add cannot be through before it is stopped.
func TestInterruptedLargeAdd(t *testing.T) {
	t.Parallel()
	signals := []syscall.Signal{syscall.SIGKILL, syscall.SIGINT}
	for _, sig := range signals[:casecount.Of(1, len(signals))] {
		t.Run(sig.String(), func(t *testing.T) {
			p := newPlace(t)
			p.must("key", "new")
			p.must("init", "letters")
			p.write("allowed", p.must("key", "trust").stdout)
			tape := make([]byte, 48<<20)
			rand.NewChaCha8([32]byte{1}).Read(tape)
			p.write("tape.raw", string(tape))
			before := p.state("letters")

			st, err := objects.Open(p.path("letters/archive.git"))
			if err != nil {
				t.Fatal(err)
			}
			defer st.Close()
			host, err := os.Hostname()
			if err != nil {
				t.Fatal(err)
			}
			lock, err := st.Lock(objects.Owner{PID: os.Getpid(), Host: host, Start: time.Now()}, 0)
			if err != nil {
				t.Fatal(err)
			}
			cmd := p.command("-C", "letters", "add", "tape.raw")
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			finished := func() int {
				journals, _ := filepath.Glob(p.path("letters/archive.git/incoming/*.journal"))
				n := 0
				for _, j := range journals {
					data, _ := os.ReadFile(j)
					n += max(0, strings.Count(string(data), "\n")-1)
				}
				return n
			}
			if err := await(time.Minute, func() bool { return finished() >= 2 }); err != nil {
				t.Fatal(err)
			}
			if err := cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait() // that it ended is what counts
			if err := lock.Unlock(); err != nil {
				t.Fatal(err)
			}
			if got := p.state("letters"); got != before {
				t.Fatalf("refs and status are\n%s\nand were\n%s", got, before)
			}
			done := finished()

			doc := p.must("-C", "letters", "add", "tape.raw", "--json").document(t)
			chunks := doc["chunks"].(map[string]any)
			if chunks["resumed"] != float64(done) || done < 2 {
				t.Errorf("%v chunks were finished, and the next add says %v", done, chunks)
			}
			p.must("-C", "letters", "snapshot", "-m", "tape")
			p.must("-C", "letters", "verify", "--trust", "allowed")
			if got := p.must("-C", "letters", "cat", "tape.raw").stdout; !bytes.Equal([]byte(got), tape) {
				t.Error("the recording is another one")
			}
			if left, _ := os.ReadDir(p.path("letters/archive.git/incoming")); len(left) > 0 {
				t.Errorf("left in incoming: %v", left)
			}

			// Added in one go it is the same.
			p.must("init", "other")
			whole := p.must("-C", "other", "add", "tape.raw", "--json").document(t)
			total := whole["chunks"].(map[string]any)["written"].(float64)
			if chunks["written"] != total-float64(done) {
				t.Errorf("%v chunks in all, %d were finished, and %v were written", total, done, chunks["written"])
			}
			id := func(doc map[string]any) string { return fmt.Sprint(doc["artifacts"].([]any)[0].(map[string]any)["id"]) }
			if id(doc) != id(whole) {
				t.Errorf("%s, and in one go %s", id(doc), id(whole))
			}
		})
	}
}
