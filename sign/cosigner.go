package sign

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
)

// A Cosigner is a witness as others know it: the name on its lines, and its key. Its text is
// the verifier key of C2SP signed-note, of the type cosignature/v1:
//
//	NAME+8 hex digits of the key hash+base64 of 0x04 and the 32 bytes of the key
//
// The zero Cosigner is nobody.
type Cosigner struct {
	name string
	key  Key
}

// cosignatureType is the type of a verifier key whose lines are cosignature/v1.
const cosignatureType = 0x04

// MaxCosigner is the most bytes of a verifier key: a name as long as that of a log, and 56 more.
const MaxCosigner = MaxOrigin + 64

// NewCosigner returns the cosigner of a name and a plain key.
func NewCosigner(name string, k Key) (Cosigner, error) {
	switch {
	case !plainASCII(name, MaxOrigin) || strings.Contains(name, "+"):
		return Cosigner{}, fmt.Errorf("cosigner: name %q, want 1 to %d printable characters without space and plus", clip(name), MaxOrigin)
	case k.typ != TypeEd25519:
		return Cosigner{}, fmt.Errorf("cosigner: key %s is %q, want %s: checkpoints are signed by plain keys", k.Fingerprint(), k.typ, TypeEd25519)
	}
	return Cosigner{name, k}, nil
}

// ParseCosigner reads a verifier key: the text that String writes and no other.
func ParseCosigner(vkey string) (Cosigner, error) {
	name, rest, ok1 := strings.Cut(vkey, "+")
	hash, b64, ok2 := strings.Cut(rest, "+")
	if len(vkey) > MaxCosigner || !ok1 || !ok2 {
		return Cosigner{}, fmt.Errorf("cosigner %q, want a verifier key: name, key hash and base64 with + between", clip(vkey))
	}
	data, ok := decode64(b64)
	if !ok || len(data) == 0 {
		return Cosigner{}, fmt.Errorf("cosigner %s: %q is not base64 of a type and a key", clip(name), clip(b64))
	}
	if data[0] != cosignatureType {
		return Cosigner{}, fmt.Errorf("cosigner %s: a key of type 0x%02x, want 0x04, cosignature/v1 with Ed25519", clip(name), data[0])
	}
	if len(data) != 1+32 {
		return Cosigner{}, fmt.Errorf("cosigner %s: a key of %d bytes, want 32", clip(name), len(data)-1)
	}
	k, err := KeyOf([32]byte(data[1:]))
	if err != nil {
		return Cosigner{}, fmt.Errorf("cosigner %s: %w", clip(name), err)
	}
	c, err := NewCosigner(name, k)
	if err != nil {
		return Cosigner{}, err
	}
	if c.String() != vkey {
		return Cosigner{}, fmt.Errorf("cosigner %s: key hash %q, want %08x", clip(name), clip(hash), c.hash())
	}
	return c, nil
}

// Name returns the name on the cosigner's lines.
func (c Cosigner) Name() string { return c.name }

// Key returns the cosigner's key.
func (c Cosigner) Key() Key { return c.key }

// String returns the verifier key.
func (c Cosigner) String() string {
	return fmt.Sprintf("%s+%08x+%s", c.name, c.hash(), base64.StdEncoding.EncodeToString(append([]byte{cosignatureType}, c.key.point[:]...)))
}

// hash returns the key hash on the cosigner's lines.
func (c Cosigner) hash() uint32 {
	h := sha256.New()
	h.Write([]byte(c.name + "\n"))
	h.Write([]byte{cosignatureType})
	h.Write(c.key.point[:])
	return binary.BigEndian.Uint32(h.Sum(nil))
}

// Sign returns the cosigner's line for a signed checkpoint, with its line end. s must have
// the cosigner's key. The caller must have checked what [Cosign] asks for. time is in seconds
// since 1970.
func (c Cosigner) Sign(s Signer, signed []byte, time int64) (line string, err error) {
	n, err := parseNote(signed)
	if err != nil {
		return "", fmt.Errorf("cosigning: checkpoint: %w", err)
	}
	if s.Key() != c.key {
		return "", fmt.Errorf("cosigning: key %s, want that of %s", s.Key().Fingerprint(), clip(c.name))
	}
	if time < 0 || time > maxCosignTime {
		return "", fmt.Errorf("cosigning: time %d, want 0 to %d", time, int64(maxCosignTime))
	}
	if line, err = c.sign(s, n.checkpoint, time); err != nil {
		return "", fmt.Errorf("cosigning: %w", err)
	}
	return line + "\n", nil
}

// sign returns the cosigner's line without line end.
func (c Cosigner) sign(s Signer, at Checkpoint, time int64) (string, error) {
	raw, err := signPlain(s, cosignedText(at, time))
	if err != nil {
		return "", err
	}
	var sig []byte
	sig = binary.BigEndian.AppendUint32(sig, c.hash())
	sig = binary.BigEndian.AppendUint64(sig, uint64(time))
	sig = append(sig, raw...)
	return sigPrefix + c.name + " " + base64.StdEncoding.EncodeToString(sig), nil
}

// Open returns the cosigner's cosignature of a signed checkpoint, which is verified; found is
// false where no line has its name and key hash. A line that has them and is wrong is an error.
func (c Cosigner) Open(signed []byte) (out Cosignature, found bool, err error) {
	n, err := parseNote(signed)
	if err != nil {
		return Cosignature{}, false, fmt.Errorf("checkpoint: %w", err)
	}
	for _, line := range n.lines {
		name, b64, _ := strings.Cut(strings.TrimPrefix(line, sigPrefix), " ")
		if sig, _ := decode64(b64); name != c.name || binary.BigEndian.Uint32(sig) != c.hash() {
			continue // parseNote requires five bytes
		}
		if out, err = c.verifyLine(n.checkpoint, b64); err != nil {
			return Cosignature{}, true, fmt.Errorf("cosignature of %s: %w", clip(name), err)
		}
		return out, true, nil
	}
	return Cosignature{}, false, nil
}

// verifyLine returns the cosignature in the base64 of a line.
func (c Cosigner) verifyLine(at Checkpoint, b64 string) (Cosignature, error) {
	sig, ok := decode64(b64)
	if !ok || len(sig) != 4+8+64 {
		return Cosignature{}, fmt.Errorf("%d bytes, want key hash, time and signature in 76", len(sig))
	}
	if got := binary.BigEndian.Uint32(sig); got != c.hash() {
		return Cosignature{}, fmt.Errorf("key hash %08x, want %08x", got, c.hash())
	}
	time := binary.BigEndian.Uint64(sig[4:])
	if time > maxCosignTime {
		return Cosignature{}, fmt.Errorf("time %s, at most %d", strconv.FormatUint(time, 10), int64(maxCosignTime))
	}
	s := &Signature{key: c.key}
	copy(s.raw[:], sig[12:])
	if !canonicalScalar(s.raw[32:]) {
		return Cosignature{}, errors.New("scalar S is not below the group order: another form of some other signature")
	}
	if err := s.verifyData(cosignedText(at, int64(time))); err != nil {
		return Cosignature{}, err
	}
	return Cosignature{Name: c.name, Key: c.key, Time: int64(time)}, nil
}

// Limits of the lines of third names in the proof of a bundle: neither the log's nor of the
// form muniment/witness/. Whoever relays a bundle can add any, and nobody here may know them.
const (
	MaxForeignLines = 16      // five organisations with three witnesses each are seldom asked for
	MaxForeignBytes = 4 << 10 // with their line ends; a line of cosignature/v1 has about 150
)

// ForeignLines returns the names of the lines of third names of a signed checkpoint, in their
// order. The error says that they are more than a proof of a bundle may have, or that a line is of
// a form that none may have there: a second one of the log, or a name that begins as a witness's
// and is none.
func ForeignLines(signed []byte) ([]string, error) {
	n, err := parseNote(signed)
	if err != nil {
		return nil, err
	}
	var names []string
	own, size := false, 0
	for _, line := range n.lines {
		name, _, _ := strings.Cut(strings.TrimPrefix(line, sigPrefix), " ")
		switch {
		case name == n.checkpoint.Origin && own:
			return nil, fmt.Errorf("a second signature line of %q", clip(name))
		case name == n.checkpoint.Origin:
			own = true
		case !strings.HasPrefix(name, WitnessPrefix):
			names = append(names, name)
			size += len(line) + 1
		case !isWitnessName(name):
			return nil, fmt.Errorf("a signature line of %q, which does not end in 64 hex digits of a key", clip(name))
		}
	}
	if len(names) > MaxForeignLines || size > MaxForeignBytes {
		return nil, fmt.Errorf("%d signature lines of other names in %d bytes, at most %d in %d", len(names), size, MaxForeignLines, MaxForeignBytes)
	}
	return names, nil
}

// WithoutForeign returns the proof without its lines of third names, and whether it had any.
func (p *LogProof) WithoutForeign() (*LogProof, bool) {
	names, err := ForeignLines(p.Note)
	n, err2 := parseNote(p.Note)
	if err != nil || err2 != nil || len(names) == 0 {
		return p, false
	}
	n.lines = slices.DeleteFunc(n.lines, func(line string) bool {
		name, _, _ := strings.Cut(strings.TrimPrefix(line, sigPrefix), " ")
		return slices.Contains(names, name)
	})
	return &LogProof{Index: p.Index, Hashes: p.Hashes, Note: n.encode()}, true
}

// isWitnessName reports whether a name ends in the digits of 32 bytes.
func isWitnessName(name string) bool {
	digits := strings.TrimPrefix(name, WitnessPrefix)
	return len(digits) == 64 && strings.Trim(digits, "0123456789abcdef") == ""
}

// A LogKey is a log as others know it: its origin and key, in the verifier key of C2SP
// signed-note with the type Ed25519.
type LogKey struct {
	origin string
	key    Key
}

// ParseLogKey reads the verifier key of a log.
func ParseLogKey(vkey string) (LogKey, error) {
	v, err := note.NewVerifier(vkey)
	if err != nil || len(vkey) > MaxCosigner {
		return LogKey{}, fmt.Errorf("log %q, want a verifier key of type Ed25519: origin, key hash and base64 with + between", clip(vkey))
	}
	data, ok := decode64(strings.SplitN(vkey, "+", 3)[2]) // NewVerifier has found three parts
	if !ok || len(data) != 1+32 {
		return LogKey{}, fmt.Errorf("log %s: not base64 of a type and 32 bytes", clip(v.Name()))
	}
	k, err := KeyOf([32]byte(data[1:]))
	if err != nil {
		return LogKey{}, fmt.Errorf("log %s: %w", clip(v.Name()), err)
	}
	return LogKey{v.Name(), k}, nil
}

// Name returns the origin of the log.
func (l LogKey) Name() string { return l.origin }

// Key returns the key of the log.
func (l LogKey) Key() Key { return l.key }
