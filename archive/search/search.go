package search

import (
	"context"

	"muniment/answer/retrieve"
	"muniment/archive"
	"muniment/cid"
)

// Search returns the passages of the newest snapshot that match words best, at most
// limit of them.
func Search(ctx context.Context, a *archive.Archive, words string, limit int, progress func(done, total int)) (*Result, error) {
	head, _, err := a.RequireHead()
	if err != nil {
		return nil, err
	}
	if limit < 1 {
		return nil, archive.Problem(archive.TypeUsage, archive.Advise("ask for one passage or more"), "a limit of %d passages", limit)
	}
	index, c, err := Index(ctx, a, head, progress)
	if err != nil {
		return nil, err
	}
	defer index.Close()
	passages, err := index.Search(ctx, retrieve.Query{Text: words, K: limit})
	if err != nil {
		return nil, archive.Environment(err, "search")
	}
	r := &Result{Snapshot: head.ID.String(), Query: words, Hits: []Hit{}, Notice: index.Notice}
	for _, p := range passages {
		hit := Hit{Artifact: p.Artifact, Date: p.Date, Span: p.Span.String(), Text: p.Text, Score: p.Score, Similarity: p.Similarity}
		id, err := cid.Parse(p.Artifact)
		if err != nil {
			return nil, archive.Environment(err, "search")
		}
		art, err := c.Artifact(id)
		if err != nil {
			return nil, err
		}
		if art != nil {
			hit.Name = art.Name()
			if h, ok := art.FirstRecord(); ok {
				if doc, err := a.Document(head.Tree, art); err == nil {
					hit.Locator = Locators(h.Record, doc, p.Span)
				}
			}
		}
		r.Hits = append(r.Hits, hit)
	}
	return r, nil
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
	Notice   string `json:"index_notice,omitempty"` // what was searched, while the index is not of the whole snapshot yet
}
