package engine

import (
	"strings"

	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/cite"
	"muniment/cite/locator"
	"muniment/ledger"
	"muniment/snapshot/record"
)

// readFragment returns the fragment of a picture or a recording that the call names,
// nil for a call that names words, and puts its one spelling into the call.
func (o *CiteOptions) readFragment() (*cite.MediaSpan, error) {
	if !cite.IsMediaSpan(o.Span) {
		return nil, nil
	}
	m, err := cite.ReadMediaSpan(o.Span)
	if err != nil {
		return nil, problem.New(problem.InvalidLocator, problem.Next(problem.DoCat).Or(problem.DoSpans), "%w", err)
	}
	relation := cite.Paraphrase
	if o.Relation != "" {
		if relation, err = cite.ParseRelation(o.Relation); err != nil {
			return nil, problem.New(problem.Usage, problem.Advise(relations), "%w", err)
		}
	}
	switch {
	case strings.TrimSpace(o.Quote) != "":
		return nil, problem.New(problem.Usage, problem.Advise("leave the quote out, and say in the context what is seen or heard there; a transcript can be quoted"),
			"%s is a fragment of a picture or a recording, in which no words can be looked up", m)
	case relation == cite.DirectQuote || relation == cite.MetadataFact:
		return nil, problem.New(problem.Usage, problem.Advise("paraphrase, inference_from or aggregation"), "%s is a fragment of a picture or a recording, of which no citation is a %s", m, relation)
	}
	return &m, nil
}

// DescribeFragment returns a span of a picture or a recording with what it says in words,
// and false for a span of words.
func DescribeFragment(span string) (string, bool) {
	m, err := cite.ParseMediaSpan(span)
	if err != nil {
		return "", false
	}
	return span + ": " + m.Words(), true
}

// examineMedia looks up a citation of a fragment of a picture or a recording. The
// artifact's ID names the bytes; that the fragment lies in them is checked where the
// record says how large or how long they are. What it shows nobody judges here.
func (e *Engine) examineMedia(t *target, given locator.Given, m cite.MediaSpan, o CiteOptions) (*Candidate, error) {
	h, ok := t.art.FirstRecord()
	if !ok {
		return nil, problem.New(problem.SourceNotFound, problem.Next(problem.DoShow, t.art.Name()), "%s has no record", t.art.Name())
	}
	what, err := checkMedium(t.art, h.Record, m)
	if err != nil {
		return nil, err
	}
	bounds := cite.BoundsOf(h.Record.Facts)
	at, bounded, err := bounds.Within(m)
	if err != nil {
		next := problem.Next(problem.DoShow, t.art.Name())
		if part, ok := bounds.Clip(m); ok {
			next = citeAgain(&CiteResult{Name: t.art.Name(), Relation: o.Relation}, o, part.String(), "").With("the part of it that is there")
		}
		return nil, problem.New(problem.InvalidLocator, next, "%w", err)
	}
	relation := mediaRelation(&t.source, o.Relation)
	r := &CiteResult{Match: string(cite.NoWords), Relation: string(relation), Artifact: t.art.ID.String(), Name: t.art.Name(), Span: at.String(),
		SourceID: t.source.ID, SourceName: joinVersion(t.source.Name, t.source.Version), SourceRegistered: t.registered,
		ClaimVerdict: string(cite.ClaimNotShown), VerificationStatus: string(ledger.Unverified), Locator: map[string]string{"fragment": at.Fragment()}}
	ev := evidence{artifact: t.art.ID, source: t.source.ID}
	if err := ev.locate(r, t.art, given, e.reader); err != nil { // which record is meant, and of when it is
		return nil, err
	}
	r.VerificationNotes = what + " has no words: whether it shows the claim is for a reader to say"
	if unknown := bounds.Unknown(at); unknown != "" {
		r.note("bounds were not checked, for want of " + unknown)
	}
	r.note(locator.Disagreements(given, nil)...)
	r.Next = problem.Advise("somebody has to look at it, or listen to it; a transcript or a description of it that is added can be quoted")
	if strings.TrimSpace(o.Context) != "" {
		r.QuoteContext, r.ContextFrom = o.Context, ContextGiven
	}
	r.Checks = checkMedia(t, r, bounds, bounded, at, o)
	return e.candidate(t, r, ev, cite.Match{Status: cite.NoWords}, relation, o), nil
}

// mediaRelation returns the relation that is asked for; else that of a source which
// was made from others, or a paraphrase.
func mediaRelation(s *ledger.Source, asked string) cite.Relation {
	if relation, err := cite.ParseRelation(asked); err == nil {
		return relation
	}
	if chooseRelation(s) == cite.Aggregation {
		return cite.Aggregation
	}
	return cite.Paraphrase
}

// checkMedium returns "a picture", "a recording" or "a file" for an artifact of which a
// fragment is cited, and an error where it cannot have that fragment: a text has none, a
// picture no time, a sound no region. Of a type that is not known anything may be cited.
func checkMedium(art *holdings.Artifact, rec *record.Record, m cite.MediaSpan) (string, error) {
	kind, _, _ := strings.Cut(rec.MediaType, "/")
	what := map[string]string{"image": "a picture", "audio": "a recording", "video": "a recording"}[kind]
	switch {
	case rec.Textual():
		return "", problem.New(problem.InvalidLocator, problem.Next(problem.DoCat).Or(problem.DoSpans), "%s is a text, and %s is a fragment of a picture or a recording", art.Name(), m)
	case kind == "image" && m.HasTime():
		return "", problem.New(problem.InvalidLocator, problem.Advise("cite a region of it: region:xywh=percent:0,0,100,100 is the whole"), "%s is a picture, and %s names a time", art.Name(), m)
	case kind == "audio" && m.HasRegion() && rec.Facts["width"] == "":
		return "", problem.New(problem.InvalidLocator, problem.Advise("cite a time of it, such as time:2-4"), "%s is a recording of sound, and %s names a region", art.Name(), m)
	case what == "" && rec.MediaType != "application/octet-stream" && rec.MediaType != "application/ogg":
		return "", problem.New(problem.InvalidLocator, problem.Advise("add the picture or the recording itself, and cite that"), "%s is of the type %s, which is neither a picture nor a recording", art.Name(), rec.MediaType)
	case what == "":
		what = "a file"
	}
	return what, nil
}

// checkMedia returns the checks of a citation of a fragment, in their order.
func checkMedia(t *target, r *CiteResult, known, bounded cite.Bounds, at cite.MediaSpan, o CiteOptions) []ledger.Check {
	checks := []ledger.Check{
		{Step: "registry", Result: "pass", Expected: "a registered source", Found: "a record of " + r.Name},
		{Step: "match", Result: "not_checked", Expected: "words", Found: "none: a picture or a recording has no words"},
		{Step: "span", Result: "pass", Expected: "a fragment of the bytes", Found: r.Span},
	}
	if t.art.Withdrawn {
		checks[0].Result = "fail"
	}
	bounds := ledger.Check{Step: "bounds", Result: "pass", Expected: "inside " + bounded.String(), Found: at.Words()}
	if unknown := known.Unknown(at); unknown != "" {
		bounds.Result, bounds.Expected = "not_checked", "not known: "+unknown
	} else if bounded == (cite.Bounds{}) {
		bounds.Expected = "inside the picture, in percent"
	}
	return append(checks, bounds, ledger.Check{Step: "claim", Result: "not_checked", Expected: clip(o.Claim), Found: string(cite.ClaimNotShown)})
}

// boundsAt returns the extent of a fragment's artifact by its record in a catalog, nil if the
// record has none or one that the fragment exceeds.
func boundsAt(c *holdings.Catalog, e *ledger.Citation) (*cite.Bounds, error) {
	m, err := cite.ParseMediaSpan(e.Span)
	if err != nil {
		return nil, problem.Wrap(err, "citation")
	}
	id, err := cid.ParseAs(cid.Raw, e.Artifact)
	if err != nil {
		return nil, problem.Wrap(err, "citation")
	}
	art, err := c.Artifact(id)
	if err != nil || art == nil {
		return nil, err
	}
	h, ok := art.FirstRecord()
	for _, other := range art.Records {
		if other.ID.String() == e.Record {
			h = other
		}
	}
	if !ok {
		return nil, nil
	}
	if _, b, err := cite.BoundsOf(h.Record.Facts).Within(m); err == nil && b != (cite.Bounds{}) {
		return &b, nil
	}
	return nil, nil
}
