// Package catalogue reads questions about the records of an archive: when a
// letter is dated or was added, who wrote it, who published it, where it comes
// from; and questions about the holdings as a whole: which and how many there are.
//
//	q, ok := catalogue.Read("Who wrote the Report on Coal?")
//	// q.Field == catalogue.Creator; q.Names(entry) tells which record is meant
//
// It reads few forms, English, and these whole: what is asked for, then what of.
// The record is meant by all words of its title, or of its file name, in order;
// by a kind and a day ("the letter of 2 April 1931"); or as the only one there is
// ("this letter"). Everything else is a question to the texts, and ok is false:
// "Who wrote to Ruth about the mill?" asks nothing of a record.
//
// The package is pure. Whether a record may be known to who asks, and what is
// said of it, is decided elsewhere.
package catalogue

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"muniment/search/retrieve"
	"muniment/text/segment"
)

// A Field is what is asked of a record.
type Field string

// The fields.
const (
	Date      Field = "date"      // when it was written or published, as the record says
	Added     Field = "added"     // when it came into the archive
	Creator   Field = "creator"   // who wrote it
	Publisher Field = "publisher" // who published it
	Origin    Field = "origin"    // the address that it comes from
)

// A Question asks a field of one record.
type Question struct {
	Field Field
	Kind  string // letter, report …, singular; "" where every record is meant, or the title says which
	Title []string
	This  bool   // "this letter": the only one
	From  string // YYYY-MM-DD: of that day or period; "" for none
	To    string
}

// An Entry is what a question goes by of a record.
type Entry struct {
	Title, Name string // Name is the path it was added under
	Date        string // YYYY-MM-DD or ""
	Tags        []string
	Form        string // CSL type
	MediaType   string
}

// kinds are words for a record, with the CSL type of it, where there is one.
var kinds = map[string]string{
	"letter": "personal_communication", "diary entry": "entry", "report": "report", "article": "article", "book": "book", "map": "map", "poem": "entry",
	"speech": "speech", "photograph": "graphic", "recording": "song", "interview": "interview", "email": "personal_communication", "mail": "personal_communication",
	"memo": "", "note": "", "cutting": "article-newspaper", "minute": "", "account": "", "recipe": "", "page": "webpage", "chapter": "chapter", "thesis": "thesis",
	"entry": "", "document": "", "record": "", "paper": "", "source": "", "text": "", "file": "", "artifact": "", "item": "", "piece": "",
}

// general are the kinds that every record is of.
var general = map[string]bool{"entry": true, "document": true, "record": true, "paper": true, "source": true, "text": true, "file": true, "artifact": true, "item": true, "piece": true}

// A form is a question whose last group names the record.
type form struct {
	field Field
	*regexp.Regexp
}

func compile(field Field, pattern string) form {
	return form{field, regexp.MustCompile(`(?i)^` + pattern + `$`)}
}

var forms = []form{
	compile(Date, `when (?:was|were) (.+?) (?:written|dated|published|issued|printed|composed)`),
	compile(Date, `(?:on )?(?:what|which) (?:day|date) was (.+?) (?:written|dated|published|issued|printed|composed)`),
	compile(Date, `what is the (?:date|day|publication date) of (.+)`),
	compile(Added, `when (?:was|were) (.+?) (?:added|archived|accessioned|taken in|taken into the archive|added to the archive|put into the archive)`),
	compile(Creator, `who (?:wrote|authored|composed|drew up|is the author of|was the author of|is the writer of|was the writer of|are the authors of) (.+)`),
	compile(Creator, `(?:by whom was|who was) (.+?) written(?: by)?`),
	compile(Publisher, `who (?:published|issued|is the publisher of|was the publisher of) (.+)`),
	compile(Publisher, `(?:which|what) (?:source|publisher|newspaper|house|office|press) (?:published|issued|printed) (.+)`),
	compile(Publisher, `(?:what|who|which) is the (?:publisher|source) of (.+)`),
	compile(Origin, `where does (.+?) come from`),
	compile(Origin, `what is the (?:url|address|web address|link) of (.+)`),
}

// Read reads a question; ok is false where it is not one about a record.
func Read(question string) (q Question, ok bool) {
	text := strings.Join(strings.Fields(strings.TrimRight(strings.TrimSpace(question), "?!. ")), " ")
	for _, f := range forms {
		if m := f.FindStringSubmatch(text); m != nil {
			if q, ok := readRecordPhrase(m[1]); ok {
				q.Field = f.field
				return q, true
			}
		}
	}
	return Question{}, false
}

func singular(word string) string {
	if stem, ok := strings.CutSuffix(word, "ies"); ok {
		return stem + "y"
	}
	if word == "theses" {
		return "thesis"
	}
	return strings.TrimSuffix(word, "s")
}

// KindIn returns the first word of a text that names a kind of record, in the singular, or
// "". Words that fit every record, like "document", name none.
func KindIn(text string) string {
	for _, w := range segment.Words(text) {
		kind := singular(w.Lower)
		if _, known := kinds[kind]; known && !general[kind] {
			return kind
		}
	}
	return ""
}

// IsKind reports whether a word, in lower case, names a kind of papers, or papers.
func IsKind(word string) bool {
	_, known := kinds[singular(word)]
	_, german := germanGrammar().kinds[word]
	return known || german || generalDE.MatchString(word)
}

var (
	this   = regexp.MustCompile(`(?i)^(?:this|that) (.+)$`)
	ofDay  = regexp.MustCompile(`(?i)^the ((?:diary )?\pL+) (?:of|from|dated|for) (.+)$`)
	quoted = regexp.MustCompile(`^(?:(?:the|this) (?:\pL+ )?)?["“'‘](.+)["”'’]$`)
	called = regexp.MustCompile(`(?i)^(?:the |this )?(?:\pL+ )?(?:called|titled|entitled|named) (.+)$`)
)

// readRecordPhrase reads a phrase that refers to a record.
func readRecordPhrase(text string) (q Question, ok bool) {
	if m := this.FindStringSubmatch(text); m != nil {
		kind := strings.ToLower(m[1])
		if _, known := kinds[kind]; !known {
			return q, false
		}
		if !general[kind] {
			q.Kind = kind
		}
		q.This = true
		return q, true
	}
	if m := ofDay.FindStringSubmatch(text); m != nil {
		kind := strings.ToLower(m[1])
		d := retrieve.Dates(m[2])
		if _, known := kinds[kind]; known && len(d) == 1 && strings.TrimSpace(m[2][:d[0].Start]+m[2][d[0].End:]) == "" {
			if !general[kind] {
				q.Kind = kind
			}
			q.From, q.To = d[0].From, d[0].To
			return q, true
		}
	}
	for _, form := range []*regexp.Regexp{quoted, called} {
		if m := form.FindStringSubmatch(text); m != nil {
			text = strings.Trim(m[1], `"“”'‘’`)
			break
		}
	}
	q.Title = titleWords(text)
	return q, len(q.Title) > 0
}

// titleWords are the words of a title by which it is known: without articles, in lower case.
func titleWords(text string) []string {
	var out []string
	for _, w := range segment.Words(text) {
		if !segment.Determiner(w.Lower) {
			out = append(out, w.Lower)
		}
	}
	return out
}

// Names reports whether a question means a record.
func (q Question) Names(e Entry) bool {
	if q.From != "" && (e.Date == "" || e.Date < q.From || e.Date > q.To) {
		return false
	}
	if q.Kind != "" && !e.isOfKind(q.Kind, e.kindWords()) {
		return false
	}
	if len(q.Title) == 0 {
		return true
	}
	base := e.Name[strings.LastIndex(e.Name, "/")+1:]
	stem := strings.TrimSuffix(base, path.Ext(base))
	for _, t := range []string{e.Title, e.Name, base, stem, strings.NewReplacer("_", " ", "-", " ").Replace(stem)} {
		if w := titleWords(t); len(w) > 0 && slices.Equal(w, q.Title) {
			return true
		}
	}
	return false
}

// mailName matches the mail in the file name of an attachment: its folder and its subject name no kind of what lay inside.
var mailName = regexp.MustCompile(`(?i)^.*\.(?:eml|emlx|msg|mbox)!/`)

// kindWords returns the words by which a record may be known to be of a kind, in the
// singular: those of its name, its title and its tags.
func (e Entry) kindWords() map[string]bool {
	out := map[string]bool{}
	for _, text := range append([]string{strings.NewReplacer("_", " ", "-", " ", ".", " ", "/", " ").Replace(mailName.ReplaceAllString(e.Name, "")), e.Title}, e.Tags...) {
		for _, w := range segment.Words(text) {
			out[singular(w.Lower)] = true
		}
	}
	return out
}

// IsOfKind reports whether a record is of a kind, in the singular: its type says so, or a tag, or a folder or word of its name.
func (e Entry) IsOfKind(kind string) bool { return e.isOfKind(kind, e.kindWords()) }

func (e Entry) isOfKind(kind string, words map[string]bool) bool {
	if form := kinds[kind]; form != "" && strings.HasPrefix(e.Form, form) {
		return true
	}
	if (kind == "letter" || kind == "email" || kind == "mail") && e.MediaType == "message/rfc822" {
		return true
	}
	first, _, _ := strings.Cut(kind, " ") // a diary entry is known by the word diary
	return words[kind] || words[first]
}

// Kinds returns the kinds of a record (letter, report, map), sorted; words that fit
// every record, like document, are no kinds.
func Kinds(e Entry) []string {
	words := e.kindWords()
	var out []string
	for kind := range kinds {
		if !general[kind] && e.isOfKind(kind, words) {
			out = append(out, kind)
		}
	}
	slices.Sort(out)
	return out
}
