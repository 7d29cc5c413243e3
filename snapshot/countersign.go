package snapshot

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"muniment/objects"
	"muniment/sign"
)

// RefCountersignatures is the git reference whose tree holds the countersignatures, see
// CountersignaturePath. Its commits are not signed: a countersignature stands for itself.
const RefCountersignatures = "refs/muniment/cosigs"

// MaxCountersignature is the most bytes of a countersignature: an armored SSHSIG by an
// Ed25519 key has fewer than 500.
const MaxCountersignature = 4 << 10

// A Countersignature is a signature of a snapshot by another key than its own.
type Countersignature struct {
	Key     sign.Key
	Armored []byte // namespace snapshot@muniment, over CountersignatureText
}

// CountersignatureText returns the countersigned text, five lines:
//
//	muniment/snapshot/v1
//	archive <archive id>
//	seq <decimal>
//	id <snapshot id>
//	root sha256:<hex>
func (s *Snapshot) CountersignatureText() []byte {
	return fmt.Appendf(nil, "muniment/snapshot/v1\narchive %s\nseq %d\nid %s\nroot sha256:%x\n", s.Archive, s.Seq, s.ID, s.Root)
}

// CountersignaturePath returns where a key's countersignature of the snapshot seq lies.
func CountersignaturePath(seq int64, k sign.Key) string {
	return fmt.Sprintf("%d/%s.sshsig", seq, k.ID())
}

// Countersign makes the countersignature of s by signer.
func (s *Snapshot) Countersign(signer sign.Signer) (*Countersignature, error) {
	armored, err := sign.Sign(signer, sign.NamespaceSnapshot, s.CountersignatureText())
	if err != nil {
		return nil, err
	}
	return &Countersignature{signer.Key(), armored}, nil
}

// ParseCountersignature reads the file at a path of RefCountersignatures. The path must be that of
// a Seq and a key, the signature must have its exact form, and it must be by that key. Whether it
// verifies for a snapshot is decided by Verify.
func ParseCountersignature(path string, data []byte) (seq int64, c *Countersignature, err error) {
	number, name, ok := strings.Cut(path, "/")
	seq, err = strconv.ParseInt(number, 10, 64)
	if !ok || err != nil || seq < 1 || strconv.FormatInt(seq, 10) != number {
		return 0, nil, fmt.Errorf("countersignature at %q, want <seq>/<hex of key>.sshsig", path)
	}
	if len(data) > MaxCountersignature {
		return 0, nil, fmt.Errorf("countersignature %s has %d bytes, more than %d", path, len(data), MaxCountersignature)
	}
	sig, err := sign.ParseSignature(data)
	if err != nil {
		return 0, nil, fmt.Errorf("countersignature %s: %w", path, err)
	}
	if want := sig.Key().ID() + ".sshsig"; name != want {
		return 0, nil, fmt.Errorf("countersignature %s is by another key: want the name %s", path, want)
	}
	return seq, &Countersignature{sig.Key(), sig.Armored()}, nil
}

// Verify checks that c is a countersignature of s.
func (c *Countersignature) Verify(s *Snapshot) error {
	sig, err := sign.ParseSignature(c.Armored)
	if err != nil {
		return err
	}
	if sig.Key() != c.Key {
		return errors.New("countersignature is by another key than it says")
	}
	return sig.Verify(sign.NamespaceSnapshot, s.CountersignatureText())
}

// Countersignatures are the countersignatures of an archive by Seq.
type Countersignatures map[int64][]Countersignature

// ReadCountersignatures reads the tree of RefCountersignatures; the zero hash is the empty tree.
// What is malformed is left out and is in the joined error.
func ReadCountersignatures(get Getter, tree objects.Hash) (Countersignatures, error) {
	out := Countersignatures{}
	var broken error
	err := differ{get: get, fn: func(path string, _, blob objects.Hash) error {
		data, err := getBlob(get, blob)
		if err == nil {
			var seq int64
			var c *Countersignature
			if seq, c, err = ParseCountersignature(path, data); err == nil {
				out[seq] = append(out[seq], *c)
				return nil
			}
		}
		broken = errors.Join(broken, err)
		return nil
	}}.tree("", objects.Hash{}, tree, 0)
	return out, errors.Join(broken, err)
}

// Of returns the countersignatures that verify for s. Others with its Seq are of a
// snapshot in another history.
func (c Countersignatures) Of(s *Snapshot) []Countersignature {
	var out []Countersignature
	for _, one := range c[s.Seq] {
		if one.Verify(s) == nil {
			out = append(out, one)
		}
	}
	return out
}

// Signers returns the key of s and those that countersigned it.
func (c Countersignatures) Signers(s *Snapshot) []sign.Key {
	keys := []sign.Key{s.Key}
	for _, one := range c.Of(s) {
		keys = append(keys, one.Key)
	}
	return keys
}
