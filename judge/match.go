package judge

import (
	"fmt"
	"slices"
	"strings"

	"muniment/cite"
	"muniment/text/clause"
	"muniment/text/lexicon"
	"muniment/text/segment"
)

// A place is one sentence of the paragraph that holds cited words.
type place struct {
	text      string
	sentences []segment.Range
	at        int // of the sentence
	from, to  int // of the cited words in the sentence, in bytes
	words     *Passage
}

func (p *place) raw() string { return p.text[p.sentences[p.at].Start:p.sentences[p.at].End] }

// judge returns the verdict on a clause against the sentence.
func (p *place) judge(c *clause.Sentence) Judgement {
	j := p.judgeParsed(c, clause.Parse(p.raw()))
	if j.Rule == Missing && strings.ContainsAny(c.Raw+p.raw(), "-‐‑\u00AD") {
		joined := clause.ParseJoined(c.Raw)
		if other := p.judgeParsed(&joined, clause.ParseJoined(p.raw())); other.Rule != Missing {
			return other
		}
	}
	if j.Verdict != cite.ClaimFollows {
		if other := p.judgeAmounts(c); other.Verdict == cite.ClaimFollows {
			return other
		}
	}
	return j
}

// judgeParsed returns the verdict on a clause against the sentence, of which words with a hyphen are read in one way.
func (p *place) judgeParsed(c *clause.Sentence, s clause.Sentence) Judgement {
	if len(s.Tokens) == 0 {
		return Judgement{Verdict: cite.ClaimNotShown, Rule: Missing, Reason: "there are no words to compare the claim with"}
	}
	if c.Percentage() && !s.Percentage() {
		s = s.Shares()
	}
	names := p.writers()
	if p.words.Foreign && !SamePerson(c.Raw, names) {
		names = nil
	}
	c, r := refer(c, &s, names)
	share, _ := compareWords(c, []clause.Sentence{s})
	m, embedded := embed(c, &s, r, p)
	if !embedded { // a date may be at either end
		c, s := c.DateLast(), s.DateLast()
		m, embedded = embed(&c, &s, &referents{&c, &s, r.known}, p)
	}
	if other, is := s.SubjectFirst(c); !embedded && is && language(*p.words, s.Raw) == "de" {
		m, embedded = embed(c, &other, &referents{c, &other, r.known}, p)
	}
	if embedded {
		if j, decided := m.judge(p); decided {
			if j.Verdict != cite.ClaimFollows {
				j.Score = share
			}
			return j
		}
	}
	j := differ(c, &s, r, p)
	j.Score = share
	return j
}

// A match is an embedding of a claim's tokens in a sentence's tokens, in order.
type match struct {
	c, s  *clause.Sentence
	at    []int   // the token of the sentence for each token of the claim
	words Passage // that hold the sentence
}

// embed returns the embedding of a claim, all of its tokens in order, that has the fewest gaps; ok is false where there
// is none within the cited words. A claim's opening "and" may be missing in the words.
func embed(c, s *clause.Sentence, r *referents, p *place) (m match, ok bool) {
	skip := 0
	for skip < len(c.Tokens)-1 && lexicon.Coordinator.Has(c.Words[skip]) && c.Words[skip] != s.Words[0] {
		skip++
	}
	n, k := len(c.Tokens)-skip, len(s.Tokens)
	if n > k {
		return match{}, false
	}
	const none = 1 << 20
	// cost[i][j]: fewest gaps of the tokens from i on, token i at j.
	cost := make([][]int, n)
	next := make([][]int, n)
	for i := n - 1; i >= 0; i-- {
		cost[i], next[i] = make([]int, k), make([]int, k)
		best, bestAt := none, -1 // over tokens after j+1
		for j := k - 1; j >= 0; j-- {
			cost[i][j] = none
			if s.Tokens[j].Start >= p.from && s.Tokens[j].End <= p.to && r.same(i+skip, j) {
				switch {
				case i == n-1:
					cost[i][j] = 0
				default:
					if j+1 < k && cost[i+1][j+1] < none {
						cost[i][j], next[i][j] = cost[i+1][j+1], j+1
					}
					if best+1 < cost[i][j] {
						cost[i][j], next[i][j] = best+1, bestAt
					}
				}
			}
			if i+1 < n && j+1 < k && cost[i+1][j+1] < best {
				best, bestAt = cost[i+1][j+1], j+1
			}
		}
	}
	first, least := -1, none
	for j := range k {
		if cost[0][j] < least {
			first, least = j, cost[0][j]
		}
	}
	if first < 0 {
		return match{}, false
	}
	m = match{c: c, s: s, words: *p.words}
	for i, j := 0, first; ; i, j = i+1, next[i][j] {
		m.at = append(m.at, j)
		if i == n-1 {
			return m, true
		}
	}
}

// judge returns the verdict on an embedded claim. decided is false where what is missing is a negation, which differ judges.
func (m *match) judge(p *place) (j Judgement, decided bool) {
	j = Judgement{Verdict: cite.ClaimNotShown}
	if m.s.Asks() {
		return withScope(j, "ask", "the words are a question"), true
	}
	if m.s.Commands() {
		return withScope(j, m.s.Words[0], "the words are a command and state nothing"), true
	}
	if len(m.c.Tokens) < 2 { // a name or a noun alone
		j.Rule, j.Reason = Missing, "the claim states nothing that could follow"
		return j, true
	}
	around, aroundWords := p.scopeAround(m)
	for _, g := range m.gaps() {
		found := m.classify(g)
		if found.rule == Scope { // what governs the clause in its own sentence goes before what is around it
			return withScope(j, m.rawOf(found.from, found.to), fmt.Sprintf("the words say it only with “%s”, which the claim leaves out", m.rawOf(found.from, found.to))), true
		}
		if found.rule == "" || around != "" {
			continue
		}
		if found.rule == Contradiction {
			return j, false
		}
		j.Rule, j.Words, j.test = Restriction, m.rawOf(found.from, found.to), Restricting
		j.Reason = fmt.Sprintf("the words add “%s”", j.Words)
		return j, true
	}
	if around != "" {
		return withScope(j, aroundWords, around), true
	}
	j = Judgement{Verdict: cite.ClaimFollows, Rule: Identity, Score: 1000, Reason: "the claim repeats the words"}
	return j, true
}

func withScope(j Judgement, words, reason string) Judgement {
	j.Rule, j.Words, j.Reason, j.test = Scope, words, reason, Scoped
	return j
}

// rawOf returns the bytes of the sentence from one token to before another.
func (m *match) rawOf(from, to int) string {
	if from >= to || m.s.Tokens[from].Start > m.s.Tokens[to-1].End {
		return ""
	}
	return m.s.Raw[m.s.Tokens[from].Start:m.s.Tokens[to-1].End]
}

// A gap is a run of the sentence's tokens that the claim leaves out.
type gap struct{ from, to int }

func (m *match) gaps() []gap {
	var out []gap
	last := -1
	for _, j := range append(slices.Clone(m.at), len(m.s.Tokens)) {
		if j > last+1 {
			out = append(out, gap{last + 1, j})
		}
		last = j
	}
	return out
}
