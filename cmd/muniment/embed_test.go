package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// embeddings is an honest small server of the protocol: texts that speak of
// mills have one direction, texts that speak of barns another, the others a
// third one.
type embeddings struct {
	texts atomic.Int64 // how many were embedded
	down  atomic.Bool
}

func (s *embeddings) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Model string   `json:"model"`
		Input []string `json:"input"`
	}
	if err := json.NewDecoder(r.Body).Decode(&body); s.down.Load() || err != nil || r.URL.Path != "/v1/embeddings" || body.Model != "small" {
		http.Error(w, "no", http.StatusServiceUnavailable)
		return
	}
	s.texts.Add(int64(len(body.Input)))
	var data []string
	for i, text := range body.Input {
		v := "[0.1,0.1,1]"
		switch text = strings.ToLower(text); {
		case strings.Contains(text, "mill") || strings.Contains(text, "grinding"):
			v = "[1,0.1,0]"
		case strings.Contains(text, "barn") || strings.Contains(text, "outbuilding"):
			v = "[0.1,1,0]"
		}
		data = append(data, fmt.Sprintf(`{"object":"embedding","index":%d,"embedding":%s}`, i, v))
	}
	fmt.Fprintf(w, `{"object":"list","model":"small","data":[%s]}`, strings.Join(data, ","))
}

// TestEmbeddings searches by meaning through an endpoint on loopback.
func TestEmbeddings(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("one.txt", "Tobias Lunt repaired the mill wheel in March.\n")
	p.write("two.txt", "The barn was painted.\n")
	p.must("key", "new")
	p.must("init", "letters")
	dir := p.path("letters")
	p.must("-C", dir, "add", "one.txt", "two.txt")
	p.must("-C", dir, "snapshot", "-m", "one")
	if r := p.call("-C", dir, "search", "outbuilding"); r.code != 1 {
		t.Fatalf("by words alone: exit %d, %s", r.code, r.stdout)
	}
	s := &embeddings{}
	srv := httptest.NewServer(s)
	defer srv.Close()
	p.env["MUNIMENT_EMBED_URL"], p.env["MUNIMENT_EMBED_MODEL"] = srv.URL+"/v1", "small"
	first := func(words, want string) {
		t.Helper()
		r := p.must("-C", dir, "search", words, "--limit", "1")
		if !strings.Contains(r.stdout, want) {
			t.Errorf("%q: %s, want %s", words, r.stdout, want)
		}
	}
	first("outbuilding", "two.txt")
	first("grinding", "one.txt")
	if n := s.texts.Load(); n != 4 { // two passages once, two questions
		t.Errorf("%d texts were embedded, want 4", n)
	}
	// What no word and no sentence says is refused as before.
	if r := p.call("-C", dir, "ask", "Who sold the outbuilding?", "--json"); r.document(t)["outcome"] != "refused" {
		t.Errorf("an answer without a word of the question: %s", r.stdout)
	}
	s.down.Store(true)
	if r := p.call("-C", dir, "search", "outbuilding"); r.code != 6 || !strings.Contains(r.stderr, "unset MUNIMENT_EMBED_URL") {
		t.Errorf("an endpoint that is down: exit %d, %s", r.code, r.stderr)
	}
}
