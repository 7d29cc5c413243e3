package answerlog

import (
	"encoding/binary"
	"flag"
	"os"
	"sync"
	"testing"
	"time"

	"muniment/sign"
)

var entriesFlag = flag.Int64("log-entries", 0, "entries of the simulated log in TestSimulation; 0 leaves it small")

// TestSimulation fills a log in full batches, without the signatures, and
// proves entries of it: internal/bench/log.sh runs it with ten million.
func TestSimulation(t *testing.T) {
	n := *entriesFlag
	if n == 0 {
		n = 20000
	}
	l := open(t, t.TempDir())
	add(t, l, 0)
	start := time.Now()
	err := l.withLock(func(e *epoch) error {
		for e.size < n {
			for range min(maxBatch, n-e.size) {
				var entry [sign.EntrySize]byte
				binary.BigEndian.PutUint64(entry[:], uint64(e.size))
				if err := e.add(entry); err != nil {
					return err
				}
			}
			if err := e.flush(); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	filled := time.Since(start)
	add(t, l, 1) // signs a checkpoint over all of them
	s := only(t, l)
	if s.Checkpoint.Size != n+1 {
		t.Fatalf("size %d, want %d", s.Checkpoint.Size, n+1)
	}
	const proofs = 1000
	start = time.Now()
	for i := range int64(proofs) {
		if _, err := s.Prove(i*(n/proofs), s.Note); err != nil {
			t.Fatal(err)
		}
	}
	proved := time.Since(start)
	size := int64(0)
	for _, name := range []string{"entries", "hashes", "checkpoint"} {
		info, err := os.Stat(file(l, name))
		if err != nil {
			t.Fatal(err)
		}
		size += info.Size()
	}
	if size > n*100 {
		t.Errorf("%d bytes for %d entries, want at most 100 each", size, n)
	}
	t.Logf("%d entries: %v an entry in batches of %d, %v a proof, %.1f bytes an entry", n, filled/time.Duration(n), maxBatch, proved/proofs, float64(size)/float64(n))
}

// BenchmarkWaiting is many answers at a time, as a server has them.
func BenchmarkWaiting(b *testing.B) {
	l, err := Open(b.TempDir(), newKey('l'), archive)
	if err != nil {
		b.Fatal(err)
	}
	var mu sync.Mutex
	next := 0
	b.SetParallelism(50)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			mu.Lock()
			n := next
			next++
			mu.Unlock()
			if _, err := l.Append([32]byte{byte(n), byte(n >> 8), byte(n >> 16)}); err != nil {
				b.Error(err)
			}
		}
	})
}
