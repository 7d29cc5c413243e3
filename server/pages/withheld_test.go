package pages

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"muniment/accession"
	"muniment/accession/sourcemeta"
	"muniment/archive/archivetest"
	"muniment/cid"
	"muniment/engine"
	"muniment/history"
	"muniment/server"
	"muniment/snapshot/access"
)

// withheldPapers are papers of which paragraphs name a sealed person. %s stands for words of these paragraphs, of titles and
// of headings, which are all that two archives of the test differ in.
var withheldPapers = map[string]string{
	"choir.md":                     "# The choir book\n\nThe hymnal was bound in calf.\n\nVerena Zuckmann hid the %[1]s in the organ loft.\n\nThe psalter was bought for nine marks.\n",
	"years.md":                     "# The chapel book\n\nThe lectern was carved in oak.\n\n## Zuckmann and the %[1]s\n\nThe chapel clock was wound on Sundays.\n",
	"letter.txt":                   "The bellows were mended at Easter.\n\nThe %[1]s was stolen by Verena Zuckmann on 3 May 1951.\n",
	"memo.txt":                     "Verena Zuckmann and the %[1]s of Gravesend\n\nThe organ of the chapel was tuned at Easter.\n",
	"titled.txt":                   "The thurible was polished on Thursday.\n",
	"barley.txt":                   "The barley was cut early. The organ was dusted.\n",
	"Nachlass Zuckmann/candle.txt": "The candle was lit at noon.\n",
	"zuckmann.txt":                 "The vestry door was painted.\n",
	"thread.eml": "From: Ottokar Prins <o@choir.example>\r\nTo: Mary Aldous <m@choir.example>\r\nDate: Wed, 13 Mar 1996 09:14:00 +0000\r\nSubject: Organ tuning\r\nMessage-ID: <x2@choir.example>\r\n" +
		"In-Reply-To: <zuckmann-1@choir.example>\r\nReferences: <zuckmann-1@choir.example>\r\nList-Id: Zuckmann circle <zuckmann.choir.example>\r\nReply-To: <v.zuckmann@choir.example>\r\n\r\nThe blower was oiled on Tuesday.\r\n",
	"copied.eml": "From: Ottokar Prins <o@choir.example>\r\nTo: Mary Aldous <m@choir.example>\r\nCc: v.zuckmann@choir.example\r\nDate: Thu, 14 Mar 1996 09:14:00 +0000\r\nSubject: Organ pipes\r\nMessage-ID: <x3@choir.example>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n" +
		"--b\r\nContent-Type: text/plain\r\n\r\nThe pipes were counted.\r\n--b\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename=zuckmann-invoice.txt\r\n\r\nThe invoice is for nine crowns.\r\n--b--\r\n",
	"headed.md":         "# Verena Zuckmann\n\nThe %[1]s was valued.\n",
	"signed.txt":        "Dear Ruth,\n\nThe %[1]s is in the vestry.\n\nYours ever,\nV. Zuckmann\n",
	"addressed.txt":     "Dear Miss Zuckmann,\n\nThe %[1]s will be sent.\n\nYours,\nTom\n",
	"zuckmann-loan.txt": "The %[1]s was lent for a year.\n",
	"tagged.txt":        "The %[1]s was mended twice.\n",
	"page.html":         "<!doctype html><html><head><title>Concerts</title><meta name=\"author\" content=\"Verena Zuckmann\"></head><body><h1>Concerts</h1><p>The motet was sung twice.</p><p>The <a href=\"/verena-zuckmann\">anthem</a> was sung once.</p></body></html>\n",
	"pipes.html":        "<!doctype html><html><head><title>Pipes</title></head><body><p>The <a href=\"/verena-zuckmann\">pipe</a> was long.</p></body></html>\n",
	"open.html":         "<!doctype html><html><head><title>Doors</title></head><body><p>The door was closed.</p></body></html>\n",
}

// withheldWords are the words of each archive.
var withheldWords = []string{"falconry hood", "porcelain cup"}

// newWithheld returns an archive of the papers with one of the words. In both archives the papers are in the same order by their IDs.
func newWithheld(t *testing.T, words string) *twin {
	t.Helper()
	a, key := archivetest.New(t, map[string]string{"mill.txt": "The mill wheel has stopped.\n"})
	archivetest.Seal(t, a, key)
	box := t.TempDir()
	var paths []string
	for i, name := range slices.Sorted(maps.Keys(withheldPapers)) {
		text := strings.ReplaceAll(withheldPapers[name], "%[1]s", words)
		for n := 0; strings.Contains(withheldPapers[name], "%[1]s"); n++ {
			text = strings.ReplaceAll(withheldPapers[name], "%[1]s", fmt.Sprintf("%s %04d", words, n))
			if digest := cid.Of([]byte(text)).Hex(); digest[len(digest)-64:][:2] == fmt.Sprintf("%02x", 12*i+5) {
				break
			}
		}
		paths = append(paths, filepath.Join(box, name))
		if err := os.MkdirAll(filepath.Dir(paths[i]), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(paths[i], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	sidecar, err := sourcemeta.ReadJSON("said.json", fmt.Appendf(nil, `[{"path":"titled.txt","title":"Verena Zuckmann and the %s","creators":["Verena Zuckmann"],"date":"1950-01-01","tags":["%s of Zuckmann"]},{"path":"tagged.txt","tags":["zuckmann-affair","bells"]}]`, words, words))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := accession.Add(t.Context(), a, paths, accession.AddOptions{Sidecar: sidecar}); err != nil {
		t.Fatal(err)
	}
	archivetest.Seal(t, a, key, history.ConsentOptions{Person: "Verena Zuckmann", State: access.PersonSealed})
	tokens := map[string]string{}
	for _, tier := range []string{"researcher", "family"} {
		secret, _, err := server.NewToken(a, server.Credential{Name: tier, Role: engine.RoleAgent, Tier: tier})
		if err != nil {
			t.Fatal(err)
		}
		tokens[tier] = secret
	}
	h := serveArchive(t, a, key, server.Credential{})
	dir := filepath.Join(t.TempDir(), "site")
	if _, err := Export(t.Context(), h.server.Reader("family"), dir, SiteOptions{Signer: key}); err != nil {
		t.Fatal(err)
	}
	requireHidden(t, dir, words)
	return &twin{house: h, tokens: tokens, answer: map[string]string{}, made: map[string]string{}}
}

// requireHidden looks for words that are withheld in every file of a site.
func requireHidden(t *testing.T, dir, words string) {
	t.Helper()
	files, shown := 0, 0
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(name, "assets/verif") {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		all := strings.ToLower(name + " " + string(data))
		for _, word := range []string{words, strings.Fields(words)[0], "zuckmann", "verena"} { // an id may have a word of three letters
			if at := strings.Index(all, word); at >= 0 {
				t.Errorf("the site's %s has %q: %s", name, word, all[max(0, at-80):min(len(all), at+60)])
			}
		}
		if files++; strings.Contains(all, "psalter was bought") {
			shown++
		}
		return err
	})
	if err != nil || shown == 0 {
		t.Errorf("%d of %d files have a paragraph that everybody may read: %v", shown, files, err)
	}
}

// No reply to the public or to a higher tier depends on words of a paragraph, a heading, a title or a tag that is withheld for the person whom it names.
func TestWithheldWords(t *testing.T) {
	c := &comparison{t: t, there: newWithheld(t, withheldWords[0]), absent: newWithheld(t, withheldWords[1]), names: map[string]string{}, unknown: map[string]string{}}
	plantedBefore, masksBefore := planted, masks
	defer func() { planted, masks = plantedBefore, masksBefore }()
	masks = append(slices.Clone(masks), regexp.MustCompile(`(/p/|"lasting":"|data-lasting=")[a-z2-7]{10}`))
	planted = []string{"falconry", "porcelain", "zuckmann", "verena"}
	asked := []string{"falconry hood", "porcelain cup", "falconry", "organ falconry hood", "organ porcelain", "organ", "Zuckmann", "zuckmann", "Verena Zuckmann", "Verena Zuckmann and the falconry hood", "Verena Zuckmann hid the porcelain cup", "Gravesend", "stolen 1951", "the chapel clock and the falconry hood", "Falconry", "choir book", "thurible Zuckmann", "thurible Falconry", "affair", "vestry valued", "lent mended"}
	quotes := []string{"hid the falconry hood", "hid the porcelain cup", "Verena Zuckmann hid the falconry hood", "falconry hood", "The falconry hood was stolen", "in the organ loft", "The psalter was bought for nine marks.", "The psalter was bought for falconry hood marks.", "The thurible was polished on Thursday.", "of Gravesend", "was valued", "The falconry hood is in the vestry.", "The porcelain cup will be sent."}
	refs := []string{"choir.md", "years.md", "letter.txt", "memo.txt", "titled.txt", "Zuckmann", "zuckmann.txt", "Nachlass Zuckmann/candle.txt", "candle.txt", "thread.eml", "copied.eml", "zuckmann-invoice.txt", "page.html", "pipes.html", "headed.md", "signed.txt", "addressed.txt", "zuckmann-loan.txt", "tagged.txt", "falconry hood", "Verena Zuckmann and the falconry hood", "Verena Zuckmann and the porcelain cup", "nowhere.txt"}
	get := func(path string) { c.compare("read", "GET", "application/json", request{path: path}) }
	post := func(path string, body map[string]any) {
		data, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		c.compare("write", "POST", "application/json", request{path: path, body: string(data)})
	}
	for _, path := range []string{"/", "/index.json", "/inventory", "/inventory.json", "/inventory?sort=title", "/inventory?sort=name", "/names", "/names.json", "/custody", "/snapshots/2", "/api/v1/artifacts", "/api/v1/snapshots", "/api/v1/sources", "/api/v1/claims", "/api/v1/events?poll=true"} {
		get(path)
	}
	for _, words := range asked {
		q := url.QueryEscape(words)
		for _, path := range []string{"/api/v1/search?query=" + q, "/api/v1/search?limit=1&query=" + q, "/search?q=" + q, "/search.json?q=" + q, "/suggest?q=" + q, "/inventory.json?words=" + q, "/inventory.json?creator=" + q, "/inventory.json?tag=" + q, "/inventory.json?subject=" + q, "/api/v1/artifacts?name=" + q} {
			get(path)
		}
		post("/api/v1/cite_negative", map[string]any{"claim": "x", "query": words})
	}
	for _, ref := range refs {
		at := url.PathEscape(ref)
		for _, path := range []string{"/api/v1/artifacts/" + at, "/api/v1/artifacts/" + at + "/text", "/api/v1/artifacts/" + at + "/text?span=p3", "/a/" + at, "/a/" + at + ".json", "/s/2/a/" + at, "/o/" + at, "/o/" + at + "?save=1", "/cite?artifact=" + at + "&quote=falconry+hood", "/cite?artifact=" + at + "&quote=porcelain", "/cite?artifact=" + at + "&quote=Zuckmann"} {
			get(path)
		}
		for _, quote := range quotes {
			post("/api/v1/cite", map[string]any{"artifact": ref, "quote": quote, "claim": quote})
		}
		post("/api/v1/cite", map[string]any{"artifact": ref, "span": "p3", "claim": "It is there."})
		post("/api/v1/cite", map[string]any{"artifact": ref, "span": "p2:4-6", "claim": "It is there."})
		post("/api/v1/cite", map[string]any{"artifact": ref, "span": "meta/title", "claim": "Its title.", "relation": "metadata_fact"})
		post("/api/v1/cite_negative", map[string]any{"claim": "x", "artifact": ref})
		post("/api/v1/bib", map[string]any{"citations": []string{ref}})
	}
	for _, quote := range quotes {
		post("/api/v1/cite", map[string]any{"quote": quote, "claim": quote})
		post("/api/v1/cite", map[string]any{"quote_context": quote, "claim": quote})
		post("/api/v1/check", map[string]any{"draft": quote + "\n", "profile": "notes"})
		for _, frame := range []string{"They say “%s”.", "In “Verena Zuckmann and the falconry hood” it says “%s”.", "The memo on the porcelain cup has “%s”.", "Verena Zuckmann wrote: “%s”."} {
			post("/api/v1/examinations", map[string]any{"text": fmt.Sprintf(frame, quote)})
		}
	}
	for i := range 40 {
		for _, path := range []string{"", "/why"} {
			c.compare("read", "GET", "application/json", request{path: fmt.Sprintf("/api/v1/citations/%d%s", 1+7*i, path), body: strings.Join(slices.Concat(quotes, refs), " ")}) // the claim was the caller's own
		}
	}
	for _, question := range []string{"Who hid the falconry hood?", "Who hid the porcelain cup?", "What was in the organ loft?", "What do the papers say of the falconry hood?", "When was the chapel clock wound?", "What was stolen on 3 May 1951?", "Who was Verena Zuckmann?", "What of the falconry hood is wound on Sundays?", "What was mended at Easter?", "falconry", "What is in the vestry?", "What was mended twice?"} {
		post("/api/v1/ask", map[string]any{"question": question})
	}
	there, absent := c.there.connect(t, ""), c.absent.connect(t, "")
	for name, all := range map[string][]map[string]any{
		"search_archive": {{"query": "falconry hood"}, {"query": "organ porcelain cup"}},
		"cite":           {{"quote": quotes[0], "claim": "x"}, {"quote": quotes[4], "claim": "x"}, {"artifact": "choir.md", "quote": quotes[0], "claim": "x"}},
		"examine":        {{"text": "They say “" + quotes[0] + "”."}},
		"ask":            {{"question": "Who stole the falconry hood?"}},
	} {
		for _, args := range all {
			c.judge("tool "+name, request{body: fmt.Sprint(args)}, func(w *twin) reply {
				s := there
				if w == c.absent {
					s = absent
				}
				got, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: args})
				data, jsonErr := json.Marshal(got)
				return reply{body: fmt.Sprint(string(data), err, jsonErr)}
			})
		}
	}
	for _, value := range []string{"zuck", "Zuck", "falc", "c", "Nachlass"} {
		c.judge("completion", request{body: value}, func(w *twin) reply {
			s := there
			if w == c.absent {
				s = absent
			}
			got, err := s.Complete(t.Context(), &mcp.CompleteParams{Ref: &mcp.CompleteReference{Type: "ref/resource", URI: "muniment://artifact/{id}"}, Argument: mcp.CompleteParamsArgument{Name: "id", Value: value}})
			data, jsonErr := json.Marshal(got)
			return reply{body: fmt.Sprint(string(data), err, jsonErr)}
		})
	}
	for name, status := range map[string]int{"thread.eml": 403, "copied.eml": 403, "page.html": 403, "pipes.html": 403, "letter.txt": 403, "choir.md": 403, "headed.md": 403, "signed.txt": 403, "addressed.txt": 403, "tagged.txt": 403, "open.html": 200, "barley.txt": 200} {
		if got := c.there.send(t, "", "GET", "/o/"+name+"?save=1", "", "application/json"); got.status != status {
			t.Errorf("the original of %s: %d, want %d", name, got.status, status)
		}
	}
	for _, c.caller = range []string{"researcher", "family"} {
		for _, path := range []string{"/", "/inventory", "/names", "/api/v1/artifacts", "/suggest?q=zuck", "/suggest?q=bell", "/api/v1/search?query=falconry+hood", "/search?q=porcelain", "/search?q=organ"} {
			get(path)
		}
		for _, ref := range refs {
			for _, path := range []string{"/a/", "/o/", "/api/v1/artifacts/"} {
				get(path + url.PathEscape(ref))
			}
		}
		post("/api/v1/ask", map[string]any{"question": "What is in the vestry?"})
		post("/api/v1/examinations", map[string]any{"text": "They say “" + quotes[0] + "” and “The falconry hood was valued.”"})
	}
	if c.calls < 500 {
		t.Errorf("%d calls", c.calls)
	}
	t.Logf("%d calls", c.calls)
}
