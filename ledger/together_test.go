package ledger

import (
	"errors"
	"testing"
)

// A group is one transaction: what fails undoes itself, an error undoes all, and a
// key gives the entry that is there.
func testTogether(t *testing.T, address string) {
	l := open(t, address)
	keyed := entry("It burned.")
	keyed.Key = "k"
	err := l.Together(func(g *Ledger) error {
		first := add(t, g, keyed)
		if again := add(t, g, keyed); again != first {
			t.Errorf("the same key gave %d, then %d", first, again)
		}
		if _, err := g.AddCitation(Entry{}); err == nil {
			t.Error("an empty entry was added")
		}
		if err := g.AddLink(Link{Time: noon, From: first, To: 99, Type: "supports"}); err == nil {
			t.Error("a link to nothing was added")
		}
		if c, err := g.Get(first); err != nil || c.Claim != "It burned." {
			t.Errorf("inside: %v %q", err, c.Claim)
		}
		add(t, g, entry("It burned again."))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	stop := errors.New("stop")
	if err := l.Together(func(g *Ledger) error { add(t, g, entry("Never.")); return stop }); !errors.Is(err, stop) {
		t.Fatalf("an error inside gave %v", err)
	}
	all, err := l.List(Filter{})
	if err != nil || len(all) != 2 {
		t.Fatalf("%d citations, want 2: %v", len(all), err)
	}
	if n, err := l.KnownKey(keyed.Project, keyed.Session, keyed.Agent, "k"); err != nil || n != all[0].Ordinal {
		t.Errorf("the key gives %d: %v", n, err)
	}
	if n, err := l.KnownKey(keyed.Project, "another", keyed.Agent, "k"); err != nil || n != 0 {
		t.Errorf("the key of another session gives %d: %v", n, err)
	}
}
