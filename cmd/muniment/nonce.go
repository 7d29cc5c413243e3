package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"muniment/archive"
	"os"
	"strings"
)

// binding reads what binds an answer to its question from the files that were
// named.
func (p *program) binding(f *askFlags) error {
	var err error
	if f.nonceFile != "" {
		if f.o.Nonce, err = readHex(f.nonceFile, "openssl rand -hex 32 makes a nonce"); errors.Is(err, fs.ErrNotExist) {
			f.o.Nonce, err = p.makeNonce(f.nonceFile)
		}
		if err != nil {
			return err
		}
	}
	if f.requestFile == "" {
		return nil
	}
	const hint = "openssl dgst -sha256 -mac HMAC -macopt hexkey:NONCE QUESTION-FILE makes it"
	mac, err := readHex(f.requestFile, hint)
	if err != nil {
		return err
	}
	if len(mac) != sha256.Size {
		return &archive.Error{Kind: archive.TypeUsage, Message: f.requestFile + " holds " + itoa(len(mac)) + " bytes, want the 32 of an HMAC-SHA256", Next: archive.Advise(hint)}
	}
	f.o.RequestMAC = (*[sha256.Size]byte)(mac)
	return nil
}

// maxHexFile is more than any nonce or HMAC needs.
const maxHexFile = 4096

// readHex reads a file of hexadecimal digits, blanks around them aside.
func readHex(file, hint string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, &archive.Error{Kind: archive.TypeUsage, Message: err.Error(), Next: archive.Advise(hint), Err: err}
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxHexFile))
	if err != nil {
		return nil, &archive.Error{Kind: archive.TypeEnvironment, Message: err.Error(), Next: archive.Advise(hint), Err: err}
	}
	data, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(data) == 0 {
		return nil, &archive.Error{Kind: archive.TypeUsage, Message: file + " does not hold hexadecimal digits", Next: archive.Advise(hint)}
	}
	return data, nil
}

// makeNonce draws a nonce and writes it into a new file that only its owner
// reads.
func (p *program) makeNonce(file string) ([]byte, error) {
	nonce := make([]byte, sha256.Size)
	if _, err := io.ReadFull(p.surroundings().Rand, nonce); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		_, err = f.WriteString(hex.EncodeToString(nonce) + "\n")
		err = errors.Join(err, f.Sync(), f.Close())
	}
	if err != nil {
		return nil, &archive.Error{Kind: archive.TypeEnvironment, Message: "nonce: " + err.Error(), Next: archive.Advise("name a file that can be written"), Err: err}
	}
	return nonce, nil
}
