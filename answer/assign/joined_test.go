package assign

import "testing"

// Claims joined from two sentences: none that joins what they do not say aligns.
func TestJoined(t *testing.T) {
	for _, f := range []struct {
		name        string
		plus, minus int // at least so many claims of each kind
		recall      int // at least so many per cent
	}{{"joined.txt", 26, 110, 85}, {"joined2.txt", 18, 120, 85}, {"joined3.txt", 12, 100, 85}, {"joined4.txt", 9, 65, 70}, {"altered4.txt", 0, 30, 0}} {
		found, n, altered := 0, 0, 0
		for _, p := range readReworded(t, f.name) {
			ok, tests := supports(t, p.claim, p.text)
			switch {
			case p.supported && ok:
				n, found = n+1, found+1
			case p.supported:
				n++
				t.Logf("%s: not aligned: %q with %q: %v", f.name, p.claim, p.text, tests)
			case ok:
				altered++
				t.Errorf("%s: %q aligned with %q", f.name, p.claim, p.text)
			default:
				altered++
			}
		}
		t.Logf("%s: %d of %d joined claims align, %d altered", f.name, found, n, altered)
		if n < f.plus || altered < f.minus || found*100 < f.recall*n {
			t.Errorf("%s: %d of %d joined claims align, %d altered: too few", f.name, found, n, altered)
		}
	}
}

// A joined claim is not supported by the text of another, nor by its own when a number, a name or a
// negation in it is changed.
func TestJoinedChanged(t *testing.T) {
	var all []reworded
	for _, name := range []string{"joined.txt", "joined2.txt", "joined3.txt", "joined4.txt"} {
		all = append(all, readReworded(t, name)...)
	}
	across, mutated := 0, 0
	for _, p := range all {
		if !p.supported {
			continue
		}
		last := ""
		for _, q := range all {
			if q.text == p.text || q.text == last {
				continue
			}
			last = q.text
			ok, _ := supports(t, p.claim, q.text)
			own := false
			for _, r := range all {
				own = own || r.text == q.text && r.claim == p.claim && r.supported
			}
			if across++; ok && !own {
				t.Errorf("%q aligned with the other text %q", p.claim, q.text)
			}
		}
		for _, m := range mutations(p.claim) {
			mutated++
			if ok, _ := supports(t, m, p.text); ok {
				t.Errorf("%q aligned with %q", m, p.text)
			}
		}
	}
	t.Logf("%d claims with other texts, %d with a change", across, mutated)
	if across < 5000 || mutated < 100 {
		t.Error("too few")
	}
}
