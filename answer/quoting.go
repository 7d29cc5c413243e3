package answer

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"muniment/answer/gate"
	"muniment/cid"
	"muniment/cite"
	"muniment/draft/enforce"
	"muniment/judge"
	"muniment/judge/assign"
	"muniment/search/catalogue"
	"muniment/search/rank"
	"muniment/search/retrieve"
	"muniment/text/clause"
	"muniment/text/lexicon"
	"muniment/text/segment"
)

// The tests that a quote can fail before it reaches a rung, as the sealed layer
// names them.
const (
	testFound   = "found"   // some sentence holds a word of the question
	testScore   = "score"   // the archive holds enough of the question
	testAnswers = "answers" // it is an answer; the profile shows no nearest passages
)

// quotes returns candidates in the archive's own words for a part of a question: what answers it, else at most so many that come nearest; without enough
// evidence the best one, for auditors only.
func (v *viewer) quotes(f passages, passages []retrieve.Passage, nearest int) []candidate {
	part, asked := f.topic.part, f.asked
	hasWord := func(t retrieve.Term) bool { return t.Stem != "" }
	if len(passages) > 0 && passages[0].Dated && !slices.ContainsFunc(passages[0].Terms, hasWord) { // found by a date alone
		return v.quoteDay(part, passages)
	}
	weights, papers := rank.Default(), v.rankable(passages)
	all := rank.Candidates(asked, papers)
	ranked := rank.Choose(all, weights)
	if len(ranked) == 0 {
		return nil
	}
	quote := func(of []rank.Candidate) candidate {
		c := v.quote(part, &passages[of[0].Passage], of[0], weights)
		c.also, c.agreement = findAgreement(part, passages, f.copies, of, 0)
		return c
	}
	if ranked[0].Score >= weights.High { // what its paper does not state neither answers nor comes next to an answer
		stated := rank.Choose(slices.DeleteFunc(all, func(c rank.Candidate) bool {
			return c.Score >= weights.High-1000*weights.Lead && v.governs(part.Text, &passages[c.Passage], c) != ""
		}), weights)
		if len(stated) > 0 && weights.IsAnswer(stated[0].Features) {
			if c := quote(stated); !stated[0].Both || c.ev.Quote == stated[0].Text[catalogue.FormalPrefix(stated[0].Text):] {
				c.role = cite.RoleAnswer
				return []candidate{c}
			}
		}
	}
	first := quote(ranked)
	test := testAnswers
	evidence := asked.Weigh(ranked, papers)
	if evidence.Corresponds = evidence.Corresponds && !v.hidesNames(); !evidence.Suffices() {
		nearest, test = 0, testScore
	}
	if nearest == 0 {
		first.gone = &loss{kind: gate.KindCoverage, test: test}
		return []candidate{first}
	}
	first.opposition = describeOpposition(ranked)
	if wide := f.withAround(passages); ranked[0].Features.Opposed == 0 && len(wide) > len(passages) {
		passages, papers = wide, v.rankable(wide)
		ranked = rank.Rank(asked, papers, weights)
	}
	out := v.nearest(f, passages, papers, ranked, nearest, weights)
	if len(out) == 0 {
		return []candidate{first}
	}
	out[0].opposition = first.opposition
	return out
}

// withAround returns passages with those around them that are of the same papers.
func (f *passages) withAround(of []retrieve.Passage) []retrieve.Passage {
	return slices.Concat(of, slices.DeleteFunc(slices.Clone(f.around), func(p retrieve.Passage) bool {
		return !slices.ContainsFunc(of, func(o retrieve.Passage) bool { return o.Artifact == p.Artifact })
	}))
}

// governs returns why a paper itself does not state the sentence of a candidate, or the clause of it that was asked for: what is around it calls it
// false, invented or somebody else's, by the one judge; "" where nothing does. What cannot be read is for the display gates.
func (v *viewer) governs(question string, p *retrieve.Passage, r rank.Candidate) string {
	doc, err := v.document(p.Artifact)
	if err != nil {
		return ""
	}
	words, err := judge.At(doc, spanWithin(p, r.Main), assign.PaperOf(p, v.subject()))
	if err != nil {
		return ""
	}
	claims := []segment.Range{r.Main, r.Clause}
	if lexicon.Condition.In(clause.Parse(question).Words) != "" { // it asks what is so on a condition, which LeftOut looks for in it
		claims = claims[:1]
	}
	for _, claim := range claims {
		if j := judge.Judge(p.Text[claim.Start:claim.End], words); j.Verdict != cite.ClaimFollows && j.Rule == judge.Scope {
			return j.Reason
		}
	}
	if r.Clause == r.Main {
		return ""
	}
	asked, err := judge.At(doc, spanWithin(p, r.Clause), assign.PaperOf(p, v.subject()))
	if err != nil {
		return ""
	}
	return judge.LeftOut(asked, judge.Use{Said: "…", Around: question})
}

// nearest returns at most so many passages, or up to maxNearlyEqual where these are all that a profile may have and more are near the
// best: one of each group that tells the same event and none that only repeats another one, each with its best sentence
// as the claim; candidates that contradict the first one come after it.
func (v *viewer) nearest(f passages, passages []retrieve.Passage, papers []rank.Passage, ranked []rank.Candidate, most int, w rank.Weights) (out []candidate) {
	seen := map[int]bool{}
	var shown []*rank.Candidate
	for _, opposing := range []bool{true, false} {
		for i, r := range ranked {
			if len(out) == maxNearlyEqual || len(out) >= most && (most < enforce.MaxNearest || ranked[0].Score-r.Score > nearlyEqual && !v.readsWhole(passages[r.Passage].Artifact)) {
				break
			}
			if seen[r.Passage] || r.Group != i || i > 0 && r.Opposes != opposing || i == 0 && !opposing || slices.ContainsFunc(shown, r.Repeats) {
				continue
			}
			seen[r.Passage], shown = true, append(shown, &ranked[i])
			p := &passages[r.Passage]
			c := v.passage(f.topic.part, p, papers[r.Passage].Body(), r)
			c.also, c.agreement = findAgreement(f.topic.part, passages, f.copies, ranked, i)
			if under, first, ok := v.underHeading(p, r.Main); ok { // a heading is no quote
				r.Main, r.Clause, r.Both = first, first, false
				c, p = v.passage(f.topic.part, under, segment.Range{End: len(under.Text)}, r), under
			}
			c.role, c.ranking, c.governed = cite.RoleNearest, rankingOf(r, w), v.governs(f.topic.part.Text, p, r)
			if (len(out) < most || c.governed == "") && !slices.ContainsFunc(out, func(o candidate) bool {
				return o.ev.Artifact == c.ev.Artifact && o.ev.Span == c.ev.Span && o.marked == c.marked
			}) {
				out = append(out, c)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b candidate) int { // what its paper does not state comes last
		return cmp.Compare(min(1, len(a.governed)), min(1, len(b.governed)))
	})
	return out
}

const (
	// nearlyEqual is how far below the best score one is at most that is near it: scores of such passages do not tell which of them answers.
	nearlyEqual = 2_000_000
	// maxNearlyEqual is how many passages are shown where more than a profile's most are near the best.
	maxNearlyEqual = 6
)

// underHeading returns the passage and the place in it of the first sentence under a heading; ok is false where a sentence is none: it is neither in
// capitals before others nor a paragraph above one that does not look like a heading, with at most one between them that does.
func (v *viewer) underHeading(p *retrieve.Passage, r segment.Range) (under *retrieve.Passage, first segment.Range, ok bool) {
	sentence := p.Text[r.Start:r.End]
	doc, err := v.document(p.Artifact)
	if err != nil || p.Span.Kind != cite.Paragraphs || !segment.IsHeading(sentence) {
		return nil, r, false
	}
	if rest := (&rank.Passage{Text: p.Text[r.End:], Lang: p.Lang}).Sentences(); len(rest) > 0 {
		return p, segment.Range{Start: r.End + rest[0].Start, End: r.End + rest[0].End}, sentence == strings.ToUpper(sentence)
	}
	units := doc.Units(cite.Paragraphs)
	text := func(at int) string { return string(doc.Payload()[units[at].Start:units[at].End]) }
	next := p.Span.From.Unit
	for at := next; at < min(len(units), next+2) && segment.IsHeading(text(next-1)); at++ {
		if all := (&rank.Passage{Text: text(at), Lang: p.Lang}).Sentences(); len(all) > 0 && !segment.IsHeading(text(at)) {
			below := *p
			below.Text, below.Span.From, below.Span.To = text(at), cite.Point{Unit: at + 1}, cite.Point{Unit: at + 1, Offset: utf8.RuneCountInString(text(at))}
			return &below, all[0], true
		}
	}
	return nil, r, false
}

// passage returns the body of a passage with the sentence of it that a ranked candidate has as the claim. Where the paper may not be read whole, the sentence
// is all that is quoted.
func (v *viewer) passage(part segment.Part, p *retrieve.Passage, body segment.Range, r rank.Candidate) candidate {
	marked := r.Main
	if r.Both {
		marked = segment.Range{Start: r.From, End: r.To}
	}
	if !v.readsWhole(p.Artifact) {
		c := quoteRange(part, p, marked)
		c.ev.Similarity = float64(r.Features.Sentence) / 1000
		return c
	}
	c := quoteRange(part, p, segment.Range{Start: min(body.Start, marked.Start), End: max(body.End, marked.End)})
	marked.Start += catalogue.FormalPrefix(p.Text[marked.Start:marked.End])
	c.ev.Similarity, c.marked = float64(r.Features.Sentence)/1000, p.Text[marked.Start:marked.End]
	return c
}

// readsWhole reports whether the viewer may read an artifact whole. What cannot be decided is for the display gates.
func (v *viewer) readsWhole(artifact string) bool {
	id, err := cid.ParseAs(cid.Raw, artifact)
	if err != nil {
		return false
	}
	perm, err := v.permission(id, "")
	return err == nil && perm.Whole()
}

// rankable returns passages as they are ranked, of which no paper is read.
func rankable(passages []retrieve.Passage) []rank.Passage {
	out := make([]rank.Passage, len(passages))
	for i, p := range passages {
		out[i] = rank.Passage{Text: p.Text, Title: p.Title, Author: p.Author, Lang: p.Lang, Document: p.Artifact, Dated: p.Dated}
	}
	return out
}

// rankable returns passages as they are ranked, with what their papers say of writer, addressee and place.
func (v *viewer) rankable(passages []retrieve.Passage) []rank.Passage {
	out := rankable(passages)
	for i := range out {
		v.describePaper(&out[i])
	}
	return out
}

// describePaper adds to a passage what the head and the signature of its paper say. A paper that cannot be read adds nothing.
func (v *viewer) describePaper(p *rank.Passage) {
	id, err := cid.ParseAs(cid.Raw, p.Document)
	if err != nil {
		return
	}
	stored, err := v.view.Record(id)
	if err != nil || !stored.Record.Textual() {
		return
	}
	doc, err := v.document(p.Document)
	if err != nil {
		return
	}
	name := ""
	if len(stored.Record.Names) > 0 {
		name = path.Base(stored.Record.Names[0])
	}
	p.Describe(string(doc.Payload()), name)
}

// quote returns a ranked candidate with its evidence: the words themselves. A pair
// of sentences is cut to the one that answers, unless the other says who a pronoun is and
// the viewer's tier may be shown both.
func (v *viewer) quote(part segment.Part, p *retrieve.Passage, r rank.Candidate, w rank.Weights) candidate {
	from, to := r.From, r.To
	if r.Features.Pair > 0 && (!r.Both || utf8.RuneCountInString(r.Text) > v.limit()) {
		from, to = r.Main.Start, r.Main.End
	}
	c := quoteRange(part, p, segment.Range{Start: from, End: to})
	c.ev.Similarity, c.ranking = float64(r.Features.Sentence)/1000, rankingOf(r, w)
	return c
}

// quoteRange returns a range of a passage's text as a candidate, without a salutation or the time of a cue before it.
func quoteRange(part segment.Part, p *retrieve.Passage, r segment.Range) candidate {
	r.Start += catalogue.FormalPrefix(p.Text[r.Start:r.End])
	ev := assign.Evidence{Relation: cite.DirectQuote, Match: cite.Exact, Aligned: true, Artifact: p.Artifact, Span: spanWithin(p, r), Quote: p.Text[r.Start:r.End], Similarity: 1}
	return candidate{topic: part.Text, text: ev.Quote, own: true, ev: ev, input: ev.Input(), need: part.Words}
}

const (
	// maxOfDay is how many sentences answer a question that names a day and nothing else.
	maxOfDay = 3
	// dayWords is the least length of such a sentence: what is shorter is a date or a salutation.
	dayWords = 5
)

// quoteDay returns the first sentences of the paper of a day, in the order of the
// text. Nothing else was asked for, so
// that there is nothing to score.
func (v *viewer) quoteDay(part segment.Part, passages []retrieve.Passage) []candidate {
	of := slices.DeleteFunc(slices.Clone(passages), func(p retrieve.Passage) bool { return !p.Dated || p.Artifact != passages[0].Artifact })
	slices.SortStableFunc(of, func(a, b retrieve.Passage) int {
		return cmp.Or(cmp.Compare(a.Span.From.Unit, b.Span.From.Unit), cmp.Compare(a.Span.From.Offset, b.Span.From.Offset))
	})
	var out []candidate
	for i := range of {
		for _, s := range segment.Sentences(of[i].Text, of[i].Lang) {
			text := of[i].Text[s.Start:s.End]
			if of[i].Span.Kind != cite.Paragraphs || len(segment.Words(text)) >= dayWords && strings.ContainsAny(text[max(0, len(text)-4):], ".!?…;:") {
				out = append(out, quoteRange(part, &of[i], s))
			}
		}
	}
	return out[:min(len(out), maxOfDay)]
}

// maxLines is how many lines are quoted for a creative text.
const maxLines = 5

// quoteLines returns the sentences that hold all words of what a creative text is to be about, in the
// order of the passages: lines to be quoted in it. Nothing is asked, so that there is nothing to score.
func (v *viewer) quoteLines(part segment.Part, words []string, passages []retrieve.Passage) []candidate {
	out, seen := []candidate(nil), map[string]bool{}
	for _, p := range passages {
		for _, s := range segment.Sentences(p.Text, p.Lang) {
			text := p.Text[s.Start:s.End]
			have := retrieve.ContentWords(text, nil)
			if len(out) == maxLines || seen[text] || slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(have, w) }) {
				continue
			}
			seen[text] = true
			out = append(out, quoteRange(part, &p, s))
		}
	}
	return out
}

// rankingOf returns the score of a candidate as the sealed layer keeps it.
func rankingOf(r rank.Candidate, w rank.Weights) *cite.Ranking {
	out := &cite.Ranking{Table: w.Version, Score: int64(r.Score), High: int64(w.High), Low: int64(w.Low)}
	for _, f := range r.Features.Fields() {
		out.Features = append(out.Features, cite.Feature{Name: f.Name, Value: int64(f.Value)})
	}
	return out
}

// areNearest reports whether claims are nothing but nearest passages.
func areNearest(claims []shown) bool {
	return len(claims) > 0 && !slices.ContainsFunc(claims, func(s shown) bool { return s.role != cite.RoleNearest })
}
