package audit

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/objects/disk"
	"muniment/sign"
)

// openingsFile lists, one JSON object a line, the bundles that were opened: in
// archive.local those opened with the archive, in another folder the rest. Lines
// are only added.
const openingsFile = "openings"

// An Opening is one line of the openings file.
type Opening struct {
	Time       string   `json:"time"`
	Bundle     string   `json:"bundle_id"`
	Scopes     []string `json:"scopes"`
	Recipients []string `json:"recipients"` // of the identities that were given, see RecipientName
	Agent      string   `json:"agent"`      // the author as configured here
	Complete   bool     `json:"record_complete"`
}

// RecipientName names an age recipient in 64 hexadecimal digits: the sha256 of
// its text, as policy/ lists it and age-keygen -y prints it, without line end. A
// hybrid recipient itself has two thousand characters.
func RecipientName(recipient string) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(recipient)))
}

// NoteOpening appends an opening to the list in archive.local and returns the list's
// path once the line is durable.
func NoteOpening(a *archive.Archive, r *OpenResult, identities []byte) (string, error) {
	file, err := a.LocalPath(openingsFile)
	if err != nil {
		return "", err
	}
	return file, appendOpening(file, a.World(), r, identities)
}

// NoteOpeningIn appends an opening to the list in dir, which is made if necessary,
// and returns the list's path: for a bundle that is opened away from its archive.
func NoteOpeningIn(dir string, w archive.World, r *OpenResult, identities []byte) (string, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", problem.Wrap(err, openingsFile)
	}
	file := filepath.Join(dir, openingsFile)
	return file, appendOpening(file, w, r, identities)
}

// appendOpening appends one line to a list of openings and syncs it.
func appendOpening(file string, w archive.World, r *OpenResult, identities []byte) error {
	recipients, err := sign.Recipients(identities)
	if err != nil {
		return problem.New(problem.Key, problem.Advise("give the file of an auditor's identity"), "identity: %w", err)
	}
	for i, one := range recipients {
		recipients[i] = RecipientName(one)
	}
	line, err := json.Marshal(Opening{Time: w.Now().UTC().Format(time.RFC3339), Bundle: r.Bundle, Scopes: r.Scopes,
		Recipients: recipients, Agent: w.Author, Complete: r.Complete})
	if err != nil {
		return problem.Wrap(err, openingsFile)
	}
	f, err := disk.OpenPlain(file, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return problem.Wrap(err, openingsFile)
	}
	_, err = f.Write(append(line, '\n'))
	return problem.Wrap(errors.Join(err, f.Sync(), f.Close()), openingsFile)
}
