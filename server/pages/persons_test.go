package pages

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"muniment/accession"
	"muniment/accession/sourcemeta"
	"muniment/archive/archivetest"
	"muniment/cid"
	"muniment/engine"
	"muniment/history"
	"muniment/server"
	"muniment/snapshot/access"
)

// protectedNames are the names of a sealed and of an anonymized person.
var protectedNames = []string{"quarnstrom", "ottilie", "vantongeren", "ludmila"}

// newNamedTwin returns an archive with open papers whose files, titles, creators, places and tags name
// persons who are protected, and with a paper whose first accession came in a hidden mail.
func newNamedTwin(t *testing.T, names map[string]string) *twin {
	t.Helper()
	a, key := archivetest.New(t, archivetest.Papers)
	archivetest.Seal(t, a, key)
	sidecar, err := sourcemeta.ReadJSON("said.json", []byte(`[
		{"path":"ottilie-quarnstrom.txt","title":"Ottilie Quarnstrom to Ada Vale","creators":["Ottilie Quarnstrom"],"place":"Zell","tags":["Ottilie Quarnstrom"],"date":"1944-05-05","publisher":"Ottilie Quarnstrom"},
		{"path":"wheel.txt","title":"Ludmila Vantongeren and the wheel","creators":["Ludmila Vantongeren"],"tags":["Ludmila Vantongeren"],"date":"1944-05-06"}]`))
	if err != nil {
		t.Fatal(err)
	}
	box := t.TempDir()
	files := map[string]string{"ottilie-quarnstrom.txt": "The brass telescope was sold at Michaelmas.\n\nOttilie Quarnstrom repaired the telescope.\n", "wheel.txt": "The telescope of Ludmila Vantongeren was sold again.\n"}
	var paths []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		paths = append(paths, filepath.Join(box, name))
		if err := os.WriteFile(paths[len(paths)-1], []byte(files[name]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r, err := accession.Add(t.Context(), a, paths, accession.AddOptions{Sidecar: sidecar})
	if err != nil {
		t.Fatal(err)
	}
	for i, one := range r.Artifacts {
		names[[]string{"sealed", "anonymized"}[i]] = one.ID
		for _, who := range []engine.Caller{{Role: engine.RoleAgent, Agent: "loopback", Session: "default"}, {Role: engine.RoleAgent, Agent: "family", Session: "default"}} {
			e, err := engine.New(a, who)
			if err == nil {
				_, err = e.Cite(t.Context(), engine.CiteOptions{Artifact: one.ID, Span: "p1", Claim: "It was sold.", Session: who.Session})
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	archivetest.Seal(t, a, key, history.ConsentOptions{Person: "Ottilie Quarnstrom", State: access.PersonSealed}, history.ConsentOptions{Person: "Ludmila Vantongeren", State: access.PersonAnonymized})
	out := &twin{house: serveArchive(t, a, key, server.Credential{}), tokens: map[string]string{}, answer: map[string]string{}, made: map[string]string{}}
	for _, tier := range []string{"researcher", "family"} {
		secret, _, err := server.NewToken(a, server.Credential{Name: tier, Role: engine.RoleAgent, Tier: tier})
		if err != nil {
			t.Fatal(err)
		}
		out.tokens[tier] = secret
	}
	secret, _, err := server.NewToken(a, server.Credential{Name: "auditor", Role: engine.RoleAuditor})
	if err != nil {
		t.Fatal(err)
	}
	out.tokens["auditor"] = secret
	return out
}

// No reply of any operation or page names a protected person, whatever names the paper.
func TestProtectedNames(t *testing.T) {
	names := map[string]string{"absent": cid.Of([]byte("nowhere")).String()}
	w := newNamedTwin(t, names)
	refs := []string{"{sealed}", "{anonymized}", "wheel.txt", "1", "2", "3", "4"}
	calls := 0
	for _, caller := range []string{"", "researcher", "family", "auditor"} {
		try := func(what, method, kind string, r request) {
			calls++
			got := w.send(t, caller, method, r.path, r.body, kind)
			for _, name := range protectedNames {
				said := strings.ToLower(got.body)
				if at := strings.Index(said, name); at >= 0 {
					t.Errorf("%s as %q: %s %s says %q: %s", what, caller, r.path, r.body, name, said[max(0, at-150):min(len(said), at+100)])
				}
			}
		}
		for _, x := range []example{{path: "/api/v1/artifacts"}, {path: "/api/v1/artifacts/{ref}", refs: refs}, {path: "/api/v1/artifacts/{ref}/text", refs: refs}, {path: "/api/v1/search?query={ref}", refs: []string{"telescope", "sold"}},
			{path: "/api/v1/sources"}, {path: "/api/v1/sources/{ref}", refs: refs}, {path: "/api/v1/citations"}, {path: "/api/v1/citations/{ref}", refs: refs}, {path: "/api/v1/citations/{ref}/why", refs: refs}, {path: "/api/v1/claims"},
			{path: "/"}, {path: "/inventory"}, {path: "/inventory?sort=title"}, {path: "/inventory?year=1944"}, {path: "/names"}, {path: "/search?q=telescope"}, {path: "/suggest?q=tel"}, {path: "/suggest?q=19"}, {path: "/a/{ref}", refs: refs},
			{path: "/s/2/a/{ref}", refs: refs}, {path: "/cite?artifact={ref}&span=p1", refs: refs}, {path: "/citations"}, {path: "/citations/{ref}", refs: refs}, {path: "/claims"}, {path: "/custody"}, {path: "/snapshots/2"}, {path: "/o/{ref}", refs: refs}} {
			each([]example{x}, names, func(r request) {
				try("read", "GET", "application/json", r)
				if !strings.HasPrefix(r.path, "/api/") && !strings.HasPrefix(r.path, "/o/") && !strings.Contains(r.path, "?") && r.path != "/" {
					r.path += ".json"
					try("read", "GET", "application/json", r)
				}
			})
		}
		for _, x := range []example{{path: "/api/v1/cite", body: `{"artifact":"{ref}","span":"p1","claim":"It was sold once more."}`, refs: refs[:3]}, {path: "/api/v1/cite_negative", body: `{"claim":"x","artifact":"{ref}"}`, refs: refs[:3]},
			{path: "/api/v1/sources", body: `{"type":"document","artifact":"{ref}"}`, refs: refs[:3]}, {path: "/api/v1/ask", body: `{"question":"{ref}"}`, refs: []string{"When was the brass telescope sold?", "Who repaired the telescope?", "Which letters are there of May 1944?", "Who is named most?"}},
			{path: "/api/v1/bib", body: `{"citations":["{ref}"]}`, refs: refs}, {path: "/api/v1/examinations", body: `{"text":"They say \"The brass telescope was sold at Christmas\"."}`}} {
			each([]example{x}, names, func(r request) { try("write", "POST", "application/json", r) })
		}
	}
	if calls < 250 {
		t.Errorf("%d calls", calls)
	}
	t.Logf("%d calls at 4 tiers, 4 words of protected names looked for", calls)
}
