package archive_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"muniment/archive/archivetest"
	"muniment/cid"
	"muniment/history"
	"muniment/policy"
	"muniment/snapshot/access"
)

// Words go to an endpoint on this machine unless consent forbids it, and to another one where
// consent names it.
func TestMaySend(t *testing.T) {
	a, key := archivetest.New(t, archivetest.Papers)
	off := false
	archivetest.Seal(t, a, key, history.ConsentOptions{Artifacts: []string{"1937-01-09.txt"}, Inclusion: &off})
	head, _, err := a.RequireHead()
	if err != nil {
		t.Fatal(err)
	}
	rules, err := a.ReadPolicy(head.Tree)
	if err != nil {
		t.Fatal(err)
	}
	idOf := func(name string) cid.ID {
		art, err := a.Catalog(head.Tree).Resolve(name)
		if err != nil {
			t.Fatal(err)
		}
		return art.ID
	}
	for _, c := range []struct {
		name, endpoint string
		want           bool
	}{
		{"1931-03-14.txt", "http://127.0.0.1:8080/v1", true}, {"1931-03-14.txt", "http://[::1]:8080/v1", true}, {"1931-03-14.txt", "http://localhost/v1", true},
		{"1931-03-14.txt", "https://models.example.org/v1", false}, {"1931-03-14.txt", "https://localhost.example.org/v1", false}, {"1931-03-14.txt", ":", false},
		{"1937-01-09.txt", "http://127.0.0.1:8080/v1", false},
	} {
		if got, err := a.MaySend(head.Tree, rules, idOf(c.name), c.endpoint); err != nil || got != c.want {
			t.Errorf("%s to %s: %v, %v", c.name, c.endpoint, got, err)
		}
	}
	if got, err := a.MaySend(head.Tree, (*policy.Policy)(nil), idOf("1931-03-14.txt"), "http://127.0.0.1/v1"); got || err != nil {
		t.Errorf("without a policy: %v, %v", got, err)
	}
	if !access.AllowsProcessing("models.example.org", "models.example.org") || access.AllowsProcessing(access.ProcessingNone, access.ProcessingLocal) {
		t.Error("processing is compared in another way")
	}
	if err := a.LogSent("http://127.0.0.1:8080/v1", "embedding", []string{"x", "y"}); err != nil {
		t.Fatal(err)
	}
	path, err := a.LocalPath("sent.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(path); err != nil || strings.Count(string(data), `"endpoint":"127.0.0.1","purpose":"embedding"`) != 2 {
		t.Errorf("%s %v", data, err)
	}
	// A full file is kept for once, and what it says is still listed.
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	line := []byte(`{"time":"2026-01-01T00:00:00Z","endpoint":"h","purpose":"judge","artifact":"x"}` + "\n")
	if err := os.WriteFile(path, bytes.Repeat(line, 16<<20/len(line)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := a.LogSent("http://h/v1", "draft", []string{"x"}); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	all, listErr := a.SentPapers()
	if err != nil || info.Size() > 1000 || listErr != nil || len(all) != 1 || all[0].Times != 16<<20/len(line)+1 || len(all[0].Purposes) != 2 {
		t.Errorf("after a full file: %v %v %v %v", info, err, all, listErr)
	}
}
