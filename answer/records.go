package answer

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"muniment/answer/budget"
	"muniment/answer/gate"
	"muniment/archive/holdings"
	"muniment/cid"
	"muniment/cite"
	"muniment/search/catalogue"
	"muniment/snapshot/record"
	"muniment/text/segment"
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
	stored StoredRecord
	span   cite.MetaSpan
	words  string
	silent bool // it is cited, and not shown: of what is counted
}

// lookUp returns the answers to the parts of a question that ask of records, and the
// topics of the others, which are put to the texts.
func (p *Pipeline) lookUp(q question, s scope, parts []segment.Part) (known display, rest []topic, err error) {
	for _, part := range parts {
		if s.Action == gate.ArchiveOnly {
			rest = append(rest, topicOf(part, s))
			continue
		}
		claim, ok, err := p.answerFromRecords(q, part.Text, &known)
		if err != nil {
			return display{}, nil, err
		}
		if ok {
			known.claims = append(known.claims, claim)
			continue
		}
		if ok, err = p.answerAboutHoldings(q, part.Text, &known); err != nil {
			return display{}, nil, err
		}
		if !ok {
			rest = append(rest, topicOf(part, s))
		}
	}
	return known, rest, nil
}

// answerFromRecords answers a part of a question that asks for a field of a
// record. ok is false where it does not, or where no
// record, or more than one, is meant, the record does not say it, or what it says
// may not be shown: then the part is put to the texts like any other. What the
// budget withheld, and notices, are added to known.
func (p *Pipeline) answerFromRecords(q question, part string, known *display) (s shown, ok bool, err error) {
	asked, ok := catalogue.Read(part)
	if !ok || p.View.Dated == nil || p.demandsMore() {
		return s, false, nil
	}
	named, err := q.viewer.matchRecords(asked)
	if err != nil || len(named) != 1 {
		return s, false, err
	}
	s, ok, err = q.readField(asked.Field, named[0])
	if s.withheld != nil {
		known.withheld = append(known.withheld, *s.withheld)
	}
	if err != nil || !ok {
		return s, false, err
	}
	s.topic, s.verdict = part, cite.Judge(s.input)
	return s, s.verdict.Rung == cite.Supported, nil
}

// mostUndated is how many records without a date are looked at: for a title, or to say how many there are.
const mostUndated = 1000

// matchRecords returns the records that a question means, of those that the requestor
// may know of and an answer may rest on. It ends where they are more than one.
func (v *viewer) matchRecords(q catalogue.Question) (found []StoredRecord, err error) {
	seen := 0
	look := func(artifact cid.ID, h *record.Record) (more bool, err error) {
		seen++
		if !q.Names(holdings.EntryOf(h)) {
			return h.Date() != "" || seen < mostUndated, nil
		}
		perm, err := v.permission(artifact, "")
		if err != nil || !perm.Surface {
			return err == nil, err
		}
		stored, err := v.view.Record(artifact)
		found = append(found, stored)
		return len(found) < 2, err
	}
	if len(q.Title) > 0 {
		err = v.view.Described(q.Title, look)
		return found, err
	}
	if err = v.view.Dated(holdings.Period{Kind: q.Kind, From: q.From, To: q.To}, look); err == nil && len(found) < 2 {
		err = v.view.Undated(q.Kind, look)
	}
	return found, err
}

// readField returns the claim that states a field of one record, with its title or name, and
// charges the budget with it.
func (q question) readField(f catalogue.Field, h StoredRecord) (s shown, ok bool, err error) {
	title, ok, err := titleOf(h)
	if err != nil || !ok {
		return s, false, err
	}
	paths, sentence := fieldSentence(f, h.Record)
	if len(paths) == 0 {
		return s, false, nil
	}
	s.facts = []fact{title}
	var values []string
	for _, path := range paths {
		one, ok, err := wholeField(h, path)
		if err != nil || !ok {
			return shown{}, false, err
		}
		s.facts = append(s.facts, one)
		values = append(values, one.words)
	}
	s.text = fmt.Sprintf(sentence, title.words, strings.Join(values, ", "))
	s.input = cite.GateInput{Relation: cite.MetadataFact, SpanResolves: true}
	s.ev.Relation, s.ev.Similarity = cite.MetadataFact, 1
	perm, err := q.viewer.permission(artifactOf(h), s.text)
	if err != nil || !perm.Display || len(q.viewer.policy.Veils(s.text)) > 0 || slices.ContainsFunc(s.facts, func(f fact) bool { return utf8.RuneCountInString(f.words) > perm.Excerpt }) {
		return shown{}, false, err
	}
	ok, err = q.chargeField(&s)
	return s, ok, err
}

// fieldSentence returns the fields of a record that answer a question, and the
// sentence that states them with two verbs for the title and the values; none
// where the record does not say it.
func fieldSentence(f catalogue.Field, rec *record.Record) (paths []string, sentence string) {
	s := rec.Source
	if s == nil {
		s = &record.Source{}
	}
	switch {
	case f == catalogue.Date && s.PublishedAt != "":
		return []string{"source.published_at"}, "“%s” is dated %s."
	case f == catalogue.Added:
		return []string{"time"}, "“%s” was added to the archive on %s."
	case f == catalogue.Creator && len(s.Creators) > 0:
		for i := range s.Creators {
			paths = append(paths, fmt.Sprintf("source.creators.%d", i+1))
		}
		return paths, "“%s” is by %s."
	case f == catalogue.Publisher && s.Publisher != "":
		return []string{"source.publisher"}, "“%s” was published by %s."
	case f == catalogue.Origin && s.URL != "":
		return []string{"source.url"}, "“%s” comes from %s"
	}
	return nil, ""
}

// chargeField charges the budget with the shown text of a claim except the record's title, and
// reports whether the budget lets it through.
func (q question) chargeField(s *shown) (bool, error) {
	first := s.facts[1]
	s.artifact = first.record
	text := string(first.stored.JSON)
	at := max(0, strings.Index(text, first.words)) // a place of its own for each field
	start := utf8.RuneCountInString(text[:at])
	s.passage = budget.Range{Start: start, End: start + utf8.RuneCountInString(first.words)}
	if q.request.Budget == nil {
		return true, nil
	}
	var err error
	if s.taken, err = q.request.Budget.Take(s.artifact.String(), utf8.RuneCountInString(text), s.passage); err != nil || s.taken.Denied == "" {
		return err == nil, err
	}
	s.withheld = &Withheld{s.artifact, s.taken}
	return false, nil
}

// artifactOf returns the artifact that a record describes; the zero id, of which
// nothing may be known, where it has no body.
func artifactOf(h StoredRecord) cid.ID {
	id, err := cid.ParseAs(cid.Raw, h.Record.Artifact)
	if err != nil {
		return cid.ID{}
	}
	return id
}

// titleOf returns the title of a record, or the last part of the name it was added under.
func titleOf(h StoredRecord) (fact, bool, error) {
	if h.Record.Source != nil && h.Record.Source.Title != "" {
		return wholeField(h, "source.title")
	}
	f, ok, err := wholeField(h, "names.1")
	if at := strings.LastIndex(f.words, "/"); ok && at+1 < len(f.words) {
		f.span.Start = utf8.RuneCountInString(f.words[:at+1])
		f.words = f.words[at+1:]
	}
	return f, ok, err
}

// wholeField returns all of a field of a record; ok is false where there is none.
func wholeField(h StoredRecord, path string) (fact, bool, error) {
	fields, err := cite.MetaFields(h.JSON)
	if err != nil {
		return fact{}, false, err
	}
	for _, f := range fields {
		if f.Path == path && f.Value != "" {
			return fact{record: h.ID, stored: h, span: cite.MetaSpan{Field: path, End: utf8.RuneCountInString(f.Value)}, words: f.Value}, true, nil
		}
	}
	return fact{}, false, nil
}
