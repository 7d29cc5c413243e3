package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"muniment/archive/archivetest"
	"muniment/internal/casecount"
)

// TestDamagedPairs damages two files of a copy at once: files of archive.local and refs. No command crashes; the
// signed archive is INVALID only where a ref or a file of the repository was touched; citations are listed or the
// command fails; and what the commands name as a remedy heals every pair.
func TestDamagedPairs(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.must("key", "new")
	p.must("init", "whole")
	p.write("1904.txt", "My dear Martha,\n\nThe new ferry boat cost 240 pounds in 1904.\n")
	p.must("-C", "whole", "add", "1904.txt")
	p.must("-C", "whole", "snapshot", "-m", "one")
	p.must("-C", "whole", "cite", "--claim", "The new ferry boat cost 240 pounds in 1904.", "--quote", "The new ferry boat cost 240 pounds in 1904.")
	p.must("-C", "whole", "snapshot", "-m", "two")
	p.must("-C", "whole", "ask", "What did the new ferry boat cost?")
	p.must("-C", "whole", "fixity")
	archivetest.NewBareRepository(t, p.path("remote"))
	p.must("-C", "whole", "remote", "add", "home", p.path("remote"))
	p.must("-C", "whole", "sync")
	p.must("-C", "whole", "tag", "first")
	p.write("allowed", p.must("-C", "whole", "key", "trust").stdout)

	var files []string
	for _, pattern := range []string{
		"archive.git/HEAD", "archive.git/config", "archive.git/refs/heads/main", "archive.git/refs/tags/first", "archive.git/refs/muniment/log/*",
		"archive.local/audit.key", "archive.local/bundles/*", "archive.local/fixity.jsonl", "archive.local/journal", "archive.local/ledger.db",
		"archive.local/marks", "archive.local/receipts", "archive.local/remotes/*", "archive.local/summary", "archive.local/search/current",
		"archive.local/log/*/*/1/*",
	} {
		found, err := filepath.Glob(p.path("whole/" + pattern))
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %v, %v", pattern, found, err)
		}
		for _, f := range found {
			name, _ := filepath.Rel(p.path("whole"), f)
			files = append(files, name)
		}
	}
	damages := map[string]func([]byte) []byte{
		"empty":    func([]byte) []byte { return nil },
		"truncate": func(b []byte) []byte { return b[:len(b)/2] },
		"flip": func(b []byte) []byte {
			if len(b) > 0 {
				b[len(b)/2] ^= 1
			}
			return b
		},
	}
	hows := []string{"remove", "empty", "truncate", "flip"}
	random := rand.New(rand.NewPCG(1, 2))
	for range casecount.Of(2, 500) {
		if err := os.RemoveAll(p.path("case")); err != nil {
			t.Fatal(err)
		}
		if err := os.CopyFS(p.path("case"), os.DirFS(p.path("whole"))); err != nil {
			t.Fatal(err)
		}
		what, repository := "", false
		for _, i := range random.Perm(len(files))[:2] {
			how, path := hows[random.IntN(len(hows))], p.path("case/"+files[i])
			what += how + " " + files[i] + "; "
			repository = repository || strings.HasPrefix(files[i], "archive.git/")
			data, err := os.ReadFile(path)
			if err == nil && how == "remove" {
				err = os.Remove(path)
			} else if err == nil {
				err = os.WriteFile(path, damages[how](data), 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		in := func(args ...string) result {
			r := p.run(append([]string{"-C", "case"}, args...)...)
			if text := r.stdout + r.stderr; strings.Contains(text, "goroutine ") || r.code > 6 {
				t.Errorf("%s%v: exit %d\n%s", what, args, r.code, text)
			}
			return r
		}
		verify := func() result { return in("verify", "--trust", p.path("allowed")) }
		if r := verify(); strings.HasPrefix(r.stdout, "INVALID") && !repository {
			t.Errorf("%sthe signed archive is INVALID:\n%s", what, r.stdout)
		}
		if r := in("citations"); r.code == 0 && !strings.Contains(r.stdout, "ferry") {
			t.Errorf("%scitations are lost in silence: %q", what, r.stdout)
		}
		in("status")
		in("repair", "--yes", "--from", p.path("remote"))
		in("ask", "What did the new ferry boat cost?")
		left := verify().stdout
		if strings.Contains(left, "failed       ledger") {
			os.Remove(p.path("case/archive.local/ledger.db"))
			in("ledger", "rebuild")
		}
		for _, m := range regexp.MustCompile(`([0-9a-f]{32}\.zip): `).FindAllStringSubmatch(left, -1) {
			os.Remove(p.path("case/archive.local/bundles/" + m[1]))
		}
		if strings.Contains(left, "failed       audit.key") {
			os.Remove(p.path("case/archive.local/audit.key"))
		}
		if strings.Contains(left, "failed       remotes") {
			in("remote", "remove", "home")
			in("remote", "add", "home", p.path("remote"))
		}
		in("doctor", "--fix", "--forget", "--yes")
		if r := verify(); r.code != 0 {
			t.Errorf("%sis not healed: exit %d\n%s%s", what, r.code, r.stdout, r.stderr)
		}
		if r := in("citations"); r.code != 0 || !strings.Contains(r.stdout, "ferry") {
			t.Errorf("%scitations afterwards: exit %d, %q", what, r.code, r.stdout)
		}
	}
}
