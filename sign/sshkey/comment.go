package sshkey

import (
	"strings"

	"golang.org/x/crypto/ssh"

	"muniment/sign"
)

// Comment returns the comment of a key: that of the file or the agent, often
// the address of its owner, or "". Nobody has signed it.
func Comment(s sign.Signer) string {
	switch s := s.(type) {
	case *fileSigner:
		return s.comment
	case *agentSigner:
		return s.comment
	}
	return ""
}

// inner is the decrypted part of an Ed25519 key file.
type inner struct {
	Check1, Check2  uint32
	Type            string
	Public, Private []byte
	Comment         string
	Pad             []byte `ssh:"rest"`
}

// findComment takes the comment from the file itself, or, since an encrypted
// one hides it, from the .pub file beside it when that has the same key.
func findComment(path string, key sign.Key, data []byte) string {
	if e, err := parseEnvelope(data); err == nil && e.Cipher == "none" {
		var in inner
		if ssh.Unmarshal(e.Private, &in) == nil {
			return in.Comment
		}
	}
	public, _, err := readFile(path + publicSuffix)
	if err != nil {
		return ""
	}
	line := strings.TrimRight(string(public), "\r\n")
	if k, err := sign.ParseKey(line); err != nil || k != key {
		return ""
	}
	return strings.TrimPrefix(strings.TrimPrefix(line, key.Authorized()), " ")
}
