package assign

import (
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
}

// ask reads the form of a question.
func ask(text string) question {
	q := question{counts: counting.MatchString(text)}
	ws := segment.Words(text)
	for i, w := range ws {
		switch {
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
		}
	}
	return q
}

var (
	being     = set(`is was are were ist war`)
	inverting = set(`did does do had has have was were`)
)

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
	for i, w := range ws {
		if segment.Function(w.Lower) || i > 0 && strings.ContainsAny(text[ws[i-1].End:w.Start], ",;") {
			if len(run) > 0 {
				break
			}
			continue
		}
		run = append(run, segment.Stem(w.Lower))
	}
	if len(run) < 2 {
		return
	}
	q.verb, q.subjects = run[len(run)-1], map[string]bool{}
	for _, s := range run[:len(run)-1] {
		q.subjects[s] = true
	}
}

// met tells whether a text with the question's words has the form that answers it.
func (q question) met(terms []retrieve.Term, text string) bool {
	ws := segment.Words(text)
	at := places(terms, text)
	switch {
	case q.counts && !q.counted(text, ws, at):
	case q.why && !causal(ws):
	case q.identity && !identifies(text, ws, at):
	case q.verb != "" && (q.who == "" || asked(terms, q.verb)) && !q.does(text, ws, at):
	case q.tight && !beside(text, ws, at):
	default:
		return true
	}
	return false
}

// countReach is how many words may lie between a number and a word of the question.
const countReach = 8

// counted tells whether a number stands directly before the thing counted, or near a word of the
// question in the same clause.
func (q question) counted(text string, ws []segment.Word, at [][]int) bool {
	ns := tokens(text, nil, retrieve.Dates(text))
	for i, n := range ns {
		if n.number == "" || !n.content {
			continue
		}
		for j := max(0, i-countReach); j < min(len(ws), i+countReach+1); j++ {
			if len(at[j]) == 0 || apart(text, ws, i, j) {
				continue
			}
			if q.thing == "" || segment.Stem(ws[j].Lower) == q.thing && j > i && j-i <= 3 || money[q.thing] && valued(ws, i) {
				return true
			}
		}
	}
	return false
}

var money = set(`money`)

// valued tells whether a number counts money.
func valued(ws []segment.Word, i int) bool {
	return i+1 < len(ws) && coins[ws[i+1].Lower]
}

var coins = set(`l pound pounds s shilling shillings d pence crowns crown guineas gold kronen mark gulden dollars`)

// apart tells whether a stop stands between two words.
func apart(text string, ws []segment.Word, i, j int) bool {
	return strings.ContainsAny(text[ws[min(i, j)].End:ws[max(i, j)].Start], ".;:!?")
}

// causal tells whether words give a cause.
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

// identifies tells whether a name of the question is followed by what it is: ", the smith", "is".
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

// asked tells whether a stem is a term. Verbs of asking, say and think, are none: they need not stand in
// the writer's own text.
func asked(terms []retrieve.Term, stem string) bool {
	return slices.ContainsFunc(terms, func(t retrieve.Term) bool { return t.Stem == stem })
}

// subjectReach is how many words before a verb its subject is looked for.
const subjectReach = 10

// does tells whether somewhere in the text the verb has the question's subject: nobody else stands
// nearer before it.
func (q question) does(text string, ws []segment.Word, at [][]int) bool {
	for k, w := range ws {
		if segment.Stem(w.Lower) != q.verb {
			continue
		}
		if q.done(text, ws, k) && q.near(text, ws, at, k) && !(q.when && dependent(text, ws, k)) {
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

// near tells whether another word of the question stands near the verb, or whether
// the question has no other.
func (q question) near(text string, ws []segment.Word, at [][]int, k int) bool {
	other := false
	for j := range ws {
		if len(at[j]) == 0 || segment.Stem(ws[j].Lower) == q.verb {
			continue
		}
		other = true
		if j-k <= objectReach && k-j <= objectReach && !strings.ContainsAny(text[ws[min(j, k)].End:ws[max(j, k)].Start], ";:") {
			return true
		}
	}
	return !other
}

// dependent tells whether the clause of a verb is one of time or condition, or in the future.
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

// beside tells whether all words of the question that stand in a text do so within a few words.
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

// governed tells whether a name stands behind a preposition, so that it does nothing.
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
