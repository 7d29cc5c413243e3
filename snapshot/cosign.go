package snapshot

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"muniment/objects"
	"muniment/sign"
)

// RefCosigs is the git reference whose tree holds the co-signatures, see
// CosigPath. Its commits are not signed: a co-signature stands for itself.
const RefCosigs = "refs/muniment/cosigs"

// MaxCosig is the most bytes of a co-signature: an armored SSHSIG by an
// Ed25519 key has fewer than 500.
const MaxCosig = 4 << 10

// A Cosignature is a signature of a snapshot by another key than its own.
type Cosignature struct {
	Key     sign.Key
	Armored []byte // namespace snapshot@muniment, over CosigText
}

// CosigText returns what is co-signed, five lines:
//
//	muniment/snapshot/v1
//	archive <archive id>
//	seq <decimal>
//	id <snapshot id>
//	root sha256:<hex>
func (s *Snapshot) CosigText() []byte {
	return fmt.Appendf(nil, "muniment/snapshot/v1\narchive %s\nseq %d\nid %s\nroot sha256:%x\n", s.Archive, s.Seq, s.ID, s.Root)
}

// CosigPath returns where a key's co-signature of the snapshot seq lies.
func CosigPath(seq int64, k sign.Key) string { return fmt.Sprintf("%d/%s.sshsig", seq, k.ID()) }

// Cosign makes the co-signature of s by signer.
func (s *Snapshot) Cosign(signer sign.Signer) (*Cosignature, error) {
	armored, err := sign.Sign(signer, sign.NamespaceSnapshot, s.CosigText())
	if err != nil {
		return nil, err
	}
	return &Cosignature{signer.Key(), armored}, nil
}

// ParseCosig reads what lies at a path of RefCosigs: 1. the path is that of a
// Seq and a key, 2. the signature has its exact form, 3. it is by that key.
// Whether it verifies for a snapshot is what Verify says.
func ParseCosig(path string, data []byte) (seq int64, c *Cosignature, err error) {
	number, name, ok := strings.Cut(path, "/")
	seq, err = strconv.ParseInt(number, 10, 64)
	if !ok || err != nil || seq < 1 || strconv.FormatInt(seq, 10) != number {
		return 0, nil, fmt.Errorf("co-signature at %q, want <seq>/<hex of key>.sshsig", path)
	}
	if len(data) > MaxCosig {
		return 0, nil, fmt.Errorf("co-signature %s has %d bytes, more than %d", path, len(data), MaxCosig)
	}
	sig, err := sign.ParseSignature(data)
	if err != nil {
		return 0, nil, fmt.Errorf("co-signature %s: %w", path, err)
	}
	if want := sig.Key().ID() + ".sshsig"; name != want {
		return 0, nil, fmt.Errorf("co-signature %s is by another key: want the name %s", path, want)
	}
	return seq, &Cosignature{sig.Key(), sig.Armored()}, nil
}

// Verify checks that c is a co-signature of s.
func (c *Cosignature) Verify(s *Snapshot) error {
	sig, err := sign.ParseSignature(c.Armored)
	if err != nil {
		return err
	}
	if sig.Key() != c.Key {
		return errors.New("co-signature is by another key than it says")
	}
	return sig.Verify(sign.NamespaceSnapshot, s.CosigText())
}

// Cosigs are the co-signatures of an archive by Seq.
type Cosigs map[int64][]Cosignature

// ReadCosigs reads the tree of RefCosigs; the zero hash is the empty tree.
// What is malformed is left out and is in the joined error.
func ReadCosigs(get Getter, tree objects.Hash) (Cosigs, error) {
	out := Cosigs{}
	var broken error
	err := differ{get: get, fn: func(path string, _, blob objects.Hash) error {
		data, err := getBlob(get, blob)
		if err == nil {
			var seq int64
			var c *Cosignature
			if seq, c, err = ParseCosig(path, data); err == nil {
				out[seq] = append(out[seq], *c)
				return nil
			}
		}
		broken = errors.Join(broken, err)
		return nil
	}}.tree("", objects.Hash{}, tree, 0)
	return out, errors.Join(broken, err)
}

// join adds other co-signatures, each key once for each signature it made.
func (c Cosigs) join(other Cosigs) {
	for seq, list := range other {
		for _, one := range list {
			if !slices.ContainsFunc(c[seq], func(have Cosignature) bool {
				return have.Key == one.Key && bytes.Equal(have.Armored, one.Armored)
			}) {
				c[seq] = append(c[seq], one)
			}
		}
	}
}

// Of returns the co-signatures that verify for s. Others with its Seq are of a
// snapshot in another history.
func (c Cosigs) Of(s *Snapshot) []Cosignature {
	var out []Cosignature
	for _, one := range c[s.Seq] {
		if one.Verify(s) == nil {
			out = append(out, one)
		}
	}
	return out
}

// Signers returns the key of s and those that co-signed it.
func (c Cosigs) Signers(s *Snapshot) []sign.Key {
	keys := []sign.Key{s.Key}
	for _, one := range c.Of(s) {
		keys = append(keys, one.Key)
	}
	return keys
}
