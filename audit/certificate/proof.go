package certificate

import (
	"encoding/base64"
	"fmt"
	"strings"

	"muniment/cid/merkle"
	"muniment/snapshot"
)

// outerSize is the number of leaves of the outer tree of every snapshot: its shards.
const outerSize = 257

// proofText returns the proof of a line as steps for a shell: "leaf TEXT" begins with the hash
// of a leaf, "left HASH" and "right HASH" put a hash in base64 to that side, "shard TEXT"
// begins again with the leaf of TEXT and the hash so far in hex. The commands of the recipe take
// the steps.
func proofText(p *snapshot.Proof) (string, error) {
	line := p.Lines[0]
	var b strings.Builder
	fmt.Fprintf(&b, "leaf %s  %s\n", line.Digest, line.Path)
	if err := writeSteps(&b, line.Index, p.Count, line.Inner); err != nil {
		return "", err
	}
	fmt.Fprintf(&b, "shard %s %d\n", p.Shard, p.Count)
	n := int64(outerSize - 1)
	if p.Shard != "--" {
		if _, err := fmt.Sscanf(p.Shard, "%02x", &n); err != nil {
			return "", err
		}
	}
	if err := writeSteps(&b, n, outerSize, p.Outer); err != nil {
		return "", err
	}
	return b.String(), nil
}

// writeSteps writes the sides of an inclusion proof (RFC 9162, 2.1.3.2).
func writeSteps(b *strings.Builder, i, n int64, hashes []string) error {
	last := n - 1
	for _, h := range hashes {
		if raw, err := base64.StdEncoding.DecodeString(h); err != nil || len(raw) != len(merkle.Hash{}) {
			return fmt.Errorf("%q is no hash", h)
		}
		if i%2 == 1 || i == last {
			fmt.Fprintf(b, "left %s\n", h)
			for i%2 == 0 && i != 0 {
				i, last = i/2, last/2
			}
		} else {
			fmt.Fprintf(b, "right %s\n", h)
		}
		i, last = i/2, last/2
	}
	return nil
}
