package server

import (
	"cmp"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"muniment/archive/problem"
)

// Limits of a request. They hold for every caller.
const (
	sessionHeader  = "Muniment-Session"
	askToken       = `Bearer realm="muniment"`                                          // a program is asked for a token
	askPassword    = `Basic realm="muniment: the password is a token", charset="UTF-8"` // and a browser
	defaultSession = "default"
)

type clientKey struct{}

// clientOf returns the client of a request that admit let through; every call of the
// client of any other request is an error.
func clientOf(ctx context.Context) *Client {
	if c, ok := ctx.Value(clientKey{}).(*Client); ok {
		return c
	}
	return &Client{}
}

// admit lets a request through to next with its client: one that asks this host,
// that no page of another site sent, and that has a token where one is needed. challenge asks for that.
func (s *Server) admit(challenge string, next http.Handler) http.Handler {
	admitted := s.once(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if fault := s.checkOrigin(r); fault != nil {
			writeFault(w, fault)
			return
		}
		cred, fault := s.authenticate(r)
		if fault != nil {
			if fault.Status == http.StatusUnauthorized {
				w.Header().Set("WWW-Authenticate", challenge)
			}
			writeFault(w, fault)
			return
		}
		noteBearer(r, cred.account())
		if fault := s.meter(cred, r); fault != nil {
			s.count.addLimited(cred.account())
			writeFault(w, fault)
			return
		}
		session := cmp.Or(r.Header.Get(sessionHeader), defaultSession)
		longest := s.o.Limits.CallTime
		if strings.HasPrefix(r.URL.Path, atStreams) || r.URL.Path == atEvents {
			longest = s.o.Limits.StreamTime
		}
		ctx, cancel := context.WithTimeout(r.Context(), longest)
		defer cancel()
		body := s.bodies.read(http.MaxBytesReader(w, r.Body, s.o.Limits.bodyOf(r.URL.Path)), r, cred.account())
		defer body.release()
		if r.Body != http.NoBody {
			r.Body = body
		}
		client := s.Client(cred, session)
		client.signed = !cred.isNamed()
		admitted.ServeHTTP(w, r.WithContext(context.WithValue(ctx, clientKey{}, client)))
	})
}

// checkOrigin refuses a request for another host, and one that a page of another origin made a browser send.
func (s *Server) checkOrigin(r *http.Request) *Fault {
	if !s.isOurs(r.Host) {
		return newFault(http.StatusForbidden, string(problem.NotPermitted), "the Host of the request is not this server", "ask it by the address that it listens on, or start it with --host NAME")
	}
	if origin := r.Header.Get("Origin"); origin != "" {
		if u, err := url.Parse(origin); err != nil || u.Host != r.Host {
			return newFault(http.StatusForbidden, string(problem.NotPermitted), "a page of another origin made this request", "call the server from a program")
		}
	}
	return nil
}

// isOurs reports whether a Host header names this server.
func (s *Server) isOurs(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.ToLower(strings.Trim(name, "[]"))
	if ip := net.ParseIP(name); name == "localhost" || ip != nil && (ip.IsLoopback() || s.o.Remote) {
		return true
	}
	return slices.Contains(s.o.Hosts, name)
}

// authenticate returns the credential of a request: that of its token or of its browser's cookie; without one that of
// the public where the request came over the loopback interface of a server that listens on no other.
func (s *Server) authenticate(r *http.Request) (Credential, *Fault) {
	header := r.Header.Get("Authorization")
	if header == "" {
		if cred, ok := s.browsers.find(r); ok {
			return cred, nil
		}
		host, _, err := net.SplitHostPort(r.RemoteAddr)
		if ip := net.ParseIP(host); err == nil && ip != nil && ip.IsLoopback() && !s.o.Remote {
			return public, nil
		}
		return Credential{}, newFault(http.StatusUnauthorized, string(problem.NotPermitted), "this call needs a token", "the archive's owner makes one with muniment token new; send it as Authorization: Bearer")
	}
	scheme, secret, _ := strings.Cut(header, " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return Credential{}, newFault(http.StatusUnauthorized, string(problem.NotPermitted), "the Authorization of the request is no bearer token", "send Authorization: Bearer TOKEN")
	}
	cred, ok, err := s.tokens.find(strings.TrimSpace(secret), s.now())
	switch {
	case err != nil:
		return Credential{}, faultOf(err)
	case !ok:
		return Credential{}, newFault(http.StatusUnauthorized, string(problem.NotPermitted), "the token is unknown, expired or revoked", "the archive's owner makes one with muniment token new")
	}
	return cred, nil
}

// writeFault writes an error outside the calls of huma.
func writeFault(w http.ResponseWriter, f *Fault) {
	w.Header().Set("Content-Type", f.ContentType(""))
	for name, values := range f.GetHeaders() {
		w.Header()[name] = values
	}
	w.WriteHeader(f.Status)
	f.RequestID = w.Header().Get(requestHeader)
	_ = json.NewEncoder(w).Encode(f.bound()) // the caller went away
}

// meter charges a request to its principal: a call, and the bytes of a body, which may
// be kept. An admin takes files in, of any size.
func (s *Server) meter(cred Credential, r *http.Request) *Fault {
	who, now := cred.account(), s.now()
	if wait := s.limits.Take(who, 1, now); wait > 0 {
		return newWaitFault(wait, "too many calls", "wait a second; cite/batch takes a thousand citations in one call")
	}
	if r.Method != http.MethodPost || cred.seesAll() {
		return nil
	}
	size := r.ContentLength
	if size < 0 {
		size = s.o.Limits.bodyOf(r.URL.Path) // it is not said
	}
	if wait := s.stored.Take(who, float64(size), now); wait > 0 {
		return newWaitFault(wait, "too many bytes to keep for one caller", "wait; what is sent and answered counts until then")
	}
	return nil
}
