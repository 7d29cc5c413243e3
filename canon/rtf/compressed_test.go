package rtf_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
	"strings"
	"testing"

	"muniment/canon/rtf"
)

// The examples of MS-OXRTFCP 3.1 and 3.2.
var compressed = map[string]string{
	"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n": "2d0000002b0000004c5a4675f1c5c7a703000a00726370673132354232" + "0af32068656c090020627705b06c647d0a800fa0",
	"{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}":                     "1a0000001c0000004c5a4675e2d44b51410004205758595a0d6e7d010eb0",
}

func TestDecompress(t *testing.T) {
	for want, example := range compressed {
		data, err := hex.DecodeString(example)
		if err != nil {
			t.Fatal(err)
		}
		got, err := rtf.Decompress(data, 100)
		if err != nil || string(got) != want {
			t.Errorf("%q, %v, want %q", got, err, want)
		}
		got, err = rtf.Decompress(append(data, 0, 0), 100) // streams are filled up
		if err != nil || string(got) != want {
			t.Errorf("filled up: %q, %v", got, err)
		}
		for i := range data {
			if i >= 4 && i < 8 {
				continue // the length, below
			}
			bad := bytes.Clone(data)
			bad[i] ^= 0x40
			if got, err := rtf.Decompress(bad, 100); err == nil {
				t.Errorf("with byte %d changed: %q", i, got)
			}
			if got, err := rtf.Decompress(data[:i], 100); err == nil {
				t.Errorf("cut off at byte %d: %q", i, got)
			}
		}
	}
	plain := binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, 12+5), 5)
	plain = append(append(plain, "MELA\x00\x00\x00\x00"...), "{\\r}x"...)
	if got, err := rtf.Decompress(plain, 100); err != nil || string(got) != `{\r}x` {
		t.Errorf("not compressed: %q, %v", got, err)
	}
}

// A document that states a length, or another one than it has, is refused within the limit.
func TestDecompressLengths(t *testing.T) {
	body := bytes.Repeat([]byte{0xFF, 0x00, 0x0F, 0x00, 0x0F, 0x00, 0x0F, 0x00, 0x0F, 0x00, 0x0F, 0x00, 0x0F, 0x00, 0x0F, 0x00, 0x0F}, 1<<16)
	build := func(raw uint32) []byte {
		head := binary.LittleEndian.AppendUint32(nil, uint32(len(body)+12))
		head = append(binary.LittleEndian.AppendUint32(head, raw), "LZFu"...)
		return append(binary.LittleEndian.AppendUint32(head, ^crc32.Update(0xFFFFFFFF, crc32.IEEETable, body)), body...)
	}
	for raw, want := range map[uint32]string{10: "longer", 1 << 15: "longer", 1 << 30: "at most"} {
		if _, err := rtf.Decompress(build(raw), 16<<20); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d stated: %v, want %q", raw, err, want)
		}
	}
}
