package engine

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/archive/search"
	"muniment/cid"
	"muniment/cite"
	"muniment/text/legible"
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
// several have it the call is ambiguous.
func (e *Engine) FindCited(ctx context.Context, ref, quote string) (*holdings.Artifact, error) {
	if e == nil || e.arch == nil {
		return nil, errNoArchive()
	}
	tree, err := e.arch.NewestTree()
	if err != nil {
		return nil, err
	}
	door := e.reader.Door()
	if door.HidesNames() && door.Word(ref+"\n"+quote) != ref+"\n"+quote {
		return nil, errNotCited(ref, quote) // whatever has the name
	}
	all, err := e.titled(e.arch.ShownCatalog(tree, door), ref)
	var searched *search.Coverage // nil where nothing had to be searched
	if err == nil && len(all) == 0 && strings.TrimSpace(quote) != "" {
		all, searched, err = e.searchCited(ctx, ref, quote)
	}
	if err != nil {
		return nil, err
	}
	var holding []*holdings.Artifact
	for _, art := range all {
		perm, err := door.Permission(art.ID, "")
		if err != nil {
			return nil, problem.Wrap(err, "policy")
		}
		doc, unread := e.arch.Document(tree, art)
		if unread != nil || !perm.Display {
			continue // a picture has no words
		}
		if doc, err = e.readable(art, doc); err != nil {
			return nil, problem.Wrap(err, "policy")
		}
		if m, err := cite.Find(doc, quote, nil); err == nil && (m.Verifies() || m.Status == cite.Ambiguous) {
			holding = append(holding, art)
		}
	}
	if len(holding) == 0 && searched != nil {
		if err := searched.NotSearched(); err != nil {
			return nil, err // the quote may be in the rest
		}
	}
	switch {
	case len(holding) == 1:
		return holding[0], nil
	case len(holding) > 1:
		return nil, ambiguousCited("the quote is in", holding)
	case len(all) == 1 || len(all) > 1 && ref == "":
		return all[0], nil
	case len(all) > 1:
		return nil, ambiguousCited(legible.Printable(ref)+" may mean each of", all)
	}
	return nil, errNotCited(ref, quote)
}

// errNotCited returns the error of a call that means no artifact.
func errNotCited(ref, quote string) error {
	what := "no artifact is named " + legible.Printable(ref)
	if ref == "" {
		what = "no artifact was named, and a search finds none with the quote"
	}
	return problem.New(problem.SourceNotFound, problem.Next(DoSearch, takeWords(quote, 6)), "%s", what)
}

// ambiguousCited returns the error of a call that may mean several artifacts.
func ambiguousCited(what string, all []*holdings.Artifact) error {
	var names []string
	for _, art := range all[:min(3, len(all))] {
		names = append(names, art.Name()+" ("+art.ID.String()+")")
	}
	return problem.New(problem.Ambiguous, problem.Advise("name one of them: "+strings.Join(names, ", ")), "%s %s artifacts", what, holdings.CountFound(len(all)))
}

// titled returns the artifacts that the reader may know of whose source has ref as its title
// or its number.
func (e *Engine) titled(c *holdings.Catalog, ref string) ([]*holdings.Artifact, error) {
	if n, err := strconv.ParseInt(ref, 10, 64); err == nil {
		s, err := e.Sources().Get(n)
		var missing *problem.Error
		switch {
		case errors.As(err, &missing) && missing.Kind == problem.SourceNotFound, err == nil && s.Artifact == "":
			return nil, nil
		case err != nil:
			return nil, err
		}
		art, err := c.Resolve(s.Artifact)
		if err != nil {
			return nil, err
		}
		return []*holdings.Artifact{art}, nil
	}
	places, err := c.FromSource(ref)
	if err != nil {
		return nil, err
	}
	var out []*holdings.Artifact
	for _, p := range places {
		if p.Artifact == nil || p.Artifact.Withdrawn || containsArtifact(out, p.Artifact) {
			continue
		}
		out = append(out, p.Artifact)
	}
	return out, nil
}

// searchCited returns the artifacts of the newest snapshot whose passages match a
// quote best, those alone whose name or title has every word of ref, and which share of
// the snapshot was searched.
func (e *Engine) searchCited(ctx context.Context, ref, quote string) ([]*holdings.Artifact, *search.Coverage, error) {
	head, _, err := e.arch.Head()
	if err != nil || head == nil {
		return nil, nil, err
	}
	found, err := search.Search(ctx, e.arch, strings.TrimSpace(ref+" "+takeWords(quote, searchedWords)), searchedPassages, e.reader, nil)
	if err != nil {
		return nil, nil, err
	}
	catalog := e.arch.ShownCatalog(head.Tree, e.reader.Door())
	var out []*holdings.Artifact
	for _, hit := range found.Hits {
		id, err := cid.Parse(hit.Artifact)
		if err != nil {
			return nil, nil, problem.Wrap(err, "search")
		}
		art, err := catalog.Artifact(id)
		if err != nil {
			return nil, nil, err
		}
		if art != nil && !art.Withdrawn && !containsArtifact(out, art) && hasWords(art, ref) {
			out = append(out, art)
		}
	}
	return out, &found.Searched, nil
}

// containsArtifact reports whether a list has an artifact.
func containsArtifact(all []*holdings.Artifact, art *holdings.Artifact) bool {
	return slices.ContainsFunc(all, func(other *holdings.Artifact) bool { return other.ID == art.ID })
}

// hasWords reports whether the name or the title of an artifact has every word of a
// reference, in any case.
func hasWords(art *holdings.Artifact, ref string) bool {
	text := art.Name()
	if h, ok := art.FirstRecord(); ok && h.Record.Source != nil {
		text += " " + h.Record.Source.Title
	}
	text = strings.ToLower(text)
	return !slices.ContainsFunc(strings.Fields(strings.ToLower(ref)), func(word string) bool { return !strings.Contains(text, word) })
}
