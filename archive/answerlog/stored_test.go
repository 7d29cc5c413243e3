package answerlog

import (
	"bytes"
	"errors"
	"path/filepath"
	"testing"
	"testing/fstest"

	"muniment/cid/merkle"
	"muniment/sign"
)

// only returns the one log of a folder.
func only(t *testing.T, l *Log) *Stored {
	t.Helper()
	all, err := List(filepath.Dir(filepath.Dir(l.dir)), archive)
	if err != nil || len(all) != 1 {
		t.Fatalf("%d logs, %v", len(all), err)
	}
	return all[0]
}

// A copy of tiles that grows step by step is the one made at once, and proves
// every size.
func TestTiles(t *testing.T) {
	l := open(t, t.TempDir())
	grown := fstest.MapFS{}
	have := int64(0)
	for n := range 600 {
		add(t, l, n)
		if n%97 != 0 && n != 599 {
			continue
		}
		s := only(t, l)
		err := s.Tiles(have, func(path string, data []byte) error {
			grown[path] = &fstest.MapFile{Data: data}
			return nil
		}, func(path string) error {
			if grown[path] == nil {
				t.Errorf("%s is to be removed and is not there", path)
			}
			delete(grown, path)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		have = s.Checkpoint.Size
	}
	s := only(t, l)
	once := fstest.MapFS{}
	if err := s.Tiles(0, func(path string, data []byte) error {
		once[path] = &fstest.MapFile{Data: data}
		return nil
	}, func(path string) error { t.Errorf("%s is to be removed from nothing", path); return nil }); err != nil {
		t.Fatal(err)
	}
	// Two full tiles of hashes and of entries, two partial ones, one of level 1,
	// the checkpoint.
	if len(once) != 8 || len(grown) != len(once) {
		t.Errorf("%d files at once, %d grown, want 8", len(once), len(grown))
	}
	for path, f := range once {
		if grown[path] == nil || !bytes.Equal(grown[path].Data, f.Data) {
			t.Errorf("%s differs", path)
		}
	}
	for _, from := range []int64{1, 97, 256, 599} {
		hashes, err := sign.ProveFromTiles(once, 600, from, 600)
		root, err2 := sign.RootFromTiles(once, 600, from)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		old := sign.Checkpoint{Origin: s.Checkpoint.Origin, Size: from, Root: root}
		if err := sign.CheckConsistent(old, s.Checkpoint, hashes); err != nil {
			t.Error(err)
		}
		if got, _, err := s.Past(from, 600); err != nil || got != root {
			t.Errorf("root at %d: %x, %v, want %x", from, got, err, root)
		}
	}
	if once["tile/entries/001"] == nil || len(once["tile/entries/001"].Data) != 256*34 {
		t.Error("no full bundle of entries")
	}
}

func TestWitness(t *testing.T) {
	key := newKey('l').Key()
	l := open(t, t.TempDir())
	w := Witness{Dir: t.TempDir(), Signer: newKey('w')}
	for n := range 5 {
		add(t, l, n)
	}
	five := only(t, l)
	cosigned, err := w.Cosign(five.Note, key, 1772528400, five.Past)
	if err != nil {
		t.Fatal(err)
	}
	if c, err := sign.Cosignatures(cosigned); err != nil || len(c) != 1 || c[0].Key != w.Signer.Key() {
		t.Errorf("cosignatures %v, %v", c, err)
	}
	for n := range 3 {
		add(t, l, 5+n)
	}
	eight := only(t, l)
	none := func(int64, int64) (merkle.Hash, []merkle.Hash, error) {
		return merkle.Hash{}, nil, errors.New("nothing at hand")
	}
	if _, err := w.Cosign(eight.Note, key, 1, none); err == nil {
		t.Error("cosigned without a proof")
	}
	if _, err := w.Cosign(eight.Note, newKey('o').Key(), 1, eight.Past); err == nil {
		t.Error("cosigned for another key")
	}
	if _, err := w.Cosign(eight.Note, key, 1772528401, eight.Past); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Cosign(five.Note, key, 2, eight.Past); !errors.Is(err, ErrOlder) {
		t.Errorf("an older checkpoint: %v", err)
	}
	// Another history by the same key: longer, of the same size, shorter.
	for _, size := range []int{11, 8, 4} {
		forked := open(t, filepath.Join(t.TempDir(), "log"))
		for n := range size {
			add(t, forked, 100+n)
		}
		fork := only(t, forked)
		past := fork.Past
		if size < 8 {
			past = eight.Past
		}
		_, err := w.Cosign(fork.Note, key, 3, past)
		var conflict *ConflictError
		if !errors.As(err, &conflict) {
			t.Fatalf("a fork of size %d: %v", size, err)
		}
		back, err := sign.ParseConflict(conflict.Conflict.Encode())
		if err != nil {
			t.Fatal(err)
		}
		if err := back.Verify(key); err != nil {
			t.Errorf("size %d: the evidence does not hold: %v", size, err)
		}
	}
	if last, err := w.Last(eight.Checkpoint.Origin); err != nil || !bytes.Contains(last, []byte("\n8\n")) {
		t.Errorf("the witness keeps %q, %v", last, err)
	}
}
