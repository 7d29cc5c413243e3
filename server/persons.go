package server

import (
	"cmp"
	"context"
	"slices"

	"muniment/archive/holdings"
	"muniment/engine"
	"muniment/snapshot/edtf"
)

// concealNames takes out of a source the words that name protected persons.
func (v *view) concealNames(s *engine.RegisteredSource) {
	if v.rules == nil {
		return
	}
	s.Identifier, s.Name = v.door.FileName(s.Identifier), v.door.FileName(s.Name)
	for _, words := range []*string{&s.Query, &s.Result, &s.Description, &s.Content} {
		*words = v.door.Word(*words)
	}
	for name, value := range s.Metadata {
		s.Metadata[name] = v.door.Word(value)
	}
	s.Name = cmp.Or(s.Name, s.Artifact)
}

// concealReplyNames does the same for the names in a verdict, which are those of the paper that it is of.
func (v *view) concealReplyNames(art *holdings.Artifact, r *engine.CiteResult) {
	for _, name := range []*string{&r.SourceName, &r.Name, &r.FormattedReference, &r.SummaryNote} {
		*name = v.door.FileName(*name)
	}
	for _, sentence := range []*string{&r.Reason, &r.VerificationNotes} {
		*sentence = v.door.Word(*sentence)
	}
	for i := len(r.Findings) - 1; i >= 0; i-- {
		if words := r.Findings[i].Words; v.door.Word(words) != words {
			r.Findings = slices.Delete(r.Findings, i, i+1)
		}
	}
	for i, arg := range r.Next.Args {
		if arg != "" && v.door.FileName(arg) == "" {
			r.Next.Args[i] = art.ID.String()
		}
	}
	for i := range r.Checks {
		r.Checks[i].Found = v.door.FileName(r.Checks[i].Found)
	}
	if r.MatchedLocation != nil {
		r.MatchedLocation.Name = v.door.FileName(r.MatchedLocation.Name)
	}
}

// An About says whose papers the archive holds.
type About struct {
	Subject    string // the person or body, "" where none is named
	Born, Died edtf.Date
}

// About returns the person whose papers the archive holds, from its rules.
func (c *Client) About(ctx context.Context) (*About, error) {
	return withView(ctx, c, func(v *view) (*About, error) {
		if v.room.rules == nil {
			return &About{}, nil
		}
		of := v.room.rules.Subject
		out := &About{Subject: of.Name}
		out.Born, _ = edtf.Parse(of.Born) // none of what is no date
		out.Died, _ = edtf.Parse(of.Died)
		return out, nil
	})
}
