package sign

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// The two key types, by their SSH names.
const (
	TypeEd25519   = "ssh-ed25519"
	TypeSKEd25519 = "sk-ssh-ed25519@openssh.com"
)

// MaxApplication is the most bytes of a security key's application string.
// ssh-keygen writes "ssh:" and a short name.
const MaxApplication = 255

// A Key is an Ed25519 public key. Keys are comparable; the zero Key is none.
//
// Its 32 bytes are the canonical encoding of a point that is on the curve and
// not of small order. A key of small order would verify a signature that
// nobody made, and a second encoding of the same point would count twice.
type Key struct {
	typ         string
	point       [ed25519.PublicKeySize]byte
	application string // security keys only
}

// KeyOf returns the plain key with the given point.
func KeyOf(point [32]byte) (Key, error) {
	if err := checkPoint(point); err != nil {
		return Key{}, fmt.Errorf("ssh key: %w", err)
	}
	return Key{typ: TypeEd25519, point: point}, nil
}

// Point returns the 32 bytes of the public key proper. Two keys with equal
// points are one key, whatever wraps them: thresholds count points.
func (k Key) Point() [32]byte { return k.point }

// Type returns the SSH name of the key type.
func (k Key) Type() string { return k.typ }

// Application returns the application string of a security key, else "".
func (k Key) Application() string { return k.application }

// IsZero reports whether k is no key.
func (k Key) IsZero() bool { return k == Key{} }

// Blob returns the key in SSH wire encoding.
func (k Key) Blob() []byte {
	b := appendStr(nil, k.typ)
	b = appendStr(b, k.point[:])
	if k.typ == TypeSKEd25519 {
		b = appendStr(b, k.application)
	}
	return b
}

// Fingerprint returns the key's name as ssh-keygen -l prints it: SHA256: and
// unpadded base64.
func (k Key) Fingerprint() string {
	sum := sha256.Sum256(k.Blob())
	return "SHA256:" + base64.RawStdEncoding.EncodeToString(sum[:])
}

// ID returns the sha256 of Blob in 64 lower case hexadecimal digits: the name
// of the key's signature file in a bundle.
func (k Key) ID() string {
	sum := sha256.Sum256(k.Blob())
	return hex.EncodeToString(sum[:])
}

// Authorized returns the key as one line of text, type and base64 of Blob,
// without comment and line end.
func (k Key) Authorized() string {
	return k.typ + " " + base64.StdEncoding.EncodeToString(k.Blob())
}

// ParseKey reads a key in the form of Authorized, optionally followed by a
// space and a comment, and by one LF: the content of a .pub file. The comment
// is dropped.
func ParseKey(authorized string) (Key, error) {
	line := strings.TrimSuffix(authorized, "\n")
	typ, rest, _ := strings.Cut(line, " ")
	b64, comment, _ := strings.Cut(rest, " ")
	if strings.ContainsFunc(comment, isControl) {
		return Key{}, fmt.Errorf("ssh key: control character after %q", clip(typ))
	}
	return parseTyped(typ, b64)
}

// parseTyped reads a key from its two columns of text.
func parseTyped(typ, b64 string) (Key, error) {
	if err := checkType(typ); err != nil {
		return Key{}, fmt.Errorf("ssh key: %w", err)
	}
	blob, ok := decode64(b64)
	if !ok || b64 == "" {
		return Key{}, fmt.Errorf("ssh key: %q is not base64 as the encoder writes it", clip(b64))
	}
	k, err := ParseKeyBlob(blob)
	if err != nil {
		return Key{}, err
	}
	if k.typ != typ {
		return Key{}, fmt.Errorf("ssh key: line says %s, key says %s", typ, k.typ)
	}
	return k, nil
}

// ParseKeyBlob reads a key in SSH wire encoding.
func ParseKeyBlob(blob []byte) (Key, error) {
	k, err := parseKeyBlob(blob)
	if err != nil {
		return Key{}, fmt.Errorf("ssh key: %w", err)
	}
	return k, nil
}

func parseKeyBlob(blob []byte) (Key, error) {
	r := &reader{rest: blob}
	k := Key{typ: string(r.str("key type"))}
	if r.err == nil {
		r.err = checkType(k.typ)
	}
	point := r.str("point")
	if r.err == nil && len(point) != len(k.point) {
		r.err = fmt.Errorf("point of %d bytes, want %d", len(point), len(k.point))
	}
	copy(k.point[:], point)
	if k.typ == TypeSKEd25519 {
		k.application = string(r.str("application"))
		if r.err == nil && !plainASCII(k.application, MaxApplication) {
			r.err = fmt.Errorf("application %q, want 1 to %d printable characters", clip(k.application), MaxApplication)
		}
	}
	if err := r.end("public key"); err != nil {
		return Key{}, err
	}
	if err := checkPoint(k.point); err != nil {
		return Key{}, err
	}
	return k, nil
}

func checkType(typ string) error {
	if typ != TypeEd25519 && typ != TypeSKEd25519 {
		return fmt.Errorf("key type %q, want %s or %s", clip(typ), TypeEd25519, TypeSKEd25519)
	}
	return nil
}

// Parameters of edwards25519, RFC 8032, 5.1.
var (
	fieldP = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 255), big.NewInt(19))
	curveD = bigHex("52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3")
	orderL = bigHex("1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed")
)

// smallOrder holds the y coordinates of the eight points whose order divides
// 8; the two values of x that share a y differ in the sign bit alone.
var smallOrder = []*big.Int{
	big.NewInt(0),                           // order 4
	big.NewInt(1),                           // order 1
	new(big.Int).Sub(fieldP, big.NewInt(1)), // order 2
	bigHex("05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826"), // order 8
	bigHex("7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7"), // order 8
}

// checkPoint refuses encodings that are not canonical, not on the curve, or
// of small order.
func checkPoint(point [32]byte) error {
	point[31] &= 0x7f // sign of x
	y := littleEndian(point[:])
	if y.Cmp(fieldP) >= 0 {
		return fmt.Errorf("point is not in canonical encoding")
	}
	// With this gone x is never 0, so the sign bit has one meaning.
	if slices.ContainsFunc(smallOrder, func(s *big.Int) bool { return s.Cmp(y) == 0 }) {
		return fmt.Errorf("point is of small order: anybody can sign for it")
	}
	// x² = (y²−1) / (dy²+1) must have a root; a/b is a square where ab is.
	one := big.NewInt(1)
	y2 := new(big.Int).Mul(y, y)
	v := new(big.Int).Mul(curveD, y2)
	v.Add(v, one)
	u := y2.Sub(y2, one)
	if big.Jacobi(u.Mul(u, v).Mod(u, fieldP), fieldP) != 1 {
		return fmt.Errorf("point is not on the curve")
	}
	return nil
}

// canonicalScalar reports whether s, little endian, is below the group order.
func canonicalScalar(s []byte) bool { return littleEndian(s).Cmp(orderL) < 0 }

func littleEndian(b []byte) *big.Int {
	b = slices.Clone(b)
	slices.Reverse(b)
	return new(big.Int).SetBytes(b)
}

func bigHex(s string) *big.Int {
	n, ok := new(big.Int).SetString(s, 16)
	if !ok {
		panic("sign: bad constant " + s)
	}
	return n
}
