package server

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"sync"

	"muniment/answer"
	"muniment/archive"
	"muniment/archive/problem"
	"muniment/objects/disk"
)

// The principals that are no token. The names of tokens follow tokenPrincipal, so that none is one of these.
const (
	loopbackName    = "loopback" // the agent in the ledger of callers without a token
	publicPrincipal = "public"   // of callers without a token
	readerPrincipal = "reader"
	tokenPrincipal  = "token "
	agentPrincipal  = "agent " // a program that speaks MCP on a pair of streams
)

// account returns the name of the principal that a credential is: whose budget, refusals, rate, kept answers and
// idempotency keys the calls count for. All callers without a token are one principal.
func (c Credential) account() string {
	if c.principal != "" {
		return c.principal
	}
	return tokenPrincipal + c.Name
}

// The secret from which a server derives the nonces of requests that bring none.
const (
	nonceSecretName  = "nonce-secret"
	nonceSecretBytes = 32
)

// nonceSecret returns the secret of an archive, which is made at the first question and readable by its owner alone.
func nonceSecret(a *archive.Archive) ([]byte, error) {
	path, err := a.LocalPath(nonceSecretName)
	if err != nil {
		return nil, err
	}
	secret, err := disk.ReadOwnPlain(path, nonceSecretBytes)
	if errors.Is(err, fs.ErrNotExist) {
		secret = make([]byte, nonceSecretBytes)
		if _, err := io.ReadFull(a.World().Rand, secret); err != nil {
			return nil, problem.Wrap(err, nonceSecretName)
		}
		if err := (archive.NewFile{Path: path, Private: true}).Write(secret); err == nil {
			return secret, nil
		}
		secret, err = disk.ReadOwnPlain(path, nonceSecretBytes) // another process was faster
	}
	if err == nil && len(secret) != nonceSecretBytes {
		err = errors.New("it has another length; remove it, and a new one is made")
	}
	return secret, problem.Wrap(err, nonceSecretName)
}

// bindRequest gives options the account of the client and the nonce of a request: the
// one that was sent, in hexadecimal, else one that follows from client and request.
func (c *Client) bindRequest(a *archive.Archive, o *answer.AskOptions, sent, request string) error {
	o.Account = c.cred.account()
	if sent != "" {
		nonce, err := hex.DecodeString(sent)
		if err != nil {
			return problem.New(problem.Usage, problem.Advise("openssl rand -hex 32 makes one"), "the nonce of the request is not hexadecimal")
		}
		o.Nonce = nonce
		return nil
	}
	secret, err := nonceSecret(a)
	if err != nil {
		return err
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(o.Account + "\x00" + request))
	o.Nonce = mac.Sum(nil)
	return nil
}

// turns lets one call at a time through for each of any number of names.
type turns struct {
	mu    sync.Mutex
	names map[string]*turn
}

type turn struct {
	taken chan struct{} // holds the call under way
	calls int           // that have it or wait for it
}

// take waits for the turn of a name and returns the function that ends it.
func (t *turns) take(ctx context.Context, name string) (func(), error) {
	t.mu.Lock()
	if t.names == nil {
		t.names = map[string]*turn{}
	}
	one := t.names[name]
	if one == nil {
		one = &turn{taken: make(chan struct{}, 1)}
		t.names[name] = one
	}
	one.calls++
	t.mu.Unlock()
	leave := func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if one.calls--; one.calls == 0 {
			delete(t.names, name)
		}
	}
	select {
	case one.taken <- struct{}{}:
		return func() { <-one.taken; leave() }, nil
	case <-ctx.Done():
		leave()
		return nil, problem.InterruptedError()
	}
}
