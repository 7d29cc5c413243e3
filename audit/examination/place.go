package examination

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"muniment/archive/search"
	"muniment/canon"
	"muniment/cite"
	"muniment/draft/examine"
	"muniment/judge"
	"muniment/text/clause"
	"muniment/text/lexicon"
	"muniment/text/segment"
)

// A place is where a paper has, or nearly has, the words of a quotation.
type place struct {
	paper      *paper
	doc        *canon.Document
	start, end int // bytes
	from, to   int // of the paragraphs around
	found      *Found
}

// placeOf returns the place of a hit as the caller may see it.
func (x *examiner) placeOf(h hit) (*place, error) {
	p := x.library.papers[h.card]
	doc, err := x.library.document(h.card)
	if err != nil {
		return nil, err
	}
	out := &place{paper: p, doc: doc, start: h.Start, end: h.End, from: h.Start, to: h.End}
	for _, u := range doc.Units(canon.Paragraphs) {
		if u.End > h.Start && u.Start < h.End {
			out.from, out.to = min(out.from, u.Start), max(out.to, u.End)
		}
	}
	span, err := cite.SpanAt(doc, h.Start, h.End)
	if err != nil {
		return nil, err
	}
	words := string(doc.Payload()[h.Start:h.End])
	shown, err := p.hall.view.Show(p.art.ID, words)
	if err != nil {
		return nil, err
	}
	from, to := out.sentence()
	text := string(doc.Payload())
	around, err := p.hall.view.Show(p.art.ID, strings.Join(strings.Fields(text[from:to]), " "))
	if err != nil {
		return nil, err
	}
	rec, _ := p.art.FirstRecord()
	out.found = &Found{Archive: p.hall.Archive.ID().String(), Snapshot: p.hall.head.ID.String(), Artifact: p.art.ID.String(), Name: p.card.Name, Title: p.card.Title, Creator: p.creator(), Date: p.card.Date,
		Span: span.String(), Text: strings.Join(strings.Fields(shown.Text), " "), Sentence: around.Text, Locator: search.Locators(p.hall.view, p.art.ID, rec.Record, doc, span), Whole: shown.Whole}
	out.found.from = utf8.RuneCountInString(text[:from])
	out.found.to, out.found.length = out.found.from+utf8.RuneCountInString(text[from:to]), utf8.RuneCountInString(text)
	return out, nil
}

// name returns the title or the file name of the paper.
func (p *place) name() string {
	return cmp.Or(p.paper.card.Title, p.paper.card.Name)
}

// spanOf returns the span of further bytes of the paper, "" where they are none.
func (p *place) spanOf(start, end int) string {
	if s, err := cite.SpanAt(p.doc, start, end); err == nil {
		return s.String()
	}
	return ""
}

// sentence returns the bytes of the whole sentences around the place.
func (p *place) sentence() (from, to int) {
	from, to = p.start, p.end
	for _, s := range segment.Sentences(string(p.doc.Payload()[p.from:p.to]), "") {
		if s.End > p.start-p.from && s.Start < p.end-p.from {
			from, to = min(from, p.from+s.Start), max(to, p.from+s.End)
		}
	}
	return from, to
}

// isExact reports whether the paper has the parts of a quotation as they are written, typography and a stop at the end apart.
func (p *place) isExact(parts []string) (bool, error) {
	within, err := cite.SpanAt(p.doc, p.from, p.to)
	if err != nil {
		return false, err
	}
	for _, part := range parts {
		if strings.ContainsAny(part, "[…") || !p.has(part, &within) {
			return false, nil
		}
	}
	return true, nil
}

// has reports whether a run of the paper has a text.
func (p *place) has(text string, within *cite.Span) bool {
	t := strings.TrimSpace(text)
	for _, t := range []string{t, strings.TrimRight(t, ".,;:!?"), strings.TrimRight(t, ".,;:!?-–— ")} {
		if t == "" {
			return false
		}
		if m, err := cite.Find(p.doc, t, within); err == nil && (m.Verifies() || m.Status == cite.Ambiguous) && !m.Elided {
			return true
		}
	}
	return false
}

// passage returns the words with what is around them, for the judge.
func (p *place) passage() judge.Passage {
	span, err := cite.SpanAt(p.doc, p.start, p.end)
	if err != nil {
		return judge.Passage{}
	}
	of := judge.Paper{Date: p.paper.card.Date, Title: p.paper.card.Title, Creator: p.paper.creator(), Subject: p.paper.hall.subject}
	if rec, known := p.paper.art.FirstRecord(); known && rec.Record.Source != nil {
		of.Lang = rec.Record.Source.Language
	}
	w, err := judge.At(p.doc, span, of)
	if err != nil {
		return judge.Passage{}
	}
	return w
}

// cut returns why the words, as they are quoted, leave out what governs them in their paper; "" where they do not, or
// the sentence that quotes them says so itself.
func (p *place) cut(q *examine.Quotation, h hit) string { return p.show(p.limit(q, h)) }

// show returns a reason that has words of the paper as the caller may read it.
func (p *place) show(reason string) string {
	if s, err := p.paper.hall.view.Show(p.paper.art.ID, reason); err == nil && s.Text != "" || reason == "" {
		return s.Text
	}
	return "what is around the words says how far they hold"
}

// limit returns the reason of cut, whoever reads it.
func (p *place) limit(q *examine.Quotation, h hit) string {
	use := p.use(q)
	for _, c := range h.Changes {
		if c.Kind != examine.ChangedEllipsis {
			continue
		}
		omitted := c.Paper
		before, after := p.around(omitted)
		if before != "" && strings.ContainsAny(before[len(before)-1:], ".!?") {
			omitted = ". " + omitted
		}
		if after != "" && strings.ContainsAny(after[:1], ".!?") {
			omitted += after[:1]
		}
		if w := judge.HiddenLimit(omitted, use); w != "" {
			return "the words left out limit or deny the rest: “" + w + "”"
		}
	}
	if why := judge.LeftOut(p.passage(), use); why != "" {
		return why
	}
	if opens := judge.SeparateOpinion(string(p.doc.Payload()), p.start, use); opens != "" {
		return "the words are of a separate opinion and not the court's: “" + clip(opens) + "”"
	}
	return ""
}

// around returns the words of the place before and after a run of it.
func (p *place) around(run string) (before, after string) {
	text := strings.Join(strings.Fields(string(p.doc.Payload()[p.start:p.end])), " ")
	before, after, _ = strings.Cut(text, strings.Join(strings.Fields(run), " "))
	return strings.TrimSpace(before), strings.TrimSpace(after)
}

// use returns how the document uses a quotation.
func (p *place) use(q *examine.Quotation) judge.Use {
	c := p.paper.card
	first, _, _ := strings.Cut(c.Head, "\n")
	source := strings.Join(append(slices.Clone(c.Creators), c.Title, c.Name, first), "\n")
	return judge.Use{Said: q.Said, Around: q.Around, Mark: q.Mark, Source: strings.NewReplacer("_", " ", "-", " ", "/", " ").Replace(source)}
}

// leastSaid is how many words of its own a sentence has at least, beyond who wrote what when, that is judged by the words it quotes.
const leastSaid = 2

// judge returns the verdict on what an item claims: on the sentence that uses a quotation, or on the quotation where
// that sentence only introduces a statement; nil where neither states anything. It is the verdict that a citation of
// the claim with the words of the place gets.
func (p *place) judge(q *examine.Quotation) *Claim {
	claim, w := strings.Join(strings.Fields(q.Sentence), " "), p.passage()
	own := p.ownWords(q.Said)
	introduced := claim == "" || len(own) < leastSaid
	if introduced {
		claim = q.Words()
	}
	if len(claim) > judge.MaxText || introduced && !judge.States(w, p.use(q)) {
		return nil
	}
	claim = strings.NewReplacer("[", "", "]", "").Replace(claim)
	j := judge.Judge(claim, w)
	c := &Claim{Text: claim, Verdict: j.Verdict, Reason: j.Reason, Claim: j.Claim, Words: j.Words}
	c.limited = introduced && j.Verdict == cite.ClaimNotShown && (j.Rule == judge.Scope || j.Rule == judge.Restriction)
	if len(j.Missing) > 0 && c.Verdict == cite.ClaimNotShown && !introduced {
		missing := slices.DeleteFunc(own, func(w string) bool { return !slices.Contains(j.Missing, w) })
		if len(missing) == 0 {
			return nil
		}
		c.Reason = "the quoted words alone do not show what the sentence adds: “" + strings.Join(missing[:min(len(missing), 5)], "”, “") + "”"
	}
	if said := c.Words + "\n" + c.Reason; p.show(said) != said {
		c.Reason, c.Words = p.show(c.Reason), ""
	}
	return c
}

// ownWords returns the words of a sentence that say more than who wrote what, where and when: without names, dates,
// verbs of saying and what its paper is called.
func (p *place) ownWords(said string) []string {
	card := map[string]bool{}
	for _, text := range append([]string{p.paper.card.Title, strings.NewReplacer("_", " ", "-", " ").Replace(p.paper.card.Name)}, p.paper.card.Creators...) {
		for _, w := range clause.Parse(text).Words {
			card[segment.Stem(w)] = true
		}
	}
	var out []string
	s := clause.Parse(said)
	for i, t := range s.Tokens {
		w := s.Words[i]
		switch {
		case !t.Content() || t.Date || t.Number || card[segment.Stem(strings.TrimSuffix(w, "'s"))] || lexicon.Honorific.Has(w) || lexicon.Month.Has(w):
		case lexicon.Report.Has(w) || lexicon.Contention.Has(w) || lexicon.Attribution.Has(w) || lexicon.SourceNoun.Has(w) || lexicon.Announcement.Has(w):
		default:
			out = append(out, w)
		}
	}
	return out
}
