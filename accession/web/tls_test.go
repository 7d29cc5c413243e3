package web

import (
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// secure serves handler over TLS with a certificate of a test authority.
func secure(t *testing.T, version uint16, handler http.HandlerFunc) (*httptest.Server, *x509.CertPool) {
	t.Helper()
	s := httptest.NewUnstartedServer(handler)
	s.TLS = &tls.Config{MinVersion: tls.VersionTLS10, MaxVersion: version}
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	pool := x509.NewCertPool()
	pool.AddCert(s.Certificate())
	return s, pool
}

func TestTLS(t *testing.T) {
	plain := site(t, map[string]http.HandlerFunc{"/": text("plain")})
	s, pool := secure(t, tls.VersionTLS13, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/robots.txt":
			http.NotFound(w, r)
		case "/down":
			http.Redirect(w, r, plain.URL+"/", http.StatusFound)
		default:
			text("safe")(w, r)
		}
	})
	o := local()
	o.RootCAs = pool
	p := get(t, s.URL+"/a", o)
	digest := sha256.Sum256(s.Certificate().Raw)
	facts := p.Facts()
	if facts["tls_version"] != "TLS 1.3" || facts["tls_peer_sha256"] != hex.EncodeToString(digest[:]) {
		t.Errorf("facts %v, want TLS 1.3 and the certificate's digest", facts)
	}
	if p.FinalURL != s.URL+"/a" || !strings.HasPrefix(p.Name(), "https/127.0.0.1:") {
		t.Errorf("final url %s, name %s", p.FinalURL, p.Name())
	}
	accede(t, p)

	refused(t, s.URL+"/down", o, KindRedirect, "from https to http")
	refused(t, s.URL+"/a", local(), KindTLS, "certificate")
	refused(t, strings.Replace(s.URL, "127.0.0.1", "localhost", 1)+"/a", o, KindTLS, "localhost")
	refused(t, strings.Replace(plain.URL, "http:", "https:", 1), o, KindTLS)
	old, oldPool := secure(t, tls.VersionTLS11, text("old"))
	o.RootCAs = oldPool
	refused(t, old.URL+"/", o, KindTLS)
	refused(t, "http://"+strings.TrimPrefix(old.URL, "https://")+"/", o, KindStatus, "400")
	closed := site(t, nil)
	closed.Close()
	refused(t, closed.URL+"/", local(), KindConnect)
	e := explain(t.Context(), "http://h/", &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "h", IsNotFound: true}})
	if e.Kind != KindConnect || !strings.Contains(e.Error(), "does not resolve") {
		t.Errorf("a name that does not resolve gives %v of kind %s", e, e.Kind)
	}
}
