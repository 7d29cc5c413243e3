package answer

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"muniment/answer/budget"
	"muniment/answer/catalogue"
	"muniment/answer/gate"
	"muniment/answer/segment"
	"muniment/bundle"
	"muniment/cid"
	"muniment/cite"
	"muniment/snapshot/record"
)

// maxCounted is how many records a count may rest on: each is cited, which takes
// three leaves, and a bundle has at most 4096. A diary of a year has 366 days.
const maxCounted = 400

// mostShown is how many counted records are shown by their dates or names. More are
// cited without: nobody counts them again by eye.
const mostShown = 12

// A fact is a field of a record, or a part of it.
type fact struct {
	record cid.ID
	held   Held
	span   cite.MetaSpan
	words  string
	silent bool // it is cited, and not shown: of what is counted
}

// fact answers a part of a question that asks for a field of a record, or for a
// number of records. ok is false where it does not, or where no record, or more
// than one, is meant, the record does not say it, or what it says may not be
// shown: then the part is put to the texts like any other.
func (r *run) fact(part string) (c candidate, ok bool, err error) {
	q, ok := catalogue.Read(part)
	if !ok || r.p.View.Records == nil || r.thresholds() {
		return c, false, nil
	}
	named, undated, err := r.meant(q)
	if err != nil {
		return c, false, err
	}
	if q.Field == catalogue.Count {
		c, ok, err = r.count(q, named)
	} else if len(named) == 1 {
		c, ok, err = r.field(q.Field, named[0])
	} else {
		return c, false, nil
	}
	if err != nil || !ok {
		return c, false, err
	}
	if q.From != "" && undated > 0 && q.Field == catalogue.Count {
		r.note(fmt.Sprintf("not counted: %s without a date", numbered(undated, "record")))
	}
	c.topic, c.verdict = part, cite.Judge(c.input)
	return c, c.verdict.Rung == cite.Supported, nil
}

// meant returns the records that a question means, of those that the requestor
// may know of and an answer may rest on, and how many of the kind have no date.
func (r *run) meant(q catalogue.Question) (named []Held, undated int, err error) {
	anyDate := q
	anyDate.From, anyDate.To = "", ""
	err = r.p.View.Records(func(artifact cid.ID, h *record.Record) error {
		e := entry(h)
		if !anyDate.Names(e) {
			return nil
		}
		perm, err := r.permission(artifact, "")
		if err != nil || !perm.Surface {
			return err
		}
		if e.Date == "" {
			undated++
		}
		if !q.Names(e) || len(named) > maxCounted {
			return nil
		}
		held, err := r.p.View.Record(artifact)
		named = append(named, held)
		return err
	})
	return named, undated, err
}

func entry(h *record.Record) catalogue.Entry {
	e := catalogue.Entry{Date: h.Date(), MediaType: h.MediaType}
	if len(h.Names) > 0 {
		e.Name = h.Names[0]
	}
	if s := h.Source; s != nil {
		e.Title, e.Tags, e.Form = s.Title, s.Tags, s.CSLType
	}
	return e
}

// field says a field of one record, beside its title or name.
func (r *run) field(f catalogue.Field, h Held) (candidate, bool, error) {
	title, ok, err := titleOf(h)
	if err != nil || !ok {
		return candidate{}, false, err
	}
	s := h.Record.Source
	if s == nil {
		s = &record.Source{}
	}
	paths, says := []string{}, ""
	switch {
	case f == catalogue.Date && s.PublishedAt != "":
		paths, says = append(paths, "source.published_at"), "“%s” is dated %s."
	case f == catalogue.Added:
		paths, says = append(paths, "time"), "“%s” was added to the archive on %s."
	case f == catalogue.Creator && len(s.Creators) > 0:
		for i := range s.Creators {
			paths = append(paths, fmt.Sprintf("source.creators.%d", i+1))
		}
		says = "“%s” is by %s."
	case f == catalogue.Publisher && s.Publisher != "":
		paths, says = append(paths, "source.publisher"), "“%s” was published by %s."
	case f == catalogue.Origin && s.URL != "":
		paths, says = append(paths, "source.url"), "“%s” comes from %s"
	default:
		return candidate{}, false, nil
	}
	c := candidate{facts: []fact{title}}
	var said []string
	for _, path := range paths {
		one, ok, err := whole(h, path)
		if err != nil || !ok {
			return candidate{}, false, err
		}
		c.facts = append(c.facts, one)
		said = append(said, one.words)
	}
	c.text = fmt.Sprintf(says, title.words, strings.Join(said, ", "))
	c.input = cite.GateInput{Relation: cite.MetadataFact, SpanResolves: true}
	c.ev.Relation, c.ev.Similarity = cite.MetadataFact, 1
	perm, err := r.permission(artifactOf(h), c.text)
	if err != nil || !perm.Display || len(r.p.Policy.Veils(c.text)) > 0 || slices.ContainsFunc(c.facts, func(f fact) bool { return utf8.RuneCountInString(f.words) > perm.Excerpt }) {
		return candidate{}, false, err
	}
	return r.charged(c)
}

// charged takes what a fact shows beside its title from the budget.
func (r *run) charged(c candidate) (candidate, bool, error) {
	first := c.facts[1]
	c.art = first.record
	text := string(first.held.JSON)
	at := max(0, strings.Index(text, first.words)) // a place of its own for each field
	c.passage = budget.Range{Start: utf8.RuneCountInString(text[:at]), End: utf8.RuneCountInString(text[:at]) + utf8.RuneCountInString(first.words)}
	if r.request.Budget == nil {
		return c, true, nil
	}
	var err error
	if c.taken, err = r.request.Budget.Take(c.art.String(), utf8.RuneCountInString(text), c.passage); err != nil || c.taken.Denied == "" {
		return c, err == nil, err
	}
	r.withheld = append(r.withheld, Withheld{c.art, c.taken})
	return c, false, nil
}

// count says how many records there are, each of which is cited by its date or name.
func (r *run) count(q catalogue.Question, named []Held) (candidate, bool, error) {
	if len(named) == 0 || len(named) > maxCounted {
		return candidate{}, false, nil
	}
	slices.SortStableFunc(named, func(a, b Held) int { return strings.Compare(a.Record.Date(), b.Record.Date()) })
	c := candidate{input: cite.GateInput{Relation: cite.Aggregation, SpanResolves: true, InputsResolve: true}}
	c.ev.Relation, c.ev.Similarity = cite.Aggregation, 1
	for _, h := range named {
		one, ok, err := whole(h, "source.published_at")
		if err == nil && (!ok || q.From == "") {
			one, ok, err = titleOf(h)
		}
		if err != nil || !ok {
			return candidate{}, false, err
		}
		perm, err := r.permission(artifactOf(h), one.words)
		if err != nil {
			return candidate{}, false, err
		}
		one.silent = len(named) > mostShown || !perm.Display || len(r.p.Policy.Veils(one.words)) > 0
		c.facts = append(c.facts, one)
	}
	kind := q.Kind
	if kind == "" {
		kind = "record"
	}
	c.text = "The archive holds " + numbered(len(named), kind)
	switch {
	case q.From != "" && q.From == q.To:
		c.text += " dated " + q.From
	case q.From != "":
		c.text += " dated from " + q.From + " to " + q.To
	}
	c.text += "."
	c.art = c.facts[0].record
	return c, true, nil
}

// artifactOf is the artifact that a record describes; the zero id, of which
// nothing may be known, where it has no body.
func artifactOf(h Held) cid.ID {
	id, err := cid.ParseAs(cid.Raw, h.Record.Artifact)
	if err != nil {
		return cid.ID{}
	}
	return id
}

func numbered(n int, noun string) string {
	switch stem, y := strings.CutSuffix(noun, "y"); {
	case n == 1:
	case y:
		noun = stem + "ies"
	default:
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// titleOf is the title of a record, or the last part of the name it was added under.
func titleOf(h Held) (fact, bool, error) {
	if h.Record.Source != nil && h.Record.Source.Title != "" {
		return whole(h, "source.title")
	}
	f, ok, err := whole(h, "names.1")
	if at := strings.LastIndex(f.words, "/"); ok && at+1 < len(f.words) {
		f.span.Start = utf8.RuneCountInString(f.words[:at+1])
		f.words = f.words[at+1:]
	}
	return f, ok, err
}

// whole is all of a field of a record; ok is false where there is none.
func whole(h Held, path string) (fact, bool, error) {
	fields, err := cite.MetaFields(h.JSON)
	if err != nil {
		return fact{}, false, err
	}
	for _, f := range fields {
		if f.Path == path && f.Value != "" {
			return fact{record: h.ID, held: h, span: cite.MetaSpan{Field: path, End: utf8.RuneCountInString(f.Value)}, words: f.Value}, true, nil
		}
	}
	return fact{}, false, nil
}

// addFacts adds the leaves of a claim that rests on records.
func (r *run) addFacts(a *bundle.Answer, ordinal int, c *candidate, res *Response) error {
	claim := bundle.Claim{Claim: ordinal, Text: c.text, Rung: c.verdict.Rung, Gate: a.Add(coverage(ordinal, c, ""), true)}
	said := Claim{Text: c.text, Rung: c.verdict.Rung}
	for _, f := range c.facts {
		src, err := r.factSource(c, f)
		if err != nil {
			return err
		}
		source := a.Add(src, false)
		shown := bundle.Cite{Claim: ordinal, Relation: cite.MetadataFact, Chunks: []int{a.Add(&bundle.Chunk{Text: f.words}, !f.silent)}, Source: source}
		claim.Cites = append(claim.Cites, a.Add(&shown, true))
		said.Records = append(said.Records, Citation{Relation: cite.MetadataFact, Artifact: f.record, Meta: f.span.String(), Quote: f.words, Similarity: 1})
	}
	a.Add(&claim, true)
	said.Citation = said.Records[len(said.Records)-1]
	if len(c.facts) > 1 && c.ev.Relation == cite.MetadataFact {
		said.Citation = said.Records[1] // the field that is charged
	}
	said.Citation.Passage, said.Citation.Fresh = c.passage, c.taken.Fresh
	res.Claims = append(res.Claims, said)
	return nil
}

// factSource is everything an auditor needs to follow a field to a signed snapshot.
func (r *run) factSource(c *candidate, f fact) (*bundle.Source, error) {
	anchor, err := cite.AnchorOfMeta(f.held.JSON, f.span)
	if err != nil {
		return nil, err
	}
	proof, err := r.p.View.Proof(record.RecordPath(artifactOf(f.held), f.record))
	if err != nil {
		return nil, err
	}
	s := r.p.View.Snapshot
	citation := &cite.Citation{Type: cite.CitationType, Artifact: f.record.String(), Snapshot: s.ID.String(), Seq: s.Seq, Span: f.span.String(), Relation: cite.MetadataFact,
		Claim: c.text, QuoteSHA256: anchor.SHA256, Prefix: anchor.Prefix, Suffix: anchor.Suffix, Match: cite.Exact, Length: utf8.RuneCountInString(f.words)}
	return bundle.NewSource(citation, nil, f.held.JSON, proof, s.Content)
}

// onRecords answers the parts that ask of records, and returns the others, which
// are put to the texts.
func (r *run) onRecords(parts []segment.Part) (rest []segment.Part, err error) {
	if r.decision.Action == gate.ArchiveOnly {
		return parts, nil
	}
	for _, part := range parts {
		c, ok, err := r.fact(part.Text)
		if err != nil {
			return nil, err
		}
		if !ok {
			rest = append(rest, part)
			continue
		}
		r.claims = append(r.claims, c)
	}
	return rest, nil
}

// finishOr ends a run that needs no text.
func (r *run) finishOr(err error) (*Response, error) {
	if err != nil {
		return nil, err
	}
	return r.finish()
}
