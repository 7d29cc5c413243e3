package server

import (
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"muniment/archive"
)

// get returns status and body of a page.
func get(t *testing.T, url string) (int, string) {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(body)
}

func TestProbes(t *testing.T) {
	a, _, s, url := serve(t)
	if status, body := get(t, url+"/readyz"); status != 200 || !strings.Contains(body, `"ready":true,"archive":"ok","database":"ok","index":"off","signer":"ok","disk":"ok"`) {
		t.Errorf("%d %s", status, body)
	}
	if status, _, _ := send(t, "GET", url+"/api/v1/search?query=mill", nil); status != 200 {
		t.Fatal(status)
	}
	s.ready.at = time.Time{}
	if _, body := get(t, url+"/readyz"); !strings.Contains(body, `"index":"ok"`) {
		t.Error(body)
	}
	if _, body := get(t, url+"/metrics"); !strings.Contains(body, "\nmuniment_ready 1\n") || !strings.Contains(body, "\nmuniment_readers_free 4\n") || !strings.Contains(body, "\nmuniment_index_lag_snapshots 0\n") {
		t.Error(body)
	}
	local, err := a.LocalPath("")
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(local)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".muniment-") {
			t.Errorf("the probe left %s", e.Name())
		}
	}
	// A folder of bundles that cannot be written, and a ledger that is open and was removed, are no readiness.
	bundles := filepath.Join(local, archive.BundlesDir)
	if err := errors.Join(os.RemoveAll(bundles), os.WriteFile(bundles, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	s.ready.at = time.Time{}
	if status, body := get(t, url+"/readyz"); status != 503 || !strings.Contains(body, `"disk":"failed"`) || !strings.Contains(body, `"database":"ok"`) {
		t.Errorf("%d %s", status, body)
	}
	if err := os.Remove(bundles); err != nil {
		t.Fatal(err)
	}
	ledger, err := os.ReadFile(filepath.Join(local, "ledger.db"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(local, "ledger.db")); err != nil {
		t.Fatal(err)
	}
	for _, replaced := range []bool{false, true} {
		if replaced {
			if err := os.WriteFile(filepath.Join(local, "ledger.db"), ledger, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		s.ready.at = time.Time{}
		if status, body := get(t, url+"/readyz"); status != 503 || !strings.Contains(body, `"database":"failed"`) || !strings.Contains(body, `"disk":"ok"`) {
			t.Errorf("replaced %v: %d %s", replaced, status, body)
		}
	}
	// Without the archive's head nothing is ready, and the process lives.
	if err := os.RemoveAll(a.Dir() + "/archive.git/refs"); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(a.Dir() + "/archive.git/packed-refs"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(a.Dir()+"/archive.git/HEAD", []byte("no ref"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.ready.at = time.Time{}
	if status, body := get(t, url+"/readyz"); status != 503 || !strings.Contains(body, `"ready":false`) {
		t.Errorf("%d %s", status, body)
	}
	if status, body := get(t, url+"/livez"); status != 200 || body != "ok\n" {
		t.Errorf("%d %s", status, body)
	}
}

// lines collects what is logged.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func TestRequestIDs(t *testing.T) {
	a, _, _, _ := serve(t)
	secret, _, err := NewToken(a, Credential{Name: "ann", Role: "agent"})
	if err != nil {
		t.Fatal(err)
	}
	log := &lines{}
	s, err := New(Options{Open: func() (*archive.Archive, error) { return archive.Open(a.Dir(), a.World()) }, Version: "test", Log: slog.New(slog.NewJSONHandler(log, nil)),
		Proxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32"), netip.MustParsePrefix("10.0.0.0/8")}, Limits: Limits{CallsPerSecond: 1, CallsAtOnce: 3}})
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(s.Handler())
	defer func() {
		h.Close()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	// The caller's id comes back in a header, and in a problem; an error of JSON-RPC has a form of its own.
	for _, path := range []string{"/api/v1/artifacts/nothing", "/api/v1/none", "/mcp"} {
		_, header, body := send(t, "GET", h.URL+path, nil, "X-Request-Id", "abc-123", "Authorization", "Bearer "+secret, "X-Forwarded-For", "198.51.100.7, 203.0.113.9, 10.1.1.1")
		if header.Get("X-Request-Id") != "abc-123" || body != nil && body["jsonrpc"] == nil && body["request_id"] != "abc-123" {
			t.Errorf("%s: %v %v", path, header, body)
		}
	}
	text := log.String()
	if !strings.Contains(text, `"request":"abc-123"`) || !strings.Contains(text, `"principal":"token ann"`) || !strings.Contains(text, `"remote":"203.0.113.9"`) || strings.Contains(text, "198.51.100.7") || strings.Contains(text, secret) {
		t.Error(text)
	}
	// One that is no word is not taken.
	_, header, _ := send(t, "GET", h.URL+"/livez", nil, "X-Request-Id", `a"b c`)
	if id := header.Get("X-Request-Id"); id == "" || strings.Contains(id, "b c") {
		t.Error(id)
	}
	// The rate of this server counts, by principal.
	if status, _, body := send(t, "GET", h.URL+"/api/v1/status", nil, "Authorization", "Bearer "+secret); status != http.StatusTooManyRequests || body["request_id"] == "" {
		t.Errorf("%d %v", status, body)
	}
	if _, body := get(t, h.URL+"/metrics"); !strings.Contains(body, `muniment_calls_limited_total{principal="token ann"} 1`) {
		t.Error(body)
	}
	// A caller from elsewhere that came through the proxy is not the public of this machine.
	if status, _, _ := send(t, "GET", h.URL+"/api/v1/status", nil, "X-Forwarded-For", "203.0.113.9"); status != http.StatusUnauthorized {
		t.Errorf("status %d", status)
	}
	for _, hop := range []string{"203.0.113.9:4711", "[2001:db8::1]:443", "unknown", "203.0.113.9, unknown"} { // with a port, or unreadable
		if status, _, _ := send(t, "GET", h.URL+"/api/v1/status", nil, "X-Forwarded-For", hop); status != http.StatusUnauthorized {
			t.Errorf("%s: status %d", hop, status)
		}
	}
	// What a caller says that is no proxy does not count.
	s.o.Proxies = nil
	if status, _, _ := send(t, "GET", h.URL+"/api/v1/status", nil, "X-Forwarded-For", "203.0.113.9"); status != http.StatusOK {
		t.Errorf("status %d", status)
	}
}
