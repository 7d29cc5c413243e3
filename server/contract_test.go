package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/engine"
	"muniment/history"
)

// A callSchema is what the document says of a call.
type callSchema struct {
	id           string
	method, path string
	parameters   []parameterSchema
	body         map[string]any                           // schema of its JSON; nil for none
	replies      map[string]map[string]*jsonschema.Schema // by status and media type; nil of what is no JSON
	resolved     map[*jsonschema.Schema]*jsonschema.Resolved
}

type parameterSchema struct {
	Name, In string
	Required bool
	Schema   map[string]any
}

// readContract returns the operations of the document, and the schemas that it names.
func readContract(t *testing.T, text []byte) ([]callSchema, map[string]any) {
	t.Helper()
	text = bytes.ReplaceAll(text, []byte("#/components/schemas/"), []byte("#/$defs/"))
	var doc struct {
		Paths map[string]map[string]struct {
			OperationID string
			Parameters  []parameterSchema
			RequestBody struct {
				Content map[string]struct{ Schema map[string]any }
			}
			Responses map[string]struct {
				Content map[string]struct{ Schema json.RawMessage }
			}
		}
		Components struct{ Schemas map[string]any }
	}
	var defs struct {
		Components struct {
			Schemas map[string]*jsonschema.Schema
		}
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &defs); err != nil {
		t.Fatal(err)
	}
	for _, s := range defs.Components.Schemas { // replies of today have no member that is not described, though others may
		if s.Properties != nil && s.AdditionalProperties == nil {
			s.AdditionalProperties = &jsonschema.Schema{Not: &jsonschema.Schema{}}
		}
	}
	var all []callSchema
	for _, path := range slices.Sorted(maps.Keys(doc.Paths)) {
		for method, op := range doc.Paths[path] {
			d := callSchema{id: op.OperationID, method: strings.ToUpper(method), path: path, parameters: op.Parameters, replies: map[string]map[string]*jsonschema.Schema{}, resolved: map[*jsonschema.Schema]*jsonschema.Resolved{}}
			d.body = op.RequestBody.Content["application/json"].Schema
			for status, r := range op.Responses {
				d.replies[status] = map[string]*jsonschema.Schema{}
				for media, c := range r.Content {
					d.replies[status][media] = nil
					if strings.HasSuffix(media, "json") {
						s := &jsonschema.Schema{}
						if err := json.Unmarshal(c.Schema, s); err != nil {
							t.Fatal(err)
						}
						s.Defs = defs.Components.Schemas
						d.replies[status][media] = s
					}
				}
			}
			all = append(all, d)
		}
	}
	return all, doc.Components.Schemas
}

// words are the values of which requests are made: some that are there, and some that are nowhere.
var words = []string{"1931-03-14.txt", "1931-04-02.txt", "The mill wheel has stopped.", "mill wheel", "Who repaired the mill wheel?", "1", "2", "p1", "p3:0-4", "custom", "follows",
	"", "none", "x\u202ey", "é", strings.Repeat("a", 300), "00000000000000000000000000000000", "2026-01-01", "../..", "%00", `"`}

// draw returns a value for a schema, mostly one that it takes.
func draw(r *rand.Rand, s map[string]any, defs map[string]any, depth int) any {
	if ref, ok := s["$ref"].(string); ok {
		s, _ = defs[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any)
	}
	if r.IntN(20) == 0 {
		return []any{nil, 7, -1, 1e300, "x", []any{"x"}, map[string]any{"x": 1}, true}[r.IntN(8)]
	}
	if choices, ok := s["enum"].([]any); ok && r.IntN(8) > 0 {
		return choices[r.IntN(len(choices))]
	}
	kind := fmt.Sprint(s["type"])
	switch {
	case depth > 4:
		return nil
	case strings.Contains(kind, "object"):
		out := map[string]any{}
		required := fmt.Sprint(s["required"])
		members, _ := s["properties"].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(members)) {
			if strings.Contains(required, name) && r.IntN(20) > 0 || r.IntN(3) == 0 {
				member, _ := members[name].(map[string]any)
				out[name] = draw(r, member, defs, depth+1)
			}
		}
		return out
	case strings.Contains(kind, "array"):
		item, _ := s["items"].(map[string]any)
		out := make([]any, r.IntN(4))
		for i := range out {
			out[i] = draw(r, item, defs, depth+1)
		}
		return out
	case strings.Contains(kind, "integer"), strings.Contains(kind, "number"):
		return r.IntN(5)
	case strings.Contains(kind, "boolean"):
		return r.IntN(2) == 0
	}
	return words[r.IntN(len(words))]
}

// deadlines takes the deadlines of streams of events, as a connection does.
type deadlines struct{ *httptest.ResponseRecorder }

func (deadlines) SetWriteDeadline(time.Time) error { return nil }

// replyOf returns the reply of a handler to a request from loopback. Events are followed for a moment.
func replyOf(t *testing.T, handler http.Handler, method, path string, body []byte, token, media string) *httptest.ResponseRecorder {
	ctx := context.WithoutCancel(t.Context())
	if strings.HasPrefix(path, "/api/v1/events?") {
		var leave context.CancelFunc
		ctx, leave = context.WithTimeout(ctx, 300*time.Millisecond)
		defer leave()
	}
	r := httptest.NewRequestWithContext(ctx, method, "http://127.0.0.1"+path, bytes.NewReader(body))
	r.RemoteAddr = "127.0.0.1:1"
	r.Header.Set("Content-Type", media)
	if token != "" {
		r.Header.Set("Authorization", token)
	}
	w := httptest.NewRecorder()
	handler.ServeHTTP(deadlines{w}, r)
	return w
}

// check returns what a reply has that the document does not.
func (d *callSchema) check(w *httptest.ResponseRecorder) error {
	known, ok := d.replies[fmt.Sprint(w.Code)]
	if !ok {
		return fmt.Errorf("a status that is not described: %.200s", w.Body)
	}
	got, _, _ := strings.Cut(w.Header().Get("Content-Type"), ";")
	schema, ok := known[got]
	if !ok {
		return fmt.Errorf("media type %q is not described, but %v", got, slices.Collect(maps.Keys(known)))
	}
	if schema == nil {
		return nil
	}
	if d.resolved[schema] == nil {
		resolved, err := schema.Resolve(nil)
		if err != nil {
			return err
		}
		d.resolved[schema] = resolved
	}
	var value any
	if err := json.Unmarshal(w.Body.Bytes(), &value); err != nil {
		return err
	}
	if err := d.resolved[schema].Validate(value); err != nil {
		return fmt.Errorf("%w\n%.400s", err, w.Body)
	}
	return nil
}

// Whatever an operation is sent, no reply is a failure of the server, and every reply has a status, a media type and
// members that the document has of it.
func TestRepliesAsDescribed(t *testing.T) {
	a, key := archivetest.New(t, archivetest.Papers)
	if _, err := engine.Snapshot(a, history.SnapshotOptions{Text: "papers", Signer: key}); err != nil {
		t.Fatal(err)
	}
	s, err := New(Options{Open: func() (*archive.Archive, error) { return archive.Open(a.Dir(), a.World()) }, Signer: key, Version: "test",
		Limits: Limits{CallsPerSecond: 1 << 20, CallsAtOnce: 1 << 20, KeepPerSecond: 1 << 30, KeepAtOnce: 1 << 30}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	handler := s.Handler()
	serve := func(method, path string, body []byte, token, media string) *httptest.ResponseRecorder {
		return replyOf(t, handler, method, path, body, token, media)
	}
	text, err := io.ReadAll(serve(http.MethodGet, "/openapi.json", nil, "", "").Body)
	if err != nil {
		t.Fatal(err)
	}
	all, defs := readContract(t, text)
	var tokens []string
	for _, role := range []engine.Role{engine.RoleAgent, engine.RoleUser, engine.RoleAuditor, engine.RoleAdmin} {
		secret, _, err := NewToken(a, Credential{Name: string(role), Role: role, Project: "mill"})
		if err != nil {
			t.Fatal(err)
		}
		tokens = append(tokens, "Bearer "+secret)
	}
	tokens = append(tokens, "", "Bearer wrong")
	n := 2000
	if os.Getenv("MUNIMENT_LONG") != "" {
		n = 20_000
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	hole := regexp.MustCompile(`\{\w+\}`)
	ids, statuses := []string{}, map[int]int{}
	made := regexp.MustCompile(`"id":"([0-9a-f]{32})"`)
	for i := range n {
		d := all[i%len(all)]
		path := hole.ReplaceAllStringFunc(d.path, func(string) string {
			if len(ids) > 0 && rnd.IntN(2) == 0 {
				return ids[rnd.IntN(len(ids))] + []string{"", ".zip", ".html", ".pdf"}[rnd.IntN(4)]
			}
			return url.PathEscape(words[rnd.IntN(len(words))])
		})
		query := url.Values{}
		for _, p := range d.parameters {
			if p.In == "query" && (p.Required || rnd.IntN(2) == 0) {
				query.Set(p.Name, fmt.Sprint(draw(rnd, p.Schema, defs, 0)))
			}
		}
		var body []byte
		if d.body != nil {
			if body, err = json.Marshal(draw(rnd, d.body, defs, 0)); err != nil {
				t.Fatal(err)
			}
		}
		media := "application/json"
		if rnd.IntN(20) == 0 {
			media = "text/plain"
		}
		w := serve(d.method, path+"?"+query.Encode(), body, tokens[rnd.IntN(len(tokens))], media)
		what := fmt.Sprintf("%s %s %.300s: %d", d.method, path+"?"+query.Encode(), body, w.Code)
		statuses[w.Code]++
		if w.Code >= 500 || w.Code >= 300 && w.Code < 400 && w.Code != http.StatusNotModified && w.Code != http.StatusMovedPermanently && w.Code != http.StatusTemporaryRedirect {
			t.Errorf("%s %.300s", what, w.Body)
			continue
		}
		if m := made.FindSubmatch(w.Body.Bytes()); m != nil && d.method == http.MethodPost {
			ids = append(ids, string(m[1]))
		}
		if hole.MatchString(d.path) && w.Code >= 300 { // a part of the path may lead to another route
			continue
		}
		if err := d.check(w); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	t.Logf("%d requests, %d operations, statuses %v", n, len(all), statuses)
	if len(all) < 30 || statuses[200] < n/10 {
		t.Errorf("%d operations, %d replies of 200", len(all), statuses[200])
	}
}
