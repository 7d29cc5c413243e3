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
// that a person here signed, was given or accepted, with its checksum.
const (
	GivenTrustFile    = "given-trust"
	AcceptedTrustFile = "accepted-trust"
)

// GivenTrust returns the trust that this copy was cloned with, the zero Trust
// where nobody gave any.
func (a *Repository) GivenTrust() (Trust, error) {
	path := a.local(GivenTrustFile)
	data, err := disk.ReadOwnPlain(path, maxLocalNote)
	if errors.Is(err, os.ErrNotExist) {
		return Trust{}, nil
	} else if err != nil {
		return Trust{}, problem.Wrap(err, GivenTrustFile)
	}
	sum, err := disk.ReadOwnPlain(a.local(givenTrustSum), maxLocalNote)
	if err == nil && string(sum) != trustSum(data) || err != nil && !errors.Is(err, os.ErrNotExist) {
		return Trust{}, problem.New(problem.Damaged, problem.Advise("put the trust file that this copy was cloned with back there, and move "+givenTrustSum+" away"), "%s/%s: %w", LocalDir, GivenTrustFile, errNote)
	}
	return ReadTrust(path)
}

// KeepGivenTrust remembers the trust that a copy was cloned with, for every later
// fetch and verification. The zero Trust is not kept.
func (a *Repository) KeepGivenTrust(t Trust) error {
	if t.IsZero() || len(t.Text) == 0 {
		return nil
	}
	path, err := a.LocalPath(GivenTrustFile)
	if err != nil {
		return err
	}
	if err := a.World().Disk.Replace(path, t.Text, 0o600); err != nil {
		return problem.Wrap(err, "the trust of this copy")
	}
	return problem.Wrap(a.World().Disk.Replace(a.local(givenTrustSum), []byte(trustSum(t.Text)), 0o600), "the trust of this copy")
}

// givenTrustSum is the checksum of GivenTrustFile, which is a file as a person gave it.
// Versions before this one wrote none.
const givenTrustSum = GivenTrustFile + ".sha256"

// trustSum returns the line of givenTrustSum.
func trustSum(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]) + "\n"
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
	data, err := disk.ReadOwnPlain(a.local(AcceptedTrustFile), maxLocalNote)
	if errors.Is(err, os.ErrNotExist) {
		return "", nil
	} else if err != nil {
		return "", problem.Wrap(err, AcceptedTrustFile)
	}
	text, _, err := openNote(data)
	digest := strings.TrimSuffix(text, "\n")
	if sum, bad := hex.DecodeString(digest); err == nil && (bad != nil || len(sum) != sha256.Size) {
		err = errNote
	}
	if err != nil {
		return "", problem.New(problem.Damaged, problem.Advise("compare the trust in the archive with its owner, then move "+LocalDir+"/"+AcceptedTrustFile+" away: the next fetch notes the trust that is here"), "%s/%s: %w", LocalDir, AcceptedTrustFile, err)
	}
	return digest, nil
}

// AcceptTrust notes the digest of a trust that a person here stands for.
func (a *Repository) AcceptTrust(digest string) error {
	path, err := a.LocalPath(AcceptedTrustFile)
	if err != nil {
		return err
	}
	return problem.Wrap(a.World().Disk.Replace(path, sealNote(digest+"\n"), 0o600), AcceptedTrustFile)
}
