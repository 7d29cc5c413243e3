package flate

import (
	"bytes"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/klauspost/compress/zlib"
)

// inflated reads a stream with another reader than ours.
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

// TestLiteralsReadBack writes texts whose codes are short, long, one or all.
func TestLiteralsReadBack(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	steep := []byte{} // counts like Fibonacci's numbers want codes longer than 14 bits
	for i, a, b := 0, 1, 1; i < 19; i, a, b = i+1, b, a+b {
		steep = append(steep, bytes.Repeat([]byte{byte(i)}, a)...)
	}
	noise := make([]byte, 3000)
	for i := range noise {
		noise[i] = byte(rnd.Uint32())
	}
	var c literalCoder
	for name, test := range map[string]struct {
		data    []byte
		shrinks bool
	}{
		"prose":    {[]byte(strings.Repeat("It was a bright cold day in April, and the clocks were striking.\n", 31)), true},
		"one byte": {bytes.Repeat([]byte("a"), 2000), true},
		"two":      {bytes.Repeat([]byte("ab"), 1000), true},
		"steep":    {steep, true},
		"noise":    {noise, false},
		"all":      {append(bytes.Repeat([]byte("e"), 3000), noise[:1000]...), true},
		"a letter": {[]byte("a"), false},
		"nothing":  {nil, false},
	} {
		var out bytes.Buffer
		out.WriteString("head")
		if got := c.appendTo(&out, test.data); got != test.shrinks {
			t.Errorf("%s: shrinks %v, want %v", name, got, test.shrinks)
			continue
		}
		stream, _ := bytes.CutPrefix(out.Bytes(), []byte("head"))
		if !test.shrinks {
			if len(stream) != 0 {
				t.Errorf("%s: %d bytes were added", name, len(stream))
			}
			continue
		}
		if len(stream) >= StoredSize(len(test.data)) {
			t.Errorf("%s: %d bytes became %d", name, len(test.data), len(stream))
		}
		if !bytes.Equal(inflated(t, stream), test.data) {
			t.Errorf("%s: reads back as something else", name)
		}
	}
}

// FuzzLiterals holds that what is written reads back.
func FuzzLiterals(f *testing.F) {
	f.Add([]byte("plain words, again and again: plain words"), 70)
	f.Add([]byte{0, 0, 0, 1, 255}, 400)
	f.Fuzz(func(t *testing.T, data []byte, times int) {
		if times < 0 || len(data) > 1<<12 {
			return
		}
		data = bytes.Repeat(data, 1+times%100)
		var c literalCoder
		var out bytes.Buffer
		if c.appendTo(&out, data) && !bytes.Equal(inflated(t, out.Bytes()), data) {
			t.Fatal("reads back as something else")
		}
	})
}
