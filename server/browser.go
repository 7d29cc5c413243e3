package server

import (
	"encoding/base64"
	"io"
	"net/http"
	"sync"

	"muniment/archive/problem"
	"muniment/engine"
)

// The browser of an archivist: a link that is good once gives it a cookie, which is a credential until the server is
// closed. Link and cookie are kept in memory alone, as hashes once they were given.
const (
	AtEnter     = "/enter/" // the link's path, before its code
	browserName = "browser" // the agent in the ledger of an archivist's browser, and its principal
	cookieName  = "muniment_archivist"
)

// browsers are the newest link and the browsers that came in by links. Each NewLink adds at most one of them.
type browsers struct {
	mu     sync.Mutex
	link   string          // hash of the newest link's code; "" before the first
	cookie string          // what the link gives; "" when it was used
	known  map[string]bool // by hash of the cookie
}

// NewLink returns the path of a link that makes one browser the archivist's, who sees everything.
// It is good once, until the next NewLink or the server's end.
func (s *Server) NewLink() (string, error) {
	if s == nil || s.writer == nil {
		return "", errNotOpen
	}
	var secrets [2]string
	for i := range secrets {
		random := make([]byte, secretBytes)
		if _, err := io.ReadFull(s.writer.archive.World().Rand, random); err != nil {
			return "", problem.Wrap(err, "link")
		}
		secrets[i] = base64.RawURLEncoding.EncodeToString(random)
	}
	b := &s.browsers
	b.mu.Lock()
	defer b.mu.Unlock()
	b.link, b.cookie = hashSecret(secrets[0]), secrets[1]
	return AtEnter + secrets[0], nil
}

// Enter returns the cookie that the code of a link is good for, once.
func (c *Client) Enter(code string) (*http.Cookie, error) {
	if c.server == nil {
		return nil, errNotOpen
	}
	b := &c.server.browsers
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.link == "" || hashSecret(code) != b.link:
		return nil, problem.New(problem.NotFound, problem.Advise("the link that muniment serve prints is good until it stops, and once"), "this server gave no such link")
	case b.cookie == "":
		return nil, problem.New(problem.NotPermitted, problem.Advise("start muniment serve again for another; a program uses a token (muniment token new)"), "this link was used before, and is good once")
	}
	secret := b.cookie
	b.cookie = ""
	if b.known == nil {
		b.known = map[string]bool{}
	}
	b.known[hashSecret(secret)] = true
	return &http.Cookie{Name: cookieName, Value: secret, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode}, nil
}

// find returns the credential of a request from a browser that came in by a link.
func (b *browsers) find(r *http.Request) (Credential, bool) {
	c, err := r.Cookie(cookieName)
	if err != nil {
		return Credential{}, false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return Credential{Name: browserName, Role: engine.RoleAdmin, Archivist: true, principal: browserName}, b.known[hashSecret(c.Value)]
}
