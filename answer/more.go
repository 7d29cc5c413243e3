package answer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"muniment/answer/budget"
	"muniment/answer/gate"
	"muniment/archive"
	"muniment/archive/problem"
	"muniment/bundle"
	"muniment/bundle/bundlefile"
	bundledisplay "muniment/bundle/display"
	"muniment/bundle/leaf"
	"muniment/canon"
	"muniment/cid"
	"muniment/cite"
	"muniment/history"
	"muniment/judge/assign"
	"muniment/ledger"
	"muniment/search/rank"
	"muniment/snapshot/access"
	"muniment/text/legible"
	"muniment/text/segment"
)

// More shows more of the text around a citation of an answer: the sentences
// beside it, within the budget. ref is the handle that the answer gave it,
// "Source A" or "A"; the number that the answer printed before the claim; or the
// ID of the citation, for whoever can open the bundle. file is the answer's
// bundle, complete or as displayed; "" is the last answer to the same requestor.
func More(ctx context.Context, a *archive.Archive, ref, file string, o AskOptions) (*Result, error) {
	all, b, err := readShown(a, file, o)
	if err != nil {
		return nil, err
	}
	at, err := findShown(a, strings.TrimSpace(ref), all, b)
	if err != nil {
		return nil, err
	}
	if at.Requestor != accountOf(o.Requestor, o.Account) && !o.Auditor {
		return nil, problem.New(problem.NotPermitted, problem.Next(problem.DoGive, "requestor", "NAME").With("ask with the name that the answer was given to"), "the answer was given to another requestor")
	}
	if strings.HasPrefix(at.Span, cite.MetaPrefix) {
		return nil, problem.New(problem.Usage, problem.Next(problem.DoShow), "%s is a field of a record, which has no text around it", at.Handle)
	}
	span, err := cite.ParseSpan(at.Span)
	if err != nil {
		return nil, problem.Wrap(err, "ledger")
	}
	place := Place{Handle: at.Handle, Answer: at.Answer, Artifact: at.Artifact, Span: span, Shown: budget.Range{Start: at.First, End: at.Past}}
	if err := place.setRole(a, b); err != nil {
		return nil, err
	}
	o.subject = at.Answer + " " + at.Handle
	return deliver(ctx, a, "more", o, func(p *Pipeline, r Request) (*Response, error) { return p.More(ctx, place, r) })
}

// setRole notes whether the citation is of a nearest passage, and to which question. b is the
// answer's bundle, nil for the one that is kept here; an answer with nearest passages
// always is (keepBundle).
func (at *Place) setRole(a *archive.Archive, b *bundle.Bundle) error {
	if b == nil {
		file, err := a.LocalPath(archive.BundlesDir, at.Answer+keptExt)
		if err != nil {
			return err
		}
		if b, err = bundlefile.Read(file); errors.Is(err, fs.ErrNotExist) {
			pruned, err := wasPruned(a, at.Answer)
			if pruned {
				return problem.Negative(problem.NotFound, problem.Next(DoAskFirst), "the bundle of that answer was pruned here, as the policy for kept answers says")
			}
			return err
		} else if err != nil {
			return archive.BundleError(file, err)
		}
	}
	view, err := bundle.Render(b)
	if err != nil {
		return problem.Wrap(err, "bundle")
	}
	for _, c := range view.Claims {
		if c.Role == cite.RoleNearest && slices.ContainsFunc(c.Citations, func(s bundledisplay.Cite) bool { return s.Handle == at.Handle }) {
			at.Nearest, at.Question = true, view.Asked
		}
	}
	if at.Nearest && at.Question == "" {
		return problem.Negative(problem.NotFound, problem.Next(DoAskFirst).With("more of a nearest passage is scored for its question"),
			"%s is a nearest passage, and its answer's bundle does not say to which question", at.Handle)
	}
	return nil
}

// readShown returns the citations that an answer showed, in the order of its
// claims, and its bundle, nil where only the ledger knows the answer.
func readShown(a *archive.Archive, file string, o AskOptions) ([]ledger.Shown, *bundle.Bundle, error) {
	l, err := ledger.Of(a)
	if err != nil {
		return nil, nil, err
	}
	var b *bundle.Bundle
	id, from := "", "no citation of this answer is known here"
	if file != "" {
		if b, err = bundlefile.Read(file); err != nil {
			return nil, nil, archive.BundleError(file, err)
		}
		st := b.Statement()
		id = answerID(&st)
	} else {
		from = "no answer with a citation was given here to " + cmp.Or(legible.Printable(o.Requestor), "whoever gives no name")
		last, err := l.LastShown(accountOf(o.Requestor, o.Account), o.Auditor)
		if err != nil && !errors.Is(err, ledger.ErrNotFound) {
			return nil, nil, problem.Wrap(err, "ledger")
		}
		id = last.Answer
	}
	all, err := l.ShownUnder(id, "")
	if errors.Is(err, ledger.ErrNotFound) {
		return nil, nil, problem.Negative(problem.NotFound, problem.Next(DoAskFirst).With("an answer given elsewhere is known there"), "%s", from)
	}
	return all, b, problem.Wrap(err, "ledger")
}

// findShown returns the citation that ref means: a handle, a number or an ID.
func findShown(a *archive.Archive, ref string, all []ledger.Shown, b *bundle.Bundle) (*ledger.Shown, error) {
	for i := range all {
		if h := all[i].Handle; strings.EqualFold(h, ref) || strings.EqualFold(strings.TrimPrefix(h, "Source "), ref) {
			return &all[i], nil
		}
	}
	n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(ref, "#"), "."))
	if err == nil && n >= 1 && n <= len(all) {
		return &all[n-1], nil
	}
	if _, err := cid.ParseAs(cid.JSON, ref); err == nil {
		return findShownByID(a, ref, all, b)
	}
	var handles []string
	for _, s := range all {
		if !slices.Contains(handles, s.Handle) {
			handles = append(handles, s.Handle)
		}
	}
	one := strings.TrimPrefix(handles[0], "Source ")
	next := problem.Next(DoMore, one)
	if len(handles) > 1 {
		next = problem.Next(DoMore, one).With("it has " + strings.Join(handles[:min(len(handles), 8)], ", "))
	}
	return nil, problem.Negative(problem.NotFound, next, "the answer has no %q", legible.Printable(ref))
}

// findShownByID returns the citation with an ID, which only the sealed part of a bundle holds.
func findShownByID(a *archive.Archive, id string, all []ledger.Shown, b *bundle.Bundle) (*ledger.Shown, error) {
	handle := strings.TrimPrefix(all[0].Handle, "Source ")
	absent := func(why string) error {
		return problem.Negative(problem.NotFound, problem.Next(DoMore, handle), "%s", why)
	}
	if b == nil {
		file, err := a.LocalPath(archive.BundlesDir, all[0].Answer+keptExt)
		if err != nil {
			return nil, err
		}
		if b, err = bundlefile.Read(file); err != nil {
			return nil, problem.Negative(problem.NotFound, problem.Next(DoMore, handle).With("or give the FILE.zip of the answer as the bundle"),
				"the answer's bundle is not in this copy of the archive, so its citations' IDs are not known")
		}
	}
	identity, err := history.ArchivistIdentity(a)
	if err != nil {
		return nil, err
	}
	if identity == nil {
		return nil, absent("a citation's ID is sealed, and this copy of the archive has no auditor identity")
	}
	o, err := b.Open(identity)
	if err != nil {
		return nil, problem.Wrap(err, "bundle")
	}
	for _, l := range o.Leaves {
		c, ok := l.(*leaf.Cite)
		if !ok {
			continue
		}
		src, ok := o.Leaves[c.Source].(*leaf.Source)
		if !ok || src.Citation != id {
			continue
		}
		for i := range all {
			if all[i].Handle == c.Handle && all[i].Span == src.Span {
				return &all[i], nil
			}
		}
	}
	return nil, absent(fmt.Sprintf("the answer has no citation %s", id))
}

// A Place is where a citation of an earlier answer stands.
type Place struct {
	Answer, Handle string
	Artifact       string
	Span           cite.Span
	Shown          budget.Range // what was shown of it, in code points of the text

	// Nearest says that the citation is of a nearest passage to Question: more of it is one, too.
	Nearest  bool
	Question string
}

// rankAgain gives the words around a nearest passage its role, with the score that the passage
// has now for its question. Where it is found no more, or its score is too low, nothing of it is delivered.
func (p *Pipeline) rankAgain(ctx context.Context, c *candidate, at Place, r Request) error {
	q := p.question(at.Question, asked, r)
	var topics []topic
	for _, part := range segment.QuestionParts(at.Question) {
		topics = append(topics, topicOf(part, scope{}))
	}
	found, err := p.retrieve(ctx, q, topics)
	if err != nil {
		return err
	}
	c.role, c.gone = cite.RoleNearest, &loss{kind: gate.KindCoverage, test: testScore}
	weights := rank.Default()
	for _, f := range found {
		papers := q.viewer.rankable(f.open)
		ranked := rank.Rank(f.asked, papers, weights)
		if !f.asked.Weigh(ranked, papers).Suffices() {
			continue
		}
		wide := f.withAround(f.open)
		for _, one := range rank.Rank(f.asked, q.viewer.rankable(wide), weights) {
			passage := &wide[one.Passage]
			again := quoteRange(f.topic.part, passage, segment.Range{Start: one.From, End: one.To}).ev.Span
			if passage.Artifact != at.Artifact || !overlap(again, at.Span) {
				continue
			}
			c.ranking, c.gone = rankingOf(one, weights), nil
			return nil
		}
	}
	return nil
}

// overlap reports whether two spans within one unit each share a code point.
func overlap(a, b cite.Span) bool {
	return a.Kind == b.Kind && a.From.Unit == b.From.Unit && a.From.Offset < b.To.Offset && b.From.Offset < a.To.Offset
}

// quoteAround returns the sentences around a citation, within its paragraph, as a
// candidate in the archive's own words.
func (v *viewer) quoteAround(topic string, at Place) (candidate, error) {
	id, err := cid.ParseAs(cid.Raw, at.Artifact)
	if err != nil {
		return candidate{}, err
	}
	doc, err := v.document(at.Artifact)
	if err != nil {
		return candidate{}, err
	}
	if units := doc.Units(at.Span.Kind); at.Span.From.Unit < 1 || at.Span.To.Unit > len(units) {
		return candidate{}, fmt.Errorf("span %s of artifact %s, which has %d units", at.Span, id, len(units))
	}
	perm, err := v.permission(id, "")
	if err != nil {
		return candidate{}, err
	}
	limit := perm.Excerpt
	if limit == access.Unlimited && !perm.Whole() {
		limit = access.UsualExcerpt
	}
	span, err := around(doc, at, limit*gate.ContextFactor)
	if err != nil {
		return candidate{}, err
	}
	words, err := cite.Quote(doc, span)
	if err != nil {
		return candidate{}, err
	}
	ev := assign.Evidence{Relation: cite.DirectQuote, Match: cite.Exact, Aligned: true, Artifact: at.Artifact, Span: span, Quote: words, Similarity: 1}
	return candidate{topic: topic, text: words, own: true, context: true, ev: ev, input: ev.Input(), need: wordsShown(doc, at)}, nil
}

// wordsShown returns the words that were shown: context that leaves them out is none.
func wordsShown(doc *canon.Document, at Place) []string {
	from, err := doc.ByteOffset(at.Shown.Start)
	if err != nil {
		return nil
	}
	to, err := doc.ByteOffset(at.Shown.End)
	if err != nil || to < from {
		return nil
	}
	var words []string
	for _, w := range segment.Words(string(doc.Payload()[from:to])) {
		words = append(words, w.Lower)
	}
	return words
}

// around widens a citation to whole sentences of its units, one after it and
// one before it in turn, while they fit into limit code points.
func around(doc *canon.Document, at Place, limit int) (cite.Span, error) {
	units := doc.Units(at.Span.Kind)
	first, last := units[at.Span.From.Unit-1], units[at.Span.To.Unit-1]
	if at.Span.From.Unit != at.Span.To.Unit {
		return at.Span, nil // it has whole paragraphs already
	}
	text := string(doc.Payload()[first.Start:last.End])
	sentences := segment.Sentences(text, "en")
	begin, end := byteAt(text, at.Span.From.Offset), byteAt(text, at.Span.To.Offset)
	i, j := -1, -1
	for k, s := range sentences {
		if s.Start < end && begin < s.End {
			if i < 0 {
				i = k
			}
			j = k
		}
	}
	if i < 0 {
		return at.Span, nil
	}
	fits := func(i, j int) bool {
		return utf8.RuneCountInString(text[sentences[i].Start:sentences[j].End]) <= limit
	}
	for grown := true; grown; {
		grown = false
		if j+1 < len(sentences) && fits(i, j+1) {
			j++
			grown = true
		}
		if i > 0 && fits(i-1, j) {
			i--
			grown = true
		}
	}
	span := at.Span
	span.From.Offset = utf8.RuneCountInString(text[:min(begin, sentences[i].Start)])
	span.To.Offset = utf8.RuneCountInString(text[:max(end, sentences[j].End)])
	return span, nil
}

// byteAt returns the place of a code point in a text, or its end.
func byteAt(text string, codePoint int) int {
	for i := range text {
		if codePoint == 0 {
			return i
		}
		codePoint--
	}
	return len(text)
}
