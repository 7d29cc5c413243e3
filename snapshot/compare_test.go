package snapshot

import (
	"slices"
	"testing"

	"muniment/cid"
	"muniment/sign"
)

// grow returns the history with one more snapshot on it, newest first.
func grow(history []*Snapshot, by sign.Signer, text string) []*Snapshot {
	d := goodDraft()
	d.Text, d.Seq, d.Prev, d.Parents = text, int64(len(history))+1, cid.ID{}, nil
	if len(history) > 0 {
		d.Prev, d.Parents = history[0].ID, secondDraft().Parents
	}
	s := must(Parse(signed(by, must(d.Payload()))))
	return slices.Insert(slices.Clone(history), 0, s)
}

func TestCompare(t *testing.T) {
	bob := newSigner('b')
	one := grow(nil, alice, "one")
	two := grow(one, alice, "two")
	twin := grow(one, bob, "two") // the payload of two, signed by another key
	other := goodDraft()
	other.Archive = cid.OfJSON([]byte("{}"))
	foreign := []*Snapshot{must(Parse(signed(alice, must(other.Payload()))))}
	for _, c := range []struct {
		name         string
		ours, theirs []*Snapshot
		want         Relation
		base         *Snapshot
	}{
		{"both empty", nil, nil, Same, nil},
		{"ours empty", nil, one, Ahead, nil},
		{"theirs empty", one, nil, Behind, nil},
		{"same", two, two, Same, two[0]},
		{"signed twice", two, twin, Same, two[0]},
		{"ahead", one, two, Ahead, one[0]},
		{"behind", two, one, Behind, one[0]},
		{"ahead of a twin", two, grow(twin, alice, "three"), Ahead, two[0]},
		{"fork", two, grow(one, bob, "other two"), Fork, one[0]},
		{"fork of different lengths", grow(two, alice, "three"), grow(one, bob, "other two"), Fork, one[0]},
		{"fork from the first", one, grow(nil, bob, "other one"), Fork, nil},
		{"equivocation", two, grow(one, alice, "other two"), Equivocation, one[0]},
		{"equivocation below", grow(two, bob, "three"), grow(grow(one, alice, "other two"), bob, "other three"), Equivocation, one[0]},
		{"another archive", one, foreign, Unrelated, nil},
	} {
		got := Compare(c.ours, c.theirs)
		if got.Relation != c.want || got.Base != c.base {
			t.Errorf("%s: %s from %v, want %s from %v", c.name, got.Relation, got.Base, c.want, c.base)
		}
		back := map[Relation]Relation{Ahead: Behind, Behind: Ahead}
		want, turned := back[c.want]
		if !turned {
			want = c.want
		}
		if got := Compare(c.theirs, c.ours); got.Relation != want {
			t.Errorf("%s, the other way: %s, want %s", c.name, got.Relation, want)
		}
		if c.want == Equivocation && (got.Ours.Seq != 2 || got.Theirs.Seq != 2 || got.Ours.Key != got.Theirs.Key) {
			t.Errorf("%s: shown by %d and %d", c.name, got.Ours.Seq, got.Theirs.Seq)
		}
	}
}
