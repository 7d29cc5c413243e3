package server

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"muniment/archive/archivetest"
	"muniment/engine"
	"muniment/history"
	"muniment/snapshot/access"
)

// Whatever is wrong with a message over HTTP, the reply is a JSON-RPC error, with the id of the message where it has one.
func TestMCPErrors(t *testing.T) {
	_, _, _, url := serve(t)
	list := `{"jsonrpc":"2.0","id":7,"method":"tools/list"}`
	for _, c := range []struct {
		name, method, body, header, value string
		status, code                      int
		id                                any
	}{
		{"method", "POST", `{"jsonrpc":"2.0","id":"a","method":"nope"}`, "", "", 200, -32601, "a"},
		{"tool", "POST", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"nope"}}`, "", "", 200, -32602, 7.0},
		{"cursor", "POST", `{"jsonrpc":"2.0","id":7,"method":"resources/list","params":{"cursor":"../.."}}`, "", "", 200, -32602, 7.0},
		{"batch", "POST", "[" + list + "]", "", "", 400, -32600, nil},
		{"text", "POST", "nope", "", "", 400, -32700, nil},
		{"version", "POST", list, "MCP-Protocol-Version", "1999-01-01", 400, -32600, 7.0},
		{"type", "POST", list, "Content-Type", "text/plain", 415, -32600, 7.0},
		{"stream", "GET", "", "", "", 405, -32600, nil},
		{"session", "DELETE", "", "", "", 405, -32600, nil},
		{"store", "POST", `{"jsonrpc":"2.0","id":7,"method":"resources/list"}`, "", "", 200, -32603, 7.0},
	} {
		if c.name == "store" { // that is broken is no fault of the parameters
			a, _, _, broken := serve(t)
			if err := os.RemoveAll(filepath.Join(a.Dir(), "archive.git", "objects")); err != nil {
				t.Fatal(err)
			}
			url = broken
		}
		r, err := http.NewRequestWithContext(t.Context(), c.method, url+"/mcp", strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		if c.header != "" {
			r.Header.Set(c.header, c.value)
		}
		reply, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(reply.Body)
		reply.Body.Close()
		var got struct {
			ID    any
			Error struct{ Code int }
		}
		if err != nil || json.Unmarshal(text, &got) != nil || reply.StatusCode != c.status || got.Error.Code != c.code || got.ID != c.id || reply.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s: %d %s %s, want %d %d", c.name, reply.StatusCode, reply.Header.Get("Content-Type"), text, c.status, c.code)
		}
	}
}

// Papers are listed a page at a time and their names completed, for whoever may know of them.
func TestMCPNames(t *testing.T) {
	papers := maps.Clone(archivetest.Papers)
	for i := range pageLength + 20 {
		papers[fmt.Sprintf("flour-%03d.txt", i)] = fmt.Sprintf("Nine sacks of flour were ground on day %d.\n", i)
	}
	papers["first.txt"], papers["second-name.txt"] = "A paper of two names.\n", "A paper of two names.\n"
	papers["letter-to-Ottilie-Quarnstrom.txt"] = "A letter about the weir, of no date.\n"
	a, key := archivetest.New(t, papers)
	if _, err := engine.Snapshot(a, history.SnapshotOptions{Text: "papers", Signer: key}); err != nil {
		t.Fatal(err)
	}
	archivetest.Seal(t, a, key, history.ConsentOptions{Artifacts: []string{"1935-08-16.txt"}, Preset: "hidden"})
	archivetest.Seal(t, a, key, history.ConsentOptions{Person: "Ottilie Quarnstrom", State: access.PersonAnonymized})
	_, url := serveArchive(t, a, key)
	c := connectMCP(t, &mcp.StreamableClientTransport{Endpoint: url + "/mcp"})
	seen, pages := map[string]string{}, 0
	for cursor := ""; pages == 0 || cursor != ""; pages++ {
		page, err := c.ListResources(t.Context(), &mcp.ListResourcesParams{Cursor: cursor})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range page.Resources {
			if seen[r.Name] != "" || strings.Contains(r.Name, "Ottilie") {
				t.Errorf("listed: %s", r.Name)
			}
			seen[r.Name] = r.URI
		}
		cursor = page.NextCursor
	}
	if pages != 2 || seen["in/1935-08-16.txt"] != "" || seen["in/1931-04-02.txt"] == "" || len(seen) < pageLength+20+len(archivetest.Papers)-1 {
		t.Errorf("%d resources on %d pages: %v", len(seen), pages, slices.Sorted(maps.Keys(seen)))
	}
	for _, uri := range []string{seen["in/1931-04-02.txt"], resourceScheme + "artifact/1931-04-02.txt", resourceScheme + "artifact/in%2F1931-04-02.txt"} {
		if r, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri}); err != nil || !strings.Contains(r.Contents[0].Text, "Tobias Lunt repaired") {
			t.Errorf("%s: %v", uri, err)
		}
	}
	r, err := c.Complete(t.Context(), &mcp.CompleteParams{Ref: &mcp.CompleteReference{Type: "ref/resource", URI: resourceScheme + "artifact/{id}"}, Argument: mcp.CompleteParamsArgument{Name: "id", Value: "second"}})
	if err != nil || !slices.Equal(r.Completion.Values, []string{"in/second-name.txt"}) {
		t.Errorf("a paper is completed by a name that was not asked for: %v %+v", err, r)
	}
	for part, want := range map[string]int{"1931": 2, "1935": 0, "flour": pageLength, "flour-11": 10, "Ottilie": 0, "nothing": 0} {
		r, err := c.Complete(t.Context(), &mcp.CompleteParams{Ref: &mcp.CompleteReference{Type: "ref/resource", URI: resourceScheme + "artifact/{id}"}, Argument: mcp.CompleteParamsArgument{Name: "id", Value: part}})
		if err != nil || len(r.Completion.Values) != want || r.Completion.HasMore != (want == pageLength) {
			t.Errorf("%s: %v %+v, want %d", part, err, r, want)
		}
	}
}

// A call that its caller leaves, or cancels, gives its reader up. The text of a verdict on a citation is short.
func TestMCPCancel(t *testing.T) {
	_, _, s, url := serve(t)
	c := connectMCP(t, streamMCP(t, s, Credential{Name: "test", Role: engine.RoleAgent}))
	calls := map[string]func(context.Context) error{
		"streams": func(ctx context.Context) error {
			_, err := c.CallTool(ctx, &mcp.CallToolParams{Name: "search_archive", Arguments: map[string]any{"query": "flour"}})
			return err
		},
		"http": func(ctx context.Context) error {
			r, err := http.NewRequestWithContext(ctx, "POST", url+"/mcp", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_archive","arguments":{"query":"flour"}}}`))
			if err != nil {
				return err
			}
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Accept", "application/json, text/event-stream")
			reply, err := http.DefaultClient.Do(r)
			if err == nil {
				reply.Body.Close()
			}
			return err
		},
	}
	for name, call := range calls {
		free, _ := s.handles.Load()
		var held []*handle
		for i := range free {
			h, err := s.handles.Take(t.Context(), fmt.Sprint("other ", i))
			if err != nil {
				t.Fatal(err)
			}
			held = append(held, h)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- call(ctx) }()
		waits := func(want int) {
			t.Helper()
			for range 500 {
				if _, waiting := s.handles.Load(); waiting == want {
					return
				}
				time.Sleep(20 * time.Millisecond)
			}
			t.Errorf("%s: not %d calls wait", name, want)
		}
		waits(1)
		cancel()
		if err := <-ended; err == nil {
			t.Errorf("%s: a cancelled call has a result", name)
		}
		waits(0)
		for i, h := range held {
			s.handles.Give(fmt.Sprint("other ", i), h)
		}
	}
	for quote, status := range map[string]string{"The mill wheel has stopped.": "verified", "The mill wheel has stoped.": "failed", "Nothing of this is there at all.": "failed"} {
		r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "cite", Arguments: map[string]any{"artifact": "1931-03-14.txt", "quote": quote, "claim": "The mill wheel has stopped."}})
		if err != nil {
			t.Fatal(err)
		}
		text := r.Content[0].(*mcp.TextContent).Text
		if !strings.Contains(text, `"verification_status":"`+status+`"`) || len(text) > 450 { // some 150 tokens
			t.Errorf("%d bytes: %s", len(text), text)
		}
	}
}
