package sign

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"filippo.io/age"
)

// Limits of sealed files.
const (
	// MaxPlaintext is the most bytes inside a sealed file: a bundle is at
	// most 64 MiB altogether.
	MaxPlaintext = 64 << 20

	// MaxRecipients is the most recipients of one file, so that its header
	// stays below maxHeader.
	MaxRecipients = 64

	// maxHeader bounds the public key operations that a hostile header can
	// cost. A post-quantum recipient takes 1.6 kB of it.
	maxHeader = 128 << 10

	// maxSealed is a header, a nonce, and 16 bytes for each chunk of 64 KiB.
	maxSealed = maxHeader + 16 + MaxPlaintext + (MaxPlaintext>>16+1)*16

	// MaxIdentities is the most bytes of an identity file, some 400 of the
	// post-quantum kind.
	MaxIdentities = 64 << 10
)

// The prefixes of the two kinds of recipients.
const (
	prefixHybrid = "age1pq1"
	prefixX25519 = "age1"
)

// ErrNoIdentity is the error of Open for a file that is not sealed to any of the identities.
var ErrNoIdentity = errors.New("sealed to none of these identities")

// Seal encrypts plaintext to the given age recipients, any of whom can open
// it. The result is a binary age file (age-encryption.org/v1), which the age
// program opens too.
//
// Recipients are of the post-quantum kind that NewIdentity makes
// (age1pq1…, ML-KEM-768 with X25519) or plain X25519 (age1…), but not both in
// one file: what is sealed to one plain recipient is open to the quantum
// computers that the others were protected from. The file does not name its
// recipients, but shows their number and kind, and the length of plaintext.
//
// File keys and nonces come from the system's random source, which package
// age allows no choice of.
func Seal(recipients []string, plaintext []byte) ([]byte, error) {
	if len(plaintext) > MaxPlaintext {
		return nil, fmt.Errorf("sealing: %d bytes, at most %d", len(plaintext), MaxPlaintext)
	}
	to, err := parseRecipients(recipients)
	if err != nil {
		return nil, fmt.Errorf("sealing: %w", err)
	}
	var out bytes.Buffer
	w, err := age.Encrypt(&out, to...)
	if err != nil {
		return nil, fmt.Errorf("sealing: %w", err)
	}
	if _, err := w.Write(plaintext); err != nil {
		return nil, fmt.Errorf("sealing: %w", err)
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("sealing: %w", err)
	}
	return out.Bytes(), nil
}

// Open decrypts a file with an age identity file: lines that each hold one
// secret key, blank lines, and comments that begin with #. The error is
// ErrNoIdentity when no identity fits. A file that has been changed anywhere,
// cut or extended gives an error and no plaintext.
func Open(identities []byte, sealed []byte) ([]byte, error) {
	if len(identities) > MaxIdentities {
		return nil, fmt.Errorf("age identities: %d bytes, at most %d", len(identities), MaxIdentities)
	}
	ids, err := age.ParseIdentities(bytes.NewReader(identities))
	if err != nil {
		return nil, fmt.Errorf("age identities: %w", err)
	}
	if len(sealed) > maxSealed {
		return nil, fmt.Errorf("sealed file: %d bytes, at most %d", len(sealed), maxSealed)
	}
	if !bytes.Contains(sealed[:min(len(sealed), maxHeader)], []byte("\n--- ")) {
		return nil, fmt.Errorf("sealed file: no end of an age header in the first %d bytes", maxHeader)
	}
	r, err := age.Decrypt(bytes.NewReader(sealed), ids...)
	var none *age.NoIdentityMatchError
	switch {
	case errors.As(err, &none):
		return nil, fmt.Errorf("sealed file: %w", ErrNoIdentity)
	case err != nil:
		return nil, fmt.Errorf("sealed file: %w", err)
	}
	plaintext, err := io.ReadAll(io.LimitReader(r, MaxPlaintext+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("sealed file: %w", err)
	case len(plaintext) > MaxPlaintext:
		return nil, fmt.Errorf("sealed file: holds more than %d bytes", MaxPlaintext)
	}
	return plaintext, nil
}

// ParseRecipient checks that s is one age recipient, of either kind, in the
// one spelling that the age program prints.
func ParseRecipient(s string) error {
	_, err := parseRecipient(s)
	return err
}

// NewIdentity makes a post-quantum hybrid age identity. It returns the content
// of an identity file, which is secret, and the recipient to seal to.
func NewIdentity() (identityFile []byte, recipient string, err error) {
	id, err := age.GenerateHybridIdentity()
	if err != nil {
		return nil, "", fmt.Errorf("new age identity: %w", err)
	}
	recipient = id.Recipient().String()
	return fmt.Appendf(nil, "# public key: %s\n%s\n", recipient, id), recipient, nil
}

// Recipients returns the public recipient of every identity in an age identity
// file, in its order: who may open, without what opens.
func Recipients(identities []byte) ([]string, error) {
	if len(identities) > MaxIdentities {
		return nil, fmt.Errorf("age identities: %d bytes, at most %d", len(identities), MaxIdentities)
	}
	ids, err := age.ParseIdentities(bytes.NewReader(identities))
	if err != nil {
		return nil, fmt.Errorf("age identities: %w", err)
	}
	out := make([]string, 0, len(ids))
	for _, id := range ids {
		switch id := id.(type) {
		default:
			return nil, fmt.Errorf("age identities: one is neither %s nor %s", prefixHybrid, prefixX25519)
		case *age.HybridIdentity:
			out = append(out, id.Recipient().String())
		case *age.X25519Identity:
			out = append(out, id.Recipient().String())
		}
	}
	return out, nil
}

func parseRecipients(list []string) ([]age.Recipient, error) {
	if len(list) < 1 || len(list) > MaxRecipients {
		return nil, fmt.Errorf("%d recipients, want 1 to %d", len(list), MaxRecipients)
	}
	var out []age.Recipient
	seen := make(map[string]bool)
	hybrids := 0
	for _, s := range list {
		r, err := parseRecipient(s)
		if err != nil {
			return nil, err
		}
		if seen[s] {
			return nil, fmt.Errorf("age recipient %s given twice", clip(s))
		}
		seen[s] = true
		if strings.HasPrefix(s, prefixHybrid) {
			hybrids++
		}
		out = append(out, r)
	}
	if hybrids != 0 && hybrids != len(list) {
		return nil, fmt.Errorf("%d post-quantum (%s…) and %d plain (%s…) age recipients cannot share a file: the plain ones would undo the protection of the others",
			hybrids, prefixHybrid, len(list)-hybrids, prefixX25519)
	}
	return out, nil
}

func parseRecipient(s string) (age.Recipient, error) {
	var r interface {
		age.Recipient
		String() string
	}
	var err error
	switch {
	default:
		// Not shown: it may be a secret key given by mistake.
		return nil, fmt.Errorf("age recipient does not begin with %s or %s", prefixHybrid, prefixX25519)
	case strings.HasPrefix(s, prefixHybrid):
		r, err = age.ParseHybridRecipient(s)
	case strings.HasPrefix(s, prefixX25519):
		r, err = age.ParseX25519Recipient(s)
	}
	if err != nil || r.String() != s {
		return nil, fmt.Errorf("age recipient %q is malformed or cut short", clip(s))
	}
	return r, nil
}
