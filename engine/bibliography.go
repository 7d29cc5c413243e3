package engine

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"muniment/archive"
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/archive/search"
	"muniment/canon"
	"muniment/cid"
	"muniment/cite"
	"muniment/cite/locator"
	"muniment/engine/references/bib"
	"muniment/ledger"
	"muniment/objects"
	"muniment/policy"
	"muniment/snapshot/record"
	"muniment/text/legible"
)

// Formats of a bibliography that are files of their own.
const (
	FormatBibTeX = "bibtex"
	FormatRIS    = "ris"
	FormatCSL    = "csl-json"
)

// BibOptions say which works are listed and how. One of References, Session and All is required.
type BibOptions struct {
	Style      string   // inline, harvard, ieee, apa, chicago or contract; bibtex, ris or csl-json; harvard when empty
	Markup     string   // text (default), markdown or html
	References []string // citation numbers, artifacts or records
	Session    string   // the citations of this session
	All        bool     // every citation of the ledger

	// View is the view of whom the list is for; nil is that of a holder of the archive.
	View *policy.View

	// What readers know of a work: the title instead of its record's; writers and date (EDTF) where that has none.
	Title   string
	Writers []string
	Date    string
	Held    string // where the works are kept: archive, series and shelfmark; "" is not said
	Link    string // address of a work that has none of its own; "" for none
}

// A BibResult is a list of references.
type BibResult struct {
	Style      string         `json:"style"`
	References []BibReference `json:"references"` // empty for bibtex, ris and csl-json
	Text       string         `json:"text"`       // the whole list, a line each, or the file
}

// A BibReference is one work with the citations that point into it.
type BibReference struct {
	Label     string        `json:"label"`
	Text      string        `json:"text"`
	Source    string        `json:"source"` // id of the artifact, or of a record without a body
	Citations []BibCitation `json:"citations"`
}

// A BibCitation is how a citation is written in running text.
type BibCitation struct {
	CitationID int64  `json:"citation_id"`        // 0 for one that only the snapshot has
	Citation   string `json:"citation,omitempty"` // content id of such a one
	Text       string `json:"text"`               // [1, para. 3]
	Support
}

// works are the works of a bibliography, in the order of the citations.
type works struct {
	items []bib.Item
	at    map[string]int               // index in items by source
	cited map[string][]ledger.Citation // by source
	named sourceNames
	view  *policy.View // of the reader

	catalog *holdings.Catalog
	tree    objects.Hash
}

// WriteBibliography returns the references of the works cited by citations, artifacts or records, each once.
func WriteBibliography(a *archive.Archive, o BibOptions) (*BibResult, error) {
	o.Style = cmp.Or(o.Style, string(bib.Harvard))
	w, err := gatherWorks(a, o)
	if err != nil {
		return nil, err
	}
	for i := range w.items {
		it := &w.items[i]
		it.Title, it.Archive, it.URL = cmp.Or(o.Title, it.Title), cmp.Or(it.Archive, o.Held), cmp.Or(it.URL, o.Link)
		if it.Author == nil {
			it.Author = authorsOf(o.Writers)
		}
		if it.Issued.IsZero() {
			it.Issued = bib.ParseDate(o.Date)
		}
	}
	r := &BibResult{Style: strings.ToLower(o.Style), References: []BibReference{}}
	switch r.Style {
	case FormatBibTeX:
		r.Text = string(bib.WriteBibTeX(w.items))
		return r, nil
	case FormatRIS:
		r.Text = string(bib.WriteRIS(w.items))
		return r, nil
	case FormatCSL, "csl":
		r.Style, r.Text = FormatCSL, string(bib.WriteCSL(w.items))
		return r, nil
	}
	style, err := bib.ParseStyle(o.Style)
	if err != nil {
		return nil, problem.New(problem.Usage, problem.Advise("inline, harvard, ieee, apa, chicago, contract, bibtex, ris or csl-json"), "%w", err)
	}
	markup, ok := map[string]bib.Markup{"": bib.Text, "text": bib.Text, "markdown": bib.Markdown, "html": bib.HTML}[o.Markup]
	if !ok {
		return nil, problem.New(problem.Usage, problem.Advise("text, markdown or html"), "unknown markup %q", legible.Printable(o.Markup))
	}
	refs, err := bib.Format(w.items, style, markup)
	if err != nil {
		return nil, problem.Wrap(err, "bibliography")
	}
	r.Style = string(style)
	for _, ref := range refs {
		source := w.items[ref.Item].ID
		one := BibReference{Label: ref.Label, Text: ref.Text, Source: source, Citations: []BibCitation{}}
		for _, c := range w.cited[source] {
			one.Citations = append(one.Citations, BibCitation{CitationID: c.Ordinal, Citation: sealedRef(&c), Text: bib.Cite(ref, style, formatPlace(&c, w.locate(a, &c))), Support: supportOf(&c)})
		}
		r.References = append(r.References, one)
		r.Text += ref.Text + "\n"
	}
	return r, nil
}

// formatOne returns the reference of one citation.
func formatOne(a *archive.Archive, ordinal int64, o BibOptions) (string, error) {
	o.References = []string{strconv.FormatInt(ordinal, 10)}
	r, err := WriteBibliography(a, o)
	if err != nil || len(r.References) == 0 {
		if err == nil {
			return strings.TrimRight(r.Text, "\n"), nil
		}
		return "", err
	}
	one := r.References[0]
	if r.Style == string(bib.Inline) && len(one.Citations) > 0 {
		return one.Citations[0].Text, nil
	}
	return one.Text, nil
}

// FormatCitation returns the reference of one citation that the caller may read, in a style of BibOptions.
func (e *Engine) FormatCitation(ordinal int64, style string) (string, error) {
	if _, _, err := e.Citations().Find(strconv.FormatInt(ordinal, 10)); err != nil {
		return "", err
	}
	return formatOne(e.arch, ordinal, BibOptions{Style: style, View: e.reader.View})
}

// ExportBibliography returns the references of a session's citations, or of all that the caller may read for "", each
// source once. Failed and superseded citations are left out.
func (e *Engine) ExportBibliography(session, style string) (*BibResult, error) {
	all, err := e.Citations().List(CitationFilter{Session: session})
	if err != nil {
		return nil, err
	}
	var refs []string
	for _, c := range all {
		if c.VerificationStatus != string(ledger.Failed) && c.SupersededBy == 0 {
			refs = append(refs, c.ref())
		}
	}
	if len(refs) == 0 {
		return &BibResult{Style: style, References: []BibReference{}}, nil
	}
	return WriteBibliography(e.arch, BibOptions{Style: style, References: refs, View: e.reader.View})
}

// gatherWorks returns the works that the options select.
func gatherWorks(a *archive.Archive, o BibOptions) (*works, error) {
	tree, err := a.NewestTree()
	if err != nil {
		return nil, err
	}
	door := search.Reader{View: o.View}.Door()
	c := a.ShownCatalog(tree, door)
	w := &works{view: door, at: map[string]int{}, cited: map[string][]ledger.Citation{}, catalog: c, tree: tree}
	if len(o.References) == 0 && o.Session == "" && !o.All {
		return nil, problem.New(problem.Usage, problem.Next(DoListWorks), "nothing to list")
	}
	for _, ref := range o.References {
		n, err := strconv.ParseInt(ref, 10, 64)
		_, named := contractNumber(ref)
		if named || err == nil && n > 0 && len(ref) < 19 {
			l, err := ledger.Of(a)
			if err != nil {
				return nil, err
			}
			one, err := getNumbered(a.ID(), l, ref)
			if err != nil {
				return nil, problem.New(problem.SourceNotFound, problem.Next(DoListWorks), "there is no citation %s", ref)
			}
			w.named.ledger = l
			if err := w.cite(c, one); err != nil {
				return nil, err
			}
			continue
		}
		if sealed, err := w.citeSealed(a, c, ref); err != nil || sealed {
			if err != nil {
				return nil, err
			}
			continue
		}
		art, other, err := c.ResolveAny(ref)
		switch {
		case err != nil:
			return nil, err
		case other != nil && art == nil:
			w.add(other.ID.String(), *other)
		default:
			if h, ok := art.FirstRecord(); ok {
				w.add(art.ID.String(), h)
			}
		}
	}
	if o.Session == "" && !o.All {
		return w, nil
	}
	l, err := ledger.Of(a)
	if err != nil {
		return nil, err
	}
	list, err := listWithSealed(a, l, o.Session)
	if err != nil {
		return nil, err
	}
	w.named.ledger = l
	for _, one := range list {
		if err := w.cite(c, one); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// citeSealed adds the work of a citation that only the newest snapshot has, by its ID. It
// reports whether the snapshot has it.
func (w *works) citeSealed(a *archive.Archive, c *holdings.Catalog, ref string) (bool, error) {
	id, err := cid.ParseAs(cid.JSON, ref)
	if err != nil {
		return false, nil
	}
	head, _, err := a.Head()
	if err != nil || head == nil {
		return false, err
	}
	l, err := ledger.Of(a)
	if err != nil {
		return false, err
	}
	e, err := New(a, Caller{})
	if err != nil {
		return false, err
	}
	one, held, err := e.Citations().readSealed(l, head, id)
	if err != nil || !held {
		return false, err
	}
	w.named.ledger = l
	return true, w.cite(c, one)
}

// cite adds the work that a citation points into. A citation that failed, or whose
// source the newest tree does not hold, is left out.
func (w *works) cite(c *holdings.Catalog, one ledger.Citation) error {
	id, err := cid.Parse(one.Artifact)
	if err != nil || one.Status == ledger.Failed {
		return nil
	}
	h, source := holdings.StoredRecord{}, one.Artifact
	art, err := c.Artifact(id)
	if err != nil {
		return err
	}
	if art != nil {
		var ok bool
		if h, ok = art.FirstRecord(); !ok {
			return nil
		}
		for _, other := range art.Records {
			if other.ID.String() == one.Record {
				h = other
			}
		}
	} else {
		var ok bool
		if h, ok, err = c.FindRecord(id); err != nil || !ok {
			return err
		}
		if h.Record.Artifact != "" { // a metadata fact of an artifact's record
			source = h.Record.Artifact
		}
	}
	w.add(source, h)
	w.cited[source] = append(w.cited[source], one)
	if h.Record.Source == nil || h.Record.Source.Title == "" {
		name, err := w.named.find(one.Source)
		if err != nil {
			return problem.Wrap(err, "ledger")
		}
		it := &w.items[w.at[source]]
		*it = nameWork(*it, h.Record, w.view.FileName(name))
	}
	return nil
}

// nameWork returns an item whose title is the name that its source was registered under, where its record has no title.
func nameWork(it bib.Item, rec *record.Record, name string) bib.Item {
	if name != "" && (rec.Source == nil || rec.Source.Title == "") {
		it.Title = name
	}
	return it
}

// add adds the work of a source, once.
func (w *works) add(source string, h holdings.StoredRecord) {
	if _, ok := w.at[source]; ok {
		return
	}
	w.at[source] = len(w.items)
	w.items = append(w.items, describeWork(source, h.Record))
}

// describeWork returns the item of a record's source.
func describeWork(id string, rec *record.Record) bib.Item {
	it := bib.Item{ID: id}
	s := rec.Source
	if s == nil {
		s = &record.Source{}
	}
	it.Type, it.Title, it.Publisher, it.URL, it.Language = s.CSLType, s.Title, s.Publisher, s.URL, s.Language
	it.Author, it.Issued = authorsOf(s.Creators), bib.ParseDate(cmp.Or(s.PublishedAt, rec.Facts[factIssued]))
	if s.URL != "" {
		it.Accessed = bib.ParseDate(s.FetchedAt)
	}
	it.Paywall = s.PaywallPolicy == record.PaywallMetadataOnly
	it.MonitorOnly = s.Tier == 4
	switch {
	case it.Type != "":
	case strings.HasPrefix(rec.MediaType, "message/"):
		it.Type = "personal_communication"
	case s.URL != "":
		it.Type = "webpage"
	default:
		it.Type = "document"
	}
	if it.Title == "" {
		it.Title = holdings.StoredRecord{Record: rec}.Label()
	}
	return it
}

// authorsOf returns the names of some writers, in the parts that references have.
func authorsOf(writers []string) (out []bib.Name) {
	for _, name := range writers {
		out = append(out, bib.ParseName(name))
	}
	return out
}

// formatPlace returns the place of a citation as readers write it: the page, section,
// row, time or line that is known of the source (located), else the page or section
// that the caller gave before the paragraph; "" for a span of a record.
func formatPlace(c *ledger.Citation, located map[string]string) string {
	if strings.HasPrefix(c.Span, cite.MetaPrefix) {
		return ""
	}
	if m, err := cite.ParseMediaSpan(c.Span); err == nil {
		return m.Words()
	}
	s, err := cite.ParseSpan(c.Span)
	if err != nil {
		return ""
	}
	kind := "paragraph"
	if s.Kind == cite.Lines {
		kind = "line"
	}
	unit := bib.Locator(kind, strconv.Itoa(s.From.Unit), strconv.Itoa(s.To.Unit))
	for _, known := range []string{"page", "time", "row", "line"} {
		if from, to, _ := strings.Cut(located[known], "-"); from != "" {
			return bib.Locator(known, from, to)
		}
	}
	section := located["section"]
	given, err := locator.Parse(c.Locator)
	if err != nil {
		return unit
	}
	if page := fmt.Sprint(given["page"]); given["page"] != nil {
		return bib.Locator("page", page, "") + ", " + unit
	}
	if section = cmp.Or(section, given.Text("section")); section != "" {
		return bib.Locator("section", section, "") + ", " + unit
	}
	return unit
}

// locate returns the known place of a citation in its source: the page, section, row or time of its
// words; nil if the tree has no text of it.
func (w *works) locate(a *archive.Archive, one *ledger.Citation) map[string]string {
	id, err := cid.ParseAs(cid.Raw, one.Artifact)
	if err != nil {
		return nil
	}
	at, err := cite.ParseSpan(one.Span)
	if err != nil {
		return nil
	}
	art, err := w.catalog.Artifact(id)
	if err != nil || art == nil {
		return nil
	}
	h, ok := art.FirstRecord()
	if !ok || len(h.Record.Facts) == 0 && h.Record.Canonicalizer == canon.TextForm && h.Record.MediaType != "text/markdown" {
		return nil // a plain text has no pages, sections, rows or times
	}
	doc, err := a.Document(w.tree, art)
	if err != nil {
		return nil
	}
	return search.Locators(w.view, id, h.Record, doc, at)
}
