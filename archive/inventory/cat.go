package inventory

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"muniment/archive"
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/canon"
	"muniment/cid"
	"muniment/cite"
	"muniment/objects"
	"muniment/snapshot"
	"muniment/text/legible"
)

// CatOptions choose what Cat returns. The zero value is the payload.
type CatOptions struct {
	Original bool
	Span     string
	Number   bool   // each paragraph has its address before it
	At       string // snapshot: its number, id, prefix or tag; "" for what is staged or newest
}

// CatResult describes what Cat returned; Text is set where it is UTF-8 text.
type CatResult struct {
	ID     string `json:"id"`
	Size   int    `json:"size,omitempty"`   // in bytes, where it is in one file
	Chunks int    `json:"chunks,omitempty"` // above 8 MiB; show tells the size
	Span   string `json:"span,omitempty"`
	Text   string `json:"text,omitempty"`
	Note   string `json:"note,omitempty"`

	// Capture says of the address of a page which capture of it this is, and names others.
	Capture string `json:"capture,omitempty"`
}

// Cat returns an artifact's canonical payload, its original, or the words at a
// span. What is above 8 MiB is checked while it is read: the reader ends in an
// error in the place of io.EOF when the bytes are not those of the id.
func Cat(a *archive.Archive, ref string, o CatOptions) (*CatResult, io.Reader, error) {
	tree, err := a.NewestTree()
	if err == nil && o.At != "" {
		var s *snapshot.Snapshot
		if s, err = a.FindSnapshot(o.At); err == nil {
			tree = s.Tree
		}
	}
	if err != nil {
		return nil, nil, err
	}
	c := a.Catalog(tree)
	pages, err := c.OnlyCaptures(ref)
	if err != nil {
		return nil, nil, err
	}
	if len(pages) > 0 {
		newest := pages[0]
		switch ref = newest.Record.ID.String(); {
		case newest.Artifact != nil && o.Original && o.Span == "":
			ref = newest.Record.Record.Original
		case newest.Artifact != nil:
			ref = newest.Artifact.ID.String()
		}
		r, data, err := cat(a, c, tree, ref, o)
		if err == nil {
			r.Capture = holdings.CaptureNote(pages)
		}
		return r, data, err
	}
	return cat(a, c, tree, ref, o)
}

// cat is Cat of what ref names in a tree.
func cat(a *archive.Archive, c *holdings.Catalog, tree objects.Hash, ref string, o CatOptions) (*CatResult, io.Reader, error) {
	art, other, err := c.ResolveAny(ref)
	if err != nil {
		return nil, nil, err
	}
	if other != nil && o.Span != "" {
		return nil, nil, problem.New(problem.Usage, problem.Advise("spans count in the canonical text; name the artifact"), "%s is no artifact, and only an artifact has spans", legible.Printable(ref))
	}
	if other != nil {
		return catOther(a, tree, art, *other, ref)
	}
	if o.Number {
		if o.Original || o.Span != "" {
			return nil, nil, problem.New(problem.Usage, problem.Next(problem.DoCat), "paragraphs are numbered of a whole text alone")
		}
		return catNumbered(a, tree, art)
	}
	var found *archive.Content
	switch {
	case o.Original && o.Span != "":
		return nil, nil, problem.New(problem.Usage, problem.Advise("spans count in the canonical text: leave the original out"), "an original has no spans")
	case o.Original:
		h, ok, err2 := art.OriginalRecord(ref)
		if err2 != nil {
			return nil, nil, err2
		}
		if !ok {
			found, err = a.PayloadContent(tree, art.ID)
			break
		}
		found, err = a.OriginalContent(tree, art, h)
	default:
		found, err = a.PayloadContent(tree, art.ID)
	}
	if err != nil {
		return nil, nil, err
	}
	if o.Span != "" {
		words, err := wordsAt(a, tree, art, o.Span)
		if err != nil {
			return nil, nil, err
		}
		return catResult(found.ID, o.Span, append([]byte(words), '\n'))
	}
	return catContent(found)
}

// catNumbered returns the text of an artifact with the address of each paragraph
// before it.
func catNumbered(a *archive.Archive, tree objects.Hash, art *holdings.Artifact) (*CatResult, io.Reader, error) {
	doc, err := a.Document(tree, art)
	if err != nil {
		return nil, nil, err
	}
	units := doc.Units('p')
	width := len(strconv.Itoa(len(units)))
	var b bytes.Buffer
	for i, u := range units {
		if i > 0 {
			b.WriteByte('\n')
		}
		for j, line := range strings.Split(string(doc.Payload()[u.Start:u.End]), "\n") {
			address := ""
			if j == 0 {
				address = "p" + strconv.Itoa(i+1)
			}
			fmt.Fprintf(&b, "%*s  %s\n", width+1, address, line)
		}
	}
	return catResult(art.ID, "", b.Bytes())
}

// catOther returns the bytes of an original or of a record.
func catOther(a *archive.Archive, tree objects.Hash, art *holdings.Artifact, h holdings.StoredRecord, ref string) (*CatResult, io.Reader, error) {
	if art != nil && holdings.MatchesID(h.Record.Original, ref) {
		found, err := a.OriginalContent(tree, art, h)
		if err != nil {
			return nil, nil, err
		}
		return catContent(found)
	}
	data, err := h.Record.Encode()
	if err != nil {
		return nil, nil, problem.Wrap(err, "record")
	}
	return catResult(h.ID, "", data)
}

// catContent returns the description of a content and a reader of it; only what
// is in one file is read here.
func catContent(c *archive.Content) (*CatResult, io.Reader, error) {
	if c.FileCount() == 1 {
		data, err := c.ReadAll()
		if err != nil {
			return nil, nil, err
		}
		return catResult(c.ID, "", data)
	}
	return &CatResult{ID: c.ID.String(), Chunks: c.FileCount(), Note: "in chunks; the bytes are not a part of this description"}, c, nil
}

// catResult returns the description of data, and a reader of it.
func catResult(id cid.ID, span string, data []byte) (*CatResult, io.Reader, error) {
	r := &CatResult{ID: id.String(), Span: span}
	if r.Size = len(data); isText(data) {
		r.Text = string(data)
	} else {
		r.Note = "not text; the bytes are not a part of this description"
	}
	return r, bytes.NewReader(data), nil
}

// isText reports whether data is UTF-8 without NUL.
func isText(data []byte) bool {
	return !strings.ContainsAny(string(data), "\ufffd\x00")
}

// wordsAt returns the words at a span address of an artifact.
func wordsAt(a *archive.Archive, tree objects.Hash, art *holdings.Artifact, at string) (string, error) {
	doc, err := a.Document(tree, art)
	if err != nil {
		return "", err
	}
	span, err := ParseSpan(doc, at)
	if err != nil {
		return "", err
	}
	words, err := cite.Quote(doc, span)
	if err != nil {
		return "", problem.New(problem.InvalidLocator, problem.Next(problem.DoCat).Or(problem.DoSpans), "%w", err)
	}
	return words, nil
}

// ParseSpan reads a span; a bare unit such as p4 means all of it.
func ParseSpan(doc *canon.Document, at string) (cite.Span, error) {
	bad := func(err error) error {
		return problem.New(problem.InvalidLocator, problem.Next(problem.DoSpans).With("an address is p4:0-41, p4:10-p6:3, l118:0-20 or p4"), "span %q: %w", legible.Printable(at), err)
	}
	if !strings.Contains(at, ":") {
		one, err := cite.ParseSpan(at + ":0-1")
		if err != nil {
			return cite.Span{}, bad(errors.New("not an address"))
		}
		start, _, err := cite.Resolve(doc, one)
		if err != nil {
			return cite.Span{}, bad(err)
		}
		unit := doc.Units(one.Kind)[one.From.Unit-1]
		span, err := cite.SpanIn(doc, one.Kind, start, unit.End)
		if err != nil {
			return cite.Span{}, bad(err)
		}
		return span, nil
	}
	span, err := cite.ParseSpan(at)
	if err != nil {
		return cite.Span{}, bad(err)
	}
	return span, nil
}
