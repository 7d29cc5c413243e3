package compound

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"
)

// Whatever is written is read again, in containers of every size: with and without a
// mini stream, with a FAT that the head alone does not list.
func TestWriteReadsBack(t *testing.T) {
	long := bytes.Repeat([]byte("0123456789abcdef"), 9<<20/16) // 144 sectors of FAT
	cases := []map[string][]byte{
		{"a": []byte("x")},
		{"a": nil, "b": bytes.Repeat([]byte("b"), miniCutoff)},
		{"folder/inner/deep": []byte("1"), "folder/other": long[:5000], "\x05Summary": []byte("2"), "long": long},
	}
	many := map[string][]byte{}
	for i := range 300 {
		many[fmt.Sprintf("f%d/s%d", i%7, i)] = long[:i*40]
	}
	for _, streams := range append(cases, many) {
		data, err := Write(streams)
		if err != nil {
			t.Fatal(err)
		}
		f, err := Open(data)
		if err != nil {
			t.Fatal(err)
		}
		if len(f.streams) != len(streams) {
			t.Errorf("%d streams, want %d", len(f.streams), len(streams))
		}
		for range 2 { // a stream can be read twice
			for name, want := range streams {
				got, err := f.Read(strings.TrimPrefix(name, "\x05"))
				if err != nil || !bytes.Equal(got, want) {
					t.Errorf("%s: %d bytes, want %d, %v", name, len(got), len(want), err)
				}
			}
		}
		again, err := Write(streams)
		if err != nil || !bytes.Equal(again, data) {
			t.Error("another container of the same streams")
		}
	}
	for _, bad := range []map[string][]byte{{"": nil}, {"a": nil, "a/b": nil}, {strings.Repeat("a", maxEntryName+1): nil}} {
		if _, err := Write(bad); err == nil {
			t.Errorf("%v is written", bad)
		}
	}
}

// A folder becomes a container with the names and bytes that it had.
func TestExtract(t *testing.T) {
	data, err := Write(map[string][]byte{"a/b/\x01Ole": []byte("ole"), "a/b/c/d": []byte("deep"), "a/bc": []byte("not inside")})
	if err != nil {
		t.Fatal(err)
	}
	f, err := Open(data)
	if err != nil {
		t.Fatal(err)
	}
	inner, err := f.Extract("a/b", map[string][]byte{"more": []byte("added")})
	if err != nil {
		t.Fatal(err)
	}
	want, err := Write(map[string][]byte{"\x01Ole": []byte("ole"), "c/d": []byte("deep"), "more": []byte("added")})
	if err != nil || !bytes.Equal(inner, want) {
		t.Errorf("the folder is another container, %v", err)
	}
	if _, err := f.Extract("x", nil); err == nil {
		t.Error("a folder that is not there is extracted")
	}
}

// Folders that lie too deep in each other, or in themselves, are refused before the
// library follows them: its memory grows with the square of the depth.
func TestDepth(t *testing.T) {
	deep := map[string][]byte{strings.Repeat("a/", 20_000) + "b": []byte("x")}
	data, err := Write(deep)
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	if _, err := Open(data); err == nil || !strings.Contains(err.Error(), "deeper") {
		t.Errorf("20,000 folders: %v", err)
	}
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("refused behind %v", d)
	}
	data, err = Write(map[string][]byte{strings.Repeat("a/", maxDepth-1) + "b": []byte("x")})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(data); err != nil {
		t.Errorf("%d folders: %v", maxDepth, err)
	}
	data, err = Write(map[string][]byte{"a/b": []byte("x")})
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(data, []byte("a\x00\x00\x00"))
	data[at+76] = 1 // the folder holds itself
	if _, err := Open(data); err == nil || !strings.Contains(err.Error(), "circle") {
		t.Errorf("a folder within itself: %v", err)
	}
}
