// Package sign holds everything about an archive that is signed or sealed:
// SSH signatures and the list of those allowed to make them, checkpoints of
// answer logs with their proofs, and files encrypted to auditors.
//
// There is no cryptography and no envelope of its own in here. Each format is
// one that a stock tool reads, narrowed until every content has exactly one
// spelling: whatever a reader of this package accepts, it re-encodes to the
// same bytes, and on error its result is zero.
//
//	armored, err := sign.Sign(signer, sign.NamespaceAnswer, statement)
//
//	sig, err := sign.ParseSignature(armored)
//	err = sig.Verify(sign.NamespaceAnswer, statement)
//	who, ok := allowed.Allows(sig.Key(), sign.NamespaceAnswer, archive)
//
// A correct signature says only that the key signed. Whether that key counts
// is a second question, asked of an allowed_signers file that the verifier
// brings along.
//
// # Keys
//
// Keys are Ed25519 only: plain (ssh-ed25519) or held by a security key
// (sk-ssh-ed25519@openssh.com). See [Key] for the points that are refused.
// Private keys enter through the one-method interface [Signer]; package
// sign/sshkey makes them from files and agents.
//
// # Signatures
//
// A signature is an SSHSIG of OpenSSH (PROTOCOL.sshsig), as "ssh-keygen -Y
// sign" writes it and as git stores it in gpgsig:
//
//	-----BEGIN SSH SIGNATURE-----
//	base64 of the blob, lines of 70 characters, the last one shorter or equal
//	-----END SSH SIGNATURE-----
//
// Every line ends in one LF, including the last, and there is nothing before
// or after. The blob is, in SSH wire encoding (string = uint32 length and that
// many bytes):
//
//	byte[6]  "SSHSIG"
//	uint32   1
//	string   public key: string type, string point (32 bytes),
//	         and for a security key string application
//	string   namespace, 1 to 255 printable ASCII characters without space
//	string   reserved, empty
//	string   hash name, "sha256" or "sha512"
//	string   signature: string type (that of the key), string R || S (64 bytes),
//	         and for a security key byte flags, uint32 counter
//
// and nothing after it. What is signed is
//
//	byte[6]  "SSHSIG"
//	string   namespace
//	string   reserved, empty
//	string   hash name
//	string   hash of the message
//
// A security key signs sha256(application) || flags || counter || sha256(the
// above) instead. Verification goes by these steps:
//
//  1. The armor decodes, and encoding the blob again gives the same bytes.
//  2. The blob has the form above, with no trailing bytes at any level.
//  3. The public key is acceptable, see [Key].
//  4. S < L, the order of the group (RFC 8032, 5.1.7).
//  5. For a security key, the flags say that its user was present.
//  6. The namespace is the expected one, byte for byte.
//  7. The Ed25519 equation holds, without cofactor, as crypto/ed25519 checks it.
//
// Steps 1 to 5 are [ParseSignature], 6 and 7 are [Signature.Verify]. This is
// narrower than ssh-keygen and git, which accept text around the armor, any
// wrapping, and namespaces with spaces.
//
// # Other formats
//
// allowed_signers files are described at [ParseAllowedSigners], checkpoints at
// [Checkpoint], log proofs at [LogProof], sealed files at [Seal].
//
// # Limits
//
// Every input has a limit on its size, a constant of this package. There are
// no certificates, no RSA or ECDSA, no signatures by several keys in one
// armor, and no notion of time: see [AllowedSigner.ValidAt].
package sign

import (
	"errors"
	"fmt"
)

// The namespaces in use. A signature made for one never verifies for another.
const (
	NamespaceGit      = "git"               // snapshots: what git verify-commit checks
	NamespaceAnswer   = "answer@muniment"   // the statement of a bundle
	NamespaceSnapshot = "snapshot@muniment" // countersignatures of a snapshot
	NamespaceSite     = "site@muniment"     // the statement of a site

	// NamespaceWithdraw is never signed under: a line of an allowed_signers
	// file with it lets its key withdraw, see package snapshot.
	NamespaceWithdraw = "withdraw@muniment"
)

// A Signer holds a private key, or reaches something that does.
type Signer interface {
	// Key returns the public key.
	Key() Key

	// SignSSH signs data and returns the signature in SSH wire encoding: the
	// "signature" string of the package comment. It must not hash or wrap
	// data other than as the key type demands.
	SignSSH(data []byte) (sigBlob []byte, err error)
}

// Sign signs message under namespace, hashing with sha512 as ssh-keygen does,
// and returns the armored signature. The signature is read back and verified
// before it is returned, so that neither a broken agent nor a fault in memory
// delivers one that does not hold.
func Sign(s Signer, namespace string, message []byte) (armored []byte, err error) {
	if err := checkNamespace(namespace); err != nil {
		return nil, fmt.Errorf("ssh signature: %w", err)
	}
	if s == nil {
		return nil, errors.New("ssh signature: no key is given")
	}
	sig := &Signature{key: s.Key(), namespace: namespace, hash: hashSHA512}
	blob, err := s.SignSSH(signedData(namespace, sig.hash, message))
	if err != nil {
		return nil, fmt.Errorf("signing with %s: %w", sig.key.Fingerprint(), err)
	}
	if err := sig.readInner(blob); err != nil {
		return nil, fmt.Errorf("signing with %s: ssh signature: %w", sig.key.Fingerprint(), err)
	}
	back, err := ParseSignature(sig.Armored())
	if err != nil {
		return nil, fmt.Errorf("signing with %s: %w", sig.key.Fingerprint(), err)
	}
	if err := back.Verify(namespace, message); err != nil {
		return nil, fmt.Errorf("signing with %s: %w", sig.key.Fingerprint(), err)
	}
	return back.Armored(), nil
}

// signPlain signs data itself, without SSHSIG around it, and returns the 64
// bytes of the verified Ed25519 signature. Only plain keys can do that.
//
// data must begin with a printable ASCII line, as a signed note does. No
// SSHSIG input (a zero byte follows its magic) and no SSH login (begins with
// a zero byte) has that form, so one key can serve all three.
func signPlain(s Signer, data []byte) ([]byte, error) {
	k := s.Key()
	if k.typ != TypeEd25519 {
		return nil, fmt.Errorf("key %s is %s, want %s", k.Fingerprint(), k.typ, TypeEd25519)
	}
	blob, err := s.SignSSH(data)
	if err != nil {
		return nil, fmt.Errorf("signing with %s: %w", k.Fingerprint(), err)
	}
	sig := &Signature{key: k}
	if err := sig.readInner(blob); err != nil {
		return nil, fmt.Errorf("signing with %s: %w", k.Fingerprint(), err)
	}
	if err := sig.verifyData(data); err != nil {
		return nil, fmt.Errorf("signing with %s: %w", k.Fingerprint(), err)
	}
	return sig.raw[:], nil
}
