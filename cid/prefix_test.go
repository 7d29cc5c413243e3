package cid_test

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"muniment/cid"
)

// An ID begins with a prefix if and only if its digest lies in the range.
func TestDigestRange(t *testing.T) {
	hits, misses := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		codec := rapid.SampledFrom([]cid.Codec{cid.Raw, cid.JSON}).Draw(t, "codec")
		draw := func(label string) cid.ID {
			return cid.FromDigest(codec, [32]byte(rapid.SliceOfN(rapid.SampledFrom([]byte{0, 1, 0x10, 0x7f, 0x80, 0xff}), 32, 32).Draw(t, label)))
		}
		id, other := draw("id"), draw("other")
		prefix := other.String()[:rapid.IntRange(1, len(other.String())).Draw(t, "length")]
		if rapid.Bool().Draw(t, "broken") {
			prefix = prefix[:len(prefix)-1] + rapid.SampledFrom([]string{"a", "7", "z", "1", "A", "é"}).Draw(t, "last")
		}
		low, high, ok := cid.DigestRange(codec, prefix)
		d := id.Digest()
		in := ok && bytes.Compare(low[:], d[:]) <= 0 && bytes.Compare(d[:], high[:]) <= 0
		if in {
			hits++
		} else {
			misses++
		}
		if want := strings.HasPrefix(id.String(), prefix); in != want {
			t.Fatalf("%s begins with %s: %v; in the range: %v", id, prefix, want, in)
		}
	})
	if hits == 0 || misses == 0 {
		t.Fatalf("%d ids in the range, %d not: nothing was compared", hits, misses)
	}
	for _, prefix := range []string{"", "a", "kafk", strings.Repeat("b", 70)} {
		if _, _, ok := cid.DigestRange(cid.Raw, prefix); ok {
			t.Errorf("%q is a prefix of ids", prefix)
		}
	}
}
