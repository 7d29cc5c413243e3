package custody_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/archive/problem"
	"muniment/audit"
	"muniment/custody"
)

// roundTrip pushes to an address, clones from it, pushes more and fetches
// that, and has stock git look at both ends.
func roundTrip(t *testing.T, address, repository string) {
	t.Helper()
	a, s := archivetest.NewLetters(t, 2)
	if _, err := custody.AddRemote(a, "host", address); err != nil {
		t.Fatal(err)
	}
	quick := custody.Transfer{Stall: 20 * time.Second}
	if r, err := custody.Push(t.Context(), a, "host", quick); err != nil || r.Snapshots != 2 {
		t.Fatalf("push: %+v, %v", r, err)
	}
	dir := filepath.Join(t.TempDir(), "copy")
	c, err := custody.Clone(t.Context(), address, dir, custody.CloneOptions{Transfer: quick, Expect: a.ID().String()}, a.World())
	if err != nil || c.Snapshots != 2 {
		t.Fatalf("clone: %+v, %v", c, err)
	}
	archivetest.AddLetter(t, a, s, "A third letter, longer than the others.\n")
	if r, err := custody.Push(t.Context(), a, "host", quick); err != nil || r.Snapshots != 1 || r.From != 2 {
		t.Fatalf("push: %+v, %v", r, err)
	}
	archivetest.Git(t, repository, "gc", "-q", "--aggressive", "--prune=now")
	b, err := archive.Open(dir, a.World())
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	f, err := custody.Fetch(t.Context(), b, "origin", custody.FetchOptions{Transfer: quick})
	if err != nil || f.Relation != "ahead" || f.Snapshots != 1 {
		t.Fatalf("fetch: %+v, %v", f, err)
	}
	if one, other := archivetest.Refs(t, a)[archive.RefMain], archivetest.Refs(t, b)[archive.RefMain]; one != other {
		t.Errorf("heads %s and %s", one, other)
	}
	archivetest.Git(t, repository, "fsck", "--strict")
	archivetest.Git(t, filepath.Join(dir, archive.StoreDir), "fsck", "--strict")
	heal(t, dir, a.World(), quick)
}

// heal damages every pack of a copy and repairs it from where it came from.
func heal(t *testing.T, dir string, w archive.World, quick custody.Transfer) {
	t.Helper()
	packs, err := filepath.Glob(filepath.Join(dir, archive.StoreDir, "objects/pack/*.pack"))
	if err != nil || len(packs) == 0 {
		t.Fatalf("packs: %v, %v", packs, err)
	}
	for _, pack := range packs {
		data, err := os.ReadFile(pack)
		if err != nil {
			t.Fatal(err)
		}
		for i := 20; i < len(data); i += 150 {
			data[i] ^= 0x55
		}
		if err := errors.Join(os.Chmod(pack, 0o644), os.WriteFile(pack, data, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	r, err := custody.Repair(t.Context(), dir, "origin", quick, w, nil)
	if err != nil || r.Healed == 0 || len(r.Aside) < 2*len(packs) {
		t.Fatalf("repair: %+v, %v", r, err)
	}
	b, err := archive.Open(dir, w)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	v, err := audit.Verify(b, audit.ArchiveVerifyOptions{})
	if err != nil || v.Failed+v.Absent > 0 || v.Seq != 3 {
		t.Errorf("after the repair: %+v, %v", v, err)
	}
	archivetest.Git(t, filepath.Join(dir, archive.StoreDir), "fsck", "--strict")
}

func TestRemoteFile(t *testing.T) {
	repo := archivetest.NewBareRepository(t, filepath.Join(t.TempDir(), "r.git"))
	roundTrip(t, "file://"+repo, repo)
}

func TestRemoteHTTP(t *testing.T) {
	root := t.TempDir()
	repo := archivetest.NewBareRepository(t, filepath.Join(root, "r.git"))
	backend := filepath.Join(archivetest.Git(t, "", "--exec-path"), "git-http-backend")
	handler := &cgi.Handler{Path: backend, Env: []string{"GIT_PROJECT_ROOT=" + root, "GIT_HTTP_EXPORT_ALL=1", "REMOTE_USER=ada"}, Stderr: io.Discard}
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if name, word, ok := r.BasicAuth(); !ok || name != "ada" || word != "flour" {
			asked++
			w.Header().Set("WWW-Authenticate", `Basic realm="letters"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		handler.ServeHTTP(w, r)
	}))
	defer server.Close()
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	address := server.URL + "/r.git"

	// Nobody knows the password.
	a, _ := archivetest.NewLetters(t, 1)
	_, err := custody.Push(t.Context(), a, address, custody.Transfer{})
	var failure *problem.Error
	if !errors.As(err, &failure) || failure.Kind != problem.Remote || !strings.Contains(failure.Message, "not let in") {
		t.Fatalf("push without a password: %v", err)
	}
	// ~/.netrc knows it.
	host, _, _ := net.SplitHostPort(strings.TrimPrefix(server.URL, "http://"))
	netrc := filepath.Join(home, ".netrc")
	if err := os.WriteFile(netrc, []byte("machine elsewhere login x password y\nmachine "+host+"\n login ada\n password flour\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	roundTrip(t, address, repo)
	// A credential helper knows it.
	if err := os.Remove(netrc); err != nil {
		t.Fatal(err)
	}
	second := archivetest.NewBareRepository(t, filepath.Join(root, "s.git"))
	config := "[credential]\n\thelper = \"!f() { test \\\"$1\\\" = get && printf 'username=ada\\\\npassword=flour\\\\n'; }; f\"\n"
	if err := os.WriteFile(filepath.Join(home, ".gitconfig"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	roundTrip(t, server.URL+"/s.git", second)
	if asked == 0 {
		t.Error("the server never asked for a password")
	}
}

// freePort returns a port of loopback that was free a moment ago.
func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// serve starts a server and waits until its port answers.
func serve(t *testing.T, port int, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() { cmd.Wait(); close(done) }()
	t.Cleanup(func() { cmd.Process.Kill(); <-done })
	for range 200 {
		if c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			c.Close()
			return
		}
		select {
		case <-done:
			t.Fatalf("%s ended: %s", name, log.String())
		case <-time.After(25 * time.Millisecond):
		}
	}
	t.Fatalf("%s does not answer", name)
}

func TestRemoteGitDaemon(t *testing.T) {
	root := t.TempDir()
	repo := archivetest.NewBareRepository(t, filepath.Join(root, "r.git"))
	port := freePort(t)
	serve(t, port, filepath.Join(archivetest.Git(t, "", "--exec-path"), "git-daemon"), "--reuseaddr", "--listen=127.0.0.1", fmt.Sprintf("--port=%d", port),
		"--export-all", "--enable=receive-pack", "--base-path="+root)
	roundTrip(t, fmt.Sprintf("git://127.0.0.1:%d/r.git", port), repo)
}

func TestRemoteSSH(t *testing.T) {
	sshd := "/usr/sbin/sshd"
	if _, err := os.Stat(sshd); err != nil {
		t.Skip("openssh-server is not installed")
	}
	root := t.TempDir()
	repo := archivetest.NewBareRepository(t, filepath.Join(root, "r.git"))
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("SSH_AUTH_SOCK", "")
	os.Mkdir(filepath.Join(home, ".ssh"), 0o700)
	for _, key := range []string{filepath.Join(root, "hostkey"), filepath.Join(home, ".ssh", "mill")} {
		if out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key).CombinedOutput(); err != nil {
			t.Fatalf("ssh-keygen: %v\n%s", err, out)
		}
	}
	port := freePort(t)
	config := fmt.Sprintf("Port %d\nListenAddress 127.0.0.1\nHostKey %s/hostkey\nPidFile none\nAuthorizedKeysFile %s/.ssh/mill.pub\nStrictModes no\nUsePAM no\nPasswordAuthentication no\nKbdInteractiveAuthentication no\nPermitRootLogin yes\nSetEnv SHLVL=1\n", port, root, home)
	// SHLVL: else bash reads the start file of whoever runs the test, at each connection.
	file := filepath.Join(root, "sshd_config")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	if os.Getuid() == 0 {
		os.MkdirAll("/run/sshd", 0o755) // where sshd, started by root, drops its rights
	}
	serve(t, port, sshd, "-D", "-e", "-f", file)
	who, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(home, ".ssh", name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("config", fmt.Sprintf("Host museum\n  Hostname 127.0.0.1\n  Port %d\n  User %s\n  IdentityFile ~/.ssh/mill\n", port, who.Username))
	address := "ssh://museum" + repo

	// The host is not known yet, then it is another one: both are refused.
	a, _ := archivetest.NewLetters(t, 1)
	hostKey, err := os.ReadFile(filepath.Join(root, "hostkey.pub"))
	if err != nil {
		t.Fatal(err)
	}
	otherKey, err := os.ReadFile(filepath.Join(home, ".ssh", "mill.pub"))
	if err != nil {
		t.Fatal(err)
	}
	for _, known := range []string{"", fmt.Sprintf("[127.0.0.1]:%d %s", port, otherKey)} {
		write("known_hosts", known)
		_, err := custody.Push(t.Context(), a, address, custody.Transfer{})
		var failure *problem.Error
		if !errors.As(err, &failure) || !strings.Contains(failure.Message, "host key is not known") {
			t.Errorf("push with known_hosts %q: %v", known, err)
		}
	}
	write("known_hosts", fmt.Sprintf("[127.0.0.1]:%d %s", port, hostKey))
	roundTrip(t, address, repo)

	// The same with the key in an agent, and in no file.
	withAgent(t, filepath.Join(home, ".ssh", "mill"))
	roundTrip(t, "ssh://museum"+archivetest.NewBareRepository(t, filepath.Join(root, "agent.git")), filepath.Join(root, "agent.git"))
	t.Setenv("SSH_AUTH_SOCK", "")
	_, err = custody.Push(t.Context(), a, address, custody.Transfer{})
	refusedWith(t, "no key", err, "no key in the agent")
}

// TestPushGoesOn cuts the connection to a git daemon in the middle of a push,
// and expects the next push to go on.
func TestPushGoesOn(t *testing.T) {
	root := t.TempDir()
	repo := archivetest.NewBareRepository(t, filepath.Join(root, "r.git"))
	port := freePort(t)
	serve(t, port, filepath.Join(archivetest.Git(t, "", "--exec-path"), "git-daemon"), "--reuseaddr", "--listen=127.0.0.1", fmt.Sprintf("--port=%d", port),
		"--export-all", "--enable=receive-pack", "--base-path="+root)
	for _, after := range []int64{0, 50, 700, 3000} {
		cut := cutting(t, port, after)
		a, _ := archivetest.NewLetters(t, 3)
		os.RemoveAll(repo)
		archivetest.NewBareRepository(t, repo)
		if _, err := custody.Push(t.Context(), a, fmt.Sprintf("git://127.0.0.1:%d/r.git", cut), custody.Transfer{Stall: 5 * time.Second}); err == nil {
			t.Errorf("a push that was cut after %d bytes came through", after)
		}
		archivetest.Git(t, repo, "fsck", "--strict")
		address := fmt.Sprintf("git://127.0.0.1:%d/r.git", port)
		if r, err := custody.Push(t.Context(), a, address, custody.Transfer{Stall: 5 * time.Second}); err != nil || r.Seq != 3 {
			t.Errorf("the next push: %+v, %v", r, err)
		}
		// And the same for a clone.
		dir := filepath.Join(t.TempDir(), "copy")
		if _, err := custody.Clone(context.Background(), fmt.Sprintf("git://127.0.0.1:%d/r.git", cut), dir, custody.CloneOptions{Transfer: custody.Transfer{Stall: 5 * time.Second}}, a.World()); after < 700 && err == nil {
			t.Errorf("a clone that was cut after %d bytes came through", after)
		} else if _, e := os.Stat(dir); err != nil && e == nil {
			t.Errorf("a clone that was cut left its folder")
		}
	}
}

// TestPushInBatches moves the remote's branch after each snapshot when no two of
// them fit, and stops where it is stopped.
func TestPushInBatches(t *testing.T) {
	a, _ := archivetest.NewLetters(t, 4)
	repo := archivetest.NewBareRepository(t, filepath.Join(t.TempDir(), "r.git"))
	archivetest.Git(t, repo, "config", "core.logAllRefUpdates", "true")
	r, err := custody.PushInBatches(t.Context(), a, repo, 1)
	if err != nil {
		t.Fatal(err)
	}
	if moves := strings.Count(archivetest.Git(t, repo, "reflog", "show", "main"), "\n") + 1; moves != 4 || r.Snapshots != 4 {
		t.Errorf("%d moves of the branch for %d snapshots", moves, r.Snapshots)
	}
	archivetest.Git(t, repo, "fsck", "--strict")
}

// cutting is a proxy to a port that drops the connection when it has passed so
// many bytes in either direction.
func cutting(t *testing.T, to int, after int64) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", to))
			if err != nil {
				in.Close()
				continue
			}
			pass := func(dst, src net.Conn) {
				io.CopyN(dst, src, after+200) // the greeting passes
				in.Close()
				out.Close()
			}
			go pass(out, in)
			go pass(in, out)
		}
	}()
	return l.Addr().(*net.TCPAddr).Port
}
