package answer

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"

	"muniment/archive/holdings"
	bundledisplay "muniment/bundle/display"
	"muniment/cid"
	"muniment/cite"
	"muniment/search/catalogue"
	"muniment/snapshot/edtf"
	"muniment/snapshot/record"
	"muniment/text/segment"
)

const (
	// mostRead is how many papers are looked at for a question about the holdings: two seconds of reading.
	mostRead = 2000
	// mostListed is how many papers a list names. A longer one says that it is cut.
	mostListed = 100
)

// A heldPaper is a paper that a question about the holdings selects.
type heldPaper struct {
	paper
	stored StoredRecord
	date   string // of its record, else of its heading; "" for none
	head   catalogue.Head
	text   string          // "" where it may not be shown
	times  int             // how often it has the words asked for
	formal int             // of these in its head and its signature
	silent bool            // its name may not be shown
	events []segment.Range // the sentences with the event that is asked for

	addressee string // whom a surname in the salutation means; "" where it says it itself, or nobody knows
}

// A shelf is what a question about the holdings looked at.
type shelf struct {
	papers    []heldPaper
	undated   int         // papers left out because nothing dates them
	headings  int         // papers dated by their headings
	imprecise int         // papers left out because their date may lie in the period or outside of it
	nameless  []heldPaper // left out because they do not say by whom or to whom they are
	inferred  int         // papers whose addressee other letters of the same persons name
	copies    []heldPaper // left out because they are copies of papers
	truncated bool        // there were more than mostRead

	writer, addressee, origin identity
	names                     []identity // of the question, with its Names
	between                   [2]identity
}

// answerAboutHoldings answers a part of a question that asks which papers there are, how many, the oldest, or what they name, in a list
// that is whole or says that it is cut. ok is false where it asks something else, or where no paper is selected.
func (p *Pipeline) answerAboutHoldings(q question, part string, known *display) (ok bool, err error) {
	h, ok := catalogue.ReadHolding(part)
	if !ok || p.View.Dated == nil || p.demandsMore() || len(q.viewer.policy.Veils(part)) > 0 {
		return false, nil
	}
	all, err := q.viewer.selectPapers(h)
	if err != nil {
		return false, err
	}
	text, cited := all.describe(h)
	if len(cited) == 0 {
		return false, nil
	}
	s, ok, err := q.viewer.aggregate(part, text, cited)
	if err != nil || !ok {
		return false, err
	}
	known.claims = append(known.claims, s)
	known.note(all.notes(h)...)
	if h.Want != catalogue.WantWriting {
		cited = all.papers
	}
	return true, q.showSentences(part, h, cited, known)
}

// selectPapers returns the papers that the requestor may know of and that pass the conditions of a question. They are
// sorted by date. Papers whose names may not be shown come last, so that their place does not tell their date.
func (v *viewer) selectPapers(h catalogue.Holding) (*shelf, error) {
	out := &shelf{writer: v.identityOf(h.Writer), addressee: v.identityOf(h.Addressee), origin: v.identityOf(h.Origin)}
	out.between = [2]identity{v.identityOf(h.Between[0]), v.identityOf(h.Between[1])}
	for _, name := range h.Names {
		out.names = append(out.names, v.identityOf(name))
	}
	var all []heldPaper
	read := 0
	look := func(artifact cid.ID, rec *record.Record) (more bool, err error) {
		if read++; read > mostRead {
			out.truncated = true
			return false, nil
		}
		x, err := v.readPaper(artifact, rec)
		if x != nil {
			all = append(all, *x)
		}
		return true, err
	}
	period := holdings.Period{From: h.From, To: h.To}
	if h.Addressee != "" || h.Between[0] != "" || h.Undated {
		period = holdings.Period{} // who is who, and when the papers are of, follows from all of them
	}
	if err := v.view.Dated(period, look); err != nil {
		return nil, err
	}
	if err := v.view.Undated("", look); err != nil {
		return nil, err
	}
	completeYears(all)
	out.know(all, v)
	for i := range all {
		out.consider(h, &all[i], all)
	}
	slices.SortStableFunc(out.papers, func(a, b heldPaper) int {
		return cmp.Or(cmp.Compare(one(a.silent), one(b.silent)), cmp.Compare(cmp.Or(a.date, "9"), cmp.Or(b.date, "9")), cmp.Compare(a.name, b.name))
	})
	out.leaveOutCopies()
	return out, nil
}

// know sets who is meant by surnames in salutations, and the sex of the persons of a question.
func (s *shelf) know(all []heldPaper, v *viewer) {
	known := newRegister(all, append(v.subject(), v.clearedNames()...))
	for i := range all {
		all[i].addressee = known.find(all[i].head.Salutation)
	}
	for _, id := range []*identity{&s.writer, &s.addressee, &s.origin, &s.between[0], &s.between[1]} {
		id.sex = known.of(*id)
	}
}

// completeYears reads the heads of papers without a date again, with the years that the others are of: 12.xi.01 is of
// 1901 where they are of 1890 to 1913.
func completeYears(all []heldPaper) {
	first, last := 9999, 0
	for _, x := range all {
		if year, err := strconv.Atoi((cmp.Or(x.date, x.head.Date) + "----")[:4]); err == nil {
			first, last = min(first, year), max(last, year)
		}
	}
	if last-first >= 100 {
		return // of two digits nobody knows the century
	}
	years := ""
	for year := first; year <= last; year++ {
		years += " " + strconv.Itoa(year)
	}
	for i := range all {
		if x := &all[i]; x.date == "" && x.head.Date == "" && x.text != "" {
			x.head = catalogue.ReadHead(x.text, x.name+years)
		}
	}
}

// readPaper returns a paper with what its head and signature say; nil where the requestor may not know of it.
func (v *viewer) readPaper(artifact cid.ID, rec *record.Record) (*heldPaper, error) {
	perm, err := v.permission(artifact, "")
	if err != nil || !perm.Surface || !perm.Existence {
		return nil, err
	}
	x := &heldPaper{paper: paper{artifact, rec, ""}, date: rec.Date()}
	if x.stored, err = v.view.Record(artifact); err != nil {
		return nil, err
	}
	if rec.Source != nil {
		x.name = rec.Source.Title
	}
	file := ""
	if len(rec.Names) > 0 {
		file = rec.Names[0]
		x.name = cmp.Or(x.name, path.Base(file))
	}
	titled, err := v.permission(artifact, x.name)
	if err != nil {
		return nil, err
	}
	x.silent = !titled.Display || len(v.policy.Veils(x.name)) > 0
	if perm.Display && rec.Textual() {
		doc, err := v.document(artifact.String())
		if err != nil {
			return nil, err
		}
		text, err := v.policy.WithoutParagraphs(doc.Payload(), func(words string) (bool, error) {
			perm, err := v.permission(artifact, words)
			return !perm.Display || len(v.policy.Veils(words)) > 0, err
		})
		if err != nil {
			return nil, err
		}
		x.text = string(text)
		x.head = catalogue.ReadHead(x.text, file)
		if days := catalogue.Days(x.text); days != "" && x.head.Salutation == "" {
			x.head.Date = days
		}
	}
	return x, nil
}

// consider adds a paper that passes the conditions of a question.
func (s *shelf) consider(h catalogue.Holding, x *heldPaper, all []heldPaper) {
	if h.Kind != "" && !holdings.EntryOf(x.record).IsOfKind(h.Kind) && !(h.Kind == "letter" && x.head.Salutation != "") {
		return
	}
	if x.date == "" && x.head.Date != "" && !h.Undated {
		x.date = x.head.Date
	}
	if !s.passes(h, x, all) {
		return
	}
	if x.date != "" && x.date != x.record.Date() {
		s.headings++
	}
	s.papers = append(s.papers, *x)
}

// passes reports whether a paper fulfils the conditions of a question, and counts those left out in doubt by reason.
func (s *shelf) passes(h catalogue.Holding, x *heldPaper, all []heldPaper) bool {
	if h.Undated && (x.date != "" || x.head.Date != "") || !s.isOf(h, x) {
		return false
	}
	if h.Mention != "" {
		x.times = len(catalogue.Holds(x.body(), h.Mention, x.language()))
		if h.Want == catalogue.WantMentions && h.Writer == "" { // who writes to a person does not mention them
			x.formal = len(catalogue.Holds(x.text, h.Mention, x.language())) - x.times
			x.times += x.formal
		}
		if h.Also != "" {
			x.times = min(x.times, len(catalogue.Holds(x.body(), h.Also, x.language())), 1)
		}
		if x.times == 0 {
			return false
		}
	}
	if h.Want == catalogue.WantEvents {
		if x.events = h.Events(x.text, x.language(), s.writersNames(x)); len(x.events) == 0 {
			return false
		}
		x.times = len(x.events)
	}
	by, to, inferred := s.correspondents(h, x, all)
	if by == isOther || to == isOther {
		return false
	}
	in := within(x.date, h.From, h.To)
	switch {
	case h.From == "":
	case x.date == "":
		s.undated += one(by == isMeant && to == isMeant)
		return false
	case in == isOther:
		return false
	}
	if by == mayBe || to == mayBe {
		s.nameless = append(s.nameless, *x)
		return false
	}
	if in == mayBe && h.From != "" {
		s.imprecise++
		return false
	}
	s.inferred += one(inferred)
	return true
}

// writersNames returns the names of a question that are those of the writer of a paper, who says I.
func (s *shelf) writersNames(x *heldPaper) (out []string) {
	for _, id := range s.names {
		if x.isBy(id) == isMeant {
			out = append(out, id.names[0])
		}
	}
	return out
}

// isOf reports whether a paper comes from the place, or from the place or the person, that a question names.
func (s *shelf) isOf(h catalogue.Holding, x *heldPaper) bool {
	place := x.head.Heading
	if x.record.Source != nil {
		place += "; " + x.record.Source.Place
	}
	if h.Place != "" && len(catalogue.Holds(place, h.Place, "")) == 0 {
		return false
	}
	return h.Origin == "" || len(catalogue.Holds(place, h.Origin, "")) > 0 || x.isBy(s.origin) == isMeant
}

// correspondents returns whether a paper is by and to the persons of a question, and whether that follows from other letters.
func (s *shelf) correspondents(h catalogue.Holding, x *heldPaper, all []heldPaper) (by, to match, inferred bool) {
	by, to = isMeant, isMeant
	if h.Writer != "" {
		by = x.isBy(s.writer)
	}
	if h.Addressee != "" {
		to, inferred = x.isTo(s.addressee, all)
	}
	if h.Between[0] == "" {
		return by, to, inferred
	}
	best, other, known := isOther, isOther, false
	for _, pair := range [][2]identity{{s.between[0], s.between[1]}, {s.between[1], s.between[0]}} {
		b := x.isBy(pair[0])
		t, i := x.isTo(pair[1], all)
		if min(b, t) > min(best, other) {
			best, other, known = b, t, i
		}
	}
	return min(by, best), min(to, other), inferred || known
}

// within returns whether a date in EDTF lies in a period, or may.
func within(date, from, to string) match {
	if from == "" {
		return isMeant
	}
	d, err := edtf.Parse(date)
	if err != nil || d.IsZero() {
		return mayBe
	}
	first, last := d.Interval()
	switch a, b := first.String(), last.String(); {
	case first == edtf.Earliest || last == edtf.Latest:
		return mayBe
	case a >= from && b <= to:
		return isMeant
	case b < from || a > to:
		return isOther
	}
	return mayBe
}

// one returns 1 for true.
func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// notes returns the notices on the papers that a list leaves out and on the origin of its dates.
func (s *shelf) notes(h catalogue.Holding) (out []string) {
	note := func(said bool, format string, values ...any) {
		if said {
			out = append(out, fmt.Sprintf(format, values...))
		}
	}
	count, kind := bundledisplay.Count, cmp.Or(h.Kind, "paper")
	note(s.truncated, "the list is cut: only the first %d papers, those with the newest dates in their records, were looked at", mostRead)
	note(s.headings > 0, "dated by the heading of the text, not by a record: %s", count(s.headings, "paper"))
	note(s.undated > 0, "not counted: %s without a date", count(s.undated, kind))
	note(s.inferred > 0, "counted by what other letters of the same persons say, as these name nobody in full: %s", count(s.inferred, "paper"))
	note(len(s.nameless) > 0, "not counted: %s that may be of another person or name nobody: %s", count(len(s.nameless), "paper"), listOf(s.nameless))
	note(len(s.copies) > 0, "not counted: %s of these: %s", bundledisplay.CountOf(len(s.copies), "copy", "copies"), listOf(s.copies))
	note(s.imprecise > 0, "not counted: %s whose date may lie outside of the period", count(s.imprecise, "paper"))
	note(len(s.papers) > maxCounted, "counted: %d papers; the answer cites the first %d", len(s.papers), maxCounted)
	note(len(s.papers) > mostListed && h.Want != catalogue.WantCount, "the list names the first %d of %d papers; all of them are counted", mostListed, len(s.papers))
	return out
}

// aggregate returns the claim that rests on the records of papers, each cited by its title.
func (v *viewer) aggregate(part, text string, cited []heldPaper) (s shown, ok bool, err error) {
	s.input = cite.GateInput{Relation: cite.Aggregation, SpanResolves: true, InputsResolve: true}
	s.ev.Relation, s.ev.Similarity = cite.Aggregation, 1
	for i, x := range cited {
		one, ok, err := titleOf(x.stored)
		if err != nil || !ok {
			return shown{}, false, err
		}
		one.silent = x.silent || i >= mostListed
		s.facts = append(s.facts, one)
	}
	if len(v.policy.Veils(text)) > 0 {
		return shown{}, false, nil
	}
	s.text, s.topic, s.artifact = text, part, s.facts[0].record
	s.verdict = cite.Judge(s.input)
	return s, s.verdict.Rung == cite.Supported, nil
}

// showSentences adds a sentence of each paper as a claim of its own, at most mostShown; one that several papers have in the same words once.
func (q question) showSentences(part string, h catalogue.Holding, papers []heldPaper, known *display) error {
	seen := map[string]bool{}
	for _, x := range papers[:min(len(papers), maxCounted)] {
		find := x.finderOf(h)
		if find == nil || len(seen) == mostShown {
			return nil
		}
		c, ok, err := q.viewer.quoteOf(part, x, find)
		if err != nil {
			return err
		}
		if !ok || seen[c.text] {
			continue
		}
		seen[c.text] = true
		j, err := q.viewer.judge(scope{}, c)
		if err != nil {
			return err
		}
		s := shown{judged: j}
		if s.loss == nil {
			if err := q.show(&s); err != nil {
				return err
			}
		}
		if s.loss == nil && !s.view.Restricted {
			known.claims = append(known.claims, s)
		}
	}
	return nil
}
