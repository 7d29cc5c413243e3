package history_test

import (
	"testing"

	"muniment/accession"
	"muniment/accession/sourcemeta"
	"muniment/archive/archivetest"
	"muniment/history"
	"muniment/snapshot/access"
)

// What came from an address alone is read in excerpts, in an archive whose papers are read whole, until
// a consent states rights.
func TestReadingOfCaptures(t *testing.T) {
	a, key := archivetest.New(t, archivetest.Papers)
	if _, err := accession.Describe(a, []string{"1931-03-14.txt"}, accession.Description{Values: sourcemeta.Values{URL: "https://news.example.org/1931", FetchedAt: "2026-01-02T03:04:05Z"}}); err != nil {
		t.Fatal(err)
	}
	archivetest.Seal(t, a, key, history.ConsentOptions{Default: "open", Reading: access.ReadingWhole})
	reading := func(name string) string {
		tree, err := a.NewestTree()
		if err != nil {
			t.Fatal(err)
		}
		c := a.Catalog(tree)
		art, err := c.Resolve(name)
		if err != nil {
			t.Fatal(err)
		}
		consent, err := c.Consent(art.ID)
		if err != nil {
			t.Fatal(err)
		}
		if consent == nil {
			return "the default"
		}
		return consent.Reading
	}
	if got := reading("1931-03-14.txt"); got != access.ReadingExcerpts {
		t.Errorf("what came from an address is read %q", got)
	}
	if got := reading("1931-04-02.txt"); got != "the default" {
		t.Errorf("another paper is read %q", got)
	}
	archivetest.Seal(t, a, key, history.ConsentOptions{Artifacts: []string{"1931-03-14.txt"}, Rights: "licensed to the archive", Reason: "licence"})
	if got := reading("1931-03-14.txt"); got == access.ReadingExcerpts {
		t.Errorf("with rights it is read %q", got)
	}
}
