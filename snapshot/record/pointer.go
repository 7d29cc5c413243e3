package record

import (
	"fmt"

	"muniment/cid"
	"muniment/cid/merkle"
	"muniment/snapshot/layout"
	"muniment/snapshot/member"
)

// MaxPointerChunks is the largest number of chunks that a Pointer lists: with more
// the object would be larger than canonical JSON may be. A payload that is cut into
// more of them stays in the tree.
const MaxPointerChunks = 15000

// KeyRule is the rule by which a store names its objects: each by the sha256 of its
// bytes. docs/spec/payload-store.md says how.
const KeyRule = "sha256@1"

// A Pointer replaces, in the tree, a payload or original whose bytes are in a payload store. The
// store holds one object, or one for each chunk.
type Pointer struct {
	Type      string   `json:"type"`             // TypePointer; set by Encode when empty
	Payload   string   `json:"payload"`          // raw ID of the bytes
	Size      int64    `json:"size"`             // bytes, all chunks together
	MediaType string   `json:"media_type"`       // as in a record
	KeyRule   string   `json:"key_rule"`         // KeyRule
	Chunks    []string `json:"chunks,omitempty"` // sha256 of each chunk in hex, in order; only above MaxBlob
}

// Encode returns the canonical JSON of p.
func (p Pointer) Encode() ([]byte, error) {
	return member.Encode(&p, &p.Type, TypePointer, (*Pointer).check)
}

// ParsePointer reads the output of Encode and nothing else.
func ParsePointer(data []byte) (*Pointer, error) {
	return member.Parse(data, TypePointer, (*Pointer).check)
}

// ObjectDigests returns the sha256 of each object that the store holds of the payload,
// in the order in which they are the payload.
func (p *Pointer) ObjectDigests() ([][32]byte, error) {
	if len(p.Chunks) == 0 {
		id, err := cid.ParseAs(cid.Raw, p.Payload)
		return [][32]byte{id.Digest()}, err
	}
	out := make([][32]byte, len(p.Chunks))
	for i, c := range p.Chunks {
		digest, ok := member.ReadDigest(c)
		if !ok {
			return nil, fmt.Errorf("chunks[%d] is %q, want 64 lower case hexadecimal digits", i, c)
		}
		out[i] = digest
	}
	return out, nil
}

// ObjectLimit returns how many bytes object i of the payload has at most, where the objects
// before it are known to have so many bytes together: a chunk leaves each later one a byte.
func (p *Pointer) ObjectLimit(i int, before int64) int64 {
	later := int64(max(0, len(p.Chunks)-1-i))
	return max(0, min(layout.MaxBlob, p.Size-before-later))
}

// ChunkRoot returns the RFC 6962 root over the digests of the chunks, as a record
// states it.
func (p *Pointer) ChunkRoot() (merkle.Hash, error) {
	digests, err := p.ObjectDigests()
	leaves := make([]merkle.Hash, len(digests))
	for i, d := range digests {
		leaves[i] = merkle.LeafHash(d[:])
	}
	return merkle.Root(leaves), err
}

func (p *Pointer) check() error {
	if _, err := cid.ParseAs(cid.Raw, p.Payload); err != nil {
		return fmt.Errorf("payload: %w", err)
	}
	n := int64(len(p.Chunks))
	switch {
	case p.Size < 1:
		return fmt.Errorf("size is %d, want 1 or more", p.Size)
	case p.KeyRule != KeyRule:
		return fmt.Errorf("key_rule is %q, want %s", p.KeyRule, KeyRule)
	case p.Size <= layout.MaxBlob && n > 0:
		return fmt.Errorf("it lists %d chunks of a payload of %d bytes, want none up to %d", n, p.Size, layout.MaxBlob)
	case p.Size > layout.MaxBlob && (n < 2 || n > MaxPointerChunks):
		return fmt.Errorf("it lists %d chunks, want 2 to %d", n, MaxPointerChunks)
	case p.Size > layout.MaxBlob && p.Size > n*layout.MaxBlob:
		return fmt.Errorf("%d chunks cannot hold %d bytes, want at most %d in each", n, p.Size, layout.MaxBlob)
	}
	for i, c := range p.Chunks {
		if err := member.Digest(fmt.Sprintf("chunks[%d]", i), c); err != nil {
			return err
		}
	}
	return member.MediaType("media_type", p.MediaType)
}
