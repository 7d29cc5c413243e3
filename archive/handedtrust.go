package archive

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"strings"

	"muniment/archive/journal"
	"muniment/archive/problem"
	"muniment/objects"
	"muniment/objects/disk"
)

// GivenTrustFile is the trust that a copy was cloned with, in its local folder, as the file was
// given. The journal has the digest of the trust in the archive that a person here signed, was
// given or accepted.
const GivenTrustFile = "given-trust"

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
	s, err := a.readJournal()
	if err != nil {
		return "", err
	}
	digest, earlier := s.Value(kindTrust, onlyKey), a.hasEarlier(s, kindTrust)
	if earlier {
		data, err := disk.ReadOwnPlain(a.local(earlierNotes[kindTrust]), maxLocalNote)
		if err != nil {
			return "", problem.Wrap(err, earlierNotes[kindTrust])
		}
		text, _, err := openNote(data)
		if digest = strings.TrimSuffix(text, "\n"); err != nil {
			digest = "damaged"
		}
	}
	if sum, bad := hex.DecodeString(digest); digest != "" && digest != lostTrust && (bad != nil || len(sum) != sha256.Size) {
		return "", problem.New(problem.Damaged, problem.Advise("compare the trust in the archive with its owner, then move "+noteName(kindTrust, earlier)+" away: the next fetch notes the trust that is here"), "%s: %w", noteName(kindTrust, earlier), errNote)
	}
	return digest, nil
}

// AcceptTrust notes the digest of a trust that a person here stands for.
func (a *Repository) AcceptTrust(digest string) error {
	return a.remember(journal.Entry{Kind: kindTrust, Key: onlyKey, Value: digest})
}
