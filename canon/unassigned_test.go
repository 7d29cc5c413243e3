package canon

import (
	"math/rand/v2"
	"testing"
)

// The count over a text is the sum over its code points, in whatever order they
// come.
func TestCountUnassignedOfAll(t *testing.T) {
	var all []rune
	want := 0
	for r := rune(0); r <= 0x10FFFF; r++ {
		if r < 0xD800 || r >= 0xE000 {
			all = append(all, r)
			want += CountUnassigned([]byte(string(r)))
		}
	}
	if want != 825_345 { // 1,112,064 scalar values less the 286,719 assigned in 15.0.0
		t.Errorf("%d code points are not assigned, want 825345", want)
	}
	if got := CountUnassigned([]byte(string(all))); got != want {
		t.Errorf("in order: %d, want %d", got, want)
	}
	rand.New(rand.NewPCG(15, 0)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	if got := CountUnassigned([]byte(string(all))); got != want {
		t.Errorf("shuffled: %d, want %d", got, want)
	}
}
