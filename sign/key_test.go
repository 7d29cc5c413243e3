package sign

import (
	"crypto/ed25519"
	"crypto/sha256"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// A curvePoint is an affine point of edwards25519, for checking constants.
type curvePoint struct{ x, y *big.Int }

func mod(z *big.Int) *big.Int { return z.Mod(z, fieldP) }

// add is the addition law of RFC 8032, 5.1.4, in affine form:
// x = (x1y2+x2y1)/(1+dx1x2y1y2), y = (y1y2+x1x2)/(1−dx1x2y1y2).
func (p curvePoint) add(q curvePoint) curvePoint {
	mul := func(a, b *big.Int) *big.Int { return mod(new(big.Int).Mul(a, b)) }
	sum := func(a, b *big.Int) *big.Int { return mod(new(big.Int).Add(a, b)) }
	div := func(a, b *big.Int) *big.Int { return mul(a, new(big.Int).ModInverse(b, fieldP)) }
	one := big.NewInt(1)
	k := mul(curveD, mul(mul(p.x, q.x), mul(p.y, q.y)))
	return curvePoint{
		x: div(sum(mul(p.x, q.y), mul(q.x, p.y)), sum(one, k)),
		y: div(sum(mul(p.y, q.y), mul(p.x, q.x)), mod(new(big.Int).Sub(one, k))),
	}
}

// The table of small orders holds the y of exactly the eight points that
// become the identity when doubled three times.
func TestSmallOrderTable(t *testing.T) {
	one := big.NewInt(1)
	points := make(map[string]bool)
	for _, y := range smallOrder {
		y2 := mod(new(big.Int).Mul(y, y))
		u := mod(new(big.Int).Sub(y2, one))
		v := mod(new(big.Int).Add(new(big.Int).Mul(curveD, y2), one))
		x := new(big.Int).ModSqrt(mod(u.Mul(u, new(big.Int).ModInverse(v, fieldP))), fieldP)
		if x == nil {
			t.Fatalf("y = %x is not on the curve", y)
		}
		for _, x := range []*big.Int{x, mod(new(big.Int).Neg(x))} {
			p := curvePoint{x, y}
			points[p.x.String()+" "+p.y.String()] = true
			for range 3 {
				p = p.add(p)
			}
			if p.x.Sign() != 0 || p.y.Cmp(one) != 0 {
				t.Errorf("y = %x is not of small order", y)
			}
		}
	}
	if len(points) != 8 {
		t.Errorf("%d points, want 8", len(points))
	}
}

// d is −121665/121666, and L is the order that crypto/ed25519 enforces: a
// signature whose S is raised by it no longer verifies there.
func TestCurveConstants(t *testing.T) {
	d := mod(new(big.Int).Mul(big.NewInt(-121665), new(big.Int).ModInverse(big.NewInt(121666), fieldP)))
	if d.Cmp(curveD) != 0 {
		t.Errorf("d = %x, want %x", curveD, d)
	}
	if !fieldP.ProbablyPrime(10) || !orderL.ProbablyPrime(10) || orderL.BitLen() != 253 {
		t.Error("p or L is not the prime it should be")
	}
}

// Every point that crypto/ed25519 generates is accepted, and for other bytes
// there is a root exactly where big.Int finds one.
func TestCheckPoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := [32]byte(rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "bytes"))
		public := ed25519.NewKeyFromSeed(b[:]).Public().(ed25519.PublicKey)
		k, err := KeyOf([32]byte(public))
		if err != nil {
			t.Fatalf("key of seed %x: %v", b, err)
		}
		back, err := ParseKeyBlob(k.Blob())
		if err != nil || back != k {
			t.Fatalf("blob of %s reads as %v, %v", k.Authorized(), back, err)
		}
		if back, err = ParseKey(k.Authorized() + " a comment\n"); err != nil || back != k {
			t.Fatalf("line of %s reads as %v, %v", k.Authorized(), back, err)
		}
		y := b
		y[31] &= 0x7f
		n := littleEndian(y[:])
		n2 := mod(new(big.Int).Mul(n, n))
		v := mod(new(big.Int).Add(new(big.Int).Mul(curveD, n2), big.NewInt(1)))
		u := mod(n2.Sub(n2, big.NewInt(1)))
		onCurve := new(big.Int).ModSqrt(mod(u.Mul(u, v.ModInverse(v, fieldP))), fieldP) != nil
		if err := checkPoint(b); (err == nil) != onCurve {
			t.Fatalf("point %x: %v, on the curve: %v", b, err, onCurve)
		}
	})
}

func TestKeyZero(t *testing.T) {
	if !(Key{}).IsZero() || newTestSigner("anna").key.IsZero() {
		t.Error("IsZero")
	}
	if err := (&Signature{}).Verify("", nil); err == nil {
		t.Error("the zero signature verifies")
	}
	for _, s := range []string{"", "ssh-ed25519", "ssh-ed25519 ", "x y", "ssh-ed25519 AAAA\x00"} {
		if k, err := ParseKey(s); err == nil || !k.IsZero() {
			t.Errorf("ParseKey(%q) = %v, %v; want zero and an error", s, k, err)
		}
	}
}

// Two wrappings of one point are different keys with the same point.
func TestKeyNames(t *testing.T) {
	plain, sk := newTestSigner("anna").key, newTestSecurityKey("anna", 1).key
	if plain == sk || plain.Point() != sk.Point() || plain.ID() == sk.ID() || plain.Fingerprint() == sk.Fingerprint() {
		t.Errorf("plain %s and wrapped %s", plain.Authorized(), sk.Authorized())
	}
	if len(plain.ID()) != 2*sha256.Size || sk.Application() != "ssh:" || sk.Type() != TypeSKEd25519 {
		t.Errorf("id %q, application %q, type %q", plain.ID(), sk.Application(), sk.Type())
	}
}
