package keyfile_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"muniment/archive/keyfile"
	"muniment/objects/disk"
)

// write adds keys to the set in dir.
func write(t rapid.TB, dir string, mode keyfile.Mode, label string, keys []string) {
	w, err := keyfile.Begin(dir, disk.Hooks{}, mode)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range keys {
		if err := w.Add([]byte(k)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Commit(label); err != nil {
		t.Fatal(err)
	}
}

// scan returns the keys of a scan.
func scan(s *keyfile.Set, from, to string) ([]string, error) {
	var out []string
	for key, err := range s.Scan([]byte(from), []byte(to)) {
		if err != nil {
			return nil, err
		}
		out = append(out, string(key))
	}
	return out, nil
}

// A scan yields what a sorted list holds between its ends, however the keys came
// into the set.
func TestScan(t *testing.T) {
	compared := 0
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "keyfile")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		key := rapid.Custom(func(t *rapid.T) string {
			word := rapid.StringOfN(rapid.SampledFrom([]rune("ab\x00\u00ff")), 0, 6, -1).Draw(t, "word")
			return word + strings.Repeat("x", rapid.SampledFrom([]int{0, 0, 0, 900, 5000}).Draw(t, "long"))
		})
		want := map[string]bool{}
		rounds := rapid.IntRange(1, 5).Draw(t, "rounds")
		for i := range rounds {
			keys := rapid.SliceOfN(key, 0, 40).Draw(t, "keys")
			for _, k := range keys {
				want[k] = true
			}
			write(t, dir, keyfile.Mode(i == 0), fmt.Sprint("round ", i), keys)
		}
		s, err := keyfile.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if s.Label != fmt.Sprint("round ", rounds-1) {
			t.Fatalf("label %q", s.Label)
		}
		var more [][]byte
		for _, k := range rapid.SliceOfN(key, 0, 10).Draw(t, "in memory") {
			want[k] = true
			more = append(more, []byte(k))
		}
		with, err := s.With(more)
		if err != nil {
			t.Fatal(err)
		}
		from, to := key.Draw(t, "from"), key.Draw(t, "to")
		var sorted []string
		for k := range want {
			if k >= from && k[:min(len(k), len(to))] <= to {
				sorted = append(sorted, k)
			}
		}
		slices.Sort(sorted)
		got, err := scan(with, from, to)
		if err != nil || !slices.Equal(got, sorted) {
			t.Fatalf("scan from %q to %q: %d keys, want %d, %v", from, to, len(got), len(sorted), err)
		}
		compared += len(got)
	})
	if compared == 0 {
		t.Fatal("nothing was compared")
	}
}

// Many small additions lie in few tables, and what was merged is removed.
func TestTables(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, keyfile.Rebuild, "none", nil)
	const rounds, each = 300, 20
	most := 0
	for i := range rounds {
		var keys []string
		for k := range each {
			keys = append(keys, fmt.Sprintf("%08d", (i*each+k)*7919%1_000_003))
		}
		write(t, dir, keyfile.Extend, "more", keys)
		files, err := filepath.Glob(filepath.Join(dir, "*.keys"))
		if err != nil {
			t.Fatal(err)
		}
		most = max(most, len(files))
	}
	if most > 10 {
		t.Errorf("%d tables after %d additions, want log2 of them", most, rounds)
	}
	s, err := keyfile.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if got, err := scan(s, "", ""); err != nil || len(got) != rounds*each {
		t.Errorf("%d keys, want %d, %v", len(got), rounds*each, err)
	}
}

// More keys than a writer holds in memory become one sorted table.
func TestRuns(t *testing.T) {
	dir := t.TempDir()
	const n = 400_000
	w, err := keyfile.Begin(dir, disk.Hooks{}, keyfile.Rebuild)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		if err := w.Add(fmt.Appendf(nil, "%0100d", i*7919%n)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := keyfile.Begin(dir, disk.Hooks{}, keyfile.Extend); !errors.Is(err, keyfile.ErrBusy) {
		t.Errorf("a second writer: %v, want ErrBusy", err)
	}
	if err := w.Commit("runs"); err != nil {
		t.Fatal(err)
	}
	s, err := keyfile.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	i := 0
	for key, err := range s.Scan(nil, nil) {
		if err != nil || string(key) != fmt.Sprintf("%0100d", i) {
			t.Fatalf("key %d is %s, %v", i, key, err)
		}
		i++
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.keys"))
	if i != n || err != nil || len(files) != 1 {
		t.Errorf("%d keys in %d tables, want %d in one, %v", i, len(files), n, err)
	}
}

// A changed byte, a cut and another file are errors that are ErrDamaged, or change
// nothing that is read.
func TestDamage(t *testing.T) {
	dir := t.TempDir()
	var keys []string
	for i := range 2000 {
		keys = append(keys, fmt.Sprintf("key %d of two thousand", i))
	}
	write(t, dir, keyfile.Rebuild, "whole", keys)
	slices.Sort(keys)
	files := []string{filepath.Join(dir, "current"), filepath.Join(dir, "1.keys")}
	found := 0
	check := func(what string, data []byte) {
		s, err := keyfile.Open(dir)
		if err == nil {
			var got []string
			got, err = scan(s, "", "")
			s.Close()
			if err == nil && !slices.Equal(got, keys) {
				t.Fatalf("%s: %d other keys without an error", what, len(got))
			}
		}
		if err == nil {
			return
		}
		if found++; !errors.Is(err, keyfile.ErrDamaged) && !errors.Is(err, fs.ErrNotExist) {
			t.Fatalf("%s: %v is not ErrDamaged", what, err)
		}
	}
	for _, file := range files {
		whole, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		put := func(data []byte) {
			if err := os.WriteFile(file, data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		flips := 0
		for i := 0; i < len(whole); i += 1 + len(whole)/500 {
			bad := bytes.Clone(whole)
			bad[i] ^= 1 << (i % 8)
			put(bad)
			before := found
			check(fmt.Sprintf("%s with byte %d changed", file, i), bad)
			if flips++; found == before {
				t.Errorf("%s with byte %d changed: no error", file, i)
			}
			put(whole[:i])
			check(fmt.Sprintf("%s cut at %d", file, i), nil)
		}
		put([]byte("another file"))
		check(file+" replaced", nil)
		put(whole)
		if flips < 100 {
			t.Errorf("%s: only %d bytes were changed", file, flips)
		}
	}
	if err := os.Remove(files[1]); err != nil {
		t.Fatal(err)
	}
	if _, err := keyfile.Open(dir); !errors.Is(err, keyfile.ErrDamaged) {
		t.Errorf("without its table: %v, want ErrDamaged", err)
	}
	if err := os.Remove(files[0]); err != nil {
		t.Fatal(err)
	}
	if _, err := keyfile.Open(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without a set: %v, want fs.ErrNotExist", err)
	}
	// What is left is swept by the next writer.
	write(t, dir, keyfile.Rebuild, "again", keys)
	if names, err := filepath.Glob(filepath.Join(dir, "*.keys")); err != nil || len(names) != 1 {
		t.Errorf("tables %v, %v", names, err)
	}
}
