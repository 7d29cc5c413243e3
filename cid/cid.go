// Package cid holds the identifiers of everything an archive names by content.
//
// An ID is a CIDv1 in its canonical text form: multibase base32 lower case,
// multihash sha2-256 of 32 bytes, and one of two codecs. Raw (0x55) names the
// exact bytes of a payload, an original or a snapshot; JSON (0x0200) names one
// of our own objects in canonical form. Any other version, base, hash, length
// or codec is refused, so that one content has one spelling:
//
//	id := cid.Of(payload)           // bafkrei…
//	same, err := cid.Parse(id.String())
//
// The digest of a raw ID is what sha256sum prints for the same file.
//
// The text form follows the CID specification of the multiformats project;
// parsing is done by github.com/ipfs/go-cid and narrowed here.
package cid

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"fmt"

	ipfs "github.com/ipfs/go-cid"
	"github.com/multiformats/go-multihash"
)

// Codec is the kind of bytes that an ID names.
type Codec uint64

// The two codecs in use, numbered by the multicodec table.
const (
	Raw  Codec = 0x55   // payloads, originals, snapshots
	JSON Codec = 0x0200 // records, citations, consents and other JSON objects
)

// The length in bytes of the text form of an ID: the multibase prefix
// and 36 (raw) or 37 (json) bytes in base32 without padding.
const (
	TextLenRaw  = 59
	TextLenJSON = 61
)

// An ID is a content identifier. IDs are comparable; the zero ID names nothing.
type ID struct {
	codec  Codec
	digest [sha256.Size]byte
}

// Of returns the raw ID of payload.
func Of(payload []byte) ID { return ID{Raw, sha256.Sum256(payload)} }

// OfJSON returns the JSON ID of an object's canonical bytes.
func OfJSON(canonical []byte) ID { return ID{JSON, sha256.Sum256(canonical)} }

// FromDigest returns the ID with the given codec and sha2-256 digest.
func FromDigest(c Codec, digest [sha256.Size]byte) ID { return ID{c, digest} }

// Parse reads the canonical text form of an ID.
func Parse(s string) (ID, error) {
	if len(s) != TextLenRaw && len(s) != TextLenJSON {
		return ID{}, fmt.Errorf("%q is not an id: %d characters, want %d or %d", clip(s), len(s), TextLenRaw, TextLenJSON)
	}
	if id, ok := parseOurs(s); ok {
		return id, nil
	}
	// What is left is refused; the library says why.
	c, err := ipfs.Decode(s)
	if err != nil {
		return ID{}, fmt.Errorf("%q is not an id: %v", clip(s), err)
	}
	p := c.Prefix()
	switch {
	case p.Version != 1:
		return ID{}, fmt.Errorf("id %q has version %d, want 1", s, p.Version)
	case p.Codec != uint64(Raw) && p.Codec != uint64(JSON):
		return ID{}, fmt.Errorf("id %q has codec 0x%x, want raw (0x55) or json (0x0200)", s, p.Codec)
	case p.MhType != multihash.SHA2_256 || p.MhLength != sha256.Size:
		return ID{}, fmt.Errorf("id %q has hash 0x%x of %d bytes, want sha2-256 of 32", s, p.MhType, p.MhLength)
	}
	return ID{}, fmt.Errorf("id %q is not in its canonical form", s)
}

// base32Lower is the alphabet of RFC 4648 in lower case, as multibase prefix b
// has it.
var base32Lower = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// The bytes of an ID before its digest: version 1, the codec as a varint,
// sha2-256, 32 bytes.
const (
	headRaw  = "\x01\x55\x12\x20"
	headJSON = "\x01\x80\x04\x12\x20"
)

// parseOurs reads the forms that String writes. Everything else is for the
// library to name the defect of.
func parseOurs(s string) (ID, bool) {
	id, head := ID{codec: Raw}, headRaw
	if len(s) == TextLenJSON {
		id.codec, head = JSON, headJSON
	}
	var buf [len(headJSON) + sha256.Size]byte
	n, err := base32Lower.Decode(buf[:], []byte(s[1:]))
	if err != nil || n != len(head)+len(id.digest) || string(buf[:len(head)]) != head {
		return ID{}, false
	}
	copy(id.digest[:], buf[len(head):n])
	// The last character holds bits beyond the digest: it is right as written.
	if id.String() != s {
		return ID{}, false
	}
	return id, true
}

// ParseAs reads an ID and requires its codec: an ID of the other kind is refused.
func ParseAs(c Codec, s string) (ID, error) {
	id, err := Parse(s)
	if err != nil {
		return ID{}, err
	}
	if id.codec != c {
		return ID{}, fmt.Errorf("id %q has codec %s, want %s", s, id.codec, c)
	}
	return id, nil
}

// String returns the canonical text form, or "" for the zero ID.
func (id ID) String() string {
	if id.IsZero() {
		return ""
	}
	head := headRaw
	if id.codec == JSON {
		head = headJSON
	}
	var buf [len(headJSON) + sha256.Size]byte
	n := copy(buf[:], head)
	n += copy(buf[n:], id.digest[:])
	var text [TextLenJSON]byte
	text[0] = 'b'
	base32Lower.Encode(text[1:], buf[:n])
	return string(text[:1+base32Lower.EncodedLen(n)])
}

// Digest returns the sha2-256 digest.
func (id ID) Digest() [sha256.Size]byte { return id.digest }

// Hex returns the digest as 64 lower case hexadecimal digits.
func (id ID) Hex() string { return hex.EncodeToString(id.digest[:]) }

// Codec returns the ID's codec.
func (id ID) Codec() Codec { return id.codec }

// IsZero reports whether id names nothing.
func (id ID) IsZero() bool { return id == ID{} }

// MarshalText returns the canonical text form; the zero ID gives no text.
func (id ID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// UnmarshalText reads the output of MarshalText.
func (id *ID) UnmarshalText(text []byte) error {
	*id = ID{}
	if len(text) == 0 {
		return nil
	}
	parsed, err := Parse(string(text))
	if err != nil {
		return err
	}
	*id = parsed
	return nil
}

// String returns the codec's name in the multicodec table.
func (c Codec) String() string {
	switch c {
	default:
		return fmt.Sprintf("0x%x", uint64(c))
	case Raw:
		return "raw"
	case JSON:
		return "json"
	}
}

// clip keeps an error line readable whatever was passed as an ID.
func clip(s string) string {
	const most = 72
	if len(s) > most {
		return s[:most] + "…"
	}
	return s
}
