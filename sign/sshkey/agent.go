package sshkey

import (
	"errors"
	"fmt"
	"net"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"

	"muniment/sign"
)

// ErrNoAgent is the error of Agent without the path of a socket.
var ErrNoAgent = errors.New("no ssh-agent: SSH_AUTH_SOCK is not set")

// An agentSigner asks an ssh-agent for signatures. It connects anew for each,
// so there is nothing to close, and an agent that was started again is found.
type agentSigner struct {
	sock string
	key  sign.Key
}

func (a *agentSigner) Key() sign.Key { return a.key }

// SignSSH waits for as long as the agent does, whose user may have to confirm
// or to touch the security key.
func (a *agentSigner) SignSSH(data []byte) ([]byte, error) {
	conn, err := net.Dial("unix", a.sock)
	if err != nil {
		return nil, fmt.Errorf("ssh-agent: %w", err)
	}
	defer conn.Close()
	key := &agent.Key{Format: a.key.Type(), Blob: a.key.Blob()}
	sig, err := agent.NewClient(conn).Sign(key, data)
	if err != nil {
		return nil, fmt.Errorf("ssh-agent: %w", err)
	}
	return ssh.Marshal(sig), nil
}

// Agent returns a signer for each Ed25519 key, plain or of a security key,
// that the agent at the socket holds, in the agent's order. Keys of other
// types, certificates, and keys that package sign refuses are left out. The
// list may be empty.
func Agent(sock string) ([]sign.Signer, error) {
	if sock == "" {
		return nil, ErrNoAgent
	}
	conn, err := net.Dial("unix", sock)
	if err != nil {
		return nil, fmt.Errorf("ssh-agent: %w", err)
	}
	defer conn.Close()
	keys, err := agent.NewClient(conn).List()
	if err != nil {
		return nil, fmt.Errorf("ssh-agent: %w", err)
	}
	var signers []sign.Signer
	for _, k := range keys {
		if key, err := sign.ParseKeyBlob(k.Blob); err == nil {
			signers = append(signers, &agentSigner{sock: sock, key: key})
		}
	}
	return signers, nil
}
