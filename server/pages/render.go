package pages

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
	"html/template"
	"muniment/bundle/display"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"muniment/answer"
	"muniment/archive/problem"
	"muniment/bundle"
	"muniment/cite"
	"muniment/engine"
	"muniment/server"
)

//go:embed templates assets words
var files embed.FS

// policyOfPages is the Content-Security-Policy of every page of a server: nothing
// from elsewhere, no script and no style in the page.
const policyOfPages = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// policyOfFiles is that of the pages of a site, which are opened from a file too:
// there the page's own folder has no origin that 'self' could name.
const policyOfFiles = "default-src 'none'; script-src 'self' file:; style-src 'self' file:; img-src 'self' file:; media-src 'self' file:; form-action 'self'; base-uri 'none'"

// links are the addresses of pages, of a server or of the files of a site.
type links struct {
	static bool
	root   string                 // "/" of a server; "" or "../" in a site
	have   func(path string) bool // reports whether a site has a page; nil for a server
	starts map[string][]int       // the paragraphs at which the pages of a paper of a site begin
	lists  map[string]string      // the names of the pages of a site that list some papers, by the value and the field that these have
}

// Page returns the address of a page.
func (l links) Page(name string) string {
	switch {
	case !l.static && name == "index":
		return l.root
	case l.static:
		return l.root + name + ".html"
	}
	return l.root + name
}

// Asset returns the address of an asset.
func (l links) Asset(name string) string { return l.root + "assets/" + name }

// Paper returns the address of an artifact, at a span if there is one.
func (l links) Paper(id, span string) string {
	switch {
	case span == "":
		return l.Page("a/" + id)
	case cite.IsMediaSpan(span):
		if m, err := cite.ParseMediaSpan(span); err == nil {
			span = m.Fragment()
		}
		if l.static {
			return l.Page("a/"+id) + "#" + span
		}
		return l.Page("a/"+id) + "?" + span + "#" + span
	case !l.static:
		return l.Page("a/"+id) + "?span=" + url.QueryEscape(span) + "#" + span
	}
	from := 1
	if at, err := cite.ParseSpan(span); err == nil && at.Kind == cite.Paragraphs {
		for _, start := range l.starts[id] {
			if start <= at.From.Unit {
				from = start
			}
		}
	}
	return l.PaperFrom(id, from) + "#" + span
}

// Cite returns the address of the page on which words are ready to be cited.
func (l links) Cite(id, span string) string {
	return l.Page("cite") + "?" + url.Values{"artifact": {id}, "span": {span}}.Encode()
}

// Static reports whether the pages are files.
func (l links) Static() bool { return l.static }

// Moment returns the address of a recording at a time.
func (l links) Moment(id, fragment string) string {
	if l.static {
		return "#" + fragment
	}
	return l.Page("a/"+id) + "?" + fragment + "#" + fragment
}

// PaperFrom returns the address of an artifact from a paragraph on.
func (l links) PaperFrom(id string, from int) string {
	if !l.static {
		return l.Page("a/"+id) + "?from=" + itoa(from)
	}
	return l.Page(paperName(id, from))
}

// listName returns the name, in a site, of the part of a list after a number.
func listName(list string, after int64) string {
	if after == 0 {
		return list
	}
	return list + "/after-" + strconv.FormatInt(after, 10)
}

// List returns the address of the part of a list after a number.
func (l links) List(list string, after int64, query string) string {
	if l.static {
		return l.Page(listName(list, after))
	}
	return l.Page(list) + "?after=" + strconv.FormatInt(after, 10) + query
}

// Year returns the address of the inventory of a year.
func (l links) Year(year string) string { return l.Filtered("year", year) }

// Years returns the address of the inventory of a year, or of the ten years in which it lies where a
// bar shows more than one. A site has a page for each year alone.
func (l links) Years(year string, span int) string {
	if span == 1 || l.static {
		return l.Year(year)
	}
	return l.Filtered("decade", year[:3]+"0s")
}

// Filtered returns the address of the inventory with one filter.
func (l links) Filtered(field, value string) string {
	if l.static {
		return l.Page(cmp.Or(l.lists[value+"\n"+field], allPapers))
	}
	return l.Page(allPapers) + "?" + url.Values{field: {value}}.Encode()
}

// Citation returns the address of a citation.
func (l links) Citation(n int64) string { return l.Page("citations/" + strconv.FormatInt(n, 10)) }

// Snapshot returns the address of a snapshot.
func (l links) Snapshot(n int64) string { return l.Page("snapshots/" + strconv.FormatInt(n, 10)) }

// Original returns the address of an original.
func (l links) Original(id string) string { return l.root + "o/" + id }

// Has reports whether there is a page of an artifact.
func (l links) Has(id string) bool { return l.have == nil || l.have("a/"+id+".html") }

// A frame is the input of every template: the page and the data that all pages share.
type frame struct {
	Links  links
	Name   string // of the template
	Title  string
	Twin   string // address of the JSON twin
	Status server.Status
	Static bool
	Policy string // of a page that is a file
	Other  string // address that chooses the other language, "" for none
	Here   string // address of the page with its host, for paper; "" in a site
	Page   any

	failed   int // the HTTP status of what the page says went wrong; 0 for nothing
	language *language
}

// A cardFrame is what the template of a card is run with.
type cardFrame struct {
	Links links
	Card  Card
	Open  bool
}

// A claimFrame is what the template of a claim of an answer is run with.
type claimFrame struct {
	Links links
	ID    string // the address
	Own   bool   // the reader asked for the answer
	N     int
	Claim answer.ResultClaim
	At    map[string]string // addresses of the words by handle
	Cite  map[string]string // addresses of the pages on which they are ready to be cited

	Contexts map[string][]Piece
	Papers   map[string]string // what the paper of each citation is called, with its date
}

// newClaimFrame returns the input of the template of a claim of an answer.
func newClaimFrame(f *frame, n int, c answer.ResultClaim) claimFrame {
	out := claimFrame{Links: f.Links, N: n, Claim: c, At: map[string]string{}, Cite: map[string]string{}}
	if a, ok := f.Page.(*Answer); ok {
		out.ID, out.Own, out.Contexts, out.Papers = a.Address, a.Own, a.Contexts, a.Papers
		for handle, at := range a.Places {
			out.At[handle] = f.Links.Paper(at.Artifact, at.Span)
			if at.Span != "" { // the words of a record have no place in the paper
				out.Cite[handle] = f.Links.Cite(at.Artifact, at.Span)
			}
		}
	}
	return out
}

// pageTemplates returns the templates of all pages by language and name. They are parsed when a
// page is asked for: commands that show none do not wait 7 to 13 ms for them.
var pageTemplates = sync.OnceValue(func() map[*language]map[string]*template.Template {
	out := map[*language]map[string]*template.Template{}
	for _, l := range languages() {
		out[l] = parseTemplates(l)
	}
	return out
})

func parseTemplates(l *language) map[string]*template.Template {
	funcs := template.FuncMap{
		"t": l.say, "kind": l.kind, "kindOf": l.kindOf, "facetValue": l.facetValue, "lifetime": l.lifetime, "otherDate": l.otherDate, "title": l.label, "placed": l.place, "scriptWords": l.scriptWords, "failureKey": failureKey,
		"plain": plain, "hint": hintOf, "sentence": sentence, "factWords": factWords, "count": l.count, "number": func(n any) string { return partThousands(numberOf(n), l.thousands) }, "day": day, "dayWords": l.day, "within": func(part, whole string) bool { return strings.Contains(whole, part) }, "thumbed": func(kind string) bool { return kind == "picture" || kind == "PDF" }, "short": short, "state": stateOf, "bytes": l.bytes, "words": func(s string) string { return strings.ReplaceAll(s, "_", " ") },
		"card": func(l links, c Card, open bool) cardFrame { return cardFrame{l, c, open} },
		"claim": func(f *frame, n int, c answer.ResultClaim) claimFrame {
			return newClaimFrame(f, n, c)
		},
		"same": func(claim, quote string) bool { return strings.Trim(claim, "“”") == quote }, // in the paper's own words
		"add":  func(a, b int) int { return a + b },
		"annotation": func(v any) (string, error) {
			data, err := json.MarshalIndent(v, "", "  ")
			return string(data), err
		},
	}
	base := template.Must(template.New("base.html").Funcs(funcs).ParseFS(files, "templates/base.html", "templates/parts.html"))
	all := map[string]*template.Template{}
	names, err := files.ReadDir("templates")
	if err != nil {
		panic(err)
	}
	for _, n := range names {
		name := strings.TrimSuffix(n.Name(), ".html")
		if name == "base" || name == "parts" {
			continue
		}
		all[name] = template.Must(template.Must(base.Clone()).ParseFS(files, "templates/"+n.Name()))
	}
	return all
}

// html returns a page as HTML.
func (f *frame) html() ([]byte, error) {
	var b bytes.Buffer
	if err := pageTemplates()[f.language][f.Name].ExecuteTemplate(&b, "base.html", f); err != nil {
		return nil, problem.Wrap(err, "page")
	}
	return b.Bytes(), nil
}

// json returns a page's twin.
func (f *frame) json() ([]byte, error) {
	body, err := json.Marshal(f.Page)
	if err != nil {
		return nil, problem.Wrap(err, "page")
	}
	head, err := json.Marshal(map[string]string{"schema": "muniment.page." + f.Name + ".v1"})
	if err != nil {
		return nil, problem.Wrap(err, "page")
	}
	out := append(bytes.TrimSuffix(head, []byte("}")), ',')
	if string(body) == "{}" {
		out = bytes.TrimSuffix(out, []byte(","))
	}
	return append(append(out, bytes.TrimPrefix(body, []byte("{"))...), '\n'), nil
}

// plain returns a text of somebody else as a page shows it: controls and invisible characters written out.
func plain(s string) string { return display.Safe(s) }

// sentence returns a message as a sentence of its own: with a capital letter and an end.
func sentence(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	if s = plain(string(unicode.ToUpper(first)) + s[size:]); size == 0 {
		return ""
	}
	if !strings.ContainsAny(s[len(s)-1:], ".!?") {
		s += "."
	}
	return s
}

// factWords returns the name of a fact of a record for people: origin.title is from where the title was taken.
func factWords(name string) string {
	name = strings.ReplaceAll(name, "_", " ")
	if of, ok := strings.CutPrefix(strings.Replace(name, ".", " ", 1), "origin "); ok {
		name = of + " taken from"
	}
	first, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(first)) + name[size:]
}

// day returns the day of a time.
func day(s string) string {
	d, _, _ := strings.Cut(s, "T")
	return d
}

// short returns the beginning of an id.
func short(s string) string {
	if _, rest, ok := strings.Cut(s, ":"); ok {
		s = rest
	}
	if len(s) > 16 {
		return s[:16] + "…"
	}
	return s
}

// bytes returns a size in bytes for people.
func (l *language) bytes(n int64) string {
	switch {
	case n >= 10<<20:
		return strconv.FormatInt(n>>20, 10) + " MiB"
	case n >= 10<<10:
		return strconv.FormatInt(n>>10, 10) + " KiB"
	}
	return l.count(n, "byte")
}

// stateOf returns the class of a verdict.
func stateOf(verdict string) string {
	switch {
	case bundle.IsValid(verdict), verdict == "PASS", verdict == "pass", verdict == "verified", verdict == "supported":
		return "verified"
	case verdict == bundle.Invalid, verdict == "FAIL", verdict == "fail", verdict == "failed", verdict == "refused":
		return "failed"
	}
	return "warning"
}

// Runs reports whether the reader of a page helps to run the archive, or the page is a file of a site, which has no
// other way to its lists.
func (f *frame) Runs() bool { return f.Static || f.Status.Role != engine.RoleAgent }
