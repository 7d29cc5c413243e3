package objects

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/pjbgf/sha1cd"
)

// Whatever parses must encode to the same bytes; on error there is no result.

func FuzzTree(f *testing.F) {
	for _, v := range vectors(f, "tree") {
		f.Add(v.body)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, err := ParseTree(data)
		if err != nil {
			if entries != nil || !errors.Is(err, ErrCorrupt) {
				t.Fatalf("%v with %v", entries, err)
			}
			return
		}
		again, err := EncodeTree(entries)
		if err != nil || !bytes.Equal(again, data) {
			t.Fatalf("%q encodes to %q, %v", data, again, err)
		}
	})
}

func FuzzIndex(f *testing.F) {
	for _, v := range vectors(f, "index") {
		f.Add(v.body, false)
		f.Add(v.body, true)
	}
	f.Fuzz(func(t *testing.T, data []byte, sign bool) {
		if sign && len(data) > sha1cd.Size { // past the checksum, which fuzzing cannot guess
			data = bytes.Clone(data)
			own, _ := sha1cd.Sum(data[:len(data)-sha1cd.Size])
			copy(data[len(data)-sha1cd.Size:], own[:])
		}
		x, err := parseIndex(data)
		if err != nil {
			if x != nil {
				t.Fatalf("an index with %v", err)
			}
			return
		}
		for pos := range x.count {
			x.find(x.name(pos))
			if off, err := x.offset(pos); err == nil && off < 0 {
				t.Fatalf("offset %d", off)
			}
		}
		x.find(Hash{})
		x.find(Hash(bytes.Repeat([]byte{0xff}, sha1cd.Size)))
		if x.verify() != nil {
			return
		}
		var entries []indexEntry
		for pos := range x.count {
			off, err := x.offset(pos)
			if err != nil {
				t.Fatal(err)
			}
			wide := binary.BigEndian.Uint32(x.small[4*pos:])&offsetIsBig != 0
			entries = append(entries, indexEntry{hash: x.name(pos), offset: off, crc: x.crc(pos), wide: wide})
			if got, ok := x.find(x.name(pos)); !ok || got != pos {
				t.Fatalf("%s is at %d, found %d %v", x.name(pos), pos, got, ok)
			}
		}
		if again := encodeIndex(entries, x.packSum()); !bytes.Equal(again, x.data) || !x.noCRC && !bytes.Equal(again, data) {
			t.Fatal("a verified index encodes to other bytes")
		}
	})
}

func FuzzEntryHeader(f *testing.F) {
	for _, v := range vectors(f, "entry") {
		f.Add(v.body)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		h, err := parseEntryHeader(data)
		if err != nil {
			if h != (entryHeader{}) {
				t.Fatalf("%+v with %v", h, err)
			}
			return
		}
		if again := h.append(nil); h.len > len(data) || h.len > maxEntryHeader || !bytes.Equal(again, data[:h.len]) {
			t.Fatalf("%x encodes to %x", data, again)
		}
	})
}

func FuzzDelta(f *testing.F) {
	for _, v := range vectors(f, "delta") {
		f.Add(v.body[:v.base], v.body[v.base:])
	}
	f.Fuzz(func(t *testing.T, base, delta []byte) {
		out, err := applyDelta(base, delta)
		if err != nil {
			if out != nil {
				t.Fatalf("%d bytes with %v", len(out), err)
			}
			return
		}
		_, n, _ := deltaSize(delta)
		if size, _, _ := deltaSize(delta[n:]); int64(len(out)) != size || len(out) > MaxObject {
			t.Fatalf("%d bytes, announced %d", len(out), size)
		}
	})
}

// FuzzPack reads every entry of a pack of which some bytes are damaged.
func FuzzPack(f *testing.F) {
	body, offsets := fuzzPack(f)
	f.Add(20, []byte{1})
	f.Add(len(body)/2, []byte("\x7fdamage"))
	f.Fuzz(func(t *testing.T, at int, with []byte) {
		damaged := bytes.Clone(body)
		if at >= 0 && at < len(damaged) {
			copy(damaged[at:], with)
		}
		p := memoryPack(t, damaged, offsets)
		for _, off := range offsets {
			k, data, err := p.at(off, nil)
			if err != nil && (data != nil || k != 0) {
				t.Fatalf("%d bytes with %v", len(data), err)
			}
		}
	})
}

func FuzzLoose(f *testing.F) {
	var b bytes.Buffer
	var d deflater
	if err := d.appendTo(&b, []byte("blob 5\x00hello")); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		k, body, err := readLoose(bytes.NewReader(data))
		if err != nil && (k != 0 || body != nil) {
			t.Fatalf("%s of %d bytes with %v", k, len(body), err)
		}
	})
}

func FuzzPackedRefs(f *testing.F) {
	for _, v := range vectors(f, "packed-refs") {
		f.Add(string(v.body))
	}
	f.Fuzz(func(t *testing.T, text string) {
		refs, err := parsePackedRefs(text)
		if err != nil {
			if refs != nil {
				t.Fatalf("%v with %v", refs, err)
			}
			return
		}
		if again := string(encodePackedRefs(refs)); again != text {
			t.Fatalf("%q encodes to %q", text, again)
		}
	})
}
