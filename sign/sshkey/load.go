// Package sshkey makes signers for package sign: from OpenSSH private key
// files, from a running ssh-agent, and new ones.
//
//	s, err := sshkey.Load("id_ed25519", askPassphrase)
//	s, err := sshkey.Generate(rand.Reader, "archive_key", "anna@example.org", nil)
//	signers, err := sshkey.Agent(os.Getenv("SSH_AUTH_SOCK"))
//
// Keys are Ed25519 throughout. A key held by a security key
// (sk-ssh-ed25519@openssh.com) works through the agent alone, since only
// ssh-sk-helper talks to the device. Every signer that this package returns
// may be used by several goroutines.
//
// The package stands outside the verification core, because
// golang.org/x/crypto/ssh brings the network packages along.
package sshkey

import (
	"bytes"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/crypto/ssh"

	"muniment/objects/disk"
	"muniment/sign"
)

// Reasons for Load to refuse a file. A file that is not there gives an error
// that is fs.ErrNotExist.
var (
	ErrNotKey           = errors.New("not an OpenSSH private key")
	ErrNotEd25519       = errors.New("not a plain Ed25519 key")
	ErrPassphraseNeeded = errors.New("key is protected by a passphrase")
	ErrWrongPassphrase  = errors.New("wrong passphrase")
	ErrCipher           = errors.New("key is encrypted in a way that is not read here")
)

// MaxFile is the most bytes of a key file; an Ed25519 one has about 400.
const MaxFile = 64 << 10

// pemType is the PEM type of an OpenSSH private key (PROTOCOL.key), keyMagic
// what its content begins with.
const (
	pemType  = "OPENSSH PRIVATE KEY"
	keyMagic = "openssh-key-v1\x00"
)

// A fileSigner signs with a private key in memory.
type fileSigner struct {
	key     sign.Key
	private ed25519.PrivateKey
}

func (f *fileSigner) Key() sign.Key { return f.key }

func (f *fileSigner) SignSSH(data []byte) ([]byte, error) {
	return ssh.Marshal(ssh.Signature{Format: sign.TypeEd25519, Blob: ed25519.Sign(f.private, data)}), nil
}

// Load reads the private key in the file at path. passphrase is called once,
// and only when the file holds an encrypted Ed25519 key; it may be nil, and an
// encrypted key is then ErrPassphraseNeeded.
//
// Errors are ErrNotKey for a file of any other kind (a .pub file among them),
// ErrNotEd25519 for a private key of another type or form, ErrCipher for one that
// is encrypted with anything but what ssh-keygen takes by itself, ErrWrongPassphrase,
// that of passphrase, or one of the file system, all wrapped with the path.
func Load(path string, passphrase func() ([]byte, error)) (sign.Signer, error) {
	data, err := readFile(path)
	if err != nil {
		return nil, err
	}
	s, err := parse(data, passphrase)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// parse reads the content of a key file.
func parse(data []byte, passphrase func() ([]byte, error)) (*fileSigner, error) {
	public, encrypted, err := readEnvelope(data)
	if err != nil {
		return nil, err
	}
	var secret []byte
	if encrypted {
		if passphrase == nil {
			return nil, ErrPassphraseNeeded
		}
		if secret, err = passphrase(); err != nil {
			return nil, err
		}
	}
	private, err := decryptKey(data, encrypted, secret)
	if err != nil {
		return nil, err
	}
	if point := public.Point(); !bytes.Equal(private.Public().(ed25519.PublicKey), point[:]) {
		return nil, fmt.Errorf("%w: the private half does not belong to the public half", ErrNotKey)
	}
	return &fileSigner{key: public, private: private}, nil
}

// readFile reads a file of limited size, and nothing that is not a file: a
// pipe might never end.
func readFile(path string) ([]byte, error) {
	data, err := disk.ReadPlain(path, MaxFile)
	switch {
	case errors.Is(err, disk.ErrNotRegular):
		return nil, fmt.Errorf("%s: %w: it is not a regular file", path, ErrNotKey)
	case errors.Is(err, disk.ErrTooLarge):
		return nil, fmt.Errorf("%s: %w: more than %d bytes", path, ErrNotKey, MaxFile)
	}
	return data, err
}

// An envelope is the outer form of an OpenSSH private key; the public key in
// it is readable without the passphrase.
type envelope struct {
	Cipher, KDF, KDFOptions string
	Keys                    uint32
	Public, Private         []byte
	Rest                    []byte `ssh:"rest"`
}

// readEnvelope returns the public key and whether the private one is
// encrypted.
func readEnvelope(data []byte) (public sign.Key, encrypted bool, err error) {
	e, err := parseEnvelope(data)
	if err != nil {
		return sign.Key{}, false, err
	}
	public, err = sign.ParseKeyBlob(e.Public)
	switch {
	case err != nil:
		return sign.Key{}, false, fmt.Errorf("%w: %v", ErrNotEd25519, err)
	case public.Type() != sign.TypeEd25519:
		return sign.Key{}, false, fmt.Errorf("%w: it is held by a security key, load it into ssh-agent", ErrNotEd25519)
	}
	return public, e.Cipher != "none", nil
}

func parseEnvelope(data []byte) (envelope, error) {
	block, _ := pem.Decode(data)
	switch {
	case block == nil && (bytes.HasPrefix(data, []byte("ssh-")) || bytes.HasPrefix(data, []byte("sk-"))):
		return envelope{}, fmt.Errorf("%w: it is a public key, the private one is in the file without .pub", ErrNotKey)
	case block == nil:
		return envelope{}, ErrNotKey
	case block.Type != pemType && strings.HasSuffix(block.Type, "PRIVATE KEY"):
		return envelope{}, fmt.Errorf("%w in OpenSSH form: PEM type is %q, want %q", ErrNotEd25519, block.Type, pemType)
	case block.Type != pemType:
		return envelope{}, fmt.Errorf("%w: PEM type is %q, want %q", ErrNotKey, block.Type, pemType)
	}
	body, ok := bytes.CutPrefix(block.Bytes, []byte(keyMagic))
	var e envelope
	damaged := !ok || ssh.Unmarshal(body, &e) != nil || e.Keys != 1
	switch e.Cipher {
	case "none", "aes256-ctr", "aes256-cbc":
		damaged = damaged || len(e.Rest) > 0
	default: // some have a tag behind the private key
		if !damaged {
			return envelope{}, fmt.Errorf("%w: %.40q, want aes256-ctr or aes256-cbc", ErrCipher, e.Cipher)
		}
	}
	if damaged {
		return envelope{}, fmt.Errorf("%w: its content is damaged", ErrNotKey)
	}
	return e, nil
}

// decryptKey returns the private key, derived again from its seed.
func decryptKey(data []byte, encrypted bool, passphrase []byte) (ed25519.PrivateKey, error) {
	var parsed any
	var err error
	if encrypted {
		parsed, err = ssh.ParseRawPrivateKeyWithPassphrase(data, passphrase)
	} else {
		parsed, err = ssh.ParseRawPrivateKey(data)
	}
	switch {
	case encrypted && len(passphrase) == 0, errors.Is(err, x509.IncorrectPasswordError):
		return nil, ErrWrongPassphrase
	case err != nil:
		return nil, fmt.Errorf("%w: %v", ErrNotKey, err)
	}
	p, ok := parsed.(*ed25519.PrivateKey)
	if !ok {
		return nil, ErrNotEd25519
	}
	return ed25519.NewKeyFromSeed(p.Seed()), nil
}
