package assign

import (
	"slices"

	"muniment/answer/segment"
)

// This file reads what a sentence says in other shapes than that of a clause with its subject: a minute, a
// partitive put first, a place and what was done where, what somebody had done before.

// opened writes "Resolved, on the motion of X, that …" as "it was resolved that …", and "Of the 340 samples, 28
// held lead" as "28 of the 340 samples held lead".
func opened(ws []form) []form {
	if len(ws) < 4 || !ws[0].begin {
		return ws
	}
	i := slices.IndexFunc(ws, func(f form) bool { return f.text == comma })
	switch w := ws[0].text; {
	case w == "of" && i > 1 && i+2 < len(ws) && startsDigit(ws[i+1].text) && !isDate(ws[i+1].text) && (finite(ws[i+2]) || pasts[ws[i+2].text]) && !curbed(ws[:i]):
		return slices.Concat([]form{{text: ws[i+1].text, begin: true}, {text: "of"}}, ws[1:i], ws[i+2:])
	case resolving[w]:
		for k := 1; k < len(ws) && k <= maxMotion; k++ {
			if ws[k].text == "that" && (k == 1 || i == 1 && ws[k-1].text == comma) {
				return slices.Concat([]form{{text: "it", begin: true}, {text: "was"}, {text: w}}, ws[k:])
			}
			if finite(ws[k]) && !participle(ws[k]) || conditions[ws[k].text] || negations[ws[k].text] {
				break
			}
		}
	}
	return ws
}

// officed writes as before an office: elected chairman, elected Mr Foss chairman.
func officed(ws []form) []form {
	for i, w := range ws {
		if !electing[w.text] || i+1 >= len(ws) {
			continue
		}
		k := i + 1
		for k < len(ws) && (titles[ws[k].text] || ws[k].upper && !offices[ws[k].text]) {
			k++
		}
		if k < len(ws) && ws[k].text == "the" {
			continue
		}
		if k < len(ws) && offices[ws[k].text] && (k > i+1 || i > 0 && beForms[ws[i-1].text]) && (k+1 == len(ws) || ws[k+1].text == comma || preposition(ws, k+1) || joins(ws[k+1].text)) {
			return slices.Concat(ws[:k], []form{{text: "as"}}, ws[k:])
		}
	}
	return ws
}

var (
	electing = set(`elected chosen chose appointed nominated reelected re-elected`)
	offices  = set(`chairman chairwoman chairperson president vice-president secretary treasurer mayor warden churchwarden clerk captain speaker
		director governor rector dean abbot abbess prioress bishop king queen emperor leader auditor member master`)
)

// resolving are the words with which a minute begins.
var resolving = set(`resolved agreed ordered decided`)

// maxMotion is how many words may say who moved and seconded.
const maxMotion = 24

// shaped returns what a sentence says in clauses of other shapes.
func (m *matcher) shaped(ws []form) [][]form {
	var out [][]form
	ps := pieces(ws)
	if len(ps) > maxPieces {
		return nil
	}
	for i := 1; i < len(ps); i++ {
		left, body := ps[i-1].words, ps[i].words
		if governsRight(left, ps[i]) || conditional(left) {
			break
		}
		if len(body) < 3 || ps[i].stop != ',' || governedAfter(ps, i) {
			continue
		}
		switch {
		case body[0].text == "where" && !curbed(left) && !bound(body):
			place := placeAt(left)
			if place == nil || !opens(body[1:]) {
				continue
			}
			var last []form
			for k, c := range coordinated(body[1:]) {
				if startsVerb(c) {
					c = inherit(c, last)
				}
				if last = c; c == nil {
					break
				}
				out = append(out, c)
				if k == 0 {
					out = append(out, slices.Concat(c, []form{{text: "at"}}, place), slices.Concat(c, []form{{text: "in"}}, place))
				}
			}
		case body[0].text == "having" && participle(body[1]) && body[1].text != "been" && !curbed(body):
			if who := doer(left); who != nil {
				out = append(out, slices.Concat(who, []form{{text: "had"}}, body[1:]))
			}
		}
	}
	return out
}

// placeAt returns the place to which words lead at their end: by water to Deptford.
func placeAt(ws []form) []form {
	for i := len(ws) - 2; i >= 0 && i >= len(ws)-4; i-- {
		switch ws[i].text {
		case "to", "at", "into", "from", "in":
			place := ws[i+1:]
			if n := parseNoun(place); n == nil || !(names(place) == 0 || n.the && !plural(lastOf(place))) || slices.ContainsFunc(place, func(f form) bool { return weekdays[f.text] || isDate(f.text) }) {
				return nil
			}
			return place
		}
	}
	return nil
}

// doer returns the subject of a clause that says what was, for a participle behind it; nil where there is doubt.
func doer(ws []form) []form {
	v := predicate(ws)
	if v < 1 || slices.ContainsFunc(ws, func(f form) bool { return negations[f.text] || quantifiers[f.text] }) || limited(ws) || inFiction(ws) {
		return nil
	}
	for i := range ws {
		if governs(ws, i) && ws[i].text != "only" {
			return nil
		}
	}
	who, ok := new(frame).fronted(ws[:v])
	if !ok || !nounLike(who) {
		return nil
	}
	return who
}

// lighter returns wordings of a clause that say less: without what was not there, with the past for the perfect,
// with the writer for us who travelled.
func (m *matcher) lighter(c []form) [][]form {
	var out [][]form
	v := predicate(c)
	if v < 0 || slices.ContainsFunc(c, func(f form) bool { return quantifiers[f.text] && f.text != "no" || unsettled[f.text] }) {
		return nil
	}
	perfect := (c[v].text == "have" || c[v].text == "has") && v+1 < len(c) && participle(c[v+1])
	if i := slices.IndexFunc(c, func(f form) bool { return f.text == "without" }); i > v+1 && (perfect || happened(c, v)) && !bound(c[:i]) && !limited(c) && !inFiction(c) && unheld(c, v, i) {
		out = append(out, c[:i])
	}
	if bound(c) {
		return out
	}
	if perfect && c[v+1].text != "been" && c[v+1].text != "had" && finite(c[v+1]) && !lastingStems[lemma(c[v+1].text)] && (!morePerfect[c[v+1].text] || likePast[c[v+1].text]) {
		out = append(out, slices.Concat(c[:v], c[v+1:]))
	}
	if i := slices.IndexFunc(c, func(f form) bool { return f.text == "we" }); i >= 0 && i == v-1 && travelled[c[v].text] && !slices.ContainsFunc(c[v:], func(f form) bool {
		return f.text == "we" || f.text == "us" || f.text == "our" || f.text == "ours" || f.text == "together" || f.text == "apart"
	}) {
		alone := slices.Clone(c)
		alone[i].text = "i"
		out = append(out, alone)
	}
	return out
}

// unheld tells whether a phrase at i follows no common noun, of which it could say which is meant: for 20 years
// without a day's absence, but not "the child without a name".
func unheld(c []form, v, i int) bool {
	last := c[i-1]
	_, n := timeAt(c, i-1)
	return i == v+1 || last.upper || n > 0 || person(nominative(last.text)) != "" || sums[segment.Stem(last.text)] && i > 1 && startsDigit(c[i-2].text)
}

var (
	// unsettled are words that the past would not bear.
	unsettled = set(`since hitherto yet now lately ever already`)
	// likePast are participles that are the past too.
	likePast = set(`let led lit fed fled held kept left lost made met paid sent spent told heard found felt brought bought caught taught sold read put cut set hit shut won`)
	// travelled are verbs in the past of what each of a company does: we left Harwich.
	travelled = set(`left sailed came went arrived returned reached landed embarked walked rode drove travelled traveled dined supped lunched
		breakfasted slept lodged stayed crossed climbed visited saw heard passed entered anchored departed set started`)
)

// joinedTail tells a phrase put beside another with and: by 6 percent last year, and by 4 the year before.
func (e *embedding) joinedTail(j int) bool {
	rest := e.given[j:]
	if len(rest) < 3 || rest[0].text != "and" || !preposition(rest, 1) || verbal(rest) || predicate(rest) >= 0 || curbed(rest) || limited(rest) || inFiction(rest) {
		return false
	}
	same := func(f form) bool { return f.text == rest[1].text }
	return slices.ContainsFunc(e.given[e.verb:j], same) && !slices.ContainsFunc(e.given[:j], func(f form) bool {
		return f.text == "both" || f.text == "between" || segment.Stem(f.text) == "partly"
	})
}

// authored puts the writer before the verb of a diary's sentence that begins with a time: at noon dined with him.
func authored(ws []form) []form {
	if len(ws) == 0 {
		return ws
	}
	_, n := timeAt(ws, 0)
	if n == 0 || n+2 > len(ws) || !headless(ws[n:]) || segment.Function(ws[n].text) || !prepositions[ws[n+1].text] && !segment.Determiner(ws[n+1].text) && !startsDigit(ws[n+1].text) {
		return ws
	}
	if !subjectless(pieces(ws[n:]), 0) {
		return ws
	}
	return slices.Concat(ws[:n], []form{{text: "i"}}, ws[n:])
}
