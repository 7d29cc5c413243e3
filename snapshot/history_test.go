package snapshot

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"muniment/cid"
	"muniment/objects"
	"muniment/snapshot/layout"
)

func threeSnapshots(t testing.TB) *chain {
	c := newChain(t)
	c.add(letter("Dear Ben,\r\n\r\nthe harbour froze.\r\n", "letters/07.txt"), nil)
	c.add(letter("Dear Ada, so it did.\n", "letters/08.txt"), nil)
	c.add(letter("Thaw at last.\n\nB.\n", "letters/09.txt"), nil)
	return c
}

func TestHistory(t *testing.T) {
	c := threeSnapshots(t)
	history, err := History(c.get, c.tip)
	if err != nil {
		t.Fatal(err)
	}
	if len(history) != 3 {
		t.Fatalf("%d snapshots", len(history))
	}
	for i, s := range history {
		if want := c.all[2-i]; s.ID != want.ID || s.Seq != want.Seq {
			t.Errorf("place %d: snapshot %d %s, want %d", i, s.Seq, s.ID, want.Seq)
		}
	}
}

func TestHistoryRefuses(t *testing.T) {
	other := cid.Of([]byte("another snapshot"))
	otherArchive := cid.OfJSON([]byte("another archive"))
	for name, one := range map[string]struct {
		change func(*Draft)
		says   string
	}{
		"prev":    {func(d *Draft) { d.Prev = other }, "snapshot 2: its id is"},
		"seq":     {func(d *Draft) { d.Seq++ }, "snapshot 2: it is a parent of snapshot 4"},
		"archive": {func(d *Draft) { d.Archive = otherArchive }, "snapshot 2: its archive is"},
		"parent":  {func(d *Draft) { d.Parents[0] = objects.Hash{9} }, "snapshot 2: object"},
	} {
		t.Run(name, func(t *testing.T) {
			c := newChain(t)
			c.add(letter("One.\n", "1.txt"), nil)
			c.add(letter("Two.\n", "2.txt"), nil)
			c.add(letter("Three.\n", "3.txt"), one.change)
			history, err := History(c.get, c.tip)
			var at *HistoryError
			if history != nil || !errors.As(err, &at) || !strings.Contains(err.Error(), one.says) {
				t.Errorf("got %d snapshots, error %v, want one that says %q", len(history), err, one.says)
			}
			if (name == "parent") != errors.Is(err, objects.ErrNotFound) {
				t.Errorf("%v is, or is not, ErrNotFound", err)
			}
		})
	}
}

func TestHistoryOrdinaryCommit(t *testing.T) {
	get := func(objects.Hash) ([]byte, error) { return []byte("tree \n\n"), nil }
	if _, err := History(get, objects.Hash{1}); err == nil || !strings.Contains(err.Error(), "newest snapshot: commit") {
		t.Errorf("error %v", err)
	}
}

// fork makes two snapshots after the first, by two keys, and joins them.
func fork(t testing.TB, change func(*Draft)) *chain {
	c := newChain(t)
	first := c.add(letter("One.\n", "1.txt"), nil)
	ours := c.add(letter("Two.\n", "2.txt"), nil)
	c.back(first, newSigner('b'))
	c.add(letter("Three.\n", "3.txt"), nil)
	c.by = alice
	c.join(ours, nil, change)
	return c
}

func TestHistoryJoin(t *testing.T) {
	c := fork(t, nil)
	history, err := History(c.get, c.tip)
	if err != nil {
		t.Fatal(err)
	}
	var seqs []int64
	for _, s := range history {
		seqs = append(seqs, s.Seq)
	}
	if diff := cmp.Diff([]int64{3, 2, 2, 1}, seqs); diff != "" {
		t.Error(diff)
	}
	report, err := CheckWith(c.store, c.tip, Checking{Allowed: allowedSigners(alice)})
	if err != nil || !report.Sound() || report.NotChecked != 0 || len(report.Untrusted) != 1 {
		t.Errorf("%+v, %v", report, err)
	}
	c = fork(t, func(d *Draft) { d.Seq++ })
	if _, err := History(c.get, c.tip); err == nil || !strings.Contains(err.Error(), "joins snapshots 2 and 2") {
		t.Errorf("error %v", err)
	}
}

func TestLinesAndDiff(t *testing.T) {
	c := threeSnapshots(t)
	for _, s := range c.all {
		lines, err := Lines(c.store, s.Tree, nil)
		if err != nil {
			t.Fatal(err)
		}
		tree, err := NewTree(lines)
		if err != nil || tree.Root() != s.Root || tree.Entries() != s.Entries {
			t.Errorf("snapshot %d: root %x, %d entries, %v", s.Seq, tree.Root(), tree.Entries(), err)
		}
	}
	id := cid.Of([]byte("Dear Ada, so it did.\n"))
	changes, err := Diff(c.store, c.all[0].Tree, c.all[1].Tree)
	if err != nil || len(changes) != 2 {
		t.Fatalf("%v, %v", changes, err)
	}
	if changes[0] != (Change{ChangeAdded, layout.ArtifactPath(id), id}) || changes[1].Kind != ChangeRecord || changes[1].Artifact != id {
		t.Errorf("got %v", changes)
	}
	back, err := Diff(c.store, c.all[1].Tree, c.all[0].Tree)
	if err != nil || len(back) != 2 || back[0].Kind != ChangeRemoved {
		t.Errorf("backwards: %v, %v", back, err)
	}
	all, err := Diff(c.store, objects.Hash{}, c.all[2].Tree)
	if err != nil || int64(len(all)) != c.all[2].Entries {
		t.Errorf("from nothing: %d changes, %v", len(all), err)
	}
	if none, err := Diff(c.store, c.all[2].Tree, c.all[2].Tree); none != nil || err != nil {
		t.Errorf("of itself: %v, %v", none, err)
	}
}
