package sign

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
)

// The parts of an armored signature, and of its blob.
const (
	armorHead    = "-----BEGIN SSH SIGNATURE-----\n"
	armorFoot    = "-----END SSH SIGNATURE-----\n"
	armorColumns = 70 // what ssh-keygen writes

	magic   = "SSHSIG"
	version = 1

	hashSHA256 = "sha256"
	hashSHA512 = "sha512"
)

// Bits of the flags byte that a security key signs along (WebAuthn, 6.1).
const (
	flagUserPresent = 0x01
	flagAttested    = 0x40 // attested data follow, for which SSHSIG has no place
	flagExtension   = 0x80 // likewise extension data
)

// MaxNamespace is the most bytes of a namespace.
const MaxNamespace = 255

// MaxSignature is the most bytes of an armored signature. The largest possible
// one, with the longest namespace and application, is below 1100.
const MaxSignature = 2048

// A Signature is an SSHSIG whose form has been checked. That it verifies is
// what Verify says.
type Signature struct {
	key       Key
	namespace string
	hash      string
	raw       [ed25519.SignatureSize]byte
	flags     byte   // security keys only
	counter   uint32 // security keys only
}

// Key returns the public key that the signature names.
func (s *Signature) Key() Key { return s.key }

// Namespace returns the namespace (the purpose) of the signature.
func (s *Signature) Namespace() string { return s.namespace }

// Hash returns "sha256" or "sha512".
func (s *Signature) Hash() string { return s.hash }

// ParseSignature reads an armored signature: steps 1 to 5 of the package
// comment.
func ParseSignature(armored []byte) (*Signature, error) {
	s, err := parseArmored(armored)
	if err != nil {
		return nil, fmt.Errorf("ssh signature: %w", err)
	}
	return s, nil
}

func parseArmored(armored []byte) (*Signature, error) {
	if len(armored) > MaxSignature {
		return nil, fmt.Errorf("%d bytes, at most %d", len(armored), MaxSignature)
	}
	body, ok := bytes.CutPrefix(armored, []byte(armorHead))
	if !ok {
		return nil, fmt.Errorf("begins with %q, want %q", clip(firstLine(armored)), armorHead)
	}
	body, ok = bytes.CutSuffix(body, []byte(armorFoot))
	if !ok {
		return nil, fmt.Errorf("does not end with %q", armorFoot)
	}
	blob, ok := decode64(string(bytes.ReplaceAll(body, []byte("\n"), nil)))
	if !ok {
		return nil, errors.New("body is not base64 as the encoder writes it")
	}
	s, err := parseBlob(blob)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(s.Armored(), armored) {
		return nil, fmt.Errorf("lines are not wrapped at %d columns", armorColumns)
	}
	return s, nil
}

// parseBlob reads the decoded body.
func parseBlob(blob []byte) (*Signature, error) {
	r := &reader{rest: blob}
	if m := r.bytes("magic", len(magic)); r.err == nil && string(m) != magic {
		r.err = fmt.Errorf("magic %q, want %q", m, magic)
	}
	if v := r.uint32("version"); r.err == nil && v != version {
		r.err = fmt.Errorf("version %d, want %d", v, version)
	}
	key := r.str("public key")
	namespace := r.str("namespace")
	if reserved := r.str("reserved field"); len(reserved) > 0 {
		r.err = fmt.Errorf("reserved field of %d bytes, want none", len(reserved))
	}
	hash := r.str("hash name")
	inner := r.str("signature")
	if err := r.end("signature"); err != nil {
		return nil, err
	}
	s := &Signature{namespace: string(namespace), hash: string(hash)}
	if err := checkNamespace(s.namespace); err != nil {
		return nil, err
	}
	if s.hash != hashSHA256 && s.hash != hashSHA512 {
		return nil, fmt.Errorf("hash %q, want %s or %s", clip(s.hash), hashSHA256, hashSHA512)
	}
	var err error
	if s.key, err = parseKeyBlob(key); err != nil {
		return nil, err
	}
	if err := s.readInner(inner); err != nil {
		return nil, err
	}
	return s, nil
}

// readInner reads the innermost signature, which the key itself returned, into
// s, whose key must be set.
func (s *Signature) readInner(inner []byte) error {
	r := &reader{rest: inner}
	if t := r.str("signature type"); r.err == nil && string(t) != s.key.typ {
		r.err = fmt.Errorf("signature type %q, want %s as the key", clip(t), s.key.typ)
	}
	raw := r.str("signature bytes")
	if r.err == nil && len(raw) != len(s.raw) {
		r.err = fmt.Errorf("signature of %d bytes, want %d", len(raw), len(s.raw))
	}
	copy(s.raw[:], raw)
	if s.key.typ == TypeSKEd25519 {
		s.flags = r.bytes("flags", 1)[0]
		s.counter = r.uint32("counter")
	}
	if err := r.end("signature bytes"); err != nil {
		return err
	}
	if !canonicalScalar(s.raw[ed25519.SignatureSize/2:]) {
		return errors.New("scalar S is not below the group order: another form of some other signature")
	}
	if s.key.typ != TypeSKEd25519 {
		return nil
	}
	if s.flags&flagUserPresent == 0 {
		return fmt.Errorf("flags 0x%02x: the security key's user was not present", s.flags)
	}
	if s.flags&(flagAttested|flagExtension) != 0 {
		return fmt.Errorf("flags 0x%02x announce data that a signature has no place for", s.flags)
	}
	return nil
}

// Verify checks that s is a signature of message under namespace: steps 6 and
// 7 of the package comment.
func (s *Signature) Verify(namespace string, message []byte) error {
	if s.namespace != namespace {
		return fmt.Errorf("ssh signature: namespace %q, want %q", s.namespace, namespace)
	}
	if err := s.verifyData(signedData(s.namespace, s.hash, message)); err != nil {
		return fmt.Errorf("ssh signature: %w", err)
	}
	return nil
}

// verifyData checks the signature over the bytes given to the key.
func (s *Signature) verifyData(data []byte) error {
	if s.key.typ == TypeSKEd25519 {
		application, message := sha256.Sum256([]byte(s.key.application)), sha256.Sum256(data)
		data = append(application[:], s.flags)
		data = binary.BigEndian.AppendUint32(data, s.counter)
		data = append(data, message[:]...)
	}
	if s.key.IsZero() || !ed25519.Verify(s.key.point[:], data, s.raw[:]) {
		return fmt.Errorf("is not by key %s over this message", s.key.Fingerprint())
	}
	return nil
}

// Armored returns the signature's text. For a parsed signature these are the
// bytes it was parsed from.
func (s *Signature) Armored() []byte {
	inner := appendStr(nil, s.key.typ)
	inner = appendStr(inner, s.raw[:])
	if s.key.typ == TypeSKEd25519 {
		inner = append(inner, s.flags)
		inner = binary.BigEndian.AppendUint32(inner, s.counter)
	}
	blob := binary.BigEndian.AppendUint32([]byte(magic), version)
	blob = appendStr(blob, s.key.Blob())
	blob = appendStr(blob, s.namespace)
	blob = appendStr(blob, "")
	blob = appendStr(blob, s.hash)
	blob = appendStr(blob, inner)
	return armor(blob)
}

// armor wraps a blob in text.
func armor(blob []byte) []byte {
	out := []byte(armorHead)
	for b64 := base64.StdEncoding.EncodeToString(blob); b64 != ""; {
		n := min(len(b64), armorColumns)
		out = append(append(out, b64[:n]...), '\n')
		b64 = b64[n:]
	}
	return append(out, armorFoot...)
}

// signedData returns the bytes that a key signs for message. hash must be one of the two known
// names.
func signedData(namespace, hash string, message []byte) []byte {
	var sum []byte
	if hash == hashSHA256 {
		s := sha256.Sum256(message)
		sum = s[:]
	} else {
		s := sha512.Sum512(message)
		sum = s[:]
	}
	b := appendStr([]byte(magic), namespace)
	b = appendStr(b, "")
	b = appendStr(b, hash)
	return appendStr(b, sum)
}

func checkNamespace(namespace string) error {
	if !plainASCII(namespace, MaxNamespace) {
		return fmt.Errorf("namespace %q, want 1 to %d printable characters without space", clip(namespace), MaxNamespace)
	}
	return nil
}

func firstLine(b []byte) []byte {
	line, _, _ := bytes.Cut(b, []byte("\n"))
	return line
}
