package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"muniment/engine"
)

// Each operation but review has an example with what it requires, which an archive of the papers answers with 200 and a reply as
// described.
func TestExamples(t *testing.T) {
	a, _, s, _ := serve(t)
	handler := s.Handler()
	secret, _, err := NewToken(a, Credential{Name: "owner", Role: engine.RoleAdmin, Project: "mill"})
	if err != nil {
		t.Fatal(err)
	}
	token := "Bearer " + secret
	document := replyOf(t, handler, http.MethodGet, "/openapi.json", nil, "", "").Body.Bytes()
	all, _ := readContract(t, document)
	made := map[string]string{} // by path, the id of the last resource
	for _, e := range readExamples() {
		i := slices.IndexFunc(all, func(d callSchema) bool { return d.id == e.Operation })
		if i < 0 {
			t.Errorf("%s: no such operation, or one with two examples", e.Operation)
			continue
		}
		d := all[i]
		all = slices.Delete(all, i, i+1)
		path, query, media, body := d.path, url.Values{}, "application/json", []byte(e.Body)
		for _, p := range d.parameters {
			value, ok := e.Parameters[p.Name]
			switch {
			case !ok && p.Required:
				t.Errorf("%s: no example of %s", d.id, p.Name)
			case ok && p.In == "path":
				text := fmt.Sprint(value)
				if id := made[strings.TrimSuffix(path, "/{id}")]; id != "" {
					if len(text) != len(id) {
						t.Errorf("%s: %q is not of the form of %q", d.id, text, id)
					}
					text = id
				}
				path = strings.ReplaceAll(path, "{"+p.Name+"}", url.PathEscape(text))
			case ok && p.In == "query":
				query.Set(p.Name, fmt.Sprint(value))
			}
			delete(e.Parameters, p.Name)
		}
		if len(e.Parameters) > 0 {
			t.Errorf("%s: no parameters, or hidden ones: %v", d.id, e.Parameters)
		}
		if (d.body != nil) != (body != nil) {
			t.Errorf("%s: an example of a body where there is none, or none where there is one", d.id)
		}
		if d.id == "verify_bundle" { // a file, which no example shows
			at := "/api/v1/reports"
			media, body = "application/zip", replyOf(t, handler, http.MethodGet, at+"/"+made[at]+".zip", nil, token, "").Body.Bytes()
		}
		who := token
		if d.id == "request_snapshot" { // an agent's
			secret, _, err := NewToken(a, Credential{Name: "desk", Role: engine.RoleAgent})
			if err != nil {
				t.Fatal(err)
			}
			who = "Bearer " + secret
		}
		w := replyOf(t, handler, d.method, path+"?"+query.Encode(), body, who, media)
		if err := d.check(w); err != nil || w.Code != http.StatusOK || bytes.Contains(w.Body.Bytes(), []byte("event: error")) {
			t.Errorf("%s: %d %v %.300s", d.id, w.Code, err, w.Body)
		}
		var reply struct{ ID string }
		if d.method == http.MethodPost && json.Unmarshal(w.Body.Bytes(), &reply) == nil && reply.ID != "" {
			made[d.path] = reply.ID
		}
	}
	for _, d := range all {
		if d.id != "review" { // a statement that is signed for one archive by the reviewer's own key, so that none would be taken
			t.Errorf("%s has no example", d.id)
		}
	}
}
