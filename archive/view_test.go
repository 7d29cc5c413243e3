package archive_test

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"muniment/accession"
	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/archive/holdings"
	"muniment/history"
	"muniment/policy"
)

// mailWith returns a mail with attachments, by name.
func mailWith(subject string, attached map[string]string) string {
	var b strings.Builder
	b.WriteString("From: Ada <ada@example.org>\r\nTo: Ben <ben@example.org>\r\nDate: Tue, 3 May 2011 10:00:00 +0000\r\nMessage-ID: <1@example.org>\r\nSubject: " + subject +
		"\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=zz\r\n\r\n--zz\r\nContent-Type: text/plain\r\n\r\n" + subject + " is enclosed.\r\n")
	for name, text := range attached {
		b.WriteString("--zz\r\nContent-Type: text/plain; name=\"" + name + "\"\r\nContent-Disposition: attachment; filename=\"" + name + "\"\r\nContent-Transfer-Encoding: base64\r\n\r\n" +
			base64.StdEncoding.EncodeToString([]byte(text)) + "\r\n")
	}
	return b.String() + "--zz--\r\n"
}

// What came in a hidden mail is hidden with it; a brochure that was also taken in by itself
// is there, under the name of that accession alone.
func TestViewByAccession(t *testing.T) {
	const brochure = "Brochure of the mill.\n"
	a, key := archivetest.New(t, nil)
	box := t.TempDir()
	for name, text := range map[string]string{
		"quillwort.eml": mailWith("Quillwort", map[string]string{"zarnow.txt": "The cheque of Zarnow.\n", "brochure.txt": brochure}),
		"mill.txt":      brochure,
		"open.eml":      mailWith("Open", map[string]string{"herons.txt": "Herons.\n"}),
	} {
		if err := os.WriteFile(filepath.Join(box, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := accession.Add(t.Context(), a, []string{box}, accession.AddOptions{}); err != nil {
		t.Fatal(err)
	}
	mail := filepath.Base(box) + "/quillwort.eml"
	archivetest.Seal(t, a, key, history.ConsentOptions{Artifacts: []string{mail}, Preset: "hidden"},
		history.ConsentOptions{Artifacts: []string{mail + "!/zarnow.txt"}, Preset: "open"})
	head, _, err := a.RequireHead()
	if err != nil {
		t.Fatal(err)
	}
	public, err := a.ReaderView("")
	if err != nil {
		t.Fatal(err)
	}
	names := func(v *policy.View) []string {
		all, err := a.CatalogFor(head.Tree, v).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, art := range all.Artifacts {
			for _, h := range art.Records {
				out = append(out, strings.TrimPrefix(h.Label(), filepath.Base(box)+"/"))
			}
		}
		slices.Sort(out)
		return out
	}
	if got, want := names(public), []string{"mill.txt", "open.eml", "open.eml!/herons.txt"}; !slices.Equal(got, want) {
		t.Errorf("the public knows of %q, want %q", got, want)
	}
	if got := names(policy.HolderView()); len(got) != 6 {
		t.Errorf("the holder knows of %q", got)
	}
	withheldAsListed(t, a, public)
	c := a.CatalogFor(head.Tree, public)
	for _, ref := range []string{mail, "zarnow.txt", mail + "!/brochure.txt", "quillwort.eml!/brochure.txt"} {
		if art, err := c.Resolve(ref); err == nil {
			t.Errorf("%s is found: %s", ref, art.Name())
		}
	}
	if art, err := c.Resolve("mill.txt"); err != nil || len(art.Records) != 1 {
		t.Errorf("mill.txt: %v, %v", art, err)
	}
}

// withheldAsListed requires that the papers withheld from a view are those that its catalogue
// does not have.
func withheldAsListed(t *testing.T, a *archive.Archive, v *policy.View) {
	t.Helper()
	head, _, err := a.RequireHead()
	if err != nil {
		t.Fatal(err)
	}
	got, err := a.Withheld(head.Tree, v, func(p policy.Permission) bool { return p.Existence })
	if err != nil {
		t.Fatal(err)
	}
	all, err := a.Catalog(head.Tree).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	seen, err := a.CatalogFor(head.Tree, v).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := []string{}
	for _, art := range all.Artifacts {
		if !slices.ContainsFunc(seen.Artifacts, func(b *holdings.Artifact) bool { return b.ID == art.ID }) {
			want = append(want, art.ID.String())
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("withheld %q, not in the catalogue %q", got, want)
	}
}
