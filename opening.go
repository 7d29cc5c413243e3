package muniment

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"
)

// openingsFile lists, one JSON object a line, which bundles were opened in this
// copy of the archive. It only grows.
const openingsFile = "openings"

// An Opening is one line of the openings file.
type Opening struct {
	Time       string   `json:"time"`
	Bundle     string   `json:"bundle_id"`
	Scopes     []string `json:"scopes"`
	Identities string   `json:"identities"` // sha256 of the identity files' text, which says who without giving the key away
	Agent      string   `json:"agent"`      // the author of this copy
	Complete   bool     `json:"record_complete"`
}

// NoteOpening appends a line to the openings of this copy of the archive. The
// line is durable when it returns.
func (a *Archive) NoteOpening(r *OpenResult, identities []byte) error {
	file, err := a.local(openingsFile)
	if err != nil {
		return err
	}
	line, err := json.Marshal(Opening{Time: a.world.Now().UTC().Format(time.RFC3339), Bundle: r.Bundle, Scopes: r.Scopes,
		Identities: fmt.Sprintf("%x", sha256.Sum256(identities)), Agent: a.world.Author, Complete: r.Complete})
	if err != nil {
		return environment(err, openingsFile)
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return environment(err, openingsFile)
	}
	_, err = f.Write(append(line, '\n'))
	return environment(errors.Join(err, f.Sync(), f.Close()), openingsFile)
}
