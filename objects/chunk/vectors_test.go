package chunk

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"muniment/testvectors"
	"strconv"
	"strings"
	"testing"
)

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

// made returns the vector's file, whose body lists the chunks.
func (v vector) made(t *testing.T) testvectors.Vector {
	data := v.payload()
	var chunks []byte
	for _, c := range pieces(t, bytes.NewReader(data), &standard) {
		chunks = fmt.Appendf(chunks, "%d %x\n", len(c), sha256.Sum256(c))
	}
	return testvectors.New(v.name, chunks, "type", "chunks", "seed", v.seed, "length", strconv.Itoa(v.length), "insert", strconv.Itoa(v.insert),
		"sha256", fmt.Sprintf("%x", sha256.Sum256(data)))
}

// The table of the hash and the chunks of every payload are those of the files.
func TestVectors(t *testing.T) {
	var gear []byte
	for _, g := range Gear {
		gear = fmt.Appendf(gear, "%016x\n", g)
	}
	made := []testvectors.Vector{testvectors.New("gear", gear, "type", "gear")}
	for _, v := range vectors {
		one := v.made(t)
		if made = append(made, one); v.name == "silence" && !strings.Contains(string(one.Body), "8388608 ") {
			t.Error("silence is not cut at Max")
		}
	}
	testvectors.Generate(t, vectorDir, made)
}
