package pages

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"muniment/accession"
	"muniment/accession/sourcemeta"
	"muniment/archive/archivetest"
	"muniment/engine"
	"muniment/handover"
	"muniment/history"
	"muniment/server"
	"muniment/snapshot/access"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// printedForms are the forms in which papers print the names of two sealed persons.
var printedForms = []string{"Ottilie Quarnstrom", "OTTILIE QUARNSTROM", "ottilie quarnstrom", "Ottilie-Quarnstrom-Weg", "Quarnstrom, Ottilie", "O t t i l i e   Q u a r n s t r o m", "Q.u.a.r.n.s.t.r.o.m", "Ottilie Quarn-\nstrom",
	"Quarnstrom House", "Ottilie Quarnstrom's house", "Quarnstroms Hof", "Ottilie\u00a0Quarnstrom", "Ottilie_Quarnstrom", "O. Quarnstrom", "Jörg Quellmüller", "Joerg Quellmueller", "JÖRG QUELLMÜLLER", "Jorg Quellmuller", "Jo\u0308rg Quellmu\u0308ller", "Herr Quellmueller"}

// squeeze returns the letters of a text without marks, in lower case.
func squeeze(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, norm.NFD.String(strings.NewReplacer("\\n", "", "%20", "", `\u00a0`, "", `\u00ad`, "", "&#39;s", "s").Replace(text)))
}

// No surface tells the name of a sealed person in any form in which a title, a place, a subject, a tag, a file, a heading, a text
// or the message of a snapshot prints it, and words that have its letters stay.
func TestPrintedNames(t *testing.T) {
	a, key := archivetest.New(t, map[string]string{"quarnstromer.txt": "Quarnstromer apples were cheap at the market.\n"})
	archivetest.Seal(t, a, key)
	var said []map[string]any
	var paths []string
	box := t.TempDir()
	for i, form := range printedForms {
		oneLine := strings.ReplaceAll(form, "\n", "")
		one := map[string]any{"path": fmt.Sprintf("paper-%02d.txt", i), "date": fmt.Sprintf("1944-05-%02d", i+1)}
		switch i % 4 {
		case 0:
			one["title"], one["place"] = "A visit to "+oneLine, oneLine
		case 1:
			one["creators"], one["tags"] = []string{oneLine}, []string{oneLine}
		case 2:
			one["path"] = strings.ReplaceAll(oneLine, " ", "_") + fmt.Sprintf("_%02d.txt", i)
			one["subjects"], one["place"] = []string{oneLine}, "near "+oneLine
		}
		said = append(said, one)
		paths = append(paths, filepath.Join(box, one["path"].(string)))
		if err := os.WriteFile(paths[i], fmt.Appendf(nil, "%s\n\nThe telescope number %d of %s was sold.\n\nThe brass telescope was dear.\n", form, i, form), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	data, err := json.Marshal(said)
	if err != nil {
		t.Fatal(err)
	}
	sidecar, err := sourcemeta.ReadJSON("said.json", data)
	if err != nil {
		t.Fatal(err)
	}
	added, err := accession.Add(t.Context(), a, paths, accession.AddOptions{Sidecar: sidecar})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Ottilie Quarnstrom", "Jörg Quellmüller"} {
		if _, err := history.Consent(a, history.ConsentOptions{Person: name, State: access.PersonSealed}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := engine.Snapshot(a, history.SnapshotOptions{Text: "letters of J o e r g  Q u e l l m u e l l e r", Signer: key}); err != nil {
		t.Fatal(err)
	}
	h := serveArchive(t, a, key, server.Credential{})
	w, surfaces := &twin{house: h}, map[string]string{}
	for _, path := range []string{"/", "/inventory", "/inventory?sort=title", "/inventory?sort=name", "/names", "/search?q=telescope", "/search?q=house", "/suggest?q=vis", "/suggest?q=pap", "/custody", "/snapshots/2", "/api/v1/artifacts", "/api/v1/search?query=telescope", "/api/v1/snapshots", "/claims"} {
		surfaces[path] = w.send(t, "", "GET", path, "", "application/json").body
	}
	for i, one := range added.Artifacts {
		_, surfaces[fmt.Sprintf("paper %d", i)] = h.get(t, "/a/"+one.ID)
		_, surfaces[fmt.Sprintf("twin %d", i)] = h.get(t, "/a/"+one.ID+".json")
	}
	for _, question := range []string{"What was sold?", "Which letters are there of May 1944?", "What do the papers say of a telescope?"} {
		_, surfaces[question] = h.get(t, h.ask(t, question))
	}
	session := w.connect(t, "")
	for name, args := range map[string]map[string]any{"list": {}, "search": {"query": "telescope"}} {
		got, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: args})
		reply, jsonErr := json.Marshal(got)
		surfaces["tool "+name] = fmt.Sprint(string(reply), err, jsonErr)
	}
	dir := filepath.Join(t.TempDir(), "site")
	if _, err := Export(t.Context(), h.server.Reader("public"), dir, SiteOptions{Signer: key}); err != nil {
		t.Fatal(err)
	}
	err = fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !strings.HasPrefix(name, "assets/verif") {
			var data []byte
			data, err = os.ReadFile(filepath.Join(dir, name))
			surfaces["site "+name] = name + " " + string(data)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	view, err := a.ReaderView("")
	if err != nil {
		t.Fatal(err)
	}
	for _, form := range []string{handover.FindingAidEAD, handover.FindingAidCSV, handover.FindingAidHTML} {
		aid, err := handover.FindingAid(a, form, handover.Options{View: view})
		if err != nil {
			t.Fatal(err)
		}
		surfaces["finding aid "+form] = string(aid)
	}
	for name, text := range surfaces {
		all := strings.ReplaceAll(squeeze(text), "quarnstromer", "")
		for _, word := range []string{"quarnstrom", "ottilie", "quellmuller", "quellmueller"} {
			if at := strings.Index(all, word); at >= 0 {
				t.Errorf("%s has %s: %s", name, word, all[max(0, at-80):min(len(all), at+60)])
			}
		}
	}
	if !strings.Contains(surfaces["/inventory"], "Quarnstromer apples") {
		t.Errorf("a word with the letters of a name is gone: %s", surfaces["/inventory"])
	}
	t.Logf("%d forms on %d surfaces", len(printedForms), len(surfaces))
}
