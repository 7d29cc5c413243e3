package engine

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"muniment/archive"
	"muniment/archive/search"
	"muniment/cid"
	"muniment/cite"
)

const (
	// searchedPassages is how many passages are looked at for the artifact that a call
	// means: words that are not among the first twenty were not copied from the archive.
	searchedPassages = 20
	// searchedWords is how many words of a quote are searched: a sentence or two.
	searchedWords = 40
)

// FindCited returns the artifact that a call means which names none, or names it by
// its title, by the number of its source, or by words of its name or title: the
// one among these, or among what a search for the quote finds, that has the quote.
// Where none has it the nearest is returned, which then says what is there; where
// several have it the call is ambiguous. may says which artifacts the caller may
// know of; nil is all.
func (e *Engine) FindCited(ctx context.Context, ref, quote string, may func(*archive.Artifact) (bool, error)) (*archive.Artifact, error) {
	if e == nil || e.arch == nil {
		return nil, errNoArchive()
	}
	tree, err := e.arch.NewestTree()
	if err != nil {
		return nil, err
	}
	all, err := e.titled(e.arch.Catalog(tree), ref)
	if err == nil && len(all) == 0 && strings.TrimSpace(quote) != "" {
		all, err = e.searchCited(ctx, ref, quote)
	}
	if err != nil {
		return nil, err
	}
	var known, holding []*archive.Artifact
	for _, art := range all {
		if may != nil {
			if ok, err := may(art); err != nil {
				return nil, err
			} else if !ok {
				continue
			}
		}
		known = append(known, art)
		doc, err := e.arch.Document(tree, art)
		if err != nil {
			continue // a picture has no words
		}
		if m, err := cite.Find(doc, quote, nil); err == nil && (m.Verifies() || m.Status == cite.Ambiguous) {
			holding = append(holding, art)
		}
	}
	switch {
	case len(holding) == 1:
		return holding[0], nil
	case len(holding) > 1:
		return nil, ambiguousCited("the quote is in", holding)
	case len(known) == 1 || len(known) > 1 && ref == "":
		return known[0], nil
	case len(known) > 1:
		return nil, ambiguousCited(archive.Printable(ref)+" may mean each of", known)
	}
	what := "no artifact is named " + archive.Printable(ref)
	if ref == "" {
		what = "no artifact was named, and a search finds none with the quote"
	}
	return nil, archive.Problem(archive.TypeSourceNotFound, archive.Next(DoSearch, takeWords(quote, 6)), "%s", what)
}

// ambiguousCited returns the error of a call that may mean several artifacts.
func ambiguousCited(what string, all []*archive.Artifact) error {
	var names []string
	for _, art := range all[:min(3, len(all))] {
		names = append(names, art.Name()+" ("+art.ID.String()+")")
	}
	return archive.Problem(archive.TypeAmbiguous, archive.Advise("name one of them: "+strings.Join(names, ", ")), "%s %s artifacts", what, archive.CountFound(len(all)))
}

// titled returns the artifacts whose source has ref as its title or its number.
func (e *Engine) titled(c *archive.Catalog, ref string) ([]*archive.Artifact, error) {
	if n, err := strconv.ParseInt(ref, 10, 64); err == nil {
		s, err := e.Source(n)
		var missing *archive.Error
		switch {
		case errors.As(err, &missing) && missing.Kind == archive.TypeSourceNotFound, err == nil && s.Artifact == "":
			return nil, nil
		case err != nil:
			return nil, err
		}
		art, err := c.Resolve(s.Artifact)
		return []*archive.Artifact{art}, err
	}
	places, err := c.FromSource(ref)
	if err != nil {
		return nil, err
	}
	var out []*archive.Artifact
	for _, p := range places {
		if p.Artifact != nil && !p.Artifact.Withdrawn && !containsArtifact(out, p.Artifact) {
			out = append(out, p.Artifact)
		}
	}
	return out, nil
}

// searchCited returns the artifacts of the newest snapshot whose passages match a
// quote best, those alone whose name or title has every word of ref.
func (e *Engine) searchCited(ctx context.Context, ref, quote string) ([]*archive.Artifact, error) {
	head, _, err := e.arch.Head()
	if err != nil || head == nil {
		return nil, err
	}
	found, err := search.Search(ctx, e.arch, strings.TrimSpace(ref+" "+takeWords(quote, searchedWords)), searchedPassages, nil)
	if err != nil {
		return nil, err
	}
	catalog := e.arch.Catalog(head.Tree)
	var out []*archive.Artifact
	for _, hit := range found.Hits {
		id, err := cid.Parse(hit.Artifact)
		if err != nil {
			return nil, archive.Environment(err, "search")
		}
		art, err := catalog.Artifact(id)
		if err != nil {
			return nil, err
		}
		if art != nil && !art.Withdrawn && !containsArtifact(out, art) && hasWords(art, ref) {
			out = append(out, art)
		}
	}
	return out, nil
}

// containsArtifact reports whether a list has an artifact.
func containsArtifact(all []*archive.Artifact, art *archive.Artifact) bool {
	return slices.ContainsFunc(all, func(other *archive.Artifact) bool { return other.ID == art.ID })
}

// hasWords reports whether the name or the title of an artifact has every word of a
// reference, in any case.
func hasWords(art *archive.Artifact, ref string) bool {
	text := art.Name()
	if h, ok := art.FirstRecord(); ok && h.Record.Source != nil {
		text += " " + h.Record.Source.Title
	}
	text = strings.ToLower(text)
	for _, word := range strings.Fields(strings.ToLower(ref)) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}
