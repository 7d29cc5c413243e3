package server

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"muniment/answer"
	"muniment/archive/holdings"
	"muniment/engine/references/bib"
	"muniment/search/catalogue"
	"muniment/snapshot/edtf"
	"muniment/text/calendar"
)

const (
	maxHeading   = 80     // code points of a first line that a paper is called by
	maxHeadings  = 20_000 // first lines that are kept for one client
	seriesDivide = " › "  // between the parts of a path in the arrangement
)

//go:embed kinds.txt
var kindsText string

// kindOf returns the common name of a media type.
func kindOf(media string) string {
	for line := range strings.Lines(kindsText) {
		begin, kind, ok := strings.Cut(strings.TrimRight(line, "\n"), "\t")
		if ok && !strings.HasPrefix(line, "#") && strings.HasPrefix(media, begin) {
			return kind
		}
	}
	return "other"
}

// proseKinds are the kinds of papers that are called by their first line. The first line of
// a table or of subtitles names nothing.
var proseKinds = []string{"text", "web page", "mail", "PDF", "book", "document"}

// newHolding returns the description of an artifact that the first record of it gives.
func newHolding(art *holdings.Artifact) Holding {
	info := art.Info()
	h := Holding{ID: info.ID, Name: art.Name(), Title: info.Title, Date: info.Date, Kind: kindOf(info.MediaType), MediaType: info.MediaType, Paragraphs: info.Paragraphs}
	first, ok := art.FirstRecord()
	if !ok {
		return h
	}
	h.Dated, h.Found = holdings.DateOf(first.Record), info.Date == ""
	if d := holdings.DerivationOf(first.Record); d != nil { // its page says how it was made
		if h.Title = strings.TrimSuffix(h.Title, " ("+d.Mark()+")"); isFileName(strings.ReplaceAll(h.Title, " ", "_")) {
			h.Title = "" // the name of the scan's file
		}
	}
	h.folders = foldersOf(h.Name)
	if src := first.Record.Source; src != nil {
		h.Creators, h.Tags, h.Place, h.Language = src.Creators, src.Tags, src.Place, src.Language
		h.subjects = src.Subjects
		if src.Box+src.Folder != "" {
			h.folders = nil
			for _, part := range []struct{ of, name string }{{"Box ", src.Box}, {"Folder ", src.Folder}} {
				if part.name != "" {
					h.folders = append(h.folders, strings.TrimSuffix(part.of+strings.TrimPrefix(part.name, part.of), " "))
				}
			}
		}
	}
	return h
}

// readable returns the text of a paper without the paragraphs that are withheld from the client, and how many code
// points of it may be shown in one piece; 0 where there is nothing to read.
func (v *view) readable(art *holdings.Artifact) (text string, piece int, err error) {
	perm, err := v.permission(art, "")
	if first, ok := art.FirstRecord(); err != nil || !ok || !first.Record.Textual() || !perm.Display || perm.Piece() == 0 {
		return "", 0, err
	}
	doc, err := v.document(art)
	if err != nil {
		return "", 0, err
	}
	words, err := v.door.WithoutNamed(art.ID, doc.Payload())
	if err == nil && v.staged != nil {
		words, err = v.staged.door.WithoutNamed(art.ID, words)
	}
	return withoutLong(string(words), perm.Piece()), perm.Piece(), err
}

// withoutLong returns a text without the paragraphs of more than so many code points, which a page cuts.
func withoutLong(text string, most int) string {
	parts := strings.Split(text, "\n\n")
	for i, part := range parts {
		if utf8.RuneCountInString(part) > most {
			parts[i] = strings.Repeat(" ", len(part))
		}
	}
	return strings.Join(parts, "\n\n")
}

// readHead sets salutation, signature and place of a letter, or the persons in the header of a mail.
func (v *view) readHead(art *holdings.Artifact, h *Holding) error {
	if h.Kind != "text" && h.Kind != "document" && h.Kind != "mail" {
		return nil
	}
	text, piece, err := v.readable(art)
	if err != nil || piece == 0 {
		return err
	}
	if h.Kind == "mail" {
		header, _, _ := strings.Cut(text, "\n\n")
		for line := range strings.Lines(header) {
			switch name, value, _ := strings.Cut(strings.TrimSpace(line), ": "); name {
			case "From":
				h.From = withoutAddresses(value)
			case "To":
				h.To = withoutAddresses(value)
			}
		}
		return nil
	}
	head := catalogue.ReadHead(text, h.Name) // copied, as the list stays in memory and the text does not
	if h.Salutation, h.Signature = strings.Clone(head.Salutation), strings.Clone(head.Signature); h.Place == "" && h.Salutation != "" {
		h.Place = strings.Clone(placeIn(head))
	}
	return nil
}

// describeAll fills in what records and heads of some papers say: what each is, from whom, to whom and from where.
func (v *view) describeAll(papers []*holdings.Artifact, items []Holding) error {
	var signed []string
	for i := range items {
		h := &items[i]
		if err := v.readHead(papers[i], h); err != nil {
			return err
		}
		first, _ := papers[i].FirstRecord()
		kinds := catalogue.Kinds(holdings.EntryOf(first.Record))
		switch {
		case !slices.Contains(writtenKinds, h.Kind):
		case h.Salutation != "" || slices.Contains(kinds, "letter"):
			h.Form = "letter"
		case len(kinds) > 0:
			h.Form = kinds[0]
		}
		by, _, _ := strings.Cut(h.Signature, ",")
		signed = append(append(signed, h.Creators...), by)
	}
	persons := answer.NewPersons(v.room.rules, signed)
	for i := range items {
		h := &items[i]
		by, _, _ := strings.Cut(h.Signature, ",")
		h.From = cmp.Or(strings.Join(h.Writers(), "; "), h.From, persons.Find(by))
		h.To = cmp.Or(h.To, persons.Find(h.Salutation))
		h.setLetterHeading()
	}
	return v.labelScans(papers, items)
}

// labelScans gives a scan without a title that of its text, and each the date of the other where it has none.
func (v *view) labelScans(papers []*holdings.Artifact, items []Holding) (err error) {
	at := map[string]*Holding{}
	for i := range items {
		at[items[i].ID] = &items[i]
	}
	for i := range items {
		first, _ := papers[i].FirstRecord()
		text, scan := &items[i], at[first.Record.Facts[holdings.FactDerivedFrom]]
		if scan == nil || !strings.HasPrefix(first.Record.Facts[holdings.FactTextMade], holdings.MadeByOCR) {
			continue
		}
		if text.Dated.IsZero() {
			text.Dated, text.Found = scan.Dated, true
		} else if scan.Dated.IsZero() {
			scan.Dated, scan.Found = text.Dated, true
		}
		scan.Place = cmp.Or(scan.Place, text.Place)
		if text.setLetterHeading(); text.Heading == "" {
			if text.Heading, err = v.headingOf(papers[i], text); err != nil {
				return err
			}
		}
		if copied := *text; text.Heading != "" && scan.Title == "" {
			scan.Text = &copied
		}
	}
	return nil
}

// setLetterHeading sets the heading of a letter that is known by its persons.
func (h *Holding) setLetterHeading() {
	if form, names := h.Letter(); form != "" {
		h.Heading = fmt.Sprintf(letterForms[form], names...)
	}
}

// placeIn returns the place before the date in a letter's head: Hanover of "Hanover, the 7th of March"; "" for none.
func placeIn(head catalogue.Head) string {
	before, _, found := strings.Cut(strings.Join(head.Lines, "\n"), head.DateText)
	if !found || head.DateText == "" {
		return ""
	}
	return noPlace.ReplaceAllString(before[strings.LastIndex(before, "\n")+1:], "")
}

// noPlace matches the words between a place and a date.
var noPlace = regexp.MustCompile(`(?:[ ,.;]+\p{Ll}*)*$`)

// Letter returns the form of the title of a dated letter without one, and what fills it: both (writer, addressee), from
// (writer, salutation) or to (addressee); "" where the letter does not say so much.
func (h Holding) Letter() (form string, names []any) {
	switch {
	case h.Salutation == "" || h.Title != "" && !isFileName(h.Title) || h.Dated.IsZero():
	case h.From != "" && h.To != "":
		return "both", []any{h.From, h.To}
	case h.From != "":
		return "from", []any{h.From, h.Salutation}
	case h.To != "":
		return "to", []any{h.To}
	}
	return "", nil
}

// letterForms are the forms of the titles of letters in English.
var letterForms = map[string]string{"both": "%s to %s", "from": "%s, “%s”", "to": "Letter to %s"}

// FullKind returns the kind of the paper by its record or its text, else by its file: letter, cutting, picture.
func (h Holding) FullKind() string { return cmp.Or(h.Form, h.Kind) }

// writtenKinds are the kinds of files that may be letters, cuttings or minutes.
var writtenKinds = []string{"text", "document", "PDF", "table"}

// foldersOf returns the folders in which a file lay, the outermost first. What lay inside a file,
// such as an attachment, lies where that file does.
func foldersOf(name string) []string {
	name, _, _ = strings.Cut(name, "!/")
	dir := path.Dir(strings.ReplaceAll(name, `\`, "/"))
	return slices.DeleteFunc(strings.Split(dir, "/"), func(s string) bool { return s == "." || s == ".." || s == "" })
}

// Label returns the words by which a reader knows the paper: its title, else its first line where
// the reader may read that, else the name of the file without folders and ending.
func (h Holding) Label() string {
	h = *cmp.Or(h.Text, &h)
	stem := path.Base(strings.ReplaceAll(h.Name, `\`, "/"))
	if end := path.Ext(stem); len(end) > 1 && len(end) <= maxEnding && len(end) < len(stem) {
		stem = strings.TrimSuffix(stem, end)
	}
	switch {
	case h.Title != "" && !isFileName(h.Title):
		return h.Title
	case h.Heading != "":
		return h.Heading
	case h.Title != "":
		return h.Title
	case stem == "" || stem == "." || stem == "/":
		return h.ID
	}
	return stem
}

// maxEnding is how many bytes the ending of a file name has at most, with its dot.
const maxEnding = 6

// isFileName reports whether a title is the name of a file, as programs that print a document put
// it there: one word with an ending that is no number.
func isFileName(title string) bool {
	end := path.Ext(title)
	return len(end) > 2 && len(end) <= maxEnding && !strings.ContainsAny(title, " \t\n") && strings.Trim(end, ".0123456789") != ""
}

// LabelHasDate reports whether the label ends in the date.
func (h Holding) LabelHasDate() bool {
	_, has := h.undatedLabel()
	return has
}

// undatedLabel returns the label for those who are given the date as well: without the date at its end, where a
// comma sets that off. has reports whether the label ends in the date of the paper.
func (h Holding) undatedLabel() (label string, has bool) {
	label = h.Label()
	date, _, rest := calendar.Reader{}.Find(label, maxHeading)
	if has = date != "" && date == h.Dated.String(); has {
		if title, set := strings.CutSuffix(strings.TrimSpace(rest), ","); set {
			label = title
		}
	}
	return label, has
}

// Year returns the year in which the date begins, or ends where its beginning is open; "" where there is no date.
func (h Holding) Year() string {
	first, last := h.Dated.Interval()
	if first == edtf.Earliest {
		first = last
	}
	if h.Dated.IsZero() || first.Year < 0 || first.Year > 9999 {
		return ""
	}
	first.Month, first.Day = 0, 0
	return first.String()
}

// Decade returns the decade of the year, such as 1900s; "" where there is no date.
func (h Holding) Decade() string {
	year := h.Year()
	if year == "" {
		return ""
	}
	return year[:3] + "0s"
}

// headingOf returns the first line of the words of a paper, where the client may read the whole
// paragraphs before it: words that are withheld from the page are no title either. A letter is called by its
// salutation and its first line, as its place and its day are told apart.
func (v *view) headingOf(art *holdings.Artifact, h *Holding) (string, error) {
	if !slices.Contains(proseKinds, h.Kind) || h.Title != "" && !isFileName(h.Title) {
		return "", nil
	}
	text, piece, err := v.readable(art)
	if err != nil || piece == 0 {
		return "", err
	}
	var words []string
	for part := range strings.SplitSeq(text, "\n\n") {
		if len(words) == maxTitleParts || strings.TrimSpace(part) == "" || utf8.RuneCountInString(part) > piece {
			break
		}
		words = append(words, part)
	}
	return titleOf(strings.Join(words, "\n\n"), h.Name), nil
}

// titleOf returns the line by which a paper is called that begins with some words; "" for none.
func titleOf(words, name string) string {
	head := catalogue.ReadHead(words, name)
	var body []string
	for line := range strings.Lines(words) {
		line = strings.TrimSpace(line)
		date, _, rest := calendar.Reader{Years: name}.Find(line, 1) // a day of the week
		isDate := len(body) == 0 && head.Salutation == "" && date != "" && len(strings.Fields(rest)) <= 1
		if line != "" && !isDate && (head.Salutation == "" || !slices.Contains(head.Lines, line)) {
			body = append(body, line)
		}
	}
	if len(body) > 0 && head.Salutation != "" && !strings.HasPrefix(body[0], head.Salutation) {
		body[0] = head.Salutation + ", " + body[0]
	}
	return cmp.Or(clipLine(strings.Join(body, "\n")), clipLine(words))
}

// maxTitleParts is how many paragraphs are looked at for a line: a printed page begins with a running
// head, a letter with a place, a day and a salutation.
const maxTitleParts = 5

// isMostlyLetters reports whether at least half of the signs of a line are letters.
func isMostlyLetters(line string) bool {
	letters, others := 0, 0
	for _, r := range line {
		switch {
		case unicode.IsLetter(r):
			letters++
		case !unicode.IsSpace(r):
			others++
		}
	}
	return letters > 0 && letters >= others
}

// clipLine returns the first line of a text with more letters than other signs, cut at a word; "" for none.
func clipLine(text string) string {
	for line := range strings.Lines(text) {
		line = strings.Join(strings.Fields(strings.TrimLeft(line, "#*> ")), " ")
		if !isMostlyLetters(line) { // a date or a number alone names nothing
			continue
		}
		if utf8.RuneCountInString(line) <= maxHeading {
			return line
		}
		line = string([]rune(line)[:maxHeading])
		if at := strings.LastIndex(line, " "); at > maxHeading/2 {
			line = line[:at]
		}
		return strings.TrimRight(line, " ,;:–-") + " …"
	}
	return ""
}

// name sets the heading of a holding and its path in the arrangement, as a client sees them.
func (g *sight) name(v *view, art *holdings.Artifact, h *Holding) error {
	if h.Series = h.seriesBelow(g.root); h.Heading != "" {
		return nil
	}
	g.mu.Lock()
	heading, known := g.headings[h.ID]
	g.mu.Unlock()
	if !known {
		var err error
		if heading, err = v.headingOf(art, h); err != nil {
			return err
		}
		g.mu.Lock()
		if g.headings == nil || len(g.headings) >= maxHeadings {
			g.headings = map[string]string{}
		}
		g.headings[h.ID] = heading
		g.mu.Unlock()
	}
	h.Heading = heading
	return nil
}

// seriesBelow returns the path of a paper in the arrangement without the folders in which all the papers lie.
func (h *Holding) seriesBelow(root []string) string {
	if len(h.folders) < len(root) {
		return ""
	}
	return strings.Join(h.folders[len(root):], seriesDivide)
}

// commonFolders returns the folders that some holdings begin with alike.
func commonFolders(before []string, h *Holding, isFirst bool) []string {
	if isFirst {
		return h.folders
	}
	n := 0
	for n < len(before) && n < len(h.folders) && before[n] == h.folders[n] {
		n++
	}
	return before[:n]
}

// HoldingsOf returns the holdings of some ids, by id, as the client's lists describe them. What
// the client may not know of is left out.
func (c *Client) HoldingsOf(ctx context.Context, ids []string) (map[string]Holding, error) {
	return withView(ctx, c, func(v *view) (map[string]Holding, error) {
		out := map[string]Holding{}
		for _, id := range ids {
			art, err := v.resolve(id)
			if err != nil {
				continue
			}
			one, err := c.holding(v, art)
			if err != nil {
				return nil, err
			}
			out[id] = one
		}
		return out, nil
	})
}

// holding returns an artifact that the client may know of as the client's lists describe it.
func (c *Client) holding(v *view, art *holdings.Artifact) (Holding, error) {
	h := newHolding(art)
	f, g, err := c.shelf(v)
	if err != nil {
		return h, err
	}
	if i, ok := f.byID[h.ID]; ok {
		h = f.items[i]
		h.Paired = g.paired[i]
	} else if err := v.readHead(art, &h); err != nil {
		return h, err
	}
	return h, g.name(v, art, &h)
}

// Writers returns who wrote the paper, by names as they are spoken: of its record, else whom its signature means.
func (h Holding) Writers() []string {
	if len(h.Creators) == 0 && h.From != "" {
		return []string{h.From}
	}
	var out []string
	for _, name := range h.Creators {
		out = append(out, givenFirst(name))
	}
	return out
}

// givenFirst returns the name of a person as it is spoken: Anna Brandt of "Brandt, Anna". Other names stay as they are.
func givenFirst(name string) string {
	family, given, _ := strings.Cut(name, ", ")
	if given == "" || bib.ParseName(name).Given != given || bib.ParseName(given+" "+family).Literal != "" {
		return name
	}
	return given + " " + family
}
