package timestamp

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/pem"
	"fmt"
	"math/big"
	random "math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	rfc3161 "github.com/digitorus/timestamp"
)

// An authority is a root with a signing certificate, in files for openssl.
type authority struct {
	dir  string
	root []*x509.Certificate
	cert *x509.Certificate
	key  crypto.Signer
}

func must[T any](t testing.TB) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// newAuthority makes an authority whose certificate ends at a time, and is for a purpose.
func newAuthority(t testing.TB, end time.Time, purpose []pkix.Extension, rsaKey bool) *authority {
	t.Helper()
	newKey := func() crypto.Signer {
		return must[*ecdsa.PrivateKey](t)(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
	}
	a := &authority{dir: t.TempDir()}
	rootKey := newKey()
	if a.key = newKey(); rsaKey {
		a.key = must[*rsa.PrivateKey](t)(rsa.GenerateKey(rand.Reader, 2048))
	}
	begin := time.Now().Add(-48 * time.Hour)
	root := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "root of the test"}, NotBefore: begin, NotAfter: time.Now().Add(48 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	der := must[[]byte](t)(x509.CreateCertificate(rand.Reader, root, root, rootKey.Public(), rootKey))
	a.root = []*x509.Certificate{must[*x509.Certificate](t)(x509.ParseCertificate(der))}
	leaf := &x509.Certificate{SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "authority of the test"}, NotBefore: begin, NotAfter: end,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtraExtensions: purpose}
	der = must[[]byte](t)(x509.CreateCertificate(rand.Reader, leaf, a.root[0], a.key.Public(), rootKey))
	a.cert = must[*x509.Certificate](t)(x509.ParseCertificate(der))
	key := must[[]byte](t)(x509.MarshalPKCS8PrivateKey(a.key))
	for name, b := range map[string]*pem.Block{"root.pem": {Type: "CERTIFICATE", Bytes: a.root[0].Raw}, "tsa.pem": {Type: "CERTIFICATE", Bytes: a.cert.Raw}, "tsa.key": {Type: "PRIVATE KEY", Bytes: key}} {
		a.write(t, name, pem.EncodeToMemory(b))
	}
	a.write(t, "serial", []byte("01\n"))
	a.write(t, "tsa.cnf", fmt.Appendf(nil, "[tsa]\ndefault_tsa=c\n[c]\nserial=%s/serial\ncrypto_device=builtin\nsigner_cert=%[1]s/tsa.pem\nsigner_key=%[1]s/tsa.key\ncerts=%[1]s/root.pem\nsigner_digest=sha256\ndefault_policy=1.2.3.4\ndigests=sha256\naccuracy=secs:1\ness_cert_id_chain=no\ness_cert_id_alg=sha256\n", a.dir))
	return a
}

func (a *authority) write(t testing.TB, name string, data []byte) string {
	t.Helper()
	file := filepath.Join(a.dir, name)
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// stamp returns openssl's response for some bytes.
func (a *authority) stamp(t testing.TB, data []byte) []byte {
	t.Helper()
	query := must[[]byte](t)((&rfc3161.Request{HashAlgorithm: crypto.SHA256, HashedMessage: sumOf(data), Certificates: true, Nonce: big.NewInt(7)}).Marshal())
	file := a.write(t, "query", query)
	out, err := exec.Command("openssl", "ts", "-reply", "-config", filepath.Join(a.dir, "tsa.cnf"), "-queryfile", file, "-out", filepath.Join(a.dir, "reply")).CombinedOutput()
	if err != nil {
		t.Fatalf("openssl ts -reply: %v\n%s", err, out)
	}
	return must[[]byte](t)(os.ReadFile(filepath.Join(a.dir, "reply")))
}

func sumOf(data []byte) []byte { s := sha256.Sum256(data); return s[:] }

// opensslAccepts reports the verdict of openssl ts -verify.
func (a *authority) opensslAccepts(t testing.TB, der, data []byte) bool {
	t.Helper()
	return exec.Command("openssl", "ts", "-verify", "-data", a.write(t, "data", data), "-in", a.write(t, "in", der), "-CAfile", filepath.Join(a.dir, "root.pem")).Run() == nil
}

func purposeOf(critical bool, usages ...asn1.ObjectIdentifier) []pkix.Extension {
	value, err := asn1.Marshal(usages)
	if err != nil {
		panic(err)
	}
	return []pkix.Extension{{Id: oidExtKeyUsage, Critical: critical, Value: value}}
}

// TestAgreesWithOpenssl compares verdicts on sound and damaged tokens with those of openssl; with
// MUNIMENT_LONG on 200, of which 150 are damaged.
func TestAgreesWithOpenssl(t *testing.T) {
	n := 12
	if os.Getenv("MUNIMENT_LONG") != "" {
		n = 200
	}
	stamping, mails := asn1.ObjectIdentifier{1, 3, 6, 1, 5, 5, 7, 3, 8}, asn1.ObjectIdentifier{1, 3, 6, 1, 5, 5, 7, 3, 4}
	later := time.Now().Add(24 * time.Hour)
	good := []*authority{newAuthority(t, later, purposeOf(true, stamping), false), newAuthority(t, later, purposeOf(true, stamping), true)}
	other := newAuthority(t, later, purposeOf(true, stamping), false)
	expired := newAuthority(t, time.Now().Add(-time.Hour), purposeOf(true, stamping), false)
	wrong := []*authority{newAuthority(t, later, nil, false), newAuthority(t, later, purposeOf(false, stamping), false), newAuthority(t, later, purposeOf(true, stamping, mails), false)}
	draw := random.New(random.NewPCG(3161, 2))
	agreed, sound, stricter := 0, 0, 0
	for i := range n {
		data := fmt.Appendf(nil, "checkpoint %d\n", i)
		a := good[i%2]
		var der []byte
		kind := "sound"
		switch damage := i % 4 * (1 + i/4%5); {
		case i%4 == 0:
			der = a.stamp(t, data)
		case damage%5 == 1:
			kind, der = "other imprint", a.stamp(t, append(data, 'x'))
		case damage%5 == 2:
			kind, der = "other certificate", other.stamp(t, data)
		case damage%5 == 3:
			kind, a = "expired", expired
			der = a.stamp(t, data)
		case damage%5 == 4:
			kind, a = "purpose", wrong[i/4%3]
			stamp := rfc3161.Timestamp{HashAlgorithm: crypto.SHA256, HashedMessage: sumOf(data), Time: time.Now().UTC(), Policy: asn1.ObjectIdentifier{1, 2, 3}, Nonce: big.NewInt(7), AddTSACertificate: true}
			der = must[[]byte](t)(stamp.CreateResponseWithOpts(a.cert, a.key, crypto.SHA256))
		default:
			kind, der = "flipped byte", a.stamp(t, data)
			der[draw.IntN(len(der))] ^= byte(1 + draw.IntN(255))
		}
		token, err := Open(der, data, a.root, time.Now())
		theirs := a.opensslAccepts(t, der, data)
		switch {
		case (err == nil) == theirs:
			agreed++
		case err == nil:
			t.Errorf("%d, %s: openssl refuses what is accepted here", i, kind)
		default:
			stricter++
			t.Logf("%d, %s: openssl accepts it, and here: %v", i, kind, err)
		}
		if err == nil {
			sound++
			if token.Name != "CN=authority of the test" || time.Since(token.Time).Abs() > time.Minute {
				t.Errorf("%d: %s at %s", i, token.Name, token.Time)
			}
		}
		if kind == "sound" && err != nil {
			t.Errorf("%d is sound: %v", i, err)
		}
	}
	t.Logf("%d tokens, %d accepted: openssl and Open agree on %d; Open alone refuses %d", n, sound, agreed, stricter)
	if sound < n/4 || agreed+stricter != n || stricter > n/50 {
		t.Errorf("they agree on %d of %d", agreed, n)
	}
	der := good[0].stamp(t, []byte("x"))
	token, err := Open(der, []byte("x"), good[0].root, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if again, err := Open(token.DER, []byte("x"), good[0].root, time.Now()); err != nil || again.Name != token.Name {
		t.Errorf("the token without its response: %v", err)
	}
	if _, err := Open(der, []byte("x"), []*x509.Certificate{good[0].cert}, time.Now()); err == nil {
		t.Error("the signing certificate is taken for a root")
	}
	if _, err := Open(der, []byte("x"), good[0].root, time.Now().Add(-time.Hour)); err == nil {
		t.Error("a token of the future is accepted")
	}
}

// FuzzOpen requires that no bytes are taken for a token that no authority signed.
func FuzzOpen(f *testing.F) {
	a := newAuthority(f, time.Now().Add(time.Hour), purposeOf(true, asn1.ObjectIdentifier{1, 3, 6, 1, 5, 5, 7, 3, 8}), false)
	der := a.stamp(f, []byte("x"))
	f.Add(der)
	f.Add(der[9:])
	f.Fuzz(func(t *testing.T, der []byte) {
		if token, err := Open(der, []byte("y"), a.root, time.Now()); err == nil || token != nil {
			t.Error("a token over other bytes is accepted")
		}
	})
}
