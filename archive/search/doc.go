// Package search keeps the search index of an archive and searches it: Search
// finds passages of the newest snapshot, Index opens the index of any snapshot.
// Both bring the index up to date first, which reads only what is new. Where that is
// much they have UpdateIndex begun aside, answer from what is indexed so far, and say so.
//
//	r, err := search.Search(ctx, a, "mill wheel", 10, search.Reader{}, nil)
//	for _, hit := range r.Hits { … hit.Artifact, hit.Span … }
//
// The index is derived: it lies in archive.local/search, or in a schema of its
// own beside a shared ledger, and may be deleted. With an Embedder in the
// archive's World it also finds passages by their meaning; the vectors lie in
// archive.local/vectors. An artifact without a text is not found.
package search
