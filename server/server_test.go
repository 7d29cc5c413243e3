package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/engine"
	"muniment/history"
	"muniment/sign"
)

// serve returns an archive of the papers and a server of it, over loopback HTTP.
func serve(t testing.TB) (*archive.Archive, sign.Signer, *Server, string) {
	t.Helper()
	a, key := archivetest.New(t, archivetest.Papers)
	if _, err := engine.Snapshot(a, history.SnapshotOptions{Text: "papers", Signer: key}); err != nil {
		t.Fatal(err)
	}
	s, url := serveArchive(t, a, key)
	return a, key, s, url
}

// serveArchive serves an archive on loopback until the test ends.
func serveArchive(t testing.TB, a *archive.Archive, key sign.Signer) (*Server, string) {
	t.Helper()
	s, err := New(Options{Open: func() (*archive.Archive, error) { return archive.Open(a.Dir(), a.World()) }, Signer: key, Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(s.Handler())
	t.Cleanup(func() {
		h.Close()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s, h.URL
}

// send makes a request and returns status, headers and JSON of the reply.
func send(t testing.TB, method, url string, body any, headers ...string) (int, http.Header, map[string]any) {
	t.Helper()
	var in io.Reader
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		in = bytes.NewReader(data)
	}
	r, err := http.NewRequestWithContext(t.Context(), method, url, in)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	status, header, data := exchange(t, r, headers...)
	var out map[string]any
	if len(data) > 0 && data[0] == '{' {
		if err := json.Unmarshal(data, &out); err != nil {
			t.Fatalf("%s: %v", data, err)
		}
	}
	return status, header, out
}

// exchange sends a request with more headers, in pairs, and returns status, headers and bytes of the reply.
func exchange(t testing.TB, r *http.Request, headers ...string) (int, http.Header, []byte) {
	t.Helper()
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		}
	}
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	data, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	return got.StatusCode, got.Header, data
}

var stopped = CiteRequest{Artifact: "1931-03-14.txt", Quote: "The mill wheel has stopped.", Claim: "The mill wheel has stopped."}

func TestCite(t *testing.T) {
	_, _, _, url := serve(t)
	status, _, got := send(t, "POST", url+"/api/v1/cite", stopped, "Idempotency-Key", "one")
	if status != 200 || got["verification_status"] != "verified" || got["claim_verdict"] != "follows" || got["binding"] != "bound" {
		t.Fatalf("%d %v", status, got)
	}
	_, _, again := send(t, "POST", url+"/api/v1/cite", stopped, "Idempotency-Key", "one")
	if !reflect.DeepEqual(again, got) {
		t.Errorf("a retry gave %v, want %v", again, got)
	}
	_, _, other := send(t, "POST", url+"/api/v1/cite", CiteRequest{Artifact: "1937-01-09.txt", Quote: "crate of straw", Claim: "straw"}, "Idempotency-Key", "one")
	if other["error_type"] != "Usage" {
		t.Errorf("the key of another citation: %v", other)
	}
	status, _, wrong := send(t, "POST", url+"/api/v1/cite", CiteRequest{Artifact: "1931-03-14.txt", Quote: "There is flour for six days.", Claim: "There was flour for six days."})
	next, ok := wrong["next_call"].(map[string]any)
	if status != 200 || wrong["verification_status"] != "failed" || !ok || next["tool"] != "cite" {
		t.Fatalf("%d %v", status, wrong)
	}
	status, _, mended := send(t, "POST", url+"/api/v1/cite", next["arguments"])
	if status != 200 || mended["match"] != "exact" {
		t.Errorf("the next call gave %d %v", status, mended)
	}
	_, _, list := send(t, "GET", url+"/api/v1/citations?status=verified", nil)
	if all, ok := list["citations"].([]any); !ok || len(all) < 1 {
		t.Errorf("citations: %v", list)
	}
}

func TestFaults(t *testing.T) {
	_, _, _, url := serve(t)
	cases := []struct {
		method, path string
		body         any
		status       int
		kind         string
	}{
		{"POST", "/api/v1/cite", CiteRequest{Artifact: "/etc/passwd", Quote: "root", Claim: "root"}, 404, "SourceNotFound"},
		{"POST", "/api/v1/cite", CiteRequest{Artifact: "http://127.0.0.1:1/", Quote: "x", Claim: "x"}, 404, "SourceNotFound"},
		{"POST", "/api/v1/cite", map[string]any{"artifct": "x"}, 422, "Usage"},
		{"POST", "/api/v1/cite", CiteRequest{Artifact: "1931-03-14.txt", Claim: "x"}, 422, "Usage"},
		{"GET", "/api/v1/citations/99", nil, 404, "NotFound"},
		{"GET", "/api/v1/artifacts/nothing.txt/text", nil, 404, "SourceNotFound"},
		{"GET", "/api/v1/artifacts/1931-03-14.txt/text?span=p99", nil, 422, "InvalidLocator"},
		{"POST", "/api/v1/sources", SourceRequest{Type: "website", URL: "http://127.0.0.1:1/"}, 0, ""},
	}
	for _, c := range cases {
		status, headers, got := send(t, c.method, url+c.path, c.body)
		if c.status != 0 && (status != c.status || got["error_type"] != c.kind) || status < 400 || headers.Get("Content-Type") != "application/problem+json" || got["suggestion"] == "" {
			t.Errorf("%s %s: %d %v", c.method, c.path, status, got)
		}
	}
}

func TestAdmission(t *testing.T) {
	a, _, s, url := serve(t)
	if status, _, _ := send(t, "GET", url+"/api/v1/status", nil, "Host", "evil.example"); status != 403 {
		t.Errorf("another host: %d", status)
	}
	if status, _, _ := send(t, "GET", url+"/api/v1/status", nil, "Origin", "https://evil.example"); status != 403 {
		t.Errorf("another origin: %d", status)
	}
	if status, _, _ := send(t, "POST", url+"/mcp", map[string]any{}, "Origin", "https://evil.example"); status != 403 {
		t.Errorf("another origin at /mcp: %d", status)
	}
	secret, _, err := NewToken(a, Credential{Name: "ann", Role: engine.RoleAuditor, Tier: "researcher"})
	if err != nil {
		t.Fatal(err)
	}
	bearer := "Bearer " + secret
	if status, _, got := send(t, "GET", url+"/api/v1/status", nil, "Authorization", bearer); status != 200 || got["role"] != "auditor" || got["tier"] != "researcher" {
		t.Errorf("a token: %d %v", status, got)
	}
	if status, _, got := send(t, "POST", url+"/api/v1/cite", stopped, "Authorization", bearer); status != 403 || got["error_type"] != "NotPermitted" {
		t.Errorf("an auditor cites: %d %v", status, got)
	}
	if status, _, _ := send(t, "GET", url+"/api/v1/status", nil, "Authorization", bearer+"x"); status != 401 {
		t.Errorf("a wrong token: %d", status)
	}
	s.o.Remote = true
	if status, _, _ := send(t, "GET", url+"/api/v1/status", nil); status != 401 {
		t.Errorf("without a token beyond loopback: %d", status)
	}
	if status, _, _ := send(t, "GET", url+"/api/v1/status", nil, "Authorization", bearer); status != 200 {
		t.Errorf("a token beyond loopback: %d", status)
	}
	if err := RevokeToken(a, "ann"); err != nil {
		t.Fatal(err)
	}
	if status, _, _ := send(t, "GET", url+"/api/v1/status", nil, "Authorization", bearer); status != 401 {
		t.Errorf("a revoked token: %d", status)
	}
	soon := a.World().Now().Add(time.Second).UTC().Format(time.RFC3339)
	if _, _, err := NewToken(a, Credential{Name: "bob", Role: "nobody"}); err == nil {
		t.Error("a token of no role")
	}
	if _, _, err := NewToken(a, Credential{Name: "bob", Role: engine.RoleAgent, Tier: "nobody", Expires: soon}); err == nil {
		t.Error("a token of no tier")
	}
}

// What consent hides is not there for the lowest tier, in no call.
func TestHidden(t *testing.T) {
	a, key, _, url := serve(t)
	if _, err := history.Consent(a, history.ConsentOptions{Artifacts: []string{"1935-08-16.txt"}, Preset: "hidden"}); err != nil {
		t.Fatal(err)
	}
	if _, err := engine.Snapshot(a, history.SnapshotOptions{Text: "consent", Signer: key}); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/api/v1/artifacts/1935-08-16.txt", "/api/v1/artifacts/1935-08-16.txt/text"} {
		if status, _, got := send(t, "GET", url+path, nil); status != 404 || got["error_type"] != "SourceNotFound" {
			t.Errorf("%s: %d %v", path, status, got)
		}
	}
	status, _, got := send(t, "POST", url+"/api/v1/cite", CiteRequest{Artifact: "1935-08-16.txt", Quote: "Dr. Marsh listened to my hart", Claim: "x"})
	if status != 404 {
		t.Errorf("cite: %d %v", status, got)
	}
	for _, path := range []string{"/api/v1/artifacts", "/api/v1/search?query=Marsh+heart+ladder"} {
		_, _, got := send(t, "GET", url+path, nil)
		if data, err := json.Marshal(got); err != nil || strings.Contains(string(data), "1935-08-16") {
			t.Errorf("%s: %s %v", path, data, err)
		}
	}
	secret, _, err := NewToken(a, Credential{Name: "owner", Role: engine.RoleAdmin})
	if err != nil {
		t.Fatal(err)
	}
	if status, _, _ := send(t, "GET", url+"/api/v1/artifacts/1935-08-16.txt/text", nil, "Authorization", "Bearer "+secret); status != 200 {
		t.Errorf("an admin: %d", status)
	}
}

// A snapshot of another process is served at once, and its ETag with it.
func TestNewSnapshot(t *testing.T) {
	a, key, _, url := serve(t)
	_, headers, _ := send(t, "GET", url+"/api/v1/artifacts", nil)
	tag := headers.Get("ETag")
	if status, _, _ := send(t, "GET", url+"/api/v1/artifacts", nil, "If-None-Match", tag); tag == "" || status != 304 {
		t.Errorf("the same again: %d, ETag %q", status, tag)
	}
	archivetest.AddLetter(t, a, key, "A new letter about herons.\n")
	status, headers, _ := send(t, "GET", url+"/api/v1/artifacts", nil, "If-None-Match", tag)
	if status != 200 || headers.Get("ETag") == tag {
		t.Errorf("after a snapshot: %d, ETag %q", status, headers.Get("ETag"))
	}
	_, _, found := send(t, "GET", url+"/api/v1/search?query=herons", nil)
	if hits, ok := found["hits"].([]any); !ok || len(hits) != 1 {
		t.Errorf("the new letter is not found: %v", found)
	}
}

func TestReadCalls(t *testing.T) {
	_, _, _, url := serve(t)
	for _, path := range []string{"/healthz", "/metrics", "/openapi.json", "/api/v1/status", "/api/v1/snapshots", "/api/v1/claims", "/api/v1/sources", "/api/v1/citations"} {
		if status, _, _ := send(t, "GET", url+path, nil); status != 200 {
			t.Errorf("%s: %d", path, status)
		}
	}
	posts := map[string]any{
		"/api/v1/segment":       SegmentRequest{Text: "It burned. It was rebuilt."},
		"/api/v1/ask":           AskRequest{Question: "Who repaired the mill wheel?"},
		"/api/v1/check":         CheckRequest{Draft: "# Mill\n\n- It stopped.\n"},
		"/api/v1/cite_negative": NegativeRequest{Claim: "The mill was sold.", Query: "mill sold"},
		"/api/v1/cite/batch":    CiteBatch{Citations: []CiteRequest{stopped, {Claim: "x"}, stopped}},
		"/api/v1/bib":           BibRequest{Citations: []string{"1"}},
	}
	for _, path := range []string{"/api/v1/segment", "/api/v1/ask", "/api/v1/check", "/api/v1/cite_negative", "/api/v1/cite/batch", "/api/v1/bib"} {
		status, _, got := send(t, "POST", url+path, posts[path])
		if status != 200 {
			t.Errorf("%s: %d %v", path, status, got)
		}
		if path == "/api/v1/ask" && got["bundle"] != "" {
			t.Errorf("ask tells a path of the server: %v", got["bundle"])
		}
	}
}

// Many callers at once lose no citation and double none.
func TestManyCallers(t *testing.T) {
	_, _, _, url := serve(t)
	const callers, each = 8, 20
	ids := make(chan float64, callers*each)
	var wait sync.WaitGroup
	for i := range callers {
		wait.Go(func() {
			for j := range each {
				_, _, got := send(t, "POST", url+"/api/v1/cite", stopped, "Idempotency-Key", fmt.Sprint(i, "/", j))
				if id, ok := got["citation_id"].(float64); ok {
					ids <- id
				}
			}
		})
	}
	wait.Wait()
	close(ids)
	seen := map[float64]bool{}
	for id := range ids {
		seen[id] = true
	}
	if len(seen) != callers*each {
		t.Errorf("%d citations, want %d", len(seen), callers*each)
	}
}

func TestMCP(t *testing.T) {
	_, _, s, url := serve(t)
	transports := map[string]mcp.Transport{
		"streams": streamMCP(t, s, Credential{Name: "test", Role: engine.RoleAgent}),
		"http":    &mcp.StreamableClientTransport{Endpoint: url + "/mcp"},
	}
	for name, transport := range transports {
		t.Run(name, func(t *testing.T) { useMCP(t, transport) })
	}
}

// useMCP does what an agent does: it lists the tools, searches, reads, cites wrongly
// and then as it is told.
func useMCP(t *testing.T, transport mcp.Transport) {
	ctx := t.Context()
	c := connectMCP(t, transport)
	listed, err := c.ListTools(ctx, nil)
	if err != nil || len(listed.Tools) != 18 {
		t.Fatalf("%d tools: %v", len(listed.Tools), err)
	}
	for _, tool := range listed.Tools {
		if tool.InputSchema == nil || tool.OutputSchema == nil || tool.Annotations == nil {
			t.Errorf("%s has no schema or no annotations", tool.Name)
		}
	}
	use := func(name string, arguments any, wantError bool) map[string]any {
		t.Helper()
		r, err := c.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: arguments})
		if err != nil || r.IsError != wantError {
			t.Fatalf("%s: %v %+v", name, err, r)
		}
		out, _ := r.StructuredContent.(map[string]any)
		if wantError {
			text, ok := r.Content[0].(*mcp.TextContent)
			if !ok || json.Unmarshal([]byte(text.Text), &out) != nil || out["suggestion"] == "" {
				t.Errorf("%s: an error without a suggestion: %v", name, r.Content)
			}
		}
		return out
	}
	found := use("search_archive", map[string]any{"query": "mill wheel"}, false)
	if hits, ok := found["hits"].([]any); !ok || len(hits) == 0 {
		t.Fatalf("no hits: %v", found)
	}
	use("read_passage", map[string]any{"artifact": "1931-03-14.txt"}, false)
	wrong := use("cite", map[string]any{"artifact": "1931-03-14.txt", "quote": "The mill wheel has stoped.", "claim": "The mill wheel has stopped."}, false)
	next, ok := wrong["next_call"].(map[string]any)
	if wrong["verification_status"] != "failed" || !ok {
		t.Fatalf("%v", wrong)
	}
	right := use(next["tool"].(string), next["arguments"], false)
	again := use(next["tool"].(string), next["arguments"], false)
	if right["verification_status"] != "verified" || again["citation_id"] != right["citation_id"] {
		t.Errorf("%v, then %v", right, again)
	}
	use("get_citation", map[string]any{"citation": fmt.Sprint(right["citation_id"])}, false)
	use("list_citations", map[string]any{}, false)
	use("format_bibliography", map[string]any{"citations": []string{fmt.Sprint(right["citation_id"])}}, false)
	use("cite_negative", map[string]any{"claim": "The mill was sold.", "query": "mill sold"}, false)
	use("check_draft", map[string]any{"draft": "# Mill\n\n- The mill wheel has stopped. [1]\n"}, false)
	use("ask", map[string]any{"question": "Who repaired the mill wheel?"}, false)
	use("read_passage", map[string]any{"artifact": "nothing.txt"}, true)
	resource, err := c.ReadResource(ctx, &mcp.ReadResourceParams{URI: "muniment://artifact/" + right["artifact"].(string) + "/p3"})
	if err != nil || !strings.Contains(resource.Contents[0].Text, "mill wheel") {
		t.Errorf("resource: %v %v", err, resource)
	}
	if p, err := c.GetPrompt(ctx, &mcp.GetPromptParams{Name: "cite_sources", Arguments: map[string]string{"task": "a note"}}); err != nil || len(p.Messages) != 1 {
		t.Errorf("prompt: %v", err)
	}
}

func TestToolDefinitions(t *testing.T) {
	for _, format := range ToolFormats {
		all, err := ToolDefinitions(format)
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(all)
		if err != nil || !strings.Contains(string(data), `"enum":["direct_quote"`) {
			t.Errorf("%s: %v %s", format, err, data)
		}
	}
	if _, err := ToolDefinitions("other"); err == nil {
		t.Error("tools for an unknown host")
	}
}

// BenchmarkBatch measures citations of a batch on SQLite.
func BenchmarkBatch(b *testing.B) {
	a, _, _, _ := serve(b)
	e, err := engine.New(a, engine.Caller{Session: "bench"})
	if err != nil {
		b.Fatal(err)
	}
	var lines bytes.Buffer
	enc := json.NewEncoder(&lines)
	for i := range b.N {
		one := stopped
		one.Key = fmt.Sprint(i)
		if err := enc.Encode(one); err != nil {
			b.Fatal(err)
		}
	}
	b.ResetTimer()
	batch := Batch{Engine: e, Words: adviceOf}
	if done, err := batch.Cite(b.Context(), &lines, io.Discard); err != nil || done.Verified != b.N {
		b.Fatal(done, err)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "citations/s")
}
