package bagit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"muniment/accession/container"
)

var now = time.Date(2024, 2, 29, 23, 0, 0, 0, time.FixedZone("", -7200))

// payloads are files in memory, as an iterator.
func payloads(files [][2]string) iter.Seq2[Payload, error] {
	return func(yield func(Payload, error) bool) {
		for _, f := range files {
			open := func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(f[1])), nil }
			if !yield(Payload{Name: f[0], Open: open}, nil) {
				return
			}
		}
	}
}

var hoard = [][2]string{
	{"letters/01.txt", "Dear Ada,\n"},
	{"letters/größe.txt", "Höhe\r\n"},
	{"empty", ""},
	{"scan.bin", "\x00\x01\xff"},
	{"50% of it.txt", "percent"},
	{"two\nlines\r.txt", "line ends"},
	{"~home", "tilde"},
}

var hoardOptions = Options{
	Now:  now,
	Info: []Field{{"Source-Organization", "The Letters"}, {"External-Description", "one\ntwo"}, {"Contact-Name", "A"}, {"Contact-Name", "B"}},
	Tags: []Payload{{Name: "metadata/records.json", Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("{}")), nil }}},
}

func write(t *testing.T, dir string) *Written {
	t.Helper()
	w, err := Write(context.Background(), dir, payloads(hoard), hoardOptions)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// tree reads every file below dir.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		files[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// What is written is valid, holds the payloads byte for byte, says what it
// should, and is the same the next time.
func TestWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "bag")
	w := write(t, dir)
	if w.Octets != 41 || w.Streams != 7 || len(w.Warnings) != 3 {
		t.Errorf("written %+v", w)
	}
	var last, total int64
	r, err := ValidateDir(context.Background(), dir, func(done, all int64) { last, total = done, all })
	if err != nil {
		t.Fatal(err)
	}
	if !r.Valid || !r.Complete || r.Verdict() != OK || len(r.Problems) != 0 || r.OK != 12 || r.NotChecked != 2 || last != total || total == 0 {
		t.Errorf("%d of %d bytes, %+v", last, total, r)
	}
	wantInfo := append(slices.Clone(hoardOptions.Info), Field{"Bagging-Date", "2024-03-01"}, Field{"Bag-Software-Agent", "Muniment"}, Field{"Payload-Oxum", "41.7"})
	if d := cmp.Diff(wantInfo, r.Info); d != "" {
		t.Error(d)
	}
	files := tree(t, dir)
	for _, f := range hoard {
		if got, ok := files["data/"+f[0]]; !ok || got != f[1] {
			t.Errorf("%q: %q, want %q", f[0], got, f[1])
		}
	}
	if len(r.Payload) != len(hoard) || r.Payload[0].Path != "data/50% of it.txt" || r.Payload[0].State != OK || r.Octets != 41 {
		t.Errorf("payload %+v", r.Payload)
	}
	for _, want := range []string{"data/50%25 of it.txt\n", "data/two%0Alines%0D.txt\n"} {
		if !strings.Contains(files["manifest-sha256.txt"], want) {
			t.Errorf("no %q in %q", want, files["manifest-sha256.txt"])
		}
	}
	again := filepath.Join(t.TempDir(), "bag")
	write(t, again)
	if d := cmp.Diff(files, tree(t, again)); d != "" {
		t.Error(d)
	}
}

// A bag that was read is written again from its payload with the same
// manifests.
func TestRoundTrip(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "bag")
	write(t, dir)
	r, err := ValidateDir(context.Background(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	second := filepath.Join(t.TempDir(), "second")
	_, err = Write(context.Background(), second, func(yield func(Payload, error) bool) {
		for _, f := range r.Payload {
			open := func() (io.ReadCloser, error) { return root.Open(f.Path) }
			if !yield(Payload{Name: strings.TrimPrefix(f.Path, "data/"), Open: open}, nil) {
				return
			}
		}
	}, hoardOptions)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(tree(t, dir), tree(t, second)); d != "" {
		t.Error(d)
	}
}

// The manifests are those that sha256sum and sha512sum check, and the usual
// packers pack a bag that is valid where it lies.
func TestTools(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "bag")
	plain := hoard[:4] // names that need no encoding
	if _, err := Write(context.Background(), dir, payloads(plain), Options{Now: now}); err != nil {
		t.Fatal(err)
	}
	var missing []string
	run := func(dir, name string, args ...string) bool {
		if _, err := exec.LookPath(name); err != nil {
			missing = append(missing, name)
			return false
		}
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s %v: %v\n%s", name, args, err, out)
			return false
		}
		return true
	}
	for _, a := range []string{"sha256", "sha512"} {
		run(dir, a+"sum", "--strict", "-c", "manifest-"+a+".txt", "tagmanifest-"+a+".txt")
	}
	for _, pack := range [][]string{{"zip", "-qr", "bag.zip", "bag"}, {"tar", "-cf", "bag.tar", "bag"}, {"tar", "-czf", "bag.tgz", "./bag"}} {
		if !run(parent, pack[0], pack[1:]...) {
			continue
		}
		r, err := ValidateSerialized(context.Background(), filepath.Join(parent, pack[2]), nil)
		if err != nil || !r.Valid || len(r.Problems) > 0 || len(r.Payload) != 4 {
			t.Errorf("%v: %+v, %v", pack, r, err)
		}
	}
	if len(missing) > 0 {
		t.Skipf("not installed, and not tried: %s", strings.Join(missing, ", "))
	}
}

// Whatever stops a writing leaves nothing behind.
func TestWriteStopped(t *testing.T) {
	broken := errors.New("broken source")
	ctx, cancel := context.WithCancel(context.Background())
	one := func(name string) [][2]string { return [][2]string{{name, "x"}} }
	for _, c := range []struct {
		name string
		seq  iter.Seq2[Payload, error]
		o    Options
		want string
	}{
		{"source", func(yield func(Payload, error) bool) {
			for p := range payloads(hoard[:1]) {
				yield(p, nil)
			}
			yield(Payload{}, broken)
		}, Options{Now: now}, "broken source"},
		{"open", func(yield func(Payload, error) bool) {
			yield(Payload{Name: "a", Open: func() (io.ReadCloser, error) { return nil, broken }}, nil)
		}, Options{Now: now}, `"a": broken source`},
		{"cancelled", func(yield func(Payload, error) bool) {
			for p := range payloads(hoard) {
				if !yield(p, nil) {
					return
				}
				cancel()
			}
		}, Options{Now: now}, `"letters/größe.txt": context canceled`},
		{"nothing", payloads(nil), Options{Now: now}, "no payload: there is nothing to put into the bag"},
		{"no time", payloads(one("a")), Options{}, "bag-info: no time given for Bagging-Date"},
		{"twice", payloads(append(one("a"), one("a")...)), Options{Now: now}, `"a" twice`},
		{"normalization", payloads(append(one("\u00e9"), one("e\u0301")...)), Options{Now: now}, "\"data/e\u0301\" differs from \"data/é\" only in Unicode normalization"},
		{"parent", payloads(one("../x")), Options{Now: now}, `"../x": the path leaves its folder: a part ".."`},
		{"absolute", payloads(one("/x")), Options{Now: now}, `"/x": an absolute path`},
		{"dot", payloads(one("./x")), Options{Now: now}, `"./x": want "x"`},
		{"backslash", payloads(one(`a\b`)), Options{Now: now}, `"a\\b": a backslash in the name, which some systems take for a separator`},
		{"not UTF-8", payloads(one("\xff")), Options{Now: now}, `"\xff": the name is not UTF-8`},
		{"tag in data", payloads(one("a")), Options{Now: now, Tags: []Payload{{Name: "data/x"}}}, `tag file "data/x": the payload lies there`},
		{"tag reserved", payloads(one("a")), Options{Now: now, Tags: []Payload{{Name: "Manifest-MD5.txt"}}}, `tag file "Manifest-MD5.txt": the name is reserved by BagIt`},
		{"label", payloads(one("a")), Options{Now: now, Info: []Field{{"a:b", "c"}}}, `bag-info "a:b": a label is not empty, has no colon and no line end, and no white space around it`},
		{"value", payloads(one("a")), Options{Now: now, Info: []Field{{"a", "b\n\nc"}}}, `bag-info "a": a line of the value is empty or indented`},
		{"own label", payloads(one("a")), Options{Now: now, Info: []Field{{"payload-oxum", "1.1"}}}, `bag-info "payload-oxum" is set by the writer`},
	} {
		parent := t.TempDir()
		use := context.Background()
		if c.name == "cancelled" {
			use = ctx
		}
		w, err := Write(use, filepath.Join(parent, "bag"), c.seq, c.o)
		if fmt.Sprint(err) != c.want || w != nil {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
		if left, err := os.ReadDir(parent); err != nil || len(left) != 0 {
			t.Errorf("%s: left %v, %v", c.name, left, err)
		}
	}
	dir := t.TempDir()
	if _, err := Write(context.Background(), dir, payloads(hoard), Options{Now: now}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("over an existing folder: %v", err)
	}
}

// Names that another system cannot hold are written, with a warning each.
func TestWriteWarnings(t *testing.T) {
	var files [][2]string
	for _, name := range []string{"a.txt", "A.txt", "COM1.log", "what?", "dot.", "sub/nul", "fine/normal.txt", "commander", "100%"} {
		files = append(files, [2]string{name, name})
	}
	w, err := Write(context.Background(), filepath.Join(t.TempDir(), "bag"), payloads(files), Options{Now: now})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`"data/A.txt" differs from "data/a.txt" only in case: Windows and macOS keep one of them`,
		`"data/COM1.log" cannot be unpacked on Windows: COM1 names a device`,
		`"data/what?" cannot be unpacked on Windows: one of < > : " | ? *`,
		`"data/dot." cannot be unpacked on Windows: a part ends with a dot or a space`,
		`"data/sub/nul" cannot be unpacked on Windows: NUL names a device`,
		`"data/100%" is percent-encoded in the manifests, as RFC 8493 wants it: sha256sum -c does not find it`,
	}
	if d := cmp.Diff(want, w.Warnings); d != "" {
		t.Error(d)
	}
}

// A packed bag that was cut off or has a bit turned is refused or not valid,
// unless the turned bit is in nothing that a bag vouches for.
func TestDamaged(t *testing.T) {
	files := map[string]string{}
	dir := filepath.Join(t.TempDir(), "bag")
	write(t, dir)
	for name, body := range tree(t, dir) {
		files[name] = body
	}
	data := bag(files).pack(t)
	rnd := rand.New(rand.NewPCG(3, 4))
	refused, bad, valid, ran := 0, 0, 0, 0
	for i := range 1000 {
		ran++
		d := bytes.Clone(data)
		if i%2 == 0 {
			d = d[:rnd.IntN(len(d))]
		} else {
			d[rnd.IntN(len(d))] ^= 1 << rnd.IntN(8)
		}
		r, err := container.New(context.Background(), bytes.NewReader(d), int64(len(d)))
		var report *Report
		if err == nil {
			report, err = ValidateContainer(context.Background(), r, nil)
		}
		switch {
		case err != nil:
			refused++
		case !report.Valid:
			bad++
			if len(report.Problems) == 0 {
				t.Errorf("%d: not valid, without a problem", i)
			}
		default:
			valid++
			if len(report.Payload) != len(hoard) || i%2 == 0 {
				t.Errorf("%d: valid with %d payload files", i, len(report.Payload))
			}
		}
	}
	t.Logf("1000 damaged bags: %d refused, %d not valid, %d valid (times and attributes)", refused, bad, valid)
	if ran != 1000 || refused+bad < 500 {
		t.Errorf("%d tried, %d refused, %d not valid", ran, refused, bad)
	}
}
