package objects

import (
	"errors"
	"sync"
	"testing"
)

// Blobs gives what Get gives, for every blob of many packs and of one, and stops
// when it is told to.
func TestBlobs(t *testing.T) {
	s := newStore(t)
	want := manyPacks(t, s, 6)
	var list []Hash
	for _, h := range want {
		list = append(list, h, h) // twice: both are asked for
	}
	tree, err := s.Ref("refs/heads/main")
	if err != nil {
		t.Fatal(err)
	}
	list = append(list, Hash{1, 2, 3}, tree)
	for range 2 {
		var mu sync.Mutex
		seen := map[int]bool{}
		err := s.Blobs(list, func(i int, data []byte, err error) bool {
			mu.Lock()
			defer mu.Unlock()
			if seen[i] {
				t.Errorf("blob %d comes twice", i)
			}
			seen[i] = true
			switch h := list[i]; {
			case h == Hash{1, 2, 3}:
				if !errors.Is(err, ErrNotFound) || data != nil {
					t.Errorf("a blob that is nowhere: %d bytes, %v", len(data), err)
				}
			case h == tree:
				if !errors.Is(err, ErrCorrupt) || data != nil {
					t.Errorf("a commit: %d bytes, %v", len(data), err)
				}
			case err != nil || Sum(Blob, data) != h:
				t.Errorf("%s: %d bytes, %v", h, len(data), err)
			}
			return true
		})
		if err != nil || len(seen) != len(list) || len(list) < 20 {
			t.Errorf("%d of %d blobs, %v", len(seen), len(list), err)
		}
		l := lock(t, s)
		if c, err := s.Consolidate(l); err != nil || c.Packs > 2 {
			t.Errorf("%+v, %v", c, err)
		}
		if err := l.Unlock(); err != nil {
			t.Fatal(err)
		}
	}
	var mu sync.Mutex
	calls := 0
	many := make([]Hash, 100*checkBatch)
	for i := range many {
		many[i] = list[0]
	}
	err = s.Blobs(many, func(int, []byte, error) bool {
		mu.Lock()
		defer mu.Unlock()
		calls++
		return false
	})
	if err != nil || calls > 64 {
		t.Errorf("told to stop, %d blobs more, %v", calls, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Blobs(list, func(int, []byte, error) bool { return true }); err == nil {
		t.Error("a closed store gives blobs")
	}
}
