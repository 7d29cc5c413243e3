package archive

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/canon"
	"muniment/canon/read"
	"muniment/cid"
	"muniment/objects"
	"muniment/policy"
	"muniment/snapshot/record"
)

const (
	maxOrigins   = 100 // papers that are read of what one came in or was made from; one with more may be anybody's
	maxHeadLines = 6   // of a first or last paragraph that is no sentence
)

// PaperOf returns the text, the head and the labels of an artifact of a tree, from which a policy decides whose paper it is: those of its
// records, superseded ones too, and of what it came in or was made from. Where it also came by itself only its own count.
func PaperOf(a *Archive, tree objects.Hash, id cid.ID) (*policy.Paper, error) {
	r := paperReader{archive: a, tree: tree, seen: map[cid.ID]bool{}}
	text, err := r.read(id)
	if err != nil {
		return nil, err
	}
	out := policy.NewPaper(text, r.heads, r.labels)
	out.Dated, out.Unread = r.dated, r.unread
	return out, nil
}

// A paperReader gathers what says whose a paper is.
type paperReader struct {
	archive       *Archive
	tree          objects.Hash
	heads, labels []string
	dated         string          // the paragraph from which its date was read
	seen          map[cid.ID]bool // as mails may be attached to one another
	unread        bool            // an origin could not be read, or there are more than maxOrigins
}

// read gathers what an artifact and its origins say, and returns its text.
func (r *paperReader) read(id cid.ID) (text string, err error) {
	art, err := r.archive.Holdings().Peek(r.tree).Artifact(id)
	switch {
	case err != nil || art == nil || r.seen[id]:
		return "", err
	case len(r.seen) > maxOrigins:
		r.unread = true
		return "", nil
	}
	r.seen[id] = true
	for _, h := range art.Records {
		r.labels = append(r.labels, h.Record.Names...)
		if src := h.Record.Source; src != nil {
			r.heads = append(append(r.heads, src.Title), src.Creators...)
			r.labels = append(slices.Concat(r.labels, src.Subjects, src.Tags), src.Box, src.Folder)
		}
		r.heads = append(r.heads, h.Record.Facts["sender"], h.Record.Facts["reply_to"])
	}
	doc, err := r.archive.Document(r.tree, art)
	var known *problem.Error
	if err == nil {
		text = string(doc.Payload())
		r.readText(art, doc, text)
	} else if !errors.As(err, &known) || !slices.Contains([]problem.Kind{problem.Damaged, problem.InvalidLocator, problem.NotFound}, known.Kind) {
		return "", err
	} else if len(r.seen) > 1 && known.Kind != problem.InvalidLocator { // a picture has no text, a lost mail has one
		r.unread = true
	}
	byItself := func(h holdings.StoredRecord) bool { return len(h.Origins()) == 0 }
	if current := art.CurrentRecords(); !slices.ContainsFunc(current, byItself) {
		for _, h := range current {
			for _, from := range h.Origins() {
				if _, err := r.read(from); err != nil {
					return "", err
				}
			}
		}
	}
	return text, nil
}

var (
	headingLine = regexp.MustCompile(`(?m)^#{1,6}[ \t].*$`)
	mailHeader  = regexp.MustCompile(`(?mi)^[> \t*]*(?:from|to|cc|bcc|reply-to|sender|von|an|kopie|antwort an)\*?:.*$|^[> \t]*(?:on|am) .{4,120}(?:wrote|schrieb.{0,60}):[ \t]*$`) // of what is quoted
	mails       = regexp.MustCompile(`^message/|outlook`)                                                                                                                          // media types
	sentence    = regexp.MustCompile(`(?m)^.{81,}$|^\S+(?:[ \t]+\S+){3,}[.!?]['"”’»)]*[ \t]*$`)
	rowsOrCues  = regexp.MustCompile(`csv|tab-separated|json|xml|spreadsheet|excel|subrip|vtt`) // media types
)

// readText adds the headings of a text, the header of a mail, and the head and signature of a letter.
func (r *paperReader) readText(art *holdings.Artifact, doc *canon.Document, text string) {
	first, _ := art.FirstRecord()
	headings, _ := read.HeadingsOf(doc, first.Record.Facts["headings"])
	for _, one := range headings {
		r.heads = append(r.heads, one.Text)
	}
	r.heads = append(r.heads, headingLine.FindAllString(text, -1)...)
	paragraphs := strings.Split(strings.Trim(text, "\n"), "\n\n")
	if i := slices.IndexFunc(paragraphs, func(one string) bool { return strings.Contains(one, first.Record.Facts[record.FactDateText]) }); i >= 0 && len(r.seen) == 1 {
		r.dated = paragraphs[i]
	}
	switch kind := first.Record.MediaType; {
	case rowsOrCues.MatchString(kind):
		return
	case mails.MatchString(kind):
		r.heads = append(append(r.heads, paragraphs[0]), mailHeader.FindAllString(text, -1)...)
	}
	r.heads = append(r.heads, holdings.HeadLines(text)...)
	for _, edge := range []string{paragraphs[0], paragraphs[len(paragraphs)-1]} {
		if strings.Count(edge, "\n") < maxHeadLines && !sentence.MatchString(edge) {
			r.heads = append(r.heads, edge)
		}
	}
}
