package merkle

import "testing"

func TestFrontier(t *testing.T) {
	var f Frontier
	all := leaves(300)
	for n := 0; ; n++ {
		if f.Size() != int64(n) || f.Root() != Root(all[:n]) {
			t.Fatalf("%d leaves: size %d, root %x, want %x", n, f.Size(), f.Root(), Root(all[:n]))
		}
		if n == len(all) {
			return
		}
		f.Add(all[n])
	}
}
