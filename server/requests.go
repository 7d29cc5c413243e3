package server

import (
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"regexp"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"muniment/archive/problem"
)

// requestHeader is the header of the id of a request: a caller's own, or one that the server
// makes. The reply has it, a problem repeats it, and the log line of the call has it.
const requestHeader = "X-Request-Id"

// requestID is the form of an id that is taken from a caller: it goes into a log line.
var requestID = regexp.MustCompile(`^[A-Za-z0-9._:/+=-]{1,128}$`)

// nameRequest gives a request its id, the caller's where it has that form, and returns it.
func nameRequest(w http.ResponseWriter, r *http.Request) string {
	id := r.Header.Get(requestHeader)
	if !requestID.MatchString(id) {
		id = rand.Text()
		r.Header.Set(requestHeader, id)
	}
	w.Header().Set(requestHeader, id)
	return id
}

// withRequestID puts the id of its request into a problem.
func withRequestID(ctx huma.Context, _ string, v any) (any, error) {
	if f, ok := v.(*Fault); ok {
		f.RequestID = ctx.Header(requestHeader)
	}
	return v, nil
}

// Headers that a proxy sets, and that count from the proxies of Options alone.
const (
	forwardedFor  = "X-Forwarded-For"
	forwardedHost = "X-Forwarded-Host"
	forwardedForm = "X-Forwarded-Proto"
)

// unproxy makes a request that came through a proxy of Options that of the proxy's caller: its address and the host it
// asked. The address is the last of X-Forwarded-For that is no proxy's, as a caller may have written those before it.
func (s *Server) unproxy(r *http.Request) {
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || !s.isProxy(at.Addr()) {
		return
	}
	var list []string // of who asked the proxy itself: its own machine
	if all := r.Header.Values(forwardedFor); len(all) > 0 {
		list = strings.Split(strings.Join(all, ","), ",")
	}
	for i := len(list) - 1; i >= 0; i-- {
		caller, err := parseHop(strings.TrimSpace(list[i]))
		if err != nil {
			r.RemoteAddr = unknownCaller
			break
		}
		r.RemoteAddr = net.JoinHostPort(caller.Unmap().String(), "0")
		if !s.isProxy(caller) {
			break
		}
	}
	if host := r.Header.Get(forwardedHost); host != "" && !strings.ContainsAny(host, ", ") {
		r.Host = host
	}
	if r.Header.Get(forwardedForm) == "https" {
		r.URL.Scheme = "https" // for the addresses that pages give away
	}
}

// unknownCaller is the address of a caller whose proxy names it in no way that is read: no address of this machine.
const unknownCaller = "0.0.0.0:0"

// parseHop reads an address of X-Forwarded-For, with or without a port.
func parseHop(text string) (netip.Addr, error) {
	if at, err := netip.ParseAddrPort(text); err == nil {
		return at.Addr(), nil
	}
	return netip.ParseAddr(strings.Trim(text, "[]"))
}

// isProxy reports whether an address is one of the proxies of Options.
func (s *Server) isProxy(a netip.Addr) bool {
	return slices.ContainsFunc(s.o.Proxies, func(p netip.Prefix) bool { return p.Contains(a.Unmap()) })
}

// observe counts and logs every call by its route, without what it asked.
func (s *Server) observe(next *http.ServeMux, calls *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := s.now()
		s.unproxy(r)
		id := nameRequest(w, r)
		_, route := next.Handler(r)
		if strings.HasPrefix(route, "/api/") {
			_, route = calls.Handler(r)
		}
		sw, principal := &statusWriter{ResponseWriter: w, status: http.StatusOK}, ""
		defer func() {
			if bug := recover(); bug != nil {
				sw.status = http.StatusInternalServerError
				s.o.Log.Error("bug", "request", id, "route", route, "what", fmt.Sprint(bug))
				sw.failed = nil
				writeFault(sw, newFault(sw.status, string(problem.Internal), "a bug", "report it with the server's log of this moment"))
			}
			sw.finish()
			took := s.now().Sub(start)
			s.count.add(route, sw.status, took)
			remote, _, _ := net.SplitHostPort(r.RemoteAddr) // "" where there is none
			s.o.Log.Info("call", "request", id, "route", route, "status", sw.status, "ms", took.Milliseconds(), "bytes", r.ContentLength, "principal", principal, "remote", remote)
		}()
		next.ServeHTTP(sw, r.WithContext(context.WithValue(r.Context(), principalKey{}, &principal)))
	})
}

// principalKey is the key of a string in the context of a request that takes the name of its principal, for the log.
type principalKey struct{}

// noteBearer notes the principal that a request turned out to be.
func noteBearer(r *http.Request, principal string) {
	if to, ok := r.Context().Value(principalKey{}).(*string); ok {
		*to = principal
	}
}
