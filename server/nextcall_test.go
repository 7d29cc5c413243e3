package server

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// wrongly returns citations of the papers' sentences, most of which do not verify: with words, claims, places and papers changed.
func wrongly() []map[string]any {
	sentences := []struct{ paper, words string }{
		{"1931-03-14.txt", "The mill wheel has stopped."}, {"1931-03-14.txt", "There is flour for nine days."},
		{"1931-04-02.txt", "Tobias Lunt repaired the mill wheel."}, {"1937-01-09.txt", "crate of straw"},
	}
	changes := []func(c map[string]any, n int){
		func(c map[string]any, n int) {},
		func(c map[string]any, n int) { c["quote"] = fmt.Sprint(c["quote"], " It was Monday ", n) },
		func(c map[string]any, n int) { c["claim"] = fmt.Sprintf("Somebody spoke of it %d times.", n) },
		func(c map[string]any, n int) { c["claim"] = fmt.Sprintf("There is flour for %d days.", n+10) },
		func(c map[string]any, n int) { c["artifact"] = fmt.Sprintf("nowhere-%d.txt", n) },
		func(c map[string]any, n int) { c["span"] = fmt.Sprintf("p%d:0-4", n+90) },
		func(c map[string]any, n int) { delete(c, "quote"); c["span"] = "p1"; c["claim"] = "The dam broke." },
		func(c map[string]any, n int) {
			delete(c, "artifact")
			c["quote"] = fmt.Sprint("Nobody ever wrote this ", n)
		},
		func(c map[string]any, n int) { delete(c, "artifact"); c["source"] = 900 + n },
		func(c map[string]any, n int) { delete(c, "artifact"); c["source"] = 1; c["claim"] = "The dam broke." },
		func(c map[string]any, n int) {
			c["relation"], c["derived_from"] = "aggregation", []string{"1931-03-14.txt", "1931-04-02.txt"}
		},
		func(c map[string]any, n int) {
			c["relation"], c["span"], c["claim"] = "metadata_fact", "meta/title", "Its title."
			delete(c, "quote")
		},
		func(c map[string]any, n int) { delete(c, "artifact"); delete(c, "quote") },
		func(c map[string]any, n int) {
			delete(c, "artifact")
			delete(c, "quote")
			c["claim"] = fmt.Sprintf("There is flour for %d days.", n+10)
		},
		func(c map[string]any, n int) {
			delete(c, "artifact")
			delete(c, "quote")
			c["claim"] = fmt.Sprintf("Zeppelins carried %d organs to Peru.", n)
		},
		func(c map[string]any, n int) { delete(c, "quote") },
		func(c map[string]any, n int) { delete(c, "artifact"); c["span"] = "p1"; delete(c, "quote") },
		func(c map[string]any, n int) { c["locator"] = map[string]any{"page": n}; c["claim"] = "The dam broke." },
	}
	var out []map[string]any
	for n := 0; len(out) < 280; n++ {
		for _, s := range sentences {
			for i := range changes {
				c := map[string]any{"artifact": s.paper, "quote": s.words, "claim": s.words, "session": fmt.Sprint(n, i)}
				changes[i](c, n)
				out = append(out, c)
			}
		}
	}
	return out
}

// Whatever call a reply to a citation names runs as it is sent back, over HTTP and as a tool, with arguments of their types; and
// so do the calls that the replies to these name. Where something fails there is one in nine of ten replies.
func TestNextCalls(t *testing.T) {
	_, _, s, address := serve(t)
	s.limits.PerSecond, s.limits.Most = 1e6, 1e6 // a fast machine makes more calls than one caller may
	if status, _, got := send(t, "POST", address+"/api/v1/sources", SourceRequest{Type: "document", Artifact: "1931-04-02.txt"}); status != 200 {
		t.Fatalf("source: %d %v", status, got)
	}
	m := connectMCP(t, &mcp.StreamableClientTransport{Endpoint: address + "/mcp"})
	overHTTP := func(next map[string]any) (int, map[string]any) {
		text := func(name string) string { s, _ := next[name].(string); return s }
		if text("method") == http.MethodGet {
			q := url.Values{}
			for name, v := range next["arguments"].(map[string]any) {
				q.Set(name, fmt.Sprint(v))
			}
			status, _, got := send(t, "GET", address+text("path")+"?"+q.Encode(), nil)
			return status, got
		}
		status, _, got := send(t, text("method"), address+text("path"), next["arguments"])
		return status, got
	}
	overMCP := func(next map[string]any) (int, map[string]any) {
		status, got := useTool(t.Context(), m, next["tool"].(string), next["arguments"])
		return status, got
	}
	cite := func(c map[string]any) map[string]any {
		return map[string]any{"tool": "cite", "method": "POST", "path": "/api/v1/cite", "arguments": c}
	}
	all := wrongly()
	for name, do := range map[string]func(map[string]any) (int, map[string]any){"http": overHTTP, "mcp": overMCP} {
		failed, named, ran := 0, 0, 0
		for _, c := range all {
			_, got := do(cite(c))
			if got["verification_status"] == "verified" {
				continue
			}
			failed++
			for depth := 0; depth < 3; depth++ {
				next, ok := got["next_call"].(map[string]any)
				if !ok {
					break
				}
				if depth == 0 {
					named++
				}
				status, reply := do(next)
				for name, v := range next["arguments"].(map[string]any) {
					if v == "" {
						t.Errorf("%s: %v names %v with no %s", name, c, next, name)
					}
				}
				if ran++; status != 200 {
					t.Errorf("%s: %v names %v: %d %v", name, c, next, status, reply)
					break
				}
				got = reply
			}
		}
		t.Logf("%s: of %d citations %d are not verified; %d name a call; %d calls ran", name, len(all), failed, named, ran)
		if failed < 100 || named*10 < failed*9 {
			t.Errorf("%s: %d of %d name a call", name, named, failed)
		}
	}
}

// useTool returns the reply of a tool as HTTP would give it.
func useTool(ctx context.Context, m *mcp.ClientSession, tool string, arguments any) (int, map[string]any) {
	r, err := m.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		return http.StatusBadRequest, map[string]any{"detail": err.Error()}
	}
	out := map[string]any{}
	for _, part := range r.Content {
		if text, ok := part.(*mcp.TextContent); ok {
			_ = json.Unmarshal([]byte(text.Text), &out) // an answer in words has no members
		}
	}
	if r.IsError {
		return http.StatusUnprocessableEntity, out
	}
	return http.StatusOK, out
}
