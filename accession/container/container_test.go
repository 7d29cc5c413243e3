package container

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The files of a container come out as they went in, in stored order, read in
// any order.
func TestOrdinary(t *testing.T) {
	for format, data := range map[Format][]byte{
		Zip: ordinaryZip(t), Tar: ordinaryTar(t), TarGz: gzipped(t, ordinaryTar(t)),
	} {
		path := filepath.Join(t.TempDir(), "named.something")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := Open(context.Background(), path)
		if err != nil {
			t.Fatal(format, err)
		}
		if r.Format() != format || len(r.Entries()) != len(letters) || len(r.Skipped()) != 0 || r.Document() != "" {
			t.Fatalf("%s: opened as %s with %d entries, %v", format, r.Format(), len(r.Entries()), r.Skipped())
		}
		for _, i := range []int{0, 1, 2, 3, 4, 3, 1, 4, 0} {
			e := r.Entries()[i]
			body, err := readAll(e)
			if err != nil || e.Name != letters[i].name || e.Index() != i || string(body) != letters[i].body {
				t.Errorf("%s: entry %d is %q with %d bytes, %v", format, i, e.Name, len(body), err)
			}
		}
		e := r.Entries()[4]
		rc, err := e.Open()
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		if _, err := io.ReadAll(rc); err == nil {
			t.Errorf("%s: read from a closed container", format)
		}
		if _, err := e.Open(); !errors.Is(err, errClosed) {
			t.Errorf("%s: opened in a closed container: %v", format, err)
		}
	}
}

// Entries may be read at the same time.
func TestConcurrent(t *testing.T) {
	r, err := open(gzipped(t, ordinaryTar(t)))
	if err != nil {
		t.Fatal(err)
	}
	errs := make(chan error)
	for range 8 {
		go func() {
			for i, e := range r.Entries() {
				if body, err := readAll(e); err != nil || string(body) != letters[i].body {
					errs <- fmt.Errorf("%q: %d bytes, %v", e.Name, len(body), err)
					return
				}
			}
			errs <- nil
		}()
	}
	for range 8 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	if len(r.idle) > maxIdle {
		t.Errorf("%d idle streams, at most %d", len(r.idle), maxIdle)
	}
}

// Anything that is no container says so with one error, whatever its name.
func TestFormat(t *testing.T) {
	none := []string{"", "x", "plain text\n", "PK", "\x1f\x8b", string(make([]byte, 4096)), string(gzipped(t, []byte("text"))), "%PDF-1.7"}
	for _, s := range none {
		if _, err := open([]byte(s)); !errors.Is(err, ErrFormat) {
			t.Errorf("%.20q: %v", s, err)
		}
	}
	if _, err := Open(context.Background(), t.TempDir()); err == nil {
		t.Error("a folder was opened")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, data := range [][]byte{ordinaryZip(t), ordinaryTar(t), gzipped(t, ordinaryTar(t))} {
		if _, err := New(ctx, bytes.NewReader(data), int64(len(data))); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: %v", err)
		}
	}
}

// A zip that is one document is named as one.
func TestDocument(t *testing.T) {
	for want, members := range map[string][]member{
		"application/epub+zip":                   {{name: "mimetype", body: []byte("application/epub+zip")}, ok},
		"application/vnd.openxmlformats-package": {{name: "[Content_Types].xml", body: []byte("<Types/>")}, ok},
		"application/java-archive":               {{name: "META-INF/"}, {name: "META-INF/MANIFEST.MF", body: []byte("x")}},
		"":                                       {ok, {name: "mimetype", body: []byte("application/x")}},
	} {
		r, err := open(buildZip(t, zipPlan{}, members...))
		if err != nil {
			t.Fatal(err)
		}
		if r.Document() != want {
			t.Errorf("document %q, want %q", r.Document(), want)
		}
	}
}

// What asks for more than a limit is refused, before it is read where its
// header tells, else at the limit.
func TestLimits(t *testing.T) {
	small := limits{entries: 3, names: 1000, total: 1 << 20, ratio: 10, free: 4096, directory: 400}
	var many []member
	var tars []byte
	for i := range 4 {
		many = append(many, named(fmt.Sprintf("%d.txt", i)))
		tars = append(tars, tarFile(fmt.Sprintf("%d.txt", i), "x")...)
	}
	zeros := member{name: "z", method: zip.Deflate, body: make([]byte, 100_000)}
	bomb := append(tarFile("z", string(make([]byte, 100_000))), tarEnd...)
	longNames := append(join(tarEntry('L', "l", strings.Repeat("n", 500), nil), tarFile("a", "1"), tarEntry('L', "l", strings.Repeat("m", 501), nil), tarFile("a", "1")), tarEnd...)
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"zip entries", buildZip(t, zipPlan{}, many...), "zip: 4 entries, at most 3 are read"},
		{"zip directory", buildZip(t, zipPlan{}, named(strings.Repeat("n", 500))), "zip: a directory of 546 bytes, at most 400 are read"},
		{"zip ratio", buildZip(t, zipPlan{}, zeros), "zip: 218 bytes expand to 100000, at most 4096 are read"},
		{"tar entries", append(tars, tarEnd...), "tar: header at byte 3072: more than 3 entries, or than 1000 bytes of names"},
		{"tar names", longNames, "tar: header at byte 2048: more than 3 entries, or than 1000 bytes of names"},
		{"tar total", append(header('0', "a", 2<<20, nil), tarEnd...), `tar: header at byte 0: "a" declares 2097152 bytes, at most 1048576 are read`},
		{"gzip ratio", gzipped(t, bomb), `tar.gz: header at byte 0: "z" of 100000 bytes: expands to more than 4096 bytes`},
	} {
		if _, err := openWithin(c.data, small); fmt.Sprint(err) != c.want {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

// A gigabyte of zeros in a megabyte is not expanded.
func TestBomb(t *testing.T) {
	var b bytes.Buffer
	b.Write(gzipped(t, header('0', "zeros", 4<<30, nil)))
	b.Write(bytes.Repeat(gzipped(t, make([]byte, 4<<20)), 256))
	start := time.Now()
	_, err := open(b.Bytes())
	if err == nil || !strings.Contains(err.Error(), "expands to more than") {
		t.Errorf("a bomb of %d bytes: %v", b.Len(), err)
	}
	t.Logf("%d bytes refused in %v: %v", b.Len(), time.Since(start), err)
}

// Files that were cut off or have a bit turned give a clear result each: they
// are refused, or their entries are read or give an error. Where the container
// has checksums, nothing comes out that did not go in.
func TestDamaged(t *testing.T) {
	bodies := map[string]bool{}
	for _, l := range letters {
		bodies[l.body] = true
	}
	for _, kind := range []struct {
		name   string
		data   []byte
		summed bool
	}{
		{"zip", ordinaryZip(t), true}, {"tar", ordinaryTar(t), false}, {"tar.gz", gzipped(t, ordinaryTar(t)), true},
	} {
		rnd := rand.New(rand.NewPCG(1, 2))
		refused, unread, whole, ran := 0, 0, 0, 0
		for i := range 1000 {
			ran++
			data := bytes.Clone(kind.data)
			if i%2 == 0 {
				data = data[:rnd.IntN(len(data))]
			} else {
				data[rnd.IntN(len(data))] ^= 1 << rnd.IntN(8)
			}
			r, err := open(data)
			if err != nil {
				if err.Error() == "" {
					t.Errorf("%s %d: refused without a reason", kind.name, i)
				}
				refused++
				continue
			}
			if i%2 == 0 {
				t.Errorf("%s %d: cut off after %d of %d bytes and not refused", kind.name, i, len(data), len(kind.data))
			}
			bad := false
			for _, e := range r.Entries() {
				body, err := readAll(e)
				if err != nil {
					bad = true
				} else if kind.summed && !bodies[string(body)] {
					t.Errorf("%s %d: %q reads as other bytes", kind.name, i, e.Name)
				}
			}
			if bad || len(r.Skipped()) > 0 {
				unread++
			} else {
				whole++
			}
		}
		if ran != 1000 {
			t.Errorf("%s: %d files tried, want 1000", kind.name, ran)
		}
		t.Logf("%s: 1000 damaged files, %d refused, %d with entries that are skipped or fail, %d read", kind.name, refused, unread, whole)
	}
}

// What the usual tools write is read as they list it.
func TestTools(t *testing.T) {
	dir := t.TempDir()
	want := map[string]string{}
	long := strings.Repeat("folder-with-a-long-name/", 5) + strings.Repeat("f", 90)
	for name, body := range map[string]string{"a.txt": "one\n", "sub/ü.txt": "zwei\n", "sub/empty": "", long: "deep\n", "big.bin": strings.Repeat("0123456789", 30_000)} {
		want["in/"+name] = body
		file := filepath.Join(dir, "in", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var missing []string
	for _, command := range []string{
		"zip -qr out in", "zip -qr0 out in", "zip -qr - in | cat > out.zip", "zip -qr -fz out in",
		"tar -cf out --format=ustar in", "tar -cf out --format=gnu in", "tar -cf out --format=pax in", "tar -czf out in",
		"tar -cf out ./in", "tar -cf out --format=posix --sparse in",
	} {
		tool, _, _ := strings.Cut(command, " ")
		if strings.Contains(command, "zip ") {
			tool = "zip"
		}
		if _, err := exec.LookPath(tool); err != nil {
			missing = append(missing, command)
			continue
		}
		for _, name := range []string{"out", "out.zip"} {
			os.Remove(filepath.Join(dir, name))
		}
		cmd := exec.Command("sh", "-c", command)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", command, err, out)
		}
		path := filepath.Join(dir, "out")
		if _, err := os.Stat(path); err != nil {
			path += ".zip"
		}
		r, err := Open(context.Background(), path)
		if err != nil {
			t.Errorf("%s: %v", command, err)
			continue
		}
		got := map[string]string{}
		for _, e := range r.Entries() {
			body, err := readAll(e)
			if err != nil {
				t.Errorf("%s: %v", command, err)
			}
			got[e.Path] = string(body)
		}
		if d := cmp.Diff(want, got); d != "" || len(r.Skipped()) > 0 {
			t.Errorf("%s: %v %s", command, r.Skipped(), d)
		}
		r.Close()
	}
	if len(missing) > 0 {
		t.Skipf("not tried, as their programs are not installed: %s", strings.Join(missing, "; "))
	}
}
