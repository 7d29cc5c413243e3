// Package timestamp verifies tokens of time-stamping authorities (RFC 3161): that some bytes
// existed before a time, by the word of an authority that the verifier trusts.
//
//	token, err := timestamp.Open(file, checkpoint, roots, now)
//	if err != nil { … }
//	fmt.Println(token.Name, token.Time)
//
// Open is strict: one signer; an imprint by SHA-256 or longer; a signing certificate that is
// for time-stamping alone, says so in a critical extension, and is named in the signed
// attributes; a chain to a root that the caller gives, valid at the token's time and at the
// verifier's. openssl ts -verify gives the same verdicts, which a test compares.
//
// # Limits
//
// Revocation is not looked up: nothing here asks a network. A token ends with its certificates,
// as no later token that covers it is looked for. The package is not linked by the small
// verifier, since X.509 brings in the network's packages.
package timestamp

import (
	"bytes"
	"crypto"
	_ "crypto/sha256" // for imprints
	_ "crypto/sha512"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/pem"
	"errors"
	"fmt"
	"time"

	"github.com/digitorus/pkcs7"
	rfc3161 "github.com/digitorus/timestamp"
)

// Limits of what is read.
const (
	MaxToken = 64 << 10 // bytes of a token: a chain of certificates has some thousand
	MaxRoots = 1 << 20  // bytes of a file of certificates
	maxDepth = 64       // of values in values: a chain of certificates has fewer than twenty
)

// maxSkew is how far an authority's clock may be ahead of the verifier's.
const maxSkew = 5 * time.Minute

// A Token is a verified token.
type Token struct {
	Name string    // of the authority: the subject of its certificate
	Time time.Time // before which the bytes existed
	DER  []byte    // the token, without the response in which it may have come
}

var (
	oidSignedData     = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 7, 2}
	oidTSTInfo        = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 16, 1, 4}
	oidContentType    = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 3}
	oidSigningCertV2  = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 16, 2, 47}
	oidExtKeyUsage    = asn1.ObjectIdentifier{2, 5, 29, 37}
	errManyPurposes   = errors.New("the signing certificate is not for time-stamping alone, in a critical extension")
	errUnnamedSigning = errors.New("the signed attributes do not name the signing certificate")
)

// ParseRoots reads certificates in PEM, of which there is at least one.
func ParseRoots(data []byte) ([]*x509.Certificate, error) {
	var out []*x509.Certificate
	for len(data) <= MaxRoots {
		var block *pem.Block
		if block, data = pem.Decode(data); block == nil {
			break
		}
		cert, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, err
		}
		out = append(out, cert)
	}
	if len(out) == 0 {
		return nil, errors.New("no certificate in PEM")
	}
	return out, nil
}

// Open verifies a token, or a response that grants one, in DER: that it is over data, and by an
// authority whose certificate leads to one of the roots at now. On error the token is nil.
func Open(der, data []byte, roots []*x509.Certificate, now time.Time) (*Token, error) {
	der, err := unwrap(der)
	if err != nil {
		return nil, err
	}
	p7, err := pkcs7.Parse(der)
	if err != nil {
		return nil, err
	}
	cert := p7.GetOnlySigner()
	if cert == nil {
		return nil, errors.New("it has not exactly one signer with a certificate")
	}
	stamp, err := rfc3161.Parse(der) // which verifies the signature, as there is a certificate
	if err != nil {
		return nil, err
	}
	if stamp.HashAlgorithm < crypto.SHA256 || stamp.HashAlgorithm > crypto.SHA512 {
		return nil, fmt.Errorf("an imprint by %s, want SHA-256, SHA-384 or SHA-512", stamp.HashAlgorithm)
	}
	sum := stamp.HashAlgorithm.New()
	sum.Write(data)
	if !bytes.Equal(sum.Sum(nil), stamp.HashedMessage) {
		return nil, errors.New("it is over other bytes")
	}
	if err := checkSigner(p7, cert); err != nil {
		return nil, err
	}
	if stamp.Time.After(now.Add(maxSkew)) {
		return nil, fmt.Errorf("its time %s is in the future", stamp.Time.UTC().Format(time.RFC3339))
	}
	if err := checkChain(cert, p7.Certificates, roots, stamp.Time, now); err != nil {
		return nil, err
	}
	return &Token{cert.Subject.String(), stamp.Time.UTC(), der}, nil
}

// unwrap returns the token of a response that grants it, or a token as it is.
func unwrap(der []byte) ([]byte, error) {
	if len(der) > MaxToken {
		return nil, fmt.Errorf("%d bytes, at most %d", len(der), MaxToken)
	}
	if err := checkDER(der, 0); err != nil {
		return nil, err
	}
	var token struct {
		Type    asn1.ObjectIdentifier
		Content asn1.RawValue
	}
	if rest, err := asn1.Unmarshal(der, &token); err == nil {
		if len(rest) > 0 || !token.Type.Equal(oidSignedData) {
			return nil, errors.New("it is not one token")
		}
		return der, nil
	}
	response, err := rfc3161.ParseResponse(der)
	if err != nil {
		return nil, err
	}
	return response.RawToken, nil
}

// checkDER requires lengths as DER has them, at every depth: the library reads more, and not
// every end of such input well.
func checkDER(data []byte, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("values nested deeper than %d", maxDepth)
	}
	for len(data) > 0 {
		var v asn1.RawValue
		rest, err := asn1.Unmarshal(data, &v)
		if err != nil {
			return err
		}
		if v.IsCompound {
			if err := checkDER(v.Bytes, depth+1); err != nil {
				return err
			}
		}
		data = rest
	}
	return nil
}

// checkSigner requires the signed attributes to be of a time stamp and to name a certificate,
// which has to be for time-stamping alone.
func checkSigner(p7 *pkcs7.PKCS7, cert *x509.Certificate) error {
	var content asn1.ObjectIdentifier
	if err := p7.UnmarshalSignedAttribute(oidContentType, &content); err != nil || !content.Equal(oidTSTInfo) {
		return errors.New("it signs no time stamp")
	}
	critical := false
	for _, e := range cert.Extensions {
		critical = critical || e.Critical && e.Id.Equal(oidExtKeyUsage)
	}
	if !critical || len(cert.ExtKeyUsage) != 1 || cert.ExtKeyUsage[0] != x509.ExtKeyUsageTimeStamping || len(cert.UnknownExtKeyUsage) > 0 ||
		cert.KeyUsage&^(x509.KeyUsageDigitalSignature|x509.KeyUsageContentCommitment) != 0 {
		return errManyPurposes
	}
	var named struct {
		Certs []struct {
			Algorithm pkix.AlgorithmIdentifier `asn1:"optional"` // SHA-256 where it is left out
			Hash      []byte
			Issuer    asn1.RawValue `asn1:"optional"`
		}
		Policies asn1.RawValue `asn1:"optional"`
	}
	if err := p7.UnmarshalSignedAttribute(oidSigningCertV2, &named); err != nil || len(named.Certs) == 0 {
		return errUnnamedSigning
	}
	h, ok := map[string]crypto.Hash{"": crypto.SHA256, "2.16.840.1.101.3.4.2.1": crypto.SHA256, "2.16.840.1.101.3.4.2.2": crypto.SHA384, "2.16.840.1.101.3.4.2.3": crypto.SHA512}[named.Certs[0].Algorithm.Algorithm.String()]
	if !ok {
		return errUnnamedSigning
	}
	sum := h.New()
	sum.Write(cert.Raw)
	if !bytes.Equal(sum.Sum(nil), named.Certs[0].Hash) {
		return errUnnamedSigning
	}
	return nil
}

// checkChain requires a certificate to lead to a root that signed itself, at each of the times.
func checkChain(cert *x509.Certificate, others, roots []*x509.Certificate, times ...time.Time) error {
	o := x509.VerifyOptions{Roots: x509.NewCertPool(), Intermediates: x509.NewCertPool(), KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageTimeStamping}}
	for _, c := range roots { // any certificate in the pool would end a chain, and openssl asks for a root
		if c.IsCA && bytes.Equal(c.RawSubject, c.RawIssuer) && c.CheckSignatureFrom(c) == nil {
			o.Roots.AddCert(c)
		}
	}
	for _, c := range others {
		o.Intermediates.AddCert(c)
	}
	for _, at := range times {
		o.CurrentTime = at
		if _, err := cert.Verify(o); err != nil {
			return err
		}
	}
	return nil
}
