package audit

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"muniment/archive"
	"muniment/archive/journal"
	"muniment/archive/mark"
	"muniment/archive/problem"
	"muniment/sign"
)

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
	file, err := a.LocalPath(archive.OpeningsFile)
	if err != nil {
		return "", err
	}
	if err := appendOpening(file, a.World(), r, identities); err != nil {
		return "", err
	}
	return file, problem.Wrap(mark.Take(filepath.Dir(file)), mark.File)
}

// NoteOpeningIn appends an opening to the list in dir, which is made if necessary,
// and returns the list's path: for a bundle that is opened away from its archive.
func NoteOpeningIn(dir string, w archive.World, r *OpenResult, identities []byte) (string, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", problem.Wrap(err, archive.OpeningsFile)
	}
	file := filepath.Join(dir, archive.OpeningsFile)
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
	return problem.Wrap(journal.AppendList(file, w.Disk, Opening{Time: w.Now().UTC().Format(time.RFC3339), Bundle: r.Bundle, Scopes: r.Scopes,
		Recipients: recipients, Agent: w.Author, Complete: r.Complete}), archive.OpeningsFile)
}

// Openings returns the list in archive.local, oldest first; with an error of kind Damaged, that of the sound lines.
func Openings(a *archive.Archive) ([]Opening, error) {
	list, err := journal.ReadList[Opening](filepath.Join(a.Dir(), archive.LocalDir, archive.OpeningsFile), nil)
	return list, archive.DamagedList(err, archive.OpeningsFile)
}
