package history_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"muniment/accession"
	"muniment/archive/archivetest"
	"muniment/history"
)

// What goes together is closed together, and the preview says so: the text of a scan, and the
// reading of a paper before the one that is in force.
func TestConsentTogether(t *testing.T) {
	a, key := archivetest.New(t, map[string]string{"note.txt": "# The mill\n\nIt has *stopped*.\n"})
	box := t.TempDir()
	for name, text := range map[string]string{"page.png": "\x89PNG\r\n\x1a\n a scan", "page.txt": "Ruth sold the mill.\n"} {
		if err := os.WriteFile(filepath.Join(box, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := accession.Add(t.Context(), a, []string{filepath.Join(box, "page.png"), filepath.Join(box, "page.txt")}, accession.AddOptions{}); err != nil {
		t.Fatal(err)
	}
	reread, err := accession.Reread(t.Context(), a, "note.txt", "text/html")
	if err != nil || reread.Artifact == reread.Was {
		t.Fatalf("%+v, %v", reread, err)
	}
	archivetest.Seal(t, a, key)
	r, err := history.Consent(a, history.ConsentOptions{Artifacts: []string{"page.png", "note.txt"}, Preset: "hidden", Reason: "asked for"})
	if err != nil || r.Preview == nil {
		t.Fatalf("%+v, %v", r, err)
	}
	var closed []string
	for _, one := range r.Preview.Papers {
		if one.Closes {
			closed = append(closed, one.Name)
		}
	}
	if want := []string{"in/note.txt", "in/note.txt", "page.png", "page.txt"}; !slices.Equal(closed, want) {
		t.Errorf("closed %q, want %q", closed, want)
	}
}
