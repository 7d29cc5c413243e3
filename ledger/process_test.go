package ledger

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"sync"
	"testing"
)

// childEnv makes the test binary a process that adds entries until killed,
// printing each ordinal once it has been returned.
const childEnv = "LEDGER_TEST_CHILD"

func TestMain(m *testing.M) {
	path := os.Getenv(childEnv)
	if path == "" {
		code := m.Run()
		if server.cluster != nil {
			if err := server.cluster.Stop(); err != nil {
				fmt.Fprintln(os.Stderr, err)
			}
		}
		os.Exit(code)
	}
	l, err := openAt(path)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for {
		n, err := l.AddCitation(entry("from a child"))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(n)
	}
}

// Two processes write the same ledger and are killed: every ordinal that one
// of them was told is there, none twice, and there are no gaps.
func testKilledProcesses(t *testing.T, path string) {
	const processes, each = 2, 40
	var wg sync.WaitGroup
	acknowledged := make([][]int64, processes)
	for i := range processes {
		wg.Go(func() {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), childEnv+"="+path)
			cmd.Stderr = os.Stderr
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Error(err)
				return
			}
			if err := cmd.Start(); err != nil {
				t.Error(err)
				return
			}
			for lines := bufio.NewScanner(out); lines.Scan(); {
				n, err := strconv.ParseInt(lines.Text(), 10, 64)
				if err != nil {
					t.Error(err)
				}
				acknowledged[i] = append(acknowledged[i], n)
				if len(acknowledged[i]) == each {
					if err := cmd.Process.Kill(); err != nil {
						t.Error(err)
					}
				}
			}
			if err := cmd.Wait(); err == nil {
				t.Error("the child ended by itself")
			}
		})
	}
	wg.Wait()
	l := open(t, path)
	all, err := l.List(Filter{})
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range all {
		if c.Ordinal != int64(i+1) {
			t.Fatalf("ordinal %d at place %d", c.Ordinal, i+1)
		}
	}
	seen := map[int64]bool{}
	for _, n := range slices.Concat(acknowledged...) {
		if seen[n] || n > int64(len(all)) {
			t.Errorf("ordinal %d was told; twice: %v; the ledger has %d", n, seen[n], len(all))
		}
		seen[n] = true
	}
	if len(seen) < processes*each {
		t.Errorf("%d ordinals told", len(seen))
	}
	if n := add(t, l, entry("after")); n != int64(len(all)+1) {
		t.Errorf("the next ordinal is %d after %d", n, len(all))
	}
}
