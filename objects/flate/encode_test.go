package flate

import (
	"bytes"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/klauspost/compress/zlib"
)

// inflated reads a stream with the general reader.
func inflated(t testing.TB, stream []byte) []byte {
	r, err := zlib.NewReader(bytes.NewReader(stream))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestAppend writes content of every size class, some of which shrinks, and
// reads it back. What does not shrink is stored.
func TestAppend(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	steep := []byte{} // counts like Fibonacci's numbers want the longest codes
	for i, a, b := 0, 1, 1; i < 19; i, a, b = i+1, b, a+b {
		steep = append(steep, bytes.Repeat([]byte{byte(i)}, a)...)
	}
	noise := make([]byte, 2*probe)
	for i := range noise {
		noise[i] = byte(rnd.Uint32())
	}
	prose := strings.Repeat("It was a bright cold day in April, and the clocks were striking.\n", 2000)
	var e Encoder
	for name, test := range map[string]struct {
		data    []byte
		shrinks bool
	}{
		"nothing":        {nil, false},
		"a letter":       {[]byte("a"), false},
		"a record":       {[]byte(prose[:storedBelow-1]), false},
		"short prose":    {[]byte(prose[:2000]), true},
		"one byte":       {bytes.Repeat([]byte("a"), 2000), true},
		"two":            {bytes.Repeat([]byte("ab"), 1000), true},
		"steep":          {steep, true},
		"short noise":    {noise[:3000], false},
		"every byte":     {append(bytes.Repeat([]byte("e"), 3000), noise[:1000]...), true},
		"prose":          {[]byte(prose[:literalsBelow]), true},
		"noise":          {noise[:literalsBelow], false},
		"long prose":     {[]byte(prose), true},
		"long noise":     {noise, false},
		"noise, then as": {append(bytes.Clone(noise[:probe]), bytes.Repeat([]byte("a"), probe)...), false},
		"as, then noise": {append(bytes.Repeat([]byte("a"), probe), noise...), true},
	} {
		out := bytes.NewBufferString("head")
		if err := e.Append(out, test.data); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		stream, found := bytes.CutPrefix(out.Bytes(), []byte("head"))
		if !found || !bytes.Equal(inflated(t, stream), test.data) {
			t.Errorf("%s: reads back as something else", name)
		}
		switch size := StoredSize(len(test.data)); {
		case test.shrinks && len(stream) >= size:
			t.Errorf("%s: %d bytes became %d", name, len(test.data), len(stream))
		case !test.shrinks && len(stream) != size:
			t.Errorf("%s: %d bytes became %d, want them stored in %d", name, len(test.data), len(stream), size)
		}
	}
}

// FuzzAppend holds that what is written reads back, in no more bytes than stored
// blocks take when it is short.
func FuzzAppend(f *testing.F) {
	f.Add([]byte("plain words, again and again: plain words"), 70)
	f.Add([]byte{0, 0, 0, 1, 255}, 400)
	f.Fuzz(func(t *testing.T, data []byte, times int) {
		if times < 0 || len(data) > 1<<12 {
			return
		}
		data = bytes.Repeat(data, 1+times%100)
		var e Encoder
		var out bytes.Buffer
		if err := e.Append(&out, data); err != nil || !bytes.Equal(inflated(t, out.Bytes()), data) {
			t.Fatalf("reads back as something else: %v", err)
		}
		if len(data) <= probe && out.Len() > StoredSize(len(data)) {
			t.Fatalf("%d bytes became %d", len(data), out.Len())
		}
	})
}
