package trust

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/binary"
	"strings"
	"testing"

	"muniment/cid"
	"muniment/sign"
)

var archive = cid.OfJSON([]byte("archive"))

// A signer is a key made from a name, plain or as a security key holds it.
type signer struct {
	private     ed25519.PrivateKey
	application string
}

func newSigner(name string) signer {
	seed := sha256.Sum256([]byte("muniment test key " + name))
	return signer{private: ed25519.NewKeyFromSeed(seed[:])}
}

func appendStr(b []byte, s string) []byte {
	return append(binary.BigEndian.AppendUint32(b, uint32(len(s))), s...)
}

func (s signer) blob() []byte {
	typ := sign.TypeEd25519
	if s.application != "" {
		typ = sign.TypeSKEd25519
	}
	b := appendStr(appendStr(nil, typ), string(s.private.Public().(ed25519.PublicKey)))
	if s.application != "" {
		b = appendStr(b, s.application)
	}
	return b
}

func (s signer) Key() sign.Key {
	k, err := sign.ParseKeyBlob(s.blob())
	if err != nil {
		panic(err)
	}
	return k
}

func (s signer) SignSSH(data []byte) ([]byte, error) {
	if s.application == "" {
		return appendStr(appendStr(nil, sign.TypeEd25519), string(ed25519.Sign(s.private, data))), nil
	}
	const flags, counter = 1, 7
	application, message := sha256.Sum256([]byte(s.application)), sha256.Sum256(data)
	data = binary.BigEndian.AppendUint32(append(application[:], flags), counter)
	data = append(data, message[:]...)
	b := appendStr(appendStr(nil, sign.TypeSKEd25519), string(ed25519.Sign(s.private, data)))
	return binary.BigEndian.AppendUint32(append(b, flags), counter), nil
}

// wrapped returns the same point as a security key wraps it.
func (s signer) wrapped() signer { return signer{s.private, "ssh:"} }

// The people of the tests.
var (
	vale   = newSigner("vale")   // archivist, hot
	museum = newSigner("museum") // custodian
	court  = newSigner("court")  // custodian
	thief  = newSigner("thief")
)

// key returns a key line.
func key(role Role, org string, s signer, from, to string) string {
	return "key " + string(role) + " " + org + " " + s.Key().Authorized() + " " + from + " " + to
}

// Thresholds of one key each, in order.
const ones = "threshold snapshot 1 1\nthreshold withdraw 1 1\nthreshold answer 1 1\nthreshold witness 1 1\nthreshold policy 1 1"

// text returns a version 1 with thresholds and further lines.
func text(thresholds string, lines ...string) string {
	return Head + "\narchive " + archive.String() + "\nversion 1\nprev -\n" + thresholds + "\n" + strings.Join(lines, "\n") + "\n"
}

// place is a bound in the log of vale.
func place(rest string) string { return Name(vale.Key()) + "/" + rest }

func sample() string {
	return text(strings.ReplaceAll(ones, "policy 1 1", "policy 2 2"),
		key(Snapshot, "vale", vale, "1", "-"),
		key(Withdraw, "museum", museum, "1", "-"),
		key(Answer, "vale", vale, "-", "-"),
		key(Answer, "museum", museum, place("1/5"), place("2/9")),
		key(Log, "vale", vale, "-", "-"),
		key(Witness, "museum", museum, "-", "-"),
		key(Policy, "vale", vale, "1", "-"),
		key(Policy, "museum", museum, "1", "-"),
		key(Policy, "court", court, "1", "-"))
}

func mustParse(t testing.TB, s string) *Root {
	t.Helper()
	r, err := Parse([]byte(s))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// follow returns s as the version after r, with replacements made in pairs.
func follow(r *Root, s string, pairs ...string) string {
	d := r.Digest()
	head := "version " + Version(r.Version+1).String() + "\nprev " + hexOf(d[:]) + "\n"
	return strings.NewReplacer(append(pairs, "version 1\nprev -\n", head)...).Replace(s)
}

func hexOf(b []byte) string {
	const digits = "0123456789abcdef"
	var s strings.Builder
	for _, c := range b {
		s.WriteByte(digits[c>>4])
		s.WriteByte(digits[c&15])
	}
	return s.String()
}

// signed signs a text by everybody given.
func signed(t testing.TB, s string, by ...signer) Signed {
	t.Helper()
	out := Signed{Text: []byte(s)}
	for _, one := range by {
		armored, err := sign.Sign(one, Namespace, out.Text)
		if err != nil {
			t.Fatal(err)
		}
		out.Signatures = append(out.Signatures, armored)
	}
	return out
}
