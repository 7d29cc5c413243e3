// Package clients has the tests of the clients in Python and TypeScript: they run with a real server.
package clients

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/engine"
	"muniment/history"
	"muniment/internal/npm"
	"muniment/server"
)

// serve returns the addresses of a server over a signed archive with the papers of archivetest and
// one whose characters have several bytes and UTF-16 units:
// that of the server, and that of the same server at the end of a bad wire.
func serve(t *testing.T) (url, badURL string) {
	t.Helper()
	papers := maps.Clone(archivetest.Papers)
	papers["1938-06-21.txt"] = "21 June 1938\n\nGrüße 🙂🙂 aus Zürich! Die Mühle 🛞 steht still, schrieb Jörg. He paid nine pounds for flour.\n"
	a, key := archivetest.New(t, papers)
	if _, err := engine.Snapshot(a, history.SnapshotOptions{Text: "papers", Signer: key}); err != nil {
		t.Fatal(err)
	}
	s, err := server.New(server.Options{Open: func() (*archive.Archive, error) { return archive.Open(a.Dir(), a.World()) }, Signer: key, Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	good, bad := httptest.NewServer(s.Handler()), httptest.NewServer(&badWire{to: s.Handler(), attempts: map[string]int{}})
	t.Cleanup(good.Close)
	t.Cleanup(bad.Close)
	return good.URL, bad.URL
}

// A badWire carries each POST to the server, by its Idempotency-Key: the reply to the first
// attempt is lost after the server did what it was asked for, the second attempt finds the
// server busy, the third succeeds.
type badWire struct {
	to       http.Handler
	mu       sync.Mutex
	attempts map[string]int
}

func (b *badWire) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	key := r.Header.Get("Idempotency-Key")
	b.attempts[key]++
	attempt := b.attempts[key]
	b.mu.Unlock()
	switch {
	case r.Method != http.MethodPost || attempt > 2:
		b.to.ServeHTTP(w, r)
	case attempt == 1:
		b.to.ServeHTTP(httptest.NewRecorder(), r)
		panic(http.ErrAbortHandler)
	default:
		w.Header().Set("Content-Type", "application/problem+json")
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = w.Write([]byte(`{"type":"/problems/Busy","title":"Service Unavailable","status":503,"detail":"the archive is busy","error_type":"Busy","suggestion":"call again"}`))
	}
}

// run returns what a program prints, in a folder, with the addresses of serve in its environment.
func run(t *testing.T, dir, url, badURL string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "MUNIMENT_URL="+url, "MUNIMENT_BAD_URL="+badURL, "PYTHONDONTWRITEBYTECODE=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

func TestPython(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("SKIPPED: the client in Python did not run: there is no python3")
	}
	url, badURL := serve(t)
	out := run(t, "python", url, badURL, "python3", "-W", "error", "-m", "unittest", "-v")
	if !strings.Contains(out, "Ran 9 tests") || strings.Contains(out, "skipped") {
		t.Errorf("want 9 tests and none skipped: %s", out)
	}
}

// packages are what the client in TypeScript is compiled with, and what its adapters are for.
var packages = []string{"typescript@5.9.3", "openapi-typescript@7.13.0", "@types/node@20.19.43",
	"@langchain/core@1.4.0", "@llamaindex/core@0.6.23", "ai@6.0.325", "@anthropic-ai/sdk@1.14.0", "openai@6.49.0", "@google/genai@2.32.0",
	"nodemailer@10.6.1", "@types/nodemailer@8.0.2"}

// The client in TypeScript compiles, its types are those of the OpenAPI document, and its
// tests pass with a real server.
func TestTypeScript(t *testing.T) {
	for _, tool := range []string{"node", "npm", "curl"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("SKIPPED: the client in TypeScript did not run: there is no %s", tool)
		}
	}
	modules, err := npm.Install(t.Context(), packages...)
	if err != nil { // the registry may be back
		modules, err = npm.Install(t.Context(), packages...)
	}
	if err != nil {
		t.Skipf("SKIPPED: the client in TypeScript did not run: %v", err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("typescript")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(modules, filepath.Join(dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
	if agent, err := os.ReadFile("typescript/examples/agent.ts"); err != nil || strings.Count(string(agent), "\n") > 60 {
		t.Errorf("the agent has more than the 60 lines that the page says: %v", err)
	}
	url, badURL := serve(t)
	run(t, dir, url, badURL, "curl", "-sf", "-o", "openapi.json", url+"/openapi.json")
	run(t, dir, url, badURL, "node", "node_modules/openapi-typescript/bin/cli.js", "openapi.json", "-o", "test/api.ts")
	run(t, dir, url, badURL, "node", "node_modules/typescript/bin/tsc", "-p", "test")
	tests, err := filepath.Glob(filepath.Join(dir, "dist", "test", "*.test.js"))
	if err != nil || len(tests) == 0 {
		t.Fatal(tests, err)
	}
	out := run(t, dir, url, badURL, append([]string{"node", "--test"}, tests...)...)
	if !regexp.MustCompile(`(?m)^(#|ℹ) pass 16$`).MatchString(out) || !regexp.MustCompile(`(?m)^(#|ℹ) skipped 0$`).MatchString(out) {
		t.Errorf("want 16 tests and none skipped: %s", out)
	}
}
