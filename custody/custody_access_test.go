package custody_test

import (
	"bytes"
	"encoding/pem"
	"errors"
	"io"
	"log"
	"maps"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/archive/problem"
	"muniment/audit"
	"muniment/custody"
)

// webRepository serves the repositories of a folder to ada with a password.
func webRepository(t *testing.T, root string) http.Handler {
	t.Helper()
	backend := filepath.Join(archivetest.Git(t, "", "--exec-path"), "git-http-backend")
	handler := &cgi.Handler{Path: backend, Env: []string{"GIT_PROJECT_ROOT=" + root, "GIT_HTTP_EXPORT_ALL=1", "REMOTE_USER=ada"}, Stderr: io.Discard}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if name, word, ok := r.BasicAuth(); !ok || name != "ada" || word != "flour" {
			w.Header().Set("WWW-Authenticate", `Basic realm="letters"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		handler.ServeHTTP(w, r)
	})
}

// home is a home folder with a .netrc and nothing else.
func home(t *testing.T, netrc string) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	t.Setenv("GIT_SSL_CAINFO", "")
	if err := os.WriteFile(filepath.Join(dir, ".netrc"), []byte(netrc), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// refusedWith checks that an error is one of a remote, for people, and says a
// thing.
func refusedWith(t *testing.T, what string, err error, says string) {
	t.Helper()
	var leaked *problem.Error
	if !errors.As(err, &leaked) || leaked.Kind != problem.Remote || !strings.Contains(leaked.Message, says) || leaked.Next.IsZero() || strings.Contains(leaked.Message, "\n") {
		t.Errorf("%s: %v, want it to say %q", what, err, says)
	}
}

// A server whose certificate is of an authority of its own is reached once git's
// configuration, or its environment, names that authority, and not before. A
// wrong password is said to be one.
func TestRemoteHTTPS(t *testing.T) {
	root := t.TempDir()
	repo := archivetest.NewBareRepository(t, filepath.Join(root, "r.git"))
	server := httptest.NewUnstartedServer(webRepository(t, root))
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // it is refused on purpose
	server.StartTLS()
	defer server.Close()
	address := server.URL + "/r.git"
	dir := home(t, "machine 127.0.0.1 login ada password flour\n")

	a, _ := archivetest.NewLetters(t, 1)
	_, err := custody.Push(t.Context(), a, address, custody.Transfer{})
	refusedWith(t, "an unknown authority", err, "certificate")

	file := filepath.Join(dir, "authority.pem")
	cert := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(file, cert, 0o600); err != nil {
		t.Fatal(err)
	}
	archivetest.Git(t, "", "config", "--global", "http."+server.URL+".sslCAInfo", "~/authority.pem")
	roundTrip(t, address, repo)
	archivetest.Git(t, "", "config", "--global", "--unset", "http."+server.URL+".sslCAInfo")
	if _, err := custody.Fetch(t.Context(), a, address, custody.FetchOptions{}); err == nil {
		t.Error("the authority is forgotten, and the server still reached")
	}
	home(t, "machine 127.0.0.1 login ada password water\n")
	t.Setenv("GIT_SSL_CAINFO", file)
	_, err = custody.Fetch(t.Context(), a, address, custody.FetchOptions{})
	refusedWith(t, "a wrong password", err, "not let in")
}

// A redirect within the host is followed. One to another host is followed
// without a password, and the password stays where it belongs.
func TestRemoteRedirects(t *testing.T) {
	root := t.TempDir()
	repo := archivetest.NewBareRepository(t, filepath.Join(root, "r.git"))
	inner := webRepository(t, root)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if rest, ok := strings.CutPrefix(r.URL.Path, "/moved/"); ok && r.Method == http.MethodGet {
			http.Redirect(w, r, "/"+rest+"?"+r.URL.RawQuery, http.StatusMovedPermanently)
			return
		}
		inner.ServeHTTP(w, r)
	}))
	defer server.Close()
	home(t, "machine 127.0.0.1 login ada password flour\n")
	roundTrip(t, server.URL+"/moved/r.git", repo)

	var leaked, asked atomic.Int32
	thief := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if r.Header.Get("Authorization") != "" {
			leaked.Add(1)
		}
		w.Header().Set("WWW-Authenticate", `Basic realm="letters"`)
		w.WriteHeader(http.StatusUnauthorized)
	}))
	defer thief.Close()
	gate := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, thief.URL+r.URL.RequestURI(), http.StatusFound)
	}))
	defer gate.Close()
	a, _ := archivetest.NewLetters(t, 1)
	_, err := custody.Push(t.Context(), a, gate.URL+"/r.git", custody.Transfer{})
	refusedWith(t, "a redirect to another host", err, "does not get the password")
	if asked.Load() == 0 || leaked.Load() > 0 {
		t.Errorf("the other host was asked %d times and told the password %d times", asked.Load(), leaked.Load())
	}
}

// withAgent starts an ssh-agent that holds a key, and takes the key's file away.
func withAgent(t *testing.T, key string) {
	t.Helper()
	socket := filepath.Join(t.TempDir(), "agent")
	agent := exec.Command("ssh-agent", "-D", "-a", socket)
	if err := agent.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { agent.Process.Kill(); agent.Wait() })
	t.Setenv("SSH_AUTH_SOCK", socket)
	var out []byte
	var err error
	for range 100 {
		if _, err = os.Stat(socket); err == nil {
			if out, err = exec.Command("ssh-add", "-q", key).CombinedOutput(); err == nil {
				break
			}
		}
		time.Sleep(20 * time.Millisecond)
	}
	if err != nil {
		t.Fatalf("ssh-add: %v\n%s", err, out)
	}
	if err := os.Remove(key); err != nil {
		t.Fatal(err)
	}
}

// Repositories that git serves and an archive cannot travel through are refused
// with a word on why, and nothing is taken over.
func TestUnfitRemotes(t *testing.T) {
	a, _ := archivetest.NewLetters(t, 2)
	before := archivetest.Refs(t, a)
	own := filepath.Join(a.Dir(), archive.StoreDir)
	archivetest.Git(t, own, "config", "uploadpack.allowFilter", "true")
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }

	// Objects that are named by SHA-256: an empty repository and a used one.
	archivetest.Git(t, "", "init", "-q", "--bare", "--object-format=sha256", "-b", "main", at("empty"))
	archivetest.Git(t, "", "init", "-q", "--object-format=sha256", "-b", "main", at("used"))
	archivetest.Git(t, at("used"), "-c", "user.name=x", "-c", "user.email=x@y", "commit", "-q", "--allow-empty", "-m", "x")
	for _, name := range []string{"empty", "used"} {
		_, err := custody.Push(t.Context(), a, at(name), custody.Transfer{})
		refusedWith(t, "push to "+name, err, "SHA-256")
		if name == "used" {
			_, err = custody.Fetch(t.Context(), a, at(name), custody.FetchOptions{})
			refusedWith(t, "fetch from "+name, err, "SHA-256")
			_, err = custody.Clone(t.Context(), at(name), at("copy"), custody.CloneOptions{}, a.World())
			refusedWith(t, "clone of "+name, err, "SHA-256")
		}
	}

	// A partial clone whose server is gone has not what it says it has.
	archivetest.Git(t, "", "clone", "-q", "--bare", "--filter=blob:none", "file://"+own, at("partial"))
	archivetest.Git(t, at("partial"), "remote", "remove", "origin")
	_, err := custody.Clone(t.Context(), at("partial"), at("copy"), custody.CloneOptions{}, a.World())
	var leaked *problem.Error
	if !errors.As(err, &leaked) || leaked.Next.IsZero() {
		t.Errorf("a partial clone: %v", err)
	}
	if _, err := os.Stat(at("copy")); err == nil {
		t.Error("a refused clone left its folder")
	}

	// One that borrows its objects has them all; what is cloned from it is whole.
	archivetest.Git(t, "", "clone", "-q", "--bare", "--shared", own, at("shared"))
	if _, err := custody.Clone(t.Context(), at("shared"), at("whole"), custody.CloneOptions{}, a.World()); err != nil {
		t.Errorf("a repository with alternates: %v", err)
	}
	if left, err := filepath.Glob(at("whole/archive.git/objects/info/*alternates")); err != nil || len(left) > 0 {
		t.Errorf("the clone borrows: %v, %v", left, err)
	}
	c, err := archive.Open(at("whole"), a.World())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if v, err := audit.Verify(c, audit.ArchiveVerifyOptions{}); err != nil || v.Failed+v.Absent+v.NotChecked > 0 {
		t.Errorf("the clone: %+v, %v", v, err)
	}

	// As an archive of our own, neither is whole: verify says so, doctor why.
	for name, why := range map[string]string{"partial": "partial clone", "shared": "another repository"} {
		if err := os.MkdirAll(at(name+"-archive"), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(at(name), at(name+"-archive/archive.git")); err != nil {
			t.Fatal(err)
		}
		_, err := archive.Open(at(name+"-archive"), a.World())
		if err == nil {
			t.Fatalf("%s: opens", name)
		}
		found := false
		for _, c := range audit.DoctorStore(at(name+"-archive"), err, a.World()) {
			found = found || c.State == "failed" && strings.Contains(c.Detail, why)
		}
		if !found {
			t.Errorf("%s: doctor does not say %q", name, why)
		}
	}
	if after := archivetest.Refs(t, a); !maps.Equal(after, before) {
		t.Errorf("refs are %v, were %v", after, before)
	}
}

// A checkout hashes to its ids although the repository's own attributes and the
// settings of the person say otherwise; doctor names those that win over the
// archive's.
func TestCheckoutAttributes(t *testing.T) {
	a, _ := archivetest.NewLetters(t, 1)
	own := filepath.Join(a.Dir(), archive.StoreDir)
	file := filepath.Join(t.TempDir(), "attributes")
	if err := os.WriteFile(file, []byte("* text eol=crlf ident\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	checkout := func(name string) []byte {
		dir := filepath.Join(t.TempDir(), name)
		archivetest.Git(t, "", "-c", "core.autocrlf=true", "-c", "core.eol=crlf", "-c", "core.attributesFile="+file, "clone", "-q", own, dir)
		texts, err := filepath.Glob(filepath.Join(dir, "artifacts/*/*/*.json"))
		if err != nil || len(texts) != 1 {
			t.Fatalf("%v, %v", texts, err)
		}
		data, err := os.ReadFile(strings.SplitN(texts[0], ".r.", 2)[0])
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	if got := checkout("plain"); !bytes.Equal(got, []byte("Letter 1 of the mill.\n")) {
		t.Errorf("checked out %q", got)
	}
	if p := a.Store().Doctor(); len(p) > 0 {
		t.Errorf("doctor: %v", p)
	}
	info := filepath.Join(own, "info", "attributes")
	if err := errors.Join(os.MkdirAll(filepath.Dir(info), 0o777), os.WriteFile(info, []byte("* text eol=crlf\n"), 0o666)); err != nil {
		t.Fatal(err)
	}
	if p := a.Store().Doctor(); len(p) != 1 || p[0].Object != "info/attributes" {
		t.Errorf("doctor: %v", p)
	}
}
