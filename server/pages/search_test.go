package pages

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"muniment/accession"
	"muniment/archive/archivetest"
	"muniment/server"
	"os"
	"path/filepath"

	"muniment/accession/sourcemeta"
)

// A search is narrowed by an address, offers the names that may have been meant, and asks the same in one click.
func TestSearchPage(t *testing.T) {
	a, key := archivetest.New(t, archivetest.Papers)
	box := filepath.Join(t.TempDir(), "box")
	if err := os.Mkdir(box, 0o700); err != nil {
		t.Fatal(err)
	}
	described, err := sourcemeta.ReadJSON("said.json", []byte(`[{"path":"note.txt","title":"A note","creators":["Leonora Kestrel"],"date":"1951-02-03"}]`))
	if err == nil {
		err = os.WriteFile(filepath.Join(box, "note.txt"), []byte("Leonora Kestrel sold the mill wheel.\n"), 0o600)
	}
	if err == nil {
		_, err = accession.Add(t.Context(), a, []string{filepath.Join(box, "note.txt")}, accession.AddOptions{Sidecar: described})
	}
	if err != nil {
		t.Fatal(err)
	}
	archivetest.Seal(t, a, key)
	h := serveArchive(t, a, key, server.Credential{})
	found := func(query string) (labels []string, page string) {
		t.Helper()
		var twin struct {
			Found []struct{ Name string } `json:"found"`
		}
		_, data := h.get(t, "/search.json?"+query)
		if err := json.Unmarshal([]byte(data), &twin); err != nil {
			t.Fatal(err)
		}
		for _, f := range twin.Found {
			labels = append(labels, f.Name)
		}
		_, page = h.get(t, "/search?"+query)
		return labels, page
	}
	all, page := found("q=mill+wheel")
	if len(all) < 3 || !strings.Contains(page, "decade=1950s&amp;q=mill&#43;wheel") || !strings.Contains(page, `<button>Ask the archive this</button>`) || !strings.Contains(page, "<mark>mill wheel</mark>") {
		t.Errorf("%q: %s", all, page)
	}
	if some, page := found("q=mill+wheel&decade=1950s&order=date"); len(some) != 1 || some[0] != "note.txt" || !strings.Contains(page, `name="decade" value="1950s"`) || !strings.Contains(page, "order=date&amp;q=mill") {
		t.Errorf("of the fifties: %q: %s", some, page)
	}
	if none, page := found("q=Kastrel"); len(none) != 0 || !strings.Contains(page, `Did you mean <a href="/search?q=Kestrel">Kestrel</a>?`) {
		t.Errorf("a name with a wrong letter: %q: %s", none, page)
	}
	if _, page := found("q=Kestrel"); strings.Contains(page, "Did you mean") {
		t.Errorf("a name that is right: %s", page)
	}
	r, err := http.NewRequest("POST", h.url+"/ask", strings.NewReader(url.Values{"question": {"mill wheel"}}.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", h.url)
	got, err := http.DefaultClient.Do(r)
	if err != nil || got.StatusCode != http.StatusOK || !strings.HasPrefix(got.Request.URL.Path, "/answers/") {
		t.Errorf("asking the same: %+v, %v", got, err)
	}
	got.Body.Close()
}
