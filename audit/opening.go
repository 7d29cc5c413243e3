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
	"muniment/sign"
)

// openingsFile lists, one JSON object a line, which bundles were opened in this
// copy of the archive or, in the user's data folder, elsewhere. It only grows.
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

// NoteOpening appends a line to the openings of this copy of the archive, and
// returns the file. The line is durable when it returns.
func NoteOpening(a *archive.Archive, r *OpenResult, identities []byte) (string, error) {
	file, err := a.LocalPath(openingsFile)
	if err != nil {
		return "", err
	}
	return file, noteOpening(file, a.World(), r, identities)
}

// NoteOpeningIn appends a line to the openings in a folder, which is made where
// it does not exist: for a bundle that is opened away from its archive.
func NoteOpeningIn(dir string, w archive.World, r *OpenResult, identities []byte) (string, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", archive.Environment(err, openingsFile)
	}
	file := filepath.Join(dir, openingsFile)
	return file, noteOpening(file, w, r, identities)
}

func noteOpening(file string, w archive.World, r *OpenResult, identities []byte) error {
	recipients, err := sign.Recipients(identities)
	if err != nil {
		return archive.Problem(archive.TypeKey, archive.Advise("give the file that key new --auditor made"), "identity: %w", err)
	}
	for i, one := range recipients {
		recipients[i] = RecipientName(one)
	}
	line, err := json.Marshal(Opening{Time: w.Now().UTC().Format(time.RFC3339), Bundle: r.Bundle, Scopes: r.Scopes,
		Recipients: recipients, Agent: w.Author, Complete: r.Complete})
	if err != nil {
		return archive.Environment(err, openingsFile)
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return archive.Environment(err, openingsFile)
	}
	_, err = f.Write(append(line, '\n'))
	return archive.Environment(errors.Join(err, f.Sync(), f.Close()), openingsFile)
}
