package server

import (
	"cmp"
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"

	"muniment/answer"
	"muniment/archive"
	"muniment/archive/problem"
	"muniment/objects/disk"
	"muniment/text/legible"
)

// An address of an answer is 128 random bits, in hexadecimal. What it leads to is in a file of
// archive.local that is named by a hash of the address and encrypted under it: whoever reads
// the disk without the address does not learn what was asked.
const (
	addressBytes = 16
	addressesDir = "answers"
	maxNote      = 64 << 10 // bytes of such a file: a question of 4,000 characters, and who asked
)

// An addressNote is what an address leads to.
type addressNote struct {
	Bundle   string `json:"bundle"` // ID of the answer
	Account  string `json:"account"`
	Question string `json:"question,omitempty"`
	Shared   bool   `json:"shared,omitempty"` // whoever has the address may read the answer, if its words may be shown to them
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

// noteBox returns the file of an address and the cipher of its note.
func noteBox(a *archive.Archive, address string) (file string, box cipher.AEAD, err error) {
	derive := func(purpose string) [sha256.Size]byte {
		return sha256.Sum256([]byte("muniment address of an answer: " + purpose + " " + address))
	}
	name, key := derive("file"), derive("key")
	if file, err = a.LocalPath(addressesDir, hex.EncodeToString(name[:addressBytes])); err != nil {
		return "", nil, err
	}
	block, err := aes.NewCipher(key[:])
	if err == nil {
		box, err = cipher.NewGCMWithRandomNonce(block)
	}
	return file, box, problem.Wrap(err, addressesDir)
}

// writeNote writes the note of an address and returns its size.
func writeNote(a *archive.Archive, address string, n addressNote) (int, error) {
	file, box, err := noteBox(a, address)
	if err != nil {
		return 0, err
	}
	text, err := json.Marshal(n)
	if err != nil {
		return 0, problem.Wrap(err, addressesDir)
	}
	sealed := box.Seal(nil, nil, text, nil)
	return len(sealed), problem.Wrap(a.World().Disk.Replace(file, sealed, 0o600), addressesDir)
}

// readNote returns the note of an address.
func readNote(a *archive.Archive, address string) (*addressNote, error) {
	if raw, err := hex.DecodeString(address); err != nil || len(raw) != addressBytes || hex.EncodeToString(raw) != address {
		return nil, errNoAnswer(address)
	}
	file, box, err := noteBox(a, address)
	if err != nil {
		return nil, err
	}
	sealed, err := disk.ReadOwnPlain(file, maxNote)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errNoAnswer(address)
	}
	if err != nil {
		return nil, problem.Wrap(err, addressesDir)
	}
	text, err := box.Open(nil, nil, sealed, nil)
	n := &addressNote{}
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
			if !known {
				return errWithheldSince()
			}
			art, err := v.resolve(at.Artifact)
			if isMissing(err) {
				if _, err := v.resolveRecord(at.Artifact); err != nil {
					return cmp.Or(notMissing(err), errWithheldSince())
				}
				continue // a record without a body, of which everybody may know
			} else if err != nil {
				return err
			}
			if perm, err := v.permission(art, claim.Text+"\n"+one.Quote); err != nil {
				return err
			} else if !perm.Display {
				return errWithheldSince()
			}
		}
	}
	return nil
}

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
