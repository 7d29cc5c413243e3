package objects

import (
	"encoding/binary"
	"fmt"
	"testing"

	"muniment/objects/pack"
)

// BenchmarkPut is one object on its way into a pack, with its share of the
// syncs that end the batch.
func BenchmarkPut(b *testing.B) {
	for _, size := range []int{200, 2700, 64 << 10} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			text := []byte(letter(1))
			for len(text) < size {
				text = append(text, text...)
			}
			text = text[:size]
			s := newStore(b)
			batch := newBatch(b, s)
			b.SetBytes(int64(size))
			for i := 0; b.Loop(); i++ {
				binary.BigEndian.PutUint64(text, uint64(i))
				if _, err := batch.Put(Blob, text); err != nil {
					b.Fatal(err)
				}
			}
			publish(b, batch)
		})
	}
}

// BenchmarkLookup is finding one of a million objects, in a pack of them and
// in a lookup index over many packs, without reading it.
func BenchmarkLookup(b *testing.B) {
	const n = 1 << 20
	name := func(i int) Hash {
		return Sum(Blob, binary.BigEndian.AppendUint64(nil, uint64(i)))
	}
	rows := make([]lookupRow, n)
	entries := make([]pack.IndexEntry, n)
	names := make([]Hash, n)
	for i := range n {
		names[i] = name(i)
		rows[i] = lookupRow{hash: names[i], pack: uint32(i % 64), size: 1, offset: int64(12 + i)}
		entries[i] = pack.IndexEntry{Hash: names[i], Offset: int64(12 + i)}
	}
	packs := make([]lookupPack, 64)
	for i := range packs {
		packs[i] = lookupPack{Hash{byte(i)}, n / 64}
	}
	x, err := parseLookup(encodeLookup(packs, rows))
	if err != nil {
		b.Fatal(err)
	}
	idx, err := pack.ParseIndex(pack.EncodeIndex(entries, Hash{}))
	if err != nil {
		b.Fatal(err)
	}
	b.Run("lookup", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			if _, ok := x.find(names[i*7919%n]); !ok {
				b.Fatal("not found")
			}
		}
	})
	b.Run("pack", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			if _, ok := idx.Find(names[i*7919%n]); !ok {
				b.Fatal("not found")
			}
		}
	})
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			if _, err := parseLookup(x.data); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkGet reads and hashes one object of a pack.
func BenchmarkGet(b *testing.B) {
	s := newStore(b)
	var names []Hash
	for _, h := range commitLetters(b, s, 0, 200) {
		names = append(names, h)
	}
	for i := 0; b.Loop(); i++ {
		if _, _, err := s.Get(names[i%len(names)]); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkEdit puts one blob into a tree of two levels of directories.
func BenchmarkEdit(b *testing.B) {
	s := newStore(b)
	batch := newBatch(b, s)
	blob := put(b, batch, Blob, "x")
	var edits []Edit
	for i := range 20_000 {
		h := Sum(Blob, binary.BigEndian.AppendUint64(nil, uint64(i))).String()
		edits = append(edits, Edit{"artifacts/" + h[:2] + "/" + h[2:4] + "/" + h[4:], blob})
	}
	root, err := batch.Edit(Hash{}, edits)
	if err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	for i := 0; b.Loop(); i++ {
		h := Sum(Tree, binary.BigEndian.AppendUint64(nil, uint64(i))).String()
		if _, err := batch.Edit(root, []Edit{{"artifacts/" + h[:2] + "/" + h[2:4] + "/" + h[4:], blob}}); err != nil {
			b.Fatal(err)
		}
	}
}
