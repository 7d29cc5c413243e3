package answerlog

import (
	"bytes"
	"crypto/ed25519"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/mod/sumdb/tlog"

	"muniment/bundle"
	"muniment/cid"
	"muniment/cid/merkle"
	"muniment/sign"
)

var _ bundle.Appender = (*Log)(nil)

var archive = cid.OfJSON([]byte("archive"))

type seedKey struct{ private ed25519.PrivateKey }

func newKey(b byte) seedKey {
	return seedKey{ed25519.NewKeyFromSeed(bytes.Repeat([]byte{b}, ed25519.SeedSize))}
}

func (s seedKey) Key() sign.Key {
	k, err := sign.KeyOf([32]byte(s.private.Public().(ed25519.PublicKey)))
	if err != nil {
		panic(err)
	}
	return k
}

func (s seedKey) SignSSH(data []byte) ([]byte, error) {
	wire := func(b []byte, v []byte) []byte {
		return append(binary.BigEndian.AppendUint32(b, uint32(len(v))), v...)
	}
	return wire(wire(nil, []byte(sign.TypeEd25519)), ed25519.Sign(s.private, data)), nil
}

func open(t *testing.T, dir string) *Log {
	t.Helper()
	l, err := Open(dir, newKey('l'), archive)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// add appends entry n and checks its proof; it returns index and checkpoint.
func add(t *testing.T, l *Log, n int) (int64, sign.Checkpoint) {
	t.Helper()
	entry := [32]byte{byte(n), byte(n >> 8), 1}
	data, err := l.Append(entry)
	if err != nil {
		t.Fatal(err)
	}
	p, err := sign.ParseLogProof(data)
	if err != nil {
		t.Fatal(err)
	}
	c, err := p.Verify(entry[:], l.signer.Key())
	if err != nil {
		t.Fatal(err)
	}
	return p.Index, c
}

func head(t *testing.T, l *Log) sign.Checkpoint {
	t.Helper()
	c, err := l.Head()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestAppend(t *testing.T) {
	l := open(t, t.TempDir())
	if c := head(t, l); c.Size != 0 || c.Root != merkle.Root(nil) || c.Origin != sign.AnswerOrigin(archive, newKey('l').Key().ID(), 1) {
		t.Errorf("head of an empty log: %+v", c)
	}
	var hashes []merkle.Hash
	for n := range 70 {
		before := head(t, l)
		index, c := add(t, l, n)
		entry := [32]byte{byte(n), byte(n >> 8), 1}
		hashes = append(hashes, merkle.LeafHash(entry[:]))
		if index != int64(n) || c.Size != int64(n+1) || c.Root != merkle.Root(hashes) || before.Size != int64(n) {
			t.Fatalf("entry %d: index %d, %+v, head before %+v", n, index, c, before)
		}
		if got := head(t, l); got != c {
			t.Fatalf("head %+v, the checkpoint says %+v", got, c)
		}
	}
	// Another process sees the same log.
	if index, _ := add(t, open(t, filepath.Dir(filepath.Dir(l.dir))), 70); index != 70 {
		t.Errorf("index %d, want 70", index)
	}
}

// Concurrent answers from two openings of one folder each get an index of
// their own.
func TestConcurrent(t *testing.T) {
	dir := t.TempDir()
	logs := []*Log{open(t, dir), open(t, dir)}
	const each = 40
	var mu sync.Mutex
	seen := make(map[int64]bool)
	var wg sync.WaitGroup
	for i, l := range logs {
		for n := range each {
			wg.Go(func() {
				index, _ := add(t, l, i*each+n)
				mu.Lock()
				defer mu.Unlock()
				if seen[index] {
					t.Errorf("index %d given twice", index)
				}
				seen[index] = true
			})
		}
	}
	wg.Wait()
	if c := head(t, logs[0]); c.Size != 2*each || len(seen) != 2*each {
		t.Errorf("size %d, %d indexes, want %d", c.Size, len(seen), 2*each)
	}
}

// file returns the path of a file of the first epoch.
func file(l *Log, name string) string { return filepath.Join(l.dir, "1", name) }

func TestRecovery(t *testing.T) {
	const had = 5
	cases := []struct {
		name   string
		damage func(t *testing.T, l *Log)
		epoch  string // of the next answer
		index  int64
	}{
		{"nothing happened", func(*testing.T, *Log) {}, "/1", had},
		{"torn entry", func(t *testing.T, l *Log) { grow(t, file(l, "entries"), 20) }, "/1", had},
		{"crash before the checkpoint", func(t *testing.T, l *Log) { grow(t, file(l, "entries"), 64) }, "/1", had + 2},
		{"crash before the hashes", func(t *testing.T, l *Log) { grow(t, file(l, "entries"), 32); cut(t, file(l, "hashes"), 0) }, "/1", had + 1},
		{"hashes gone", func(t *testing.T, l *Log) { remove(t, file(l, "hashes")) }, "/1", had},
		{"hashes damaged", func(t *testing.T, l *Log) { flip(t, file(l, "hashes")) }, "/1", had},
		{"hashes too many", func(t *testing.T, l *Log) { grow(t, file(l, "hashes"), 96) }, "/1", had},
		{"half a checkpoint beside", func(t *testing.T, l *Log) {
			if err := os.WriteFile(file(l, "checkpoint.new"), []byte("muni"), 0o600); err != nil {
				t.Fatal(err)
			}
		}, "/1", had},
		{"checkpoint gone", func(t *testing.T, l *Log) { remove(t, file(l, "checkpoint")) }, "/2", 0},
		{"checkpoint empty", func(t *testing.T, l *Log) { cut(t, file(l, "checkpoint"), 0) }, "/2", 0},
		{"checkpoint damaged", func(t *testing.T, l *Log) { flip(t, file(l, "checkpoint")) }, "/2", 0},
		{"entries cut", func(t *testing.T, l *Log) { cut(t, file(l, "entries"), (had-1)*32) }, "/2", 0},
		{"entries damaged", func(t *testing.T, l *Log) { flip(t, file(l, "entries")); remove(t, file(l, "hashes")) }, "/2", 0},
		{"entries gone", func(t *testing.T, l *Log) { remove(t, file(l, "entries")) }, "/2", 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			l := open(t, t.TempDir())
			for n := range had {
				add(t, l, n)
			}
			c.damage(t, l)
			before := head(t, l)
			index, after := add(t, l, 99)
			if index != c.index || !strings.HasSuffix(after.Origin, c.epoch) {
				t.Errorf("index %d in %s, want %d in epoch %s", index, after.Origin, c.index, c.epoch)
			}
			if before.Size != index || before.Origin != after.Origin {
				t.Errorf("head %+v before entry %d of %s", before, index, after.Origin)
			}
			if index, _ := add(t, l, 100); index != c.index+1 {
				t.Errorf("the entry after has the index %d, want %d", index, c.index+1)
			}
		})
	}
}

func TestLogsAreApart(t *testing.T) {
	dir := t.TempDir()
	add(t, open(t, dir), 1)
	other, err := Open(dir, newKey('o'), archive)
	if err != nil {
		t.Fatal(err)
	}
	elsewhere, err := Open(dir, newKey('l'), cid.OfJSON([]byte("another archive")))
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range []*Log{other, elsewhere} {
		if index, _ := add(t, l, 1); index != 0 {
			t.Errorf("index %d, want 0", index)
		}
	}
	if _, err := Open(dir, newKey('l'), cid.Of([]byte("x"))); err == nil {
		t.Error("a raw id was taken for an archive")
	}
}

func TestEntriesAreTheLog(t *testing.T) {
	l := open(t, t.TempDir())
	var want merkle.Hash
	for n := range 9 {
		_, c := add(t, l, n)
		want = c.Root
	}
	entries, err := os.ReadFile(file(l, "entries"))
	if err != nil {
		t.Fatal(err)
	}
	var hashes []merkle.Hash
	for e := range len(entries) / 32 {
		hashes = append(hashes, merkle.LeafHash(entries[e*32:(e+1)*32]))
	}
	if len(hashes) != 9 || merkle.Root(hashes) != want {
		t.Errorf("%d entries with root %x, the checkpoint says %x", len(hashes), merkle.Root(hashes), want)
	}
	info, err := os.Stat(file(l, "hashes"))
	if err != nil || info.Size() != tlog.StoredHashCount(9)*32 {
		t.Errorf("hashes: %v %v", info, err)
	}
}

func grow(t *testing.T, path string, n int) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(data, bytes.Repeat([]byte{7}, n)...), 0o600); err != nil {
		t.Fatal(err)
	}
}

func cut(t *testing.T, path string, n int64) {
	t.Helper()
	if err := os.Truncate(path, n); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

func flip(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func BenchmarkAppend(b *testing.B) {
	l, err := Open(b.TempDir(), newKey('l'), archive)
	if err != nil {
		b.Fatal(err)
	}
	for n := 0; b.Loop(); n++ {
		if _, err := l.Append([32]byte{byte(n), byte(n >> 8), byte(n >> 16)}); err != nil {
			b.Fatal(err)
		}
	}
}

// A log that was put back from an older copy, in whole or with its folder gone, is named, gives no index for the second
// time, and begins the next epoch; a newer one that comes back goes on.
func TestSetBack(t *testing.T) {
	for name, setBack := range map[string]func(dir, older string) error{
		"older": func(dir, older string) error { return errors.Join(os.RemoveAll(dir), os.CopyFS(dir, os.DirFS(older))) },
		"gone":  func(dir, _ string) error { return os.RemoveAll(dir) },
	} {
		root := t.TempDir()
		dir, older, newer := filepath.Join(root, "log"), filepath.Join(root, "older"), filepath.Join(root, "newer")
		archive := cid.OfJSON([]byte("an archive"))
		appendNext := func(n byte) string {
			t.Helper()
			l, err := Open(dir, newKey('l'), archive)
			if err != nil {
				t.Fatal(err)
			}
			text, err := l.Append([32]byte{n})
			if err != nil {
				t.Fatal(err)
			}
			p, err := sign.ParseLogProof(text)
			if err != nil {
				t.Fatal(err)
			}
			c, err := sign.ReadCheckpoint(p.Note)
			if err != nil {
				t.Fatal(err)
			}
			return fmt.Sprintf("%s %d", c.Origin[strings.LastIndex(c.Origin, "/")+1:], p.Index)
		}
		check := func(want int) {
			t.Helper()
			found, err := Check(dir, archive, func(string) sign.Key { return newKey('l').Key() })
			if err != nil || len(found) != want {
				t.Errorf("%s: %d of %q, %v, want %d", name, len(found), found, err, want)
			}
		}
		appendNext(1)
		if err := os.CopyFS(older, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		if at := appendNext(2); at != "1 1" {
			t.Fatal(at)
		}
		check(0)
		if err := errors.Join(os.CopyFS(newer, os.DirFS(dir)), setBack(dir, older)); err != nil {
			t.Fatal(err)
		}
		check(1)
		l, err := Open(dir, newKey('l'), archive)
		if err != nil {
			t.Fatal(err)
		}
		if said, err := l.Lost(); err != nil || !strings.Contains(said, "epoch 2 begins") {
			t.Errorf("%s: %q, %v", name, said, err)
		}
		if at := appendNext(3); at != "2 0" {
			t.Errorf("%s: the next answer is at %s, want epoch 2, 0", name, at)
		}
		if name == "older" {
			check(1) // its last entries are still gone
		}
		lines, err := AcceptSetBack(dir, archive)
		if err != nil || len(lines) != 1 {
			t.Errorf("%s: %q, %v", name, lines, err)
		}
		if at := appendNext(4); at != "2 1" {
			t.Errorf("%s: after it was accepted, the next answer is at %s", name, at)
		}
		if err := errors.Join(os.RemoveAll(dir), os.CopyFS(dir, os.DirFS(newer))); err != nil {
			t.Fatal(err)
		}
		if at := appendNext(5); at != "3 0" {
			t.Errorf("%s: with the first log back, the next answer is at %s, want epoch 3, 0", name, at)
		}
	}
}
