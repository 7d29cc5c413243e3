package accession_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"muniment/accession"
	"muniment/archive/archivetest"
	"muniment/archive/problem"
)

// A damaged web archive is kept as a copy without the secrets of its addresses, and its
// record says so; one that cannot be looked through is not kept.
func TestDamagedWebArchive(t *testing.T) {
	const secret = "millwheel"
	block := "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nSet-Cookie: s=millwheel\r\n\r\nThe mill stands."
	record := fmt.Sprintf("WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://example.org/a?token=millwheel\r\nWARC-Date: 2001-02-03T04:05:06Z\r\nWARC-Record-ID: <urn:uuid:1>\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", len(block), block)
	dir := t.TempDir()
	write := func(name, data string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	a, _ := archivetest.New(t, nil)
	r, err := accession.Add(t.Context(), a, []string{write("cut.warc", record+record[:len(record)-30]), write("cut.wacz", "PK\x03\x04"+record)}, accession.AddOptions{})
	var partly *problem.Error
	if !errors.As(err, &partly) || partly.Kind != problem.PartlyDone || r == nil {
		t.Fatalf("%+v, %v", r, err)
	}
	if len(r.Artifacts) != 2 || !strings.Contains(fmt.Sprint(r.Skipped), "not kept: no record in it is whole") {
		t.Errorf("taken: %+v, skipped: %+v", r.Artifacts, r.Skipped)
	}
	tree, err := a.NewestTree()
	if err != nil {
		t.Fatal(err)
	}
	all, err := a.Catalog(tree).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	said := 0
	for _, art := range all.Artifacts {
		for _, h := range art.Records {
			encoded, err := h.Record.Encode()
			if err != nil {
				t.Fatal(err)
			}
			original, err := a.OriginalContent(tree, art, h)
			if err != nil {
				t.Fatal(err)
			}
			data, err := io.ReadAll(original)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(encoded), secret) || strings.Contains(string(data), secret) {
				t.Errorf("%s keeps a secret: %s %q", art.Name(), encoded, data)
			}
			if h.Record.Facts["web_scrubbed"] != "" {
				said++
			}
		}
	}
	if said != 1 {
		t.Errorf("records that say that their original is a copy: %d", said)
	}
}
