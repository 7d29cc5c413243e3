package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/engine"
	"muniment/objects/disk"
	"muniment/policy"
)

// answerImport are the flags of import for an answer's citations.
type answerImport struct{ format, names, session string }

// importAnswer registers the citations of a model's answer.
func importAnswer(p *program, file string, f answerImport) error {
	o := engine.CitationsImport{Format: f.format, Session: f.session}
	text, err := p.readText(file, engine.MaxAnswerFile)
	if err != nil {
		return err
	}
	o.Data = []byte(text)
	if f.names != "" {
		data, err := disk.ReadPlain(f.names, maxNames)
		if err == nil {
			err = json.Unmarshal(data, &o.Names)
		}
		if err != nil {
			return &problem.Error{Kind: problem.Usage, Message: "map of names: " + err.Error(), Next: problem.Advise(`give a JSON object such as {"0": "letter-07.txt"}`), Err: err}
		}
	}
	return p.withArchive(func(a *archive.Archive) error {
		r, err := engine.ImportCitations(a, o)
		if err != nil {
			return err
		}
		for i := range r.Citations {
			one := &r.Citations[i]
			if one.Result != nil {
				suggest(one.Result)
			}
			one.Suggestion = stepWords(one.Next)
		}
		p.show("citation_import", r, func() {
			for i, c := range r.Citations {
				p.out("%d. line %d: %s  %s  %s", i+1, c.Line, c.Verdict, c.Kind, c.Document)
				p.out("   claim: %s", oneLine(c.Claim))
				if c.Result != nil && c.Result.Span != "" {
					p.out("   citation %d at %s %s", c.Result.CitationID, c.Result.Name, c.Result.Span)
				}
				for _, n := range append(c.Notes, c.Reason) {
					if n != "" {
						p.out("   %s", n)
					}
				}
				if c.Suggestion != "" {
					p.out("   next: %s", p.here(c.Suggestion))
				}
			}
			p.out("%d verified, %d unverified, %d rejected", r.Verified, r.Unproven, r.Rejected)
		})
		if r.Rejected > 0 {
			return &problem.Error{Kind: problem.VerdictNegative, Message: count(r.Rejected, "citation") + " rejected",
				Next: problem.Advise("the list says why; mend the answer, or leave what cannot be shown out")}
		}
		return nil
	})
}

// maxNames is the most bytes of a --map: a name for each of the documents that
// an answer can have been given.
const maxNames = 1 << 20

// citationExport are the flags of export for citations.
type citationExport struct{ annotations, prov, session string }

// exportCitations writes the citations of the ledger for other programs.
func (p *exportCommand) exportCitations(f citationExport, other string, args []string) error {
	if other != "" || len(args) > 0 || f.annotations != "" && f.prov != "" {
		return misuse("one kind of export at a time", "muniment export --annotations FILE")
	}
	return p.withArchive(func(a *archive.Archive) error {
		file, write := f.annotations, engine.ExportAnnotations
		if f.prov != "" {
			file, write = f.prov, engine.ExportPROV
		}
		v, err := p.view(a)
		if err != nil {
			return err
		}
		data, err := write(a, f.session, v)
		if err != nil {
			return err
		}
		return writeExport(p.program, "citation_export", file, data, v)
	})
}

// writeExport writes an export for whoever has a view to a new file or, for -, to standard
// output.
func writeExport(p *program, kind, file string, data []byte, v *policy.View) error {
	if file == "-" && !p.json {
		_, err := p.stdout.Write(unseen(data))
		return err
	}
	out, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err == nil {
		if _, err = out.Write(data); err == nil {
			err = out.Sync()
		}
		err = errors.Join(err, out.Close())
	}
	if err != nil {
		hint := "give another file, or make room"
		if errors.Is(err, fs.ErrExist) {
			hint = "give a file that is not there yet"
		}
		return &problem.Error{Kind: problem.Environment, Message: "export: " + err.Error(), Next: problem.Advise(hint), Err: err}
	}
	r := exportedFile{file, len(data)}
	p.show(kind, r, func() { p.out("%s, %d bytes", r.File, r.Bytes) })
	if !p.json {
		p.say("made for %s", v.For())
	}
	return nil
}
