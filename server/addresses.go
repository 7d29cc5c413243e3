package server

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"

	"muniment/answer"
	"muniment/archive"
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/objects/disk"
	"muniment/sign"
	"muniment/text/legible"
)

// An address of an answer is 128 random bits, in hexadecimal. What it leads to is in a file of
// archive.local that is named by a hash of the address and is an age file under it: whoever reads the disk
// without the address does not learn what was asked.
const (
	addressBytes = 16
	addressesDir = "answers"
	maxNote      = 8 << 20 // bytes of such a file: an examination

	maxKeptExamination = 5 << 20 // bytes of a report and its page, which base64 makes longer by a third
)

// An addressNote is what an address leads to.
type addressNote struct {
	Bundle   string            `json:"bundle"` // ID of the answer
	Account  string            `json:"account"`
	Question string            `json:"question,omitempty"`
	Records  map[string]string `json:"records,omitempty"` // answer.Result.Records
	Shared   bool              `json:"shared,omitempty"`  // whoever has the address may read the answer, if its words may be shown to them

	// Of an examination or a text with marks, which have no bundle.
	Examination json.RawMessage `json:"examination,omitempty"` // its report
	Sealed      string          `json:"sealed,omitempty"`      // the address of its bundle, "" before somebody asks for it
	Page        []byte          `json:"page,omitempty"`        // the same as HTML
	Text        string          `json:"text,omitempty"`        // with marks that name citations by number
	Tier        string          `json:"tier,omitempty"`        // of whoever asked
}

// newAddress returns a new address under which a note is kept, and how many bytes that takes.
func newAddress(a *archive.Archive, n addressNote) (address string, size int, err error) {
	random := make([]byte, addressBytes)
	if _, err := io.ReadFull(a.World().Rand, random); err != nil {
		return "", 0, problem.Wrap(err, addressesDir)
	}
	address = hex.EncodeToString(random)
	size, err = writeNote(a, address, n)
	return address, size, err
}

// noteFile returns the file of an address.
func noteFile(a *archive.Archive, address string) (string, error) {
	name := sha256.Sum256([]byte("muniment address of an answer: " + address))
	return a.LocalPath(addressesDir, hex.EncodeToString(name[:addressBytes]))
}

// writeNote writes the note of an address and returns its size.
func writeNote(a *archive.Archive, address string, n addressNote) (int, error) {
	file, err := noteFile(a, address)
	if err != nil {
		return 0, err
	}
	text, err := json.Marshal(n)
	if err == nil {
		text, err = sign.SealUnder(address, text)
	}
	if err != nil {
		return 0, problem.Wrap(err, addressesDir)
	}
	return len(text), problem.Wrap(a.World().Disk.Replace(file, text, 0o600), addressesDir)
}

// readNote returns the note of an address.
func readNote(a *archive.Archive, address string) (*addressNote, error) {
	if raw, err := hex.DecodeString(address); err != nil || len(raw) != addressBytes || hex.EncodeToString(raw) != address {
		return nil, errNoAnswer(address)
	}
	file, err := noteFile(a, address)
	if err != nil {
		return nil, err
	}
	sealed, err := disk.ReadOwnPlain(file, maxNote)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errNoAnswer(address)
	}
	n, text := &addressNote{}, []byte(nil)
	if err == nil {
		text, err = sign.OpenUnder(address, sealed)
	}
	if err == nil {
		err = json.Unmarshal(text, n)
	}
	return n, problem.Wrap(err, addressesDir)
}

// errNoAnswer is the error for an address that leads to nothing that this client may read.
func errNoAnswer(address string) error {
	return problem.New(problem.NotFound, problem.Advise("ask again, or have whoever asked share the answer from its page"), "no answer that you may read has the address %s", legible.Printable(address))
}

// checkReader returns an error unless the client may read an answer at an address: it is its own or is
// shared, and every word that it shows may be shown to the client today.
func (v *view) checkReader(c *Client, address string, n *addressNote, r *answer.Result) error {
	own := n.Account == c.cred.account()
	switch {
	case c.cred.seesAll():
		return nil
	case !own && !n.Shared, !own && !v.reaches(r.Tier):
		return errNoAnswer(address)
	}
	places, err := answer.Places(v.handle.archive, r)
	if err != nil {
		return err
	}
	for _, claim := range r.Claims {
		for _, one := range claim.Citations {
			if one.Restricted {
				continue
			}
			at, known := places[one.Handle]
			if id, ofRecord := n.Records[one.Handle]; ofRecord {
				at, known = answer.ShownPlace{Artifact: id}, true
			}
			if !known {
				return errWithheldSince()
			}
			art, err := v.resolve(at.Artifact)
			if isMissing(err) {
				if _, err := v.resolveRecord(at.Artifact); err != nil {
					return withheldOr(err)
				}
				continue // a record without a body, of which everybody may know
			} else if err != nil {
				return err
			}
			if err := v.checkPermitted(art, claim.Text+"\n"+one.Quote); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkPermitted returns an error unless words of a paper may be shown to the client today.
func (v *view) checkPermitted(art *holdings.Artifact, words string) error {
	perm, err := v.permission(art, words)
	if err == nil && !perm.Display {
		err = errWithheldSince()
	}
	return err
}

// checkShown is checkPermitted for the paper with an id.
func (v *view) checkShown(id, words string) error {
	art, err := v.resolve(id)
	if err != nil {
		return withheldOr(err)
	}
	return v.checkPermitted(art, words)
}

// withheldOr returns errWithheldSince for the error of a paper that is not there for the client, else the error.
func withheldOr(err error) error { return cmp.Or(notMissing(err), errWithheldSince()) }

// errWithheldSince is the error for an answer whose words may no longer be shown to the client.
func errWithheldSince() error {
	return problem.New(problem.NotFound, problem.Advise("ask again: the new answer has what may be shown today"), "words of this answer are withheld since it was given")
}

// reaches reports whether the client's tier is that of an answer, or one above it.
func (v *view) reaches(tier string) bool {
	if v.rules == nil {
		return true
	}
	seen := false
	for i, t := range v.rules.Tiers { // the lowest first
		seen = seen || t.Name == tier
		if t.Name == v.who.Tier || v.who.Tier == "" && i == 0 {
			return seen
		}
	}
	return false
}
