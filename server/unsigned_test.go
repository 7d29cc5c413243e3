package server

import (
	"net/http/httptest"
	"testing"

	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/engine"
)

// Before the first snapshot, a caller without a token is told of no paper, and cites what
// it registered itself.
func TestNothingSigned(t *testing.T) {
	a, _ := archivetest.New(t, archivetest.Papers)
	s, err := New(Options{Open: func() (*archive.Archive, error) { return archive.Open(a.Dir(), a.World()) }, Version: "test"})
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
	api := h.URL + "/api/v1"
	status, _, got := send(t, "GET", api+"/artifacts", nil)
	if all, ok := got["artifacts"].([]any); status != 200 || !ok || len(all) != 0 {
		t.Errorf("artifacts: %d %v", status, got)
	}
	public := s.Client(public, "")
	public.signed = true
	if list, err := public.Holdings(t.Context(), HoldingsRequest{Limit: 10}); err != nil || list.All != 0 {
		t.Errorf("holdings: %v %v", list, err)
	}
	if status, _, got := send(t, "GET", api+"/status", nil); status != 200 || got["staged"] != false {
		t.Errorf("status: %d %v", status, got)
	}
	for _, path := range []string{"/artifacts/1931-03-14.txt", "/artifacts/1931-03-14.txt/text"} {
		if status, _, got := send(t, "GET", api+path, nil); status != 404 {
			t.Errorf("%s: %d %v", path, status, got)
		}
	}
	if status, _, got := send(t, "POST", api+"/cite", stopped); status != 404 {
		t.Errorf("cite: %d %v", status, got)
	}
	status, _, own := send(t, "POST", api+"/sources", SourceRequest{Type: "custom", Name: "table", Content: "a,b\n1,2\n"})
	if status != 200 {
		t.Fatalf("source: %d %v", status, own)
	}
	if status, _, got := send(t, "POST", api+"/cite", map[string]any{"source": own["source_id"], "quote": "1,2", "claim": "There is a row."}); status != 200 {
		t.Errorf("cite what was registered: %d %v", status, got)
	}
	if status, _, got := send(t, "GET", api+"/artifacts/"+own["artifact"].(string)+"/text", nil); status != 200 {
		t.Errorf("read what was registered: %d %v", status, got)
	}
	secret, _, err := NewToken(a, Credential{Name: "ann", Role: engine.RoleAgent})
	if err != nil {
		t.Fatal(err)
	}
	if status, _, got := send(t, "GET", api+"/artifacts/1931-03-14.txt", nil, "Authorization", "Bearer "+secret); status != 200 {
		t.Errorf("with a token: %d %v", status, got)
	}
}
