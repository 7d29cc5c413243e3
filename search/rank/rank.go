package rank

import (
	"cmp"
	"slices"
	"strings"

	"muniment/text/lexicon"
	"muniment/text/segment"
)

// A Passage is a text to look for an answer in, with what its record says of it.
type Passage struct {
	Text     string
	Title    string
	Author   string // creator of the text
	Lang     string // BCP 47; "" when not known
	Document string // what text it is from; "" for one of its own
	Origin   string // what several texts were made of: a paper and its translation have one; "" for none
	Dated    bool   // the question names a date, and the document's date lies in it

	// What the paper says of itself, as far as it does.
	Addressee string   // to whom it is written: a name of the question may stand for its "you"
	Heading   string   // its place, its date in words, the name of its file
	Formal    []string // its lines that are no sentences: heading, salutation, signature
	Paper     string   // its whole text
}

// A Candidate is a sentence of a passage, or two adjacent ones.
type Candidate struct {
	Passage  int // index in the list of passages
	From, To int // byte range in the passage's text
	Text     string
	Features Features
	Score    int

	// Main is the byte range of the sentence that answers, and Both says that the other one of a pair is needed to say who a
	// pronoun of it is.
	Main segment.Range
	Both bool

	// Clause is the byte range of the clause of Main that holds the verb of the question, where a verb and "that" introduce it: the ferry sank, of "He
	// writes that the ferry sank"; else Main.
	Clause segment.Range

	// Group is the index of the best candidate that tells the same event, in the list that Choose returns. Copy says that the words are nearly
	// those of a better one of the group, and Opposes that another paper's answer differs from the best candidate's in the value asked for.
	Group   int
	Copy    bool
	Opposes bool

	says *assertion // nil where it holds too little of the question
	asks kind
}

// MaxSentences is how many sentences of one passage are looked at. A passage of package retrieve has a few; a
// longer list is a table.
const MaxSentences = 200

// Rank returns the sentences and pairs of adjacent sentences of some passages that hold a word of the question,
// best first. No two overlap: a pair stands for its sentences where it scores more than both. Equal scores keep
// the order of the passages.
func Rank(q Question, passages []Passage, w Weights) []Candidate {
	return Choose(Candidates(q, passages), w)
}

// Candidates returns every sentence and every pair of adjacent sentences that hold a word of the question, without
// scores.
func Candidates(q Question, passages []Passage) []Candidate {
	var all []Candidate
	if len(q.terms) == 0 {
		return nil
	}
	readings := make([]*reading, len(passages))
	documents := map[string][]bool{} // terms that the passages of a document hold
	for i, p := range passages {
		r := q.read(p)
		readings[i] = r
		if p.Document == "" {
			continue
		}
		if documents[p.Document] == nil {
			documents[p.Document] = make([]bool, len(q.terms))
		}
		r.document = documents[p.Document]
		for t, held := range r.around {
			r.document[t] = r.document[t] || held
		}
	}
	for i, p := range passages {
		r := readings[i]
		for from := range r.sentences {
			for to := from + 1; to <= min(from+2, len(r.sentences)); to++ {
				if s, found := r.stretch(from, to); found && !r.formal[from] && !r.formal[to-1] && !(to == from+1 && r.isAnswered(from)) {
					c := Candidate{Passage: i, From: s.from, To: s.to, Text: p.Text[s.from:s.to], Features: r.features(&s)}
					c.Main, c.Both, c.Clause = r.sentences[s.main], s.both, r.clauseOfVerb(s.main)
					c.says, c.asks = r.assert(&s, c.Features, &passages[i]), q.asks
					all = append(all, c)
				}
			}
		}
	}
	return all
}

// Choose scores candidates and returns those that do not overlap a better one, best first. It writes the scores
// into the list that it is given, and sorts it. The best one gets its lead over the next.
func Choose(all []Candidate, w Weights) []Candidate {
	for i := range all {
		all[i].Score = all[i].Features.Score(w)
	}
	slices.SortFunc(all, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Passage, b.Passage),
			cmp.Compare(a.To-a.From, b.To-b.From), cmp.Compare(a.From, b.From)) // a sentence before a pair
	})
	var out []Candidate
	last := map[int][]int{} // chosen candidates of each passage
	for _, c := range all {
		if slices.ContainsFunc(last[c.Passage], func(i int) bool { return c.From < out[i].To && out[i].From < c.To }) {
			continue
		}
		last[c.Passage] = append(last[c.Passage], len(out))
		out = append(out, c)
	}
	if len(out) > 0 {
		out[0] = mostAnswering(out[0], all, w)
		group(out)
		out[0].Features.Lead = int32(max(0, min(MaxLead, (out[0].Score-nextScore(out, w.Low))/1000)))
	}
	return out
}

// nextScore returns the score of the best candidate outside the first one's group; the low threshold where there is none.
func nextScore(out []Candidate, low int) int {
	for _, c := range out[1:] {
		if c.Group != 0 {
			return max(low, c.Score)
		}
	}
	return low
}

// mostAnswering returns the best of a candidate and those that overlap it which may be called an answer as far as its words go; the candidate
// itself where none may. A pair that scores more than its sentence need not be the one that answers.
func mostAnswering(c Candidate, all []Candidate, w Weights) Candidate {
	if w.mayAnswer(c.Features) {
		return c
	}
	for _, other := range all {
		if other.Passage == c.Passage && other.From < c.To && c.From < other.To && w.mayAnswer(other.Features) {
			return other
		}
	}
	return c
}

// MaxLead bounds the feature Lead.
const MaxLead = 100_000

// sentencesOf cuts a passage. A date that ends in a stop is of the sentence after it: 21st. Tea with Miss Orrin.
func sentencesOf(text, lang string) []segment.Range {
	s := segment.Sentences(text, lang)
	for i := len(s) - 2; i >= 0; i-- {
		if isDateOnly(text[s[i].Start:s[i].End]) {
			s[i].End = s[i+1].End
			s = slices.Delete(s, i+1, i+2)
		}
	}
	return s[:min(len(s), MaxSentences)]
}

// maxDateWords is how many words a date line has at most: Tuesday, 4 May 1910.
const maxDateWords = 4

// isDateOnly reports whether a text has nothing but numbers, months and days of the week.
func isDateOnly(text string) bool {
	words := segment.Words(text)
	return len(words) > 0 && len(words) <= maxDateWords && !slices.ContainsFunc(words, func(w segment.Word) bool {
		return (w.Lower[0] < '0' || w.Lower[0] > '9') && !lexicon.Month.Has(w.Lower) && !lexicon.Weekday.Has(w.Lower) && !lexicon.Ordinal.Has(w.Lower)
	})
}

// isLabel reports whether a word is the number of an item of a list, or of a note: 3. The bridge; was lit.[3]. first says that it begins a sentence.
func isLabel(text string, w segment.Word, first bool) bool {
	if !isDigits(w.Lower) || w.End >= len(text) {
		return false
	}
	next := segment.Words(text[w.End:min(len(text), w.End+maxMonth)])
	return first && strings.ContainsRune(".)", rune(text[w.End])) && !(len(next) > 0 && lexicon.Month.Has(next[0].Lower)) ||
		text[w.End] == ']' && w.Start > 0 && text[w.Start-1] == '['
}

// maxMonth is how many bytes after a number the name of a month ends at most.
const maxMonth = 16
