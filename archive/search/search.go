package search

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"muniment/archive"
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/canon"
	"muniment/cid"
	"muniment/cite"
	"muniment/policy"
	"muniment/search/retrieve"
)

// A Reader says for whom a search is. The zero Reader sees every passage.
type Reader struct {
	// View is the view that the reader has of what is searched; nil is that of a holder of the
	// archive.
	View *policy.View
	// Hidden are the IDs of artifacts whose words the view is known to withhold. It may lack
	// some, which cost a second search.
	Hidden []string
}

// Door returns the view of the reader.
func (r Reader) Door() *policy.View {
	if r.View == nil {
		return policy.HolderView()
	}
	return r.View
}

// Search returns the passages of the newest snapshot that match words best, at most
// limit of them. Passages, their order and their scores are those of an archive without
// the artifacts that the reader may not see. Where nothing is found and a part was not
// searched, the error is of kind NotSearched.
func Search(ctx context.Context, a *archive.Archive, words string, limit int, reader Reader, progress func(done, total int)) (*Result, error) {
	head, _, err := a.RequireHead()
	if err != nil {
		return nil, err
	}
	if limit < 1 {
		return nil, problem.New(problem.Usage, problem.Advise("ask for one passage or more"), "a limit of %d passages", limit)
	}
	index, _, err := Index(ctx, a, head, progress)
	if err != nil {
		return nil, err
	}
	defer index.Close()
	c := a.ShownCatalog(head.Tree, reader.Door())
	passages, artifacts, err := index.SearchFor(ctx, c, retrieve.Query{Text: words, K: limit}, reader)
	if err != nil {
		return nil, err
	}
	r := &Result{Snapshot: head.ID.String(), Query: words, Hits: []Hit{}, Searched: index.Searched, Notice: index.Notice}
	for i, p := range passages {
		hit := Hit{Artifact: p.Artifact, Span: p.Span.String(), Text: p.Text, Score: p.Score, Similarity: p.Similarity}
		if art := artifacts[i]; art != nil {
			hit.Name = art.Name()
			if h, ok := art.FirstRecord(); ok {
				hit.Date = holdings.DateOf(h.Record).String() // as the reader may know it, and the index does not
				if doc, err := a.Document(head.Tree, art); err == nil {
					hit.Locator = Locators(reader.Door(), art.ID, h.Record, doc, p.Span)
				}
			}
		}
		r.Hits = append(r.Hits, hit)
	}
	if len(r.Hits) == 0 {
		if err := r.Searched.NotSearched(); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// SearchFor returns the passages that a reader may see and the artifact of each, nil for
// one that the catalogue does not have. Where one is found that the reader may not see,
// its artifact is hidden too and the search is repeated: once for a policy that hides by
// consent alone, more often for one that names artifacts. Names of protected persons in the
// query are not looked for.
func (o *Opened) SearchFor(ctx context.Context, c *holdings.Catalog, q retrieve.Query, reader Reader) ([]retrieve.Passage, []*holdings.Artifact, error) {
	q = o.QueryFor(q, reader)
	for {
		passages, err := o.Search(ctx, q)
		if err != nil {
			return nil, nil, problem.Wrap(err, "search")
		}
		known := len(q.Hidden)
		artifacts := make([]*holdings.Artifact, len(passages))
		for i, p := range passages {
			id, err := cid.Parse(p.Artifact)
			if err != nil {
				return nil, nil, problem.Wrap(err, "search")
			}
			if artifacts[i], err = c.Artifact(id); err != nil {
				return nil, nil, err
			}
			if reader.Door().SeesAll() || slices.Contains(q.Hidden, p.Artifact) {
				continue
			}
			if perm, err := reader.View.Permission(id, ""); err != nil {
				return nil, nil, problem.Wrap(err, "policy")
			} else if !perm.Display {
				q.Hidden = append(q.Hidden, p.Artifact)
			}
		}
		if len(q.Hidden) == known {
			return passages, artifacts, nil
		}
	}
}

// QueryFor returns a query as a reader may ask it: without the artifacts that are hidden from the reader, the passages of
// paragraphs that names withhold, and the names of protected persons.
func (o *Opened) QueryFor(q retrieve.Query, reader Reader) retrieve.Query {
	q.Hidden = slices.Clone(reader.Hidden)
	return WithoutNames(q, reader.Door(), o.texts)
}

// WithoutNames returns a query without the passages of paragraphs that names withhold from a caller, and without the names of protected
// persons. text returns the text of an artifact.
func WithoutNames(q retrieve.Query, caller *policy.View, text func(cid.ID) (*canon.Document, error)) retrieve.Query {
	if caller.HidesNames() {
		q.Text, q.Sees = caller.WithoutNames(q.Text), sees(caller, text)
	}
	return q
}

// sees returns retrieve.Query.Sees for a caller: a line or a sentence of a paragraph that is withheld is no words of its own, and a text
// that cannot be read has none.
func sees(caller *policy.View, text func(cid.ID) (*canon.Document, error)) func(string, cite.Span, string) (bool, bool, error) {
	return func(artifact string, at cite.Span, title string) (words, titled bool, err error) {
		id, err := cid.ParseAs(cid.Raw, artifact)
		if err != nil {
			return false, false, err
		}
		doc, err := text(id)
		if isUnread(err) || err == nil && doc == nil {
			return false, false, nil
		}
		if err != nil {
			return false, false, problem.Wrap(err, "search")
		}
		_, around, err := Paragraphs(doc, at)
		if err != nil {
			return false, false, err
		}
		paper, err := caller.Permission(id, "")
		perm, failed := caller.Permission(id, around)
		return perm.Display || !paper.Display && !perm.Sealed, caller.Word(title) == title, problem.Wrap(cmp.Or(err, failed), "policy")
	}
}

// isUnread reports whether the error of reading a text is of this text alone: it is damaged, absent or no text.
func isUnread(err error) bool {
	var known *problem.Error
	return errors.As(problem.Wrap(err, "search"), &known) && slices.Contains([]problem.Kind{problem.Damaged, problem.NotFound, problem.InvalidLocator, problem.Usage}, known.Kind)
}

// A Hit is one passage, with the address that cite takes.
type Hit struct {
	Artifact   string            `json:"artifact"`
	Name       string            `json:"name"`
	Date       string            `json:"date,omitempty"`
	Span       string            `json:"span"`
	Text       string            `json:"text"`
	Locator    map[string]string `json:"locator,omitempty"`
	Score      float64           `json:"score"`
	Similarity float64           `json:"similarity"`
}

// Result is the list of passages found in one snapshot.
type Result struct {
	Snapshot string `json:"snapshot"`
	Query    string `json:"query"`
	Hits     []Hit  `json:"hits"`

	Searched Coverage `json:"searched"`               // which share of the snapshot
	Notice   string   `json:"index_notice,omitempty"` // what was searched, while the index is not of the whole snapshot yet
}
