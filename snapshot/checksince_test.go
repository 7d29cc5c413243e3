package snapshot

import (
	"encoding/hex"
	"strings"
	"testing"

	"muniment/cid"
	"muniment/objects"
	"muniment/snapshot/layout"
	"muniment/snapshot/record"
)

// TestCheckSince checks the last of three snapshots alone: what came before is
// not read again, and the roots are still those of all files.
func TestCheckSince(t *testing.T) {
	c := threeSnapshots(t)
	summary, _, err := Summarize(c.store, c.all[1].Tree, objects.Hash{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, known := range map[string]*Summary{"with the summary": summary, "without": nil, "of another": {}} {
		line := c.since(1)
		r, err := CheckSince(c.store, line, known, Checking{Allowed: allowedSigners(alice)})
		// One root; a payload with its record.
		if err != nil || r == nil || !r.Sound() || r.Items != 3 || r.OK != 3 || r.Snapshots != 1 || r.Head.ID != c.all[2].ID {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
		if r, err = CheckSince(c.store, line, known, Checking{Allowed: allowedSigners(newSigner('b'))}); err != nil || r == nil || len(r.Untrusted) != 1 {
			t.Errorf("%s: the signers of what came after are asked for: %+v, %v", name, r, err)
		}
	}
	// The newest itself: nothing is new.
	summary, _, err = Summarize(c.store, c.all[2].Tree, objects.Hash{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r, err := CheckSince(c.store, c.since(2), summary, Checking{}); err != nil || r == nil || r.Items != 0 || !r.Sound() {
		t.Errorf("since the newest: %+v, %v", r, err)
	}
	// A snapshot that is not in the history, or lies after its end: no line leads there.
	other := newChain(t)
	other.add(letter("Other.\n", "o.txt"), nil)
	for _, since := range []*Snapshot{other.all[0], c.all[2]} {
		if line := Follow(readCommit(c.store), c.all[2].Parents[0], since); line != nil {
			t.Errorf("%d snapshots lead to one that is not before", len(line))
		}
	}
	if r, err := CheckSince(c.store, nil, nil, Checking{}); r != nil || err != nil {
		t.Errorf("without a line: %+v, %v", r, err)
	}
}

// since returns the snapshots of the chain from the newest back to the one at an index.
func (c *chain) since(i int) []*Snapshot {
	c.t.Helper()
	line := Follow(readCommit(c.store), c.tip, c.all[i])
	if len(line) != len(c.all)-i {
		c.t.Fatalf("%d snapshots follow, want %d", len(line), len(c.all)-i)
	}
	return line
}

// readCommit returns a function that returns the content of a commit.
func readCommit(st *objects.Store) func(objects.Hash) ([]byte, error) {
	return func(h objects.Hash) ([]byte, error) {
		_, data, err := st.Get(h)
		return data, err
	}
}

// TestCheckSinceOldPayload: a second record of a payload that came before is
// compared with that payload, and its original may have come before too.
func TestCheckSinceOldPayload(t *testing.T) {
	first := letter("One,\r\ntwo.\r\n", "1.txt")
	again := func(change func(*record.Record)) map[string][]byte {
		path := one(first, layout.KindRecord)
		_, ids := layout.ClassifyPath(path)
		rec := must(record.ParseRecord(first[path]))
		rec.Names = []string{"copy.txt"}
		change(rec)
		data := must(rec.Encode())
		return map[string][]byte{layout.RecordPath(ids[0], cid.OfJSON(data)): data}
	}
	zero := hex.EncodeToString(make([]byte, 32))
	for name, tc := range map[string]struct {
		change func(*record.Record)
		says   string
	}{
		"the same":         {func(*record.Record) {}, ""},
		"another size":     {func(r *record.Record) { r.Size++ }, "bytes, and the record says"},
		"another root":     {func(r *record.Record) { r.PRoot = zero }, "its paragraphs give the root"},
		"another original": {func(r *record.Record) { r.Original = cid.Of([]byte("x")).String() }, "is in no snapshot"},
	} {
		c := newChain(t)
		c.add(first, nil)
		c.add(again(tc.change), nil)
		since, err := CheckSince(c.store, c.since(0), nil, Checking{})
		if err != nil {
			t.Fatal(err)
		}
		if tc.says == "" {
			if since == nil || !since.Sound() || since.Items != 2 {
				t.Errorf("%s: %+v", name, since)
			}
			continue
		}
		if since != nil {
			t.Errorf("%s: the new part alone is said to be enough: %+v", name, since)
		}
		r, err := CheckWith(c.store, c.tip, Checking{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Sound() || len(r.Problems) != 1 || !strings.Contains(r.Problems[0].Reason, tc.says) {
			t.Errorf("%s: %+v", name, r)
		}
	}
}
