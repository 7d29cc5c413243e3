package answer

import (
	"cmp"
	"fmt"
	bundledisplay "muniment/bundle/display"
	"slices"
	"strings"
	"unicode/utf8"

	"muniment/answer/budget"
	"muniment/answer/gate"
	"muniment/canon"
	"muniment/cid"
	"muniment/cite"
	"muniment/text/segment"
)

// testProfile is the name of the test of a profile's thresholds in the sealed layer.
const testProfile = "profile"

// RestrictedReason is the reason of a topic that consent removed.
const RestrictedReason = "restricted by the person's instructions"

// hiddenRoom is how many leaves of an answer are kept free for what its
// requestor may not know of, so that their number does not show it.
const hiddenRoom = 20

// display passes the claims that reached a rung through the consent, tier and
// minimum-span gates and the requestor's budget, and adds what is left to what is
// known already. A topic of which nothing is left is removed.
func (p *Pipeline) display(q question, known display, all []rungs) (display, error) {
	d := known
	if q.origin == fromOutside {
		var err error
		if all, err = q.joinContradicted(all); err != nil {
			return display{}, err
		}
	}
	for _, r := range all {
		d.note(r.notices...)
		if r.written != nil {
			d.writings = append(d.writings, *r.written)
		}
		for _, x := range r.removed {
			d.removed = append(d.removed, p.veil(q, x))
		}
		for _, j := range r.dropped {
			d.failed = append(d.failed, shown{judged: j})
		}
		if err := d.hide(q, r.hidden); err != nil {
			return display{}, err
		}
		if err := p.displayTopic(q, r, &d); err != nil {
			return display{}, err
		}
	}
	if notice := q.judge.Notice(); notice != "" {
		d.note(notice)
	}
	if q.origin == fromOutside {
		for _, x := range q.request.Cut {
			d.removed = append(d.removed, p.veil(q, removal{RemovedTopic: x, kind: gate.KindCoverage}))
		}
	}
	return d, nil
}

// joinContradicted returns the rungs of a draft with one alone for each sentence of which the archive contradicts a part: what else the sentence
// says is not delivered without that part.
func (q question) joinContradicted(all []rungs) (out []rungs, err error) {
	for _, sentence := range segment.Sentences(q.text, "en") {
		from := len(out)
		for len(all) > 0 && all[0].sits.Start < sentence.End {
			out, all = append(out, all[0]), all[1:]
		}
		parts := out[from:]
		if len(parts) < 2 {
			continue
		}
		one := rungs{topic: strings.Join(strings.Fields(q.text[sentence.Start:sentence.End]), " ")}
		for _, part := range parts {
			one.hidden = append(one.hidden, part.hidden...)
			for _, j := range part.claims {
				if j.loss == nil || !j.ev.Contradicts() || len(one.claims) > 0 {
					continue
				}
				if j.loss.reason, err = q.explain(shown{judged: j}); err != nil {
					return nil, err
				} else if j.loss.reason != "" {
					one.claims = []judged{j}
				}
			}
		}
		if len(one.claims) > 0 {
			out = append(out[:from], one)
		}
	}
	return append(out, all...), nil
}

// displayTopic shows the claims of one topic, or removes it with the reason of
// the last of them.
func (p *Pipeline) displayTopic(q question, r rungs, d *display) error {
	gone := loss{kind: gate.KindRetrieval, test: testFound}
	if r.absent != "" {
		gone.kind, gone.test = r.absent, testProfile
	}
	if len(r.hidden) > 0 {
		gone.kind, gone.hidden = gate.KindConsent, true
	}
	delivered, answered := 0, false
	for _, j := range r.claims {
		s := shown{judged: j}
		if s.loss == nil {
			if err := q.show(&s); err != nil {
				return err
			}
		}
		if s.withheld != nil {
			d.withheld = append(d.withheld, *s.withheld)
		}
		if s.loss == nil {
			var err error
			if s.others, err = q.showAlso(s.also); err != nil {
				return err
			}
			delivered++
			answered = answered || s.role != cite.RoleNearest
			d.claims = append(d.claims, s)
			if s.cut != "" {
				why, err := q.explain(shown{judged: judged{candidate: candidate{topic: s.topic, text: s.topic, need: s.need, ev: s.uncut}}})
				if err != nil {
					return err
				}
				d.removed = append(d.removed, p.veil(q, removal{RemovedTopic: RemovedTopic{s.cut, cmp.Or(why, "the archive supports the rest of the sentence, not this")}, kind: gate.KindCoverage, test: "narrowed"}))
			}
			continue
		}
		if s.loss.reason == "" && q.origin == fromOutside {
			why, err := q.explain(s)
			if err != nil {
				return err
			}
			s.loss.reason = why
		}
		d.failed = append(d.failed, s)
		if gone.kind, gone.test = s.loss.kind, s.loss.test; gone.kind == gate.KindConsent {
			gone.hidden = s.loss.hidden
		}
		if s.loss.reason != "" {
			gone.reason = s.loss.reason
		}
	}
	if len(r.claims) > 1 && delivered > 1 && r.claims[0].opposition != "" {
		d.note(r.claims[0].opposition)
	}
	switch {
	case r.settled || answered:
	case delivered > 0:
		d.removed = append(d.removed, p.veil(q, removal{RemovedTopic: RemovedTopic{r.topic, bundledisplay.NearestReason}, kind: gate.KindCoverage, test: testAnswers}))
	default:
		d.removed = append(d.removed, p.veil(q, removal{RemovedTopic: RemovedTopic{r.topic, gone.reason}, kind: gone.kind, test: gone.test, hidden: gone.hidden}))
	}
	return nil
}

// explain returns why the nearest words of the archive do not support a sentence of a draft; "" where none were judged, or the requestor may not
// read them. What it quotes of the archive is charged as an excerpt.
func (q question) explain(s shown) (string, error) {
	if s.ev.Reason == "" || s.ev.Quote == "" {
		return "", nil
	}
	if err := q.view(&s); err != nil || s.view.Blocked || s.view.Restricted {
		return "", err
	}
	open, err := q.viewer.namesNobody(s.ev.Artifact)
	if err != nil {
		return "", err
	}
	words, reason := s.view.Excerpt.Text(), s.ev.Reason
	told := open && (q.viewer.readsWhole(s.ev.Artifact) || quotesOnly(reason, s.topic, words))
	switch {
	case s.ev.Contradicts() && told:
		reason = "the archive says the opposite: “" + words + "”: " + reason
	case s.ev.Contradicts():
		reason = "the archive says the opposite: “" + words + "”"
	case !told: // of what is around the words, or in the title, not even whether the claim has it
		reason = "the nearest words do not show it"
	}
	if err := q.meter(&s); err != nil || s.taken.Denied != "" {
		return "", err
	}
	return reason, nil
}

// namesNobody reports whether a paper names nobody who is protected.
func (v *viewer) namesNobody(artifact string) (bool, error) {
	doc, err := v.document(artifact)
	return err == nil && len(v.policy.Veils(string(doc.Payload()))) == 0, err
}

// quotesOnly reports whether what a reason quotes is in one of some texts. Quotation marks within a quotation are too hard to tell: then it is not.
func quotesOnly(reason string, texts ...string) bool {
	for at, part := range strings.Split(reason, "“") {
		quoted, _, closed := strings.Cut(part, "”")
		if at == 0 && closed || at > 0 && (strings.Count(part, "”") != 1 || !slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(strings.ToLower(t), strings.ToLower(quoted)) })) {
			return false
		}
	}
	return true
}

// notSupported is the reason of a sentence of a draft of which nothing more is said.
const notSupported = "nothing was found that supports it"

// veil returns a removal as its reader may see it: with a reason, and without the
// names of protected persons where the topic is not in the requestor's own words.
func (p *Pipeline) veil(q question, x removal) removal {
	if x.Reason == "" {
		if x.Reason = "nothing was found that answers it"; len(contentWords(x.Topic)) == 0 { // and since when?
			x.Reason = "it has no word to search for; what is shown may answer it"
		}
		if q.origin == fromOutside {
			x.Reason = notSupported
		}
		if gate.Shown(x.kind, !x.hidden) == gate.KindConsent {
			x.Reason = RestrictedReason
		}
	}
	if q.origin == fromOutside || q.origin == examination {
		x.Topic = p.Policy.Veiled(x.Topic)
	}
	return x
}

// show passes one claim through the gates. What stops it is its loss.
func (q question) show(s *shown) error {
	if err := q.view(s); err != nil {
		return err
	}
	if s.view.Restricted && (s.written || s.verdict.Rung == cite.Labeled || s.role == cite.RoleNearest) {
		// Its words would be all that is shown of what may not be shown; an inference, and
		// a passage of which nobody says that it answers, are nothing without theirs.
		s.view.Blocked = true
	}
	if s.view.Blocked {
		// Of a nearest passage nobody says that it is about the question: that it is withheld
		// must not be told as if the archive had an answer.
		s.judged = s.lose(loss{kind: gate.KindConsent, hidden: s.view.Hidden || s.role == cite.RoleNearest, test: "consent"})
		return nil
	}
	if err := q.meter(s); err != nil {
		return err
	}
	switch {
	case s.taken.Denied != "" && (s.own || s.written || s.verdict.Rung == cite.Labeled):
		// It is nothing without the words that it rests on.
		s.judged = s.lose(loss{kind: gate.KindConsent, reason: gate.BudgetReason(s.taken), test: "budget " + string(s.taken.Denied)})
	case s.own && !s.view.Restricted && s.view.Excerpt.Empty():
		s.judged = s.lose(loss{kind: gate.KindConsent, test: "persons"}) // nothing but protected names is left
	}
	return nil
}

// view passes a claim through the consent, tier and minimum-span gates.
func (q question) view(s *shown) error {
	id, err := cid.ParseAs(cid.Raw, s.ev.Artifact)
	if err != nil {
		return err
	}
	s.artifact = id
	perm, err := q.viewer.permission(id, s.ev.Quote+"\n"+s.text)
	if err != nil {
		return err
	}
	if s.context {
		perm.Excerpt *= gate.ContextFactor
	}
	s.reasons, s.whole = perm.Reasons, perm.Whole()
	excerpt := gate.CutAtClause(s.ev.Quote, s.need, perm.Excerpt)
	if rests := gate.BestSentence(s.ev.Quote, s.need); s.verdict.Rung == cite.Labeled && s.judge == nil && !excerpt.Within(rests) {
		// The sentence that an inference rests on is shown, and not its neighbour. A judge saw all
		// of the words: what it says is shown with all of them.
		excerpt = gate.CutAtClauseWithin(s.ev.Quote, rests, s.need, perm.Excerpt)
	}
	s.view = gate.Display(excerpt, perm)
	veils, err := q.viewer.veils(&s.candidate)
	if err != nil {
		return err
	}
	if q.names(veils) {
		// Whoever asks by a name must not be told the pseudonym that stands for it.
		s.view = gate.View{Excerpt: excerpt.Withhold(), Blocked: true}
		s.reasons = append(s.reasons, "surface: the question names an anonymized person")
	}
	if s.view.Blocked {
		return nil
	}
	s.view.Excerpt = s.view.Excerpt.Veil(veils)
	if !s.own {
		s.text, s.cut = q.viewer.policy.Veiled(s.text), q.viewer.policy.Veiled(s.cut)
		return nil
	}
	// The claim is the archive's own words: it says no more than may be shown.
	s.text = gate.RestrictedNotice
	if !s.view.Restricted {
		s.text = "“" + s.view.Excerpt.Text() + "”"
		if s.marked != "" && strings.Contains(s.view.Excerpt.Text(), s.marked) {
			s.text = "“" + s.marked + "”"
		}
	}
	return nil
}

// Withheld is a passage that the requestor's budget did not let through.
type Withheld struct {
	Artifact cid.ID
	Taken    budget.Taken
}

// meter charges the shown part of a claim's excerpt to the requestor's budget.
// What the budget denies is withheld.
func (q question) meter(s *shown) error {
	first, past := -1, 0
	for _, p := range s.view.Excerpt.Pieces {
		if p.Shown {
			if first < 0 {
				first = p.Start
			}
			past = p.End
		}
	}
	if first < 0 || s.view.Restricted {
		return nil
	}
	doc, err := q.viewer.document(s.ev.Artifact)
	if err != nil {
		return err
	}
	at, err := codePoint(doc, &s.candidate)
	if err != nil {
		return err
	}
	quote := s.ev.Quote
	s.passage = budget.Range{Start: at + utf8.RuneCountInString(quote[:first]), End: at + utf8.RuneCountInString(quote[:past])}
	if s.written && !s.own {
		// Not the excerpt beside it counts, but all that its words may repeat.
		s.passage = budget.Range{Start: at, End: at + utf8.RuneCountInString(quote)}
	}
	if q.request.Budget == nil || s.whole {
		return nil // whoever may read the paper whole is not metered
	}
	length, err := q.viewer.length(s.artifact)
	if err != nil {
		return err
	}
	if s.taken, err = q.request.Budget.Take(s.artifact.String(), length, s.passage); err != nil || s.taken.Denied == "" {
		return err
	}
	s.withheld = &Withheld{s.artifact, s.taken}
	s.view.Excerpt = s.view.Excerpt.Withhold()
	s.passage = budget.Range{}
	s.reasons = append(s.reasons, fmt.Sprintf("budget: %s denies %d code points", s.taken.Denied, s.taken.Fresh))
	s.taken.Fresh = 0
	return nil
}

// codePoint returns the place of a candidate's quote in its text.
func codePoint(doc *canon.Document, c *candidate) (int, error) {
	units := doc.Units(c.ev.Span.Kind)
	at, err := doc.CodePoint(units[c.ev.Span.From.Unit-1].Start)
	return at + c.ev.Span.From.Offset, err
}

// hide keeps candidates that the requestor may not know of, for auditors, as
// long as there is room.
func (d *display) hide(q question, hidden []candidate) error {
	for _, c := range hidden {
		if d.secrets++; leavesOfHidden*d.secrets >= hiddenRoom {
			continue
		}
		s := shown{judged: judged{candidate: c, verdict: cite.Judge(c.input)}}
		if err := q.view(&s); err != nil {
			return err
		}
		s.unknown = true
		d.failed = append(d.failed, s)
	}
	return nil
}

// countUnquoted counts the delivered claims whose excerpt the budget withheld.
func (d *display) countUnquoted() int {
	n := 0
	for i := range d.claims {
		if d.claims[i].taken.Denied != "" {
			n++
		}
	}
	return n
}
