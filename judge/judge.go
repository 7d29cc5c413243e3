// Package judge says whether a claim follows from words of a paper, by rules and without a language model. It is the
// one place where that is decided.
//
//	j := judge.Judge("The mill burned down.", Passage{Words: "On 3 May the mill burned down."})
//	j.Verdict    // follows
//	j.Reason     // the claim repeats the clause “the mill burned down”
//
// # Rules
//
// A claim is judged sentence by sentence. In this order:
//
//   - Contradicted: the claim and one clause of the words agree word for word but for a negation, or for a number, date, unit or
//     name where that clause can have one value only. Nothing else is ever contradicted; a word that is missing is not shown.
//   - Not shown, by scope: the words say it only as a report, a belief, a fiction, a wish, a condition, a question, or take it
//     back, and the claim leaves that out. The scope may be in the rest of the sentence, in the heading or list
//     introduction above, in the sentence after, or in a later paragraph that takes the statement back.
//   - Not shown, by restriction: the claim leaves out of whom, where, when, how far or with what exception. Of one event of the past
//     its place, time and manner may be left out, of a state, a habit or a rule nothing, and nothing beside a word such as all or only.
//   - Follows, by identity: the claim repeats a whole sentence, or a clause of it, and what it leaves out is a clause of its own, an
//     address, an opening "and", or what a plain event may lose. What a semicolon divides from the claim is a clause of its own. This needs no verb known and no language.
//     An amount may have another unit or form: 180 centimetres for 1.8 metres, three quarters for 75 percent.
//   - Else not shown: the words that are missing are listed.
//
// I, he and today mean what they mean in the paper: whom a draft means by he (Passage.Said) must be whom the paper means, and the claim may put the writer's name for I, where Words.Names has it. Title, heading
// and date of the paper resolve only who and when; no predicate, number or negation comes from them.
//
// Words without a verdict of the rules get a Score: how near they are to the claim, from a few features with fixed
// weights. It is a hint to whoever reads the verdict and decides nothing.
//
// Limits: clauses are read in English and German; in other languages only whole sentences are identical. A claim in
// other words than the paper's is never shown by rules. Irony, and what only knowledge of the world contradicts, pass
// unseen. Claims and words above MaxText bytes are not compared.
package judge

import (
	"regexp"
	"slices"
	"strings"

	"muniment/cite"
	"muniment/text/clause"
	"muniment/text/lexicon"
	"muniment/text/segment"
)

// By names this version of the rules where a verdict says who judged.
const By = "rules/v2"

// MaxText is the longest claim, and the longest words with their surroundings, in bytes: a paragraph of a book.
const MaxText = 32 << 10

// A Rule says why a verdict is what it is.
type Rule string

// The rules, as the package comment explains them.
const (
	Identity      Rule = "identity"
	Contradiction Rule = "contradiction"
	Scope         Rule = "scope"
	Restriction   Rule = "restriction"
	Referent      Rule = "referent"
	Missing       Rule = "missing" // words of the claim are not there
)

// A Judgement is a verdict with its reason. The zero value says that nothing could be compared.
type Judgement struct {
	Verdict cite.ClaimVerdict
	By      string // who judged: By, a model, a person
	Rule    Rule
	Reason  string   // one English sentence without its stop
	Claim   string   // what the claim says where the two differ; may be empty
	Words   string   // what the words say there; may be empty
	Missing []string // content words of the claim that the words and their paragraph lack, at most six
	test    Test
	Score   int // 0 to 1000: how near the words are to the claim; 1000 where it follows

	Share    float64   // of the claim's content words that the words hold, 0 to 1
	Findings []Finding // what no model's yes overrules
}

// Judge returns the verdict of the rules on a claim that rests on words, one citation or several together: each sentence of the claim, else each of
// its clauses, must follow from one of them. It is asked by every surface; With adds what a model or a person says.
func Judge(claim string, words ...Passage) Judgement {
	claim = blankNotes(claim)
	j := judgeSentences(claim, words)
	if j.By = By; strings.HasSuffix(strings.TrimSpace(claim), "?") && j.Verdict == cite.ClaimFollows {
		j.Verdict, j.Rule, j.Reason = cite.ClaimNotShown, Scope, "the claim asks, and asserts nothing"
	}
	if len(words) == 0 {
		return j
	}
	if j = checkReferent(j, claim, words); j.Rule == Referent && j.Verdict == cite.ClaimNotShown {
		return j
	}
	var text strings.Builder
	for _, w := range words {
		text.WriteString(w.Words + "\n")
	}
	j.Share = Compare(claim, text.String(), nil, nil).Share
	j.Findings = Against(claim, words...)
	if f := j.Findings; len(f) > 0 && (f[0].Test == Marked || f[0].Test == Cut) && j.Verdict != cite.ClaimNotShown { // what is struck or cut states nothing
		j.Verdict, j.Rule, j.Reason, j.Words = cite.ClaimNotShown, Scope, f[0].explain(), f[0].Words
		return j
	}
	if j.Score = 1000; j.Verdict != cite.ClaimFollows {
		j.Score = Measure(claim, words...).Score()
	}
	switch own := (Finding{Test: j.test, Claim: j.Claim, Words: j.Words}); {
	case j.Verdict == cite.ClaimFollows:
		j.Share, j.Findings = 1, nil
	case own.Test != "":
		j.Findings = append([]Finding{own}, slices.DeleteFunc(j.Findings, func(f Finding) bool { return f.Test == own.Test })...)
	case len(j.Findings) > 0:
		j.Reason = j.Findings[0].explain()
	}
	return j
}

// OfComputed returns the judgement on a claim that is computed or inferred from the words: it may have numbers that
// they lack, but of shares only one such as “42 of 60” gives.
func (j Judgement) OfComputed() Judgement {
	j.Findings = slices.DeleteFunc(slices.Clone(j.Findings), func(f Finding) bool {
		return (f.Test == Number || f.Test == Unit) && !strings.HasSuffix(f.Words, "%")
	})
	if len(j.Findings) == 0 && j.Verdict == cite.ClaimContradicted {
		j.Verdict, j.Rule = cite.ClaimNotShown, Missing
	}
	return j
}

// judgeSentences returns the worst judgement on a claim's sentences.
func judgeSentences(claim string, words []Passage) Judgement {
	if len(claim) > MaxText || strings.TrimSpace(claim) == "" {
		return Judgement{Verdict: cite.ClaimNotShown, Reason: "the claim is too long to be compared, or empty"}
	}
	lang := "en"
	if len(words) > 0 {
		lang = language(words[0], claim)
	}
	var out Judgement
	for i, r := range segment.Sentences(claim, lang) {
		j := judgeSentence(claim[r.Start:r.End], words)
		if i == 0 || worse(j, out) {
			out = j
		}
	}
	if out.Verdict == "" {
		out.Verdict = cite.ClaimNotShown
	}
	return out
}

// language returns the language of words, or of the claim where they do not say.
func language(w Passage, claim string) string {
	if w.Lang != "" {
		return w.Lang
	}
	if lang := segment.Detect(w.Before + w.Words + w.After); lang != "" {
		return lang
	}
	if lang := segment.Detect(claim); lang != "" {
		return lang
	}
	return "en"
}

// order of verdicts, the worst first; of equal ones the rule decides.
var order = map[cite.ClaimVerdict]int{cite.ClaimContradicted: 0, cite.ClaimNotShown: 1, cite.ClaimFollows: 2}
var ruleOrder = map[Rule]int{Contradiction: 0, Scope: 1, Restriction: 2, Referent: 3, Missing: 4, Identity: 5}

func worse(a, b Judgement) bool {
	if order[a.Verdict] != order[b.Verdict] {
		return order[a.Verdict] < order[b.Verdict]
	}
	return ruleOrder[a.Rule] < ruleOrder[b.Rule]
}

// judgeSentence judges one sentence of a claim: whole, else clause by clause.
func judgeSentence(claim string, words []Passage) Judgement {
	whole := judgeClause(claim, words)
	if whole.Verdict == cite.ClaimFollows || whole.Verdict == cite.ClaimContradicted || whole.Rule == Scope || whole.Rule == Restriction {
		return whole
	}
	s := clause.Parse(claim)
	parts := s.Clauses()
	if len(parts) < 2 {
		return whole
	}
	var out Judgement
	for i, p := range parts {
		j := judgeClause(claim[s.Tokens[p.From].Start:s.Tokens[p.To-1].End], words)
		if i == 0 || worse(j, out) {
			out = j
		}
	}
	if out.Verdict == cite.ClaimNotShown && out.Rule == Missing {
		return whole
	}
	out.Score = min(out.Score, max(whole.Score, out.Score))
	return out
}

// judgeClause judges a clause against each of the words. One that contradicts decides; else one from which it follows; else the nearest.
func judgeClause(claim string, words []Passage) Judgement {
	c := clause.Parse(claim)
	best := Judgement{Verdict: cite.ClaimNotShown, Rule: Missing, Reason: "there are no words to compare the claim with"}
	if len(c.Tokens) == 0 {
		return best
	}
	for i := range words {
		j := judgeWords(&c, &words[i])
		switch {
		case i == 0, j.Verdict == cite.ClaimContradicted && best.Verdict != cite.ClaimContradicted:
			best = j
		case best.Verdict == cite.ClaimContradicted:
		case j.Verdict == cite.ClaimFollows && best.Verdict != cite.ClaimFollows:
			best = j
		case best.Verdict == cite.ClaimNotShown && j.Verdict == cite.ClaimNotShown && j.Score > best.Score:
			best = j
		}
	}
	return best
}

// judgeWords judges a clause against the sentences that hold cited words.
func judgeWords(c *clause.Sentence, w *Passage) Judgement {
	text, _ := rowOf(blankStruck(w.Before+w.Words+w.After), len(w.Before))
	if len(text) > MaxText {
		return Judgement{Verdict: cite.ClaimNotShown, Rule: Missing, Reason: "the words are too long to be compared"}
	}
	sentences := segment.Sentences(text, language(*w, c.Raw))
	if items := blankItems(text, w.Above, c.Raw); items != text { // a number restricts nothing; what an item says may depend on a list that is not seen
		if j := judgeText(c, w, items, sentences); j.Verdict != cite.ClaimFollows || w.seesList(text) {
			return j
		}
	}
	return judgeText(c, w, text, sentences)
}

// seesList reports whether a text is one item of a list whose beginning is in the passage, so that nothing unseen governs it.
func (w *Passage) seesList(text string) bool {
	label := itemLabel.FindStringSubmatch(text)[2]
	first := strings.Trim(label, "().") == "1" || strings.Trim(label, "().") == "a"
	return first || len(itemLabel.FindAllString(text, 2)) == 1 && itemLabel.MatchString(w.Earlier) && !announces(w.Earlier, true)
}

// judgeText judges a clause against the sentences of a text of which some hold the cited words.
func judgeText(c *clause.Sentence, w *Passage, text string, sentences []segment.Range) Judgement {
	from, to := len(w.Before), len(w.Before)+len(w.Words)
	best := Judgement{Verdict: cite.ClaimNotShown, Rule: Missing}
	found := false
	for i, r := range sentences {
		if r.End <= from || r.Start >= to {
			continue
		}
		p := place{text: text, sentences: sentences, at: i, from: max(from, r.Start) - r.Start, to: min(to, r.End) - r.Start, words: w}
		j := p.judge(c)
		switch {
		case !found, j.Verdict == cite.ClaimFollows && best.Verdict != cite.ClaimFollows:
			best, found = j, true
		case best.Verdict == cite.ClaimFollows:
		case j.Verdict == cite.ClaimContradicted && best.Verdict != cite.ClaimContradicted:
			best = j
		case best.Verdict == j.Verdict && (j.Score > best.Score || j.Score == best.Score && ruleOrder[j.Rule] < ruleOrder[best.Rule]):
			best = j
		}
	}
	return best
}

// blankStruck writes spaces for what a paper shows struck through or reversed, ⟦struck: not⟧, as a text form marks it.
func blankStruck(text string) string {
	text = blankNotes(text)
	for {
		from := strings.Index(text, "⟦")
		if from < 0 {
			return text
		}
		n := strings.Index(text[from:], "⟧")
		if n < 0 {
			return text
		}
		n += len("⟧")
		text = text[:from] + strings.Repeat(" ", n) + text[from+n:]
	}
}

// noteMark matches the number of a note at the end of a word or after a stop: drowned.[4] A number of a law is after digits or a
// space: 5(2), Article 3 (2).
var noteMark = regexp.MustCompile(`(\pL|[.,;:!?”"])\[\d{1,3}\]|[.,;!?”"]\(\d{1,3}\)`)

// blankNotes writes spaces for the numbers of notes, which are no words of a sentence.
func blankNotes(text string) string {
	return noteMark.ReplaceAllStringFunc(text, func(s string) string {
		at := strings.IndexAny(s, "[(")
		return s[:at] + strings.Repeat(" ", len(s)-at)
	})
}

// itemLabel matches the number or letter of an item of a list, on its line or after the item before it, with the word after it.
var itemLabel = regexp.MustCompile(`(?m)(^[ \t]*|[.;:,][ \t]+)(\(?[0-9]{1,3}[.)]|\([a-z]\)|[a-z]\))[ \t]+(\pL+)`)

// blankItems writes spaces for the numbers and letters of the items of a list, which are no words of what an item says,
// where the claim does not name one too and nothing introduces the list, on which its items may depend. A German number
// may count what follows it: 2. Bataillon.
func blankItems(text, above, claim string) string {
	first := itemLabel.FindStringIndex(text)
	if first == nil || itemLabel.MatchString(claim) || strings.TrimSpace(text[:first[0]]) != "" || strings.HasSuffix(above, ":") && !isPlain(above[strings.LastIndexByte(above, '\n')+1:], true) {
		return text
	}
	out := []byte(text)
	for _, m := range itemLabel.FindAllStringSubmatchIndex(text, -1) {
		word := strings.ToLower(text[m[6]:m[7]])
		if lexicon.Month.Has(word) || text[m[5]-1] == '.' && !lexicon.Function.Has(word) && segment.Detect(text) == "de" {
			continue
		}
		copy(out[m[4]:m[5]], strings.Repeat(" ", m[5]-m[4]))
	}
	return string(out)
}
