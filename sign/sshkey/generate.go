package sshkey

import (
	"crypto/ed25519"
	"encoding/pem"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/crypto/ssh"

	"muniment/sign"
)

// publicSuffix is the ending of the name of a public key file.
const publicSuffix = ".pub"

// MaxComment is the most bytes of a comment in a new key.
const MaxComment = 255

// Generate makes a new key from 32 bytes of random and writes it to path, in
// OpenSSH form with mode 0600, and its public half with the comment to
// path.pub with mode 0644. Neither file may exist. An empty passphrase leaves
// the key unencrypted. Both files are on disk when Generate returns; after an
// error there is neither.
//
// Only the key itself comes from random: the salt of an encrypted file and its
// check bytes are from the system's source.
func Generate(random io.Reader, path, comment string, passphrase []byte) (sign.Signer, error) {
	signer, err := newSigner(random, comment)
	if err != nil {
		return nil, err
	}
	var block *pem.Block
	if len(passphrase) > 0 {
		block, err = ssh.MarshalPrivateKeyWithPassphrase(signer.private, comment, passphrase)
	} else {
		block, err = ssh.MarshalPrivateKey(signer.private, comment)
	}
	if err != nil {
		return nil, fmt.Errorf("new key: %w", err)
	}
	if err := signer.write(path, comment, pem.EncodeToMemory(block)); err != nil {
		return nil, err
	}
	return signer, nil
}

// New makes a new key from 32 bytes of random, and returns its signer and the content of its
// private key file, in OpenSSH form without a passphrase. Nothing is written. An error is that of
// random, or of a comment with control characters or more than MaxComment bytes.
func New(random io.Reader, comment string) (s sign.Signer, private []byte, err error) {
	signer, err := newSigner(random, comment)
	if err != nil {
		return nil, nil, err
	}
	block, err := ssh.MarshalPrivateKey(signer.private, comment)
	if err != nil {
		return nil, nil, fmt.Errorf("new key: %w", err)
	}
	return signer, pem.EncodeToMemory(block), nil
}

// Keep writes the content of a private key file, not under a passphrase, to a new file at path,
// and its public half to path.pub, as Generate does. Errors are those of Load and of the file system.
func Keep(private []byte, path, comment string) (sign.Signer, error) {
	s, err := parse(private, nil)
	if err != nil {
		return nil, err
	}
	return s, s.write(path, comment, private)
}

func newSigner(random io.Reader, comment string) (*fileSigner, error) {
	if len(comment) > MaxComment || strings.ContainsFunc(comment, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return nil, fmt.Errorf("key comment %q: want at most %d bytes and no control characters", comment, MaxComment)
	}
	seed := make([]byte, ed25519.SeedSize)
	if _, err := io.ReadFull(random, seed); err != nil {
		return nil, fmt.Errorf("new key: random source: %w", err)
	}
	private := ed25519.NewKeyFromSeed(seed)
	key, err := sign.KeyOf([32]byte(private.Public().(ed25519.PublicKey)))
	if err != nil {
		return nil, fmt.Errorf("new key: %w", err)
	}
	return &fileSigner{key: key, private: private}, nil
}

// write writes both files of a key, which must not exist yet, and syncs them.
func (f *fileSigner) write(path, comment string, private []byte) error {
	public := f.key.Authorized()
	if comment != "" {
		public += " " + comment
	}
	if err := writeNew(path, 0o600, private); err != nil {
		return err
	}
	if err := writeNew(path+publicSuffix, 0o644, []byte(public+"\n")); err != nil {
		os.Remove(path)
		return err
	}
	if err := syncDir(filepath.Dir(path)); err != nil {
		os.Remove(path)
		os.Remove(path + publicSuffix)
		return err
	}
	return nil
}

// writeNew writes a file that must not exist yet, and syncs it.
func writeNew(path string, mode os.FileMode, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		os.Remove(path)
	}
	return err
}

// syncDir makes the names of new files durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
