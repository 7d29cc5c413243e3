package segment

import (
	"regexp"
	"slices"
	"strings"
)

// A Part is one of the questions that a question asks.
type Part struct {
	Text       string   // the part as asked, without the conjunction that joined it
	Context    string   // words of other parts that apply to this one too: "In 1931", "the mill"; mostly ""
	Words      []string // lower-case words of Text and Context without function words, in order, each once
	Start, End int      // byte offsets of Text in the question
}

// Query returns the search text: Text and Context.
func (p Part) Query() string {
	if p.Context == "" {
		return p.Text
	}
	return p.Text + " " + p.Context
}

// MaxQuestion is how many bytes a question that is split may have; a longer text is one part.
const MaxQuestion = 4096

// QuestionParts splits a question where a new question begins: after ? or ; and after a comma, and, or, but where a
// question word, an auxiliary with its subject, or a clause with a subject and a verb of its own follows. "bread and
// butter", "where and when" and "the man who came and who left" stay whole. A question without words has no parts.
//
// A date in a phrase before the first question word ("In 1931, what …"), or set off by a comma at the end, applies to
// every part without a date. A pronoun (it, them, there) takes the last noun phrase of the part before it as context.
func QuestionParts(question string) []Part {
	ws := Words(question)
	if len(ws) == 0 {
		return nil
	}
	if len(question) > MaxQuestion {
		return []Part{{Text: question, Words: contentWords(question), End: len(question)}}
	}
	var parts []Part
	first := 0
	for i := 1; i <= len(ws); i++ {
		if i < len(ws) && !divides(question, ws, first, i) {
			continue
		}
		parts = append(parts, part(question, ws[first:i], i == len(ws)))
		first = i
	}
	shareDates(parts)
	for i := range parts {
		if i > 0 {
			resolve(&parts[i], parts[i-1])
		}
		parts[i].Words = contentWords(parts[i].Query())
	}
	return parts
}

var conjunctions = wordLists.Set("conjunctions")

// divides reports whether a new question begins at word i of a part that began at word first.
func divides(q string, ws []Word, first, i int) bool {
	gap := q[ws[i-1].End:ws[i].Start]
	if conjunctions[ws[i].Lower] {
		return false // it belongs to neither; the word after it decides
	}
	hard := strings.ContainsAny(gap, "?;") || strings.Contains(gap, "\n\n")
	at := i - 1 // the last word of the part before, without conjunctions
	for at >= first && conjunctions[ws[at].Lower] {
		at--
	}
	if at < first {
		return false
	}
	joined := at < i-1
	comma := strings.Contains(q[ws[at].End:ws[i].Start], ",")
	if hard {
		return true
	}
	if !joined && !comma {
		return false
	}
	if !isQuestion(ws[first : at+1]) {
		return false // a leading phrase: "In 1931, what …"
	}
	rest := ws[i:]
	switch {
	case opensQuestion(rest):
		return !questionWords[ws[at].Lower] && !opensRelativeClause(ws[first:at+1], rest)
	case invertedClause(rest):
		return true
	}
	return joined && isQuestion(rest) && opensClause(rest) && !subjectOnly(ws[first:at+1])
}

// subjectOnly reports whether a question has come no further than the first half of its subject: where were
// Anna (and Max lodged).
func subjectOnly(ws []Word) bool {
	if len(ws) < 3 || !questionWords[ws[0].Lower] || !auxiliaries[ws[1].Lower] {
		return false
	}
	for _, w := range ws[2:] {
		if !w.Upper && !determiners[w.Lower] {
			return false
		}
	}
	return ws[len(ws)-1].Upper
}

// isQuestion reports whether words hold a verb or a question word, so that they can be a question.
func isQuestion(ws []Word) bool {
	return slices.ContainsFunc(ws, func(w Word) bool { return questionWords[w.Lower] || finiteVerb(w.Lower) })
}

// opensQuestion reports whether words begin with a question word, maybe after a preposition, and a
// verb or noun follows.
func opensQuestion(ws []Word) bool {
	if len(ws) < 2 {
		return false
	}
	if questionWords[ws[0].Lower] {
		return true
	}
	return prepositions[ws[0].Lower] && questionWords[ws[1].Lower]
}

var prepositions = wordLists.Set("prepositions")

// invertedClause reports whether words begin with an auxiliary before its subject: did she, was the mill, has Anna.
func invertedClause(ws []Word) bool {
	if len(ws) < 3 || !auxiliaries[ws[0].Lower] {
		return false
	}
	s := ws[1]
	return subjectPronouns[s.Lower] || determiners[s.Lower] || s.Upper
}

// opensRelativeClause reports whether rest continues a relative clause: the part contains the same pronoun.
func opensRelativeClause(before, rest []Word) bool {
	switch rest[0].Lower {
	case "who", "which", "whose", "whom", "where", "when":
	default:
		return false
	}
	for i, w := range before {
		if i > 0 && w.Lower == rest[0].Lower && !prepositions[before[i-1].Lower] {
			return true
		}
	}
	return false
}

// part cuts the text of some words out of the question, with what closes it.
func part(q string, ws []Word, last bool) Part {
	for len(ws) > 1 && conjunctions[ws[0].Lower] {
		ws = ws[1:]
	}
	for len(ws) > 1 && conjunctions[ws[len(ws)-1].Lower] {
		ws = ws[:len(ws)-1]
		last = false
	}
	start, end := ws[0].Start, ws[len(ws)-1].End
	for start > 0 && strings.IndexByte("\"'(", q[start-1]) >= 0 {
		start--
	}
	tail := q[end:]
	if last {
		end += len(strings.TrimRight(tail, " \t\r\n"))
	} else {
		for end < len(q) && closerLen(q[end:]) > 0 {
			end += closerLen(q[end:])
		}
		if end < len(q) && q[end] == '?' {
			end++
		}
	}
	return Part{Text: q[start:end], Start: start, End: end}
}

// datePhrase finds phrases that name a date or a period. It only decides what is shared; what the
// date is, is for the retriever to read.
var datePhrase = regexp.MustCompile(`(?i)(?:\b(?:in|on|during|since|before|after|around|by|im|am|seit|vor|nach)\s+)?` +
	`(?:the\s+|dem\s+|den\s+)?(?:early\s+|late\s+)?(?:(?:spring|summer|autumn|fall|winter|frühling|frühjahr|sommer|herbst)\s+(?:of\s+)?)?` +
	`(?:\d{1,2}(?:st|nd|rd|th|\.)?\s+(?:of\s+)?)?(?:(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mai|okt|dez)[a-zä]*\.?\s+(?:\d{1,2}(?:st|nd|rd|th)?,?\s+)?)?` +
	`\b(?:1\d{3}|20\d{2})(?:-\d{2}(?:-\d{2})?)?(?:s\b|\b)`)

// shareDates gives the date of a leading phrase, or of one that a comma sets off at the end, to the
// parts that have none.
func shareDates(parts []Part) {
	shared := ""
	if at := datePhrase.FindStringIndex(parts[0].Text); at != nil {
		if rest := Words(parts[0].Text[at[1]:]); at[0] <= 1 && len(rest) > 0 && (questionWords[rest[0].Lower] || auxiliaries[rest[0].Lower]) {
			shared = parts[0].Text[at[0]:at[1]]
		}
	}
	last := parts[len(parts)-1].Text
	if at := datePhrase.FindAllStringIndex(last, -1); shared == "" && at != nil {
		a := at[len(at)-1]
		if strings.HasSuffix(strings.TrimRight(last[:a[0]], " "), ",") && len(Words(last[a[1]:])) == 0 {
			shared = last[a[0]:a[1]]
		}
	}
	for i := range parts {
		if shared != "" && !datePhrase.MatchString(parts[i].Text) {
			parts[i].Context = shared
		}
	}
}

var objectPronouns = wordLists.Set("object pronouns")

// resolve adds the noun phrase of the part before to a part that refers to it by a pronoun.
func resolve(p *Part, before Part) {
	ws := Words(p.Text)
	needs := false
	for i, w := range ws {
		if objectPronouns[w.Lower] && (i+1 == len(ws) || !finiteVerb(ws[i+1].Lower) || i > 0) {
			needs = true
		}
	}
	if !needs {
		return
	}
	if np := nounPhrase(before.Text); np != "" {
		p.Context = strings.TrimSpace(p.Context + " " + np)
	} else if before.Context != "" && p.Context == "" {
		p.Context = before.Context
	}
}

// nounPhrase returns the last run of a determiner and the content words after it. Where the determiner follows an
// auxiliary that opens the question ("did the mill burn"), the last word of the run is the verb and is left out.
func nounPhrase(text string) string {
	ws := Words(text)
	for i := len(ws) - 2; i >= 0; i-- {
		if !determiners[ws[i].Lower] {
			continue
		}
		end := i + 1
		for end < len(ws) && !Function(ws[end].Lower) && !finiteVerb(ws[end].Lower) &&
			!strings.ContainsAny(text[ws[end-1].End:ws[end].Start], ",;") {
			end++
		}
		if end-i > 2 && i > 0 && auxiliaries[ws[i-1].Lower] {
			end--
		}
		if end > i+1 {
			return text[ws[i].Start:ws[end-1].End]
		}
	}
	return ""
}

func contentWords(text string) []string {
	var out []string
	seen := map[string]bool{}
	for _, w := range Words(text) {
		if !Function(w.Lower) && !seen[w.Lower] {
			seen[w.Lower] = true
			out = append(out, w.Lower)
		}
	}
	return out
}
