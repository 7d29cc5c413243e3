package snapshot

import (
	"encoding/hex"
	"strings"
	"testing"

	"muniment/cid"
	"muniment/objects"
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
		r, err := CheckWith(c.store, c.tip, Checking{Allowed: allowedSigners(alice), Since: c.all[1], Summary: known})
		// One root; a payload with its record.
		if err != nil || !r.Sound() || r.Items != 3 || r.OK != 3 || r.Snapshots != 3 || r.Head.ID != c.all[2].ID {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
		if r, err = CheckWith(c.store, c.tip, Checking{Allowed: allowedSigners(newSigner('b')), Since: c.all[1], Summary: known}); err != nil || len(r.Untrusted) != 3 {
			t.Errorf("%s: signers of all are asked for: %+v, %v", name, r, err)
		}
	}
	// The newest itself: nothing is new.
	if r, err := CheckWith(c.store, c.tip, Checking{Since: c.all[2], Summary: summary}); err != nil || r.Items != 0 || !r.Sound() {
		t.Errorf("since the newest: %+v, %v", r, err)
	}
	// A snapshot that is not in the history: all is read.
	other := newChain(t)
	other.add(letter("Other.\n", "o.txt"), nil)
	if r, err := CheckWith(c.store, c.tip, Checking{Since: other.all[0]}); err != nil || r.Items != 3+3+6+1 || !r.Sound() {
		t.Errorf("since another archive's: %+v, %v", r, err)
	}
}

// TestCheckSinceOldPayload: a second record of a payload that came before is
// compared with that payload, and its original may have come before too.
func TestCheckSinceOldPayload(t *testing.T) {
	first := letter("One,\r\ntwo.\r\n", "1.txt")
	again := func(change func(*record.Record)) map[string][]byte {
		path := one(first, record.KindRecord)
		_, ids := record.ClassifyPath(path)
		rec := must(record.ParseRecord(first[path]))
		rec.Names = []string{"copy.txt"}
		change(rec)
		data := must(rec.Encode())
		return map[string][]byte{record.RecordPath(ids[0], cid.OfJSON(data)): data}
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
		r, err := CheckWith(c.store, c.tip, Checking{Since: c.all[0]})
		if err != nil {
			t.Fatal(err)
		}
		if tc.says == "" {
			if !r.Sound() || r.Items != 2 {
				t.Errorf("%s: %+v", name, r)
			}
			continue
		}
		if r.Sound() || len(r.Problems) != 1 || !strings.Contains(r.Problems[0].Reason, tc.says) {
			t.Errorf("%s: %+v", name, r)
		}
	}
}
