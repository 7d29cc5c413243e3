package answer

import (
	"fmt"
	bundledisplay "muniment/bundle/display"
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
// record, or for a number of records. ok is false where it does not, or where no
// record, or more than one, is meant, the record does not say it, or what it says
// may not be shown: then the part is put to the texts like any other. What the
// budget withheld, and notices, are added to known.
func (p *Pipeline) answerFromRecords(q question, part string, known *display) (s shown, ok bool, err error) {
	asked, ok := catalogue.Read(part)
	if !ok || p.View.Dated == nil || p.demandsMore() {
		return s, false, nil
	}
	named, undated, err := q.viewer.matchRecords(asked)
	if err != nil {
		return s, false, err
	}
	switch {
	case asked.Field == catalogue.Count:
		s, ok, err = q.viewer.count(asked, named)
	case len(named) == 1:
		s, ok, err = q.readField(asked.Field, named[0])
	default:
		return s, false, nil
	}
	if s.withheld != nil {
		known.withheld = append(known.withheld, *s.withheld)
	}
	if err != nil || !ok {
		return s, false, err
	}
	if asked.From != "" && undated > 0 && asked.Field == catalogue.Count {
		known.note(fmt.Sprintf("not counted: %s without a date", bundledisplay.Count(undated, "record")))
	}
	s.topic, s.verdict = part, cite.Judge(s.input)
	return s, s.verdict.Rung == cite.Supported, nil
}

// mostUndated is how many records without a date a count looks at: it says of them only
// that they are not counted.
const mostUndated = 1000

// matchRecords returns the records that a question means, of those that the requestor
// may know of and an answer may rest on, and how many of the kind have no date. It ends
// where they are more than a count may rest on.
func (v *viewer) matchRecords(q catalogue.Question) (named []StoredRecord, undated int, err error) {
	anyDate := q
	anyDate.From, anyDate.To = "", ""
	most := maxCounted
	if q.Field != catalogue.Count {
		most = 1
	}
	look := func(artifact cid.ID, h *record.Record) (more bool, err error) {
		e := holdings.EntryOf(h)
		if !anyDate.Names(e) {
			return true, nil
		}
		perm, err := v.permission(artifact, "")
		if err != nil || !perm.Surface {
			return err == nil, err
		}
		if e.Date == "" {
			undated++
		}
		if !q.Names(e) {
			return undated < mostUndated, nil
		}
		stored, err := v.view.Record(artifact)
		named = append(named, stored)
		return len(named) <= most, err
	}
	if len(q.Title) > 0 {
		return named, undated, v.view.Described(q.Title, look)
	}
	err = v.view.Dated(holdings.Period{Kind: q.Kind, From: q.From, To: q.To}, look)
	if err == nil && len(named) <= most {
		err = v.view.Undated(q.Kind, look)
	}
	return named, undated, err
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

// count returns the claim that states how many records there are, each of which
// is cited by its date or name.
func (v *viewer) count(q catalogue.Question, named []StoredRecord) (s shown, ok bool, err error) {
	if len(named) == 0 || len(named) > maxCounted {
		return s, false, nil
	}
	slices.SortStableFunc(named, func(a, b StoredRecord) int { return strings.Compare(a.Record.Date(), b.Record.Date()) })
	s.input = cite.GateInput{Relation: cite.Aggregation, SpanResolves: true, InputsResolve: true}
	s.ev.Relation, s.ev.Similarity = cite.Aggregation, 1
	for _, h := range named {
		one, ok, err := wholeField(h, "source.published_at")
		if err == nil && (!ok || q.From == "") {
			one, ok, err = titleOf(h)
		}
		if err != nil || !ok {
			return shown{}, false, err
		}
		perm, err := v.permission(artifactOf(h), one.words)
		if err != nil {
			return shown{}, false, err
		}
		one.silent = len(named) > mostShown || !perm.Display || len(v.policy.Veils(one.words)) > 0
		s.facts = append(s.facts, one)
	}
	kind := q.Kind
	if kind == "" {
		kind = "record"
	}
	s.text = "The archive holds " + bundledisplay.Count(len(named), kind)
	switch {
	case q.From != "" && q.From == q.To:
		s.text += " dated " + q.From
	case q.From != "":
		s.text += " dated from " + q.From + " to " + q.To
	}
	s.text += "."
	s.artifact = s.facts[0].record
	return s, true, nil
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
