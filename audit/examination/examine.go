package examination

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"muniment/archive/problem"
	"muniment/draft/examine"
)

// Options say where to look and how.
type Options struct {
	Places []Place
	// Complete names what the archives have whole, each a creator, a series or a kind, "all" for everything: of a
	// source that it covers a quotation that is not there is nowhere, though the source named is not here.
	Complete []string
	Progress func(done, total int) // of an index that is brought up to date; may be nil
}

// Examine reads a document, finds its quotations, looks each up in the papers that the caller may read, and says what it is worth.
func Examine(ctx context.Context, in Input, o Options) (*Report, error) {
	if len(o.Places) == 0 {
		return nil, problem.New(problem.Usage, problem.Advise("name an archive"), "there is no archive to look in")
	}
	doc, err := readInput(in)
	if err != nil {
		return nil, err
	}
	l, err := openLibrary(ctx, o.Places, o.Progress)
	if err != nil {
		return nil, err
	}
	defer l.close()
	for _, scope := range o.Complete {
		if held, err := l.holds(scope); err != nil {
			return nil, err
		} else if !held {
			return nil, problem.New(problem.Usage, problem.Advise("name a creator, a series or a kind as its records have it, or all"), "the archive has nothing of “%s” that can be declared complete", scope)
		}
	}
	return examineIn(l, doc, o)
}

// examineIn examines a document in a library.
func examineIn(l *library, doc *document, o Options) (*Report, error) {
	reading := examine.Read(doc.text, "")
	sum := sha256.Sum256(doc.data)
	r := &Report{Document: Document{Name: doc.name, SHA256: hex.EncodeToString(sum[:]), Bytes: len(doc.data), MediaType: doc.mediaType, Language: reading.Lang, Pages: doc.pages()},
		Complete: o.Complete, Items: []Item{}, Skipped: reading.Skipped, text: doc.text}
	for _, h := range l.halls {
		r.Archives = append(r.Archives, SearchedArchive{ID: h.Archive.ID().String(), Name: h.Archive.Name(), Snapshot: h.head.ID.String(), Papers: h.papers, Coverage: h.index.Searched})
	}
	if n := len(reading.Quotations); n > MaxItems {
		reading.Quotations, r.Skipped = reading.Quotations[:MaxItems], r.Skipped+n-MaxItems
	}
	x := &examiner{library: l, options: o, report: r, candidates: make([][]int, len(reading.Quotations)), last: -1}
	if err := x.lookUp(reading); err != nil {
		return nil, err
	}
	statements := reading.Statements
	for i := range reading.Quotations {
		q := &reading.Quotations[i]
		for len(statements) > 0 && statements[0].Start < q.Start {
			if err := x.addStatement(doc, &statements[0]); err != nil {
				return nil, err
			}
			statements = statements[1:]
		}
		if err := x.add(doc, q, x.candidates[i]); err != nil {
			return nil, err
		}
		if err := l.ctx.Err(); err != nil {
			return nil, interruption()
		}
	}
	for i := range statements {
		if err := x.addStatement(doc, &statements[i]); err != nil {
			return nil, err
		}
	}
	r.count()
	return r, x.checkCoverage()
}

// interruption returns the error of an examination that its context ended. An examination stages nothing.
func interruption() error {
	return &problem.Error{Kind: problem.Interrupted, Message: "interrupted; the text was not examined to its end", Next: problem.Advise("run the same command again, or examine the text in parts")}
}

// An examiner goes through a document in its order.
type examiner struct {
	library    *library
	options    Options
	report     *Report
	candidates [][]int
	last       int // the card of the source named last, -1 for none
	lastNamed  *NamedSource
}

// lookUp searches for every quotation and every source, so that all cards are on the shelf before one is compared.
// Where they are there already, a quotation is searched for when its source does not have it.
func (x *examiner) lookUp(r *examine.Reading) error {
	if !slices.ContainsFunc(x.library.halls, func(h *hall) bool { return h.papers > wholeShelf }) {
		x.library.fillShelf()
		return nil
	}
	done := map[string]bool{}
	propose := func(all []examine.Mention) error {
		for _, m := range all[:min(len(all), proposedMentions)] {
			if err := x.library.propose(m, done); err != nil {
				return err
			}
		}
		return nil
	}
	for i := range r.Quotations {
		if err := propose(r.Quotations[i].Mentions); err != nil {
			return err
		}
	}
	for i := range r.Statements {
		if err := propose(r.Statements[i].Mentions); err != nil {
			return err
		}
	}
	x.library.fillShelf()
	for i := range r.Quotations {
		q := &r.Quotations[i]
		if has, err := x.hasIt(q); err != nil || has {
			if err != nil {
				return err
			}
			continue // a later search starts where it is needed
		}
		found, err := x.library.search(q.Words())
		if err != nil {
			return err
		}
		if x.candidates[i] = found; found == nil {
			x.candidates[i] = []int{}
		}
	}
	x.library.fillShelf()
	return nil
}

// hasIt reports whether the likeliest paper that the first mention of a quotation means has its words as they are.
func (x *examiner) hasIt(q *examine.Quotation) (bool, error) {
	if len(q.Mentions) == 0 || q.Mentions[0].Again {
		return false, nil
	}
	cards := x.library.matchOf(q.Mentions[0]).Cards
	if len(cards) == 0 {
		return false, nil
	}
	h, err := x.bestIn(cards[:1], q.Words())
	return h.good(), err
}

// proposedMentions is of how many mentions of a quotation the sources are searched in a large archive.
const proposedMentions = 4

// checkCoverage refuses to say that words are nowhere where a part of an archive was not searched.
func (x *examiner) checkCoverage() error {
	if x.report.Counts[Nowhere] == 0 {
		return nil
	}
	for _, h := range x.library.halls {
		if err := h.index.Searched.NotSearched(); err != nil {
			return err
		}
	}
	return nil
}
