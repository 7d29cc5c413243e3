package judge

import (
	"regexp"
	"slices"
	"strings"

	"muniment/text/clause"
	"muniment/text/lexicon"
)

// statementEnd matches where a statement ends within a sentence and another begins.
var statementEnd = regexp.MustCompile(`;|[:–—] |, (?:and|but|yet|so|for|und|aber|doch|denn) `)

// setApart matches the end of a statement that a quotation only follows as another: after a colon, or as its contrast or reason.
var setApart = regexp.MustCompile(`(?:[;:–—]|, (?:for|so|as|since|denn|da|als)|[ ,](?:but|because|aber|weil))\PL*$`)

// leastIntroduced is how many words a clause has at least that introduces a quotation by itself.
const leastIntroduced = 3

// governingClause returns the clause of a sentence that governs its quotation: without the statements before it, the relative clauses
// and the phrases of contrast that do not have the quotation. What the writer denies or supposes in these is said of something else; only what judges
// whether something is so (which nobody could prove) is kept.
func governingClause(u Use) string {
	at := nthMark(u.Said, u.Mark)
	if at < 0 {
		return u.Said
	}
	before, after := u.Said[:at], u.Said[at:]
	for _, r := range slices.Backward(statementEnd.FindAllStringIndex(before, -1)) {
		s := clause.Parse(before[r[1]:])
		introduces := s.HasFinite(0, len(s.Tokens)) || slices.ContainsFunc(s.Words, says) || lexicon.InView.In(s.Words) != ""
		if len(s.Words) >= leastIntroduced && introduces && !judgesTruth(clause.Parse(before[:r[0]]).Words) {
			before = before[r[1]:]
			break
		}
	}
	if at := setApart.FindStringIndex(before); at != nil && !introduces(before[:at[0]]) {
		before = "" // No reason to move: “…”; they could not leave, for “…”
	}
	return withoutAsides(before, true) + " " + withoutAsides(after, false)
}

// introduces reports whether a statement is about the quotation that follows it: it says, judges or supposes something, or has no verb of its own.
func introduces(text string) bool {
	s := clause.Parse(text)
	return slices.ContainsFunc(s.Words, says) || judgesTruth(s.Words) || conditional(s.Words) != "" || !s.HasFinite(0, len(s.Words))
}

// withoutAsides returns a text without its relative clauses and its phrases that begin with a negation; its first part, and its last where a quotation
// follows it, are kept.
func withoutAsides(text string, leads bool) string {
	s := clause.Parse(text)
	var out strings.Builder
	from := 0
	parts := s.Parts(0, len(s.Tokens))
	for i, p := range parts {
		words := s.Words[p.From:p.To]
		aside := lexicon.Relative.Has(words[0]) || hasWord(words[:1], "was", "wo", "where") || lexicon.Negation.Has(words[0]) && !s.HasFinite(p.From, p.To)
		if !strings.Contains(p.Stop, ",") || leads && i == len(parts)-1 || !aside || judgesTruth(words) {
			continue
		}
		out.WriteString(text[from:s.Tokens[p.From].Start])
		from = s.Tokens[p.To-1].End
	}
	out.WriteString(text[from:])
	return out.String()
}

// judgesTruth reports whether words say of something that it is not so, or not known to be.
func judgesTruth(words []string) bool {
	return lexicon.Retraction.In(words) != "" || lexicon.Falsehood.In(words) != "" || lexicon.Refusal.In(words) != "" || lexicon.Negation.In(words) != "" && lexicon.Proof.In(words) != ""
}

// refutes reports whether the clause that governs a quotation denies or rejects it, before it or after.
func (q *usage) refutes() bool {
	before, after, _ := strings.Cut(q.own.Raw, "…")
	end := strings.IndexAny(after+",", ",;:–—") // “…”, and no cart came
	return denies(clause.Parse(before).Words) || denies(clause.Parse(after[:end]).Words) || introduces(after[end:]) && denies(clause.Parse(after).Words)
}

// tells reports whether the sentence that uses a quotation has a limit of its words: most of what the limit is about, or a condition or an exception of its own
// with something of that, or with nothing that it could be about instead.
func (q *usage) tells(limit string) bool {
	l, of, shared, named := clause.Parse(limit), 0, 0, false
	for i, t := range l.Tokens {
		if w := l.Words[i]; t.Content() && !saysName(q.words.Words, w) {
			of++
			named = named || saysName(q.said.Words, w) // also a word that names the paper
			if saysName(q.others, w) {
				shared++
			}
		}
	}
	return conditional(q.words.Words) != "" || of > 0 && 3*shared >= 2*of || q.saysCondition() && (of == 0 || named)
}
