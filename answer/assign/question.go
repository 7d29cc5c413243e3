package assign

import (
	"regexp"
	"slices"
	"strings"

	"muniment/answer/retrieve"
	"muniment/answer/segment"
)

// A question is what the form of a question demands of a sentence that answers it.
type question struct {
	counts   bool            // how many, how much: a number beside the words
	thing    string          // stem of what is counted, "" when not said
	why      bool            // a word that gives a cause
	identity bool            // who is X: the sentence must say what X is
	verb     string          // stem of what its subject does, "" when not known
	who      string          // the subject, a pronoun; "" for a noun
	subjects map[string]bool // stems of the subject's words
	when     bool            // the day of the event: not of one that is only looked back or forward to
	tight    bool            // who is the father of X: the words stand beside one another
	passive  bool            // was the wine laid: "there was laid the wine" says so too
	scene    map[string]bool // stems of what it happened during
	sum      bool            // what was paid: a sum of money counts, in whatever form
	opinion  bool            // what did he think of X: a word that judges
}

// ask reads the form of a question.
func ask(text string) question {
	q := question{counts: counting.MatchString(text)}
	ws := segment.Words(text)
	q.opinion = judging.MatchString(text)
	if sum.MatchString(text) {
		q.counts, q.thing, q.sum = true, "money", true
	}
	for i, w := range ws {
		switch {
		case w.Lower == "during" && i > 0:
			q.scene = sceneOf(ws[i+1:])
		case i == 0 && (w.Lower == "when" || w.Lower == "wann"):
			q.when = true
		case i == 0 && w.Lower == "who" && len(ws) > 4 && being[ws[1].Lower] && segment.Determiner(ws[2].Lower) && ws[4].Lower == "of":
			q.tight = true
		case w.Lower == "why", w.Lower == "warum", w.Lower == "wieso", w.Lower == "weshalb":
			q.why = true
		case i == 0 && w.Lower == "who" && len(ws) > 2 && being[ws[1].Lower] && ws[2].Upper:
			q.identity = !slices.ContainsFunc(ws[3:], func(w segment.Word) bool { return !w.Upper && !segment.Function(w.Lower) })
		case (w.Lower == "many" || w.Lower == "much") && i+1 < len(ws) && !segment.Function(ws[i+1].Lower) && !segment.FiniteVerb(ws[i+1].Lower):
			q.thing = segment.Stem(ws[i+1].Lower)
		}
		if q.verb == "" && inverting[w.Lower] && i+2 < len(ws) {
			q.inverted(text, ws[i+1:])
			q.passive = w.Lower == "was" || w.Lower == "were"
		}
	}
	return q
}

// sum finds questions for a sum of money that do not say how much.
var sum = regexp.MustCompile(`(?i)^(?:and )?what (?:did .* (?:pay|cost|give for)\b.*|(?:is|was|were) the (?:price|cost)s? of .*)$`)

// judging finds questions for an opinion.
var judging = regexp.MustCompile(`(?i)^(?:and )?(?:what did \pL+ (?:\pL+ )?think (?:of|about)|how did \pL+ (?:\pL+ )?like|what was (?:his|her|their) opinion (?:of|about|on))\b`)

// owns finds an opinion that its writer gives as their own.
var owns = regexp.MustCompile(`(?i)\b(?:i|we) (?:do |did |now |still |never )?(?:find|found|think|thought|like|liked|love|loved|hate|hated|judge|judged|believe|admire|admired|fancy|esteem)\b|\bmethinks\b|\bmy (?:opinion|mind|heart)\b|\b(?:i|we) ever (?:saw|heard|read|ate|eat)\b|\bplease[sd]? me\b`)

// sceneOf reads the noun that something happened during: the fire, the great plague.
func sceneOf(ws []segment.Word) map[string]bool {
	out := map[string]bool{}
	for _, w := range ws {
		switch {
		case segment.Determiner(w.Lower):
		case segment.Function(w.Lower):
			return out
		default:
			out[segment.Stem(w.Lower)] = true
		}
	}
	return out
}

// inverted reads the subject and the verb behind an auxiliary: did she plant, did the King dine at.
func (q *question) inverted(text string, ws []segment.Word) {
	if person(ws[0].Lower) != "" {
		for _, w := range ws[1:] {
			if segment.Function(w.Lower) && !adverbs[w.Lower] && w.Lower != "ever" {
				return
			}
			if !segment.Function(w.Lower) && !strings.HasSuffix(w.Lower, "ly") {
				q.who, q.verb = ws[0].Lower, segment.Stem(w.Lower)
				return
			}
		}
		return
	}
	var run []string
	var names []bool
	for i, w := range ws {
		if segment.Function(w.Lower) || i > 0 && strings.ContainsAny(text[ws[i-1].End:w.Start], ",;") {
			if len(run) > 0 && !(w.Lower == "and" && names[len(run)-1] && i+1 < len(ws) && ws[i+1].Upper) {
				break
			}
			continue
		}
		run, names = append(run, segment.Stem(w.Lower)), append(names, w.Upper)
	}
	// A name at the end is what the verb is done to: did Tom Edwards marry Jane.
	for len(run) > 2 && names[len(run)-1] {
		run, names = run[:len(run)-1], names[:len(run)-1]
	}
	if len(run) < 2 {
		return
	}
	q.verb, q.subjects = run[len(run)-1], map[string]bool{}
	for _, s := range run[:len(run)-1] {
		q.subjects[s] = true
	}
}

// met reports whether a text with the question's words has the form that answers it.
func (q question) met(terms []retrieve.Term, text string) bool {
	ws := segment.Words(text)
	at := places(terms, text)
	switch {
	case q.counts && !q.counted(text, ws, at):
	case q.why && !causal(ws) && !moved(ws, at):
	case q.identity && !identifies(text, ws, at):
	case q.verb != "" && (q.who == "" || asked(terms, q.verb)) && !q.does(text, ws, at):
	case q.tight && !beside(text, ws, at):
	case q.opinion && !slices.ContainsFunc(ws, func(w segment.Word) bool { return opinions[segment.Stem(w.Lower)] }):
	default:
		return true
	}
	return false
}

// countReach is how many words may lie between a number and a word of the question.
const countReach = 8

// counted reports whether a number stands directly before the thing counted, or near a word of the
// question in the same clause.
func (q question) counted(text string, ws []segment.Word, at [][]int) bool {
	ns := tokens(text, nil, retrieve.Dates(text))
	for i, n := range ns {
		if (n.number == "" || !n.content) && !(q.sum && coined.MatchString(ws[i].Lower)) {
			continue
		}
		for j := max(0, i-countReach); j < min(len(ws), i+countReach+1); j++ {
			if j == i || len(at[j]) == 0 || apart(text, ws, i, j) { // a number that is asked about counts nothing
				continue
			}
			if q.thing == "" || segment.Stem(ws[j].Lower) == q.thing && j > i && j-i <= 3 || money[q.thing] && (valued(ws, i) || q.sum && priced(text, ws, i)) {
				return true
			}
		}
	}
	return false
}

// valued reports whether a number counts money.
func valued(ws []segment.Word, i int) bool {
	return i+1 < len(ws) && coins[ws[i+1].Lower]
}

// priced reports whether a number is a sum by its sign: £94, 55s.
func priced(text string, ws []segment.Word, i int) bool {
	return coined.MatchString(ws[i].Lower) || strings.HasSuffix(text[:ws[i].Start], "£")
}

// coined is a sum written as one word: 55s.
var coined = regexp.MustCompile(`^\d+[lsd]$`)

// apart reports whether a stop stands between two words, which are not one.
func apart(text string, ws []segment.Word, i, j int) bool {
	return strings.ContainsAny(text[ws[min(i, j)].End:ws[max(i, j)].Start], ".;:!?")
}

// causal reports whether words give a cause.
func causal(ws []segment.Word) bool {
	for i, w := range ws {
		switch w.Lower {
		case "because", "therefore", "reason", "reasons", "cause", "caused", "lest", "weil", "denn", "wegen", "deshalb", "daher", "darum":
			return true
		case "for", "so", "since":
			if i+1 < len(ws) && (person(ws[i+1].Lower) != "" || ws[i+1].Lower == "that" || ws[i+1].Lower == "my" || ws[i+1].Lower == "there") {
				return true
			}
		}
	}
	return false
}

// moved reports whether a feeling of the question has its cause behind it.
func moved(ws []segment.Word, at [][]int) bool {
	for i := range ws {
		if len(at[i]) == 0 || !moods[segment.Stem(ws[i].Lower)] {
			continue
		}
		for j := i + 1; j < len(ws) && j-i <= 6; j++ {
			if ws[j].Lower == "that" || ws[j].Lower == "for" || ws[j].Lower == "to" && j+1 < len(ws) && (ws[j+1].Lower == "see" || ws[j+1].Lower == "find" || ws[j+1].Lower == "hear") {
				return true
			}
		}
	}
	return false
}

// identifies reports whether a name of the question is followed by what it is: ", the smith", "is".
func identifies(text string, ws []segment.Word, at [][]int) bool {
	for i := range ws {
		if len(at[i]) == 0 || i+1 == len(ws) || len(at[i+1]) > 0 {
			continue
		}
		next := ws[i+1]
		if being[next.Lower] || strings.TrimSpace(text[ws[i].End:next.Start]) == "," && (segment.Determiner(next.Lower) || next.Lower == "who") {
			return true
		}
	}
	return false
}

// asked reports whether a stem is a term. Verbs of asking, say and think, are none: they need not stand in
// the writer's own text.
func asked(terms []retrieve.Term, stem string) bool {
	return slices.ContainsFunc(terms, func(t retrieve.Term) bool { return t.Stem == stem })
}

// subjectReach is how many words before a verb its subject is looked for.
const subjectReach = 16

// attribute reports whether a word in -ing belongs to the noun behind it: a little drinking house.
func attribute(ws []segment.Word, k int) bool {
	if !strings.HasSuffix(ws[k].Lower, "ing") || k+1 == len(ws) || segment.Function(ws[k+1].Lower) {
		return false
	}
	return k > 0 && segment.Determiner(ws[k-1].Lower) || k > 1 && segment.Determiner(ws[k-2].Lower)
}

// follows reports whether the subject of a passive stands behind its verb: was left at my house a silver watch.
func (q question) follows(text string, ws []segment.Word, k int) bool {
	if k == 0 || !being[ws[k-1].Lower] || q.subjects == nil {
		return false
	}
	for j := k - 2; j >= 0 && k-2-j < 3; j-- { // this day was left: nobody stands before it
		if ws[j].Upper && j > 0 || person(ws[j].Lower) != "" || strings.ContainsAny(text[ws[j].End:ws[j+1].Start], ".;:!?,") {
			return false
		}
	}
	for j := k + 1; j < len(ws) && j-k <= subjectReach; j++ {
		if strings.ContainsAny(text[ws[j-1].End:ws[j].Start], ".,;:!?") {
			return false
		}
		if q.subjects[segment.Stem(ws[j].Lower)] {
			return true
		}
	}
	return false
}

// does reports whether somewhere in the text the verb has the question's subject: nobody else stands
// nearer before it.
func (q question) does(text string, ws []segment.Word, at [][]int) bool {
	for k, w := range ws {
		if !related(q.verb, segment.Stem(w.Lower)) || attribute(ws, k) {
			continue
		}
		if (q.done(text, ws, k) || q.passive && q.follows(text, ws, k)) && q.near(text, ws, at, k) && !(q.when && dependent(text, ws, k)) {
			return true
		}
	}
	return false
}

func (q question) done(text string, ws []segment.Word, k int) bool {
	firsts := slices.ContainsFunc(ws, func(w segment.Word) bool { return person(w.Lower) == "1" || w.Lower == "my" || w.Lower == "me" })
	for j := k - 1; j >= 0 && j >= k-subjectReach; j-- {
		if strings.ContainsAny(text[ws[j].End:ws[j+1].Start], ".;!?") {
			break
		}
		w := ws[j]
		p := person(w.Lower)
		switch {
		case q.subjects != nil:
			if q.subjects[segment.Stem(w.Lower)] {
				return true
			}
			if p == "1" || w.Upper && j > 0 && p == "" && !governed(ws, j) && !strings.Contains(text[w.End:ws[k].Start], ",") {
				return false
			}
		case p == "1":
			return true
		case p != "" && p != "it":
			return p == q.who && !firsts
		case w.Upper && j > 0 && !segment.Function(w.Lower) && !governed(ws, j):
			return strings.Contains(text[w.End:ws[k].Start], ",") && firsts
		}
	}
	// Diaries leave the subject out: "Up, and buried the wine". A noun that is asked about is not left out.
	return q.subjects == nil
}

// objectReach is how many words may lie between a verb and another word of the question.
const objectReach = 12

// near reports whether another word of the question stands near the verb, or whether
// the question has no other.
func (q question) near(text string, ws []segment.Word, at [][]int, k int) bool {
	other := false
	for j := range ws {
		if len(at[j]) == 0 || related(q.verb, segment.Stem(ws[j].Lower)) {
			continue
		}
		other = true
		if j-k <= objectReach && k-j <= objectReach && !strings.ContainsAny(text[ws[min(j, k)].End:ws[max(j, k)].Start], ";:") {
			return true
		}
	}
	return !other
}

// dependent reports whether the clause of a verb is one of time or condition, or in the future.
func dependent(text string, ws []segment.Word, k int) bool {
	for j := k - 1; j >= 0 && j >= k-objectReach && !strings.ContainsAny(text[ws[j].End:ws[j+1].Start], ".,;:!?"); j-- {
		switch ws[j].Lower {
		case "since", "before", "till", "until", "if", "unless", "whenever", "should", "would", "will", "shall", "seit", "bevor", "bis", "wenn", "falls":
			return true
		}
	}
	return false
}

// besideReach is how many words a name and what somebody is to it span: the father of X.
const besideReach = 4

// beside reports whether all words of the question that stand in a text do so within a few words.
func beside(text string, ws []segment.Word, at [][]int) bool {
	all := map[int]bool{}
	for _, here := range at {
		for _, i := range here {
			all[i] = true
		}
	}
	for from := range at {
		have := map[int]bool{}
		for k := from; k < min(len(at), from+besideReach); k++ {
			if k > from && strings.ContainsAny(text[ws[k-1].End:ws[k].Start], ",.;:!?") {
				break
			}
			for _, i := range at[k] {
				have[i] = true
			}
		}
		if len(have) == len(all) {
			return true
		}
	}
	return false
}

// governed reports whether a name stands behind a preposition, so that it does nothing.
func governed(ws []segment.Word, j int) bool {
	for i := j - 1; i >= 0 && i >= j-3; i-- {
		if prepositions[ws[i].Lower] {
			return true
		}
		if !ws[i].Upper && !segment.Determiner(ws[i].Lower) {
			return false
		}
	}
	return false
}
