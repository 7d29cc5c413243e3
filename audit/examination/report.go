package examination

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"muniment/archive/problem"
	"muniment/archive/search"
	"muniment/cite"
	"muniment/draft/examine"
)

// A Verdict says what a quotation is worth; the package comment lists them.
type Verdict string

// The eight verdicts.
const (
	Exact       Verdict = "exact"
	Scholarly   Verdict = "scholarly"
	Altered     Verdict = "altered"
	Cut         Verdict = "cut"
	Elsewhere   Verdict = "elsewhere"
	Stitched    Verdict = "stitched"
	Nowhere     Verdict = "nowhere"
	Uncheckable Verdict = "uncheckable"
)

// Verdicts are the verdicts as reports list them, the worst first.
var Verdicts = []Verdict{Nowhere, Altered, Cut, Stitched, Elsewhere, Uncheckable, Scholarly, Exact}

// Bad reports whether a verdict says that something is wrong.
func (v Verdict) Bad() bool {
	return slices.Contains(Verdicts[:slices.Index(Verdicts, Uncheckable)], v)
}

// A Report is the result of an examination.
type Report struct {
	Document Document          `json:"document"`
	Archives []SearchedArchive `json:"archives"`
	Complete []string          `json:"complete,omitempty"` // scopes that the caller declares whole
	Items    []Item            `json:"items"`              // in the order of the document
	Counts   map[Verdict]int   `json:"counts"`
	Claims   cite.ClaimCounts  `json:"claims"`            // of the sentences that use a quotation, and of statements
	Skipped  int               `json:"skipped,omitempty"` // quotations that were not looked up, since there are too many
	Short    int               `json:"short,omitempty"`   // quotations of a word or two, or titles, that are left out: not in the paper that is named, or in none, they may be the writer's own words
	Since    *Since            `json:"since,omitempty"`   // what changed since an earlier report, where one was given
	Fixes    []Fix             `json:"fixes,omitempty"`   // where they were asked for

	text string // of the document
}

// A Document says what was examined.
type Document struct {
	Name      string `json:"name"`
	SHA256    string `json:"sha256"` // of its bytes, in hex
	Bytes     int    `json:"bytes"`
	MediaType string `json:"media_type"`
	Language  string `json:"language,omitempty"`
	Pages     int    `json:"pages,omitempty"`
}

// A SearchedArchive says which snapshot of an archive was searched, and how much of it.
type SearchedArchive struct {
	ID       string          `json:"id"`
	Name     string          `json:"name"`
	Snapshot string          `json:"snapshot"`
	Papers   int             `json:"papers"` // that the caller may read
	Coverage search.Coverage `json:"searched"`
}

// An Item is one quotation or statement with its verdict.
type Item struct {
	Item       int              `json:"item"` // from 1
	Kind       string           `json:"kind"` // quotation or statement
	Text       string           `json:"text"` // the quotation as written, without the marks around it
	At         At               `json:"at"`
	Verdict    Verdict          `json:"verdict"`
	Also       []Verdict        `json:"also"`
	Reason     string           `json:"reason"` // one sentence without its stop
	Named      *NamedSource     `json:"named"`
	Found      *Found           `json:"found"`
	Difference []examine.Change `json:"difference"`
	Claim      *Claim           `json:"claim"`
	Nearest    *Found           `json:"nearest,omitempty"` // of words that are nowhere: the most like them
	Suggestion string           `json:"suggestion,omitempty"`
	Sentence   string           `json:"sentence"` // of the document, that uses the quotation
}

// At is a place in the document. Offsets are code points of its text, half-open; lines and pages count from 1.
type At struct {
	Start int `json:"start"`
	End   int `json:"end"`
	Line  int `json:"line"`
	Page  int `json:"page,omitempty"`
}

// A NamedSource is the source that a document names for a quotation.
type NamedSource struct {
	Text     string `json:"text"`  // where it is named
	Where    string `json:"where"` // link, footnote, citation, sentence, preceding
	Here     bool   `json:"here"`  // it is one of the papers
	Artifact string `json:"artifact,omitempty"`
	Name     string `json:"name,omitempty"`
	Title    string `json:"title,omitempty"`
	Creator  string `json:"creator,omitempty"`
	Date     string `json:"date,omitempty"`
	Others   int    `json:"others,omitempty"` // further papers that the words fit as well
}

// Found is a place in a paper.
type Found struct {
	Archive  string            `json:"archive"`
	Snapshot string            `json:"snapshot"`
	Artifact string            `json:"artifact"`
	Name     string            `json:"name"`
	Title    string            `json:"title,omitempty"`
	Creator  string            `json:"creator,omitempty"`
	Date     string            `json:"date,omitempty"`
	Span     string            `json:"span"`
	Text     string            `json:"text"`     // the words there, as the caller may read them
	Sentence string            `json:"sentence"` // the whole sentence
	Locator  map[string]string `json:"locator,omitempty"`
	Second   string            `json:"second,omitempty"`    // of stitched words: the other span
	SecondIn string            `json:"second_in,omitempty"` // its paper, where that is another one
	Whole    bool              `json:"whole"`               // nothing of Text is withheld

	from, to, length int // of Sentence in the text of the paper, and of that, in code points
}

// Label returns the title of the paper, or the name of its file, with its writer and date.
func (f *Found) Label() string { return labelPaper(f.Title, f.Name, f.Creator, f.Date) }

// Label returns the title of the paper, or the name of its file, with its writer and date.
func (n *NamedSource) Label() string { return labelPaper(n.Title, n.Name, n.Creator, n.Date) }

// At returns the span of the words.
func (f *Found) At() string { return f.Span }

// At returns no span: a document names the whole paper.
func (n *NamedSource) At() string { return "" }

func labelPaper(title, name, creator, date string) string {
	known := []string{cmp.Or(title, name), creator, date}
	return strings.Join(slices.DeleteFunc(known, func(s string) bool { return s == "" }), ", ")
}

// A Claim is the verdict on the sentence that uses a quotation, or on what is quoted where that sentence only introduces it.
type Claim struct {
	Text    string            `json:"text"`
	Verdict cite.ClaimVerdict `json:"verdict"`
	Reason  string            `json:"reason,omitempty"`
	Claim   string            `json:"claim,omitempty"` // what the sentence says where the two differ
	Words   string            `json:"words,omitempty"`
	limited bool              // words around the quotation hold it to a case, or say whose word it is
}

// Bad reports whether something is wrong with the item: its verdict, or what its sentence says of the words.
func (i *Item) Bad() bool {
	return i.Verdict.Bad() || i.Claim != nil && i.Claim.Verdict == cite.ClaimContradicted
}

// isCut reports whether the item is cut, whatever else it is.
func (i *Item) isCut() bool { return i.Verdict == Cut || slices.Contains(i.Also, Cut) }

// Whole returns the sentence of the paper, where the item is cut and the sentence says more than the words that were found; else "".
func (i *Item) Whole() string {
	if i.Found == nil || !i.isCut() {
		return ""
	}
	return i.Found.Sentence
}

// Worst returns the items with the worst verdicts first, those of one verdict in the order of the document.
func (r *Report) Worst() []*Item {
	out := make([]*Item, len(r.Items))
	for i := range r.Items {
		out[i] = &r.Items[i]
	}
	slices.SortStableFunc(out, func(a, b *Item) int { return cmp.Compare(rank(a), rank(b)) })
	return out
}

// rank orders items: by verdict, one whose sentence says otherwise before what cannot be checked, and a quotation before a statement.
func rank(i *Item) int {
	at := 4 * slices.Index(Verdicts, i.Verdict)
	if i.Bad() && !i.Verdict.Bad() {
		at = 4*slices.Index(Verdicts, Uncheckable) - 2
	}
	if i.Kind == "statement" {
		at++
	}
	return at
}

// Groups returns the items of Worst in groups. Items that cannot be checked for the same reason form one group, each
// other item is its own.
func (r *Report) Groups() [][]*Item {
	var out [][]*Item
	at := map[string]int{}
	for _, i := range r.Worst() {
		if n, known := at[i.Reason]; known && i.Verdict == Uncheckable {
			out[n] = append(out[n], i)
			continue
		}
		at[i.Reason] = len(out)
		out = append(out, []*Item{i})
	}
	return out
}

// count fills in the counts.
func (r *Report) count() {
	r.Claims = countClaims(r.Items)
	r.Counts = map[Verdict]int{}
	for _, v := range Verdicts {
		r.Counts[v] = 0
	}
	for _, i := range r.Items {
		r.Counts[i.Verdict]++
	}
}

// countClaims returns the counts of what items claim. A sentence that only introduces words which state nothing claims nothing.
func countClaims(all []Item) cite.ClaimCounts {
	var n cite.ClaimCounts
	for i := range all {
		switch c := all[i].Claim; {
		case c == nil && all[i].Verdict == Uncheckable:
			n.Unjudged++
		case c == nil:
		case c.Verdict == cite.ClaimFollows:
			n.Verified++
		case c.Verdict == cite.ClaimContradicted:
			n.Contradicted++
		default:
			n.Unverified++
		}
	}
	return n
}

// kinds are the kinds of items.
var kinds = []string{"quotation", "statement"}

// tally returns the number of items of a kind, how many of these are wrong, and how many cannot be checked.
func (r *Report) tally(kind string) (all, bad, open int) {
	for i := range r.Items {
		switch {
		case r.Items[i].Kind != kind:
			continue
		case r.Items[i].Bad():
			bad++
		case r.Items[i].Verdict == Uncheckable:
			open++
		}
		all++
	}
	return all, bad, open
}

// Err returns nil where at least one quotation was found and all are exact or scholarly; else a *problem.Error of kind VerdictNegative
// where something is wrong, of kind PartlyDone where something cannot be checked or there is no quotation.
func (r *Report) Err() error {
	bad, open := r.countOf(func(bad, _ int) int { return bad }), r.countOf(func(_, open int) int { return open })
	switch {
	case bad != "":
		return &problem.Error{Kind: problem.VerdictNegative, Message: bad + " wrong", Next: problem.Advise("each is shown with the words of the paper; mend the text and examine it again"), Partial: r}
	case len(r.Items) == 0:
		return &problem.Error{Kind: problem.PartlyDone, Message: "no quotation was found in " + r.Document.Name, Next: problem.Advise("quotations stand in quotation marks, in indented paragraphs or after a > of markdown"), Partial: r}
	case open != "" || r.Skipped > 0:
		return &problem.Error{Kind: problem.PartlyDone, Message: cmp.Or(open, strconv.Itoa(r.Skipped)+" quotations beyond the first are") + " not checkable", Next: problem.Advise("add the source that each names, or give --complete SCOPE where the archive has all of a series, a kind or a creator"), Partial: r}
	}
	return nil
}

// countOf returns how many items of each kind are what of counts, as the beginning of a sentence; "" for none.
func (r *Report) countOf(of func(bad, open int) int) string {
	var out []string
	sum := 0
	for _, kind := range kinds {
		all, bad, open := r.tally(kind)
		if n := of(bad, open); n > 0 {
			out, sum = append(out, strconv.Itoa(n)+" of "+strconv.Itoa(all)+" "+kind+"s"), sum+n
		}
	}
	switch sum {
	case 0:
		return ""
	case 1:
		return out[0] + " is"
	}
	return strings.Join(out, " and ") + " are"
}
