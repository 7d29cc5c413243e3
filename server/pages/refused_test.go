package pages

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// A question that cannot be asked is a failure by its status, and a refusal an answer. What a refusal suggests is a link where a page does it.
func TestRefusedAndFailedQuestions(t *testing.T) {
	h := newHouse(t)
	for question, want := range map[string]int{"": http.StatusUnprocessableEntity, strings.Repeat("why ", 2000): http.StatusUnprocessableEntity, "Who bought a violin concerto in Bremen?": http.StatusOK} {
		r, err := http.NewRequestWithContext(t.Context(), "POST", h.url+"/ask", strings.NewReader(url.Values{"question": {question}}.Encode()))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Origin", h.url)
		reply, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(reply.Body)
		reply.Body.Close()
		if err != nil || reply.StatusCode != want {
			t.Errorf("%.30q: status %d, want %d, %v", question, reply.StatusCode, want, err)
		}
		if strings.Contains(string(body), "search_archive") {
			t.Errorf("%.30q: a page names a tool: %s", question, body)
		}
		if want == http.StatusOK && !strings.Contains(string(body), `">see the closest passages by a search for: `) {
			t.Errorf("%q: a suggestion is no link: %s", question, body)
		}
	}
}
