package handover

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"html/template"
	"muniment/bundle/display"
	"path"
	"slices"
	"strings"
	"time"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/snapshot/record"
	"muniment/text/legible"
)

// The forms of a finding aid.
const (
	FindingAidEAD  = "ead"  // EAD 3
	FindingAidCSV  = "csv"  // the table of a package
	FindingAidHTML = "html" // a page to read and print
)

// FindingAid returns a list of what the newest snapshot holds, or of the artifacts
// that the options name, arranged by the folders of their names.
func FindingAid(a *archive.Archive, form string, o Options) ([]byte, error) {
	o.list = true
	h, err := gatherHandover(a, o)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(h.originals, func(x, y bagOriginal) int { return strings.Compare(x.name, y.name) })
	switch form {
	case FindingAidEAD:
		return h.ead(a)
	case FindingAidCSV:
		return h.table()
	case FindingAidHTML:
		var b bytes.Buffer
		err := findingPage.Execute(&b, map[string]any{"Name": cmp.Or(a.Info().Name, a.ID().String()), "Archive": a.ID().String(), "Snapshot": h.head.ID.String(),
			"Date": a.World().Now().UTC().Format(time.DateOnly), "For": o.View.For(), "Folders": h.folders()})
		return b.Bytes(), problem.Wrap(err, "finding aid")
	}
	return nil, problem.New(problem.Usage, problem.Advise("ead, csv or html"), "a finding aid has no form %q", legible.Printable(form))
}

// A findingFolder is the items of one folder of names.
type findingFolder struct {
	Name  string
	Items []findingItem
}

// A findingItem is one original in a finding aid: what its record says of the paper,
// with a title in any case.
type findingItem struct {
	record.Source
	ID, Name, MediaType string
	Size                int64
	Others              []findingFact
}

// A findingFact is a fact that no field has, by the name under which somebody stated it.
type findingFact struct{ Name, Value string }

// Details returns the fields that have no column of their own on the page, with their
// names, and the facts.
func (i findingItem) Details() (out []findingFact) {
	for _, f := range []findingFact{{"Reference code", i.Identifier}, {"Level", i.Level}, {"Extent", i.Extent}, {"Language", i.Language}, {"Publisher", i.Publisher},
		{"Place", i.Place}, {"Box", i.Box}, {"Folder", i.Folder}, {"Access and use", i.Rights}, {"Subjects", strings.Join(slices.Concat(i.Subjects, i.Tags), "; ")},
		{"Related", strings.Join(i.Related, "; ")}, {"Address", i.URL}, {"Scope and content", i.Description}} {
		if f.Value != "" {
			out = append(out, f)
		}
	}
	return append(out, i.Others...)
}

// folders returns the originals, which are sorted, by their folders.
func (h *handover) folders() (out []findingFolder) {
	others := h.otherFacts()
	for _, b := range h.originals {
		rec := b.record.Record
		name := b.record.Label()
		item := findingItem{ID: rec.Artifact, Name: name, MediaType: rec.MediaType, Size: rec.Size}
		if rec.Source != nil {
			item.Source = *rec.Source
		}
		item.Title = cmp.Or(item.Title, path.Base(name))
		for _, fact := range others {
			if v := rec.Facts[fact]; v != "" {
				item.Others = append(item.Others, findingFact{strings.ReplaceAll(strings.TrimPrefix(fact, otherFact), "_", " "), v})
			}
		}
		dir := path.Dir(name)
		if at := slices.IndexFunc(out, func(f findingFolder) bool { return f.Name == dir }); at >= 0 {
			out[at].Items = append(out[at].Items, item)
			continue
		}
		out = append(out, findingFolder{dir, []findingItem{item}})
	}
	return out
}

// An eadWriter writes elements of EAD 3 in the order of its schema.
type eadWriter struct {
	b     bytes.Buffer
	depth int
}

// element writes an element with a text, and nothing for an empty text. attributes
// are names and values.
func (w *eadWriter) element(name, text string, attributes ...string) {
	if text == "" {
		return
	}
	w.open(name, attributes...)
	w.b.Truncate(w.b.Len() - 1)
	w.text(text)
	w.depth--
	fmt.Fprintf(&w.b, "</%s>\n", name)
}

// open writes a start tag.
func (w *eadWriter) open(name string, attributes ...string) {
	fmt.Fprintf(&w.b, "%s<%s", strings.Repeat("  ", w.depth), name)
	for i := 0; i+1 < len(attributes); i += 2 {
		fmt.Fprintf(&w.b, ` %s="`, attributes[i])
		w.text(attributes[i+1])
		w.b.WriteByte('"')
	}
	w.b.WriteString(">\n")
	w.depth++
}

// close writes an end tag.
func (w *eadWriter) close(name string) {
	w.depth--
	fmt.Fprintf(&w.b, "%s</%s>\n", strings.Repeat("  ", w.depth), name)
}

// empty writes an element without content.
func (w *eadWriter) empty(name string, attributes ...string) {
	w.open(name, attributes...)
	w.b.Truncate(w.b.Len() - 2)
	w.b.WriteString("/>\n")
	w.depth--
}

// text writes a text with what XML reserves escaped. A buffer takes every byte.
func (w *eadWriter) text(s string) { _ = xml.EscapeText(&w.b, []byte(s)) }

// ead returns the finding aid in EAD 3.
func (h *handover) ead(a *archive.Archive) ([]byte, error) {
	w := &eadWriter{}
	name, now := cmp.Or(a.Info().Name, "Archive "+a.ID().String()), a.World().Now().UTC().Format(time.RFC3339)
	w.b.WriteString(xml.Header)
	w.open("ead", "xmlns", "http://ead3.archivists.org/schema/")
	w.open("control")
	w.element("recordid", h.head.ID.String())
	w.open("filedesc")
	w.open("titlestmt")
	w.element("titleproper", name)
	w.close("titlestmt")
	w.close("filedesc")
	w.empty("maintenancestatus", "value", "derived")
	w.open("maintenanceagency")
	w.element("agencyname", cmp.Or(a.World().Author, name))
	w.close("maintenanceagency")
	w.open("maintenancehistory")
	w.open("maintenanceevent")
	w.empty("eventtype", "value", "created")
	w.element("eventdatetime", now, "standarddatetime", now)
	w.empty("agenttype", "value", "machine")
	w.element("agent", "Muniment")
	w.close("maintenanceevent")
	w.close("maintenancehistory")
	w.close("control")
	w.open("archdesc", "level", "fonds")
	w.open("did")
	w.element("unittitle", name)
	w.element("unitid", a.ID().String())
	w.element("physdesc", display.Count(len(h.originals), "file"))
	w.close("did")
	w.paragraphs("processinfo", "Made for "+h.view.For()+".")
	if len(h.originals) > 0 {
		w.open("dsc", "dsctype", "combined")
		for _, f := range h.folders() {
			w.folder(f)
		}
		w.close("dsc")
	}
	w.close("archdesc")
	w.close("ead")
	return w.b.Bytes(), nil
}

// folder writes a folder as a series; files in no folder are at the top.
func (w *eadWriter) folder(f findingFolder) {
	if f.Name != "." {
		w.open("c", "level", "series")
		w.open("did")
		w.element("unittitle", f.Name)
		w.close("did")
	}
	for _, item := range f.Items {
		w.item(item)
	}
	if f.Name != "." {
		w.close("c")
	}
}

// item writes one original.
func (w *eadWriter) item(item findingItem) {
	w.open("c", "level", cmp.Or(item.Level, "item"))
	w.open("did")
	w.element("unittitle", item.Title)
	w.element("unitid", item.Identifier)
	w.element("unitid", item.ID, "localtype", "artifact")
	w.element("unitdate", item.PublishedAt, "normal", item.PublishedAt)
	w.names("origination", "name", item.Creators)
	if item.Language != "" {
		w.open("langmaterial")
		w.element("language", item.Language)
		w.close("langmaterial")
	}
	w.element("container", item.Box, "localtype", "box")
	w.element("container", item.Folder, "localtype", "folder")
	w.element("physdesc", item.Extent)
	w.element("physdesc", fmt.Sprintf("%s, %d bytes", item.MediaType, item.Size))
	href := item.URL
	href = cmp.Or(href, "ipfs://"+item.ID)
	w.empty("dao", "daotype", "unknown", "href", href)
	w.close("did")
	w.paragraphs("scopecontent", item.Description)
	w.paragraphs("accessrestrict", item.Rights)
	w.paragraphs("relatedmaterial", item.Related...)
	if subjects := slices.Concat(item.Subjects, item.Tags); len(subjects) > 0 || item.Place != "" {
		w.open("controlaccess")
		for _, s := range subjects {
			w.part("subject", s)
		}
		w.part("geogname", item.Place)
		w.close("controlaccess")
	}
	var others []string
	if item.Publisher != "" {
		others = append(others, "publisher: "+item.Publisher)
	}
	for _, f := range item.Others {
		others = append(others, f.Name+": "+f.Value)
	}
	w.paragraphs("odd", others...)
	w.close("c")
}

// names writes an element that holds names, and nothing for none.
func (w *eadWriter) names(outer, inner string, names []string) {
	if len(names) == 0 {
		return
	}
	w.open(outer)
	for _, n := range names {
		w.part(inner, n)
	}
	w.close(outer)
}

// part writes an element whose text is in a child element, and nothing for an empty text.
func (w *eadWriter) part(name, text string) {
	if text == "" {
		return
	}
	w.open(name)
	w.element("part", text)
	w.close(name)
}

// paragraphs writes an element with a paragraph for each text that is not empty, and
// nothing where all are.
func (w *eadWriter) paragraphs(name string, texts ...string) {
	texts = slices.DeleteFunc(slices.Clone(texts), func(t string) bool { return t == "" })
	if len(texts) == 0 {
		return
	}
	w.open(name)
	for _, t := range texts {
		w.element("p", t)
	}
	w.close(name)
}

// findingPage is the page of a finding aid. It loads nothing and runs nothing.
var findingPage = template.Must(template.New("").Parse(`<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>{{.Name}}</title>
<style>body{font:16px/1.5 serif;max-width:50rem;margin:2rem auto;padding:0 1rem}table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;padding:.3rem .6rem;border-bottom:1px solid #999}small{overflow-wrap:anywhere}</style>
</head>
<body>
<h1>{{.Name}}</h1>
<p>Finding aid of {{.Date}}, of snapshot <small>{{.Snapshot}}</small> of archive <small>{{.Archive}}</small>, made for {{.For}}.</p>
{{range .Folders}}<h2>{{if eq .Name "."}}Files{{else}}{{.Name}}{{end}}</h2>
<table>
<thead><tr><th>Title</th><th>Date</th><th>Creators</th><th>File</th></tr></thead>
<tbody>
{{range .Items}}<tr><td>{{.Title}}{{range .Details}}<br><small>{{.Name}}: {{.Value}}</small>{{end}}</td><td>{{.PublishedAt}}</td><td>{{range $i, $c := .Creators}}{{if $i}}; {{end}}{{$c}}{{end}}</td><td>{{.Name}}, {{.MediaType}}, {{.Size}} bytes<br><small>{{.ID}}</small></td></tr>
{{end}}</tbody>
</table>
{{end}}</body>
</html>
`))
