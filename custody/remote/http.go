package remote

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing/transport"
	githttp "github.com/go-git/go-git/v5/plumbing/transport/http"
)

// http returns a transport that appends the pack in body, if there is one, to the
// request of a push, from the file and with its length.
func (r *Remote) http(body *os.File) (transport.Transport, transport.AuthMethod, error) {
	base := http.DefaultTransport.(*http.Transport).Clone()
	base.ResponseHeaderTimeout = r.options.Stall
	if r.endpoint.Protocol == "https" {
		roots, err := r.authorities()
		if err != nil {
			return nil, nil, err
		}
		base.TLSClientConfig = &tls.Config{RootCAs: roots}
	}
	client := &http.Client{Transport: &packAppender{advertLimiter{base}, body}, CheckRedirect: r.redirect}
	var auth transport.AuthMethod
	if s := r.secret; s != nil {
		auth = &githttp.BasicAuth{Username: s.user, Password: s.password}
	}
	return githttp.NewClient(client), auth, nil
}

// maxRedirects is how often a request may be sent on: as in net/http.
const maxRedirects = 10

// redirect permits redirects, as git does, unless they would carry a password to another host, or from https to http.
func (r *Remote) redirect(req *http.Request, via []*http.Request) error {
	from := via[0].URL
	switch {
	case len(via) >= maxRedirects:
		return fmt.Errorf("it sends the request on %d times", len(via))
	case r.secret != nil && (req.URL.Host != from.Host || req.URL.Scheme != from.Scheme && req.URL.Scheme != "https"):
		return fmt.Errorf("it sends the request on to %s, which does not get the password of %s: if you trust it, make that the address", req.URL.Host, from.Host)
	}
	return nil
}

// authorities returns the pool of root certificates in the file that
// GIT_SSL_CAINFO or git's http.sslCAInfo names, or nil for those of the system.
func (r *Remote) authorities() (*x509.CertPool, error) {
	file := os.Getenv("GIT_SSL_CAINFO")
	if file == "" {
		out, err := r.userGit(context.Background(), "config", "--type=path", "--get-urlmatch", "http.sslCAInfo", Redacted(r.url)).Output()
		if err != nil { // nothing is set, or git is not there
			return nil, nil
		}
		file = strings.TrimSuffix(string(out), "\n")
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("http.sslCAInfo: %w", err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(data) {
		return nil, fmt.Errorf("http.sslCAInfo: %s holds no certificate", file)
	}
	return roots, nil
}

// A packAppender is a round tripper that sends a pack after the commands of a push.
type packAppender struct {
	next http.RoundTripper
	pack *os.File
}

// RoundTrip implements http.RoundTripper.
func (a *packAppender) RoundTrip(req *http.Request) (*http.Response, error) {
	if a.pack == nil || req.Method != http.MethodPost || !strings.HasSuffix(req.URL.Path, "/"+transport.ReceivePackServiceName) {
		return a.next.RoundTrip(req)
	}
	head, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	req.Body.Close()
	st, err := a.pack.Stat()
	if err != nil {
		return nil, err
	}
	sent := req.Clone(req.Context())
	sent.ContentLength = int64(len(head)) + st.Size()
	sent.Header.Set("Content-Length", fmt.Sprint(sent.ContentLength))
	sent.GetBody = func() (io.ReadCloser, error) {
		return io.NopCloser(io.MultiReader(bytes.NewReader(head), io.NewSectionReader(a.pack, 0, st.Size()))), nil
	}
	if sent.Body, err = sent.GetBody(); err != nil {
		return nil, err
	}
	return a.next.RoundTrip(sent)
}

// spool writes a pack to a temporary file and returns the file.
func spool(pack *packBody) (*os.File, error) {
	f, err := os.CreateTemp("", "muniment-push-*")
	if err != nil {
		return nil, err
	}
	if _, err := pack.WriteTo(f); err != nil {
		f.Close()
		os.Remove(f.Name())
		return nil, err
	}
	return f, nil
}

// A secret is the user name and password that a web server requests.
type secret struct {
	user, password string
	helper         bool // from git credential, which is told whether they were accepted
}

// withSecret runs an exchange. When a web server requests a password, withSecret looks for one in ~/.netrc and then
// through git credential, and runs the exchange once more.
func (r *Remote) withSecret(exchange func() error) error {
	err := exchange()
	if !r.isHTTP() || !errors.Is(err, ErrAuth) || r.secret != nil {
		return err
	}
	if r.secret = r.netrc(); r.secret == nil {
		if r.secret = r.credential("fill"); r.secret == nil {
			return err
		}
	}
	err = exchange()
	switch {
	case !r.secret.helper:
	case errors.Is(err, ErrAuth):
		r.credential("reject")
	case err == nil:
		r.credential("approve")
	}
	if errors.Is(err, ErrAuth) {
		r.secret = nil
	}
	return err
}

// netrc returns the secret of the host in ~/.netrc, nil if there is none.
func (r *Remote) netrc() *secret {
	data, err := os.ReadFile(r.tilde("~/.netrc"))
	if err != nil {
		return nil
	}
	return netrcEntry(string(data), r.endpoint.Host, r.endpoint.User)
}

// netrcEntry returns the first entry for a host, or the default one, of a .netrc
// file. A user that the address names must be the entry's.
func netrcEntry(text, host, user string) *secret {
	words := strings.Fields(text)
	var s secret
	match := false
	found := func() *secret {
		if match && s.password != "" && (user == "" || user == s.user) {
			return &s
		}
		return nil
	}
	for i := 0; i < len(words); i++ {
		next := func() string {
			if i++; i < len(words) {
				return words[i]
			}
			return ""
		}
		switch words[i] {
		case "machine", "default":
			if got := found(); got != nil {
				return got
			}
			s = secret{}
			match = words[i] == "default" || next() == host
		case "login":
			s.user = next()
		case "password":
			s.password = next()
		case "account":
			next()
		case "macdef":
			return found() // a macro ends the part that can be read by words
		}
	}
	return found()
}

// helperTime is how long a credential helper may take: a person may be typing.
const helperTime = 5 * time.Minute

// credential runs git credential with an action. Of fill it returns the secret,
// nil where git is not installed or has none.
func (r *Remote) credential(action string) *secret {
	ctx, cancel := context.WithTimeout(context.Background(), helperTime)
	defer cancel()
	var ask strings.Builder
	host := r.endpoint.Host
	if r.endpoint.Port != 0 {
		host = fmt.Sprintf("%s:%d", host, r.endpoint.Port)
	}
	fmt.Fprintf(&ask, "protocol=%s\nhost=%s\npath=%s\n", r.endpoint.Protocol, host, strings.TrimPrefix(r.endpoint.Path, "/"))
	user := r.endpoint.User
	if r.secret != nil {
		user = r.secret.user
		fmt.Fprintf(&ask, "username=%s\npassword=%s\n", user, r.secret.password)
	} else if user != "" {
		fmt.Fprintf(&ask, "username=%s\n", user)
	}
	ask.WriteString("\n")
	cmd := r.userGit(ctx, "credential", action)
	cmd.Stdin = strings.NewReader(ask.String())
	if !r.options.Ask {
		cmd.Env = append(cmd.Env, "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS=")
	}
	out, err := cmd.Output()
	if err != nil || action != "fill" {
		return nil
	}
	s := secret{helper: true}
	for line := range strings.Lines(string(out)) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		switch key {
		case "username":
			s.user = value
		case "password":
			s.password = value
		}
	}
	if s.password == "" {
		return nil
	}
	return &s
}
