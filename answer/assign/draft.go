package assign

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"muniment/answer/retrieve"
	"muniment/answer/segment"
	"muniment/cite"
)

const (
	// DraftSimilarity is the least share of words of a passage that sentences are taken from. Tuned on the
	// development set of the tests.
	DraftSimilarity = 0.72
	// sentenceShare is the least idf-weighted share of the question's words in one sentence, or in two
	// adjacent ones.
	sentenceShare = 0.72
	// alike is how near to the best sentence's share a further one must come to be drafted beside it.
	alike = 0.9
	// reach, times the number of the question's words, is how many words of a sentence may
	// lie between them: sentences of old texts go on for a page, and their ends have nothing to do with
	// their beginnings.
	reach = 6
	// brief is how many code points a sentence may have to come before a longer one that says as much.
	brief = 140
	// MaxDrafted is how many sentences answer one part of a question.
	MaxDrafted = 3
	// dayWords is the least length of a sentence that answers "what happened on that day".
	dayWords = 5
)

// Draft answers a part of a question with one to three sentences of passages found for it, the exact
// bytes of the archive. It returns none, a refusal, unless the index knows every word of the question, there
// are two (one may be a date), and a sentence, or two adjacent ones, hold all but the most general near one
// another, and have the form the question asks for: a number beside what is counted, a cause for why, a
// description for who is, the verb with the question's subject and no other.
// Sentences of a dated question come in reading order, others best first. fits, which may be nil, tells
// whether a sentence can be shown to who asks; those that can are preferred to those that cannot.
func Draft(part segment.Part, passages []retrieve.Passage, fits func(sentence string) bool) []Drafted {
	var pool []candidate
	q := ask(part.Text)
	passages = countFamilies(passages)
	for i := range passages {
		p := &passages[i]
		if p.Share < DraftSimilarity || !answerable(p.Terms) {
			continue
		}
		pool = append(pool, candidates(p, i, q)...)
	}
	pool = showable(pool, fits)
	if len(pool) == 0 {
		return nil
	}
	slices.SortStableFunc(pool, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.share, a.share), cmp.Compare(b.owned, a.owned), cmp.Compare(a.long(), b.long()), cmp.Compare(a.passage, b.passage), cmp.Compare(a.first, b.first))
	})
	out := choose(pool, wide(part.Query()))
	if pool[0].p.Dated {
		slices.SortStableFunc(out, func(a, b candidate) int {
			return cmp.Or(strings.Compare(a.p.Date, b.p.Date), strings.Compare(a.p.Artifact, b.p.Artifact),
				cmp.Compare(a.p.Span.From.Unit, b.p.Span.From.Unit), cmp.Compare(a.p.Span.From.Offset, b.p.Span.From.Offset),
				cmp.Compare(a.first, b.first))
		})
	}
	var drafted []Drafted
	for _, c := range out {
		drafted = append(drafted, c.drafted()...)
	}
	return drafted[:min(len(drafted), MaxDrafted)]
}

// showable keeps the candidates whose every sentence fits, or all when none does.
func showable(pool []candidate, fits func(string) bool) []candidate {
	if fits == nil {
		return pool
	}
	kept := slices.DeleteFunc(slices.Clone(pool), func(c candidate) bool {
		return slices.ContainsFunc(c.sentence, func(r segment.Range) bool { return !fits(c.p.Text[r.Start:r.End]) })
	})
	if len(kept) == 0 {
		return pool
	}
	return kept
}

var counting = regexp.MustCompile(`(?i)\bhow (?:many|much|old|long|far)\b|\bwie ?viele?\b`)

// answerable reports whether the index knows every word of a question, and whether there are two, of which
// one may be a date: one word is a topic.
func answerable(terms []retrieve.Term) bool {
	if slices.ContainsFunc(terms, func(t retrieve.Term) bool { return !t.Known }) {
		return false
	}
	return len(terms) > 1 || onlyDate(terms)
}

// candidate is a sentence, or two adjacent ones, of a passage.
type candidate struct {
	p        *retrieve.Passage
	passage  int // rank of the passage
	first    int // number of its first sentence
	share    float64
	owned    int             // 1 where the writer calls an opinion their own
	sentence []segment.Range // offsets in the passage's text
	shares   []float64
}

// long orders candidates by how much of them a reader would be shown: 0 for all of it, 1 for most.
func (c candidate) long() int {
	n := 0
	for _, r := range c.sentence {
		n = max(n, runes(c.p.Text[r.Start:r.End]))
	}
	switch {
	case n <= brief:
		return 0
	case n <= 2*brief:
		return 1
	}
	return 2
}

// candidates returns the sentences of a passage that hold enough of the question, and pairs
// where no single one does.
func candidates(p *retrieve.Passage, rank int, q question) []candidate {
	sentences := segment.Sentences(p.Text, p.Lang)
	needed, supplied := required(p.Terms), suppliedByTitle(p)
	for i := range p.Terms {
		supplied[i] = supplied[i] || q.scene[p.Terms[i].Stem] && p.Terms[i].Found // said once of a day, not in every sentence
	}
	var out []candidate
	for width := 1; width <= 2 && len(out) == 0; width++ {
		for i := 0; i+width <= len(sentences); i++ {
			run := sentences[i : i+width]
			text := p.Text[run[0].Start:run[width-1].End]
			share, holds := nearShare(p.Terms, supplied, text, needed)
			switch {
			case share < sentenceShare, !holds, !q.met(p.Terms, text), !isStatement(p, text, i),
				!onlyDate(p.Terms) && len(slices.Concat(places(p.Terms, text)...)) == 0: // the title alone is no answer
				continue
			}
			c := candidate{p: p, passage: rank, first: i, share: share, sentence: run}
			if q.opinion && owns.MatchString(text) {
				c.owned = 1
			}
			for _, r := range run {
				s, _ := nearShare(p.Terms, supplied, p.Text[r.Start:r.End], nil)
				c.shares = append(c.shares, s)
			}
			if slices.Min(c.shares) > 0 {
				out = append(out, c)
			}
		}
	}
	return out
}

// required returns which terms a sentence cannot lack: all but words so general that others say as much.
func required(terms []retrieve.Term) []int {
	var out []int
	for i, t := range terms {
		if t.Stem != "" && (t.Name || !general[t.Stem]) {
			out = append(out, i)
		}
	}
	return out
}

// suppliedByTitle returns for each term whether terms the passage's title or date supplies it: the term is found, but not among the passage's words.
func suppliedByTitle(p *retrieve.Passage) []bool {
	out := make([]bool, len(p.Terms))
	alone := slices.Clone(p.Terms)
	for i := range alone {
		alone[i].Joint = false
	}
	at := slices.Concat(places(alone, p.Text)...)
	for i, t := range p.Terms {
		out[i] = t.Found && !slices.Contains(at, i)
	}
	return out
}

// places returns for each word of a text the terms that stand there; the second word of a name only
// after the first.
func places(terms []retrieve.Term, text string) [][]int {
	words := segment.Words(text)
	out := make([][]int, len(words))
	for k, w := range words {
		stem := segment.Stem(w.Lower)
		for i, t := range terms {
			follows := t.Joint && k > 0 && slices.Contains(out[k-1], i-1) // Bartholomew fair: the first word says whose
			if t.Stem == "" || !related(t.Stem, stem) || t.Name != w.Upper && !plainCapital(words, k, t.Name) && !follows || t.Joint && !follows {
				continue
			}
			out[k] = append(out[k], i)
		}
	}
	return out
}

// plainCapital reports whether the capital of a word, which the question writes small, says nothing: it
// begins the text or follows an article. A small word is never a name.
func plainCapital(words []segment.Word, k int, name bool) bool {
	if name || k == 0 {
		return !name
	}
	return segment.Determiner(words[k-1].Lower) && (k+1 == len(words) || !words[k+1].Upper)
}

// nearShare returns the idf-weighted share of the question's words that stand near to one another in a
// text, and whether the required ones are among them.
func nearShare(terms []retrieve.Term, given []bool, text string, required []int) (share float64, ok bool) {
	at := places(terms, text)
	near := reach * len(terms)
	all, best := 0.0, 0.0
	for _, t := range terms {
		all += t.IDF
	}
	for from := 0; from == 0 || from+near <= len(at); from++ {
		have := slices.Clone(given)
		for _, here := range at[from:min(len(at), from+near)] {
			for _, i := range here {
				have[i] = true
			}
		}
		sum := 0.0
		for i, t := range terms {
			if have[i] {
				sum += t.IDF
			}
		}
		complete := !slices.ContainsFunc(required, func(i int) bool { return !have[i] })
		if sum > best || sum == best && complete {
			best, ok = sum, complete
		}
	}
	return best / all, ok
}

// isStatement reports whether a sentence states something: a heading, a date line or a salutation does not.
// In rows anything does.
func isStatement(p *retrieve.Passage, text string, i int) bool {
	if p.Span.Kind != cite.Paragraphs {
		return true
	}
	n := len(segment.Words(text))
	closed := strings.ContainsAny(lastBytes(text, 4), ".!?…;:")
	switch {
	case onlyDate(p.Terms):
		return closed && n >= dayWords
	case !closed:
		return p.Span.From.Unit > 1 && n >= dayWords
	}
	return true
}

func lastBytes(s string, n int) string { return s[max(0, len(s)-n):] }

func onlyDate(terms []retrieve.Term) bool { return len(terms) == 1 && terms[0].Stem == "" }

// choose takes the best candidate and further ones nearly as good, of one document for a dated
// question about a day, in all at most MaxDrafted sentences.
func choose(pool []candidate, wide bool) []candidate {
	var out []candidate
	n := 0
	for _, c := range pool {
		if c.share < alike*pool[0].share || n+len(c.sentence) > MaxDrafted || overlap(out, c) ||
			!wide && c.p.Dated && c.p.Artifact != pool[0].p.Artifact {
			continue
		}
		out = append(out, c)
		n += len(c.sentence)
	}
	return out
}

// wide reports whether a question names a period longer than a day.
func wide(text string) bool {
	return slices.ContainsFunc(retrieve.Dates(text), func(d retrieve.DateRange) bool { return d.From != d.To })
}

func overlap(chosen []candidate, c candidate) bool {
	return slices.ContainsFunc(chosen, func(o candidate) bool {
		return o.passage == c.passage && o.first < c.first+len(c.sentence) && c.first < o.first+len(o.sentence)
	})
}

// drafted turns a candidate into its sentences with spans.
func (c candidate) drafted() []Drafted {
	var out []Drafted
	for i, r := range c.sentence {
		out = append(out, Drafted{Text: c.p.Text[r.Start:r.End], Artifact: c.p.Artifact, Span: c.span(r), Similarity: c.shares[i]})
	}
	return out
}

// span moves a range of the passage's text to the document. Passages lie in one unit.
func (c candidate) span(r segment.Range) cite.Span {
	s := c.p.Span
	s.To = s.From
	s.From.Offset += runes(c.p.Text[:r.Start])
	s.To.Offset += runes(c.p.Text[:r.End])
	return s
}
