package accession

import (
	"cmp"
	"context"
	"errors"
	"path"
	"strings"

	"muniment/accession/ocr"
	"muniment/archive"
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/canon"
	"muniment/canon/layout"
	"muniment/canon/read"
	"muniment/canon/transcript"
	"muniment/snapshot/record"
	"muniment/text/legible"
)

// scanEndings are the endings of names of scans and recordings that a text file of the same name
// belongs to.
var scanEndings = map[string]bool{
	".png": true, ".jpg": true, ".jpeg": true, ".jpe": true, ".tif": true, ".tiff": true, ".gif": true, ".webp": true, ".jp2": true, ".bmp": true, ".pdf": true,
	".mp3": true, ".flac": true, ".wav": true, ".ogg": true, ".oga": true, ".opus": true, ".m4a": true, ".mp4": true, ".m4v": true, ".mov": true, ".webm": true, ".mkv": true, ".avi": true,
}

// textEndings are the endings of names of texts of scans and recordings, the longer ones first,
// with their media types.
var textEndings = []struct{ ending, mediaType string }{
	{".alto.xml", layout.ALTOType}, {".page.xml", layout.PAGEType}, {".hocr.html", layout.HOCRType}, {".hocr", layout.HOCRType}, {".alto", layout.ALTOType},
	{".xml", ""}, {".txt", ""}, {".srt", ""}, {".vtt", ""},
}

// A scanLink ties an input to the scan or recording of which it is the text.
type scanLink struct {
	scan      int    // its index among the inputs, -1 where id says it
	id, label string // of its artifact
	mediaType string // of the scan
	textType  string // of the text, "" where name and bytes tell it
	by        string // the program that made the text here, or ""
}

// pairTexts links the texts among the inputs to the scans and recordings in the same folder with
// the same name but for the ending: page-7.alto.xml, or page-7.png.txt, to page-7.png.
func pairTexts(inputs []Input) {
	scans := map[string]int{} // by name, and by name without ending; 0 is none
	for i := range inputs {
		name := strings.ToLower(inputs[i].Name)
		if end := path.Ext(name); scanEndings[end] {
			for _, key := range []string{name, strings.TrimSuffix(name, end)} {
				scans[key] = cmp.Or(scans[key], i+1)
			}
		}
	}
	for i := range inputs {
		name := strings.ToLower(inputs[i].Name)
		for _, t := range textEndings {
			stem, ok := strings.CutSuffix(name, t.ending)
			if !ok {
				continue
			}
			// interview.en.srt names a language.
			if at := cmp.Or(scans[stem], scans[strings.TrimSuffix(stem, path.Ext(stem))]); at > 0 && inputs[i].textOf == nil {
				inputs[i].textOf = &scanLink{scan: at - 1, textType: t.mediaType}
				inputs[at-1].hasText = true
			}
			break
		}
	}
}

// resolve fills in the artifact of the scan from what was read of it. It reports false
// where the scan has a text of its own, or was not taken.
func (l *scanLink) resolve(out []addition) bool {
	if l.scan < 0 {
		return true
	}
	scan := &out[l.scan]
	if scan.err != nil || scan.result.Canonicalizer != canon.BytesForm {
		return false
	}
	l.id, l.label, l.mediaType = scan.artifact.String(), scan.name, scan.result.MediaType
	return true
}

// describe states in a record that its text is that of the scan. A plain XML file beside a
// scan is none.
func (l *scanLink) describe(rec *record.Record) {
	how := holdings.MadeByAnybody
	recording := strings.HasPrefix(l.mediaType, "audio/") || strings.HasPrefix(l.mediaType, "video/") || l.mediaType == "application/ogg"
	switch {
	case !rec.Textual(), path.Ext(strings.ToLower(rec.Names[0])) == ".xml" && !layout.Is(rec.Canonicalizer) && l.scan >= 0:
		return
	case layout.Is(rec.Canonicalizer):
		how = holdings.MadeByOCR
	case rec.Canonicalizer == transcript.SRTName || rec.Canonicalizer == transcript.VTTName:
		how = holdings.MadeSubtitles
	case recording:
		how = holdings.MadeSpeech
	}
	if rec.Facts == nil {
		rec.Facts = map[string]string{}
	}
	rec.Facts[holdings.FactDerivedFrom], rec.Facts[holdings.FactTextMade] = l.id, how
	if l.by != "" {
		rec.Extractor = l.by
		if strings.Contains(l.by, ocr.DPI+" dpi") {
			rec.Facts["region_dpi"] = ocr.DPI
		}
	}
}

// markTitle says in the title of a text, as answers show it, that its letters were
// recognised; label is the name of the scan.
func markTitle(rec *record.Record, label string) {
	d := holdings.DerivationOf(rec)
	if d == nil || !strings.HasPrefix(d.How, holdings.MadeByOCR) {
		return
	}
	if rec.Source == nil {
		rec.Source = &record.Source{}
	}
	rec.Source.Title = d.MarkTitle(cmp.Or(rec.Source.Title, path.Base(label)))
}

// newFacts returns the facts by which a record ties a text to a scan and which an older
// one of the same text lacks; nil for none. Where somebody named the scan, they count
// also against those of the older one.
func newFacts(rec, old *record.Record, named bool) map[string]string {
	if rec.Facts[holdings.FactTextMade] == "" || old.Facts[holdings.FactTextMade] != "" && (!named || old.Facts[holdings.FactDerivedFrom] == rec.Facts[holdings.FactDerivedFrom]) {
		return nil
	}
	out := map[string]string{}
	for _, name := range []string{holdings.FactDerivedFrom, holdings.FactTextMade} {
		out[name] = rec.Facts[name]
	}
	return out
}

// linkAll links every input to one paper, of which they are the text.
func linkAll(a *archive.Archive, inputs []Input, ref string) error {
	tree, err := a.NewestTree()
	if err != nil {
		return err
	}
	place, err := a.Catalog(tree).ResolvePlace(ref)
	if err != nil {
		return err
	}
	if place.Artifact == nil {
		return problem.New(problem.Usage, problem.Next(problem.DoList), "%s is a record without a body: no text can be attached", legible.Printable(ref))
	}
	for i := range inputs {
		link := &scanLink{scan: -1, id: place.Artifact.ID.String(), label: place.Record.Label(), mediaType: place.Record.Record.MediaType}
		for _, t := range textEndings {
			if strings.HasSuffix(strings.ToLower(inputs[i].Name), t.ending) {
				link.textType = t.mediaType
				break
			}
		}
		inputs[i].textOf = link
	}
	return nil
}

// findOCR returns the programs that recognise letters in some languages.
func findOCR(languages string) (*ocr.Tool, error) {
	tool, err := ocr.Find(languages)
	var missing *ocr.MissingError
	switch {
	case err == nil:
		return tool, nil
	case errors.As(err, &missing):
		return nil, problem.New(problem.Environment, problem.Advise(missing.Install), "%w", err)
	case errors.Is(err, ocr.ErrLanguages):
		return nil, problem.New(problem.Usage, problem.Advise(err.Error()), "%q names no languages", legible.Printable(languages))
	}
	return nil, problem.Wrap(err, "OCR")
}

// recognise adds the text that OCR finds on a scan, as an artifact of its own with the
// scan's name and "!/ocr.alto.xml".
func (in *intake) recognise(ctx context.Context, add *addition, form read.Form, o AddOptions) {
	if in.ocr == nil || o.DryRun || add.err != nil || form.Canonicalizer != canon.BytesForm || !ocr.Reads(form.MediaType) {
		return
	}
	name, encoded := record.EncodeName(partName(add.name, "ocr.alto.xml"))
	fail := func(err error) {
		add.parts = append(add.parts, addition{name: name, encoded: encoded, err: err})
	}
	alto, err := in.ocr.Recognise(ctx, form.Payload, form.MediaType)
	if err != nil {
		fail(err)
		return
	}
	link := &scanLink{scan: -1, id: add.artifact.String(), label: add.name, mediaType: form.MediaType, by: in.ocr.Name(form.MediaType)}
	inner := in.addBytes(ctx, Input{Name: name, Encoded: encoded, textOf: link}, read.Input{Name: name, MediaType: layout.ALTOType, Data: alto}, o.forParts(), maxDepth)
	if inner.err == nil && inner.result.Canonicalizer == canon.BytesForm { // of a photograph, say
		add.result.Note = strings.TrimPrefix(add.result.Note+"; OCR found no letters on it", "; ")
		return
	}
	add.parts = append(add.parts, inner)
}
