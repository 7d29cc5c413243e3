package trust

import (
	"bytes"
	"errors"
	"fmt"

	"muniment/cid/jcs"
	"muniment/sign"
)

// A Signed is a root with its signatures.
type Signed struct {
	Text       []byte
	Signatures [][]byte // armored SSHSIG, namespace trust@muniment, over Text
}

// Verify reads a root and accepts it as the successor of old, or, when old is
// nil, as a first version. Enough policy keys of the root itself must have
// signed it, and of old as well. Every signature must be right; those of other
// keys are not counted.
//
// Whoever pins a root by its digest needs no signatures: see Parse.
func (s Signed) Verify(old *Root) (*Root, error) {
	r, err := Parse(s.Text)
	if newer := (*jcs.NewerError)(nil); errors.As(err, &newer) {
		if wrong := s.follows(old); wrong != nil {
			return nil, wrong
		}
	}
	if err != nil {
		return nil, err
	}
	if old == nil && r.Version != 1 {
		return nil, fmt.Errorf("trust root: version %d without the one before it", r.Version)
	}
	if old != nil {
		if err := old.Precedes(r); err != nil {
			return nil, err
		}
	}
	keys, err := s.Signers()
	if err != nil {
		return nil, err
	}
	if err := r.signedBy(r, keys); err != nil {
		return nil, err
	}
	if old != nil {
		if err := old.signedBy(r, keys); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// follows checks the lines that every version of the form has in a root after old, nil for a
// first one: which root it is, and enough policy keys of old that signed it.
func (s Signed) follows(old *Root) error {
	keys, err := s.Signers()
	if err != nil || old == nil {
		return err
	}
	_, rest, _ := bytes.Cut(s.Text, []byte("\n"))
	want := fmt.Appendf(nil, "archive %s\nversion %d\nprev %x\n", old.Archive, old.Version+1, old.Digest())
	if !bytes.HasPrefix(rest, want) {
		return fmt.Errorf("trust root: a newer form that does not follow version %d: want %q", old.Version, want)
	}
	return old.signedBy(&Root{Version: old.Version + 1}, keys)
}

// Signers returns the keys whose signatures are right; one that is wrong is an
// error.
func (s Signed) Signers() ([]sign.Key, error) {
	var keys []sign.Key
	for i, armored := range s.Signatures {
		sig, err := sign.ParseSignature(armored)
		if err == nil {
			err = sig.Verify(Namespace, s.Text)
		}
		if err != nil {
			return nil, fmt.Errorf("trust root: signature %d: %w", i+1, err)
		}
		keys = append(keys, sig.Key())
	}
	return keys, nil
}

// Missing says how many policy keys and organisations of r are still needed to
// sign version next, which is r itself or its successor.
func (r *Root) Missing(next *Root, signers []sign.Key) Threshold {
	var counted []sign.Key
	for _, k := range signers {
		if r.Judge(Policy, k, Version(next.Version)).Counts() {
			counted = append(counted, k)
		}
	}
	t, n := r.Thresholds[Policy], r.Count(Policy, counted)
	return Threshold{max(0, t.Keys-n.Keys), max(0, t.Orgs-n.Orgs)}
}

// signedBy requires enough policy keys of r among those that signed next.
func (r *Root) signedBy(next *Root, signers []sign.Key) error {
	if m := r.Missing(next, signers); m != (Threshold{}) {
		t := r.Thresholds[Policy]
		return fmt.Errorf("trust root: version %d is signed by too few policy keys of version %d: %d keys and %d organisations are missing of %d and %d",
			next.Version, r.Version, m.Keys, m.Orgs, t.Keys, t.Orgs)
	}
	return nil
}

// Precedes checks that next may follow r by what it says, whoever signed it:
// the same archive, the next version, this one's digest, and nothing that was
// said about a key forgotten. A bound may be set where there was none, and a
// revocation may move to an earlier place; neither can be taken back.
func (r *Root) Precedes(next *Root) error {
	digest := r.Digest()
	switch {
	case next.Archive != r.Archive:
		return fmt.Errorf("trust root: of archive %s, want %s", next.Archive, r.Archive)
	case next.Version != r.Version+1:
		return fmt.Errorf("trust root: version %d after version %d, want %d", next.Version, r.Version, r.Version+1)
	case !bytes.Equal(next.Prev[:], digest[:]):
		return fmt.Errorf("trust root: version %d follows another version %d: its sha256 is %x, want %x", next.Version, r.Version, next.Prev, digest)
	}
	for _, k := range r.Keys {
		if err := kept(k, next.Keys); err != nil {
			return fmt.Errorf("trust root: version %d: key %s of %s, role %s: %w", next.Version, Name(k.Key), k.Org, k.Role, err)
		}
	}
	for _, v := range r.Revoked {
		if !stillRevoked(v, next.Revoked) {
			return fmt.Errorf("trust root: version %d takes back what version %d says: %s", next.Version, r.Version, v)
		}
	}
	return nil
}

func kept(k Key, lines []Key) error {
	for _, l := range lines {
		if l.Role != k.Role || l.Org != k.Org || l.Key != k.Key || l.From != k.From {
			continue
		}
		if l.To != k.To && !k.To.IsZero() {
			return fmt.Errorf("its end moved from %s to %s", k.To, l.To)
		}
		return nil
	}
	return errors.New("its line is gone")
}

func stillRevoked(v Revocation, lines []Revocation) bool {
	for _, l := range lines {
		if l.Role != v.Role || l.Name != v.Name {
			continue
		}
		if l == v || l.None || !v.None && l.Last != v.Last && l.Last.notAfter(v.Last) {
			return true
		}
	}
	return false
}

// Advance follows a chain of versions from a root that is trusted already.
// Versions up to r's own are passed over, but must not contradict it.
func Advance(r *Root, versions []Signed) (*Root, error) {
	for _, s := range versions {
		next, err := Parse(s.Text)
		switch newer := (*jcs.NewerError)(nil); {
		case errors.As(err, &newer):
			return s.Verify(r)
		case err != nil:
			return nil, err
		case next.Version < r.Version:
			continue
		case next.Version == r.Version:
			if !bytes.Equal(s.Text, r.Encode()) {
				return nil, fmt.Errorf("trust root: another version %d: its sha256 is %x, want %x", r.Version, next.Digest(), r.Digest())
			}
			continue
		}
		if r, err = s.Verify(r); err != nil {
			return nil, err
		}
	}
	return r, nil
}
