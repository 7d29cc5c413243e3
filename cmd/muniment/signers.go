package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"muniment/archive/problem"
	"muniment/objects/disk"
	"muniment/sign"
	"muniment/sign/sshkey"
)

// dataDir is the user's data folder for keys: MUNIMENT_HOME, else
// XDG_DATA_HOME/muniment, else ~/.local/share/muniment.
func (p *program) dataDir() (string, error) {
	if dir := p.env("MUNIMENT_HOME"); dir != "" {
		return dir, nil
	}
	if dir := p.env("XDG_DATA_HOME"); dir != "" && filepath.IsAbs(dir) {
		return filepath.Join(dir, "muniment"), nil
	}
	if home := p.env("HOME"); home != "" {
		return filepath.Join(home, ".local", "share", "muniment"), nil
	}
	return "", &problem.Error{Kind: problem.Environment,
		Message: "no data folder: neither MUNIMENT_HOME, XDG_DATA_HOME nor HOME is set", Next: problem.Advise("set MUNIMENT_HOME, or name the key with --key FILE")}
}

// defaultKey is the name of the key that key new makes first.
const defaultKey = "default"

// signer finds the key to sign with: --key FILE, else MUNIMENT_KEY, else the
// default key of the data folder, else the agent's only Ed25519 key.
func (p *program) signer(file string) (sign.Signer, error) {
	if file == "" {
		file = p.env("MUNIMENT_KEY")
	}
	if file != "" {
		return p.loadKey(file)
	}
	dir, err := p.dataDir()
	if err != nil {
		return nil, err
	}
	standard := filepath.Join(dir, defaultKey)
	if _, err := os.Stat(standard); err == nil {
		return p.loadKey(standard)
	}
	if sock := p.env("SSH_AUTH_SOCK"); sock != "" {
		signers, err := sshkey.Agent(sock)
		if err != nil {
			p.say("muniment: note: ssh-agent: %v", err)
		}
		switch len(signers) {
		case 1:
			return signers[0], nil
		case 0:
		default:
			return nil, keyError(fmt.Errorf("ssh-agent holds %d Ed25519 keys and none was named", len(signers)), "name one with --key FILE.pub or MUNIMENT_KEY")
		}
	}
	return nil, keyError(errNoKey, "muniment key new makes one")
}

// readerKey is the name of the key in the data folder with which answers are signed
// where nobody made or named a key.
const readerKey = "reader"

// answerSigner finds the key to sign answers with as signer does. Where there is none at
// all it is the reader's own, which is made at its first use.
func (p *program) answerSigner(file string) (sign.Signer, error) {
	s, err := p.signer(file)
	if !errors.Is(err, errNoKey) {
		return s, err
	}
	dir, err := p.dataDir()
	if err != nil {
		return nil, err
	}
	own := filepath.Join(dir, readerKey)
	if _, err := os.Stat(own); err == nil {
		return p.loadKey(own)
	}
	const hint = "check the folder, or name a key with --key FILE"
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, keyError(err, hint)
	}
	if s, err = sshkey.Generate(p.world.Rand, own, "muniment-reader", nil); err != nil {
		return nil, keyError(err, hint)
	}
	p.say("made a reader's key of your own, %s, in %s: it signs your answers", s.Key().Fingerprint(), own)
	return s, nil
}

// errNoKey reports that there is no key in any of the places where one is looked for.
var errNoKey = errors.New("no key to sign with: no --key, no MUNIMENT_KEY, no default key, no single Ed25519 key in ssh-agent")

// loadKey opens a private key file. A public key file names a key of the
// agent, as it does for ssh and git.
func (p *program) loadKey(file string) (sign.Signer, error) {
	if filepath.Ext(file) == ".pub" {
		return p.agentKey(file)
	}
	s, err := sshkey.Load(file, p.passphrase(file))
	if err != nil {
		hint := "give an OpenSSH Ed25519 private key; muniment key new makes one"
		var path *fs.PathError
		switch {
		case errors.Is(err, sshkey.ErrPassphraseNeeded):
			hint = "put the passphrase in a file and set MUNIMENT_PASSPHRASE_FILE, or ssh-add the key and name its .pub file"
		case errors.Is(err, sshkey.ErrWrongPassphrase):
			hint = "check the passphrase, or the file that MUNIMENT_PASSPHRASE_FILE names; ssh-keygen -y -f " + file + " tries one"
		case errors.Is(err, sshkey.ErrCipher):
			hint = "ssh-keygen -p -Z aes256-ctr -f " + file + " encrypts it anew; or ssh-add the key and name its .pub file"
		case errors.As(err, &path) && path.Path != file:
			hint = "check the path in MUNIMENT_PASSPHRASE_FILE"
		case errors.Is(err, fs.ErrNotExist):
			hint = "check the path; muniment key new makes a key"
		}
		return nil, keyError(err, hint)
	}
	return s, nil
}

func (p *program) agentKey(file string) (sign.Signer, error) {
	data, err := disk.ReadPlain(file, sshkey.MaxFile)
	if err != nil {
		return nil, keyError(err, "check the path")
	}
	k, err := sign.ParseKey(string(data))
	if err != nil {
		return nil, keyError(fmt.Errorf("%s: %w", file, err), "give an Ed25519 public key file")
	}
	signers, err := sshkey.Agent(p.env("SSH_AUTH_SOCK"))
	if err != nil {
		return nil, keyError(err, "start ssh-agent and ssh-add the key, or name the private key file")
	}
	for _, s := range signers {
		if s.Key() == k {
			return s, nil
		}
	}
	return nil, keyError(fmt.Errorf("ssh-agent does not hold %s (%s)", k.Fingerprint(), file), "ssh-add it, or name the private key file")
}

// passphrase returns the prompt for a key's passphrase, or nil off a terminal.
func (p *program) passphrase(file string) func() ([]byte, error) {
	if path := p.env("MUNIMENT_PASSPHRASE_FILE"); path != "" {
		return func() ([]byte, error) {
			data, err := disk.ReadPlain(path, sshkey.MaxFile)
			for len(data) > 0 && (data[len(data)-1] == '\n' || data[len(data)-1] == '\r') {
				data = data[:len(data)-1]
			}
			return data, err
		}
	}
	if !p.interactive() {
		return nil
	}
	return func() ([]byte, error) { return p.askSecret("Passphrase for " + file + ": ") }
}

func keyError(err error, hint string) *problem.Error {
	var failure *problem.Error
	if errors.As(err, &failure) {
		return failure
	}
	message := err.Error()
	if path, ok := err.(*fs.PathError); ok {
		message = path.Path + ": " + path.Err.Error()
	}
	return &problem.Error{Kind: problem.Key, Message: message, Next: problem.Advise(hint), Err: err}
}
