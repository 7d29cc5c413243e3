package judge

import (
	"slices"
	"strings"

	"muniment/text/clause"
	"muniment/text/lexicon"
	"muniment/text/segment"
)

// leastAsserted is how many words a quotation has at least that states something without a verb that is known: “Das Amt
// hält eine Erhöhung für notwendig.” A shorter one is a term.
const leastAsserted = 4

// States reports whether a sentence lets a quotation state something that is a claim by itself: a clause with its verb, and not the end of the writer's own.
func States(w Passage, u Use) bool {
	w, isContent := w.withoutThat()
	q := usage{words: clause.Parse(w.Words), said: clause.Parse(u.Said), around: u.Around, mark: u.Mark, isContent: isContent}
	return !isContent && len(q.words.Words) > 0 && q.isClause() && q.words.HasFinite(0, len(q.words.Tokens)) && q.asserts()
}

// asserts reports whether the sentence that uses a quotation lets it state something: after a colon, as a sentence or paragraph of its own, or
// as what somebody says. A few words within a sentence of the writer's own state nothing by themselves.
func (q *usage) asserts() bool {
	if len(q.words.Words) == 0 || opensThat(q.words.Words[0]) {
		return false
	}
	said := strings.TrimLeft(q.said.Raw, "-–—•* \t\n0123456789.)")
	at := nthMark(said, q.mark)
	full := len(q.words.Words) >= leastAsserted || len(q.words.Words) > 1 && q.words.HasFinite(0, len(q.words.Tokens))
	if at <= 0 || q.isContent {
		return full
	}
	before := strings.TrimRight(said[:at], " \n“„»«›‹‚‘\"'")
	if strings.HasSuffix(before, ":") {
		return full
	}
	s := clause.Parse(before[max(0, len(before)-120):])
	n := len(s.Words)
	if n == 0 {
		return false
	}
	if (opensThat(s.Words[n-1]) || says(s.Words[n-1])) && (q.isClause() || full && says(s.Words[n-1])) {
		return true
	}
	b := q.before.Words
	whole := !q.predicates() && (len(b) == 0 && q.words.HasFinite(0, len(q.words.Tokens)) || len(b) > 1 && opensThat(b[len(b)-1]) && opensContent(&q.before, len(b)-1))
	if full && (whole || q.completes(&s)) {
		return true
	}
	from, to := contentClause(&s, &q.words) // the court found that the ordinance would “…”
	return to > 0 && full && (slices.ContainsFunc(s.Words[from:to], says) || lexicon.Vouching.In(s.Words[from:to]) != "")
}

// subjectReach is how many words before a predicate its subject may be.
const subjectReach = 4

// completes reports whether the words before a quotation in the sentence that uses it are those of the paper before it,
// and the quotation is what both say of them: the bridge “was sold”, of The clerk alleges that the bridge was sold.
// Such a sentence states the paper's clause without what governs it.
func (q *usage) completes(said *clause.Sentence) bool {
	b, n := q.before, len(said.Words)
	if !q.predicates() || n > 0 && hasWord(said.Words[n-1:], "he", "she", "it", "they", "er", "sie", "es") {
		return q.predicates()
	}
	for i := max(0, len(b.Words)-subjectReach); i < len(b.Words); i++ {
		if b.Tokens[i].Content() && !says(b.Words[i]) && slices.ContainsFunc(said.Words[max(0, n-subjectReach):], func(w string) bool { return segment.Stem(w) == segment.Stem(b.Words[i]) }) {
			return true
		}
	}
	return false
}

// predicates reports whether a quotation begins with a verb, or is what an auxiliary before it in its paper needs.
func (q *usage) predicates() bool {
	first := q.words.Words[0]
	if n := len(q.before.Words); n > 0 && (lexicon.Auxiliary.Has(q.before.Words[n-1]) || lexicon.Modal.Has(q.before.Words[n-1])) {
		return true
	}
	return lexicon.Auxiliary.Has(first) || lexicon.Modal.Has(first) || segment.FiniteVerb(first) || q.words.Finite(0)
}

// nthMark returns where a quotation of a sentence is, -1 where it has none.
func nthMark(said string, n int) int {
	at := strings.Index(said, "…")
	for ; n > 0 && at >= 0; n-- {
		next := strings.Index(said[at+len("…"):], "…")
		if next < 0 {
			return at
		}
		at += len("…") + next
	}
	return at
}

// says reports whether a word is a verb of saying or writing.
func says(w string) bool {
	return lexicon.Report.Has(w) || lexicon.Contention.Has(w) || lexicon.Attribution.Has(w)
}

// scopeOfAssertion returns why words that are quoted as a statement state it only on a condition, with an exception, as
// likely, or in somebody else's name; the zero limit where they do not, or the sentence that uses them says so too.
func (q *usage) scopeOfAssertion(b, a *clause.Sentence) limit {
	if !isProviso(b, &q.words) {
		l := limit{"the words hold only with a limit", q.limitAt(b)}
		if at := leadingCondition(b, &q.words); at >= 0 {
			l = limit{"the words hold only on a condition", rawOf(b, at, len(b.Words))}
		} else if at, kind := trailingLimit(a); at >= 0 && l.words == "" {
			l = limit{"the words hold only with " + kind, rawOf(a, at, len(a.Words))}
		}
		if l.words != "" && !q.tells(l.words) {
			return l
		}
	}
	if lexicon.Doubt.In(q.own.Words) == "" && lexicon.Modal.In(q.own.Words) == "" {
		if at := leadingDoubt(b); at >= 0 {
			return limit{"the words hold only in a sense", rawOf(b, at, len(b.Words))}
		}
	}
	if at := q.leadingReport(b); at >= 0 && !q.reportsReport() && !q.namesReporter(b, len(b.Words)-1) && !q.refutes() && lexicon.Hearsay.In(q.own.Words) == "" {
		return limit{"the words are somebody else's", rawOf(b, at, len(b.Words))}
	}
	return limit{}
}

// reportsReport reports whether the sentence that uses a quotation says itself that the paper passes on what somebody
// says: Clement told her, the diary notes, that …; the rumour that ….
func (q *usage) reportsReport() bool {
	said, verbs := q.own.Words, 0
	determined := func(i int) bool {
		return i > 0 && (lexicon.Determiner.Has(said[i-1]) || strings.HasSuffix(said[i-1], "'s") || strings.HasSuffix(q.own.Tokens[i].Gap, "’ ") || strings.HasSuffix(q.own.Tokens[i].Gap, "' "))
	}
	for i, w := range said {
		switch {
		case !lexicon.Report.Has(w) && !lexicon.Contention.Has(w) || lexicon.Ascription.Has(w):
		case lexicon.SourceNoun.Has(w) && determined(i) && !(i+1 < len(said) && opensThat(said[i+1])): // the report says
		case determined(i) && i+1 < len(said) && opensThat(said[i+1]) && !lexicon.SourceNoun.Has(w):
			return true
		default:
			verbs++
		}
	}
	return verbs > 1
}

// saysCondition reports whether the sentence that uses a quotation has a condition or a limit of its own.
func (q *usage) saysCondition() bool {
	return conditional(q.own.Words) != "" || lexicon.Exception.In(q.own.Words) != "" || startsInverted(&q.own) ||
		hasWord(q.own.Words, "only", "nur", "ohne", "without")
}

func hasWord(words []string, any ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(any, w) })
}

// leadingCondition returns the first token of a condition that ends right before the words, -1 for none: Unless the
// dredger comes, “…”; Ohne die Hilfe der Gemeinde “wäre …”.
func leadingCondition(b, words *clause.Sentence) int {
	parts := b.Parts(0, len(b.Tokens))
	if len(parts) == 0 {
		return -1
	}
	last := parts[len(parts)-1]
	switch first := b.Words[last.From]; {
	case max(lexicon.Condition.At(b.Words, last.From), lexicon.Proviso.At(b.Words, last.From)) > 0 && first != "once" && first != "otherwise":
		return last.From
	case hasWord([]string{first}, "ohne", "without", "with", "given", "mit", "bei") && hasWord(append(slices.Clone(b.Words[last.From:]), words.Words...), "wäre", "wären", "hätte", "hätten", "würde", "würden", "könnte", "könnten", "would", "could", "might"):
		return last.From
	}
	return -1
}

// limitAt returns the words before a quotation by which it holds of a case or a part alone, "" for none: most of “the hands”. A number without its only is one.
func (q *usage) limitAt(b *clause.Sentence) string {
	n := len(b.Words)
	switch {
	case n > 0 && limits(b.Words[n-1]) && !q.words.Tokens[0].Number:
		return rawOf(b, n-1, n)
	case n > 1 && hasWord(b.Words[n-1:], "of", "von") &&
		hasWord(b.Words[n-2:n-1], "most", "some", "few", "many", "half", "part", "viele", "einige", "wenige", "manche"):
		return rawOf(b, n-2, n)
	}
	return ""
}

// limitReach is how many words after a quotation the limit of what it states may begin.
const limitReach = 8

// trailingLimit returns the first token of a condition or an exception after words, and which it is; -1 for none.
func trailingLimit(a *clause.Sentence) (at int, kind string) {
	for i := range min(len(a.Words), limitReach) {
		if i > 0 && crosses(a, 0, i+1) {
			return -1, ""
		}
		if lexicon.Exception.At(a.Words, i) > 0 {
			return i, "an exception"
		}
		if i < 3 && limits(a.Words[i]) && i+1 < len(a.Words) && lexicon.Preposition.Has(a.Words[i+1]) {
			return i, "a limit" // , freilich nur im Winter
		}
		if max(lexicon.Condition.At(a.Words, i), lexicon.Proviso.At(a.Words, i)) > 0 && a.Words[i] != "once" && a.Words[i] != "otherwise" && conditional(a.Words[max(0, i-1):]) != "" {
			return i, "a condition"
		}
	}
	return -1, ""
}

// leadingDoubt returns the first token of words that call what follows only likely, -1 for none: Perhaps “…”; it may be that “…”.
func leadingDoubt(b *clause.Sentence) int {
	n := len(b.Words)
	for i := max(0, n-3); i < n; i++ {
		if crosses(b, i, n) {
			continue
		}
		if i == 0 && !b.HasFinite(0, n) && max(lexicon.Partial.At(b.Words, 0), lexicon.Setting.Supposition.At(b.Words, 0)) > 0 {
			return 0 // in theory, suppose
		}
		if lexicon.Doubt.At(b.Words, i) > 0 || i == n-1 && hasWord(b.Words[i:], "almost", "nearly", "beinahe", "fast") || opensThat(b.Words[n-1]) && lexicon.Modal.Has(b.Words[i]) && i > 0 && (b.Words[i-1] == "it" || b.Words[i-1] == "es") {
			return max(0, i-1)
		}
	}
	return -1
}

// leadingReport returns the first token of words that give what follows to somebody else, without a that: Some pilots claim “…”; He tells me “…”; Nach
// Ansicht des Gutachters war “…”. It returns -1 for none, and where the writer says it.
func (q *usage) leadingReport(b *clause.Sentence) int {
	n := len(b.Words)
	if n == 0 {
		return -1
	}
	for i := range b.Words[:min(n, 2)] {
		if k := lexicon.InView.At(b.Words, i); k > 0 && i+k < n && !hasWord(b.Words[i:min(n, i+k+2)], "my", "our", "meiner", "unserer", "meines") {
			return i
		}
	}
	if hasWord(b.Words[:1], "on", "in", "by", "from") && lexicon.Standpoint.Has(b.Words[n-1]) && slices.ContainsFunc(b.Words, func(w string) bool { return strings.HasSuffix(w, "'s") }) {
		return 0 // on the company's account
	}
	verb := n - 1
	me := hasWord(b.Words[verb:], "me", "us", "mir", "uns")
	if me && verb > 0 {
		verb--
	}
	if w := b.Words[verb]; verb == 0 || lexicon.Report.At(b.Words, verb) == 0 && !lexicon.Contention.Has(w) && !lexicon.Wish.Has(w) || b.Tokens[verb].Upper || lexicon.Determiner.Has(b.Words[verb-1]) || !me && q.ownWords(b.Words[:verb]) {
		return -1
	}
	return max(0, verb-4)
}

// elidedReach is within how many words of its ends an omission denies or limits what is left.
const elidedReach = 12

// HiddenLimit returns the denial, condition or exception that an ellipsis hides of the sentences that it joins; ""
// where it hides none, or the sentence that uses the quotation says so itself. What is left out begins with a stop and
// a space where the words before it end a sentence.
func HiddenLimit(omitted string, u Use) string {
	q := usage{said: clause.Parse(u.Said), own: clause.Parse(governingClause(u)), around: u.Around}
	apart := strings.HasPrefix(omitted, ". ")
	all := segment.Sentences(strings.TrimPrefix(omitted, ". "), "")
	for i, r := range all {
		if apart && i == 0 && (len(all) > 1 || strings.ContainsAny(omitted[len(omitted)-1:], ".!?")) {
			continue
		}
		if i > 0 && i < len(all)-1 {
			continue // a sentence of its own
		}
		part := strings.TrimPrefix(omitted, ". ")[r.Start:r.End]
		s := clause.Parse(part)
		near := s.Words
		switch {
		case i == 0 && len(all) > 1: // the end of the sentence that is quoted first
			near = near[:min(len(near), elidedReach)]
		case len(all) > 1: // the beginning of the one that is quoted last
			if strings.TrimSpace(part) == "" || strings.ContainsAny(part[len(part)-1:], ".!?") {
				continue
			}
			near = near[max(0, len(near)-elidedReach):]
		case len(near) > elidedReach:
			near = near[:elidedReach]
		}
		if w := q.hides(near); w != "" && !q.repeats(part) {
			return w
		}
	}
	return ""
}

// limits reports whether a word holds what it goes with to a case.
func limits(w string) bool {
	return hasWord([]string{w}, "only", "solely", "until", "nur", "lediglich", "ausschließlich")
}

// hides returns the word of some words that deny or limit what is around them, "" for none.
func (q *usage) hides(words []string) string {
	if w := lexicon.Negation.In(words); w != "" && !q.refutes() && lexicon.IdleNegation.At(words, indexOf(words, w)) == 0 {
		return w
	}
	if w := lexicon.Hearsay.In(words); w != "" && lexicon.Hearsay.In(q.own.Words) == "" {
		return w
	}
	if q.saysCondition() {
		return ""
	}
	if w := conditional(words); w != "" {
		return w
	}
	if at := slices.IndexFunc(words, limits); at >= 0 {
		return words[at]
	}
	return lexicon.Exception.In(words)
}
