package muniment

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"muniment/answer/retrieve"
	"muniment/canon"
	"muniment/cid"
	"muniment/cite"
	"muniment/objects"
	"muniment/snapshot"
	"muniment/snapshot/record"
)

// List returns the artifacts whose names contain part, by their first name.
func (a *Archive) List(part string) ([]ArtifactInfo, error) {
	tree, err := a.newestTree()
	if err != nil {
		return nil, err
	}
	c, err := a.load(tree)
	if err != nil {
		return nil, err
	}
	out := []ArtifactInfo{}
	for _, art := range c.artifacts {
		if len(art.records) == 0 {
			continue // withdrawn
		}
		info := art.info()
		if part == "" || strings.Contains(strings.Join(info.Names, "\n"), part) {
			out = append(out, info)
		}
	}
	slices.SortStableFunc(out, func(a, b ArtifactInfo) int { return slices.Compare(a.Names, b.Names) })
	return out, nil
}

// Show finds whatever ref names: an id, an unambiguous prefix of one, or an
// unambiguous suffix of a name.
func (a *Archive) Show(ref string) (*ShowResult, error) {
	tree, err := a.newestTree()
	if err != nil {
		return nil, err
	}
	c, err := a.load(tree)
	if err != nil {
		return nil, err
	}
	var found []*ShowResult
	match := func(id string) bool {
		return id == ref || (len(ref) >= minPrefix && strings.HasPrefix(id, ref))
	}
	seen := map[string]bool{}
	take := func(kind, id, path string, object any) {
		if !seen[kind+id] {
			seen[kind+id] = true
			found = append(found, &ShowResult{Kind: kind, ID: id, Path: path, Object: object})
		}
	}
	if match(a.id.String()) {
		take("archive", a.id.String(), record.PathArchive, a.info)
	}
	for _, art := range c.artifacts {
		if match(art.id.String()) || art.named(ref) {
			described, err := a.describeArtifact(tree, art)
			if err != nil {
				return nil, err
			}
			take("artifact", art.id.String(), record.ArtifactPath(art.id), described)
		}
		for _, h := range art.records {
			if match(h.id.String()) {
				take("record", h.id.String(), record.RecordPath(art.id, h.id), h.rec)
			}
			if h.rec.Original != art.id.String() && match(h.rec.Original) {
				take("original", h.rec.Original, "", map[string]any{"original_of": art.id.String(), "names": h.rec.Names})
			}
		}
	}
	for _, h := range c.lone {
		if match(h.id.String()) {
			take("record", h.id.String(), record.LoneRecordPath(h.id), h.rec)
		}
	}
	for _, id := range c.citations {
		if match(id.String()) {
			data, err := a.file(tree, record.CitationPath(id))
			if err != nil {
				return nil, err
			}
			take("citation", id.String(), record.CitationPath(id), json.RawMessage(data))
		}
	}
	if err := a.showSnapshots(match, take); err != nil {
		return nil, err
	}
	if err := a.showTag(ref, take); err != nil {
		return nil, err
	}
	if err := a.showBound(match, take); err != nil {
		return nil, err
	}
	switch len(found) {
	case 1:
		id, err := cid.Parse(found[0].ID)
		if err != nil {
			return nil, environment(err, "show")
		}
		found[0].SHA256 = id.Hex()
		return found[0], nil
	case 0:
		return a.showOlder(ref, match)
	}
	var names []string
	for _, f := range found[:min(3, len(found))] {
		names = append(names, f.Kind+" "+f.ID)
	}
	return nil, problem(TypeAmbiguous, ExitUsage, "give more of it: "+strings.Join(names, ", "), "%s names %d things", printable(ref), len(found))
}

// describeArtifact says all that lies beside an artifact.
func (a *Archive) describeArtifact(tree objects.Hash, art *artifact) (any, error) {
	records := make([]*record.Record, 0, len(art.records))
	for _, h := range art.records {
		records = append(records, h.rec)
	}
	d := struct {
		ArtifactInfo
		Withdrawn  bool               `json:"withdrawn"`
		Withdrawal *WithdrawnArtifact `json:"withdrawal,omitempty"`
		Hold       *record.Hold       `json:"hold,omitempty"`
		Consent    *record.Consent    `json:"consent,omitempty"`
		Accession  []*record.Record   `json:"accessions"`
	}{ArtifactInfo: art.info(), Withdrawn: art.withdrawn, Accession: records}
	var err error
	if d.Withdrawal, err = a.withdrawal(tree, art.id); err != nil {
		return nil, err
	}
	if d.Hold, err = a.hold(tree, art.id); err != nil {
		return nil, err
	}
	d.Consent, err = a.ownConsent(tree, art.id)
	return d, err
}

func (a *Archive) showSnapshots(match func(string) bool, take func(kind, id, path string, object any)) error {
	_, tip, err := a.head()
	if err != nil || tip.IsZero() {
		return err
	}
	history, err := a.history(tip)
	if err != nil {
		return err
	}
	for _, s := range history {
		if match(s.ID.String()) {
			r := a.snapshotResult(s, objects.Sum(objects.Commit, s.Content), a.artifactsIn(s))
			if err := a.witnesses(r, s); err != nil {
				return err
			}
			take("snapshot", s.ID.String(), "", r)
		}
	}
	return nil
}

// showBound finds citations that the ledger has bound and no snapshot holds.
func (a *Archive) showBound(match func(string) bool, take func(kind, id, path string, object any)) error {
	l, err := a.readLedger()
	if err != nil || l == nil {
		return err
	}
	bound, err := l.BoundUnsealed()
	if err != nil {
		return environment(err, "ledger")
	}
	for _, b := range bound {
		if id := b.ID.String(); match(id) {
			take("citation", id, "", json.RawMessage(b.JSON))
		}
	}
	return nil
}

// CatOptions choose what Cat returns. The zero value is the payload.
type CatOptions struct {
	Original bool
	Span     string
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
}

// Cat returns an artifact's canonical payload, its original, or the words at a
// span. What is above 8 MiB is checked while it is read: the reader ends in an
// error in the place of io.EOF when the bytes are not those of the id.
func (a *Archive) Cat(ref string, o CatOptions) (*CatResult, io.Reader, error) {
	tree, err := a.newestTree()
	if err == nil && o.At != "" {
		var s *snapshot.Snapshot
		if s, err = a.findSnapshot(o.At); err == nil {
			tree = s.Tree
		}
	}
	if err != nil {
		return nil, nil, err
	}
	c, err := a.load(tree)
	if err != nil {
		return nil, nil, err
	}
	art, other, err := c.resolveAny(ref)
	if err != nil {
		return nil, nil, err
	}
	if other != nil && o.Span != "" {
		return nil, nil, problem(TypeUsage, ExitUsage, "spans count in the canonical text; name the artifact", "%s is no artifact, and --span asks for one", printable(ref))
	}
	if other != nil {
		return a.catOther(tree, art, *other, ref)
	}
	var found *content
	switch {
	case o.Original && o.Span != "":
		return nil, nil, problem(TypeUsage, ExitUsage, "spans count in the canonical text; leave --original out", "--original and --span exclude each other")
	case o.Original:
		h, ok, err2 := art.accession(ref)
		if err2 != nil {
			return nil, nil, err2
		}
		if !ok {
			found, err = a.payloadContent(tree, art.id)
			break
		}
		found, err = a.originalContent(tree, art, h)
	default:
		found, err = a.payloadContent(tree, art.id)
	}
	if err != nil {
		return nil, nil, err
	}
	if o.Span != "" {
		words, err := a.wordsAt(tree, art, o.Span)
		if err != nil {
			return nil, nil, err
		}
		return catResult(found.id, o.Span, append([]byte(words), '\n'))
	}
	return catContent(found)
}

// catOther returns the bytes of an original or of a record.
func (a *Archive) catOther(tree objects.Hash, art *artifact, h held, ref string) (*CatResult, io.Reader, error) {
	if art != nil && matchesID(h.rec.Original, ref) {
		found, err := a.originalContent(tree, art, h)
		if err != nil {
			return nil, nil, err
		}
		return catContent(found)
	}
	data, err := h.rec.Encode()
	if err != nil {
		return nil, nil, environment(err, "record")
	}
	return catResult(h.id, "", data)
}

// catContent reads what is in one file, and leaves chunks to the caller.
func catContent(c *content) (*CatResult, io.Reader, error) {
	if c.chunks() == 1 {
		data, err := c.whole()
		if err != nil {
			return nil, nil, err
		}
		return catResult(c.id, "", data)
	}
	return &CatResult{ID: c.id.String(), Chunks: c.chunks(), Note: "in chunks; without --json the bytes are written as they are"}, c, nil
}

func catResult(id cid.ID, span string, data []byte) (*CatResult, io.Reader, error) {
	r := &CatResult{ID: id.String(), Span: span}
	if r.Size = len(data); isText(data) {
		r.Text = string(data)
	} else {
		r.Note = "not text; without --json the bytes are written as they are"
	}
	return r, bytes.NewReader(data), nil
}

// wordsAt returns the words at a span address of an artifact.
func (a *Archive) wordsAt(tree objects.Hash, art *artifact, at string) (string, error) {
	doc, err := a.document(tree, art)
	if err != nil {
		return "", err
	}
	span, err := parseSpan(doc, at)
	if err != nil {
		return "", err
	}
	words, err := cite.Quote(doc, span)
	if err != nil {
		return "", problem(TypeInvalidLocator, ExitUsage, "muniment cat prints the text; muniment help spans explains addresses", "%w", err)
	}
	return words, nil
}

// parseSpan reads a span; a bare unit such as p4 means all of it.
func parseSpan(doc *canon.Document, at string) (cite.Span, error) {
	bad := func(err error) error {
		return problem(TypeInvalidLocator, ExitUsage, "an address is p4:0-41, p4:10-p6:3, l118:0-20 or p4; muniment help spans", "span %q: %w", printable(at), err)
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

func isText(data []byte) bool {
	for _, r := range string(data) {
		if r == '\ufffd' || r == 0 {
			return false
		}
	}
	return true
}

// Search finds passages of the newest snapshot.
func (a *Archive) Search(ctx context.Context, words string, limit int, progress func(done, total int)) (*SearchResult, error) {
	head, _, err := a.mustHead()
	if err != nil {
		return nil, err
	}
	if limit < 1 {
		return nil, problem(TypeUsage, ExitUsage, "--limit 10", "a limit of %d passages", limit)
	}
	index, c, err := a.index(ctx, head, progress)
	if err != nil {
		return nil, err
	}
	defer index.Close()
	passages, err := index.Search(ctx, retrieve.Query{Text: words, K: limit})
	if err != nil {
		return nil, environment(err, "search")
	}
	r := &SearchResult{Snapshot: head.ID.String(), Query: words, Hits: []SearchHit{}}
	for _, p := range passages {
		hit := SearchHit{Artifact: p.Artifact, Date: p.Date, Span: p.Span.String(), Text: p.Text, Score: p.Score, Similarity: p.Similarity}
		if id, err := cid.Parse(p.Artifact); err == nil && c.byID[id] != nil {
			art := c.byID[id]
			hit.Name = art.name()
			if h, ok := art.first(); ok {
				if doc, err := a.document(head.Tree, art); err == nil {
					hit.Locator = locators(h.rec, doc, p.Span)
				}
			}
		}
		r.Hits = append(r.Hits, hit)
	}
	return r, nil
}
