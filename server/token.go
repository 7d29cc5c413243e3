package server

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/engine"
	"muniment/objects/disk"
	"muniment/policy"
	"muniment/text/legible"
)

// A Credential is who calls, and what the caller may do.
type Credential struct {
	Name    string      `json:"name"`
	Role    engine.Role `json:"role"`
	Project string      `json:"project,omitempty"`
	Tier    string      `json:"tier,omitempty"`    // of the archive's policy; the lowest when empty
	Expires string      `json:"expires,omitempty"` // RFC 3339; "" does not expire

	Snapshots bool `json:"snapshots,omitempty"` // what the caller added itself is signed when it asks

	Archivist bool   `json:"-"` // asks as archivist too where the server's key may; no token does
	principal string // of a caller without a token; see account
}

// requestor returns the credential as the policy of an archive knows it: without a tier it is the unnamed requestor.
func (c Credential) requestor() policy.Requestor {
	if c.Tier == "" {
		return policy.Requestor{}
	}
	return policy.Requestor{Name: c.Name, Tier: c.Tier}
}

// seesAll reports whether consent and policy keep nothing from the credential.
func (c Credential) seesAll() bool { return c.Role == engine.RoleAdmin }

// public is the credential of every caller without a token on the loopback interface.
var public = Credential{Name: loopbackName, Role: engine.RoleAgent, principal: publicPrincipal}

// isNamed reports whether somebody gave the caller a credential: a token, a link, or the process.
func (c Credential) isNamed() bool { return c.principal != publicPrincipal }

// RequireCredential returns an error unless somebody gave the client a credential. What adds to the archive or
// asks its people for something needs one; sources and citations may be registered without.
func (c *Client) RequireCredential() error {
	if c.cred.isNamed() {
		return nil
	}
	return problem.New(problem.NotPermitted, problem.Advise("the archive's owner makes one with muniment token new; send it as Authorization: Bearer"), "this call needs a token")
}

// DoListTokens lists the tokens of an archive. No args.
const DoListTokens problem.Action = "list-tokens"

// A Token is a credential with the hash of its secret. The secret itself is kept nowhere.
type Token struct {
	Credential
	Created string `json:"created"`
	SHA256  string `json:"sha256"` // of the secret
}

const (
	tokensName   = "tokens.json"
	secretPrefix = "mnt_"  // tells scanners of leaked secrets what it is
	secretBytes  = 32      // nobody guesses 256 bits
	maxTokens    = 1000    // a team, not the public
	maxTokenFile = 1 << 20 // 1,000 tokens take a quarter of it
)

// NewToken makes a token for a credential, keeps its hash in archive.local, and
// returns it with its secret, which cannot be read again.
func NewToken(a *archive.Archive, c Credential) (secret string, t *Token, err error) {
	switch {
	case c.Name == "" || len(c.Name) > policy.MaxRequestor || strings.ContainsFunc(c.Name, func(r rune) bool { return r < ' ' }):
		return "", nil, problem.New(problem.Usage, problem.Advise("name the token after the program or person that will hold it"), "the name %q of a token", legible.Printable(c.Name))
	case c.Name == loopbackName || c.Name == browserName:
		return "", nil, problem.New(problem.Usage, problem.Advise("choose another name"), "the name %s is that of callers without a token", c.Name)
	case c.Expires != "":
		at, err := time.Parse(time.RFC3339, c.Expires)
		if err != nil || !at.After(a.World().Now()) {
			return "", nil, problem.New(problem.Usage, problem.Advise("give a time to come, such as 2027-01-31T00:00:00Z"), "a token that expires %s", legible.Printable(c.Expires))
		}
	}
	if err := c.check(a); err != nil {
		return "", nil, err
	}
	random := make([]byte, secretBytes)
	if _, err := io.ReadFull(a.World().Rand, random); err != nil {
		return "", nil, problem.Wrap(err, "token")
	}
	secret = secretPrefix + base64.RawURLEncoding.EncodeToString(random)
	t = &Token{Credential: c, Created: a.World().Now().UTC().Format(time.RFC3339), SHA256: hashSecret(secret)}
	return secret, t, editTokens(a, func(all []Token) ([]Token, error) {
		if slices.ContainsFunc(all, func(o Token) bool { return o.Name == c.Name }) {
			return nil, problem.New(problem.Usage, problem.Advise("choose another name, or revoke that token first"), "there is a token named %s", legible.Printable(c.Name))
		}
		if len(all) == maxTokens {
			return nil, problem.New(problem.Usage, problem.Advise("revoke those that are not used"), "there are %d tokens", maxTokens)
		}
		return append(all, *t), nil
	})
}

// check returns an error where an archive knows no such role or tier.
func (c Credential) check(a *archive.Archive) error {
	if _, err := engine.New(a, engine.Caller{Role: c.Role, Project: c.Project, Session: "token", Agent: c.Name}); err != nil || c.Tier == "" {
		return err
	}
	tree, err := a.NewestTree()
	if err != nil {
		return err
	}
	rules, err := a.ReadPolicy(tree)
	if err != nil {
		return err
	}
	if _, err := rules.Tier(c.requestor()); err != nil {
		return problem.New(problem.Usage, problem.Advise("name a tier of the archive's policy; the lowest is "+rules.Lowest()), "%w", err)
	}
	return nil
}

// Tokens returns the tokens of an archive, without their secrets.
func Tokens(a *archive.Archive) ([]Token, error) {
	path, err := a.LocalPath(tokensName)
	if err != nil {
		return nil, err
	}
	return readTokens(path)
}

// RevokeToken removes the token of a name. A server refuses it from the next call on.
func RevokeToken(a *archive.Archive, name string) error {
	return editTokens(a, func(all []Token) ([]Token, error) {
		left := slices.DeleteFunc(slices.Clone(all), func(t Token) bool { return t.Name == name })
		if len(left) == len(all) {
			return nil, problem.New(problem.NotFound, problem.Next(DoListTokens), "no token is named %s", legible.Printable(name))
		}
		return left, nil
	})
}

// hashSecret returns the hash that is stored of a secret. The secret has 256 random bits, so that a
// slow hash would protect nothing.
func hashSecret(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// readTokens reads the token file at path; a file that is not there holds none.
func readTokens(path string) ([]Token, error) {
	data, err := disk.ReadPlain(path, maxTokenFile)
	if errors.Is(err, fs.ErrNotExist) {
		return []Token{}, nil
	}
	all := []Token{}
	if err == nil {
		err = json.Unmarshal(data, &all)
	}
	return all, problem.Wrap(err, tokensName)
}

// editTokens replaces the token file by what edit makes of it.
func editTokens(a *archive.Archive, edit func([]Token) ([]Token, error)) error {
	path, err := a.LocalPath(tokensName)
	if err != nil {
		return err
	}
	lock, err := a.Repository.Lock() // a token is revoked in a damaged copy too
	if err != nil {
		return err
	}
	defer lock.Unlock()
	all, err := readTokens(path)
	if err != nil {
		return err
	}
	if all, err = edit(all); err != nil {
		return err
	}
	data, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return problem.Wrap(err, tokensName)
	}
	temporary := path + ".new"
	if err := os.WriteFile(temporary, append(data, '\n'), 0o600); err != nil {
		return problem.Wrap(err, tokensName)
	}
	return problem.Wrap(os.Rename(temporary, path), tokensName)
}

// A tokenFile is the token file as a server reads it: again when it has changed.
type tokenFile struct {
	path string

	mu     sync.Mutex
	seen   os.FileInfo
	byHash map[string]Token
}

// find returns the credential of a secret that is known and has not expired.
func (f *tokenFile) find(secret string, now time.Time) (Credential, bool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	info, err := os.Stat(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return Credential{}, false, nil
	} else if err != nil {
		return Credential{}, false, problem.Wrap(err, tokensName)
	}
	if f.seen == nil || !os.SameFile(info, f.seen) || info.ModTime() != f.seen.ModTime() || info.Size() != f.seen.Size() {
		all, err := readTokens(f.path)
		if err != nil {
			return Credential{}, false, err
		}
		f.seen, f.byHash = info, map[string]Token{}
		for _, t := range all {
			f.byHash[t.SHA256] = t
		}
	}
	t, ok := f.byHash[hashSecret(secret)]
	if ok && t.Expires != "" {
		at, err := time.Parse(time.RFC3339, t.Expires)
		ok = err == nil && now.Before(at)
	}
	return t.Credential, ok, nil
}
