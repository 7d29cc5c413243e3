package assign

import "testing"

// Claims joined from two sentences: none that joins what they do not say aligns.
func TestJoined(t *testing.T) {
	found, n, altered := 0, 0, 0
	for _, p := range readReworded(t, "joined.txt") {
		ok, tests := supports(t, p.claim, p.text)
		switch {
		case p.supported && ok:
			n, found = n+1, found+1
		case p.supported:
			n++
			t.Logf("not aligned: %q with %q: %v", p.claim, p.text, tests)
		case ok:
			altered++
			t.Errorf("%q aligned with %q", p.claim, p.text)
		default:
			altered++
		}
	}
	t.Logf("%d of %d joined claims align, %d altered", found, n, altered)
	if n < 26 || altered < 100 || found*100 < 85*n {
		t.Errorf("%d of %d joined claims align, %d altered: too few", found, n, altered)
	}
}
