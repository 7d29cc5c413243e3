package chunk

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write testvectors/chunk")

const vectorDir = "../../testvectors/chunk"

// A vector is a payload, by the rule that makes it, and its chunks.
type vector struct {
	name, seed string
	length     int
	insert     int // a byte x before this one, if not 0
}

var vectors = []vector{
	{"one-byte", "muniment", 1, 0},
	{"just-one-file", "muniment", 8 << 20, 0},
	{"one-byte-more", "muniment", 8<<20 + 1, 0},
	{"recording", "muniment", 48 << 20, 0},
	{"recording-edited", "muniment", 48 << 20, 20 << 20},
	{"silence", "", 20 << 20, 0},
}

// payload is the SHA-256 of the seed and of 0, 1, 2 and so on as eight bytes,
// big endian, one after the other; without a seed it is zeros.
func (v vector) payload() []byte {
	out := make([]byte, 0, v.length+sha256.Size)
	for i := uint64(0); len(out) < v.length; i++ {
		d := sha256.Sum256(binary.BigEndian.AppendUint64([]byte(v.seed), i))
		if v.seed == "" {
			d = [32]byte{}
		}
		out = append(out, d[:]...)
	}
	out = out[:v.length]
	if v.insert > 0 {
		out = append(out[:v.insert], append([]byte{'x'}, out[v.insert:]...)...)
	}
	return out
}

func (v vector) text(t *testing.T) []byte {
	data := v.payload()
	out := fmt.Appendf(nil, "type: chunks\nseed: %s\nlength: %d\ninsert: %d\nsha256: %x\n\n", v.seed, v.length, v.insert, sha256.Sum256(data))
	for _, c := range pieces(t, bytes.NewReader(data), &standard) {
		out = fmt.Appendf(out, "%d %x\n", len(c), sha256.Sum256(c))
	}
	return out
}

func TestVectors(t *testing.T) {
	files := map[string][]byte{}
	gear := []byte("type: gear\n\n")
	for _, g := range Gear {
		gear = fmt.Appendf(gear, "%016x\n", g)
	}
	files["gear"] = gear
	for _, v := range vectors {
		files[v.name] = v.text(t)
	}
	if *update {
		if err := os.MkdirAll(vectorDir, 0o777); err != nil {
			t.Fatal(err)
		}
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(vectorDir, name), text, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	entries, err := os.ReadDir(vectorDir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != len(vectors)+1 {
		t.Fatalf("%d vectors, want %d", len(entries), len(vectors)+1)
	}
	for _, e := range entries {
		got, err := os.ReadFile(filepath.Join(vectorDir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if want := files[e.Name()]; !bytes.Equal(got, want) {
			t.Errorf("%s: the file says\n%s\nand the package\n%s", e.Name(), got, want)
		}
	}
	if !strings.Contains(string(files["silence"]), "\n8388608 ") {
		t.Error("silence is not cut at Max")
	}
}
