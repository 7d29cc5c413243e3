package pages

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"muniment/accession"
	"muniment/accession/sourcemeta"
	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/cid"
	"muniment/engine"
	"muniment/history"
	"muniment/server"
)

// Every call, tool and page answers who may not know of a paper as if the paper were not
// there: over two archives that differ in it alone the replies are the same but for random
// parts and times. An operation without an example fails the test.

// planted are words that only the hidden and the staged paper have.
var planted = []string{"quillwort", "halloway", "zarnow", "herondale"}

// brochure is attached to a hidden mail, and taken in by itself.
const brochure = "A brochure of the mill.\n"

// mail is a hidden mail with two attachments.
const mail = "From: Verena Halloway <v@example.org>\r\nTo: Ben <b@example.org>\r\nDate: Fri, 5 May 1944 10:00:00 +0000\r\nMessage-ID: <q@example.org>\r\nSubject: Quillwort\r\n" +
	"MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=zz\r\n\r\n--zz\r\nContent-Type: text/plain\r\n\r\nThe quillwort is enclosed.\r\n" +
	"--zz\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename=halloway.txt\r\n\r\n" + brochure +
	"\r\n--zz\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename=zarnow.txt\r\n\r\nThe mill wheel of Zarnow, by Halloway.\r\n--zz--\r\n"

// A twin is one of the archives of the test with what its requests name.
type twin struct {
	*house
	tokens map[string]string // by caller
	answer map[string]string // the newest answer of each caller
	made   map[string]string // by caller and path: the id of the newest resource that was made there
}

// newTwin returns an archive in which a scan and its text are hidden, unless absent; with
// staged a paper waits for a signature. names gets what requests name the hidden paper by.
func newTwin(t *testing.T, hidden, staged bool, names map[string]string) *twin {
	t.Helper()
	a, key := archivetest.New(t, archivetest.Papers)
	archivetest.Seal(t, a, key)
	box := filepath.Join(t.TempDir(), "box")
	if err := os.Mkdir(box, 0o700); err != nil {
		t.Fatal(err)
	}
	add := func(o accession.AddOptions, files map[string]string) *accession.AddResult {
		t.Helper()
		var paths []string
		for _, name := range slices.Sorted(maps.Keys(files)) {
			paths = append(paths, filepath.Join(box, name))
			if err := os.WriteFile(paths[len(paths)-1], []byte(files[name]), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		r, err := accession.Add(t.Context(), a, paths, o)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	add(accession.AddOptions{}, map[string]string{"1940-02-02.txt": "2 February 1940\n\nThe mill wheel was sold.\n"})
	cites := func(artifact, quote string) {
		t.Helper()
		for _, who := range []engine.Caller{{Role: engine.RoleAgent, Agent: "loopback", Session: "default"}, {Role: engine.RoleAgent, Agent: "agent", Session: "default"}, {Role: engine.RoleAgent, Agent: "other", Session: "s", Project: "p"}} {
			e, err := engine.New(a, who)
			if err == nil {
				_, err = e.Cite(t.Context(), engine.CiteOptions{Artifact: artifact, Quote: quote, Claim: quote, Session: who.Session})
			}
			if err == nil {
				_, err = e.CiteNegative(t.Context(), engine.NegativeOptions{Claim: "It was sold.", Artifact: artifact})
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	cites("1931-03-14.txt", "The mill wheel has stopped.")
	add(accession.AddOptions{}, map[string]string{"dull.txt": "A dull paper.\n", "brochure.txt": brochure})
	consents := []history.ConsentOptions{{Artifacts: []string{"dull.txt"}, Preset: "hidden"}}
	if !hidden { // so that both ledgers go on with the same numbers
		cites("dull.txt", "A dull paper.")
	}
	if hidden {
		var picture bytes.Buffer
		if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 4, 4))); err != nil {
			t.Fatal(err)
		}
		sidecar, err := sourcemeta.ReadJSON("said.json", []byte(`[{"path":"quillwort.png","title":"The Quillwort Confession","creators":["Verena Halloway"],"place":"Zarnow","tags":["quillwort"],"date":"1944-05-05"},
			{"path":"quillwort.txt","title":"The Quillwort Reading","creators":["Verena Halloway"],"place":"Zarnow","tags":["quillwort"],"date":"1944-05-06"}]`))
		if err != nil {
			t.Fatal(err)
		}
		words := "Verena Halloway sold the mill wheel of Zarnow.\n\n" + strings.Repeat("The mill wheel has stopped. Tobias Lunt repaired the brass telescope.\n\n", 20)
		r := add(accession.AddOptions{Sidecar: sidecar}, map[string]string{"quillwort.png": picture.String(), "quillwort.txt": words})
		if len(r.Artifacts) != 2 {
			t.Fatalf("%d artifacts", len(r.Artifacts))
		}
		cites("quillwort.txt", "Verena Halloway sold the mill wheel of Zarnow.")
		names["scan"], names["text"] = r.Artifacts[0].ID, r.Artifacts[1].ID
		// A mail, with an attachment of which only it tells, and one that was taken in by itself too.
		m := add(accession.AddOptions{}, map[string]string{"quillwort.eml": mail})
		names["attached"] = m.Artifacts[len(m.Artifacts)-1].ID
		consents = append(consents, history.ConsentOptions{Artifacts: []string{"quillwort.png", "quillwort.eml"}, Preset: "hidden"},
			history.ConsentOptions{Artifacts: []string{"quillwort.txt", "zarnow.txt"}, Preset: "open"})
	}
	e, err := engine.New(a, engine.Caller{})
	if err == nil {
		_, err = e.Link("4", "supports", "1")
	}
	if err != nil {
		t.Fatal(err)
	}
	archivetest.Seal(t, a, key, consents...)
	if hidden {
		nameHidden(t, a, names)
	}
	if staged {
		r := add(accession.AddOptions{}, map[string]string{"herondale.txt": "The herons of Herondale and the mill wheel.\n"})
		names["staged"] = r.Artifacts[0].ID
	}
	out := &twin{house: serveArchive(t, a, key, server.Credential{}), tokens: map[string]string{}, answer: map[string]string{}, made: map[string]string{}}
	for _, c := range []server.Credential{{Name: "agent", Role: engine.RoleAgent}, {Name: "user", Role: engine.RoleUser, Project: "p"}, {Name: "auditor", Role: engine.RoleAuditor}, {Name: "admin", Role: engine.RoleAdmin},
		{Name: "researcher", Role: engine.RoleAgent, Tier: "researcher"}, {Name: "family", Role: engine.RoleAgent, Tier: "family"}} {
		secret, _, err := server.NewToken(a, c)
		if err != nil {
			t.Fatal(err)
		}
		out.tokens[c.Name] = secret
	}
	return out
}

// nameHidden notes the numbers and IDs of what cites the hidden paper.
func nameHidden(t *testing.T, a *archive.Archive, names map[string]string) {
	t.Helper()
	e, err := engine.New(a, engine.Caller{})
	if err != nil {
		t.Fatal(err)
	}
	cited, err := e.Citations().List(engine.CitationFilter{Artifact: names["text"]})
	if err != nil || len(cited) != 3 {
		t.Fatalf("%d citations of the hidden paper: %v", len(cited), err)
	}
	for i, role := range []string{"mine", "agents", "projects"} {
		names[role] = strconv.FormatInt(cited[i].CitationID, 10)
	}
	names["citationID"], names["source"], names["claim"] = cited[0].Citation, strconv.FormatInt(cited[0].SourceID, 10), strconv.FormatInt(cited[0].ClaimID, 10)
	s, err := e.Sources().Get(cited[0].SourceID)
	if err != nil {
		t.Fatal(err)
	}
	names["record"] = s.Record
}

// An example is one request. In each field {x} stands for a name of the hidden paper, {answer}
// for the caller's newest answer. One body is repeated for each of refs in the place of {ref}.
type example struct {
	path string // for the pattern of a page or an operation
	body string // JSON, or a form for a page
	refs []string
}

// hiddenRefs name the hidden paper in every way; staged ones and one that is nowhere too.
var hiddenRefs = []string{"{scan}", "{attached}", "quillwort.eml", "zarnow.txt", "halloway.txt", "{text}", "{record}", "quillwort.txt", "quillwort.png", "{prefix}", "The Quillwort Reading", "{staged}", "herondale.txt", "nowhere.txt", "{absent}", "{absentRecord}", "1931-03-14.txt"}

// pageRefs are some of them, as pages resolve a reference as the calls do.
var pageRefs = []string{"{text}", "{attached}", "halloway.txt", "{record}", "quillwort.txt", "{staged}", "herondale.txt", "nowhere.txt", "{absent}", "{absentRecord}", "1931-03-14.txt"}

// citationRefs name citations of the hidden paper, one that is visible, and one that is nowhere.
var citationRefs = []string{"{mine}", "{agents}", "{projects}", "{citationID}", "{absentRecord}", "1", "9999"}

// operations has the examples of each operation of the interface.
var operations = map[string][]example{
	"status":           {{path: "/status"}},
	"list_snapshots":   {{path: "/snapshots"}},
	"events":           {{path: "/events?after=0.0.0.0&poll=true"}, {path: "/events?poll=true"}},
	"list_undelivered": {{path: "/events/undelivered"}},
	"search_archive":   {{path: "/search?query=mill+wheel"}, {path: "/search?query={ref}", refs: []string{"quillwort", "Who+sold+the+mill+wheel", "Tobias+Lunt+1944", "herons", "Zarnow", "brass+telescope"}}, {path: "/search?query=mill+wheel&limit=1"}},
	"list_artifacts":   {{path: "/artifacts"}, {path: "/artifacts?name=quill"}, {path: "/artifacts?limit=2"}, {path: "/artifacts?after={text}"}},
	"get_artifact":     {{path: "/artifacts/{ref}", refs: hiddenRefs}},
	"read_passage":     {{path: "/artifacts/{ref}/text", refs: hiddenRefs}, {path: "/artifacts/{ref}/text?span=p1", refs: hiddenRefs}},
	"cite": {
		{path: "/cite", body: `{"artifact":"{ref}","quote":"Verena Halloway sold the mill wheel","claim":"She sold it."}`, refs: append([]string{"{source}"}, hiddenRefs...)},
		{path: "/cite", body: `{"artifact":"{ref}","span":"meta/title","claim":"Its title.","relation":"metadata_fact"}`, refs: hiddenRefs},
		{path: "/cite", body: `{"source":{source},"quote":"The mill wheel has stopped.","claim":"It stopped."}`},
		{path: "/cite", body: `{"quote":"The mill wheel has stopped.","claim":"It stopped."}`},
		{path: "/cite", body: `{"quote":"Verena Halloway sold the mill wheel of Zarnow.","claim":"It was sold."}`},
		{path: "/cite", body: `{"artifact":"1931-03-14.txt","quote":"The mill wheel has stopped.","claim":"All stopped.","relation":"aggregation","derived_from":["{ref}"]}`, refs: slices.Concat(hiddenRefs, citationRefs)},
	},
	"cite_batch": {{path: "/cite/batch", body: `{"citations":[{"artifact":"quillwort.txt","quote":"The mill wheel","claim":"x"},{"artifact":"{text}","quote":"The mill wheel","claim":"x"},{"artifact":"nowhere.txt","quote":"The mill wheel","claim":"x"}]}`}},
	"cite_negative": {
		{path: "/cite_negative", body: `{"claim":"x","artifact":"{ref}"}`, refs: hiddenRefs},
		{path: "/cite_negative", body: `{"claim":"x","artifact":"{ref}","spans":["p1"]}`, refs: hiddenRefs},
		{path: "/cite_negative", body: `{"claim":"x","source":{source}}`}, {path: "/cite_negative", body: `{"claim":"x","source":1}`}, {path: "/cite_negative", body: `{"claim":"x","source":9999}`},
		{path: "/cite_negative", body: `{"claim":"x","query":"{ref}"}`, refs: []string{"quillwort", "Verena Halloway sold", "mill wheel", "brass telescope"}},
	},
	"list_citations": {{path: "/citations"}, {path: "/citations?source={source}"}, {path: "/citations?claim={claim}"}, {path: "/citations?limit=1"}, {path: "/citations?status=verified"}},
	"get_citation":   {{path: "/citations/{ref}", refs: citationRefs}},
	"why":            {{path: "/citations/{ref}/why", refs: citationRefs}},
	"list_claims":    {{path: "/claims"}, {path: "/claims?limit=1"}},
	"list_to_review": {{path: "/reviews?all=true"}, {path: "/reviews?citations={ref}", refs: citationRefs}, {path: "/reviews?source={source}"}},
	"review": {{path: "/reviews", body: `{"citation":"{ref}","review":"{}"}`, refs: citationRefs}, {path: "/reviews", body: `{"claim":"x","artifact":"{ref}","span":"p1:0-4","review":"{}"}`, refs: hiddenRefs},
		{path: "/reviews", body: `{"claim":"x","artifact":"{ref}","span":"p1:0-4","verdict":"follows"}`, refs: hiddenRefs}},
	"link":                {{path: "/links", body: `{"from":"{ref}","type":"supports","to":"1"}`, refs: citationRefs}, {path: "/links", body: `{"from":"1","type":"supports","to":"{ref}"}`, refs: citationRefs}},
	"list_sources":        {{path: "/sources"}, {path: "/sources?type=document"}},
	"get_source":          {{path: "/sources/{ref}", refs: []string{"{source}", "1", "9999"}}},
	"register_source":     {{path: "/sources", body: `{"type":"document","artifact":"{ref}"}`, refs: hiddenRefs}, {path: "/sources", body: `{"type":"custom","name":"a table","content":"1 2 3 4","derived_from":["{ref}"]}`, refs: slices.Concat(hiddenRefs, citationRefs)}},
	"ask":                 {{path: "/ask", body: `{"question":"{ref}"}`, refs: questions}},
	"create_answer":       {{path: "/answers", body: `{"question":"{ref}"}`, refs: questions}},
	"get_answer":          {{path: "/answers/{made}"}, {path: "/answers/{made}.html"}, {path: "/answers/{ref}", refs: addresses}},
	"request_snapshot":    {{path: "/snapshots", body: `{}`}},
	"seal_report":         {{path: "/reports", body: `{"draft":"{ref}. The mill wheel has stopped.\n"}`, refs: examinedWords}},
	"get_report":          {{path: "/reports/{made}"}, {path: "/reports/{made}.html"}, {path: "/reports/{ref}", refs: addresses}},
	"get_examination":     {{path: "/examinations/{made}"}, {path: "/examinations/{made}.html"}, {path: "/examinations/{ref}", refs: addresses}},
	"check_draft":         {{path: "/check", body: `{"draft":"# Mill\n\n- Verena Halloway sold the mill wheel of Zarnow. [{ref}]\n","query":"Who sold the mill wheel?","on":"2026-01-01"}`, refs: citationRefs}},
	"examine":             {{path: "/examinations", body: `{"text":"She wrote on 14 March 1931: \"{ref}.\" The quillwort letter says \"Verena Halloway bought the mill dam\"."}`, refs: examinedWords}},
	"segment":             {{path: "/segment", body: `{"text":"It burned. It was rebuilt."}`}},
	"format_bibliography": {{path: "/bib", body: `{"citations":["{ref}"]}`, refs: slices.Concat(hiddenRefs, citationRefs)}, {path: "/bib", body: `{}`}},
	"verify_bundle":       {{path: "/verify", body: `no bundle`}},
	"verify_archive":      {{path: "/archive/verify"}},
	"update_index":        {{path: "/archive/index", body: `{}`}},
	"add":                 {{path: "/archive/add", body: `{"files":[{"name":"a.txt","text":""}]}`}},
}

// addresses lead nowhere.
var addresses = []string{"none", "00000000000000000000000000000000"}

// examinedWords are quoted in texts that are examined: those of hidden papers, of open ones and of none.
var examinedWords = []string{"Verena Halloway sold the mill wheel", "the mill wheel of Zarnow was sold", "nobody has ever written these five words"}

// questions are asked of both archives.
var questions = []string{"Who sold the mill wheel?", "Who is Verena Halloway?", "What happened on 5 May 1944?", "Which herons are there?"}

// exempt has the callers of operations that may know what is hidden, with the reason.
var exempt = map[string]map[string]string{
	"verify_archive": {"auditor": "an auditor verifies the whole archive, and is told how many objects were read"},
}

// toolRefs are fewer, as a tool is the same method of a client as its operation.
var toolRefs = []string{"{text}", "{record}", "quillwort.txt", "{staged}", "nowhere.txt", "{absent}", "1931-03-14.txt"}

// mcpExamples has the examples of each tool of the Model Context Protocol, of each resource template
// and of each prompt: the arguments, or the address.
var mcpExamples = map[string][]example{
	"search_archive":      {{body: `{"query":"{ref}"}`, refs: []string{"mill wheel", "quillwort", "Zarnow"}}},
	"read_passage":        {{body: `{"artifact":"{ref}"}`, refs: toolRefs}},
	"register_source":     {{body: `{"type":"document","artifact":"{ref}"}`, refs: toolRefs}},
	"cite":                {{body: `{"artifact":"{ref}","quote":"Verena Halloway sold the mill wheel","claim":"She sold it again."}`, refs: toolRefs}},
	"cite_negative":       {{body: `{"claim":"x","artifact":"{ref}"}`, refs: toolRefs}, {body: `{"claim":"x","query":"quillwort mill wheel"}`}},
	"check_draft":         {{body: `{"draft":"# Mill\n\n- It stopped. [{ref}]\n","on":"2026-01-01"}`, refs: []string{"{mine}", "{citationID}", "1", "9999"}}},
	"examine":             {{body: `{"text":"In a letter she said: \"{ref}.\""}`, refs: examinedWords}},
	"ask":                 {{body: `{"question":"{ref}"}`, refs: questions[:2]}},
	"request_snapshot":    {{body: `{}`}},
	"seal_report":         {{body: `{"draft":"{ref}. The mill wheel has stopped.\n"}`, refs: examinedWords}},
	"get_bundle":          {{body: `{"id":"{ref}"}`, refs: addresses}},
	"bundle":              {{path: "muniment://bundle/{ref}", refs: addresses}},
	"examination":         {{path: "muniment://examination/{ref}", refs: addresses}},
	"list_sources":        {{body: `{}`}, {body: `{"type":"document","limit":1}`}},
	"get_source":          {{body: `{"source":{ref}}`, refs: []string{"{source}", "1", "9999"}}},
	"get_citation":        {{body: `{"citation":"{ref}"}`, refs: []string{"{mine}", "{citationID}", "1", "9999"}}},
	"list_citations":      {{body: `{"status":"verified","limit":2}`}},
	"list_to_review":      {{body: `{"limit":2}`}},
	"review":              {{body: `{"citation":"{ref}","review":"{}"}`, refs: []string{"{mine}", "{citationID}", "1", "9999"}}},
	"format_bibliography": {{body: `{"citations":["{ref}"]}`, refs: []string{"{mine}", "{citationID}", "1", "9999"}}},
	"artifact":            {{path: "muniment://artifact/{ref}", refs: toolRefs}},
	"passage":             {{path: "muniment://artifact/{ref}/p1", refs: toolRefs}},
	"cite_sources":        {{body: `{"task":"a note"}`}},
}

// pagesOf has the examples of each page.
var pagesOf = map[string][]example{
	"GET /{$}":                       {{path: "/"}},
	"GET /index":                     {{path: "/index"}},
	"GET /inventory":                 {{path: "/inventory"}, {path: "/inventory?words=quillwort"}, {path: "/inventory?creator=Verena+Halloway"}, {path: "/inventory?sort=title"}, {path: "/inventory?year=1944"}},
	"GET /names":                     {{path: "/names"}},
	"GET /search":                    {{path: "/search?q=mill+wheel"}, {path: "/search?q=quillwort"}, {path: "/search?q=mill+wheel&order=date"}},
	"GET /suggest":                   {{path: "/suggest?q=quill"}, {path: "/suggest?q=Verena"}, {path: "/suggest?q=193"}, {path: "/suggest?q=heron"}},
	"GET /a/{artifact}":              {{path: "/a/{ref}", refs: pageRefs}},
	"GET /p/{lasting}":               {{path: "/p/{ref}", refs: append([]string{"{short}", "{shortAbsent}"}, pageRefs...)}, {path: "/p/{ref}?at=p1", refs: pageRefs}},
	"GET /s/{snapshot}/a/{artifact}": {{path: "/s/1/a/{ref}", refs: pageRefs}, {path: "/s/2/a/{ref}", refs: pageRefs}},
	"GET /cite":                      {{path: "/cite?artifact={ref}&span=p1", refs: pageRefs}, {path: "/cite?artifact={ref}&quote=Verena+Halloway", refs: pageRefs}},
	"GET /ask":                       {{path: "/ask"}},
	"POST /ask":                      {{path: "/ask", body: "question={ref}", refs: []string{"Who sold the mill wheel?", "Who repaired the mill wheel?"}}},
	"GET /answers/{id}":              {{path: "/answers/{answer}"}, {path: "/answers/none"}},
	"POST /answers/{id}/more":        {{path: "/answers/{answer}/more", body: "handle=none"}},
	"POST /answers/{id}/share":       {{path: "/answers/{answer}/share"}, {path: "/answers/00000000000000000000000000000000/share"}},
	"GET /answers/{id}/{file}":       {{path: "/answers/none/answer.zip"}, {path: "/answers/{answer}/answer.html"}},
	"GET /citations":                 {{path: "/citations"}, {path: "/citations?claim={claim}"}},
	"GET /citations/{citation}":      {{path: "/citations/{ref}", refs: citationRefs}},
	"GET /claims":                    {{path: "/claims"}},
	"GET /verify":                    {{path: "/verify"}},
	"GET /examine":                   {{path: "/examine"}},
	"POST /examine":                  {{path: "/examine", body: "text=She said: “{ref}.”", refs: examinedWords}},
	"GET /examinations/{id}":         {{path: "/examinations/{made}"}, {path: "/examinations/none"}},
	"POST /examinations/{id}/share":  {{path: "/examinations/00000000000000000000000000000000/share"}},
	"GET /reports":                   {{path: "/reports"}},
	"POST /reports":                  {{path: "/reports", body: "text=The mill wheel has stopped. [{ref}]", refs: []string{"1", "2", "3", "4", "9999", "{claim}"}}},
	"GET /reports/{id}":              {{path: "/reports/{made}"}, {path: "/reports/{made}?show=none"}, {path: "/reports/none"}},
	"POST /reports/{id}/share":       {{path: "/reports/00000000000000000000000000000000/share"}},
	"POST /verify":                   {{path: "/verify", body: "bundle=none"}},
	"GET /language/{code}":           {{path: "/language/de?to=/inventory"}},
	"GET /enter/{code}":              {{path: "/enter/none"}},
	"GET /review":                    {{path: "/review?all=1"}, {path: "/review?all=1&citation={ref}", refs: citationRefs}},
	"POST /review":                   {{path: "/review", body: "citation={ref}&verdict=follows", refs: citationRefs}},
	"GET /custody":                   {{path: "/custody"}},
	"GET /snapshots/{snapshot}":      {{path: "/snapshots/1"}, {path: "/snapshots/2"}, {path: "/snapshots/9"}},
	"GET /o/{artifact}":              {{path: "/o/{ref}", refs: hiddenRefs}},
	"GET /thumbs/{artifact}":         {{path: "/thumbs/{ref}", refs: hiddenRefs}},
	"GET /sheets/{artifact}/{page}":  {{path: "/sheets/{ref}/1", refs: hiddenRefs}},
	"GET /assets/{name}":             {{path: "/assets/none.css"}},
	"GET /":                          {{path: "/quillwort.txt"}},
}

// A request is an example in which names are put in.
type request struct {
	path, body string
	ref        string // the reference, where it names what is hidden or nowhere
	of         string // the example, for all references of which the reply must be the same
}

// unknownRefs are references of which a caller must not know what they name.
var unknownRefs = []string{"{scan}", "{attached}", "quillwort.eml", "zarnow.txt", "halloway.txt", "{text}", "{record}", "{prefix}", "{short}", "{shortAbsent}", "{staged}", "quillwort.txt", "quillwort.png", "herondale.txt", "nowhere.txt", "{absent}", "{absentRecord}", "{mine}", "{agents}", "{projects}", "{citationID}", "9999"}

// each calls do with every request of examples.
func each(all []example, names map[string]string, do func(request)) {
	fill := func(s, ref string, escape func(string) string) string {
		for at := 0; at < 2; at++ { // a reference is itself a name
			s = regexp.MustCompile(`\{[a-zA-Z]+\}`).ReplaceAllStringFunc(s, func(name string) string {
				if name == "{ref}" {
					return ref
				}
				if value, ok := names[name[1:len(name)-1]]; ok {
					return escape(value)
				}
				return name
			})
		}
		return s
	}
	plain := func(s string) string { return s }
	done := map[request]bool{}
	for _, x := range all {
		refs := x.refs
		if len(refs) == 0 {
			refs = []string{""}
		}
		for _, ref := range refs {
			if name, isName := strings.CutPrefix(strings.TrimSuffix(ref, "}"), "{"); isName && names[name] == "" {
				continue
			}
			r := request{path: fill(x.path, strings.ReplaceAll(ref, " ", "%20"), url.PathEscape), body: fill(x.body, ref, plain)}
			if slices.Contains(unknownRefs, ref) {
				r.ref = fill(ref, "", plain)
				r.of = x.path + x.body + " " + formOf(r.ref)
			}
			if !done[r] { // two references may be one
				done[r] = true
				do(r)
			}
		}
	}
}

// formOf returns the form of a reference, on which the words of an error may depend.
func formOf(ref string) string {
	if id, err := cid.Parse(ref); err == nil {
		return id.String()[:7] // with the codec
	}
	if strings.Trim(ref, "0123456789") == "" {
		return "a number"
	}
	return "a name"
}

// A reply is what a caller sees of an answer.
type reply struct {
	status int
	header http.Header
	body   string
}

// send makes a request of a caller.
func (w *twin) send(t *testing.T, caller, method, path, body, kind string) reply {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, w.url+path, strings.NewReader(body))
	if err != nil {
		t.Errorf("%s %s: %v", method, path, err)
		return reply{}
	}
	r.Header.Set("Content-Type", kind)
	r.Host = "localhost" // the port of a server is drawn by chance
	if kind != "application/json" {
		r.Header.Set("Origin", "http://localhost")
	}
	if secret := w.tokens[caller]; secret != "" {
		r.Header.Set("Authorization", "Bearer "+secret)
	}
	got, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Errorf("%s %s: %v", method, path, err)
		return reply{}
	}
	defer got.Body.Close()
	data, err := io.ReadAll(got.Body)
	if err != nil {
		t.Errorf("%s %s: %v", method, path, err)
	}
	if got.StatusCode == http.StatusTooManyRequests {
		time.Sleep(time.Second)
		return w.send(t, caller, method, path, body, kind)
	}
	if at := got.Header.Get("Location"); strings.HasPrefix(at, "/answers/") {
		w.answer[caller] = strings.TrimPrefix(at, "/answers/")
	}
	for _, root := range []string{"/examinations", "/reports"} {
		if at := got.Header.Get("Location"); strings.HasPrefix(at, root+"/") {
			w.made[caller+" "+root] = strings.TrimPrefix(at, root+"/")
		}
	}
	if id := madeID.FindSubmatch(data); id != nil && method == http.MethodPost {
		w.made[caller+" "+path] = string(id[1])
	}
	for _, name := range []string{"Date", "Etag", "Content-Length"} { // the length is that of the body
		got.Header.Del(name)
	}
	return reply{got.StatusCode, got.Header, string(data)}
}

// madeID is the id in the reply of a call that makes a resource.
var madeID = regexp.MustCompile(`"id":"([0-9a-f]{32})"`)

// masks are the parts of replies that are random or times.
var masks = []*regexp.Regexp{
	regexp.MustCompile(`AAAAC3N[A-Za-z0-9+/&#;=]+`), // public keys
	regexp.MustCompile(`b[a-z2-7]{58,62}|b[a-z2-7]{9,19}…`),
	regexp.MustCompile(`SHA256:[A-Za-z0-9+/&#;]{43,}`),
	regexp.MustCompile(`[A-Za-z0-9+_-]{22,}={0,2}`), // keys, nonces, handles
	regexp.MustCompile(`20\d\d-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?Z)?`),
	regexp.MustCompile(`\bSource [A-Z]\b`),                               // the handle of a citation of an answer
	regexp.MustCompile(`[A-Za-z0-9+/&#;]{14,30}…`),                       // the beginning of a key
	regexp.MustCompile(`(?s)<script type="application/zip;base64"[^<]*`), // a bundle, whose hashes are salted
	regexp.MustCompile(`\d\d:\d\d:\d\d UTC`),
	regexp.MustCompile(`http://127\.0\.0\.1:\d+`),
}

// mask returns a reply as text without these.
func (r reply) mask() string {
	text := fmt.Sprintln(r.status, r.header.Get("Content-Type"), r.header)
	text += r.body
	for _, m := range masks {
		text = m.ReplaceAllString(text, "#")
	}
	return text
}

// difference returns the first lines in which two texts differ.
func difference(x, y string) string {
	at := 0
	for at < min(len(x), len(y)) && x[at] == y[at] {
		at++
	}
	cut := func(s string) string { return s[max(0, at-160):min(len(s), at+240)] }
	return "there\n" + cut(x) + "\nabsent\n" + cut(y)
}

// A comparison compares two archives for a caller.
type comparison struct {
	t             *testing.T
	caller        string
	there, absent *twin
	names         map[string]string
	calls         int
	exits         map[string]bool   // that were tried; nil where nobody counts
	unknown       map[string]string // by request without its reference, the answer to one that names nothing
}

// compare sends one request to both.
func (c *comparison) compare(what, method, kind string, r request) {
	c.t.Helper()
	if c.exits != nil {
		c.exits[what] = true
	}
	c.judge(what+" "+method, r, func(w *twin) reply {
		answer := cmp.Or(w.answer[c.caller], "none")
		at, _, _ := strings.Cut(r.path, "/{made}")
		path := strings.ReplaceAll(r.path, "{made}", cmp.Or(w.made[c.caller+" "+at], "none"))
		return w.send(c.t, c.caller, method, strings.ReplaceAll(path, "{answer}", answer), strings.ReplaceAll(r.body, "{answer}", answer), kind)
	})
}

// judge asks both and reports what tells the replies apart, planted words that were not in the
// request, and an answer about what is hidden that differs from the one about what is nowhere.
func (c *comparison) judge(what string, r request, ask func(*twin) reply) {
	c.t.Helper()
	c.calls++
	var x, y reply
	var wait sync.WaitGroup
	wait.Go(func() { x = ask(c.there) })
	wait.Go(func() { y = ask(c.absent) })
	wait.Wait()
	asked := r.path + " " + r.body
	name := what + " as " + cmp.Or(c.caller, "nobody") + ": " + asked
	if left, right := x.mask(), y.mask(); left != right {
		c.t.Errorf("%s: the replies differ: %s", name, difference(left, right))
	}
	if strings.Contains(r.path, "/examinations/{made}") { // which repeats the document that was examined
		asked += operations["examine"][0].body
	}
	said := strings.ToLower(asked)
	for _, word := range planted {
		if at := strings.Index(strings.ToLower(x.body), word); at >= 0 && !strings.Contains(said, word) {
			c.t.Errorf("%s says %q: … %s", name, word, x.body[max(0, min(at, len(x.body))-80):min(len(x.body), at+80)])
		}
	}
	if r.ref == "" {
		return
	}
	// The reply to one reference is that to any other, but for the reference itself and the number of what was registered.
	x.body = regexp.MustCompile(`\b`+regexp.QuoteMeta(r.ref)+`\b`).ReplaceAllString(x.body, "REF")
	x.body = numbered.ReplaceAllString(x.body, "NUMBER")
	key, got := what+r.of, x.mask()
	if first, seen := c.unknown[key]; !seen {
		c.unknown[key] = got
	} else if got != first {
		c.t.Errorf("%s: what is hidden and what is nowhere are answered apart: %s", name, difference(got, first))
	}
}

// numbered are the parts of a reply that name what the call registered.
var numbered = regexp.MustCompile(`\\?"(citation_id|source_id|search_id|synthesis)\\?":\d+|"contract_id":"[^"]*"|search record \d+|"formatted_reference":"\[\d+\]|"source_registered":[a-z]+`)

// describedOperations returns method and path of each operation of /openapi.json by its name.
func (w *twin) describedOperations(t *testing.T) map[string][2]string {
	t.Helper()
	var api struct {
		Paths map[string]map[string]struct {
			OperationID string `json:"operationId"`
		} `json:"paths"`
	}
	if err := json.Unmarshal([]byte(w.send(t, "", "GET", "/openapi.json", "", "").body), &api); err != nil {
		t.Fatal(err)
	}
	out := map[string][2]string{}
	for path, methods := range api.Paths {
		for method, op := range methods {
			out[op.OperationID] = [2]string{strings.ToUpper(method), path}
		}
	}
	return out
}

func TestTwins(t *testing.T) {
	names := map[string]string{"absent": cid.Of([]byte("nowhere")).String(), "absentRecord": cid.OfJSON([]byte("{}")).String()}
	absent := newTwin(t, false, false, names)
	hidden := newTwin(t, true, false, names)
	names["prefix"] = names["text"][:20]
	names["short"], names["shortAbsent"] = names["text"][7:17], names["absent"][7:17]
	ops := absent.describedOperations(t)
	m := &routes{mux: http.NewServeMux()}
	m.addPages()
	m.addForms()
	covers(t, "operation", slices.Collect(maps.Keys(ops)), operations)
	covers(t, "page", m.patterns, pagesOf)
	calls := 0
	var all []*comparison
	user := &comparison{t: t, caller: "user", there: hidden, absent: absent, names: names, unknown: map[string]string{}}
	user.compareReads(ops, m.patterns)
	calls += user.calls
	for _, caller := range []string{"", "agent", "researcher", "family", "auditor"} {
		c := &comparison{t: t, caller: caller, there: hidden, absent: absent, names: names, unknown: map[string]string{}, exits: map[string]bool{}}
		c.compareReads(ops, m.patterns)
		all = append(all, c)
	}
	for _, c := range all {
		c.compareWrites(ops, m.patterns)
		calls += c.calls
		c.isTable(t)
	}
	if calls < 1000 {
		t.Errorf("%d calls were compared", calls)
	}
	t.Logf("%d exits at 4 tiers and for an agent, %d calls", len(all[0].exits), calls)
	// The archive does have what was not shown.
	for path, caller := range map[string]string{"/api/v1/artifacts/quillwort.txt/text": "admin", "/a/quillwort.txt": "admin", "/api/v1/sources": "admin"} {
		if r := hidden.send(t, caller, "GET", path, "", "application/json"); r.status != 200 || !strings.Contains(r.body, "Halloway") && !strings.Contains(r.body, "quillwort") {
			t.Errorf("%s as %s: %d", path, caller, r.status)
		}
	}
}

// exitsFile lists the exits that the test drives, for the sum that TestExits of cmd/muniment prints.
const exitsFile = "testdata/exits.txt"

// isTable requires the exits that a caller tried to be those of exitsFile.
func (c *comparison) isTable(t *testing.T) {
	t.Helper()
	data, err := os.ReadFile(exitsFile)
	if err != nil {
		t.Fatal(err)
	}
	listed := strings.Split(strings.TrimSpace(string(data)), "\n")
	for _, name := range listed {
		if !c.exits[name] && exempt[strings.TrimPrefix(name, "operation ")][c.caller] == "" {
			t.Errorf("%s was not tried as %q", name, c.caller)
		}
	}
	for name := range c.exits {
		if !slices.Contains(listed, name) {
			t.Errorf("%s does not list %s", exitsFile, name)
		}
	}
}

// Who has no token is told of what is signed alone.
func TestStagedTwins(t *testing.T) {
	names := map[string]string{"absent": cid.Of([]byte("nowhere")).String(), "absentRecord": cid.OfJSON([]byte("{}")).String()}
	absent := newTwin(t, false, false, names)
	staged := newTwin(t, false, true, names)
	names["text"] = names["staged"]
	names["prefix"] = names["staged"][:20]
	names["short"], names["shortAbsent"] = names["staged"][7:17], names["absent"][7:17]
	m := &routes{mux: http.NewServeMux()}
	m.addPages()
	m.addForms()
	c := &comparison{t: t, there: staged, absent: absent, names: names, unknown: map[string]string{}}
	ops := absent.describedOperations(t)
	c.compareReads(ops, m.patterns)
	c.compareWrites(ops, m.patterns)
	if r := staged.send(t, "agent", "GET", "/api/v1/artifacts/herondale.txt", "", "application/json"); r.status != 200 {
		t.Errorf("a token is not told what is staged: %d", r.status)
	}
}

// covers reports names without an example, and examples of nothing.
func covers(t *testing.T, kind string, names []string, examples map[string][]example) {
	t.Helper()
	for _, name := range names {
		if len(examples[name]) == 0 {
			t.Errorf("%s %s has no example", kind, name)
		}
	}
	for name := range examples {
		if !slices.Contains(names, name) {
			t.Errorf("there is no %s %s", kind, name)
		}
	}
}

// compareReads compares what changes nothing: every operation and page of GET.
func (c *comparison) compareReads(ops map[string][2]string, patterns []string) {
	c.t.Helper()
	c.compareOperations(ops, true)
	c.comparePages(patterns, "GET")
}

// compareWrites compares the rest, and every tool.
func (c *comparison) compareWrites(ops map[string][2]string, patterns []string) {
	c.t.Helper()
	c.compareOperations(ops, false)
	c.comparePages(patterns, "POST")
	c.comparePages([]string{"GET /answers/{id}", "GET /answers/{id}/{file}"}, "GET") // of a question that was asked
	for _, name := range []string{"get_answer", "get_report", "get_examination"} {   // that were made above
		each(operations[name], c.names, func(r request) {
			r.path = "/api/v1" + r.path
			c.compare("operation "+name, http.MethodGet, "application/json", r)
		})
	}
	c.compareTools()
}

// compareOperations compares the operations of GET, or the others.
func (c *comparison) compareOperations(ops map[string][2]string, reads bool) {
	c.t.Helper()
	for _, name := range slices.Sorted(maps.Keys(ops)) {
		op := ops[name]
		if (op[0] == http.MethodGet) != reads || exempt[name][c.caller] != "" {
			continue
		}
		kind := "application/json"
		if name == "verify_bundle" {
			kind = "application/zip"
		}
		each(operations[name], c.names, func(r request) {
			r.path = "/api/v1" + r.path
			c.compare("operation "+name, op[0], kind, r)
		})
	}
}

// comparePages compares the pages of a method, each with its JSON.
func (c *comparison) comparePages(patterns []string, method string) {
	c.t.Helper()
	const form = "application/x-www-form-urlencoded"
	for _, pattern := range patterns {
		if !strings.HasPrefix(pattern, method) {
			continue
		}
		each(pagesOf[pattern], c.names, func(r request) {
			r.body = strings.ReplaceAll(r.body, " ", "+")
			c.compare("page "+pattern, method, form, r)
			if name, query, asks := strings.Cut(r.path, "?"); method == "GET" && !strings.HasPrefix(r.path, "/o/") {
				r.path = cmp.Or(strings.TrimSuffix(name, "/"), "/index") + ".json"
				if asks {
					r.path += "?" + query
				}
				c.compare("twin of page "+pattern, method, form, r)
			}
		})
	}
}

// compareTools compares every tool, resource template and prompt.
func (c *comparison) compareTools() {
	t := c.t
	t.Helper()
	there, absent := c.there.connect(t, c.caller), c.absent.connect(t, c.caller)
	var names []string
	listed, err := there.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	templates, err := there.ListResourceTemplates(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	prompts, err := there.ListPrompts(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	do := map[string]func(s *mcp.ClientSession, path, body string) (any, error){}
	for _, tool := range listed.Tools {
		names = append(names, tool.Name)
		do[tool.Name] = func(s *mcp.ClientSession, _, body string) (any, error) {
			return s.CallTool(t.Context(), &mcp.CallToolParams{Name: tool.Name, Arguments: json.RawMessage(body)})
		}
	}
	for _, template := range templates.ResourceTemplates {
		names = append(names, template.Name)
		do[template.Name] = func(s *mcp.ClientSession, path, _ string) (any, error) {
			return s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: path})
		}
	}
	for _, prompt := range prompts.Prompts {
		names = append(names, prompt.Name)
		do[prompt.Name] = func(s *mcp.ClientSession, _, body string) (any, error) {
			p := &mcp.GetPromptParams{Name: prompt.Name}
			if err := json.Unmarshal([]byte(body), &p.Arguments); err != nil {
				return nil, err
			}
			return s.GetPrompt(t.Context(), p)
		}
	}
	covers(t, "tool", names, mcpExamples)
	for _, name := range names {
		each(mcpExamples[name], c.names, func(r request) {
			if c.exits != nil {
				c.exits["tool "+name] = true
			}
			c.judge("tool "+name, r, func(w *twin) reply {
				s := there
				if w == c.absent {
					s = absent
				}
				got, err := do[name](s, r.path, r.body)
				data, jsonErr := json.Marshal(got)
				return reply{body: fmt.Sprint(string(data), err, jsonErr)}
			})
		})
	}
}

// connect returns a session of the Model Context Protocol for a caller.
func (w *twin) connect(t *testing.T, caller string) *mcp.ClientSession {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	s, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(ctx, &mcp.StreamableClientTransport{Endpoint: w.url + "/mcp", HTTPClient: &http.Client{Transport: bearer(w.tokens[caller])}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// A bearer is a transport that sends a token, none for "".
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	if b != "" {
		r.Header.Set("Authorization", "Bearer "+string(b))
	}
	return http.DefaultTransport.RoundTrip(r)
}
