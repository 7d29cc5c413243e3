package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"muniment/accession"
	"muniment/accession/sourcemeta"
	"muniment/archive/archivetest"
	"muniment/bundle"
	"muniment/bundle/bundlefile"
	"muniment/engine"
	"muniment/history"
	"muniment/sign"
)

// claimsOf returns the texts of the claims of a bundle, which must verify under the key of its archive alone.
func claimsOf(t *testing.T, data []byte, key sign.Signer) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "bundle.zip")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	allowed, err := sign.ParseAllowedSigners([]byte(history.TrustLine(key.Key(), "mill")))
	if err != nil {
		t.Fatal(err)
	}
	v, view, err := bundlefile.Check(path, bundle.Requirements{Allowed: allowed})
	if err != nil || v.Verdict != bundle.Valid {
		t.Fatalf("%+v, %v", v, err)
	}
	var all []string
	for _, c := range view.Claims {
		all = append(all, c.Text)
	}
	return strings.Join(all, "\n")
}

// streamMCP serves a caller on a pair of streams.
func streamMCP(t *testing.T, s *Server, cred Credential) mcp.Transport {
	here, there := io.Pipe()
	back, forth := io.Pipe()
	go func() { _ = s.RunMCP(t.Context(), cred, "s", here, forth) }()
	return &mcp.IOTransport{Reader: back, Writer: there}
}

// connectMCP returns a client that has initialized, until the test ends.
func connectMCP(t *testing.T, transport mcp.Transport) *mcp.ClientSession {
	t.Helper()
	c, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// A program whose token may have its additions signed gets from a source of its own to a sealed report with the tools
// alone. What it handed in is proved, and a report rests on it once an archivist has rated it.
func TestSnapshotByTools(t *testing.T) {
	a, key, s, _ := serve(t)
	c := connectMCP(t, streamMCP(t, s, Credential{Name: "desk", Role: engine.RoleAgent, Snapshots: true}))
	use := func(name string, arguments map[string]any, member string, want any) map[string]any {
		t.Helper()
		status, got := useTool(t.Context(), c, name, arguments)
		if status != http.StatusOK || got[member] != want {
			t.Fatalf("%s: %d %v; want %s %v", name, status, got, member, want)
		}
		return got
	}
	const words, theirs = "Jonas Brandt surveyed the weir in 1938.", "The mill wheel has stopped."
	source := use("register_source", map[string]any{"type": "custom", "name": "survey", "content": words + "\n"}, "type", "custom")
	use("cite", map[string]any{"artifact": source["artifact"], "quote": words, "claim": words}, "verification_status", "verified")
	use("request_snapshot", nil, "artifacts_signed", 1.0)
	use("request_snapshot", nil, "citations_sealed", 1.0)
	use("get_citation", map[string]any{"citation": "1"}, "binding", "sealed")
	sealed := func() string {
		report := use("seal_report", map[string]any{"draft": words + " [1] " + theirs + "\n"}, "refusal", nil)
		r, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: bundleURI(report["id"].(string), ".zip")})
		if err != nil {
			t.Fatal(err)
		}
		return claimsOf(t, r.Contents[0].Blob, key)
	}
	if got := sealed(); got != theirs {
		t.Errorf("nobody has accepted the source: %q", got)
	}
	if _, err := accession.Describe(a, []string{source["artifact"].(string)}, accession.Description{Values: sourcemeta.Values{Tier: 2}}); err != nil {
		t.Fatal(err)
	}
	archivetest.Seal(t, a, key)
	if got := sealed(); got != words+"\n"+theirs {
		t.Errorf("an archivist has rated the source: %q", got)
	}
}

// From a first search to a sealed report that verifies offline, with the tools alone.
func TestReportByTools(t *testing.T) {
	_, key, _, url := serve(t)
	ctx := t.Context()
	c := connectMCP(t, &mcp.StreamableClientTransport{Endpoint: url + "/mcp"})
	use := func(name string, arguments map[string]any) (map[string]any, []*mcp.ResourceLink) {
		t.Helper()
		r, err := c.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: arguments})
		if err != nil || r.IsError {
			t.Fatalf("%s: %v %+v", name, err, r)
		}
		text, ok := r.Content[0].(*mcp.TextContent)
		var said map[string]any
		if !ok || json.Unmarshal([]byte(text.Text), &said) != nil || !reflect.DeepEqual(said, r.StructuredContent) {
			t.Errorf("%s: the text is not the structured reply: %v", name, r.Content[0])
		}
		var to []*mcp.ResourceLink
		for _, one := range r.Content[1:] {
			to = append(to, one.(*mcp.ResourceLink))
		}
		return said, to
	}
	read := func(uri string) *mcp.ResourceContents {
		t.Helper()
		got, err := c.ReadResource(ctx, &mcp.ReadResourceParams{URI: uri})
		if err != nil {
			t.Fatal(uri, err)
		}
		return got.Contents[0]
	}
	found, _ := use("search_archive", map[string]any{"query": "mill wheel stopped"})
	words := found["hits"].([]any)[0].(map[string]any)["text"].(string)
	sealed, to := use("seal_report", map[string]any{"draft": words + " The moon is made of cheese and sold in Paris.\n"})
	if len(to) != 2 {
		t.Fatalf("links: %v of %v", to, sealed)
	}
	zip := read(to[0].URI)
	if shown := claimsOf(t, zip.Blob, key); !strings.Contains(shown, "mill wheel") || strings.Contains(shown, "cheese") {
		t.Errorf("the report shows %q", shown)
	}
	if page := read(to[1].URI); !strings.Contains(page.Text, "<html") {
		t.Errorf("no page: %.80q", page.Text)
	}
	again, links := use("get_bundle", map[string]any{"id": sealed["id"]})
	if again["bundle_id"] != sealed["bundle_id"] || !reflect.DeepEqual(links, to) {
		t.Errorf("%v, %v", again, links)
	}
	examined, to := use("examine", map[string]any{"text": "Anna writes: “The mill wheel has stopped turning for ever and a day.”\n"})
	if page := read(to[0].URI); !strings.Contains(page.Text, "mill wheel") || examined["id"] == "" {
		t.Errorf("no page of the examination: %.80q", page.Text)
	}
	file := read(to[1].URI)
	if one, links := use("get_bundle", map[string]any{"id": examined["id"]}); !strings.Contains(fmt.Sprint(one["removed"]), "uncheckable: ") || len(links) != 2 || !bytes.Equal(read(links[0].URI).Blob, file.Blob) {
		t.Errorf("the bundle of the examination: %v, %v", one, links)
	}
	if _, err := c.ReadResource(ctx, &mcp.ReadResourceParams{URI: bundleURI(strings.Repeat("0", 32), ".zip")}); err == nil {
		t.Error("a bundle that nobody was given")
	}
	use("register_source", map[string]any{"type": "custom", "name": "table", "content": "a,b\n1,2\n"})
	listed, _ := use("list_sources", map[string]any{"type": "custom"})
	number := listed["sources"].([]any)[0].(map[string]any)["source_id"]
	if one, _ := use("get_source", map[string]any{"source": number}); one["name"] != "table" {
		t.Errorf("source %v: %v", number, one)
	}
}

// fetch returns status, headers and bytes of a reply.
func fetch(t *testing.T, url string, headers ...string) (int, http.Header, []byte) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	return exchange(t, r, headers...)
}

// Whoever asked reads answer, report and examination by their ids in each form, after a restart too, and nobody
// else does; what was hidden since is shown in none of them.
func TestResources(t *testing.T) {
	a, key, s, url := serve(t)
	ann, bob := bearer(t, a, "ann", ""), bearer(t, a, "bob", "")
	again, err := New(Options{Open: s.o.Open, Signer: key})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	for _, one := range []struct {
		at   string
		body map[string]any
		ends []string
	}{
		{"/api/v1/answers", map[string]any{"question": "Who repaired the mill wheel?"}, []string{"", ".zip", ".html"}},
		{"/api/v1/reports", map[string]any{"draft": "Tobias Lunt repaired the mill wheel.\n"}, []string{"", ".zip", ".html"}},
		{"/api/v1/examinations", map[string]any{"text": "Anna writes: “Tobias Lunt repaired the mill wheel.”\n"}, []string{"", ".zip", ".html"}},
	} {
		status, _, made := send(t, "POST", url+one.at, one.body, "Authorization", ann, "Idempotency-Key", one.at)
		id, _ := made["id"].(string)
		if status != 200 || len(id) != 2*addressBytes {
			t.Fatalf("%s: %d %v", one.at, status, made)
		}
		if _, _, twice := send(t, "POST", url+one.at, one.body, "Authorization", ann, "Idempotency-Key", one.at); twice["id"] != id {
			t.Errorf("%s: the same call made %v and %v", one.at, id, twice["id"])
		}
		for _, end := range one.ends {
			at := url + one.at + "/" + id + end
			status, head, data := fetch(t, at, "Authorization", ann)
			if status != 200 || head.Get("ETag") == "" || !strings.HasPrefix(head.Get("Content-Type"), strings.SplitN(forms[end], ";", 2)[0]) {
				t.Errorf("%s: %d %v", at, status, head)
			}
			switch end {
			case ".zip":
				claimsOf(t, data, key)
			case "":
				if !bytes.Contains(data, []byte(id)) {
					t.Errorf("%s: %s", at, data)
				}
			}
			if status, _, data := fetch(t, at, "Authorization", ann, "If-None-Match", `"x", W/`+head.Get("ETag")); status != 304 || len(data) > 0 {
				t.Errorf("%s: %d for bytes that the caller has", at, status)
			}
			if status, _, _ := fetch(t, at, "Authorization", bob); status != 404 {
				t.Errorf("%s, to another: %d", at, status)
			}
			read := again.Client(Credential{Name: "ann", Role: engine.RoleAgent}, "").bundleFile
			if strings.HasSuffix(one.at, "examinations") {
				read = again.Client(Credential{Name: "ann", Role: engine.RoleAgent}, "").examinationFile
			}
			if f, err := read(t.Context(), id, end); err != nil || end != "" && !bytes.Equal(f.Data, data) {
				t.Errorf("%s after a restart: %v", at, err)
			}
		}
		if status, _, _ := fetch(t, url+one.at+"/"+id+".pdf", "Authorization", ann); status != 404 {
			t.Errorf("%s has a form pdf: %d", one.at, status)
		}
		defer func() {
			for _, end := range one.ends {
				if status, _, data := fetch(t, url+one.at+"/"+id+end, "Authorization", ann); status != 404 || !bytes.Contains(data, []byte("withheld")) {
					t.Errorf("%s%s, hidden since: %d %.200s", one.at, end, status, data)
				}
			}
		}()
	}
	archivetest.Seal(t, a, key, history.ConsentOptions{Artifacts: []string{"1931-04-02.txt"}, Preset: "hidden"})
}
