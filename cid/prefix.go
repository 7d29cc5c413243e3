package cid

import (
	"bytes"
	"crypto/sha256"
	"strings"
)

// DigestRange returns the smallest and the largest digest of the IDs with a codec
// whose text form begins with prefix, and whether there are such IDs.
func DigestRange(c Codec, prefix string) (low, high [sha256.Size]byte, ok bool) {
	head, size := headRaw, TextLenRaw
	if c == JSON {
		head, size = headJSON, TextLenJSON
	}
	if prefix == "" || prefix[0] != 'b' || len(prefix) > size {
		return low, high, false
	}
	bound := func(fill string) ([]byte, bool) {
		var buf [len(headJSON) + sha256.Size + 1]byte
		text := prefix[1:] + strings.Repeat(fill, size-len(prefix))
		n, err := base32Lower.Decode(buf[:], []byte(text))
		return buf[:n], err == nil
	}
	from, ok1 := bound("a")
	to, ok2 := bound("7")
	if !ok1 || !ok2 || len(from) != len(head)+len(low) {
		return low, high, false
	}
	least := append([]byte(head), low[:]...)
	most := append([]byte(head), bytes.Repeat([]byte{0xff}, len(high))...)
	if bytes.Compare(from, most) > 0 || bytes.Compare(to, least) < 0 {
		return low, high, false
	}
	if bytes.Compare(from, least) < 0 {
		from = least
	}
	if bytes.Compare(to, most) > 0 {
		to = most
	}
	return [sha256.Size]byte(from[len(head):]), [sha256.Size]byte(to[len(head):]), true
}
