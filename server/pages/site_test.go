package pages

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"muniment/archive/archivetest"
	"muniment/archive/problem"
	"muniment/bundle"
	"muniment/history"
	"muniment/server"
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
// A site lists its papers by kind, person and place, and has no form that needs a server or, but for its search, a script.
func TestSiteRooms(t *testing.T) {
	a, key := archivetest.New(t, map[string]string{"letters/1887/may.txt": "Kiel, 3 May 1887\n\nDear Anna,\n\nIt rained.\n\nYour Karl Brandt\n", "letters/june.txt": "Kiel, 4 June 1887\n\nDear Anna,\n\nIt is dry.\n\nYour Emma Lund\n", "minutes/board.txt": "Minutes of the Board\n\nPresent: Mr. Pohl.\n"})
	archivetest.Seal(t, a, key)
	h := serveArchive(t, a, key, server.Credential{})
	dir := filepath.Join(t.TempDir(), "site")
	if _, err := Export(t.Context(), h.server.Reader("public"), dir, SiteOptions{Signer: key}); err != nil {
		t.Fatal(err)
	}
	pages := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(name, ".html") && err == nil && !strings.Contains(name, "assets") {
			data, readErr := os.ReadFile(name)
			pages[strings.TrimPrefix(name, dir+"/")], err = string(data), readErr
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	form := regexp.MustCompile(`<form[^>]*>`)
	for name, page := range pages {
		for _, one := range form.FindAllString(page, -1) {
			if !strings.Contains(one, " hidden") && name != "search.html" {
				t.Errorf("%s: %s", name, one)
			}
		}
	}
	followed := 0
	for _, step := range []struct{ page, value, has, hasNot string }{{"index.html", "letter", "Karl Brandt to Anna", "Minutes"}, {"names.html", "Karl Brandt", "Karl Brandt to Anna", "Emma Lund to Anna"}, {"names.html", "Kiel", "Emma Lund to Anna", "Minutes"}, {"inventory.html", "letters › 1887", "Karl Brandt to Anna", "Emma Lund to Anna"}} {
		link := regexp.MustCompile(`href="([^"]+)"[^>]*>` + step.value + `</a>`).FindStringSubmatch(pages[step.page])
		if link == nil {
			t.Errorf("%s has no link to %s", step.page, step.value)
			continue
		}
		followed++
		_, list, _ := strings.Cut(pages[link[1]], `<ol class="papers">`)
		if list, _, _ = strings.Cut(list, "</ol>"); !strings.Contains(list, step.has) || strings.Contains(list, step.hasNot) {
			t.Errorf("%s of %s: %s", step.value, step.page, list)
		}
	}
	if followed != 4 || !strings.Contains(pages["verify.html"], `data-keys="archive`) {
		t.Errorf("%d links; the page that verifies: %s", followed, pages["verify.html"])
	}
}

func FuzzStatement(f *testing.F) {
	f.Add([]byte("muniment/site/v1\narchive bagaaierasords4njcts6vs7qvdjfcvgnume4hqohf65zsfguprqphs3icwea\nsnapshot b\nnumber 1\nshown everything\nmade 2026-01-02T03:04:05Z\nfiles 3\nsums " + strings.Repeat("0a", 32) + "\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if s, err := parseStatement(data); err == nil && string(s.encode()) != string(data) {
			t.Errorf("%q is encoded as %q", data, s.encode())
		}
	})
}
