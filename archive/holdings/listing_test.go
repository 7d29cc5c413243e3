package holdings

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
)

// TestScanBack reads keys from the last to the first, with every size of what is
// remembered, and ends early.
func TestScanBack(t *testing.T) {
	var keys []string
	for i := range 23 {
		keys = append(keys, fmt.Sprintf("k%02d", i))
	}
	scan := func(from, to []byte, fn func([]byte) (bool, error)) error {
		for _, k := range keys {
			if k < string(from) || bytes.Compare([]byte(k)[:min(len(k), len(to))], to) > 0 {
				continue
			}
			if more, err := fn([]byte(k)); err != nil || !more {
				return err
			}
		}
		return nil
	}
	tried := 0
	for size := 1; size <= 30; size++ {
		for most := 1; most <= 24; most++ {
			want := slices.Clone(keys[3:21])
			slices.Reverse(want)
			want = want[:min(most, len(want))]
			var got []string
			err := scanBack(scan, size, []byte("k03"), []byte("k20"), func(key []byte) (bool, error) {
				got = append(got, string(key))
				return len(got) < most, nil
			})
			if err != nil || !slices.Equal(got, want) {
				t.Fatalf("size %d, at most %d: %v, want %v, %v", size, most, got, want, err)
			}
			tried++
		}
	}
	if tried != 30*24 {
		t.Fatalf("%d scans", tried)
	}
}
