package objects

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"muniment/objects/pack"
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

// every returns the names of all objects in the packs of a store.
func every(t testing.TB, s *Store) map[Hash]bool {
	t.Helper()
	v, err := s.acquire()
	if err != nil {
		t.Fatal(err)
	}
	defer s.release(v)
	all := map[Hash]bool{}
	for _, p := range v.all {
		for i := range p.Index.Len() {
			all[p.Index.Name(i)] = true
		}
	}
	return all
}

func consolidated(t testing.TB, s *Store) Consolidation {
	t.Helper()
	l := lock(t, s)
	defer l.Unlock()
	c, err := s.Consolidate(l)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A store never has more packs than the logarithm of its objects allows, however
// often it is published to, and no object is lost on the way: not even one to which
// no ref leads.
func TestPacksStayFew(t *testing.T) {
	s := newStore(t)
	var last map[string]Hash
	made := map[Hash]bool{}
	most := 0
	for i := range 200 {
		b := newBatch(t, s)
		made[put(t, b, Blob, fmt.Sprintf("nothing leads to %d", i))] = true
		publish(t, b)
		last = commitLetters(t, s, 2*i, 2*i+2)
		names, err := packNames(s.packDir())
		if err != nil {
			t.Fatal(err)
		}
		most = max(most, len(names))
	}
	if limit := mergeLate + 12; most > limit || most < mergeLate {
		t.Errorf("up to %d packs after 400 publishes, want %d to %d", most, mergeLate, limit)
	}
	wantLetters(t, s, last)
	for h := range made {
		if _, _, err := s.Get(h); err != nil {
			t.Error(err)
		}
	}
	before := every(t, s)
	c := consolidated(t, s)
	if c.Packs > 10 || c.Damaged != 0 {
		t.Errorf("%+v", c)
	}
	after := every(t, s)
	for h := range before {
		if !after[h] {
			t.Errorf("object %s is lost", h)
		}
	}
	if again := consolidated(t, s); again.Merged != 0 || again.Packs != c.Packs {
		t.Errorf("once more: %+v", again)
	}
	r, err := Open(s.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	wantLetters(t, r, last)
	if problems := r.Doctor(); len(problems) > 0 {
		t.Error(problems)
	}
}

// A reader whose packs are merged under it reads on, with few open files.
func TestReadWhilePacksAreMerged(t *testing.T) {
	s := newStore(t)
	want := manyPacks(t, s, mergeLate-2)
	r, err := Open(s.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	sel, err := r.Select([]Hash{mainOf(t, s)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer sel.Close()
	consolidated(t, s)
	wantLetters(t, r, want)
	var out strings.Builder
	if err := sel.WritePack(&out, nil); err != nil || out.Len() == 0 {
		t.Errorf("%d bytes of a pack, %v", out.Len(), err)
	}
	c, err := r.Check([]Hash{mainOf(t, s)}, nil)
	if err != nil || len(c.Problems) > 0 {
		t.Errorf("%+v, %v", c, err)
	}
}

func mainOf(t testing.TB, s *Store) Hash {
	t.Helper()
	h, err := s.Ref("refs/heads/main")
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// A damaged pack is neither merged nor removed, and neither is one that git keeps.
func TestDamagedPacksAreLeft(t *testing.T) {
	for _, damage := range []string{"a byte of the pack", "a name in the index", "kept"} {
		s := newStore(t)
		manyPacks(t, s, mergeLate-2)
		names, err := packNames(s.packDir())
		if err != nil {
			t.Fatal(err)
		}
		name := names[2]
		flip := func(ext string, at int) {
			path := filepath.Join(s.packDir(), name+ext)
			data, err := os.ReadFile(path)
			if err == nil {
				data[at] ^= 4
				err = errors.Join(os.Chmod(path, 0o644), os.WriteFile(path, data, 0o644))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		damaged := 1
		switch damage {
		case "a byte of the pack":
			flip(".pack", 40)
		case "a name in the index":
			flip(".idx", 8+1024+30)
		case "kept":
			damaged = 0
			if err := os.WriteFile(filepath.Join(s.packDir(), name+".keep"), nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		c := consolidated(t, s)
		if c.Damaged != damaged || c.Merged < 3 {
			t.Errorf("%s: %+v", damage, c)
		}
		left, err := packNames(s.packDir())
		if err != nil || !slices.Contains(left, name) {
			t.Errorf("%s: %v of %s, %v", damage, left, name, err)
		}
	}
}

// A pack that holds all of the others is not removed for having the name of the
// merged one.
func TestMergeIntoTheSameName(t *testing.T) {
	s := newStore(t)
	publishAll := func(texts ...string) {
		w, err := pack.Create(s.disk, s.packDir(), s.packDir())
		if err != nil {
			t.Fatal(err)
		}
		copyOf := newStore(t)
		b := newBatch(t, copyOf)
		for _, text := range texts {
			put(t, b, Blob, text)
		}
		publish(t, b)
		v, err := copyOf.acquire()
		if err != nil {
			t.Fatal(err)
		}
		defer copyOf.release(v)
		p := v.all[0]
		var places []pack.Place
		for i := range p.Index.Len() {
			off, _ := p.Index.Offset(i)
			places = append(places, pack.Place{Offset: off, Pos: int32(i)})
		}
		slices.SortFunc(places, pack.ComparePlaces)
		if err := errors.Join(w.Copy(p.File, places, copyOf.Get), w.Seal(), w.Publish(), s.rescan()); err != nil {
			t.Fatal(err)
		}
	}
	publishAll("one", "two", "three")
	publishAll("one", "two")
	if c := consolidated(t, s); c.Merged != 1 || c.Packs != 1 {
		t.Errorf("%+v", c)
	}
	for _, text := range []string{"one", "two", "three"} {
		if _, _, err := s.Get(Sum(Blob, []byte(text))); err != nil {
			t.Error(err)
		}
	}
}

// A new pack does not take the name of one that is passed over.
func TestAvoidedName(t *testing.T) {
	s := newStore(t)
	want := commitLetters(t, s, 0, 3)
	names, err := packNames(s.packDir())
	if err != nil || len(names) != 1 {
		t.Fatal(names, err)
	}
	without, err := s.Without(map[string]error{names[0]: ErrCorrupt})
	if err != nil {
		t.Fatal(err)
	}
	defer without.Close()
	b := newBatch(t, without)
	v, err := s.acquire()
	if err != nil {
		t.Fatal(err)
	}
	defer s.release(v)
	p := v.all[0]
	var order []pack.Place
	for i := range p.Index.Len() {
		off, _ := p.Index.Offset(i)
		order = append(order, pack.Place{Offset: off, Pos: int32(i)})
	}
	slices.SortFunc(order, pack.ComparePlaces)
	for _, at := range order { // the same objects in the same order: the same checksum
		k, data, err := s.Get(p.Index.Name(int(at.Pos)))
		if err == nil {
			_, err = b.Put(k, data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	publish(t, b)
	wantLetters(t, without, want)
	if after, err := packNames(s.packDir()); err != nil || len(after) != 2 {
		t.Errorf("packs %v, %v", after, err)
	}
}
