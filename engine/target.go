package engine

import (
	"cmp"
	"context"
	"errors"
	"os"

	"muniment/accession"
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/cite"
	"muniment/ledger"
	"muniment/objects"
	"muniment/text/legible"
)

// A target is the source that a call cites.
type target struct {
	tree       objects.Hash
	catalog    *holdings.Catalog
	art        *holdings.Artifact // nil for a source without a body
	source     ledger.Source
	registered bool // by this call: it was not in the archive
}

// findTarget returns the source that a call cites. A page or file that the archive
// does not hold is registered first.
func (e *Engine) findTarget(ctx context.Context, o *CiteOptions) (*target, error) {
	a := e.arch
	t := &target{}
	var err error
	if t.tree, err = a.NewestTree(); err != nil {
		return nil, err
	}
	t.catalog = e.Catalog(t.tree)
	if o.Source != 0 {
		s, err := e.Sources().Get(o.Source)
		if err != nil {
			return nil, err
		}
		t.source = ledger.Source{ID: s.SourceID, Type: s.Type, Name: s.Name, Version: s.Version, Inputs: s.DerivedFrom}
		if o.Artifact = s.Artifact; s.Artifact == "" {
			o.Artifact = s.Record
			return t, nil
		}
		t.art, err = t.catalog.Resolve(o.Artifact)
		return t, err
	}
	if relation, err := cite.ParseRelation(o.Relation); err == nil && relation == cite.MetadataFact {
		return t, nil // a record is cited, and resolved there
	}
	if o.Artifact == "" {
		if t.art, err = e.FindCited(ctx, "", cmp.Or(o.Quote, o.Context)); err != nil {
			return nil, err
		}
		o.Artifact = t.art.ID.String()
		return t, e.describeTarget(t)
	}
	t.art, err = resolveCited(t.catalog, o.Artifact)
	var missing *problem.Error
	if errors.As(err, &missing) && missing.Kind == problem.SourceNotFound {
		if next, ok := citeBodiless(t.catalog, *o); ok {
			return nil, problem.New(problem.SourceNotFound, next, "%s is a source without a body: there is no text to quote, only its record", legible.Printable(o.Artifact))
		}
		if first, err := e.registerFirst(ctx, t, missing, o); err != missing {
			return first, err
		}
		var ambiguous *problem.Error
		t.art, err = e.FindCited(ctx, o.Artifact, cmp.Or(o.Quote, o.Context))
		switch {
		case err == nil:
			o.Artifact = t.art.ID.String()
			return t, e.describeTarget(t)
		case errors.As(err, &ambiguous) && ambiguous.Kind == problem.Ambiguous:
			return nil, err
		}
		return nil, missing
	}
	if err != nil {
		return nil, err
	}
	return t, e.describeTarget(t)
}

// describeTarget completes a target with the source of its artifact, which has no number
// where it is not registered.
func (e *Engine) describeTarget(t *target) (err error) {
	t.source, err = e.Sources().findSource(e.Sources().describeArtifact(t.art), false)
	return err
}

// registerFirst registers the page or file that a call cites, completes the
// target, and returns it. For anything else it returns the error missing.
func (e *Engine) registerFirst(ctx context.Context, t *target, missing *problem.Error, o *CiteOptions) (*target, error) {
	if o.Remote {
		return nil, missing
	}
	s := accession.Scheme(o.Artifact)
	info, err := os.Stat(o.Artifact)
	page, file := s == "http" || s == "https", s == "" && err == nil && info.Mode().IsRegular()
	if !page && !file {
		return nil, missing
	}
	if o.NoIntake && !o.NoRegister {
		later := *missing
		return nil, &later
	}
	if o.NoRegister {
		missing.Next = problem.Next(DoAddDoc, o.Artifact).With("or let the citation register it")
		if page {
			missing.Next = problem.Next(DoAddWeb, o.Artifact).With("or let the citation register it")
		}
		return nil, missing
	}
	add := e.Sources().AddDoc
	if page {
		add = e.Sources().AddWeb
	}
	got, err := add(ctx, o.Artifact, SourceOptions{AllowPrivate: o.AllowPrivate})
	if err != nil {
		return nil, err
	}
	o.Artifact = got.Artifact
	if t.tree, err = e.arch.NewestTree(); err != nil {
		return nil, err
	}
	t.catalog = e.Catalog(t.tree)
	if t.art, err = t.catalog.Resolve(got.Artifact); err != nil {
		return nil, err
	}
	t.registered, t.source = true, ledger.Source{ID: got.SourceID, Type: got.Type, Name: got.Name, Version: got.Version, Inputs: got.DerivedFrom}
	return t, nil
}

// resolveCited returns the artifact that a reference names: an ID, a name, or an
// address, of which it is the newest page.
func resolveCited(c *holdings.Catalog, ref string) (*holdings.Artifact, error) {
	if accession.Scheme(ref) == "" {
		return c.Resolve(ref)
	}
	return c.ResolveCapture(ref)
}
