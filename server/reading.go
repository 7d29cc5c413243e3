package server

import (
	"context"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/canon"
	"muniment/cite"
	"muniment/engine"
)

// A PaperRequest names an artifact and where reading begins.
type PaperRequest struct {
	Artifact string // id or name
	Snapshot int64  // as that snapshot has it; 0 is as it is now
	From     int    // paragraph; 1 where it is less
	Host     string // before the address in references, such as https://letters.example; "" leaves it out
	Span     string // of the words to which that address leads; "" for the whole paper
}

// A Paper is an artifact as a reader sees it.
type Paper struct {
	Holding
	Lasting    string                `json:"lasting"` // the end of its lasting address: ten signs, or the id of what the public may not know of
	Info       holdings.ArtifactInfo `json:"artifact"`
	Size       int64                 `json:"size"`
	Shown      bool                  `json:"shown"` // its words or its picture may be shown
	From       int                   `json:"from_paragraph"`
	Passages   []Paragraph           `json:"passages"`
	Clipped    bool                  `json:"clipped"`                  // words were left out that this tier may not see
	Reading    string                `json:"reading"`                  // how much this tier may read: whole, excerpts, none
	Next       int                   `json:"next_paragraph,omitempty"` // where reading goes on; 0 at the end
	Before     int                   `json:"previous_paragraph,omitempty"`
	Media      string                `json:"media,omitempty"`    // image, audio or video: shown on the page
	Original   bool                  `json:"original_available"` // the bytes as they came can be had
	Facts      []Fact                `json:"facts"`
	History    []Version             `json:"history"`
	References []StyledReference     `json:"references"`
	Snapshot   int64                 `json:"snapshot_number"` // that the page shows
	Newest     int64                 `json:"newest_snapshot_number"`
	ArchiveID  string                `json:"archive"`
	Citations  []engine.CitationInfo `json:"citations"` // those on file that the reader may know of

	Around     Neighbours  `json:"-"`
	Companions []Companion `json:"-"`
}

// A Paragraph is one paragraph of a text, or as much of it as may be shown.
type Paragraph struct {
	Number int    `json:"paragraph"` // from 1
	Line   int    `json:"line"`      // the number of its first line in the text, from 1
	Text   string `json:"text"`
	Level  int    `json:"-"`             // of a heading: 1 of the whole paper, 2 of a chapter; 0 for none
	Sign   int    `json:"-"`             // how many bytes of Text are the sign of a heading
	Cut    bool   `json:"cut,omitempty"` // it goes on, and the rest may not be shown at once

	Withheld string      `json:"withheld,omitempty"` // how much is withheld and why, where Text is empty for it
	Without  int         `json:"-"`                  // lines that Withheld speaks of
	Names    []Pseudonym `json:"-"`                  // the pseudonyms in Text
}

// withheldLines says how many lines of a paragraph are withheld for a person whom it names.
func withheldLines(words string) string {
	n := linesOf(words)
	if n == 1 {
		return "1 line withheld: a protected person"
	}
	return itoa(n) + " lines withheld: a protected person"
}

// linesOf returns the number of lines of a paragraph.
func linesOf(words string) int { return strings.Count(strings.TrimRight(words, "\n"), "\n") + 1 }

// A Fact is one thing that is known of an artifact, in words.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// A Version is what happened to an artifact in a snapshot.
type Version struct {
	Seq      int64  `json:"seq"`
	Snapshot string `json:"snapshot"`
	Time     string `json:"time"`
	State    string `json:"state"` // added, described anew, left out, or unchanged since
}

// A StyledReference is the reference of a work in one style.
type StyledReference struct {
	Style string `json:"style"`
	Text  string `json:"text"`
}

// Limits of one page of an artifact.
const (
	maxPageRunes = 60000 // code points of text: a letter of 10,000 words is whole on one page
	maxVersions  = 60    // snapshots that are looked back at; each costs a few lookups
	maxPageMarks = 200   // citations beside one text
	maxOriginal  = 1 << 30
)

// MaxMediaOnPage is how many bytes a picture or a recording on a page has at most: it is played from
// memory, so that a player can seek.
const MaxMediaOnPage = 64 << 20

// referenceStyles are the styles in which a page offers the reference of a work.
var referenceStyles = []string{"harvard", "chicago", "apa", "ieee", "inline", "bibtex", "ris", "csl-json"}

// shownMedia are the media types that a browser shows by itself and that cannot run a script.
var shownMedia = map[string]string{
	"image/png": "image", "image/jpeg": "image", "image/gif": "image", "image/webp": "image", "image/avif": "image", "image/bmp": "image",
	"audio/mpeg": "audio", "audio/wav": "audio", "audio/x-wav": "audio", "audio/vnd.wave": "audio", "audio/ogg": "audio", "audio/flac": "audio", "audio/mp4": "audio", "audio/aac": "audio",
	"video/mp4": "video", "video/webm": "video", "video/ogg": "video",
}

// Paper returns an artifact that the client may know of, as a reader sees it.
func (c *Client) Paper(ctx context.Context, r PaperRequest) (*Paper, error) {
	return call(ctx, c, func(h *handle) (*Paper, error) {
		v, art, err := h.find(c, r.Artifact)
		if err != nil {
			return nil, err
		}
		p := &Paper{Passages: []Paragraph{}, Facts: []Fact{}, History: []Version{}, References: []StyledReference{}, Citations: []engine.CitationInfo{}, ArchiveID: h.archive.ID().String(), From: max(r.From, 1)}
		if err := v.versions(art, p); err != nil {
			return nil, err
		}
		if p.Snapshot = p.Newest; r.Snapshot != 0 {
			if art, err = v.asIn(art, r.Snapshot); err != nil {
				return nil, err
			}
			p.Snapshot = r.Snapshot
		}
		v.describe(art, p)
		if p.Holding, err = c.holding(v, art); err != nil {
			return nil, err
		}
		if err := v.showPaper(art, p); err != nil {
			return nil, err
		}
		if p.Companions, err = c.companions(v, art); err != nil {
			return nil, err
		}
		if p.Around, err = c.neighbours(v, p); err != nil {
			return nil, err
		}
		if p.Lasting, err = v.lastingEnd(art); err != nil {
			return nil, err
		}
		o := engine.BibOptions{References: []string{art.ID.String()}, View: v.door, Held: heldIn(h.archive.Info().Name, art, &p.Holding), Writers: p.Writers(), Date: p.Dated.String()}
		o.Title, _ = p.undatedLabel()
		switch form, _ := p.Letter(); form { // its writer comes first
		case "both":
			o.Title = "Letter to " + p.To
		case "from":
			o.Title = "Letter, “" + p.Salutation + "”"
		}
		if r.Host != "" {
			o.Link = r.Host + LastingAddress(p.Lasting, r.Span)
		}
		for _, o.Style = range referenceStyles {
			b, err := engine.WriteBibliography(h.archive, o)
			if err != nil {
				return nil, err
			}
			p.References = append(p.References, StyledReference{o.Style, strings.TrimSpace(strings.ReplaceAll(b.Text, "\r", ""))})
		}
		if p.Citations, err = c.citationsOf(v, art); err != nil {
			return nil, err
		}
		return p, nil
	})
}

// heldIn returns where a paper is kept, for references: the archive, its series and its reference code.
func heldIn(name string, art *holdings.Artifact, h *Holding) string {
	code := ""
	if first, ok := art.FirstRecord(); ok && first.Record.Source != nil {
		code = first.Record.Source.Identifier
	}
	parts := []string{name, strings.ReplaceAll(h.Series, seriesDivide, ", "), code}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ", ")
}

// asIn returns an artifact as a snapshot has it.
func (v *view) asIn(art *holdings.Artifact, seq int64) (*holdings.Artifact, error) {
	s, err := v.handle.archive.FindSnapshot(itoa(int(seq)))
	if err != nil {
		return nil, err
	}
	old, err := v.handle.archive.ShownCatalog(s.Tree, v.door).Artifact(art.ID)
	if err == nil && (old == nil || len(old.Records) == 0) {
		err = problem.New(problem.SourceNotFound, problem.Next(problem.DoList), "snapshot %d does not hold it", seq)
	}
	return old, err
}

// versions fills in what happened to an artifact from snapshot to snapshot.
func (v *view) versions(art *holdings.Artifact, p *Paper) error {
	rows, err := v.snapshots()
	if err != nil {
		return err
	}
	if len(rows) > 0 {
		p.Newest = rows[len(rows)-1].Seq
	}
	rows = rows[max(0, len(rows)-maxVersions):]
	last := ""
	for i, row := range rows {
		held, err := v.handle.archive.Holdings().Peek(row.Tree).Artifact(art.ID)
		if err == nil {
			held, err = v.catalog.See(held)
		}
		if err != nil {
			return err
		}
		state := ""
		if held != nil {
			for _, r := range held.Records {
				state += r.ID.String()
			}
		}
		if state == last {
			continue
		}
		one := Version{Seq: row.Seq, Snapshot: row.ID.String(), State: changeBetween(last, state)}
		if last = state; i == 0 && row.Seq > 1 {
			one.State = "here already"
		}
		s, err := v.handle.archive.FindSnapshot(itoa(int(row.Seq)))
		if err != nil {
			return err
		}
		one.Time = s.Time.UTC().Format(time.DateOnly)
		p.History = append(p.History, one)
	}
	return nil
}

// changeBetween returns the change between the states of an artifact in two snapshots, the earlier one first.
func changeBetween(before, after string) string {
	switch {
	case before == "":
		return "added"
	case after == "":
		return "withdrawn"
	}
	return "described anew"
}

// describe fills in what the records of an artifact say.
func (v *view) describe(art *holdings.Artifact, p *Paper) {
	p.Info = art.Info()
	p.Holding = newHolding(art)
	p.Size = p.Info.Size
	add := func(name, value string) {
		if value != "" {
			p.Facts = append(p.Facts, Fact{name, value})
		}
	}
	first, ok := art.FirstRecord()
	if !ok {
		return
	}
	rec := first.Record
	if s := rec.Source; s != nil {
		add("Publisher", s.Publisher)
		add("Address", s.URL)
		add("Fetched", s.FetchedAt)
		add("Language", s.Language)
	}
	add("Taken in", rec.Time)
	add("Taken in by", rec.Agent)
	add("Files", strings.Join(rec.Names, ", "))
	add("Media type", rec.MediaType)
	add("Read as text by", rec.Canonicalizer)
	add("Kept as it is because", rec.Reason)
	for _, name := range slices.Sorted(maps.Keys(rec.Facts)) {
		add(name, rec.Facts[name])
	}
	add("Artifact", art.ID.String())
	add("Original", rec.Original)
	add("Record", first.ID.String())
}

// showPaper fills in the words or the medium, as far as the client may see them.
func (v *view) showPaper(art *holdings.Artifact, p *Paper) error {
	perm, err := v.permission(art, "")
	if err != nil {
		return err
	}
	p.Media = shownMedia[strings.ToLower(strings.TrimSpace(strings.SplitN(p.MediaType, ";", 2)[0]))]
	first, ok := art.FirstRecord()
	p.Reading = perm.Reading
	if p.Shown = perm.Display && ok && perm.Piece() > 0; !p.Shown {
		p.Media = ""
		return nil
	}
	if err := v.addRights(art, p); err != nil {
		return err
	}
	if !first.Record.Textual() {
		p.Original = true
		return nil
	}
	doc, err := v.document(art)
	if err != nil {
		return err
	}
	units, lines := doc.Units(cite.Paragraphs), doc.Units('l')
	left, whole := min(perm.Piece(), maxPageRunes), true
	for i := p.From; i <= len(units); i++ {
		words := string(doc.Payload()[units[i-1].Start:units[i-1].End])
		n := len([]rune(words))
		if n > left && len(p.Passages) > 0 {
			p.Next = i
			break
		}
		left -= n
		line, _ := slices.BinarySearchFunc(lines, units[i-1].Start, func(u canon.Unit, at int) int { return u.Start - at })
		shown, pseudonyms, all, err := v.showIn(art, words)
		if err != nil {
			return err
		}
		one := Paragraph{Number: i, Line: line + 1, Text: shown, Cut: !all && shown != "" && len(pseudonyms) == 0, Names: pseudonyms}
		one.Level, one.Sign = p.HeadingOf(shown)
		if shown == "" && words != "" && perm.Piece() > 0 {
			one.Withheld, one.Without = withheldLines(words), linesOf(words)
		}
		if whole = whole && (all || !one.Cut); shown != "" || words == "" || one.Withheld != "" {
			p.Passages = append(p.Passages, one)
		}
	}
	if p.From > 1 {
		p.Before = max(1, p.From-max(1, len(p.Passages)))
	}
	for at := len(p.Passages) - 1; p.Next != 0 && at > 0 && 2*at > len(p.Passages); at-- {
		if p.Passages[at].Level > 0 { // the next page begins with a chapter
			p.Next, p.Passages = p.Passages[at].Number, p.Passages[:at]
			break
		}
	}
	p.Clipped = !whole
	p.Original, err = v.mayHaveOriginal(art)
	return err
}

// HeadingOf returns the level of the heading that a paragraph is, by the signs of Markdown or the word chapter with its
// number (2), 0 for none, and how many bytes at its beginning are the sign.
func (h *Holding) HeadingOf(text string) (level, sign int) {
	indent := len(text) - len(strings.TrimLeft(text, " "))
	text = strings.TrimSpace(text)
	switch words := strings.TrimLeft(text, "#"); {
	case strings.Contains(text, "\n") || len(text) > 2*maxHeading:
		return 0, 0
	case strings.HasPrefix(h.MediaType, "text/markdown") && strings.HasPrefix(words, " ") && len(words) < len(text):
		return min(len(text)-len(words), 6), indent + len(text) - len(words) + 1
	case chapterHeading.MatchString(text):
		return 2, 0
	}
	return 0, 0
}

// chapterHeading matches the heading of a chapter in a text without signs for headings.
var chapterHeading = regexp.MustCompile(`^(?i:chapter|kapitel|chapitre|book|buch|part|teil) (?:\d+|[IVXLC]+)\b[^a-z]?[^.]{0,80}\.?$`)

// addRights adds the statement of rights that a consent signs for a paper.
func (v *view) addRights(art *holdings.Artifact, p *Paper) error {
	tree, err := v.treeOf(art)
	if err != nil {
		return err
	}
	consent, err := v.handle.archive.Consent(tree, art.ID)
	if err == nil && consent != nil && consent.Rights != "" {
		p.Facts = append(p.Facts, Fact{"Rights", consent.Rights})
	}
	return err
}

// citationsOf returns the citations of an artifact that the client may read and that no newer citation replaced.
func (c *Client) citationsOf(v *view, art *holdings.Artifact) ([]engine.CitationInfo, error) {
	out := []engine.CitationInfo{}
	e, err := c.engine(v, "")
	if err != nil {
		return nil, err
	}
	all, err := e.Citations().List(engine.CitationFilter{Artifact: art.ID.String(), Limit: maxPageMarks})
	if err != nil {
		return nil, err
	}
	for _, r := range art.Records { // a fact of the record is cited by the record's id
		facts, err := e.Citations().List(engine.CitationFilter{Artifact: r.ID.String(), Limit: maxPageMarks})
		if err != nil {
			return nil, err
		}
		for i := range facts {
			facts[i].Artifact = art.ID.String()
		}
		all = append(all, facts...)
	}
	for i := range all {
		may, err := v.reads(&all[i])
		if err != nil {
			return nil, err
		}
		if may && all[i].SupersededBy == 0 {
			out = append(out, all[i])
		}
	}
	return out, nil
}

// A Located is words of an artifact with their address, ready to be cited.
type Located struct {
	Artifact string `json:"artifact"`
	Name     string `json:"name"`
	Span     string `json:"span"`
	Quote    string `json:"quote"`
	Context  string `json:"quote_context"`
	Match    string `json:"match"` // exact, or how the words differ
}

// Locate finds words in an artifact, or takes those at a span.
func (c *Client) Locate(ctx context.Context, ref, span, quote string) (*Located, error) {
	if span != "" {
		r, err := c.Read(ctx, ReadRequest{Artifact: ref, Span: span})
		if err != nil {
			return nil, err
		}
		if len(r.Passages) == 0 {
			return nil, problem.New(problem.NotPermitted, problem.Advise("a higher tier may show more"), "the words there may not be shown to this tier")
		}
		unit, _, _ := strings.Cut(span, ":")
		around, err := c.Read(ctx, ReadRequest{Artifact: ref, Span: unit})
		out := &Located{Artifact: r.Artifact, Name: r.Name, Span: r.Passages[0].Span, Quote: r.Passages[0].Text, Match: string(cite.Exact)}
		if err == nil && len(around.Passages) > 0 {
			out.Context = around.Passages[0].Text
		}
		return out, nil
	}
	found := ""
	err := c.server.with(ctx, func(h *handle) error {
		v, art, err := h.find(c, ref)
		if err != nil {
			return err
		}
		if perm, err := v.permission(art, ""); err != nil || !perm.Display {
			return errors.Join(err, errHidden(art))
		}
		doc, err := v.document(art)
		if err != nil {
			return err
		}
		text, err := v.door.WithoutWithheld(art.ID, doc.Payload())
		if err != nil {
			return err
		}
		m, err := cite.Find(canon.NewDocument(text), quote, nil)
		if err != nil {
			return problem.New(problem.Usage, problem.Advise("give some words of the text"), "%w", err)
		}
		if !m.Verifies() || v.door.Word(quote) != quote {
			return problem.New(problem.NotFound, problem.Advise("copy the words from the text"), "these words are not in it")
		}
		found = m.Span.String()
		return nil
	})
	if err != nil {
		return nil, err
	}
	return c.Locate(ctx, ref, found, "")
}
