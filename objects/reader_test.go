package objects

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A Reader gives what Get gives, in any order, whatever lay in the room before,
// from our packs and from those that stock git makes of them.
func TestReader(t *testing.T) {
	s := newStore(t)
	b := newBatch(t, s)
	rnd := rand.New(rand.NewPCG(4, 4))
	contents := map[Hash]string{}
	var edits []Edit
	for i := range 200 {
		text := fmt.Sprintf("record %d", i)
		switch i % 4 {
		case 1:
			text = letter(i)
		case 2:
			text = strings.Repeat(letter(i), 1+rnd.IntN(40)) // up to more than one reading of the disk
		case 3:
			noise := make([]byte, rnd.IntN(18<<10))
			for j := range noise {
				noise[j] = byte(rnd.Uint32())
			}
			text = string(noise)
		}
		h := put(t, b, Blob, text)
		contents[h] = text
		edits = append(edits, Edit{fmt.Sprintf("a/%d", i), h})
	}
	tree, err := b.Edit(Hash{}, edits)
	if err != nil {
		t.Fatal(err)
	}
	publish(t, b, RefUpdate{Name: "refs/heads/main", New: put(t, b, Commit, commitText(tree, 1))})
	for _, repacked := range []bool{false, true} {
		if repacked {
			git(t, s, "repack", "-a", "-d", "-q", "-f", "--depth=50")
		}
		r := s.NewReader()
		room := make([]byte, 4<<10)
		read := 0
		for range 3 {
			for h, want := range contents { // in an order of its own each time
				k, data, err := r.GetInto(room, h)
				if err != nil || k != Blob || string(data) != want {
					t.Fatalf("repacked %v: %d bytes of %d, a %s, %v", repacked, len(data), len(want), k, err)
				}
				if len(data) > cap(room) {
					room = data
				}
				read++
			}
		}
		if read != 3*len(contents) || len(contents) < 195 {
			t.Errorf("%d objects were read, of %d", read, len(contents))
		}
	}
}

// A Reader that begins after a byte was changed sees it, wherever it lies.
func TestReaderSeesDamage(t *testing.T) {
	s := newStore(t)
	hashes := commitLetters(t, s, 0, 3)
	packs, err := filepath.Glob(filepath.Join(s.packDir(), "*.pack"))
	if err != nil || len(packs) != 1 {
		t.Fatal(packs, err)
	}
	whole, err := os.ReadFile(packs[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(packs[0], 0o600); err != nil {
		t.Fatal(err)
	}
	places := map[Hash]int64{}
	idx := s.packs.all[0].Index
	for pos := range idx.Len() {
		if places[idx.Name(pos)], err = idx.Offset(pos); err != nil {
			t.Fatal(err)
		}
	}
	for h, off := range places {
		broken := bytes.Clone(whole)
		broken[off+8] ^= 0x10 // of a stored block its size or bytes, else of a code
		if err := os.WriteFile(packs[0], broken, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, data, err := s.NewReader().Get(h); err == nil {
			t.Errorf("object %s: %d bytes of a damaged entry were read", h, len(data))
		}
	}
	if len(places) < len(hashes) || len(hashes) != 3 {
		t.Errorf("%d objects of %d letters", len(places), len(hashes))
	}
}
