package main

import (
	"errors"

	"muniment/archive"
	"muniment/engine"
)

// importSources registers the sources of a reference manager's file.
func (p *program) importSources(file string, dryRun bool) error {
	text, err := p.readText(file, engine.MaxSourcesFile)
	if err != nil {
		return err
	}
	return p.withArchive(func(a *archive.Archive) error {
		r, err := engine.ImportSources(a, engine.SourcesImport{Name: file, Data: []byte(text), DryRun: dryRun})
		if r == nil {
			return err
		}
		p.show("source_import", r, func() {
			for _, s := range r.Sources {
				p.out("line %d  %s  %s  %s", s.Line, s.Verdict, s.Entry, ifText(s.Reason != "", s.Reason, s.Record+"  "+s.Title))
				for _, n := range s.Notes {
					p.out("   %s", n)
				}
			}
			p.out("%s: %d registered, %d there already, %d refused", r.Format, r.Registered, r.Duplicate, r.Refused)
			if r.Registered > 0 && !dryRun {
				p.say("staged; next: muniment source list, muniment snapshot")
			}
		})
		var partly *archive.Error
		if errors.As(err, &partly) {
			partly.Partial = nil // it was printed
		}
		return err
	})
}
