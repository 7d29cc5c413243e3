package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEmbed(t *testing.T) {
	reply := ""
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct {
			Model string   `json:"model"`
			Input []string `json:"input"`
		}
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || r.URL.Path != "/v1/embeddings" || body.Model != "small" || len(body.Input) != 2 {
			http.Error(w, "not the protocol", http.StatusBadRequest)
			return
		}
		fmt.Fprint(w, reply)
	}))
	defer srv.Close()
	c := &Client{URL: srv.URL + "/v1", Model: "small"}
	reply = `{"object":"list","data":[{"index":1,"embedding":[0,-2]},{"index":0,"embedding":[3,4]}],"model":"small"}`
	got, err := c.Embed(t.Context(), []string{"a", "b"})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([][]float32{{0.6, 0.8}, {0, -1}}, got); d != "" {
		t.Error(d)
	}
	bad := []string{
		``, `[]`, `{}`, `{"data":[]}`,
		`{"data":[{"index":0,"embedding":[1]}]}`,
		`{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}`,
		`{"data":[{"index":0,"embedding":[1]},{"index":2,"embedding":[1]}]}`,
		`{"data":[{"index":0,"embedding":[1]},{"embedding":[1]}]}`,
		`{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1,2]}]}`,
		`{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[]}]}`,
		`{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[0]}]}`,
		`{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1e300]}]}`,
		`{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":["1"]}]}`,
		`{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1]}],"data":[]}`,
		`{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1]}]} more`,
		`{"data":[` + strings.Repeat(" ", maxVectors) + `]}`,
	}
	for _, reply = range bad {
		var problem *ReplyError
		if got, err := c.Embed(t.Context(), []string{"a", "b"}); !errors.As(err, &problem) || got != nil {
			t.Errorf("%.80q: %v, %v", reply, got, err)
		}
	}
	var away *UnavailableError
	if _, err := c.Embed(t.Context(), []string{"a"}); !errors.As(err, &away) {
		t.Errorf("a status of 400: %v", err)
	}
	if _, err := c.Embed(t.Context(), nil); err == nil {
		t.Error("no text was embedded")
	}
}
