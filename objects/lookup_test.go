package objects

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"os"
	"testing"
)

// manyPacks publishes n commits, a pack each, and returns the paths of the last.
func manyPacks(t testing.TB, s *Store, n int) map[string]Hash {
	t.Helper()
	var paths map[string]Hash
	for i := range n {
		paths = commitLetters(t, s, 3*i, 3*i+3)
	}
	return paths
}

func reindexed(t testing.TB, s *Store) {
	t.Helper()
	l := lock(t, s)
	if err := s.Reindex(l); err != nil {
		t.Fatal(err)
	}
	if err := l.Unlock(); err != nil {
		t.Fatal(err)
	}
}

// The lookup index says what the pack indexes say, of every object.
func TestLookupIsWhatThePacksSay(t *testing.T) {
	s := newStore(t)
	manyPacks(t, s, 5)
	reindexed(t, s)
	v, err := s.acquire()
	if err != nil {
		t.Fatal(err)
	}
	defer s.release(v)
	if v.lookup == nil || len(v.rest) != 0 || len(v.covered) != 5 {
		t.Fatalf("lookup index %v, %d packs covered, %d not", v.lookup != nil, len(v.covered), len(v.rest))
	}
	if err := v.lookup.verify(); err != nil {
		t.Error(err)
	}
	n := 0
	for i, p := range v.covered {
		for pos := range p.Index.Len() {
			n++
			row, ok := v.lookup.find(p.Index.Name(pos))
			off, _ := p.Index.Offset(pos)
			if !ok || int(row.pack) != i || row.offset != off || row.hash != p.Index.Name(pos) {
				t.Errorf("%s of pack %d at %d: found %+v, %v", p.Index.Name(pos), i, off, row, ok)
			}
		}
	}
	if n != v.lookup.count || n < 40 {
		t.Errorf("%d objects in the packs, %d in the lookup index", n, v.lookup.count)
	}
	for i := range 256 {
		if row, ok := v.lookup.find(Hash{byte(i), 7, byte(i)}); ok {
			t.Errorf("found %+v, which is in no pack", row)
		}
	}
}

// Publish writes the lookup index once enough packs have come together, and
// Doctor finds nothing wrong with it.
func TestLookupKept(t *testing.T) {
	s := newStore(t)
	manyPacks(t, s, lookupAfter)
	if _, err := os.Stat(s.lookupPath()); err == nil {
		t.Error("a lookup index before it is due")
	}
	want := manyPacks(t, s, lookupAfter+3)
	if _, err := os.Stat(s.lookupPath()); err != nil {
		t.Error(err)
	}
	if found := s.Doctor(); len(found) > 0 {
		t.Errorf("doctor: %v", found)
	}
	wantLetters(t, s, want)
	wantLetters(t, reopen(t, s), want)
}

// Whatever a lookup index holds, every object is found with its own content,
// and none that is not there.
func TestLookupDamaged(t *testing.T) {
	s := newStore(t)
	want := manyPacks(t, s, 4)
	reindexed(t, s)
	good, err := os.ReadFile(s.lookupPath())
	if err != nil {
		t.Fatal(err)
	}
	head := lookupHeadSize(4) + sha256.Size
	var places []int
	for at := 0; at < len(good); at++ {
		if at < 200 || at >= head-64 || at%9973 == 0 { // the rest is the table of counts
			places = append(places, at)
		}
	}
	for n, at := range places {
		bad := bytes.Clone(good)
		bad[at] ^= 0xff
		replaceLookup(t, s, bad)
		if n%40 == 0 { // all of them in every form are for the nightly
			wantLetters(t, s, want)
			if found := s.Doctor(); len(found) != 1 {
				t.Errorf("byte %d flipped: doctor says %v", at, found)
			}
		}
		v, err := s.acquire()
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range want {
			if k, data, err := s.getIn(v, h, nil); err != nil || Sum(k, data) != h {
				t.Fatalf("byte %d flipped: %s: %v", at, h, err)
			}
		}
		s.release(v)
		if s.Has(Hash{1, 2, 3}) {
			t.Errorf("byte %d flipped: an object that is nowhere", at)
		}
	}
	for _, short := range [][]byte{nil, good[:10], good[:head], good[:len(good)-1], append(bytes.Clone(good), 0)} {
		replaceLookup(t, s, short)
		wantLetters(t, s, want)
		if found := s.Doctor(); len(found) != 1 {
			t.Errorf("%d bytes: doctor says %v", len(short), found)
		}
	}
	if len(places) < 1000 {
		t.Errorf("%d bytes flipped", len(places))
	}
}

func replaceLookup(t testing.TB, s *Store, data []byte) {
	t.Helper()
	// A new file, as a mapped one must not change.
	if err := os.Remove(s.lookupPath()); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(s.lookupPath(), data, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := s.rescan(); err != nil {
		t.Fatal(err)
	}
}

// A lookup index of packs that stock git has put together is not used, and
// goes away or is written anew.
func TestLookupAfterRepack(t *testing.T) {
	needGit(t)
	s := newStore(t)
	want := manyPacks(t, s, 5)
	reindexed(t, s)
	git(t, s, "repack", "-adq")
	wantLetters(t, s, want) // opened before the repack
	fresh := reopen(t, s)
	wantLetters(t, fresh, want)
	v, err := fresh.acquire()
	if err != nil {
		t.Fatal(err)
	}
	if v.lookup != nil || len(v.all) != 1 || len(v.rest) != 1 {
		t.Errorf("after a repack to %d packs the lookup index is used: %v", len(v.all), v.lookup != nil)
	}
	fresh.release(v)
	reindexed(t, fresh)
	if _, err := os.Stat(fresh.lookupPath()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a lookup index of one pack: %v", err)
	}
	fsck(t, s)
}

func FuzzLookup(f *testing.F) {
	packs := []lookupPack{{Hash{1}, 2}, {Hash{2}, 1}}
	rows := []lookupRow{{Hash{9}, 1, 20, 12}, {Hash{3}, 0, 30, 12}, {Hash{3, 1}, 0, 5, 42}}
	f.Add(encodeLookup(packs, rows), true)
	f.Add(encodeLookup(nil, nil), false)
	f.Fuzz(func(t *testing.T, data []byte, sign bool) {
		if sign && len(data) > lookupHeadSize(2)+sha256.Size { // past the checksum of the head
			data = bytes.Clone(data)
			sum := sha256.Sum256(data[:lookupHeadSize(2)])
			copy(data[lookupHeadSize(2):], sum[:])
		}
		x, err := parseLookup(data)
		if err != nil {
			if x != nil || !errors.Is(err, ErrCorrupt) {
				t.Fatalf("a lookup index with %v", err)
			}
			return
		}
		for i := range min(x.count, 64) {
			x.find(x.row(i).hash)
		}
		x.find(Hash{})
		x.find(Hash(bytes.Repeat([]byte{0xff}, len(Hash{}))))
		if x.verify() == nil && !bytes.Equal(data, x.data) {
			t.Fatal("verified and not the same")
		}
	})
}
