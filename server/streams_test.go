package server

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"muniment/engine"
)

// An event is one of a stream.
type event struct {
	name string
	data map[string]any
}

// stream posts a request and returns the events that answer it.
func stream(t *testing.T, url, secret string, body any) (status int, all []event) {
	t.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	if secret != "" {
		r.Header.Set("Authorization", "Bearer "+secret)
	}
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	if kind := reply.Header.Get("Content-Type"); reply.StatusCode == http.StatusOK && !strings.HasPrefix(kind, "text/event-stream") {
		t.Errorf("%s answers with %s", url, kind)
	}
	var one event
	lines := bufio.NewScanner(reply.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := lines.Text()
		if name, ok := strings.CutPrefix(line, "event: "); ok {
			one.name = name
		}
		if text, ok := strings.CutPrefix(line, "data: "); ok {
			if err := json.Unmarshal([]byte(text), &one.data); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
		}
		if line == "" && one.data != nil {
			all, one = append(all, one), event{}
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return reply.StatusCode, all
}

// Adding, indexing and verifying answer with their progress and then the result, for
// those who may; for others with an error.
func TestStreams(t *testing.T) {
	a, _, s, url := serve(t)
	calls := map[string]any{
		"add":    AddRequest{Files: []AddedFile{{Name: "new/one.txt", Text: "The mill stands again.\n"}, {Name: "new/two.txt", Base64: []byte("A second letter.\n")}}},
		"index":  IndexRequest{Rebuild: true},
		"verify": struct{}{},
	}
	for name, body := range calls {
		if _, all := stream(t, url+"/api/v1/archive/"+name, "", body); len(all) != 1 || all[0].name != "error" || all[0].data["error_type"] != "NotPermitted" {
			t.Errorf("%s by an agent: %v", name, all)
		}
	}
	secret, _, err := NewToken(a, Credential{Name: "owner", Role: engine.RoleAdmin})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"add", "index", "verify"} {
		status, all := stream(t, url+"/api/v1/archive/"+name, secret, calls[name])
		if status != http.StatusOK || len(all) < 2 || all[len(all)-1].name != "result" {
			t.Fatalf("%s: %d %v", name, status, all)
		}
		for _, e := range all[:len(all)-1] {
			if e.name != "progress" || e.data["done"].(float64) > e.data["total"].(float64) {
				t.Errorf("%s: %v", name, e)
			}
		}
		result := all[len(all)-1].data
		switch name {
		case "add":
			if added, _ := result["artifacts"].([]any); len(added) != 2 {
				t.Errorf("added: %v", result)
			}
		case "verify":
			if result["problems"] == nil || len(result["problems"].([]any)) != 0 {
				t.Errorf("verified: %v", result)
			}
		}
	}
	if status, all := stream(t, url+"/api/v1/archive/add", secret, map[string]any{"files": []map[string]any{{"name": "a.txt", "base64": "no Base64"}}}); status != http.StatusUnprocessableEntity {
		t.Errorf("damaged Base64: %d, %v", status, all)
	}
	s.streams <- struct{}{}
	if _, all := stream(t, url+"/api/v1/archive/verify", secret, struct{}{}); len(all) != 1 || all[0].data["error_type"] != "Busy" {
		t.Errorf("beside another long call: %v", all)
	}
	<-s.streams
}
