package bundle

import (
	"encoding/hex"
	"fmt"
	"muniment/bundle/leaf"
	"strings"

	"muniment/cid/merkle"
)

// sumsLine is the length of one line: 64 digits, two spaces, a name, LF.
const sumsLine = 64 + 2 + len("leaves/00000.json") + 1

// encodeSums returns SHA256SUMS: one line per leaf in index order, disclosed or
// not, as sha256sum prints and checks it.
func encodeSums(commitments []merkle.Hash) []byte {
	var b strings.Builder
	b.Grow(len(commitments) * sumsLine)
	for i, c := range commitments {
		b.WriteString(hex.EncodeToString(c[:]) + "  " + leafName(i) + "\n")
	}
	return []byte(b.String())
}

// parseSums reads SHA256SUMS of n leaves. Two equal commitments are refused:
// salts make them impossible, and one file would stand for two leaves.
func parseSums(data []byte, n int) ([]merkle.Hash, error) {
	if len(data) != n*sumsLine {
		return nil, fmt.Errorf("%d bytes, want %d lines of %d", len(data), n, sumsLine)
	}
	text := string(data)
	commitments := make([]merkle.Hash, n)
	first := make(map[merkle.Hash]int, n)
	for i := range commitments {
		line := text[i*sumsLine : (i+1)*sumsLine]
		if !leaf.IsHex(line[:64], len(merkle.Hash{})) || line[64:66] != "  " || line[66:sumsLine-1] != leafName(i) || line[sumsLine-1] != '\n' {
			return nil, fmt.Errorf("line %d is %q, want 64 hex digits, two spaces and %s", i+1, line, leafName(i))
		}
		if _, err := hex.Decode(commitments[i][:], data[i*sumsLine:i*sumsLine+64]); err != nil {
			return nil, fmt.Errorf("line %d: %v", i+1, err)
		}
		if j, ok := first[commitments[i]]; ok {
			return nil, fmt.Errorf("lines %d and %d have the same commitment", j+1, i+1)
		}
		first[commitments[i]] = i
	}
	return commitments, nil
}
