package assign

import "testing"

// TestHostile demands that no text supports a claim that was written to mislead the comparison of clauses taken apart.
func TestHostile(t *testing.T) {
	n := 0
	for _, p := range readReworded(t, "hostile1.txt") {
		n++
		for _, writer := range []string{"", "Anna Brandt"} {
			if e := onText(t, p.claim, p.text, writer); e.Aligned {
				t.Errorf("%q aligned as %s with %q", p.claim, e.Relation, p.text)
			}
		}
	}
	t.Logf("%d claims", n)
	if n < 130 {
		t.Errorf("%d claims, want at least 130", n)
	}
}
