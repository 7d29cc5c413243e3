package main

import (
	"context"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"muniment/archive/payloads/gateway"
)

// startGateway starts an S3 server for a test.
func startGateway(t *testing.T, p *place) *gateway.Gateway {
	t.Helper()
	path, err := gateway.Build(t.Context())
	if err != nil {
		t.Skipf("no S3 server: %v", err)
	}
	g, err := gateway.Start(context.Background(), path, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.Stop)
	p.env["AWS_ACCESS_KEY_ID"], p.env["AWS_SECRET_ACCESS_KEY"] = g.Access, g.Secret
	return g
}

// stored returns the objects of a bucket, by file, with their sizes.
func stored(t *testing.T, g *gateway.Gateway) map[string]int64 {
	out := map[string]int64{}
	err := filepath.WalkDir(filepath.Join(g.Folder, "vale"), func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		info, err := e.Info()
		out[path] = info.Size()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// scan returns n bytes of a picture that no reader knows.
func scan(n int, seed byte) string {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{seed}).Read(b)
	return "\x00scan" + string(b)
}

// An archive whose large files lie in a bucket: they are added, read, verified, pushed,
// cloned and withdrawn, and nothing that is wrong in the bucket is delivered.
func TestPayloadStore(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	g := startGateway(t, p)
	small, large, stream := scan(100_000, 1), scan(9<<20, 2), scan(33<<20, 3)
	p.write("small.bin", small)
	p.write("large.bin", large)
	p.write("stream.bin", stream)
	p.write("page.html", "<html><body><p>The harbour froze.</p><!-- "+strings.Repeat("x", 200_000)+" --></body></html>")
	p.write("letter.txt", "Dear Ben,\n\nthe harbour froze.\n")
	p.must("key", "new")
	p.must("init", "a")
	address := "s3://" + g.Bucket + "/vale"
	p.must("-C", "a", "remote", "payloads", address, "--endpoint", g.Endpoint, "--above", "64KiB")
	r := p.must("-C", "a", "add", "small.bin", "large.bin", "stream.bin", "page.html", "letter.txt", "--json")
	if n := strings.Count(r.stdout, `"elsewhere":`); n != 4 {
		t.Errorf("%d files went to the store, want 4", n)
	}
	p.must("-C", "a", "snapshot", "-m", "one")
	if files := len(stored(t, g)); files < 1+2+5 {
		t.Errorf("%d objects in the store", files)
	}
	for name, want := range map[string]string{"small.bin": small, "large.bin": large, "stream.bin": stream} {
		if got := p.must("-C", "a", "cat", name); got.stdout != want {
			t.Errorf("cat %s: %d bytes, want %d", name, len(got.stdout), len(want))
		}
	}
	if got := p.must("-C", "a", "show", "page.html"); !strings.Contains(got.stdout, "elsewhere") || !strings.Contains(got.stdout, address) {
		t.Errorf("show says nothing of the store: %s", got.stdout)
	}
	if got := p.must("-C", "a", "cat", "page.html", "--original"); !strings.HasSuffix(got.stdout, "--></body></html>") {
		t.Errorf("the original of the page: %d bytes", len(got.stdout))
	}
	if info, err := exec.Command("git", "-C", p.path("a/archive.git"), "fsck", "--full", "--strict").CombinedOutput(); err != nil {
		t.Errorf("git fsck: %v: %s", err, info)
	}
	// Under another name, nothing is sent and nothing lies side by side.
	p.write("again.bin", small)
	p.must("-C", "a", "add", "again.bin")
	p.must("-C", "a", "remote", "payloads", "--forget")
	p.write("third.bin", small)
	p.must("-C", "a", "add", "third.bin")
	p.must("-C", "a", "snapshot", "-m", "two")
	v := p.run("-C", "a", "verify")
	if v.code != 3 || !strings.Contains(v.stdout, "4 payloads of") || strings.Contains(v.stdout, "FAIL") {
		t.Errorf("verify without the store: exit %d\n%s", v.code, v.stdout)
	}
	if got := p.run("-C", "a", "cat", "small.bin"); got.code == 0 || !strings.Contains(got.stderr, "remote payloads") {
		t.Errorf("cat without the store: exit %d, %s", got.code, got.stderr)
	}
	// A clone from a git host has the pointers, and reads the store that it names.
	p.must("clone", "a/archive.git", "b")
	p.must("-C", "b", "remote", "payloads", address, "--endpoint", g.Endpoint)
	v = p.run("-C", "b", "verify", "--remote-payloads", "--json")
	if axis := "\"payloads elsewhere\""; !strings.Contains(v.stdout, axis) || strings.Contains(v.stdout, `"FAIL"`) || strings.Contains(v.stdout, "absent here") {
		t.Errorf("verify --remote-payloads: exit %d\n%s", v.code, v.stdout)
	}
	p.must("-C", "b", "fixity", "--remote-payloads")
	if got := p.must("-C", "b", "cat", "large.bin"); got.stdout != large {
		t.Errorf("cat in the clone: %d bytes", len(got.stdout))
	}
	// Damage in the bucket is found, named and never delivered.
	file := ""
	for path, size := range stored(t, g) {
		if size == int64(len(small)) {
			file = path
		}
	}
	if err := os.WriteFile(file, []byte(scan(100_000, 9)), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"cat", "small.bin"}, {"verify", "--remote-payloads"}, {"fixity", "--remote-payloads"}} {
		if got := p.run(append([]string{"-C", "b"}, args...)...); got.code != 1 || got.stdout == scan(100_000, 9) {
			t.Errorf("%v of wrong bytes: exit %d, %s", args, got.code, got.stderr)
		}
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if got := p.run("-C", "b", "verify", "--remote-payloads"); got.code != 1 || !strings.Contains(got.stdout, "absent") {
		t.Errorf("verify of an absent object: exit %d\n%s", got.code, got.stdout)
	}
	// Who still has the file brings it back.
	p.must("-C", "b", "repair", "--payloads", p.path("small.bin"))
	if got := p.must("-C", "b", "cat", "small.bin"); got.stdout != small {
		t.Errorf("cat after the repair: %d bytes", len(got.stdout))
	}
	p.must("-C", "a", "withdraw", "large.bin", "--reason", "asked", "--authority", "the family")
	p.must("-C", "a", "snapshot", "-m", "three")
	if v := p.run("-C", "a", "verify"); v.code != 3 || !strings.Contains(v.stdout, "3 payloads of") {
		t.Errorf("verify after a withdrawal: exit %d\n%s", v.code, v.stdout)
	}
}

// Where the store cannot be reached, add stages nothing, and says so in two lines.
func TestPayloadStoreAway(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	g := startGateway(t, p)
	p.write("small.bin", scan(100_000, 1))
	p.must("key", "new")
	p.must("init", "a")
	p.must("-C", "a", "remote", "payloads", "s3://"+g.Bucket, "--endpoint", g.Endpoint, "--above", "64KiB")
	g.Stop()
	r := p.run("-C", "a", "add", "small.bin")
	if r.code == 0 || strings.Count(strings.TrimSpace(r.stderr), "\n") != 1 || strings.Contains(r.stderr, g.Secret) {
		t.Errorf("exit %d: %s", r.code, r.stderr)
	}
	if r := p.must("-C", "a", "ls", "--json"); strings.Contains(r.stdout, "small.bin") {
		t.Errorf("it is staged: %s", r.stdout)
	}
	delete(p.env, "AWS_ACCESS_KEY_ID")
	if r := p.run("-C", "a", "add", "small.bin"); r.code == 0 || !strings.Contains(r.stderr, "AWS_ACCESS_KEY_ID") {
		t.Errorf("without credentials: exit %d: %s", r.code, r.stderr)
	}
	for _, args := range [][]string{{"museum"}, {"s3://museum", "--above", "1KB"}, {"s3://museum", "--above", "many"}, {"s3://museum", "--endpoint", "http://s3.example.org"}} {
		if r := p.run(append([]string{"-C", "a", "remote", "payloads"}, args...)...); r.code != 2 {
			t.Errorf("%v: exit %d", args, r.code)
		}
	}
}
