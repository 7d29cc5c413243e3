package pages

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"muniment/accession"
	"muniment/archive/archivetest"
	"muniment/history"
	"muniment/server"
	"muniment/snapshot/access"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// No reply names a protected person in the headings above a passage, or has a line of a paragraph that is withheld. A paper with
// a heading that names a sealed person is found by nobody who may not read it.
func TestHeadingsAndLines(t *testing.T) {
	words, questions := []string{"psalter", "hymnal", "zuckmann", "falconry", "prins", "windlass"}, []string{"What hobby is falconry?", "What is in the list with prins?", "falconry", "zuckmann"}
	for state, hidden := range map[string][]string{access.PersonSealed: {"Zuckmann", "zuckmann", "falconry", "prins"}, access.PersonAnonymized: {"Zuckmann"}} {
		a, key := archivetest.New(t, map[string]string{"barley.txt": "The barley was cut early.\n"})
		archivetest.Seal(t, a, key)
		box := t.TempDir()
		var paths []string
		for name, text := range map[string]string{
			"choir.md":   "# The choir book\n\nThe hymnal was bound in calf.\n\n## Zuckmann's years\n\nThe psalter was bought for nine marks.\n",
			"notes.json": "{\n  \"Verena Zuckmann\": {\n    \"voice\": \"alto\",\n    \"hobby\": \"falconry\"\n  },\n  \"list\": [\n    \"zuckmann\",\n    \"prins\"\n  ]\n}\n",
			"open.json":  "{\n  \"tool\": \"windlass\",\n  \"made\": \"1902\"\n}\n",
		} {
			paths = append(paths, filepath.Join(box, name))
			if err := os.WriteFile(paths[len(paths)-1], []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := accession.Add(t.Context(), a, paths, accession.AddOptions{}); err != nil {
			t.Fatal(err)
		}
		archivetest.Seal(t, a, key, history.ConsentOptions{Person: "Verena Zuckmann", State: state})
		h := serveArchive(t, a, key, server.Credential{})
		w, said := &twin{house: h, tokens: map[string]string{}, answer: map[string]string{}, made: map[string]string{}}, map[string]string{}
		for _, word := range words {
			said["search "+word] = w.send(t, "", "GET", "/api/v1/search?query="+word, "", "application/json").body
		}
		for _, question := range questions {
			said["ask "+question] = w.send(t, "", "POST", "/api/v1/ask", fmt.Sprintf(`{"question":%q}`, question), "application/json").body
		}
		said["text"] = w.send(t, "", "GET", "/api/v1/artifacts/notes.json/text", "", "application/json").body
		said["cite"] = w.send(t, "", "POST", "/api/v1/cite", `{"artifact":"choir.md","quote":"The psalter was bought for nine marks.","claim":"The psalter was bought."}`, "application/json").body
		for name, quote := range map[string]string{"found": "The psalter was bought for nine marks.", "nearest": "The psalter was bought for seven marks of silver."} {
			said[name] = w.send(t, "", "POST", "/api/v1/examinations", fmt.Sprintf(`{"text":%q}`, "They say \""+quote+"\"."), "application/json").body
		}
		got, err := w.connect(t, "").CallTool(t.Context(), &mcp.CallToolParams{Name: "search_archive", Arguments: map[string]any{"query": "psalter"}})
		said["tool"] = fmt.Sprint(got, err)
		for what, body := range said {
			for _, echo := range append(words, questions...) {
				body = strings.NewReplacer(`"query":"`+echo+`"`, "", `"question":"`+echo+`"`, "").Replace(body)
			}
			for _, word := range hidden {
				if at := strings.Index(body, word); at >= 0 {
					t.Errorf("%s: %s says %q: %s", state, what, word, body[max(0, at-150):min(len(body), at+80)])
				}
			}
		}
		for what, word := range map[string]string{"search psalter": "nine marks", "search hymnal": `"section":"The choir book"`, "search windlass": "open.json", "cite": "citation_id", "found": "choir.md", "nearest": "choir.md", "tool": "choir.md"} {
			open := what == "search windlass" || state == access.PersonAnonymized // a heading with her name makes the paper hers
			if strings.Contains(said[what], word) != open {
				t.Errorf("%s: %s has %q: %v: %s", state, what, word, !open, said[what])
			}
		}
		if veiled := "The choir book / [Person A]'s years"; state == access.PersonAnonymized && (!strings.Contains(said["search psalter"], veiled) || !strings.Contains(said["cite"], veiled)) {
			t.Errorf("no veiled heading: %s %s", said["search psalter"], said["cite"])
		}
	}
}
