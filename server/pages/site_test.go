package pages

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"muniment/archive/archivetest"
	"muniment/archive/problem"
	"muniment/bundle"
	"muniment/history"
	"muniment/sign"
)

// A site is VALID as it was written, and INVALID after any change: a page, a file
// more or less, the list, the statement or its signature.
func TestVerifySite(t *testing.T) {
	a, key := archivetest.New(t, archivetest.Papers)
	h := serveArchive(t, a, key, loopbackReader)
	dir := filepath.Join(t.TempDir(), "site")
	if _, err := Export(t.Context(), h.server.Reader(""), dir, SiteOptions{Signer: key}); archiveKind(err) != problem.NoSnapshot {
		t.Errorf("without a snapshot: %v", err)
	}
	archivetest.Seal(t, a, key)
	if _, err := Export(t.Context(), h.server.Reader(""), dir, SiteOptions{}); archiveKind(err) != problem.Key {
		t.Errorf("without a key: %v", err)
	}
	if _, err := Export(t.Context(), h.server.Reader(""), dir, SiteOptions{Signer: key}); err != nil {
		t.Fatal(err)
	}
	if _, err := Export(t.Context(), h.server.Reader(""), dir, SiteOptions{Signer: key}); err == nil {
		t.Error("a site was written over another")
	}
	allowed, err := sign.ParseAllowedSigners([]byte(history.TrustLine(key.Key(), "test")))
	if err != nil {
		t.Fatal(err)
	}
	q := bundle.Requirements{Allowed: allowed, Archive: a.ID()}
	if !IsSite(os.DirFS(dir)) || VerifySite(os.DirFS(dir), q).Verdict != bundle.Valid {
		t.Fatalf("%+v", VerifySite(os.DirFS(dir), q))
	}
	for what, q := range map[string]bundle.Requirements{"nobody is trusted": {}, "a line without the namespace": {Allowed: withoutSite(t, key)}} {
		if v := VerifySite(os.DirFS(dir), q); v.Verdict != bundle.Incomplete {
			t.Errorf("%s: %+v", what, v)
		}
	}
	read := func(name string) []byte {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	edit := func(name string, change func(string) string) func() {
		return func() {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(change(string(read(name)))), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	remove := func(name string) func() {
		return func() {
			if err := os.Remove(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	n := 0
	for _, c := range []struct {
		name, file string
		spoil      func()
	}{
		{"a page", "index.html", edit("index.html", func(s string) string { return s + " " })},
		{"a twin", "index.json", edit("index.json", func(s string) string { return strings.Replace(s, "1", "2", 1) })},
		{"no page", "claims.html", remove("claims.html")},
		{"no signature", siteSignature, remove(siteSignature)},
		{"no list", siteSums, remove(siteSums)},
		{"a line less", siteSums, edit(siteSums, func(s string) string { return s[strings.Index(s, "\n")+1:] })},
		{"a line twice", siteSums, edit(siteSums, func(s string) string { return s[:strings.Index(s, "\n")+1] + s })},
		{"another tier", siteFile, edit(siteFile, func(s string) string { return strings.Replace(s, "shown tier public", "shown everything", 1) })},
		{"a space more", siteFile, edit(siteFile, func(s string) string { return strings.Replace(s, "number 1", "number  1", 1) })},
		{"a line feed more", siteFile, edit(siteFile, func(s string) string { return s + "\n" })},
		{"another number", siteFile, edit(siteFile, func(s string) string { return strings.Replace(s, "number 1", "number 01", 1) })},
	} {
		before := read(c.file)
		c.spoil()
		if v := VerifySite(os.DirFS(dir), q); v.Verdict != bundle.Invalid || v.Axes[0].Reason == "" {
			t.Errorf("%s: %+v", c.name, v)
		}
		if err := os.WriteFile(filepath.Join(dir, c.file), before, 0o600); err != nil {
			t.Fatal(err)
		}
		n++
	}
	more := filepath.Join(dir, "a", "more.html")
	if err := os.WriteFile(more, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if v := VerifySite(os.DirFS(dir), q); v.Verdict != bundle.Invalid {
		t.Errorf("a file more: %+v", v)
	}
	if err := os.Remove(more); err != nil {
		t.Fatal(err)
	}
	if v := VerifySite(os.DirFS(dir), q); v.Verdict != bundle.Valid || n != 11 {
		t.Errorf("after %d changes were taken back: %+v", n, v)
	}
	if v := VerifySite(os.DirFS(dir), bundle.Requirements{Allowed: allowed, Archive: otherArchive(t)}); v.Verdict != bundle.Invalid {
		t.Errorf("of another archive: %+v", v)
	}
}

// FuzzStatement: what parses is encoded to the same bytes.
func FuzzStatement(f *testing.F) {
	f.Add([]byte("muniment/site/v1\narchive bagaaierasords4njcts6vs7qvdjfcvgnume4hqohf65zsfguprqphs3icwea\nsnapshot b\nnumber 1\nshown everything\nmade 2026-01-02T03:04:05Z\nfiles 3\nsums " + strings.Repeat("0a", 32) + "\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if s, err := parseStatement(data); err == nil && string(s.encode()) != string(data) {
			t.Errorf("%q is encoded as %q", data, s.encode())
		}
	})
}
