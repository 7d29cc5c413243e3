package flate

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zlib"
)

// streamsOf returns one content as writers of all kinds deflate it.
func streamsOf(t testing.TB, data []byte) map[string][]byte {
	streams := map[string][]byte{}
	for name, level := range map[string]int{"stored": zlib.NoCompression, "fast": zlib.BestSpeed, "best": zlib.BestCompression, "literals": zlib.HuffmanOnly} {
		var out bytes.Buffer
		z, err := zlib.NewWriterLevel(&out, level)
		if err != nil {
			t.Fatal(err)
		}
		for part := range slices.Chunk(data, max(1, len(data)/2)) {
			if _, err := z.Write(part); err != nil {
				t.Fatal(err)
			}
			if err := z.Flush(); err != nil { // several blocks
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		streams[name] = out.Bytes()
	}
	var out bytes.Buffer
	store(&out, data)
	streams["our stored"] = out.Bytes()
	out = bytes.Buffer{}
	if err := new(Encoder).Append(&out, data); err != nil {
		t.Fatal(err)
	}
	streams["ours"] = out.Bytes()
	return streams
}

// TestDecode reads what all kinds of writers made, and refuses each of it cut
// short, longer or with a bit changed.
func TestDecode(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	noise := make([]byte, 70_000)
	for i := range noise {
		noise[i] = byte(rnd.Uint32())
	}
	steep := []byte{}
	for i, a, b := 0, 1, 1; i < 19; i, a, b = i+1, b, a+b {
		steep = append(steep, bytes.Repeat([]byte{byte(i)}, a)...)
	}
	contents := map[string][]byte{
		"nothing": {}, "a byte": []byte("a"), "run": bytes.Repeat([]byte("a"), 3000), "noise": noise, "steep": steep,
		"prose": []byte(strings.Repeat("It was a bright cold day in April, and the clocks were striking.\n", 31)),
		"far":   slices.Concat(noise[:200], bytes.Repeat([]byte("ab"), 16_200), noise[:200]),
	}
	read := 0
	for name, data := range contents {
		for by, stream := range streamsOf(t, data) {
			got, ok := Decode(append(bytes.Clone(stream), "what follows"...), len(data), nil)
			if !ok || !bytes.Equal(got, data) {
				t.Errorf("%s, %s: not read", name, by)
			}
			read++
			if _, ok := Decode(stream, len(data)+1, nil); ok {
				t.Errorf("%s, %s: a byte more was read", name, by)
			}
			if _, ok := Decode(stream, max(0, len(data)-1), nil); ok && len(data) > 0 {
				t.Errorf("%s, %s: a byte less was read", name, by)
			}
			for range 50 {
				at := rnd.IntN(len(stream))
				if _, ok := Decode(stream[:at], len(data), nil); ok {
					t.Errorf("%s, %s: read from its first %d bytes", name, by, at)
				}
				broken := bytes.Clone(stream)
				broken[at] ^= 1 << rnd.IntN(8)
				if got, ok := Decode(broken, len(data), nil); ok && !bytes.Equal(got, data) {
					t.Errorf("%s, %s: read as something else with a bit of byte %d changed", name, by, at)
				}
			}
		}
	}
	if read < 5*len(contents) {
		t.Errorf("only %d streams were read", read)
	}
}

// FuzzDecode holds that whatever is unpacked, the general reader reads as the
// same bytes, to the same end.
func FuzzDecode(f *testing.F) {
	for _, data := range []string{"", "a", strings.Repeat("plain words, again and again: ", 70)} {
		for _, stream := range streamsOf(f, []byte(data)) {
			f.Add(stream, len(data))
		}
	}
	f.Fuzz(func(t *testing.T, stream []byte, size int) {
		if size < 0 || size > 1<<16 {
			return
		}
		got, ok := Decode(stream, size, nil)
		if !ok {
			if got != nil {
				t.Fatal("bytes beside a refusal")
			}
			return
		}
		want, err := NewReader(bytes.NewReader(stream), sourceBuffer).Content(int64(size), 1<<16, nil)
		if err != nil || !bytes.Equal(got, want) {
			t.Fatalf("unpacked %d bytes, the general reader says %v", len(got), err)
		}
	})
}
