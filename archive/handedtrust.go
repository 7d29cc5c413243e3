package archive

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"strings"

	"muniment/archive/problem"
	"muniment/objects"
	"muniment/objects/disk"
)

// What a copy remembers of trust, in its local folder: the trust that it was
// cloned with, as the file was given; and the digest of the trust in the archive
// that a person here signed, was given or accepted.
const (
	givenTrustFile    = "given-trust"
	acceptedTrustFile = "accepted-trust"
)

// GivenTrust returns the trust that this copy was cloned with, the zero Trust
// where nobody gave any.
func (a *Repository) GivenTrust() (Trust, error) {
	path := a.local(givenTrustFile)
	if _, err := os.Lstat(path); errors.Is(err, os.ErrNotExist) {
		return Trust{}, nil
	}
	return ReadTrust(path)
}

// KeepGivenTrust remembers the trust that a copy was cloned with, for every later
// fetch and verification. The zero Trust is not kept.
func (a *Repository) KeepGivenTrust(t Trust) error {
	if t.IsZero() || len(t.Text) == 0 {
		return nil
	}
	path, err := a.LocalPath(givenTrustFile)
	if err != nil {
		return err
	}
	return problem.Wrap(a.World().Disk.Replace(path, t.Text, 0o600), "the trust of this copy")
}

// TrustDigest returns the sha256, in hex, of the trust in force in a tree: its
// trust root, or else its allowed_signers.
func (a *Repository) TrustDigest(tree objects.Hash) (string, error) {
	text, err := a.TrustText(tree)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// AcceptedTrust returns the digest of the trust that was accepted here, "" where
// none was noted yet.
func (a *Repository) AcceptedTrust() (string, error) {
	data, err := disk.ReadOwnPlain(a.local(acceptedTrustFile), maxLocalNote)
	if errors.Is(err, os.ErrNotExist) {
		return "", nil
	}
	return strings.TrimSpace(string(data)), problem.Wrap(err, acceptedTrustFile)
}

// AcceptTrust notes the digest of a trust that a person here stands for.
func (a *Repository) AcceptTrust(digest string) error {
	path, err := a.LocalPath(acceptedTrustFile)
	if err != nil {
		return err
	}
	return problem.Wrap(a.World().Disk.Replace(path, []byte(digest+"\n"), 0o600), acceptedTrustFile)
}
