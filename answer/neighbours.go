package answer

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"muniment/answer/gate"
	"muniment/archive/holdings"
	bundledisplay "muniment/bundle/display"
	"muniment/cid"
	"muniment/search/catalogue"
	"muniment/search/retrieve"
	"muniment/snapshot/record"
	"muniment/text/clause"
	"muniment/text/lexicon"
	"muniment/text/segment"
)

// A paper is a record that a refusal may name, with its artifact.
type paper struct {
	artifact cid.ID
	record   *record.Record
	name     string // what the paper is called, and of which day it is
}

// neighbours returns lines that a refusal may add of the archive: the paper
// nearest in time to a date of the question, a paper of the kind that the question
// names, one that holds a name of the question, the papers of the best passages, and
// a question that was tried and has an answer. Only papers count of which the
// requestor may know the existence and the title; the others change no line.
func (p *Pipeline) neighbours(q question, found []passages) ([]string, error) {
	var out []string
	dates := retrieve.Dates(q.text)
	if len(dates) > 0 && p.View.Dated != nil {
		near, err := q.viewer.nearestInTime("", dates[0])
		if err != nil {
			return nil, err
		}
		if near != nil {
			out = append(out, "nearest in time: "+near.name)
		}
	}
	if kind := catalogue.KindIn(q.text); kind != "" && p.View.Dated != nil {
		near, err := q.viewer.nearestInKind(kind, dates)
		if err != nil {
			return nil, err
		}
		if near != nil {
			out = append(out, "nearest in kind ("+kind+"): "+near.name)
		}
	}
	near, name, err := q.viewer.nearestByName(found)
	if err != nil {
		return nil, err
	}
	if near != nil {
		out = append(out, "“"+name+"” is named in "+near.name+", and maybe in other papers")
	}
	closest, err := q.viewer.closest(found)
	if err != nil {
		return nil, err
	}
	if len(closest) > 0 {
		out = append(out, "closest by words: "+strings.Join(closest, "; "), gate.SuggestSearch+strings.Join(contentWords(q.text), " "))
	}
	names, forms := topics(q.text), []string{"What is there about %s?", "Which letters did %s write?"}
	if segment.Detect(q.text) == "de" {
		forms = []string{"Was gibt es über %s?", "Welche Briefe schrieb %s?"}
	}
	for _, word := range names[:min(len(names), mostTopics)] {
		for _, form := range forms {
			asked := fmt.Sprintf(form, word)
			if ok, err := p.tryHolding(q, asked, word); err != nil || ok {
				return append(out, fmt.Sprintf(gate.SuggestAsk, asked)), err
			}
		}
	}
	return out, nil
}

const (
	// mostClosest is how many papers a refusal names of the best passages.
	mostClosest = 5
	// mostTopics is how many names and nouns of a question a refusal tries.
	mostTopics = 4
)

// closest returns the papers of the best passages that hold a word of the question below a salutation and above a signature.
func (v *viewer) closest(found []passages) (papers []string, err error) {
	for _, f := range found {
		for i, p := range v.rankable(f.open) {
			body, terms := p.Body(), f.open[i].Terms
			holds := slices.ContainsFunc(segment.Words(p.Text[body.Start:body.End]), func(w segment.Word) bool {
				return slices.ContainsFunc(terms, func(t retrieve.Term) bool {
					return t.Stem != "" && segment.SearchKey(w.Lower, p.Lang) == segment.SearchKey(t.Word, p.Lang)
				})
			})
			if !holds || len(papers) == mostClosest {
				continue
			}
			one, err := v.ofPassage(&f.open[i])
			if err != nil {
				return nil, err
			}
			if one != nil && !slices.Contains(papers, one.name) {
				papers = append(papers, one.name)
			}
		}
	}
	return papers, nil
}

// topics returns the names and the nouns of a question, names first: words with a capital, and the last words of phrases that begin with an article or
// a preposition; no ordinals, kinds of papers or verbs.
func topics(question string) []string {
	var names, nouns []string
	all, german := segment.Words(question), segment.Detect(question) == "de"
	verb, _ := clause.QuestionVerb(question)
	goesOn := func(i int) bool { // the word is of the phrase of the one before it
		return i > 0 && i < len(all) && !segment.Function(all[i].Lower) && all[i].Start != verb.Start && strings.TrimSpace(question[all[i-1].End:all[i].Start]) == ""
	}
	for i, w := range all {
		written, before := question[w.Start:w.End], i-1
		for goesOn(before) {
			before--
		}
		switch {
		case i == 0 || segment.Function(w.Lower) || w.Start == verb.Start || lexicon.Ordinal.Has(w.Lower) || catalogue.IsKind(w.Lower):
		case w.Upper && all[i-1].Upper && goesOn(i) && len(names) > 0 && !german:
			names[len(names)-1] += " " + written
		case w.Upper:
			names = append(names, written)
		case !german && !goesOn(i+1) && (segment.Determiner(all[before].Lower) || lexicon.Determiner.Has(all[before].Lower) || lexicon.Preposition.Has(all[before].Lower)):
			nouns = append(nouns, written)
		}
	}
	return append(names, nouns...)
}

// contentWords returns the words of a question that a search goes by.
func contentWords(text string) (out []string) {
	lang := segment.Detect(text)
	for _, w := range segment.Words(text) {
		if !segment.Function(w.Lower) && (w.Upper || !segment.SaysNothing(w.Lower, lang)) && !lexicon.QuestionWord.Has(w.Lower) {
			out = append(out, text[w.Start:w.End])
		}
	}
	return out
}

// mostTried is how many papers an archive has at most in which a refusal tries a question: each of them is read, which takes half a second.
const mostTried = 500

// tryHolding reports whether a question about the holdings that names something passes the category filter and has an answer.
func (p *Pipeline) tryHolding(q question, asked, name string) (bool, error) {
	if p.View.Dated == nil || p.demandsMore() || len(q.viewer.policy.Veils(name)) > 0 {
		return false, nil
	}
	facts := gate.Facts{Subject: p.Policy.Subject, Persons: p.Policy.Persons, CoversTo: p.View.CoversTo, Names: p.View.Names}
	h, ok := catalogue.ReadHolding(asked)
	if !ok || gate.Category(asked, facts).Action != gate.Proceed {
		return false, nil
	}
	papers := 0
	count := func(cid.ID, *record.Record) (bool, error) { papers++; return papers <= mostTried, nil }
	if err := p.View.Dated(holdings.Period{}, count); err != nil {
		return false, err
	}
	if err := p.View.Undated("", count); err != nil || papers > mostTried {
		return false, err
	}
	all, err := q.viewer.selectPapers(h)
	if err != nil {
		return false, err
	}
	certain := len(all.papers) > 0 // not only papers that may be meant
	text, cited := all.describe(h)
	if !certain || len(cited) == 0 {
		return false, nil
	}
	_, ok, err = q.viewer.aggregate(asked, text, cited)
	return ok, err
}

// identify returns a record's paper, nil where the requestor may not know of it, may not be
// shown its title or has no name to know it by.
func (v *viewer) identify(artifact cid.ID, rec *record.Record) (*paper, error) {
	title, date := bundledisplay.SourceOf(rec)
	known, err := v.knows(artifact.String())
	if err != nil || !known || title == "" {
		return nil, err
	}
	perm, err := v.permission(artifact, title)
	if err != nil || !perm.Display || !perm.Surface || len(v.policy.Veils(title)) > 0 {
		return nil, err
	}
	return &paper{artifact, rec, bundledisplay.SourceName(title, date)}, nil
}

// nearestInTime returns the paper of a kind, "" for any, whose date is nearest to a
// period, the earlier of two that are equally near; nil where no paper has a date.
func (v *viewer) nearestInTime(kind string, d retrieve.DateRange) (*paper, error) {
	from, err := time.Parse(time.DateOnly, d.From)
	if err != nil {
		return nil, nil // a year beyond four digits has no neighbours
	}
	to, err := time.Parse(time.DateOnly, d.To)
	if err != nil {
		return nil, nil
	}
	before, err := v.firstOf(holdings.Period{Kind: kind, To: d.To})
	if err != nil || before != nil && before.record.Date() >= d.From {
		return before, err
	}
	after, err := v.firstOf(holdings.Period{Kind: kind, From: to.AddDate(0, 0, 1).Format(time.DateOnly), OldestFirst: true})
	switch {
	case err != nil || before == nil:
		return after, err
	case after == nil || daysBetween(before.record.Date(), from) <= daysBetween(after.record.Date(), to):
		return before, nil
	}
	return after, nil
}

// mostNameless is how many papers without a title are passed over for one that has a
// title: 50 ms of reading.
const mostNameless = 500

// firstOf returns the first paper of a period that has a title; nil for none.
func (v *viewer) firstOf(p holdings.Period) (*paper, error) {
	return v.firstTitled(func(visit Visit) error { return v.view.Dated(p, visit) })
}

// firstTitled returns the first paper of a list that has a title, nil where none of the
// first mostNameless has one. Papers of which the requestor may not know do not count.
func (v *viewer) firstTitled(list func(Visit) error) (found *paper, err error) {
	nameless := 0
	err = list(func(artifact cid.ID, rec *record.Record) (more bool, err error) {
		if found, err = v.identify(artifact, rec); v.known[artifact.String()] {
			nameless++
		}
		return found == nil && nameless < mostNameless, err
	})
	return found, err
}

// daysBetween returns how many days lie between a date and a day, as a positive number.
func daysBetween(date string, day time.Time) int {
	at, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return 1 << 30
	}
	return int(at.Sub(day).Abs().Hours() / 24)
}

// nearestInKind returns the paper of a kind that is nearest to the first date of the
// question; without a date the oldest one. Papers without a date come last.
func (v *viewer) nearestInKind(kind string, dates []retrieve.DateRange) (found *paper, err error) {
	if len(dates) > 0 {
		found, err = v.nearestInTime(kind, dates[0])
	} else {
		found, err = v.firstOf(holdings.Period{Kind: kind, OldestFirst: true})
	}
	if found != nil || err != nil {
		return found, err
	}
	return v.firstTitled(func(visit Visit) error { return v.view.Undated(kind, visit) })
}

// nearestByName returns the paper of the best passage that holds a name of the
// question, and that name as the passage writes it.
func (v *viewer) nearestByName(found []passages) (*paper, string, error) {
	for _, f := range found {
		for _, passage := range f.open {
			at := rarestName(passage.Terms)
			if at < 0 {
				continue
			}
			one, err := v.ofPassage(&passage)
			if err != nil {
				return nil, "", err
			}
			if name := writtenName(passage.Text, passage.Terms[at].Word); one != nil && name != "" {
				return one, name, nil
			}
		}
	}
	return nil, "", nil
}

// ofPassage returns the paper of a passage, nil where the requestor may not be shown the passage or the title.
func (v *viewer) ofPassage(passage *retrieve.Passage) (*paper, error) {
	id, err := cid.ParseAs(cid.Raw, passage.Artifact)
	if err != nil {
		return nil, err
	}
	perm, err := v.permission(id, passage.Text)
	if err != nil || !perm.Display || len(v.policy.Veils(passage.Text)) > 0 {
		return nil, err
	}
	stored, err := v.view.Record(id)
	if err != nil {
		return nil, err
	}
	return v.identify(id, stored.Record)
}

// rarestName returns the index of the rarest name of a question that a passage holds, -1 for none. A
// word that is half as rare as another one of the question or less says little of what is asked: many papers have it.
func rarestName(terms []retrieve.Term) int {
	at, most := -1, 0.0
	for i, t := range terms {
		most = max(most, t.IDF)
		if t.Name && t.Found && (at < 0 || t.IDF > terms[at].IDF) {
			at = i
		}
	}
	if at >= 0 && terms[at].IDF <= most/2 {
		return -1
	}
	return at
}

// writtenName returns a name as a text writes it, "" where only its title holds it, or in another form.
func writtenName(text, lower string) string {
	for _, w := range segment.Words(text) {
		if w.Lower == lower {
			return text[w.Start:w.End]
		}
	}
	return ""
}
