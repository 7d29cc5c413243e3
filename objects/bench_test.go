package objects

import (
	"encoding/binary"
	"fmt"
	"testing"
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
