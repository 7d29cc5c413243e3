package ledger

import (
	"errors"
	"fmt"
	"slices"
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
	other := keyed
	other.Session = "another"
	added, err := l.AddKeyed([]Entry{keyed, other, entry("It stood."), other})
	if want := []Added{{all[0].Ordinal, true}, {3, false}, {4, false}, {3, true}}; err != nil || !slices.Equal(added, want) {
		t.Errorf("entries with keys gave %v, want %v: %v", added, want, err)
	}
}

// Many entries in one call are numbered as they are one by one.
func testAddMany(t *testing.T, address string) {
	l := open(t, address)
	var entries []Entry
	for i := range 2*entriesAtOnce + 7 {
		e := entry(fmt.Sprintf("It burned %d times.", i%50))
		e.Session, e.Key = fmt.Sprintf("s%d", i%3), fmt.Sprintf("k%d", i%190)
		entries = append(entries, e)
	}
	added, err := l.AddKeyed(entries)
	if err != nil {
		t.Fatal(err)
	}
	byKey := map[string]int64{}
	next := int64(0)
	for i, a := range added {
		known := byKey[entries[i].caller()]
		if known == 0 {
			next++
			byKey[entries[i].caller()] = next
		}
		if want := (Added{byKey[entries[i].caller()], known != 0}); a != want {
			t.Fatalf("entry %d gave %v, want %v", i, a, want)
		}
	}
	all, err := l.List(Filter{})
	if err != nil || int64(len(all)) != next {
		t.Fatalf("%d citations, want %d: %v", len(all), next, err)
	}
	for _, c := range all {
		again, err := l.AddCitation(entries[slices.IndexFunc(added, func(a Added) bool { return a.Ordinal == c.Ordinal })])
		if err != nil || again != c.Ordinal {
			t.Errorf("again: %d, want %d: %v", again, c.Ordinal, err)
		}
	}
	found, err := l.Claims(ClaimFilter{})
	if err != nil || len(found) != 50 || found[0].Citations < 3 {
		t.Errorf("%d claims, want 50: %v", len(found), err)
	}
}
